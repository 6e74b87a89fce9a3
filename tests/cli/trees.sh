#!/usr/bin/env bash
# Tree records from end to end: the paper's example through anonymize, check and measure; what is refused.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

mkdir h
cat >ex.trees <<'END'
#class hospital Hospital1 Hospital2
#class disease Bronchitis Flu Gastritis
#class treatment Antibiotics Painkillers
Hospital1(Gastritis(Painkillers)) Hospital2(Flu(Antibiotics))
Hospital1(Bronchitis(Antibiotics)) Hospital2(Bronchitis(Antibiotics) Gastritis(Antibiotics))
Hospital1(Flu(Antibiotics)) Hospital2(Bronchitis(Antibiotics) Gastritis(Antibiotics))
Hospital1(Flu(Painkillers))
END
printf 'Hospital1;General;Hospital\nHospital2;General;Hospital\nRea;Maternity;Hospital\nGaia;Maternity;Hospital\n' >h/hospital.csv
printf 'Flu;LungDisease;Disease\nBronchitis;LungDisease;Disease\nGastritis;StomachDisorder;Disease\nDiarrhea;StomachDisorder;Disease\n' >h/disease.csv
printf 'Painkillers;Medicine;Treatment\nAntibiotics;Medicine;Treatment\nNeurological;Surgery;Treatment\nOrthopedic;Surgery;Treatment\n' >h/treatment.csv
asked=(--hierarchies h --guarantee kmn-anonymity --k 3 --m 2 --n 1)

exits "the original does not hold" 1 "$KANON" check ex.trees "${asked[@]}"
prints "a rare relation is named" "Hospital1 ~> Gastritis"
for method in gcs ecs ocs acs miracle; do
    for format in trees json xml; do
        exits "$method writes .$format" 0 "$KANON" anonymize ex.trees "${asked[@]}" --method $method -o $method.$format
    done
    exits "the release of $method holds" 0 "$KANON" check $method.trees "${asked[@]}" --recount full
done
run "$KANON" anonymize ex.trees "${asked[@]}" -o out.trees --report r.html --report r.json
says "the cut is told" "hospital: General"
exits "the page tells of relations" 0 grep -c 'id="relations"' r.html
exits "measured" 0 "$KANON" measure ex.trees out.trees --hierarchies h --negative 2 --k 3 --m 2 --n 1 --json
prints "rpd is measured" '"rpd"'
prints "negative knowledge is measured" '"generalised"'
run "$KANON" anonymize ex.trees "${asked[@]}" --threads 1 -o one.trees
exits "the thread count changes nothing" 0 cmp one.trees out.trees

exits "a relation needs two values" 2 "$KANON" anonymize ex.trees --hierarchies h --guarantee kmn-anonymity --k 3 --m 1 --n 1 -o no.trees
exits "three values have three relations" 2 "$KANON" anonymize ex.trees --hierarchies h --guarantee kmn-anonymity --k 3 --m 3 --n 4 -o no.trees
exits "k-anonymity says nothing of trees" 2 "$KANON" anonymize ex.trees --hierarchies h --k 3 -o no.trees
exits "flash is for tables" 2 "$KANON" anonymize ex.trees "${asked[@]}" --method flash -o no.trees
printf 'Flu;LungDisease;Disease\n' >h/disease.csv
exits "a value that no hierarchy covers" 3 "$KANON" anonymize ex.trees "${asked[@]}" -o no.trees
exits "nothing was written" 1 test -e no.trees
finish
