#!/bin/bash
#SBATCH --job-name=bowhist-train
#SBATCH --ntasks=8
#SBATCH --cpus-per-task=4
#SBATCH --time=1:00:00
# Learns a vocabulary on all ranks of a job (MPI); the file is that of one process.
#
#   sbatch samples/slurm/train.sh c.bin photos/...
#
# With a GPU a rank, add --gpus-per-task=1: a rank's device follows from its number on its machine.
set -euo pipefail
vocabulary=$1
shift
srun --mpi=pmix bowhist train -k "${K:-16384}" -j "$SLURM_CPUS_PER_TASK" -o "$vocabulary" "$@" ||
    [ $? -eq 1 ] # 1: some pictures were skipped, each with a line
