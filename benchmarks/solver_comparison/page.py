# SPDX-License-Identifier: Apache-2.0
"""Writes docs/solver-comparison.md with its pictures, or docs/solver-comparison-best.md, from the measured rows."""
import os
import re
import time

import report
from siconos import TARGETS

CURVES = """{pictures}

A curve shows the share of the {count} 3D problems that a solver brings to the target within the factor on the axis of
the fastest solver of that problem (Dolan and Moré 2002). The dashed line is an imaginary solver that always picks the
best of Siconos.
"""

TEXT = """# Cairn's solvers beside Siconos

The same problem files through `cairn solve` and through Debian's packages of Siconos 4.4, whose solvers are the
reference of this field. One thread each, started from zero, judged by one measure. A script writes this page; do not
edit it.

{machine}

## Summary

{means}

The ratio is the time of the **best** Siconos solver, chosen afterwards for each problem and target, over the time of
Cairn's one default, `auto`. Above 1 Cairn is faster. {survey} Means are over the problems both bring to the target.

{verdict}

{profiles}## How it was measured

- **One measure.** A run counts at a target when e_scaled, the natural map free of units of
  [conventions.md](conventions.md), is at or below it. Siconos stops by another measure, which depends on units: here
  e_scaled was between {lowest} and {highest} times its own error. So each of its solvers runs at internal tolerances
  1e-1, 1e-2, ... 1e-16 until the last target is met, skipping those too loose for the next one, and for each target the
  fastest run that met it counts. Cairn's tolerance is on e_scaled itself and is set to the target. For both, e_scaled
  is evaluated by the script from the impulses the program returns, never taken from the program.
- **The best of Siconos** is the fastest of these solvers, with block or dense storage of W or both:
{solvers}
  "-full" means that the true error is evaluated after every sweep, with which Siconos stops earlier than by default.
- **Time** is that of the solve alone, without reading files: the fastest of 20 repetitions below 20 contacts, of 10
  below 100, of 3 above. Siconos: CPU time (wall time below 2 ms); Cairn: wall time. A run is stopped after 5 s, after 10 s above 150
  contacts; a Siconos run also when it is many times slower than another that met the target (the column `cap` of
  `siconos.csv` says when). One core, no threads (`OPENBLAS_NUM_THREADS=1`).
- **Global problems** (M and H given) are condensed to W and q first, and both programs get the same local file: the
  time is that of the local solve. What condensation costs, and the global solvers, are in a table of their own.
- "none" or "not met": no run of the program met the target within its time.

## All 3D problems

{table}

## Global form

The same problems given with M and H: total time, condensation included. "Siconos condenses" is its time to form W and q
(one sweep included), "best local" the best local Siconos solver at 1e-4 after that, as in the table above.

{global_table}

## Rolling friction and 2D

{second_table}

`fc2d_granularflowonwall_00667_00000` has a q of size 1e-18, so every error relative to it is rounding.

## Repeat it

    apt install libsiconos-numerics-dev python3-numpy python3-scipy python3-h5py
    cmake --preset release && cmake --build --preset release
    /usr/bin/python3 benchmarks/solver_comparison/compare.py --data PROBLEMS --driver-source SICONOS_BENCH

`PROBLEMS` holds the folders fc3d, gfc3d, generated, rolling and fc2d, `SICONOS_BENCH` the driver `siconos_bench.cpp`
with its reader `fcread.py`. The script builds the driver, converts the files, runs both programs problem by problem,
leaves `siconos.csv` and `cairn.csv` in `build/solver_comparison`, and writes this page. A stopped run continues where
it was. With `--survey siconos.csv` of an earlier run only the runs that count are timed again, with `--best-of` and
this page only the solvers it names are run, which takes minutes instead of hours.
"""


def solvers_tried(problems, rows):
    """Who had a chance, by size, from the rows themselves."""
    size = {p.name: p.contacts for p in problems}
    lines = []
    for title, low, high in (("below 20 contacts", 0, 19), ("20 to 150", 20, 150), ("above 150", 151, 10 ** 9)):
        rows_here = [r for r in rows if low <= size.get(r["file"], -1) <= high and r["storage"] != "global"]
        tried = sorted({r["solver"] for r in rows_here})
        lines.append(f"  {title}: {', '.join(tried) or 'none'};")
    return "\n".join(lines)[:-1] + "."


def error_ratios(rows):
    """Smallest and largest e_scaled / e_sic over the runs in which both are above rounding."""
    ratios = [float(r["e_scaled"]) / float(r["e_sic"]) for r in rows
              if r["seconds"] and min(float(r["e_scaled"]), float(r["e_sic"])) > 1e-12]
    return (f"{min(ratios):.0e}", f"{max(ratios):.0e}") if ratios else ("-", "-")


def machine(start, load):
    """One sentence on when and where; load averages because times of a busy machine are worth less."""
    with open("/proc/cpuinfo") as f:
        model = re.search(r"model name\s*:\s*(.*)", f.read())
    return (f"Measured {time.strftime('%d %B %Y', time.gmtime(start)).lstrip('0')} on {os.cpu_count()} cores "
            f"({model.group(1).strip() if model else 'unknown processor'}), load average {load:.1f} at the start and "
            f"{os.getloadavg()[0]:.1f} at the end, {(time.time() - start) / 60:.0f} minutes.")


def verdict(table):
    """Where Cairn is slower or fails, said first; then what only Cairn solves."""
    slower, failed, alone = [], [], []
    for p in table.problems:
        for t in TARGETS:
            theirs, ours = table.best[p.name, t]
            name = f"{report.short(p)} at {report.power(t)}"
            if theirs and not ours:
                failed.append(name)
            elif ours and not theirs:
                alone.append(name)
            elif table.ratio(p, t) and table.ratio(p, t) < 1:
                slower.append(f"{name} ({1 / table.ratio(p, t):.1f} times)")
    say = lambda title, names: f"- **{title}**: " + (", ".join(names) if names else "none") + "."
    return "\n".join([say("Cairn slower than the best of Siconos", slower),
                      say("met by a Siconos solver, not by Cairn", failed),
                      say("met by Cairn, by no Siconos solver", alone)])


def global_markdown(problems, siconos_rows, cairn_rows):
    whole = report.Table(problems, siconos_rows, cairn_rows, storages=("global",), form="global")
    local = report.Table(problems, siconos_rows, cairn_rows)
    lines = ["| problem | contacts | Siconos condenses | best local | best global Siconos, 1e-4 | Cairn in all | "
             "best global Siconos, 1e-8 | Cairn in all |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for p in problems:
        formed = [r for r in siconos_rows if r["file"] == p.name and r["tol"] == "1000" and r["seconds"]]
        cells = [report.short(p), str(p.contacts), report.tidy(report.seconds(formed[0])) if formed else "-"]
        best_local = local.best[p.name, TARGETS[0]][0]
        cells.append(report.tidy(report.seconds(best_local)) if best_local else "none")
        for t in (TARGETS[0], TARGETS[-1]):
            theirs, ours = whole.best[p.name, t]
            cells.append(f"{report.tidy(report.seconds(theirs))} {theirs['solver']}" if theirs else "none")
            cells.append(report.tidy(report.seconds(ours)) if ours else "not met")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


ALL = "Nobody can choose the best solver beforehand, so the profiles also\nshow the single solvers."
NAMED = ("Of Siconos only those solvers were run that the survey of all of them,\n[solver-comparison.md](solver-comparison.md), "
         "had found best for the problem at some target; the profiles are there.")


def write(docs, problems, siconos_rows, cairn_rows, machine_file, all_solvers=True):
    main = [p for p in problems if p.kind in ("fc3d", "gfc3d")]
    table = report.Table(main, siconos_rows, cairn_rows)
    second = report.Table([p for p in problems if p not in main], siconos_rows, cairn_rows,
                          storages=("block", "dense", "global"))
    curves = ""
    if all_solvers:
        images = os.path.join(docs, "images")
        os.makedirs(images, exist_ok=True)
        pictures = report.write_profiles(images, main, siconos_rows, cairn_rows)
        curves = CURVES.format(pictures="\n\n".join(f"![performance profile](images/{name})" for name in pictures),
                               count=len(main)) + "\n"
    lowest, highest = error_ratios(siconos_rows)
    text = TEXT.format(
        machine=open(machine_file).read() if os.path.exists(machine_file) else "",
        survey=ALL if all_solvers else NAMED, means=table.means(), verdict=verdict(table), lowest=lowest,
        highest=highest, profiles=curves,
        solvers=solvers_tried(main, siconos_rows), table=table.markdown(),
        global_table=global_markdown([p for p in main if p.is_global], siconos_rows, cairn_rows),
        second_table=second.markdown())
    name = "solver-comparison.md" if all_solvers else "solver-comparison-best.md"
    with open(os.path.join(docs, name), "w") as f:
        f.write(text)
