# torture.bash - what the scripts of this folder share: runs of the command in which one call fails.
# shellcheck shell=bash disable=SC2034
# shellcheck source=tests/cli/tap.bash
. "$(dirname "${BASH_SOURCE[0]}")/../cli/tap.bash"

if [ ! -e "${FAULT_LIBRARY:-}" ]; then
    echo "skipped: the library that lets calls fail was not built"
    exit 77
fi
ulimit -c 0

# faulty AT COMMAND...: like run of tap.bash; file system call number AT fails. `struck` is its name.
faulty() {
    local at=$1
    shift
    : >.struck
    code=0
    out=$(LD_PRELOAD=$FAULT_LIBRARY FAULT_AT=$at FAULT_STRUCK=.struck FAULT_COUNT=.count "$@" 2>.stderr </dev/null) || code=$?
    err=$(<.stderr)
    struck=$(<.struck)
}

# unknown COMMAND...: without a fault it does not work. With TORTURE_OLDER=1 an older version may not know it.
unknown() {
    local without=0
    "$@" >/dev/null 2>&1 </dev/null || without=$?
    if [ $without -le 1 ]; then return 1; fi
    if [ -n "${TORTURE_OLDER:-}" ]; then skipped "${*:2}" "not known to this version"; else not_ok "${*:2}" "exit $without without a fault"; fi
}

# shop: two related tables in shop/ and, where the command reads SQLite, shop.db. places ITEMS COORDINATES: lists of places.
shop() {
    mkdir shop
    printf 'id,nation\n7,France\n8,Italy\n9,Italy\n' >shop/customer.csv
    printf 'key,buyer,price\na,7,120\nb,7,7\nc,8,130\n' >shop/orders.csv
    if "$KANON" --version | grep -q '^built in:.*sqlite' && python3 -c 'import sqlite3' 2>/dev/null; then
        python3 - <<'END'
import csv, sqlite3
c = sqlite3.connect('shop.db')
for table in 'customer', 'orders':
    rows = list(csv.reader(open(f'shop/{table}.csv')))
    c.execute(f"CREATE TABLE {table} ({', '.join(rows[0])})")
    c.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows[1:])
c.commit()
END
    fi
}
places() {
    printf 'LA\nLA Seattle\nNewYork Boston\nNewYork Boston\nLA Seattle NewYork\nLA Seattle NewYork\n' >"$1"
    printf 'item,lat,lon\nLA,34.05,-118.24\nSeattle,47.61,-122.33\nNewYork,40.71,-74.01\nBoston,42.36,-71.06\n' >"$2"
}

# numbers COMMAND...: which file system calls to let fail: all with TORTURE=all, otherwise about TORTURE of them. The file .points
# gets how many there are.
numbers() {
    local count step=1
    faulty 0 "$@"
    count=$(cat .count)
    mv .count .points
    if [ "$TORTURE" != all ] && [ "$count" -gt "$TORTURE" ]; then step=$((count / TORTURE)); fi
    seq 1 "$step" "$count"
}

# starved COMMAND...: what it prints and writes into made/ is all or nothing (serve.c).
starved() {
    local command=("$@") most=${TORTURE:-16} runs=0 points=0 wrong="no run"
    if [ "$most" = all ]; then most=0; fi
    rm -rf made && mkdir made
    if unknown "$@"; then return; fi
    if [[ $2 != list && $2 != help ]]; then command+=(--threads 1); fi
    rm -rf made && mkdir made
    LD_PRELOAD=$FAULT_LIBRARY FAULT_SERVE=made FAULT_MOST=$most "${command[@]}" >.runs </dev/null
    grep '^#' .runs
    read -r runs points wrong < <(tail -n 1 .runs)
    if [ "${points:-0}" -eq 0 ]; then wrong="nothing was run"; fi
    is "${*:2} ($runs runs of $points)" 0 "$wrong"
}
