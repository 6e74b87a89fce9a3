#!/usr/bin/env bash
# readme.sh - the kanon commands in the sh blocks of the README and of the pages about the command work as written, one after
# the other, in one folder.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

mkdir bin
ln -s "$KANON" bin/kanon
PATH=$PWD/bin:$PATH

# commands_of PAGE: the lines of its sh blocks, continued lines joined; only those that start with kanon (or build/kanon).
commands_of() {
    awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$1" |
        sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' |
        sed -e 's|^\$ ||' -e 's|^build/kanon |kanon |' |
        grep '^kanon '
}

for page in README.md docs/cli.md docs/jobs.md docs/tutorial.md docs/rt.md docs/models.md docs/trees.md docs/rules.md docs/model-formats.md; do
    if [ ! -f "$SOURCE_DIR/$page" ]; then
        echo "ok - $page # SKIP it is not there"
        continue
    fi
    commands_of "$SOURCE_DIR/$page" >commands.txt
    while IFS= read -r line; do
        # A command that says `# exit 1` is expected to.
        wanted=0
        case $line in *"# exit "[0-9]*) wanted=${line##*"# exit "} ;; esac
        case $line in
        *../shared/*)
            if [ ! -d "$SOURCE_DIR/../shared" ]; then
                echo "ok - $page: $line # SKIP no data"
                continue
            fi
            line=${line//..\/shared/$SOURCE_DIR/../shared}
            ;;
        esac
        exits "$page: $line" "$wanted" bash -c "$line" </dev/null
    done <commands.txt
    if [ -s commands.txt ]; then ok "$page: there were commands"; else not_ok "$page: there were commands"; fi
done
finish
