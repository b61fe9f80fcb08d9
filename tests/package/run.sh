#!/usr/bin/env bash
# Installs a build into a scratch folder and builds and runs another project against it.
#
#   tests/package/run.sh BUILD_FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$1" --prefix "$scratch/installed" >/dev/null

# What is not meant for others is not there, nor is an empty folder.
include="$scratch/installed/include/bowhist"
private=$(find "$include" -type d -empty; cd "$include"; ls -d device ops assign/{device,host,packing} {extract,pictures}/*opencv* \
  train/{seeding,fixed_point}.hpp report/html.hpp \
  io/{zip_archive,byte_source,input_file}.hpp pictures/png_chunks.hpp tables/{npy,npy_dictionary,histogram_formats}.hpp 2>/dev/null || true)
[[ -z $private ]] || { echo "installed, but not public:" $private; exit 1; }

cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/installed" >/dev/null
cmake --build "$scratch/build"
"$scratch/build/uses_bowhist"
"$scratch/installed/bin/bowhist" --version

# README's example tells what it lacks, and counts when it has it.
cd "$scratch"
status=0
build/readme_example 2>said || status=$?
[[ $status -eq 1 && $(wc -l <said) -eq 1 && $(cat said) == c.bin* ]]
python3 - <<'PYTHON'
import struct
header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}"
header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
open("a.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<6f", 0, 0, 9, 9, 9, 8))
open("c.bin", "wb").write(struct.pack("<2I4f", 2, 2, 0, 0, 9, 9))
PYTHON
[[ $(build/readme_example | tr '\n' ' ') == "1 2 " ]]
