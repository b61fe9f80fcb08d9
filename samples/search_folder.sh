#!/usr/bin/env bash
# Prints which pictures of a folder a library has, as CSV: query,rank,image,score.
#
#   samples/search_folder.sh photos.bow new/
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }

find "$2" -type f \( -iname '*.jpg' -o -iname '*.png' -o -iname '*.pgm' \) -print0 | sort -z |
    bowhist search "$1" --files-from - -0 --top 1 --min-score 0.9 -q
