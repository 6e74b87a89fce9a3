#!/usr/bin/env bash
# deps.sh [build] [test] [lint] [clang] [valgrind] [fresh] [pages] - install the Debian or Ubuntu packages that are
# missing for these tasks. Does nothing, and needs no network, when everything is there. Waits up to
# ten minutes while another program, such as the system's own updates, holds apt's locks.
set -eu

missing=()  # packages without which the task cannot be done
optional=() # packages whose absence leaves something out

# need KIND CHECK PACKAGE...: KIND is missing or optional.
need() {
    local -n list=$1
    local check=$2
    shift 2
    if ! eval "$check" >/dev/null 2>&1; then
        list+=("$@")
    fi
}

need_build() {
    need missing 'command -v cmake' cmake
    need missing 'command -v ninja' ninja-build
    need missing 'echo "#include <stdio.h>" | cc -E -' gcc libc6-dev
    need missing 'command -v pkg-config' pkg-config
    need missing 'pkg-config --exists jansson' libjansson-dev
    need missing 'pkg-config --exists nettle' nettle-dev
    need missing 'pkg-config --exists expat' libexpat1-dev
    need optional 'pkg-config --exists zlib' zlib1g-dev
    need optional 'pkg-config --exists libzstd' libzstd-dev
    need optional 'pkg-config --exists sqlite3' libsqlite3-dev
    need optional 'pkg-config --exists geos' libgeos-dev
}

need_test() {
    need missing 'pkg-config --exists cmocka' libcmocka-dev
    need optional 'command -v c++' g++
    need optional 'command -v zstd' zstd
    need optional 'command -v python3' python3
    need optional 'python3 -c "import ensurepip, venv"' python3-venv
    need optional 'python3 -c "import os, sysconfig; os.stat(sysconfig.get_path(\"include\") + \"/Python.h\")"' python3-dev
    need optional 'command -v abidiff' abigail-tools
    need optional 'command -v zsh' zsh
}

need_lint() {
    need missing 'command -v clang' clang
    need missing 'command -v clang-format' clang-format
    need missing 'command -v clang-tidy' clang-tidy
    need missing 'command -v python3' python3
    need missing 'command -v shellcheck' shellcheck
}

need_clang() {
    need missing 'command -v clang' clang
    # its sanitizers
    need optional 'echo "int main(void) { return 0; }" | clang -fsanitize=address -x c - -o /dev/null' \
        libclang-rt-dev
}

need_valgrind() {
    need missing 'command -v valgrind' valgrind
}

need_fresh() {
    need missing 'command -v debootstrap' debootstrap
}

# The test that looks at the pages of reports in a browser.
need_pages() {
    need optional 'command -v chromium || command -v chromium-browser || command -v google-chrome' chromium
    need optional 'command -v npm' npm
}

for task in "${@:-build}"; do
    case $task in
    build | test | lint | clang | valgrind | fresh | pages) "need_$task" ;;
    *)
        echo "deps.sh: unknown task '$task': build, test, lint, clang, valgrind, fresh and pages are known" >&2
        exit 2
        ;;
    esac
done

if [ ${#missing[@]} -eq 0 ] && [ ${#optional[@]} -eq 0 ]; then
    exit 0
fi
echo "deps: missing: ${missing[*]} ${optional[*]}"

# Without them the build still works or says itself what it lacks.
give_up() {
    echo "deps: $1" >&2
    if [ ${#missing[@]} -eq 0 ]; then
        echo "deps: going on without ${optional[*]}" >&2
        exit 0
    fi
    echo "deps: please install what these Debian packages hold: ${missing[*]}" >&2
    exit 1
}

command -v apt-get >/dev/null || give_up "this system has no apt-get"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || give_up "neither root nor sudo"
    echo "deps: asking sudo for root, to run apt-get"
    as_root=(sudo)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
most_wait=600 # seconds
# apt ARGUMENT...: run apt-get, quiet unless it fails. It waits for dpkg's lock itself, but not for
# that of the package lists.
apt() {
    local start=$SECONDS
    until "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
        apt-get -qq -o DPkg::Lock::Timeout=$most_wait -o Dpkg::Use-Pty=0 "$@" \
        </dev/null >"$log" 2>&1; do
        if ! grep -q 'Could not get lock' "$log" || [ $((SECONDS - start)) -ge $most_wait ]; then
            tail -n 20 "$log" >&2
            return 1
        fi
        echo "deps: another program holds apt's lock; waiting"
        sleep 10
    done
}
install() {
    apt install -y --no-install-recommends "$@"
}

echo "deps: apt-get update"
apt update ||
    echo "deps: apt-get update failed; trying with what is known" >&2
if [ ${#missing[@]} -gt 0 ]; then
    echo "deps: apt-get install ${missing[*]}"
    install "${missing[@]}" || give_up "apt-get install failed"
fi
for package in "${optional[@]}"; do
    echo "deps: apt-get install $package"
    install "$package" || echo "deps: going on without $package" >&2
done
