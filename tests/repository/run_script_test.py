#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./run in a small copy of the tree with a program of its own: arguments, working directory, output, exit statuses."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from repo_files import ROOT

PROGRAM = r"""
#include <filesystem>
#include <iostream>
int main(int n, char** words) {
  std::cout << std::filesystem::current_path().string();
  for (int i = 1; i < n; ++i) std::cout << '|' << words[i];
  std::cout << '\n';
  std::cerr << "a message\n";
  return n > 1 && std::string(words[1]) == "fail" ? 1 : 0;
}
"""
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(Small LANGUAGES CXX)
add_subdirectory(apps/cairn)
"""


def main():
    with tempfile.TemporaryDirectory(prefix="cairn run ") as folder:  # a blank in the path, on purpose
        root, elsewhere = Path(folder, "tree").resolve(), Path(folder, "elsewhere").resolve()
        (root / "apps/cairn").mkdir(parents=True)
        elsewhere.mkdir()
        for name in ("run", "CMakePresets.json"):
            shutil.copy(ROOT / name, root / name)
        shutil.copytree(ROOT / "scripts", root / "scripts")
        (root / "CMakeLists.txt").write_text(CMAKE)
        (root / "apps/cairn/CMakeLists.txt").write_text("add_executable(cairn main.cpp)\n"
                                                         "add_executable(cairn-validate EXCLUDE_FROM_ALL main.cpp)\n")
        source = root / "apps/cairn/main.cpp"
        source.write_text(PROGRAM)
        environment = {**os.environ, "CAIRN_SKIP_SETUP": "1"}  # a test installs nothing

        def run(*words):
            return subprocess.run([root / "run", *words], cwd=elsewhere, env=environment, capture_output=True, text=True)

        failures = []

        def expect(what, got, wanted):
            if got != wanted:
                failures.append(f"{what}: expected {wanted!r}, got {got!r}")

        # The first call builds; only the program's own output is on standard output, and it runs where the caller is.
        first = run("info", "a file.h5", "")
        expect("status", first.returncode, 0)
        expect("standard output", first.stdout, f"{elsewhere}|info|a file.h5|\n")
        expect("status of the program", run("fail").returncode, 1)

        # The validation suite is built when it is asked for.
        suite = root / "build/release/apps/cairn/cairn-validate"
        expect("the validation suite before it is asked for", suite.exists(), False)
        expect("validate", run("validate", "S1").stdout, f"{elsewhere}|validate|S1\n")
        expect("the validation suite afterwards", suite.exists(), True)

        # Nothing changed: fast, and nothing said beyond what the program says.
        start = time.monotonic()
        again = run("info")
        seconds = time.monotonic() - start
        expect("standard error of an unchanged tree", again.stderr, "a message\n")
        if seconds > 5:  # well under 1 s on a quiet machine
            failures.append(f"an unchanged tree took {seconds:.1f} s")

        # A changed source is noticed; one that does not compile gives status 3, the compiler's words and a last line.
        source.write_text(PROGRAM.replace("'|'", "'+'"))
        expect("after a change", run("info").stdout, f"{elsewhere}+info\n")
        source.write_text(PROGRAM.replace("int main", "imt main"))
        broken = run("info")
        expect("status of a broken build", broken.returncode, 3)
        expect("standard output of a broken build", broken.stdout, "")
        if "imt" not in broken.stderr or not broken.stderr.rstrip().splitlines()[-1].startswith("build failed"):
            failures.append(f"a broken build says: {broken.stderr!r}")

        # Without arguments: the showcase, run at the root.
        source.write_text(PROGRAM)
        showcase = run()
        expect("showcase", showcase.stdout.splitlines()[:1],
               [f"{root}|run|examples/showcase.yaml|-o|out/showcase.h5|--picture|out/showcase.png"])
        expect("how to look at it", "./run view out/showcase.h5" in showcase.stdout, True)
        expect("a word on a page that is there", "viewer" in showcase.stderr, False)

        # A page of the viewer that could not be built is told where it is wanted, and there only.
        note = root / "build/release/viewer/failed"
        note.parent.mkdir()
        note.write_text("Node is too old\n")
        for words, told in (((), True), (("view", "x.h5"), True), (("info",), False)):
            expect(f"word on a failed page: {words}", "NOT built: Node is too old" in run(*words).stderr, told)

        # A tree that was moved with its build folder configures itself again.
        moved = root.with_name("moved")
        root.rename(moved)
        result = subprocess.run([moved / "run", "info"], cwd=elsewhere, env=environment, capture_output=True, text=True)
        expect("a moved tree", (result.returncode, result.stdout), (0, f"{elsewhere}|info\n"))

    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
