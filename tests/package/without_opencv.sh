#!/usr/bin/env bash
# What a bare GPU host builds: no OpenCV. Words are the same there, JPEGs are read, other pictures are
# refused with a reason.
#
#   tests/package/without_opencv.sh SOURCE_FOLDER BUILD_FOLDER PROGRAM_WITH_OPENCV
set -euo pipefail
cmake -S "$1" -B "$2" -G Ninja -DBOWHIST_OPENCV=OFF -DBOWHIST_TESTS=OFF -DBOWHIST_WERROR=ON >/dev/null
cmake --build "$2"
bowhist=$2/bin/bowhist
if ldd "$bowhist" | grep -q libopencv; then
    echo "it links OpenCV"
    exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 - <<'PYTHON'
import random, struct
random.seed(1)
with open("d.fbin", "wb") as f:
    f.write(struct.pack("<II", 500, 64))
    f.write(struct.pack("<32000f", *(random.gauss(0, 1) for _ in range(32000))))
PYTHON
"$bowhist" train -k 16 -o c.bin d.fbin
"$3" train -k 16 -o other.bin d.fbin
cmp c.bin other.bin
for level in serial openmp simd gpu1 gpu5; do
    "$bowhist" --centroids c.bin --kernel $level d.fbin >ours.csv
    "$3" --centroids c.bin --kernel $level d.fbin >theirs.csv
    cmp ours.csv theirs.csv
done

# JPEGs are read: for the contact sheet. Another kind is named.
printf 'P5 64 48 255\n%s' "$(head -c 3072 /dev/zero | tr '\0' 'x')" >grey.pgm
"$3" filter grey.pgm -o grey.jpg --blur 1
printf 'image,descriptors,w0,w1\ngrey.jpg,3,1,2\ngrey.pgm,3,2,1\n' >h.csv
"$bowhist" cluster -k 1 -o g.csv --html sheet.html h.csv 2>printed
[ "$(grep -o 'data:image/jpeg[^"]*' sheet.html | sort -u | wc -l)" -eq 1 ]
grep -q "grey.pgm: PNM, and this bowhist was built without OpenCV" printed

# OpenCV's extractors are not there.
status=0
"$bowhist" --centroids c.bin --extractor akaze d.fbin grey.jpg >mixed.csv 2>errors || status=$?
[ $status -eq 1 ]
cmp mixed.csv ours.csv
grep -q "grey.jpg: this bowhist was built without OpenCV" errors

# Its own extractor is there, and makes the same descriptors.
{ printf 'P5 64 48 255\n'; head -c 3072 d.fbin; } >noise.pgm
"$3" filter noise.pgm -o noise.jpg --blur 1
"$bowhist" extract -q -o ours.npy noise.jpg
"$3" extract -q -o theirs.npy noise.jpg
cmp ours.npy theirs.npy
[ "$(stat -c %s ours.npy)" -gt 10000 ]
