#!/usr/bin/env bash
# killed.sh - killed at random moments, kanon leaves the whole checked file or none.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

"$KANON" sample people --records 40000 --seed 2 -o people.csv --hierarchies h --schema s.json
call=("$KANON" anonymize people.csv --schema s.json --k 5 --method mondrian --quiet -o out.csv --report r.json)
start=$(date +%s%N)
"${call[@]}" || not_ok "the call itself works"
took=$((($(date +%s%N) - start) / 1000)) # microseconds
whole=$(cksum <out.csv)

# round SIGNAL COUNT: starts the call, sends SIGNAL after a random part of its time.
round() {
    local signal=$1 count=$2 broken=0 left=0 bad_code=0 stopped=0 after pid got
    for _ in $(seq "$count"); do
        rm -f out.csv r.json .*.tmp
        "${call[@]}" 2>/dev/null &
        pid=$!
        after=$((took * ((RANDOM % 100) + 1) / 100))
        sleep "$(printf '%d.%06d' $((after / 1000000)) $((after % 1000000)))"
        kill "-$signal" "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
        got=$?
        if [ -e out.csv ] && [ "$(cksum <out.csv)" != "$whole" ]; then broken=$((broken + 1)); fi
        if [ "$signal" != KILL ]; then
            [ -z "$(find . -name '.*.tmp')" ] || left=$((left + 1))
            # 143: the signal came before the command had begun.
            case $got in 0 | 143) ;; 130) stopped=$((stopped + 1)) ;; *) bad_code=$((bad_code + 1)) ;; esac
            if [ "$got" = 130 ] && [ -e out.csv ]; then broken=$((broken + 1)); fi
            if [ "$got" = 0 ] && [ ! -e out.csv ]; then broken=$((broken + 1)); fi
        fi
    done
    is "$signal: the release is whole or absent ($count runs)" 0 "$broken"
    is "$signal: no temporary file is left" 0 "$left"
    is "$signal: exit 0 or 130" 0 "$bad_code"
    if [ "$signal" = TERM ]; then
        if [ "$stopped" -gt 0 ]; then ok "$signal: some were stopped"; else not_ok "$signal: some were stopped"; fi
    fi
}
RANDOM=1
rounds=${KILLED_ROUNDS:-10}
round KILL "$rounds"
round TERM "$rounds"

# Background jobs of scripts ignore SIGINT; env gives it back its default.
if env --default-signal=INT true 2>/dev/null; then
    call=(env --default-signal=INT "${call[@]}")
    round INT $((rounds / 2))
fi

# A second signal ends it at once, and still cleans up.
rm -f out.csv r.json .*.tmp
"${call[@]}" 2>/dev/null &
pid=$!
sleep "$(printf '%d.%06d' $((took / 2000000)) $((took / 2 % 1000000)))"
kill -TERM "$pid" 2>/dev/null
kill -TERM "$pid" 2>/dev/null
wait "$pid" 2>/dev/null
is "two signals: no temporary file is left" "" "$(find . -name '.*.tmp')"

# A command that waits for its input cannot answer the signal, and is ended without a second one.
mkfifo input
sleep 60 >input &
writer=$!
"$KANON" check input --qi a --k 2 2>/dev/null &
pid=$!
sleep 0.2
kill -TERM "$pid"
(sleep 30 && kill -KILL "$pid") 2>/dev/null &
guard=$!
wait "$pid" 2>/dev/null
is "a command that waits for its input ends by one signal" 130 $?
kill "$writer" "$guard" 2>/dev/null
# A release that is copied to a slow reader is not complete: a stop restores the older report.
rm -f out.csv r.json .*.tmp
echo older >r.json
mkfifo slow
"$KANON" anonymize people.csv --schema s.json --k 5 --method mondrian --quiet -o - --report r.json >slow 2>/dev/null &
pid=$!
exec 5<slow
for _ in $(seq 300); do
    if [ "$(cat r.json 2>/dev/null)" != older ]; then break; fi # the new report is in place, the copy waits
    sleep 0.1
done
kill -TERM "$pid"
(sleep 30 && kill -KILL "$pid") 2>/dev/null &
guard=$!
wait "$pid" 2>/dev/null
is "stopped while it is copied: exit 130" 130 $?
kill "$guard" 2>/dev/null
exec 5<&-
is "stopped while it is copied: the older report stands" older "$(cat r.json)"
is "stopped while it is copied: nothing else is left" "" "$(find . -name '.*.old' -o -name '.*.tmp')"
finish
