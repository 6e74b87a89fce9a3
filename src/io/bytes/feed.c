/* feed.c - hand out the blocks of a file to all workers.
 *
 * Where blocks are cut depends on the bytes alone, not on the workers. Blocks are handed out in the
 * order of the file, and none after a problem is known. So all blocks before the first bad one are
 * parsed, and the first problem is the same for every number of threads. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/value.h"
#include "io/bytes/decode.h"
#include "io/reader.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static const size_t default_block = (size_t)1 << 18;
static const size_t longest_record = (size_t)1 << 30;

typedef struct bytes {
    char *data;
    size_t len, cap; /* cap does not count KN_BLOCK_PADDING */
} bytes;

/* Counts of a block that was parsed. */
typedef struct part {
    size_t lines, blank, records;
} part;

struct kn_feed {
    kn_source *source;
    size_t block, record;
    bytes carry;   /* bytes that were read, but not handed out */
    bool examined; /* the first bytes, for a byte order mark */
    bool bom;
    kn_decoder decoder;
    kn_buffer decoded; /* what was decoded and not taken yet, from `taken` on */
    size_t taken;
    bool ended;        /* the source is exhausted */
    size_t first_line; /* of the first block */

    /* while running: */
    const kn_feed_format *format;
    kn_builder *builder;
    const kn_run *run;
    pthread_mutex_t lock;
    size_t next; /* number of the next block */
    bool stop;
    part *parts; /* by block */
    size_t parts_cap;
    kn_problem problem; /* the one of the lowest block so far */
    size_t problem_block;
    kn_status cancelled;
    kn_error cancelled_error;
};

static kn_status reserve(bytes *b, size_t cap, kn_error *err)
{
    char *grown;

    if (b->data && cap <= b->cap) {
        return KN_OK;
    }
    if (cap > SIZE_MAX - KN_BLOCK_PADDING ||
        !(grown = kn__realloc(b->data, cap + KN_BLOCK_PADDING))) {
        (void)kn__nomem(err);
        return KN_ENOMEM;
    }
    b->data = grown;
    b->cap = cap;
    return KN_OK;
}

kn_status kn__feed_open(kn_feed **out, const char *path, const kn_read_options *options,
                        const kn_read_sizes *sizes, kn_error *err)
{
    kn_feed *f = kn__zalloc(sizeof *f);
    kn_compression compression;
    kn_status status;

    *out = NULL;
    KN_PASS(f ? KN_OK : kn__nomem(err));
    if (pthread_mutex_init(&f->lock, NULL) != 0) {
        kn__free(f);
        return kn__nomem(err);
    }
    f->block = sizes && sizes->block ? sizes->block : default_block;
    f->record = sizes && sizes->record ? sizes->record : longest_record;
    f->first_line = 1;
    compression = options->layout ? options->layout->compression : KN_COMPRESSION_AUTO;
    status = kn__source_open(&f->source, path, compression, options->hash, err);
    if (status != KN_OK) {
        kn__feed_close(f);
        return status;
    }
    *out = f;
    return KN_OK;
}

void kn__feed_close(kn_feed *f)
{
    if (f) {
        kn__source_close(f->source);
        (void)pthread_mutex_destroy(&f->lock);
        kn__free(f->carry.data);
        kn__buffer_free(&f->decoded);
        KN_FREE(f->parts, f);
    }
}

kn_source *kn__feed_source(kn_feed *f)
{
    return f->source;
}

void kn__feed_set_encoding(kn_feed *f, kn_encoding encoding)
{
    f->decoder.from = encoding;
}

kn_encoding kn__feed_encoding(const kn_feed *f)
{
    return f->decoder.from;
}

static bool decodes(const kn_feed *f)
{
    return f->decoder.from == KN_ENCODING_LATIN1 || f->decoder.from == KN_ENCODING_UTF16;
}

/* The next `size` bytes of the file as UTF-8; fewer at its end. */
static kn_status read_decoded(kn_feed *f, char *out, size_t size, size_t *got, kn_error *err)
{
    enum { PIECE = 1 << 15 };
    kn_status status = KN_OK;
    char *piece = NULL;
    bool more = true;

    *got = 0;
    while (*got < size && (more || f->taken < f->decoded.len)) {
        size_t len = f->decoded.len - f->taken;
        if (len == 0) {
            piece = piece ? piece : kn__malloc_array(PIECE, 1);
            KN_TRY(piece ? kn__source_read(f->source, piece, PIECE, &len, err) : kn__nomem(err));
            more = len == PIECE;
            f->decoded.len = f->taken = 0;
            kn__decode(&f->decoder, &f->decoded, piece, len);
            if (!more) {
                kn__decode_end(&f->decoder, &f->decoded);
            }
            KN_TRY(f->decoded.failed ? kn__nomem(err) : KN_OK);
            len = f->decoded.len;
        }
        len = len < size - *got ? len : size - *got;
        if (len) {
            memcpy(out + *got, f->decoded.data + f->taken, len);
        }
        f->taken += len;
        *got += len;
    }
done:
    kn__free(piece);
    return status;
}

/* Decide how the file is encoded by its first bytes, and decode those. */
static kn_status detect_encoding(kn_feed *f, kn_error *err)
{
    bytes *b = &f->carry;

    f->decoder.from = kn__encoding_of(b->data, b->len, f->ended);
    if (!decodes(f)) {
        return KN_OK;
    }
    kn__decode(&f->decoder, &f->decoded, b->data, b->len);
    if (f->ended) {
        kn__decode_end(&f->decoder, &f->decoded);
    }
    KN_PASS(f->decoded.failed ? kn__nomem(err) : KN_OK);
    KN_PASS(reserve(b, f->decoded.len, err));
    if (f->decoded.len) {
        memcpy(b->data, f->decoded.data, f->decoded.len);
    }
    b->len = f->decoded.len;
    f->decoded.len = f->taken = 0;
    return KN_OK;
}

/* Read until `b` holds `target` bytes or the file ends. */
static kn_status fill(kn_feed *f, bytes *b, size_t target, kn_error *err)
{
    size_t got = 0;

    if (b->len >= target || f->ended) {
        return KN_OK;
    }
    KN_PASS(reserve(b, target, err));
    KN_PASS((decodes(f)
                 ? read_decoded(f, b->data + b->len, target - b->len, &got, err)
                 : kn__source_read(f->source, b->data + b->len, target - b->len, &got, err)));
    b->len += got;
    f->ended = b->len < target;
    return KN_OK;
}

static kn_status too_long(const kn_feed *f, size_t line, kn_error *err)
{
    return kn__fail(err, KN_EINPUT,
                    "%s: line %zu: this record is longer than %zu bytes: is a quote left open?",
                    kn__source_name(f->source), line, f->record);
}

kn_status kn__feed_peek(kn_feed *f, bool (*enough)(void *user, const char *text, size_t len),
                        void *user, const char **text, size_t *len, bool *bom, kn_error *err)
{
    size_t target = f->block > f->carry.len ? f->block : f->carry.len * 2;
    kn_status status;

    KN_TRY(fill(f, &f->carry, target > 16 ? target : 16, err));
    KN_TRY(reserve(&f->carry, 16, err)); /* even an empty file has an address */
    if (!f->examined) {
        f->examined = true;
        KN_TRY(
            kn__refuse_foreign_bytes(kn__source_name(f->source), f->carry.data, f->carry.len, err));
        if (f->decoder.from == KN_ENCODING_AUTO) {
            KN_TRY(detect_encoding(f, err));
        }
        f->bom = f->carry.len >= 3 && memcmp(f->carry.data, "\xef\xbb\xbf", 3) == 0;
        if (f->bom) {
            kn__feed_skip(f, 3, 0);
        }
    }
    while (!f->ended && !enough(user, f->carry.data, f->carry.len)) {
        if (f->carry.len >= f->record) {
            KN_TRY(too_long(f, f->first_line, err));
        } else {
            KN_TRY(fill(f, &f->carry, f->carry.len * 2 + 16, err));
        }
    }
done:
    if (status != KN_OK) {
        return status;
    }
    memset(f->carry.data + f->carry.len, 0,
           KN_BLOCK_PADDING); /* a scan looks at it before it stops */
    *text = f->carry.data;
    *len = f->carry.len;
    *bom = f->bom;
    return KN_OK;
}

void kn__feed_skip(kn_feed *f, size_t len, size_t lines)
{
    memmove(f->carry.data, f->carry.data + len, f->carry.len - len);
    f->carry.len -= len;
    f->first_line += lines;
}

/* ---- problems ---- */

void kn__block_fail(kn_block *block, size_t line, const char *where, const char *format, ...)
{
    va_list args;

    if (block->problem.status != KN_OK) {
        return;
    }
    block->problem.status = KN_EINPUT;
    block->problem.line = line;
    block->problem.since = 0;
    (void)snprintf(block->problem.where, sizeof block->problem.where, "%s", where);
    va_start(args, format);
    (void)vsnprintf(block->problem.text, sizeof block->problem.text, format, args);
    va_end(args);
}

void kn__block_fail_as(kn_block *block, size_t line, const kn_error *err)
{
    kn__block_fail(block, err->status == KN_EINPUT ? line : 0, "", "%.700s", err->message);
    block->problem.status = err->status;
}

void kn__where(char out[160], const char *column, const char *text, size_t at)
{
    size_t begin = at, characters = 1;

    while (begin && text[begin - 1] != '\n') {
        begin--;
        characters += ((unsigned char)text[begin] & 0xc0) != 0x80;
    }
    if (column) {
        (void)snprintf(out, 160, ", column '%.80s', character %zu", column, characters);
    } else {
        (void)snprintf(out, 160, ", character %zu", characters);
    }
}

/* Half of a pair of UTF-16 (decode.h). */
static bool is_half(const char *text, size_t len)
{
    return len >= 2 && (unsigned char)text[0] == 0xED && (unsigned char)text[1] >= 0xA0;
}

void kn__block_fail_byte(kn_block *block, size_t line, const char *column, size_t bad)
{
    char where[160];

    kn__where(where, column, block->text, bad);
    if (block->text[bad] == '\0') {
        kn__block_fail(
            block, line, where,
            "a NUL byte: this is no text file, or it is damaged ('tr -d \"\\000\"' removes "
            "NUL bytes)");
    } else if (is_half(block->text + bad, block->len - bad)) {
        kn__block_fail(block, line, where,
                       "half a character of UTF-16: this is no text file, or it is damaged");
    } else {
        kn__block_fail(block, line, where,
                       "the byte 0x%02X is not UTF-8: if the file is written in Latin-1 or "
                       "Windows-1252, say --encoding latin1; else convert it",
                       (unsigned)(unsigned char)block->text[bad]);
    }
}

/* Whether every byte is ASCII and none is NUL: a quick test that most files pass. */
static bool plain(const char *text, size_t len)
{
    size_t i = 0;

#ifdef __SSE2__
    const __m128i one = _mm_set1_epi8(1);
    __m128i low = one;
    for (; i + 64 <= len; i += 64) {
        const __m128i *p = (const __m128i *)(const void *)(text + i);
        const __m128i a = _mm_loadu_si128(p), b = _mm_loadu_si128(p + 1);
        const __m128i c = _mm_loadu_si128(p + 2), d = _mm_loadu_si128(p + 3);
        const __m128i over = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
        const __m128i least = _mm_min_epu8(_mm_min_epu8(a, b), _mm_min_epu8(c, d));
        low = _mm_min_epu8(low, least);
        if (_mm_movemask_epi8(over)) {
            return false;
        }
    }
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(low, _mm_setzero_si128()))) {
        return false;
    }
#else
    for (; i + 8 <= len; i += 8) {
        const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
        uint64_t x;
        memcpy(&x, text + i, 8);
        if (((x - ones) | x) & highs) {
            return false;
        }
    }
#endif
    for (; i < len; i++) {
        if (text[i] == '\0' || (unsigned char)text[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

size_t kn__text_check(const char *text, size_t len)
{
    size_t bad;

    return plain(text, len) || kn__utf8_valid(text, len, &bad) ? len : bad;
}

/* ---- running ---- */

/* Record a problem of block `number`; the lock is held. */
static void note_problem(kn_feed *f, size_t number, const kn_problem *problem)
{
    f->stop = true;
    if (f->problem.status == KN_OK || number < f->problem_block) {
        f->problem = *problem;
        f->problem_block = number;
    }
}

static void note_error(kn_feed *f, size_t number, const kn_error *err)
{
    kn_problem problem = {.status = err->status};

    (void)snprintf(problem.text, sizeof problem.text, "%.700s", err->message);
    note_problem(f, number, &problem);
}

/* Read the next block into `b`; the lock is held. `*end` is where its last whole record ends, 0 at
 * the end of the file. */
static kn_status take(kn_feed *f, bytes *b, size_t *end, kn_error *err)
{
    size_t target = f->block;

    *end = 0;
    KN_PASS(reserve(b, f->carry.len > target ? f->carry.len : target, err));
    if (f->carry.len) {
        memcpy(b->data, f->carry.data, f->carry.len);
    }
    b->len = f->carry.len;
    f->carry.len = 0;
    for (;;) {
        KN_PASS(fill(f, b, target, err));
        if (f->ended) {
            *end = b->len;
            return KN_OK;
        }
        *end = f->format->split(f->format->user, b->data, b->len);
        if (*end) {
            break;
        }
        if (f->format->wrong && f->format->wrong(f->format->user, b->data, b->len)) {
            /* The parser reports what is wrong; the rest of the file cannot be cut into blocks. The
             * block must end with a whole character. */
            f->stop = true;
            KN_PASS(fill(f, b, b->len + 8, err));
            *end = b->len;
            while (!f->ended && b->len - *end < 4 && ((unsigned char)b->data[*end - 1] & 0x80)) {
                (*end)--;
            }
            return KN_OK;
        }
        if (b->len >= f->record) {
            kn_problem problem = {.status = KN_EINPUT, .line = 1};
            (void)snprintf(problem.text, sizeof problem.text,
                           "this record is longer than %zu bytes: is a quote left open?",
                           f->record);
            note_problem(f, f->next, &problem);
            return KN_OK;
        }
        target = b->len > f->record / 2 ? f->record : b->len * 2;
    }
    KN_PASS(reserve(&f->carry, b->len - *end, err));
    if (b->len > *end) {
        memcpy(f->carry.data, b->data + *end, b->len - *end);
        f->carry.len = b->len - *end;
    }
    return KN_OK;
}

/* Hand out one block; false when there is none. */
static bool hand_out(kn_feed *f, bytes *b, kn_block *block, size_t *number, double *done_share)
{
    kn_error err = {0};
    size_t end = 0;
    kn_status status = KN_OK;

    (void)pthread_mutex_lock(&f->lock);
    *number = f->next;
    if (f->stop) {
        goto done;
    }
    KN_TRY(take(f, b, &end, &err));
    *done_share = kn__source_done(f->source);
    if (end) {
        KN_TRY(kn__grow(&f->parts, &f->parts_cap, f->next + 1, sizeof *f->parts, &err));
        KN_TRY(kn__builder_chunk(f->builder, block->worker, f->next, &block->chunk, &err));
        f->parts[f->next++] = (part){0};
    }
done:
    if (status != KN_OK) {
        note_error(f, f->next, &err);
    }
    (void)pthread_mutex_unlock(&f->lock);
    if (b->data) {
        memset(b->data + b->len, 0, KN_BLOCK_PADDING); /* a scan looks at it before it stops */
    }
    block->text = b->data;
    block->len = end;
    return block->chunk != NULL && status == KN_OK;
}

static void work(void *user, unsigned worker)
{
    kn_feed *f = user;
    bytes b = {0};
    double done = 0;

    for (;;) {
        kn_block block = {.worker = worker};
        kn_error err = {0};
        size_t number;

        if (worker == 0) {
            const kn_status status = kn__run_step(f->run, "read", done, &f->cancelled_error);
            if (status != KN_OK) {
                (void)pthread_mutex_lock(&f->lock);
                f->cancelled = status;
                f->stop = true;
                (void)pthread_mutex_unlock(&f->lock);
            }
        }
        if (!hand_out(f, &b, &block, &number, &done)) {
            break;
        }
        f->format->parse(f->format->user, &block);
        if (block.problem.status == KN_OK && kn__chunk_close(block.chunk, &err) != KN_OK) {
            kn__block_fail_as(&block, 0, &err);
        }
        (void)pthread_mutex_lock(&f->lock);
        f->parts[number] = (part){block.lines, block.blank, kn__chunk_records(block.chunk)};
        if (block.problem.status != KN_OK) {
            note_problem(f, number, &block.problem);
        }
        (void)pthread_mutex_unlock(&f->lock);
    }
    kn__free(b.data);
}

/* Blank lines are allowed at the end of the file only: refuse others. */
static void refuse_inner_blank_line(kn_feed *f)
{
    const bool failed = f->problem.status != KN_OK;
    const size_t parts = failed ? f->problem_block : f->next;
    size_t blank = SIZE_MAX;

    for (size_t i = 0; i < parts; i++) {
        if (f->parts[i].records && blank != SIZE_MAX) {
            break;
        }
        if (f->parts[i].blank && blank == SIZE_MAX) {
            blank = i;
        }
        if (i + 1 == parts && !failed) {
            return;
        }
    }
    if (blank != SIZE_MAX) {
        f->problem = (kn_problem){.status = KN_EINPUT, .line = f->parts[blank].blank};
        f->problem_block = blank;
        (void)snprintf(f->problem.text, sizeof f->problem.text,
                       "the line is empty, and records follow: remove it, or write the record");
    }
}

static kn_status report(kn_feed *f, kn_error *err)
{
    const kn_problem *p = &f->problem;
    size_t before = f->first_line - 1;
    char since[80] = "";

    if (p->status != KN_EINPUT || !p->line) {
        return kn__fail(err, p->status, "%s", p->text);
    }
    for (size_t i = 0; i < f->problem_block; i++) {
        before += f->parts[i].lines;
    }
    if (p->since) {
        (void)snprintf(since, sizeof since, " (the value begins on line %zu)", before + p->since);
    }
    return kn__fail(err, p->status, "%s: line %zu%s: %s%s", kn__source_name(f->source),
                    before + p->line, p->where, p->text, since);
}

kn_status kn__feed_run(kn_feed *f, const kn_feed_format *format, kn_builder *builder,
                       const kn_run *run, kn_error *err)
{
    size_t records = 0;

    f->format = format;
    f->builder = builder;
    f->run = run;
    kn__parallel(kn__run_threads(run), work, f);
    if (f->cancelled != KN_OK) {
        if (err) {
            *err = f->cancelled_error;
        }
        return f->cancelled;
    }
    if (f->problem.status == KN_OK || f->problem.line) {
        refuse_inner_blank_line(f);
    }
    if (f->problem.status != KN_OK) {
        return report(f, err);
    }
    for (size_t i = 0; i < f->next; i++) {
        records += f->parts[i].records;
    }
    if (records == 0) {
        return kn__fail(err, KN_EINPUT, "%s: there are no records in it",
                        kn__source_name(f->source));
    }
    return kn__run_step(run, "read", 1, err);
}
