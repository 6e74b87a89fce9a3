#!/usr/bin/env bash
# includes.sh - compares every #include of src/ with src/deps.txt, and the table of CONTRIBUTING.md with
# it; and looks for choices among guarantees, methods and kinds of models outside their rooms, and for types with the same name. Prints what is not allowed; the exit
# status says whether there was anything.
set -eu
cd "$(dirname "$0")/.."

find src -name '*.[ch]' | LC_ALL=C sort | xargs grep -nHE '^#include "' |
    awk -F: '
    FNR == NR {
        if ($0 !~ /^[a-z]+(\/[a-z]+)*:/) next
        n = split($2, names, " ")
        room[$1] = 1
        for (i = 1; i <= n; i++) allowed[$1, names[i]] = 1
        next
    }
    {
        file = $1; sub(/^src\//, "", file)
        header = $3; sub(/^#include "/, "", header); sub(/".*/, "", header)
        if (header ~ /^kanon(\.h$|\/)/) next
        from = file; sub(/\/.*/, "", from); sub(/\.c$/, "", from)
        to = header; sub(/\/.*/, "", to)
        # A folder with a row of its own, such as guarantees/recount, is judged by that row alone.
        folder = file; sub(/\/[^\/]*$/, "", folder)
        if (folder in room) {
            inside = index(header, folder "/") == 1
            from = folder
        } else {
            inside = to == from
        }
        if (!inside && !((from, to) in allowed) && !((from, header) in allowed)) { print $1 ":" $2 ": " from "/ may not include " header " (src/deps.txt)"; bad = 1 }
    }
    END { exit bad }' src/deps.txt - || result=1

# Only guarantees/ knows one guarantee from another: the others ask its rows. (Judges of models make an l-diversity to
# count with; that is no choice among kinds.)
if grep -rnE 'KN_[A-Z_]*(ANONYMITY|DIVERSITY|CLOSENESS)\b' src --include='*.[ch]' | grep -v '^src/guarantees/' |
    grep -vE '\{\.kind = KN_L_DIVERSITY,$' >&2; then
    echo "src/: kinds of guarantees are told apart in src/guarantees/ only: ask the row (guarantees/registry.h)" >&2
    result=1
fi

# Kinds of models likewise: code asks the row (models/registry.h). Formats write each kind in a form of its own, tables that have an entry per
# kind are fine, and the command has the public headers only.
if grep -rnE 'kind [=!]= KN_MODEL_|case KN_MODEL_' src --include='*.[ch]' | grep -vE '^src/(models/(tree|clusters|rules|format)|cli)/' >&2; then
    echo "src/: kinds of models are distinguished in the folders of src/models/ only: ask the row (models/registry.h)" >&2
    result=1
fi

# Methods likewise: no code compares with the name of a method, which has a row for what is peculiar to it.
methods=$(grep -rhA 1 'KN_ENTRY_METHOD,' src/methods --include='*.c' | sed -nE 's/^ +\.name = "(.*)",$/\1/p' | paste -sd '|')
if grep -rnE "(strcmp|is)\(.*\"($methods)\"\)" src --include='*.[ch]' >&2; then
    echo "src/: no method is recognised by its name: ask its row (methods/registry.h)" >&2
    result=1
fi

# A name of the library stands for one type: two with the same name could not be used in one file.
twice=$(find src include -name '*.[ch]' -exec sed -nE 's/^\} (kn_\w+);$/\1/p; s/^typedef (struct|union|enum) (kn_\w+) kn_\w+;$/\2 &/p' {} + |
    awk 'NF == 1 { closed[$1]++ } NF > 1 { opened[$1]++ } END { for (n in closed) if (closed[n] > 1 || opened[n]) print n; for (n in opened) if (opened[n] > 1) print n }')
if [ -n "$twice" ]; then
    echo "src/: more than one type is called so: $twice" >&2
    result=1
fi

# "| `src/ROOM/` | its job | what it may use |", as deps.txt says it.
while IFS=: read -r room uses; do
    want=$(echo "$uses" | sed -E 's/^ *//; s/ +/, /g')
    line=$(grep -F "| \`src/$room" CONTRIBUTING.md | grep -E "src/$room(/|\.c)\`" || true)
    have=$(echo "$line" | awk -F'|' '{ gsub(/^ +| +$/, "", $4); print $4 }')
    if [ "$have" != "${want:--}" ]; then
        echo "CONTRIBUTING.md: the row of src/$room says '$have', src/deps.txt '${want:--}'" >&2
        result=1
    fi
done < <(grep -E '^[a-z]+:[a-z ]*$' src/deps.txt)
exit "${result:-0}"
