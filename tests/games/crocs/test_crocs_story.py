"""The story of Christmas Crocs says where cards go, in right words."""

from __future__ import annotations

import pytest
from crocs_table import CrocsTable, hand_word

from simulator.games.crocs import story
from simulator.games.crocs.rules import KIND_NAMES, KINDS, CrocsRules, Kind
from simulator.games.crocs.table import Event


@pytest.mark.parametrize(
    ("slots", "told"),
    [
        ("", ["The Grinch Croc takes 2 presents of seat 1.", "2 presents go into the slots of seat 0."]),
        (
            "P P C X",
            [
                "The Grinch Croc takes 2 presents of seat 1.",
                "1 present goes into the slots of seat 0.",
                "There is no open slot for 1 present: discarded.",
            ],
        ),
    ],
)
def test_presents_taken_go_into_the_slots_of_the_thief(slots: str, told: list[str]) -> None:
    table = CrocsTable(3).set_up(hands=[[Kind.GRINCH] * 2], slots=[slots, "P P P"], deck=[Kind.CHOO_CHOO])
    table.take(1, {"play": Kind.GRINCH})
    said = story.STORY.sentences(table.rules, [event for event in table.stepper.events() if event[0] >= 0])
    assert said[said.index(told[0]) :][: len(told)] == told


def test_several_cards_of_a_kind_are_told_in_the_plural() -> None:
    assert story.hand(int(hand_word([Kind.ELF] * 2 + [Kind.COAL] * 3 + [Kind.PRESENT]))) == "Present, 2 Elves and 3 Coal"
    every = story.hand(int(hand_word([kind for kind in range(KINDS) for _ in range(2)])))
    assert not [name for name in KIND_NAMES if f"2 {name}" not in every and name != "Elf"]


def test_one_discard_is_told_in_the_singular() -> None:
    assert story.STORY.sentences(CrocsRules(), [(Event.RESHUFFLED, 1, 0, 0)]) == ["The only discard is shuffled into a new deck."]
