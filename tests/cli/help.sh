#!/usr/bin/env bash
# help.sh - help, man pages and completions, and that the files in the tree are what the command prints.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

commands="profile hierarchy anonymize check measure convert sample list help"

exits "--help" 0 "$KANON" --help
golden "--help is as it was" help.txt
exits "no command" 2 "$KANON"
says "no command: shows help" "usage: kanon COMMAND"
exits "--version" 0 "$KANON" --version
prints "--version: features" "built in:"
prints "--version: what is left out" "left out:"
exits "unknown command" 2 "$KANON" anonymise
says "unknown command: names the nearest" "did you mean 'anonymize'?"
exits "unknown option before the command" 2 "$KANON" --k 5

for name in $commands; do
    exits "$name --help" 0 "$KANON" "$name" --help
    prints "$name --help: has an example" "xample"
    prints "$name --help: the example runs the command" "kanon $name"
    long=$(awk 'length > 80' <<<"$out")
    is "$name --help: fits into 80 columns" "" "$long"
    help=$out
    run "$KANON" help "$name"
    is "help $name is the same" "$help" "$out"
    run "$KANON" "$name" -h
    is "$name -h is the same" "$help" "$out"
    if command -v man >/dev/null 2>&1; then
        warnings=$("$KANON" help --man "$name" | man --warnings -E UTF-8 -l -Tutf8 - 2>&1 >/dev/null)
        is "$name: the man page has no roff warnings" "" "$warnings"
    else
        skipped "$name: the man page has no roff warnings" "man is not here"
    fi
done

# same FILE ARGUMENTS...: the file in the tree is what `kanon help ARGUMENTS` prints.
same() {
    local file=$SOURCE_DIR/$1
    shift
    if "$KANON" help "$@" | diff -q - "$file" >/dev/null 2>&1; then
        ok "${file#"$SOURCE_DIR"/} is up to date"
    else
        not_ok "${file#"$SOURCE_DIR"/} is up to date" "write it again: kanon help $* >${file#"$SOURCE_DIR"/}"
    fi
}
same man/kanon.1 --man
for name in $commands; do
    same "man/kanon-$name.1" --man "$name"
done
same completions/kanon.bash --completion bash
same completions/_kanon --completion zsh

if "$KANON" help --completion bash | bash -n; then ok "bash reads its completions"; else not_ok "bash reads its completions"; fi
complete_words() {
    bash -c '. <("$KANON" help --completion bash)
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        compopt() { :; }
        _kanon
        printf "%s " "${COMPREPLY[@]}"' bash "$@"
}
is "bash completes commands" "check " "$(complete_words kanon che)"
is "bash completes options" "--suppression --suppressed " "$(complete_words kanon anonymize --supp)"
is "bash completes choices" "mondrian " "$(complete_words kanon anonymize x.csv --method mo)"
is "bash completes guarantees" "l-diversity " "$(complete_words kanon check x.csv --guarantee l)"
: >table.csv
is "bash completes files" "table.csv " "$(complete_words kanon check tab)"
is "bash completes words" "measures methods " "$(complete_words kanon list me | tr ' ' '\n' | grep . | sort | tr '\n' ' ')"
if command -v zsh >/dev/null 2>&1; then
    if "$KANON" help --completion zsh | zsh -n; then ok "zsh reads its completions"; else not_ok "zsh reads its completions"; fi
else
    skipped "zsh reads its completions" "zsh is not here"
fi

for kind in guarantees methods measures; do
    exits "list $kind" 0 "$KANON" list "$kind"
    golden "list $kind is as it was" "list-$kind.txt"
    exits "list $kind --json" 0 "$KANON" list "$kind" --json
    if command -v python3 >/dev/null 2>&1; then
        if python3 -c 'import json,sys; assert all(e["name"] and e["summary"] for e in json.load(sys.stdin))' <<<"$out"; then
            ok "list $kind --json is JSON"
        else
            not_ok "list $kind --json is JSON"
        fi
    else
        skipped "list $kind --json is JSON" "python3 is not here"
    fi
done
exits "list sample-sizes" 0 "$KANON" list sample-sizes --rounds 1303
prints "list sample-sizes: zero-failure" "0.99   zero-failure    1303     1     1544"
prints "list sample-sizes: as printed" "5485661"
exits "list sample-sizes: ten runs" 0 "$KANON" list sample-sizes --rounds 1303 --runs 10
prints "list sample-sizes: ten runs of 0.999" "20388"
exits "list sample-sizes: sigma of a half" 2 "$KANON" list sample-sizes --sigma 0.5
exits "list sample-sizes: no number" 2 "$KANON" list sample-sizes --sigma 0.9,x
exits "list: sigma without sample-sizes" 2 "$KANON" list --sigma 0.9
exits "list of nothing" 2 "$KANON" list mesures
says "list of nothing: names the nearest" "did you mean 'measures'?"
finish
