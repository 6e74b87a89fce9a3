#!/usr/bin/env bash
# rotation.sh - how CI divides the tests under sanitizers and valgrind: every test is in one part of each leg, or is left out with a reason, and
# all turns together run every part of every leg.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

if ! command -v ctest >/dev/null; then
    echo "skipped: ctest is not here"
    exit 77
fi
list=$SOURCE_DIR/scripts/left-out.txt
echo "subdirs(\"$BUILD_DIR\")" >CTestTestfile.cmake # in the folder of the build, ctest -N would write over the log of the tests that are running
ctest --test-dir . -N | sed -n 's/^ *Test *#[0-9]*: //p' | sort >all.txt
ctest --test-dir . -N -L '^threads$' | sed -n 's/^ *Test *#[0-9]*: //p' | sort >threads.txt
part() { "$SOURCE_DIR/scripts/part.sh" "$BUILD_DIR" "$@"; }

unset KN_LEG KN_PART KN_ROUNDS KN_TURN
"$SOURCE_DIR/scripts/rotation.sh" --turns >turns.txt
is "sanitizers and race detectors of both compilers and valgrind have turns" "clang-sanitize clang-tsan sanitize tsan valgrind" \
    "$(cut -d ' ' -f 1 turns.txt | sort -u | xargs)"
for leg in $(cut -d ' ' -f 1 turns.txt | uniq); do
    : >run.txt
    parts=0
    while read -r _ part; do
        part "$leg" "$part" >part.txt
        if [ -s part.txt ]; then parts=$((parts + 1)); fi
        cat part.txt >>run.txt
    done < <(grep "^$leg " turns.txt)
    is "$leg: no part is empty" "$(grep -c "^$leg " turns.txt)" "$parts"
    : >left.txt
    while read -r legs tests reason; do
        if [[ ,$legs, != *",$leg,"* ]]; then continue; fi
        if [ "$tests" = without:threads ]; then
            grep -vxFf threads.txt all.txt >>left.txt
        else
            grep -E -- "$tests" all.txt >>left.txt
        fi
        is "$leg leaves out $tests with a reason" "yes" "$([ "$(wc -w <<<"$reason")" -ge 5 ] && echo yes)"
    done < <(grep -vE '^(#|$)' "$list")
    is "$leg: every test is in one part, or left out with a reason" "$(cat all.txt)" "$(sort -u left.txt | sort - run.txt)"
    # A build without a sanitizer has all scripts; those that builds of this leg have not are listed as well.
    if [ "${BUILD_DIR##*build-}" = "$leg" ]; then
        (cd "$SOURCE_DIR/tests" && ls {cli,peers,torture}/*.sh) | sed 's|/|.|; s|[.]sh$||' | grep -vxFf all.txt >absent.txt
        while read -r legs tests _; do
            if [[ ,$legs, = *",$leg,"* && $tests != without:* ]]; then grep -vE -- "$tests" absent.txt >rest.txt; mv rest.txt absent.txt; fi
        done < <(grep -vE '^(#|$)' "$list")
        is "$leg: what this build has not is listed" "" "$(cat absent.txt)"
    fi
done
is "options choose before" "cli.rotation" "$(for part in 1/3 2/3 3/3; do part sanitize $part -R '^cli[.]rotation$'; done)"
for wrong in 0/3 4/3 2 x/3; do
    part sanitize $wrong >/dev/null 2>&1
    is "part $wrong is refused" 2 $?
done

turn() { KN_TURN=$1 "$SOURCE_DIR/scripts/rotation.sh" --which; }
all=$(wc -l <turns.txt)
is "as many commits as there are turns have all of them" "$(sed 's/ \(.*\)[/]\(.*\)/, part \1 of \2 of its tests/' turns.txt | sort)" \
    "$(for ((number = 7; number < 7 + all; number++)); do turn $number; done | sort)"
is "a leg that is named runs all tests" "tsan" "$(KN_LEG=tsan "$SOURCE_DIR/scripts/rotation.sh" --which)"
"$SOURCE_DIR/scripts/rotation.sh" none 2>said.txt
is "a leg that there is not is refused" "2 rotation: no leg 'none': sanitize tsan clang-sanitize clang-tsan valgrind are known" "$? $(cat said.txt)"

# A test that writes into the tree fails the run.
if command -v git >/dev/null; then
    git init -q tree
    mkdir -p tree/scripts tree/build-x/sub
    cp "$SOURCE_DIR"/scripts/{test.sh,part.sh,count-tests.awk,left-out.txt} tree/scripts/
    echo /build* >tree/.gitignore
    touch tree/older
    tree=$PWD/tree
    run_of() {
        echo "add_test(writes \"$(command -v bash)\" -c \"echo '[       OK ] writes'; touch $1\")" >tree/build-x/CTestTestfile.cmake
        KN_COUNTS='' tree/scripts/test.sh tree/build-x
    }
    run_of "$tree/build-x/inside $tree/older" >clean.txt 2>&1
    is "a test that writes into the build passes" 0 $?
    run_of "$tree/cut" >dirty.txt 2>&1
    is "a test that writes into the tree fails" 1 $?
    is "and its file is named" "cut" "$(grep -A9 'these files appeared' dirty.txt | sed -n 2p)"
fi
finish
