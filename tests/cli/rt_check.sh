#!/usr/bin/env bash
# rt_check.sh - tables with item sets on the command line: the paper's figures, sensitive items by list, prefix and node,
# in options, schemas and jobs, measures of both parts, and what users may get wrong.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"
rt=$SOURCE_DIR/examples/rt
if [ ! -d "$rt" ]; then
    echo "skipped: examples/rt is not here"
    exit 77
fi
cp -r "$rt"/. .

anonymity="--guarantee k-km-anonymity --k 2 --m 2"
diversity="--guarantee k-lm-diversity --k 2 --l 2 --m 2"
columns="--qi Age,Origin,Gender --items Products"

# ---- the figures ----
# shellcheck disable=SC2086
{
    exits "Fig. 1b is not (2,2^2)-anonymous" 1 "$KANON" check figure1b.csv --schema schema.json $anonymity
    golden "Fig. 1b: Jim is found by product F" rt-figure1b.txt
    exits "Fig. 1b, for programs" 1 "$KANON" check figure1b.csv --schema schema.json $diversity --json
    golden "Fig. 1b: as JSON" rt-figure1b.json
    prints "Fig. 1b: Jim's record" '"first_record": 6'
    exits "Fig. 1b is 2-anonymous" 0 "$KANON" check figure1b.csv --qi Age,Origin,Gender --k 2
    sed 's/|[GH]\("\{0,1\}\)$/\1/' figure1b.csv >known.csv
    exits "Fig. 1b is 2^2-anonymous in its products" 0 "$KANON" check known.csv --items Products --guarantee km-anonymity --k 2 --m 2
    exits "and both at once" 0 "$KANON" check known.csv $columns --guarantee k-anonymity,km-anonymity --k 2 --m 2
    exits "Fig. 2a is (2,2^2)-anonymous" 0 "$KANON" check figure2a.csv --schema schema.json $anonymity
    golden "Fig. 2a" rt-figure2a.txt
    exits "Fig. 2a is (2,2^2)-diverse" 0 "$KANON" check figure2a.csv --schema schema.json $diversity
    prints "Fig. 2a: what is achieved" "asked k = 2 and l = 2, achieved k = 2 and l = 2"
    exits "Fig. 2a is not (2,3^2)-diverse" 1 "$KANON" check figure2a.csv --schema schema.json --guarantee k-lm-diversity --k 2 --l 3 --m 2
    golden "Fig. 2a: G and H follow from the class" rt-figure2a-l3.txt
    exits "G and H as items like any other" 1 "$KANON" check figure2a.csv $columns $anonymity
    prints "G and H as items like any other: they are rare" "6 violations"
    exits "Fig. 1a is no release" 1 "$KANON" check figure1a.csv --schema schema.json $anonymity
    says "Fig. 1a: identifiers are still there" "'Name' is an identifier"
    case $out$err in *Jim* | *John*) not_ok "names never appear" "$out" ;; *) ok "names never appear" ;; esac
}

# ---- sensitive items ----
# shellcheck disable=SC2086
{
    exits "by list" 0 "$KANON" check figure2a.csv $columns --sensitive-items G,H $diversity
    exits "by prefix" 0 "$KANON" check figure2a.csv $columns --sensitive-prefix G,H $diversity
    printf 'G;secret;all\nH;secret;all\nA;open, known;all\nB;open, known;all\n' >tree.csv
    exits "by node" 0 "$KANON" check figure2a.csv $columns --hierarchy Products=tree.csv --sensitive-node secret $diversity
    exits "a node with a comma" 1 "$KANON" check figure1a.csv $columns --id Id,Name --hierarchy Products=tree.csv \
        --sensitive-node "open, known" $diversity
    prints "a node with a comma: two items" "2 sensitive items occur"
    exits "options win" 1 "$KANON" check figure2a.csv --schema schema.json --sensitive-items G $diversity
    printf '{"input": "figure2a.csv", "schema": "schema.json", "sensitive_items": ["G", "H"],
  "guarantee": [{"name": "k-lm-diversity", "k": 2, "l": 2, "m": 2}]}' >job.json
    exits "in a job" 0 "$KANON" check figure2a.csv --job job.json
    # A node is a node, also where its name begins like sensitive items: who knows it finds one person here.
    printf 'anxiety;Mental;*\nphobia;Mental;*\nMenopause;Other;*\nflu;Other;*\n' >mental.csv
    printf 'Age,Origin,Gender,Products\n1,x,y,Mental|flu\n1,x,y,flu|Menopause\n1,x,y,flu\n1,x,y,flu\n' >node.csv
    exits "a node that begins like a prefix" 1 "$KANON" check node.csv $columns --hierarchy Products=mental.csv --sensitive-prefix Men $anonymity
    prints "a node that begins like a prefix: may be known" "1 violation"
    prints "a node that begins like a prefix: one is sensitive" "1 sensitive item occurs"
    printf 'anxiety;Menopause;*\nphobia;Menopause;*\nMenopause;Other;*\nflu;Other;*\n' >clash.csv
    exits "a sensitive item like a group" 3 "$KANON" check node.csv $columns --hierarchy Products=clash.csv --sensitive-items Menopause $anonymity
    says "a sensitive item like a group: says so" "the sensitive item \"Menopause\" is called like a group of its hierarchy"
    exits "a sensitive root" 2 "$KANON" check figure1a.csv $columns --id Id,Name --hierarchy Products=tree.csv \
        --sensitive-node all $diversity
    says "a sensitive root: what the hierarchy lacks is below it" "every item of column 'Products' is sensitive"
    printf 'Age,Origin,Gender,Products\n1,x,y,a|*|G\n1,x,y,a|*|H\n' >high.csv
    exits "an item above sensitive ones" 0 "$KANON" check high.csv $columns --sensitive-items G,H $diversity
    says "an item above sensitive ones: a warning" "2 records hold an item above sensitive ones"
    exits "m beyond every record" 0 "$KANON" check high.csv $columns --sensitive-items G,H --guarantee k-km-anonymity --k 2 --m 5
    says "m beyond every record: a warning" "no record has more than 2 items"
}

# ---- what users may get wrong ----
# shellcheck disable=SC2086
{
    exits "k beyond the table" 1 "$KANON" check figure2a.csv --schema schema.json --guarantee k-km-anonymity --k 9 --m 2
    prints "k beyond the table: every class" "3 violations"
    exits "no m" 2 "$KANON" check figure2a.csv --schema schema.json --guarantee k-km-anonymity --k 2
    says "no m: says so" "k-km-anonymity needs --m"
    exits "no l" 2 "$KANON" check figure2a.csv --schema schema.json --guarantee k-lm-diversity --k 2 --m 2
    says "no l: says so" "k-lm-diversity needs --l"
    exits "sensitive items of nothing" 2 "$KANON" check figure2a.csv --qi Age --k 2 --sensitive-items G
    says "sensitive items of nothing: whose they are" "--sensitive-items belongs to k-km-anonymity and k-lm-diversity"
    exits "sensitive items without items" 2 "$KANON" check figure2a.csv --qi Age $anonymity --sensitive-items G
    printf 'Age,Origin,Gender,Products\n,x,y,a\n1,x,y,a\n' >missing.csv
    exits "missing values that may be anyone's" 2 "$KANON" check missing.csv $columns $anonymity --missing-rule any
    says "missing values that may be anyone's: what would do" "--missing-rule own"
    exits "an empty set is fine" 1 "$KANON" check missing.csv $columns $anonymity
    printf 'Age,Origin,Gender,Products\n1,x,y,\n1,x,y,\n' >empty.csv
    exits "empty sets are fine" 0 "$KANON" check empty.csv $columns $anonymity
    prints "empty sets are counted" "2 records have no items"
    sed 's/"sensitive_items"/"sensitive_item"/' schema.json >bad.json
    exits "a schema's slip" 3 "$KANON" check figure2a.csv --schema bad.json $anonymity
    says "a schema's slip: the keys there are" "sensitive_prefixes"
}

# ---- measures ----
exits "measures of both parts" 0 "$KANON" measure figure1a.csv figure2a.csv --schema schema.json
prints "measures: of the values" "relational_ncp              0.3595"
prints "measures: of the items" "items_ncp                   0.1625"
prints "measures: by column" "Products                    0.1625      0.1143           -           -"
exits "measures, for programs" 0 "$KANON" measure figure1a.csv figure2a.csv --schema schema.json --json
prints "measures: of the items" '"items_ncp": 0.1625'
exits "profile of both" 0 "$KANON" profile figure1a.csv --schema schema.json
prints "profile: classes" "with all quasi-identifiers together"
prints "profile: items" "Products: 2 to 4 items a record"

# ---- real data: patients of 130 hospitals, their first visit each ----
if [ -e "${SHARED_DATA:-}/rt/diabetes.csv.zst" ]; then
    zstdcat "$SHARED_DATA/rt/diabetes.csv.zst" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "race,gender,age,codes"; next }
        !seen[$at["patient_nbr"]]++ { printf "%s,%s,\"%s\",%s|%s|%s\n", $at["race"], $at["gender"], $at["age"],
            $at["diag_1"], $at["diag_2"], $at["diag_3"] }' >patients.csv
    is "diabetes: a record a patient" 71519 "$(wc -l <patients.csv)"
    for m in 1 2 3; do
        exits "diabetes, m = $m" 1 "$KANON" check patients.csv --qi race,gender,age --items codes --sensitive-prefix 29,30 \
            --guarantee k-lm-diversity --k 25 --l 2 --m $m --limit 0
    done
    one=$("$KANON" check patients.csv --qi race,gender,age --items codes --sensitive-prefix 29,30 \
        --guarantee k-lm-diversity --k 5 --l 2 --m 2 --limit 1000 --json --threads 1)
    two=$("$KANON" check patients.csv --qi race,gender,age --items codes --sensitive-prefix 29,30 \
        --guarantee k-lm-diversity --k 5 --l 2 --m 2 --limit 1000 --json --threads 3)
    is "diabetes: threads change nothing" "$one" "$two"
else
    skipped "diabetes" "${SHARED_DATA:-}/rt is not there"
fi
finish
