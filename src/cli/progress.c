/* progress.c - one line on standard error for work that takes more than a second. */
#include "cli/cli.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
    bool shown, terminal, drawn;
    double start, last;
} line;

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
    (void)fprintf(stderr, "%skanon: %s%s, %.0f s%s", line.terminal ? "\r" : "", phase, share,
                  elapsed, line.terminal ? "\033[K" : "\n");
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
