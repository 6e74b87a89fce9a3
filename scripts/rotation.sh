#!/usr/bin/env bash
# rotation.sh [LEG] - run the tests under a sanitizer of gcc's or clang's, or under valgrind: LEG, else $KN_LEG, else the one whose turn it is
# by the number of commits, so that CI looks through all of them and takes no longer for it. `rotation.sh --which` says which it is,
# `rotation.sh --turns` lists all turns.
# A leg runs a part of the random data of each test ($KN_ROUNDS, see tests/rounds.h): the plain run has the rest. One that is named runs all of
# its tests, one in turn a part of them ($KN_PART: as many commits as it has parts, one after the other, have all of them).
# Tests that a leg leaves out are in scripts/left-out.txt, with the reason.
set -eu
cd "$(dirname "$0")/.."
# LEG/PARTS: on two cores with nothing else to do, a part takes five minutes at the most.
legs=(sanitize/3 tsan/3 clang-sanitize/3 clang-tsan/3 valgrind/4)
turns=()
for leg in "${legs[@]}"; do
    for ((part = 1; part <= ${leg#*/}; part++)); do turns+=("${leg%/*} $part/${leg#*/}"); done
done

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
case "${1:-}" in
--which)
    which=yes
    shift
    ;;
--turns)
    printf '%s\n' "${turns[@]}"
    exit
    ;;
esac
leg=${1:-${KN_LEG:-}}
words=$leg
few=10 # a race detector and valgrind are slower by far
if [ -z "$leg" ]; then
    read -r leg part <<<"${turns[$(($(number) % ${#turns[@]}))]}"
    export KN_PART=${KN_PART:-$part}
    words="$leg, part ${KN_PART%/*} of ${KN_PART#*/} of its tests"
    if [[ $leg = *sanitize ]]; then few=25; fi
elif [[ $leg = *sanitize ]]; then
    few=100
fi
if [[ " ${legs[*]%/*} " != *" $leg "* ]]; then
    echo "rotation: no leg '$leg': ${legs[*]%/*} are known" >&2
    exit 2
fi
export KN_ROUNDS=${KN_ROUNDS:-$few}
if [ $which = yes ]; then
    echo "$words"
else
    exec make --no-print-directory "$leg"
fi
