#!/usr/bin/env bash
# What `make install` installs carries the protections of cmake/hardening.cmake, and `make uninstall` removes all of it.
set -eu
cache=$BUILD_DIR/CMakeCache.txt
if grep -qE '^KN_(SANITIZE:STRING=.+|COVERAGE:BOOL=ON|HARDEN:BOOL=OFF)' "$cache"; then
    echo "skipped: this build is not hardened"
    exit 77
fi
if ! command -v readelf >/dev/null || ! command -v nm >/dev/null; then
    echo "skipped: readelf and nm are not here"
    exit 77
fi

failed=0
# has NAME PATTERN FILE: one check over a file with the output of readelf or nm.
has() {
    if grep -qE -- "$2" "$3"; then
        echo "ok: $1"
    else
        echo "FAILED: $1: nothing matches '$2'"
        failed=1
    fi
}

stage=$PWD/stage
DESTDIR=$stage cmake --install "$BUILD_DIR" --prefix /opt/kanon >install.log
root=$stage/opt/kanon
library=$(find "$root" -name 'libkanon.so.*.*.*')
archive=$(find "$root" -name libkanon.a)

for file in "$root/bin/kanon" "$library"; do
    name=$(basename "$file")
    readelf -dlW "$file" >elf.txt
    nm -D "$file" >symbols.txt
    has "$name: relocations become read-only" 'GNU_RELRO' elf.txt
    has "$name: symbols are bound at start" 'BIND_NOW' elf.txt
    has "$name: the stack is not executable" 'GNU_STACK .* RW +0x' elf.txt
    has "$name: the stack protector" '__stack_chk_fail' symbols.txt
    has "$name: string functions are checked" '__(memcpy|memmove|snprintf|vsnprintf)_chk' symbols.txt
done
readelf -dW "$root/bin/kanon" >elf.txt
has "kanon: position independent" 'Flags:.* PIE' elf.txt
# The linker drops the mark of a program when the C library's start files lack it: look at our objects.
if grep -q '^KN_HAS_CONTROL_FLOW:INTERNAL=1' "$cache"; then
    readelf -nW "$archive" >notes.txt 2>/dev/null
    has "objects: control-flow protection" 'IBT|BTI' notes.txt
fi
# Level 3 of the checks where compiler and C library have it.
if grep -q '^KN_HAS_FORTIFY_3:INTERNAL=1' "$cache"; then
    grep -m 1 'src/base/buffer.c' "$BUILD_DIR/compile_commands.json" >command.txt
    has "objects: FORTIFY_SOURCE=3" 'D_FORTIFY_SOURCE=3' command.txt
fi

bom=$(find "$root" -name kanon.cdx.json)
if command -v python3 >/dev/null; then
    python3 - "$bom" "$("$root/bin/kanon" --version | head -n 1)" <<'END' || failed=1
import json, sys

bom = json.load(open(sys.argv[1]))
assert bom["bomFormat"] == "CycloneDX" and bom["metadata"]["component"]["version"] in sys.argv[2]
names = {c["name"] for c in bom["components"]}
assert {"jansson", "nettle", "expat"} <= names, names
assert all(c["version"] for c in bom["components"]), "a component without a version"
assert all(c.get("licenses") for c in [bom["metadata"]["component"], *bom["components"]]), "a component without a licence"
assert set(bom["dependencies"][0]["dependsOn"]) == names
print("ok: the bill of materials names", ", ".join(sorted(names)))
END
fi

find "$stage" -type f -o -type l >installed.txt
manifest=$BUILD_DIR/install_manifest.txt
DESTDIR=$stage "$SOURCE_DIR/scripts/uninstall.sh" "$manifest"
find "$stage" -type f -o -type l >left.txt
if [ -s left.txt ]; then
    echo "FAILED: uninstall leaves files"
    cat left.txt
    failed=1
else
    echo "ok: uninstall removes all $(wc -l <installed.txt) files"
fi
exit "$failed"
