#!/usr/bin/env bash
# help.sh - help, man pages and completions, and that the files in the tree are what the command prints.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

commands="profile hierarchy anonymize check measure mine apply convert sample list help"

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
    is "$name -h: exit code" 0 "$code"
    prints "$name -h: says where the rest is" "kanon $name --help explains the command and shows all options."
    is "$name -h: fits on one screen" "" "$(awk 'length > 80 || NR > 24' <<<"$out")"
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
printf '%s\r\n' '"age";sex;postcode' '1;f;2' >header.csv
is "bash completes columns of the file on the line" "sex " "$(complete_words kanon anonymize header.csv --qi se)"
is "bash completes a list of columns" "age,postcode " "$(complete_words kanon anonymize header.csv --qi age,p)"
is "bash completes a column with a value" "age= " "$(complete_words kanon check header.csv --type a)"
printf '\357\273\277age,birth date,sex\n' >marked.csv
is "bash completes the first column after a byte order mark" "age " "$(complete_words kanon anonymize marked.csv --qi a)"
is "bash completes a name with a space" 'birth\ date ' "$(complete_words kanon anonymize marked.csv --qi b)"
gzip -kf marked.csv
is "bash completes columns of a compressed file" "sex " "$(complete_words kanon anonymize marked.csv.gz --qi s)"
is "bash completes no columns without a file" " " "$(complete_words kanon anonymize --qi a)"
if command -v zsh >/dev/null 2>&1; then
    if "$KANON" help --completion zsh | zsh -n; then ok "zsh reads its completions"; else not_ok "zsh reads its completions"; fi
else
    skipped "zsh reads its completions" "zsh is not here"
fi

exits "sample --help" 0 "$KANON" sample --help
prints "sample --help: which names there are" "NAME is one of people, income, baskets"
for name in $("$KANON" sample nothing-like-it 2>&1 | sed 's/.*there are: //; s/,//g'); do
    if grep -qw -- "$name" <<<"$out"; then ok "sample --help names $name"; else not_ok "sample --help names $name"; fi
done
exits "list: everything there is" 0 "$KANON" list
for kind in guarantees methods measures models; do prints "list: has $kind" "$kind"; done

# Colour is for terminals, and for those who want it.
if script -qec true /dev/null >/dev/null 2>&1; then
    on_terminal() { script -qec "$1" /dev/null | tr -d '\r' | head -n 1; }
    red=$'\033[1;31mkanon:\033[0m there is no command'
    got=$(TERM=xterm on_terminal "env -u NO_COLOR '$KANON' nonsense")
    is "colour on a terminal" "$red" "${got%" 'nonsense'"*}"
    is "NO_COLOR" "kanon: there is no command 'nonsense'; see kanon --help" \
        "$(TERM=xterm NO_COLOR=1 on_terminal "'$KANON' nonsense")"
    is "a dumb terminal" "kanon: there is no command 'nonsense'; see kanon --help" \
        "$(TERM=dumb on_terminal "'$KANON' nonsense")"
else
    skipped "colour on a terminal" "script is not here, or there is no pseudo-terminal"
fi
TERM=xterm run "$KANON" nonsense
is "no colour elsewhere" "kanon: there is no command 'nonsense'; see kanon --help" "$err"

# --no-clobber
small_table >people.csv
roles=(--id name --qi age,sex,postcode --sensitive diagnosis --k 2)
echo mine >out.csv
exits "no-clobber: a release" 2 "$KANON" anonymize people.csv "${roles[@]}" -o out.csv --no-clobber
says "no-clobber: says why" "--no-clobber: 'out.csv' is there already; give another name, or leave --no-clobber out"
is "no-clobber: leaves it alone" mine "$(cat out.csv)"
exits "no-clobber: a report" 2 "$KANON" anonymize people.csv "${roles[@]}" -o new.csv --report out.json --report people.csv.html --no-clobber --save-job out.csv
absent "no-clobber: and writes nothing else" new.csv
exits "no-clobber: a conversion" 2 "$KANON" convert people.csv out.csv --no-clobber
exits "no-clobber: a sample" 2 "$KANON" sample people -o out.csv --no-clobber
exits "no-clobber: a new file" 0 "$KANON" anonymize people.csv "${roles[@]}" -o new.csv --no-clobber --quiet
echo mine >swept.k=2.csv
exits "no-clobber: a sweep" 2 "$KANON" anonymize people.csv --id name --qi age --drop-rest --sweep k=2,3 -o swept.csv --no-clobber
says "no-clobber: names the release of the sweep" "'swept.k=2.csv' is there already"
exits "no-clobber: a recoding" 2 "$KANON" anonymize people.csv "${roles[@]}" --method flash -o newer.csv --recoding out.csv --no-clobber
exits "a job with its outputs" 0 "$KANON" anonymize people.csv "${roles[@]}" --method flash -o job.csv --report job.html --recoding job.rec --save-job job.json --quiet
for file in job.csv job.html job.rec; do
    rm -f job.csv job.html job.rec
    echo mine >$file
    exits "no-clobber: $file of a job file" 2 "$KANON" anonymize --job job.json --no-clobber
    is "no-clobber: leaves $file alone" "$file mine" "$(find . -maxdepth 1 -name 'job.[chr]*' -printf '%f ' | xargs) $(cat $file)"
done
mkdir made empty
echo mine >made/age.csv
exits "no-clobber: the hierarchies of a sample" 2 "$KANON" sample people -o newest.csv --hierarchies made --no-clobber
says "no-clobber: names the folder" "'made' is there already"
exits "no-clobber: the hierarchies of a table" 2 "$KANON" hierarchy build people.csv --qi age --hierarchies made --no-clobber
mkdir shop && printf 'id,nation\n7,France\n' >shop/customer.csv && printf 'key,buyer\na,7\n' >shop/orders.csv
exits "no-clobber: the hierarchies of trees" 2 "$KANON" convert shop newer.trees --tree 'customer(nation) > orders' --foreign-key orders.buyer=customer.id \
    --hierarchies-to made --no-clobber
is "no-clobber: leaves the folder alone" "made/age.csv mine" "$(find made -type f) $(cat made/age.csv)"
exits "no-clobber: an empty folder" 0 "$KANON" sample people --records 5 -o newest.csv --hierarchies empty --no-clobber
exits "without it files are replaced" 0 "$KANON" anonymize people.csv "${roles[@]}" -o out.csv --quiet

# Progress says what is done in words.
"$KANON" sample baskets --records 60000 --seed 1 -o many.dat --hierarchies many --schema many.json --quiet
err=$("$KANON" anonymize many.dat --schema many.json --guarantee km-anonymity --k 5 --m 3 -o many.out.dat \
    --threads 1 --progress always 2>&1 >/dev/null | grep '^kanon: .* s$' | sed 's/^kanon: //; s/,\? *[0-9]* [s%].*//' | sort -u)
unknown=$(grep -vE '^(reading the table|generalising items|checking the release|counting|measuring|writing|grouping|drawing|comparing)' <<<"$err")
if [ -z "$err" ]; then skipped "progress in words" "the job took less than a second"; else is "progress in words" "" "$unknown"; fi

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
# Options by the names that other tools give them.
for pair in delimiter:separator sep:separator out:output quasi-identifiers:qi random-seed:seed algorithm:method cores:threads \
    taxonomy:hierarchy na-values:missing; do
    exits "--${pair%:*}" 2 "$KANON" anonymize x.csv "--${pair%:*}" x
    says "--${pair%:*}: what it is called here" "there is no option --${pair%:*}; did you mean --${pair#*:}?"
done
exits "--input" 2 "$KANON" anonymize --input x.csv
says "--input: files are given without an option" "there is no option --input: the file is given without one: kanon anonymize INPUT"
exits "--delimiter where there is none" 2 "$KANON" list --delimiter x
is "--delimiter where there is none: no option that is not there" "" "$(grep -o -- '--separator' <<<"$err")"
finish
