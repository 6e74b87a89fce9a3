#!/usr/bin/env bash
# rotation.sh [LEG] - run the tests under a sanitizer of gcc's or clang's, or under valgrind: LEG, else $KN_LEG, else the one whose turn it is
# by the number of commits, so that CI looks through all of them and takes no longer for it. `rotation.sh --which` says which it is.
# A leg that is named runs all tests with all their random data, a race detector and valgrind with a tenth of it, as they are slower by far.
# One in turn runs a third of the tests ($KN_PART: three commits, one after the other, have all of them) with a quarter of the random data
# ($KN_ROUNDS, see tests/rounds.h): the plain run has the rest.
set -eu
cd "$(dirname "$0")/.."
legs=(sanitize clang-sanitize tsan clang-tsan valgrind)
in_turn=(sanitize clang-sanitize) # those that have passed as a whole within the time of CI; the others run by name until they have

# $KN_TURN, else the number of the commit; of a clone without history, a number from its name.
number() {
    if [ -n "${KN_TURN:-}" ]; then
        echo "$KN_TURN"
    elif [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
        git rev-list --count HEAD
    elif name=$(git rev-parse HEAD 2>/dev/null); then
        echo $((16#${name:0:7}))
    else
        echo 0 # no repository
    fi
}

which=no
if [ "${1:-}" = --which ]; then
    which=yes
    shift
fi
leg=${1:-${KN_LEG:-}}
words=$leg
if [ -z "$leg" ]; then
    turn=$(number)
    leg=${in_turn[$((turn / 3 % ${#in_turn[@]}))]}
    export KN_PART=${KN_PART:-$((turn % 3 + 1))} KN_ROUNDS=${KN_ROUNDS:-25}
    words="$leg, part $KN_PART of 3 of the tests"
fi
if [[ " ${legs[*]} " != *" $leg "* ]]; then
    echo "rotation: no leg '$leg': ${legs[*]} are known" >&2
    exit 2
fi
if [[ $leg = *tsan || $leg = valgrind ]]; then
    export KN_ROUNDS=${KN_ROUNDS:-10}
fi
if [ $which = yes ]; then
    echo "$words"
else
    exec make --no-print-directory "$leg"
fi
