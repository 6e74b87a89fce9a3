#!/usr/bin/env bash
# Arrow streams of pyarrow go in, are anonymised, and come back as streams that pyarrow validates in full. arrow.py has the
# cases, arrow_shim.c is what it calls.
set -eu
# shellcheck source=tests/peers/python.bash
. "$(dirname "$0")/python.bash"

shim=${BUILD_DIR:?}/tests/libpeers_arrow.so
[ -f "$shim" ] || skip "no $shim: build the tests"
need pyarrow pyarrow pyarrow
"$python" -c 'import pyarrow as p; p.string_view(); p.ChunkedArray.__arrow_c_stream__' 2>/dev/null || skip "pyarrow is too old: 16 or later is needed"
"$python" "$SOURCE_DIR/tests/peers/arrow.py" "$shim"
