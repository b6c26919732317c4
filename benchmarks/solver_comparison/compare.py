#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cairn's solvers beside those of Debian's Siconos packages on the same problem files, and the page that shows it.

    benchmarks/solver_comparison/compare.py                       everything: about two hours, mostly Siconos
    benchmarks/solver_comparison/compare.py --survey OLD.csv      times again only what counts of an earlier survey
    benchmarks/solver_comparison/compare.py --best-of PAGE.md     runs only the solvers an earlier page names as best;
                                                                  writes solver-comparison-best.md
    benchmarks/solver_comparison/compare.py --steps page          the page again from the CSV files of the last run

Needs g++, libsiconos-numerics-dev, python3-numpy, python3-scipy and python3-h5py (Debian's /usr/bin/python3), a Cairn
built with the release preset, the problem files and the source of the Siconos driver (siconos_bench.cpp, fcread.py).
"""
import argparse
import os
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

import cairn_runs  # noqa: E402
import page  # noqa: E402
import problems  # noqa: E402
import siconos  # noqa: E402


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cairn", default=os.path.join(ROOT, "build/release/apps/cairn/cairn"), help="the program")
    p.add_argument("--driver-source", default=os.path.join(ROOT, "../shared/tools/siconos_bench"),
                   help="folder of siconos_bench.cpp and fcread.py")
    p.add_argument("--data", default=os.path.join(ROOT, "../shared/data/fclib"), help="folder of the problem files")
    p.add_argument("--work", default=os.path.join(ROOT, "build/solver_comparison"), help="for CSV and converted files")
    p.add_argument("--survey", help="siconos.csv of an earlier run: only its best runs are timed again")
    p.add_argument("--best-of", help="page of an earlier run: of Siconos only the solvers it names for a problem are run")
    p.add_argument("--cairn-solvers", default="auto,gauss-seidel,proximal-newton,newton,interior-point,admm",
                   help="names separated by commas; auto for the tables, the best of the others for the profiles")
    p.add_argument("--only", default="", help="problems whose folder/file contains this")
    p.add_argument("--steps", default="siconos,cairn,page", help="which of siconos, cairn and page to do")
    p.add_argument("--docs", default=os.path.join(ROOT, "docs"), help="where the page goes")
    return p.parse_args()


def main():
    a = arguments()
    steps = a.steps.split(",")
    unknown = set(steps) - {"siconos", "cairn", "page"}
    if unknown:
        sys.exit(f"compare.py: --steps knows siconos, cairn and page, not {', '.join(sorted(unknown))}")
    for folder in (a.data, a.driver_source):
        if not os.path.isdir(folder):
            sys.exit(f"compare.py: no folder {folder}")
    if "cairn" in steps and not os.path.exists(a.cairn):
        sys.exit(f"compare.py: no program {a.cairn}; build the release preset or give --cairn")
    os.makedirs(a.work, exist_ok=True)
    sys.path.insert(0, a.driver_source)
    import fcread

    found = problems.find_problems(a.data, a.work, fcread, ["fc3d", "gfc3d", "generated", "rolling", "fc2d"], a.only)
    theirs = siconos.siconos_runs(os.path.join(a.work, "siconos.csv"))
    ours = cairn_runs.cairn_runs(os.path.join(a.work, "cairn.csv"))
    driver = siconos.build_driver(a.driver_source, a.work) if "siconos" in steps else None
    earlier = siconos.siconos_runs(a.survey).rows if a.survey else None
    named = siconos.best_of_page(a.best_of) if a.best_of else None
    if named:
        siconos.PATIENCE = float("inf")  # few runs: each gets its full time
    start, load = time.time(), os.getloadavg()[0]

    # Problem by problem, one program right after the other, so that both meet the same state of the machine.
    for k, problem in enumerate(found):
        print(f"{k + 1}/{len(found)} {problem.name} ({problem.contacts} contacts)", file=sys.stderr, flush=True)
        if "siconos" in steps and earlier is not None:
            siconos.retime(driver, a.work, earlier, theirs, problem)
        elif "siconos" in steps:
            siconos.survey(driver, a.work, theirs, problem, "local", named)
            siconos.survey(driver, a.work, theirs, problem, "global", named)
        if "cairn" in steps:
            cairn_runs.measure(a.cairn, a.work, ours, problem, a.cairn_solvers.split(","), ["local"])
            if problem.is_global:
                cairn_runs.measure(a.cairn, a.work, ours, problem, ["auto"], ["global"])
    siconos.write_targets(os.path.join(a.work, "targets.txt"), theirs, found)
    if steps != ["page"]:
        with open(os.path.join(a.work, "machine.txt"), "w") as f:
            f.write(page.machine(start, load))
    if "page" in steps:
        page.write(a.docs, found, list(theirs.rows.values()), list(ours.rows.values()),
                   os.path.join(a.work, "machine.txt"), named is None)


if __name__ == "__main__":
    main()
