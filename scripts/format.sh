#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/format.sh [FILE...]: lays out the given C++ files, or all of the repository, as .clang-format says.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
formatter=$(command -v clang-format-14 || command -v clang-format) || { echo "format: there is no clang-format" >&2; exit 3; }
"$formatter" --version | grep -q 'version 14' || echo "format: .clang-format is for version 14; results may differ" >&2
if (($# == 0)); then
  cd "$root"
  mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.h' '*.cpp' '*.hpp' '*.cc')
  set -- "${files[@]}"
fi
for file in "$@"; do
  [[ ! -f $file ]] || "$formatter" -i "$file"
done
