#!/bin/bash
# Runs samples/slurm on a cluster of this machine alone, and compares the bytes with those of one process.
#
#   tests/slurm/run.sh BOWHIST PHOTOS        as root, with Debian's slurm-wlm and munge; nothing is installed
#
# The cluster's daemons keep all their files in a scratch folder, and end with the script.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$(realpath "$1")
photos=$(realpath "$2")
samples=$(realpath "$(dirname "$0")/../../samples/slurm")
for command in munged slurmctld slurmd srun; do
    command -v "$command" >/dev/null || { echo "$command is not installed (slurm-wlm, munge)" >&2; exit 77; }
done

folder=$(mktemp -d /tmp/bowhist-slurm.XXXXXX)
chmod 755 "$folder"
end() {
    for daemon in slurmd slurmctld munge; do
        [ ! -f "$folder/$daemon.pid" ] || kill "$(<"$folder/$daemon.pid")" 2>/dev/null || true
    done
    sleep 2
    rm -rf "$folder"
}
trap end EXIT

machine=$(hostname -s)
cores=$(nproc)
mkdir "$folder"/{state,spool,bin,run}
export SLURM_CONF=$folder/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$machine(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=$machine NodeAddr=127.0.0.1 CPUs=$((4 * cores)) RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=$machine Default=YES State=UP
CONF
head -c 1024 /dev/urandom >"$folder/munge.key"
chmod 600 "$folder/munge.key"
munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munge.pid" \
    --log-file="$folder/munge.log" --seed-file="$folder/munge.seed"
slurmctld
slurmd -N "$machine"

ln -s "$program" "$folder/bin/bowhist" # the program finds its helpers by where it truly lies
export PATH=$folder/bin:$PATH
cd "$folder/run"
accept_skipped() { "$@" || [ $? -eq 1 ]; }

sbatch --wait --ntasks=3 --cpus-per-task=1 --export=ALL,K=64 "$samples/train.sh" ranks.bin "$photos"
accept_skipped bowhist train -q -k 64 -o one.bin "$photos"
cmp ranks.bin one.bin
echo "train: 3 ranks under srun write the bytes of one process"

find "$photos" -type f | sort >list
accept_skipped bowhist index -q -o one.bow --words-k 200 --files-from list
jobs=$("$samples/submit.sh" photos one.bow list 3)
echo "$jobs"
while [ -n "$(squeue --noheader)" ]; do sleep 1; done
cat slurm-*.out
for library in one photos; do
    for what in words code; do
        bowhist export -q "$library.bow" --what $what -o "$library.$what.npz"
    done
done
cmp one.words.npz photos.words.npz
cmp one.code.npz photos.code.npz
echo "index: 3 jobs of an array and a merge export the bytes of one process"
