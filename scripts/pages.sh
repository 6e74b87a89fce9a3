#!/usr/bin/env bash
# pages.sh KANON FOLDER - write man pages and completions into FOLDER, as the command KANON prints them:
# made of the same tables as its help, they cannot disagree with it.
set -eu
kanon=$1 folder=$2
here=$(cd "$(dirname "$0")/.." && pwd)

rm -rf "$folder"
mkdir -p "$folder/man1"
"$kanon" help --man >"$folder/man1/kanon.1"
for source in "$here"/src/cli/cmd_*.c; do
    name=$(basename "$source" .c)
    name=${name#cmd_}
    # A command may be split over several files: only what is a command has a page.
    if "$kanon" help --man "$name" >"$folder/page.tmp" 2>/dev/null; then
        mv "$folder/page.tmp" "$folder/man1/kanon-$name.1"
    fi
done
rm -f "$folder/page.tmp"
"$kanon" help --completion bash >"$folder/kanon.bash"
"$kanon" help --completion zsh >"$folder/_kanon"
touch "$folder/made"
