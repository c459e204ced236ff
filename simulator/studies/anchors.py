"""Anchors: what is known exactly about the classics, as data.

Each anchor says what to play, what to read off the tally, and which exact value it has to come near; and, so that it can
fail, at least one mutation: another question whose exact value is another one, and which has to be told apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from simulator.stats.tally import Histogram

Statistic = Literal["mean", "variance", "sd", "share"]


@dataclass(frozen=True)
class Question:
    """What to play, and what to read off.

    Attributes:
        game, players, strategies, rules: the experiment; no strategies mean the game's default.
        metric: whose histogram is read.
        statistic: what is taken of it.
        values: for a share, the smallest and the largest value that count.
        games: playouts that settle it.
    """

    game: str
    players: int
    metric: str
    strategies: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    statistic: Statistic = "mean"
    values: tuple[int, int] = (1, 1)
    games: int = 400_000

    @property
    def experiment(self) -> dict[str, Any]:
        """Arguments of `simulator.play.run` but the number of games."""
        return {"game": self.game, "players": self.players, "strategies": self.strategies, "rules": dict(self.rules)}


@dataclass(frozen=True)
class Answer:
    """A question and its exact value as it is printed, so that the number of digits says how far it is known."""

    name: str
    question: Question
    printed: str

    @property
    def exact(self) -> float:
        """The value as a number."""
        return float(self.printed)

    @property
    def rounding(self) -> float:
        """By how much the printed value may be off."""
        return 0.5 * 10.0 ** -len(self.printed.partition(".")[2])

    def z(self, histogram: Histogram) -> float:
        """How many standard errors the estimate lies above the exact value; what is impossible has none."""
        estimate, error = estimated(self.question, histogram, self.exact)
        if error == 0:
            return 0.0 if estimate == self.exact else math.inf
        return (estimate - self.exact) / error


@dataclass(frozen=True)
class Anchor(Answer):
    """An answer with its source and the mutations that have to be told apart from it."""

    source: str = ""
    mutations: tuple[Answer, ...] = ()


def estimated(question: Question, histogram: Histogram, exact: float) -> tuple[float, float]:
    """The estimate of a question's statistic and its standard error; for a share the error is the exact value's."""
    n = histogram.n
    low, high = question.values
    if question.statistic == "share":
        hits = int(histogram.totals[(histogram.values >= low) & (histogram.values <= high)].sum())
        return hits / n, math.sqrt(exact * (1 - exact) / n)
    total, squares = histogram.moments()
    mean, variance = total / n, (squares - total * total / n) / (n - 1)
    if question.statistic == "mean":
        return mean, math.sqrt(variance / n)
    fourth = float(((histogram.values - mean) ** 4 * histogram.totals).sum()) / n
    error = math.sqrt((fourth - variance**2) / n)  # of the variance
    if question.statistic == "variance":
        return variance, error
    return math.sqrt(variance), error / (2 * math.sqrt(variance))


def _anchor(name: str, question: Question, printed: str, source: str, *mutations: tuple[str, str, dict[str, Any]]) -> Anchor:
    """An anchor whose mutations are given as what is different, the exact value, and the fields of the question that change."""
    changed = tuple(Answer(f"{name}: {what}", replace(question, **fields), value) for what, value, fields in mutations)
    return Anchor(name, question, printed, source, changed)


_COMPUTED = "computed by dynamic programming or a linear system from the rules"

# ---------------------------------------------------------------- Pig
_NELLER = "Neller and Presser, Optimal play of the dice game Pig, 2004, print .5306"
_TURN = "Neller's page on Pig prints the distribution of a turn of hold at 20"
_STRICT_FIRST = {"strategies": ("strict_hold:at=20", "hold:at=20")}
_STRICT_FIRST_25 = {"strategies": ("strict_hold:at=25", "hold:at=25")}
_FIFTEEN = {"strategies": ("hold:at=15",)}


def _pig(metric: str, *strategies: str) -> Question:
    share = metric.startswith("wins")
    return Question("pig", 2 if share else 1, metric, strategies, {}, "share" if share else "mean")


def _turn(statistic: Statistic, low: int = 0, high: int = 0) -> Question:
    """One turn: a player alone whom the turn cap stops after it."""
    return Question("pig", 1, "score.0", ("hold:at=20",), {"turn_cap": 1}, statistic, (low, high))


_PIG = (
    _anchor(
        "Pig, optimal against optimal, first wins",
        _pig("wins.0", "optimal", "optimal"),
        "0.5305927",
        _NELLER,
        ("the second holds strictly at 20", "0.5997231", {"strategies": ("optimal", "strict_hold:at=20")}),
    ),
    _anchor(
        "Pig, both hold at 20 or goal, first wins",
        _pig("wins.0", "hold:at=20", "hold:at=20"),
        "0.5346983",
        _COMPUTED,
        ("the first holds strictly at 20", "0.4914455", _STRICT_FIRST),
    ),
    _anchor(
        "Pig, both hold at 25 or goal, first wins",
        _pig("wins.0", "hold:at=25", "hold:at=25"),
        "0.5297556",
        _COMPUTED,
        ("the first holds strictly at 25", "0.4944903", _STRICT_FIRST_25),
    ),
    _anchor(
        "Pig, optimal first against hold at 20 or goal, optimal wins",
        _pig("wins.0", "optimal", "hold:at=20"),
        "0.5714984",
        _COMPUTED,
        ("a strict hold at 20", "0.5997231", {"strategies": ("optimal", "strict_hold:at=20")}),
    ),
    _anchor(
        "Pig, optimal second against hold at 20 or goal, optimal wins",
        _pig("wins.1", "hold:at=20", "optimal"),
        "0.5083421",
        _COMPUTED,
        ("a strict hold at 20", "0.5377847", {"strategies": ("strict_hold:at=20", "optimal")}),
    ),
    _anchor(
        "Pig, turns alone to 100, hold at 20 or goal",
        _pig("turns", "hold:at=20"),
        "12.6367695",
        "Neller's simulation gives 12.634906",
        ("a strict hold at 20", "13.3170157", {"strategies": ("strict_hold:at=20",)}),
    ),
    _anchor("Pig, a turn of hold at 20 brings nothing", _turn("share"), "0.624541", _TURN, ("hold at 15", "0.529550", _FIFTEEN)),
    _anchor("Pig, a turn of hold at 20, mean", _turn("mean"), "8.1417949", _COMPUTED, ("hold at 15", "7.8475973", _FIFTEEN)),
    _anchor("Pig, a turn of hold at 20, variance", _turn("variance"), "111.0713", _COMPUTED, ("hold at 15", "70.3301", _FIFTEEN)),
    *(
        _anchor(
            f"Pig, a turn of hold at 20 brings {points}", _turn("share", points, points), chance, _TURN, ("hold at 15", other, _FIFTEEN)
        )
        for points, chance, other in (
            (20, "0.099713", "0.021895"),
            (21, "0.094991", "0.000000"),
            (22, "0.074189", "0.000000"),
            (23, "0.054196", "0.000000"),
            (24, "0.035198", "0.000000"),
            (25, "0.017173", "0.000000"),
        )
    ),
)

# ---------------------------------------------------------------- Chutes and Ladders
JUMPS = (
    *((1, 38), (4, 14), (9, 31), (16, 6), (21, 42), (28, 84), (36, 44), (47, 26), (49, 11), (51, 67)),
    *((56, 53), (62, 19), (64, 60), (71, 91), (80, 100), (87, 24), (93, 73), (95, 75), (98, 78)),
)
_MOVED = {"rules": {"board.jumps": tuple((48 if start == 47 else start, end) for start, end in JUMPS)}}  # noqa: PLR2004  the chute that moves
_OVERSHOOT = {"rules": {"board.landing": "overshoot"}}
_BOUNCE = {"rules": {"board.landing": "bounce"}}
_TWELVE = {"rules": {"die.sides": 12}}


def _alone(game: str, statistic: Statistic, low: int = 0, high: int = 0, games: int = 400_000) -> Question:
    return Question(game, 1, "turns", (), {}, statistic, (low, high), games)


def _seats(game: str, title: str, *shares: str, games: int = 1_000_000) -> tuple[Anchor, ...]:
    """The seats' shares of wins; each has to be told from that of the next seat."""
    return tuple(
        _anchor(
            f"{title}, {len(shares)} players, seat {seat} wins",
            Question(game, len(shares), f"wins.{seat}", (), {}, "share", games=games),
            share,
            _COMPUTED,
            ("counted for the next seat", shares[(seat + 1) % len(shares)], {"metric": f"wins.{(seat + 1) % len(shares)}"}),
        )
        for seat, share in enumerate(shares)
    )


_LADDERS = (
    _anchor(
        "Chutes and Ladders, turns alone, mean",
        _alone("ladders", "mean", games=1_000_000),
        "39.2251223",
        _COMPUTED,
        ("overshoot wins", "35.8349", _OVERSHOOT),
        ("bounce back", "43.3246", _BOUNCE),
        ("the chute from 47 starts at 48", "39.5984", _MOVED),
    ),
    _anchor(
        "Chutes and Ladders, turns alone, sd",
        _alone("ladders", "sd", games=1_000_000),
        "25.22496",
        _COMPUTED,
        ("overshoot wins", "23.35380", _OVERSHOOT),
    ),
    _anchor(
        "Chutes and Ladders alone, exactly 7 turns",
        _alone("ladders", "share", 7, 7, games=1_000_000),
        "0.00151106",
        _COMPUTED,
        ("a die of twelve", "0.01136342", _TWELVE),
    ),
    _anchor(
        "Chutes and Ladders alone, at most 32 turns, the median",
        _alone("ladders", "share", 0, 32, games=1_000_000),
        "0.5000527",
        _COMPUTED,
        ("overshoot wins", "0.5637338", _OVERSHOOT),
    ),
    *_seats("ladders", "Chutes and Ladders", "0.507912", "0.492088"),
    *_seats("ladders", "Chutes and Ladders", "0.342989", "0.333231", "0.323781"),
    *_seats("ladders", "Chutes and Ladders", "0.260079", "0.253225", "0.246575", "0.240122"),
)

# ---------------------------------------------------------------- First Orchard
_SIMULATED = {
    (4, 5, 1): "public simulations of the best play give 63.2%",
    (4, 6, 1): "public simulations of 100,000 games give 76.845, 73.742 and 70.061%",
    (10, 9, 2): "a public simulation of the best play gives 68.28%",
}


def _orchard(fruit: int, steps: int, picks: int, *chances: str) -> tuple[Anchor, ...]:
    """Best play, random play, worst play; each has to be told from one of the others."""
    rules = {"trees.fruit": fruit, "raven.steps": steps, "basket.fruits": picks}
    plays = ("fullest", "uniform", "emptiest")
    return tuple(
        _anchor(
            f"Orchard with {fruit} on a tree, raven {steps} steps away, basket {picks}, {play}",
            Question("orchard", 2, "players_win", (play,), rules, "share"),
            chances[i],
            _SIMULATED[fruit, steps, picks],
            (f"{plays[(i + 1) % 3]} in its place", chances[(i + 1) % 3], {"strategies": (plays[(i + 1) % 3],)}),
        )
        for i, play in enumerate(plays)
    )


_ORCHARD = (
    *_orchard(4, 5, 1, "0.631357", "0.596632", "0.554936"),
    *_orchard(4, 6, 1, "0.768497", "0.738222", "0.700769"),
    *_orchard(10, 9, 2, "0.684047", "0.631998", "0.532399"),
)

# ---------------------------------------------------------------- Hi Ho! Cherry-O
_NO_DOG = {"rules": {"spinner": (1, 2, 3, 4, -2, "spill")}}

_CHERRY = (
    _anchor(
        "Cherry-O, turns alone, mean",
        _alone("cherry", "mean"),
        "15.8019793",
        "public analyses give 15.8",
        ("no dog on the spinner", "11.3826334", _NO_DOG),
    ),
    _anchor("Cherry-O, turns alone, sd", _alone("cherry", "sd"), "12.40867", _COMPUTED, ("no dog on the spinner", "8.25198", _NO_DOG)),
    _anchor(
        "Cherry-O alone, exactly 3 turns",
        _alone("cherry", "share", 3, 3),
        "0.0291545",
        _COMPUTED,
        ("no dog on the spinner", "0.0462963", _NO_DOG),
    ),
    *_seats("cherry", "Cherry-O", "0.518720", "0.481280"),
    *_seats("cherry", "Cherry-O", "0.357757", "0.332728", "0.309515"),
)

# ---------------------------------------------------------------- Can't Stop
_ONE_RUNNER = {"runners": 1, "columns": (50,) * 11, "turn_cap": 1}

_CANT_STOP = (
    _anchor(
        "Can't Stop, one runner that never stops, rolls of a turn",
        Question("cantstop", 2, "rolls", ("rule_of_28:stop_at=100000",), _ONE_RUNNER, games=1_000_000),
        "2.458737",
        "computed from the chances that a roll names a column once or twice",
        ("columns of two spaces", "2.233955", {"rules": {**_ONE_RUNNER, "columns": (2,) * 11}}),
    ),
)

# ---------------------------------------------------------------- how chances move in Pig


@dataclass(frozen=True)
class DramaAnchor:
    """A figure of the study of drama that is known exactly, for Pig where all hold at 20 or with the goal reached.

    Attributes:
        players, goal: the table.
        name: of the figure, as in the study's estimates.
        printed: its exact value.
        mutation: what would give another value.
        other: that value; it has to be told apart.
    """

    players: int
    goal: int
    name: str
    printed: str
    mutation: str
    other: str

    @property
    def title(self) -> str:
        """What it is in words."""
        return f"Pig to {self.goal}, {self.players} players, {self.name}"


DRAMA_ANCHORS = (
    DramaAnchor(2, 100, "lead_changes", "0.8310971", "a hold at 60", "0.0031212"),
    DramaAnchor(2, 100, "led_throughout", "0.5005202", "games that nobody led", "0.0000000"),
    DramaAnchor(2, 100, "never_behind_from", "8.8026782", "the last turn in its place", "19.8666204"),
    DramaAnchor(2, 100, "below.10", "0.0508066", "a mark at 25 percent", "0.2183529"),
    DramaAnchor(2, 100, "below.25", "0.2183529", "a mark at 40 percent", "0.4994798"),
    DramaAnchor(2, 100, "decided_early", "0.0471329", "a mark at 70 percent", "0.3045050"),
    DramaAnchor(3, 60, "lead_changes", "1.0027017", "a hold at 50", "0.1511815"),
    DramaAnchor(3, 60, "led_throughout", "0.4523347", "a hold at 50", "0.9040385"),
    DramaAnchor(3, 60, "never_behind_from", "8.0624417", "a hold at 50", "2.4822353"),
    DramaAnchor(3, 60, "below.10", "0.1083565", "a mark at 20 percent", "0.3423853"),
    DramaAnchor(3, 60, "below.25", "0.5034404", "a mark at 10 percent", "0.1083565"),
    DramaAnchor(3, 60, "decided_early", "0.0074490", "a mark at 60 percent", "0.2268161"),
)
"""Computed by iteration over all scores and leaders, without any chance."""

ANCHORS: tuple[Anchor, ...] = (*_PIG, *_LADDERS, *_ORCHARD, *_CHERRY, *_CANT_STOP)
"""All of them."""
