/* integer_simplex.c - sums of products of doubles in fixed point, and a simplex method over
 * integers.
 *
 * The simplex method works on a dictionary whose entries are integers over one common denominator,
 * the last pivot: each is a minor of the first dictionary (Edmonds), so divisions leave no
 * remainder and entries grow with the number of variables only, not with the number of steps. */
#include "models/exact/integer_simplex.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- sums ---- */

/* A double is a 53-bit integer times 2^(e - 53) with e >= -249. */
enum { UNIT = 3 * (KN_EXACT_EXPONENT - 1 + 53), WORD = 32 };

static void add_at(kn_exact *sum, size_t shift, uint64_t high, uint64_t low, bool negative)
{
    /* The product has 3 * 53 + 3 bits: `high` has those above the lowest 64. All are moved by
     * `shift` and added, or subtracted, word by word. */
    const size_t first = shift / WORD, bits = shift % WORD;
    uint32_t word[5] = {(uint32_t)low, (uint32_t)(low >> WORD), (uint32_t)high,
                        (uint32_t)(high >> WORD), 0};
    uint64_t carry = 0;

    if (bits) {
        for (size_t i = 4; i > 0; i--) {
            word[i] = word[i] << bits | word[i - 1] >> (WORD - bits);
        }
        word[0] <<= bits;
    }
    for (size_t i = first; i < KN_EXACT_LIMBS; i++) {
        const uint64_t other = i - first < 5 ? word[i - first] : 0;
        if (i - first >= 5 && carry == 0) {
            break;
        }
        if (negative) {
            const uint64_t difference = (uint64_t)sum->limb[i] - other - carry;
            sum->limb[i] = (uint32_t)difference;
            carry = difference >> 63;
        } else {
            const uint64_t total = (uint64_t)sum->limb[i] + other + carry;
            sum->limb[i] = (uint32_t)total;
            carry = total >> WORD;
        }
    }
}

void kn__exact_add(kn_exact *sum, int times, double a, double b, double c)
{
    int ea, eb, ec;
    const int64_t ma = (int64_t)ldexp(frexp(a, &ea), 53), mb = (int64_t)ldexp(frexp(b, &eb), 53),
                  mc = (int64_t)ldexp(frexp(c, &ec), 53) * times;
    const uint64_t ua = (uint64_t)(ma < 0 ? -ma : ma), ub = (uint64_t)(mb < 0 ? -mb : mb),
                   uc = (uint64_t)(mc < 0 ? -mc : mc);
    const bool negative = ((ma < 0) != (mb < 0)) != (mc < 0);
    const int shift = ea + eb + ec - 3 * 53 + UNIT;
    kn_u128 ab, low, middle;

    assert(kn__exact_takes(a) && kn__exact_takes(b) && kn__exact_takes(c));
    if (ua == 0 || ub == 0 || uc == 0) {
        return;
    }
    ab = (kn_u128)ua * ub;
    low = (kn_u128)(uint64_t)ab * uc;
    middle = (kn_u128)(uint64_t)(ab >> 64) * uc; /* fits with what `low` carries: 42 + 56 bits */
    add_at(sum, (size_t)shift, (uint64_t)(low >> 64), (uint64_t)low, negative);
    add_at(sum, (size_t)shift + 64, (uint64_t)(middle >> 64), (uint64_t)middle, negative);
}

void kn__exact_subtract(kn_exact *to, const kn_exact *a, const kn_exact *b)
{
    uint64_t borrow = 0;

    for (size_t i = 0; i < KN_EXACT_LIMBS; i++) {
        const uint64_t difference = (uint64_t)a->limb[i] - b->limb[i] - borrow;
        to->limb[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
}

int kn__exact_sign(const kn_exact *sum)
{
    if (sum->limb[KN_EXACT_LIMBS - 1] >> 31) {
        return -1;
    }
    for (size_t i = 0; i < KN_EXACT_LIMBS; i++) {
        if (sum->limb[i]) {
            return 1;
        }
    }
    return 0;
}

/* ---- integers: a sign with the number of words, then the words, the lowest first ---- */

typedef struct integer {
    int32_t len; /* negative: a number below 0 */
    uint32_t word[];
} integer;

static size_t words_of(const integer *x)
{
    return (size_t)(x->len < 0 ? -x->len : x->len);
}

static void set_len(integer *x, size_t len, bool negative)
{
    while (len > 0 && x->word[len - 1] == 0) {
        len--;
    }
    x->len = negative ? -(int32_t)len : (int32_t)len;
}

static void copy(integer *out, const integer *x)
{
    memcpy(out, x, sizeof *x + words_of(x) * sizeof *x->word);
}

static void multiply(integer *out, const integer *a, const integer *b)
{
    const size_t la = words_of(a), lb = words_of(b);

    memset(out->word, 0, (la + lb) * sizeof *out->word);
    for (size_t i = 0; i < la; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < lb; j++) {
            carry += (uint64_t)a->word[i] * b->word[j] + out->word[i + j];
            out->word[i + j] = (uint32_t)carry;
            carry >>= WORD;
        }
        out->word[i + lb] = (uint32_t)carry;
    }
    set_len(out, la + lb, (a->len < 0) != (b->len < 0));
}

static int compare_size(const integer *a, const integer *b)
{
    const size_t la = words_of(a), lb = words_of(b);

    if (la != lb) {
        return la < lb ? -1 : 1;
    }
    for (size_t i = la; i-- > 0;) {
        if (a->word[i] != b->word[i]) {
            return a->word[i] < b->word[i] ? -1 : 1;
        }
    }
    return 0;
}

/* a -= b; `a` has room for one word more than the longer of them. */
static void subtract(integer *a, const integer *b)
{
    const bool add = (a->len < 0) != (b->len < 0), a_negative = a->len < 0,
               less = compare_size(a, b) < 0;
    const size_t la = words_of(a), lb = words_of(b), most = la > lb ? la : lb;
    uint64_t carry = 0;

    for (size_t i = 0; i <= most; i++) {
        const uint64_t x = i < la ? a->word[i] : 0, y = i < lb ? b->word[i] : 0;
        const uint64_t difference = less ? y - x - carry : x - y - carry;
        const uint64_t r = add ? x + y + carry : difference;
        a->word[i] = (uint32_t)r;
        carry = add ? r >> WORD : r >> 63;
    }
    set_len(a, most + 1, add ? a_negative : less != a_negative);
}

/* a /= b, which leaves no remainder (Knuth's algorithm D); `a` has room for one word more. */
static void divide(integer *a, const integer *b)
{
    const size_t lb = words_of(b), la = words_of(a);
    const bool negative = (a->len < 0) != (b->len < 0);
    unsigned shift = 0;
    size_t quotient;

    if (la == 0) {
        return;
    }
    assert(lb > 0 && la >= lb);
    if (lb == 1) {
        uint64_t rest = 0;
        for (size_t i = la; i-- > 0;) {
            rest = rest << WORD | a->word[i];
            a->word[i] = (uint32_t)(rest / b->word[0]);
            rest %= b->word[0];
        }
        assert(rest == 0);
        set_len(a, la, negative);
        return;
    }
    while (!(b->word[lb - 1] << shift >> 31)) {
        shift++;
    }
#define SHIFTED(x, n, i)                                      \
    ((uint32_t)(((i) < (n) ? (uint64_t)(x)[i] << shift : 0) | \
                ((i) > 0 && shift ? (x)[(i)-1] >> (WORD - shift) : 0)))
    for (size_t i = la + 1; i-- > 0;) {
        a->word[i] = SHIFTED(a->word, la, i);
    }
    quotient = la - lb + 1;
    for (size_t q = quotient; q-- > 0;) {
        const uint64_t top = (uint64_t)a->word[q + lb] << WORD | a->word[q + lb - 1],
                       first = SHIFTED(b->word, lb, lb - 1), second = SHIFTED(b->word, lb, lb - 2);
        uint64_t guess, rest, borrow = 0, carry = 0;
        assert(first >> 31);
        guess = top / first;
        rest = top % first;
        while (guess >> WORD || guess * second > (rest << WORD | a->word[q + lb - 2])) {
            guess--;
            rest += first;
            if (rest >> WORD) {
                break;
            }
        }
        for (size_t i = 0; i < lb; i++) {
            carry += guess * SHIFTED(b->word, lb, i);
            borrow = (uint64_t)a->word[q + i] - (uint32_t)carry - borrow;
            a->word[q + i] = (uint32_t)borrow;
            borrow >>= 63;
            carry >>= WORD;
        }
        borrow = (uint64_t)a->word[q + lb] - carry - borrow;
        a->word[q + lb] = (uint32_t)guess; /* the rest needs the place no more */
        if (borrow >> 63) {
            a->word[q + lb]--;
            carry = 0;
            for (size_t i = 0; i < lb; i++) {
                carry += (uint64_t)a->word[q + i] + SHIFTED(b->word, lb, i);
                a->word[q + i] = (uint32_t)carry;
                carry >>= WORD;
            }
        }
    }
#undef SHIFTED
    memmove(a->word, a->word + lb, quotient * sizeof *a->word);
    set_len(a, quotient, negative);
}

/* The lowest bit that is set in any part of a row, and the number of bits from there to its sign.
 */
static void extent(const kn_exact *part, size_t count, size_t *low, size_t *bits)
{
    size_t first = KN_EXACT_LIMBS, last = 0;

    for (size_t p = 0; p < count; p++) {
        const uint32_t fill = part[p].limb[KN_EXACT_LIMBS - 1] >> 31 ? UINT32_MAX : 0;
        for (size_t i = 0; i < KN_EXACT_LIMBS; i++) {
            if (part[p].limb[i]) {
                first = i < first ? i : first;
            }
            if (part[p].limb[i] != fill) {
                last = i > last ? i : last;
            }
        }
    }
    *low = first < KN_EXACT_LIMBS ? first : 0;
    *bits = last + 1 > *low ? (last + 2 - *low) * WORD : WORD;
}

static void put(integer *out, const kn_exact *x, size_t low)
{
    const bool negative = kn__exact_sign(x) < 0;
    uint64_t carry = negative;
    size_t len = 0;

    for (size_t i = low; i < KN_EXACT_LIMBS; i++) {
        const uint64_t word = (negative ? ~x->limb[i] : x->limb[i]) + carry;
        carry = word >> WORD;
        if ((uint32_t)word) {
            while (len < i - low) {
                out->word[len++] = 0;
            }
            out->word[len++] = (uint32_t)word;
        }
    }
    set_len(out, len, negative);
}

/* ---- one variable ---- */

/* The sign of a.coefficient * b.constant - b.coefficient * a.constant: where the zero of `a` lies
 * of that of `b`, if both coefficients are above 0. */
static int compare_zeros(const kn_exact_row *a, const kn_exact_row *b)
{
    uint32_t room[4][2 * KN_EXACT_LIMBS + 4];
    integer *one = (integer *)room[0], *two = (integer *)room[1], *first = (integer *)room[2],
            *second = (integer *)room[3];
    size_t low_a, low_b, bits;

    extent(a->part, 2, &low_a, &bits);
    extent(b->part, 2, &low_b, &bits);
    put(one, &a->part[0], low_a);
    put(two, &b->part[1], low_b);
    multiply(first, one, two);
    put(one, &b->part[0], low_b);
    put(two, &a->part[1], low_a);
    multiply(second, one, two);
    subtract(first, second);
    return (first->len > 0) - (first->len < 0);
}

/* With one variable the rows are its lower and upper bounds: compare the tightest two. */
static bool interval_is_feasible(const kn_exact_row *rows, size_t count, const kn_exact *width)
{
    kn_exact ends[2][2] = {{{{0}}, {{0}}}, {{{0}}, *width}};
    kn_exact_row tightest[2] = {{ends[0], false}, {ends[1], false}}; /* from below, from above */
    int order;

    kn__exact_add(&ends[0][0], 1, 1, 1, 1);
    kn__exact_add(&ends[1][0], -1, 1, 1, 1);
    for (size_t i = 0; i < count; i++) {
        const int sign = kn__exact_sign(&rows[i].part[0]);
        kn_exact_row *best = &tightest[sign < 0];
        if (sign == 0) {
            if (kn__exact_sign(&rows[i].part[1]) < rows[i].strict) {
                return false;
            }
            continue;
        }
        order = compare_zeros(&rows[i], best) * sign;
        if (order > 0 || (order == 0 && rows[i].strict)) {
            *best = rows[i];
        }
    }
    order = compare_zeros(&tightest[0], &tightest[1]);
    return order >= (tightest[0].strict || tightest[1].strict);
}

/* ---- the dictionary ---- */

/* Basic variable = (constant + sum of entry * nonbasic variable) / denominator. The constant is
 * a number + a number * delta with delta above 0 and below every other number: what is asked to be
 * > 0 is asked to be >= delta. Variable 0 is the slack that all rows keep, to be made as great as
 * can be; 1..d are y; then come the slacks of the rows and of the widths. */
typedef struct dictionary {
    size_t rows, columns; /* columns: constant, its part of delta, then the nonbasic variables */
    size_t stride;        /* bytes of an entry */
    unsigned char *entry;
    size_t *basic, *nonbasic;
    size_t slack; /* the row of variable 0 */
    integer *denominator, *one, *two;
} dictionary;

enum { CONSTANT = 0, DELTA = 1, FIRST = 2 };

static integer *at(const dictionary *t, size_t row, size_t column)
{
    return (integer *)(void *)(t->entry + (row * t->columns + column) * t->stride);
}

static void pivot(dictionary *t, size_t row, size_t column)
{
    const integer *p = at(t, row, column); /* below 0 */
    const size_t variable = t->basic[row];

    for (size_t i = 0; i < t->rows; i++) {
        integer *own = at(t, i, column);
        for (size_t j = 0; i != row && j < t->columns; j++) {
            integer *e = at(t, i, j);
            if (j == column) {
                continue;
            }
            multiply(t->one, own, at(t, row, j));
            multiply(t->two, e, p);
            subtract(t->one, t->two);
            divide(t->one, t->denominator);
            copy(e, t->one);
        }
        if (i != row) {
            own->len = -own->len;
        }
    }
    copy(t->one, p);
    copy(at(t, row, column), t->denominator);
    at(t, row, column)->len = -at(t, row, column)->len;
    t->one->len = -t->one->len;
    copy(t->denominator, t->one);
    /* The row itself stays: divided by -p now, it says what the new basic variable is. */
    t->basic[row] = t->nonbasic[column - FIRST];
    t->nonbasic[column - FIRST] = variable;
    if (t->basic[row] == 0) {
        t->slack = row;
    }
}

/* The sign of constant i / entry(i, column) - constant j / entry(j, column), entries below 0 and
 * taken as positive. */
static int compare_ratio(const dictionary *t, size_t i, size_t j, size_t column)
{
    for (size_t part = CONSTANT; part <= DELTA; part++) {
        multiply(t->one, at(t, i, part), at(t, j, column));
        multiply(t->two, at(t, j, part), at(t, i, column));
        subtract(t->one, t->two);
        if (t->one->len != 0) {
            return t->one->len < 0 ? 1 : -1;
        }
    }
    return 0;
}

static bool slack_is_enough(const dictionary *t)
{
    const integer *a = at(t, t->slack, CONSTANT), *b = at(t, t->slack, DELTA);
    return a->len > 0 || (a->len == 0 && b->len >= 0);
}

static bool improve(dictionary *t)
{
    size_t enters = 0, leaves = SIZE_MAX;

    for (size_t j = FIRST; j < t->columns; j++) {
        if (at(t, t->slack, j)->len > 0 &&
            (!enters || t->nonbasic[j - FIRST] < t->nonbasic[enters - FIRST])) {
            enters = j;
        }
    }
    if (!enters) {
        return false;
    }
    for (size_t i = 0; i < t->rows; i++) {
        if (i != t->slack && at(t, i, enters)->len < 0) {
            const int order = leaves == SIZE_MAX ? -1 : compare_ratio(t, i, leaves, enters);
            if (order < 0 || (order == 0 && t->basic[i] < t->basic[leaves])) {
                leaves = i;
            }
        }
    }
    assert(leaves != SIZE_MAX); /* y is bounded, and so is the slack */
    pivot(t, leaves, enters);
    return true;
}

static void put_small(integer *out, int x)
{
    out->word[0] = 1;
    out->len = x;
}

static void fill(dictionary *t, const kn_exact_row *rows, size_t count, const kn_exact *width,
                 size_t d)
{
    for (size_t i = 0; i < count; i++) {
        size_t low, bits;
        extent(rows[i].part, d + 1, &low, &bits);
        put(at(t, i, CONSTANT), &rows[i].part[d], low);
        put_small(at(t, i, DELTA), rows[i].strict ? -1 : 0);
        for (size_t a = 0; a < d; a++) {
            put(at(t, i, FIRST + a), &rows[i].part[a], low);
        }
        put_small(at(t, i, FIRST + d), -1);
        t->basic[i] = d + 1 + i;
    }
    for (size_t a = 0; a < d; a++) {
        /* width - y >= 0, times the power of two that makes the width whole. */
        const size_t i = count + a;
        kn_exact both[2] = {width[a], {{0}}};
        size_t low, bits;
        kn__exact_add(&both[1], -1, 1, 1, 1);
        extent(both, 2, &low, &bits);
        put(at(t, i, CONSTANT), &both[0], low);
        for (size_t j = FIRST; j < t->columns; j++) {
            at(t, i, j)->len = 0;
        }
        at(t, i, DELTA)->len = 0;
        put(at(t, i, FIRST + a), &both[1], low);
        t->basic[i] = d + 1 + i;
    }
    for (size_t a = 0; a < d; a++) {
        t->nonbasic[a] = a + 1;
    }
    t->nonbasic[d] = 0;
    put_small(t->denominator, 1);
}

kn_status kn__exact_feasible(bool *answer, const kn_exact_row *rows, size_t count,
                             const kn_exact *width, size_t d, kn_error *err)
{
    dictionary t = {.rows = count + d, .columns = FIRST + d + 1};
    size_t most = 2 * WORD, words, least = 0;
    unsigned char *spare = NULL;
    kn_status st = KN_OK;

    *answer = true;
    for (size_t i = 0; d == 0 && i < count && *answer; i++) {
        *answer = kn__exact_sign(rows[i].part) >= rows[i].strict;
    }
    if (d == 1) {
        *answer = interval_is_feasible(rows, count, width);
    }
    if (count == 0 || d <= 1) {
        return KN_OK;
    }
    for (size_t i = 0; i < count + d; i++) {
        size_t low, bits;
        kn_exact both[2] = {{{0}}, {{0}}};
        if (i < count) {
            extent(rows[i].part, d + 1, &low, &bits);
        } else {
            both[0] = width[i - count];
            kn__exact_add(&both[1], 1, 1, 1, 1);
            extent(both, 2, &low, &bits);
        }
        most = bits > most ? bits : most;
    }
    /* An entry is a minor of at most d + 2 rows: Hadamard's bound, in words. */
    words = ((d + 2) * (most + 4)) / WORD + 2;
    t.stride = (sizeof(integer) + words * sizeof(uint32_t) + 7) / 8 * 8;
    t.entry = kn__malloc_array(t.rows * t.columns, t.stride);
    t.basic = kn__malloc_array(t.rows, sizeof *t.basic);
    t.nonbasic = kn__malloc_array(d + 1, sizeof *t.nonbasic);
    spare = kn__malloc_array(6, t.stride);
    if (!t.entry || !t.basic || !t.nonbasic || !spare) {
        st = kn__nomem(err);
        goto done;
    }
    t.denominator = (integer *)(void *)spare;
    t.one = (integer *)(void *)(spare + t.stride);
    t.two = (integer *)(void *)(spare + 3 * t.stride + t.stride / 2 / 8 * 8);
    fill(&t, rows, count, width, d);
    for (size_t i = 1; i < count; i++) {
        /* All entries of variable 0 are -1: the least constant is what bounds it. */
        if (compare_ratio(&t, i, least, FIRST + d) < 0) {
            least = i;
        }
    }
    pivot(&t, least, FIRST + d);
    while (!slack_is_enough(&t) && improve(&t)) {
    }
    *answer = slack_is_enough(&t);
done:
    KN_FREE(spare, t.nonbasic, t.basic, t.entry);
    return st;
}
