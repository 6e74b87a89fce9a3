#!/usr/bin/env bash
# files.sh - file system calls fail, or the command is killed or stopped before them: all outputs of a call appear or none, and
# old and new ones never stand beside each other.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/torture/torture.bash
. "$(dirname "$0")/torture.bash"

TORTURE=${TORTURE:-8}
small_table >t.csv
"$KANON" sample people --records 20 --seed 2 -o sample.csv --hierarchies sample.h --schema sample.json
release=("$KANON" anonymize t.csv --id name --qi age,sex,postcode --sensitive diagnosis --k 2 --quiet --threads 1
    -o o.csv --report r.json --save-job j.json)
build=("$KANON" hierarchy build t.csv --column age --kind width --width 5 --quiet --threads 1 -o o.csv)
sample=("$KANON" sample people --records 20 --seed 2 --threads 1 -o o.csv --hierarchies h --schema r.json)
places b.dat places.csv
regions=("$KANON" anonymize b.dat --guarantee sigma-km-anonymity --k 2 --m 2 --sigma 0.99 --coordinates places.csv --names areas --quiet
    --threads 1 -o o.dat --report r.json --map o.geojson --areas o.areas.csv --mapping o.csv)
shop
tree='customer(nation) > orders(price)'
collect=("$KANON" convert shop o.trees --tree "$tree" --foreign-key orders.buyer=customer.id --bin price=100 --hierarchies-to h --quiet --threads 1)
query=("$KANON" convert shop.db "${collect[@]:3}")
"${collect[@]}" && mv o.trees shop.trees && mv h shop.h
trees=("$KANON" anonymize shop.trees --hierarchies shop.h --guarantee kmn-anonymity --k 2 --m 2 --n 1 --quiet --threads 1
    -o o.trees --report r.json)
tables=("$KANON" convert shop.trees h/ --to-tree "$tree" --quiet --threads 1)
recode=("$KANON" anonymize t.csv --id name --qi age,sex,postcode --sensitive diagnosis --k 2 --method flash --quiet --threads 1
    -o o.csv --recoding o.json --report r.html)
builds=("$KANON" hierarchy build sample.csv --qi age,postcode --hierarchies h --quiet --threads 1)
towers=("$KANON" sample towers --records 5 --seed 2 --threads 1 -o o.dat --coordinates o.csv)
init=("$KANON" init t.csv --yes --threads 1 -o k)
sweep=("$KANON" anonymize t.csv --id name --qi age,sex,postcode --sensitive diagnosis --sweep k=2,3 --quiet --threads 1 -o o.csv --report r.json)
pack=("$KANON" convert t.csv o.csv.gz --quiet --threads 1)
"$KANON" mine tree t.csv --id name --qi age,sex,postcode --class diagnosis --k 2 --quiet -o model.json
apply=("$KANON" apply model.json t.csv --quiet --threads 1 -o o.csv)
counted=("$KANON" apply model.json t.csv --quiet --threads 1 -o o.csv --json)
judged=("$KANON" mine --check model.json t.csv --id name --qi age,sex,postcode --sensitive diagnosis --k 2 --threads 1 --report r.json)
mine=("$KANON" mine tree sample.csv --schema sample.json --class income --k 2 --quiet --threads 1 -o o.json --report r.json)

# state FILES...: sets all to "new" or "old" if all of them are so, to "none" if there is none, to "mixed" otherwise. It starts no
# process, and neither does hidden: a campaign calls them thousands of times.
state() {
    local file word first
    all=""
    for file in "$@"; do
        word=none
        if [ -e "$file" ]; then
            word=new first=""
            IFS= read -r -n 12 first <"$file"
            if [ "$first" = '{"older": 1}' ]; then word=old; fi
        fi
        case $all in "" | "$word") all=$word ;; *) all=mixed ;; esac
    done
}

# whole FILE: it is complete: it has the bytes that a call without faults writes, or ends as JSON must.
whole() {
    case $1 in
    *.json) [ "$(tail -c 2 "$1")" = "}" ] ;; # holds the time that was taken
    *) cmp -s "$1" "whole/$(basename "$1")" ;;
    esac || [ "$(cat "$1")" = '{"older": 1}' ] || [ "$(cat "$1")" = '{}' ]
}

# hidden: sets found to the temporary and older files that are left, here and in folders that a command writes to.
hidden() {
    local file
    found=()
    for file in .*.tmp .*.old ./*/.*.tmp ./*/.*.old; do
        if [ -e "$file" ] || [ -L "$file" ]; then found+=("$file"); fi
    done
}

# tortured NAME OLDER FAULT COMMAND -- FILES...: OLDER yes: older outputs stand there before.
tortured() {
    local name=$1 older=$2 fault=$3 wrong=0 left=0 n command=() words=() file runs=0 list all found=()
    shift 3
    while [ "$1" != -- ]; do
        command+=("$1")
        shift
    done
    shift
    clean() {
        rm -rf o.* r.json r.html j.json h k .[!.]*.tmp .[!.]*.old
        if [ "$older" = yes ]; then for file in "$@"; do mkdir -p "$(dirname "$file")" && echo '{"older": 1}' >"$file"; done; fi
        if [ "$older" = yes ] && [ -e j.json ]; then echo '{}' >j.json; fi
    }
    clean "$@"
    if unknown "${command[@]}"; then return; fi
    clean "$@"
    list=$(numbers "${command[@]}")
    rm -rf whole && mkdir whole
    for file in "$@"; do cp "$file" whole/; done
    for n in $list; do
        clean "$@"
        FAULT_ERROR=$fault faulty "$n" "${command[@]}"
        runs=$((runs + 1))
        # A job file is replaced only where it was one.
        state "${@/j.json/o.csv}"
        if [[ $fault == kill || $fault == power* ]]; then
            # What is there is all old or all new, and whole; some may be absent.
            words=()
            for file in "$@"; do
                if [ -e "$file" ] && [ "$file" != j.json ]; then words+=("$file"); fi
                if [ -e "$file" ] && ! whole "$file"; then wrong=$((wrong + 1)) && echo "# $fault at $n ($struck): $file is not whole"; fi
            done
            state ${words[@]+"${words[@]}"}
            if [ "$all" = mixed ]; then wrong=$((wrong + 1)) && echo "# $fault at $n ($struck): mixed"; fi
            continue
        fi
        case $code:$all:$older in
        0:new:* | *:old:yes | *:none:no) ;;
        130:new:*) if [ "$fault" != stop ]; then wrong=$((wrong + 1)) && echo "# $n ($struck): exit 130"; fi ;;
        *) wrong=$((wrong + 1)) && echo "# $n ($struck): exit $code, files $all: $err" ;;
        esac
        # An input that may not be read is exit 3, a job file that may not is no file of ours: exit 2.
        # Of a disk that cannot be read, SQLite says that the file is damaged; the message says both.
        case $fault:$code:$err in *:0:* | *:5:* | stop:130:* | 13:2:* | 13:3:* | 5:3:*"or the disk"*) ;; *) wrong=$((wrong + 1)) && echo "# $n ($struck): exit $code: $err" ;; esac
        hidden
        if [ "$struck" != unlink ] && [ ${#found[@]} -gt 0 ]; then left=$((left + 1)) && echo "# $n ($struck): left ${found[*]}"; fi
    done
    is "$name, older outputs: $older, fault $fault: all or none ($runs runs of $(cat .points))" 0 "$wrong"
    is "$name, older outputs: $older, fault $fault: nothing hidden is left" 0 "$left"
}

# printed FAULT COMMAND...: a command that only prints gives its whole answer with its own exit code, or says what failed. A verdict
# is never another one.
printed() {
    local fault=$1 wrong=0 runs=0 n list answer own
    shift
    if unknown "$@"; then return; fi
    faulty 0 "$@"
    answer=$out own=$code
    list=$(numbers "$@")
    for n in $list; do
        FAULT_ERROR=$fault faulty "$n" "$@"
        runs=$((runs + 1))
        if [ "$code" = "$own" ] && [ "$out" = "$answer" ]; then continue; fi
        case $fault:$code:$err in
        stop:130:* | kill:137:*) ;;
        *:5:*kanon:* | 13:3:*kanon:*) ;;
        *) wrong=$((wrong + 1)) && echo "# $n ($struck): exit $code: $err" ;;
        esac
    done
    is "${*:2}, fault $fault: the whole answer or none ($runs runs of $(cat .points))" 0 "$wrong"
}
printf 'name,age,sex\nAnn,20,f\nBob,21,m\nCle,20,f\nDan,21,m\n' >people.csv
"$KANON" hierarchy build people.csv --column age --kind width --width 5 --quiet -o people.h.csv
roles=(--id name --qi age,sex --threads 1)

all_faults=(28 5 kill stop power power-names 4 13 24) # ENOSPC, EIO, ..., EINTR, EACCES, EMFILE
for fault in 5 kill stop 4 13 24; do
    if [ "$TORTURE" != all ] && [[ ! $fault =~ ^(5|stop)$ ]]; then continue; fi
    printed "$fault" "$KANON" check people.csv "${roles[@]}" --k 3 --json
    printed "$fault" "$KANON" check people.csv "${roles[@]}" --hierarchy age=people.h.csv --k 2
    printed "$fault" "$KANON" mine --check model.json t.csv --id name --qi age,sex,postcode --sensitive diagnosis --k 8 --threads 1
    printed "$fault" "$KANON" measure people.csv people.csv "${roles[@]}"
    printed "$fault" "$KANON" profile people.csv --json --threads 1
    printed "$fault" "$KANON" hierarchy suggest people.csv --threads 1
    printed "$fault" "$KANON" hierarchy check people.h.csv people.csv --column age --threads 1
    printed "$fault" "$KANON" hierarchy show people.h.csv --threads 1
    printed "$fault" "$KANON" list methods
    printed "$fault" "$KANON" help check
done
for fault in "${all_faults[@]}"; do
    for older in no yes; do
        tortured anonymize $older "$fault" "${release[@]}" -- o.csv r.json j.json
        # The other commands write through the same sink: some faults of each are enough for a sample.
        if [ "$TORTURE" != all ] && [[ ! $fault =~ ^(28|kill|stop|power)$ ]]; then continue; fi
        tortured "hierarchy build" $older "$fault" "${build[@]}" -- o.csv
        tortured sample $older "$fault" "${sample[@]}" -- o.csv r.json h/age.csv
        tortured mine $older "$fault" "${mine[@]}" -- o.json r.json
        tortured "a recoding" $older "$fault" "${recode[@]}" -- o.csv o.json
        tortured "sample with coordinates" $older "$fault" "${towers[@]}" -- o.dat o.csv
        # These replace nothing.
        if [ $older = no ]; then tortured "hierarchies of a table" no "$fault" "${builds[@]}" -- h/age.csv h/postcode.csv; fi
        if [ $older = no ]; then tortured init no "$fault" "${init[@]}" -- k/schema.json k/job.json k/hierarchies/postcode.csv; fi
        tortured sweep $older "$fault" "${sweep[@]}" -- o.k=2.csv o.k=3.csv r.json
        tortured convert $older "$fault" "${pack[@]}" -- o.csv.gz
        tortured apply $older "$fault" "${apply[@]}" -- o.csv
        tortured "apply with counts" $older "$fault" "${counted[@]}" -- o.csv
        tortured "a verdict with its report" $older "$fault" "${judged[@]}" -- r.json
        if "$KANON" --version | grep -q '^built in:.*geos'; then
            tortured "sampling with maps" $older "$fault" "${regions[@]}" -- o.dat r.json o.geojson o.areas.csv o.csv
        fi
        tortured "tables to trees" $older "$fault" "${collect[@]}" -- o.trees h/nation.csv h/price.csv
        if [ -e shop.db ]; then tortured "SQLite to trees" $older "$fault" "${query[@]}" -- o.trees h/nation.csv h/price.csv; fi
        tortured "trees to tables" $older "$fault" "${tables[@]}" -- h/customer.csv h/orders.csv
        tortured "anonymize trees" $older "$fault" "${trees[@]}" -- o.trees r.json
    done
done
# A file system that has no files without a name.
export FAULT_NO_TMPFILE=1
for fault in 28 kill stop power; do
    for older in no yes; do
        tortured "anonymize without O_TMPFILE" $older "$fault" "${release[@]}" -- o.csv r.json j.json
    done
done
finish
