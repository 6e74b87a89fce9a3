/* threads.c - POSIX threads, started per call: calls last milliseconds at least, so a pool would
 * save nothing. */
#include "base/threads.h"
#include "base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct start {
    void (*work)(void *user, unsigned worker);
    void *user;
    unsigned worker;
} start;

unsigned kn_run_threads(const kn_run *run)
{
    static atomic_long known; /* asking the system takes as long as a thousand items */
    long cores;

    if (run && run->threads) {
        return run->threads < MOST_THREADS ? run->threads : MOST_THREADS;
    }
    cores = atomic_load_explicit(&known, memory_order_relaxed);
    if (cores == 0) {
        cores = sysconf(_SC_NPROCESSORS_ONLN);
        cores = cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : cores;
        atomic_store_explicit(&known, cores, memory_order_relaxed);
    }
    return (unsigned)cores;
}

kn_status kn_run_step(const kn_run *run, const char *phase, double done, kn_error *err)
{
    if (run && run->progress && run->progress(run->user, phase, done) != 0) {
        return kn_fail(err, KN_ECANCELLED, "interrupted");
    }
    return KN_OK;
}

static void *enter(void *argument)
{
    start *s = argument;

    s->work(s->user, s->worker);
    return NULL;
}

void kn_parallel(unsigned threads, void (*work)(void *user, unsigned worker), void *user)
{
    pthread_t thread[MOST_THREADS];
    start starts[MOST_THREADS];
    bool running[MOST_THREADS] = {false};

    if (threads > MOST_THREADS) {
        threads = MOST_THREADS;
    }
    for (unsigned i = 1; i < threads; i++) {
        starts[i] = (start){work, user, i};
        running[i] = pthread_create(&thread[i], NULL, enter, &starts[i]) == 0;
    }
    work(user, 0);
    for (unsigned i = 1; i < threads; i++) {
        if (running[i]) {
            (void)pthread_join(thread[i], NULL);
        } else {
            work(user, i);
        }
    }
}

typedef struct slices {
    size_t count, grain;
    atomic_size_t next;
    void (*work)(void *user, unsigned worker, size_t begin, size_t end);
    void *user;
} slices;

static void take_slices(void *user, unsigned worker)
{
    slices *s = user;

    for (;;) {
        const size_t begin = atomic_fetch_add(&s->next, s->grain);
        if (begin >= s->count) {
            return;
        }
        s->work(s->user, worker, begin, s->count - begin < s->grain ? s->count : begin + s->grain);
    }
}

void kn_parallel_for(unsigned threads, size_t count, size_t grain,
                     void (*work)(void *user, unsigned worker, size_t begin, size_t end),
                     void *user)
{
    slices s = {.count = count, .grain = grain ? grain : 1, .work = work, .user = user};

    atomic_init(&s.next, 0);
    if (count <= s.grain || threads <= 1) {
        take_slices(&s, 0);
    } else {
        kn_parallel(threads, take_slices, &s);
    }
}
