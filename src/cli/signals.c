/* signals.c - a signal asks the work to stop and clean up. A second one, or a second without an
 * answer, ends it at once. */
#include "cli/cli.h"

#include <signal.h>
#include <unistd.h>

enum { SECONDS_TO_STOP = 1 };

static volatile sig_atomic_t seen;

static void stop(int number)
{
    if (seen || number == SIGALRM) {
        kn_cleanup_temporary();
        _exit(130);
    }
    seen = 1;
    (void)alarm(SECONDS_TO_STOP);
}

void cli_signals_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {0};

    action.sa_handler = stop;
    action.sa_flags = SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGALRM, &action, NULL);
    for (size_t i = 0; i < CLI_COUNT(numbers); i++) {
        struct sigaction now;
        /* What the caller has ignored (nohup) stays ignored. */
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
    /* A reader that went away and a file that grew too large (ulimit -f) are write errors, with
     * their exit code. */
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL);
}

bool cli_signals_seen(void)
{
    return seen != 0;
}
