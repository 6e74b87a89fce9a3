/* value_sample.c - a map from hashes to counts that is halved whenever it is full. */
#include "data/value_sample.h"
#include "base/error.h"

#include <stdbool.h>

/* Keep the values whose hash ends in one more zero bit. */
static kn_status halve(kn_value_sample *s, kn_error *err)
{
    kn_value_sample half = {.most = s->most, .shift = s->shift + 1, .records = s->records};

    KN_PASS(kn__map_reserve(&half.held, s->held.used, err));
    for (size_t i = 0; s->held.slots && i <= s->held.mask; i++) {
        const kn_map_slot *slot = &s->held.slots[i];
        if (slot->value && (slot->key >> s->shift & 1) == 0) {
            kn__map_put(&half.held, kn__map_find(&half.held, slot->key), slot->key, slot->value);
        }
    }
    kn__value_sample_clear(s);
    *s = half;
    return KN_OK;
}

static inline bool is_sampled(const kn_value_sample *s, uint64_t hash)
{
    return (hash & ((UINT64_C(1) << s->shift) - 1)) == 0;
}

static kn_status count(kn_value_sample *s, uint64_t hash, uint64_t records, kn_error *err)
{
    const size_t most = s->most ? s->most : KN_SAMPLED_VALUES;
    kn_map_slot *slot;
    kn_status status = KN_OK;

    if (!is_sampled(s, hash)) {
        return KN_OK;
    }
    KN_TRY(kn__map_reserve(&s->held, s->held.used + 1, err));
    slot = kn__map_find(&s->held, hash);
    if (slot->value) {
        slot->value += records;
        return KN_OK;
    }
    kn__map_put(&s->held, slot, hash, records);
    while (status == KN_OK && s->held.used > most && s->shift < 63) {
        status = halve(s, err);
    }
done:
    return status;
}

kn_status kn__value_sample_add(kn_value_sample *s, const char *text, size_t len, kn_error *err)
{
    s->records++;
    return count(s, kn__hash_bytes(text, len), 1, err);
}

kn_status kn__value_sample_merge(kn_value_sample *s, const kn_value_sample *from, kn_error *err)
{
    s->records += from->records;
    while (s->shift < from->shift) {
        KN_PASS(halve(s, err));
    }
    for (size_t i = 0; from->held.slots && i <= from->held.mask; i++) {
        if (from->held.slots[i].value) {
            KN_PASS(count(s, from->held.slots[i].key, from->held.slots[i].value, err));
        }
    }
    return KN_OK;
}

size_t kn__value_sample_values(const kn_value_sample *s)
{
    return s->held.used << s->shift;
}

double kn__value_sample_mean(const kn_value_sample *s)
{
    uint64_t sampled = 0;

    for (size_t i = 0; s->held.slots && i <= s->held.mask; i++) {
        sampled += s->held.slots[i].value;
    }
    return s->held.used ? (double)sampled / (double)s->held.used : 0;
}

size_t kn__value_sample_rare(const kn_value_sample *s, size_t below, double *share)
{
    uint64_t sampled = 0, holders = 0;
    size_t values = 0;

    for (size_t i = 0; s->held.slots && i <= s->held.mask; i++) {
        const uint64_t held = s->held.slots[i].value;
        const bool rare = held && held < below;
        sampled += held;
        holders += rare ? held : 0;
        values += rare;
    }
    *share = sampled ? (double)holders / (double)sampled : 0;
    return values << s->shift;
}

void kn__value_sample_clear(kn_value_sample *s)
{
    kn__map_clear(&s->held);
    *s = (kn_value_sample){0};
}
