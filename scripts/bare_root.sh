#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/bare_root.sh [--viewer | --run] FOLDER: tries Cairn as on a newly installed Debian 12, as root, in FOLDER.
#   (nothing)  ./run, `./run view` and its page, then ./test          --run  the same without ./test
#   --viewer   the viewer's page only, by the distribution's Node: packages, build, unit tests (two minutes)
# FOLDER is made by debootstrap from where this machine's apt gets its packages, and kept: a second call goes on with it.
# The tree is copied as it is in the working folder. Nothing outside FOLDER changes.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
suite=bookworm
work=all
case ${1:-} in --viewer | --run) work=${1#--}; shift ;; esac
if (($# != 1)) || [[ $1 == -* ]]; then sed -n '3,7s/^# //p' "$0" >&2; exit 2; fi
[[ $(id -u) == 0 ]] || { echo "bare_root: chroot and debootstrap need root" >&2; exit 2; }
mkdir -p "$1"
root=$(cd "$1" && pwd)

say() { echo "== $*"; }

# What this machine's apt says: "URI CODENAME COMPONENT" of each source of the distribution itself.
sources() {
  apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | sort -u |
    awk -v s="$suite" '$2 ~ "^"s"(-updates|-security)?$"'
}

make_root() {
  [[ -f $root/etc/debian_version ]] && return
  command -v debootstrap > /dev/null || { echo "bare_root: needs the package debootstrap" >&2; exit 2; }
  say "debootstrap $suite"
  debootstrap --variant=minbase "$suite" "$root" "$(sources | awk -v s="$suite" '$2 == s { print $1; exit }')" > "$root.log" 2>&1 ||
    { tail -20 "$root.log"; exit 1; }
}

# How this machine reaches the net: package sources, names, proxies, certificates of its own, npm's registry.
connect_root() {
  sources | awk '{ print "deb", $1, $2, $3 }' > "$root/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::https?::Proxy' > "$root/etc/apt/apt.conf.d/90proxy" || true
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  mkdir -p "$root/usr/local/share/ca-certificates"
  cp -r /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
  environment=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8)
  local name registry
  for name in http_proxy https_proxy no_proxy; do [[ -z ${!name:-} ]] || environment+=("$name=${!name}"); done
  registry=$(cd / && npm config get registry 2> /dev/null) || registry=
  [[ -z $registry ]] || environment+=("npm_config_registry=$registry")
}

# The files of the working tree, with what is not committed yet; git would not be there on a bare system.
copy_tree() {
  mkdir -p "$root/root/cairn"
  (cd "$here" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2> /dev/null | tar -cf - --no-recursion -T -) |
    tar -xf - -C "$root/root/cairn" --no-same-owner
}

# inside COMMAND: in the bare root, with its own processes and mounts, which end with it.
inside() {
  unshare --mount --pid --fork bash -c '
    root=$1 command=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" env -i "$@" bash -c "cd ~/cairn && $command"' - "$root" "$1" "${environment[@]}"
}

failures=0
try() { # WHAT COMMAND
  say "$1"
  local start=$SECONDS
  if inside "$2"; then echo "-- done in $((SECONDS - start)) s"; else echo "-- FAILED: $1 ($((SECONDS - start)) s)"; failures=$((failures + 1)); fi
}

make_root
connect_root
say "copy of the tree"
copy_tree

if [[ $work == viewer ]]; then
  try "Node of the distribution" 'apt-get update -q > /dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends nodejs npm \
    > /dev/null 2>&1; node --version; npm --version'
  try "packages of the page" 'cd viewer && npm ci --no-audit --no-fund'
  try "build of the page" 'cd viewer && npm run build && grep -q "type=.module" dist/index.html'
  try "unit tests of the page" 'cd viewer && npm test'
else
  try "./run" './run && ls -l out/showcase.h5 out/showcase.png && grep -q "type=.module" build/release/viewer/dist/index.html'
  # The page as a browser asks for it: bash speaks enough HTTP.
  try "./run view out/showcase.h5" './run view out/showcase.h5 --port 8799 --no-open & server=$!
    for second in $(seq 30); do sleep 1; (exec 3<> /dev/tcp/127.0.0.1/8799) 2> /dev/null && break; done
    exec 3<> /dev/tcp/127.0.0.1/8799
    printf "GET / HTTP/1.0\r\nHost: 127.0.0.1:8799\r\n\r\n" >&3
    page=$(timeout 10 cat <&3 | tr -d "\0"); kill $server; wait $server
    grep -q "type=.module" <<< "$page"'
  [[ $work == run ]] || try "./test" './test'
fi

if ((failures)); then say "$failures failed in $root"; exit 1; fi
say "all done in $root"
