#!/usr/bin/env bash
# sampling_areas.sh - the method sampling: the paper's Table I and Figure 1, regions of places with maps, and what is refused.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# Table I, and the hierarchy and the result of Figure 1 (k = 2, m = 2): Boston is nearer to New York than LA to Seattle.
printf 'LA\nLA Seattle\nNewYork Boston\nNewYork Boston\nLA Seattle NewYork\nLA Seattle NewYork\nLA Seattle NewYork Boston\n' >table1.dat
printf 'LA;East US;*\nSeattle;East US;*\nNewYork;West US;*\nBoston;West US;*\n' >cities.csv
printf 'item,lat,lon\nLA,34.05,-118.24\nSeattle,47.61,-122.33\nNewYork,40.71,-74.01\nBoston,42.36,-71.06\n' >places.csv
meant='{"items":["LA"]}
{"items":["LA","Seattle"]}
{"items":["West US"]}
{"items":["West US"]}
{"items":["LA","Seattle","West US"]}
{"items":["LA","Seattle","West US"]}
{"items":["LA","Seattle","West US"]}'
sigma=(--guarantee sigma-km-anonymity --k 2 --m 2 --sigma 0.99 --quiet)
for how in "" "--paper" "--coordinates places.csv --paper" "--exact-up-to 1" "--samples hoeffding --exact-up-to 1 --paper" "--runs 3 --exact-up-to 1"; do
    # shellcheck disable=SC2086
    exits "Table I${how:+ with }$how" 0 "$KANON" anonymize table1.dat "${sigma[@]}" --hierarchy items=cities.csv --method sampling $how -o figure1.jsonl
    is "is Figure 1" "$meant" "$(cat figure1.jsonl)"
done
exits "it is the method of this guarantee" 0 "$KANON" anonymize table1.dat "${sigma[@]}" --hierarchy items=cities.csv -o figure1.jsonl --report r.json
exits "the report carries certificates" 0 grep -q '"certificates"' r.json
exits "Figure 1 holds" 0 "$KANON" check figure1.jsonl --items items --qi items --hierarchy items=cities.csv --original table1.dat "${sigma[@]}"

# A method that reaches one guarantee only asks for it, and other guarantees are still refused.
exits "the method says which guarantee" 0 "$KANON" anonymize table1.dat --method sampling --k 2 --m 2 --sigma 0.99 --quiet --hierarchy items=cities.csv -o implied.jsonl --report implied.json
is "is Figure 1" "$meant" "$(cat implied.jsonl)"
exits "the report names it" 0 grep -q '"sigma-km-anonymity"' implied.json
exits "so does apriori" 0 "$KANON" anonymize table1.dat --method apriori --k 2 --m 2 --quiet --hierarchy items=cities.csv -o no.jsonl
rm -f no.jsonl
exits "not without its k" 2 "$KANON" anonymize table1.dat --method sampling --sigma 0.99 --hierarchy items=cities.csv -o no.dat
says "names what is missing" "sigma-km-anonymity needs --k"
exits "another guarantee" 2 "$KANON" anonymize table1.dat --method sampling --guarantee km-anonymity --k 2 --m 2 --hierarchy items=cities.csv -o no.dat
absent "nothing was written" no.dat

# Neighbours by edges: any connected regions.
printf 'item,neighbour\nLA,Seattle\nSeattle,Boston\nBoston,NewYork\n' >edges.csv
exits "by edges" 0 "$KANON" anonymize table1.dat "${sigma[@]}" --edges edges.csv -o edges.jsonl
is "NCP: the two that fewest visit" '{"items":["LA","NewYork","{Boston,Seattle}"]}' "$(tail -1 edges.jsonl)"
printf 'item,LA,Seattle,NewYork,Boston\nLA,0,1,9,9\nSeattle,1,0,9,9\nNewYork,9,9,0,9\nBoston,9,9,9,0\n' >matrix.csv
exits "by distances" 0 "$KANON" anonymize table1.dat "${sigma[@]}" --edges edges.csv --distances matrix.csv -o matrix.jsonl
exits "holds" 0 "$KANON" check matrix.jsonl --items items --qi items --original table1.dat "${sigma[@]}"

# What is refused.
exits "nothing to merge along" 2 "$KANON" anonymize table1.dat "${sigma[@]}" -o no.dat
says "says what would do" "--coordinates FILE"
exits "edges and a hierarchy" 2 "$KANON" anonymize table1.dat "${sigma[@]}" --hierarchy items=cities.csv --edges edges.csv -o no.dat
printf 'item,neighbour\nLA,Seattle\n' >parts.csv
exits "parts that are not connected" 4 "$KANON" anonymize table1.dat --guarantee sigma-km-anonymity --k 4 --m 2 --sigma 0.99 --edges parts.csv -o no.dat
says "says so" "not connected"
grep -v Boston places.csv >fewer.csv
exits "a place without coordinates" 3 "$KANON" anonymize table1.dat "${sigma[@]}" --hierarchy items=cities.csv --coordinates fewer.csv -o no.dat
says "is named" "no coordinates for 'Boston'"
sed 's/42.36/142.36/' places.csv >north.csv
exits "a place beyond the pole" 3 "$KANON" anonymize table1.dat "${sigma[@]}" --hierarchy items=cities.csv --coordinates north.csv -o no.dat
says "says where" "line 5, column 'lat'"
sed 's/lat/y/' places.csv >columns.csv
exits "no column lat" 3 "$KANON" anonymize table1.dat "${sigma[@]}" --hierarchy items=cities.csv --coordinates columns.csv -o no.dat
says "is named" "no column 'lat'"
exits "a map without places" 2 "$KANON" anonymize table1.dat "${sigma[@]}" --hierarchy items=cities.csv --map no.geojson -o no.dat
exits "areas of another method" 2 "$KANON" anonymize table1.dat --guarantee km-anonymity --k 2 --m 2 --hierarchy items=cities.csv --areas no.csv -o no.dat
exits "distances that are missing" 3 "$KANON" anonymize table1.dat "${sigma[@]}" --edges edges.csv --distances places.csv -o no.dat
says "are named" "no distance from"
absent "nothing was written" no.dat no.geojson no.csv

# m beyond the longest record asks for no more.
exits "m beyond all records" 0 "$KANON" anonymize table1.dat --guarantee sigma-km-anonymity --k 2 --m 9 --sigma 0.99 --hierarchy items=cities.csv -o nine.jsonl

if ! "$KANON" --version | grep -q '^built in:.*geos'; then
    exits "without GEOS" 2 "$KANON" anonymize table1.dat "${sigma[@]}" --coordinates places.csv -o no.dat
    says "says so" "built without"
    skipped "maps" "GEOS is not built in"
    exit
fi

# People and towers: areas, maps, a mapping to check with; threads change nothing.
exits "towers" 0 "$KANON" sample towers --records 3000 -o towers.dat --coordinates towers.csv
towers=(--guarantee sigma-km-anonymity --k 4 --m 5 --sigma 0.95 --exact-up-to 2 --quiet)
exits "areas" 0 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv --names areas --map map.geojson --areas areas.csv \
    --mapping mapping.csv -o areas.dat --report areas.html --report areas.json
exits "hold" 0 "$KANON" check areas.dat --original towers.dat --hierarchy items=mapping.csv "${towers[@]}"
exits "sets" 0 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv -o sets.dat --threads 3 --runs 2
exits "sets with one thread" 0 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv -o one.dat --threads 1 --runs 2
exits "are the same" 0 cmp sets.dat one.dat
exits "hold" 0 "$KANON" check sets.dat --original towers.dat "${towers[@]}"
exits "sigma of 1 for sizes out of reach" 2 timeout 60 "$KANON" anonymize towers.dat --guarantee sigma-km-anonymity --k 2 --m 11 --sigma 1 \
    --coordinates towers.csv -o never.dat
says "sigma of 1 for sizes out of reach: what it would cost" "hours; ask for a sigma below 1 from that size on"
exits "a release of other data" 3 "$KANON" check sets.dat --original table1.dat "${towers[@]}"
exits "as printed" 0 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv -o paper.dat --paper
tr ' ' '\n' <towers.dat | sort -u >towers.txt
cut -d';' -f1 mapping.csv | sort >mapped.txt
exits "every tower that occurs is mapped, once" 0 cmp towers.txt mapped.txt
is "a page with two maps" 2 "$(grep -c '<svg xmlns' areas.html)"
is "a page with twenty areas" 20 "$(sed -n '/id="areas"/,/<\/section>/p' areas.html | grep -c '<tr><th scope="row">')"
is "a page that says how many areas it leaves out" "$(($(wc -l <areas.csv) - 21)) more areas are not shown" \
    "$(grep -o '[0-9]* more areas are not shown' areas.html)"
if command -v python3 >/dev/null; then
    exits "the map is GeoJSON: areas of 128 km^2 in all, each tower once" 0 python3 - map.geojson areas.csv towers.txt <<'PY'
import csv, json, sys
features = json.load(open(sys.argv[1]))["features"]
rows = list(csv.DictReader(open(sys.argv[2])))
assert len(features) == len(rows)
towers = [t for f in features for t in f["properties"]["items"]]
assert sorted(towers) == sorted(open(sys.argv[3]).read().split())
assert 126 < sum(f["properties"]["km2"] for f in features) < 129
for f in features:
    assert f["properties"]["people"] >= 4
    # a region is connected: one polygon
    assert len(f["geometry"]["coordinates"]) == 1, f["properties"]["area"]
    for polygon in f["geometry"]["coordinates"]:
        for n, ring in enumerate(polygon):
            assert ring[0] == ring[-1]
            x, y = ring[0]
            turn = sum((a[0] - x) * (b[1] - y) - (b[0] - x) * (a[1] - y) for a, b in zip(ring, ring[1:]))
            assert (turn > 0) == (n == 0), "outer rings are anticlockwise, holes clockwise"
PY
fi

# What smaller m cost: the last step is the release, and a step is what asking for that m gives.
exits "a curve" 0 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv --curve -o curve.dat --report curve.json --report curve.html
exits "does not change the release" 0 cmp curve.dat <("$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv -o -)
exits "m = 3" 0 "$KANON" anonymize towers.dat --guarantee sigma-km-anonymity --k 4 --m 3 --sigma 0.95 --exact-up-to 2 --quiet --coordinates towers.csv \
    -o three.dat --report three.json
exits "is on the page" 0 grep -q 'Fewer known places' curve.html
if command -v python3 >/dev/null; then
    exits "a step is what asking for its m gives" 0 python3 - curve.json three.json <<'PY'
import json, sys
curve, three = (json.load(open(name))["areas"] for name in sys.argv[1:])
steps = {step["m"]: step for step in curve["curve"]}
assert sorted(steps) == [1, 2, 3, 4, 5]
for areas, step in ((curve, steps[5]), (three, steps[3])):
    assert areas["count"] == step["areas"]
    for name in ("mean_error_m", "mean_km2"):
        assert abs(areas[name] - step[name]) < 1e-6 * areas[name], name
PY
fi
exits "a curve without places" 2 "$KANON" anonymize table1.dat "${sigma[@]}" --edges edges.csv --curve -o no.dat
says "says what would do" "--coordinates FILE"

# How many people were at each of two merged places shows in no figure of their area: 1 and 30, or 3 and 28.
split=(--guarantee sigma-km-anonymity --k 5 --m 1 --sigma 0.99 --exact-up-to 1 --quiet --coordinates split.csv)
printf 'item,lat,lon\nnorth,50.010,8.00\nsouth,50.000,8.00\nfar,50.000,8.20\n' >split.csv
people_at() { yes "$1" | head -n "$2"; }
for north in 1 3; do
    { people_at north $north; people_at south $((31 - north)); people_at far 40; } >split$north.dat
    exits "a place with $north visits" 0 "$KANON" anonymize split$north.dat "${split[@]}" --areas split$north.csv --map split$north.geojson \
        -o split.out --report split$north.json
    is "is merged" "{north,south}" "$(grep -o '^"{north,south}"' split$north.csv | tr -d '"')"
done
exits "the table of areas is the same" 0 cmp split1.csv split3.csv
exits "the map is the same" 0 cmp split1.geojson split3.geojson
if command -v python3 >/dev/null; then
    exits "the report is the same, and never better than the truth" 0 python3 - split1.json split3.json split1.csv <<'PY'
import csv, json, math, sys
one, three = (json.load(open(name))["areas"] for name in sys.argv[1:3])
assert one == three, (one, three)
rows = list(csv.DictReader(open(sys.argv[3])))
mean = next(float(row["mean_error_m"]) for row in rows if "south" in row["items"])
# The centre of the merged cells is about 3.2 km from both.
assert 3000 < mean < 3500, mean
assert mean * 31 / 71 < one["mean_error_m"] < 2 * mean * 31 / 71, one["mean_error_m"]
PY
fi

# Two towers in one spot, and an outline.
sed 's/^t2,.*/t2,47.5,8.5/; s/^t1,.*/t1,47.5,8.5/' towers.csv >spot.csv
exits "two towers in one spot" 0 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates spot.csv --areas spot-areas.csv -o spot.dat
printf '{"type":"Polygon","coordinates":[[[8.4,47.45],[8.6,47.45],[8.6,47.55],[8.4,47.55],[8.4,47.45]]]}' >outline.geojson
exits "an outline" 0 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv --outline outline.geojson --map outlined.geojson -o outlined.dat
printf '{"type":"Point","coordinates":[8.4,47.45]}' >point.geojson
exits "a point is no outline" 3 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv --outline point.geojson -o no.dat
says "says so" "holds none"
printf 'no JSON' >broken.geojson
exits "nor is text" 3 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv --outline broken.geojson -o no.dat
says "says where" "broken.geojson:1:"
while IFS='|' read -r words ring; do
    printf '{"type":"Feature","geometry":{"type":"Polygon","coordinates":[%s]}}' "$ring" >ring.geojson
    exits "an outline with a fault: $words" 3 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv --outline ring.geojson -o no.dat
    says "says which" "$words"
done <<'END'
a ring does not end where it begins|[[8.4,47.4],[8.6,47.4],[8.6,47.6],[8.4,47.6]]
a ring has fewer than four positions|[[8.4,47.4],[8.6,47.4],[8.4,47.4]]
a position is not [longitude, latitude]|[[8.4],[8.6,47.4],[8.6,47.6],[8.4,47.6],[8.4]]
a position is outside longitude|[[8.4,47.4],[1e300,47.4],[8.6,47.6],[8.4,47.6],[8.4,47.4]]
have no area|[[8.4,47.4],[8.6,47.4],[8.5,47.4],[8.4,47.4]]
END
printf '{"type":"Polygon","coordinates":[[[8.4,47.4],[8.6,47.6],[8.6,47.4],[8.4,47.6],[8.4,47.4]]]}' >crossing.geojson
exits "an outline that crosses itself is what it surrounds" 0 "$KANON" anonymize towers.dat "${towers[@]}" --coordinates towers.csv --outline crossing.geojson -o crossing.dat
absent "nothing was written" no.dat
finish
