#!/usr/bin/env bash
# Installs what is missing, builds with warnings as errors, and passes the tests.
#
#   tests/run.sh [CTEST OPTIONS]
#
# BOWHIST_TEST_DATA may name a folder of further pictures (sets as sub-folders; bad.tar.gz holds hostile
# files); tests that want it skip without. The tests get caches of their own, empty ones, as on a new
# machine: no kernel is compiled yet, and nothing that auto measured is known.
set -euo pipefail
cd "$(dirname "$0")/.."
. samples/setup.sh

# shellcheck disable=SC2086
install_packages $packages python3-numpy python3-pil fonts-dejavu-core python3-selenium chromium chromium-driver oclgrind \
    g++-aarch64-linux-gnu qemu-user-static ccache mesa-opencl-icd
# The build without OpenCV, a test, compiles again only what differs without it: its precompiled headers lie
# elsewhere, but at the same place below its folder.
export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache} CCACHE_DIR=${CCACHE_DIR-$PWD/build/ccache}
export CCACHE_BASEDIR=${CCACHE_BASEDIR-$PWD}
build_preset ci
if [ -z "${BOWHIST_TEST_DATA:-}" ] && [ -d ../shared/data ]; then
    BOWHIST_TEST_DATA=$(realpath ../shared/data)
    export BOWHIST_TEST_DATA
fi
# OpenBLAS lies beside the system's BLAS, not in its place: one test alone runs with it.
openblas=$PWD/build/openblas
if [ ! -d "$openblas" ] && mkdir -p build/download && chmod 777 build/download &&
    (cd build/download && apt-get -qq download libopenblas0-pthread); then
    dpkg -x build/download/libopenblas0-pthread_*.deb "$openblas"
fi
for folder in "$openblas"/usr/lib/*/openblas-pthread; do
    if [ -d "$folder" ]; then export BOWHIST_TEST_OPENBLAS=$folder; fi
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch"/{cache,pocl,hostile}
export XDG_CACHE_HOME=$scratch/cache POCL_CACHE_DIR=$scratch/pocl
# PoCL is the device of all tests but those of the other implementation: each has a folder of its own.
for driver in pocl rusticl; do
    mkdir -p "build/drivers/$driver"
    cp "/etc/OpenCL/vendors/$driver.icd" "build/drivers/$driver"
done
export OCL_ICD_VENDORS=$PWD/build/drivers/pocl BOWHIST_TEST_RUSTICL=$PWD/build/drivers/rusticl
if [ -f "${BOWHIST_TEST_DATA:-}/bad.tar.gz" ]; then
    export BOWHIST_TEST_HOSTILE=$scratch/hostile
    tar -xzf "$BOWHIST_TEST_DATA/bad.tar.gz" -C "$BOWHIST_TEST_HOSTILE"
fi
say "testing"
# One more than there are cores: some tests wait for signals and clocks.
ctest --preset ci -j "$(($(nproc) + 1))" "$@"
