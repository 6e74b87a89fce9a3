# shellcheck shell=bash
# same-jobs.sh - what scripts/same runs: the inputs, and a table of jobs.
#
# A job is a row of a table below, with | between the fields:
#   release|NAME|INPUT|OUTPUT|COLUMNS|GUARANTEE|METHOD   anonymize, then check and measure
#   mine|NAME|KIND|INPUT|COLUMNS|GUARANTEE|OPTIONS|FORMATS   mine, then --check and apply
#   run|NAME|CALL ; CALL ; ...   any calls, one after the other; their standard input is people.csv
# It runs in a folder of its own, where in/ holds the inputs; every column has a role.

# The columns of the samples, and those of the literal files.
people='--schema in/people.json'
loans='--schema in/loans.json'
clinic='--schema in/clinic.json'
informs='--schema in/informs.json'
baskets='--schema in/baskets.json'
income='--schema in/income.json'
visits='--id who --qi born,town --sensitive illness --keep note --allow-unique note'
few="$loans --drop postcode,occupation,education,sector,home,savings,loan"
stays='--id patient --qi ward,drugs --items drugs --drop day'
tiny='--qi items --type items=set'
bare='--no-header --separator semicolon --sensitive column9,column10'
bare+=' --qi column1,column2,column3,column4,column5,column6,column7,column8'

# The inputs: samples with their records, other formats of them, and small files.
make_inputs() {
    local name records format
    while read -r name format records; do
        kanon sample "$name" --records "$records" --seed 7 -o "$name.$format" \
            --hierarchies "$name" --schema "$name.json"
    done <<'END'
people  csv 1000
loans   csv 1200
clinic  csv 800
informs csv 800
youtube csv 500
baskets dat 1000
income  dat 1500
END
    kanon sample towers --records 1500 --seed 7 -o towers.dat --coordinates towers.csv --hierarchies towers
    for format in tsv jsonl csv.gz csv.zst; do kanon convert people.csv "people.$format" --quiet; done
    for format in jsonl dat.gz dat.zst; do kanon convert baskets.dat "baskets.$format" --quiet; done
    kanon convert people.csv people.semicolon --id id,name --to-separator semicolon --to-no-header --quiet
    kanon convert baskets.dat baskets.long --to long --quiet
    kanon convert clinic.csv clinic.jsonl --items diagnoses --quiet
    mkdir -p wards
    printf '%s\n' 'North;General;*' 'South;General;*' 'Rea;Special;*' >wards/ward.csv
    printf '%s\n' 'flu;lung;*' 'cold;lung;*' 'gastritis;stomach;*' >wards/illness.csv
    cat >wards.trees <<'END'
#class ward North South Rea
#class illness flu cold gastritis
North(gastritis) South(flu)
North(cold) South(cold gastritis)
North(flu) South(cold gastritis)
North(flu)
South(flu cold) Rea(flu)
North(cold gastritis)
END
    cat >visits.csv <<'END'
who,born,town,illness,note
1,1961-02-28,Aachen,flu,"a, b"
2,1961-03-01,Aachen,cold,
3,1964-02-29,Bonn,flu,"say ""x"""
4,,Bonn,asthma,?
5,1975-12-31,?,flu,é
6,1975-11-30,Celle,cold,
7,1979-01-01,Celle,asthma,*
8,1980-06-15,Bonn,cold,end
END
    cat >stays.csv <<'END'
patient,ward,day,drugs
a,North,1,x|y
b,North,1,x
a,North,2,y|z
c,South,1,x|z
d,South,3,z
d,South,4,x
e,North,2,
END
    printf '%s\n' 'a b c' 'a b' 'b c d' 'a d' '' 'c d a' 'a b d' >tiny.dat
    printf '%s\n' 'a;ab;*' 'b;ab;*' 'c;cd;*' 'd;cd;*' >tiny.csv
    printf '%s\n' item,neighbour a,b b,c c,d >tiny-edges.csv
    printf '%s\n' 'a,b' '1,2,3' >ragged.csv
    printf '%s\n' 'a;x;*' 'b;x' >uneven.csv
    printf '%s\n' 'Aachen;West;*' 'Bonn;West;*' '?;West;*' >town.csv
    printf '%s\n' 'a;ab;*' 'b;ab;*' 'c;c;*' >lacks.csv
    printf '%s\n' 'left,right,support,confidence' 'a,b,0.5,0.8' 'b,x,0.2,0.4' >rules.csv
    printf '%s\n' '{"input": "in/people.csv", "kk": 5}' >wrong.json
    printf 'a\nx\n\377\n' >latin.csv
}

table_jobs() {
    local method name guarantee columns
    # name, guarantee, columns that this guarantee wants beside the schema of people
    while IFS='|' read -r name guarantee columns; do
        for method in flash mondrian local 'tds --class diagnosis' 'id3 --class diagnosis'; do
            echo "release|people-${method%% *}-$name|people.csv|out.csv|$people $columns|$guarantee|--method $method"
        done
    done <<'END'
k5|--k 5|
l-distinct|--k 3 --guarantee l-diversity --l 2|
l-entropy|--guarantee l-diversity --l 3 --diversity entropy|--keep income --allow-unique income
l-recursive|--guarantee l-diversity --l 2 --diversity recursive --c 3|--keep income --allow-unique income
t-equal|--guarantee t-closeness --t 0.5|--keep income --allow-unique income
t-ordered|--k 4 --guarantee t-closeness --t 0.3 --distance ordered|--keep diagnosis
t-hierarchical|--guarantee t-closeness --t 0.4 --distance hierarchical|--keep income --allow-unique income
t-original|--guarantee t-closeness --t 0.4 --reference original|--keep income --allow-unique income
END
    # name, input, output, columns, guarantee, method
    sed 's/^/release|/' <<END
loans-flash|loans.csv|out.csv|$few|--k 5|--method flash
loans-mondrian|loans.csv|out.csv|$loans|--k 5|--method mondrian
loans-local|loans.csv|out.csv|$loans|--k 10|
loans-tds|loans.csv|out.csv|$loans|--k 5|--method tds --class risk
loans-id3|loans.csv|out.csv|$loans|--k 5|--method id3 --class risk
loans-cluster|loans.csv|out.csv|$loans|--k 5|--method cluster --seed 3
people-cluster|people.csv|out.csv|$people|--k 5|--method cluster
people-cluster-paper|people.csv|out.csv|$people|--k 4|--method cluster --paper
people-flash-suppression|people.csv|out.csv|$people|--k 5|--method flash --suppression 5%
people-flash-starred|people.csv|out.csv|$people|--k 5|--method flash --suppression 5% --suppressed starred
people-local-suppression|people.csv|out.csv|$people|--k 5|--suppression 3% --seed 2
people-local-effort|people.csv|out.csv|$people --weight age=3|--k 5|--effort 3
people-mondrian-relaxed|people.csv|out.csv|$people|--k 5|--method mondrian --relaxed
people-missing-any|people.csv|out.csv|$people --missing-rule any|--k 5|--method local
people-missing-any-flash|people.csv|out.csv|$people --missing-rule any|--k 5|--method flash
people-tsv|people.tsv|out.tsv|$people|--k 5|--method mondrian
people-jsonl|people.jsonl|out.jsonl|$people|--k 5|--method mondrian
people-gz|people.csv.gz|out.csv.gz|$people|--k 5|--method mondrian
people-zst|people.csv.zst|out.csv.zst|$people|--k 5|--method mondrian
people-bare|people.semicolon|out.semicolon|$bare|--k 5|--method mondrian
people-stdin|-|out.csv|$people|--k 5|--method mondrian
people-infeasible|people.csv|out.csv|$people|--k 1001|--method mondrian
visits-local|visits.csv|out.csv|$visits|--k 2|
visits-mondrian|visits.csv|out.csv|$visits --missing ?,''|--k 2|--method mondrian
visits-flash|visits.csv|out.csv|$visits --type born=date|--k 2 --guarantee l-diversity --l 2|--method flash
END
    for name in ncp precision discernibility average_class_size classification; do
        echo "release|people-flash-$name|people.csv|out.csv|$people|--k 5|--method flash --objective $name"
    done
}

item_jobs() {
    local method format m
    for method in apriori lra vpa; do
        for m in 1 2 3; do
            echo "release|baskets-$method-m$m|baskets.dat|out.dat|$baskets|--guarantee km-anonymity --k 5 --m $m|--method $method"
        done
        echo "release|baskets-$method-full|baskets.dat|out.dat|$baskets|--guarantee km-anonymity --k 3 --m 2 --recount full|--method $method --measures all"
        echo "release|tiny-$method|tiny.dat|out.dat|$tiny --hierarchy items=in/tiny.csv|--guarantee km-anonymity --k 2 --m 2|--method $method"
    done
    for method in gcs ecs ocs acs miracle; do
        echo "release|trees-$method|wards.trees|out.trees|--hierarchies in/wards|--guarantee kmn-anonymity --k 2 --m 2 --n 1|--method $method"
    done
    for format in jsonl dat.gz dat.zst; do
        echo "release|baskets-$format|baskets.$format|out.$format|$baskets|--guarantee km-anonymity --k 5 --m 2|"
    done
    sed 's/^/release|/' <<END
baskets-long|baskets.long|out.long|$baskets --format long|--guarantee km-anonymity --k 5 --m 2|
baskets-apriori-subtree|baskets.dat|out.dat|$baskets|--guarantee km-anonymity --k 5 --m 2|--subtree
baskets-apriori-left-out|baskets.dat|out.dat|$baskets|--guarantee km-anonymity --k 5 --m 2|--item-suppression 10%
baskets-vpa-parts|baskets.dat|out.dat|$baskets|--guarantee km-anonymity --k 5 --m 2|--method vpa --parts 4 --subtree
baskets-lra-parts|baskets.dat|out.dat|$baskets|--guarantee km-anonymity --k 5 --m 2|--method lra --parts 4
clinic-items|clinic.jsonl|out.jsonl|$clinic --id age,sex,postcode,marital,education|--guarantee km-anonymity --k 4 --m 2|--method lra
income-acd-m1|income.dat|out.dat|$income|--guarantee km-anonymity --k 5 --m 1|--method acd
income-acd-m2|income.dat|out.dat|$income|--guarantee km-anonymity --k 5 --m 2|--method acd
income-acd-m3|income.dat|out.dat|$income|--guarantee km-anonymity --k 3 --m 3|--method acd
income-acd-paper|income.dat|out.dat|$income|--guarantee km-anonymity --k 5 --m 2|--method acd --paper --d 0.1
income-acd-left-out|income.dat|out.dat|$income|--guarantee km-anonymity --k 5 --m 2|--method acd --item-suppression 5%
END
}

# Releases of places. The original is what larger itemsets are sampled from.
place_jobs() {
    local sigma='--guarantee sigma-km-anonymity --k 4 --sigma 0.95' check='check out.dat --original in/towers.dat --json'
    sed 's/^/run|/' <<END
towers-areas|anonymize in/towers.dat $sigma --m 5 --coordinates in/towers.csv --names areas --mapping mapping.csv --map map.geojson --areas areas.csv --curve --report report.json -o out.dat ; $check $sigma --m 5 --hierarchy items=mapping.csv
towers-sets|anonymize in/towers.dat $sigma --m 4 --exact-up-to 1 --coordinates in/towers.csv --runs 3 --seed 5 -o out.dat ; $check $sigma --m 4 --exact-up-to 0 --seed 6
towers-paper|anonymize in/towers.dat $sigma --m 3 --coordinates in/towers.csv --paper --samples hoeffding --exact-up-to 1 --attacker person -o out.dat
towers-cut|anonymize in/towers.dat --method sampling --k 4 --m 3 --sigma 0.95 --hierarchies in/towers -o out.dat ; $check $sigma --m 3 --hierarchies in/towers
tiny-edges|anonymize in/tiny.dat --method sampling --k 2 --m 2 --sigma 0.99 --edges in/tiny-edges.csv -o out.dat ; check out.dat --guarantee sigma-km-anonymity --k 2 --m 2 --sigma 0.99
towers-profile|profile in/towers.dat --known 6 --samples 2000 --json ; profile in/towers.dat --known 3 --naive --json
sample-sizes|list sample-sizes --rounds 1303 --runs 10 --json
END
}

mixed_jobs() {
    local method data
    for data in clinic informs youtube; do
        for method in rum-bound tum-bound rfirst tfirst; do
            echo "release|$data-$method|$data.csv|out.csv|--schema in/$data.json|--guarantee k-km-anonymity --k 5 --m 2|--method $method"
        done
    done
    for method in rum-bound tum-bound rfirst tfirst; do
        echo "release|clinic-lm-$method|clinic.csv|out.csv|$clinic --sensitive-prefix F,P|--guarantee k-lm-diversity --k 4 --l 2 --m 2|--method $method"
        echo "release|informs-lm-$method|informs.csv|out.csv|$informs --sensitive-items d001,d018|--guarantee k-lm-diversity --k 5 --l 3 --m 1|--method $method"
    done
    sed 's/^/release|/' <<END
informs-delta|informs.csv|out.csv|$informs|--guarantee k-km-anonymity --k 5 --m 2|--delta 0.4 --seed 5
informs-merge-r|informs.csv|out.csv|$informs|--guarantee k-km-anonymity --k 5 --m 2|--merge r
informs-merge-t|informs.csv|out.csv|$informs|--guarantee k-km-anonymity --k 5 --m 2|--merge t
informs-exact|informs.csv|out.csv|$informs|--guarantee k-km-anonymity --k 10 --m 2|--exact-utility
informs-paper|informs.csv|out.csv|$informs|--guarantee k-km-anonymity --k 5 --m 2|--method rfirst --paper
informs-parts|informs.csv|out.csv|$informs|--guarantee k-km-anonymity --k 5 --m 2|--method tfirst --parts 5
informs-infeasible|informs.csv|out.csv|$informs|--guarantee k-km-anonymity --k 5 --m 2|--delta 0.01
clinic-jsonl|clinic.jsonl|out.jsonl|$clinic|--guarantee k-km-anonymity --k 5 --m 2 --recount full|--measures all
stays-grouped|stays.csv|out.csv|$stays --group-by patient --collect drugs|--guarantee k-km-anonymity --k 2 --m 1|--delta 1
END
}

model_jobs() {
    local all='json pmml sql dot txt'
    sed 's/^/mine|/' <<END
tree-k20|tree|loans.csv|$loans|--k 20|--class risk|$all
tree-prune|tree|loans.csv|$loans|--k 10|--class risk --no-prune|$all
tree-gini|tree|loans.csv|$few|--k 10|--class risk --gain gini --depth 4|$all
tree-ratio|tree|loans.csv|$few|--k 15 --inference 0.9|--class risk --gain ratio|$all
tree-diverse|tree|people.csv|$people|--k 20 --l 2|--class diagnosis --splits values|$all
tree-distinct|tree|people.csv|$people|--k 20 --l 3 --diversity distinct|--class diagnosis|$all
tree-plain|tree|people.csv|$people|--k 1|--class diagnosis --depth 3|$all
clusters-mst|clusters|loans.csv|$loans|--k 20||json pmml sql txt
clusters-kmeans|clusters|loans.csv|$loans|--k 20|--algorithm kmeans --clusters 8 --seed 2|json pmml sql txt
clusters-few|clusters|loans.csv|$few|--k 10 --l 2|--smallest 15|json pmml sql txt
rules-baskets|rules|baskets.dat|$baskets --sensitive-prefix care-1|--k 5|--support 0.02 --confidence 0.3|json pmml csv dot txt
rules-diverse|rules|baskets.dat|$baskets --sensitive-prefix drinks-2|--k 5 --inference 0.8|--support 0.01 --confidence 0.2 --longest 3|json pmml csv dot txt
rules-tiny|rules|tiny.dat|$tiny --sensitive-items d|--k 2|--support 0.1 --confidence 0.1 --rules 20|json pmml csv dot txt
END
}

# Calls of all other commands, job files, sweeps and typical errors.
other_jobs() {
    local what
    for what in guarantees methods measures models; do
        echo "run|list-$what|list $what ; list $what --json"
    done
    for what in profile hierarchy anonymize check measure mine apply convert sample list; do
        echo "run|help-$what|$what --help ; help $what --man"
    done
    for what in people loans clinic informs; do
        echo "run|profile-$what|profile in/$what.csv --schema in/$what.json ; profile in/$what.csv --schema in/$what.json --json --subsets 2 --limit 3"
    done
    sed 's/^/run|/' <<END
help|--help ; help --completion bash ; help --completion zsh ; help --man
profile-items|profile in/baskets.dat $baskets --known 3 ; profile in/income.dat $income --json
profile-guess|profile in/people.csv ; profile in/visits.csv --json ; profile in/people.semicolon --no-header
check-people|check in/people.csv $people --k 3 --limit 4 ; check in/people.csv $people --k 3 --guarantee l-diversity --l 2 --json
check-items|check in/baskets.dat $baskets --guarantee km-anonymity --k 5 --m 2 ; check in/income.dat $income --guarantee km-anonymity --k 3 --m 3 --json --limit 3
check-mixed|check in/clinic.csv $clinic --guarantee k-km-anonymity --k 2 --m 2 ; check in/clinic.csv $clinic --sensitive-prefix F --guarantee k-lm-diversity --k 2 --l 2 --m 1 --json
check-closeness|check in/people.csv $people --keep income --guarantee t-closeness --t 0.2 ; check in/visits.csv $visits --k 2 --missing-rule any
measure-self|measure in/people.csv in/people.csv $people ; measure in/clinic.csv in/clinic.csv $clinic --json ; measure in/baskets.dat in/baskets.dat $baskets --support 0.05 --set-size 2 --queries 50
measure-population|measure in/people.csv in/people.csv $people --population in/people.csv --threshold 0.1 --queries 20 --query-values 1
convert|convert in/people.csv a.jsonl $people ; convert in/clinic.jsonl b.csv $clinic ; convert in/baskets.long c.dat $baskets --format long ; convert in/stays.csv d.jsonl $stays --group-by patient --collect drugs ; convert in/stays.csv - --id patient --drop day --qi all --items drugs --items-together all=ward,drugs
hierarchy-build|hierarchy build in/people.csv $people --column age -o age.csv ; hierarchy build in/people.csv $people --column income --kind frequency --ranges 8 -o income.csv ; hierarchy build in/people.csv $people --column postcode --kind prefix --lengths 3,1 -o postcode.csv ; hierarchy build in/people.csv $people --column age --kind cuts --cuts 18,65 -o cuts.csv
hierarchy-build-other|hierarchy build in/visits.csv $visits --column born --kind dates -o born.csv ; hierarchy build in/people.csv $people --column country --kind fanout --fanout 3 -o country.csv ; hierarchy build in/people.csv $people --column postcode --kind mask -o postcode.csv ; hierarchy build in/people.csv $people --column age --kind width --width 4 --origin 2 -o age.csv
hierarchy-check|hierarchy check in/people/age.csv ; hierarchy check in/people/age.csv in/people.csv $people --column age ; hierarchy check in/uneven.csv ; hierarchy check in/tiny.csv in/people.csv $people --column sex
hierarchy-suggest|hierarchy suggest in/people.csv ; hierarchy build in/people.csv --hierarchies h ; hierarchy suggest in/visits.csv --missing ',?'
init|init in/people.csv --yes -o plan ; anonymize --job plan/job.json ; init in/baskets.dat --yes -o sets ; anonymize --job sets/job.json ; init in/visits.csv --yes -o few
hierarchy-show|hierarchy show in/people/education.csv ; hierarchy show in/people/postcode.csv --depth 2 --children 3 ; hierarchy show in/tiny.csv in/clinic/sex.csv
job|anonymize in/people.csv $people --k 5 --method mondrian -o a.csv --save-job job.json ; anonymize --job job.json -o b.csv --report b.html ; check a.csv --job job.json ; measure in/people.csv a.csv --job job.json
job-items|anonymize in/clinic.csv $clinic --guarantee k-km-anonymity --k 5 --m 2 --delta 0.8 -o a.csv --save-job job.json --json ; anonymize --job job.json -o b.csv
sweep-k|anonymize in/people.csv $people --method mondrian --sweep k=2,5,10,1100 -o out.csv --report sweep.json --report sweep.html
sweep-suppression|anonymize in/people.csv $people --k 5 --method flash --sweep suppression=0%:4%:2% --json
sweep-delta|anonymize in/informs.csv $informs --guarantee k-km-anonymity --k 5 --m 2 --sweep delta=0.4:1:0.3 -o out.csv --report sweep.json
sweep-none|anonymize in/people.csv $people --method mondrian --sweep k=1800,1900
uncovered|anonymize in/tiny.dat $tiny --hierarchy items=in/lacks.csv --guarantee km-anonymity --k 2 --m 1 -o a.dat ; anonymize in/visits.csv $visits --hierarchy town=in/town.csv --uncovered root --k 2 -o b.csv ; anonymize in/visits.csv $visits --hierarchy town=in/town.csv --uncovered suppress --k 2 -o c.csv
rules-without-data|mine --check in/rules.csv --records 100 --sensitive-items x --k 5 ; mine --check in/none.json in/people.csv $people --k 5
errors-usage|anonymize ; anonymise ; check in/people.csv $people --kk 5 ; check in/people.csv $people ; check in/people.csv $people --k x ; list things ; sample nothing ; anonymize in/people.csv $people --k 5 --l 2 -o a.csv
errors-input|check in/none.csv --qi a --k 2 ; check in/ragged.csv --qi a --k 2 ; check in/latin.csv --qi a --k 2 ; check in/visits.csv $visits --qi bron --k 2 ; anonymize --job in/wrong.json -o a.csv ; anonymize in/people.csv --schema in/wrong.json --k 2 -o a.csv
errors-output|anonymize in/people.csv $people --k 5 -o none/a.csv ; anonymize in/people.csv $people --k 5 -o a.csv --report a.txt ; mine tree in/loans.csv $loans --class risk --k 5 -o a.png
errors-method|anonymize in/people.csv $people --k 5 --method flahs -o a.csv ; anonymize in/people.csv $people --k 5 --method acd -o a.csv ; anonymize in/people.csv $people --k 5 --method flash --relaxed -o a.csv ; anonymize in/people.csv $people --guarantee t-closeness --t 2 -o a.csv
END
}

rows() {
    mixed_jobs
    table_jobs
    item_jobs
    place_jobs
    model_jobs
    other_jobs
}
