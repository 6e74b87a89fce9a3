# Reads ctest's LastTest.log, prints "PASSED FAILED SKIPPED" over single tests: what a cmocka program
# says about its tests, and one for every other test. A script may say "N passed, N failed" itself,
# or "ok - NAME" and "not ok - NAME" line by line.
# The log calls skipped tests passed; -v skipped_names=FILE (LastTestsDisabled.log) tells them apart.

BEGIN {
    while (skipped_names != "" && (getline line < skipped_names) > 0) {
        sub(/^[0-9]+:/, "", line)
        was_skipped[line] = 1
    }
}

function close_test() {
    if (!open)
        return
    if (result == "passed" && name in was_skipped)
        result = "skipped"
    if (result == "skipped") {
        p = 0; f = 0
        s = s > 0 ? s : 1
    } else if (result == "passed") {
        if (p + f + s == 0)
            p = 1
    } else if (f == 0) {
        # It crashed, hung, or failed outside its tests.
        f = 1
    }
    passed += p; failed += f; skipped += s
    open = 0
}

/^[0-9]+\/[0-9]+ Testing: / {
    close_test()
    open = 1; result = "failed"; p = f = s = 0
    name = $0
    sub(/^[^ ]* Testing: /, "", name)
    next
}
!open { next }
/^\[  PASSED  \] [0-9]+ test\(s\)/ { p += $4; next }
/^\[  FAILED  \] .*[0-9]+ test\(s\), listed below/ {
    for (i = 1; i <= NF; i++)
        if ($i ~ /^[0-9]+$/) { f += $i; break }
    next
}
/^\[  SKIPPED \] .*[0-9]+ test\(s\), listed below/ {
    for (i = 1; i <= NF; i++)
        if ($i ~ /^[0-9]+$/) { s += $i; break }
    next
}
/^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { p += $1; f += $3; s += $5; next }
/^ok - .*# SKIP/ { s++; next }
/^ok - / { p++; next }
/^not ok - / { f++; next }
/^Test Passed\.$/ { result = "passed"; next }

END { close_test(); print passed + 0, failed + 0, skipped + 0 }
