/* base/threads.h - work on all cores, and progress that can cancel it. */
#ifndef KN_BASE_THREADS_H
#define KN_BASE_THREADS_H

#include "kanon/error.h"
#include "kanon/run.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/** The number of threads that `run` (may be NULL) asks for; at least 1, at most 256. */
unsigned kn__run_threads(const kn_run *run);

/** Report progress; KN_ECANCELLED (and `err` set) if it asks to stop. Only on the calling thread.
 * `run` may be NULL. */
kn_status kn__run_step(const kn_run *run, const char *phase, double done, kn_error *err);

/** The run for a worker of parallel work that calls a function with a run of its own: one thread.
 *  Worker 0, on the calling thread, reports progress; the others are cancelled once `*stop` is
 *  true. `run` may be NULL. */
kn_run kn__run_alone(const kn_run *run, unsigned worker, atomic_bool *stop);

/** The run for work on another thread than the one that reports progress: as `run`, but without
 *  progress, and cancelled once `*stop` is true. `run` may be NULL. */
kn_run kn__run_aside(const kn_run *run, atomic_bool *stop);

/** Let no signal interrupt the calling thread, except those that it causes itself, until the caller
 * restores `*before` with pthread_sigmask. */
void kn__signals_block(sigset_t *before);

/** Call `work(user, worker)` on `threads` threads with worker = 0..threads-1, worker 0 on the
 * calling thread, and wait for all. Where a thread cannot be started, its worker number runs on the
 * calling thread afterwards: work that waits for other workers must not use this. */
void kn__parallel(unsigned threads, void (*work)(void *user, unsigned worker), void *user);

/** Call `work(user, worker, begin, end)` for slices of 0..count-1 of at most `grain`, in any order,
 * each once. */
void kn__parallel_for(unsigned threads, size_t count, size_t grain,
                      void (*work)(void *user, unsigned worker, size_t begin, size_t end),
                      void *user);

/** The same for slices that take long: between them progress hears of `phase` and the share that
 *  was handed out. KN_ECANCELLED (and `err` set) if it asks to stop: slices that were not begun
 *  are left out then. */
kn_status kn__parallel_steps(const kn_run *run, const char *phase, unsigned threads, size_t count,
                             size_t grain,
                             void (*work)(void *user, unsigned worker, size_t begin, size_t end),
                             void *user, kn_error *err);

/** The error of the lowest-numbered piece of parallel work that failed: the same one whatever the
 *  threads do. One error for all pieces, since an error takes a kilobyte. */
typedef struct kn_first_error {
    pthread_mutex_t lock;
    size_t number;
    kn_error error; /* its status is KN_OK while nothing failed */
} kn_first_error;
#define KN_NO_ERROR_YET                    \
    {                                      \
        .lock = PTHREAD_MUTEX_INITIALIZER, \
    }
/** Piece `number` failed with `error`. Thread-safe. */
void kn__first_error_note(kn_first_error *first, size_t number, const kn_error *error);
/** After the work: its status, and its words in `err` (may be NULL). */
kn_status kn__first_error_take(const kn_first_error *first, kn_error *err);

#endif
