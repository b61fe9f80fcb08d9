#!/usr/bin/env bash
# Does the main job on real photographs: a page of groups; then a vocabulary, histograms, and their groups.
#
#   samples/run.sh [FOLDER]    the photographs of FOLDER, else those that a Debian package carries
set -euo pipefail
photos=
if [ $# -gt 0 ]; then
    [ $# -eq 1 ] && [ -d "$1" ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
    photos=$(realpath "$1")
fi
cd "$(dirname "$0")/.."
. samples/setup.sh

# shellcheck disable=SC2086
install_packages $packages
build_preset release -DBOWHIST_TESTS=OFF
bowhist=build/release/bin/bowhist

if [ -z "$photos" ]; then
    photos=/usr/share/doc/opencv-doc/examples/data
    [ -d "$photos" ] || install_packages opencv-doc
    # Some systems leave out the documentation of all packages; stamps are not documentation.
    if [ ! -d "$photos" ]; then
        install_packages tuxpaint-stamps-default
        photos=/usr/share/tuxpaint/stamps/animals
    fi
fi

out=out/sample
mkdir -p "$out"
run() {
    say "$*"
    "$@" || [ $? -eq 1 ] # 1: some inputs were skipped, each with a line
}

run "$bowhist" cluster "$photos" --html "$out/sheet.html"
run "$bowhist" train -k 256 -o "$out/c.bin" "$photos"
run "$bowhist" --centroids "$out/c.bin" -o "$out/histograms.csv" "$photos"
say "the first rows of $out/histograms.csv"
head -n 5 "$out/histograms.csv" | cut -c 1-100
pictures=$(($(wc -l <"$out/histograms.csv") - 1))
run "$bowhist" cluster -k $((pictures < 8 ? pictures : 8)) -o "$out/groups.csv" "$out/histograms.csv"

say "done; in $PWD/$out:"
printf '   %-16s %s\n' \
    sheet.html "the groups to look at: open it in a browser" \
    c.bin "the vocabulary: 256 words" \
    c.bin.json "how it was made" \
    histograms.csv "a row for each of $pictures pictures" \
    groups.csv "the group of each picture by its histogram"
