# SPDX-License-Identifier: Apache-2.0
"""Runs `cairn solve` on the files Siconos gets: one thread, started from zero, the target as its tolerance.

Judged like Siconos: by problems.py, from the impulses it writes. `residual` keeps Cairn's own word beside that.
"""
import csv
import glob
import io
import os
import subprocess
import sys

from siconos import Runs, TARGETS, repetitions

COLUMNS = ["file", "solver", "tol", "residual", "e_scaled", "seconds", "status", "form", "iterations", "contacts",
           "message"]
KINDS = {"fc3d": "fc3d", "gfc3d": "gfc3d", "rfc3d": "rolling", "grfc3d": "global-rolling", "fc2d": "fc2d",
         "gfc2d": "gfc2d"}


def cairn_runs(path):
    return Runs(path, COLUMNS, lambda r: (r["file"], r["form"], r["solver"], "%g" % float(r["tol"])))


def written_impulses(folder):
    """r of the one solution in the folder, or None."""
    import h5py
    found = glob.glob(os.path.join(folder, "*.hdf5"))
    if not found:
        return None
    with h5py.File(found[0], "r") as f:
        return f["solution/r"][()]


def run_once(cairn, work, problem, form, solver, tol, cap, repeat):
    """One problem, one solver, one tolerance. Status ok, or Cairn's word for why it did not get there."""
    file = problem.path if form == "global" else problem.cairn_file()
    kind = KINDS[problem.kind if form == "global" else problem.kind.lstrip("g")]
    solutions = os.path.join(work, "solutions")
    row = dict(file=problem.name, solver=solver, tol="%g" % tol, form=form, contacts=problem.contacts)
    command = [cairn, "solve", file, "--solver", solver, "--tol", "%g" % tol, "--max-seconds", "%g" % cap, "--repeat",
               str(repeat), "--csv", "--write-solution", solutions]
    command += ["--kind", kind] if file.endswith(".dat") else []
    env = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    for old in glob.glob(os.path.join(solutions, "*.hdf5")):
        os.remove(old)
    try:
        p = subprocess.run(command, capture_output=True, text=True, env=env, errors="replace",
                           timeout=40 * cap + 60)
    except subprocess.TimeoutExpired:
        return dict(row, status="timeout")
    found = list(csv.DictReader(io.StringIO(p.stdout)))
    if p.returncode == 2 and "does not know the law" in p.stderr:
        return dict(row, status="unsupported", message=p.stderr.strip().splitlines()[-1])
    if p.returncode not in (0, 1) or not found:
        return dict(row, status="crash", message=(p.stderr.strip().splitlines() or [f"exit {p.returncode}"])[-1])
    got = found[0]
    row.update(residual="%.3e" % float(got["residual"]), iterations=got["iterations"], message=got["message"],
               status="ok" if got["converged"] == "true" else got["status"])
    r = written_impulses(solutions)
    if r is None:
        return row
    e_scaled = problem.e_scaled(r)
    if abs(e_scaled - float(got["residual"])) > 0.01 * e_scaled + 1e-13:
        print(f"warning: {problem.name} {solver}: e_scaled {e_scaled:g}, Cairn says {got['residual']}", file=sys.stderr)
    return dict(row, e_scaled="%.3e" % e_scaled, seconds="%.6g" % float(got["seconds"]))


def measure(cairn, work, runs, problem, solvers, forms):
    """All targets of all solvers on one problem."""
    cap = 5.0 if problem.contacts <= 150 else 10.0
    for form in forms:
        for solver in solvers:
            for target in TARGETS:
                row = runs.rows.get((problem.name, form, solver, "%g" % target))
                if row is None:
                    row = run_once(cairn, work, problem, form, solver, target, cap, 1)
                    if row["status"] == "ok" and float(row["seconds"]) < 2.0:
                        row = run_once(cairn, work, problem, form, solver, target, cap, repetitions(problem))
                    row = runs.add(row)
                if row["status"] != "ok":
                    break  # a tighter target is out of reach too
