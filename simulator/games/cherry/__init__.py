"""Hi Ho! Cherry-O: spin to fill your bucket, and lose cherries to the bird, the dog and the spill."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np

from simulator.game import BoxLength, Game, Metric
from simulator.kernel.chance import below, purpose_block
from simulator.kernel.jit import jit
from simulator.kernel.playout import begin_turn, note
from simulator.kernel.records import MAX_SEATS, OVER, UNFINISHED, Record, state_dtype, view_dtype
from simulator.rules import GameRules, constant, rulebook

MAX_FACES, MOST = 24, 1000
SPINNER = purpose_block(0)
DEALT, SPUN = range(2)  # events, for the story
STATE = state_dtype([("bucket", "i4", (MAX_SEATS,))])  # cherries of each player
VIEW = view_dtype([])  # nobody ever decides anything
PACKED = np.dtype([("face", "i4", (MAX_FACES,)), ("n_faces", "i4"), ("goal", "i4")], align=True)


class CherryRules(GameRules):
    """All constants of Hi Ho! Cherry-O."""

    spinner: tuple[int | Literal["spill"], ...] = constant(
        (1, 2, 3, 4, -2, -2, "spill"),
        min_length=1,
        max_length=MAX_FACES,
        unit="list of faces",
        description="Equally likely faces: cherries picked, or lost to bird and dog, or the whole bucket spilled.",
        source=rulebook("On your turn"),
    )
    goal: int = constant(10, ge=1, le=MOST, unit="cherries", description="Cherries on a tree; all of them win.", source=rulebook("Set up"))


def pack(rules: CherryRules) -> np.ndarray[Any, Any]:
    """The rules as an array of one PACKED record; a spill takes as many cherries as there can be."""
    packed = np.zeros(1, PACKED)
    faces = [-MOST if face == "spill" else min(max(face, -MOST), MOST) for face in rules.spinner]
    packed["face"][0, : len(faces)] = faces
    packed["n_faces"], packed["goal"] = len(faces), rules.goal
    return packed


@jit
def deal(state: Record, rules: Record, chance: Record) -> None:  # noqa: ARG001  nothing is dealt by chance
    """Every bucket is empty."""
    state.bucket[:] = 0
    note(state, DEALT, 0, 0, 0)


@jit
def advance(state: Record, rules: Record, chance: Record) -> Any:
    """Everybody spins in turn until one has all the cherries; always OVER, since nobody ever decides anything."""
    while begin_turn(state):
        seat = (state.turn - 1) % state.seats
        # four turns that follow one another are the four words of one block
        spun = below(chance, SPINNER + (state.turn & 3), state.turn >> 2, rules.n_faces)
        state.bucket[seat] = min(max(state.bucket[seat] + rules.face[spun], 0), rules.goal)
        note(state, SPUN, seat, spun, state.bucket[seat])
        if state.bucket[seat] == rules.goal:
            break
    return np.int64(OVER)


@jit
def observe(state: Record, rules: Record, view: Record) -> None:
    """Never asked for, with nobody to decide."""


@jit
def apply(state: Record, rules: Record, chance: Record, option: Any) -> None:
    """Never asked for, with nothing to decide; and nothing to do as `redeal`, with nothing hidden."""


@jit
def payoff(state: Record, rules: Record, seat: Any) -> Any:
    """1.0 for the seat that has all the cherries of its tree, else 0.0."""
    return 1.0 if state.bucket[seat] == rules.goal else 0.0


def metrics(rules: CherryRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row."""
    return (
        *(Metric(f"wins.{i}", f"Seat {i} wins", "share", "share", 0, 1, headline=True, outcome=True) for i in range(players)),
        Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True),
        Metric("turns", "Turns", "turns", "count", 0, rules.turn_cap, headline=True, description="Turns of all seats together."),
    )


@jit
def score(state: Record, rules: Record, row: Any) -> None:
    """Write the row, int32, in the order of `metrics`."""
    for seat in range(state.seats):
        row[seat] = 1 if state.bucket[seat] == rules.goal else 0
    row[state.seats] = 1 if state.status == UNFINISHED else 0
    row[state.seats + 1] = state.turn


class CherryStory:
    """Hi Ho! Cherry-O told in plain sentences."""

    def sentences(self, rules: CherryRules, events: list[tuple[int, int, int, int]]) -> list[str]:
        """One sentence for each event."""
        spin = "Seat {} spins {} and has {} of {} cherries now."
        return [spin.format(a, rules.spinner[b], c, rules.goal) if code == SPUN else "Every bucket is empty." for code, a, b, c in events]

    def question(self, *_: Any) -> str:
        """Never asked for, with nothing to decide; nor is `option`."""
        return ""

    option = question


GAME = Game(
    name="cherry",
    title="Hi Ho! Cherry-O",
    version="1",
    players=(1, 4),
    cooperative=False,
    rules=CherryRules,
    pack=pack,
    state=STATE,
    view=VIEW,
    deal=deal,
    advance=advance,
    observe=observe,
    apply=apply,
    score=score,
    payoff=payoff,
    redeal=apply,
    metrics=metrics,
    decisions=(),
    default_strategy="uniform",
    verdict=lambda players: tuple(f"wins.{seat}" for seat in range(players)),
    closeness=None,
    breakdowns=(),
    summary="Spin to fill your bucket with ten cherries; nobody ever decides anything.",
    story=CherryStory(),
    file=Path(__file__),
    classic=True,
    seconds_per_turn=10,
    pace_note="assumed: one spin and some cherries to move",
    box_length=BoxLength(rounds=(3, 100), minutes=(1, 60), why="a first game for small children"),
    players_note="most: four trees on the board; fewest: ours, since one player alone has a known answer",
)
