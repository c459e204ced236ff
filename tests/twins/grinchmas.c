/*
 * Merry Grinchmas, played a second time in plain C from the rulebook and the rulings alone.
 *
 * It shares no code and no data layout with the analyzer, only the addresses of the random draws and the order of the
 * options that a seat chooses from. So two sets of rows that agree to the last number are strong evidence that both
 * play the game as ruled.
 *
 * Presents are counted by kind: kind = colour + colours * design, so a hand is an array of counts.
 * Rulings are cited by their names, G1 to G22.
 *
 * Build: gcc -O3 -march=native -shared -fPIC grinchmas.c
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "chance.h"

enum { MAX_COLOURS = 8, MAX_KINDS = 16, MAX_PATH = 64, MAX_FACES = 32, MAX_FACE_UP = 8, MAX_PILE = 250, MAX_TYPES = 128 };
enum { HOUSES = 6, SPOTS = 3, NOTHING = -1 };

/* Spaces of the path; house h (0-based) is HOUSE + h. The spots A, B and C are the numbers of their spaces. */
enum { SPACE_A, SPACE_B, SPACE_C, SPACE_MAX, SPACE_PRESENT, SPACE_FEET, SPACE_HOUSE };
enum { FEET = 0 }; /* on the spinner; other faces are numbers of spaces */

enum { MIXED, PAIR, TRIO };
enum { UNIFORM, GREEDY };

/* Settings, as the caller lists them. */
enum {
    COLOURS,
    DESIGNS,
    COPIES,
    MIXED_COPIES,
    PAIR_COPIES,
    TRIO_CARDS,
    FACE_UP,
    GOAL,
    PAIR_IS_PICTURED,
    RESHUFFLE_WHEN_EXHAUSTED,
    STARS_MIXED,
    STARS_PAIR,
    STARS_TRIO,
    EXCHANGE_MIN_PLAYERS,
    EXCHANGE_ON_MAX,
    WIN_ON_TIE,
    TURN_CAP,
    SETTINGS
};

/* A row of results. */
enum {
    PLAYERS_WIN,
    GRINCH_WINS,
    UNFINISHED,
    TURNS,
    MARGIN,
    STARS_PLAYERS,
    STARS_GRINCH,
    WISHES_PLAYERS,                    /* three: mixed, pair, trio */
    WISHES_GRINCH = WISHES_PLAYERS + 3, /* three */
    STOLEN_SPOT = WISHES_GRINCH + 3,
    STOLEN_MAX,
    STOLEN_BAG,
    STOLEN_PLAYER,
    STOLEN_FREE_HOUSE,
    EXCHANGES,
    REFUSALS,
    DECLINED,
    EMPTY_BAG,
    METRICS
};

typedef struct {
    int sort; /* MIXED, PAIR or TRIO */
    int colour[3]; /* of a mixed Wish, ascending */
    int kind; /* of a pictured pair, else NOTHING */
    int stars;
} Wish;

typedef struct {
    int setting[SETTINGS];
    int kinds;
    int path[MAX_PATH], next_feet[MAX_PATH], path_length, start;
    int face[MAX_FACES], faces;
    Wish wish[MAX_TYPES];
    int types;
    int pile[MAX_PILE], pile_size; /* types of the cards before shuffling */
} Rules;

/* ---- Random draws ---- */

/* Purposes of the seats' choices. */
enum { TAKE, SCORE, OFFER, GRINCH_SCORES, GIVE_UP, CONSENT };

/* Purposes of the game, four to a block. */
enum { SPIN = 16, STEAL = 17, DRAW = 18, REFILL_SPOT = 20, REFILL_HOUSE = 24, TURN_UP = 32 };

/* ---- The table ---- */

typedef struct {
    const Rules *rules;
    const int32_t *strategy; /* by seat */
    int players;
    Chance chance;
    int turn, seat; /* of the active player */
    int position;
    int bag[MAX_KINDS], in_bag;
    int hoard[MAX_KINDS]; /* near Mt. Crumpit */
    int hand[HOUSES][MAX_KINDS]; /* on the houses of the players */
    int free_house[HOUSES]; /* kind on an unclaimed house, or NOTHING */
    int spot[SPOTS]; /* kind on A, B, C, or NOTHING */
    int face_up[MAX_FACE_UP]; /* types, or NOTHING */
    int pile[MAX_PILE], pile_size, turned_up;
    int scored[MAX_PILE], n_scored; /* of both sides, in order */
    int slots_filled;
    int32_t *row;
} Game;

static int seat_choice(Game *game, int decision, int seat, int step, int options)
{
    uint32_t occasion = (uint32_t)game->turn << 12 | (uint32_t)seat << 8 | (uint32_t)step;
    double u = random_word(&game->chance, decision, occasion) * 0x1p-32;
    return (int)(u * options);
}

/* A token out of the bag, or NOTHING and an empty-bag event (G8). */
static int draw_token(Game *game, int purpose)
{
    if (game->in_bag == 0) {
        game->row[EMPTY_BAG]++;
        return NOTHING;
    }
    int rank = random_below(&game->chance, purpose, (uint32_t)game->turn, (uint32_t)game->in_bag);
    int kind = 0;
    while (rank >= game->bag[kind])
        rank -= game->bag[kind++];
    game->bag[kind]--;
    game->in_bag--;
    return kind;
}

/* ---- Wishes and what pays for them ---- */

typedef struct {
    int place; /* of the Wish among those face up; NOTHING: score none */
    int tokens, kind[3];
} Payment;

enum { MAX_PAYMENTS = MAX_FACE_UP * 8 + 4 * MAX_COLOURS + MAX_KINDS + 1 };

static int held_of_colour(const Rules *rules, const int *hand, int colour)
{
    int held = hand[colour];
    if (rules->setting[DESIGNS] == 2)
        held += hand[colour + rules->setting[COLOURS]];
    return held;
}

static int payments_for(const Rules *rules, const Wish *wish, const int *hand, int place, Payment *list)
{
    int n = 0;
    int colours = rules->setting[COLOURS], designs = rules->setting[DESIGNS];
    if (wish->sort == MIXED) {
        for (int a = 0; a < designs; a++)
            for (int b = 0; b < designs; b++)
                for (int c = 0; c < designs; c++) {
                    Payment p = {place, 3, {wish->colour[0] + a * colours, wish->colour[1] + b * colours, wish->colour[2] + c * colours}};
                    if (hand[p.kind[0]] > 0 && hand[p.kind[1]] > 0 && hand[p.kind[2]] > 0)
                        list[n++] = p;
                }
    } else if (wish->sort == PAIR && wish->kind != NOTHING) {
        if (hand[wish->kind] >= 2)
            list[n++] = (Payment){place, 2, {wish->kind, wish->kind, NOTHING}};
    } else if (wish->sort == PAIR) { /* G2, alternative: any two equal ones */
        for (int kind = 0; kind < rules->kinds; kind++)
            if (hand[kind] >= 2)
                list[n++] = (Payment){place, 2, {kind, kind, NOTHING}};
    } else { /* G3: three of a colour, whatever their designs */
        for (int colour = 0; colour < colours; colour++) {
            int first = colour, second = colour + colours;
            int held = held_of_colour(rules, hand, colour);
            for (int k = 0; k <= 3 && held >= 3; k++) /* k of the second design */
                if (3 - k <= hand[first] && k <= held - hand[first])
                    list[n++] = (Payment){place, 3, {k > 2 ? second : first, k > 1 ? second : first, k > 0 ? second : first}};
        }
    }
    return n;
}

/* Every way to score a Wish with these Presents; equal cards are one choice. */
static int all_payments(const Game *game, const int *hand, Payment *list)
{
    int n = 0;
    for (int place = 0; place < game->rules->setting[FACE_UP]; place++) {
        int type = game->face_up[place];
        bool seen = type == NOTHING;
        for (int before = 0; before < place && !seen; before++)
            seen = game->face_up[before] == type;
        if (!seen)
            n += payments_for(game->rules, &game->rules->wish[type], hand, place, list + n);
    }
    return n;
}

static int stars_of(const Game *game, const Payment *payment)
{
    return payment->place == NOTHING ? -1 : game->rules->wish[game->face_up[payment->place]].stars;
}

/* Pay: the tokens are back in the bag at once (G6), the card lies among the scored. Returns the Wish. */
static const Wish *pay(Game *game, int *hand, const Payment *payment)
{
    for (int i = 0; i < payment->tokens; i++) {
        hand[payment->kind[i]]--;
        game->bag[payment->kind[i]]++;
    }
    game->in_bag += payment->tokens;
    int type = game->face_up[payment->place];
    game->face_up[payment->place] = NOTHING;
    game->scored[game->n_scored++] = type;
    return &game->rules->wish[type];
}

/* ---- How a greedy seat values a hand ---- */

/* Presents that the hand still lacks for a Wish. */
static int lack(const Rules *rules, const Wish *wish, const int *hand)
{
    int most = 0;
    switch (wish->sort) {
    case MIXED: {
        int missing = 0;
        for (int i = 0; i < 3; i++)
            missing += held_of_colour(rules, hand, wish->colour[i]) == 0;
        return missing;
    }
    case PAIR:
        if (wish->kind != NOTHING)
            most = hand[wish->kind];
        else
            for (int kind = 0; kind < rules->kinds; kind++)
                most = hand[kind] > most ? hand[kind] : most;
        return most < 2 ? 2 - most : 0;
    default:
        for (int colour = 0; colour < rules->setting[COLOURS]; colour++) {
            int held = held_of_colour(rules, hand, colour);
            most = held > most ? held : most;
        }
        return most < 3 ? 3 - most : 0;
    }
}

static double promise(const Game *game, const int *hand)
{
    static const double share[] = {1.0, 0.5, 0.25, 0.125};
    double best = 0.0, sum = 0.0;
    for (int place = 0; place < game->rules->setting[FACE_UP]; place++) {
        if (game->face_up[place] == NOTHING)
            continue;
        const Wish *wish = &game->rules->wish[game->face_up[place]];
        double value = wish->stars * share[lack(game->rules, wish, hand)];
        best = value > best ? value : best;
        sum += value;
    }
    return 16.0 * best + sum;
}

/* The promise of a hand after losing one Present and gaining another, NOTHING for none; the hand is left as it was. */
static double promise_after(const Game *game, int *hand, int lost, int gained)
{
    if (lost != NOTHING)
        hand[lost]--;
    if (gained != NOTHING)
        hand[gained]++;
    double value = promise(game, hand);
    if (lost != NOTHING)
        hand[lost]++;
    if (gained != NOTHING)
        hand[gained]--;
    return value;
}

/* ---- Steps 1 to 4: the Grinch ---- */

static int move_grinch(Game *game)
{
    const Rules *rules = game->rules;
    int face = rules->face[random_below(&game->chance, SPIN, (uint32_t)game->turn, (uint32_t)rules->faces)];
    if (face == FEET)
        game->position = rules->next_feet[game->position];
    else
        game->position = (game->position + face) % rules->path_length;
    return rules->path[game->position];
}

/* The owner's choice of the Present to give up (G12), or NOTHING. */
static int give_up(Game *game, int owner)
{
    int *hand = game->hand[owner];
    int option[MAX_KINDS], n = 0;
    for (int kind = 0; kind < game->rules->kinds; kind++)
        if (hand[kind] > 0)
            option[n++] = kind;
    if (n == 0)
        return NOTHING;
    if (n == 1)
        return option[0];
    if (game->strategy[owner] == UNIFORM)
        return option[seat_choice(game, GIVE_UP, owner, 0, n)];
    int pick = 0;
    double best = promise_after(game, hand, option[0], NOTHING);
    for (int i = 1; i < n; i++) {
        double value = promise_after(game, hand, option[i], NOTHING);
        if (value > best) {
            best = value;
            pick = i;
        }
    }
    return option[pick];
}

static int empty_place(int *place)
{
    int kind = *place;
    *place = NOTHING;
    return kind;
}

static void hoard(Game *game, int kind, int metric)
{
    if (kind == NOTHING)
        return;
    game->hoard[kind]++;
    game->row[metric]++;
}

static void steal(Game *game, int space)
{
    if (space <= SPACE_C) {
        hoard(game, empty_place(&game->spot[space]), STOLEN_SPOT);
    } else if (space == SPACE_MAX) {
        for (int spot = 0; spot < SPOTS; spot++)
            hoard(game, empty_place(&game->spot[spot]), STOLEN_MAX);
    } else if (space == SPACE_PRESENT) {
        hoard(game, draw_token(game, STEAL), STOLEN_BAG);
    } else if (space >= SPACE_HOUSE) {
        int house = space - SPACE_HOUSE;
        if (house < game->players) {
            int kind = give_up(game, house);
            if (kind != NOTHING)
                game->hand[house][kind]--;
            hoard(game, kind, STOLEN_PLAYER);
        } else {
            hoard(game, empty_place(&game->free_house[house]), STOLEN_FREE_HOUSE);
        }
    }
}

/* He must score if he can, the most stars first; the active player breaks ties (G11). */
static void grinch_scores(Game *game)
{
    Payment option[MAX_PAYMENTS];
    int n = all_payments(game, game->hoard, option);
    if (n == 0)
        return;
    int most = 0, best = 0;
    for (int i = 0; i < n; i++)
        if (stars_of(game, &option[i]) > most)
            most = stars_of(game, &option[i]);
    for (int i = 0; i < n; i++)
        if (stars_of(game, &option[i]) == most)
            option[best++] = option[i];
    int pick = 0;
    if (best > 1 && game->strategy[game->seat] == UNIFORM)
        pick = seat_choice(game, GRINCH_SCORES, game->seat, 0, best);
    const Wish *wish = pay(game, game->hoard, &option[pick]);
    game->row[WISHES_GRINCH + wish->sort]++;
    game->row[STARS_GRINCH] += wish->stars;
}

/* ---- Step 5: a Present, or an exchange of gifts ---- */

typedef struct {
    int partner, given, received;
} Offer;

enum { MAX_OFFERS = (HOUSES - 1) * MAX_KINDS * (MAX_KINDS - 1) };

static int all_offers(const Game *game, Offer *list)
{
    int n = 0;
    const int *own = game->hand[game->seat];
    for (int partner = 0; partner < game->players; partner++) {
        if (partner == game->seat)
            continue;
        for (int given = 0; given < game->rules->kinds; given++) {
            if (own[given] == 0)
                continue;
            for (int received = 0; received < game->rules->kinds; received++)
                if (received != given && game->hand[partner][received] > 0)
                    list[n++] = (Offer){partner, given, received};
        }
    }
    return n;
}

/* Whether there is any offer: two seats hold different kinds (G14). */
static bool can_offer(const Game *game)
{
    const int *own = game->hand[game->seat];
    for (int partner = 0; partner < game->players; partner++) {
        if (partner == game->seat)
            continue;
        for (int given = 0; given < game->rules->kinds; given++) {
            if (own[given] == 0)
                continue;
            for (int received = 0; received < game->rules->kinds; received++)
                if (received != given && game->hand[partner][received] > 0)
                    return true;
        }
    }
    return false;
}

/* Ask for an exchange; returns whether it was agreed and done. */
static bool exchange(Game *game)
{
    Offer option[MAX_OFFERS];
    int seat = game->seat, pick = 0, n = all_offers(game, option);
    if (n > 1 && game->strategy[seat] == UNIFORM) {
        pick = seat_choice(game, OFFER, seat, 0, n);
    } else if (n > 1) {
        double best = promise_after(game, game->hand[seat], option[0].given, option[0].received);
        for (int i = 1; i < n; i++) {
            double value = promise_after(game, game->hand[seat], option[i].given, option[i].received);
            if (value > best) {
                best = value;
                pick = i;
            }
        }
    }
    Offer offer = option[pick];
    int *own = game->hand[seat], *other = game->hand[offer.partner];
    bool agreed;
    if (game->strategy[offer.partner] == UNIFORM)
        agreed = seat_choice(game, CONSENT, offer.partner, 0, 2) == 0;
    else
        agreed = promise_after(game, other, offer.received, offer.given) >= promise(game, other);
    if (!agreed) {
        game->row[REFUSALS]++;
        return false;
    }
    own[offer.given]--;
    other[offer.given]++;
    other[offer.received]--;
    own[offer.received]++;
    game->row[EXCHANGES]++;
    return true;
}

enum { FROM_BAG = SPOTS, ASK_EXCHANGE, LEAVE_IT };

static void take_present(Game *game, bool on_max)
{
    const int *setting = game->rules->setting;
    int *own = game->hand[game->seat];
    bool may_ask = game->players >= setting[EXCHANGE_MIN_PLAYERS] /* G15 */
                   && (!on_max || setting[EXCHANGE_ON_MAX]) && can_offer(game);

    for (int step = 0; step <= 1; step++) { /* a second time after a refusal, which costs nothing (G19) */
        int option[SPOTS + 3], n = 0;
        for (int spot = 0; spot < SPOTS && !on_max; spot++) /* G9 */
            if (game->spot[spot] != NOTHING)
                option[n++] = spot;
        if (game->in_bag > 0)
            option[n++] = FROM_BAG;
        if (step == 0 && may_ask)
            option[n++] = ASK_EXCHANGE;
        if (n == 1 && option[0] == ASK_EXCHANGE) /* one may ask, and need not (G21) */
            option[n++] = LEAVE_IT;
        if (n == 0) {
            if (on_max)
                game->row[EMPTY_BAG]++;
            return;
        }

        int pick = 0;
        if (n > 1 && game->strategy[game->seat] == UNIFORM) {
            pick = seat_choice(game, TAKE, game->seat, step, n);
        } else if (n > 1) {
            double best = -1.0;
            for (int i = 0; i < n; i++) {
                if (option[i] == ASK_EXCHANGE)
                    continue;
                double value = promise(game, own);
                if (option[i] == FROM_BAG)
                    value += 1.0 / 64.0;
                else if (option[i] < SPOTS)
                    value = promise_after(game, own, NOTHING, game->spot[option[i]]);
                if (value > best) {
                    best = value;
                    pick = i;
                }
            }
        }

        if (option[pick] == ASK_EXCHANGE) {
            if (exchange(game))
                return;
        } else if (option[pick] == LEAVE_IT) {
            game->row[EMPTY_BAG]++;
            return;
        } else if (option[pick] == FROM_BAG) {
            own[draw_token(game, DRAW)]++;
            return;
        } else {
            own[empty_place(&game->spot[option[pick]])]++;
            return;
        }
    }
}

/* ---- Step 6: score a Wish ---- */

static void score_wish(Game *game)
{
    Payment option[MAX_PAYMENTS];
    int *hand = game->hand[game->seat];
    int n = all_payments(game, hand, option);
    if (n == 0)
        return;
    option[n++] = (Payment){NOTHING, 0, {NOTHING, NOTHING, NOTHING}};
    int pick = 0;
    if (game->strategy[game->seat] == UNIFORM) {
        pick = seat_choice(game, SCORE, game->seat, 0, n);
    } else {
        for (int i = 1; i < n; i++)
            if (stars_of(game, &option[i]) > stars_of(game, &option[pick]))
                pick = i;
    }
    if (option[pick].place == NOTHING) {
        game->row[DECLINED]++;
        return;
    }
    const Wish *wish = pay(game, hand, &option[pick]);
    game->row[WISHES_PLAYERS + wish->sort]++;
    game->row[STARS_PLAYERS] += wish->stars;
    game->slots_filled++;
}

/* ---- Set Up and step 7: refill ---- */

static void refill_presents(Game *game)
{
    for (int spot = 0; spot < SPOTS; spot++)
        if (game->spot[spot] == NOTHING)
            game->spot[spot] = draw_token(game, REFILL_SPOT + spot);
    for (int house = game->players; house < HOUSES; house++)
        if (game->free_house[house] == NOTHING)
            game->free_house[house] = draw_token(game, REFILL_HOUSE + house);
}

/* Turn Wishes up where a place is empty; returns how many lie face up. */
static int refill_wishes(Game *game)
{
    int lying = 0;
    for (int place = 0; place < game->rules->setting[FACE_UP]; place++) {
        if (game->face_up[place] == NOTHING) {
            if (game->pile_size == 0 && game->rules->setting[RESHUFFLE_WHEN_EXHAUSTED]) { /* G10, alternative */
                memcpy(game->pile, game->scored, (size_t)game->n_scored * sizeof game->scored[0]);
                game->pile_size = game->n_scored;
                game->n_scored = 0;
            }
            if (game->pile_size == 0)
                continue;
            int position = game->turned_up++;
            int index = random_below(&game->chance, TURN_UP + position % 4, (uint32_t)(position / 4), (uint32_t)game->pile_size);
            game->face_up[place] = game->pile[index];
            game->pile[index] = game->pile[--game->pile_size];
        }
        lying++;
    }
    return lying;
}

static void set_up(Game *game)
{
    const Rules *rules = game->rules;
    game->turn = 0;
    game->position = rules->start;
    memset(game->bag, 0, sizeof game->bag);
    memset(game->hoard, 0, sizeof game->hoard);
    memset(game->hand, 0, sizeof game->hand);
    for (int kind = 0; kind < rules->kinds; kind++)
        game->bag[kind] = rules->setting[COPIES];
    game->in_bag = rules->kinds * rules->setting[COPIES];
    for (int house = 0; house < HOUSES; house++)
        game->free_house[house] = NOTHING;
    for (int spot = 0; spot < SPOTS; spot++)
        game->spot[spot] = NOTHING;
    for (int place = 0; place < MAX_FACE_UP; place++)
        game->face_up[place] = NOTHING;
    memcpy(game->pile, rules->pile, (size_t)rules->pile_size * sizeof rules->pile[0]);
    game->pile_size = rules->pile_size;
    game->turned_up = game->n_scored = game->slots_filled = 0;
    refill_wishes(game);
    refill_presents(game);
}

/* One turn; returns whether the game is over after it. */
static bool take_turn(Game *game)
{
    game->seat = game->turn % game->players;
    game->turn++;
    int space = move_grinch(game);
    steal(game, space);
    grinch_scores(game);
    take_present(game, space == SPACE_MAX);
    score_wish(game);
    if (game->slots_filled >= game->rules->setting[GOAL])
        return true; /* G16 */
    refill_presents(game);
    return refill_wishes(game) == 0; /* G10 */
}

static void play_game(Game *game)
{
    int32_t *row = game->row;
    memset(row, 0, METRICS * sizeof row[0]);
    set_up(game);
    bool over = false;
    while (!over && game->turn < game->rules->setting[TURN_CAP]) /* G20 */
        over = take_turn(game);
    row[TURNS] = game->turn;
    row[MARGIN] = row[STARS_PLAYERS] - row[STARS_GRINCH];
    if (!over)
        row[UNFINISHED] = 1;
    else if (row[MARGIN] > 0 || (row[MARGIN] == 0 && game->rules->setting[WIN_ON_TIE])) /* G18 */
        row[PLAYERS_WIN] = 1;
    else
        row[GRINCH_WINS] = 1;
}

/* ---- The rules from what the caller lists ---- */

static void add_wish(Rules *rules, Wish wish, int copies)
{
    for (int i = 0; i < copies; i++)
        rules->pile[rules->pile_size++] = rules->types;
    rules->wish[rules->types++] = wish;
}

static void make_wishes(Rules *rules)
{
    const int *setting = rules->setting;
    int colours = setting[COLOURS];
    for (int a = 0; a < colours; a++)
        for (int b = a + 1; b < colours; b++)
            for (int c = b + 1; c < colours; c++)
                add_wish(rules, (Wish){MIXED, {a, b, c}, NOTHING, setting[STARS_MIXED]}, setting[MIXED_COPIES]);
    Wish pair = {PAIR, {NOTHING, NOTHING, NOTHING}, NOTHING, setting[STARS_PAIR]};
    if (setting[PAIR_IS_PICTURED]) {
        for (pair.kind = 0; pair.kind < rules->kinds; pair.kind++)
            add_wish(rules, pair, setting[PAIR_COPIES]);
    } else {
        add_wish(rules, pair, setting[PAIR_COPIES] * rules->kinds);
    }
    add_wish(rules, (Wish){TRIO, {NOTHING, NOTHING, NOTHING}, NOTHING, setting[STARS_TRIO]}, setting[TRIO_CARDS]);
}

static void make_path(Rules *rules, const int32_t *path, int length)
{
    rules->path_length = length;
    rules->start = length;
    for (int i = 0; i < length; i++) {
        rules->path[i] = path[i];
        if (path[i] == SPACE_MAX && rules->start == length)
            rules->start = i;
    }
    for (int i = 0; i < length; i++) /* strictly ahead; a whole lap if it is the only one (G4) */
        for (int step = length; step >= 1; step--)
            if (path[(i + step) % length] == SPACE_FEET)
                rules->next_feet[i] = (i + step) % length;
}

int metric_count(int players)
{
    (void)players; /* rows are alike */
    return METRICS;
}

/* Play playouts first to first + playouts - 1 and write a row for each. */
void play(const int32_t *settings, const int32_t *path, int32_t path_length, const int32_t *faces, int32_t n_faces,
          uint64_t seed, int64_t first, int64_t playouts, int32_t players, const int32_t *strategies, int32_t *rows)
{
    Rules rules = {0};
    for (int i = 0; i < SETTINGS; i++)
        rules.setting[i] = settings[i];
    rules.kinds = rules.setting[COLOURS] * rules.setting[DESIGNS];
    rules.faces = n_faces;
    for (int i = 0; i < n_faces; i++)
        rules.face[i] = faces[i];
    make_path(&rules, path, path_length);
    make_wishes(&rules);

    Game game = {.rules = &rules, .strategy = strategies, .players = players};
    game.chance.seed = seed;
    for (int64_t i = 0; i < playouts; i++) {
        begin_playout(&game.chance, first + i);
        game.row = rows + i * METRICS;
        play_game(&game);
    }
}
