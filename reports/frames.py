"""From results to tidy DataFrames: everything that tables and charts show is worked out here."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from reports.quantiles import quantile_estimate
from simulator.document.language import clean
from simulator.errors import UserError
from simulator.rules import constants, to_text
from simulator.stats.estimate import CONFIDENCE, estimate_share
from simulator.stats.sequences import share_sequence
from simulator.stats.unfinished import unfinished_of

if TYPE_CHECKING:
    from simulator.game import Breakdown, Game, Influence, Metric
    from simulator.play.run import Result
    from simulator.stats.estimate import Estimate
    from simulator.stats.tally import Histogram

    Results = Result | Iterable[Result]

FRAME_COLUMNS = ("game", "players", "strategies", "seed", "metric", "label", "unit", "outcome", "value", "count", "share")
ESTIMATE_COLUMNS = ("game", "players", "strategies", "metric", "label", "unit", "best", "low", "high", "n")

MOST_BINS = 90
"""A distribution over more values than this is drawn in wider bins."""

TAIL = 0.001
"""Share of the playouts at either end that a distribution's axis may leave out, where that shortens it by a quarter."""

FEWEST_SEATS = 200
"""A share of wins among fewer seats than this is not shown."""

USUAL = (0.1, 0.9)
"""Between these quantiles lie the numbers that most seats have."""


TAILS = ((0.5, "median"), (0.95, "q95"), (0.99, "q99"))
"""Quantiles that tell how long the long games are, and their columns."""


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
        found = f"results of {', '.join(titles)}; write one report for each" if titles else "no result; run a game first"
        message = f"A report is about one game and was given {found}."
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
            **_about(result),
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


def _about(result: Result) -> dict[str, Any]:
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
        {**_about(r), "run": run, **_metric(m), **_figure(r.estimates[m.name]), "sequential": r.sequential}
        for run, r in zip(run_names(results), results, strict=True)
        for m in r.experiment.metrics
    ]
    return pd.DataFrame(lines, columns=[*ESTIMATE_COLUMNS, "run", "kind", "sequential"])


def _metric(metric: Metric) -> dict[str, str]:
    return {"metric": metric.name, "label": clean(metric.label), "unit": metric.unit, "kind": metric.kind}


def _figure(estimate: Estimate) -> dict[str, float]:
    return {"best": estimate.best, "low": estimate.low, "high": estimate.high, "n": estimate.n}


def figures(estimate: Estimate) -> dict[str, Any]:
    """An estimate as part of a line of a frame: kind, unit, best, low, high and n."""
    return {"kind": "share" if estimate.unit == "share" else "count", "unit": estimate.unit, **_figure(estimate)}


def run_names(results: Sequence[Result]) -> list[str]:
    """What tells each run from the others: its number of players, and as much more as is needed."""
    names = [f"{r.experiment.players} player{'s' if r.experiment.players > 1 else ''}" for r in results]
    for more in (seats_text, _rules_text, _seed_text):
        if len(set(names)) == len(names):
            break
        texts = [clean(more(r)) for r in results]
        if len(set(texts)) > 1:
            names = [f"{name}, {text}" for name, text in zip(names, texts, strict=True)]
    if len(set(names)) < len(names):
        names = [f"{name}, run {number}" for number, name in enumerate(names, 1)]
    return names


def seats_text(result: Result) -> str:
    """The strategies in a few words: one name where all seats play the same."""
    labels = [player.label for player in result.experiment.lineup]
    return labels[0] if len(set(labels)) == 1 else ", ".join(labels)


def _rules_text(result: Result) -> str:
    return ", ".join(f"{c.key}={to_text(c.value)}" for c in constants(result.experiment.rules) if c.changed) or "rules as shipped"


def _seed_text(result: Result) -> str:
    return f"seed {result.experiment.seed}"


def verdict(results: Sequence[Result], _subject: object = None) -> pd.DataFrame:
    """The outcomes that a report opens with, for a chart of bars; of a single run all outcomes.

    Columns run, kind, metric, label, unit, best, low, high, n; `panel`, `group` and `hue` say where a bar stands;
    `opens` is whether the game names it as a verdict; `equal` is a seat's equal share of the wins, and not a number
    where there is none; `stands_out` is whether a seat differs from it when all seats of all runs are tested at once;
    `finished` is whether any game of the run did.
    """
    table = estimated(results)
    table["finished"] = [not unfinished_of(r.tally).all for r in results for _ in r.experiment.metrics]
    alone = len(results) == 1
    game = results[0].experiment.game
    table["opens"] = [metric in game.verdict(players) for metric, players in zip(table["metric"], table["players"], strict=True)]
    table = table[table["opens"] | (alone & table["metric"].isin(results[0].tally.outcomes))].reset_index(drop=True)
    shares = table["best"].where(table["opens"]).groupby(table["run"], sort=False).transform("mean")
    table["equal"] = math.nan if game.cooperative else shares.where(table["opens"] & (table["players"] > 1))
    table["stands_out"] = stands_out(table)
    return table.assign(panel="", group=table["label"] if alone else table["run"], hue="" if alone else table["label"])


def stands_out(table: pd.DataFrame) -> list[bool]:
    """Whether each line's share differs from its equal share, when all of them are tested at once; see `widened`."""
    tested = widened(table[table["equal"].notna()])
    outside = (tested["equal"] < tested["wide_low"]) | (tested["wide_high"] < tested["equal"])
    found: list[bool] = outside.reindex(table.index, fill_value=False).tolist()
    return found


def widened(table: pd.DataFrame) -> pd.DataFrame:
    """The table of shares with `wide_low` and `wide_high`, intervals that hold for all its lines at once.

    They are confidence sequences for lines that are marked as `sequential`, for their runs stopped when they liked, else Wilson's.

    Source: Dunn, "Multiple comparisons among means", JASA 56, 1961 (Bonferroni's correction).
    """
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(table))
    sequential = table["sequential"].eq(other=True) if "sequential" in table else [False] * len(table)
    found = [
        (share_sequence if any_time else estimate_share)(round(b * n), int(n), confidence=confidence)
        for b, n, any_time in zip(table["best"], table["n"], sequential, strict=True)
    ]
    return table.assign(wide_low=[e.low for e in found], wide_high=[e.high for e in found])


def breakdown(results: Sequence[Result], shown: Breakdown) -> pd.DataFrame:
    """Metrics side by side, for a chart of bars: as `verdict`, and with `title`, `look_for`, `series` and `bar`.

    A single run has its series side by side, several runs have a panel for each series.
    """
    places = [(series, bar, metric) for series, metrics in shown.series for bar, metric in zip(shown.bars, metrics, strict=True)]
    wanted = pd.DataFrame(places, columns=["series", "bar", "metric"])
    runs = pd.DataFrame({"run": run_names(results)})
    table = runs.merge(wanted, how="cross").merge(estimated(results), on=["run", "metric"], validate="many_to_one")
    alone = len(results) == 1
    return table.assign(
        title=shown.title,
        look_for=shown.look_for,
        panel="" if alone else table["series"],
        group=table["bar"],
        hue=table["series"] if alone else table["run"],
        equal=math.nan,
    )


def influence(results: Sequence[Result], shown: Influence) -> pd.DataFrame:
    """How often a seat wins, given a number of its own; all seats of a run are pooled.

    One line for each run, member and number that at least `FEWEST_SEATS` seats had: `value` (the number), `n` (seats of
    all playouts that had it), `wins` (those of them that won), the share of wins (best, low, high) with Wilson's interval
    for independent seats, and `usual` (whether the number lies between the quantiles `USUAL` of the seats). On every
    line: `games` (playouts of the run), `equal` (a seat's share if all seats won equally often), `cut` (the largest share
    of a run's seats that some member leaves out), `top` (the highest end of an interval), `title`, `look_for` and `unit`.
    A line's `panel` is its member.
    """
    names = run_names(results)
    pooled = [(label, run, r, *pool(r, prefix)) for label, prefix in shown.members for run, r in zip(names, results, strict=True)]
    lines = [line for label, run, r, seats, wins in pooled for line in _influence_lines(label, run, r, seats, wins)]
    cut = [int(seats.totals[seats.totals < FEWEST_SEATS].sum()) / seats.n for _, _, _, seats, _ in pooled]
    columns = ["panel", "run", "value", "n", "wins", "best", "low", "high", "usual", "games", "equal"]
    table = pd.DataFrame(lines, columns=columns)
    about = {"title": shown.title, "look_for": shown.look_for, "unit": shown.unit, "kind": "share"}
    return table.assign(**about, cut=max(cut, default=0), top=table["high"].max())


def pool(result: Result, prefix: str) -> tuple[Histogram, list[int]]:
    """The histogram of `prefix.SEAT` over the seats of all playouts, and for each of its values how many of them won."""
    seats = range(result.experiment.players)
    every = [result.tally[f"{prefix}.{seat}"] for seat in seats]
    total = sum(every[1:], every[0])
    wins = np.zeros(len(total.counts), np.int64)
    for seat, histogram in zip(seats, every, strict=True):
        first = histogram.low - total.low
        wins[first : first + len(histogram.counts)] += histogram.counts[:, result.tally.outcomes.index(f"wins.{seat}")]
    return total, wins.tolist()


def _influence_lines(label: str, run: str, result: Result, seats: Histogram, wins: Sequence[int]) -> Iterator[dict[str, Any]]:
    low, high = (seats.quantile(share) for share in USUAL)
    about = {"panel": clean(label), "run": run, "games": result.games, "equal": sum(wins) / seats.n}
    for value, n, won in zip(seats.values.tolist(), seats.totals.tolist(), wins, strict=True):
        if n >= FEWEST_SEATS:
            figure = _figure(estimate_share(won, n))
            yield {**about, "value": value, "wins": won, "usual": low <= value <= high, **figure}


def at_pace(results: Sequence[Result], seconds: float | None) -> list[Result]:
    """The results, as if a turn took so many seconds; as they are if that is None."""
    if seconds is None:
        return list(results)
    stated: dict[str, Any] = {"seconds_per_turn": seconds, "pace_note": STATED}
    return [replace(r, experiment=replace(r.experiment, game=replace(r.experiment.game, **stated))) for r in results]


STATED = "stated for this report"
"""Where a pace comes from that the reader has given."""


def pace_text(game: Game) -> str:
    """At which pace minutes are told and whose that is: "at an assumed 30 s a turn"; empty where no pace is known."""
    if game.seconds_per_turn is None:
        return ""
    whose = "your " if game.pace_note == STATED else "an assumed " if game.pace_note.startswith("assumed") else ""
    return f"at {whose}{game.seconds_per_turn:g} s a turn"


def durations(results: Sequence[Result], _subject: object = None) -> pd.DataFrame:
    """How long games last and how long the long ones are, a line for each run.

    Columns: as `estimated` for the mean number of turns; `median`, `q95` and `q99` with their ends (`q95_low`,
    `q95_high`); `q05`, the length that 19 in 20 games exceed; `most`, the longest seen; `capped`, the share of playouts
    that the turn cap ended; the mean number of rounds (`rounds_best`, `rounds_low`, `rounds_high`); `pace` (seconds a turn,
    not a number where nobody says) and `at_pace`, its name. All other lengths are in turns.
    """
    lines = []
    for run, r in zip(run_names(results), results, strict=True):
        turns, (metric,) = r.tally["turns"], [m for m in r.experiment.metrics if m.name == "turns"]
        line = {**_about(r), "run": run, **_metric(metric), **_figure(r.estimates["turns"]), "panel": ""}
        for share, name in TAILS:
            found = quantile_estimate(turns, share, "turns", sequential=r.sequential)
            line |= {name: found.best, f"{name}_low": found.low, f"{name}_high": found.high}
        more = {"q05": turns.quantile(0.05), "most": max(turns.as_dict()), "capped": r.unfinished / r.games}
        game = r.experiment.game
        lines.append({**line, **more, **_rounds(r), "pace": game.seconds_per_turn or math.nan, "at_pace": pace_text(game)})
    return pd.DataFrame(lines)


ROUNDS = "rounds"
"""The metric of a game that counts its own rounds."""


def _rounds(result: Result) -> dict[str, float]:
    """The mean number of rounds: as the game counts them, or else the turns divided by the players."""
    found, players = result.estimates, result.experiment.players
    estimate, turns = (found[ROUNDS], 1) if ROUNDS in found else (found["turns"], players)
    return {f"rounds_{end}": getattr(estimate, end) / turns for end in ("best", "low", "high")}


def advantage(results: Sequence[Result], _subject: object = None) -> pd.DataFrame:
    """What going first is worth in each run, in percentage points above an equal share; no lines where nobody goes first."""
    found = [(run, r.first_player_advantage, r.sequential) for run, r in zip(run_names(results), results, strict=True)]
    lines = [
        {"run": run, "panel": "", "label": "Going first", "kind": "count", "unit": "percentage points"}
        | {name: 100 * getattr(e, name) for name in ("best", "low", "high")}
        | {"n": e.n, "sequential": sequential}
        for run, e, sequential in found
        if e is not None and math.isfinite(e.high)
    ]
    return pd.DataFrame(lines)


def by_strategy(results: Sequence[Result]) -> pd.DataFrame:
    """The wins of each strategy, where several sit at one table: its seats' share together, against an equal share.

    Columns run, strategy, seats (how many it has), kind, label, unit, best, low, high, n, and `equal`.
    """
    lines = []
    for run, r in zip(run_names(results), results, strict=True):
        labels = [p.label for p in r.experiment.lineup]
        if r.experiment.game.cooperative or len(set(labels)) == 1:
            continue
        wins = [r.tally[name].moments()[0] for name in r.experiment.game.verdict(len(labels))]
        confidence = 1 - (1 - CONFIDENCE) / len(set(labels))
        for label in dict.fromkeys(labels):
            own = [n for n, other in zip(wins, labels, strict=True) if other == label]
            figure = _figure(_share_of(r)(sum(own), r.games, confidence=confidence))
            about = {"run": run, "strategy": clean(label), "seats": len(own), "kind": "share", "label": clean(label), "unit": "share"}
            lines.append({**about, **figure, "equal": sum(wins) / r.games * len(own) / len(labels)})
    return pd.DataFrame(lines)


def _share_of(result: Result) -> Callable[..., Estimate]:
    """What estimates a share of a run's playouts."""
    return share_sequence if result.sequential else estimate_share


def closeness(results: Sequence[Result], metric: str) -> pd.DataFrame:
    """As `distribution`, without the runs in which a seat has nobody to be close to."""
    contested = [r for r in results if r.experiment.game.cooperative or r.experiment.players > 1]
    return distribution(contested, metric) if contested else pd.DataFrame()


def distribution(results: Sequence[Result], metric: str) -> pd.DataFrame:
    """How one metric is distributed in each run, in bins that all runs share.

    One line for each run, outcome that occurred and bin: `ending` (the outcome's place among the `endings` outcomes
    of a finished playout, -1 for the unfinished), `left` (the bin's smallest value), `width` (values in
    it), `count` and `share` of the run's playouts; `bin_share` of all outcomes together with `bin_low` and `bin_high`, the
    ends of an interval that holds for each bin by itself. On every line of a run: its estimate (best, low, high, n), what
    the metric is (`about`), `q05`, `q25`, `median`, `q75`, `q95`, `least`, `most`, `zero` (share of playouts at zero, with
    `zero_low` and `zero_high`), `nearest` (how near to zero the finished playouts come), and what lies beyond the axis:
    `first` and `last` are the smallest and largest value on it, `below` and `above` the shares left out.
    """
    histograms = [r.tally[metric] for r in results]
    endings = max((endings_of(r) for r in results), key=len)
    first, last = axis(histograms)
    width = bin_width(last - first + 1)
    first, last = first // width * width, last // width * width + width - 1
    table = estimated(results)
    table = table[table["metric"] == metric].set_index("run")
    about = next(clean(m.description) for m in results[0].experiment.metrics if m.name == metric)
    parts = [
        pd.DataFrame(_bins(r, h, first, last, width)).assign(
            endings=len(endings),
            about=about,
            **{str(k): v for k, v in table.loc[run].items()},
            run=run,
            panel=run,
            first=first,
            last=last,
            **_spread(r, h, first, last),
        )
        for run, r, h in zip(run_names(results), results, histograms, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


def axis(histograms: Iterable[Histogram]) -> tuple[int, int]:
    """Smallest and largest value to show: all of them, or all but the outermost `TAIL` if that is a quarter shorter."""
    listed = list(histograms)
    least, most = min(min(h.as_dict()) for h in listed), max(max(h.as_dict()) for h in listed)
    low, high = min(h.quantile(TAIL) for h in listed), max(h.quantile(1 - TAIL) for h in listed)
    return (low, high) if (high - low) < 0.75 * (most - least) else (least, most)


def bin_width(values: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50, ... that puts `values` values into at most `MOST_BINS` bins.

    >>> bin_width(90), bin_width(91), bin_width(7000)
    (1, 2, 100)
    """
    width, steps = 1, _steps()
    while values > MOST_BINS * width:
        width = next(steps)
    return width


def _steps() -> Iterator[int]:
    power = 1
    while True:
        yield from (2 * power, 5 * power, 10 * power)
        power *= 10


def share_ends(counts: np.ndarray[Any, np.dtype[np.int64]], result: Result) -> tuple[list[float], list[float]]:
    """Ends of an interval for each of many shares of a run's playouts, each by itself.

    Source: Clopper and Pearson, Biometrika 26, 1934; confidence sequences where the run might stop when it liked.
    """
    from scipy.stats import beta  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    n, tail = result.games, (1 - CONFIDENCE) / 2
    if result.sequential:
        found = [share_sequence(int(count), n) for count in counts]
        return [e.low for e in found], [e.high for e in found]
    low = np.where(counts > 0, beta.ppf(tail, np.maximum(counts, 1), n - counts + 1), 0.0)
    high = np.where(counts < n, beta.ppf(1 - tail, counts + 1, np.maximum(n - counts, 1)), 1.0)
    return low.tolist(), high.tolist()


def _bins(result: Result, histogram: Histogram, first: int, last: int, width: int) -> Iterator[dict[str, Any]]:
    labels = {m.name: clean(m.label) for m in result.experiment.metrics}
    place_of = {name: place for place, name in enumerate(endings_of(result))}
    shown = (histogram.values >= first) & (histogram.values <= last)
    places = (histogram.values[shown] - first) // width
    totals = np.zeros((last - first) // width + 1, np.int64)
    np.add.at(totals, places, histogram.totals[shown])
    low, high = share_ends(totals, result)
    for column in np.nonzero(histogram.counts.sum(axis=0))[0]:
        outcome = result.tally.outcomes[column]
        sums = np.zeros((last - first) // width + 1, np.int64)
        np.add.at(sums, places, histogram.counts[shown, column])
        for place, count in enumerate(sums.tolist()):
            where = {"left": first + place * width, "width": width, "count": count, "share": count / result.games}
            whole = {"bin_share": totals[place] / result.games, "bin_low": low[place], "bin_high": high[place]}
            yield {"outcome": outcome, "outcome_label": labels[outcome], "ending": place_of.get(outcome, -1), **where, **whole}


def endings_of(result: Result) -> list[str]:
    """The outcomes of playouts that came to an end."""
    return [name for name in result.tally.outcomes if name != "unfinished"]


def _spread(result: Result, histogram: Histogram, first: int, last: int) -> dict[str, float]:
    quantiles = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
    counts, n = histogram.as_dict(), histogram.n
    ended = histogram.counts[:, [name != "unfinished" for name in result.tally.outcomes]].any(axis=1)
    (zero_low,), (zero_high,) = share_ends(np.array([counts.get(0, 0)], np.int64), result)
    return {
        **{name: histogram.quantile(share) for name, share in quantiles.items()},
        "least": min(counts),
        "most": max(counts),
        "zero": counts.get(0, 0) / n,
        "zero_low": zero_low,
        "zero_high": zero_high,
        "nearest": min(np.abs(histogram.values[ended]).tolist(), default=math.inf),
        "below": sum(c for v, c in counts.items() if v < first) / n,
        "above": sum(c for v, c in counts.items() if v > last) / n,
    }
