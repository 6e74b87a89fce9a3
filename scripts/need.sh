#!/usr/bin/env bash
# need.sh COMMAND... - fail with a word when a command is not here.
set -eu
for command in "$@"; do
    if ! command -v "$command" >/dev/null; then
        echo "$command is needed and is not here: 'make deps' installs it on Debian and Ubuntu" >&2
        exit 1
    fi
done
