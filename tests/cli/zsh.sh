#!/usr/bin/env bash
# zsh.sh - completion in a zsh with a terminal of its own: commands, options, and columns of the file on the line. Skipped without
# zsh or a pseudo-terminal.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

if ! command -v zsh >/dev/null; then
    echo "no zsh here"
    exit 77
fi
if ! zsh -f -c 'zmodload zsh/zpty && zpty shell true' 2>/dev/null; then
    echo "no pseudo-terminal here"
    exit 77
fi
small_table >people.csv
sed 's/,/;/g' people.csv >semicolons.csv
gzip -c people.csv >small.csv.gz
if command -v zstd >/dev/null; then zstd -q people.csv -o tiny.csv.zst; else : >tiny.csv.zst; fi
mkdir functions
"$KANON" help --completion zsh >functions/_kanon

# completed LINE WANTED: what zsh makes of LINE and the tab key, once WANTED is on its screen; nothing if it never is.
cat >complete.zsh <<'SCRIPT'
zmodload zsh/zpty || exit 1
zpty shell TERM=dumb zsh -f -i
zpty -w shell "PS1='' RPS1='' PROMPT_EOL_MARK=''; unsetopt zle_bracketed_paste 2>/dev/null"
zpty -w shell "fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word; print rea''dy"
zpty -r shell screen '*ready*'
zpty -w -n shell "$1"$'\t'
zpty -r shell screen "*$2*"
print -r -- $screen
zpty -d shell
SCRIPT
completes() {
    if timeout 120 zsh -f complete.zsh "$2" "$3" >screen.txt 2>&1; then
        ok "$1"
    else
        not_ok "$1" "wanted: $3" "$(tail -n 3 screen.txt)"
    fi
}
completes "a command" "kanon anonym" "kanon anonymize"
completes "an option" "kanon anonymize people.csv --sensitiv" "--sensitive"
completes "a column" "kanon anonymize people.csv --qi ag" "--qi age"
completes "a second column" "kanon anonymize people.csv --qi age,se" "--qi age,sex"
completes "a column between semicolons" "kanon anonymize semicolons.csv --qi ag" "--qi age"
completes "a file with gzip" "kanon anonymize sma" "kanon anonymize small.csv.gz"
completes "a file with zstd" "kanon anonymize tin" "kanon anonymize tiny.csv.zst"
if "$KANON" --version | grep -q '^built in:.*gzip'; then
    completes "a column of a file with gzip" "kanon anonymize small.csv.gz --qi ag" "--qi age"
fi
if "$KANON" --version | grep -q '^built in:.*zstd' && command -v zstd >/dev/null; then
    completes "a column of a file with zstd" "kanon anonymize tiny.csv.zst --qi ag" "--qi age"
fi
finish
