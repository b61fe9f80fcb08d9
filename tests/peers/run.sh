#!/usr/bin/env bash
# Builds the peers and runs them with OpenBLAS as it chooses its kernels itself and, on a CPU with AVX-512, with
# its SkylakeX kernels, which it does not always choose.
#
#   tests/peers/run.sh [OPTIONS OF peers]        BUILD=build/release names another build folder
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build/ci}

cmake --build "$build" --target peers >&2
echo "== OPENBLAS_CORETYPE unset"
env -u OPENBLAS_CORETYPE "$build/bin/peers" "$@"
if grep -q -w avx512vl /proc/cpuinfo; then
    echo
    echo "== OPENBLAS_CORETYPE=SkylakeX"
    OPENBLAS_CORETYPE=SkylakeX "$build/bin/peers" "$@"
fi
