/*
 * Christmas Vacation, played a second time in plain C from the rulebook and the rulings alone.
 *
 * It shares no code and no data layout with the analyzer, only the addresses of the random draws and the order of the
 * options that a seat chooses from. So two sets of rows that agree to the last number are strong evidence that both
 * play the game as ruled.
 *
 * Cards are counted by kind: kind 0 is the lowest number, and behind the highest number comes the Wild.
 * Rulings are cited by their names, N1 to N15.
 *
 * Build: gcc -O3 -march=native -shared -fPIC vacation.c
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "chance.h"

enum { MAX_NUMBERS = 8, MAX_KINDS = MAX_NUMBERS + 1, MAX_WILDS = 4, MAX_DICE = 12, MAX_FACES = 12, MAX_PLAYERS = 5 };
enum { MAX_OPTIONS = 2 + MAX_WILDS + (MAX_NUMBERS + 256) * (MAX_WILDS + 1), MAX_ROLLS = 150, MOST_STEPS = 255 };

enum { EDDIE, CLARK, WREATH, BONUS };
enum { UNIFORM, CAUTIOUS };
enum { STOP_AT = 6, STOP_AT_EDDIES = 2 }; /* of cautious */

/* Settings, as the caller lists them. */
enum { DICE, BUST_AT, NUMBERS, COPIES, WILDS, RUN_MIN, DIE_BY_DIE, TURN_CAP, SETTINGS };

/* The part of a row behind the winners, the unfinished and what is known by seat. */
enum {
    ROLLS,
    BUSTS_BY_EDDIES,                       /* four: 0, 1, 2, 3 or more on the board before the roll */
    DRAWN = BUSTS_BY_EDDIES + 4,
    TURNS_DRAWING,                         /* six: 0, 1-2, 3-4, 5-6, 7-8, 9 or more */
    TURNS_DISCARDING = TURNS_DRAWING + 6,  /* eight: 0 to 6, 7 or more */
    DISCARDED_AT_STOP = TURNS_DISCARDING + 8,
    DISCARDED_BY_BONUS,
    DISCARDED_BY_WREATH,
    NUMBER_SETS,
    RUN_SETS,
    CARDS_IN_NUMBERS,
    CARDS_IN_RUNS,
    WILD_WITH_NUMBER,
    WILD_IN_RUN,
    WILD_ALONE,
    WILD_BY_WREATH,
    UNUSED_WREATHS,
    UNUSED_BONUSES,
    WHOLE_DECKS,
    COUNTERS
};

/* ---- Random draws ---- */

/* Purposes of the seats' choices. */
enum { ROLL_AGAIN, DISCARD_AT_STOP, DISCARD_BY_BONUS, DISCARD_BY_WREATH, WHICH_BONUS, DECISIONS };

/* Purposes of the game, four to a block. */
enum { THROW_DICE = 16, DRAW_CARD = 20 };

/* ---- The table ---- */

typedef struct {
    int setting[SETTINGS];
    int face[MAX_DICE][MAX_FACES], faces; /* of each die; all have as many */
} Rules;

/* Some of the face-up cards: what a choice discards. */
typedef struct {
    int number[MAX_NUMBERS], wilds;
    int cards;
    bool is_run;
} Set;

typedef struct {
    const Rules *rules;
    const int32_t *strategy; /* by seat */
    int players, numbers;
    Chance chance;
    int turn, seat;
    int left[MAX_PLAYERS]; /* cards that a player still has */
    int owned[MAX_PLAYERS][MAX_KINDS];
    int pile[MAX_KINDS], in_pile; /* face down, of the active player */
    int up[MAX_KINDS], in_front;  /* face up */
    int eddies, rolls, drawn, discarded;
    bool on_board[MAX_DICE];
    int asked[DECISIONS]; /* how often, in this turn */
    Set option[MAX_OPTIONS];
    int options;
    int32_t count[COUNTERS];
} Game;

static bool has_won(const Game *game)
{
    return game->left[game->seat] == 0;
}

/* ---- Choices ---- */

static double choice_number(Game *game, int decision, int step)
{
    uint32_t occasion = (uint32_t)game->turn << 12 | (uint32_t)game->seat << 8 | (uint32_t)step;
    return random_word(&game->chance, decision, occasion) * 0x1p-32;
}

static bool plays_uniform(const Game *game)
{
    return game->strategy[game->seat] == UNIFORM;
}

static int next_step(Game *game, int decision)
{
    int step = game->asked[decision];
    if (step < MOST_STEPS)
        game->asked[decision]++;
    return step;
}

static bool wants_to_roll(Game *game)
{
    int step = next_step(game, ROLL_AGAIN);
    if (plays_uniform(game))
        return choice_number(game, ROLL_AGAIN, step) < 0.5;
    return game->in_front < STOP_AT && game->eddies < STOP_AT_EDDIES;
}

static bool takes_wreath_first(Game *game)
{
    int step = next_step(game, WHICH_BONUS);
    return plays_uniform(game) && choice_number(game, WHICH_BONUS, step) < 0.5;
}

static const Set *choose_set(Game *game, int decision)
{
    int step = next_step(game, decision);
    if (plays_uniform(game))
        return &game->option[(int)(choice_number(game, decision, step) * game->options)];
    const Set *most = &game->option[0];
    for (int i = 1; i < game->options; i++)
        if (game->option[i].cards > most->cards)
            most = &game->option[i];
    return most;
}

/* ---- What may be discarded ---- */

static Set *add_set(Game *game, int wilds, bool is_run)
{
    Set *set = &game->option[game->options++];
    memset(set->number, 0, sizeof set->number);
    set->wilds = wilds;
    set->cards = wilds;
    set->is_run = is_run;
    return set;
}

static void put_into(Set *set, int number, int copies)
{
    set->number[number] = copies;
    set->cards += copies;
}

/* Any one card (Wreath Bonus), or none (N7). */
static void list_cards(Game *game)
{
    game->options = 0;
    for (int number = 0; number < game->numbers; number++)
        if (game->up[number] > 0)
            put_into(add_set(game, 0, false), number, 1);
    if (game->up[game->numbers] > 0)
        add_set(game, 1, false);
    add_set(game, 0, false);
}

/* Runs from `low` to `high` without some of the numbers between them; a Wild may stand anywhere (N10, N11). */
static void add_runs(Game *game, int low, int high, unsigned left_out)
{
    int gaps = 0;
    for (int number = low + 1; number < high; number++) {
        if (left_out >> number & 1)
            gaps++;
        else if (game->up[number] == 0)
            return;
    }
    int number_cards = high - low + 1 - gaps, wilds = game->up[game->numbers];
    if (number_cards == 1 && game->up[low] == 1)
        return; /* that is all cards of a number, which is listed already */
    int beyond = low + (game->numbers - high); /* places below, and above up to one past the last number */
    for (int used = gaps; used <= wilds && used <= gaps + beyond; used++) {
        if (number_cards + used < game->rules->setting[RUN_MIN])
            continue;
        Set *run = add_set(game, used, true);
        for (int number = low; number <= high; number++)
            if (number == low || number == high || !(left_out >> number & 1))
                put_into(run, number, 1);
    }
}

static void list_runs(Game *game)
{
    bool has_wild = game->up[game->numbers] > 0;
    for (int low = 0; low < game->numbers; low++) {
        if (game->up[low] == 0)
            continue;
        for (int high = low; high < game->numbers; high++) {
            if (game->up[high] == 0) {
                if (!has_wild)
                    break;
                continue;
            }
            unsigned between = high > low ? ((1u << high) - 1) & ~((2u << low) - 1) : 0;
            for (unsigned left_out = 0; left_out <= between; left_out += 2u << low) {
                add_runs(game, low, high, left_out);
                if (!has_wild)
                    break;
            }
        }
    }
}

/* All cards of one number or a run, with Wilds or without (N10 to N12), or none (N7, N9). */
static void list_sets(Game *game)
{
    game->options = 0;
    int wilds = game->up[game->numbers];
    for (int number = 0; number < game->numbers; number++)
        if (game->up[number] > 0)
            for (int used = 0; used <= wilds; used++)
                put_into(add_set(game, used, false), number, game->up[number]);
    for (int used = 1; used <= wilds; used++)
        add_set(game, used, false);
    list_runs(game);
    add_set(game, 0, false);
}

static void discard(Game *game, const Set *set)
{
    for (int number = 0; number < game->numbers; number++) {
        game->up[number] -= set->number[number];
        game->owned[game->seat][number] -= set->number[number];
    }
    game->up[game->numbers] -= set->wilds;
    game->owned[game->seat][game->numbers] -= set->wilds;
    game->in_front -= set->cards;
    game->left[game->seat] -= set->cards;
    game->discarded += set->cards;
}

/* A set at the stop or by a Christmas Bonus; returns whether something was discarded. */
static bool discard_set(Game *game, int decision)
{
    list_sets(game);
    const Set *set = choose_set(game, decision);
    int cards = set->cards, wilds = set->wilds;
    if (cards == 0)
        return false;
    discard(game, set);
    if (set->is_run) {
        game->count[RUN_SETS]++;
        game->count[CARDS_IN_RUNS] += cards;
        game->count[WILD_IN_RUN] += wilds;
    } else {
        game->count[NUMBER_SETS]++;
        game->count[CARDS_IN_NUMBERS] += cards;
        game->count[cards == wilds ? WILD_ALONE : WILD_WITH_NUMBER] += wilds;
    }
    game->count[decision == DISCARD_AT_STOP ? DISCARDED_AT_STOP : DISCARDED_BY_BONUS] += cards;
    return true;
}

static void use_christmas_bonus(Game *game)
{
    if (!discard_set(game, DISCARD_BY_BONUS))
        game->count[UNUSED_BONUSES]++;
}

static void use_wreath(Game *game)
{
    list_cards(game);
    const Set *set = choose_set(game, DISCARD_BY_WREATH);
    if (set->cards == 0) {
        game->count[UNUSED_WREATHS]++;
        return;
    }
    game->count[DISCARDED_BY_WREATH]++;
    game->count[WILD_BY_WREATH] += set->wilds;
    discard(game, set);
}

/* In the order that the player likes (N6); with no card face up the rest lapse. The game may end here (N14). */
static void use_bonuses(Game *game, int wreaths, int bonuses)
{
    while (wreaths + bonuses > 0 && game->in_front > 0) {
        bool wreath = bonuses == 0 || (wreaths > 0 && takes_wreath_first(game));
        if (wreath) {
            wreaths--;
            use_wreath(game);
        } else {
            bonuses--;
            use_christmas_bonus(game);
        }
        if (has_won(game))
            return;
    }
    game->count[UNUSED_WREATHS] += wreaths;
    game->count[UNUSED_BONUSES] += bonuses;
}

/* ---- A turn ---- */

static void draw_card(Game *game)
{
    if (game->in_pile == 0)
        return; /* N13 */
    uint32_t occasion = (uint32_t)(game->turn * 32 + game->drawn / 4);
    int rank = random_below(&game->chance, DRAW_CARD + game->drawn % 4, occasion, (uint32_t)game->in_pile);
    int kind = 0;
    while (rank >= game->pile[kind])
        rank -= game->pile[kind++];
    game->pile[kind]--;
    game->up[kind]++;
    game->in_front++;
    game->drawn++;
    if (--game->in_pile == 0)
        game->count[WHOLE_DECKS]++;
}

/* Throw the dice in the tumbler, and take the Eddies out. One number throws three dice: its digits are their faces, the lowest
 * digit the first die's. */
static void throw_dice(Game *game, int dice, int shown[MAX_DICE])
{
    const Rules *rules = game->rules;
    uint32_t outcomes = (uint32_t)(rules->faces * rules->faces * rules->faces);
    int throw = 0, die = -1;
    for (int i = 0; i < dice; i++) {
        if (i % 3 == 0)
            throw = random_below(&game->chance, THROW_DICE + i / 3, (uint32_t)(game->turn * 256 + game->rolls), outcomes);
        do
            die++;
        while (game->on_board[die]);
        shown[i] = rules->face[die][throw % rules->faces];
        throw /= rules->faces;
        game->on_board[die] = shown[i] == EDDIE;
    }
    game->rolls++;
}

/* Roll, Remove Dice, Draw Cards and the bonuses; returns whether the turn goes on. */
static bool roll(Game *game)
{
    int shown[MAX_DICE], seen[4] = {0};
    int dice = game->rules->setting[DICE] - game->eddies; /* N1 */
    throw_dice(game, dice, shown);
    for (int die = 0; die < dice; die++)
        seen[shown[die]]++;
    int before = game->eddies;
    game->eddies += seen[EDDIE];
    if (game->eddies >= game->rules->setting[BUST_AT]) { /* N2, N3 */
        game->count[BUSTS_BY_EDDIES + (before < 3 ? before : 3)]++;
        return false;
    }
    if (game->rules->setting[DIE_BY_DIE]) {
        for (int die = 0; die < dice && !has_won(game); die++) {
            if (shown[die] == EDDIE)
                continue;
            draw_card(game);
            use_bonuses(game, shown[die] == WREATH, shown[die] == BONUS);
        }
    } else {
        for (int card = seen[CLARK] + seen[WREATH] + seen[BONUS]; card > 0; card--)
            draw_card(game); /* N15 */
        use_bonuses(game, seen[WREATH], seen[BONUS]);
    }
    return !has_won(game);
}

static void begin_turn(Game *game)
{
    game->seat = game->turn % game->players;
    game->turn++;
    game->eddies = game->rolls = game->drawn = game->discarded = game->in_front = 0;
    memset(game->on_board, 0, sizeof game->on_board);
    memset(game->asked, 0, sizeof game->asked);
    memset(game->up, 0, sizeof game->up);
    memcpy(game->pile, game->owned[game->seat], sizeof game->pile);
    game->in_pile = game->left[game->seat];
}

/* Returns whether the game is over. */
static bool take_turn(Game *game)
{
    begin_turn(game);
    bool going = true;
    do {
        going = roll(game);
        if (going && (game->eddies == game->rules->setting[DICE] || game->rolls == MAX_ROLLS || !wants_to_roll(game))) {
            if (game->in_front > 0)
                discard_set(game, DISCARD_AT_STOP); /* N8 */
            going = false;
        }
    } while (going);
    game->count[ROLLS] += game->rolls;
    game->count[DRAWN] += game->drawn;
    game->count[TURNS_DRAWING + (game->drawn < 9 ? (game->drawn + 1) / 2 : 5)]++;
    game->count[TURNS_DISCARDING + (game->discarded < 7 ? game->discarded : 7)]++;
    return has_won(game); /* N4: what lies face up is the player's own again */
}

/* ---- A game ---- */

static void write_row(const Game *game, bool over, int32_t *row)
{
    int players = game->players;
    int nearest = INT32_MAX, second = INT32_MAX, losers[4] = {0};
    for (int seat = 0; seat < players; seat++) {
        int left = game->left[seat];
        *row++ = left == 0;
        if (left < nearest) {
            second = nearest;
            nearest = left;
        } else if (left < second) {
            second = left;
        }
        if (left > 0)
            losers[left <= 3 ? 0 : left <= 6 ? 1 : left <= 12 ? 2 : 3]++;
    }
    *row++ = !over;
    *row++ = game->turn;
    *row++ = (game->turn + players - 1) / players;
    int busts = 0;
    for (int i = 0; i < 4; i++)
        busts += game->count[BUSTS_BY_EDDIES + i];
    *row++ = busts;
    *row++ = second;
    for (int seat = 0; seat < players; seat++)
        *row++ = game->left[seat];
    for (int i = 0; i < 4; i++)
        *row++ = losers[i];
    memcpy(row, game->count, sizeof game->count);
}

static void play_game(Game *game, int32_t *row)
{
    const int *setting = game->rules->setting;
    memset(game->count, 0, sizeof game->count);
    memset(game->owned, 0, sizeof game->owned);
    for (int seat = 0; seat < game->players; seat++) {
        for (int number = 0; number < game->numbers; number++)
            game->owned[seat][number] = setting[COPIES];
        game->owned[seat][game->numbers] = setting[WILDS];
        game->left[seat] = game->numbers * setting[COPIES] + setting[WILDS];
    }
    game->turn = 0;
    bool over = false;
    while (!over && game->turn < setting[TURN_CAP])
        over = take_turn(game);
    write_row(game, over, row);
}

int metric_count(int players)
{
    return 2 * players + 9 + COUNTERS;
}

/* Play playouts first to first + playouts - 1 and write a row for each. */
void play(const int32_t *settings, const int32_t *faces, int32_t n_faces, uint64_t seed, int64_t first, int64_t playouts,
          int32_t players, const int32_t *strategies, int32_t *rows)
{
    Rules rules = {.faces = n_faces};
    for (int i = 0; i < SETTINGS; i++)
        rules.setting[i] = settings[i];
    for (int i = 0; i < rules.setting[DICE] * n_faces; i++)
        rules.face[i / n_faces][i % n_faces] = faces[i];
    static _Thread_local Game game;
    game.rules = &rules;
    game.strategy = strategies;
    game.players = players;
    game.numbers = rules.setting[NUMBERS];
    game.chance.seed = seed;
    for (int64_t i = 0; i < playouts; i++) {
        begin_playout(&game.chance, first + i);
        play_game(&game, rows + i * metric_count(players));
    }
}
