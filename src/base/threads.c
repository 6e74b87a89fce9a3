/* threads.c - work for several POSIX threads, which are started for each piece of work. */
#include "base/threads.h"
#include "base/error.h"
#include "base/sort.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

/* One thread's part of what is done in parallel. */
typedef struct part {
    void (*work)(void *user, unsigned worker);
    void *user;
    unsigned worker;
} part;

unsigned kn__run_threads(const kn_run *run)
{
    static atomic_long known; /* asking the system takes as long as a thousand items */
    long cores;

    if (run && run->threads) {
        return run->threads < MOST_THREADS ? run->threads : MOST_THREADS;
    }
    cores = atomic_load_explicit(&known, memory_order_relaxed);
    if (cores == 0) {
        cores = sysconf(_SC_NPROCESSORS_ONLN);
        cores = KN_CLAMP(cores, 1, MOST_THREADS);
        atomic_store_explicit(&known, cores, memory_order_relaxed);
    }
    return (unsigned)cores;
}

kn_status kn__run_step(const kn_run *run, const char *phase, double done, kn_error *err)
{
    if (run && run->progress && run->progress(run->user, phase, done) != 0) {
        return kn__fail(err, KN_ECANCELLED, "interrupted");
    }
    return KN_OK;
}

static int asked_to_stop(void *user, const char *phase, double done)
{
    (void)phase;
    (void)done;
    return atomic_load((atomic_bool *)user);
}

kn_run kn__run_aside(const kn_run *run, atomic_bool *stop)
{
    return (kn_run){.threads = run ? run->threads : 0,
                    .seed = run ? run->seed : 0,
                    .progress = asked_to_stop,
                    .user = stop};
}

kn_run kn__run_alone(const kn_run *run, unsigned worker, atomic_bool *stop)
{
    kn_run alone = worker == 0 && run ? *run : kn__run_aside(run, stop);

    alone.threads = 1;
    return alone;
}

/* ---- threads ---- */

static void *run_part(void *argument)
{
    const part *p = argument;

    p->work(p->user, p->worker);
    return NULL;
}

void kn__signals_block(sigset_t *before)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigset_t signals;

    (void)sigfillset(&signals);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        (void)sigdelset(&signals, own[i]);
    }
    (void)pthread_sigmask(SIG_BLOCK, &signals, before);
}

void kn__parallel(unsigned threads, void (*work)(void *user, unsigned worker), void *user)
{
    pthread_t thread[MOST_THREADS];
    bool started[MOST_THREADS];
    part parts[MOST_THREADS];
    sigset_t before;

    if (threads > MOST_THREADS) {
        threads = MOST_THREADS;
    }
    /* New threads inherit this: signals are for the threads that were there before. */
    kn__signals_block(&before);
    for (unsigned i = 1; i < threads; i++) {
        parts[i] = (part){work, user, i};
        started[i] = pthread_create(&thread[i], NULL, run_part, &parts[i]) == 0;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    work(user, 0);
    for (unsigned i = 1; i < threads; i++) {
        if (started[i]) {
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
    const kn_run *run; /* NULL: progress is not reported */
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
            s->status = kn__run_step(s->run, s->phase, (double)begin / (double)s->count, &s->error);
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
        kn__parallel(threads, take_slices, s);
    }
}

void kn__parallel_for(unsigned threads, size_t count, size_t grain,
                      void (*work)(void *user, unsigned worker, size_t begin, size_t end),
                      void *user)
{
    slices s = {.count = count, .grain = grain ? grain : 1, .work = work, .user = user};

    take_all(&s, threads);
}

kn_status kn__parallel_steps(const kn_run *run, const char *phase, unsigned threads, size_t count,
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

void kn__first_error_note(kn_first_error *first, size_t number, const kn_error *error)
{
    pthread_mutex_lock(&first->lock);
    if (first->error.status == KN_OK || number < first->number) {
        first->number = number;
        first->error = *error;
    }
    pthread_mutex_unlock(&first->lock);
}

kn_status kn__first_error_take(const kn_first_error *first, kn_error *err)
{
    return kn__error_pass(err, &first->error);
}
