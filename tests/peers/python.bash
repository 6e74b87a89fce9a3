# python.bash - what tests against peers in Python begin with: $KANON as a full path, a folder of their own to work in, and a
# python that has their packages. To be sourced.

skip() {
    echo "skipped: $1"
    exit 77
}

KANON=${KANON:-build/kanon}
command -v "$KANON" >/dev/null || skip "no kanon command at $KANON"
KANON=$(command -v "$KANON")
case $KANON in /*) ;; *) KANON=$PWD/$KANON ;; esac
command -v python3 >/dev/null || skip "python3 is not here"

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cd "$folder" || exit

# need NAMES MODULES PACKAGE...: $python has the modules, from pip if it must; else skipped, saying that NAMES are not here.
need() {
    local names=$1 modules=$2 environment
    shift 2
    python=${KN_PEER_PYTHON:-python3}
    if ! "$python" -c "import $modules" 2>/dev/null; then
        environment=$(PYTHON=python3 "$SOURCE_DIR/scripts/environment.sh" "$@") || skip "$names: not installed, and pip cannot get it"
        python=$environment/bin/python
    fi
}
