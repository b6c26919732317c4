#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs a build into a temporary prefix, then configures, builds and runs tests/repository/consumer against it.

usage: install_and_consume.py BUILD_FOLDER CMAKE"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def run(*command):
    print("$", *command, flush=True)
    subprocess.run([str(c) for c in command], check=True)


def main():
    build, cmake = Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix="cairn-consumer-") as folder:
        prefix, consumer = Path(folder, "prefix"), Path(folder, "build")
        run(cmake, "--install", build, "--prefix", prefix)

        # An installed package that points back into the tree works here and nowhere else.
        for file in prefix.rglob("*.cmake"):
            for place in (ROOT, build):
                if str(place) in file.read_text():
                    sys.exit(f"{file.relative_to(prefix)} mentions {place}: the package cannot be moved")
        if not (prefix / "include/cairn/base/error.h").is_file():
            sys.exit("the headers were not installed")

        run(cmake, "-S", HERE / "consumer", "-B", consumer, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_COMPILER_LAUNCHER=")
        run(cmake, "--build", consumer)
        run(consumer / "consumer")

        program = prefix / "bin" / "cairn"
        if (build / "apps/cairn/cairn").exists():
            os.chdir(folder)  # the installed program must not need the tree
            run(program, "--help")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"failed with status {error.returncode}: {' '.join(error.cmd)}")
