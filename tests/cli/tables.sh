#!/usr/bin/env bash
# tables.sh - small tables on which methods once did worse than they say.
# shellcheck disable=SC2154
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# number FILE KEY: the first number of that name in a report.
number() { sed -n "s/.*\"$2\": \([0-9.e-]*\),*/\1/p" "$1" | head -1; }

# ---- a limit that allows to suppress everybody ----
printf 'a,b\n1,x\n2,y\n3,x\n4,y\n' >mini.csv
for share in 0 0.99 1; do
    exits "flash --suppression $share" 0 "$KANON" anonymize mini.csv --qi a,b --k 4 --method flash --suppression $share -o out.csv --quiet
    is "flash --suppression $share: everybody is published" 4 "$(grep -c '^\*,\*$' out.csv)"
done
exits "k above the table, --suppression 1" 4 "$KANON" anonymize mini.csv --qi a,b --k 5 --method flash --suppression 1 -o none.csv --quiet
absent "k above the table: nothing is written" none.csv

# ---- a value that is named like a larger group above it ----
printf 'q,s\na,x\na,x\na,x\na,x\na,x\nb,x\nb,x\nb,x\nc,x\nc,y\n' >same.csv
printf 'a;g1;a;*\nb;g1;a;*\nc;g2;a;*\n' >same_h.csv
exits "flash, one name for two groups" 0 "$KANON" anonymize same.csv --qi q --sensitive s --hierarchy q=same_h.csv --k 1 --method flash \
    -o out.csv --report r.json --quiet
is "flash minimises what is reported" 0.4 "$(number r.json loss)"
is "flash: the level that does" "g1 g2" "$(tail -n +2 out.csv | cut -d, -f1 | sort -u | xargs)"

# ---- local is not worse than mondrian, with sets and a distance along a hierarchy ----
cat >in.csv <<'T'
q0,q1,q2,s
v0,v1,v4,s2
v1,v2,v4,s1
v1,v3,v0,s2
v1,v2,v0,s5
v1,v3,v4,s3
v1,v3,v4,s3
v0,v3,v3,s0
v0,v3,v5,s3
v1,v2,v3,s3
v0,v3,v4,s3
v1,v3,v2,s5
v1,v3,v4,s3
v0,v1,v0,s0
v0,v1,v4,s4
v1,v1,v4,s2
v1,v3,v5,s0
v0,v3,v4,s3
v1,v3,v1,s3
v1,v3,v5,s5
v0,v2,v0,s2
v1,v3,v3,s2
v1,v2,v4,s2
v1,v2,v4,s1
v1,v3,v4,s2
v0,v3,v4,s5
v0,v1,v4,s3
v1,v1,v4,s3
v1,v1,v4,s5
v0,v2,v3,s5
v0,v1,v4,s3
T
printf 'v%s;ALL\n' 1 2 3 0 >h1.csv
printf 's0;g1_1;g2_0;root\ns5;g1_1;g2_0;root\ns1;g1_2;g1_2;root\ns4;g1_1;g2_0;root\ns3;g1_0;g2_0;root\ns2;g1_0;g2_0;root\n' >hs.csv
for method in mondrian local; do
    exits "$method with t-closeness" 0 "$KANON" anonymize in.csv --qi q0,q1,q2 --sensitive s --hierarchy q1=h1.csv --hierarchy s=hs.csv --k 1 \
        --guarantee k-anonymity,t-closeness --t 0.3 --distance hierarchical --method $method -o $method.csv --report $method.json --quiet
done
mondrian=$(number mondrian.json loss)
local=$(number local.json loss)
exits "local loses $local, mondrian $mondrian" 0 awk "BEGIN { exit !($local <= $mondrian && $mondrian < 0.14) }"

finish
