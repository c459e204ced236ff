"""Hi Ho! Cherry-O: spin to fill your bucket with ten cherries; nobody ever decides anything."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Literal

import numpy as np

from simulator import kit
from simulator.game import BoxLength, Game
from simulator.rules import GameRules, constant, rulebook
from simulator.rules.packing import packer

MAX_FACES, MOST = 24, 1000
SPINNER = 0
ON_YOUR_TURN = rulebook("On your turn")
FACES = "Equally likely faces: cherries picked, or lost to bird and dog, or the whole bucket spilled."
Event = IntEnum("Event", "SPUN", start=0)


class CherryRules(GameRules):
    """All constants of Hi Ho! Cherry-O."""

    spinner: tuple[int | Literal["spill"], ...] = constant(
        (1, 2, 3, 4, -2, -2, "spill"), min_length=1, max_length=MAX_FACES, unit="list of faces", description=FACES, source=ON_YOUR_TURN
    )
    goal: int = constant(10, ge=1, le=MOST, unit="cherries", description="Cherries on a tree; all of them win.", source=rulebook("Set up"))


def faces(rules: CherryRules) -> dict[str, Any]:
    """What each face adds to a bucket; a spill takes as many cherries as there can be."""
    adds = np.zeros(MAX_FACES, np.int64)
    adds[: len(rules.spinner)] = [-MOST if face == "spill" else min(max(face, -MOST), MOST) for face in rules.spinner]
    return {"face": adds, "n_faces": len(rules.spinner)}


@kit.jit
def turn(table: Any, rules: Any, seat: Any) -> None:
    """Spin: pick cherries, or lose some to bird and dog, or spill the bucket; all the cherries of one's tree win."""
    face = kit.spin(table, SPINNER, rules.n_faces)
    table.bucket[seat] = min(max(table.bucket[seat] + rules.face[face], 0), rules.goal)
    kit.note(table, Event.SPUN, seat, face, table.bucket[seat])
    if table.bucket[seat] == rules.goal:
        kit.win(table, seat)


GAME = Game(
    name="cherry",
    players=(1, 4),
    rules=CherryRules,
    pack=packer(faces),
    table=kit.table(bucket=kit.per_seat()),  # cherries of each player
    turn=turn,
    story=kit.Sentences(
        {Event.SPUN: lambda rules, a, b, c: f"Seat {a} spins {rules.spinner[b]} and has {c} of {rules.goal} cherries now."},
        opening="Every bucket is empty.",
    ),
    classic=True,
    seconds_per_turn=10,
    pace_note="assumed: one spin and some cherries to move",
    box_length=BoxLength(rounds=(3, 100), minutes=(1, 60), why="a first game for small children"),
    players_note="most: four trees on the board; fewest: ours, since one player alone has a known answer",
)
