#!/usr/bin/env bash
# readme.sh - the kanon commands in the sh blocks of the README and of the pages about the command work as written, one after
# the other, in one folder; and a block without a language that follows shows what they print. It may be shortened: every line
# of it but `...` is a line of the output, in this order; `...` within a line stands for anything. Times are not compared.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

mkdir bin
ln -s "$KANON" bin/kanon
PATH=$PWD/bin:$PATH

# blocks_of PAGE: its sh blocks as blocks/N.commands, continued lines joined, only those that start with kanon (or build/kanon);
# what a block prints as blocks/N.output.
blocks_of() {
    rm -rf blocks
    mkdir blocks
    awk '/^ +```/ { indent = match($0, /`/) - 1 }
         indent { $0 = substr($0, indent + 1); if (/^```$/) indent = 0 }
         /^```sh$/ { n++; on = "commands"; next }
         /^```$/ && on == "" && n && !far { on = "output"; next }
         /^```/ { if (on == "") { far = 1; on = "other" } else { far = on != "commands"; on = "" } next }
         on == "commands" || on == "output" { printf "%s\n", $0 >sprintf("blocks/%03d.%s", n, on) }
         on == "" && NF { far = 1 }
         on == "commands" { far = 0 }' "$1"
    for block in blocks/*.commands; do
        sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' "$block" | sed -e 's|^\$ ||' -e 's|^build/kanon |kanon |' |
            grep '^kanon ' >"$block.kanon"
        mv "$block.kanon" "$block"
    done
}

# Times with the blanks before them, and blanks at the end of a line.
masked() { sed -E 's/(^|[^0-9.])[0-9]+\.[0-9]{3}($|[^0-9])/\1TIME\2/g; s/ +TIME/ TIME/g; s/ +$//' "$1"; }

# missing_line SHOWN PRINTED: the first line that is not in the output, or nothing.
missing_line() {
    awk 'function same(line, wanted,    i, rest) {
             i = index(wanted, "...")
             if (!i) return line == wanted
             rest = substr(wanted, i + 3)
             return substr(line, 1, i - 1) == substr(wanted, 1, i - 1) && length(line) >= i - 1 + length(rest) &&
                 substr(line, length(line) - length(rest) + 1) == rest
         }
         NR == FNR { shown[++n] = $0; next }
         at < n { while (at < n && (shown[at + 1] ~ /^ *[.][.][.]$/ || shown[at + 1] == "")) at++
                  if (at < n && same($0, shown[at + 1])) at++ }
         END { while (at < n && (shown[at + 1] ~ /^ *[.][.][.]$/ || shown[at + 1] == "")) at++
               if (at < n) print shown[at + 1] }' <(masked "$1") <(masked "$2")
}

compared=0
for page in README.md docs/cli.md docs/jobs.md docs/tutorial.md docs/rt.md docs/models.md docs/trees.md docs/rules.md docs/model-formats.md \
    docs/which-k.md docs/hierarchies.md docs/clusters.md docs/tree-anonymity.md; do
    if [ ! -f "$SOURCE_DIR/$page" ]; then
        echo "ok - $page # SKIP it is not there"
        continue
    fi
    blocks_of "$SOURCE_DIR/$page"
    for block in blocks/*.commands; do
        : >printed
        skips=
        while IFS= read -r line; do
            # A command that says `# exit 1` is expected to.
            wanted=0
            case $line in *"# exit "[0-9]*) wanted=${line##*"# exit "} ;; esac
            case $line in
            *../shared/*)
                if [ ! -d "$SOURCE_DIR/../shared" ]; then
                    echo "ok - $page: $line # SKIP no data"
                    skips=yes
                    continue
                fi
                line=${line//..\/shared/$SOURCE_DIR/../shared}
                ;;
            esac
            exits "$page: $line" "$wanted" bash -c "$line" </dev/null
            printf '%s\n' "$out" "$err" >>printed
        done <"$block"
        shown=${block%.commands}.output
        if [ -f "$shown" ] && [ -s "$block" ] && [ -z "$skips" ]; then
            is "$page: what $(head -n 1 "$block") prints" "" "$(missing_line "$shown" printed)"
            compared=$((compared + 1))
        fi
    done
    if [ -n "$(cat blocks/*.commands)" ]; then ok "$page: there were commands"; else not_ok "$page: there were commands"; fi
done
is "outputs were compared" yes "$([ "$compared" -ge 12 ] && echo yes || echo "only $compared")"
finish
