#!/usr/bin/env bash
# environment.sh PIP_ARGUMENT... - a virtual environment with the packages that tests in Python use: prints its folder. It is made
# once, in $KN_PYTHON_CACHE or the user's cache, under a name that depends on the packages (of a requirements file: on what it says)
# and on the version of $PYTHON (python3). Where it cannot be made, it says why on standard error and exits with status 77. Large libraries
# are taken as wheels or not at all: to compile them takes longer than all tests.
set -eu
python=${PYTHON:-python3}

skip() {
    echo "$1" >&2
    exit 77
}

key=$("$python" -c '
import hashlib, sys
words = [open(word, "rb").read() if before == "-r" else word.encode() for before, word in zip(sys.argv, sys.argv[1:]) if word != "-r"]
print(hashlib.sha256(b" ".join(words) + sys.version.encode()).hexdigest()[:16])' "$@")
cache=${KN_PYTHON_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/kanon}
environment=$cache/python-$key
mkdir -p "$cache"
exec 9>"$environment.lock"
flock 9
if [ ! -f "$environment/complete" ]; then
    rm -rf -- "$environment"
    "$python" -m venv "$environment" >/dev/null 2>&1 || skip "python3 cannot make a virtual environment (package python3-venv)"
    timeout 900 "$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
        --only-binary numpy,pandas,scipy,scikit-learn,pyarrow,matplotlib "$@" >"$environment/log" 2>&1 || {
        tail -1 "$environment/log" >&2
        skip "pip cannot get $*"
    }
    touch "$environment/complete"
fi
echo "$environment"
