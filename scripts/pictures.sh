#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/pictures.sh [PROGRAM]: runs the scenes of docs/pictures.md and draws its pictures anew (build/release/apps/cairn/cairn).
set -euo pipefail
cd "$(dirname "$0")/.."
cairn=${1:-build/release/apps/cairn/cairn}
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
images=docs/images

record() { # NAME SCENE DURATION
  "$cairn" run "examples/$2.yaml" -o "$runs/$1.h5" --duration "$3" --quiet
}
draw() { # NAME PICTURE OPTIONS...
  local run=$1 picture=$2
  shift 2
  "$cairn" render "$runs/$run.h5" -o "$images/$picture.png" --size 720x450 "$@"
}

record arch arch 0.5
draw arch picture_thrust --view front --orthographic --layers thrust
record cards card_house 0.3
draw cards picture_cards --layers contacts,forces
record pile pile 2
draw pile picture_chains --view front --layers chains --hide "front pane,back pane"
record showcase showcase 1.4
draw showcase picture_speed --color speed --layers none
record zoo mechanism_zoo 0.5
draw zoo picture_joints --layers joints
"$cairn" plot "$runs/showcase.h5" -q energy -o "$images/plot_energy.svg" --size 760x380
"$cairn" plot "$runs/pile.h5" -q "residual,penetration" --log -o "$images/plot_quality.svg" --size 760x480
