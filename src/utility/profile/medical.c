/* medical.c - tests of one value: codes of medicines, procedures and tests, medicines with their
 * strengths, and words that are made as names of medicines and diseases are. The stems of medicines
 * are those of the international nonproprietary names; those of diseases are Greek and Latin, and
 * so nearly the same in the languages of the EU. */
#include "utility/profile/detectors.h"

#include <stdint.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* ---- codes ---- */

/* Whether `mark` stands for `c`: 9 is a digit, A a letter, everything else itself. */
static bool has_mark(char c, char mark)
{
    switch (mark) {
    case '9': return is_digit(c);
    case 'A': return c >= 'A' && c <= 'Z';
    default: return c == mark;
    }
}

/* Whether `text` has the form `mask`. */
static bool has_form(const char *text, size_t len, const char *mask)
{
    if (strlen(mask) != len) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (!has_mark(text[i], mask[i])) {
            return false;
        }
    }
    return true;
}

/* One of the fourteen main groups, then at least the third level. */
bool kn__is_atc(const char *text, size_t len)
{
    return len >= 4 && strchr("ABCDGHJLMNPRSV", text[0]) &&
           (has_form(text, len, "A99AA99") || has_form(text, len, "A99AA") ||
            has_form(text, len, "A99A"));
}

bool kn__is_ndc(const char *text, size_t len)
{
    return has_form(text, len, "99999-9999-99") || has_form(text, len, "99999-999-99") ||
           has_form(text, len, "9999-9999-99") || has_form(text, len, "99999-9999-9");
}

/* Chapter, three digits of which the last may be a letter, then perhaps a point and one or two
 * more. Phone numbers have no such point, and dates none such dash. */
bool kn__is_ops(const char *text, size_t len)
{
    if (len < 5 || len > 8 || !strchr("135689", text[0]) || text[1] != '-' || !is_digit(text[2]) ||
        !is_digit(text[3]) || (!is_digit(text[4]) && (text[4] < 'a' || text[4] > 'z'))) {
        return false;
    }
    if (len > 5 && (text[5] != '.' || len == 6)) {
        return false;
    }
    for (size_t i = 6; i < len; i++) {
        if (!is_digit(text[i]) && (text[i] < 'a' || text[i] > 'z')) {
            return false;
        }
    }
    return true;
}

/* Three to seven digits, a dash and a check digit as of payment cards. */
bool kn__is_loinc(const char *text, size_t len)
{
    unsigned sum = 0;

    if (len < 5 || len > 9 || text[len - 2] != '-' || !is_digit(text[len - 1])) {
        return false;
    }
    for (size_t i = 0; i + 2 < len; i++) {
        const unsigned digit = (unsigned)(text[len - 3 - i] - '0') * (2 - (unsigned)(i % 2));
        if (!is_digit(text[len - 3 - i])) {
            return false;
        }
        sum += digit / 10 + digit % 10;
    }
    return (sum + (unsigned)(text[len - 1] - '0')) % 10 == 0;
}

/* ---- words ---- */

/* Whether `word` of `len` bytes is one of `units`, which are separated by blanks. */
static bool is_one_of(const char *units, const char *word, size_t len)
{
    for (size_t unit; *units; units += unit + (units[unit] == ' ')) {
        unit = strcspn(units, " ");
        if (unit == len && memcmp(units, word, len) == 0) {
            return true;
        }
    }
    return false;
}

bool kn__is_dose(const char *text, size_t len)
{
    char folded[KN_HEADER_LONGEST];
    size_t letters = 0;

    len = kn__fold(folded, sizeof folded, text, len);
    for (size_t i = 0, end; i < len; i = end) {
        end = i + 1;
        if (!is_letter(folded[i])) {
            continue;
        }
        while (end < len && is_letter(folded[end])) {
            end++;
        }
        char before = i > 0 ? folded[i - 1] : ' ';
        if (before == ' ' && i > 1) {
            before = folded[i - 2];
        }
        if (letters >= 4 && is_digit(before) && (end == len || !is_digit(folded[end])) &&
            is_one_of("mg mcg ug ml g iu ie ui unt meq mmol", folded + i, end - i)) {
            return true;
        }
        letters = end - i > letters ? end - i : letters;
    }
    return false;
}

/* Endings and beginnings as in header.h, folded. */
static const char stems[] =
    "-statin -statine -statina -pril -prilum -sartan -olol -ololi -mycin -mycine -cillin -cilline "
    "-cilina -cillina -prazol -prazole -conazol -conazole -oxetin -oxetine -oxetina -triptan "
    "-dipin -dipine -dipino -floxacin -floxacine -azepam -zolam -gliptin -gliflozin -formin "
    "-formine -formina -parin -xaban -setron -tidine -tidin -profen -cyclin -cycline -tinib -tizumab "
    "-mumab -ximab -vudine -tegravir -navir -ciclovir -caine -thiazide -semide -sartane -barbital "
    "-tadine -terol -butamol -asone -onide -methadone -codone -tiapin -tiapine -azapin -azapine "
    "-peridon -peridone -citalopram -traline -bupropion lithium insulin- paracetamol acetaminophen "
    "ibuprofen aspirin- morphin- warfarin "
    "otitis -ritis -titis -litis -nitis -gitis -chitis -citis -ditis -sitis -vitis -itida -osis -plegia -plegie -sclerosis -sklerose diabet- asthm- asma hypertens- "
    "hyperton- hipertens- ipertens- nadcisn- infarct- infark- carcinom- karzinom- cancer- krebs- "
    "-krebs cancro- rakovin- leukemi- leukam- leukaem- leucemi- lymphom- linfom- melanom- myelom- "
    "anemi- anaemi- anami- epilep- schizo- esquizo- depressi- depresi- -depression bipolar- autis- "
    "demen- alzheimer- parkinson- migrain- migran- emicran- neuralg- fibromyalg- neuropath- neuropat- "
    "retinopath- retinopat- nephropath- myopath- pneumon- neumon- polmonit- bronchi- bronqui- "
    "tubercul- hepatit- influenza grippe flu hiv aids syphilis covid- malaria infekt- infection- "
    "infecc- infezion- fractur- fraktur- frattur- syndrom- sindrom- disorder- storung- obesity "
    "adipositas obesit- ischaem- ischem- ischam- angina stroke arrhythm- fibrillat- thromb- tromb- "
    "ulcer- gastrit- psoria- ekzem- eczem- dermatit- allerg- alcoholism- alkoholab- abuse overdose";

/* An entry of `own` bytes: "-stem" ends the word, "stem-" begins it, "stem" is all of it. */
static bool has_entry(const char *word, size_t len, const char *entry, size_t own)
{
    const bool end = entry[0] == '-', beginning = entry[own - 1] == '-';
    const size_t n = own - end - beginning;

    if (beginning) {
        return len >= n && memcmp(word, entry, n) == 0;
    }
    if (end) {
        return len >= n + 2 && memcmp(word + len - n, entry + 1, n) == 0;
    }
    return len == n && memcmp(word, entry, n) == 0;
}

static bool has_stem(const char *word, size_t len)
{
    const char *entry = stems;

    for (size_t own; *entry; entry += own + (entry[own] == ' ')) {
        own = strcspn(entry, " ");
        if (has_entry(word, len, entry, own)) {
            return true;
        }
    }
    return false;
}

bool kn__is_medical_word(const char *text, size_t len)
{
    char folded[KN_HEADER_LONGEST];

    len = kn__fold(folded, sizeof folded, text, len);
    for (size_t i = 0, end; i < len; i = end) {
        for (end = i; end < len && is_letter(folded[end]); end++) {
        }
        if (end > i && has_stem(folded + i, end - i)) {
            return true;
        }
        end += end == i;
    }
    return false;
}
