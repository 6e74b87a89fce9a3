#!/usr/bin/env bash
# docs_c.sh - the C of the README and of the pages about the library compiles. A piece without a function is
# put into one, with the variables that a program has by then.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

if ! command -v cc >/dev/null; then
    echo "skipped: there is no C compiler called cc"
    exit 77
fi
pieces=0
for page in README.md docs/api.md docs/partial.md docs/arrow.md; do
    rm -f piece-*
    awk '/^ *```c$/ { n++; on = 1; next } /^ *```$/ { on = 0 } on { print > ("piece-" n) }' "$SOURCE_DIR/$page"
    for piece in piece-*; do
        [ -f "$piece" ] || continue
        pieces=$((pieces + 1))
        {
            echo '#include <kanon.h>'
            echo '#include <stdio.h>'
            echo '#include <string.h>'
            if grep -qE '^(static )?[a-z_]+ .*\)$' "$piece"; then
                sed '/^ *#include/d' "$piece"
            else
                echo 'static kn_error err; static kn_schema *schema; static kn_dataset *table; static kn_release *release;'
                echo 'static kn_hierarchies *hierarchies; static kn_params *params; static kn_anonymize_options options;'
                echo 'static struct ArrowArrayStream stream, out; static kn_read_options how;'
                echo 'static void example(void) {'
                sed '/^ *#include/d' "$piece"
                echo '}'
                echo 'void use_it(void); void use_it(void) { example(); (void)err; (void)schema; (void)table; (void)release; (void)hierarchies;'
                echo '(void)params; (void)options; (void)stream; (void)out; (void)how; }'
            fi
        } >piece.c
        exits "$page: $piece compiles" 0 cc -std=c17 -Wall -Wextra -Werror -Wno-missing-prototypes -Wno-shadow -I"$SOURCE_DIR/include" -fsyntax-only piece.c
    done
done
is "there are pieces of C" yes "$([ "$pieces" -ge 3 ] && echo yes)"
finish
