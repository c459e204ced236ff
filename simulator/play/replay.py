"""Telling one playout turn by turn, and finding one worth telling."""

from __future__ import annotations

import shlex
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from simulator.errors import MisbehaviourError, UserError, described
from simulator.play.experiment import plan
from simulator.rules import constants, to_text

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.experiment import Experiment

Find = Literal["longest", "shortest", "closest", "biggest-win", "upset"]
FINDS: tuple[Find, ...] = get_args(Find)

MAX_ALTERNATIVES = 8
"""A decision with more options than this is told with the number of the others."""


@dataclass(frozen=True)
class Told:
    """A playout in words.

    Attributes:
        playout: its number.
        turns: for each turn, and for the set-up first, a heading and its sentences.
        row: metric to value.
    """

    playout: int
    turns: tuple[tuple[str, tuple[str, ...]], ...]
    row: dict[str, int]

    def text(self) -> str:
        """As plain text, one sentence a line."""
        blocks = [f"{heading}\n" + "".join(f"  {line}\n" for line in lines) for heading, lines in self.turns]
        return "\n".join(blocks)


def tell(experiment: Experiment, playout: int) -> Told:
    """Play one playout again and tell it, with every choice and its alternatives. Ctrl-C is heeded.

    Raises:
        MisbehaviourError: the game does not come back, or it or its story fails.
    """
    from simulator.play.step_faults import step_patiently  # noqa: PLC0415  importing Numba takes a third of a second
    from simulator.play.stepper import Stepper  # noqa: PLC0415
    from simulator.play.table import Table  # noqa: PLC0415

    stepper = Stepper(Table(experiment.game, experiment.rules, experiment.lineup), experiment.seed)
    return step_patiently(experiment, playout, stepper, lambda: _tell(experiment, playout, stepper))


def _tell(experiment: Experiment, playout: int, stepper: Any) -> Told:
    stepper.listen()
    stepper.deal(playout)
    beginning = experiment.game.story.beginning(experiment.rules) if hasattr(experiment.game.story, "beginning") else []
    turns: list[tuple[str, list[str]]] = [("Set up", beginning)]
    for turn, sentences in _passages(experiment, stepper):
        if turn:
            turns.append((f"Turn {turn}", []))
        turns[-1][1].extend(sentences)
    row = {m.name: int(v) for m, v in zip(stepper.table.metrics, stepper.row(), strict=True)}
    if row["unfinished"]:
        turns[-1][1].append("The turn cap ends the playout here; it counts as unfinished.")
    if not turns[0][1]:
        del turns[0]  # nothing of the set-up can be seen
    return Told(playout, tuple((heading, tuple(lines)) for heading, lines in turns), row)


def _passages(experiment: Experiment, stepper: Any) -> Iterator[tuple[int, list[str]]]:
    """Pieces of the story in order; a piece that begins a turn carries its number, the others 0."""
    yield from _told_events(experiment, stepper.events())
    while stepper.advance():
        yield from _told_events(experiment, stepper.events())
        option = 0
        if stepper.asked:
            view = stepper.observe()
            option = stepper.choose()
            yield 0, [_choice(experiment, stepper.seat, view, option)]
        stepper.apply(option)
        yield from _told_events(experiment, stepper.events())
    yield from _told_events(experiment, stepper.events())


def _told_events(experiment: Experiment, events: list[tuple[int, int, int, int]]) -> Iterator[tuple[int, list[str]]]:
    from simulator.kernel.events import TURN_BEGINS  # noqa: PLC0415  importing Numba takes a third of a second
    from simulator.play.stepper import TOO_MANY  # noqa: PLC0415

    story = _Story(experiment.game)
    passage: tuple[int, list[tuple[int, int, int, int]]] = (0, [])
    for event in events:
        if event[0] == TURN_BEGINS:
            yield passage[0], story.sentences(experiment.rules, passage[1])
            passage = (event[1], [])
        elif event[0] == TOO_MANY:
            yield passage[0], [*story.sentences(experiment.rules, passage[1]), f"Here {event[1]:,} more events passed without a choice."]
            return
        else:
            passage[1].append(event)
    yield passage[0], story.sentences(experiment.rules, passage[1])


def _choice(experiment: Experiment, seat: int, view: Any, chosen: int) -> str:
    story, rules = _Story(experiment.game), experiment.rules
    n = int(view.n_options)
    taken = story.option(rules, view, chosen)
    others = f"{n - 1} other options"
    if n <= MAX_ALTERNATIVES:
        others = "; ".join(story.option(rules, view, i) for i in range(n) if i != chosen)
    return f"Seat {seat} chooses {story.question(rules, view)}: {taken}. [not: {others}]"


class _Story:
    """A game's story, of which a failure is one sentence."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._game.story, name)

        def told(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except Exception as error:  # noqa: BLE001  whatever somebody else's story raises
                frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
                place = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else str(self._game.file)
                message = f"The story of game '{self._game.name}' fails in `{name}` ({place}): {described(error)}."
                raise MisbehaviourError(message) from None

        return told


def find(experiment: Experiment, what: Find, games: int) -> int:
    """Number of the longest, shortest, closest or most decisively won of the first `games` playouts, or of an upset; of equals, the first.

    An upset is won by whoever wins fewest of them, in a cooperative game by the players or by what they play against; it is the most
    decisive of these, if the game says how close it was.

    Raises:
        UserError: the game has no metric that says how close a playout was, or for an upset no playout finished.
    """
    if what == "upset":
        return _upset(experiment, games)
    column, key = _search(experiment, what)
    best, best_value = 0, None
    for first, rows in _batches(experiment, games):
        values = key(rows[:, column])
        i = int(np.argmax(values))
        if best_value is None or values[i] > best_value:
            best, best_value = first + i, values[i]
    return best


def _upset(experiment: Experiment, games: int) -> int:
    names, closeness = [m.name for m in experiment.metrics], experiment.game.closeness
    won = [m.outcome and m.name != "unfinished" and (experiment.game.cooperative or m.name.startswith("wins.")) for m in experiment.metrics]
    endings = np.flatnonzero(won).tolist()  # nobody is upset by a draw
    seen: dict[int, tuple[int, int, int]] = {}  # of each ending: how often, how decisive at most, in which playout
    for first, rows in _batches(experiment, games):
        decisive = abs(rows[:, names.index(closeness)]) if closeness else np.zeros(len(rows), np.int64)
        for ending in endings:
            so = np.flatnonzero(rows[:, ending])
            if len(so):
                i = so[np.argmax(decisive[so])]
                often, most, where = seen.get(ending, (0, -1, 0))
                most, where = (int(decisive[i]), first + int(i)) if decisive[i] > most else (most, where)
                seen[ending] = often + len(so), most, where
    if not seen:
        message = f"None of the first {games:,} playouts finished, so there is no upset among them; look at more with --games."
        raise UserError(message)
    return min(seen.values(), key=lambda found: found[0])[2]


def _batches(experiment: Experiment, games: int) -> Iterator[tuple[int, np.ndarray[Any, Any]]]:
    """Number of the first playout, and the rows, of each batch."""
    from simulator.play.table import Table  # noqa: PLC0415  importing Numba takes a third of a second

    table = Table(experiment.game, experiment.rules, experiment.lineup)
    for batch in plan(games):
        rows = np.zeros((batch.count, len(experiment.metrics)), np.int32)
        _play_batch(experiment, table, batch.first, rows)
        yield batch.first, rows.astype(np.int64)


def _play_batch(experiment: Experiment, table: Any, first: int, rows: Any) -> None:
    from simulator.kernel.turns import PLAYED  # noqa: PLC0415
    from simulator.play.faults import explain_fault  # noqa: PLC0415  only where something goes wrong
    from simulator.play.patience import attended  # noqa: PLC0415

    _, fault = attended(lambda: table.play(experiment.seed, first, rows, np.zeros(2, np.int64)))
    if fault["status"] != PLAYED:
        raise MisbehaviourError(explain_fault(experiment, fault))


def _search(experiment: Experiment, what: Find) -> tuple[int, Any]:
    names = [m.name for m in experiment.metrics]
    if what in {"longest", "shortest"}:
        return names.index("turns"), (lambda turns: turns) if what == "longest" else (lambda turns: -turns)
    closeness = experiment.game.closeness
    if closeness is None:
        message = (
            f"{experiment.game.title} has no metric that says how close a game was; --find longest, shortest and upset work for every game."
        )
        raise UserError(message)
    return names.index(closeness), (lambda margin: -abs(margin)) if what == "closest" else (lambda margin: margin)


def replay_command(experiment: Experiment, strategies: Sequence[str], playout: int) -> str:
    """The command line that tells a playout; `strategies` as they were named."""
    words = ["simulate", "replay", experiment.game.called, "--game", str(playout), "--players", str(experiment.players)]
    words += ["--seed", str(experiment.seed)]
    for strategy in strategies:
        words += ["--strategy", strategy]
    for constant in constants(experiment.rules):
        if constant.changed:
            words += ["--set", f"{constant.key}={to_text(constant.value)}"]
    return shlex.join(words)
