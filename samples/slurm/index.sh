#!/bin/bash
#SBATCH --job-name=bowhist-index
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
#SBATCH --time=4:00:00
# Describes a share of the pictures, as one job of an array. A share that is complete is skipped when the job runs again.
#
#   sbatch --array=1-100 samples/slurm/index.sh photos c.bin LIST        photos.1.bow, photos.2.bow, ...
#
# LIST names the pictures, one a line, so that each job does not list the folders anew: find photos/ -name '*.jpg' > LIST
set -euo pipefail
name=$1 models=$2 list=$3
bowhist index --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" -j "$SLURM_CPUS_PER_TASK" \
    --centroids "$models" -o "$name.$SLURM_ARRAY_TASK_ID.bow" --files-from "$list" ||
    [ $? -eq 1 ] # 1: some pictures were skipped, each with a line
