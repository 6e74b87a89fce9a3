#!/usr/bin/env bash
# architecture.sh - the worked examples of docs/architecture.md compile, and none is longer than 40 lines.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

page=$SOURCE_DIR/docs/architecture.md
# Each C block into a file of its own, called by the name in its first line.
awk '/^```c$/ { on = 1; next } /^```/ { on = 0; name = "" }
     on && !name { name = $2; gsub(/.*\//, "", name) }
     on { print > name }' "$page"

count=0
for source in *.c; do
    count=$((count + 1))
    lines=$(wc -l <"$source")
    if [ "$lines" -le 40 ]; then ok "$source is short"; else not_ok "$source is short" "$lines lines"; fi
    exits "$source compiles" 0 "${CC:-cc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -I "$SOURCE_DIR/src" \
        -I "$SOURCE_DIR/include" -c "$source" -o example.o
done
is "a method, a guarantee and a format" 3 "$count"
finish
