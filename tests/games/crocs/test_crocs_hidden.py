"""What is hidden stays hidden, what is known stays true, and no card is ever lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from crocs_table import CrocsTable, hand_counts, pile_counts, slot_cards
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import registry
from simulator.game import Game
from simulator.games.crocs import GAME
from simulator.games.crocs.hidden import redeal
from simulator.games.crocs.rules import KIND_KEYS, KINDS, CrocsRules, Kind, too_small_to_deal
from simulator.games.crocs.table import SLOTS
from simulator.games.crocs.view import unseen, unseen_cards
from simulator.kernel.chance import begin_playout
from simulator.kernel.jit import jit
from simulator.kit.piles import unpacked
from simulator.kit.questions import OPTION_BITS
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.rules import build_rules


def _redeal(table: Table, seat: int, playout: int) -> None:
    """Deal afresh with other luck, which leaves the playout's own as it was."""
    chance = table.chance.copy()
    begin_playout(table.chance[0], np.uint64(99), np.uint64(playout))
    redeal(table.memory[0], table.rules[0], seat)
    table.chance[:] = chance


def _seen(table: Table) -> list[bytes]:
    """All that the deciding seat sees, field by field: the view is laid over the whole table."""
    return [table.view[name].tobytes() for name in table.view.dtype.names or ()]


def _table(rules: CrocsRules, players: int, name: str = "uniform") -> Table:
    return Table(GAME, rules, (registry.player(GAME, name),) * players)


# ---------------------------------------------------------------- no card is lost
def _all_cards(state: Any, players: int) -> Counter[int]:
    total = pile_counts(state.pile) + pile_counts(state.discards)
    for seat in range(players):
        total += hand_counts(state.hand[seat]) + slot_cards(state.board[seat])
    return total


@st.composite
def _odd_rules(draw: Any) -> tuple[CrocsRules, int]:
    counts = {f"deck.{kind}": draw(st.integers(0, 12)) for kind in KIND_KEYS}
    counts["deck.present"] = draw(st.integers(1, 30))
    overrides = {
        **counts,
        "deck.when_empty": draw(st.sampled_from(["reshuffle", "end"])),
        "decks": draw(st.integers(1, 3)),
        "hand.deal": draw(st.integers(1, 8)),
        "hand.elf_below": draw(st.integers(0, 9)),
        "slots.count": draw(st.integers(1, 9)),
        "slots.canes": draw(st.integers(1, 4)),
        "grinch.takes": draw(st.integers(1, 5)),
        "ask.must_give": draw(st.booleans()),
        "heart.window": draw(st.sampled_from(["reaction", "round"])),
        "turn_cap": 150,
    }
    players = draw(st.integers(2, 6))
    total = overrides["decks"] * sum(counts.values())
    if total < players * overrides["hand.deal"]:
        overrides["hand.deal"] = max(1, total // players)
        overrides["deck.present"] = max(counts["deck.present"], players)
    return build_rules(CrocsRules, overrides), players


@settings(max_examples=40)
@given(_odd_rules(), st.integers(0, 2**40))
def test_cards_are_conserved_at_every_step_of_random_play(rules_and_players: tuple[CrocsRules, int], playout: int) -> None:
    rules, players = rules_and_players
    table = _table(rules, players)
    stepper = Stepper(table, 11)
    stepper.deal(playout)
    box = +Counter(dict(enumerate(rules.counts)))
    while stepper.advance():
        assert _all_cards(stepper.state, players) == box
        stepper.observe()
        stepper.apply(stepper.choose())
        assert _all_cards(stepper.state, players) == box
    row = {m.name: int(v) for m, v in zip(table.metrics, stepper.row(), strict=True)}
    assert all(m.low <= row[m.name] <= m.high for m in table.metrics)
    assert sum(row[m.name] for m in table.metrics if m.outcome) == 1
    for seat in range(players):
        assert sum(unpacked(SLOTS, stepper.state.board[seat])) == rules.slots.count


# ---------------------------------------------------------------- views and redeals
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("must_give", [True, False])
def test_redeal_leaves_every_view_as_it_is(players: int, must_give: bool) -> None:
    rules = build_rules(CrocsRules, {"ask.must_give": must_give, "heart.window": "reaction" if must_give else "round"})
    table = _table(rules, players)
    stepper = Stepper(table, 5)
    for playout in range(6):
        stepper.deal(playout)
        while stepper.advance():
            stepper.observe()
            before, hidden = _seen(table), table.memory.copy()
            _redeal(table, stepper.seat, playout)
            stepper.observe()
            assert _seen(table) == before
            assert _all_cards(stepper.state, players) == _all_cards(hidden.view(np.recarray)[0], players)
            assert int(stepper.state.hand[stepper.seat]) == int(hidden["hand"][0][stepper.seat])
            stepper.apply(stepper.choose())


def test_redeal_deals_the_other_hands_afresh() -> None:
    table = CrocsTable(3)
    before = [table.hand(seat) for seat in range(3)]
    table.stepper.advance()
    _redeal(table.stepper.table, 0, 1)
    assert table.hand(1) != before[1] or table.hand(2) != before[2]
    assert [table.hand(seat).total() for seat in (1, 2)] == [5, 5]


def test_redeal_is_fair_when_nothing_is_known() -> None:
    """Each unseen card is as likely as any other to be in the other hand."""
    table = CrocsTable(2)
    hearts, rounds = 0, 4000
    for playout in range(rounds):
        table.set_up(hands=[[Kind.SANTA], [Kind.PRESENT] * 4], deck=[Kind.HEART] * 12)
        _redeal(table.stepper.table, 0, playout)
        hearts += table.hand(1)[Kind.HEART]
    assert hearts / (4 * rounds) == pytest.approx(12 / 16, abs=0.01)


def test_redeal_is_fair_among_what_is_possible() -> None:
    """Every way to deal the cards that fits what is known is as likely as every other."""
    held, deck, rounds = [Kind.HEART, Kind.PRESENT], [Kind.PRESENT, Kind.PRESENT, Kind.HEART, Kind.SNOW], 6000
    wanted: Counter[tuple[int, ...]] = Counter(
        tuple(sorted(pair)) for pair in permutations(held + deck, 2) if pair[0] != Kind.PRESENT
    )  # the older of the two is no present
    table, found = CrocsTable(2), Counter[tuple[int, ...]]()
    for playout in range(rounds):
        table.set_up(hands=[[Kind.SANTA], held], deck=deck)
        table.rule_out(1, Kind.PRESENT, 1)
        _redeal(table.stepper.table, 0, playout)
        found[tuple(sorted(table.hand(1).elements()))] += 1
    for pair, ways in wanted.items():
        assert found[pair] / rounds == pytest.approx(ways / wanted.total(), abs=0.025)


def _asked(held: list[int], deck: list[int]) -> CrocsTable:
    """Seat 1 has been asked for a present in vain."""
    table = CrocsTable(2).set_up(hands=[[Kind.SANTA] * 6, held], deck=deck)
    table.take(1, {"play": Kind.SANTA})
    return table


def test_redeal_respects_a_question_that_failed() -> None:
    table = _asked([Kind.HEART] * 5, [Kind.SANTA] + [Kind.PRESENT] * 30)
    table.put_deck([Kind.PRESENT] * 30)
    for playout in range(200):
        _redeal(table.stepper.table, 0, playout)
        assert table.hand(1)[Kind.PRESENT] == 0


def test_a_card_drawn_since_the_question_may_be_anything() -> None:
    table = _asked([Kind.HEART] * 4, [Kind.SANTA] + [Kind.PRESENT] * 30)
    table.put_deck([Kind.PRESENT] * 20 + [Kind.SNOW] * 10)
    table.put_hand(1, [Kind.HEART] * 4 + [Kind.PRESENT])  # seat 1 draws a present
    assert table.known_not(1) == Counter({Kind.PRESENT: 4})
    found = set()
    for playout in range(200):
        _redeal(table.stepper.table, 0, playout)
        found.add(table.hand(1)[Kind.PRESENT])
    assert found == {0, 1}


def test_without_a_duty_to_give_a_question_reveals_nothing() -> None:
    table = CrocsTable(2, ask__must_give=False).set_up(hands=[[Kind.SANTA] * 6, [Kind.HEART] * 5], deck=[Kind.SANTA] + [Kind.PRESENT] * 30)
    table.take(1, {"play": Kind.SANTA})
    assert table.known_not(1) == Counter()


def test_a_card_of_the_kind_asked_for_must_be_one_drawn_since() -> None:
    table = CrocsTable(2).set_up(hands=[[Kind.CHOO_CHOO], [Kind.HEART, Kind.PRESENT, Kind.CHOO_CHOO]], deck=[Kind.CHOO_CHOO] * 9)
    table.rule_out(1, Kind.PRESENT, 2)  # the older two of three are no presents
    table.take(2, {"play.1": Kind.PRESENT})
    assert table.known_not(1) == Counter({Kind.PRESENT: 2})


def test_a_card_of_another_kind_may_have_been_an_old_one() -> None:
    table = CrocsTable(2).set_up(hands=[[Kind.CHOO_CHOO], [Kind.HEART, Kind.PRESENT, Kind.CHOO_CHOO]], deck=[Kind.CHOO_CHOO] * 9)
    table.rule_out(1, Kind.PRESENT, 2)
    table.take(2, {"play.1": Kind.CHOO_CHOO})
    assert table.known_not(1) == Counter({Kind.PRESENT: 1})


def test_a_discard_for_want_of_a_legal_play_reveals_what_is_not_held() -> None:
    table = CrocsTable(2).set_up(hands=[[Kind.HEART, Kind.SCROOGE, Kind.GRINCH]], slots=["", "X X X X X"], deck=[Kind.HEART])
    table.take(1, {"discard": Kind.HEART})
    known = table.known_not(0)
    assert {kind for kind, n in known.items() if n == 3} == {Kind.PRESENT, Kind.CANDY_CANE, Kind.SANTA, Kind.ELF, Kind.CHOO_CHOO, Kind.SNOW}
    for playout in range(50):
        table.put_deck([Kind.PRESENT, Kind.CANDY_CANE, Kind.SCROOGE] * 10 + [Kind.HEART] * 10)
        _redeal(table.stepper.table, 1, playout)
        held = table.hand(0)
        assert held.total() == 3
        assert set(held) <= {Kind.SCROOGE, Kind.GRINCH, Kind.HEART, Kind.COAL}


@settings(max_examples=30)
@given(_odd_rules(), st.integers(0, 2**40))
def test_what_is_known_is_always_true_and_a_redeal_keeps_it(rules_and_players: tuple[CrocsRules, int], playout: int) -> None:
    rules, players = rules_and_players
    table = _table(rules, players)
    stepper = Stepper(table, 13)
    stepper.deal(playout)
    while stepper.advance():
        _redeal(table, stepper.seat, playout)
        for seat in range(players):
            held, known = hand_counts(stepper.state.hand[seat]), hand_counts(stepper.state.known_not[seat])
            size = held.total()
            for most in set(known.values()):
                ruled_out = sum(held[kind] for kind in range(KINDS) if known[kind] >= most)
                assert ruled_out <= size - most
        stepper.observe()
        stepper.apply(stepper.choose())


def test_a_view_holds_no_other_hand() -> None:
    assert {name for name in GAME.view.names or () if "hand" in name} == {"hand", "hand_sizes"}
    assert not {"pile", "draws", "drawn"} & set(GAME.view.names or ())
    assert GAME.view["hand"].shape == ()  # its own
    table = CrocsTable(3).set_up(hands=[[Kind.PRESENT, Kind.SANTA], [Kind.HEART], [Kind.HEART] * 2])
    table.stepper.advance()
    view = table.stepper.observe()
    assert hand_counts(view.hand) == Counter({Kind.PRESENT: 1, Kind.SANTA: 1, Kind.CHOO_CHOO: 1})
    assert [int(n) for n in view.hand_sizes[:3]] == [3, 1, 2]


def test_options_of_others_do_not_linger_in_a_view() -> None:
    table = CrocsTable(2).set_up(hands=[[Kind.PRESENT, Kind.CANDY_CANE, Kind.SANTA, Kind.ELF], [Kind.PRESENT, Kind.HEART]])
    table.stepper.advance()
    table.stepper.observe()
    table.stepper.apply(0)
    table.stepper.advance()
    view = table.stepper.observe()
    assert int(view.options) == Kind.PRESENT | Kind.CHOO_CHOO << OPTION_BITS


def _asked_rightly(game: Game, holder: int) -> float:
    """How often seat 0, which thinks ahead and wins at once if it asks who holds all the Presents, asks them."""
    table, rightly, rounds = CrocsTable(3, game, "lookahead:rollouts=32,base=uniform"), 0, 40
    for playout in range(rounds):
        table.stepper.deal(playout)
        hands = [[Kind.SANTA], [Kind.PRESENT] * 4, [Kind.HEART] * 4]
        table.set_up(hands=hands if holder == 1 else [hands[0], hands[2], hands[1]], slots=["P P P P"], deck=[Kind.SANTA])
        assert table.stepper.advance()
        table.stepper.observe()
        rightly += table.options()[table.stepper.choose()] == holder
    return rightly / rounds


@pytest.mark.parametrize("holder", [1, 2])
def test_who_thinks_ahead_does_not_know_who_holds_the_card(holder: int) -> None:
    assert 0.2 <= _asked_rightly(GAME, holder) <= 0.8


@jit
def leave(table: Any, rules: Any, seat: Any) -> None:
    """Deals nothing afresh."""


@pytest.mark.parametrize("holder", [1, 2])
def test_a_hidden_hand_left_as_it_is_would_be_a_tell(holder: int) -> None:
    """Shows that the test above could fail: the tell is there to be used."""
    assert _asked_rightly(replace(GAME, redeal=leave), holder) > 0.9


def test_unseen_cards_are_those_in_the_deck_and_in_other_hands() -> None:
    table = CrocsTable(4)
    for _ in range(6):
        table.take(10, lambda _name, _seat, options: options[-1])
        table.state.unfinished, table.state.turn_cap = 0, 10_000
        if not table.stepper.advance():
            break
        view, seat = table.stepper.observe(), table.stepper.seat
        hidden = table.deck
        for other in range(4):
            hidden += table.hand(other) if other != seat else Counter()
        record = table.stepper.table.view[0]
        assert {kind: int(unseen(record, kind)) for kind in range(KINDS)} == {kind: hidden[kind] for kind in range(KINDS)}
        assert int(unseen_cards(record)) == hidden.total()
        assert int(view.deck) == table.deck.total()


def test_rules_too_small_for_the_table_are_told_apart() -> None:
    rules = build_rules(CrocsRules, {"hand.deal": 15})
    assert too_small_to_deal(rules, 6) == ""
    assert "7 players need 105 cards" in too_small_to_deal(rules, 7)
