#!/usr/bin/env bash
# init.sh - kanon init: what it writes, what it asks, and that its job runs as it is.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# people ROWS: a table as a clinic has it, two rows per patient.
people() {
    awk -v n="$1" 'BEGIN {
        split("Anna Maria Jan Hans Petra Lukas Eva Otto", given, " ")
        split("asthma;flu;gout;angina", diagnosis, ";")
        print "Pat-Nr;Vorname;Geburtsdatum;PLZ;Geschlecht;Altersgruppe;Aufnahme_Typ;Diagnose;Einkommen;Bemerkung;Station"
        for (i = 0; i < n; i++) {
            p = int(i / 2)
            printf "P%05d;%s;%02d.%02d.%d;%05d;%s;%d-%d;%d;%s;%d;%s %d;%s\n", p * 37, given[p % 8 + 1], p % 28 + 1, p % 12 + 1,
                1940 + p * 7 % 60, 1067 + p % 9 * 10, p % 2 ? "m" : "w", p % 6 * 10, p % 6 * 10 + 9, p % 4 + 1,
                diagnosis[(p * 7 + int(p / 4)) % 4 + 1], 1500 + p * 13 % 400, "kam am Morgen mit Schmerzen und ging nach", i,
                p % 3 == 0 ? "?" : "S" p % 3
        }
    }'
}
people 400 >people.csv

exits "init" 0 "$KANON" init people.csv --yes
says "init: says what to do next" "kanon anonymize --job people.kanon/job.json"
says "init: says what it was unsure of" "unsure of:"
says "init: rows of a person" "Rows with the same Pat-Nr become one record per person (400 rows, 200 records). Of every other column only the first value of a person is published"
is "init: rows of a person, in the first line" "Rows with the same Pat-Nr" "$(head -n 1 <<<"$err" | cut -c 1-25)"
says "init: missing values" "note: '?' is taken to mean that a value is missing."
says "init: sensitive columns may be missed" "Only some sensitive columns are recognised. If a column says what others must not learn about a person, such as an illness or an income, give it the role sensitive."
out=$(cat people.kanon/schema.json)
golden "init: the schema" init.schema.json
out=$(cat people.kanon/job.json)
golden "init: the job" init.job.json
is "init: hierarchies" "Altersgruppe.csv Geburtsdatum.csv PLZ.csv" "$(cd people.kanon/hierarchies && echo *)"
is "init: bands in their order" "10-19;0-19;0-39;*" "$(grep '^10' people.kanon/hierarchies/Altersgruppe.csv)"
is "init: local dates" "01.01.1940;1940-01;1940-Q1;1940;1940s;*" "$(grep '^01.01.1940' people.kanon/hierarchies/Geburtsdatum.csv)"

exits "its job runs as it is" 0 "$KANON" anonymize --job people.kanon/job.json
says "its job: l-diversity" "recursive (c,l)-diversity with c = 9 and l = 2"
there "its job: the release" people.kanon/release.csv
there "its job: the report" people.kanon/report.html
is "its job: no names, no free text" "Geburtsdatum;PLZ;Geschlecht;Altersgruppe;Aufnahme_Typ;Diagnose;Einkommen;Station" "$(head -n 1 people.kanon/release.csv)"

cp -r people.kanon before
exits "a folder that is there is refused" 2 "$KANON" init people.csv --yes
says "a folder that is there: says so" "people.kanon is there already, and nothing is overwritten"
is "a folder that is there: nothing changed" "" "$(diff -r before people.kanon)"

exits "another folder" 0 "$KANON" init people.csv --yes --quiet -o plans
is "--quiet says nothing" "" "$err"
mkdir deep
exits "a folder elsewhere" 0 "$KANON" init people.csv --yes --quiet -o deep/er
exits "a folder elsewhere: runs from anywhere" 0 bash -c "cd / && \"\$KANON\" anonymize --job $PWD/deep/er/job.json --quiet"

mkdir locked && chmod 500 locked
if [ "$(id -u)" = 0 ]; then
    skipped "nothing is left behind" "root may write everywhere"
else
    exits "nothing is left behind" 5 "$KANON" init people.csv --yes -o locked/x
    is "nothing is left behind: the folder" "" "$(ls locked)"
fi
chmod 700 locked

# Questions: about the id that repeats, and about each doubtful column.
exits "--ask" 0 bash -c 'printf "n\nd\n" | "$KANON" init people.csv --ask -o asked'
says "--ask: rows of a person" "Are these people with several rows each?"
says "--ask: a doubtful column" "Station (category, 2 values): it has few values, and many records share each, as with traits of people."
says "--ask: what the roles mean" "sensitive         others must not learn it: published as it is, with several values in every group"
is "--ask: the answer is in the schema" dropped "$(python3 -c 'import json; print(json.load(open("asked/schema.json"))["columns"]["Station"]["role"])')"
is "--ask: no grouping" no "$(python3 -c 'import json; print("yes" if "group_by" in json.load(open("asked/schema.json")) else "no")')"
exits "--ask: all others as suggested" 0 bash -c 'printf "\na\n" | "$KANON" init people.csv --ask -o asked2'
exits "no sensitive column" 0 "$KANON" init people.csv --yes --drop Diagnose,Einkommen -o plain
says "no sensitive column: says what that means" "No column is called sensitive, so the release hides which record is whose, but not what a group of records has in common."
is "no sensitive column: the job says it" 1 "$(grep -c 'No column is called sensitive' plain/job.json)"
exits "no sensitive column: its job runs" 0 "$KANON" anonymize --job plain/job.json --quiet
is "no sensitive column: the report says it" 1 "$(grep -c 'No column is called sensitive' plain/report.html)"
exits "--ask and --yes" 2 "$KANON" init people.csv --ask --yes -o asked3
exits "roles that are given" 0 "$KANON" init people.csv --yes --sensitive Station -o given
is "roles that are given: the schema" "sensitive chosen by you" "$(python3 -c 'import json; c = json.load(open("given/schema.json"))["columns"]["Station"]; print(c["role"], c["comment"])')"

exits "standard input cannot be read again" 2 bash -c '"$KANON" init - -o x <people.csv'
exits "a file that is not there" 3 "$KANON" init nowhere.csv --yes
absent "a file that is not there: no folder" nowhere.kanon

# A file without a header, with blanks and marks.
{ for i in $(seq 60); do echo "$((i % 40 + 20)), A$((i % 3)), ?"; done; } >plain.data
exits "without a header" 0 "$KANON" init plain.data --yes
says "without a header: says so" "The first line is taken for a record"
says "without a header: blanks" "Blanks around values are stripped"
exits "without a header: its job" 0 "$KANON" anonymize --job plain.kanon/job.json --quiet

# Dates whose order nothing shows, a name that is no file name, and numbers with a decimal comma.
{
    echo "a/b;seen;amount"
    for i in $(seq 60); do echo "$((i % 30 + 10000));0$((i % 9 + 1))/0$((i % 7 + 1))/1980;$((i % 50)),5"; done
} >odd.csv
exits "odd columns" 0 "$KANON" init odd.csv --yes
says "odd columns: which comes first" "seen: calendar; nothing shows whether day or month comes first"
says "odd columns: decimal commas" "amount: quasi-identifier"
there "odd columns: a file of its own" odd.kanon/hierarchies/a_b.csv
exits "odd columns: the job" 0 "$KANON" anonymize --job odd.kanon/job.json --quiet
exits "--date-format" 0 "$KANON" init odd.csv --yes --date-format MM/DD/YYYY -o odd2
is "--date-format: the month comes first" "02/02/1980;1980-02 03/03/1980;1980-03" "$(grep -h '^0[23]/0[23]' odd2/hierarchies/seen.csv | cut -d';' -f1,2 | sort -u | grep -E '02/02|03/03' | paste -sd' ')"
is "--date-format: another order" "1980-05" "$(grep '^05/01' odd2/hierarchies/seen.csv | cut -d';' -f2)"
exits "--date-format: none" 2 "$KANON" init odd.csv --yes --date-format d/m -o odd3
exits "names that are no files" 2 "$KANON" hierarchy build odd.csv --hierarchies odd-h
says "names that are no files: says so" "column 'a/b' cannot be the name of a file"
absent "names that are no files: no folder" odd-h

# Timestamps whose year comes first leave nothing open.
{
    echo "id;seen;asked;sex"
    for i in $(seq 60); do echo "P$i;2023-0$((i % 9 + 1))-0$((i % 7 + 1)) 10:0$((i % 6)):00;2024/0$((i % 9 + 1))/1$((i % 7)) 9:1$((i % 6)):00 AM GMT+1;$([ $((i % 2)) = 0 ] && echo f || echo m)"; done
} >stamps.csv
exits "timestamps" 0 "$KANON" init stamps.csv --yes
case $err in *"day or month"*) not_ok "timestamps: the year comes first" "$err" ;; *) ok "timestamps: the year comes first" ;; esac
says "timestamps: with a zone, too" "quasi-identifier  seen, asked, sex"
is "timestamps: the calendar" "2023-01" "$(grep -h '^2023-01-0[1-7] ' stamps.kanon/hierarchies/seen.csv | cut -d';' -f3 | sort -u | tail -1)"
exits "timestamps: the job" 0 "$KANON" anonymize --job stamps.kanon/job.json --quiet

# A table with fewer records than k.
printf 'id,age,sex\n1,33,m\n' >one.csv
exits "one record" 0 "$KANON" init one.csv --yes
says "one record: says that the job cannot be met" "The job asks for k = 5, which a table of 1 record cannot meet: get more records."
exits "one record: the job" 4 "$KANON" anonymize --job one.kanon/job.json
says "one record: says why" "k-anonymity with k = 5 cannot be met by 1 record: k can be at most 1"

# Lists in cells: what is known of a person is protected together with some items of the list.
{
    echo "age,drugs"
    for i in $(seq 300); do echo "$((i % 40 + 20)),x$((i % 3));y$((i % 2))"; done
} >lists.csv
exits "lists in cells" 0 "$KANON" init lists.csv --yes
says "lists in cells: says so" "The cells of 'drugs' are taken for lists of items."
exits "lists in cells: the job" 0 "$KANON" anonymize --job lists.kanon/job.json
says "lists in cells: k-km-anonymity" "items of drugs"

printf 'email\n' >ids.csv
for i in $(seq 30); do echo "p$i@example.org" >>ids.csv; done
exits "identifiers alone" 2 "$KANON" init ids.csv --yes
says "identifiers alone: says so" "no column of ids.csv is a quasi-identifier"
absent "identifiers alone: no folder" ids.kanon

# Baskets: k^m-anonymity of the items.
for i in $(seq 300); do echo "$((i % 7)) $((i % 5 + 10)) $((i % 11 + 20))"; done >baskets.dat
exits "baskets" 0 "$KANON" init baskets.dat --yes
exits "baskets: the job" 0 "$KANON" anonymize --job baskets.kanon/job.json
says "baskets: km-anonymity" "km-anonymity"

exits "hierarchy suggest" 0 "$KANON" hierarchy suggest people.csv
prints "hierarchy suggest: bands" "bands in the order of their numbers"
prints "hierarchy suggest: codes" "few numbers that are codes, read as categories"
exits "build --hierarchies" 0 "$KANON" hierarchy build people.csv --hierarchies all
is "build --hierarchies: all columns" "Altersgruppe.csv Geburtsdatum.csv PLZ.csv" "$(cd all && echo *)"
exits "build --hierarchies: nothing is overwritten" 2 "$KANON" hierarchy build people.csv --hierarchies all
says "build --hierarchies: says so" "it is there already and is not overwritten"
exits "build --hierarchies --qi" 0 "$KANON" hierarchy build people.csv --qi PLZ --hierarchies one
is "build --hierarchies --qi: the named column only" "PLZ.csv" "$(cd one && echo *)"
exits "hierarchy suggest --qi" 0 "$KANON" hierarchy suggest people.csv --qi PLZ
case $out in *Altersgruppe*) not_ok "hierarchy suggest --qi: the named column only" "$out" ;; *) ok "hierarchy suggest --qi: the named column only" ;; esac
for i in $(seq 40); do echo "0$((i % 9 + 1))/0$((i % 7 + 1))/19$((i % 60 + 40))"; done | sed '1i day' >either.csv
exits "build: day or month" 0 "$KANON" hierarchy build either.csv --column day -o day.csv
says "build: day or month: says what it assumed" "nothing shows whether day or month comes first, and the day is assumed to"
exits "a pack" 3 "$KANON" hierarchy build people.csv --column Geschlecht --pack country -o c.csv
says "a pack: values that are none" "2 of its values are no codes of country"
absent "a pack: no file" c.csv
# Codes that could be something else are recognised where the column is named after them.
for name in NACE_code trade; do
    { echo $name; printf '01.%s\n62.%s\n86.%s\n' 11 01 10 12 02 21 13 03 22; } >$name.csv
done
exits "a pack by its name" 0 "$KANON" hierarchy suggest NACE_code.csv --qi NACE_code
prints "a pack by its name: found" "NACE codes of economic activities"
exits "the same codes by another name" 0 "$KANON" hierarchy suggest trade.csv --qi trade
case $out in *NACE*) not_ok "the same codes by another name: no pack" "$out" ;; *) ok "the same codes by another name: no pack" ;; esac
printf 'code,label,group\n1,Notfall,ungeplant\n2,Unfall,ungeplant\n3,Termin,geplant\n4,Geburt,geplant\n' >art.csv
exits "a code list" 0 "$KANON" hierarchy build people.csv --column Aufnahme_Typ --code-list art.csv -o h.csv
is "a code list: groups" "1;ungeplant;*" "$(head -n 1 h.csv)"
finish
