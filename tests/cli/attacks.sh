#!/usr/bin/env bash
# What a hostile reader tried once: each of these gave a wrong answer, and must not again.
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# lacks NAME TEXT: the last run said and printed nothing with TEXT.
lacks() {
    if grep -qF -- "$2" <<<"$out$err"; then not_ok "$1" "$out$err"; else ok "$1"; fi
}

printf 'name,age,zip,diag\nAlice Q,30,1000,Flu\nBob R,31,1001,Cold\nCarol S,32,1002,Flu\nDan T,40,1003,HIV\nEve U,41,1004,Flu\nFay V,42,1005,Cold\n' >people.csv

# A column that nobody gave a role, and that looks like an identifier, is not published by default.
exits "a forgotten identifier is refused" 2 "$KANON" anonymize people.csv --qi age,zip --sensitive diag --k 2 -q -o forgotten.csv
says "and named" "name    identifier  its name says 'name'"
says "with a line to paste" "  --id name"
absent "and nothing is published" forgotten.csv
exits "keeping it is not enough" 2 "$KANON" anonymize people.csv --qi age,zip --sensitive diag --keep name --k 2 -q -o forgotten.csv
says "and why" "name    it looks like an identifier: its name says 'name'"
exits "nor is keeping the rest" 2 "$KANON" anonymize people.csv --qi age,zip --keep-rest --k 2 -q -o forgotten.csv
absent "and still nothing is published" forgotten.csv
exits "it is published when asked for" 0 "$KANON" anonymize people.csv --qi age,zip --sensitive diag --keep name --allow-unique name --k 2 -q -o kept.csv

# '' in a list of missing texts does not end the list.
printf 'q,s\na,Flu\na,\na,NA\na,?\n' >missing.csv
exits "all missing texts count" 1 "$KANON" check missing.csv --qi q --sensitive s --guarantee l-diversity --l 3 --missing "'',NA,?"

# Without a header, columns are renumbered when one before them is left out.
printf 'Al,30,x\nBo,30,y\n' >headless.csv
exits "a file without header loses its first column" 0 "$KANON" anonymize headless.csv --no-header --id column1 --qi column2 --keep column3 --allow-unique column3 --k 2 -q -o headless.out
is "and keeps the others" $'30,x\n30,y' "$(cat headless.out)"

# Two spellings of missing are two texts to whoever reads the file.
printf 'q,s\na,1\nb,2\n' >spelled.csv
exits "two spellings are not one class" 3 "$KANON" check spelled.csv --qi q --k 2 --missing a,b

# A file with its identifiers is no release.
exits "check of a file with identifiers" 0 "$KANON" check people.csv --id name --qi age --k 1
says "says so" "this is no release"

# Values that look like published sets are refused, not withheld.
printf 'q,s\n"{a,b}",x\na,x\nb,y\nc,y\n' >braces.csv
exits "values in set notation are refused" 3 "$KANON" anonymize braces.csv --qi q --drop-rest --k 2 -o braces.out

# Values of columns without a role stay out of messages.
exits "a wrong type" 3 "$KANON" profile people.csv --type name=integer
lacks "does not show the value" "Alice"

# --save-job replaces nothing but a job.
printf 'q,s\na,1\nb,1\na,2\nb,2\nc,3\n' >small.csv
printf 'a;*\nb;*\nc;*\n' >q.csv
exits "a job over a hierarchy" 2 "$KANON" anonymize small.csv --qi q --hierarchy q=q.csv --k 2 -q -o small.out --save-job q.csv
is "leaves the hierarchy alone" 'a;*' "$(head -n 1 q.csv)"

# A release that cannot be written does not take an older report with it.
if [ -e /dev/full ]; then
    echo OLD >old.json
    exits "standard output is full" 5 bash -c "\"$KANON\" anonymize people.csv --id name --qi age,zip --drop-rest --k 2 -o - --report old.json -q >/dev/full"
    is "the older report is still there" OLD "$(cat old.json)"
fi

# Numbers whose distance is more than a number can be.
printf 'q,s\n1e308,x\n-1e308,z\n0,w\n1,x\n' >huge.csv
exits "a domain wider than numbers are large" 0 "$KANON" anonymize huge.csv --qi q --drop-rest --k 2 -q -o huge.out

# The name of the output names its format.
exits "a release as JSON Lines" 0 "$KANON" anonymize people.csv --id name --qi age,zip --sensitive diag --k 2 -q -o release.jsonl
is "is JSON Lines" '{' "$(head -c 1 release.jsonl)"

# What a file is called does not steer the terminal.
printf '\033[31mq,s\na,1\n' >escape.csv
exits "a name with an escape" 2 "$KANON" anonymize escape.csv --qi nobody --k 1 -o escape.out
lacks "is shown without it" $'\033'

finish
