#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the observed orders of all steppers into docs/steppers.md: `cairn validate T1 --full --json | validation/order_table.py docs/steppers.md`."""
import json
import sys

BEGIN, END = "<!-- orders: begin -->", "<!-- orders: end -->"
MOTIONS = ["free", "joint", "sliding", "impact", "stick-slip"]


def make_table(quantities):
    orders = {}
    for q in quantities:
        stepper, motion = q["quantity"].split(", ")
        exact = "exact" in q.get("note", "")
        orders.setdefault(stepper, {})[motion] = ("exact" if exact else f"{q['got']:.2f}") + f" ({q['expected']:g})"
    lines = ["| stepper | " + " | ".join(MOTIONS) + " |", "|---" * (len(MOTIONS) + 1) + "|"]
    lines += ["| `" + s + "` | " + " | ".join(o.get(m, "-") for m in MOTIONS) + " |" for s, o in orders.items()]
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
