#!/bin/bash
# Submits an array of jobs that index pictures, and one behind them that merges their libraries: photos.bow.
#
#   samples/slurm/submit.sh photos c.bin LIST 100
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(dirname "$0")
array=$(sbatch --parsable --array="1-$4" "$here/index.sh" "$1" "$2" "$3")
# JOB;CLUSTER where there are several clusters; a merge whose shards fail is given up
sbatch --dependency="afterok:${array%%;*}" --kill-on-invalid-dep=yes "$here/merge.sh" "$1" "$4"
