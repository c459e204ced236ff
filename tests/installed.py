"""Packages that are installed for a test: distributions in a folder, which offer games and strategies by entry points."""

from __future__ import annotations

from pathlib import Path


def install(site: Path, distribution: str, modules: dict[str, str], **groups: list[str]) -> None:
    """Something installed in the folder `site`.

    Args:
        site: the folder.
        distribution: its name.
        modules: name and text of each module.
        **groups: "games" and "strategies", and the lines that stand below them: `name = module:attribute`.
    """
    info = site / f"{distribution}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n", encoding="utf-8")
    lines = [line for group, entries in groups.items() for line in (f"[ludometer.{group}]", *entries)]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text, encoding="utf-8")


TINY = '''"""A game as small as a game can be: in turn, seats throw a die of two sides and may add what it shows; three points end it."""

from dataclasses import replace
from pathlib import Path

from simulator.game import UNFINISHED, Game, Metric, turns
from simulator.kernel.chance import below, purpose_block
from simulator.kit import choose, counted, end_for_all, jit, note, number, numbers, spin, table
from simulator.rules import GameRules, constant, ours, rulebook

TABLE = table(total=number(), face=number(), worth=numbers(2))


class TinyRules(GameRules):
    goal: int = constant(3, ge=1, le=9, unit="points", description="Points that end it.", source=rulebook("The end"))
    turn_cap: int = constant(50, ge=1, le=99, unit="turns", description="Turns at most.", source=ours("it may stall"))


@jit
def turn(table, rules, seat):
    table.face = table.worth[1] = 1 + spin(table, 0, 2)
    note(table, 0, table.face, 0, 0)
    table.total += choose(table, seat, 0, 2) * table.face
    if table.total >= rules.goal:
        end_for_all(table, True)


def metrics(rules, players):
    return (
        Metric("players_win", "Win", "share", "share", 0, 1, headline=True, outcome=True),
        UNFINISHED,
        turns(rules.turn_cap),
        Metric("total", "Total", "points", "count", 0, 10),
    )


class Story:
    @staticmethod
    def sentences(rules, events):
        return [f"It shows {a}." for _, a, _, _ in events]

    @staticmethod
    def question(rules, view):
        return "whether to add"

    @staticmethod
    def option(rules, view, index):
        return ("no", "yes")[index]


GAME = Game(
    name="tiny",
    title="Tiny",
    version="1",
    players=(1, 2),
    cooperative=True,
    rules=TinyRules,
    table=TABLE,
    turn=turn,
    metrics=metrics,
    decisions=("add",),
    default_strategy="uniform",
    verdict=lambda players: ("players_win",),
    closeness=None,
    breakdowns=(),
    summary="Add up.",
    story=Story,
)
'''
"""A module that offers a small game `GAME`; what is wrong in a test is a few lines that change it."""
