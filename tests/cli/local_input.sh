#!/usr/bin/env bash
# local_input.sh - files as people have them: decimal commas, local dates, other encodings, spaces in lists, ARX projects.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# A decimal comma is seen, published with a point, and the release is read again.
{
    echo 'name;weight;sex'
    for i in 1 2 3 4 5 6 7 8; do echo "P$i;7$i,5;$([ $((i % 2)) = 0 ] && echo f || echo m)"; done
} >weights.csv
roles=(--id name --qi "weight, sex" --k 2)
exits "decimal comma" 0 "$KANON" anonymize weights.csv "${roles[@]}" --method mondrian -o public.csv --report r.json
says "decimal comma: says what it does" "Column weight holds numbers with a decimal comma: they are read, and published, with a decimal point"
is "decimal comma: ranges with points" yes "$(grep -q '^\[7[0-9]\.5,7[0-9]\.5\];' public.csv && echo yes)"
if command -v python3 >/dev/null 2>&1; then
    is "decimal comma: the mean of the report" 75 \
        "$(python3 -c 'import json; print(round(json.load(open("r.json"))["statistics"][0]["before"]["mean"]))')"
fi
exits "decimal comma: init" 0 "$KANON" init weights.csv --yes -o weights.kanon
says "decimal comma: init says it, too" "note: Column weight holds numbers with a decimal comma: they are read, and published, with a decimal point"
exits "decimal comma: the release is checked" 0 "$KANON" check public.csv --qi weight,sex --k 2 --quiet
exits "decimal comma: stated, for the release too" 0 "$KANON" check public.csv --qi weight,sex --k 2 --decimal , --quiet
exits "decimal comma: stated" 0 "$KANON" anonymize weights.csv "${roles[@]}" --decimal , -o stated.csv --quiet
exits "decimal comma: measured" 0 "$KANON" measure weights.csv public.csv --qi weight,sex --id name --quiet
exits "decimal point: text" 3 "$KANON" anonymize weights.csv "${roles[@]}" --decimal . -o text.csv
says "decimal point: says so" "column 'weight' holds numbers in a form that is read as text"
exits "decimal: another mark" 2 "$KANON" anonymize weights.csv "${roles[@]}" --decimal ';' -o text.csv
echo '{ "decimal": ",", "columns": { "name": { "role": "identifier" }, "weight": { "role": "quasi-identifier" },
  "sex": { "role": "quasi-identifier" } } }' >weights.json
exits "decimal comma: in a schema" 0 "$KANON" anonymize weights.csv --schema weights.json --k 2 -o schema.csv --quiet
is "decimal comma: the same release" "$(cat stated.csv)" "$(cat schema.csv)"

# The first line of a file may be a record: notes do not show it.
printf 'Ada;71,5\nBo;72,5\nCleo;73,5\n' >bare.csv
run "$KANON" profile bare.csv
is "decimal comma: no names" "" "$(grep -o 'Ada\|71,5' <<<"$out$err")"

# Latin-1 is seen and written as UTF-8.
printf 'name,town,sex\nA,K\366ln,f\nB,K\366ln,m\nC,M\374nchen,f\nD,M\374nchen,m\n' >latin.csv
exits "latin1" 0 "$KANON" anonymize latin.csv --id name --qi town,sex --k 2 --method mondrian -o utf8.csv
says "latin1: says what it does" "read as Latin-1 (Windows-1252)"
exits "latin1: init" 0 "$KANON" init latin.csv --yes -o latin.kanon
says "latin1: init says it, too" "note: The file is not UTF-8 and was read as Latin-1 (Windows-1252)"
is "latin1: written as UTF-8" 2 "$(grep -c 'Köln' utf8.csv)"
exits "latin1: stated" 0 "$KANON" anonymize latin.csv --id name --qi town,sex --k 2 --method mondrian -o stated.csv --encoding latin1
is "latin1: stated, no words about it" "" "$(grep Latin <<<"$err")"
is "latin1: the same release" "$(cat utf8.csv)" "$(cat stated.csv)"
exits "latin1: the release with the same options" 0 "$KANON" check utf8.csv --qi town,sex --k 2 --encoding latin1
exits "utf8: stated, and wrong" 3 "$KANON" check latin.csv --qi town,sex --k 2 --encoding utf8 --drop name
# Half a character of UTF-16 is refused where it stands: a lone half of a pair, and an odd byte at the end.
printf '\xff\xfea\0,\0b\0\n\0q\0,\0\x00\xd8\n\0' >half.csv
printf '\xff\xfea\0,\0b\0\n\0q\0,\0003\0003' >odd.csv
for file in half odd; do
    exits "utf16: damaged ($file)" 3 "$KANON" convert $file.csv no.csv
    says "utf16: where ($file)" "line 2, column 'b', character"
    says "utf16: why ($file)" "half a character of UTF-16"
done

if command -v iconv >/dev/null 2>&1; then
    iconv -f LATIN1 -t UTF-16 latin.csv >wide.csv
    exits "utf16" 0 "$KANON" anonymize wide.csv --id name --qi town,sex --k 2 --method mondrian -o wide.out.csv --quiet
    is "utf16: written as UTF-8" 2 "$(grep -c 'Köln' wide.out.csv)"
else
    skipped "utf16" "iconv is not here"
fi

# Local dates are dates: ordered, and ranges are published in the form of the file.
{
    echo 'name;born;sex'
    for i in 1 2 3 4 5 6 7 8 9; do echo "P$i;1$i.0$i.19${i}0;$([ $((i % 2)) = 0 ] && echo f || echo m)"; done
} >german.csv
sed 's/\(..\)\.\(..\)\.\(....\)/\2\/\1\/\3/' german.csv >american.csv
sed 's/\(..\)\.\(..\)\.\(....\)/\3-\2-\1/' german.csv >iso.csv
sed 's/1\(.\)\.\(..\)\.\(....\)/0\1\/\2\/\3/' german.csv >open.csv
sed 's/\(..\)\.\(..\)\.\(....\)/& 07:15/' german.csv >timed.csv
roles=(--id name --qi "born,sex" --k 3 --method mondrian)
for form in iso german american; do
    exits "$form dates" 0 "$KANON" anonymize $form.csv "${roles[@]}" -o $form.out.csv --report $form.json --quiet
    run "$KANON" profile $form.csv
    is "$form dates: the type" date "$(awk '$1 == "born" { print $2 }' <<<"$out")"
done
is "german dates: ranges as in the file" yes "$(grep -q '^"\?\[[0-9][0-9]\.0[0-9]\.19[0-9]0,[0-9][0-9]\.0[0-9]\.19[0-9]0\]' german.out.csv && echo yes)"
back() { sed -e 's/\([0-9][0-9]\)\.\([0-9][0-9]\)\.\([0-9]\{4\}\)/\3-\2-\1/g' -e 's/\([0-9][0-9]\)\/\([0-9][0-9]\)\/\([0-9]\{4\}\)/\3-\1-\2/g' "$1"; }
is "german dates: the release of the same days" "$(cat iso.out.csv)" "$(back german.out.csv)"
is "american dates: the release of the same days" "$(cat iso.out.csv)" "$(back american.out.csv)"
exits "german dates: the release is checked" 0 "$KANON" check german.out.csv --qi born,sex --k 3 --quiet
exits "german dates: measured" 0 "$KANON" measure german.csv german.out.csv --qi born,sex --id name --json
german=$out
exits "iso dates: measured" 0 "$KANON" measure iso.csv iso.out.csv --qi born,sex --id name --json
if command -v python3 >/dev/null 2>&1; then
    loss() { python3 -c 'import json, sys; print(json.load(sys.stdin)["utility"]["loss"])'; }
    is "german dates: the same loss" "$(loss <<<"$out")" "$(loss <<<"$german")"
fi
exits "german dates: sensitive, with an ordered distance" 0 "$KANON" anonymize german.csv --id name --qi sex --sensitive born \
    --k 3 --guarantee t-closeness --t 0.5 --distance ordered -o t.csv --quiet
exits "open dates: refused" 3 "$KANON" anonymize open.csv "${roles[@]}" -o open.out.csv
says "open dates: says which option settles it" "say it with --date-format DD/MM/YYYY or MM/DD/YYYY"
absent "open dates: no file" open.out.csv
run "$KANON" profile open.csv
prints "open dates: profile says it, too" "with --date-format DD/MM/YYYY or MM/DD/YYYY"
for order in DD/MM/YYYY MM/DD/YYYY; do
    exits "open dates: $order" 0 "$KANON" anonymize open.csv "${roles[@]}" --date-format $order -o open.out.csv --quiet
done
exits "open dates: declared without an order" 3 "$KANON" anonymize open.csv "${roles[@]}" --type born=date -o open.out.csv
says "open dates: declared, which option settles it" "say it with --date-format DD/MM/YYYY or MM/DD/YYYY"
exits "a format that is none" 2 "$KANON" anonymize open.csv "${roles[@]}" --date-format dmy -o open.out.csv
says "a format that is none: what would do" "write DD, MM and YYYY in their order"
echo '{ "columns": { "name": { "role": "identifier" }, "born": { "role": "quasi-identifier", "date_format": "MM/DD/YYYY" },
  "sex": { "role": "quasi-identifier" } } }' >open.json
exits "open dates: in a schema" 0 "$KANON" anonymize open.csv --schema open.json --k 3 --method mondrian -o schema.csv --quiet
is "open dates: the same release" "$(cat open.out.csv)" "$(cat schema.csv)"
exits "dates with times: refused without a hierarchy" 3 "$KANON" anonymize timed.csv "${roles[@]}" -o timed.out.csv
says "dates with times: what would do" "--kind dates"

# An ARX project: a ZIP archive with the hierarchies under input/hierarchies (docs/coming-from.md).
if command -v unzip >/dev/null 2>&1 && command -v python3 >/dev/null 2>&1; then
    python3 - <<'PROJECT'
import zipfile

with zipfile.ZipFile("project.deid", "w", zipfile.ZIP_DEFLATED) as z:
    rows = [(n, a, s) for n, (a, s) in enumerate([(34, "f"), (36, "f"), (35, "f"), (61, "m"), (64, "m"), (66, "m")])]
    z.writestr("project.xml", "<project></project>")
    z.writestr("data/input.csv", "id;age;sex\n" + "".join(f"{n};{a};{s}\n" for n, a, s in rows))
    z.writestr("input/hierarchies/age.csv", "".join(f"{a};{a // 10}x;*\n" for _, a, _ in rows))
    z.writestr("input/hierarchies/sex.csv", "f;*\nm;*\n")
PROJECT
    unzip -p project.deid data/input.csv >data.csv
    unzip -q -j project.deid 'input/hierarchies/*' -d hierarchies
    exits "an ARX project: unpacked, then used" 0 "$KANON" anonymize data.csv --hierarchies hierarchies --id id --qi age,sex \
        --k 3 --method flash -o arx.csv --quiet
    is "an ARX project: its groups" "3x 6x" "$(tail -n +2 arx.csv | cut -d ';' -f 1 | sort -u | tr '\n' ' ' | sed 's/ $//')"
    exits "an ARX project: a hierarchy covers its column" 0 "$KANON" hierarchy check hierarchies/age.csv data.csv --column age
    exits "an ARX project as it is" 3 "$KANON" anonymize project.deid --id id --qi age,sex --k 3 -o arx.csv
    says "an ARX project as it is: what would do" "unpack the file"
else
    skipped "an ARX project" "unzip or python3 is not here"
fi
# ---- numbers that are codes ----
awk 'BEGIN { print "sex,admission_type_id,number_of_visits"
    for (i = 0; i < 300; i++) printf "%s,%s,%d\n", i % 2 ? "f" : "m", i == 7 ? "" : i < 12 ? i % 12 + 1 : i % 3 ? 2 : 9, i % 20 }' >codes.csv
exits "codes" 0 "$KANON" anonymize codes.csv --qi sex,admission_type_id --drop-rest --k 5 -o coded.csv
says "codes: says so" "umbers that are codes are treated as categories: admission_type_id (--type COLUMN=integer keeps them as numbers)"
is "codes: sets of them are published, no ranges" "0 yes" "$(grep -c '\[' coded.csv) $(grep -q '"{' coded.csv && echo yes)"
is "codes: those that are frequent stay" yes "$(grep -qx 'f,9' coded.csv && grep -qx 'm,2' coded.csv && echo yes)"
exits "codes: are checked" 0 "$KANON" check coded.csv --qi sex,admission_type_id --k 5 --drop-rest
exits "codes: are measured" 0 "$KANON" measure codes.csv coded.csv --qi sex,admission_type_id
exits "codes: named as such, the same" 0 "$KANON" anonymize codes.csv --qi sex,admission_type_id --type admission_type_id=category --drop-rest --k 5 -o same.csv --quiet
is "codes: named as such, the same release" "$(cat coded.csv)" "$(cat same.csv)"
exits "codes: as numbers" 0 "$KANON" anonymize codes.csv --qi sex,admission_type_id --type admission_type_id=integer --drop-rest --k 5 -o ranges.csv --quiet
is "codes: as numbers, ranges" yes "$(grep -q '\[' ranges.csv && echo yes)"
exits "a count is no code" 0 "$KANON" anonymize codes.csv --qi sex,number_of_visits --drop-rest --k 20 -o counts.csv --quiet
is "a count is no code: ranges" yes "$(grep -q '\[' counts.csv && echo yes)"

# ---- postcodes that a data frame turned into floats; one lost its zero in front ----
awk 'BEGIN { print "sex,ZIP"; for (i = 0; i < 400; i++) printf "%s,%s\n", i % 2 ? "f" : "m", i == 7 ? "" : i == 9 ? "2134.0" : i == 11 ? "0.0" : 90001 + i % 40 * 37 ".0" }' >zips.csv
exits "floats: hierarchy suggest" 0 "$KANON" hierarchy suggest zips.csv --qi ZIP
prints "floats: hierarchy suggest says prefixes" "prefixes of the codes; shorter ones count as codes of 5 digits that lost zeros in front"
exits "floats: hierarchy build" 0 "$KANON" hierarchy build zips.csv --column ZIP -o zip-hierarchy.csv --quiet
is "floats: hierarchy build, zeros in front" "2134.0;0213*;021*;02*;0*;*" "$(grep '^2134' zip-hierarchy.csv)"
is "floats: hierarchy build, full length" "90001.0;9000*;900*;90*;9*;*" "$(grep '^90001' zip-hierarchy.csv)"
exits "floats: said by hand" 0 "$KANON" hierarchy build zips.csv --column ZIP --kind prefix --digits 5 -o by-hand.csv --quiet
is "floats: said by hand, the same" "$(cat zip-hierarchy.csv)" "$(cat by-hand.csv)"
exits "floats: too many digits" 2 "$KANON" hierarchy build zips.csv --column ZIP --kind prefix --digits 99999 -o no.csv
exits "floats: profile" 0 "$KANON" profile zips.csv
prints "floats: profile says so" "whole numbers that are postcodes: as a quasi-identifier they are generalised to their first digits, unless --type ZIP=decimal says that they are numbers"
exits "floats: anonymize" 0 "$KANON" anonymize zips.csv --qi sex,ZIP --drop-rest --k 15 -o zips-out.csv
says "floats: anonymize says so" "ostcodes that are numbers are generalised to their first digits: ZIP (--type COLUMN=decimal gives ranges)"
is "floats: anonymize gives prefixes, no ranges and no sets" "0 yes" "$(grep -c '[[{]' zips-out.csv) $(grep -q '90[0-9]*\*$' zips-out.csv && echo yes)"
exits "floats: the release is checked" 0 "$KANON" check zips-out.csv --qi sex,ZIP --k 15 --drop-rest --quiet
exits "floats: the release is measured" 0 "$KANON" measure zips.csv zips-out.csv --qi sex,ZIP
exits "floats: as numbers" 0 "$KANON" anonymize zips.csv --qi sex,ZIP --type ZIP=decimal --drop-rest --k 15 -o zips-ranges.csv --quiet
is "floats: as numbers, ranges" yes "$(grep -q '\[' zips-ranges.csv && echo yes)"
exits "floats: init" 0 "$KANON" init zips.csv --yes -o zips-job --quiet
is "floats: init writes prefixes" "2134.0;0213*;021*;02*;0*;*" "$(grep '^2134' zips-job/hierarchies/ZIP.csv)"
sed 's/ZIP/amount/' zips.csv >amounts.csv
exits "floats: amounts stay numbers" 0 "$KANON" anonymize amounts.csv --qi sex,amount --drop-rest --k 15 -o amounts-out.csv --quiet
is "floats: amounts get ranges" yes "$(grep -q '\[' amounts-out.csv && echo yes)"
sed '1!s/$/.0/; s/,\.0,/,,/' codes.csv | awk -F, 'NR == 1 { print } NR > 1 { print $1 "," ($2 == "" ? "" : $2 ".0") "," $3 }' >float-codes.csv
exits "floats: codes" 0 "$KANON" anonymize float-codes.csv --qi sex,admission_type_id --drop-rest --k 5 -o float-coded.csv
says "floats: codes are categories" "umbers that are codes are treated as categories: admission_type_id (--type COLUMN=decimal keeps them as numbers)"
is "floats: codes, the same classes" "$(sort coded.csv)" "$(sed 's/\([0-9]\)\.0/\1/g' float-coded.csv | sort)"
finish
