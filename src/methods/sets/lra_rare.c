/* lra_rare.c - records written down as names, and which of them hold a rare combination.
 *
 * An entry is a record without the name that is looked at. As in cut_split.c, combinations of the
 * other names are counted depth-first: a projection is a list of positions, and what stands after
 * one can still join. But here the question is whose fault a rare combination is: only entries with
 * somebody to blame lead on, and those that hold one are put back. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "methods/sets/lra_rare.h"

void kn__room_clear(kn_names_room *w)
{
    for (size_t i = 0; i <= KN_MOST_M; i++) {
        kn__free(w->level[i].at);
        kn__free(w->level[i].who);
        kn__free(w->level[i].node);
        kn__free(w->level[i].end);
    }
    kn__free(w->count);
    kn__free(w->many);
    kn__free(w->blamed);
    kn__free(w->found);
    kn__free(w->rare);
    kn__free(w->wanted);
    kn__free(w->seen);
    kn__free(w->item);
    kn__free(w->weight);
    kn__free(w->blame);
    kn__free(w->first);
    kn__free(w->held);
    kn__free(w->core);
    kn__free(w->put);
    kn__free(w->moved);
    kn__free(w->lost);
}

kn_status kn__room_init(kn_names_room *w, const kn_cut *c, kn_error *err)
{
    w->count = kn__zalloc_array(c->nodes, sizeof *w->count);
    w->many = kn__zalloc_array(c->nodes, sizeof *w->many);
    w->blamed = kn__zalloc_array(c->nodes, sizeof *w->blamed);
    w->found = kn__malloc_array(c->nodes, sizeof *w->found);
    w->rare = kn__zalloc_array(c->nodes, sizeof *w->rare);
    w->wanted = kn__zalloc_array(c->nodes, sizeof *w->wanted);
    w->seen = kn__zalloc_array(c->nodes, sizeof *w->seen);
    w->first = kn__malloc_array(c->records, sizeof *w->first);
    w->held = kn__malloc_array(c->records, sizeof *w->held);
    w->core = kn__malloc_array(c->records, sizeof *w->core);
    w->put = kn__malloc_array(c->records, sizeof *w->put);
    w->moved = kn__zalloc_array(c->records, sizeof *w->moved);
    return w->count && w->many && w->blamed && w->found && w->rare && w->wanted && w->seen &&
                   w->core && w->put && w->moved
               ? KN_OK
               : kn__nomem(err);
}

double kn__names_ncp(const kn_cut *c, uint32_t node)
{
    return kn__domain_ncp(c->domain, node == c->apart ? c->root : node);
}

static bool is_above(const kn_cut *c, uint32_t name, uint32_t node)
{
    return name != node && c->low[name] <= c->low[node] && c->high[node] <= c->high[name] &&
           kn__names_ncp(c, name) > kn__names_ncp(c, node);
}

/* ---- records as names ---- */

bool kn__names_moves(const kn_names *n, uint32_t node, uint64_t p)
{
    const kn_cut *c = n->c;

    return c->place[p] >= c->low[node] && c->place[p] < c->high[node] &&
           is_above(c, n->name[p], node);
}

kn_status kn__room_write(const kn_names *n, kn_names_room *w, uint32_t r, uint32_t node,
                         uint32_t name, bool some, uint32_t weight, uint32_t blame, kn_error *err)
{
    const kn_cut *c = n->c;
    const size_t begin = w->item_len;
    const bool repeats = c->bags && c->m > 2;
    const uint64_t stamp = ++w->stamp;
    bool taken = false;
    kn_status status;

    KN_TRY(kn__grow(&w->item, &w->item_cap, begin + (size_t)(c->starts[r + 1] - c->starts[r]) + 1,
                    sizeof *w->item, err));
    KN_TRY(kn__grow(&w->weight, &w->weight_cap, w->entries + 1, sizeof *w->weight, err));
    KN_TRY(kn__grow(&w->blame, &w->blame_cap, w->entries + 1, sizeof *w->blame, err));
    KN_TRY(kn__grow(&w->level[0].at, &w->level[0].at_cap, w->entries + 1, sizeof(uint32_t), err));
    KN_TRY(kn__grow(&w->level[0].who, &w->level[0].who_cap, w->entries + 1, sizeof(uint32_t), err));
done:
    if (status != KN_OK) {
        return status;
    }
    for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
        const uint32_t is = node != KN_NO_NODE && kn__names_moves(n, node, p) ? node : n->name[p];
        if (is == name && !(taken && c->bags)) {
            taken = true;
        } else if ((!some || w->wanted[is]) && (repeats || w->seen[is] != stamp)) {
            w->seen[is] = stamp;
            w->item[w->item_len++] = is;
        }
    }
    if (c->m > 2) { /* single names are counted in any order */
        kn__sort_u32(w->item + begin, w->item_len - begin);
    }
    w->item[w->item_len++] = KN_NO_NODE;
    w->level[0].at[w->listed] = (uint32_t)begin;
    w->level[0].who[w->listed++] = (uint32_t)w->entries;
    w->weight[w->entries] = weight;
    w->blame[w->entries++] = blame;
    return KN_OK;
}

size_t kn__names_times(const kn_names *n, uint32_t r, uint32_t node, uint32_t name)
{
    const kn_cut *c = n->c;
    const uint64_t begin = kn__cut_first(c, r, c->low[name]);
    size_t count = 0;

    for (uint64_t p = begin; p < c->starts[r + 1] && c->place[p] < c->high[name]; p++) {
        count += (node != KN_NO_NODE && kn__names_moves(n, node, p) ? node : n->name[p]) == name;
    }
    return n->c->bags ? count : count > 0;
}

/* ---- rare combinations ---- */

static void put_back(kn_names_room *w, uint32_t entry, bool *any)
{
    if (w->blame[entry] != KN_NOBODY) {
        w->put[w->blame[entry]] = 1;
        *any = true;
    }
}

/* Of the entries from positions at[0..len), put back those to blame that hold a rare combination of
 * up to `left` more names. What has no support at all is not rare. */
static kn_status project(const kn_cut *c, kn_names_room *w, size_t left, const uint32_t *at,
                         const uint32_t *who, size_t len, bool *any, kn_error *err)
{
    kn_projection *next = &w->level[left];
    size_t found = 0, total = 0, kept = 0;
    bool rare = false;
    kn_status status = KN_OK;

    for (size_t i = 0; i < len; i++) {
        const uint32_t weight = w->weight[who[i]], blamed = w->blame[who[i]] != KN_NOBODY;
        uint32_t last = KN_NO_NODE;
        for (const uint32_t *p = w->item + at[i]; *p != KN_NO_NODE; p++) {
            if (*p == last) {
                continue;
            }
            last = *p;
            if (w->many[last] == 0) {
                w->found[found++] = last;
            }
            w->count[last] += weight;
            w->many[last]++;
            w->blamed[last] += blamed;
        }
    }
    for (size_t i = 0; i < found; i++) {
        const uint32_t f = w->found[i];
        if (w->blamed[f] && w->count[f] > 0 && w->count[f] < c->k) {
            w->rare[f] = 1;
            rare = true;
        } else if (w->blamed[f] && w->count[f] > 0 && left > 1) {
            total += w->many[f];
            kept++;
        }
    }
    for (size_t i = 0; rare && i < len; i++) {
        for (const uint32_t *p = w->item + at[i]; *p != KN_NO_NODE; p++) {
            if (w->rare[*p]) {
                put_back(w, who[i], any);
                break;
            }
        }
    }
    if (kept) {
        status = kn__grow(&next->node, &next->node_cap, kept, sizeof(uint32_t), err);
        if (status == KN_OK) {
            status = kn__grow(&next->end, &next->end_cap, kept, sizeof(uint32_t), err);
        }
        if (status == KN_OK) {
            status = kn__grow(&next->at, &next->at_cap, total, sizeof(uint32_t), err);
        }
        if (status == KN_OK) {
            status = kn__grow(&next->who, &next->who_cap, total, sizeof(uint32_t), err);
        }
    }
    kept = total = 0;
    for (size_t i = 0; i < found; i++) {
        const uint32_t f = w->found[i];
        const bool grows = status == KN_OK && left > 1 && w->blamed[f] && w->count[f] > 0 &&
                           !w->rare[f];
        const uint32_t many = w->many[f];
        w->count[f] = KN_NO_CODE;
        if (grows) {
            next->node[kept++] = f;
            w->count[f] = (uint32_t)total; /* where its next position goes */
            total += many;
        }
        w->many[f] = w->blamed[f] = 0;
        w->rare[f] = 0;
    }
    for (size_t i = 0; kept && i < len; i++) {
        uint32_t last = KN_NO_NODE;
        for (uint32_t p = at[i]; w->item[p] != KN_NO_NODE; p++) {
            if (w->item[p] != last) {
                last = w->item[p];
                if (w->count[last] != KN_NO_CODE) {
                    next->who[w->count[last]] = who[i];
                    next->at[w->count[last]++] = p + 1;
                }
            }
        }
    }
    for (size_t i = 0; i < kept; i++) {
        next->end[i] = w->count[next->node[i]];
    }
    for (size_t i = 0; i < found; i++) {
        w->count[w->found[i]] = 0;
    }
    for (size_t i = 0; i < kept && status == KN_OK; i++) {
        const size_t begin = i ? next->end[i - 1] : 0;
        status = project(c, w, left - 1, next->at + begin, next->who + begin, next->end[i] - begin,
                         any, err);
    }
    return status;
}

kn_status kn__room_look(const kn_cut *c, kn_names_room *w, bool *any, kn_error *err)
{
    uint64_t support = 0;

    for (size_t i = 0; i < w->listed; i++) {
        support += w->weight[w->level[0].who[i]];
    }
    if (support < c->k) {
        for (size_t i = 0; support > 0 && i < w->listed; i++) {
            put_back(w, w->level[0].who[i], any);
        }
        return KN_OK;
    }
    return c->m > 1 ? project(c, w, c->m - 1, w->level[0].at, w->level[0].who, w->listed, any, err)
                    : KN_OK;
}
