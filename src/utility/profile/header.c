/* header.c - fold and split the names of columns, and compare their words with the table. */
#include "utility/profile/header.h"
#include "data/value.h"

#include <stdint.h>
#include <string.h>

/* ---- folding ---- */

/* Letters U+00C0..U+017F without accents; '\0' where there are two letters, or none. */
static const char latin[] = "aaaaaa\0ceeeeiiiidnooooo\0ouuuuyt\0aaaaaa\0ceeeeiiiidnooooo\0ouuuuyty"
                            "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii\0\0jjkkklllllllll"
                            "lnnnnnnnnnoooooo\0\0rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

static const struct {
    uint32_t letter;
    const char *folded;
} others[] = {
    {0xC6, "ae"},  {0xE6, "ae"}, {0xDF, "ss"}, {0x132, "ij"}, {0x133, "ij"}, {0x152, "oe"},
    {0x153, "oe"}, {0x218, "s"}, {0x219, "s"}, {0x21A, "t"},  {0x21B, "t"},  {0x386, "α"},
    {0x388, "ε"},  {0x389, "η"}, {0x38A, "ι"}, {0x38C, "ο"},  {0x38E, "υ"},  {0x38F, "ω"},
    {0x390, "ι"},  {0x3AA, "ι"}, {0x3AB, "υ"}, {0x3AC, "α"},  {0x3AD, "ε"},  {0x3AE, "η"},
    {0x3AF, "ι"},  {0x3B0, "υ"}, {0x3C2, "σ"}, {0x3CA, "ι"},  {0x3CB, "υ"},  {0x3CC, "ο"},
    {0x3CD, "υ"},  {0x3CE, "ω"},
};

/* One character of UTF-8; its bytes by `*bytes`. What is no UTF-8 is a character by itself. */
static uint32_t decode(const char *text, size_t len, size_t *bytes)
{
    const unsigned char *u = (const unsigned char *)text;
    const size_t more = kn__utf8_more(u[0]);
    uint32_t c = more == 0 ? u[0] : u[0] & (0x3Fu >> more);

    *bytes = 1;
    if (more == 0 || more >= len) {
        return c;
    }
    for (size_t i = 1; i <= more; i++) {
        c = c << 6 | (u[i] & 0x3Fu);
    }
    *bytes = more + 1;
    return c;
}

static size_t encode(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c >= 0x800) { /* no letter that is folded: it ends a word */
        out[0] = '?';
        return 1;
    }
    out[0] = (char)(0xC0 | c >> 6);
    out[1] = (char)(0x80 | (c & 0x3F));
    return 2;
}

static bool is_capital(uint32_t c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7) ||
           (c >= 0x100 && c <= 0x137 && c % 2 == 0) || (c >= 0x139 && c <= 0x148 && c % 2 == 1) ||
           (c >= 0x14A && c <= 0x177 && c % 2 == 0) || (c >= 0x386 && c <= 0x3AB && c != 0x390) ||
           (c >= 0x400 && c <= 0x42F);
}

/* The folded form of `c` into `out` (of 4 bytes); its length. */
static size_t fold_one(char *out, uint32_t c)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].letter == c) {
            memcpy(out, others[i].folded, 2);
            return strlen(others[i].folded);
        }
    }
    if (c >= 'A' && c <= 'Z') {
        c = c - 'A' + 'a';
    } else if (c >= 0xC0 && c <= 0x17F && latin[c - 0xC0]) {
        c = (unsigned char)latin[c - 0xC0];
    } else if (c >= 0x391 && c <= 0x3A9) {
        c += 0x20;
    } else if (c >= 0x410 && c <= 0x42F) {
        c += 0x20;
    } else if (c >= 0x300 && c <= 0x36F) { /* an accent by itself */
        return 0;
    }
    return encode(out, c);
}

size_t kn__fold(char *out, size_t cap, const char *text, size_t len)
{
    size_t at = 0, bytes;

    for (size_t i = 0; i < len && at + 5 <= cap; i += bytes) {
        at += fold_one(out + at, decode(text + i, len - i, &bytes));
    }
    out[at] = '\0';
    return at;
}

/* ---- splitting ---- */

typedef enum letter_class { SIGN, SMALL, CAPITAL, DIGIT } letter_class;

static letter_class class_of(uint32_t c)
{
    if (c >= '0' && c <= '9') {
        return DIGIT;
    }
    if (is_capital(c)) {
        return CAPITAL;
    }
    return (c >= 'a' && c <= 'z') || (c >= 0xDF && c <= 0x24F && c != 0xF7) ||
                   (c >= 0x300 && c <= 0x4FF)
               ? SMALL
               : SIGN;
}

/* Words end at signs, between letters and digits, and before a capital that follows a small
 * letter. */
void kn__header_split(kn_header *h, const char *name)
{
    const size_t whole = strlen(name);
    const size_t len = whole < KN_HEADER_LONGEST ? whole : KN_HEADER_LONGEST;
    size_t out = 0, squeezed = 0, bytes;
    letter_class before = SIGN;

    for (size_t i = 0; i < len; i += bytes) {
        const uint32_t c = decode(name + i, len - i, &bytes);
        const letter_class now = class_of(c);
        const bool ends = now == SIGN || (now == CAPITAL && before == SMALL) ||
                          (before != SIGN && (now == DIGIT) != (before == DIGIT));
        char folded[4];
        const size_t n = now == SIGN ? 0 : fold_one(folded, c);

        if (ends && out && h->words[out - 1]) {
            h->words[out++] = '\0';
        }
        memcpy(h->words + out, folded, n);
        memcpy(h->squeezed + squeezed, folded, n);
        out += n;
        squeezed += n;
        before = now;
    }
    if (out && h->words[out - 1]) {
        h->words[out++] = '\0';
    }
    h->words[out] = '\0';
    h->squeezed[squeezed] = '\0';
}

/* ---- comparing ---- */

/* Words that end as "customerid" does, and speak of no id. */
static bool ends_by_chance(const char *word)
{
    static const char *const words[] = {"aid",  "avoid", "did",   "fluid", "grid", "hybrid",
                                        "paid", "said",  "solid", "valid", "void"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether `word` is the entry [entry, entry + len) of the table, which may be a beginning or an
 * end. */
static bool matches(const char *word, const char *entry, size_t len)
{
    const size_t own = strlen(word);

    if (entry[0] == '-') {
        return !ends_by_chance(word) && own >= len - 1 &&
               memcmp(word + own - (len - 1), entry + 1, len - 1) == 0;
    }
    if (entry[len - 1] == '-') {
        return own >= len - 1 && memcmp(word, entry, len - 1) == 0;
    }
    return own == len && memcmp(word, entry, len) == 0;
}

static bool find(const kn_header *h, kn_concept concept, bool whole, char *found)
{
    const char *entry = kn__header_words(concept);
    size_t len;

    for (; *entry; entry += len + (entry[len] == ' ')) {
        len = strcspn(entry, " ");
        bool hit = matches(h->squeezed, entry, len);
        for (const char *word = h->words; !whole && !hit && *word; word += strlen(word) + 1) {
            hit = matches(word, entry, len);
        }
        if (hit && found) {
            const bool end = entry[0] == '-', beginning = entry[len - 1] == '-';
            memcpy(found, entry + end, len - end - beginning);
            found[len - end - beginning] = '\0';
        }
        if (hit) {
            return true;
        }
    }
    return false;
}

bool kn__header_says(const kn_header *h, kn_concept concept, char *word)
{
    return find(h, concept, false, word);
}

bool kn__header_is(const kn_header *h, kn_concept concept)
{
    return find(h, concept, true, NULL);
}
