# SPDX-License-Identifier: Apache-2.0
"""Tables, means and profiles of the comparison, and the page docs/solver-comparison.md."""
import math
import os

import profile_svg
from siconos import TARGETS, best, met

OCTAVES = 10  # the profiles end at 1024 times the best
SMALL = 20  # contacts
CAIRN = "Cairn auto"
ANY_SICONOS = "best of all Siconos"
OUR_COLOURS = ["#d1495b", "#e98a3a", "#e0b13b"]
THEIR_COLOURS = ["#1f6fb2", "#2a9d8f", "#6a4c93", "#5d737e", "#7fa650", "#9a6b4f"]


def seconds(row):
    return float(row["seconds"])


def tidy(value):
    """Seconds, with two or three digits and the unit that suits them."""
    unit, factor = ("s", 1.0) if value >= 0.9995 else ("ms", 1e3) if value >= 0.9995e-3 else ("µs", 1e6)
    x = value * factor
    return (f"{x:.1f}" if x < 99.5 else f"{x:.0f}") + " " + unit


def power(target):
    """1e-4 rather than 0.0001 or 1e-04."""
    return f"1e{round(math.log10(target))}"


def short(problem):
    """The file's name without folder and extensions."""
    name = problem.name.split("/")[1]
    for end in (".dat", ".hdf5"):
        name = name[:-len(end)] if name.endswith(end) else name
    return name[:-len(".hdf5")] if name.endswith(".hdf5") else name


class Table:
    """For each problem and target the fastest Siconos run and the fastest run of Cairn's auto that met the target."""

    def __init__(self, problems, siconos_rows, cairn_rows, storages=("block", "dense"), form="local"):
        self.problems = problems
        self.best = {}
        for p in problems:
            theirs = [r for r in siconos_rows if r["file"] == p.name and r["storage"] in storages]
            ours = [r for r in cairn_rows if r["file"] == p.name and r["form"] == form and r["solver"] == "auto"]
            for t in TARGETS:
                self.best[p.name, t] = (best(theirs, t), best(ours, t))

    def ratio(self, p, t):
        """Siconos' time over Cairn's, or None unless both met the target."""
        theirs, ours = self.best[p.name, t]
        return seconds(theirs) / seconds(ours) if theirs and ours else None

    def markdown(self):
        head = "| problem | contacts |" + "".join(f" Siconos, {power(t)} | Cairn | ratio |" for t in TARGETS)
        lines = [head, "|---|--:|" + "--:|--:|--:|" * len(TARGETS)]
        for p in self.problems:
            cells = [short(p), str(p.contacts)]
            for t in TARGETS:
                theirs, ours = self.best[p.name, t]
                cells.append(f"{tidy(seconds(theirs))} {theirs['solver']}" if theirs else "none")
                cells.append(tidy(seconds(ours)) if ours else "not met")
                ratio = self.ratio(p, t)
                cells.append(f"**{ratio:.2g}**" if ratio and ratio >= 1 else f"{ratio:.2g}" if ratio else "-")
            lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines)

    def means(self):
        """Geometric means of the ratios, and who solved how many."""
        lines = ["| problems | target | geometric mean of Siconos / Cairn | smallest | Cairn faster | "
                 "solved by any Siconos solver | solved by Cairn auto |", "|---|--:|--:|--:|--:|--:|--:|"]
        for title, chosen in ((f"fewer than {SMALL} contacts", lambda p: p.contacts < SMALL),
                              (f"{SMALL} contacts and more", lambda p: p.contacts >= SMALL)):
            group = [p for p in self.problems if chosen(p)]
            for t in TARGETS:
                ratios = [x for x in (self.ratio(p, t) for p in group) if x]
                mean = f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}" if ratios else "-"
                low = f"{min(ratios):.2f}" if ratios else "-"
                theirs, ours = (sum(self.best[p.name, t][k] is not None for p in group) for k in (0, 1))
                faster = sum(x > 1 for x in ratios)
                cells = [title, power(t), mean, low, f"{faster} of {len(ratios)}", f"{theirs} of {len(group)}",
                         f"{ours} of {len(group)}"]
                lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines)


def times_at(rows, key, target):
    """label -> problem -> fastest seconds of the rows that met the target."""
    found = {}
    for row in rows:
        if met(row, target):
            times = found.setdefault(key(row), {})
            times[row["file"]] = min(times.get(row["file"], math.inf), seconds(row))
    return found


def write_profiles(folder, problems, siconos_rows, cairn_rows, shown_siconos=6, shown_cairn=2):
    """One SVG per target: Cairn's auto and best single solvers, Siconos' main solvers, and the best of Siconos."""
    names = {p.name for p in problems}
    siconos_rows = [r for r in siconos_rows if r["file"] in names and r["storage"] != "global"]
    cairn_rows = [r for r in cairn_rows if r["file"] in names and r["form"] == "local"]
    tried = {}
    for r in siconos_rows:
        tried.setdefault(r["solver"], set()).add(r["file"])
    everywhere = {solver for solver, files in tried.items() if len(files) == len(names)}
    siconos_rows_main = [r for r in siconos_rows if r["solver"] in everywhere]
    data = {}
    for t in TARGETS:
        theirs = times_at(siconos_rows_main, lambda r: "Siconos " + r["solver"], t)
        ours = times_at(cairn_rows, lambda r: "Cairn " + r["solver"], t)
        data[t] = (theirs, ours, times_at(siconos_rows, lambda r: ANY_SICONOS, t))
    # The same solvers in all pictures: those with the largest area under the profiles of the three targets.
    score = {}
    for theirs, ours, _ in data.values():
        curves, count = profile_svg.ratios({**theirs, **ours}, names)
        for label, ratios in curves.items():
            score[label] = score.get(label, 0) + profile_svg.area(ratios, count, OCTAVES)
    ranked = sorted(score, key=lambda label: -score[label])
    our_lines = [CAIRN] + [x for x in ranked if x.startswith("Cairn ") and x != CAIRN][:shown_cairn]
    their_lines = [x for x in ranked if not x.startswith("Cairn ")][:shown_siconos]
    styles = {label: (OUR_COLOURS[k], 3.2 if k == 0 else 1.8, "") for k, label in enumerate(our_lines)}
    styles.update({label: (THEIR_COLOURS[k], 1.8, "") for k, label in enumerate(their_lines)})
    styles[ANY_SICONOS] = ("#333333", 2.0, "5 4")
    written = []
    for t, (theirs, ours, any_siconos) in data.items():
        lines = {**{x: ours.get(x, {}) for x in our_lines}, ANY_SICONOS: any_siconos.get(ANY_SICONOS, {}),
                 **{x: theirs.get(x, {}) for x in their_lines}}
        curves, _ = profile_svg.ratios(lines, names)
        svg = profile_svg.draw(f"3D friction problems, e_scaled ≤ {power(t)}", curves, styles, len(names), OCTAVES)
        path = os.path.join(folder, f"solver_profile_{power(t)}.svg")
        with open(path, "w") as f:
            f.write(svg)
        written.append(os.path.basename(path))
    return written
