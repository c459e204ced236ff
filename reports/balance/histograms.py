"""Histograms, a panel for each run: the frame, the sentences and the drawing that lengths and closeness share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from reports.charts import letters, percent_axis, target
from reports.frames import estimated, named, share_of
from reports.words import Line, lines_of
from simulator.document.figures import TEXT, between, figure, in_words, number, percent
from simulator.document.language import clean, short
from simulator.play.run import Result
from simulator.stats.estimate import CONFIDENCE
from simulator.stats.tally import Histogram
from simulator.stats.unfinished import UNFINISHED

MOST_BINS = 90
"""A distribution over more values than this is drawn in wider bins."""

TAIL = 0.001
"""Share of the playouts at either end that a distribution's axis may leave out, where that shortens it by a quarter."""

QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}


# ---------------------------------------------------------------- frame
def distribution(results: Sequence[Result], metric: str) -> pd.DataFrame:
    """How one metric is distributed in each run, in bins that all runs share.

    One line for each run, outcome that occurred and bin: `ending` (the outcome's place among the `endings` outcomes
    of a finished playout, -1 for the unfinished), `left` (the bin's smallest value), `width` (values in
    it), `count` and `share` of the run's playouts; `bin_share` of all outcomes together with `bin_low` and `bin_high`, the
    ends of an interval that holds for each bin by itself. On every line of a run: its estimate (best, low, high, n), what
    the metric is (`about`), QUANTILES, `least`, `most`, `zero` (share of playouts at zero, with
    `zero_low` and `zero_high`), `nearest` (how near to zero the finished playouts come), and what lies beyond the axis:
    `first` and `last` are the smallest and largest value on it, `below` and `above` the shares left out.
    """
    histograms = [r.tally[metric] for r in results]
    first, last = axis(histograms)
    width = bin_width(last - first + 1)
    first, last = first // width * width, last // width * width + width - 1
    table = estimated(results)
    table = table[table["metric"] == metric].set_index("run")
    same: dict[str, Any] = {
        "endings": max(len(endings_of(r)) for r in results),
        "about": next(clean(m.description) for m in results[0].experiment.metrics if m.name == metric),
        "first": first,
        "last": last,
    }
    parts = [
        pd.DataFrame(_bins(r, h, range(first, last + 1, width))).assign(
            **same, **{str(k): v for k, v in table.loc[run].items()}, run=run, panel=run, **_spread(r, h, first, last)
        )
        for (run, r), h in zip(named(results), histograms, strict=True)
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
    power = 1
    while values > 5 * power * MOST_BINS:
        power *= 10
    return next(step * power for step in (1, 2, 5) if values <= step * power * MOST_BINS)


def share_ends(counts: np.ndarray[Any, np.dtype[np.int64]], result: Result) -> tuple[list[float], list[float]]:
    """Ends of an interval for each of many shares of a run's playouts, each by itself.

    Source: Clopper and Pearson, Biometrika 26, 1934; confidence sequences where the run might stop when it liked.
    """
    from scipy.stats import beta  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    n, tail = result.games, (1 - CONFIDENCE) / 2
    if result.sequential:
        shares = [share_of(int(count), n, sequential=True) for count in counts]
        return [e.low for e in shares], [e.high for e in shares]
    low = np.where(counts > 0, beta.ppf(tail, np.maximum(counts, 1), n - counts + 1), 0.0)
    high = np.where(counts < n, beta.ppf(1 - tail, counts + 1, np.maximum(n - counts, 1)), 1.0)
    return low.tolist(), high.tolist()


def _bins(result: Result, histogram: Histogram, lefts: range) -> Iterator[dict[str, Any]]:
    labels = {m.name: clean(m.label) for m in result.experiment.metrics}
    place_of = {name: place for place, name in enumerate(endings_of(result))}
    places = (histogram.values - lefts.start) // lefts.step
    shown = (places >= 0) & (places < len(lefts))
    sums = np.zeros((len(lefts), histogram.counts.shape[1]), np.int64)
    np.add.at(sums, places[shown], histogram.counts[shown])
    totals = sums.sum(axis=1)
    ends = share_ends(totals, result)
    for column in np.nonzero(histogram.counts.sum(axis=0))[0]:
        outcome = result.tally.outcomes[column]
        about = {"outcome": outcome, "outcome_label": labels[outcome], "ending": place_of.get(outcome, -1), "width": lefts.step}
        for left, count, total, low, high in zip(lefts, sums[:, column].tolist(), totals.tolist(), *ends, strict=True):
            whole = {"bin_share": total / result.games, "bin_low": low, "bin_high": high}
            yield {**about, "left": left, "count": count, "share": count / result.games, **whole}


def endings_of(result: Result) -> list[str]:
    """The outcomes of playouts that came to an end."""
    return [name for name in result.tally.outcomes if name != UNFINISHED]


def _spread(result: Result, histogram: Histogram, first: int, last: int) -> dict[str, float]:
    counts, n = histogram.as_dict(), histogram.n
    ended = histogram.counts[:, [name != UNFINISHED for name in result.tally.outcomes]].any(axis=1)
    (zero_low,), (zero_high,) = share_ends(np.array([counts.get(0, 0)], np.int64), result)
    return {
        **{name: histogram.quantile(share) for name, share in QUANTILES.items()},
        "least": min(counts),
        "most": max(counts),
        "zero": counts.get(0, 0) / n,
        "zero_low": zero_low,
        "zero_high": zero_high,
        "nearest": min(np.abs(histogram.values[ended]).tolist(), default=math.inf),
        "below": sum(c for v, c in counts.items() if v < first) / n,
        "above": sum(c for v, c in counts.items() if v > last) / n,
    }


# ---------------------------------------------------------------- sentences
def alt(runs: Sequence[Line]) -> str:
    """The histograms in words."""
    each = [
        f"{r.run}: mean {in_words(r)}, median {number(r.median)}, half of the games between {number(r.q25)} and {number(r.q75)},"
        f" nine in ten between {number(r.q05)} and {number(r.q95)}, all between {number(r.least)} and {number(r.most)}"
        for r in runs
    ]
    return f"{'; '.join(each)}."


def steps(line: Line) -> str:
    """How many values a bin holds, to stand behind the name of the axis; empty where it is one."""
    return "" if line.width == 1 else f", {line.width} to a step"


def left_out(runs: Sequence[Line]) -> list[str]:
    """What lies beyond the axis, if anything does."""
    cut = [f"{percent(r.below)} with {r.run} are lower, down to {number(r.least)}" for r in runs if r.below]
    cut += [f"{percent(r.above)} with {r.run} are higher, up to {number(r.most)}" for r in runs if r.above]
    shown = between(runs[0].first, runs[0].last, TEXT.with_digits(0))
    return [f"The axis shows {shown} {runs[0].unit}; of the games, {'; '.join(cut)}."] * bool(cut)


def in_bin(line: Line) -> str:
    """What is told at a bin."""
    values = between(line.left, line.left + line.width - 1, TEXT.with_digits(0))
    share = line._replace(kind="share", low=line.bin_low, best=line.bin_share, high=line.bin_high)
    return f"{line.run}, {values} {line.unit}: {figure(share)} ({in_words(share)}), n = {int(line.n):,}"


# ---------------------------------------------------------------- drawing
def edges(bins: pd.DataFrame) -> list[float]:
    """Where bins begin and the last one ends; a whole number stands in the middle of its bin."""
    lefts = [left - 0.5 for left in bins["left"]]
    return [*lefts, lefts[-1] + bins["width"].iloc[-1]]


def finish(frame: pd.DataFrame, ax: Axes) -> None:
    """Axes of one run's histogram with the run and its median above, and a target for each bin that holds a playout."""
    first = frame.iloc[0]
    ax.set_xlim(first["first"] - 0.75, first["last"] + 0.75)
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
    ax.margins(y=0.08)
    percent_axis(ax, 3)
    ax.set_title(short(first["run"], letters(ax) - 16), loc="left", fontweight="bold")
    ax.set_title(f"median {number(first['median'])}", loc="right")
    bins = frame.drop_duplicates("left").sort_values("left")
    top = float(bins["bin_share"].max())
    for line in lines_of(bins[bins["bin_share"] > 0]):
        target(ax, (line.left - 0.5, 0, line.left + line.width - 0.5, top), in_bin(line), line.run)
