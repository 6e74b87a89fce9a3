/* packs.c - the table of packs, and those that are prefixes of their codes. */
#include "hierarchy/packs/packs.h"
#include "data/value.h"

#include <string.h>

static const kn_pack packs[] = {
    {"country", "ISO 3166 codes of countries (DE, DEU): UN sub-region, UN region", kn__country_path,
     true},
    {"icd10", "ICD-10 codes of diagnoses (E11.9): category, block, chapter", kn__icd10_path, true},
    {"isco", "ISCO-08 codes of occupations (2511): minor, sub-major and major group", kn__isco_path,
     true},
    {"nace", "NACE codes of economic activities (47.11): group, division, section", kn__nace_path,
     false},
    {"nuts", "NUTS codes of regions (DE21H): NUTS 2, NUTS 1, country", kn__nuts_path, true},
};

const kn_pack *kn__packs(size_t *count)
{
    *count = sizeof packs / sizeof *packs;
    return packs;
}

const kn_pack *kn__pack_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof packs / sizeof *packs; i++) {
        if (strcmp(packs[i].name, name) == 0) {
            return &packs[i];
        }
    }
    return NULL;
}

void kn__pack_label(kn_pack_path *out, size_t level, const char *text, size_t len)
{
    const size_t n = len < KN_PACK_LABEL ? len : KN_PACK_LABEL - 1;

    memcpy(out->label[level], text, n);
    out->label[level][n] = '\0';
}

/* The minor groups of ISCO-08. */
static const char minor_groups[] =
    " 011 021 031 111 112 121 122 131 132 133 134 141 142 143 211 212 213 214 215 216 221 222 223 224 "
    "225 226 231 232 233 234 235 241 242 243 251 252 261 262 263 264 265 311 312 313 314 315 321 322 "
    "323 324 325 331 332 333 334 335 341 342 343 351 352 411 412 413 421 422 431 432 441 511 512 513 "
    "514 515 516 521 522 523 524 531 532 541 611 612 613 621 622 631 632 633 634 711 712 713 721 722 "
    "723 731 732 741 742 751 752 753 754 811 812 813 814 815 816 817 818 821 831 832 833 834 835 911 "
    "912 921 931 932 933 941 951 952 961 962 ";

bool kn__isco_path(kn_pack_path *out, const char *text, size_t len)
{
    char group[6] = " ";

    if (len != 4 || !kn__all_digits(text, len)) {
        return false;
    }
    memcpy(group + 1, text, 3);
    group[4] = ' ';
    if (!strstr(minor_groups, group)) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        kn__pack_label(out, i, text, 3 - i);
    }
    out->count = 3;
    return true;
}

/* The divisions of each section of NACE Rev. 2. */
static const struct {
    char section;
    int first, last;
} sections[] = {{'A', 1, 3},   {'B', 5, 9},   {'C', 10, 33}, {'D', 35, 35}, {'E', 36, 39},
                {'F', 41, 43}, {'G', 45, 47}, {'H', 49, 53}, {'I', 55, 56}, {'J', 58, 63},
                {'K', 64, 66}, {'L', 68, 68}, {'M', 69, 75}, {'N', 77, 82}, {'O', 84, 84},
                {'P', 85, 85}, {'Q', 86, 88}, {'R', 90, 93}, {'S', 94, 96}, {'T', 97, 98},
                {'U', 99, 99}};

/* 47.11, 4711, G47.11, 47.1 and 47. A code that stands for a group is in the group of its name. */
bool kn__nace_path(kn_pack_path *out, const char *text, size_t len)
{
    char digits[5];
    size_t n = 0, at = len && text[0] >= 'A' && text[0] <= 'U' ? 1 : 0;
    const char given = (char)(at ? text[0] : '\0');
    int division;

    for (; at < len; at++) {
        if (text[at] == '.' && (n == 2 || n == 3)) {
            continue;
        }
        if (n == 4 || text[at] < '0' || text[at] > '9') {
            return false;
        }
        digits[n++] = text[at];
    }
    if (n < 2) {
        return false;
    }
    division = 10 * (digits[0] - '0') + (digits[1] - '0');
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (division >= sections[i].first && division <= sections[i].last &&
            (!given || given == sections[i].section)) {
            const char group[] = {digits[0], digits[1], '.', (char)(n > 2 ? digits[2] : '0')};
            kn__pack_label(out, 0, group, n > 2 ? 4 : 2);
            kn__pack_label(out, 1, digits, 2);
            kn__pack_label(out, 2, &sections[i].section, 1);
            out->count = 3;
            return true;
        }
    }
    return false;
}

/* Two letters of a country and one to three signs. Shorter codes are in the group of their name. */
bool kn__nuts_path(kn_pack_path *out, const char *text, size_t len)
{
    kn_pack_path country;

    if (len < 3 || len > 5 || !kn__country_path(&country, text, 2)) {
        return false;
    }
    for (size_t i = 2; i < len; i++) {
        if ((text[i] < '0' || text[i] > '9') && (text[i] < 'A' || text[i] > 'Z')) {
            return false;
        }
    }
    if (!kn__all_digits(text + 2, 1) && len < 4) {
        return false; /* DEU is a country */
    }
    kn__pack_label(out, 0, text, len < 4 ? len : 4);
    kn__pack_label(out, 1, text, 3);
    kn__pack_label(out, 2, text, 2);
    out->count = 3;
    return true;
}
