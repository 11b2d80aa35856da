#!/usr/bin/env bash
# One batch of games as a Slurm array, one shard per task; docs/guide/scale.md says more.
#
#   sbatch --array=1-16 docs/scaling/slurm.sh FOLDER [options of maxout sim]
#
# FOLDER is on a file system that all nodes share and gets shard-I.json of each task. MAXOUT names the program
# (default: maxout on PATH). To play lost shards again: the same line with --array=3,7 and SHARDS=16 before it.
#SBATCH --job-name=maxout
#SBATCH --cpus-per-task=1
#SBATCH --mem=600M
#SBATCH --output=maxout-%A_%a.log
set -euo pipefail

folder=${1:?expected a folder for the shards, then options of maxout sim}
shift
mkdir -p "$folder"
exec "${MAXOUT:-maxout}" sim "$@" \
    --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_COUNT}" \
    --json "$folder/shard-$SLURM_ARRAY_TASK_ID.json"
