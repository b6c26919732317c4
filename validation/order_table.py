#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the observed orders of all steppers into docs/steppers.md: `cairn validate T1 --full --json | validation/order_table.py docs/steppers.md`."""
import json
import sys

BEGIN, END = "<!-- orders: begin -->", "<!-- orders: end -->"
MOTIONS = ["free", "joint", "sliding", "impact", "stick-slip"]
# What the literature expects: smooth motion, then with impacts (Acary & Brogliato 2008; Studer 2009; Geradin & Cardona
# 2001). Schemes that are not here are expected to have the order 1 of an Euler step.
EXPECTED = {
    "moreau": "2; 1", "koziara": "2; 1", "moreau-jean": "2; 1", "nscd": "2; 1", "funk": "2; 1", "potra": "2; 1",
    "augmented": "p; p", "event-driven": "p; p", "ali3": "2; 1", "penalty": "2; 1", "newmark": "2; 1",
    "variational": "2; 1", "implicit-midpoint": "2; 1", "adaptive": "2; 1",
}


def make_table(quantities):
    orders = {}
    for q in quantities:
        stepper, motion = q["quantity"].split(", ")
        exact = "exact" in q.get("note", "")
        orders.setdefault(stepper, {})[motion] = ("exact" if exact else f"{q['got']:.2f}") + f" ({q['expected']:g})"
    lines = ["| stepper | expected | " + " | ".join(MOTIONS) + " |", "|---" * (len(MOTIONS) + 2) + "|"]
    for name, found in orders.items():
        cells = [EXPECTED.get(name, "1; 1")] + [found.get(m, "-") for m in MOTIONS]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: cairn validate T1 --full --json | order_table.py docs/steppers.md")
    table = make_table([q for q in json.load(sys.stdin) if q["name"] == "T1"])
    with open(sys.argv[1], encoding="utf-8") as page:
        text = page.read()
    if BEGIN not in text or END not in text:
        sys.exit(f"{sys.argv[1]}: no lines '{BEGIN}' and '{END}' to write between")
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    with open(sys.argv[1], "w", encoding="utf-8") as page:
        page.write(head + BEGIN + "\n" + table + "\n" + END + tail)


main()
