"""Hi Ho! Cherry-O: spin to fill your bucket, and lose cherries to the bird, the dog and the spill."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Any, Literal

import numpy as np

from simulator.game import BoxLength, Game, Metric
from simulator.kernel.events import note
from simulator.kernel.jit import jit
from simulator.kernel.records import Record
from simulator.kit.declare import per_seat, table
from simulator.kit.dice import spin
from simulator.kit.metrics import seat_wins, turns
from simulator.kit.seats import win, worth_winning
from simulator.kit.story import Sentences
from simulator.packing import packer
from simulator.rules import GameRules, constant, rulebook

MAX_FACES, MOST = 24, 1000
SPINNER = 0
FACES_TEXT = "Equally likely faces: cherries picked, or lost to bird and dog, or the whole bucket spilled."
Event = IntEnum("Event", "DEALT SPUN", start=0)


class CherryRules(GameRules):
    """All constants of Hi Ho! Cherry-O."""

    spinner: tuple[int | Literal["spill"], ...] = constant(
        (1, 2, 3, 4, -2, -2, "spill"),
        min_length=1,
        max_length=MAX_FACES,
        unit="list of faces",
        description=FACES_TEXT,
        source=rulebook("On your turn"),
    )
    goal: int = constant(10, ge=1, le=MOST, unit="cherries", description="Cherries on a tree; all of them win.", source=rulebook("Set up"))


def faces(rules: CherryRules) -> dict[str, Any]:
    """What each face adds to a bucket; a spill takes as many cherries as there can be."""
    adds = np.zeros(MAX_FACES, np.int64)
    adds[: len(rules.spinner)] = [-MOST if face == "spill" else min(max(face, -MOST), MOST) for face in rules.spinner]
    return {"face": adds, "n_faces": len(rules.spinner)}


@jit
def deal(table: Record, rules: Record) -> None:  # noqa: ARG001  every bucket is empty
    """Every bucket is empty."""
    note(table, Event.DEALT, 0, 0, 0)


@jit
def turn(table: Record, rules: Record, seat: int) -> None:
    """Spin: pick cherries, or lose some to bird and dog, or spill the bucket; all the cherries of one's tree win."""
    face = spin(table, SPINNER, rules.n_faces)
    table.bucket[seat] = min(max(table.bucket[seat] + rules.face[face], 0), rules.goal)
    note(table, Event.SPUN, seat, face, table.bucket[seat])
    if table.bucket[seat] == rules.goal:
        win(table, seat)


def metrics(rules: CherryRules, players: int) -> tuple[Metric, ...]:
    """What each playout leaves behind."""
    return (*seat_wins(players), turns(rules.turn_cap))


STORY = Sentences(
    {
        Event.DEALT: "Every bucket is empty.",
        Event.SPUN: lambda rules, a, b, c: f"Seat {a} spins {rules.spinner[b]} and has {c} of {rules.goal} cherries now.",
    }
)

GAME = Game(
    name="cherry",
    title="Hi Ho! Cherry-O",
    version="1",
    players=(1, 4),
    rules=CherryRules,
    pack=packer(faces),
    table=table(bucket=per_seat()),  # cherries of each player
    deal=deal,
    turn=turn,
    payoff=worth_winning,
    metrics=metrics,
    summary="Spin to fill your bucket with ten cherries; nobody ever decides anything.",
    story=STORY,
    file=Path(__file__),
    classic=True,
    seconds_per_turn=10,
    pace_note="assumed: one spin and some cherries to move",
    box_length=BoxLength(rounds=(3, 100), minutes=(1, 60), why="a first game for small children"),
    players_note="most: four trees on the board; fewest: ours, since one player alone has a known answer",
)
