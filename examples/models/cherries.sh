#!/usr/bin/env bash
# cherries.sh - print cherries.dat: 1,000 baskets whose rules have the supports and confidences of
# section 4.3 of the models paper. Groceries can be seen by everybody; what is in the pharmacy's bag
# cannot.
set -eu
awk 'BEGIN {
    for (i = 0; i < 1000; i++) {
        basket = ""
        if (i < 112) basket = basket " cherries"
        if (i < 30) basket = basket " birthday_candles"
        if (i < 24) basket = basket " tylenol"          # 24 of the 30 with candles: 80 %
        if (i < 112 && i % 4) basket = basket " viagra" # 84 of the 112 with cherries: 75 %
        if (i >= 112 && i % 9 == 0) basket = basket " birthday_candles"
        if (i >= 112 && i % 11 == 0) basket = basket " tylenol"
        if (i >= 112 && i % 13 == 0) basket = basket " viagra"
        if (i % 2 == 0) basket = basket " bread"
        if (i % 3 == 0) basket = basket " milk"
        print substr(basket, 2)
    }
}' </dev/null
