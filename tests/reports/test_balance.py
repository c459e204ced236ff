"""The chapters of a report stand in the order in which a designer asks."""

from __future__ import annotations

from simulator.document.chapters import ORDER, Chapter, arranged


def test_chapters_of_one_id_become_one_and_others_stand_before_the_rules() -> None:
    chapters = [Chapter(name, name, "") for name in (*reversed(ORDER), "odd", "who-wins")]
    assert [c.id for c in arranged(tuple(chapters))] == [*ORDER[:-2], "odd", *ORDER[-2:]]
