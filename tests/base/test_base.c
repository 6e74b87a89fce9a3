/* Memory, strings, random numbers, threads. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/threads.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void memory_keeps_its_limit(void **state)
{
    const size_t before = kn_memory_in_use();
    char *p;

    (void)state;
    kn_memory_set_limit(before + 100000);
    assert_null(kn__malloc(200000));
    assert_null(kn__zalloc_array(1000, 1000));
    p = kn__malloc(50000);
    assert_non_null(p);
    assert_true(kn_memory_in_use() >= before + 50000);
    assert_null(kn__realloc(p, 300000));
    p[49999] = 1; /* still there */
    kn_memory_set_limit(0);
    p = kn__realloc(p, 300000);
    assert_non_null(p);
    assert_true(kn_memory_peak() >= before + 300000);
    kn__free(p);
    kn__free(NULL);
    assert_true(kn_memory_of_machine() > 1 << 20);
    assert_int_equal(kn_memory_in_use(), before);
}

static void products_that_overflow_are_refused(void **state)
{
    uint32_t *data = NULL;
    size_t cap = 0;
    kn_error err;

    (void)state;
    assert_null(kn__malloc_array(SIZE_MAX / 2, 4));
    assert_null(kn__zalloc_array(SIZE_MAX, SIZE_MAX));
    assert_null(kn__realloc_array(NULL, SIZE_MAX / 3, 8));
    assert_int_equal(kn__grow(&data, &cap, SIZE_MAX / 2, sizeof *data, &err), KN_ENOMEM);
    assert_null(data);
    assert_int_equal(cap, 0);
    assert_int_equal(kn__grow(&data, &cap, 3, sizeof *data, &err), KN_OK);
    assert_true(cap >= 3);
    kn__free(data);
}

static void a_buffer_remembers_failure(void **state)
{
    kn_buffer b = {0};
    char *text;

    (void)state;
    kn__buffer_adds(&b, "k = ");
    kn__buffer_addf(&b, "%d%%", 5);
    kn__buffer_addc(&b, '!');
    assert_string_equal(b.data, "k = 5%!");
    assert_int_equal(kn__buffer_take(&b, &text, NULL), KN_OK);
    assert_null(b.data);
    kn__free(text);
    kn__memory_fail_after(1);
    kn__buffer_adds(&b, "lost");
    kn__memory_fail_after(0);
    kn__buffer_adds(&b, "too late");
    assert_int_equal(kn__buffer_take(&b, &text, NULL), KN_ENOMEM);
    assert_null(text);
}

static void errors_name_their_setting(void **state)
{
    kn_error err;

    (void)state;
    (void)kn__fail(&err, KN_EUSAGE, "name some (--qi), or ask for '%s' (--item-suppression)",
                   "--x");
    assert_int_equal(err.code, KN_ERROR_PARAMETER);
    assert_string_equal(err.parameter, "qi");
    (void)kn__fail(&err, KN_EUSAGE, "--%s: '%s' is no number", "exact-up-to", "--k");
    assert_string_equal(err.parameter, "exact_up_to");
    (void)kn__fail(&err, KN_EUSAGE, "there is no '%s' -- look again", "--k");
    assert_int_equal(err.code, KN_ERROR_OTHER);
    assert_string_equal(err.parameter, "");
    (void)kn__fail(&err, KN_EINFEASIBLE, "raise --suppression");
    assert_int_equal(err.code, KN_ERROR_INFEASIBLE); /* it is not the setting that is wrong */
    assert_string_equal(err.parameter, "suppression");
    (void)kn__about_column(&err, KN_EINFEASIBLE, KN_ERROR_SUPPRESSION, "age");
    assert_string_equal(err.parameter, "");
    assert_string_equal(err.column, "age");
}

static void errors_have_a_code_by_their_status(void **state)
{
    kn_error err;

    (void)state;
    (void)kn__fail(&err, KN_EBROKEN, "withheld");
    assert_string_equal(kn_error_code_name(err.code), "broken");
    (void)kn__fail(&err, KN_EINPUT, "a.csv: line 3");
    assert_string_equal(kn_error_code_name(err.code), "other");
    assert_int_equal(kn__about_file(&err, KN_EINPUT, "schema"), KN_EINPUT);
    assert_string_equal(kn_error_code_name(err.code), "file");
    assert_string_equal(err.parameter, "schema");
    (void)kn__fail_errno(&err, "a.csv", "cannot write", 28);
    assert_string_equal(kn_error_code_name(err.code), "file");
    (void)kn__about(&err, KN_EINPUT, KN_ERROR_NO_RECORDS);
    (void)kn__about_file(&err, KN_EINPUT, "schema"); /* what is said already stays */
    assert_string_equal(kn_error_code_name(err.code), "no-records");
    assert_string_equal(err.parameter, "");
    assert_int_equal(kn__about_file(NULL, KN_EINPUT, "schema"), KN_EINPUT);
    assert_int_equal(kn__about(NULL, KN_EINPUT, KN_ERROR_FILE), KN_EINPUT);
}

static void errors_have_words_and_exit_codes(void **state)
{
    kn_error err;

    (void)state;
    assert_int_equal(kn__fail(&err, KN_EINPUT, "line %d", 7), KN_EINPUT);
    assert_string_equal(err.message, "line 7");
    kn__error_prefix(&err, "a.csv");
    assert_string_equal(err.message, "a.csv: line 7");
    assert_int_equal(kn__fail(NULL, KN_EUSAGE, "nobody listens"), KN_EUSAGE);
    assert_int_equal(kn_status_exit_code(KN_OK), 0);
    assert_int_equal(kn_status_exit_code(KN_EBROKEN), 1);
    assert_int_equal(kn_status_exit_code(KN_EUSAGE), 2);
    assert_int_equal(kn_status_exit_code(KN_EINPUT), 3);
    assert_int_equal(kn_status_exit_code(KN_EINFEASIBLE), 4);
    assert_int_equal(kn_status_exit_code(KN_ENOMEM), 5);
    assert_int_equal(kn_status_exit_code(KN_EIO), 5);
    assert_int_equal(kn_status_exit_code(KN_ECANCELLED), 130);
    for (kn_status s = KN_OK; s <= KN_ECANCELLED; s++) {
        assert_string_not_equal(kn_status_name(s), "unknown");
    }
}

static void random_numbers_follow_seed_and_shape(void **state)
{
    kn_rng a, b, other;
    size_t counts[5] = {0}, picks[3] = {0};
    const double weights[] = {1, 0, 3};
    double sum = 0, squares = 0;

    (void)state;
    kn__rng_seed(&a, 42, 0);
    kn__rng_seed(&b, 42, 0);
    kn__rng_seed(&other, 42, 1);
    assert_true(kn__rng_next(&a) == kn__rng_next(&b));
    assert_true(kn__rng_next(&a) != kn__rng_next(&other));
    for (size_t i = 0; i < 100000; i++) {
        const double u = kn__rng_double(&a);
        assert_true(u >= 0 && u < 1);
        counts[kn__rng_below(&a, 5)]++;
        picks[kn__rng_pick(&a, weights, 3)]++;
        sum += u;
        squares += u * u;
    }
    for (size_t i = 0; i < 5; i++) {
        assert_true(counts[i] > 19000 && counts[i] < 21000);
    }
    assert_int_equal(picks[1], 0);
    assert_true(picks[0] > 24000 && picks[0] < 26000);
    assert_true(fabs(sum / 100000 - 1.0 / 2) < 0.01);
    assert_true(fabs(squares / 100000 - 1.0 / 3) < 0.01);
}

static void hashes_differ_and_repeat(void **state)
{
    char text[40];
    uint64_t seen[40];

    (void)state;
    memset(text, 'a', sizeof text);
    for (size_t len = 0; len < 40; len++) {
        seen[len] = kn__hash_bytes(text, len);
        assert_true(seen[len] == kn__hash_bytes(text, len));
        for (size_t i = 0; i < len; i++) {
            char changed[40];
            assert_true(seen[i] != seen[len]);
            memcpy(changed, text, sizeof changed);
            changed[i] = 'b';
            assert_true(kn__hash_bytes(changed, len) != seen[len]);
        }
    }
}

static void sorting_sorts(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    for (size_t round = 0; round < 2000; round++) {
        uint32_t values[80];
        const size_t count = kn__rng_below(&r, 80);
        uint64_t sum = 0, after = 0;
        for (size_t i = 0; i < count; i++) {
            values[i] = (uint32_t)kn__rng_below(&r, round % 2 ? 10 : UINT32_MAX);
            sum += kn__hash_u64(values[i]);
        }
        kn__sort_u32(values, count);
        for (size_t i = 0; i < count; i++) {
            assert_true(i == 0 || values[i - 1] <= values[i]);
            after += kn__hash_u64(values[i]);
        }
        assert_true(sum == after); /* the same values */
    }
}

typedef struct tally {
    atomic_size_t sum;
    atomic_uint workers;
} tally;

static void add_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    tally *t = user;

    atomic_fetch_or(&t->workers, 1u << worker);
    for (size_t i = begin; i < end; i++) {
        atomic_fetch_add(&t->sum, i);
    }
}

static void every_slice_is_worked_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 5; threads++) {
        for (size_t grain = 0; grain < 12; grain++) {
            tally t = {0};
            kn__parallel_for(threads, 100, grain, add_slice, &t);
            assert_int_equal(atomic_load(&t.sum), 4950);
            assert_true(atomic_load(&t.workers) < 1u << threads);
        }
    }
    assert_int_equal(kn__run_threads(&(kn_run){.threads = 3}), 3);
    assert_int_equal(kn__run_threads(&(kn_run){.threads = 100000}), 256);
    assert_true(kn__run_threads(NULL) >= 1);
}

enum { OUTER = 5, INNER = 4 };

typedef struct nest {
    tally inner[OUTER];
    atomic_uint by; /* workers that came, each once */
} nest;

static void work_in_parallel(void *user, unsigned worker)
{
    nest *n = user;

    atomic_fetch_add(&n->by, 1u << (4 * worker));
    for (int i = 0; i < 20; i++) {
        kn__parallel_for(INNER, 100, 7, add_slice, &n->inner[worker]);
    }
}

static void *work_from_outside(void *user)
{
    kn__parallel(OUTER, work_in_parallel, user);
    return NULL;
}

/* Work within work, and callers beside each other. */
static void parallel_work_nests(void **state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        nest n[2] = {0};
        pthread_t other;
        assert_int_equal(pthread_create(&other, NULL, work_from_outside, &n[0]), 0);
        (void)work_from_outside(&n[1]);
        assert_int_equal(pthread_join(other, NULL), 0);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(atomic_load(&n[i].by), 0x11111);
            for (int j = 0; j < OUTER; j++) {
                assert_int_equal(atomic_load(&n[i].inner[j].sum), 20 * 4950);
            }
        }
    }
}

/* A child has none of its parent's threads, and works all the same. */
static void a_child_works_in_parallel(void **state)
{
    nest n = {0};
    pid_t child;
    int status = 1;

    (void)state;
#ifdef __SANITIZE_THREAD__
    print_message("skipped: the thread sanitizer starts no threads in a child\n");
    skip();
#endif
    kn__parallel(OUTER, work_in_parallel, &n);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        nest own = {0};
        bool all = true;
        (void)alarm(60); /* rather than wait for a thread that is not there */
        kn__parallel(OUTER, work_in_parallel, &own);
        for (int j = 0; j < OUTER; j++) {
            all = all && atomic_load(&own.inner[j].sum) == 20 * 4950;
        }
        _exit(all ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    kn__parallel(OUTER, work_in_parallel, &n);
    assert_int_equal(atomic_load(&n.inner[1].sum), 2 * 20 * 4950);
}

static int stop_at_once(void *user, const char *phase, double done)
{
    (void)done;
    assert_string_equal(phase, "test");
    ++*(int *)user;
    return 1;
}

static void progress_can_cancel(void **state)
{
    int calls = 0;
    kn_error err;

    (void)state;
    assert_int_equal(kn__run_step(NULL, "test", 0, &err), KN_OK);
    assert_int_equal(kn__run_step(&(kn_run){0}, "test", 0, &err), KN_OK);
    assert_int_equal(kn__run_step(&(kn_run){.progress = stop_at_once, .user = &calls}, "test", 0,
                                  &err),
                     KN_ECANCELLED);
    assert_int_equal(calls, 1);
    assert_int_equal(err.status, KN_ECANCELLED);
}

typedef struct asking {
    int left; /* calls until it asks to stop */
} asking;

static int stop_when_asked(void *user, const char *phase, double done)
{
    asking *a = user;

    assert_string_equal(phase, "test");
    assert_true(done >= 0 && done < 1);
    return a->left-- == 0;
}

static void begin_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    (void)worker;
    (void)begin;
    (void)end;
    atomic_fetch_add((atomic_int *)user, 1);
}

static void parallel_work_can_be_cancelled(void **state)
{
    atomic_int begun = 0;
    atomic_bool stop = false;
    kn_error err;
    asking a = {0};
    kn_run run = {.threads = 7, .progress = stop_when_asked, .user = &a}, alone;

    (void)state;
    for (int left = 0; left < 50; left++) { /* one thread: exactly the slices before */
        atomic_store(&begun, 0);
        a.left = left;
        assert_int_equal(kn__parallel_steps(&run, "test", 1, 100, 2, begin_slice, &begun, &err),
                         KN_ECANCELLED);
        assert_int_equal(err.status, KN_ECANCELLED);
        assert_int_equal(atomic_load(&begun), left);
    }
    for (unsigned threads = 1; threads <= 4; threads++) {
        tally t = {0};
        a.left = 1000;
        assert_int_equal(kn__parallel_steps(&run, "test", threads, 100, 3, add_slice, &t, &err),
                         KN_OK);
        assert_int_equal(atomic_load(&t.sum), 4950);
        a.left = 0;
        assert_true(kn__parallel_steps(&run, "test", threads, 100000000, 1, begin_slice, &begun,
                                       NULL) == KN_ECANCELLED);
        assert_int_equal(kn__parallel_steps(NULL, "test", threads, 9, 1, begin_slice, &begun, &err),
                         KN_OK);
    }
    a.left = 0;
    alone = kn__run_alone(&run, 0, &stop);
    assert_int_equal(kn__run_threads(&alone), 1);
    assert_int_equal(kn__run_step(&alone, "test", 0, &err), KN_ECANCELLED); /* as its caller says */
    alone = kn__run_alone(&run, 1, &stop);
    assert_int_equal(kn__run_step(&alone, "other", 0, &err), KN_OK);
    atomic_store(&stop, true);
    assert_int_equal(kn__run_step(&alone, "other", 0, &err), KN_ECANCELLED);
    alone = kn__run_alone(NULL, 0, &stop);
    assert_int_equal(kn__run_step(&alone, "other", 0, &err), KN_ECANCELLED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_keeps_its_limit),
        cmocka_unit_test(products_that_overflow_are_refused),
        cmocka_unit_test(a_buffer_remembers_failure),
        cmocka_unit_test(errors_have_words_and_exit_codes),
        cmocka_unit_test(errors_name_their_setting),
        cmocka_unit_test(errors_have_a_code_by_their_status),
        cmocka_unit_test(random_numbers_follow_seed_and_shape),
        cmocka_unit_test(hashes_differ_and_repeat),
        cmocka_unit_test(sorting_sorts),
        cmocka_unit_test(every_slice_is_worked_once),
        cmocka_unit_test(parallel_work_nests),
        cmocka_unit_test(a_child_works_in_parallel),
        cmocka_unit_test(progress_can_cancel),
        cmocka_unit_test(parallel_work_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
