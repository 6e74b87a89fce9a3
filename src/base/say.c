/* say.c - numbers and lists of names as people write them. No locale. */
#include "base/say.h"
#include "base/name_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void grouped(kn_buffer *b, const char *digits)
{
    const size_t len = strlen(digits);

    for (size_t i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0) {
            kn__buffer_addc(b, ',');
        }
        kn__buffer_addc(b, digits[i]);
    }
}

void kn__say_count(kn_buffer *b, size_t n)
{
    char digits[32];

    (void)snprintf(digits, sizeof digits, "%zu", n);
    grouped(b, digits);
}

void kn__say_things(kn_buffer *b, size_t n, const char *one, const char *many)
{
    kn__say_count(b, n);
    kn__buffer_addc(b, ' ');
    kn__buffer_adds(b, n == 1 ? one : many);
}

void kn__say_number(kn_buffer *b, double x, unsigned decimals)
{
    char digits[400];
    double scale = 1, scaled;

    if (!isfinite(x)) {
        kn__buffer_adds(b, "–");
        return;
    }
    for (unsigned i = 0; i < decimals; i++) {
        scale *= 10;
    }
    scaled = round(fabs(x) * scale);
    if (x < 0 && scaled > 0) {
        kn__buffer_adds(b, "−");
    }
    if (!(scaled < 9e15)) { /* beyond what a double tells apart: whole numbers */
        (void)snprintf(digits, sizeof digits, "%.0f", fabs(x));
        grouped(b, digits);
        return;
    }
    /* Split by hand: printf would write the locale's decimal point. */
    (void)snprintf(digits, sizeof digits, "%.0f", floor(scaled / scale));
    grouped(b, digits);
    if (decimals) {
        kn__buffer_addf(b, ".%0*.0f", (int)decimals, fmod(scaled, scale));
    }
}

void kn__say_share(kn_buffer *b, double share)
{
    const double percent = share * 100;

    if (percent > 0 && percent < 0.1) {
        kn__buffer_adds(b, "under 0.1 %");
    } else if (percent < 100 && percent > 99.9) {
        kn__buffer_adds(b, "over 99.9 %");
    } else {
        const double tenths = round(percent * 10) / 10;
        kn__say_number(b, percent, tenths == floor(tenths) ? 0 : 1);
        kn__buffer_adds(b, isfinite(share) ? " %" : "");
    }
}

const char *kn__say_gap(size_t i, size_t count, const char *last)
{
    if (i == 0) {
        return "";
    }
    return i + 1 == count ? last : ", ";
}

void kn__say_names(kn_buffer *b, const char *const *names, size_t count)
{
    const size_t shown = count > KN_SAY_NAMES + 1 ? KN_SAY_NAMES : count;

    for (size_t i = 0; i < shown; i++) {
        kn__buffer_adds(b, kn__say_gap(i, count, " and "));
        kn__buffer_adds(b, names[i]);
    }
    if (shown < count) {
        kn__buffer_adds(b, " and ");
        kn__say_count(b, count - shown);
        kn__buffer_adds(b, " other columns");
    }
}

void kn__say_quoted(kn_buffer *b, char quote, const char *text, size_t len)
{
    kn__buffer_addc(b, quote);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == quote) {
            kn__buffer_addc(b, quote);
        }
        kn__buffer_addc(b, text[i]);
    }
    kn__buffer_addc(b, quote);
}

static void say_part_of_word(kn_buffer *b, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'') {
            kn__buffer_adds(b, "'\\''");
        } else {
            kn__buffer_addc(b, *c);
        }
    }
}

/* As one word of a shell: in single quotes where it needs them. */
static void say_word(kn_buffer *b, const char *text)
{
    const size_t plain = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_.-+:@%/");

    if (text[plain] == '\0') {
        kn__buffer_adds(b, text);
        return;
    }
    kn__buffer_addc(b, '\'');
    say_part_of_word(b, text);
    kn__buffer_addc(b, '\'');
}

static void say_option(kn_buffer *b, const char *name, void (*say)(kn_buffer *, const char *))
{
    kn_buffer element = {0};

    kn__name_list_add(&element, name);
    b->failed = b->failed || element.failed;
    if (!b->failed) {
        say(b, element.data);
    }
    kn__buffer_free(&element);
}

void kn__say_option_name(kn_buffer *b, const char *name)
{
    say_option(b, name, say_word);
}

void kn__say_part_of_option(kn_buffer *b, const char *name)
{
    say_option(b, name, say_part_of_word);
}
