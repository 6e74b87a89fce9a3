#!/usr/bin/env bash
# Random data and options through the whole command, releases judged by fuzz/differential.py. `make fuzz` does more of it.
set -eu
if ! command -v python3 >/dev/null; then
    echo "skipped: python3 is not here"
    exit 77
fi
python3 "$SOURCE_DIR/fuzz/differential.py" "$KANON" --cases "${DIFFERENTIAL_CASES:-$((3 * ${KN_ROUNDS:-100}))}"
