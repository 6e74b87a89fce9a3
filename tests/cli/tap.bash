# tap.bash - what the scripts of this folder share. They run in an empty folder with KANON set.
# shellcheck shell=bash disable=SC2034
failures=0
out="" err="" code=0

ok() { echo "ok - $1"; }
# skipped NAME WHY: counted as skipped, not as passed.
skipped() { echo "ok - $1 # SKIP $2"; }
not_ok() {
    echo "not ok - $1"
    shift
    printf '#   %s\n' "$@"
    failures=$((failures + 1))
}

# is NAME WANTED GOT
is() {
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "wanted: $2" "got: $3"; fi
}

# run COMMAND...: fills out, err and code.
run() {
    code=0
    out=$("$@" 2>.stderr) || code=$?
    err=$(cat .stderr)
    rm -f .stderr
}

# exits NAME CODE COMMAND...
exits() {
    local name=$1 wanted=$2
    shift 2
    run "$@"
    if [ "$code" = "$wanted" ]; then ok "$name"; else not_ok "$name" "exit $code instead of $wanted" "$err"; fi
}

# says NAME TEXT: the last run's words hold TEXT; prints: its output does.
says() {
    if grep -qF -- "$2" <<<"$err"; then ok "$1"; else not_ok "$1" "wanted: $2" "said: $err"; fi
}
prints() {
    if grep -qF -- "$2" <<<"$out"; then ok "$1"; else not_ok "$1" "wanted: $2" "printed: $out"; fi
}

# there NAME FILE, absent NAME FILE
there() {
    if [ -e "$2" ]; then ok "$1"; else not_ok "$1" "$2 is not there"; fi
}
absent() {
    if [ -e "$2" ]; then not_ok "$1" "$2 is there"; else ok "$1"; fi
}

# golden NAME FILE: the last run's output is that file of golden/. REGOLD=1 writes it instead.
golden() {
    local file
    file=$(dirname "${BASH_SOURCE[0]}")/golden/$2
    if [ -n "${REGOLD:-}" ]; then printf '%s\n' "$out" >"$file"; fi
    if diff -u "$file" <(printf '%s\n' "$out") >.diff; then ok "$1"; else not_ok "$1" "$(head -n 20 .diff)"; fi
    rm -f .diff
}

# A small table of people.
small_table() {
    cat <<'END'
name,age,sex,postcode,diagnosis
Ada,34,f,10115,flu
Bo,36,m,10117,asthma
Cleo,35,f,10119,flu
Dan,52,m,20095,diabetes
Eve,57,f,20097,flu
Finn,51,m,20099,asthma
Gus,58,m,20095,flu
Hal,33,m,10115,diabetes
END
}

finish() {
    if [ "$failures" -ne 0 ]; then exit 1; fi
    exit 0
}
