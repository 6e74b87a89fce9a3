# torture.bash - what the scripts of this folder share: runs of the command in which one call fails.
# shellcheck shell=bash disable=SC2034
# shellcheck source=tests/cli/tap.bash
. "$(dirname "${BASH_SOURCE[0]}")/../cli/tap.bash"

if [ ! -e "${FAULT_LIBRARY:-}" ]; then
    echo "skipped: the library that lets calls fail was not built"
    exit 77
fi
ulimit -c 0

# faulty KIND AT COMMAND...: like run of tap.bash; call number AT of KIND fails. `struck` is its name.
faulty() {
    local kind=$1 at=$2
    shift 2
    rm -f .struck
    code=0
    out=$(LD_PRELOAD=$FAULT_LIBRARY FAULT_KIND=$kind FAULT_AT=$at FAULT_STRUCK=.struck FAULT_COUNT=.count \
        "$@" 2>.stderr </dev/null) || code=$?
    err=$(cat .stderr)
    struck=$(cat .struck 2>/dev/null)
    rm -f .stderr .struck
}

# numbers KIND COMMAND...: which calls to let fail: all with TORTURE=all, otherwise about TORTURE (16) of them.
numbers() {
    local count step=1 most=${TORTURE:-16}
    faulty "$1" 0 "${@:2}"
    count=$(cat .count)
    rm -f .count
    if [ "$most" != all ] && [ "$count" -gt "$most" ]; then step=$((count / most)); fi
    seq 1 "$step" "$count"
}
