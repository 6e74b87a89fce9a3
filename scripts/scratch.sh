#!/usr/bin/env bash
# scratch.sh FOLDER COMMAND... - run COMMAND in FOLDER, made empty first.
set -eu
folder=$1
shift
rm -rf -- "$folder"
mkdir -p -- "$folder"
cd -- "$folder"
SCRATCH=$PWD exec "$@"
