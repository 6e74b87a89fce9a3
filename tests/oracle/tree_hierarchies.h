/* oracle/tree_hierarchies.h - hierarchies for the random forests of oracle/trees.h. */
#ifndef KN_ORACLE_TREE_HIERARCHIES_H
#define KN_ORACLE_TREE_HIERARCHIES_H

#include "base/rng.h"
#include "hierarchy/hierarchy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Two levels over a..e for each class. Labels of different levels share texts now and then, so that
 * they cannot be told apart when they are published. */
static kn_hierarchies *oracle_two_level_hierarchies(kn_rng *rng)
{
    kn_hierarchies *hs = NULL;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    for (int c = 0; c < 4; c++) {
        char file[400] = "", name[8];
        kn_hierarchy *h = NULL;
        const bool shared = kn__rng_below(rng, 4) == 0;
        for (int v = 0; v < 5; v++) {
            snprintf(file + strlen(file), sizeof file - strlen(file), "%c;g%d;%s%d;*\n", 'a' + v,
                     v < 3 ? 0 : 1, shared && v < 3 ? "g" : "h", v < 3 ? 0 : 1);
        }
        assert_int_equal(kn__hierarchy_parse(&h, "some", file, strlen(file), NULL), KN_OK);
        snprintf(name, sizeof name, "C%d", c);
        assert_int_equal(kn_hierarchies_add(hs, name, h, NULL), KN_OK);
    }
    return hs;
}

#endif
