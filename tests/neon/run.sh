#!/usr/bin/env bash
# Builds simd's screens for NEON and runs them under emulation (Debian: g++-aarch64-linux-gnu,
# qemu-user-static), and compiles the extractors; without those it skips: exit status 77.
set -euo pipefail
cd "$(dirname "$0")/../.."
for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not here"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s /usr/include/hwy "$folder/hwy" # headers only: the same for every architecture
compile=(aarch64-linux-gnu-g++ -std=c++20 -O1 -ffp-contract=off
    '-DHWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)' -I. -Ilib -Icl -I"$folder")
for source in $(grep -rl foreach_target lib/bowhist/extract); do
    "${compile[@]}" -c "$source" -o "$folder/object"
done
"${compile[@]}" -static tests/neon/words.cpp lib/bowhist/assign/{rule,bound}.cpp bench/cases/vector_rule.cpp \
    lib/bowhist/assign/host/simd/*.cpp \
    -o "$folder/words"
qemu-aarch64-static "$folder/words"
