/* rng.c - xoshiro256**. */
#include "base/rng.h"

static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

void kn__rng_seed(kn_rng *r, uint64_t seed, uint64_t stream)
{
    uint64_t x = stream;
    uint64_t y = seed ^ splitmix(&x);

    for (size_t i = 0; i < 4; i++) {
        r->s[i] = splitmix(&y);
    }
}

uint64_t kn__rng_next(kn_rng *r)
{
    uint64_t *s = r->s;
    const uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t kn__rng_below(kn_rng *r, uint64_t n)
{
    const uint64_t reject = (0 - n) % n; /* 2^64 mod n */
    uint64_t x;

    do {
        x = kn__rng_next(r);
    } while (x < reject);
    return x % n;
}

double kn__rng_double(kn_rng *r)
{
    return (double)(kn__rng_next(r) >> 11) * 0x1p-53;
}

size_t kn__rng_pick(kn_rng *r, const double *weights, size_t count)
{
    double total = 0, x;
    size_t last = 0;

    for (size_t i = 0; i < count; i++) {
        total += weights[i];
    }
    x = kn__rng_double(r) * total;
    for (size_t i = 0; i < count; i++) {
        if (weights[i] > 0) {
            last = i;
            if (x < weights[i]) {
                break;
            }
            x -= weights[i];
        }
    }
    return last;
}
