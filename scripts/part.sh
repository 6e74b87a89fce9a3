#!/usr/bin/env bash
# part.sh BUILD_DIR LEG PART/OF [CTEST_OPTION...] - the names of the tests of a build that LEG runs, one part of OF of them. LEG is a preset;
# scripts/left-out.txt lists the tests that it leaves out, and why. Which part a test is in depends on its name only, so that it stays there
# when others are added. 1/1 is all of them.
set -eu
left_out=$(cd "$(dirname "$0")" && pwd)/left-out.txt
build=$(cd "$1" && pwd) leg=$2 part=${3%/*} of=${3#*/}
if [[ ! $3 =~ ^[1-9][0-9]?/[1-9][0-9]?$ ]] || [ "$part" -gt "$of" ]; then
    echo "part: '$3' is no part: give 2/3 for the second of three" >&2
    exit 2
fi
shift 3
# A list of tests, too, replaces the log of the last run in its folder, which test.sh counts: list them from a folder aside.
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT
echo "subdirs(\"$build\")" >"$aside/CTestTestfile.cmake"
names() { ctest --test-dir "$aside" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p'; }

names "$@" >"$aside/names"
while read -r legs tests _; do
    if [[ ,$legs, != *",$leg,"* ]]; then continue; fi
    if [[ $tests = without:* ]]; then # the tests without this label
        names -L "^${tests#without:}\$" | { grep -xFf - "$aside/names" || true; } >"$aside/rest"
    else
        grep -vE -- "$tests" "$aside/names" >"$aside/rest" || true
    fi
    mv "$aside/rest" "$aside/names"
done < <(grep -E '^[a-z]' "$left_out")

mkdir "$aside/sums" # a file a name: one call of cksum for all of them
while read -r name; do printf %s "$name" >"$aside/sums/$name"; done <"$aside/names"
cd "$aside/sums"
# These digits of the sum divide the time of today's tests best.
find . -type f -exec cksum {} + | while read -r sum _ name; do
    if [ $((sum / 256 % of + 1)) -eq "$part" ]; then echo "${name#./}"; fi
done
