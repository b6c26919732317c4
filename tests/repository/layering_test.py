#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Includes go one way: a room of src/cairn includes only itself and rooms listed above it in src/cairn/CMakeLists.txt.

Programs outside the library (apps, examples, validation, benchmarks) include the library only through "cairn/..."
paths, never by a relative way into src. A scheme uses the stages of assembly: nothing under steppers/ includes collision/ or a solver of its own choice, and only
assembly/ asks for contact points, in one place. Nothing below assembly/ knows a scheme by name.

The rules are first tried on a small wrong tree, where each must complain."""
import re
import sys
import tempfile
from pathlib import Path

from repo_files import ROOT

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
PROGRAMS = ("apps", "examples", "validation", "benchmarks")


def cpp_files(folder):
    return sorted(f for f in folder.rglob("*") if f.suffix in (".h", ".cpp", ".hpp", ".cc", ".inl"))


def includes(file):
    for match in INCLUDE.finditer(file.read_text(errors="replace")):
        yield file.read_text(errors="replace").count("\n", 0, match.start(2)) + 1, match.group(1), match.group(2)


def room_order(root):
    text = (root / "src/cairn/CMakeLists.txt").read_text()
    return re.findall(r"^\s*cairn_room\(\s*(\w+)", text, re.MULTILINE)


SCHEME = re.compile(r'add<(\w+)>\(\s*"([\w-]+)"')
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def scheme_violations(root, rooms):
    """What schemes may not include, who asks for contact points, and who knows a scheme below them."""
    registry = root / "src/cairn/steppers/registry.cpp"
    if not registry.is_file():
        return []
    schemes = SCHEME.findall(registry.read_text())
    # Names that are no words of the field: the others stand in messages for what they mean.
    names = {name for _, name in schemes if "-" in name or name in ("moreau", "koziara", "ali3", "nscd", "funk", "foerg", "potra")}
    wrong, callers = [], []
    for file in cpp_files(root / "src/cairn"):
        name = file.relative_to(root)
        room = name.parts[2]
        code = COMMENT.sub("", file.read_text(errors="replace"))
        if room == "steppers":
            for line, _, path in includes(file):
                if path.startswith("cairn/collision/"):
                    wrong.append(f"{name}:{line}: a scheme includes {path}; detection is the contact stage's (assembly/)")
                if path.startswith("cairn/solvers/") and path != "cairn/solvers/solver.h":
                    wrong.append(f"{name}:{line}: a scheme includes {path}; it is given a solver (solvers/solver.h)")
        if room != "collision" and "ContactManager" in code:
            callers.append(str(name))
        if room in rooms and "assembly" in rooms and rooms.index(room) < rooms.index("assembly"):
            for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
                for word in names:
                    if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", literal):
                        wrong.append(f'{name}: names the scheme {word} in "{literal}"')
    if any(not caller.startswith("src/cairn/assembly/detection.") for caller in callers):
        wrong.append(f"contacts are searched for in {', '.join(callers)}; must be assembly/detection alone")
    return wrong


def find_violations(root):
    """One sentence per wrong include."""
    rooms = room_order(root)
    rank = {room: i for i, room in enumerate(rooms)}
    wrong = []
    for file in cpp_files(root / "src/cairn"):
        name = file.relative_to(root)
        room = name.parts[2]
        if room not in rank or len(name.parts) < 4:
            wrong.append(f"{name}: is in no room of src/cairn/CMakeLists.txt")
            continue
        for line, mark, path in includes(file):
            parts = path.split("/")
            if parts[0] != "cairn":
                if mark == '"':
                    wrong.append(f'{name}:{line}: "{path}" should be an include path from src: "cairn/{room}/..."')
            elif mark == "<":
                wrong.append(f'{name}:{line}: our own header <{path}> is included with "..."')
            elif len(parts) < 3 or parts[1] not in rank:
                wrong.append(f"{name}:{line}: {path} names no room")
            elif rank[parts[1]] > rank[room]:
                wrong.append(f"{name}:{line}: {room} includes {path}, but {parts[1]} is above {room}")
            elif not (root / "src" / path).is_file():
                wrong.append(f"{name}:{line}: {path} does not exist")
    for program in PROGRAMS:
        for file in cpp_files(root / program):
            name = file.relative_to(root)
            for line, mark, path in includes(file):
                if path.startswith("cairn/"):
                    if not (root / "src" / path).is_file():
                        wrong.append(f"{name}:{line}: {path} is no public header of src/cairn")
                elif mark == '"':
                    # Headers of the program's own folder are fine, and for the command line those of the two libraries
                    # it shows (named from the root); a way into src is not.
                    target = (file.parent / path).resolve()
                    inside = (root / program).resolve() in target.parents
                    shelf = path.split("/")[0]
                    shown = shelf in ("apps", "validation", "benchmarks") and program in ("apps", shelf) and (root / path).is_file()
                    if not shown and (not inside or not target.is_file()):
                        wrong.append(f'{name}:{line}: "{path}" is neither "cairn/..." nor a file of {program}/')
    return rooms, wrong + scheme_violations(root, rooms)


def check_the_rules_themselves():
    """Each kind of wrong include in a tree of its own; returns what was not noticed."""
    header = "#pragma once\n"
    good = {
        "src/cairn/CMakeLists.txt": "cairn_room(base)\ncairn_room(math USES base)\n",
        "src/cairn/base/error.h": header,
        "src/cairn/math/types.h": header + '#include <vector>\n#include "cairn/base/error.h"\n',
        "apps/cairn/main.cpp": '#include "cairn/math/types.h"\n#include "options.h"\n',
        "apps/cairn/options.h": header,
    }
    good_scheme = {
        "src/cairn/CMakeLists.txt": "cairn_room(base)\ncairn_room(math USES base)\ncairn_room(collision USES math)\n"
        "cairn_room(solvers USES collision)\ncairn_room(assembly USES solvers)\ncairn_room(steppers USES assembly)\n",
        "src/cairn/collision/contact_manager.h": header,
        "src/cairn/solvers/solver.h": header,
        "src/cairn/solvers/newton.h": header,
        "src/cairn/steppers/registry.cpp": 'r.add<Moreau>("moreau", "help");\n#include "cairn/solvers/solver.h"\n',
    }
    good.update(good_scheme)
    bad = {
        "a scheme that detects": {"src/cairn/steppers/a.h": header + '#include "cairn/collision/contact_manager.h"\n'},
        "a scheme with its own solver": {"src/cairn/steppers/a.h": header + '#include "cairn/solvers/newton.h"\n'},
        "a second search": {"src/cairn/assembly/scan.h": header + "ContactManager manager;\n"},
        "a name below": {"src/cairn/math/a.cpp": 'const char* help = "use moreau";\n'},
        "upward include": {"src/cairn/base/error.h": header + '#include "cairn/math/types.h"\n'},
        "spaced upward include": {"src/cairn/base/error.h": header + '  #  include "cairn/math/types.h"\n'},
        "relative include": {"src/cairn/math/types.h": header + '#include "../base/error.h"\n'},
        "angle brackets": {"src/cairn/math/types.h": header + "#include <cairn/base/error.h>\n"},
        "missing header": {"src/cairn/math/types.h": header + '#include "cairn/base/gone.h"\n'},
        "unknown room": {"src/cairn/shed/tool.h": header},
        "way into src": {"apps/cairn/main.cpp": '#include "../../src/cairn/math/types.h"\n'},
    }
    failures = []
    for title, change in [("nothing", {})] + list(bad.items()):
        with tempfile.TemporaryDirectory(prefix="cairn-layering-") as folder:
            for path, text in {**good, **change}.items():
                file = Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            wrong = find_violations(Path(folder))[1]
            if len(wrong) != len(change):
                failures.append(f"self-check '{title}': expected {len(change)} complaint(s), got {wrong}")
    return failures


def main():
    failures = check_the_rules_themselves()
    rooms, wrong = find_violations(ROOT)
    if len(rooms) < 2:
        failures.append("no rooms found in src/cairn/CMakeLists.txt: is cairn_room(...) still how they are declared?")
    for message in failures + wrong:
        print(message)
    if failures or wrong:
        sys.exit(1)
    print(f"includes of {len(rooms)} rooms go one way: {' < '.join(rooms)}")


if __name__ == "__main__":
    main()
