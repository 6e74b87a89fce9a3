#!/usr/bin/env bash
# points.sh - a verdict with three states: points to settle, what settles them, decisions, limits and --strict.
# shellcheck disable=SC2001,SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# 60 people: ten look-alikes each by sex and age. Five share a bed and twelve a floor, but no two both; one is in a ward of his own.
awk 'BEGIN { print "name,sex,age,floor,bed,ward,illness"
    for (i = 0; i < 60; i++)
        printf "p%02d,%s,%d,f%d,b%d,%s,i%d\n", (i * 7) % 60, i % 2 ? "f" : "m", 20 + i % 3, i / 12, i % 12,
            i ? (int(i / 12) % 2 ? "north" : "south") : "west", i % 5 % 3 }' >people.csv
people=(people.csv --id name --qi sex,age --sensitive illness --keep floor,bed,ward --k 5)

exits "kept columns that single people out" 0 "$KANON" anonymize "${people[@]}" -o out.csv --report r.json --report r.html
is "amber: the first line" \
    "Holds, with 2 points to settle. By sex and age, every person looks like at least 9 others." "$(head -n 1 <<<"$err")"
says "amber: what is unique" "60 of 60 records (100 %) are unique by the 5 published columns that are not sensitive"
says "amber: which columns" "The kept columns that single people out: bed."
says "amber: what settles it" \
    "Leave them out: --drop 'bed'. Or make all 3 kept columns quasi-identifiers (--qi). Or accept it: --accept-point unique-records"
is "amber: options on the page are code" 1 "$(grep -c "Leave them out: <code>--drop &#39;bed&#39;</code>. Or make all 3 kept columns quasi-identifiers (<code>--qi</code>)" r.html)"
says "amber: rare values" "Column ward is published as it is (kept): 1 record (1.7 %) holds a value that fewer than 5 records share."
says "amber: the file as a whole" "as a whole  60 of 60 records are unique"
there "amber: it is published" out.csv
is "amber: in the JSON" '"verdict": "holds_with_points",' "$(grep -o '"verdict".*' r.json)"
is "amber: satisfied stays" '"satisfied": true,' "$(grep -o '"satisfied".*' r.json)"
is "amber: the page says it in words" 1 "$(grep -c '⚠ Holds, with 2 points to settle' r.html)"
is "amber: the page is amber" 1 "$(grep -c '<div class="verdict open">' r.html)"
rm -f out.csv r.*

# ---- --strict: nothing is written ----
exits "strict" 1 "$KANON" anonymize "${people[@]}" -o out.csv --report r.json --save-job j.json --strict
says "strict: the points are still said" "Or accept it: --accept-point rare-values:ward"
says "strict: why" "the release was withheld, as --strict asks: there are 2 points to settle: unique-records, rare-values:ward"
is "strict: no file" "people.csv" "$(find . -type f -printf '%P\n' | sort | xargs)"
exits "strict, and quiet" 1 "$KANON" anonymize "${people[@]}" -o out.csv --strict --quiet
absent "strict, and quiet: no file" out.csv
exits "strict: a sweep" 1 "$KANON" anonymize "${people[@]}" --sweep k=4,5 -o out.csv --strict
says "strict: a sweep says which" "there are points to settle with k = 4, 5"
is "strict: a sweep leaves no file" "people.csv" "$(find . -type f -printf '%P\n' | sort | xargs)"

# ---- names that a shell would split: each remedy can be pasted ----
sed "1s/.*/name,sex,age,floor,it's bed,my ward,illness/" people.csv >odd.csv
odd=(odd.csv --id name --qi sex,age --sensitive illness --keep "floor,it's bed,my ward" --k 5)
exits "odd names" 0 "$KANON" anonymize "${odd[@]}" -o out.csv --report r.html
says "odd names: in a list" "Leave them out: --drop 'it'\\''s bed'."
says "odd names: alone" "Make it a quasi-identifier (--qi 'my ward') or leave it out (--drop 'my ward'). Or accept it: --accept-point 'rare-values:my ward'"
is "odd names: on the page" 1 "$(grep -c -- '--accept-point &#39;rare-values:my ward&#39;</code>' r.html)"
exits "odd names: by check" 0 "$KANON" check out.csv "${odd[@]:3:6}" --k 5
prints "odd names: by check, too" "--accept-point 'rare-values:my ward'"
exits "odd names: in a sweep" 0 "$KANON" anonymize "${odd[@]}" --sweep k=5
says "odd names: in a sweep, too" "--accept-point 'rare-values:my ward'"
rm -f out.csv odd.csv r.html

# ---- settled, or decided ----
exits "settled by the option that is named" 0 "$KANON" anonymize people.csv --id name --qi sex,age --sensitive illness --keep floor --k 5 \
    --drop bed,ward -o out.csv --strict
is "green: the first line" "Holds. By sex and age, every person looks like at least 9 others." "$(head -n 1 <<<"$err")"
exits "decided" 0 "$KANON" anonymize "${people[@]}" -o out.csv --accept-point unique-records,rare-values:ward --strict \
    --report r.html --report r.json --save-job j.json
is "decided: the first line says so" "Holds, with 2 points accepted. By sex and age, every person looks like at least 9 others." "$(head -n 1 <<<"$err")"
says "decided: still listed" "Accepted as unique-records."
is "decided: the page says so, and is green" 1 "$(tr -d '\n' <r.html | grep -c '<div class="verdict">.*✓ Holds, with 2 points accepted</p>')"
is "decided: the page" 1 "$(grep -c '<h3>Decided</h3>' r.html)"
is "decided: the JSON" 2 "$(grep -c '"decided": true' r.json)"
exits "decided: the job says so, too" 0 "$KANON" anonymize --job j.json -o again.csv
is "decided: from the job" "Holds, with 2 points accepted. By sex and age, every person looks like at least 9 others." "$(head -n 1 <<<"$err")"
exits "another limit" 0 "$KANON" anonymize "${people[@]}" -o out.csv --point-limit unique-records=100% --point-limit rare-values=1 --strict
exits "a k that is small" 0 "$KANON" check out.csv "${people[@]:3:6}" --k 2 --point-limit small-k=11 --point-limit unique-records=1 --point-limit rare-values=1
prints "a k that is small: a point" "--accept-point small-k"
prints "a k that is small: by the limit that was set" "is below 11, the limit that was set."
exits "values alone" 0 "$KANON" anonymize people.csv --id name --qi sex,age,floor,bed --sensitive illness --drop-rest --guarantee t-closeness --t 1 -o out.csv \
    --point-limit certainty=100% --shuffle
says "values alone: small groups are a point" "k-anonymity was not asked for, and the smallest group of look-alikes has "
exits "values alone: settled by --k" 0 "$KANON" anonymize people.csv --id name --qi sex,age,floor,bed --sensitive illness --drop-rest --guarantee t-closeness \
    --t 1 --k 5 -o out.csv --point-limit certainty=100% --shuffle --strict
exits "settled by quasi-identifiers" 0 "$KANON" anonymize people.csv --id name --qi sex,age,floor,bed,ward --sensitive illness --k 5 -o out.csv \
    --point-limit certainty=100% --shuffle --strict
# 40 columns with rare values: the terminal lists twenty points, programs and the page get all.
awk 'BEGIN { srand(1); printf "sex"; for (j = 0; j < 40; j++) printf ",c%d", j; print ""
    for (i = 0; i < 120; i++) { printf i % 2 ? "f" : "m"; for (j = 0; j < 40; j++) printf ",%d", int(rand() * 20); print "" } }' >wide.csv
exits "many points" 0 "$KANON" check wide.csv --qi sex --k 5
is "many points: twenty are listed" 20 "$(grep -c "^to settle: " <<<"$out")"
prints "many points: how many more" "... and 21 more points; --json lists them all"
is "many points: the JSON has all" 41 "$("$KANON" check wide.csv --qi sex --k 5 --json | grep -c '"remedy"')"
exits "many points: anonymize" 0 "$KANON" anonymize wide.csv --qi sex --keep-rest --k 5 -o wide.out.csv --report wide.html
says "many points: anonymize says how many more" "... and 21 more points; --report FILE lists them all"
is "many points: the page has all" 41 "$(grep -c 'Or accept it: <code>--accept-point' wide.html)"
exits "many points: strict" 1 "$KANON" anonymize wide.csv --qi sex --keep-rest --k 5 -o no.csv --strict
says "many points: strict names some" " and 31 more"
exits "an unknown point" 2 "$KANON" anonymize "${people[@]}" -o out.csv --accept-point rare-valus:ward
says "an unknown point: the nearest" "did you mean 'rare-values'?"
exits "an unknown limit" 2 "$KANON" anonymize "${people[@]}" -o out.csv --point-limit unique=5%
exits "a limit out of range" 2 "$KANON" anonymize "${people[@]}" -o out.csv --point-limit unique-records=200%
exits "a limit of what models do not have" 2 "$KANON" mine tree people.csv --qi sex,age --class illness --k 5 -o t.json --point-limit rare-values=1%

# ---- sorted records, what can be inferred ----
sort people.csv -r | sed -n 's/^p/&/p' >sorted.body
(head -n 1 people.csv && sort sorted.body) >sorted.csv
sorted=(sorted.csv --id name --qi sex,age --sensitive illness --drop-rest --k 5 -o out.csv)
exits "sorted by a column that is left out" 0 "$KANON" anonymize "${sorted[@]}"
says "sorted: a point" "Or accept it: --accept-point sorted:name"
exits "sorted: settled" 0 "$KANON" anonymize "${sorted[@]}" --shuffle --strict
awk -F, 'BEGIN { OFS = "," } NR > 1 && $2 == "f" && $3 == 20 { $7 = "i1" } 1' people.csv >same.csv
same=(same.csv --id name --qi sex,age --sensitive illness --keep floor --drop bed,ward --k 5 -o out.csv)
exits "a group with one illness" 0 "$KANON" anonymize "${same[@]}"
says "certainty: a point" "By the quasi-identifiers the value of illness of 10 records (16.7 %) can be inferred with more than 90 % certainty, at most 100 %."
exits "certainty: settled by the guarantee that is named" 0 "$KANON" anonymize "${same[@]}" --guarantee l-diversity --diversity recursive --l 2 --c 9 --strict

# ---- roles ----
small_table >table.csv
exits "a column that may be unique" 0 "$KANON" anonymize table.csv --qi age,sex --sensitive diagnosis --keep postcode --allow-unique postcode \
    --drop-rest --k 3 --shuffle -o out.csv
says "a column that may be unique: decided" "Accepted as unique-records."
says "a column that may be unique: its values, too" "Accepted as rare-values:postcode."
exits "roles as suggested" 0 "$KANON" anonymize table.csv --k 3 --accept-suggested -o out.csv
says "roles as suggested: a point" "--sensitive 'diagnosis'. Or accept it: --accept-point suggested-roles"

# ---- people with several rows ----
# 100 patients with three visits each: a group of five records may be two people.
awk 'BEGIN { print "visit_nr,patient_nr,surname,sex,age"
    for (i = 0; i < 300; i++)
        printf "v%d,%d,%s,%s,%d\n", i * 7 % 300, 1000 + i * 11 % 300 % 100, substr("AlbaBertCaraDoraEgonFaroGina", i % 7 * 4 + 1, 4), i % 2 ? "f" : "m", 20 + i % 5 }' >visits.csv
point="Column patient_nr, which is left out, repeats: 100 values in 300 rows, as where people have several rows each. k counts records, so a group of look-alikes may be fewer people than records."
for roles in "--id visit_nr,patient_nr,surname" "--drop-rest" "--drop patient_nr --drop-rest" "--accept-suggested"; do
    # shellcheck disable=SC2086
    exits "several rows, $roles" 0 "$KANON" anonymize visits.csv --qi sex,age $roles --k 5 -o out.csv --report r.html
    is "several rows, $roles: the first line claims no more" \
        "Holds, with 1 point to settle. By sex and age, every record looks like at least 29 others." "$(head -n 1 <<<"$err")"
    says "several rows, $roles: a point" "$point"
    says "several rows, $roles: what settles it" "Make one record per person: --group-by patient_nr. Or accept it: --accept-point several-rows:patient_nr"
    is "several rows, $roles: the page claims no more" 0 "$(grep -c 'every person looks' r.html)"
done
exits "several rows: settled" 0 "$KANON" anonymize visits.csv --qi sex,age --group-by patient_nr --drop-rest --k 5 -o out.csv --strict
is "several rows: settled, the first line" "Holds. By sex and age, every person looks like at least 9 others." "$(head -n 1 <<<"$err")"
exits "several rows: accepted" 0 "$KANON" anonymize visits.csv --qi sex,age --drop-rest --k 5 -o out.csv --strict --accept-point several-rows:patient_nr
is "several rows: accepted, the claim is still about records" "every record looks like at least 29 others." "$(sed 's/.*age, //; q' <<<"$err")"
exits "several rows: from a pipe, JSON lines" 0 bash -c '"$KANON" convert visits.csv v.jsonl && "$KANON" anonymize v.jsonl --qi sex,age --drop-rest --k 5 -o o.jsonl'
says "several rows: JSON lines, a point" "$point"
awk -F, 'BEGIN { OFS = "," } NR > 1 { $2 = NR } 1' visits.csv >single.csv
exits "one row each" 0 "$KANON" anonymize single.csv --qi sex,age --drop-rest --k 5 -o out.csv --strict --accept-point sorted:patient_nr
is "one row each: the first line" "every person looks like at least 29 others." "$(sed 's/.*age, //; q' <<<"$err")"
# More values than are sampled.
awk 'BEGIN { print "patient_nr,sex,age"; for (i = 0; i < 60000; i++) printf "%d,%s,%d\n", i * 7919 % 60000 % 20000, i % 2 ? "f" : "m", 20 + i % 50 }' >large.csv
exits "several rows: many" 0 "$KANON" anonymize large.csv --qi sex,age --drop-rest --k 5 -o out.csv
says "several rows: many, about" "Column patient_nr, which is left out, repeats: about 20,000 values in 60,000 rows"
sampled=$(sed '/ncp/q' <<<"$err")
exits "several rows: many, one thread" 0 "$KANON" anonymize large.csv --qi sex,age --drop-rest --k 5 -o out.csv --threads 1
is "several rows: many, threads change nothing" "$sampled" "$(sed '/ncp/q' <<<"$err")"
rm large.csv

# ---- check and mine ----
exits "check" 0 "$KANON" check people.csv --qi sex,age --sensitive illness --id name --k 5
prints "check: an identifier in the file" "Column name is an identifier and is still in the file: this is no release."
prints "check: the verdict" "people.csv: holds, with points to settle (records: 60, classes: 6)"
exits "check: strict" 1 "$KANON" check people.csv --qi sex,age --sensitive illness --id name --k 5 --strict
exits "check: JSON" 0 "$KANON" check people.csv --qi sex,age --sensitive illness --id name --k 5 --json
prints "check: JSON has the verdict" '"verdict": "holds_with_points"'
exits "check: does not hold" 1 "$KANON" check people.csv --qi sex,age --sensitive illness --id name --k 11
is "check: red" "Does not hold. By sex and age, 60 records are in groups that break what was asked." "$(head -n 1 <<<"$out")"
mined=(tree same.csv --id name --qi sex,age --class illness --k 5 -o tree.json)
exits "a model with certainty" 0 "$KANON" mine "${mined[@]}" --report tree.html
says "a model: the columns" "By sex and age, what this decision tree reveals about illness is true of at least 10 people at once, with a certainty of at most 100 %."
says "a model: certainty of 100 % is not green" "Holds, with 1 point to settle."
is "a model: its page is amber" 1 "$(grep -c '<div class="verdict open">' tree.html)"
rm -f tree.*
exits "a model: strict" 1 "$KANON" mine "${mined[@]}" --report tree.html --strict
says "a model: withheld" "the model was withheld, as --strict asks: there is 1 point to settle: certainty"
is "a model: no file" "" "$(find . -name 'tree.*')"
exits "a model: settled" 0 "$KANON" mine "${mined[@]}" --inference 0.9 --strict

# ---- a large table: a column of nearly unique values is sampled, not coded ----
awk 'BEGIN { print "id,sex,age,ward,visit"; for (i = 0; i < 600000; i++) printf "%010d-%d,%s,%d,ward %d,%d\n", i * 7919 % 600000, i % 3, i % 2 ? "f" : "m", 20 + i % 50, i % 200, i / 4 }' >large.csv
exits "large: holds" 0 "$KANON" check large.csv --qi sex,age --k 5
prints "large: nearly all are unique, by a sample" "At least about 600,000 of 600,000 records (100 %) are unique by the 5 published columns that are not sensitive; by the quasi-identifiers alone none is."
prints "large: the column is named" "Column id is published as it is (kept): about 600,000 records (100 %) hold a value that fewer than 5 records share."
prints "large: other columns are counted" "Column visit is published as it is (kept): 600,000 records (100 %) hold a value that fewer than 5 records share."
sampled=$out
exits "large: one thread" 0 "$KANON" check large.csv --qi sex,age --k 5 --threads 1
is "large: threads change nothing" "$sampled" "$out"
exits "large: without that column" 0 "$KANON" check large.csv --qi sex,age --k 5 --accept-point unique-records --accept-point rare-values:id
prints "large: accepted" "1 point to settle"
exits "large: from a pipe, which is read once" 0 "$KANON" check - --format csv --qi sex,age --k 5 <large.csv
prints "large: from a pipe, exactly" "
to settle: 600,000 of 600,000 records (100 %) are unique by the 5 published columns"
rm large.csv

# ---- real records ----
diabetes=${SHARED_DATA:-}/rt/diabetes.csv.zst
if [ -f "$diabetes" ]; then
    exits "hospital stays with 41 kept columns" 0 "$KANON" anonymize "$diabetes" --group-by patient_nbr --id patient_nbr,encounter_id \
        --qi race,gender,age --sensitive diag_1,diag_2,diag_3,readmitted --missing '?' --k 5 -o d.csv --report d.json --keep-rest
    says "hospital stays: nearly all are unique" \
        "71,510 of 71,518 records (over 99.9 %) are unique by the 44 published columns that are not sensitive; by the quasi-identifiers alone none is."
    is "hospital stays: amber" '"verdict": "holds_with_points",' "$(grep -o '"verdict".*' d.json)"
else
    echo "ok - hospital stays # SKIP no data"
fi
finish
