#!/bin/bash
#SBATCH --job-name=bowhist-merge
#SBATCH --time=1:00:00
# Makes one library of the shards of index.sh.
#
#   sbatch --dependency=afterok:JOB samples/slurm/merge.sh photos 100
set -euo pipefail
name=$1 count=$2
parts=()
for ((i = 1; i <= count; ++i)); do
    parts+=("$name.$i.bow")
done
bowhist merge -o "$name.bow" "${parts[@]}" || [ $? -eq 1 ] # 1: as the shards, some were skipped
