"""Merry Grinchmas step by step, in the rulebook's order: Set Up, On Your Turn, Gift Exchange, Scoring a Wish, End of the Game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from grinchmas_positions import FREE_HOUSES, OVER, TableTop, hand

from simulator.games.grinchmas.rules import GrinchmasRules
from simulator.games.grinchmas.table import Event

PLAYERS = tuple(FREE_HOUSES)
FEET = ("feet",)


# ---------------------------------------------------------------- Set Up
@pytest.mark.parametrize("players", PLAYERS)
def test_set_up_2_turns_four_wishes_up_and_leaves_the_rest_face_down(players: int) -> None:
    table = TableTop(players)
    assert table.wishes_up == 4
    assert int(table.state.pile_size) == 32
    assert table.cards.total() == 36


def test_set_up_2_deals_every_wish_of_the_box_whatever_the_order() -> None:
    table = TableTop()
    assert table.cards == Counter({index: copies for index, (_, _, copies) in enumerate(table.rules.wish_types())})


def test_set_up_2_shuffles_so_every_wish_is_turned_up_sooner_or_later() -> None:
    table = TableTop()
    seen: Counter[int] = Counter()
    for playout in range(300):
        table.stepper.deal(playout)
        seen.update(int(w) for w in table.state.wish_type[:4])
    assert len(seen) == len(table.rules.wish_types()) == 16
    # 1200 cards: 6 of 36 are trios, 2 of 36 each other Wish; five standard deviations are 65 and 40
    assert abs(seen[15] - 200) < 65
    assert all(abs(seen[index] - 1200 / 18) < 40 for index in range(15))


@pytest.mark.parametrize("players", PLAYERS)
def test_set_up_4_and_5_bag_holds_ten_of_each_colour_less_what_is_laid_out(players: int) -> None:
    table = TableTop(players)
    assert "nothing" not in table.spots
    out = Counter(table.spots)
    for house in range(1, 7):
        out.update(table.house(house))
    assert table.bag == {colour: 10 - out[colour] for colour in ("pink", "green", "purple", "yellow", "blue")}


@pytest.mark.parametrize("players", PLAYERS)
def test_set_up_6_puts_one_present_on_each_house_nobody_chose(players: int) -> None:
    table = TableTop(players)
    held = [sum(table.house(house).values()) for house in range(1, 7)]
    assert held == [0] * players + [1] * FREE_HOUSES[players]
    assert sum(table.bag.values()) == 50 - 3 - FREE_HOUSES[players]


def test_set_up_7_grinch_begins_on_max() -> None:
    assert TableTop().space == "max"
    assert TableTop(board__path=("feet", "A", "max", "B")).space == "max"


def test_set_up_8_first_seat_takes_the_first_turn_and_the_others_follow_in_order() -> None:
    table = TableTop(3, spinner__faces=FEET)
    turns = []
    for _ in range(5):
        assert table.advance() == "take"
        turns.append((int(table.state.turn), table.seat))
        table.choose("bag")
    assert turns == [(1, 0), (2, 1), (3, 2), (4, 0), (5, 1)]


def test_set_up_nobody_begins_with_presents_or_stars() -> None:
    table = TableTop(6)
    assert table.hoard == {}
    assert [table.house(house) for house in range(1, 7)] == [{}] * 6
    assert (int(table.state.stars), int(table.state.grinch_stars), table.wishes_scored) == (0, 0, 0)


# ---------------------------------------------------------------- On Your Turn: 1. Spin the Spinner
def test_spin_shows_every_face_equally_often() -> None:
    table = TableTop(2, spinner__faces=(1, 2, 3, 4, 5, "feet"))
    seen: Counter[int] = Counter()
    for playout in range(600):
        table.stepper.deal(playout)
        table.stepper.events()
        table.advance()
        seen.update(event[0] for event in table.happened(Event.SPUN)[:1])
    assert set(seen) == {0, 1, 2, 3, 4, 5}
    assert all(abs(count - 100) < 46 for count in seen.values())  # five standard deviations


# ---------------------------------------------------------------- 2. Move the Grinch
@pytest.mark.parametrize(("face", "start", "end"), [(1, 0, 1), (5, 0, 5), (3, 20, 23), (3, 21, 0), (5, 22, 3), (24, 7, 7), (25, 7, 8)])
def test_move_goes_clockwise_by_the_number_spun_and_around_the_path(face: int, start: int, end: int) -> None:
    table = TableTop(spinner__faces=(face,)).lay(at=start, spots=("pink", "pink", "pink"), bag=hand(blue=20), wishes=["trio"])
    table.advance()
    assert int(table.state.position) == end


@pytest.mark.parametrize(("start", "end"), [(0, 3), (2, 3), (10, 11), (20, 23), (22, 23)])
def test_move_feet_takes_him_to_the_next_feet_space(start: int, end: int) -> None:
    table = TableTop(spinner__faces=FEET).lay(at=start, spots=("pink", "pink", "pink"), bag=hand(blue=20), wishes=["trio"])
    table.advance()
    assert int(table.state.position) == end
    assert table.space == "feet"


# ---------------------------------------------------------------- 3. The Grinch Steals Presents
@pytest.mark.parametrize(("space", "stolen"), [("A", "pink"), ("B", "green"), ("C", "purple")])
def test_steal_on_a_b_or_c_takes_the_present_of_the_matching_spot(space: str, stolen: str) -> None:
    table = TableTop().lay(lands_on=space, spots=("pink", "green", "purple"), bag=hand(blue=20), wishes=["trio"])
    table.advance()
    assert table.hoard == {stolen: 1}
    assert table.spots == tuple("nothing" if colour == stolen else colour for colour in ("pink", "green", "purple"))
    assert table.metric("stolen.spot") == 1


def test_steal_on_max_takes_all_three_spots() -> None:
    table = TableTop(exchange__min_players=2).lay(
        lands_on="max", spots=("pink", "green", "green"), houses={1: hand(pink=1), 2: hand(blue=1)}, bag=hand(blue=20), wishes=["trio"]
    )
    table.advance()
    assert table.hoard == hand(pink=1, green=2)
    assert table.spots == ("nothing",) * 3
    assert table.metric("stolen.max") == 3


def test_steal_on_a_present_space_takes_a_random_present_from_the_bag() -> None:
    table = TableTop().lay(lands_on="present", spots=("pink", "green", "purple"), bag=hand(blue=20), wishes=["trio"])
    table.advance()
    assert table.hoard == hand(blue=1)
    assert table.bag == hand(blue=19)
    assert table.metric("stolen.bag") == 1


def test_steal_from_the_bag_follows_the_shares_of_the_colours() -> None:
    table = TableTop()
    stolen: Counter[str] = Counter()
    for playout in range(400):
        table.stepper.deal(playout)
        table.lay(lands_on="present", spots=("pink", "", ""), bag=hand(green=30, blue=10), wishes=["trio"])
        table.advance()
        stolen.update(table.hoard)
    assert set(stolen) == {"green", "blue"}
    assert abs(stolen["green"] - 300) < 44  # five standard deviations


@pytest.mark.parametrize("choice", ["pink", "blue"])
def test_steal_on_a_players_house_that_player_chooses(choice: str) -> None:
    table = TableTop().lay(lands_on="house 3", spots=("green",) * 3, houses={3: hand(pink=2, blue=1)}, bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "give_up"
    assert table.seat == 2
    assert table.options() == ["pink", "blue"]
    table.choose(choice)
    assert table.advance() == "take"
    assert table.hoard == {choice: 1}
    assert sum(table.house(3).values()) == 2
    assert table.metric("stolen.player") == 1


def test_steal_on_a_house_nobody_chose_takes_its_present() -> None:
    table = TableTop(4).lay(lands_on="house 5", spots=("green",) * 3, houses={5: hand(pink=1)}, bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "take"
    assert table.hoard == hand(pink=1)
    assert table.house(5) == {}
    assert (table.metric("stolen.free_house"), table.metric("stolen.player")) == (1, 0)


@pytest.mark.parametrize("space", ["house 2", "house 5", "A"])
def test_steal_takes_nothing_where_nothing_lies(space: str) -> None:
    table = TableTop().lay(lands_on=space, spots=("", "green", "green"), houses={1: hand(pink=1)}, bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "take"
    assert table.hoard == {}
    assert table.house(1) == hand(pink=1)


def test_steal_on_a_feet_space_takes_nothing_even_when_a_number_led_there() -> None:
    table = TableTop().lay(lands_on="feet", spots=("pink", "green", "purple"), houses={1: hand(pink=1)}, bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "take"
    assert table.hoard == {}
    assert table.spots == ("pink", "green", "purple")


# ---------------------------------------------------------------- 4. The Grinch Scores a Wish
def test_grinch_scores_at_once_when_the_stolen_present_completes_a_wish() -> None:
    table = TableTop().lay(
        lands_on="A", spots=("pink", "green", "green"), hoard=hand(pink=1, blue=1), bag=hand(blue=9), wishes=["pink pink"]
    )
    assert table.advance() == "take"
    assert table.hoard == hand(blue=1)
    assert int(table.state.grinch_stars) == 3
    assert int(table.state.stars) == 0
    assert table.metric("wishes.grinch.pair") == 1


def test_grinch_scores_only_one_wish_each_turn() -> None:
    table = TableTop(spinner__faces=FEET).lay(
        spots=("blue", "green", ""), hoard=hand(pink=5), bag=hand(blue=9), wishes=["trio", "pink pink"], pile=["green blue pink"] * 4
    )
    assert table.advance() == "take"
    assert int(table.state.grinch_stars) == 5
    assert table.hoard == hand(pink=2)
    table.choose("bag")
    assert table.advance() == "take"  # the next player's turn
    assert int(table.state.grinch_stars) == 8
    assert table.hoard == {}


def test_grinch_scores_nothing_with_the_wrong_presents() -> None:
    table = TableTop().lay(
        lands_on="feet",
        spots=("blue", "green", ""),
        hoard=hand(pink=1, green=2),
        bag=hand(blue=9),
        wishes=["trio", "pink pink", "pink green blue"],
    )
    assert table.advance() == "take"
    assert table.hoard == hand(pink=1, green=2)
    assert int(table.state.grinch_stars) == 0


# ---------------------------------------------------------------- 5. You Take a Present
@pytest.mark.parametrize(("choice", "held"), [("A", "pink"), ("B", "green"), ("C", "purple"), ("bag", "blue")])
def test_take_offers_the_three_spots_and_the_bag(choice: str, held: str) -> None:
    table = TableTop(spinner__faces=FEET, refills=False).lay(spots=("pink", "green", "purple"), bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "take"
    assert table.options() == ["A", "B", "C", "bag"]
    table.choose(choice)
    assert table.advance() == OVER
    assert table.house(1) == {held: 1}
    assert table.bag == hand(blue=8 if choice == "bag" else 9)
    assert table.spots == tuple("nothing" if colour == held else colour for colour in ("pink", "green", "purple"))


def test_take_does_not_offer_an_empty_spot() -> None:
    table = TableTop().lay(lands_on="B", spots=("pink", "green", "purple"), bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "take"
    assert table.options() == ["A", "C", "bag"]


def test_take_gives_the_present_to_the_player_whose_turn_it_is() -> None:
    table = TableTop(3, spinner__faces=FEET).lay(spots=("pink", "green", "purple"), bag=hand(blue=9), wishes=["trio"], seat=2)
    assert table.play("B") == "take"
    assert [table.house(house) for house in (1, 2, 3)] == [{}, {}, hand(green=1)]


# ---------------------------------------------------------------- 6. You Score a Wish
def test_score_one_wish_each_turn_at_most() -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=("pink", "green", "green"),
        houses={1: hand(blue=4, pink=1)},
        bag=hand(yellow=9),
        wishes=["blue blue", "pink pink"],
        pile=["trio"] * 9,
    )
    assert table.play("A") == "score"
    assert table.options() == ["blue blue", "pink pink", "none"]
    table.choose("pink pink")
    assert table.advance() == "take"
    assert table.house(1) == hand(blue=4)
    assert table.seat == 1


def test_score_may_be_declined_and_costs_nothing() -> None:
    table = TableTop(2, spinner__faces=FEET, refills=False).lay(
        spots=("pink",) * 3, houses={1: hand(pink=1)}, bag=hand(blue=9), wishes=["pink pink"], pile=["trio"]
    )
    assert table.play("A", "none") == OVER
    assert table.house(1) == hand(pink=2)
    assert (int(table.state.stars), table.metric("declined")) == (0, 1)
    assert table.wishes_up == 1


def test_score_is_not_asked_without_the_presents() -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=("pink",) * 3, houses={2: hand(blue=2)}, bag=hand(blue=9), wishes=["blue blue", "trio"]
    )
    assert table.play("A") == "take"
    assert table.seat == 1
    assert table.metric("declined") == 0


# ---------------------------------------------------------------- 7. Refill Presents and Wishes
def test_refill_fills_spots_free_houses_and_wishes_and_passes_the_turn() -> None:
    table = TableTop(4, board__path=("max", "house 5", "feet")).lay(
        lands_on="house 5",
        spots=("pink", "", "green"),
        houses={5: hand(pink=1), 6: hand(green=1)},
        bag=hand(blue=9),
        wishes=["trio"],
        pile=["pink pink"] * 9,
    )
    assert table.play("A") == "take"
    assert table.seat == 1
    assert table.spots == ("blue", "blue", "green")
    assert (table.house(5), table.house(6)) == (hand(blue=1), hand(green=1))
    assert table.house(4) == {}
    assert (table.wishes_up, int(table.state.pile_size)) == (4, 6)


# ---------------------------------------------------------------- Gift Exchange (5 or 6 Players)
def exchanging(players: int = 5, **rules: Any) -> TableTop:
    """Seat 0, holding a pink and two green Presents, is about to take; seat 1 holds a blue and a pink one, seat 3 a green one."""
    table = TableTop(players, **{"spinner__faces": FEET, **rules})
    houses = {1: hand(pink=1, green=2), 2: hand(blue=1, pink=1), 4: hand(green=1)}
    return table.lay(
        spots=("purple",) * 3, houses=houses, bag=hand(yellow=20), wishes=["trio", "pink green blue"], pile=["yellow yellow"] * 9
    )


def test_exchange_is_in_place_of_taking_and_swaps_one_present() -> None:
    table = exchanging()
    assert table.advance() == "take"
    assert table.options() == ["A", "B", "C", "bag", "exchange"]
    table.choose("exchange")
    assert table.advance() == "offer"
    assert table.seat == 0
    table.choose("1: green for blue")
    assert table.advance() == "consent"
    assert table.seat == 1
    table.choose("agree")
    assert table.advance() == "score"
    assert table.house(1) == hand(pink=1, green=1, blue=1)
    assert table.house(2) == hand(pink=1, green=1)
    assert table.spots == ("purple",) * 3
    assert table.bag == hand(yellow=20)
    assert table.metric("exchanges") == 1


def test_exchange_may_complete_a_wish_in_the_same_turn() -> None:
    table = exchanging()
    assert table.play("exchange", "1: green for blue", "agree") == "score"
    assert table.seat == 0
    assert table.options() == ["pink green blue", "none"]


def test_exchange_view_of_the_partner_shows_gain_and_loss_the_other_way_round() -> None:
    table = exchanging()
    assert table.play("exchange", "1: green for blue") == "consent"
    view = table.stepper.observe()
    assert [int(view.gain[i]) for i in range(2)] == [1, 1]  # green
    assert [int(view.lose[i]) for i in range(2)] == [4, 4]  # blue
    assert int(view.active) == 0


# ---------------------------------------------------------------- Scoring a Wish
@pytest.mark.parametrize(
    ("wish", "held", "stars"),
    [
        ("pink green purple", hand(pink=1, green=1, purple=1), 4),
        ("pink pink", hand(pink=2), 3),
        ("trio", hand(yellow=3), 5),
    ],
)
def test_scoring_pays_four_three_and_five_stars(wish: str, held: dict[str, int], stars: int) -> None:
    table = TableTop(2, spinner__faces=FEET).lay(spots=("blue",) * 3, houses={1: held}, bag=hand(blue=9), wishes=[wish], pile=["trio"] * 5)
    assert table.play("A") == "score"
    assert len(table.options()) == 2
    table.stepper.apply(0)
    assert table.advance() == "take"
    assert int(table.state.stars) == stars
    assert table.house(1) == hand(blue=1)
    assert table.metric({4: "wishes.players.mixed", 3: "wishes.players.pair", 5: "wishes.players.trio"}[stars]) == 1
    assert int(table.state.grinch_stars) == 0


def test_scoring_stars_follow_the_rules() -> None:
    table = TableTop(2, spinner__faces=FEET, stars__pair=7).lay(
        spots=("blue",) * 3,
        houses={1: hand(pink=2)},
        hoard=hand(green=2),
        bag=hand(blue=9),
        wishes=["pink pink", "green green"],
        pile=["trio"],
    )
    assert table.play("A", "pink pink") == "take"
    assert (int(table.state.stars), int(table.state.grinch_stars)) == (7, 7)


@pytest.mark.parametrize("held", [hand(pink=2, green=1), hand(pink=1, green=1, yellow=1), hand(green=3)])
def test_scoring_a_mixed_wish_needs_each_of_its_three_colours(held: dict[str, int]) -> None:
    table = TableTop(2, spinner__faces=FEET).lay(spots=("blue",) * 3, houses={1: held}, bag=hand(blue=9), wishes=["pink green purple"])
    assert table.play("A") == "take"


def test_scoring_example_yellow_green_and_purple_go_back_to_the_bag_and_the_card_to_a_slot() -> None:
    table = TableTop(4, spinner__faces=FEET, refills=False).lay(
        spots=("purple", "pink", "pink"),
        houses={1: hand(yellow=1, green=1, pink=2)},
        bag=hand(blue=5),
        wishes=["green purple yellow", "trio", "blue blue", "green green"],
        pile=["pink pink"] * 3,
    )
    assert table.play("A", "green purple yellow") == OVER
    assert table.house(1) == hand(pink=2)
    assert table.bag == hand(yellow=1, green=1, purple=1, blue=5)
    assert (table.wishes_scored, int(table.state.n_scored)) == (1, 1)
    assert table.wishes_up == 3
    assert int(table.state.stars) == 4


# ---------------------------------------------------------------- End of the Game
@pytest.mark.parametrize("slots", [6, 7])
def test_end_comes_with_the_eighth_wish_of_the_players(slots: int) -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=("blue",) * 3,
        houses={1: hand(pink=2)},
        bag=hand(blue=9),
        wishes=["pink pink"],
        pile=["trio"] * 5,
        wishes_scored=slots,
        stars=20,
    )
    assert (table.play("A", "pink pink") == OVER) == (slots == 7)


def test_end_does_not_come_with_eight_wishes_of_the_grinch() -> None:
    table = TableTop(2, spinner__faces=FEET, wishes__goal=2).lay(
        spots=("blue",) * 3, hoard=hand(pink=8), bag=hand(blue=9), wishes=["pink pink"] * 4, pile=["pink pink"] * 8
    )
    for _ in range(4):
        assert table.advance() == "take"
        table.choose("bag")
    assert table.metric("wishes.grinch.pair") == 4
    assert table.advance() != OVER


@pytest.mark.parametrize(("grinch", "result"), [(22, "players_win"), (23, "players_win"), (24, "grinch_wins")])
def test_end_players_win_with_at_least_as_many_stars_as_the_grinch(grinch: int, result: str) -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=("blue",) * 3,
        houses={1: hand(pink=2)},
        bag=hand(blue=9),
        wishes=["pink pink"],
        wishes_scored=7,
        stars=20,
        grinch_stars=grinch,
    )
    assert table.play("A", "pink pink") == OVER
    row = table.row()
    assert {name for name in ("players_win", "grinch_wins", "unfinished") if row[name]} == {result}
    assert row["margin"] == 23 - grinch


def test_rules_of_the_box_are_those_of_the_rulebook() -> None:
    rules = GrinchmasRules()
    assert rules.presents.total == 50
    assert len(rules.pile()) == 36
    assert (rules.wishes.face_up, rules.wishes.goal, rules.exchange.min_players, rules.win_on_tie) == (4, 8, 5, True)
    assert (rules.stars.mixed, rules.stars.pair, rules.stars.trio) == (4, 3, 5)
