#!/usr/bin/env bash
# Every kind of report in a browser, green, amber and red: axe-core finds nothing serious, light, dark
# and on paper, and on a narrow screen nothing sticks out. Skipped without chromium, or where axe-core cannot be fetched
# (npm; or AXE names axe.min.js).
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "no chromium here"
    exit 77
}
if [ -z "${AXE:-}" ]; then
    if ! { command -v npm >/dev/null && timeout 60 npm pack --silent axe-core@4 >name 2>/dev/null &&
        tar -xzf "$(tail -n 1 name)" package/axe.min.js; }; then
        echo "axe-core cannot be fetched"
        exit 77
    fi
    AXE=package/axe.min.js
fi

# page NAME LOOK: the report with axe inside, which replaces the page by what it found. Styles of
# LOOK (screen, dark, print) apply always.
page() {
    {
        sed -e '/Content-Security-Policy/d' -e "s/style-src 'unsafe-inline'\"\/>//" -e '/<\/body>/,$d' \
            -e "$(case $2 in
                dark) echo 's/prefers-color-scheme:dark/min-width:1px/g' ;;
                print) echo 's/@media print/@media all/g' ;;
                *) echo b ;;
                esac)" "$1.html"
        echo '<script>'
        cat "$AXE"
        cat <<'SCRIPT'
const wide = document.documentElement.scrollWidth > window.innerWidth ? 'WIDE ' : '';
const say = words => {
    if (parent !== window) {
        parent.postMessage(words, '*');
    }
    document.documentElement.innerHTML = '<pre>' + words + '</pre>';
};
axe.run().then(r => {
    const bad = r.violations.filter(v => v.impact === 'serious' || v.impact === 'critical')
        .map(v => v.id + ' ' + v.nodes[0].target);
    say('FOUND ' + r.passes.length + ' rules; ' + wide + bad.join('; ') + ' END');
});
</script></body></html>
SCRIPT
    } >"$1.$2.html"
}

# browse NAME: what is found in the page in a wide window, in a narrow one, in the dark and on paper, into $found. A browser shows all
# four at once, each in a frame of its width, because starting it takes longer than looking.
frames=(screen:1400 screen:400 dark:1400 print:690)
browse() {
    local look
    {
        echo '<!DOCTYPE html><title>frames</title><pre></pre>'
        for look in "${frames[@]}"; do
            echo "<iframe src=\"$1.${look%:*}.html\" width=\"${look#*:}\" height=\"900\" style=\"border:0;display:block\"></iframe>"
        done
        cat <<'SCRIPT'
<script>onmessage = e => {
    const number = [...document.querySelectorAll('iframe')].findIndex(f => f.contentWindow === e.source);
    document.querySelector('pre').textContent += number + ' ' + e.data + '\n';
};</script>
SCRIPT
    } >framed.html
    for look in screen dark print; do
        page "$1" "$look"
    done
    found=$(timeout 120 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 --window-size=1400,3700 --dump-dom \
        "file://$PWD/framed.html" 2>/dev/null)
}
# in_frame NUMBER: what was found there.
in_frame() { sed -n "s/.*\b$1 FOUND [1-9][0-9]* rules; \(.*\) END.*/found: \1/p" <<<"$found"; }

looks() {
    local number
    browse "$1"
    for number in "${!frames[@]}"; do
        is "$1, ${frames[number]/:/, } px wide: nothing serious" "found: " "$(in_frame "$number")"
    done
}

for n in people:csv:600 clinic:csv:400 baskets:dat:500 clinic-trees:trees:300 loans:csv:400 income:dat:400; do
    IFS=: read -r name format records <<<"$n"
    "$KANON" sample "$name" --records "$records" --seed 3 -o "$name.$format" --hierarchies "$name" \
        --schema "$name.json"
done
"$KANON" anonymize people.csv --schema people.json --k 5 -o t.csv --report table.html --quiet \
    --title "A release" --note "For the board" --date 2026-01-31
"$KANON" anonymize people.csv --schema people.json --k 5 -o t.csv --report rows.html --quiet \
    --original-rows 3
"$KANON" anonymize clinic.csv --schema clinic.json --guarantee k-km-anonymity --k 5 --m 2 -o c.csv \
    --report mixed.html --quiet
"$KANON" anonymize baskets.dat --schema baskets.json --guarantee km-anonymity --k 5 --m 2 -o b.dat \
    --report items.html --quiet
"$KANON" anonymize clinic-trees.trees --schema clinic-trees.json --guarantee kmn-anonymity --k 5 \
    --m 2 --n 1 -o c.trees --report trees.html --quiet
"$KANON" mine tree loans.csv --schema loans.json --class risk --k 5 --no-prune -o tree.json --report model.html --quiet
"$KANON" anonymize people.csv --schema people.json --sweep k=2,5,10 --report sweep.html --quiet
"$KANON" mine clusters loans.csv --schema loans.json --k 5 --clusters 3 -o m.json --report clusters.html --quiet \
    --title "Three kinds of loans" --note "For the board" --date 2026-01-31
"$KANON" mine rules baskets.dat --schema baskets.json --k 5 -o m.json --report rules.html --quiet
"$KANON" anonymize people.csv --schema people.json --sweep k=2,5 --sweep method=local,mondrian --report risk.html --quiet \
    --title "Which k?" --note "For the board" --date 2026-01-31
"$KANON" anonymize income.dat --schema income.json --guarantee km-anonymity --k 5 --m 2 --method acd -o i.dat \
    --report numbers.html --quiet
# Names of columns as long as questions, and a model of other data.
{
    printf '"1. How old are you?","How often in the last twelve months did you see a doctor, a nurse or another person who looks after your health? Please count '
    printf 'all of the visits.","Do you smoke (yes, no, sometimes)?","%s"\n' "$(printf 'aword%.0s' $(seq 25))"
    for i in $(seq 300); do echo "$((20 + i % 40)),$((i * 7 % 31)),$([ $((i % 2)) = 0 ] && echo yes || echo no),$((i % 10))"; done
} >questions.csv
"$KANON" anonymize questions.csv --k 5 --qi '1. How old are you?' --keep-rest --allow-unique "\"$(sed -n '1s/^[^,]*,"\([^"]*\)".*/\1/p' questions.csv)\"" -o q.csv \
    --report long.html --quiet
"$KANON" sample loans --records 400 --seed 4 -o others.csv
"$KANON" mine --check tree.json others.csv --schema loans.json --k 5 --report untold.html --quiet
# A model that does not hold: what is possible for whom.
"$KANON" mine tree loans.csv --schema loans.json --class risk --k 1 --smallest 1 --no-prune -o m.json --quiet
"$KANON" mine --check m.json loans.csv --schema loans.json --k 100 --report exposed.html --quiet
# Values that cannot be met, tables against their items, and long names of groups with sensitive values.
"$KANON" anonymize people.csv --schema people.json --sweep k=5,1000 --report unmet.html --quiet 2>words
"$KANON" anonymize clinic.csv --schema clinic.json --guarantee k-km-anonymity --k 5 --m 2 --method rum-bound --sweep delta=0.6:1:0.2 \
    --report both.html --quiet 2>>words
"$KANON" anonymize people.csv --id id,name --qi sex,country,occupation --sensitive diagnosis --drop-rest --guarantee l-diversity,t-closeness \
    --k 5 --l 2 --t 0.5 -o d.csv --report diverse.html --quiet
# More quasi-identifiers than paper has room for beside each other.
"$KANON" anonymize loans.csv --id id,name --qi sex,age,postcode,country,marital,education,occupation,sector,home,income,savings,loan,risk --k 5 -o w.csv \
    --report wide.html --original-rows 4 --quiet
pages="table rows wide mixed items numbers trees model clusters rules sweep risk long untold exposed unmet both diverse"
if "$KANON" --version | grep -q '^built in:.* geos'; then
    "$KANON" sample towers --records 1000 --seed 3 -o towers.dat --coordinates xy.csv --schema towers.json
    "$KANON" anonymize towers.dat --schema towers.json --guarantee sigma-km-anonymity --k 5 --m 1 \
        --sigma 0.9 --method sampling --coordinates xy.csv --names areas --mapping m.csv -o p.dat \
        --report places.html --quiet
    pages+=" places"
fi
# A release that does not hold is withheld; programs may show what was found all the same.
sed -e 's/class="verdict open"/class="verdict bad"/' -e 's/⚠ Holds, with [^<]*/✗ Does not hold/' table.html >fails.html
for name in $pages; do
    there "$name: is written" "$name.html"
done
for name in $pages fails; do
    looks "$name"
done
# The pages are of the kinds that they are named after.
exits "a model: the tree has branches" 0 grep -q 'Leaves</dt><dd>3<' model.html
exits "a model of other data: it cannot be told" 0 grep -q 'it cannot be told' untold.html
exits "a model that reveals too much: it does not hold" 0 grep -q 'Does not hold' exposed.html
exits "a table: points to settle" 0 grep -q 'Holds, with 3 points to settle' table.html
# What does not apply is left out.
is "items and trees: nothing is said about other columns" "0 0" "$(grep -c 'id="whole"' items.html) $(grep -c 'id="whole"' trees.html)"
# On paper a column has half a page, unless its values are so long that figures would cover them.
is "long published values have the whole width of a page" "yes" "$(sed -n 's/.*<div class="column both long"><h3>.*/yes/p' diverse.html | head -n 1)"
# Words of one's own on pages of models and sweeps.
for words in "clusters:Three kinds of loans" "risk:Which k?"; do
    page=${words%%:*}.html
    is "$page: title, date and note" "yes yes yes" "$(for w in "<p class=\"title\">${words#*:}</p>" ', 2026-01-31</p>' \
        '<p class="remark">For the board</p>'; do grep -qF "$w" "$page" && echo yes; done | tr '\n' ' ' | sed 's/ $//')"
done
# The test would see it.
sed 's/<h1>/<img src="x"\/><div style="width:900px">wide<\/div><h1>/' table.html >broken.html
browse broken
is "a page with a picture without words, too wide" "found: WIDE image-alt img" "$(in_frame 1)"
finish
