#!/usr/bin/env bash
# run.sh [PYTEST_OPTION...] - run the tests of the Python package against the package of a build ($BUILD_DIR/python), in a
# virtual environment with the libraries that they use. It is made once, in $KN_PYTHON_CACHE or the user's cache, under a name that
# depends on requirements.txt and on the version of Python. Without them and without a network the tests are skipped.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}

skip() {
    echo "skipped: $1"
    exit 77
}

[ -f "${BUILD_DIR:?}/python/kanon/_kanon.abi3.so" ] || skip "no extension in $BUILD_DIR/python: build it"
key=$("$python" -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read() + sys.version.encode()).hexdigest()[:16])' "$here/requirements.txt")
cache=${KN_PYTHON_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/kanon}
environment=$cache/python-$key
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
if [ ! -f "$environment/complete" ]; then
    rm -rf -- "$environment"
    "$python" -m venv "$environment" >/dev/null 2>&1 || skip "python3 cannot make a virtual environment (package python3-venv)"
    timeout 600 "$environment/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" >"$cache/log" 2>&1 || {
        tail -1 "$cache/log"
        skip "pip cannot get the libraries of requirements.txt"
    }
    # Peers to compare with: their tests are skipped without them. They would take older versions of the libraries above.
    timeout 300 "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps pycanon anjana beartype >>"$cache/log" 2>&1 || true
    touch "$environment/complete"
fi
flock -u 9
exec 9>&-

cd "$here/.."
export HYPOTHESIS_STORAGE_DIRECTORY=$BUILD_DIR/hypothesis # nothing is written into the tree
PYTHONPATH=$BUILD_DIR/python exec "$environment/bin/python" -B -m pytest -q -p no:cacheprovider "$@"
