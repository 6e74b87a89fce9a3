/* pair_matrix.c - row i keeps the words from its own on: what comes before is in other rows. */
#include "count/rare/pair_matrix.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"

kn_status kn__pairs_new(kn_pairs **out, const uint32_t *support, uint32_t links, size_t k,
                        size_t most, kn_error *err)
{
    kn_pairs *p;
    size_t rows = 0, words, total = 0;

    *out = NULL;
    for (uint32_t i = 0; i < links; i++) {
        rows += support[i] >= k;
    }
    words = kn__bits_words(rows);
    for (size_t i = 0; i < rows; i++) {
        total += words - i / 64;
    }
    if (total > most / sizeof *p->bits) {
        return KN_OK;
    }
    p = kn__zalloc(sizeof *p);
    KN_PASS(p ? KN_OK : kn__nomem(err));
    p->rows = rows;
    p->place = kn__zalloc_array(links, sizeof *p->place);
    p->row = kn__malloc_array(rows, sizeof *p->row);
    p->bits = kn__zalloc_array(total, sizeof *p->bits);
    if (!p->place || !p->row || !p->bits) {
        kn__pairs_free(p);
        return kn__nomem(err);
    }
    rows = total = 0;
    for (uint32_t i = 0; i < links; i++) {
        if (support[i] >= k) {
            /* A row points to where its first word would be. */
            p->row[rows] = p->bits + total - rows / 64;
            total += words - rows / 64;
            p->place[i] = (uint32_t)rows++;
        }
    }
    *out = p;
    return KN_OK;
}

void kn__pairs_free(kn_pairs *p)
{
    if (p) {
        KN_FREE(p->place, p->row, p->bits, p);
    }
}
