# SPDX-License-Identifier: Apache-2.0
"""Runs the packaged Siconos through the driver `siconos_bench`, one process per run, one thread, started from zero.

Its tolerance is on another measure than ours. So each solver climbs a ladder of tolerances until the measure of
problems.py is below the tightest target; what counts later is, for each target, the fastest run that met it.
"""
import csv
import os
import resource
import subprocess
import sys

from problems import DENSE_UP_TO

LADDER = [float(f"1e-{k}") for k in range(1, 17)]  # e_scaled can be 1e6 times its own error
TARGETS = [1e-4, 1e-6, 1e-8]
COLUMNS = ["file", "solver", "tol", "e_sic", "e_scaled", "seconds", "status", "storage", "iterations", "contacts",
           "cap"]
PATIENCE = 30.0  # how many times slower than the best known a run may be before it is stopped

# What an earlier survey of all 47 + 21 + 5 + 1 + 4 solvers of the driver found best, or close, somewhere.
SOLVERS = {
    "fc3d": ["VI-EG", "PROX-NSN-AC", "ADMM-RB", "NSGS-JM-full", "NSGS-AC-GP-full", "NSGS-P", "NSGS-default-full",
             "NSGS-PLI-6-full", "PSOR-1.5-full", "NSGS-QUARTIC", "NSN-AC", "NSN-AC-GP", "NSN-JM-GP", "NSN-FB-GP",
             "NSN-AC-HYBRID", "PROX-NSN-AC-s0.5", "ADMM-RB-norminf", "ADMM-SRB", "EG", "VI-FPP"],
    "gfc3d": ["NSN-AC", "ADMM-RB", "ADMM-SRB", "ADMM", "ADMM-WR-RB", "NSGS-WR", "NSN-AC-WR", "PROX-WR", "IPM-coulomb"],
    "rfc3d": ["NSGS-default", "NSGS-PLI-14", "NSGS-P", "ADMM-const", "ADMM-RB"],
    "grfc3d": ["NSGS-WR"],
    "fc2d": ["NSGS", "CPG", "LEMKE"],
}


# Left out below 20 contacts: never near the best there.
LARGE_ONLY = {"NSGS-PLI-6-full", "PSOR-1.5-full", "NSN-AC-GP", "NSN-JM-GP", "NSN-FB-GP", "NSN-AC-HYBRID",
              "PROX-NSN-AC-s0.5", "ADMM-RB-norminf", "ADMM-SRB", "EG", "VI-FPP"}


def storages(problem, solver):
    """How W is stored changes the time of Siconos tens of times: each solver gets the one that suits it, or both.

    Dense suits Newton and ADMM up to about 100 contacts, and everything up to 10; blocks suit the sweeps above.
    """
    if problem.contacts < 20 and solver in LARGE_ONLY:
        return []
    sweeps = solver.startswith(("NSGS", "PSOR", "EG", "VI"))
    if problem.contacts > DENSE_UP_TO:
        return ["block"]
    if problem.dim == 2:
        return ["block", "dense"]
    if problem.contacts <= 10:
        return ["dense"]
    return ["block"] if sweeps else ["dense", "block"]


def build_driver(source, work):
    """The driver, compiled from `source`/siconos_bench.cpp unless it is there and newer."""
    binary, code = os.path.join(work, "siconos_bench"), os.path.join(source, "siconos_bench.cpp")
    if not os.path.exists(binary) or os.path.getmtime(binary) < os.path.getmtime(code):
        os.makedirs(work, exist_ok=True)
        include = [f"-I/usr/include/siconos{sub}" for sub in ("", "/numerics", "/externals")]
        subprocess.run(["g++", "-O2", "-std=c++17", "-w", code, *include, "-lsiconos_numerics", "-lsiconos_externals",
                        "-o", binary], check=True)
    return binary


def repetitions(problem):
    """Of which the fastest counts, for both programs: more where a solve takes microseconds."""
    return 20 if problem.contacts < 20 else 10 if problem.contacts < 100 else 3


class Runs:
    """The rows measured so far, on disk after every run, so that a stopped survey continues where it was."""

    def __init__(self, path, columns, key):
        self.path, self.columns, self.key = path, columns, key
        self.rows = {}
        if os.path.exists(path):
            with open(path) as f:
                for row in csv.DictReader(f):
                    self.rows[key(row)] = row
        else:
            with open(path, "w") as f:
                f.write(",".join(columns) + "\n")

    def add(self, row):
        row = {c: str(row.get(c, "")) for c in self.columns}
        self.rows[self.key(row)] = row
        with open(self.path, "a") as f:
            f.write(",".join(row[c].replace(",", ";") for c in self.columns) + "\n")
        return row


def siconos_runs(path):
    return Runs(path, COLUMNS, lambda r: (r["file"], r["storage"], r["solver"], "%g" % float(r["tol"])))


def run_once(driver, work, problem, storage, solver, tol, cap):
    """One run of one solver. Status ok, loose (its own tolerance not reached), timeout or crash.

    storage: block or dense for the local form, global for the problem as given with M and H.
    """
    kind = problem.kind if storage == "global" else problem.kind.lstrip("g")
    file = problem.given if storage == "global" else problem.local_file(storage)
    dump = os.path.join(work, "impulses.txt")
    if os.path.exists(dump):
        os.remove(dump)
    env = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", DUMP=dump)
    limit = int(cap) + 1  # the driver also reads the file and checks the result
    row = dict(file=problem.name, storage=storage, solver=solver, tol="%g" % tol, contacts=problem.contacts,
               cap="%.3g" % cap)
    command = [driver, kind, file, solver, "%g" % tol, str(repetitions(problem)), str(cap)]
    try:
        p = subprocess.run(command, capture_output=True, text=True, env=env, timeout=40 * cap + 60, errors="replace",
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    except subprocess.TimeoutExpired:
        return dict(row, status="timeout", cap="0")  # a busy machine, not a slow solver: worth another try
    lines = [x for x in p.stdout.splitlines() if x.startswith("RES,")]
    if not lines or not os.path.exists(dump):
        return dict(row, status="timeout" if p.returncode in (-24, -9) else "crash")
    # RES,kind,file,solver,tol,info,iterations,t_min,t_median,e_solver,e_sic,e_q,e_scaled,contacts,size,t_wall
    v = lines[-1].split(",")
    with open(dump) as f:
        r = [float(line.split()[0]) for line in f]
    e_sic, e_scaled, e_driver = float(v[10]), problem.e_scaled(r), float(v[12])
    if abs(e_scaled - e_driver) > 0.01 * e_driver + 1e-13:  # the driver evaluates it too, for plain friction
        print(f"warning: {problem.name} {solver}: e_scaled {e_scaled:g}, the driver says {e_driver:g}", file=sys.stderr)
    return dict(row, e_sic="%.3e" % e_sic, e_scaled="%.3e" % e_scaled, seconds="%.6g" % float(v[7]),
                iterations=v[6], status="ok" if e_sic <= 1.001 * tol else "loose")


def retime(driver, work, survey_rows, runs, problem):
    """Measures again what counts of an earlier survey: for each solver the fastest run that met each target.

    Runs above two seconds and failures are taken over as they are.
    """
    rows = [r for r in survey_rows.values() if r["file"] == problem.name]
    counts = []
    for group in sorted({(r["solver"], r["storage"]) for r in rows}):
        mine = [r for r in rows if (r["solver"], r["storage"]) == group]
        for target in TARGETS:
            row = best(mine, target)
            if row is not None and row not in counts:
                counts.append(row)
    for row in rows:
        key = runs.key(row)
        if key in runs.rows:
            continue
        if row in counts and float(row["seconds"]) < 2.0:
            runs.add(run_once(driver, work, problem, row["storage"], row["solver"], float(row["tol"]), 5.0))
        elif row in counts or row["tol"] == "1000" or not row["seconds"]:
            runs.add(row)


def met(row, target):
    return row["seconds"] != "" and float(row["e_scaled"]) <= 1.001 * target  # rounding


def best(rows, target):
    """The fastest of the rows that met the target, or None."""
    return min((r for r in rows if met(r, target)), key=lambda r: float(r["seconds"]), default=None)


def climb(driver, work, runs, problem, storage, solver, cap):
    """One solver on one problem: from 1e-4 up while that still meets the first target, then down to the last target."""
    def run(tol):
        row = runs.rows.get((problem.name, storage, solver, "%g" % tol))
        if row is None or row["status"] == "timeout":
            rows = [r for r in runs.rows.values() if r["file"] == problem.name and r["storage"] != "global"]
            champion = best(rows, next((t for t in TARGETS if reached > t), TARGETS[-1]))
            allowed = cap if champion is None else min(cap, max(0.5, PATIENCE * float(champion["seconds"])))
            if row is not None and allowed <= 1.5 * float(row["cap"]):
                return row  # it had its chance
            row = runs.add(run_once(driver, work, problem, storage, solver, tol, allowed))
        return row

    failures, reached, last, start = 0, float("inf"), 1.0, LADDER.index(1e-4)
    row = run(1e-4)
    for tol in reversed(LADDER[:start]):
        if not met(row, TARGETS[0]) or int(row["iterations"]) <= 1:
            break
        row = run(tol)
    for tol in LADDER[start:]:
        target = next((t for t in TARGETS if reached > t), None)
        if target is None or (reached < float("inf") and reached / last * tol > 30 * target):
            continue  # all met; or still far from the next target if its error falls with its tolerance
        row, last = run(tol), tol
        reached = min(reached, float(row["e_scaled"])) if row["seconds"] else reached
        failures += row["status"] != "ok"
        if row["status"] == "timeout" or failures == 2:
            return


def best_of_page(path):
    """{problem: names of solvers} from the tables of an earlier page: those that were best at some target."""
    known, named = {s for solvers in SOLVERS.values() for s in solvers}, {}
    with open(path) as f:
        for line in f:
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if line.startswith("| ") and len(cells) > 2 and cells[1].isdigit():
                named.setdefault(cells[0], set()).update(w for c in cells[2:] for w in c.split() if w in known)
    if not named:
        sys.exit(f"compare.py: {path} has no table of problems and their best solvers")
    return named


def survey(driver, work, runs, problem, form, named=None):
    """Every solver for one form (local or global) of one problem; with `named` only those it names for the problem."""
    cap = 5.0 if problem.contacts <= 150 else 10.0
    short = problem.name.split("/")[1].removesuffix(".dat").removesuffix(".hdf5").removesuffix(".hdf5")
    wanted = (lambda solver: True) if named is None else lambda solver: solver in named.get(short, ())
    if form == "local":
        for solver in filter(wanted, SOLVERS[problem.kind.lstrip("g")]):
            for storage in storages(problem, solver):
                climb(driver, work, runs, problem, storage, solver, cap)
    elif problem.is_global:
        if problem.kind == "gfc3d" and (problem.name, "global", "NSGS-WR", "1000") not in runs.rows:
            runs.add(run_once(driver, work, problem, "global", "NSGS-WR", 1e3, cap))  # condensation and one sweep
        for solver in filter(wanted, SOLVERS.get(problem.kind, [])):
            climb(driver, work, runs, problem, "global", solver, cap)


def write_targets(path, runs, problems):
    """A small text table: who is best at each target so far."""
    with open(path, "w") as f:
        f.write(f"{'problem':58s} {'nc':>5s}" + "".join(f" | {'best at %g' % t:>36s}" for t in TARGETS) + "\n")
        for p in problems:
            rows = [r for r in runs.rows.values() if r["file"] == p.name]
            if not rows:
                continue
            line = f"{p.name:58s} {p.contacts:5d}"
            for t in TARGETS:
                b = best(rows, t)
                name = b and b["solver"] + (f" ({b['storage']})")
                line += " | " + (f"{name[:26]:>26s} {float(b['seconds']):9.2e}" if b else f"{'none':>26s} {'-':>9s}")
            f.write(line + "\n")
