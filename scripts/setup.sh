#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing of scripts/packages.txt: `scripts/setup.sh run` or `scripts/setup.sh test`.
# Instant when everything is there. CAIRN_SKIP_SETUP=1 leaves the system alone. All messages on standard error.
set -euo pipefail
exec 1>&2

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
group=${1:-test}
case $group in
  run) accepted='^run\??$' ;;
  test) accepted='^(run|test)\??$' ;;
  *) echo "setup: unknown group '$group'; use run or test"; exit 2 ;;
esac
[[ ${CAIRN_SKIP_SETUP:-} == 1 ]] && exit 0

needed=() optional=()
while read -r package tag _; do
  [[ -z $package || $package == \#* || ! $tag =~ $accepted ]] && continue
  if [[ $tag == *\? ]]; then optional+=("$package"); else needed+=("$package"); fi
done < "$here/packages.txt"

# Prints those of its arguments that are not installed, one per line.
missing_of() {
  (($#)) || return 0
  local installed
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p' || true)
  # A tool that is there without its package (npm comes with some packages of nodejs) is there.
  for package in "$@"; do grep -qxF -- "$package" <<< "$installed" || command -v "$package" > /dev/null || echo "$package"; done
}

# Another kind of system: the tools must be there; CMake itself names a library it cannot find.
if ! command -v dpkg-query >/dev/null; then
  absent=()
  for tool in c++ cmake ninja; do command -v "$tool" >/dev/null || absent+=("$tool"); done
  if ((${#absent[@]})); then
    echo "setup: not found: ${absent[*]}. This system has no dpkg, so please install the equivalents of: ${needed[*]}"
    exit 3
  fi
  exit 0
fi

mapfile -t missing < <(missing_of "${needed[@]}")
mapfile -t wanted < <(missing_of "${optional[@]}")
((${#missing[@]} + ${#wanted[@]})) || exit 0

give_up() {
  ((${#missing[@]})) || { echo "setup: going on without ${wanted[*]} ($1)"; exit 0; }
  echo "setup: $1"
  echo "setup: needed and not installed: ${missing[*]}"
  echo "setup: as root: apt-get install ${missing[*]}   (or CAIRN_SKIP_SETUP=1 if they are provided in another way)"
  exit 3
}

command -v apt-get >/dev/null || give_up "this system has no apt-get"
as_root=()
if [[ $(id -u) != 0 ]]; then
  command -v sudo >/dev/null || give_up "installing packages needs root, and there is no sudo"
  # Ask for a password only when somebody is there to type it.
  if [[ -t 0 ]]; then as_root=(sudo); else as_root=(sudo -n); fi
  "${as_root[@]}" true || give_up "installing packages needs root, and sudo was refused"
fi
install() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"; }

echo "setup: installing ${missing[*]} ${wanted[*]}"
"${as_root[@]}" apt-get update -q || echo "setup: apt-get update failed; trying with the package lists at hand"
if ! install "${missing[@]}" "${wanted[@]}"; then
  # One unknown package must not keep the others out.
  for package in "${missing[@]}" "${wanted[@]}"; do
    install "$package" || echo "setup: package '$package' could not be installed"
  done
fi

mapfile -t missing < <(missing_of "${needed[@]}")
mapfile -t wanted < <(missing_of "${optional[@]}")
((${#missing[@]} + ${#wanted[@]} == 0)) || give_up "some packages could not be had (see above)"
