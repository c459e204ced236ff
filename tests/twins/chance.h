/*
 * Random draws of the twins: Philox4x32-10, addressed by seed, playout, purpose and occasion.
 *
 * Four purposes share a block, whose words are kept until the next occasion. Purposes below 16 are the seats' choices.
 */

#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

enum { BLOCKS = 16 };

typedef struct {
    uint64_t seed, playout;
    int64_t occasion[BLOCKS]; /* of the words kept for each block; -1 for none */
    uint32_t word[BLOCKS][4];
} Chance;

static void begin_playout(Chance *chance, int64_t playout)
{
    chance->playout = (uint64_t)playout;
    for (int block = 0; block < BLOCKS; block++)
        chance->occasion[block] = -1;
}

static void philox(const Chance *chance, uint32_t occasion, uint32_t block, uint32_t attempt, uint32_t word[4])
{
    uint32_t c0 = occasion, c1 = block | attempt << 16, c2 = (uint32_t)chance->playout, c3 = (uint32_t)(chance->playout >> 32);
    uint32_t k0 = (uint32_t)chance->seed, k1 = (uint32_t)(chance->seed >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    word[0] = c0;
    word[1] = c1;
    word[2] = c2;
    word[3] = c3;
}

static uint32_t random_word(Chance *chance, int purpose, uint32_t occasion)
{
    int block = purpose / 4;
    if (chance->occasion[block] != occasion) {
        philox(chance, occasion, (uint32_t)block, 0, chance->word[block]);
        chance->occasion[block] = occasion;
    }
    return chance->word[block][purpose % 4];
}

/* An even choice of 0 to n - 1: the words that would favour some of them are replaced by the next attempt's. */
static int random_below(Chance *chance, int purpose, uint32_t occasion, uint32_t n)
{
    uint64_t product = (uint64_t)random_word(chance, purpose, occasion) * n;
    if ((uint32_t)product < n) {
        uint32_t unfair = (0u - n) % n;
        for (uint32_t attempt = 1; (uint32_t)product < unfair; attempt++) {
            uint32_t fresh[4];
            philox(chance, occasion, (uint32_t)(purpose / 4), attempt, fresh);
            product = (uint64_t)fresh[purpose % 4] * n;
        }
    }
    return (int)(product >> 32);
}

#endif
