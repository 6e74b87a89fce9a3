#!/usr/bin/env bash
# What `make install` installs can be used: a program finds the library through pkg-config and through
# find_package, shared and static, from a staged tree.
set -eu
if grep -qE '^KN_(SANITIZE:STRING=.+|COVERAGE:BOOL=ON)' "$BUILD_DIR/CMakeCache.txt"; then
    echo "skipped: an instrumented library is not one to install"
    exit 77
fi
if ! command -v pkg-config >/dev/null; then
    echo "skipped: pkg-config is not here"
    exit 77
fi

stage=$PWD/stage
DESTDIR=$stage cmake --install "$BUILD_DIR" --prefix /opt/kanon >install.log

root=$stage/opt/kanon
for file in bin/kanon include/kanon.h include/kanon/version.h; do
    [ -f "$root/$file" ] || { echo "not installed: $file"; exit 1; }
done
pc=$(find "$root" -name kanon.pc)
lib=$(dirname "$(dirname "$pc")")
[ -e "$lib/libkanon.so.0.2" ] && [ -e "$lib/libkanon.so" ] && [ -f "$lib/libkanon.a" ]
for page in "$SOURCE_DIR"/man/*.1; do
    [ ! -f "$page" ] || [ -f "$root/share/man/man1/$(basename "$page")" ]
done
"$root/bin/kanon" --version >command.txt

cat >tiny.c <<'END'
#include <kanon.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    puts(kn_version());
    return strcmp(kn_version(), KN_VERSION) != 0;
}
END

export PKG_CONFIG_PATH=$lib/pkgconfig
read -ra flags < <(pkg-config --cflags --libs kanon)
cc -o by-pkg-config tiny.c "${flags[@]}"
LD_LIBRARY_PATH=$lib ./by-pkg-config
read -ra flags < <(pkg-config --cflags --static --libs kanon)
cc -o by-static tiny.c "${flags[@]/#-lkanon/$lib/libkanon.a}"
./by-static

mkdir find
cat >find/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(tiny C)
find_package(kanon 0.2 REQUIRED COMPONENTS static)
add_executable(shared ../tiny.c)
target_link_libraries(shared PRIVATE kanon::kanon)
add_executable(archive ../tiny.c)
target_link_libraries(archive PRIVATE kanon::static)
END
cmake -S find -B find/build -DCMAKE_PREFIX_PATH="$root" >find.log 2>&1 || { cat find.log; exit 1; }
cmake --build find/build >>find.log 2>&1 || { cat find.log; exit 1; }
find/build/shared
find/build/archive
echo "installed and found"
