"""Following the draws of a game: whether any two of a playout have the same address, and so the same number.

A game that uses one address for two things, such as a die and the card after it, gets the same number for both; nothing
fails, and the two hang together. Here playouts are played step by step while every draw is noted. The compiled code is the
one that always plays, and nothing is slower where no draws are noted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simulator.errors import MisbehaviourError, place_of
from simulator.kernel.chance import BLUNDER_BLOCK, CHANCE, CHOICE_BLOCKS, MOST_NOTED, begin_playout
from simulator.play.step_faults import failure
from simulator.play.stepper import CHOOSE, RaisedError, Stepper
from simulator.play.table import Table

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment

PLAYOUTS = 20
"""Playouts that are followed where nobody says how many."""

_DECISIONS = 20_000
"""A longer playout is followed no further."""

_REDEALS = 12
"""Decisions of a playout at which what the seat cannot see is dealt afresh as well, under a key of its own."""

_LANES = CHANCE["word"].shape[-1]
_OCCASIONS = 1 << 32


class Draw(NamedTuple):
    """A draw.

    Attributes:
        deal: 0 for those of the playout, else the number of the redeal that it belongs to.
        purpose, occasion: its address.
        step: the game's function that drew it, or "choose".
        turn: turns begun by then.
    """

    deal: int
    purpose: int
    occasion: int
    step: str
    turn: int


@dataclass(frozen=True)
class Followed:
    """What became of following some playouts.

    Attributes:
        draws: how many draws were looked at.
        fault: what is wrong with the last of them, as a sentence; None where nothing is.
    """

    draws: int
    fault: str | None


def check_draws(experiment: Experiment, playouts: int = PLAYOUTS) -> None:
    """Refuse a game of which two draws have one address.

    Raises:
        MisbehaviourError: it draws twice from one address, or from one that is not its own.
    """
    fault = follow_draws(experiment, playouts).fault
    if fault:
        raise MisbehaviourError(fault)


def follow_draws(experiment: Experiment, playouts: int = PLAYOUTS) -> Followed:
    """Play playouts step by step and look at every draw, those of `redeal` included.

    Args:
        experiment: the question; its seats choose by their strategies, and the more they vary, the more is seen.
        playouts: how many, from the first on.

    Raises:
        MisbehaviourError: the game raises an error.
    """
    table = Table(experiment.game, experiment.rules, experiment.lineup)
    table.note_draws()
    stepper, draws = Stepper(table, experiment.seed), 0
    for playout in range(playouts):
        seen: dict[tuple[int, int, int], Draw] = {}
        try:
            for draw in _drawn(stepper, playout):
                draws += 1
                earlier = seen.setdefault(draw[:3], draw)
                reason = _out_of_range(draw) if earlier is draw else _twice(experiment, earlier, draw)
                if reason:
                    return Followed(draws, _sentence(experiment, playout, draw, reason))
        except RaisedError as error:
            raise MisbehaviourError(failure(experiment, playout, error)) from None
    return Followed(draws, None)


def _drawn(stepper: Stepper, playout: int) -> Iterator[Draw]:
    """The draws of a playout, as it is played."""
    _noted(stepper, "")
    stepper.deal(playout)
    yield from _noted(stepper, "deal")
    redeals = 0
    for _ in range(_DECISIONS):
        if not stepper.advance():
            break
        yield from _noted(stepper, "turn")
        option = 0
        if stepper.asked:
            if redeals < _REDEALS:
                redeals += 1
                yield from _redealt(stepper, redeals)
            stepper.observe()
            option = stepper.choose()
            yield from _noted(stepper, CHOOSE)
        stepper.apply(option)
    yield from _noted(stepper, "turn")


def _redealt(stepper: Stepper, number: int) -> list[Draw]:
    """The draws of dealing afresh what the deciding seat cannot see; the playout goes on as if nothing had been."""
    table = stepper.table
    kept = table.memory.copy()
    begin_playout(table.chance[0], ~stepper.seed, np.uint64(number))
    stepper.redeal(stepper.seat)
    drawn = _noted(stepper, "redeal", number)
    table.memory[:] = kept
    return drawn


def _noted(stepper: Stepper, step: str, deal: int = 0) -> list[Draw]:
    """What was drawn since this was last asked; where it was too much, the beginning of it."""
    notes, turn = stepper.table.notes[0], int(stepper.table.head["turn"])
    n = min(int(notes["count"]), MOST_NOTED)
    notes["count"] = 0
    return [Draw(deal, int(purpose), int(occasion), step, turn) for purpose, occasion in notes["draw"][:n]]


def _twice(experiment: Experiment, first: Draw, second: Draw) -> str:
    if first.step == second.step == CHOOSE:
        decision = experiment.game.decisions[first.purpose] if first.purpose < len(experiment.game.decisions) else first.purpose
        return f"asks for decision '{decision}' twice with one turn, seat and `step`, so that both get one random number; count `step` up"
    where = f"in `{first.step}` (turn {first.turn}) and in `{second.step}` (turn {second.turn})"
    return (
        f"draws {_purpose(second)} on occasion {second.occasion} twice, {where}, and gets the same number twice; "
        "one of the draws needs a purpose or an occasion of its own"
    )


def _purpose(draw: Draw) -> str:
    block, lane = divmod(draw.purpose, _LANES)
    return f"purpose_block({block - CHOICE_BLOCKS}) + {lane}"


def _out_of_range(draw: Draw) -> str:
    if not 0 <= draw.occasion < _OCCASIONS:
        return f"draws on occasion {draw.occasion} in `{draw.step}`; an occasion has to be between 0 and 2**32 - 1"
    if draw.step != CHOOSE and not CHOICE_BLOCKS <= draw.purpose // _LANES < BLUNDER_BLOCK:
        return f"draws for purpose {draw.purpose} in `{draw.step}`, which is none of a game's; make purposes with purpose_block"
    return ""


def _sentence(experiment: Experiment, playout: int, draw: Draw, reason: str) -> str:
    game = experiment.game
    place = place_of(getattr(game, draw.step, game.turn))
    seen = f"playout {playout} of seed {experiment.seed}, {experiment.players} at the table"
    return f"Game '{game.name}' ({place}) {reason} (seen in {seen})."
