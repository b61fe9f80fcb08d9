#!/usr/bin/env bash
# Installs a build into a scratch folder and builds and runs another project against it.
#
#   tests/package/run.sh BUILD_FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$1" --prefix "$scratch/installed" >/dev/null
cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/installed" >/dev/null
cmake --build "$scratch/build"
"$scratch/build/uses_bowhist"
"$scratch/installed/bin/bowhist" --version
