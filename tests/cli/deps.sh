#!/usr/bin/env bash
# deps.sh - installing packages waits for apt's locks: the system's own updates hold them in the first
# minutes of a new machine. apt-get and all that deps.sh looks for are made up here.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

mkdir bin
for tool in bash env grep tail mktemp rm cat; do
    ln -s "$(command -v $tool)" "bin/$tool"
done
# fake NAME LINE...: a script of that name.
fake() {
    local name=bin/$1
    shift
    printf '%s\n' "#!$(command -v bash)" "$@" >"$name"
    chmod +x "$name"
}
fake id 'echo 0'
fake sleep 'echo "$1" >>sleeps'
# Fails for the first $HELD calls, as apt-get does when another program holds a lock.
fake apt-get 'echo "$*" >>calls' \
    'if [ "$(grep -c . calls)" -le "$HELD" ]; then echo "E: ${WORDS}" >&2; exit 100; fi'
deps=(env PATH="$PWD/bin" HELD=0 WORDS="Could not get lock /var/lib/apt/lists/lock." bash
    "$SOURCE_DIR/scripts/deps.sh" build)

exits "no lock is held" 0 "${deps[@]}"
is "every call waits for dpkg's lock" "" "$(grep -v 'DPkg::Lock::Timeout=600' calls)"
is "updates, then installs" "update" "$(head -n 1 calls | grep -ow update)"
absent "nothing to wait for" sleeps
rm -f calls

deps[2]=HELD=2
exits "a lock is held twice" 0 "${deps[@]}"
prints "a lock is held: says so" "another program holds apt's lock; waiting"
is "a lock is held: waits twice" 2 "$(grep -c . sleeps)"
rm -f calls sleeps

deps[2]=HELD=100 deps[3]="WORDS=Unable to locate package cmake"
exits "another failure" 1 "${deps[@]}"
says "another failure: is shown" "Unable to locate package cmake"
says "another failure: what to do" "please install what these Debian packages hold"
absent "another failure: no waiting" sleeps
finish
