"""The rules stand with their sources, and every run with how it was made."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reports.balance import how_made
from simulator import registry
from simulator.document.document import rules_chapter, rulings_table
from simulator.play.run import Result, run

Make = Callable[..., Result]


def test_assumed_and_changed_constants_are_marked(team: Make, rules_of: Callable[..., object]) -> None:
    rows = how_made.rules_chapter([team(rules=rules_of(cards=7))]).tables[0].cells
    marks = {cells[0].text: (cells[1].mark, cells[2].mark) for cells in rows}
    assert marks == {"deck.cards": ("changed", ""), "deck.suits": ("", "assumed"), "turn_cap": ("", "")}
    assert rows[1][2].small == "not shown; plausible: 3 to 5"


@pytest.mark.parametrize("name", ["grinchmas", "vacation", "crocs"])
def test_rulings_that_no_switch_covers_stand_beside_the_constants(name: str) -> None:
    game = registry.game(name)
    (table,) = rulings_table(game)
    assert [row[0] for row in table.rows] == [ruling.name for ruling in game.rulings if not ruling.switch]
    assert 0 < len(table.rows) < len(game.rulings), "those with a switch are among the constants"
    result = run(name, players=4, games=20)
    assert table in how_made.rules_chapter([result]).tables
    assert table in rules_chapter(game.rules(), game).tables
