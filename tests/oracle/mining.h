/* oracle/mining.h - multi-level mining loss by its definition: at every level every set of groups
 * is written down, and every record of both tables is asked whether it holds it.
 *
 * Leaves are bits; a group of a level is the leaves in it. An original record holds a group when
 * one of its items is in it; a published record when one of its items can only be in it. */
#ifndef ORACLE_MINING_H
#define ORACLE_MINING_H

#include <stdbool.h>
#include <stdint.h>

enum { MINE_RECORDS = 12, MINE_ITEMS = 8, MINE_LEVELS = 8, MINE_GROUPS = 8 };

typedef struct mine_record {
    int items;
    uint32_t item[MINE_ITEMS]; /* leaves it may stand for; 0: none */
} mine_record;

typedef struct mine_data {
    int records[2]; /* of the original, of the release */
    mine_record record[2][MINE_RECORDS];
    int levels, groups[MINE_LEVELS];
    uint32_t group[MINE_LEVELS][MINE_GROUPS];
} mine_data;

typedef struct mine_level {
    int frequent, preserved;
} mine_level;

static bool mine_holds(const mine_record *r, uint32_t group)
{
    for (int i = 0; i < r->items; i++) {
        if (r->item[i] && (r->item[i] & ~group) == 0) {
            return true;
        }
    }
    return false;
}

static int mine_support(const mine_data *d, int side, int level, uint32_t set)
{
    int support = 0;

    for (int i = 0; i < d->records[side]; i++) {
        bool all = true;
        for (int g = 0; g < d->groups[level]; g++) {
            if ((set >> g & 1) && !mine_holds(&d->record[side][i], d->group[level][g])) {
                all = false;
            }
        }
        support += all;
    }
    return support;
}

static mine_level mine_count(const mine_data *d, int level, int least, int size)
{
    mine_level found = {0, 0};

    for (uint32_t set = 1; set < 1u << d->groups[level]; set++) {
        int items = 0;
        for (int g = 0; g < d->groups[level]; g++) {
            items += set >> g & 1;
        }
        if (items <= size && mine_support(d, 0, level, set) >= least) {
            found.frequent++;
            found.preserved += mine_support(d, 1, level, set) >= least;
        }
    }
    return found;
}

#endif
