#!/usr/bin/env bash
# fresh.sh [--worktree] - prove that `make demo` and `make test` work on a machine that has git, make
# and nothing else: a minimal Debian made by debootstrap, with a clean clone of HEAD in it
# (--worktree: a copy of the files as they lie here, committed or not).
#
#   SUITE=bookworm       the Debian release
#   FRESH=build-fresh    where the root is kept; the bare one is made once and copied for each run
#   MIRROR=URL           where packages come from; default: as this machine's apt has it
set -eu

cd "$(dirname "$0")/.."
suite=${SUITE:-bookworm}
cache=${FRESH:-build-fresh}
bare=$cache/$suite
root=$cache/$suite-run
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
    echo "fresh: needs debootstrap: apt-get install debootstrap" >&2
    exit 1
fi

# apt's words go to a log: they name hosts.
mkdir -p "$cache"
log=$cache/fresh.log
: >"$log"

# shellcheck source=/dev/null
host_suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
host_mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
        awk '$1 == "URIs:" { print $2; exit }
             $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) { print $i; exit } }'
}

unmount() {
    if mountpoint -q "$root/proc"; then
        umount "$root/proc"
    fi
}
trap unmount EXIT
trap 'exit 130' INT TERM

# The host's package sources, proxy and certificates, so that the root finds packages as the host does.
use_host_sources() {
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
        chroot "$bare" update-ca-certificates >>"$log" 2>&1
    fi
}

if [ ! -f "$bare/.complete" ]; then
    mirror=${MIRROR:-$(host_mirror)}
    echo "fresh: making a minimal $suite in $bare (once)"
    rm -rf "$bare"
    if ! debootstrap --variant=minbase --include=git,make,ca-certificates \
        "$suite" "$bare" "$mirror" >>"$log" 2>&1; then
        echo "fresh: debootstrap failed: see $log" >&2
        exit 1
    fi
    use_host_sources
    rm -f "$bare"/var/cache/apt/archives/*.deb
    touch "$bare/.complete"
fi

echo "fresh: copying it to $root"
unmount
rm -rf "$root"
cp -a "$bare" "$root"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
mount -t proc proc "$root/proc"

if [ "$worktree" = yes ]; then
    echo "fresh: copying the files as they are here"
    mkdir "$root/root/kanon"
    git ls-files -z --cached --others --exclude-standard |
        while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
        tar --null -T - -cf - | tar -xf - -C "$root/root/kanon"
else
    if [ -n "$(git status --porcelain)" ]; then
        echo "fresh: note: what is not committed is not in the clone"
    fi
    echo "fresh: cloning HEAD"
    git clone -q --no-local --depth 1 "file://$PWD" "$root/root/kanon"
fi

inside() {
    chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        bash -c "cd /root/kanon && $1" </dev/null
}
result=0
for command in "make demo" "make test"; do
    echo "fresh: $command"
    if inside "$command" 2>&1 | tee -a "$log" | grep -Ev '^(Get|Hit|Ign|Err):[0-9]'; test "${PIPESTATUS[0]}" -eq 0; then
        echo "fresh: '$command' works"
    else
        echo "fresh: '$command' FAILED" >&2
        result=1
    fi
done
exit $result
