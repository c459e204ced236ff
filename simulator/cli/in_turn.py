"""Questions that are played one after the other, and Ctrl-C in the middle of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from simulator.cli import show
from simulator.cli.exits import EXIT_DONE, EXIT_INTERRUPTED


class Plan(Protocol):
    """A question for one number of players."""

    @property
    def players(self) -> int:
        """How many sit at the table."""

    @property
    def size(self) -> int:
        """How many playouts it takes."""


class Answer(Protocol):
    """What was found for one number of players."""

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""


Asked = TypeVar("Asked")
Asks = TypeVar("Asks", bound=Plan)
Answers = TypeVar("Answers", bound=Answer)
Found = TypeVar("Found")


def play_in_turn(asked: Iterable[Asked], play: Callable[[Asked], Found], interrupted: Callable[[Found], bool]) -> list[Found]:
    """Play one question after the other; what is done when Ctrl-C comes is kept, and nothing more is begun.

    Args:
        asked: the questions, usually one for each number of players.
        play: plays one of them.
        interrupted: whether Ctrl-C ended one that nevertheless found something.
    """
    found: list[Found] = []
    for question in asked:
        try:
            found.append(play(question))
        except KeyboardInterrupt:
            break
        if interrupted(found[-1]):
            break
    return found


def answer(
    plans: Sequence[Asks],
    play: Callable[..., Answers],
    write: Callable[[list[Answers]], None],
    tell: Callable[[list[Answers]], None] | None,
) -> int:
    """Play a question with one number of players after the other, write and tell what was found; the exit code.

    Args:
        plans: the question for each number of players.
        play: plays one of them, and keeps a bar moving by `progress`.
        write: writes the files that were asked for.
        tell: prints; JSON unless given.
    """

    def one(plan: Asks) -> Answers:
        with show.compiling_note(), show.counting_bar(f"{plan.players} players", plan.size) as progress:
            return play(plan, progress=progress)

    found = play_in_turn(plans, one, lambda one: one.interrupted)
    if not found:
        raise KeyboardInterrupt
    interrupted = len(found) < len(plans) or found[-1].interrupted
    if interrupted:
        show.interrupted(show.STOPPED)
    write(found)
    if tell is None:
        show.print_json({"results": [one.as_dict() for one in found]})
    else:
        tell(found)
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE
