# SPDX-License-Identifier: Apache-2.0
"""Performance profiles (Dolan & More, Math. Program. 91, 2002) as SVG: for each solver the share of problems it solves
within a factor of the fastest solver of that problem."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 860, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 220, 50, 56
FONT = 'font-family="Helvetica, Arial, sans-serif"'


def ratios(times, problems):
    """label -> sorted ratios to the best of all labels, over the problems at least one label solves.

    times: label -> problem -> seconds (absent: not solved).
    """
    solved = [p for p in problems if any(p in t for t in times.values())]
    best = {p: min(t[p] for t in times.values() if p in t) for p in solved}
    return {label: sorted(t[p] / best[p] for p in solved if p in t) for label, t in times.items()}, len(solved)


def area(sorted_ratios, count, octaves):
    """Area under the curve over 0..octaves of log2(ratio), 1 for a solver always best."""
    return sum(max(0.0, octaves - math.log2(x)) for x in sorted_ratios) / (octaves * count) if count else 0.0


def draw(title, curves, styles, count, octaves):
    """curves: label -> sorted ratios; styles: label -> (colour, width, dash). Returns the SVG text."""
    w, h = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    x = lambda ratio: LEFT + w * min(math.log2(ratio), octaves) / octaves
    y = lambda share: TOP + h * (1 - share)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
           f'<text x="{LEFT}" y="28" {FONT} font-size="16" font-weight="600" fill="#222">{escape(title)}</text>']
    for k in range(0, 6):
        out.append(f'<line x1="{LEFT}" y1="{y(k / 5):.1f}" x2="{LEFT + w}" y2="{y(k / 5):.1f}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{LEFT - 9}" y="{y(k / 5) + 4:.1f}" {FONT} font-size="12" fill="#555" '
                   f'text-anchor="end">{20 * k} %</text>')
    for k in range(0, octaves + 1):
        out.append(f'<line x1="{x(2 ** k):.1f}" y1="{TOP}" x2="{x(2 ** k):.1f}" y2="{TOP + h}" stroke="#f0f0f0"/>')
        out.append(f'<text x="{x(2 ** k):.1f}" y="{TOP + h + 19}" {FONT} font-size="12" fill="#555" '
                   f'text-anchor="middle">{2 ** k}</text>')
    out.append(f'<path d="M{LEFT},{TOP}V{TOP + h}H{LEFT + w}" fill="none" stroke="#888"/>')
    out.append(f'<text x="{LEFT + w / 2}" y="{HEIGHT - 14}" {FONT} font-size="13" fill="#333" text-anchor="middle">'
               'time, as a multiple of the fastest solver of the problem</text>')
    out.append(f'<text transform="translate(17,{TOP + h / 2}) rotate(-90)" {FONT} font-size="13" fill="#333" '
               f'text-anchor="middle">share of {count} problems solved</text>')

    # The most important curve last, so that it lies on top.
    for label in reversed(list(curves)):
        colour, width, dash = styles[label]
        share, path = 0.0, f"M{x(1):.1f},{y(0):.1f}"
        for ratio in curves[label]:
            if math.log2(ratio) > octaves:
                break
            path += f"H{x(ratio):.1f}"
            share += 1 / count
            path += f"V{y(share):.1f}"
        path += f"H{LEFT + w}"
        out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
                   + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")

    # Names at the right end of the curves, pushed apart where they would overlap.
    ends = sorted(((y(sum(math.log2(r) <= octaves for r in rs) / count), label) for label, rs in curves.items()),
                  key=lambda e: e[0])
    gap, places = 17.0, []
    for end, _ in ends:
        places.append(max(end, places[-1] + gap) if places else end)
    overflow = places[-1] - (TOP + h) if places else 0
    if overflow > 0:
        places[-1] = TOP + h
        for k in range(len(places) - 2, -1, -1):
            places[k] = min(places[k], places[k + 1] - gap)
    for (end, label), place in zip(ends, places):
        colour, width, dash = styles[label]
        weight = ' font-weight="600"' if width > 2.5 else ""
        out.append(f'<path d="M{LEFT + w},{end:.1f}L{LEFT + w + 14},{place:.1f}H{LEFT + w + 32}" fill="none" '
                   f'stroke="{colour}" stroke-width="{min(width, 2.2)}"'
                   + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")
        out.append(f'<text x="{LEFT + w + 38}" y="{place + 4:.1f}" {FONT} font-size="12.5"{weight} fill="{colour}">'
                   f'{escape(label)}</text>')
    return "\n".join(out) + "\n</svg>\n"
