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

import numpy as np

from simulator.game import Game, Metric
from simulator.kernel.chance import below, purpose_block
from simulator.kernel.jit import jit
from simulator.kernel.playout import begin_turn, note
from simulator.kernel.records import OVER, UNFINISHED, state_dtype, view_dtype
from simulator.rules import GameRules, constant, ours, rulebook

STATE = state_dtype([("total", "i4"), ("face", "i4"), ("asked", "i4")])
VIEW = view_dtype([("total", "i4"), ("worth", "i4", (2,))])
PACKED = np.dtype([("goal", "i4")], align=True)


class TinyRules(GameRules):
    goal: int = constant(3, ge=1, le=9, unit="points", description="Points that end it.", source=rulebook("The end"))
    turn_cap: int = constant(50, ge=1, le=99, unit="turns", description="Turns at most.", source=ours("it may stall"))


def pack(rules):
    return np.array([(rules.goal,)], PACKED)


@jit
def deal(state, rules, chance):
    state.total = state.asked = 0


@jit
def advance(state, rules, chance):
    if state.total >= rules.goal or not begin_turn(state):
        return np.int64(OVER)
    state.face = 1 + below(chance, purpose_block_0, state.turn, 2)
    note(state, 0, state.face, 0, 0)
    state.decision = 0
    state.step = 0
    state.n_options = 2
    return np.int64((state.turn - 1) % state.seats)


purpose_block_0 = purpose_block(0)


@jit
def observe(state, rules, view):
    view.total = state.total
    view.worth[0] = 0
    view.worth[1] = state.face


@jit
def apply(state, rules, chance, option):
    state.n_options = 0
    state.total += option * state.face


@jit
def score(state, rules, row):
    row[0] = 0 if state.status == UNFINISHED else 1
    row[1] = 1 - row[0]
    row[2] = state.turn
    row[3] = state.total


@jit
def payoff(state, rules, seat):
    return 1.0


@jit
def redeal(state, rules, chance, seat):
    pass


def metrics(rules, players):
    return (
        Metric("players_win", "Win", "share", "share", 0, 1, headline=True, outcome=True),
        Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True),
        Metric("turns", "Turns", "turns", "count", 0, rules.turn_cap),
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
    pack=pack,
    state=STATE,
    view=VIEW,
    deal=deal,
    advance=advance,
    observe=observe,
    apply=apply,
    score=score,
    payoff=payoff,
    redeal=redeal,
    metrics=metrics,
    decisions=("add",),
    default_strategy="uniform",
    verdict=lambda players: ("players_win",),
    closeness=None,
    breakdowns=(),
    summary="Add up.",
    story=Story,
    file=Path(__file__),
)
'''
"""A module that offers a small game `GAME`; what is wrong in a test is a few lines that change it."""
