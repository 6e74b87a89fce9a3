#!/usr/bin/env bash
# foreign.sh - models that were made elsewhere: values that nobody has, and several files that are all there or none.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# ---- two attackers: one believes the model's domain, one knows the data ----
cat >model.json <<'END_OF_FILE'
{"kanon_model": 1, "kind": "tree", "class": "risk", "attributes": [
  {"name": "risk", "type": "category", "values": ["bad", "good"]},
  {"name": "town", "type": "category", "values": ["a", "b"]},
  {"name": "job", "type": "category", "values": ["x", "y", "z"]}],
 "missing": "nothing", "last_answer": false, "nodes": [{"test": {"is": "true"}},
  {"parent": 0, "answer": "good", "test": {"is": "or", "parts": [
    {"is": "and", "parts": [{"is": "in", "attribute": "town", "values": ["a"]},
                            {"is": "in", "attribute": "job", "values": ["z"]}]},
    {"is": "and", "parts": [{"is": "in", "attribute": "town", "values": ["b"]},
                            {"is": "in", "attribute": "job", "values": ["x"]}]}]}},
  {"parent": 0, "answer": "bad", "test": {"is": "true"}}]}
END_OF_FILE
cat >data.csv <<'END_OF_FILE'
name,risk,town,job
Ada,bad,a,x
Bo,good,a,y
Cleo,bad,b,x
Dan,bad,b,y
Eve,good,b,x
Finn,bad,b,y
END_OF_FILE
roles=(--id name --qi town --sensitive "job,risk")
exits "nobody works as z: it does not hold" 1 "$KANON" mine --check model.json data.csv "${roles[@]}" --k 3 --report told.html
golden "nobody works as z" mine-foreign.txt
is "the page says so" 1 "$(grep -c 'this is the worse verdict, without them' told.html)"
exits "nobody works as z: for programs" 1 "$KANON" mine --check model.json data.csv "${roles[@]}" --k 3 --json
prints "nobody works as z: the domain" '"domain": "data"'
prints "nobody works as z: what the model makes believe" '"other_k": 6'
sed 's/good,a,y/good,a,z/' data.csv >z.csv
exits "somebody does: it holds" 0 "$KANON" mine --check model.json z.csv "${roles[@]}" --k 6
case $out in *"the data lacks"*) not_ok "one domain, one verdict" "$out" ;; *) ok "one domain, one verdict" ;; esac
printf 'x;all\ny;all\nz;all\n' >job.csv
exits "a hierarchy says that somebody could" 0 "$KANON" mine --check model.json data.csv "${roles[@]}" --k 6 --hierarchy job=job.csv

# ---- several files ----
mined=(mine tree z.csv "${roles[@]}" --class risk --k 2 --quiet)
if [ -w /dev/full ]; then
    ln -s /dev/full full.pmml
    echo older >b.txt
    exits "a file without room" 5 "$KANON" "${mined[@]}" -o a.json -o full.pmml -o b.txt --report c.html
    says "a file without room: which" "full.pmml"
    absent "a file without room: no JSON" a.json
    absent "a file without room: no report" c.html
    is "a file without room: the older file is as it was" older "$(cat b.txt)"
    is "a file without room: nothing else is left" "" "$(find . -name '.*' -type f)"
fi
exits "no folder" 5 "$KANON" "${mined[@]}" -o a.json -o nowhere/b.json
says "no folder: says so" "nowhere/b.json: cannot write the file: its folder"
absent "no folder: nothing is written" a.json
ln -s new.json link.json
exits "two names of a file that is not there yet" 2 "$KANON" "${mined[@]}" -o link.json -o new.json
says "two names of one file" "given twice"
absent "two names of one file: nothing is written" new.json
exits "one of them" 0 "$KANON" "${mined[@]}" -o link.json
there "behind the link" new.json
finish
