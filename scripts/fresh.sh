#!/usr/bin/env bash
# fresh.sh [--worktree] - prove that `make demo`, `make test` and `make clang` work on a machine that
# has git, make and nothing else: minimal Debians made by debootstrap, with a clean clone of HEAD in
# each (--worktree: a copy of the files as they lie here, committed or not). Closes with a table.
#
#   SUITE="bookworm trixie sid"  the Debian releases
#   COMMANDS="demo test clang"   what to make in each
#   FRESH=build-fresh            where the roots are kept; a bare one is made once and copied for
#                                each run
#   MIRROR=URL                   where packages come from; default: as this machine's apt has it
set -eu

cd "$(dirname "$0")/.."
read -ra suites <<<"${SUITE:-bookworm trixie sid}"
read -ra commands <<<"${COMMANDS:-demo test clang}"
cache=${FRESH:-build-fresh}
worktree=no
case "${1:-}" in
'') ;;
--worktree) worktree=yes ;;
*)
    echo "usage: scripts/fresh.sh [--worktree]" >&2
    exit 2
    ;;
esac

if [ "$(id -u)" -ne 0 ]; then
    echo "fresh: needs root, for debootstrap and chroot: try 'sudo make fresh'" >&2
    exit 1
fi
if ! command -v debootstrap >/dev/null; then
    echo "fresh: needs debootstrap: 'scripts/deps.sh fresh' installs it on Debian and Ubuntu" >&2
    exit 1
fi
mkdir -p "$cache"

# shellcheck source=/dev/null
host_suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
host_mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
        awk '$1 == "URIs:" { print $2; exit }
             $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) { print $i; exit } }'
}
mirror=${MIRROR:-$(host_mirror)}

root=
unmount() {
    if [ -n "$root" ] && mountpoint -q "$root/proc"; then
        umount "$root/proc"
    fi
}
trap unmount EXIT
trap 'exit 130' INT TERM

# use_host_sources SUITE BARE: the host's package sources, proxy and certificates, so that the root
# finds packages as the host does.
use_host_sources() {
    local suite=$1 bare=$2
    rm -f "$bare"/etc/apt/sources.list "$bare"/etc/apt/sources.list.d/*
    if [ "$suite" = "$host_suite" ]; then
        cp /etc/apt/sources.list "$bare/etc/apt/" 2>/dev/null || true
        cp /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources \
            "$bare/etc/apt/sources.list.d/" 2>/dev/null || true
    else
        echo "deb $mirror $suite main" >"$bare/etc/apt/sources.list"
    fi
    apt-config dump |
        grep -E '^Acquire::(http|https|ftp|Check-Valid-Until|Retries)[ :]' \
            >"$bare/etc/apt/apt.conf.d/99host" || true
    if [ -d /usr/local/share/ca-certificates ]; then
        cp -r /usr/local/share/ca-certificates/. "$bare/usr/local/share/ca-certificates/"
        chroot "$bare" update-ca-certificates
    fi
}

# make_bare SUITE BARE
make_bare() {
    rm -rf "$2"
    debootstrap --variant=minbase --include=git,make,ca-certificates "$1" "$2" "$mirror" &&
        use_host_sources "$1" "$2" &&
        rm -f "$2"/var/cache/apt/archives/*.deb &&
        touch "$2/.complete"
}

put_sources() {
    if [ "$worktree" = yes ]; then
        mkdir "$root/root/kanon"
        git ls-files -z --cached --others --exclude-standard |
            while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
            tar --null -T - -cf - | tar -xf - -C "$root/root/kanon"
    else
        git clone -q --no-local --depth 1 "file://$PWD" "$root/root/kanon"
    fi
}

inside() {
    chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        bash -c "cd /root/kanon && $1" </dev/null
}

if [ "$worktree" = no ] && [ -n "$(git status --porcelain)" ]; then
    echo "fresh: note: what is not committed is not in the clone"
fi
table=("suite compiler ${commands[*]/#/make_}")
result=0
for suite in "${suites[@]}"; do
    bare=$cache/$suite
    root=$cache/$suite-run
    log=$cache/$suite.log # apt's words go there only: they name hosts
    row=
    : >"$log"
    if [ ! -f "$bare/.complete" ]; then
        echo "fresh: $suite: making a minimal root in $bare (once)"
        if ! make_bare "$suite" "$bare" >>"$log" 2>&1; then
            echo "fresh: $suite: debootstrap failed: see $log" >&2
            table+=("$suite - no_root")
            result=1
            continue
        fi
    fi
    echo "fresh: $suite: copying it to $root"
    unmount
    rm -rf "$root"
    cp -a "$bare" "$root"
    cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
    mount -t proc proc "$root/proc"
    put_sources
    for command in "${commands[@]}"; do
        echo "fresh: $suite: make $command"
        if inside "make $command" 2>&1 | tee -a "$log" | grep -Ev '^(Get|Hit|Ign|Err):[0-9]'
            test "${PIPESTATUS[0]}" -eq 0; then
            row="$row works"
        else
            row="$row FAILED"
            result=1
        fi
    done
    compiler=$(inside 'cc -dumpfullversion' 2>/dev/null) || compiler=none
    table+=("$suite gcc-$compiler$row")
    unmount
done

echo
printf '%s\n' "${table[@]}" | awk '{
    line = ""
    for (i = 1; i <= NF; i++) {
        cell = $i
        gsub("_", " ", cell)
        line = line sprintf("%-14s ", cell)
    }
    sub(" +$", "", line)
    print line
}'
exit $result
