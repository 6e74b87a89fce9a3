#!/usr/bin/env bash
# run.sh [PYTEST_OPTION...] - run the tests of the Python package against the package of a build ($BUILD_DIR/python), in a
# virtual environment with the libraries that they use, which scripts/environment.sh makes once. Without them and without a network
# the tests are skipped.
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
environment=$(PYTHON=$python "$here/../../scripts/environment.sh" -r "$requirements") || skip "pip cannot get the libraries of ${requirements##*/}"
exec 9>"$environment.lock"
flock 9
# Peers to compare with: their tests are skipped without them. They would take older versions of the libraries above.
if [ -z "${REQUIREMENTS:-}" ] && [ ! -f "$environment/peers" ]; then
    timeout 300 "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps pycanon anjana beartype >>"$environment/log" 2>&1 || true
    touch "$environment/peers"
fi
# Spark needs a Java runtime: the machine's, or Debian's package, unpacked beside the libraries. Its links to /etc lead there too.
java=$environment/java
if [ "${REQUIREMENTS:-}" = requirements-spark.txt ] && [ -z "${JAVA_HOME:-}" ] && ! command -v java >/dev/null; then
    for package in openjdk-21-jre-headless openjdk-17-jre-headless; do
        [ ! -d "$java" ] || continue
        mkdir -p "$java.part"
        (cd "$java.part" && timeout 300 apt-get -q download "$package" && dpkg -x ./*.deb . && rm ./*.deb) >>"$environment/log" 2>&1 || continue
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
