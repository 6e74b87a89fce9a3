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
says "the terminal shows the cut" "hospital: General"
exits "the report says how many cuts were looked at" 0 grep -Eq '"cuts_examined": [1-9]' r.json
run "$KANON" anonymize ex.trees "${asked[@]}" --method miracle -o m.trees --report m.json
exits "the report says how many clusters were made equal" 0 grep -Eq '"clusters": [1-9]' m.json
exits "the page names relations" 0 grep -c 'id="relations"' r.html
# A class that needs no generalisation is not said to be generalised.
{
    printf '#class city Bern Rome\n#class illness Cold Flu Gastritis\n'
    for _ in 1 2 3; do printf 'Bern(Flu)\nRome(Flu)\n'; done
    printf 'Rome(Cold)\nBern(Cold)\n'
} >kept.trees
run "$KANON" anonymize kept.trees --guarantee kmn-anonymity --k 3 --m 2 --n 1 -o kept-out.trees --report kept.html
exits "a class that stays is named as exact" 0 grep -q 'of the quasi-identifiers city could stay unchanged' kept.html
exits "only the other class is generalised" 0 grep -q '<dt>Generalised</dt><dd>illness</dd>' kept.html
exits "measured" 0 "$KANON" measure ex.trees out.trees --hierarchies h --negative 2 --k 3 --m 2 --n 1 --json
prints "rpd is measured" '"rpd"'
prints "negative knowledge is measured" '"generalised"'
run "$KANON" anonymize ex.trees "${asked[@]}" --threads 1 -o one.trees
exits "the thread count changes nothing" 0 cmp one.trees out.trees

# Three relations of three values that hold one by one, and two by two, in k records, and in one record together.
{
    printf '#class r z\n#class a A1 A2\n#class b B\n#class c C\nz(A1(B C) A2(B(C)))\n'
    for _ in 1 2 3; do printf 'z(A1(B C))\nz(A1(B) A2(B(C)))\nz(A1(C) A2(B(C)))\n'; done
} >three.trees
three=("$KANON" check three.trees --guarantee kmn-anonymity --k 2 --m 3)
exits "two relations of three values hold" 0 "${three[@]}" --n 2
exits "three do not" 1 "${three[@]}" --n 3
prints "a fork and a relation elsewhere are named" "A1 ~> B, A1 ~> C; elsewhere B ~> C"

# The same of three forks of four values: any two of them are in k records.
{
    printf '#class r z\n#class q R1 R2 R3\n#class a A\n#class l B C D\nz(R1(A(B C)) R2(A(C D)) R3(A(B D)))\n'
    for leaf in B C D B C D; do
        printf 'z(R1(A(B C)) R2(A(C D)) R3(A(%s)))\nz(R1(A(B C)) R2(A(%s)) R3(A(B D)))\nz(R1(A(%s)) R2(A(C D)) R3(A(B D)))\n' $leaf $leaf $leaf
    done
} >forks.trees
forks=("$KANON" check forks.trees --guarantee kmn-anonymity --k 2 --m 4)
exits "two forks of four values hold" 0 "${forks[@]}" --n 5
exits "three do not, in six relations" 1 "${forks[@]}" --n 6
prints "the forks are named" "A ~> B, A ~> C; elsewhere A ~> B, A ~> D; elsewhere A ~> C, A ~> D"
prints "the forks are named in one order only" "1 thing that can be known"

# One record has a rare class: it alone is left out, and what all others have is not lost with it.
printf 'a(b)\na(b)\na(b)\na(b(d))\n' >rare.trees
printf 'a(b)\na(b)\na(b)\n' >same.trees
rare=(--classes "x,y,z" --guarantee kmn-anonymity --k 3 --m 2 --n 1)
for method in gcs ocs acs ecs; do
    run "$KANON" anonymize rare.trees "${rare[@]}" --method $method -o rare.$method.json
    says "$method keeps the values that all records have" "y: b"
    exits "$method leaves out one class only" 0 "$KANON" anonymize rare.trees "${rare[@]}" --drop x --method $method -o rare.$method.trees --strict
done
exits "no class is in k records" 4 "$KANON" anonymize rare.trees --classes x,y,z --guarantee kmn-anonymity --k 5 --m 2 --n 1 -o no.trees
says "and what could be met is said" "k = 5 cannot be met: no class is in more than 4 records"

# A class that is left out is not in the file; one that is there, or whose values a line at the top lists, is.
for role in id drop; do
    exits "a class that is left out is no point ($role)" 0 "$KANON" anonymize rare.trees "${rare[@]}" --$role x --strict -o gone.trees
    exits "nor in the file ($role)" 0 "$KANON" check gone.trees "${rare[@]}" --$role x --strict
    exits "one that is there is ($role)" 1 "$KANON" check same.trees "${rare[@]}" --$role x --strict
    prints "and it is named ($role)" "and is still in the file"
done
{
    printf '#class x Alice Bob\n'
    cat gone.trees
} >listed.trees
run "$KANON" check listed.trees --id x "${rare[@]:2}"
says "values that are listed are in the file" "column 'x' is an identifier and is still in the file"

exits "a relation needs two values" 2 "$KANON" anonymize ex.trees --hierarchies h --guarantee kmn-anonymity --k 3 --m 1 --n 1 -o no.trees
exits "three values have three relations" 2 "$KANON" anonymize ex.trees --hierarchies h --guarantee kmn-anonymity --k 3 --m 3 --n 4 -o no.trees
exits "k-anonymity says nothing of trees" 2 "$KANON" anonymize ex.trees --hierarchies h --k 3 -o no.trees
exits "flash is for tables" 2 "$KANON" anonymize ex.trees "${asked[@]}" --method flash -o no.trees
printf 'Flu;LungDisease;Disease\n' >h/disease.csv
exits "a value that no hierarchy covers" 3 "$KANON" anonymize ex.trees "${asked[@]}" -o no.trees
exits "nothing was written" 1 test -e no.trees
finish
