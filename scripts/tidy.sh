#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/tidy.sh [--quick] [FILE...]: clang-tidy on the given sources, headers or folders (default: src/cairn and apps).
# --quick leaves out the path-sensitive analyser, which takes three quarters of the time.
# Needs a configured build with tests: CAIRN_BUILD_DIR, or build/release. Status 1 when something was found.
set -euo pipefail
caller=$PWD
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "$root" && readlink -f "${CAIRN_BUILD_DIR:-build/release}")
command -v clang-tidy > /dev/null || { echo "tidy: there is no clang-tidy" >&2; exit 77; }
[[ -f $build/compile_commands.json ]] || { echo "tidy: no compile_commands.json in $build; run ./test once" >&2; exit 3; }

quick=()
[[ ${1:-} != --quick ]] || { quick=(--checks='-clang-analyzer-*'); shift; }
wanted=()
for file in "$@"; do wanted+=("$(cd "$caller" && readlink -f "$file")"); done
((${#wanted[@]})) || wanted=("$root/src/cairn" "$root/apps")

# GCC's precompiled headers mean nothing to clang: a compile database without them. Prints the entries of the wanted
# files; a header is analysed with its .cpp, or without one through its one-line source of the target header_check.
mkdir -p "$build/tidy"
mapfile -t sources < <(python3 - "$root" "$build" "${wanted[@]}" <<'PYTHON'
import json, re, sys
from pathlib import Path
root, build, wanted = Path(sys.argv[1]), Path(sys.argv[2]), [Path(p) for p in sys.argv[3:]]
entries = json.loads((build / "compile_commands.json").read_text())
chosen, kept = [], []
entries.sort(key=lambda entry: "/header_check/" not in entry["file"])
for entry in entries:
    if "cmake_pch" in entry["file"]:
        continue
    command = re.sub(r"-include \S*cmake_pch\.hxx", "", entry["command"])
    command = re.sub(r"-Winvalid-pch|-fpch-preprocess|-fsanitize=\S+|-fno-sanitize-recover=\S+", "", command)
    entry["command"] = re.sub(r"^.*?(\S*(?:g\+\+|c\+\+|clang\+\+)\S*) ", r"\1 ", command, count=1)
    kept.append(entry)
    subject = Path(entry["file"])
    if "header_check" in subject.parts:
        subject = root / "src" / Path(*subject.parts[subject.parts.index("header_check") + 1:]).with_suffix("")
        if subject.with_suffix(".cpp").exists():
            wanted += [subject.with_suffix(".cpp")] if subject in wanted else []
            continue
    if any(subject == w or w in subject.parents for w in wanted):
        chosen.append(entry["file"])
(build / "tidy" / "compile_commands.json").write_text(json.dumps(kept))
print("\n".join(sorted(set(chosen))))
PYTHON
)
[[ -n ${sources[*]} ]] || { echo "tidy: none of the files is in the build: ${wanted[*]}" >&2; exit 3; }

# xargs gives 123 when any of its commands failed.
status=0
printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$build/tidy" --quiet "${quick[@]}" --extra-arg=-Wno-unknown-warning-option \
    2> >(grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -header-filter|^[0-9]+ warnings? and' >&2) || status=$?
echo "tidy: ${#sources[@]} files, $( ((status)) && echo 'something was found' || echo 'nothing found')" >&2
((status == 0)) || exit 1
