#!/usr/bin/env bash
# Tree records: gcs on `sample orders`, k=20, m=3, n=2, g=2, from 10^5 to 10^6 records; acs beside it.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
asked=(--hierarchies "$work/orders-hierarchies" --guarantee kmn-anonymity --k 20 --m 3 --n 2)
sizes=(100000 1000000)
[ -z "$quick" ] || sizes=(100000)

# cuts NAME: how many cuts the search looked at.
cuts() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["trees"]["cuts_examined"])' "$work/$1.json"; }

for n in "${sizes[@]}"; do
    in=$work/orders_$n.trees out=$work/trees_out.trees
    [ -f "$in" ] || "$kanon" sample orders --records "$n" --seed 1 -o "$in" --hierarchies "$work/orders-hierarchies" -q
    measure 1 "trees_$n" "$kanon" anonymize "$in" "${asked[@]}" --method gcs --g 2 -o "$out" -q
    "$kanon" check "$out" "${asked[@]}" >/dev/null
    "$kanon" anonymize "$in" "${asked[@]}" --method gcs --g 2 -o "$out" --report "$work/trees_$n.json" -q
    claim trees "gcs, $n records" time "$(seconds "trees_$n")" s "three minutes" 180 1
    claim trees "gcs, $n records" memory "$(peak "trees_$n")" B "6 GiB" 6442450944 1
done
if [ -z "$quick" ]; then
    # Linear, as processor seconds: other work on the machine must not decide it.
    # With the same k finer cuts hold in more records, so that the search looks at more of them.
    claim trees "gcs, 10^5 to 10^6" "processor per record and cut" "$(calculate "$(processor trees_1000000) / 10 / $(cuts trees_1000000)")" s \
        "that of 10^5" "$(calculate "$(processor trees_100000) / $(cuts trees_100000)")" 1.2
    claim trees "gcs, 10^5 to 10^6, the same k" "processor per record" "$(calculate "$(processor trees_1000000) / 10")" s \
        "that of 10^5" "$(processor trees_100000)" 1.7
    for n in "${sizes[@]}"; do # the same number of cuts
        measure 1 "trees_cuts_$n" "$kanon" anonymize "$work/orders_$n.trees" "${asked[@]}" --method gcs --g 2 --cuts 120 -o "$work/trees_out.trees" -q
    done
    claim trees "gcs, 120 cuts, 10^5 to 10^6" "processor per record" "$(calculate "$(processor trees_cuts_1000000) / 10")" s \
        "that of 10^5" "$(processor trees_cuts_100000)" 1.2
    measure 1 trees_k_1000000 "$kanon" anonymize "$work/orders_1000000.trees" "${asked[@]/#20/200}" --method gcs --g 2 -o "$work/trees_out.trees" -q
    claim trees "gcs, k with the records" "processor per record" "$(calculate "$(processor trees_k_1000000) / 10")" s \
        "that of 10^5" "$(processor trees_100000)" 1.2
fi
in=$work/orders_100000.trees
measure 1 trees_ecs "$kanon" anonymize "$in" "${asked[@]}" --method ecs --g 2 -o "$work/trees_ecs.trees" --report "$work/trees_ecs.json" -q
measure 1 trees_gcs "$kanon" anonymize "$in" "${asked[@]}" --method gcs --g 2 -o "$work/trees_gcs.trees" --report "$work/trees_gcs.json" -q
claim trees "ecs, 100000 records" time "$(seconds trees_ecs)" s "gcs" "$(seconds trees_gcs)" 2
claim trees "ecs, 100000 records" RPD "$(utility "$work/trees_ecs.json" rpd)" "" "gcs" "$(utility "$work/trees_gcs.json" rpd)" 1
measure 1 trees_acs "$kanon" anonymize "$in" "${asked[@]}" --method acs --cuts 3000 -o "$work/trees_acs.trees" --report "$work/trees_acs.json" -q
claim trees "gcs, 100000 records" time "$(seconds trees_gcs)" s "acs, 3000 cuts" "$(seconds trees_acs)" 0.1
claim trees "gcs, 100000 records" RPD "$(utility "$work/trees_gcs.json" rpd)" "" "acs, 3000 cuts" "$(utility "$work/trees_acs.json" rpd)" 1.02
