/* synonyms.c - options by the names that other tools give them. */
#include "cli/cli.h"

#include <string.h>

/* Words that are written differently from ours: what is only misspelt is found by its letters. */
static const struct {
    const char *word;
    const char *option; /* NULL: not an option, but an argument */
} synonyms[] = {
    {"delimiter", "separator"},
    {"delim", "separator"},
    {"sep", "separator"},
    {"out", "output"},
    {"outfile", "output"},
    {"output-file", "output"},
    {"dest", "output"},
    {"input", NULL},
    {"in", NULL},
    {"infile", NULL},
    {"file", NULL},
    {"data", NULL},
    {"quasi", "qi"},
    {"quasi-identifiers", "qi"},
    {"quasi-identifier", "qi"},
    {"qid", "qi"},
    {"qids", "qi"},
    {"key-vars", "qi"},
    {"keyvars", "qi"},
    {"identifying", "id"},
    {"identifiers", "id"},
    {"identifier", "id"},
    {"direct-identifiers", "id"},
    {"sensitive-attribute", "sensitive"},
    {"sensitive-attributes", "sensitive"},
    {"insensitive", "keep"},
    {"exclude", "drop"},
    {"remove", "drop"},
    {"ignore", "drop"},
    {"random-seed", "seed"},
    {"random-state", "seed"},
    {"na", "missing"},
    {"na-values", "missing"},
    {"charset", "encoding"},
    {"jobs", "threads"},
    {"n-jobs", "threads"},
    {"cores", "threads"},
    {"workers", "threads"},
    {"algo", "method"},
    {"algorithm", "method"},
    {"privacy-model", "guarantee"},
    {"model", "guarantee"},
    {"taxonomy", "hierarchy"},
    {"generalization", "hierarchy"},
    {"generalisation", "hierarchy"},
    {"max-suppression", "suppression"},
    {"suppression-limit", "suppression"},
    {"config", "job"},
    {"silent", "quiet"},
};

bool cli_synonym(const char *word, const char **option)
{
    for (size_t i = 0; i < CLI_COUNT(synonyms); i++) {
        if (strcmp(synonyms[i].word, word) == 0) {
            *option = synonyms[i].option;
            return true;
        }
    }
    return false;
}
