#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The viewer's packages run on Debian 12 (its Node is 18.19 or newer 18, its npm 9.2), and the lock file names no host."""
import json
import re
import sys

from repo_files import ROOT

OLDEST = {"node": (18, 19, 0), "npm": (9, 2, 0)}


def bounds(comparator):
    """The half-open interval of versions that one comparator of a semver range admits: '^18.0.0', '>=20', '16', '*'."""
    match = re.fullmatch(r"(\^|~|>=|>|<=|<|=)?v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*])(?:-[\w.-]+)?)?", comparator)
    if not match:
        raise ValueError(f"not understood: '{comparator}'")
    kind = match[1] or "="
    given = [int(part) for part in match.groups()[1:] if part and part.isdigit()]
    if not given:
        return (0, 0, 0), None
    low = tuple(given + [0] * (3 - len(given)))

    def after(place):
        return tuple(list(low[:place]) + [low[place] + 1] + [0] * (2 - place))

    last = len(given) - 1
    if kind == ">=":
        return low, None
    if kind == ">":
        return after(last), None
    if kind in ("<", "<="):
        return (0, 0, 0), low if kind == "<" else after(last)
    if kind == "^":
        return low, after(next((i for i, part in enumerate(given) if part), last))
    return low, after(min(last, 1) if kind == "~" else last)


def admits(text, version):
    """Whether an npm range ('^18.0.0 || >=20.0.0') admits a version."""
    for alternative in text.split("||"):
        words = re.sub(r"(\^|~|[<>]=?|=)\s+", r"\1", alternative.strip()).split() or ["*"]
        limits = [bounds(word) for word in words]
        if all(low <= version and (high is None or version < high) for low, high in limits):
            return True
    return False


def check(package, lock):
    wrong = []
    for tool, version in OLDEST.items():
        shown = ".".join(map(str, version))
        if tool not in package.get("engines", {}):
            wrong.append(f"package.json does not say which {tool} it needs (engines)")
        for path, entry in lock["packages"].items():
            wanted = entry.get("engines", {}).get(tool, "*")
            if not admits(wanted, version):
                wrong.append(f"{path or 'the page itself'} {entry.get('version', '')} needs {tool} {wanted}, not {shown}")
    wrong += [f"{path}: the lock file records where it was fetched" for path, entry in lock["packages"].items() if "resolved" in entry]
    return wrong


def test_the_check_itself():
    for text, version, wanted in (("^18.0.0 || >=20.0.0", (18, 19, 0), True), ("^20.19.0 || >=22.12.0", (18, 19, 0), False),
                                  (">= 14.16", (18, 19, 0), True), ("~18.18", (18, 19, 0), False), ("18.x", (18, 19, 0), True),
                                  (">=16 <18", (18, 19, 0), False), ("*", (9, 2, 0), True), ("^0.5.1", (0, 6, 0), False)):
        assert admits(text, version) == wanted, text
    fine = {"engines": {"node": ">=18.19", "npm": ">=9.2"}}
    assert not check(fine, {"packages": {"": fine}})
    assert len(check({}, {"packages": {"a": {"version": "1", "engines": {"node": ">=20"}, "resolved": "https://host/a.tgz"}}})) == 4


def main():
    test_the_check_itself()
    viewer = ROOT / "viewer"
    wrong = check(json.loads((viewer / "package.json").read_text()), json.loads((viewer / "package-lock.json").read_text()))
    for complaint in wrong:
        print(complaint)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
