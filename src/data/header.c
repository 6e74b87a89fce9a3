/* header.c - decide whether the first line of a file is a header or a record.
 *
 * Messages may show column names, never values of people. So a line counts as a header only if
 * every cell has the form of a name and is no value of its column, and there is positive evidence
 * too: a column that the caller named, or a column of numbers or dates under a word. Where two
 * columns or more are such evidence, names may have any form that a title or a question has, as
 * in the files of surveys: but the two may be numbers that the first person did not state, so a
 * name of that form must not look like the values below it, unless the caller named two columns. */
#include "base/args.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "kanon/catalog.h"

#include <ctype.h>
#include <strings.h>

enum {
    LONGEST_NAME = 60,
    LONGEST_TITLE = 1000,
    MOST_LISTED = 400,
    EVIDENCE_FOR_TITLES = 2,
    WORDS_OF_SENTENCE = 4,
    QUESTIONS_OF_SURVEY = 2
};

/* Words that are values, and hardly ever names of columns; most say that a value is missing. */
static bool is_value_word(const char *name)
{
    static const char words[] =
        "na|n/a|nan|null|none|nil|unknown|true|yes|false|no|missing|male|m|f|w|x|female|n.a.|"
        "n.b.|n.d.|n/d|s/d|k.a.|k. a.|n.k.|b.d.|not known|not stated|not available|"
        "not applicable|no answer|no data|refused|declined|declined to answer|"
        "refused to answer|prefer not to say|do not know|don't know|keine angabe|"
        "keine antwort|unbekannt|nicht bekannt|verweigert|inconnu|non renseigné|ne sait pas|"
        "sconosciuto|non noto|desconocido|sin datos|no sabe|desconhecido|sem dados|onbekend|"
        "weet niet|nieznany|brak danych|neuvedeno|ukendt|okänd|ej angivet|ei tietoa|"
        "nincs adat|necunoscut|nepoznato|neznano|teadmata|nežinoma|";
    const size_t len = strlen(name);

    for (const char *word = words; *word; word = strchr(word, '|') + 1) {
        if (strncasecmp(word, name, len) == 0 && word[len] == '|') {
            return true;
        }
    }
    return false;
}

/* A letter first, no more digits than letters, and nothing of an address, a list or a date. */
static bool has_form_of_name(const char *name)
{
    const unsigned char *c = (const unsigned char *)name;
    size_t letters = 0, digits = 0;

    if (!isalpha(*c) && *c != '_' && *c < 0x80) {
        return false;
    }
    for (; *c; c++) {
        letters += isalpha(*c) || *c >= 0x80 || *c == '_';
        digits += isdigit(*c) != 0;
        if (*c < ' ' || strchr("@,;:\\|+*=?!\"", *c)) {
            return false;
        }
    }
    return digits <= letters && (size_t)((const char *)c - name) <= LONGEST_NAME &&
           !is_value_word(name);
}

/* Also "1. How old are you?", "last, first" and "c10": no number, date, address or text that means
 * a missing value. */
static bool has_form_of_title(const char *name)
{
    const unsigned char *c = (const unsigned char *)name;
    const bool letter = isalpha(*c) || *c == '_' || *c >= 0x80;
    size_t letters = 0, digits = 0;

    for (; *c; c++) {
        letters += isalpha(*c) || *c >= 0x80;
        digits += isdigit(*c) != 0;
        if (*c < ' ' || *c == '@') {
            return false;
        }
    }
    return (letter || letters > digits) && (size_t)((const char *)c - name) <= LONGEST_TITLE &&
           !is_value_word(name);
}

/* The texts between separators, which are spaces and what stands between words. */
static size_t count_words(const char *text, size_t len)
{
    size_t words = 0;
    bool inside = false;

    for (size_t i = 0; i < len; i++) {
        const bool between = text[i] == ' ' || text[i] == ',' || text[i] == ';' || text[i] == '/';
        words += !between && !inside;
        inside = !between;
    }
    return words;
}

static char class_of(char c)
{
    if (isalpha((unsigned char)c) || (unsigned char)c >= 0x80) {
        return 'a';
    }
    return isdigit((unsigned char)c) ? '9' : c;
}

/* The class of the run of letters, of digits or of one other character at `*at`, which moves on.
 * Where `exact`, a digit is a run of its own. */
static char next_run(const char *text, size_t len, size_t *at, bool exact)
{
    const char class = class_of(text[(*at)++]);

    while (*at < len && class_of(text[*at]) == class &&
           (class == 'a' || (class == '9' && !exact))) {
        (*at)++;
    }
    return class;
}

/* Whether two texts have the same form: letters, digits and other characters in the same order. The
 * length of numbers counts in one word, such as "q105". */
static bool same_form(const char *a, size_t a_len, const char *b, size_t b_len, bool exact)
{
    size_t i = 0, j = 0;

    while (i < a_len && j < b_len) {
        if (next_run(a, a_len, &i, exact) != next_run(b, b_len, &j, exact)) {
            return false;
        }
    }
    return i == a_len && j == b_len;
}

static bool asks(const char *text, size_t len)
{
    return len && (text[len - 1] == '?' || text[len - 1] == ':');
}

/* Whether the title could be one more value of the column: a value has its form, or both are
 * sentences, and the title asks no question that the value does not ask. Columns of numbers and
 * dates hold no such text. In a survey sentences are titles. */
static bool looks_like_value(const char *title, const kn_column *c, bool survey)
{
    const size_t len = strlen(title), words = count_words(title, len);

    if (kn__type_is_ordered(c->type)) {
        return false;
    }
    for (size_t code = 0; c->dict && code < c->dict->len; code++) {
        size_t value_len;
        const char *value = kn__dict_text(c->dict, (uint32_t)code, &value_len);
        const bool sentences = !survey && words >= WORDS_OF_SENTENCE &&
                               count_words(value, value_len) >= WORDS_OF_SENTENCE;
        if (code == c->missing) {
            continue;
        }
        if (same_form(title, len, value, value_len, words == 1) ||
            (sentences && (asks(value, value_len) || !asks(title, len)))) {
            return true;
        }
    }
    return !c->dict;
}

/* Whether the caller named the column, and gave it a role. */
static bool was_named(const kn_column *c)
{
    return c->chosen != KN_CHOSEN_SUGGESTED &&
           (c->role == KN_ROLE_QUASI || c->role == KN_ROLE_SENSITIVE ||
            c->role == KN_ROLE_IDENTIFIER);
}

size_t kn__dataset_columns_named(const kn_dataset *ds)
{
    size_t count = 0;

    for (size_t i = 0; i < ds->columns; i++) {
        count += was_named(&ds->column[i]);
    }
    return count;
}

/* How many columns show that the first line is a header: the caller named them, or they are of
 * numbers or dates, which their names are not. */
static size_t count_evidence(const kn_dataset *ds)
{
    size_t count = 0;

    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        count += was_named(c) || (c->dict && kn__type_is_ordered(c->type));
    }
    return count;
}

/* Whether two names are questions, and no value of their columns is one. */
static bool is_survey(const kn_dataset *ds)
{
    size_t count = 0;

    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        const size_t len = strlen(c->name);
        bool question = c->dict && len && c->name[len - 1] == '?';
        for (size_t code = 0; question && code < c->dict->len; code++) {
            size_t value_len;
            const char *value = kn__dict_text(c->dict, (uint32_t)code, &value_len);
            question = code == c->missing || !asks(value, value_len);
        }
        count += question;
    }
    return count >= QUESTIONS_OF_SURVEY;
}

bool kn__dataset_may_have_names(const kn_dataset *ds)
{
    const bool titles = count_evidence(ds) >= EVIDENCE_FOR_TITLES,
               named = kn__dataset_columns_named(ds) >= KN_NAMED_FOR_HEADER,
               survey = ds->line_names && titles && is_survey(ds);

    for (size_t i = 0; ds->line_names && i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (!has_form_of_name(c->name) && !(titles && has_form_of_title(c->name) &&
                                            (named || !looks_like_value(c->name, c, survey)))) {
            return false;
        }
        if (c->dict && kn__dict_find(c->dict, c->name, strlen(c->name)) != KN_NO_CODE) {
            return false;
        }
    }
    return !ds->line_values;
}

bool kn_dataset_has_names(const kn_dataset *ds)
{
    return ds && kn__dataset_may_have_names(ds) && (!ds->line_names || count_evidence(ds) > 0);
}

static void list_names(const char *const *names, size_t count, kn_buffer *out)
{
    const size_t begin = out->len;
    size_t shown = 0;

    for (; shown < count && out->len - begin < MOST_LISTED; shown++) {
        kn__buffer_addf(out, "%s%.60s", shown ? ", " : "", names[shown]);
    }
    if (shown < count) {
        kn__buffer_addf(out, " and %zu more", count - shown);
    }
    kn__buffer_adds(out, count ? "" : "none");
}

kn_status kn_dataset_describe_columns(char **out, const kn_dataset *ds, const char *absent,
                                      kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, ds, absent);

    const char **names = NULL, *near = NULL;
    kn_buffer text = {0};

    if (!kn_dataset_has_names(ds)) {
        kn__buffer_addf(&text,
                        "it has %zu column%s; if its first line is no header, --no-header calls "
                        "them column1 to column%zu",
                        ds->columns, ds->columns == 1 ? "" : "s", ds->columns);
        goto done;
    }
    names = kn__malloc_array(ds->columns + 1, sizeof *names);
    if (!names) {
        text.failed = true;
        goto done;
    }
    for (size_t i = 0; i < ds->columns; i++) {
        names[i] = ds->column[i].name;
    }
    near = kn_nearest(absent, names, ds->columns);
    if (near) {
        kn__buffer_addf(&text, "did you mean '%.100s'? Its columns are ", near);
    } else {
        kn__buffer_adds(&text, "its columns are ");
    }
    list_names(names, ds->columns, &text);
done:
    kn__free(names);
    return kn__buffer_take(&text, out, err);
}

kn_status kn__no_column(const kn_dataset *ds, const char *why, const char *name, kn_error *err)
{
    char *columns = NULL;
    kn_status status;

    KN_TRY(kn_dataset_describe_columns(&columns, ds, name, err));
    status = kn__about_column(
        err, kn__fail(err, KN_EINPUT, "there is no column '%.100s' %s; %s", name, why, columns),
        KN_ERROR_NO_COLUMN, name);
done:
    kn__free(columns);
    return status;
}
