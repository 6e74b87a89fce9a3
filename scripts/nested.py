#!/usr/bin/env python3
"""nested.py - conditional operators that stand in one another: `a ? b : c ? d : e`.

    scripts/nested.py FILE...   says where they are; exit 1 if there are any

One between parentheses, or in another argument, is an expression of its own.
"""
import re, sys

# Comments, texts and characters; then what begins, ends or separates an expression.
TOKEN = re.compile(r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+' | [][(){};,?]""", re.S | re.X)


def nested(text):
    """Offsets of the '?' that stand in the expression of another."""
    seen = [0]  # in each bracket that is open
    for token in TOKEN.finditer(text):
        mark = token.group()
        if mark in "([{":
            seen.append(0)
        elif mark in ")]}":
            seen[-2:] = seen[-2:-1] or [0]
        elif mark in ",;":
            seen[-1] = 0
        elif mark == "?":
            seen[-1] += 1
            if seen[-1] == 2:
                yield token.start()


def main():
    found = False
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for offset in nested(text):
            print("%s:%d" % (path, text.count("\n", 0, offset) + 1))
            found = True
    return found


if __name__ == "__main__":
    sys.exit(main())
