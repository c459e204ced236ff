"""What all studies are: a question as a frozen dataclass, and what was found.

A study's fields are the options of its command and its keywords in Python. It plans without playing, so that what cannot be
asked is refused first; it plays with resources that do not change the result; and what it found becomes a document, from
which the terminal, the page, the tables and the Markdown are made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from simulator import registry
from simulator.document.language import clean
from simulator.play.resources import Resources
from simulator.play.run import make_experiment
from simulator.stats.digests import joint_digest

if TYPE_CHECKING:
    from simulator.document.document import Document
    from simulator.game import Game
    from simulator.play.experiment import Experiment


class Plan(Protocol):
    """A part of a question that is played as a whole, usually that for one number of players."""

    @property
    def size(self) -> int:
        """How many playouts it takes, at most."""


class Part(Protocol):
    """What was found in one part of a question."""

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""

    @property
    def digest(self) -> str:
        """Hash of all that was counted."""

    @property
    def elapsed_s(self) -> float:
        """Seconds it took."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""


P = TypeVar("P", bound=Plan)
F = TypeVar("F", bound=Part)


@dataclass(frozen=True)
class Setup:
    """What every question about a game starts from.

    Attributes:
        game: what is played.
        players: how many sit at the table; each number is asked about.
        strategies: who plays; none means the game's default.
        rules: dotted key to value, for what differs from the rules as shipped.
        seed: key of all random draws.
    """

    game: Game
    players: tuple[int, ...] = (4,)
    strategies: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1

    def experiment(self, players: int, strategies: Sequence[str] | None = None) -> Experiment:
        """What is played with so many players, by the strategies of the question or by others.

        Raises:
            UserError: something of it does not exist or is not possible.
        """
        seated = self.strategies if strategies is None else strategies
        return make_experiment(self.game, players=players, strategies=seated, rules=self.rules, seed=self.seed)


def notes_of(experiments: Iterable[Experiment]) -> tuple[str, ...]:
    """What a designer should know about the rules of experiments, each once."""
    return tuple(dict.fromkeys(note for experiment in experiments for note in experiment.rules.notes()))


@dataclass(frozen=True)
class Question(ABC, Generic[P, F]):
    """What can be asked; its docstring is the help of its command, its first line the short one."""

    saved: ClassVar[str] = "figures"
    """What --save lists."""

    anytime: ClassVar[bool] = False
    """Whether its intervals hold whenever the playing stops."""

    @classmethod
    def of(cls, *asked: Any, **options: Any) -> Any:
        """The question; `options` are its fields."""
        return cls(*asked, **options)

    @classmethod
    def ask(cls, *asked: Any, workers: Any = None, ledger: Any = None, stage: Any = None, **options: Any) -> Any:
        """Ask it, of a study at one number of players, and play it: `of` and `play` in one, for the part that is found.

        Args:
            *asked: what the question is about, such as a game.
            workers: who plays.
            ledger: where what was played is remembered.
            stage: shows where long work stands.
            **options: what else `of` takes.

        Raises:
            UserError: something of it does not exist or cannot be played.
        """
        with_what = Resources(workers, ledger) if stage is None else Resources(workers, ledger, stage)
        return cls.of(*asked, **options).play(with_what).parts[0]

    @property
    @abstractmethod
    def plans(self) -> tuple[P, ...]:
        """What will be played, part by part, usually one for each number of players; best a `cached_property`.

        Raises:
            UserError: something of the question does not exist or is not possible.
        """

    @abstractmethod
    def play_part(self, plan: P, resources: Resources) -> F:
        """Play one part. Ctrl-C keeps what is done.

        Raises:
            KeyboardInterrupt: nothing is done that could be kept.
        """

    def play(self, resources: Resources | None = None) -> Finding[F]:
        """Play one part after the other. Ctrl-C keeps what is done, and nothing more is begun.

        Raises:
            UserError: something cannot be asked, or a strategy broke its contract.
            KeyboardInterrupt: interrupted before there was anything to show.
        """
        parts: list[F] = []
        for plan in self.plans:
            try:
                parts.append(self.play_part(plan, resources or Resources()))
            except KeyboardInterrupt:
                break
            if parts[-1].interrupted:
                break
        if not parts:
            raise KeyboardInterrupt
        interrupted = len(parts) < len(self.plans) or parts[-1].interrupted
        return Finding(self, self.together(tuple(parts), interrupted=interrupted), interrupted)

    def together(self, parts: tuple[F, ...], *, interrupted: bool) -> tuple[F, ...]:
        """The parts once all are played, such as judged as one family."""
        del interrupted
        return parts

    @abstractmethod
    def document(self, parts: Sequence[F]) -> Document:
        """What was found in chapters, sentences and tables; how it was made is added by the finding."""

    def as_dict(self, parts: Sequence[F]) -> dict[str, Any]:
        """For JSON."""
        return {"results": [part.as_dict() for part in parts]}

    def notes(self) -> Sequence[str]:
        """What to say before anything is played, and on the page among what to know first."""
        return ()

    def interruption(self, parts: Sequence[F]) -> str:
        """What to say of figures that Ctrl-C cut short, where their intervals are no confidence sequences."""
        del parts
        if self.anytime:
            return ""
        return "Its intervals are for a number of games fixed beforehand: they hold less often if you stopped for what you saw."

    def answer(self, parts: Sequence[F]) -> bool | None:
        """What the exit code says: whether what was asked holds, None where that is open."""
        del parts
        return True

    def files(self, parts: Sequence[F]) -> Iterable[tuple[Any, bytes | None, str]]:
        """What its own options write beside the usual: path, content, and a sentence that says so, or why there is none."""
        del parts
        return ()


@dataclass(frozen=True)
class Study(Question[P, F]):
    """A question about a game, made of several experiments."""

    setup: Setup

    each_number: ClassVar[str]
    """What is done with each number of players, for the help: "each is looked at."."""

    strategies_are: ClassVar[str | None] = ""
    """What --strategy names where it does not say who sits in which seat; None where there is no such option."""

    @classmethod
    def of(
        cls,
        game: str | Game,
        *,
        players: int | Sequence[int] = 4,
        strategies: Sequence[str] = (),
        rules: Mapping[str, Any] | None = None,
        seed: int = 1,
        **options: Any,
    ) -> Any:
        """The question about a game, its name or the path of its file; `options` are the study's own fields.

        Raises:
            UserError: there is no such game.
        """
        seated = (players,) if isinstance(players, int) else tuple(players)
        return cls(Setup(registry.game(game), seated, tuple(strategies), rules or {}, seed), **options)


@dataclass(frozen=True)
class Finding(Generic[F]):
    """What a study found.

    Attributes:
        study: the question.
        parts: the answers, usually one for each number of players.
        interrupted: whether Ctrl-C ended it before all was played.
    """

    study: Question[Any, F]
    parts: tuple[F, ...]
    interrupted: bool

    @property
    def digest(self) -> str:
        """Hash of all that was counted."""
        return self.parts[0].digest if len(self.parts) == 1 else joint_digest(part.digest for part in self.parts)

    @property
    def elapsed_s(self) -> float:
        """Seconds it took, once everything was compiled."""
        return sum(part.elapsed_s for part in self.parts)

    @property
    def answer(self) -> bool | None:
        """Whether what was asked holds; None where that is open."""
        return self.study.answer(self.parts)

    def document(self) -> Document:
        """What was found, and how it was made."""
        seed = (("Seed", str(self.study.setup.seed)),) if isinstance(self.study, Study) else ()
        digests = ", ".join(part.digest for part in self.parts)
        made = (*seed, ("Elapsed", f"{self.elapsed_s:.1f} s"), ("Digest", digests))
        document = self.study.document(self.parts)
        return replace(document, made=made, warnings=tuple(dict.fromkeys((*document.warnings, *map(clean, self.study.notes())))))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return self.study.as_dict(self.parts)
