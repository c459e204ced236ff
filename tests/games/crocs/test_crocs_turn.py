"""Christmas Crocs card by card: a test for each card of the rulebook and for each ruling C1 to C22."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from crocs_table import CrocsTable

from simulator.games.crocs import GAME
from simulator.games.crocs.rules import Kind
from simulator.games.crocs.table import Action, Decision, Slot
from simulator.games.crocs.turn import payoff
from simulator.kernel.records import NOBODY
from simulator.kit.questions import Answer

CANDY_CANE, CHOO_CHOO, COAL, ELF, GRINCH = Kind.CANDY_CANE, Kind.CHOO_CHOO, Kind.COAL, Kind.ELF, Kind.GRINCH
HEART, PRESENT, SANTA, SCROOGE, SNOW = Kind.HEART, Kind.PRESENT, Kind.SANTA, Kind.SCROOGE, Kind.SNOW
FULL_CANES = Slot.CANE + 1
PLAY_PRESENT = {"play": PRESENT}


def _asked(questions: list[tuple[str, int, tuple[int, ...]]], name: str) -> list[tuple[int, tuple[int, ...]]]:
    return [(seat, options) for decision, seat, options in questions if decision == name]


# ---------------------------------------------------------------- Instructions
@pytest.mark.parametrize("players", range(2, 7))
def test_instructions_deal_five_cards_each(players: int) -> None:
    table = CrocsTable(players)
    assert [table.hand(seat).total() for seat in range(players)] == [5] * players
    assert table.deck.total() == table.rules.total - 5 * players
    assert table.all_cards() == Counter(dict(enumerate(table.rules.counts)))


def test_instructions_several_decks_are_shuffled_together() -> None:
    table = CrocsTable(6, decks=3)
    assert table.all_cards() == Counter({kind: 3 * n for kind, n in enumerate(table.rules.deck.counts)})


def test_instructions_turn_draws_one_card_and_plays_one() -> None:
    table = CrocsTable(2).set_up(hands=[[PRESENT, SANTA]], deck=[ELF] * 9)
    table.take(1, PLAY_PRESENT)
    assert table.hand(0) == Counter({SANTA: 1, ELF: 1})
    assert table.slots(0) == "P"


def test_instructions_seats_take_turns_clockwise() -> None:
    table = CrocsTable(4).set_up(hands=[[PRESENT]] * 4, deck=[PRESENT] * 9)
    table.take(4)
    assert [table.slots(seat) for seat in range(4)] == ["P"] * 4


# ---------------------------------------------------------------- C1, C2, C3: drawing, playing, discarding
def test_c01_discards_are_reshuffled_when_the_deck_is_empty() -> None:
    table = CrocsTable(2).set_up(hands=[[PRESENT]], deck=[], discards=[SCROOGE, SCROOGE])
    table.take(1, PLAY_PRESENT)
    assert table.row()["reshuffles"] == 1
    assert (table.deck, table.discards) == (Counter({SCROOGE: 1}), Counter())
    assert table.hand(0) == Counter({SCROOGE: 1})


def test_c01_with_deck_and_discards_empty_the_player_plays_without_drawing() -> None:
    table = CrocsTable(2).set_up(hands=[[PRESENT, CANDY_CANE]], deck=[])
    table.take(1, PLAY_PRESENT)
    assert table.hand(0) == Counter({CANDY_CANE: 1})
    assert table.row()["not_drawn"] == 1


def test_c01_with_no_card_at_all_the_player_passes() -> None:
    table = CrocsTable(2).set_up(deck=[])
    assert table.take(2) == []
    assert (table.row()["passed"], table.row()["turns"]) == (2, 2)


@pytest.mark.parametrize(("slots", "winner"), [(["P", "P CC", "P C"], 1), (["P", "P CC", "P P"], NOBODY), (["P", "X X X", "C"], 0)])
def test_c01_alternative_the_empty_deck_ends_the_game(slots: list[str], winner: int) -> None:
    table = CrocsTable(3, deck__when_empty="end").set_up(slots=slots, deck=[CHOO_CHOO], discards=[SANTA])
    assert table.take(2) == []
    assert table.row()["turns"] == 1
    row = table.row()
    assert (table.winner, row["tied"], row["unfinished"]) == (winner, int(winner == NOBODY), 0)
    assert row["won_by.most_slots"] == int(winner != NOBODY)


def test_c01_alternative_a_tie_is_shared_in_the_payoff() -> None:
    table = CrocsTable(3, deck__when_empty="end").set_up(slots=["P", "P CC", "P P"], deck=[CHOO_CHOO])
    table.take(2)
    assert [payoff(table.stepper.table.state[0], table.stepper.table.rules[0], seat) for seat in range(3)] == [0.0, 0.5, 0.5]


def test_c01_alternative_the_last_card_is_still_played() -> None:
    table = CrocsTable(2, deck__when_empty="end").set_up(hands=[[PRESENT]], deck=[PRESENT])
    table.take(2)
    assert (table.slots(0), table.winner) == ("P", 0)


def test_c01_alternative_a_deck_that_is_dealt_out_ends_the_game_before_the_first_turn() -> None:
    table = CrocsTable(2, deck__when_empty="end", **{f"deck__{kind.name.lower()}": 10 if kind == PRESENT else 0 for kind in Kind})
    assert table.take(1) == []
    row = table.row()
    assert (row["tied"], row["unfinished"], row["turns"]) == (1, 0, 0)
    sums, again = np.zeros((table.rules.turn_cap + 1, 1, 2)), np.zeros((1, len(row)), np.int32)
    assert table.stepper.table.watch(3, 0, 1, sums=sums, row=again, control=np.zeros(3, np.int64))[0] == 0
    assert again[0].tolist() == list(row.values())


def test_c02_one_card_is_played_if_any_legal_play_exists() -> None:
    table = CrocsTable(2).set_up(hands=[[HEART, HEART]], deck=[CHOO_CHOO])
    assert table.take(1) == []
    assert table.discards == Counter({CHOO_CHOO: 1})


def test_c03_with_no_legal_play_one_card_of_choice_is_discarded_to_no_effect() -> None:
    table = CrocsTable(2).set_up(hands=[[HEART, SCROOGE, GRINCH]], deck=[HEART])
    assert table.take(1, {"discard": SCROOGE}) == [("discard", 0, (SCROOGE, GRINCH, HEART))]
    assert (table.discards, table.row()["no_play"]) == (Counter({SCROOGE: 1}), 1)


# ---------------------------------------------------------------- C4 to C7: questions
@pytest.mark.parametrize(("card", "kind"), [(SANTA, PRESENT), (ELF, CANDY_CANE)])
def test_c04_a_question_may_fail(card: int, kind: int) -> None:
    table = CrocsTable(2).set_up(hands=[[card] * 6, [HEART]], deck=[card] * 9)
    table.take(1, {"play": card})
    row = table.row()
    assert (row["questions"], row["questions.failed"], table.slots(0)) == (1, 1, "")
    assert table.discards == Counter({card: 1})
    assert table.known_not(1)[kind] == 1


def test_c04_a_question_may_go_to_an_empty_hand() -> None:
    table = CrocsTable(3).set_up(hands=[[SANTA], [], [PRESENT]], deck=[SANTA] * 9)
    assert _asked(table.take(1, {"target": 1}), "target") == [(0, (1, 2))]
    assert table.row()["questions.failed"] == 1


def test_c05_the_question_goes_to_one_chosen_player() -> None:
    table = CrocsTable(4).set_up(hands=[[SANTA], [PRESENT], [PRESENT], [PRESENT]], deck=[SANTA] * 9)
    assert _asked(table.take(1, {"target": 2}), "target") == [(0, (1, 2, 3))]
    assert [table.hand(seat)[PRESENT] for seat in range(1, 4)] == [1, 0, 1]
    assert table.slots(0) == "P"


def test_c06_who_holds_the_card_must_give_one() -> None:
    table = CrocsTable(2).set_up(hands=[[SANTA], [PRESENT, PRESENT]], deck=[SANTA] * 9)
    assert _asked(table.take(1), "give") == []
    assert (table.hand(1), table.slots(0)) == (Counter({PRESENT: 1}), "P")


@pytest.mark.parametrize("answer", [Answer.YES, Answer.NO])
def test_c06_alternative_giving_is_voluntary(answer: int) -> None:
    table = CrocsTable(2, ask__must_give=False).set_up(hands=[[SANTA], [PRESENT]], deck=[SANTA] * 9)
    assert _asked(table.take(1, {"give": answer}), "give") == [(1, (Answer.YES, Answer.NO))]
    gives = answer == Answer.YES
    assert (table.slots(0), table.hand(1)[PRESENT]) == (("P", 0) if gives else ("", 1))
    assert table.row()["questions.refused"] == int(not gives)


def test_c06_alternative_a_refusal_sounds_like_a_lack() -> None:
    for held in (PRESENT, HEART):
        table = CrocsTable(2, ask__must_give=False).set_up(hands=[[SANTA], [held]], deck=[SANTA] * 9)
        table.take(1, {"give": Answer.NO})
        assert table.known_not(1) == Counter()


def test_c06_what_is_given_is_played_immediately() -> None:
    table = CrocsTable(2).set_up(hands=[[ELF] * 5, [CANDY_CANE]], slots=["P P P P C"], deck=[ELF] * 9)
    table.take(1, {"play": ELF})
    assert (table.slots(0), table.winner) == ("CC P P P P", 0)


def test_c07_one_may_ask_only_with_a_slot_for_the_card() -> None:
    table = CrocsTable(2).set_up(hands=[[SANTA, ELF] * 3, [PRESENT]], slots=["P P P X C"], deck=[CHOO_CHOO])
    assert _asked(table.take(1), "play") == [(0, (ELF, CHOO_CHOO, Action.REMOVE_COAL))]


# ---------------------------------------------------------------- C8, C21: Elf's draw
@pytest.mark.parametrize(("others", "offered"), [(3, True), (4, True), (5, False)])
def test_c08_elf_draws_with_fewer_than_five_cards_in_hand_after_it_is_played(others: int, offered: bool) -> None:
    table = CrocsTable(2).set_up(hands=[[ELF] + [HEART] * (others - 1)], slots=["P P P P X"], deck=[HEART] * 9)
    table.take(1, {"discard": HEART})
    assert (table.hand(0).total() == others + 1) == offered
    assert table.discards == Counter({ELF: 1} if offered else {HEART: 1})


@pytest.mark.parametrize(("others", "offered"), [(4, False), (3, True)])
def test_c08_alternative_the_elf_itself_still_counts(others: int, offered: bool) -> None:
    table = CrocsTable(2, hand__elf_below=4).set_up(hands=[[ELF, *[CHOO_CHOO] * (others - 1)]], deck=[CHOO_CHOO] * 9)
    (asked,) = _asked(table.take(1), "play")
    assert (Action.DRAW_CARD in asked[1]) == offered


def test_c08_the_drawn_card_is_kept() -> None:
    table = CrocsTable(2).set_up(hands=[[ELF]], deck=[PRESENT] * 9)
    table.take(1, {"play": Action.DRAW_CARD})
    assert (table.hand(0), table.slots(0)) == (Counter({PRESENT: 2}), "")


def test_c21_elf_draws_only_if_there_is_a_card() -> None:
    table = CrocsTable(2).set_up(hands=[[ELF, HEART]], slots=["P P P P X"], deck=[HEART])
    assert _asked(table.take(1), "discard") == [(0, (ELF, HEART))]


def test_c21_elf_draws_after_reshuffling_and_is_not_shuffled_in_itself() -> None:
    table = CrocsTable(2).set_up(hands=[[ELF, HEART]], slots=["P P P P X"], deck=[HEART], discards=[SANTA])
    table.take(1)
    assert (table.hand(0), table.discards) == (Counter({HEART: 2, SANTA: 1}), Counter({ELF: 1}))
    assert table.row()["reshuffles"] == 1


def test_c21_no_reshuffle_for_elf_where_the_deck_ends_the_game() -> None:
    table = CrocsTable(2, deck__when_empty="end").set_up(hands=[[ELF, HEART]], slots=["P P P P X"], deck=[HEART], discards=[SANTA])
    assert _asked(table.take(1), "discard") == [(0, (ELF, HEART))]


# ---------------------------------------------------------------- C9: Coal
def test_c09_coal_blocks_an_empty_slot_of_another_player() -> None:
    table = CrocsTable(3).set_up(hands=[[COAL] * 6], slots=["", "P P P P C", "P"], deck=[COAL])
    assert table.take(1) == []
    assert (table.slots(0), table.slots(1), table.slots(2)) == ("", "C P P P P", "P X")
    assert table.row()["lost.coal"] == 1


def test_c09_coal_is_unplayable_with_no_empty_slot_among_the_others() -> None:
    table = CrocsTable(2).set_up(hands=[[COAL] * 3], slots=["", "P P P P C"], deck=[HEART])
    assert _asked(table.take(1), "discard") == [(0, (HEART, COAL))]


def test_c09_coal_never_counts_as_a_present() -> None:
    table = CrocsTable(2).set_up(hands=[[COAL] * 3], slots=["", "P P P P"], deck=[COAL])
    table.take(1)
    assert (table.slots(1), table.winner) == ("P P P P X", NOBODY)


def test_c09_santa_removes_a_coal_of_ones_own() -> None:
    table = CrocsTable(2).set_up(hands=[[SANTA]], slots=["X X", "X"], deck=[CHOO_CHOO])
    table.take(1, {"play": Action.REMOVE_COAL})
    assert (table.slots(0), table.slots(1)) == ("X", "X")
    assert (table.discards, table.row()["coal.removed"]) == (Counter({SANTA: 1, COAL: 1}), 1)


# ---------------------------------------------------------------- C10: Scrooge
def test_c10_scrooge_empties_a_present_two_canes_or_a_single_cane_but_not_coal() -> None:
    for chosen, left, discarded in (
        (Slot.PRESENT, "C CC X", {PRESENT: 1}),
        (FULL_CANES, "C P X", {CANDY_CANE: 2}),
        (Slot.CANE, "CC P X", {CANDY_CANE: 1}),
    ):
        table = CrocsTable(2).set_up(hands=[[SCROOGE] * 2], slots=["", "P CC C X"], deck=[SCROOGE])
        assert table.take(1, {"slot": chosen}) == [("slot", 0, (Slot.PRESENT, FULL_CANES, Slot.CANE))]
        assert table.slots(1) == left
        assert table.discards == Counter({SCROOGE: 1, **discarded})


def test_c10_scrooge_needs_another_players_slot() -> None:
    table = CrocsTable(3).set_up(hands=[[SCROOGE] * 3], slots=["P P", "X", ""], deck=[HEART])
    assert _asked(table.take(1), "discard") == [(0, (SCROOGE, HEART))]


def test_c10_scrooge_keeps_nothing() -> None:
    table = CrocsTable(2).set_up(hands=[[SCROOGE] * 2], slots=["", "P"], deck=[SCROOGE])
    table.take(1)
    assert (table.slots(0), table.slots(1), table.row()["lost.scrooge.alone"]) == ("", "", 1)


# ---------------------------------------------------------------- C11: Grinch Croc
@pytest.mark.parametrize(("target", "mine", "left"), [("P P P CC", "P P", "CC P"), ("P", "P", ""), ("P P", "P P", "")])
def test_c11_grinch_takes_up_to_two_presents(target: str, mine: str, left: str) -> None:
    table = CrocsTable(2).set_up(hands=[[GRINCH] * 2], slots=["", target], deck=[GRINCH])
    table.take(1)
    assert (table.slots(0), table.slots(1)) == (mine, left)


def test_c11_grinch_takes_no_canes() -> None:
    table = CrocsTable(3).set_up(hands=[[GRINCH] * 2], slots=["", "CC CC", "P"], deck=[GRINCH])
    assert table.take(1) == []
    assert (table.slots(1), table.slots(2)) == ("CC CC", "")


@pytest.mark.parametrize("blocked", ["P P P P P", "P P P P C", "P P P P X"])
def test_c11_grinch_needs_an_open_slot(blocked: str) -> None:
    table = CrocsTable(2).set_up(hands=[[GRINCH] * 3], slots=[blocked, "P P"], deck=[HEART])
    assert _asked(table.take(1), "discard") == [(0, (GRINCH, HEART))]


def test_c11_with_one_open_slot_the_second_present_is_discarded() -> None:
    table = CrocsTable(2).set_up(hands=[[GRINCH] * 2], slots=["P P C X", "P P"], deck=[GRINCH])
    table.take(1)
    assert (table.slots(0), table.slots(1)) == ("C P P P X", "")
    assert (table.discards, table.row()["grinch.wasted"]) == (Counter({GRINCH: 1, PRESENT: 1}), 1)


# ---------------------------------------------------------------- C12 to C16: Heart
def _stolen(players: int = 4, hearts: tuple[int, ...] = (), slots: tuple[str, ...] = ("", "P P"), **rules: object) -> CrocsTable:
    """Seat 0 is about to play a Grinch Croc; the seats in `hearts` hold a Heart."""
    hands = [[GRINCH] * 2] + [[HEART, CHOO_CHOO] if seat in hearts else [CHOO_CHOO] for seat in range(1, players)]
    return CrocsTable(players, **rules).set_up(hands=hands, slots=slots, deck=[GRINCH])


def test_c12_every_other_player_in_turn_order_may_answer() -> None:
    table = _stolen(hearts=(1, 2, 3))
    asked = table.take(1, {"answer": Answer.NO, "target": 1})
    assert [seat for seat, _ in _asked(asked, "answer")] == [1, 2, 3]
    assert table.slots(0) == "P P"


def test_c12_turn_order_follows_the_present_direction() -> None:
    table = CrocsTable(4).set_up(hands=[[GRINCH] * 2, *([[HEART]] * 3)], slots=["", "P P"], deck=[GRINCH], direction=-1)
    assert [seat for seat, _ in _asked(table.take(1, {"answer": Answer.NO}), "answer")] == [3, 2, 1]


def test_c12_one_heart_is_enough() -> None:
    table = _stolen(hearts=(1, 2, 3))
    asked = table.take(1, {"answer.1": Answer.NO, "answer.2": Answer.YES})
    assert [seat for seat, _ in _asked(asked, "answer")] == [1, 2]
    assert [table.hand(seat)[HEART] for seat in range(1, 4)] == [1, 0, 1]
    assert table.row()["grinch.answered"] == 1


def test_c12_only_who_holds_a_heart_is_asked() -> None:
    assert [seat for seat, _ in _asked(_stolen(hearts=(3,)).take(1), "answer")] == [3]


def _round(hearts: tuple[int, ...], players: int = 4) -> CrocsTable:
    hands = [[GRINCH] * 2] + [[HEART] if seat in hearts else [] for seat in range(1, players)]
    return CrocsTable(players, heart__window="round").set_up(hands=hands, slots=["", "P P"], deck=[PRESENT] * 9)


def test_c12_alternative_answers_at_the_start_of_ones_own_turn_until_the_play_returns_to_the_thief() -> None:
    table = _round(hearts=(2,))
    asked = table.take(3, {"play": GRINCH, "play.1": PRESENT, "play.2": PRESENT, "answer": Answer.YES})
    assert [seat for seat, _ in _asked(asked, "answer")] == [2]
    assert table.row()["grinch.answered"] == 1
    assert (table.slots(0), table.hand(2)[HEART]) == ("", 0)


def test_c12_alternative_nobody_answers_right_away() -> None:
    table = _round(hearts=(1, 2, 3))
    assert _asked(table.take(1, {"play": GRINCH}), "answer") == []
    assert table.slots(0) == "P P"


def test_c12_alternative_too_late_once_the_play_has_returned() -> None:
    table = CrocsTable(2, heart__window="round").set_up(hands=[[GRINCH, CHOO_CHOO], [HEART]], slots=["", "P P"])
    choices = {"play": GRINCH, "play.1": CHOO_CHOO, "answer": Answer.NO}
    asked = table.take(1, choices) + table.take(3, {**choices, "play": CHOO_CHOO})
    assert [seat for seat, _ in _asked(asked, "answer")] == [1]
    assert table.slots(0) == "P P"


def test_c12_alternative_a_thief_who_lost_the_loot_has_nothing_to_give() -> None:
    table = CrocsTable(3, heart__window="round").set_up(
        hands=[[GRINCH] * 3, [SCROOGE] * 3, [HEART, SCROOGE]], slots=["", "P"], deck=[CHOO_CHOO] * 9
    )
    choices = {"play.0": GRINCH, "play.1": SCROOGE, "play.2": CHOO_CHOO, "answer": Answer.YES}
    assert _asked(table.take(3, choices), "answer") == []
    assert table.hand(2)[HEART] == 1


def test_c13_a_heart_costs_no_turn_and_is_not_replaced() -> None:
    table = _stolen(hearts=(2,))
    table.take(1, {"answer": Answer.YES})
    assert table.hand(2) == Counter({CHOO_CHOO: 1})
    assert int(table.state.following) == 1
    assert table.row()["turns"] == 1


def test_c13_a_heart_at_the_start_of_a_turn_leaves_the_turn() -> None:
    table = CrocsTable(3, heart__window="round").set_up(hands=[[GRINCH] * 2, [HEART, PRESENT]], slots=["", "P P"], deck=[GRINCH] * 9)
    table.take(2, {"play.0": GRINCH, "answer": Answer.YES, "play.1": PRESENT})
    assert table.hand(1) == Counter({GRINCH: 1})
    assert table.slots(1) == "P P"


@pytest.mark.parametrize(("direction", "first", "second"), [(1, 1, 2), (-1, 3, 2)])
def test_c14_the_presents_go_to_the_two_players_after_the_thief(direction: int, first: int, second: int) -> None:
    table = CrocsTable(4).set_up(hands=[[GRINCH] * 2, *([[HEART]] * 3)], slots=["", "", "P P"], deck=[GRINCH], direction=direction)
    table.take(1, {"answer": Answer.YES})
    held = {seat: table.slots(seat) for seat in range(4)}
    assert (held[0], held[first], held[second]) == ("", "P", "P")
    assert table.row()["gifts"] == 2


def test_c14_with_two_players_the_other_one_gets_both() -> None:
    table = _stolen(players=2, hearts=(1,))
    table.take(1, {"answer": Answer.YES})
    assert (table.slots(0), table.slots(1)) == ("", "P P")


def test_c14_if_the_thief_kept_one_that_one_goes_to_the_next_player() -> None:
    table = CrocsTable(3).set_up(hands=[[GRINCH] * 2, [], [HEART]], slots=["P P P X", "", "P P"], deck=[GRINCH])
    table.take(1, {"answer": Answer.YES})
    assert [table.slots(seat) for seat in range(3)] == ["P P P X", "P", ""]


def test_c14_a_recipient_without_an_open_slot_loses_it_to_the_discards() -> None:
    table = CrocsTable(3).set_up(hands=[[GRINCH] * 2, [], [HEART]], slots=["", "C C C C C", "P P"], deck=[GRINCH])
    table.take(1, {"answer": Answer.YES})
    assert [table.slots(seat) for seat in range(3)] == ["", "C C C C C", "P"]
    assert (table.discards[PRESENT], table.row()["gifts.wasted"]) == (1, 1)


def test_c14_a_recipients_fifth_wins() -> None:
    table = CrocsTable(3).set_up(hands=[[GRINCH] * 2, [], [HEART]], slots=["", "P P P CC", "P P"], deck=[GRINCH])
    table.take(1, {"answer": Answer.YES, "target": 2})
    assert (table.winner, table.row()["won_by.heart"]) == (1, 1)


def test_c15_only_the_next_player_may_answer_a_grinch_that_fills_the_fifth_slot() -> None:
    table = _stolen(hearts=(2, 3), slots=("P P P", "P P"))
    assert _asked(table.take(1), "answer") == []
    assert (table.winner, table.row()["won_by.grinch"], table.row()["grinch.to_win"]) == (0, 1, 1)


@pytest.mark.parametrize("window", ["reaction", "round"])
@pytest.mark.parametrize("answer", [Answer.YES, Answer.NO])
def test_c15_the_next_player_answers_from_hand_before_drawing(window: str, answer: int) -> None:
    table = _stolen(hearts=(1, 2), slots=("P P CC", "P P"), heart__window=window)
    assert _asked(table.take(1, {"answer": answer}), "answer") == [(1, (Answer.YES, Answer.NO))]
    assert table.winner == (NOBODY if answer == Answer.YES else 0)
    if answer == Answer.YES:
        assert [table.slots(seat) for seat in range(3)] == ["CC P P", "P", "P"]
        assert table.row()["grinch.answered_to_win"] == 1


def test_c15_the_next_player_answers_even_when_frozen() -> None:
    table = CrocsTable(3).set_up(hands=[[GRINCH] * 2, [HEART], []], slots=["P P P", "P P"], deck=[GRINCH], frozen=[1])
    table.take(1, {"answer": Answer.YES})
    assert table.row()["grinch.answered_to_win"] == 1


def test_c16_a_heart_at_any_other_time_can_only_be_discarded() -> None:
    table = CrocsTable(2).set_up(hands=[[HEART, PRESENT]], deck=[CHOO_CHOO])
    assert _asked(table.take(1), "play") == [(0, (PRESENT, CHOO_CHOO))]


# ---------------------------------------------------------------- C17: Candy Cane
@pytest.mark.parametrize(("chosen", "after"), [(Slot.OPEN, "C C"), (Slot.CANE, "CC")])
def test_c17_a_cane_goes_into_an_open_slot_or_completes_a_half(chosen: int, after: str) -> None:
    table = CrocsTable(2).set_up(hands=[[CANDY_CANE] * 2], slots=["C"], deck=[CANDY_CANE])
    assert table.take(1, {"cane": chosen}) == [("cane", 0, (Slot.OPEN, Slot.CANE))]
    assert table.slots(0) == after


def test_c17_several_halves_may_stand() -> None:
    table = CrocsTable(2).set_up(hands=[[CANDY_CANE] * 2], slots=["C C C C"], deck=[CANDY_CANE])
    table.take(1, {"cane": Slot.OPEN})
    assert (table.slots(0), table.winner) == ("C C C C C", NOBODY)


def test_c17_a_cane_won_by_elf_is_the_turns_play() -> None:
    table = CrocsTable(2).set_up(hands=[[ELF] * 6, [CANDY_CANE]], slots=["C"], deck=[ELF])
    asked = table.take(1, {"cane": Slot.CANE})
    assert _asked(asked, "cane") == [(0, (Slot.OPEN, Slot.CANE))]
    assert (table.slots(0), table.row()["turns"]) == ("CC", 1)
    assert table.hand(1) == Counter()


def test_c17_three_canes_to_a_slot() -> None:
    table = CrocsTable(2, slots__canes=3).set_up(hands=[[CANDY_CANE] * 2], slots=["C CC"], deck=[CANDY_CANE])
    assert table.take(1, {"cane": FULL_CANES}) == [("cane", 0, (Slot.OPEN, Slot.CANE, FULL_CANES))]
    assert table.slots(0) == "C CCC"
    assert table.row()["slots.0"] == 1


# ---------------------------------------------------------------- C18, C20: Choo Choo, Snow Croc
def test_c18_choo_choo_turns_the_direction() -> None:
    table = CrocsTable(3).set_up(hands=[[CHOO_CHOO] * 2, [PRESENT], [PRESENT]], deck=[CHOO_CHOO, *([HEART] * 5)])
    table.take(2, {"play": CHOO_CHOO} | {"play.2": PRESENT})
    assert (table.slots(1), table.slots(2)) == ("", "P")


def test_c18_choo_choo_does_nothing_with_two_players() -> None:
    table = CrocsTable(2).set_up(hands=[[CHOO_CHOO], [PRESENT]], deck=[HEART] * 9)
    table.take(2)
    assert table.slots(1) == "P"


def test_c18_snow_croc_makes_one_player_miss_the_next_turn() -> None:
    table = CrocsTable(3).set_up(hands=[[SNOW], [PRESENT], [PRESENT]], deck=[HEART] * 9)
    table.take(2, {"target": 1})
    assert (table.slots(1), table.slots(2)) == ("", "P")
    assert (table.row()["skipped"], table.row()["turns"]) == (1, 2)
    assert int(table.state.frozen) == 0


def test_c20_snow_croc_goes_to_a_player_who_is_not_frozen_already() -> None:
    table = CrocsTable(4).set_up(hands=[[SNOW] * 2], deck=[SNOW], frozen=[1])
    assert table.take(1) == [("target", 0, (2, 3))]


def test_c20_snow_croc_is_unplayable_with_everybody_frozen() -> None:
    table = CrocsTable(3).set_up(hands=[[SNOW] * 2], deck=[HEART], frozen=[1, 2])
    assert _asked(table.take(1), "discard") == [(0, (HEART, SNOW))]


def _frozen_and_asked(**rules: object) -> CrocsTable:
    """Seat 0 is about to ask seat 1, which is frozen and holds a Present, for one."""
    return CrocsTable(2, **rules).set_up(hands=[[SANTA] * 2, [PRESENT]], deck=[SANTA] * 9, frozen=[1])


def test_c22_a_frozen_player_may_be_asked_and_has_to_give() -> None:
    table = _frozen_and_asked()
    table.take(1)
    assert (table.slots(0), table.row()["questions.failed"]) == ("P", 0)


def test_c22_a_frozen_player_may_play_a_heart() -> None:
    table = _stolen(hearts=(2,))
    table.state.frozen = 1 << 2
    assert _asked(table.take(1), "answer") == [(2, (Answer.YES, Answer.NO))]


def test_c22_alternative_a_question_to_a_frozen_player_fails_and_tells_nothing() -> None:
    table = _frozen_and_asked(snow__silences=True)
    table.take(1)
    assert (table.slots(0), table.row()["questions.failed"], table.hand(1)[PRESENT]) == ("", 1, 1)
    assert not table.known_not(1)
    table = _frozen_and_asked(snow__silences=True, ask__must_give=False)
    assert _asked(table.take(1), "give") == []


@pytest.mark.parametrize("slots", ["", "P P P"])
def test_c22_alternative_a_frozen_player_plays_no_heart_not_even_against_a_win(slots: str) -> None:
    table = _stolen(hearts=(1,), slots=(slots, "P P"), snow__silences=True)
    table.state.frozen = 1 << 1
    assert _asked(table.take(1), "answer") == []
    assert table.winner == (0 if slots else NOBODY)


def test_c22_alternative_it_ends_with_the_turn_missed() -> None:
    table = _frozen_and_asked(snow__silences=True)
    table.take(2)
    assert (table.row()["questions.failed"], table.row()["skipped"], table.slots(0)) == (1, 1, "P")


# ---------------------------------------------------------------- C19: How to win
@pytest.mark.parametrize(("card", "before", "way"), [(PRESENT, "P P P CC", "won_by.present"), (CANDY_CANE, "P P P P C", "won_by.canes")])
def test_c19_the_last_slot_filled_wins_at_once(card: int, before: str, way: str) -> None:
    table = CrocsTable(2).set_up(hands=[[card] * 2], slots=[before], deck=[card] * 9)
    table.take(5)
    row = table.row()
    assert (table.winner, row["wins.0"], row[way], row["turns"], row["lead"]) == (0, 1, 1, 1, 5)


def test_c19_five_slots_half_filled_do_not_win() -> None:
    table = CrocsTable(2).set_up(hands=[[CANDY_CANE]], slots=["C C C P P"], deck=[CANDY_CANE] * 3)
    table.take(1)
    assert (table.winner, table.slots(0)) == (NOBODY, "C C CC P P")


def test_c19_a_win_on_another_players_turn_ends_the_game() -> None:
    table = CrocsTable(2).set_up(hands=[[GRINCH] * 2, [HEART]], slots=["", "P P P CC CC"], deck=[GRINCH])
    table.take(1, {"answer": Answer.YES})
    assert (table.winner, table.row()["turns"]) == (1, 1)


# ---------------------------------------------------------------- the end
def test_turn_cap_leaves_the_playout_unfinished() -> None:
    table = CrocsTable(2).set_up(hands=[[CHOO_CHOO]] * 2)
    table.take(3)
    row = table.row()
    assert (row["unfinished"], row["tied"], row["turns"], row["rounds"]) == (1, 0, 3, 2)
    state, rules = table.stepper.table.state[0], table.stepper.table.rules[0]
    assert [payoff(state, rules, seat) for seat in range(2)] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("slots", "standing"), [(["", "P P", "P"], "alone"), (["", "P P", "P CC"], "level"), (["P P P", "P P", "P"], "behind")]
)
def test_attacks_are_counted_by_standing(slots: list[str], standing: str) -> None:
    for card, name in ((SCROOGE, "scrooge"), (GRINCH, "grinch"), (COAL, "coal")):
        table = CrocsTable(3).set_up(hands=[[card] * 6], slots=slots, deck=[card])
        table.take(1, {"target": 1, "play": card})
        assert table.row()[f"lost.{name}.{standing}"] == (2 if card == GRINCH else 1)


def test_cards_drawn_are_counted_with_the_first_hand() -> None:
    table = CrocsTable(3)
    row = table.row()
    for seat in range(3):
        assert sum(value for name, value in row.items() if name.startswith("drawn.") and name.endswith(f".{seat}")) == 5


def test_every_decision_has_a_name() -> None:
    assert GAME.decisions == tuple(decision.name.lower() for decision in Decision)
