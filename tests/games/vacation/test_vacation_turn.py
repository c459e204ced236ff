"""Christmas Vacation step by step: a test for each step of the rulebook and for each ruling N1 to N15."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from table_top import BONUSES, DECISION, DISCARD, ROLL, ROLL_AGAIN, WILD, Card, TableTop, word

from simulator.games.vacation import GAME
from simulator.games.vacation.rules import Face
from simulator.games.vacation.table import MAX_ROLLS, Decision, Event, Kind, NextBonus, RollAgain
from simulator.kernel.records import MOST_STEPS, VIEW_HEAD
from simulator.play.run import make_experiment
from simulator.play.table import Table

ALL_CLARK = ("clark",)
OVER = -1


# ---------------------------------------------------------------- Setup
@pytest.mark.parametrize("players", range(2, 6))
def test_setup_gives_everybody_the_same_deck(players: int) -> None:
    table = TableTop(players)
    assert [int(n) for n in table.state.left[:players]] == [25] * players
    assert {(int(d), int(w)) for d, w in zip(table.state.deck[:players], table.state.deck_wilds[:players], strict=True)} == {
        word([*(n for n in range(1, 7) for _ in range(4)), WILD])
    }


def test_setup_seat_0_takes_the_first_turn_with_all_dice() -> None:
    table = TableTop(dice__faces=ALL_CLARK)
    assert table.advance() == DECISION["roll_again"]
    assert (table.stepper.seat, int(table.state.turn), int(table.state.drawn)) == (0, 1, 6)


# ---------------------------------------------------------------- 1. Roll
@pytest.mark.parametrize("eddies", [0, 1, 2])
def test_n01_roll_uses_all_dice_that_are_not_on_the_board(eddies: int) -> None:
    table = TableTop(dice__faces=ALL_CLARK)
    table.set_up(ROLL, pile=[1] * 4 + [2] * 4, eddies=eddies)
    table.advance()
    assert int(table.state.drawn) == 6 - eddies


def test_n01_roll_again_uses_the_dice_in_the_tumbler() -> None:
    table = TableTop(dice__faces=ALL_CLARK)
    table.set_up(ROLL_AGAIN, up=[1], pile=[2] * 4 + [3] * 4, eddies=1)
    assert table.advance() == DECISION["roll_again"]
    table.choose(RollAgain.ROLL)
    table.advance()
    assert int(table.state.drawn) == 5


ONE_FACE_EACH = (("eddie",), ("clark",), ("wreath",), ("clark",), ("eddie",), ("clark",))


def test_n01_dice_that_differ_are_rolled_each_by_itself_until_they_are_on_the_board() -> None:
    table = TableTop(dice__faces=ONE_FACE_EACH)
    table.set_up(ROLL, pile=[1] * 4 + [2] * 4 + [3] * 4)
    assert table.advance() == DECISION["wreath"]
    assert (int(table.state.drawn), int(table.state.eddies), int(table.state.board)) == (4, 2, 0b010001)
    table.choose("nothing")
    assert table.advance() == DECISION["roll_again"]
    view = table.stepper.observe()
    assert (int(view.faces), int(view.eddie_faces), int(view.wreath_faces), int(view.bonus_faces), float(view.bust)) == (4, 0, 1, 0, 0.0)
    table.choose(RollAgain.ROLL)
    table.advance()
    assert (int(table.state.drawn), int(table.state.eddies)) == (8, 2), "the Eddies stay where they are"


def _rolled(one_by_one: int, order: str = "player") -> list[tuple[int, ...]]:
    """What the first roll shows in some turns, with the dice rolled in this way."""
    table, rolls = TableTop(bonus__order=order, dice__bust_at=4), []
    for turn in range(1, 40):
        table.set_up(ROLL, pile=[1, 2, 3], turn=turn)
        table.stepper.table.rules["one_by_one"] = one_by_one
        table.advance()
        rolls.append(table.events(Event.ROLLED)[0])
    return rolls


@pytest.mark.parametrize("order", ["player", "die"])
def test_dice_that_are_alike_roll_the_same_whether_rolled_together_or_each_by_itself(order: str) -> None:
    assert len(set(_rolled(0))) > 10
    assert _rolled(1, order) == _rolled(0)
    asked = make_experiment("vacation", players=3, strategies=["racer"], rules={"bonus.order": order, "dice.bust_at": 4})
    rows = []
    for one_by_one in (int(order == "die"), 1):  # where the bonuses go die by die, each has to be rolled by itself
        table = Table(asked.game, asked.rules, asked.lineup)
        assert table.rules["one_by_one"] == int(order == "die")
        table.rules["one_by_one"] = one_by_one
        rows.append(np.zeros((300, len(asked.metrics)), np.int32))
        table.play(asked.seed, 0, rows[-1], np.zeros(3, np.int64))
    assert rows[0].any()
    assert (rows[0] == rows[1]).all()


# ---------------------------------------------------------------- 2. Remove Dice
def _bust(**fields: int) -> TableTop:
    """A roll that busts, with every face an Eddie but a wreath or a bonus in twelve."""
    table = TableTop(dice__faces=("eddie",) * 10 + ("wreath", "bonus"))
    table.set_up(fields.pop("start", ROLL), up=[1, 1, 2], pile=[3, 4, 5], **fields)
    return table


def test_remove_dice_puts_eddies_on_the_board() -> None:
    table = TableTop(dice__faces=("clark",) * 5 + ("eddie",), dice__bust_at=7)
    table.set_up(ROLL, pile=[1] * 4 + [2] * 4)
    table.advance()
    shown = table.events(Event.ROLLED)[0][1]
    assert int(table.state.eddies) == shown & 0xFF
    assert int(table.state.drawn) == shown >> 8 & 0xFF
    assert (shown & 0xFF) + (shown >> 8 & 0xFF) == 6


@pytest.mark.parametrize(("bust_at", "busts"), [(1, True), (2, True), (3, True), (4, False)])
def test_remove_dice_ends_the_turn_at_three_on_the_board(bust_at: int, *, busts: bool) -> None:
    table = TableTop(dice__faces=("eddie",) * 11 + ("clark",), dice__count=3, dice__bust_at=bust_at)
    table.set_up(ROLL, up=[1, 2], pile=[3])
    table.stepper.advance()
    assert bool(table.events(Event.BUSTED)) == busts


def test_n02_bust_draws_and_discards_nothing_more() -> None:
    table = _bust()
    table.advance()
    assert table.mover == 1
    assert int(table.state.left[0]) == 6


def test_n02_what_a_bonus_discarded_before_the_bust_stays_discarded() -> None:
    table = _bust(start=BONUSES, bonuses=1)
    assert table.advance() == DECISION["bonus"]
    table.choose("1 and 1")
    assert table.advance() == DECISION["roll_again"]
    table.choose(RollAgain.ROLL)
    table.advance()
    assert (table.mover, int(table.state.left[0])) == (1, 4)
    assert int(table.state.deck[0]) == word([2, 3, 4, 5])[0]


def test_n03_bonuses_on_the_busting_roll_are_lost() -> None:
    for turn in range(1, 60):
        table = _bust(turn=turn)
        table.stepper.advance()
        events = table.stepper.events()
        shown = next(event[2] for event in events if event[0] == Event.ROLLED)
        if shown >> 16 and any(event[0] == Event.BUSTED for event in events):
            assert not any(
                event[0] in (Event.DREW, Event.DISCARDED, Event.KEPT) for event in events[: [e[0] for e in events].index(Event.BUSTED)]
            )
            assert int(table.state.left[0]) == 6
            return
    pytest.fail("no busting roll showed a bonus")


# ---------------------------------------------------------------- 3. Draw Cards
@pytest.mark.parametrize("face", ["clark", "wreath", "bonus"])
@pytest.mark.parametrize("order", ["player", "die"])
def test_draw_cards_one_for_each_clark_wreath_and_bonus(face: str, order: str) -> None:
    table = TableTop(dice__faces=(face,), dice__count=4 if order == "player" else 1, bonus__order=order)
    table.advance()
    assert int(table.state.drawn) == (4 if order == "player" else 1)


def test_draw_cards_from_ones_own_deck() -> None:
    table = TableTop(dice__faces=ALL_CLARK)
    table.set_up(ROLL, up=[6], pile=[5] * 7)
    table.advance()
    assert table.up() == "5, 5, 5, 5, 5, 5 and 6"


def test_n13_when_the_deck_runs_out_the_rest_of_the_draws_are_skipped() -> None:
    table = TableTop(dice__faces=ALL_CLARK)
    table.set_up(ROLL, up=[6], pile=[1, WILD])
    assert table.advance() == DECISION["roll_again"]
    assert table.up() == "1, 6 and the Wild"
    assert table.events(Event.RAN_OUT) == [(4, 0, 0)]


@pytest.mark.parametrize("order", ["player", "die"])
def test_n13_with_the_deck_empty_the_player_may_roll_on_for_bonuses(order: str) -> None:
    table = TableTop(dice__faces=("bonus",), bonus__order=order)
    table.set_up(ROLL_AGAIN, up=[1, 1, 2])
    assert table.advance() == DECISION["roll_again"]
    table.choose(RollAgain.ROLL)
    assert table.advance() == DECISION["bonus"]
    assert int(table.state.drawn) == 0


def test_n15_drawing_is_not_optional() -> None:
    table = TableTop(dice__faces=ALL_CLARK)
    assert table.advance() == DECISION["roll_again"]
    assert int(table.state.drawn) == 6


# ---------------------------------------------------------------- Wreath Bonus
def test_wreath_discards_any_one_card_or_none() -> None:
    table = TableTop()
    table.set_up(BONUSES, up=[2, 2, 5, WILD], pile=[1], wreaths=1)
    assert table.advance() == DECISION["wreath"]
    assert table.options() == ["2", "5", "the Wild", "nothing"]
    table.choose("2")
    assert table.advance() == DECISION["roll_again"]
    assert table.up() == "2, 5 and the Wild"
    assert int(table.state.left[0]) == 4


# ---------------------------------------------------------------- Clark's Christmas Bonus
def test_bonus_discards_a_run_or_a_number_or_none_and_the_turn_goes_on() -> None:
    table = TableTop()
    table.set_up(BONUSES, up=[1, 1, 2, 3], pile=[6], bonuses=1)
    assert table.advance() == DECISION["bonus"]
    assert table.options() == ["1 and 1", "2", "3", "1, 2 and 3", "nothing"]
    table.choose("1, 2 and 3")
    assert table.advance() == DECISION["roll_again"]
    assert table.up() == "1"


# ---------------------------------------------------------------- Bonuses
def test_n05_every_bonus_die_counts_by_itself() -> None:
    table = TableTop(dice__faces=("bonus",), dice__count=3)
    table.set_up(ROLL, up=[1, 2, 4, 6], pile=[1, 2, 4, 6, 6])
    for number in (1, 2, 4):
        assert table.advance() == DECISION["bonus"]
        table.choose(next(option for option in table.options() if option.startswith(str(number))))
    assert table.advance() == DECISION["roll_again"]
    assert int(table.state.up) & 0xFFFF == 0


def test_n06_by_the_player_all_cards_are_drawn_first() -> None:
    table = TableTop(dice__faces=("wreath", "bonus"), dice__count=4)
    table.set_up(ROLL, pile=[1, 2, 3, 4, 5, 6])
    table.advance()
    assert int(table.state.drawn) == 4


def test_n06_the_player_picks_which_bonus_is_next() -> None:
    table = TableTop()
    table.set_up(BONUSES, up=[1, 2, 2], pile=[3], wreaths=1, bonuses=1)
    assert table.advance() == DECISION["next_bonus"]
    assert table.stepper.n_options == 2
    table.choose(NextBonus.BONUS)
    assert table.advance() == DECISION["bonus"]
    table.choose("nothing")
    assert table.advance() == DECISION["wreath"]


def test_n06_the_wreath_may_be_next() -> None:
    table = TableTop()
    table.set_up(BONUSES, up=[1, 2, 2], pile=[3], wreaths=1, bonuses=1)
    table.advance()
    table.choose(NextBonus.WREATH)
    assert table.advance() == DECISION["wreath"]


def test_n06_switch_die_by_die_draws_then_uses_the_bonus() -> None:
    table = TableTop(dice__faces=("wreath",), dice__count=3, bonus__order="die")
    table.set_up(ROLL, pile=[1, 2, 3, 4])
    for drawn in (1, 2, 3):
        assert table.advance() == DECISION["wreath"]
        assert int(table.state.drawn) == drawn
        table.choose("nothing")
    assert table.advance() == DECISION["roll_again"]


def test_n06_switch_die_by_die_goes_in_the_order_of_the_dice() -> None:
    table = TableTop(dice__faces=("wreath", "bonus", "clark", "eddie"), dice__bust_at=7, bonus__order="die")
    pile: list[Card] = [1, 2, 3, 4, 5, 6]
    table.set_up(ROLL, pile=pile)
    queue = None
    shown: list[int] = []
    while table.advance() in (DECISION["wreath"], DECISION["bonus"]):
        events = table.stepper.events()
        queue = queue or next(event[2] for event in events if event[0] == Event.ROLLED)
        shown += [event[1] for event in events if event[0] == Event.DIE_SHOWS]
        assert int(table.state.decision) == (Decision.WREATH if shown[-1] == Face.WREATH else Decision.BONUS)
        table.choose("nothing")
    shown += [event[0] for event in table.events(Event.DIE_SHOWS)]
    assert queue is not None
    assert [shown.count(face) for face in (Face.CLARK, Face.WREATH, Face.BONUS)] == [queue >> (8 * face) & 0xFF for face in (1, 2, 3)]


@pytest.mark.parametrize(("option", "decision"), [(NextBonus.WREATH, "wreath"), (NextBonus.BONUS, "bonus")])
def test_n07_using_a_bonus_is_optional(option: int, decision: str) -> None:
    table = TableTop()
    table.set_up(BONUSES, up=[1, 2], pile=[3], wreaths=1, bonuses=1)
    table.advance()
    table.choose(option)
    assert table.advance() == DECISION[decision]
    assert table.options()[-1] == "nothing"
    table.choose("nothing")
    assert table.advance() in {DECISION["wreath"], DECISION["bonus"]} - {DECISION[decision]}
    assert int(table.state.left[0]) == 3


def test_bonuses_lapse_with_nothing_face_up() -> None:
    table = TableTop()
    table.set_up(BONUSES, up=[1], pile=[3], wreaths=2, bonuses=1)
    table.advance()
    table.choose(NextBonus.WREATH)
    table.advance()
    table.choose("1")
    assert table.advance() == DECISION["roll_again"]
    row = table.row()
    assert (row["unused.wreath"], row["unused.bonus"]) == (1, 1)


# ---------------------------------------------------------------- 4. Roll Again or Stop and Discard Cards
def test_stop_discards_one_set_and_passes_the_tumbler() -> None:
    table = TableTop(3)
    table.set_up(ROLL_AGAIN, up=[4, 4, 6], pile=[1])
    assert table.advance() == DECISION["roll_again"]
    table.choose(RollAgain.STOP)
    assert table.advance() == DECISION["discard"]
    table.choose("4 and 4")
    table.advance()
    assert table.mover == 1
    assert (int(table.state.deck[0]), int(table.state.left[0])) == (word([1, 6])[0], 2)


def test_stop_with_nothing_face_up_asks_nothing() -> None:
    table = TableTop()
    table.set_up(ROLL_AGAIN, pile=[1])
    assert table.advance() == DECISION["roll_again"]
    table.choose(RollAgain.STOP)
    table.advance()
    assert table.mover == 1


def test_with_no_die_left_in_the_tumbler_the_player_stops() -> None:
    table = TableTop(dice__bust_at=7)
    table.set_up(ROLL_AGAIN, up=[1], pile=[1], eddies=6)
    assert table.advance() == DECISION["discard"]


def test_a_turn_that_nothing_ends_has_to_stop() -> None:
    table = TableTop(dice__faces=ALL_CLARK)
    table.set_up(ROLL_AGAIN, up=[1], pile=[], roll=MAX_ROLLS)
    assert table.advance() == DECISION["discard"]


def test_n08_the_final_discard_comes_on_top_of_the_bonuses() -> None:
    table = TableTop()
    table.set_up(BONUSES, up=[1, 2], pile=[3], bonuses=1)
    table.advance()
    table.choose("1")
    table.advance()
    table.choose(RollAgain.STOP)
    assert table.advance() == DECISION["discard"]
    table.choose("2")
    table.advance()
    assert (table.mover, int(table.state.left[0])) == (1, 1)


def test_n09_a_player_may_stop_and_discard_nothing() -> None:
    table = TableTop()
    table.set_up(DISCARD, up=[1, 2], pile=[3])
    table.advance()
    assert table.options()[-1] == "nothing"
    table.choose("nothing")
    table.advance()
    assert (table.mover, int(table.state.left[0])) == (1, 3)


@pytest.mark.parametrize("option", ["1", "nothing"])
def test_n04_face_up_cards_are_shuffled_back_after_a_stop(option: str) -> None:
    table = TableTop()
    table.set_up(DISCARD, up=[1, 2, WILD], pile=[3])
    table.advance()
    table.choose(option)
    table.advance()
    kept = [1] if option == "nothing" else []
    assert (int(table.state.deck[0]), int(table.state.deck_wilds[0])) == word([*kept, 2, 3, WILD])
    assert int(table.state.left[0]) == 3 + len(kept)


def test_n04_face_up_cards_are_shuffled_back_after_a_bust() -> None:
    table = _bust()
    table.advance()
    assert int(table.state.deck[0]) == word([1, 1, 2, 3, 4, 5])[0]
    assert table.events(Event.SHUFFLED_BACK)[0] == (3, 0, 0)


# ---------------------------------------------------------------- Wild Card, Run, Number
def _sets(up: list[Card], **rules: int) -> list[str]:
    table = TableTop(**rules)
    table.set_up(DISCARD, up=up, pile=[1])
    table.advance()
    return table.options()


def test_n10_the_wild_joins_a_number_goes_alone_or_stands_anywhere_in_a_run() -> None:
    assert _sets([2, 4, 4, WILD]) == [
        "2", "2 and the Wild", "4 and 4", "4, 4 and the Wild", "the Wild", "2, 4 and the Wild", "nothing",
    ]  # fmt: skip


def test_n10_the_wild_may_stand_for_a_number_that_is_held_back() -> None:
    options = _sets([1, 2, 3, WILD])
    assert "1, 3 and the Wild" in options
    assert "1, 2, 3 and the Wild" in options
    assert "1, 2 and the Wild" in options


def test_n11_a_run_does_not_wrap() -> None:
    assert _sets([5, 6, 1]) == ["1", "5", "6", "nothing"]


def test_n11_a_run_takes_three_cards() -> None:
    assert _sets([2, 3]) == ["2", "3", "nothing"]
    assert _sets([2, 3, 4]) == ["2", "3", "4", "2, 3 and 4", "nothing"]


def test_n11_the_wild_may_be_a_seven() -> None:
    assert "5, 6 and the Wild" in _sets([5, 6, WILD])
    assert "1, 2, 3, 4, 5, 6 and the Wild" in _sets([1, 2, 3, 4, 5, 6, WILD])


def test_n11_nothing_may_be_an_eight() -> None:
    options = _sets([1, 2, 3, WILD, WILD], deck__numbers=3, deck__copies=1, deck__wilds=2)
    assert "1, 2, 3 and the Wild" in options
    assert "1, 2, 3 and 2 Wilds" not in options


def test_n12_a_number_takes_all_its_face_up_cards_and_the_wild_only_if_wanted() -> None:
    assert _sets([3, 3, 3, WILD])[:2] == ["3, 3 and 3", "3, 3, 3 and the Wild"]
    assert "3 and 3" not in _sets([3, 3, 3, WILD])


Hand = tuple[tuple[int, ...], int]


def _sets_by_hand(up: list[Card], numbers: int, run_min: int) -> set[Hand]:
    """Every multiset that a player may discard, found by trying: counts by number, and Wilds."""
    counts = [up.count(n) for n in range(1, numbers + 1)]
    wilds = up.count(WILD)
    found: set[Hand] = {((0,) * numbers, 0)}
    for used in range(wilds + 1):
        found.add(((0,) * numbers, used))
        for n in range(numbers):
            if counts[n]:
                found.add((tuple(counts[n] if m == n else 0 for m in range(numbers)), used))
    for low in range(numbers + 1):
        for high in range(low + run_min, numbers + 2):
            for used in range(wilds + 1):
                for places in combinations(range(low, high), used):
                    taken = [n for n in range(low, high) if n not in places]
                    if all(n < numbers and counts[n] for n in taken):
                        found.add((tuple(int(n in taken) for n in range(numbers)), used))
    return found


@pytest.mark.parametrize(("numbers", "wilds", "run_min"), [(6, 0, 3), (6, 1, 3), (4, 2, 3), (4, 3, 2), (3, 2, 1), (5, 4, 4)])
def test_n10_to_n12_options_are_each_set_once(numbers: int, wilds: int, run_min: int) -> None:
    table = TableTop(deck__numbers=numbers, deck__wilds=wilds, run__min_length=run_min)
    for counts in product(range(3), repeat=numbers):
        up: list[Card] = [n + 1 for n in range(numbers) for _ in range(counts[n])] + [WILD] * wilds
        if not up or (numbers == 6 and sum(counts) > 8):
            continue
        table.set_up(DISCARD, up=up, pile=[1])
        table.advance()
        view = table.stepper.observe()
        listed = [(tuple(int(view.cards[i]) >> (8 * n) & 0x7F for n in range(numbers)), int(view.wilds[i])) for i in range(view.n_options)]
        assert len(set(listed)) == len(listed)
        assert set(listed) == _sets_by_hand(up, numbers, run_min)
        assert listed[-1] == ((0,) * numbers, 0)
        assert [int(view.discards[i]) for i in range(view.n_options)] == [sum(cards) + w for cards, w in listed]


def test_option_kinds_tell_numbers_runs_and_the_wild_apart() -> None:
    table = TableTop()
    table.set_up(DISCARD, up=[1, 2, WILD], pile=[1])
    table.advance()
    view = table.stepper.observe()
    kinds = [int(view.kind[i]) for i in range(view.n_options)]
    assert kinds == [Kind.NUMBER] * 4 + [Kind.WILD, Kind.RUN, Kind.NONE]


# ---------------------------------------------------------------- Ending the Game
@pytest.mark.parametrize(("start", "decision", "option"), [(BONUSES, "wreath", "5"), (DISCARD, "discard", "5")])
def test_n14_the_game_ends_at_once_with_no_card_left(start: int, decision: str, option: str) -> None:
    table = TableTop()
    table.set_up(start, up=[5], wreaths=int(start == BONUSES), bonuses=0)
    assert table.advance() == DECISION[decision]
    table.choose(option)
    assert table.advance() == OVER
    row = table.row()
    assert (row["wins.0"], row["wins.1"], row["unfinished"], row["cards_left.0"], row["cards_left.1"]) == (1, 0, 0, 0, 25)


def test_n14_even_with_bonuses_left_to_use() -> None:
    table = TableTop()
    table.set_up(BONUSES, up=[5, 5], wreaths=2, bonuses=3)
    table.advance()
    table.choose(NextBonus.BONUS)
    assert table.advance() == DECISION["bonus"]
    table.choose("5 and 5")
    assert table.advance() == OVER


def test_n14_all_draws_of_the_roll_are_made_first() -> None:
    table = TableTop(dice__faces=("wreath",), dice__count=2)
    table.set_up(ROLL, pile=[5, 5])
    assert table.advance() == DECISION["wreath"]
    assert table.up() == "5 and 5"
    table.choose("5")
    assert table.advance() == DECISION["wreath"]
    table.choose("5")
    assert table.advance() == OVER


@pytest.mark.parametrize("order", ["player", "die"])
def test_n14_not_while_cards_lie_face_down(order: str) -> None:
    table = TableTop(dice__faces=("wreath",), dice__count=1, bonus__order=order)
    table.set_up(ROLL, pile=[5, 5])
    table.advance()
    table.choose("5")
    assert table.advance() == DECISION["roll_again"]


def test_ending_turn_cap_leaves_nobody_the_winner() -> None:
    table = TableTop(turn_cap=3, dice__faces=("eddie", "eddie", "eddie", "clark"), dice__bust_at=1)
    table.stepper.play_out()
    row = table.row()
    assert (row["unfinished"], row["wins.0"], row["wins.1"], row["turns"]) == (1, 0, 0, 3)


# ---------------------------------------------------------------- what metrics count
def test_metrics_of_a_turn() -> None:
    table = TableTop()
    table.set_up(BONUSES, up=[1, 2, 3, 3, WILD], pile=[6], wreaths=1, bonuses=1)
    table.advance()
    table.choose(NextBonus.WREATH)
    table.advance()
    table.choose("3")
    table.advance()
    table.choose("1, 2, 3 and the Wild")
    assert table.advance() == DECISION["roll_again"]
    row = table.row()
    assert {name: row[name] for name in ("discarded.wreath", "discarded.bonus", "discarded.stop")} == {
        "discarded.wreath": 1, "discarded.bonus": 4, "discarded.stop": 0,
    }  # fmt: skip
    assert (row["sets.runs"], row["sets.numbers"], row["cards.runs"], row["wild.run"]) == (1, 0, 4, 1)


@pytest.mark.parametrize(
    ("left", "runner_up", "losers"),
    [((0, 3, 4, 12), 3, (1, 1, 1, 0)), ((13, 0, 13, 13), 13, (0, 0, 0, 3)), ((6, 7, 0, 1), 1, (1, 1, 1, 0))],
)
def test_metrics_of_the_losers(left: tuple[int, ...], runner_up: int, losers: tuple[int, ...]) -> None:
    table = TableTop(4)
    table.set_up(DISCARD, up=[5], seat=left.index(0))
    for seat, cards in enumerate(left):
        table.state.left[seat] = cards or 1
    table.advance()
    table.choose("5")
    assert table.advance() == OVER
    row = table.row()
    assert row["runner_up"] == runner_up
    assert tuple(v for name, v in row.items() if name.startswith("losers.")) == losers
    assert [row[f"wins.{seat}"] for seat in range(4)] == [int(cards == 0) for cards in left]


# ---------------------------------------------------------------- chance
def test_a_seats_draws_do_not_depend_on_another_seats_play() -> None:
    drawn = []
    for other in (RollAgain.ROLL, RollAgain.STOP):
        table = TableTop(dice__faces=ALL_CLARK)
        table.advance()
        table.choose(RollAgain.STOP)
        table.advance()
        table.choose("nothing")
        table.advance()
        table.choose(other)
        if other == RollAgain.ROLL:
            table.advance()
            table.choose(RollAgain.STOP)
        table.advance()
        table.choose("nothing")
        table.advance()
        assert int(table.state.turn) == 3
        drawn.append(table.up())
    assert drawn[0] == drawn[1]


def test_step_counts_how_often_a_decision_was_asked_and_stays_within_its_address() -> None:
    table = TableTop(dice__faces=("bonus",), dice__count=12)
    steps: list[int] = []
    while len(steps) < MOST_STEPS + 3:
        decision = table.advance()
        if decision == DECISION["bonus"]:
            steps.append(int(table.state.step))
        table.choose("nothing" if decision == DECISION["bonus"] else RollAgain.ROLL)
    assert steps == [*range(MOST_STEPS + 1), MOST_STEPS, MOST_STEPS]
    assert int(table.state.asked[DECISION["bonus"]]) == MOST_STEPS


# ---------------------------------------------------------------- what a seat sees
def test_a_seat_sees_the_dice_and_cards_on_the_table_and_no_die_of_a_roll_that_is_still_to_be_looked_at() -> None:
    dice = {"roll", "eddies", "board", "dice", "faces", "eddie_faces", "wreath_faces", "bonus_faces", "bust", "wreaths", "bonuses"}
    hand = {"up", "up_wilds", "n_up", "pile", "pile_wilds", "n_pile", "drawn", "discarded", "left", "deck", "deck_wilds"}
    options, rules = {"cards", "wilds", "discards", "kind"}, {"numbers", "run_min", "bust_at"}
    seen = {name for name in GAME.view.names or () if not name.startswith("mark_")}
    assert seen == {name for name, *_ in VIEW_HEAD} | {"mover", "direction"} | dice | hand | options | rules


# ---------------------------------------------------------------- what searches need
def test_payoff_is_the_winners() -> None:
    table = TableTop(3)
    table.set_up(DISCARD, up=[5], seat=1)
    table.advance()
    table.choose("5")
    assert table.advance() == OVER
    assert [table.stepper.payoff(seat) for seat in range(3)] == [0.0, 1.0, 0.0]


def test_redeal_has_nothing_to_hide_differently() -> None:
    assert GAME.redeal is None
    table = TableTop()
    table.advance()
    before = table.stepper.table.memory.tobytes()
    table.stepper.redeal(1)
    assert table.stepper.table.memory.tobytes() == before
