/* threads.c - POSIX threads, started per call: calls last milliseconds at least, so a pool would
 * save nothing. */
#include "base/threads.h"
#include "base/error.h"

#include <pthread.h>
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

static int asked_to_stop(void *user, const char *phase, double done)
{
    (void)phase;
    (void)done;
    return atomic_load((atomic_bool *)user);
}

kn_run kn_run_alone(const kn_run *run, unsigned worker, atomic_bool *stop)
{
    const bool tells = worker == 0 && run;

    return (kn_run){.threads = 1,
                    .seed = run ? run->seed : 0,
                    .progress = tells ? run->progress : asked_to_stop,
                    .user = tells ? run->user : stop};
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
    const kn_run *run; /* NULL: nobody asks */
    const char *phase;
    kn_status status;
    kn_error error;
} slices;

static void take_slices(void *user, unsigned worker)
{
    slices *s = user;

    for (;;) {
        const size_t begin = atomic_fetch_add(&s->next, s->grain);
        if (begin >= s->count) {
            return;
        }
        if (worker == 0 && s->run && s->status == KN_OK) {
            s->status = kn_run_step(s->run, s->phase, (double)begin / (double)s->count, &s->error);
        }
        if (worker == 0 && s->status != KN_OK) {
            atomic_store(&s->next, s->count);
            return;
        }
        s->work(s->user, worker, begin, s->count - begin < s->grain ? s->count : begin + s->grain);
    }
}

static void take_all(slices *s, unsigned threads)
{
    atomic_init(&s->next, 0);
    if (s->count <= s->grain || threads <= 1) {
        take_slices(s, 0);
    } else {
        kn_parallel(threads, take_slices, s);
    }
}

void kn_parallel_for(unsigned threads, size_t count, size_t grain,
                     void (*work)(void *user, unsigned worker, size_t begin, size_t end),
                     void *user)
{
    slices s = {.count = count, .grain = grain ? grain : 1, .work = work, .user = user};

    take_all(&s, threads);
}

kn_status kn_parallel_steps(const kn_run *run, const char *phase, unsigned threads, size_t count,
                            size_t grain,
                            void (*work)(void *user, unsigned worker, size_t begin, size_t end),
                            void *user, kn_error *err)
{
    slices s = {.count = count,
                .grain = grain ? grain : 1,
                .work = work,
                .user = user,
                .run = run,
                .phase = phase};

    take_all(&s, threads);
    if (s.status != KN_OK && err) {
        *err = s.error;
    }
    return s.status;
}
