#!/usr/bin/env bash
# pictures.sh KANON FOLDER - write the pictures of the documentation into FOLDER: reports, a hierarchy, equivalence classes and a
# sweep of the people that kanon sample makes up. It needs chromium; what it draws depends on its fonts, so the pictures are in the
# tree, and this makes them again when the pages change (make pictures).
set -eu
kanon=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "pictures.sh: chromium is not here" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# shoot PAGE PICTURE HEIGHT [STYLE]: 1000 pixels wide, with a style that hides what is not to be seen.
shoot() {
    sed "s|</style>|${4:-} main{padding-top:1rem}</style>|" "$1" >shown.html
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb \
        --window-size="1000,$3" --screenshot="$folder/$2.png" "file://$work/shown.html" >/dev/null 2>&1
    echo "$2.png"
}
# The section of a page with this id, alone.
only() { echo "header,main>section:not(\\#$1),footer{display:none!important}h2{border:0!important;margin:0!important}"; }

"$kanon" sample people --records 5000 --seed 1 -o people.csv --hierarchies hierarchies --schema people.json
"$kanon" sample baskets --records 3000 --seed 1 -o baskets.dat --hierarchies baskets --schema baskets.json
"$kanon" anonymize people.csv --schema people.json --k 5 -o public.csv --report report.html --quiet
"$kanon" anonymize baskets.dat --schema baskets.json --guarantee km-anonymity --k 5 --m 2 -o public.dat --report items.html --quiet
"$kanon" anonymize people.csv --schema people.json --sweep k=2,5,10 --sweep method=local,mondrian,flash --report sweep.html --quiet

shoot report.html report 800
shoot report.html report-columns 900 "$(only columns)"
shoot report.html report-classes 350 "$(only groups)"
shoot items.html report-items 460
shoot sweep.html sweep 455 "$(only risk)"

{
    echo '<!DOCTYPE html><meta charset="utf-8"><style></style><body style="margin:1.5rem;font:15px/1.4 monospace"><main><pre>'
    echo '$ kanon hierarchy show hierarchies/occupation.csv --children 2'
    "$kanon" hierarchy show hierarchies/occupation.csv --children 2
    echo '</pre></main></body>'
} >hierarchy.html
shoot hierarchy.html hierarchy 500
