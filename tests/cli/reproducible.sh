#!/usr/bin/env bash
# Two builds of the same sources in different folders give the same bytes: command and libraries. Built without optimisation,
# which is quicker; what could differ (paths, times, the order of files) does not depend on it.
set -eu
if grep -qE '^KN_(SANITIZE:STRING=.+|COVERAGE:BOOL=ON)' "$BUILD_DIR/CMakeCache.txt"; then
    echo "skipped: built once without instrumentation is enough"
    exit 77
fi
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$BUILD_DIR/CMakeCache.txt")
for place in one another/place; do
    mkdir -p "$place"
    for part in CMakeLists.txt bench cmake include man scripts src examples; do
        if [ -e "$SOURCE_DIR/$part" ]; then cp -r "$SOURCE_DIR/$part" "$place/"; fi
    done
    cmake -S "$place" -B "$place/build" -G "$generator" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O0 -DNDEBUG" \
        -DKN_TESTS=OFF -DKN_HARDEN=OFF >configure.log 2>&1 || { cat configure.log; exit 1; }
    cmake --build "$place/build" --target kanon_command kanon_static libkanon.so >build.log 2>&1 || { tail -20 build.log; exit 1; }
done
failed=0
for file in kanon libkanon.so libkanon.a kanon.cdx.json; do
    if cmp "one/build/$file" "another/place/build/$file"; then
        echo "ok: $file is the same"
    else
        failed=1
    fi
done
exit "$failed"
