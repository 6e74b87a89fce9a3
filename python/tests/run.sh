#!/usr/bin/env bash
# run.sh [PYTEST_OPTION...] - run the tests of the Python package against the package of a build ($BUILD_DIR/python), in a
# virtual environment with the libraries that they use. It is made once, in $KN_PYTHON_CACHE or the user's cache, under a name that
# depends on requirements.txt and on the version of Python. Without them and without a network the tests are skipped.
# $REQUIREMENTS names another file of them: requirements-spark.txt, as Spark does not take the newest of every library.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
requirements=$here/${REQUIREMENTS:-requirements.txt}

skip() {
    echo "skipped: $1"
    exit 77
}

[ -f "${BUILD_DIR:?}/python/kanon/_kanon.abi3.so" ] || skip "no extension in $BUILD_DIR/python: build it"
key=$("$python" -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read() + sys.version.encode()).hexdigest()[:16])' "$requirements")
cache=${KN_PYTHON_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/kanon}
environment=$cache/python-$key
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
if [ ! -f "$environment/complete" ]; then
    rm -rf -- "$environment"
    "$python" -m venv "$environment" >/dev/null 2>&1 || skip "python3 cannot make a virtual environment (package python3-venv)"
    timeout 900 "$environment/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" >"$cache/log" 2>&1 || {
        tail -1 "$cache/log"
        skip "pip cannot get the libraries of ${requirements##*/}"
    }
    # Peers to compare with: their tests are skipped without them. They would take older versions of the libraries above.
    [ -n "${REQUIREMENTS:-}" ] || timeout 300 "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps pycanon anjana beartype >>"$cache/log" 2>&1 || true
    touch "$environment/complete"
fi
# Spark needs a Java runtime: the machine's, or Debian's package, unpacked beside the libraries. Its links to /etc lead there too.
java=$environment/java
if [ "${REQUIREMENTS:-}" = requirements-spark.txt ] && [ -z "${JAVA_HOME:-}" ] && ! command -v java >/dev/null; then
    for package in openjdk-21-jre-headless openjdk-17-jre-headless; do
        [ ! -d "$java" ] || continue
        mkdir -p "$java.part"
        (cd "$java.part" && timeout 300 apt-get -q download "$package" && dpkg -x ./*.deb . && rm ./*.deb) >>"$cache/log" 2>&1 || continue
        find "$java.part" -type l | while read -r link; do
            target=$(readlink "$link")
            case $target in /*) ln -sfn "$java$target" "$link" ;; esac
        done
        mv "$java.part" "$java"
    done
    for home in "$java"/usr/lib/jvm/*; do
        [ ! -x "$home/bin/java" ] || export JAVA_HOME=$home
    done
fi
flock -u 9
exec 9>&-

cd "$here/.."
export HYPOTHESIS_STORAGE_DIRECTORY=$BUILD_DIR/hypothesis # nothing is written into the tree
PYTHONPATH=$BUILD_DIR/python exec "$environment/bin/python" -B -m pytest -q -p no:cacheprovider "$@"
