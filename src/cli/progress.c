/* progress.c - one line on standard error for work that takes more than a second. */
#include "cli/cli.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
    bool shown, terminal, drawn;
    double start, last;
} line;

/* What the library calls its phases, in words that say what is going on. */
static const char *in_words(const char *phase)
{
    static const struct {
        const char *phase, *words;
    } known[] = {
        {"read", "reading the table"},
        {"columns", "reading the table"},
        {"group", "grouping records"},
        {"write", "writing"},
        {"check", "checking the release"},
        {"count", "counting combinations"},
        {"itemsets", "counting combinations"},
        {"recount", "counting a second time"},
        {"certificate", "drawing samples for the certificate"},
        {"measure", "measuring what was lost"},
        {"queries", "measuring what was lost: counting questions"},
        {"mine", "measuring what was lost: frequent itemsets"},
        {"match", "comparing with the original"},
        {"uniqueness", "counting unique people"},
        {"infer", "measuring what can be inferred"},
        {"search", "searching for the best generalisation"},
        {"walk", "searching for the best generalisation"},
        {"partition", "dividing the records into groups"},
        {"specialise", "making values more specific"},
        {"local", "generalising group by group"},
        {"refine", "improving the groups"},
        {"cluster", "forming groups of similar records"},
        {"neighbours", "forming groups of similar records"},
        {"merging", "merging groups"},
        {"merge", "merging groups"},
        {"items", "generalising items"},
        {"apriori", "generalising items"},
        {"conflicts", "generalising items"},
        {"names", "generalising items"},
        {"lra", "generalising items"},
        {"estimate", "generalising items"},
        {"acd", "finding ranges of numbers"},
        {"suppress", "leaving out items"},
        {"exact", "counting combinations"},
        {"sample", "drawing samples"},
        {"anonymize", "searching for what to generalise"},
        {"recode", "writing generalised values"},
        {"grow", "growing the tree"},
        {"tree", "joining the nearest records"},
        {"cut", "cutting into clusters"},
        {"k-means", "moving the centres"},
        {"item sets", "finding frequent itemsets"},
        {"rules", "choosing rules"},
        {"spans", "attacking the model"},
        {"groups", "attacking the model"},
        {"judge", "attacking the model"},
        {"apply", "applying the model"},
        {"profile", "looking at the columns"},
        {"trees", "building trees"},
    };

    for (size_t i = 0; i < CLI_COUNT(known); i++) {
        if (strcmp(known[i].phase, phase) == 0) {
            return known[i].words;
        }
    }
    return phase;
}

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void draw(const char *phase, double done, double elapsed)
{
    char share[16] = "";

    if (done >= 0) {
        (void)snprintf(share, sizeof share, " %3.0f %%", 100 * (done > 1 ? 1 : done));
    }
    (void)fprintf(stderr, "%skanon: %s%s, %.0f s%s", line.terminal ? "\r" : "", in_words(phase),
                  share, elapsed, line.terminal ? "\033[K" : "\n");
    (void)fflush(stderr);
    line.drawn = true;
}

static int step(void *user, const char *phase, double done)
{
    (void)user;
    if (line.shown) {
        const double at = now();
        if (at - line.start >= 1 && at - line.last >= (line.terminal ? 0.1 : 1)) {
            line.last = at;
            draw(phase, done, at - line.start);
        }
    }
    return cli_signals_seen();
}

void cli_progress_start(kn_run *run, const char *mode, bool quiet)
{
    line.terminal = isatty(STDERR_FILENO) != 0;
    line.shown = mode && strcmp(mode, "always") == 0;
    if (!mode || strcmp(mode, "auto") == 0) {
        line.shown = line.terminal && !quiet;
    }
    line.start = now();
    run->progress = step;
}

void cli_progress_end(void)
{
    if (line.drawn && line.terminal) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
    }
    line.drawn = false;
    line.shown = false;
}
