"""From results to tidy DataFrames: what all tables and charts of a balance report share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from simulator.document.language import clean, plural
from simulator.errors import UserError
from simulator.game import Metric
from simulator.play.run import Result
from simulator.rules import constants, to_text
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_share
from simulator.stats.sequences import share_sequence
from simulator.stats.tally import Histogram

Results = Result | Iterable[Result]

FRAME_COLUMNS = ("game", "players", "strategies", "seed", "metric", "label", "unit", "outcome", "value", "count", "share")
ESTIMATE_COLUMNS = ("game", "players", "strategies", "metric", "label", "unit", "best", "low", "high", "n")


def as_list(results: Results) -> list[Result]:
    """One result or several, as a list."""
    return list(results) if isinstance(results, Iterable) else [results]


def of_one_game(results: Results) -> list[Result]:
    """The results as a list, by number of players.

    Raises:
        UserError: there is none, or they are of several games.
    """
    listed = as_list(results)
    titles = sorted({r.experiment.game.title for r in listed})
    if len({r.experiment.game.name for r in listed}) != 1:
        given = f"results of {', '.join(titles)}; write one report for each" if titles else "no result; run a game first"
        message = f"A report is about one game and was given {given}."
        raise UserError(message)
    return sorted(listed, key=lambda r: r.experiment.players)


def frame(results: Results) -> pd.DataFrame:
    """How often each metric had each value, by outcome of the playout.

    One line for each combination that occurred. `strategies` names the seats' strategies in order; `outcome` is the
    name of the outcome metric that was 1; `share` is `count` over all playouts of the run, so that the shares of one
    metric in one run add up to 1.
    """
    parts = [_counts(r, m, h) for r in as_list(results) for m, h in zip(r.experiment.metrics, r.tally.histograms, strict=True)]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(FRAME_COLUMNS))


def _counts(result: Result, metric: Metric, histogram: Histogram) -> pd.DataFrame:
    lines, columns = np.nonzero(histogram.counts)
    counts = histogram.counts[lines, columns]
    return pd.DataFrame(
        {
            **about(result),
            "seed": np.full(len(counts), result.experiment.seed, np.uint64),
            "metric": metric.name,
            "label": metric.label,
            "unit": metric.unit,
            "outcome": [result.tally.outcomes[c] for c in columns],
            "value": histogram.low + lines.astype(np.int64),
            "count": counts,
            "share": counts / result.games,
        }
    )


def about(result: Result) -> dict[str, Any]:
    """What was played, as part of a line of a frame: game, players and strategies."""
    experiment = result.experiment
    return {"game": experiment.game.name, "players": experiment.players, "strategies": strategies_text(result)}


def strategies_text(result: Result) -> str:
    """Labels of the seats' strategies in order; a label's own commas have no blank behind them."""
    return ", ".join(player.label for player in result.experiment.lineup)


def estimates(results: Results) -> pd.DataFrame:
    """Every metric's estimate with the ends of its interval, a line for each metric of each run."""
    return estimated(as_list(results))[list(ESTIMATE_COLUMNS)]


def estimated(results: Sequence[Result]) -> pd.DataFrame:
    """As `estimates`, and with the run's name, the metric's kind and whether the intervals are confidence sequences."""
    lines = [
        {**about(r), "run": run, "metric": m.name, "label": clean(m.label), **figures(r.estimates[m.name])}
        | {"unit": m.unit, "kind": m.kind, "sequential": r.sequential}
        for run, r in named(results)
        for m in r.experiment.metrics
    ]
    return pd.DataFrame(lines, columns=[*ESTIMATE_COLUMNS, "run", "kind", "sequential"])


def figures(estimate: Estimate) -> dict[str, Any]:
    """An estimate as part of a line of a frame: kind, unit, best, low, high and n."""
    ends = {"best": estimate.best, "low": estimate.low, "high": estimate.high, "n": estimate.n}
    return {"kind": "share" if estimate.unit == "share" else "count", "unit": estimate.unit, **ends}


def share_of(count: int, n: int, confidence: float = CONFIDENCE, *, sequential: bool) -> Estimate:
    """A share of a run's playouts, with a confidence sequence where the run stopped when it liked."""
    return (share_sequence if sequential else estimate_share)(count, n, confidence=confidence)


def named(results: Sequence[Result]) -> list[tuple[str, Result]]:
    """Each result under the name of its run."""
    return list(zip(run_names(results), results, strict=True))


def run_names(results: Sequence[Result]) -> list[str]:
    """What tells each run from the others: its number of players, and as much more as is needed."""
    names = [plural(r.experiment.players, "player") for r in results]
    for more in (seats_text, _rules_text, lambda r: f"seed {r.experiment.seed}"):
        if len(set(names)) == len(names):
            break
        texts = [clean(more(r)) for r in results]
        if len(set(texts)) > 1:
            names = [f"{name}, {text}" for name, text in zip(names, texts, strict=True)]
    return names if len(set(names)) == len(names) else [f"{name}, run {number}" for number, name in enumerate(names, 1)]


def seats_text(result: Result) -> str:
    """The strategies in a few words: one name where all seats play the same."""
    labels = {player.label for player in result.experiment.lineup}
    return labels.pop() if len(labels) == 1 else strategies_text(result)


def _rules_text(result: Result) -> str:
    return ", ".join(f"{c.key}={to_text(c.value)}" for c in constants(result.experiment.rules) if c.changed) or "rules as shipped"


def assumed_keys(result: Result) -> list[str]:
    """The constants that the rulebook does not print."""
    return [c.key for c in constants(result.experiment.rules) if c.source == "assumed"]
