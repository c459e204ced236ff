"""Rulings G1 to G22 on what the rulebook of Merry Grinchmas leaves open, each on a position set up by hand."""

from __future__ import annotations

from typing import Any

import pytest
from grinchmas_positions import OVER, TableTop, hand, read

from simulator.games.grinchmas.rules import MIXED, GrinchmasRules
from simulator.games.grinchmas.table import Event
from simulator.kernel.events import TURN_BEGINS
from simulator.play.replay import tell
from simulator.play.run import make_experiment

FEET = ("feet",)
BOTH_DESIGNS: dict[str, Any] = {"presents__designs": 2, "spinner__faces": FEET}
GREENS = ("green", "green", "green")


def about_to_score(held: dict[str, int], wishes: list[str], **rules: Any) -> TableTop:
    """Seat 0 of two holds these Presents after taking a green one, and green is in no Wish unless a test says so."""
    table = TableTop(2, **{"spinner__faces": FEET, **rules})
    return table.lay(spots=GREENS, houses={1: held}, bag=hand(green=20), wishes=wishes, pile=["pink yellow blue"] * 9)


def exchanging(players: int = 5, on: str = "feet", asker: dict[str, int] | None = None, **rules: Any) -> TableTop:
    """Seat 0, with pink and green unless `asker` says so, is about to take; seat 1 holds blue and pink, seat 3 green."""
    houses = {1: hand(pink=1, green=1) if asker is None else asker, 2: hand(blue=1, pink=1), 4: hand(green=1)}
    return TableTop(players, **rules).lay(
        lands_on=on, spots=("purple",) * 3, houses=houses, bag=hand(yellow=20), wishes=["trio"], pile=["yellow yellow"] * 9
    )


# ---------------------------------------------------------------- G1
def test_g01_with_one_design_two_tokens_of_a_colour_are_the_same_present() -> None:
    table = about_to_score(hand(pink=2), ["pink pink"])
    assert table.play("A") == "score"
    assert table.options() == ["pink pink", "none"]


def test_g01_with_two_designs_the_same_present_has_colour_and_design_equal() -> None:
    table = about_to_score(hand(pink=1, dotted_pink=1), ["pink pink", "dotted_pink dotted_pink"], presents__designs=2)
    assert table.play("A") == "take"
    assert table.seat == 1


@pytest.mark.parametrize("wish", ["pink pink", "dotted_pink dotted_pink"])
def test_g01_with_two_designs_a_pictured_pair_is_paid_only_by_its_own_design(wish: str) -> None:
    table = about_to_score(hand(pink=2, dotted_pink=2), [wish], presents__designs=2)
    assert table.play("A") == "score"
    assert table.options() == [wish, "none"]


def test_g01_with_two_designs_the_same_colour_means_the_colour_alone() -> None:
    table = about_to_score(hand(pink=1, dotted_pink=2), ["trio"], presents__designs=2)
    assert table.play("A") == "score"
    assert table.options() == ["pink dotted_pink dotted_pink", "none"]


def test_g01_with_two_designs_each_mixture_of_designs_that_pays_is_an_option() -> None:
    table = about_to_score(hand(pink=2, dotted_pink=1, blue=1, yellow=1, dotted_yellow=1), ["pink yellow blue"], presents__designs=2)
    assert table.play("A") == "score"
    options = table.options()
    assert len(options) == len(set(options)) == 5
    assert set(options) == {
        "pink yellow blue", "yellow blue dotted_pink", "pink blue dotted_yellow", "blue dotted_pink dotted_yellow", "none",
    }  # fmt: skip
    table.choose("yellow blue dotted_pink")
    assert table.advance() == "take"
    assert table.house(1) == hand(pink=2, green=1, dotted_yellow=1)


def test_g01_with_two_designs_a_trio_may_be_paid_in_every_mixture_held() -> None:
    table = about_to_score(hand(pink=3, dotted_pink=2), ["trio"], presents__designs=2)
    assert table.play("A") == "score"
    assert table.options() == ["pink pink pink", "pink pink dotted_pink", "pink dotted_pink dotted_pink", "none"]


def test_g01_number_of_tokens_stays_fifty() -> None:
    assert GrinchmasRules().presents.copies == 10
    table = TableTop(2, presents__designs=2)
    assert table.rules.presents.copies == 5
    assert table.tokens.total() == 50


# ---------------------------------------------------------------- G2
def test_g02_pictured_pair_is_not_paid_by_another_pair() -> None:
    assert about_to_score(hand(pink=2), ["blue blue"]).play("A") == "take"


def test_g02_any_pair_is_paid_by_whichever_two_are_equal() -> None:
    table = about_to_score(hand(pink=2, blue=3, yellow=1), ["pair"], wishes__pair="any")
    assert table.play("A") == "score"
    assert table.options() == ["pink pink", "blue blue", "none"]
    table.choose("blue blue")
    assert table.advance() == "take"
    assert table.house(1) == hand(pink=2, blue=1, yellow=1, green=1)
    assert int(table.state.stars) == 3


def test_g02_any_pair_still_needs_equal_designs() -> None:
    table = about_to_score(hand(pink=1, dotted_pink=1, dotted_blue=2), ["pair"], wishes__pair="any", presents__designs=2)
    assert table.play("A") == "score"
    assert table.options() == ["dotted_blue dotted_blue", "none"]


def test_g02_there_are_as_many_pair_wishes_either_way() -> None:
    for designs in (1, 2):
        piles = [TableTop(2, wishes__pair=pair, presents__designs=designs).state.pile_size for pair in ("pictured", "any")]
        assert piles[0] == piles[1]


# ---------------------------------------------------------------- G3
def test_g03_every_set_of_three_different_colours_is_a_mixed_wish() -> None:
    sets = [tokens for kind, tokens, _ in GrinchmasRules().wish_types() if kind == MIXED]
    assert len(set(sets)) == 10  # three out of five
    assert all(len(set(tokens)) == 3 for tokens in sets)


def test_g03_mixed_wish_names_its_colours_and_others_do_not_pay() -> None:
    assert about_to_score(hand(pink=1, blue=1, purple=1), ["pink yellow blue"]).play("A") == "take"


def test_g03_trio_is_paid_by_any_colour_and_no_card_names_one() -> None:
    table = about_to_score(hand(pink=3, blue=4), ["trio"])
    assert table.play("A") == "score"
    assert table.options() == ["pink pink pink", "blue blue blue", "none"]


# ---------------------------------------------------------------- G4
@pytest.mark.parametrize(("start", "end"), [(3, 7), (23, 3), (7, 11)])
def test_g04_feet_lead_strictly_ahead_even_from_a_feet_space(start: int, end: int) -> None:
    table = TableTop(spinner__faces=FEET).lay(at=start, spots=GREENS, bag=hand(blue=9), wishes=["trio"])
    table.advance()
    assert int(table.state.position) == end


def test_g04_only_feet_space_is_reached_by_a_whole_lap() -> None:
    table = TableTop(spinner__faces=FEET, board__path=("max", "A", "feet", "B")).lay(at=2, spots=GREENS, bag=hand(blue=9), wishes=["trio"])
    table.advance()
    assert int(table.state.position) == 2
    assert table.happened(Event.MOVED)[0][0] == 2


def test_g04_he_steals_nothing_on_the_feet_space() -> None:
    table = TableTop(spinner__faces=FEET).lay(spots=GREENS, houses={1: hand(pink=1), 5: hand(pink=1)}, bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "take"
    assert table.hoard == {}


# ---------------------------------------------------------------- G5
def test_g05_spaces_passed_do_not_count() -> None:
    table = TableTop(spinner__faces=(5,)).lay(at=22, spots=GREENS, houses={1: hand(pink=1)}, bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "take"  # past feet, Max, house 1 and A to a feet space
    assert table.space == "feet"
    assert table.hoard == {}


def test_g05_starting_on_max_is_no_landing() -> None:
    table = TableTop(spinner__faces=FEET)
    assert table.advance() == "take"
    assert table.hoard == {}
    assert table.options() == ["A", "B", "C", "bag"]


# ---------------------------------------------------------------- G6
def test_g06_presents_paid_by_the_grinch_can_be_drawn_in_the_same_turn() -> None:
    table = TableTop(spinner__faces=FEET).lay(spots=GREENS, hoard=hand(pink=2), wishes=["pink pink"], pile=["trio"] * 5)
    assert table.advance() == "take"
    assert table.bag == hand(pink=2)
    assert table.options() == ["A", "B", "C", "bag"]
    table.choose("bag")
    assert table.advance() == "take"
    assert table.house(1) == hand(pink=1)


def test_g06_presents_paid_by_the_player_can_refill_a_spot_in_the_same_turn() -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=("pink", "green", "green"), houses={1: hand(pink=1), 3: hand(green=1), 4: hand(green=1), 5: hand(green=1), 6: hand(green=1)},
        wishes=["pink pink"], pile=["trio"] * 5,
    )  # fmt: skip
    assert table.play("A", "pink pink") == "take"
    assert table.spots == ("pink", "green", "green")
    assert table.bag == hand(pink=1)


# ---------------------------------------------------------------- G7
def test_g07_stolen_spots_stay_empty_until_the_end_of_the_turn() -> None:
    table = TableTop(2, board__path=("max", "B", "feet")).lay(
        lands_on="B", spots=("pink", "green", "pink"), houses={1: hand(pink=1)}, bag=hand(blue=9), wishes=["pink pink"], pile=["trio"] * 5
    )
    assert table.advance() == "take"
    assert table.options() == ["A", "C", "bag"]
    table.choose("A")
    assert table.advance() == "score"
    assert table.spots == ("nothing", "nothing", "pink")
    table.choose("none")
    table.advance()
    assert table.spots == ("blue", "blue", "pink")


def test_g07_wish_scored_by_the_grinch_is_not_replaced_before_the_player_scores() -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=("pink", "green", "green"),
        houses={1: hand(pink=1)},
        hoard=hand(pink=2),
        bag=hand(blue=9),
        wishes=["pink pink"],
        pile=["pink pink"] * 5,
    )
    assert table.play("A") == "take"  # the pink pair finds no Wish face up, so nothing is asked
    assert table.seat == 1
    assert table.house(1) == hand(pink=2)
    assert (table.wishes_up, int(table.state.pile_size)) == (4, 1)


@pytest.mark.parametrize("tokens", range(6))
def test_g07_spots_are_refilled_first_then_free_houses_in_order(tokens: int) -> None:
    table = TableTop(4, board__path=("max", "house 6", "feet")).lay(
        lands_on="house 6", spots=("pink", "", ""), houses={6: hand(pink=1)}, bag=hand(blue=tokens), wishes=["trio"], pile=["trio"] * 9
    )
    table.play(*(["A"] if tokens else []))  # by choice, or because there is nothing else
    events = table.stepper.events()
    first_turn = events[: [event[:2] for event in events].index((TURN_BEGINS, 2))]
    refilled = [
        event[:2] for event in first_turn if event[0] in (Event.REFILLED_SPOT, Event.REFILLED_HOUSE, Event.TURNED_UP) and event[2] >= 0
    ]
    presents = [
        (Event.REFILLED_SPOT, 0),
        (Event.REFILLED_SPOT, 1),
        (Event.REFILLED_SPOT, 2),
        (Event.REFILLED_HOUSE, 4),
        (Event.REFILLED_HOUSE, 5),
    ]
    assert refilled == [*presents[:tokens], *[(Event.TURNED_UP, table.wish_index("trio"))] * 3]


# ---------------------------------------------------------------- G8
def test_g08_empty_bag_is_not_offered() -> None:
    table = TableTop(spinner__faces=FEET).lay(spots=("pink", "green", ""), wishes=["trio"])
    assert table.advance() == "take"
    assert table.options() == ["A", "B"]


def test_g08_empty_bag_gives_the_grinch_nothing() -> None:
    table = TableTop().lay(lands_on="present", spots=("pink", "green", ""), wishes=["trio"])
    assert table.advance() == "take"
    assert table.hoard == {}
    assert (table.metric("stolen.bag"), table.metric("empty_bag")) == (0, 1)


def test_g08_spots_stay_empty_until_step_7_of_a_turn_with_presents_in_the_bag() -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=("pink", "pink", "green"),
        houses={2: hand(pink=1), **{n: hand(green=1) for n in range(3, 7)}},  # with another pink Present seat 1 can score
        wishes=["pink pink"],
        pile=["trio"] * 9,
    )
    assert table.play("A") == "take"
    assert table.spots == ("nothing", "pink", "green")
    table.choose("B")
    assert table.advance() == "score"
    assert table.spots == ("nothing", "nothing", "green")
    table.choose("pink pink")
    table.advance()
    assert table.spots == ("pink", "pink", "green")


def test_g08_player_with_nothing_to_take_goes_on_to_score() -> None:
    table = TableTop(2, spinner__faces=FEET).lay(houses={1: hand(pink=2)}, wishes=["pink pink"], pile=["trio"] * 5)
    assert table.advance() == "score"
    assert table.house(1) == hand(pink=2)


# ---------------------------------------------------------------- G9
def test_g09_after_max_the_player_draws_from_the_bag_without_being_asked() -> None:
    table = TableTop(2, board__path=("feet", "max")).lay(
        at=0, spots=("pink", "", ""), houses={1: hand(blue=1)}, bag=hand(blue=9), wishes=["blue blue"], pile=["trio"] * 5
    )
    assert table.advance() == "score"  # the next question after the draw
    assert table.seat == 0
    assert table.house(1) == hand(blue=2)
    assert table.spots == ("nothing",) * 3


def test_g09_after_max_an_empty_bag_gives_the_player_nothing() -> None:
    table = TableTop(2).lay(lands_on="max", houses={1: hand(pink=2)}, wishes=["pink pink"], pile=["trio"] * 5)
    assert table.advance() == "score"
    assert table.house(1) == hand(pink=2)
    assert table.metric("empty_bag") == 1


# ---------------------------------------------------------------- G10
def test_g10_continue_plays_on_with_fewer_than_four_wishes() -> None:
    table = about_to_score(hand(pink=2), ["pink pink", "trio"]).lay(
        spots=GREENS, houses={1: hand(pink=2)}, bag=hand(green=20), wishes=["pink pink", "trio"], scored=["trio"]
    )
    assert table.play("A", "pink pink") == "take"
    assert table.wishes_up == 1
    assert int(table.state.n_scored) == 2


@pytest.mark.parametrize(("grinch", "result"), [(3, "players_win"), (4, "grinch_wins")])
def test_g10_continue_ends_the_game_and_compares_stars_when_no_wish_is_left(grinch: int, result: str) -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=GREENS, houses={1: hand(pink=2)}, bag=hand(green=20), wishes=["pink pink"], grinch_stars=grinch
    )
    assert table.play("A", "pink pink") == OVER
    assert table.metric(result) == 1
    assert table.wishes_scored == 1


def test_g10_continue_ends_the_game_as_well_when_the_grinch_takes_the_last_wish() -> None:
    table = TableTop(2, spinner__faces=FEET).lay(spots=GREENS, hoard=hand(pink=2), bag=hand(green=20), wishes=["pink pink"])
    assert table.play("A") == OVER
    assert (table.metric("grinch_wins"), table.metric("turns")) == (1, 1)


def test_g10_reshuffle_returns_the_scored_wishes_of_both_sides_as_a_new_pile() -> None:
    table = TableTop(2, spinner__faces=FEET, wishes__when_exhausted="reshuffle").lay(
        spots=GREENS,
        houses={1: hand(pink=2)},
        hoard=hand(blue=2),
        bag=hand(green=20),
        wishes=["pink pink", "blue blue", "trio", "trio"],
        scored=["yellow yellow", "yellow yellow", "yellow yellow"],
        wishes_scored=3,
    )
    assert table.play("A", "pink pink") == "take"
    assert table.happened(Event.RESHUFFLED) == [(5, 0, 0)]
    assert (table.wishes_up, int(table.state.pile_size), int(table.state.n_scored)) == (4, 3, 0)
    assert table.wishes_scored == 4  # the slots that count towards the end are not emptied
    assert (int(table.state.stars), int(table.state.grinch_stars)) == (3, 3)


def test_g10_reshuffle_waits_until_the_pile_is_empty() -> None:
    table = TableTop(2, spinner__faces=FEET, wishes__when_exhausted="reshuffle").lay(
        spots=GREENS,
        houses={1: hand(pink=2)},
        bag=hand(green=20),
        wishes=["pink pink", "trio", "trio", "trio"],
        pile=["blue blue"],
        scored=["trio"],
    )
    assert table.play("A", "pink pink") == "take"
    assert table.happened(Event.RESHUFFLED) == []
    assert (table.wishes_up, int(table.state.pile_size), int(table.state.n_scored)) == (4, 0, 2)


# ---------------------------------------------------------------- G11
def grinch_about_to_score(hoard: dict[str, int], wishes: list[str], seat: int = 1, **rules: Any) -> TableTop:
    return TableTop(3, **{"spinner__faces": FEET, **rules}).lay(
        spots=GREENS, hoard=hoard, bag=hand(green=20), wishes=wishes, pile=["trio"] * 9, seat=seat
    )


def test_g11_grinch_scores_the_most_stars_without_anybody_being_asked() -> None:
    table = grinch_about_to_score(hand(pink=3, blue=2, yellow=1), ["pink pink", "pink yellow blue", "trio", "blue blue"])
    assert table.advance() == "take"
    assert int(table.state.grinch_stars) == 5
    assert table.hoard == hand(blue=2, yellow=1)


@pytest.mark.parametrize("choice", ["pink pink", "blue blue"])
def test_g11_active_player_breaks_a_tie_in_stars(choice: str) -> None:
    table = grinch_about_to_score(hand(pink=2, blue=2), ["pink pink", "blue blue"])
    assert table.advance() == "grinch_scores"
    assert table.seat == 1
    assert table.options() == ["pink pink", "blue blue"]  # there is no way to let it be
    table.choose(choice)
    assert table.advance() == "take"
    assert table.hoard == (hand(blue=2) if choice == "pink pink" else hand(pink=2))


def test_g11_tie_is_of_stars_and_not_of_kinds_of_wish() -> None:
    table = grinch_about_to_score(hand(pink=2, yellow=1, blue=1), ["pink pink", "pink yellow blue"], stars__pair=4)
    assert table.advance() == "grinch_scores"
    assert table.options() == ["pink pink", "pink yellow blue"]


@pytest.mark.parametrize("choice", ["pink pink pink", "blue blue blue"])
def test_g11_active_player_chooses_the_colour_that_pays_a_trio(choice: str) -> None:
    table = grinch_about_to_score(hand(pink=3, blue=3), ["trio"])
    assert table.advance() == "grinch_scores"
    assert table.seat == 1
    table.choose(choice)
    assert table.advance() == "take"
    assert table.hoard == (hand(blue=3) if choice == "pink pink pink" else hand(pink=3))
    assert int(table.state.grinch_stars) == 5


def test_g11_nothing_is_left_of_wishes_with_fewer_stars() -> None:
    table = grinch_about_to_score(hand(pink=3, blue=3), ["pink pink", "trio"])
    assert table.advance() == "grinch_scores"
    assert table.options() == ["pink pink pink", "blue blue blue"]
    view = table.stepper.observe()
    assert not any(options[2:].any() for options in (view.wish, view.scores, view.pay))


def test_g11_two_wishes_of_one_kind_are_one_option() -> None:
    table = grinch_about_to_score(hand(pink=2, blue=2), ["pink pink", "pink pink", "blue blue"])
    assert table.advance() == "grinch_scores"
    assert table.options() == ["pink pink", "blue blue"]


def test_g11_grinch_may_not_pass_where_one_wish_is_best() -> None:
    table = grinch_about_to_score(hand(pink=2), ["pink pink"])
    assert table.advance() == "take"
    assert int(table.state.grinch_stars) == 3


# ---------------------------------------------------------------- G12
def test_g12_owner_chooses_although_it_is_another_players_turn() -> None:
    table = TableTop(4).lay(lands_on="house 2", spots=GREENS, houses={2: hand(pink=1, blue=2)}, bag=hand(blue=9), wishes=["trio"], seat=3)
    assert table.advance() == "give_up"
    assert table.seat == 1
    assert table.options() == ["pink", "blue"]
    view = table.stepper.observe()
    assert (read(view.mine), int(view.seat), int(view.active)) == (hand(pink=1, blue=2), 1, 3)


def test_g12_owner_of_one_kind_is_not_asked() -> None:
    table = TableTop(4).lay(lands_on="house 2", spots=GREENS, houses={2: hand(blue=2)}, bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "take"
    assert (table.house(2), table.hoard) == (hand(blue=1), hand(blue=1))


def test_g12_designs_are_told_apart_when_giving_up() -> None:
    table = TableTop(4, presents__designs=2).lay(
        lands_on="house 1", spots=GREENS, houses={1: hand(blue=1, dotted_blue=1)}, bag=hand(blue=4), wishes=["trio"]
    )
    assert table.advance() == "give_up"
    table.choose("dotted_blue")
    assert table.advance() == "take"
    assert (table.house(1), table.hoard) == (hand(blue=1), hand(dotted_blue=1))


def test_g12_empty_house_gives_nothing() -> None:
    table = TableTop(4).lay(lands_on="house 2", spots=GREENS, houses={1: hand(pink=2)}, bag=hand(blue=9), wishes=["trio"])
    assert table.advance() == "take"
    assert table.hoard == {}


# ---------------------------------------------------------------- G13
def test_g13_presents_on_free_houses_are_never_offered_to_players() -> None:
    table = TableTop(2, spinner__faces=FEET, exchange__min_players=2).lay(
        spots=("pink", "", ""), houses={1: hand(pink=1), 3: hand(blue=1), 6: hand(yellow=1)}, bag=hand(green=9), wishes=["trio"]
    )
    assert table.advance() == "take"
    assert table.options() == ["A", "bag"]


# ---------------------------------------------------------------- G14
@pytest.mark.parametrize(("on_max", "decision"), [(True, "take"), (False, "give_up")])
def test_g14_exchange_is_open_on_a_max_turn_unless_switched_off(on_max: bool, decision: str) -> None:
    table = exchanging(on="max", exchange__on_max=on_max)
    # with the bag alone left nothing is asked on the Max turn; the Grinch goes on to house 1 in seat 1's turn
    assert table.advance() == decision
    if on_max:
        assert table.options() == ["bag", "exchange"]
    else:
        assert (int(table.state.turn), table.seat) == (2, 0)
        assert table.house(1) == hand(pink=1, green=1, yellow=1)


@pytest.mark.parametrize("on_max", [True, False])
def test_g14_switch_matters_only_on_max(on_max: bool) -> None:
    table = exchanging(exchange__on_max=on_max)
    assert table.advance() == "take"
    assert "exchange" in table.options()


@pytest.mark.parametrize(
    ("asker", "partner", "possible"),
    [
        (hand(), hand(blue=1), False),
        (hand(pink=1), hand(), False),
        (hand(pink=2), hand(pink=1), False),
        (hand(pink=2), hand(blue=1), True),
        (hand(pink=1, blue=1), hand(pink=3), True),
        (hand(pink=1), hand(pink=1, blue=1), True),
    ],
)
def test_g14_both_need_a_present_and_of_different_kinds(asker: dict[str, int], partner: dict[str, int], possible: bool) -> None:
    table = TableTop(5, spinner__faces=FEET).lay(spots=GREENS, houses={1: asker, 3: partner}, bag=hand(green=9), wishes=["trio"])
    assert table.advance() == "take"
    assert ("exchange" in table.options()) == possible


def test_g14_designs_of_one_colour_are_different_kinds() -> None:
    table = TableTop(5, **BOTH_DESIGNS).lay(
        spots=GREENS, houses={1: hand(pink=1), 3: hand(dotted_pink=1)}, bag=hand(green=5), wishes=["trio"]
    )
    # only one exchange is possible, so asking for it is all there is to decide
    assert table.play("exchange") == "consent"
    assert table.seat == 2


def test_g14_offers_name_partner_kind_given_and_kind_received_once_each() -> None:
    table = exchanging(asker=hand(pink=2, green=1))
    assert table.play("exchange") == "offer"
    assert table.options() == ["1: pink for blue", "1: green for pink", "1: green for blue", "3: pink for green"]


def test_g14_consent_is_the_partners_decision() -> None:
    table = exchanging()
    assert table.play("exchange", "3: pink for green") == "consent"
    assert table.seat == 3
    assert table.options() == ["agree", "refuse"]


# ---------------------------------------------------------------- G15
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("least", [2, 5, 7])
def test_g15_nobody_exchanges_below_the_least_number_of_players(players: int, least: int) -> None:
    table = TableTop(players, spinner__faces=FEET, exchange__min_players=least).lay(
        spots=GREENS, houses={1: hand(pink=1), 2: hand(blue=1)}, bag=hand(green=9), wishes=["trio"]
    )
    assert table.advance() == "take"
    assert ("exchange" in table.options()) == (players >= least)


# ---------------------------------------------------------------- G16
def test_g16_game_ends_at_once_with_the_last_slot_so_nothing_is_refilled() -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=GREENS, houses={1: hand(pink=2)}, bag=hand(blue=9), wishes=["pink pink"], pile=["trio"] * 5, wishes_scored=7
    )
    assert table.play("A", "pink pink") == OVER
    assert table.spots == ("nothing", "green", "green")
    assert (table.wishes_up, int(table.state.pile_size)) == (0, 5)
    assert (int(table.state.turn), table.metric("unfinished")) == (1, 0)


def test_g16_game_that_ends_on_the_turn_of_the_cap_is_finished() -> None:
    table = TableTop(2, spinner__faces=FEET, turn_cap=1).lay(
        spots=GREENS, houses={1: hand(pink=2)}, bag=hand(blue=9), wishes=["pink pink"], pile=["trio"] * 5, wishes_scored=7
    )
    assert table.play("A", "pink pink") == OVER
    assert (table.metric("unfinished"), table.metric("players_win")) == (0, 1)


# ---------------------------------------------------------------- G17
@pytest.mark.parametrize("seat", [0, 1])
def test_g17_every_player_sees_the_stars_of_both_sides(seat: int) -> None:
    table = TableTop(2, spinner__faces=FEET).lay(
        spots=GREENS, bag=hand(blue=9), wishes=["trio"], seat=seat, stars=11, grinch_stars=17, wishes_scored=3
    )
    table.advance()
    view = table.stepper.observe()
    assert (int(view.seat), int(view.stars), int(view.grinch_stars), int(view.wishes_to_go)) == (seat, 11, 17, 5)


# ---------------------------------------------------------------- G18
@pytest.mark.parametrize(("win_on_tie", "grinch", "won"), [(True, 10, True), (False, 10, False), (False, 9, True), (True, 11, False)])
def test_g18_equal_stars_are_a_win_unless_switched_off(win_on_tie: bool, grinch: int, won: bool) -> None:
    table = TableTop(2, spinner__faces=FEET, win_on_tie=win_on_tie).lay(
        spots=GREENS, houses={1: hand(pink=2)}, bag=hand(blue=9), wishes=["pink pink"], wishes_scored=7, stars=7, grinch_stars=grinch
    )
    assert table.play("A", "pink pink") == OVER
    assert (table.metric("players_win"), table.metric("grinch_wins")) == (int(won), int(not won))


# ---------------------------------------------------------------- G19
def test_g19_after_a_refusal_the_player_takes_as_usual_and_may_not_ask_again() -> None:
    table = exchanging()
    assert table.play("exchange", "1: green for blue", "refuse") == "take"
    assert (table.seat, int(table.state.turn)) == (0, 1)
    assert table.options() == ["A", "B", "C", "bag"]
    assert table.house(1) == hand(pink=1, green=1)
    assert table.house(2) == hand(blue=1, pink=1)
    table.choose("B")
    assert table.advance() == "take"
    assert table.house(1) == hand(pink=1, green=1, purple=1)
    assert (table.metric("refusals"), table.metric("exchanges")) == (1, 0)


def test_g19_after_a_refusal_on_max_the_player_draws_from_the_bag() -> None:
    table = exchanging(on="max")
    assert table.play("exchange", "1: green for blue", "refuse") == "give_up"
    # nothing but the bag was left, so the draw was not asked for; the next question comes in the next turn, on house 1
    assert table.house(1) == hand(pink=1, green=1, yellow=1)


def test_g19_one_may_ask_again_on_a_later_turn() -> None:
    table = exchanging(spinner__faces=FEET)
    assert table.play("exchange", "1: green for blue", "refuse", "A") == "take"
    assert table.seat == 1
    assert "exchange" in table.options()


# ---------------------------------------------------------------- G20
@pytest.mark.parametrize("cap", [1, 7])
def test_g20_stalled_game_is_ended_by_the_turn_cap_as_unfinished(cap: int) -> None:
    table = TableTop(2, spinner__faces=FEET, turn_cap=cap).lay(wishes=["trio"], stars=9)  # no Present anywhere: nobody can ever score
    assert table.advance() == OVER
    row = table.row()
    assert (row["unfinished"], row["players_win"], row["grinch_wins"], row["turns"]) == (1, 0, 0, cap)


# ---------------------------------------------------------------- G21
NOTHING_TO_TAKE: dict[str, Any] = {"houses": {1: hand(pink=1, green=1), 2: hand(blue=1)}, "wishes": ["trio"]}
"""Bag and spots are empty, and somebody to exchange with."""


@pytest.mark.parametrize("on_max", [False, True])
def test_g21_with_nothing_to_take_one_may_ask_for_an_exchange_and_need_not(on_max: bool) -> None:
    table = TableTop(5, refills=False, spinner__faces=(1,) if on_max else FEET)
    table.lay(lands_on="max" if on_max else "", **NOTHING_TO_TAKE)
    assert table.advance() == "take"
    assert table.options() == ["exchange", "nothing"]
    before = table.metric("empty_bag")
    table.choose("nothing")
    assert table.advance() == OVER
    assert table.house(1) == hand(pink=1, green=1)
    assert table.metric("empty_bag") - before == 1
    assert (table.metric("exchanges"), table.metric("refusals")) == (0, 0)


def test_g21_who_asks_then_has_an_exchange_like_any_other() -> None:
    table = TableTop(5, spinner__faces=FEET, turn_cap=1).lay(**NOTHING_TO_TAKE)
    assert table.play("exchange", "1: pink for blue", "agree") == OVER
    assert table.house(1) == hand(green=1, blue=1)


def test_g21_nothing_is_no_option_where_there_is_something_to_take() -> None:
    table = TableTop(5, spinner__faces=FEET).lay(bag=hand(green=1), **NOTHING_TO_TAKE)
    assert table.advance() == "take"
    assert table.options() == ["bag", "exchange"]


def test_g21_the_playout_that_had_to_offer_asks_first() -> None:
    """With four tokens of each colour and everybody at random, the bag is empty and two hands full by turn 28."""
    told = tell(make_experiment("grinchmas", players=5, strategies=["uniform"], rules={"presents.copies": 4}), 0)
    asked = [line for _, lines in told.turns for line in lines if "ask for an exchange" in line and "nothing" in line]
    assert asked


# ---------------------------------------------------------------- G22
@pytest.mark.parametrize("players", range(2, 7))
def test_g22_seats_take_houses_in_order(players: int) -> None:
    table = TableTop(players)
    assert [number for number in range(1, 7) if not table.house(number)] == list(range(1, players + 1))
    table.lay(lands_on=f"house {players}", houses={players: hand(pink=1, blue=1)}, wishes=["trio"])
    assert table.advance() == "give_up"
    assert table.seat == players - 1
