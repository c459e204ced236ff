/* Pig, hold at 20 or at the goal, two players, in plain C with the draws that this program uses: so it compares the loops and
 * not the generators, and has to come to the same winner in every playout.
 */
#include "chance.h"

enum { FACES = 6, GOAL = 100, HOLD_AT = 20, DIE = 16, TURN_SHIFT = 12 };

static int turn(Chance *chance, int64_t number, int score)
{
    int total = 0;
    for (int64_t use = 0; total < HOLD_AT && score + total < GOAL; use++) {
        int face = 1 + random_below(chance, DIE + (int)(use & 3), (uint32_t)(number << TURN_SHIFT | use >> 2), FACES);
        if (face == 1)
            return 0;
        total += face;
    }
    return total;
}

/* How many of playouts 0 to `playouts` - 1 the first player wins. */
int64_t first_wins(uint64_t seed, int64_t playouts)
{
    Chance chance = {.seed = seed};
    int64_t wins = 0;
    for (int64_t i = 0; i < playouts; i++) {
        int score[2] = {0, 0};
        begin_playout(&chance, i);
        for (int64_t number = 1;; number++) {
            int seat = (number - 1) & 1;
            score[seat] += turn(&chance, number, score[seat]);
            if (score[seat] >= GOAL) {
                wins += seat == 0;
                break;
            }
        }
    }
    return wins;
}
