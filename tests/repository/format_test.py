#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All C++ files are laid out as .clang-format says (scripts/format.sh does it), and no text line ends in blanks.

Skipped (status 77) without clang-format or with another version than the one named at the top of .clang-format: the
versions differ in details."""
import re
import shutil
import subprocess
import sys

from repo_files import ROOT, repo_files, text_of

SKIPPED = 77
CPP = (".h", ".cpp", ".hpp", ".cc")


def trailing_blanks(files):
    for name in files:
        if not name.endswith(CPP + (".py", ".sh", ".cmake", ".ts", ".yaml", "CMakeLists.txt")):
            continue
        for number, line in enumerate((text_of(name) or "").split("\n"), 1):
            if line != line.rstrip():
                yield f"{name}:{number}: blanks at the end of the line"


def main():
    files = repo_files()
    wrong = list(trailing_blanks(files))
    for message in wrong:
        print(message)

    wanted = re.search(r"clang-format (\d+)", (ROOT / ".clang-format").read_text())[1]
    program = shutil.which(f"clang-format-{wanted}") or shutil.which("clang-format")
    if not program:
        print("skipped: there is no clang-format")
        sys.exit(1 if wrong else SKIPPED)
    version = re.search(r"version (\d+)", subprocess.run([program, "--version"], capture_output=True, text=True).stdout)[1]
    if version != wanted:
        print(f"skipped: .clang-format is for clang-format {wanted}; this is {version}")
        sys.exit(1 if wrong else SKIPPED)

    sources = [f for f in files if f.endswith(CPP)]
    result = subprocess.run([program, "--dry-run", "-Werror", "--ferror-limit=1", *sources], cwd=ROOT, capture_output=True,
                            text=True)
    bad = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", result.stderr, re.MULTILINE)))
    if result.returncode and not bad:
        print(result.stderr)
    for name in bad:
        print(f"{name}: not formatted; run scripts/format.sh {name}")
    sys.exit(1 if wrong or result.returncode else 0)


if __name__ == "__main__":
    main()
