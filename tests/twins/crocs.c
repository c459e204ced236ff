/*
 * Christmas Crocs, played a second time in plain C from the rulebook and the rulings alone.
 *
 * It shares no code and no data layout with the analyzer, only the addresses of the random draws and the order of the
 * options that a seat chooses from. So two sets of rows that agree to the last number are strong evidence that both
 * play the game as ruled.
 *
 * Cards are counted by kind, and the slots of a seat by what they hold, for slots are alike.
 * Rulings are cited by their names, C1 to C22.
 *
 * Build: gcc -O3 -march=native -shared -fPIC crocs.c
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "chance.h"

enum { SEATS = 6, KINDS = 10, MAX_CANES = 4, MAX_OPTIONS = 16, NOBODY = -1 };

enum { PRESENT, CANDY_CANE, SANTA, ELF, SCROOGE, GRINCH, HEART, COAL, CHOO_CHOO, SNOW };

/* What can be done with the card of a turn: its kind, with Santa and Elf for a question; then their second uses. */
enum { REMOVE_COAL = KINDS, DRAW_CARD, ACTIONS };

/* What a slot can hold; n canes are CANES + n - 1. */
enum { OPEN, GIFT, BLOCK, CANES, CONTENTS = CANES + MAX_CANES };

enum { UNIFORM, BUILDER };
enum { YES, NO };
enum { BY_PRESENT, BY_CANES, BY_GRINCH, BY_HEART, BY_MOST_SLOTS, WAYS };

/* Settings, as the caller lists them; the ten counts of cards come first. */
enum {
    DECKS = KINDS,
    DEAL,
    ELF_BELOW,
    SLOTS,
    CANES_PER_SLOT,
    GRINCH_TAKES,
    ENDS_WHEN_EMPTY,
    MUST_GIVE,
    ROUND_WINDOW,
    SNOW_SILENCES,
    TURN_CAP,
    SETTINGS
};

/* What is counted during a playout, in the order of a row; three numbers for each attack, by standing of who is hit. */
enum {
    GRINCHES,
    GRINCHES_TO_WIN,
    ANSWERED,
    ANSWERED_TO_WIN,
    LOOT_WASTED,
    GIFTS,
    GIFTS_WASTED,
    LOST_TO_SCROOGE,
    LOST_TO_GRINCH = LOST_TO_SCROOGE + 3,
    LOST_TO_COAL = LOST_TO_GRINCH + 3,
    ALL_LOST_TO_SCROOGE = LOST_TO_COAL + 3,
    ALL_LOST_TO_GRINCH,
    ALL_LOST_TO_COAL,
    COAL_REMOVED,
    QUESTIONS,
    FAILED,
    REFUSED,
    NO_PLAY,
    PASSED,
    NOT_DRAWN,
    SKIPPED,
    REVERSED,
    RESHUFFLES,
    COUNTERS
};

/* ---- Random draws ---- */

/* Purposes: the seats' choices, then for each seat four for its draws. */
enum { PLAY, TARGET, CANE, SLOT, DISCARD, ANSWER, GIVE, DRAW = 16 };

/* ---- The table ---- */

typedef struct {
    const int32_t *setting, *strategy;
    int players;
    Chance chance;
    int turn, seat, direction;
    int deck[KINDS], discards[KINDS], deck_size, discards_size;
    int hand[SEATS][KINDS], hand_size[SEATS];
    int surely_not[SEATS][KINDS]; /* how many of a hand's oldest cards all know not to be of a kind */
    int slot[SEATS][CONTENTS];
    int draws[SEATS], drawn[SEATS][KINDS];
    bool frozen[SEATS];
    int loot[SEATS]; /* presents of a theft that can still be answered */
    int winner, way;
    bool over;
    int count[COUNTERS];
    int option[MAX_OPTIONS], options;
} Game;

static int next_seat(const Game *game, int seat)
{
    return (seat + game->direction + game->players) % game->players;
}

static int full_slots(const Game *game, int seat)
{
    return game->slot[seat][GIFT] + game->slot[seat][CANES + game->setting[CANES_PER_SLOT] - 1];
}

static void change_slot(Game *game, int seat, int from, int to)
{
    game->slot[seat][from]--;
    game->slot[seat][to]++;
}

static void discard(Game *game, int kind, int n)
{
    game->discards[kind] += n;
    game->discards_size += n;
}

/*
 * A card leaves a hand openly. If the oldest so many cards were known not to be of its kind, it was a later one; kinds
 * known to be absent from more of the oldest cards than that may be known of one card less now.
 */
static void leave_hand(Game *game, int seat, int kind)
{
    int *not = game->surely_not[seat], limit = not[kind];
    for (int k = 0; k < KINDS; k++)
        if (not[k] > limit)
            not[k]--;
    game->hand[seat][kind]--;
    game->hand_size[seat]--;
}

static void draw_card(Game *game, int seat)
{
    int nth = game->draws[seat]++;
    int rank = random_below(&game->chance, DRAW + 4 * seat + nth % 4, (uint32_t)(nth / 4), (uint32_t)game->deck_size);
    int kind = 0;
    while (rank >= game->deck[kind])
        rank -= game->deck[kind++];
    game->deck[kind]--;
    game->deck_size--;
    game->hand[seat][kind]++;
    game->hand_size[seat]++;
    game->drawn[seat][kind]++;
}

/* Whether there is a card to draw, once the discards are shuffled in if need be (C1). */
static bool replenish(Game *game)
{
    if (game->deck_size == 0 && game->discards_size > 0 && !game->setting[ENDS_WHEN_EMPTY]) {
        memcpy(game->deck, game->discards, sizeof game->deck);
        memset(game->discards, 0, sizeof game->discards);
        game->deck_size = game->discards_size;
        game->discards_size = 0;
        game->count[RESHUFFLES]++;
    }
    return game->deck_size > 0;
}

static void win(Game *game, int seat, int way)
{
    game->over = true;
    game->winner = seat;
    game->way = way;
}

static bool has_won(const Game *game, int seat)
{
    return full_slots(game, seat) == game->setting[SLOTS];
}

/* ---- Choices ---- */

/* How willingly builder plays each action, and discards each kind, when nothing can be played. */
static const int builder_plays[ACTIONS] = {
    [PRESENT] = 11, [CANDY_CANE] = 10, [REMOVE_COAL] = 9, [SANTA] = 8, [ELF] = 7, [DRAW_CARD] = 6,
    [CHOO_CHOO] = 5, [SNOW] = 4, [COAL] = 3, [SCROOGE] = 2, [GRINCH] = 1,
};
static const int builder_discards[ACTIONS] = {
    [COAL] = 10, [SCROOGE] = 9, [GRINCH] = 8, [SNOW] = 7, [HEART] = 6, [CHOO_CHOO] = 5, [ELF] = 4, [SANTA] = 3,
    [CANDY_CANE] = 2, [PRESENT] = 1,
};

static int best_by(const Game *game, const int *willingness)
{
    int best = 0;
    for (int i = 1; i < game->options; i++)
        if (willingness[game->option[i]] > willingness[game->option[best]])
            best = i;
    return best;
}

/* Frozen, where that takes answers and Hearts away too (C22, alternative). */
static bool is_silenced(const Game *game, int seat)
{
    return game->setting[SNOW_SILENCES] && game->frozen[seat];
}

/* Whom builder asks: who may hold the most cards of the kind, as far as is known; anybody but the next player for nothing else. */
static int builder_target(const Game *game, int action)
{
    int best = 0, most = -1;
    if (action != SANTA && action != ELF)
        return 0;
    for (int i = 0; i < game->options; i++) {
        int seat = game->option[i];
        int may_hold = game->hand_size[seat] - game->surely_not[seat][action == SANTA ? PRESENT : CANDY_CANE];
        if (is_silenced(game, seat))
            may_hold = 0;
        if (may_hold > most) {
            most = may_hold;
            best = i;
        }
    }
    return best;
}

static int builder_choice(const Game *game, int decision, int action)
{
    switch (decision) {
    case PLAY:
        return best_by(game, builder_plays);
    case DISCARD:
        return best_by(game, builder_discards);
    case TARGET:
        return builder_target(game, action);
    case CANE:
    case SLOT:
        return game->options - 1;
    case ANSWER:
        return YES;
    default:
        return NO;
    }
}

/* The value of the option that a seat chooses; one option is no choice. */
static int choose(Game *game, int seat, int decision, int step, int action)
{
    int chosen = 0;
    if (game->options > 1) {
        if (game->strategy[seat] == UNIFORM) {
            uint32_t occasion = (uint32_t)game->turn << 12 | (uint32_t)seat << 8 | (uint32_t)step;
            chosen = (int)(random_word(&game->chance, decision, occasion) * 0x1p-32 * game->options);
        } else {
            chosen = builder_choice(game, decision, action);
        }
    }
    return game->option[chosen];
}

static void add_option(Game *game, int value)
{
    game->option[game->options++] = value;
}

static int yes_or_no(Game *game, int seat, int decision, int step)
{
    game->options = 0;
    add_option(game, YES);
    add_option(game, NO);
    return choose(game, seat, decision, step, 0);
}

/* ---- Slots ---- */

static void put_present(Game *game, int seat, int way)
{
    change_slot(game, seat, OPEN, GIFT);
    if (has_won(game, seat)) /* C19 */
        win(game, seat, way);
}

/* Into an open slot or a half-filled one, as the player likes (C17). */
static void put_cane(Game *game, int seat)
{
    int full = CANES + game->setting[CANES_PER_SLOT] - 1;
    game->options = 0;
    if (game->slot[seat][OPEN])
        add_option(game, OPEN);
    for (int content = CANES; content < full; content++)
        if (game->slot[seat][content])
            add_option(game, content);
    int content = choose(game, seat, CANE, 0, 0);
    change_slot(game, seat, content, content == OPEN ? CANES : content + 1);
    if (has_won(game, seat))
        win(game, seat, BY_CANES);
}

static bool has_half_slot(const Game *game, int seat)
{
    for (int content = CANES; content < CANES + game->setting[CANES_PER_SLOT] - 1; content++)
        if (game->slot[seat][content])
            return true;
    return false;
}

/* Anything but Coal (C10). */
static bool has_something(const Game *game, int seat)
{
    for (int content = CANES; content < CONTENTS; content++)
        if (game->slot[seat][content])
            return true;
    return game->slot[seat][GIFT] > 0;
}

/* Alone in front, in front with others, or behind somebody. */
static int standing(const Game *game, int seat)
{
    int ahead = 0, level = 0;
    for (int other = 0; other < game->players; other++) {
        if (other == seat)
            continue;
        ahead += full_slots(game, other) > full_slots(game, seat);
        level += full_slots(game, other) == full_slots(game, seat);
    }
    return ahead ? 2 : level ? 1 : 0;
}

/* ---- Legal plays ---- */

static bool can_hit(const Game *game, int action, int seat)
{
    switch (action) {
    case SCROOGE:
        return has_something(game, seat);
    case GRINCH:
        return game->slot[seat][GIFT] > 0;
    case COAL:
        return game->slot[seat][OPEN] > 0;
    case SNOW:
        return !game->frozen[seat];
    default:
        return true; /* a question goes to anybody (C4, C5) */
    }
}

static bool can_hit_anybody(const Game *game, int action)
{
    for (int seat = 0; seat < game->players; seat++)
        if (seat != game->seat && can_hit(game, action, seat))
            return true;
    return false;
}

/* Whether the rules allow an action now to who holds the card. */
static bool is_legal(const Game *game, int action)
{
    int seat = game->seat;
    const int *mine = game->slot[seat];
    switch (action) {
    case PRESENT:
    case SANTA: /* C7 */
        return mine[OPEN] > 0;
    case CANDY_CANE:
    case ELF:
        return mine[OPEN] > 0 || has_half_slot(game, seat);
    case GRINCH: /* C11 */
        return mine[OPEN] > 0 && can_hit_anybody(game, action);
    case SCROOGE:
    case COAL: /* C9 */
    case SNOW: /* C20 */
        return can_hit_anybody(game, action);
    case CHOO_CHOO:
        return true;
    case REMOVE_COAL:
        return mine[BLOCK] > 0;
    case DRAW_CARD: /* C8, C21 */
        return game->hand_size[seat] - 1 < game->setting[ELF_BELOW] &&
               (game->deck_size > 0 || (game->discards_size > 0 && !game->setting[ENDS_WHEN_EMPTY]));
    default:
        return false; /* a Heart (C16) */
    }
}

static int card_of(int action)
{
    return action == REMOVE_COAL ? SANTA : action == DRAW_CARD ? ELF : action;
}

/* ---- The cards ---- */

static int choose_target(Game *game, int action)
{
    game->options = 0;
    int seat = game->seat;
    for (int i = 1; i < game->players; i++) {
        seat = next_seat(game, seat);
        if (can_hit(game, action, seat))
            add_option(game, seat);
    }
    return choose(game, game->seat, TARGET, 0, action);
}

static void ask(Game *game, int target, int kind)
{
    game->count[QUESTIONS]++;
    bool silenced = is_silenced(game, target);
    bool gives = game->hand[target][kind] > 0 && !silenced;
    if (gives && !game->setting[MUST_GIVE] && yes_or_no(game, target, GIVE, 0) == NO) {
        game->count[REFUSED]++;
        gives = false;
    }
    if (!gives) {
        game->count[FAILED]++;
        if (game->setting[MUST_GIVE] && !silenced)
            game->surely_not[target][kind] = game->hand_size[target];
        return;
    }
    leave_hand(game, target, kind);
    if (kind == PRESENT)
        put_present(game, game->seat, BY_PRESENT);
    else
        put_cane(game, game->seat);
}

static void scrooge(Game *game, int target)
{
    game->options = 0;
    if (game->slot[target][GIFT])
        add_option(game, GIFT);
    for (int content = CONTENTS - 1; content >= CANES; content--)
        if (game->slot[target][content])
            add_option(game, content);
    int content = choose(game, game->seat, SLOT, 0, 0);
    game->count[LOST_TO_SCROOGE + standing(game, target)]++;
    game->count[ALL_LOST_TO_SCROOGE]++;
    change_slot(game, target, content, OPEN);
    if (content == GIFT)
        discard(game, PRESENT, 1);
    else
        discard(game, CANDY_CANE, content - CANES + 1);
}

/* The loot goes round the other players, beginning after the thief (C14). */
static void give_away(Game *game, int thief)
{
    int presents = game->loot[thief], to = thief;
    if (presents > game->slot[thief][GIFT])
        presents = game->slot[thief][GIFT];
    game->loot[thief] = 0;
    for (int i = 0; i < presents && !game->over; i++) {
        do
            to = next_seat(game, to);
        while (to == thief);
        change_slot(game, thief, GIFT, OPEN);
        if (game->slot[to][OPEN]) {
            game->count[GIFTS]++;
            put_present(game, to, BY_HEART);
        } else {
            game->count[GIFTS_WASTED]++;
            discard(game, PRESENT, 1);
        }
    }
}

static bool plays_heart(Game *game, int seat, int thief, int step, int counter)
{
    if (game->hand[seat][HEART] == 0 || is_silenced(game, seat) || yes_or_no(game, seat, ANSWER, step) == NO)
        return false;
    game->count[counter]++;
    leave_hand(game, seat, HEART);
    discard(game, HEART, 1);
    give_away(game, thief);
    return true;
}

static void grinch(Game *game, int target)
{
    int thief = game->seat, taken = game->slot[target][GIFT], kept = 0;
    if (taken > game->setting[GRINCH_TAKES])
        taken = game->setting[GRINCH_TAKES];
    game->count[GRINCHES]++;
    game->count[LOST_TO_GRINCH + standing(game, target)] += taken;
    game->count[ALL_LOST_TO_GRINCH] += taken;
    for (int i = 0; i < taken; i++) {
        change_slot(game, target, GIFT, OPEN);
        if (game->slot[thief][OPEN]) {
            change_slot(game, thief, OPEN, GIFT);
            kept++;
        } else {
            discard(game, PRESENT, 1);
            game->count[LOOT_WASTED]++;
        }
    }
    game->loot[thief] = kept;
    if (has_won(game, thief)) { /* C15 */
        game->count[GRINCHES_TO_WIN]++;
        if (!plays_heart(game, next_seat(game, thief), thief, 0, ANSWERED_TO_WIN))
            win(game, thief, BY_GRINCH);
        game->loot[thief] = 0;
    } else if (!game->setting[ROUND_WINDOW]) { /* C12 */
        int seat = thief;
        for (int i = 0; i < game->players - 1; i++) {
            seat = next_seat(game, seat);
            if (plays_heart(game, seat, thief, i, ANSWERED))
                break;
        }
        game->loot[thief] = 0;
    }
}

static void play_card(Game *game, int action)
{
    int seat = game->seat, card = card_of(action);
    bool has_target = action == SANTA || action == ELF || action == SCROOGE || action == GRINCH || action == COAL || action == SNOW;
    leave_hand(game, seat, card);
    int target = has_target ? choose_target(game, action) : seat;
    switch (action) {
    case PRESENT:
        put_present(game, seat, BY_PRESENT);
        return; /* it lies in a slot, and so do the next two */
    case CANDY_CANE:
        put_cane(game, seat);
        return;
    case COAL:
        game->count[LOST_TO_COAL + standing(game, target)]++;
        game->count[ALL_LOST_TO_COAL]++;
        change_slot(game, target, OPEN, BLOCK);
        return;
    case SANTA:
        ask(game, target, PRESENT);
        break;
    case ELF:
        ask(game, target, CANDY_CANE);
        break;
    case SCROOGE:
        scrooge(game, target);
        break;
    case GRINCH:
        grinch(game, target);
        break;
    case CHOO_CHOO:
        game->count[REVERSED]++;
        game->direction = -game->direction;
        break;
    case SNOW:
        game->frozen[target] = true;
        break;
    case REMOVE_COAL:
        game->count[COAL_REMOVED]++;
        change_slot(game, seat, BLOCK, OPEN);
        discard(game, COAL, 1);
        break;
    default: /* an Elf, which is laid down after the draw */
        if (replenish(game))
            draw_card(game, seat);
    }
    discard(game, card, 1);
}

/* With no legal play one card is discarded (C3). By that everybody learns which kinds the hand does not hold. */
static void discard_one(Game *game)
{
    int seat = game->seat;
    bool could_play[KINDS] = {false};
    for (int action = 0; action < ACTIONS; action++)
        if (is_legal(game, action))
            could_play[card_of(action)] = true;
    game->count[NO_PLAY]++;
    game->options = 0;
    for (int kind = 0; kind < KINDS; kind++)
        if (game->hand[seat][kind])
            add_option(game, kind);
    int kind = choose(game, seat, DISCARD, 0, 0);
    leave_hand(game, seat, kind);
    discard(game, kind, 1);
    for (int k = 0; k < KINDS; k++)
        if (could_play[k])
            game->surely_not[seat][k] = game->hand_size[seat];
}

/* ---- Turns ---- */

/* The rule of the longer window: Hearts at the start of a turn, for thefts since the thieves' last turns (C12). */
static void answer_thefts(Game *game)
{
    int seat = game->seat, thief = seat;
    for (int i = 0; i < game->players - 1 && !game->over; i++) {
        thief = next_seat(game, thief);
        if (game->loot[thief] > 0 && game->slot[thief][GIFT] > 0)
            plays_heart(game, seat, thief, i, ANSWERED);
    }
}

static void take_turn(Game *game)
{
    int seat = game->seat;
    if (replenish(game))
        draw_card(game, seat);
    else
        game->count[NOT_DRAWN]++;
    game->options = 0;
    for (int action = 0; action < ACTIONS; action++)
        if (game->hand[seat][card_of(action)] && is_legal(game, action))
            add_option(game, action);
    if (game->options > 0)
        play_card(game, choose(game, seat, PLAY, 0, 0));
    else if (game->hand_size[seat] > 0)
        discard_one(game);
    else
        game->count[PASSED]++;
}

/* No card left to draw: most full slots win, a tie is nobody's (C1). */
static void end_with_deck(Game *game)
{
    int best = -1;
    game->over = true;
    for (int seat = 0; seat < game->players; seat++) {
        if (full_slots(game, seat) > best) {
            best = full_slots(game, seat);
            win(game, seat, BY_MOST_SLOTS);
        } else if (full_slots(game, seat) == best) {
            game->winner = NOBODY;
        }
    }
}

static void set_up(Game *game)
{
    game->turn = 0;
    game->seat = game->players - 1;
    game->direction = 1;
    game->over = false;
    game->winner = NOBODY;
    game->way = WAYS;
    game->deck_size = game->discards_size = 0;
    memset(game->discards, 0, sizeof game->discards);
    memset(game->hand, 0, sizeof game->hand);
    memset(game->hand_size, 0, sizeof game->hand_size);
    memset(game->surely_not, 0, sizeof game->surely_not);
    memset(game->slot, 0, sizeof game->slot);
    memset(game->draws, 0, sizeof game->draws);
    memset(game->drawn, 0, sizeof game->drawn);
    memset(game->frozen, 0, sizeof game->frozen);
    memset(game->loot, 0, sizeof game->loot);
    memset(game->count, 0, sizeof game->count);
    for (int kind = 0; kind < KINDS; kind++) {
        game->deck[kind] = game->setting[kind] * game->setting[DECKS];
        game->deck_size += game->deck[kind];
    }
    for (int seat = 0; seat < game->players; seat++)
        game->slot[seat][OPEN] = game->setting[SLOTS];
    for (int i = 0; i < game->setting[DEAL]; i++)
        for (int seat = 0; seat < game->players; seat++)
            draw_card(game, seat);
}

/* Whether the playout came to an end before the turn cap. */
static bool play_game(Game *game)
{
    set_up(game);
    while (!game->over) {
        game->seat = next_seat(game, game->seat);
        game->loot[game->seat] = 0;
        if (game->frozen[game->seat]) { /* C18 */
            game->frozen[game->seat] = false;
            game->count[SKIPPED]++;
            continue;
        }
        if (game->setting[ENDS_WHEN_EMPTY] && game->deck_size == 0) {
            end_with_deck(game);
            break;
        }
        if (game->turn == game->setting[TURN_CAP])
            return false;
        game->turn++;
        if (game->setting[ROUND_WINDOW])
            answer_thefts(game);
        if (!game->over)
            take_turn(game);
    }
    return true;
}

static int lead(const Game *game)
{
    int full[SEATS], players = game->players;
    for (int seat = 0; seat < players; seat++) {
        int at = seat; /* the most first */
        for (; at > 0 && full[at - 1] < full_slots(game, seat); at--)
            full[at] = full[at - 1];
        full[at] = full_slots(game, seat);
    }
    return full[0] - full[1];
}

static void write_row(const Game *game, bool finished, int32_t *row)
{
    int players = game->players;
    for (int seat = 0; seat < players; seat++)
        *row++ = game->winner == seat;
    *row++ = finished && game->winner == NOBODY;
    *row++ = !finished;
    *row++ = game->turn;
    *row++ = (game->turn + players - 1) / players;
    *row++ = lead(game);
    for (int way = 0; way < WAYS; way++)
        *row++ = game->winner != NOBODY && game->way == way;
    for (int seat = 0; seat < players; seat++)
        *row++ = full_slots(game, seat);
    for (int i = 0; i < COUNTERS; i++)
        *row++ = game->count[i];
    for (int seat = 0; seat < players; seat++)
        for (int kind = 0; kind < KINDS; kind++)
            *row++ = game->drawn[seat][kind];
}

int metric_count(int players)
{
    return players + 2 + 3 + WAYS + players + COUNTERS + players * KINDS;
}

/* Play playouts first to first + playouts - 1 and write a row for each. */
void play(const int32_t *settings, uint64_t seed, int64_t first, int64_t playouts, int32_t players, const int32_t *strategies,
          int32_t *rows)
{
    Game game = {.setting = settings, .strategy = strategies, .players = players};
    game.chance.seed = seed;
    for (int64_t i = 0; i < playouts; i++) {
        begin_playout(&game.chance, first + i);
        bool finished = play_game(&game);
        write_row(&game, finished, rows + i * metric_count(players));
    }
}
