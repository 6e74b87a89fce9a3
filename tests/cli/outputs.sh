#!/usr/bin/env bash
# outputs.sh - the files that a call writes: all appear or none, and every writer keeps the same rules.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

small_table >t.csv
cp t.csv original.csv
release=("$KANON" anonymize t.csv --id name --qi age,sex,postcode --sensitive diagnosis --k 2 --quiet)

# hidden: names of hidden files that are left in this folder and below.
hidden() { find . -name '.*' ! -name . ! -name .stderr | sort | tr '\n' ' '; }

# ---- all or none ----
if [ -w /dev/full ]; then
    ln -s /dev/full full.json
    ln -s /dev/full full.html
    exits "a report that cannot be written" 5 "${release[@]}" -o o.csv --report r.json --report full.json
    absent "leaves no release" o.csv
    absent "and no other report" r.json
    exits "a sweep whose report cannot be written" 5 "$KANON" anonymize t.csv --id name --qi age,sex --drop-rest --sensitive diagnosis \
        --sweep k=2,3 --quiet -o o.csv --report full.html
    is "leaves no release" "" "$(find . -name 'o.*')"
    printf 'older\n' >o.csv
    printf '{"older": 1}\n' >r.json
    exits "over older outputs" 5 "${release[@]}" -o o.csv --report r.json --report full.json
    is "the older release stays" "older" "$(cat o.csv)"
    is "and the older report" '{"older": 1}' "$(cat r.json)"
    is "nothing else is left" "" "$(hidden)"
    rm o.csv r.json

    for what in "" "--sweep k=2,3 --drop-rest"; do
        code=0
        # shellcheck disable=SC2086
        "${release[@]}" $what -o o.csv --report r.json --save-job j.json --json >/dev/full 2>.stderr || code=$?
        is "a report that cannot be printed" 5 "$code"
        is "leaves nothing" "" "$(find . -name 'o.*' -o -name r.json -o -name j.json)"
    done
    code=0
    "$KANON" mine tree t.csv --id name --qi age,sex,postcode --class diagnosis --k 2 -o m.json --json >/dev/full 2>.stderr || code=$?
    is "nor can that of a model" 5 "$code"
    absent "which is not left either" m.json
    exits "a model to apply and to judge" 0 "$KANON" mine tree t.csv --id name --qi age,sex,postcode --class diagnosis --k 2 --quiet -o m.json
    judge=("$KANON" mine --check m.json t.csv --id name --qi age,sex,postcode --sensitive diagnosis --k 2)
    for older in no yes; do
        rm -f o.csv r.json
        if [ "$older" = yes ]; then printf 'older\n' | tee o.csv >r.json; fi
        before=$(cat o.csv r.json 2>/dev/null)
        code=0
        "$KANON" apply m.json t.csv --id name -o o.csv --json >/dev/full 2>.stderr || code=$?
        is "counts that cannot be printed, older outputs: $older" 5 "$code"
        code=0
        "${judge[@]}" --report r.json >/dev/full 2>.stderr || code=$?
        is "a verdict that cannot be printed, older outputs: $older" 5 "$code"
        is "leave everything as it was" "$before" "$(cat o.csv r.json 2>/dev/null)"
    done
    rm -f o.csv r.json
    code=0
    "${judge[@]}" --report full.json >printed 2>.stderr || code=$?
    is "a verdict whose report cannot be written" 5 "$code"
    is "is not printed" "" "$(cat printed)"
    code=0
    "${judge[@]}" --report full.json --strict >printed 2>.stderr || code=$?
    is "with --strict" 5 "$code"
    is "neither" "" "$(cat printed)"
    # What the command says of hierarchies is about files that stand: it goes to standard error, as of every other file.
    "$KANON" sample people --records 20 --seed 1 -o table.csv
    for to in "--column age -o o.csv" "--qi age,postcode --hierarchies made"; do
        code=0
        # shellcheck disable=SC2086
        "$KANON" hierarchy build table.csv $to >/dev/full 2>.stderr || code=$?
        is "a hierarchy where nothing is printed" 0 "$code"
        if [ -s .stderr ]; then ok "its words go to standard error"; else not_ok "its words go to standard error"; fi
    done
    there "the hierarchy" o.csv
    there "those of a table" made/age.csv
    rm -r o.csv made m.json table.csv
    is "nothing hidden is left" "" "$(hidden)"

    exits "a sample whose schema cannot be written" 5 "$KANON" sample people --records 20 -o p.csv --hierarchies h --schema /dev/full
    absent "leaves no table" p.csv
    absent "and no folder" h
    code=0
    "$KANON" sample people --records 20 --hierarchies h --schema s.json >/dev/full 2>/dev/null || code=$?
    is "a sample whose table cannot be written" 5 "$code"
    absent "leaves no schema" s.json
    absent "and no hierarchies" h
    mkdir h
    printf 'older\n' >h/age.csv
    exits "a sample over older hierarchies" 5 "$KANON" sample people --records 20 -o p.csv --hierarchies h --schema /dev/full
    is "which stay" "older" "$(cat h/age.csv)"
    is "alone" "h/age.csv" "$(find h -type f)"
    rm -r h
fi
"$KANON" mine tree t.csv --id name --qi age,sex,postcode --class diagnosis --k 2 --quiet -o m.json
exits "counts beside a table" 0 "$KANON" apply m.json t.csv --id name -o o.csv --json
there "the table" o.csv
prints "and the counts" '"records": 8'
exits "a verdict beside its report" 0 "$KANON" mine --check m.json t.csv --id name --qi age,sex,postcode --sensitive diagnosis --k 2 --report r.json
there "the report" r.json
prints "and the verdict" "report: r.json"
rm m.json o.csv r.json
exits "a release and all that goes with it" 0 "${release[@]}" -o o.csv --report r.json --report r.html --save-job j.json
for file in o.csv r.json r.html j.json; do there "$file" "$file"; done
exits "again, over them" 0 "${release[@]}" -o o.csv --report r.json --report r.html --save-job j.json
exits "a sample with its files" 0 "$KANON" sample people --records 20 -o p.csv --hierarchies h --schema s.json
for file in p.csv h/age.csv s.json; do there "$file" "$file"; done
exits "again" 0 "$KANON" sample people --records 20 -o p.csv --hierarchies h --schema s.json
exits "two outputs of one name" 2 "$KANON" sample people --records 20 -o p.csv --hierarchies h --schema h/age.csv
is "nothing hidden is left" "" "$(hidden)"

# ---- a job file, too, is written as everything else is ----
exits "a job" 0 "${release[@]}" -o o.csv --save-job alone.json
mkfifo job.fifo
cat job.fifo >from.fifo &
exits "a job into a pipe" 0 timeout 60 "${release[@]}" -o o.csv --save-job job.fifo
wait
is "arrives" "$(cat alone.json)" "$(cat from.fifo)"
if [ -p job.fifo ]; then ok "its pipe stays"; else not_ok "its pipe stays"; fi
rm -f job.fifo from.fifo
# ---- written into, or replaced ----
# A file in memory is below /dev, and replaced like any other.
memory=$(mktemp -d /dev/shm/kanon-XXXXXX 2>/dev/null) || memory=
if [ -n "$memory" ]; then
    for name in o.csv o.csv.gz; do
        exits "a file below /dev" 0 "$KANON" convert t.csv "$memory/$name"
        cp "$memory/$name" first
        exits "a second time" 0 "$KANON" convert t.csv "$memory/$name"
        is "is replaced, not lengthened" "$(cksum <first)" "$(cksum <"$memory/$name")"
    done
    rm -r "$memory"
fi
# What a process has open is lengthened, under any of its names.
ln -s /dev/stdout open.csv
for name in - /dev/stdout /dev/fd/1 /proc/self/fd/1 open.csv; do
    echo before >standard.csv
    "$KANON" convert t.csv "$name" >>standard.csv 2>.stderr
    is "an open file ($name) is appended to" "$(echo before && cat t.csv)" "$(cat standard.csv)"
done
rm open.csv standard.csv
# Beside a device nothing is made, and a link may stand where no file may.
mkdir free closed
ln -s ../free/o.csv closed/o.csv
chmod 755 . free
chmod 555 closed
if [ "$(id -u)" != 0 ]; then
    as() { "$@"; }
elif command -v setpriv >/dev/null && chown 64001 free && setpriv --reuid=64001 --regid=64001 --clear-groups test -r t.csv -a -x "$KANON"; then
    as() { setpriv --reuid=64001 --regid=64001 --clear-groups "$@"; }
else
    as() { return 77; }
fi
if as true; then
    exits "a device in a folder of others" 0 as "$KANON" convert t.csv /dev/null
    exits "a link in such a folder" 0 as "$KANON" convert t.csv closed/o.csv
    is "leads to the file" "$(cat t.csv)" "$(cat free/o.csv)"
    exits "again" 0 as "$KANON" convert t.csv closed/o.csv
    exits "a new file there" 5 as "$KANON" convert t.csv closed/n.csv
    says "the folder is named" "closed/n.csv: cannot write the output: its folder: Permission denied"
fi
chmod 755 closed
rm -r free closed

if [ -w /dev/null ]; then exits "a job into a device" 0 "${release[@]}" -o o.csv --save-job /dev/null; fi
if [ -w /dev/full ]; then
    rm o.csv
    exits "a job into a full device" 5 "${release[@]}" -o o.csv --save-job /dev/full
    absent "leaves no release of it" o.csv
fi
if "$KANON" --version | grep -q gzip; then
    exits "a job with gzip" 0 "${release[@]}" -o o.csv --save-job j.json.gz
    is "it is one" "$(cat alone.json)" "$(gzip -dc j.json.gz)"
    exits "over itself" 0 "${release[@]}" -o o.csv --save-job j.json.gz
    exits "and it can be run" 0 "$KANON" anonymize --job j.json.gz --quiet
fi

# ---- hierarchies are written as everything else is ----
build=("$KANON" hierarchy build t.csv --column age --kind width --width 5 --quiet)
exits "a hierarchy to standard output" 0 "${build[@]}" -o -
printf '%s\n' "$out" >plain.csv
ln -s target.csv link.csv
exits "a hierarchy through a symbolic link" 0 "${build[@]}" -o link.csv
is "the link stays" "target.csv" "$(readlink link.csv)"
is "and its target holds the hierarchy" "$(cat plain.csv)" "$(cat target.csv)"
: >private.csv
chmod 600 private.csv
exits "a hierarchy over a private file" 0 "${build[@]}" -o private.csv
is "which stays private" 600 "$(stat -c %a private.csv)"
mkfifo fifo
cat fifo >from.fifo &
exits "a hierarchy into a pipe" 0 "${build[@]}" -o fifo
wait
is "arrives" "$(cat plain.csv)" "$(cat from.fifo)"
if [ -p fifo ]; then ok "the pipe stays"; else not_ok "the pipe stays"; fi
if "$KANON" --version | grep -q gzip; then
    exits "a hierarchy with gzip" 0 "${build[@]}" -o age.csv.gz
    is "is one" "$(cat plain.csv)" "$(gzip -dc age.csv.gz)"
    exits "and can be read" 0 "$KANON" hierarchy check age.csv.gz t.csv --column age
fi
if [ "$(id -u)" != 0 ]; then
    : >fixed.csv
    chmod 400 fixed.csv
    exits "a hierarchy over a read-only file" 5 "${build[@]}" -o fixed.csv
    is "which stays empty" "" "$(cat fixed.csv)"
fi
exits "a hierarchy into a folder that is none" 5 "${build[@]}" -o nowhere/age.csv
is "nothing hidden is left by hierarchies" "" "$(hidden)"
is "the input is as it was" "$(cat original.csv)" "$(cat t.csv)"
finish
