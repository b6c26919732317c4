#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ARCHITECTURE.md is the map of the tree: everything there is on it, and nothing that is not there.

How a path is mentioned: from the root, in backticks, e.g. `src/cairn/math/types.h`. Braces stand for several files:
`src/cairn/base/text.{h,cpp}`. A trailing slash names a folder: `tests/math/`.
Must be mentioned: each source file (the suffixes below) under the folders below, one by one; under tests/ and for
data files (scenes, meshes, schemas) it is enough that the file or one of its folders below the top one is mentioned.
Must exist: every backticked path that starts with a top-level folder of the tree or is a file name at the root;
build/ and out/ are made by running things and need not. Patterns with * must match something; <names> are free."""
import fnmatch
import re
import sys
from pathlib import PurePosixPath

from repo_files import ROOT, repo_files

MAPPED = ("src", "apps", "examples", "validation", "benchmarks", "viewer", "python", "scripts", "tests")
SOURCES = (".h", ".cpp", ".py", ".pyi", ".ts", ".tsx", ".js", ".mjs", ".css", ".html", ".sh", ".cmake")
DATA = (".yaml", ".yml", ".json", ".csv", ".obj", ".stl", ".txt", ".in", ".hdf5", ".h5", ".png", ".dat")
UNMAPPED_NAMES = ("CMakeLists.txt", "__init__.py", "package-lock.json", ".gitignore")
MADE = ("build", "out")


def expand_braces(text):
    match = re.search(r"\{([^{}]*)\}", text)
    if not match:
        return [text]
    return [p for option in match.group(1).split(",")
            for p in expand_braces(text[:match.start()] + option.strip() + text[match.end():])]


def mentions(document):
    """Paths in backticks, outside fenced blocks as well as inside (a fenced tree listing has no backticks)."""
    return [p for token in re.findall(r"`([^`\n]+)`", document) if not re.search(r"\s", re.sub(r"\{[^}]*\}", "", token))
            for p in expand_braces(token)]


def check(document, files):
    """Complaints about a document that maps these files."""
    files = set(files)
    folders = {f"{parent}/" for f in files for parent in PurePosixPath(f).parents if str(parent) != "."}
    tops = {f.split("/")[0] for f in folders}
    named = mentions(document)
    wrong = []
    for path in dict.fromkeys(named):
        top = path.split("/")[0]
        if "<" in path or top in MADE:
            continue
        if "/" in path and top in tops:
            found = (path in files or path.rstrip("/") + "/" in folders
                     or ("*" in path and any(fnmatch.fnmatchcase(f, path) for f in files | folders)))
            if not found:
                wrong.append(f"ARCHITECTURE.md mentions {path}, which does not exist")
        elif "/" not in path and re.fullmatch(r"[A-Z][\w-]*\.(md|txt|json)", path) and path not in files:
            wrong.append(f"ARCHITECTURE.md mentions {path}, which does not exist at the root")
    named = {p for p in named if "*" not in p}
    for file in sorted(files):
        path = PurePosixPath(file)
        if path.parts[0] not in MAPPED or path.name in UNMAPPED_NAMES or path.suffix not in SOURCES + DATA:
            continue
        by_folder = path.parts[0] == "tests" or path.suffix in DATA
        parents = [p.as_posix() for p in path.parents if len(p.parts) >= 2]
        if file in named or (by_folder and any(p in named or p + "/" in named for p in parents)):
            continue
        if path.suffix in DATA and len(path.parts) == 2 and f"{path.parts[0]}/" in named:
            continue
        wrong.append(f"ARCHITECTURE.md does not mention {file}")
    return wrong


def check_the_rules_themselves():
    files = ["src/cairn/base/text.h", "src/cairn/base/text.cpp", "tests/base/text_test.cpp", "README.md"]
    good = "`src/cairn/base/text.{h,cpp}` words\n`tests/base/` tests; see `README.md`, `cairn run`, `build/release`\n"
    assert check(good, files) == [], check(good, files)
    assert len(check(good, files + ["src/cairn/base/new.h"])) == 1
    assert len(check(good, files + ["tests/math/new_test.cpp"])) == 1
    assert len(check(good + "`src/cairn/base/gone.h`", files)) == 1
    assert len(check(good + "`GONE.md`", files)) == 1


def main():
    check_the_rules_themselves()
    page = ROOT / "ARCHITECTURE.md"
    if not page.is_file():
        sys.exit("there is no ARCHITECTURE.md")
    wrong = check(page.read_text(), repo_files())
    for message in wrong:
        print(message)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
