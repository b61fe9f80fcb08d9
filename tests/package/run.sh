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
private=$(find "$include" -type d -empty; cd "$include"; ls -d device ops bench assign/{device,host} extract/{dense,device} {extract,pictures}/*opencv* \
  train/seeding.hpp sums/exact_sum.hpp report/html.hpp duplicates/pair_check.hpp \
  io/{zip_archive,byte_source,input_file}.hpp pictures/{container,codecs} tables/{formats/npy,histograms/histogram_formats}.hpp 2>/dev/null || true)
[[ -z $private ]] || { echo "installed, but not public:" $private; exit 1; }

cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/installed" >/dev/null
cmake --build "$scratch/build"
"$scratch/build/uses_bowhist"
"$scratch/installed/bin/bowhist" --version
# Only its modules need OpenCV, and LAPACK and BLAS with it.
needed=$(ldd "$scratch/installed/bin/bowhist" "$scratch"/installed/libexec/bowhist/bowhist-decode | grep -E 'opencv|blas|lapack' || true)
[[ -z $needed ]] || { echo "linked by the program itself:" $needed; exit 1; }

# A program of operations on the device: two greys, made as far apart as can be, each half the picture.
cmake -S "$here/../../samples/opencl" -B "$scratch/sample" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/installed" >/dev/null
cmake --build "$scratch/sample"
python3 -c 'import sys; sys.stdout.buffer.write(b"P5 64 48 255\n" + (b"\x0a" * 32 + b"\xc8" * 32) * 48)' >"$scratch/two.pgm"
"$scratch/sample/equalized_greys" "$scratch/two.pgm" | tee "$scratch/greys"
[[ $(tail -n 2 "$scratch/greys") == $'half of the pixels are 0 or darker\nthe mean grey of the middle is 127.5' ]]

# README's first example says what it lacks, and writes what the program writes of pictures and descriptors.
cd "$scratch"
status=0
build/readme_example 2>said || status=$?
[[ $status -eq 1 && $(wc -l <said) -eq 1 && $(cat said) == c.bin* ]]
python3 - <<'PYTHON'
import random, struct
random.seed(1)
pixels = bytearray(b"\x80" * (240 * 180))
for _ in range(60):
    x, y, grey = random.randrange(200), random.randrange(150), random.randrange(256)
    for row in range(y, y + 30):
        pixels[240 * row + x : 240 * row + x + 40] = bytes([grey]) * 40
open("p.pgm", "wb").write(b"P5 240 180 255\n" + pixels)
open("d.fbin", "wb").write(struct.pack("<2I3200f", 50, 64, *(random.gauss(0, 1) for _ in range(3200))))
PYTHON
bowhist=installed/bin/bowhist
"$bowhist" train -q -k 4 --extractor kaze --max-descriptors 20 -o c.bin p.pgm d.fbin || [[ $? -eq 1 ]] # without OpenCV
"$bowhist" -q --centroids c.bin p.pgm d.fbin >expected.csv || [[ $? -eq 1 ]]
build/readme_example p.pgm d.fbin
cmp histograms.csv expected.csv
[[ $(tail -n 1 expected.csv) == d.fbin,50,* ]]
! "$bowhist" extract -q -o p.npy p.pgm || grep -q p.pgm,20, expected.csv

# README's library and its search.
mkdir photos && cp p.pgm photos && cp p.pgm query.jpg
build/readme_library | grep -q '^photos/p.pgm: [1-9][0-9]* words$'
build/readme_search | grep -q '^photos/p.pgm [01]'

# Copies, by a library of one's own.
mkdir copies && cp p.pgm copies/p.pgm && (cat p.pgm; echo) >copies/other_bytes.pgm
[[ $(build/uses_duplicates copies) == $'1: copies/other_bytes.pgm\n1: copies/p.pgm, pixels, spare' ]]
