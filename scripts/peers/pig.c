/* Pig, hold at 20 or at the goal, two players, as somebody would write it in plain C for speed.
 *
 * One die; a 1 loses the turn's points; the first to 100 wins. The generator is PCG32 (O'Neill, 2014), with bounded
 * integers made unbiased by rejection. Draws are carried along, not addressed.
 */
#include <stdint.h>

enum { FACES = 6, GOAL = 100, HOLD_AT = 20 };

typedef struct {
    uint64_t state, increment;
} Generator;

static uint32_t next_word(Generator *g)
{
    uint64_t old = g->state;
    g->state = old * 6364136223846793005ULL + g->increment;
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t rotation = (uint32_t)(old >> 59);
    return (mixed >> rotation) | (mixed << ((-rotation) & 31));
}

static int roll(Generator *g)
{
    uint64_t product = (uint64_t)next_word(g) * FACES;
    while ((uint32_t)product < (0u - FACES) % FACES)
        product = (uint64_t)next_word(g) * FACES;
    return 1 + (int)(product >> 32);
}

static int turn(Generator *g, int score)
{
    int total = 0;
    while (total < HOLD_AT && score + total < GOAL) {
        int face = roll(g);
        if (face == 1)
            return 0;
        total += face;
    }
    return total;
}

/* How many of `playouts` the first player wins. */
int64_t first_wins(uint64_t seed, int64_t playouts)
{
    Generator g = {seed, (seed << 1) | 1};
    int64_t wins = 0;
    for (int64_t i = 0; i < playouts; i++) {
        int score[2] = {0, 0};
        int seat = 0;
        for (;;) {
            score[seat] += turn(&g, score[seat]);
            if (score[seat] >= GOAL)
                break;
            seat = 1 - seat;
        }
        wins += seat == 0;
    }
    return wins;
}
