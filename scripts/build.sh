# SPDX-License-Identifier: Apache-2.0
# Sourced by ./run and ./test: configure and build into build/<preset>, messages on standard error, exit status 3 on failure.

# cairn_build PRESET "CMAKE-ARGUMENTS" TARGET...: with empty CMAKE-ARGUMENTS an existing configuration is kept as it is.
cairn_build() {
  local preset=$1 options=$2 folder=build/$1 log
  shift 2
  mkdir -p "$folder"
  # Two callers at once must not write into one build folder; the second waits for the first.
  exec 9> "build/$preset.lock"
  flock 9
  # A configuration made for another place (a copied tree) is useless here.
  local fresh=()
  if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  log=$folder/last_build.log
  if [[ -n $options || ${#fresh[@]} -gt 0 || ! -f $folder/build.ninja ]]; then
    # shellcheck disable=SC2086  # several arguments on purpose
    if ! cmake --preset "$preset" "${fresh[@]}" $options > "$log" 2>&1; then
      cat "$log" >&2
      echo "build failed: CMake could not configure build/$preset (its output is above)" >&2
      exit 3
    fi
  fi
  # On a terminal ninja shows its progress on one line; otherwise its output is shown only when something went wrong.
  local status=0
  if [[ -t 2 ]]; then
    ninja -C "$folder" "$@" >&2 || status=$?
  else
    ninja -C "$folder" "$@" > "$log" 2>&1 || { status=$?; cat "$log" >&2; }
  fi
  if ((status)); then
    echo "build failed: $* in build/$preset (the compiler's output is above)" >&2
    exit 3
  fi
  flock -u 9
  exec 9>&-
}
