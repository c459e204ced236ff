"""The page of a comparison: what each variant changes, with intervals and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from reports.charts import BEHIND_DOTS, Chart, legend, mark, target, wrapped
from reports.style import GREY, INK, ordered
from reports.words import Words, lines_of
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import CELL, GAP, GAP_CELL, TEXT, between, decimals, digits_of, figure, number, percent, scale_of
from simulator.document.language import clean, plural, ranged
from simulator.rules import constants, to_text
from simulator.stats.rounding import agreeing
from simulator.stats.unfinished import unfinished_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from reports.words import Line
    from simulator.studies.compare import Compared, Comparison

SPREAD = 0.7
"""Part of a variant's place that its points take up."""


def frame(found: Sequence[Compared]) -> pd.DataFrame:
    """All comparisons, a line each: variant, players, metric, label, unit, then for baseline, changed and difference best, low and high."""
    return pd.DataFrame([_line(c) for compared in found for c in compared.comparisons])


def _line(c: Comparison) -> dict[str, Any]:
    parts = {"baseline": c.baseline, "changed": c.changed, "difference": c.difference}
    ends = {f"{name}_{end}": getattr(e, end) for name, e in parts.items() for end in ("best", "low", "high")}
    line = {"variant": c.variant, "players": c.players, "metric": c.metric.name, "label": c.metric.label, "unit": c.metric.unit}
    return line | ends | {"n": c.difference.n, "verdict": c.word, "playouts_saved": c.playouts_saved}


def charts(found: Sequence[Compared]) -> list[Chart]:
    """One chart for each metric: the differences that the variants make."""
    table = frame(found)
    drawn = []
    for metric, part in table.groupby("metric", sort=False):
        scaled = part.assign(
            panel="", run=[plural(n, "player") for n in part["players"]], variant=part["variant"].map(clean), label=part["label"].map(clean)
        )
        for end in ("best", "low", "high"):
            scaled[end] = scaled[f"difference_{end}"] * (100 if part["unit"].iloc[0] == "share" else 1)
        drawn.append(Chart(f"difference-{metric}", scaled, _words(scaled, sequential=found[0].sequential), draw_differences, 1, 2.7))
    return drawn


def draw_differences(table: pd.DataFrame, ax: Axes) -> None:
    """Points with intervals, a place for each variant and a colour for each number of players; grey if none differs."""
    variants, runs = list(table["variant"].unique()), list(table["run"].unique())
    ax.axhline(0, color=INK, linewidth=0.8)
    for i, (run, colour) in enumerate(zip(runs, ordered(len(runs)), strict=True)):
        ax.plot([], [], "o", color=colour, markersize=6, label=run if len(runs) > 1 else "differs")
        shift = SPREAD * ((i + 0.5) / len(runs) - 0.5)
        reach = SPREAD / len(runs) / 2
        for line in lines_of(table[table["run"] == run]):
            x = variants.index(line.variant) + shift
            shade, label = (colour, "_differs") if line.verdict == "differs" else (GREY, VERDICTS[line.verdict])
            (point,) = ax.plot(x, line.best, MARKERS[line.verdict], color=shade, markersize=6, label=label)
            for drawn in (point, ax.vlines(x, line.low, line.high, colors=INK, linewidth=1.4, zorder=BEHIND_DOTS)):
                mark(drawn, run=run)
            target(ax, (x - reach, line.low, x + reach, line.high), _told(line), run)
    ax.set_xticks(range(len(variants)), [wrapped(v, ax, len(variants)) for v in variants])
    ax.set_xlim(-0.6, len(variants) - 0.4)
    ax.margins(y=0.15)
    if len(runs) > 1 or set(table["verdict"]) != {"differs"}:
        legend(ax)


def _words(table: pd.DataFrame, *, sequential: bool) -> Words:
    first = table.iloc[0]
    differing = [r for r in lines_of(table) if r.verdict == "differs"]
    unit = "percentage points" if first["unit"] == "share" else first["unit"]
    title = f"{first['label']}: no variant makes a difference that shows"
    if differing:
        most = max(differing, key=lambda r: abs(r.best))
        more = "more" if most.best > 0 else "less"
        title = f"{first['label']}: {_ends(*sorted((abs(most.low), abs(most.high))))} {unit} {more} with {most.variant} ({most.run})"
    alt = "; ".join(f"{r.variant}, {r.run}: {between(r.low, r.high, TEXT.with_digits(3))}, {r.verdict}" for r in lines_of(table))
    kind = "confidence sequences" if sequential else "intervals"
    notes = (
        f"The line at zero is the rules as they are; the thin lines are 95% {kind}, each for itself.",
        "Points in colour differ, grey ones are undecided or make no difference that matters, all judged together (Holm).",
        f"n = {ranged(table['n'], 'playout')} of each.",
    )
    return Words(title, "Look for points in colour.", f"{alt}.", notes, "", f"difference in {unit}")


def _told(line: Line) -> str:
    """What is told where a difference is pointed at."""
    unit = "percentage points" if line.unit == "share" else line.unit
    found = f"{number(line.best, decimals(line.low, line.high))} ({between(line.low, line.high, GAP)} {unit})"
    return f"{line.variant}, {line.run}, {line.label}: {found}, {line.verdict}; n = {int(line.n):,}"


VERDICTS = {"differs": "differs", "equivalent": "no difference that matters", "undecided": "undecided"}

MARKERS = {"differs": "o", "equivalent": "s", "undecided": "o"}
"""A point's form; only those that differ have a colour."""


def sentence(same: Sequence[Comparison]) -> str:
    """What one variant does to one metric at each number of players; what is undecided is not called a difference."""
    first = same[0]
    return f"With {clean(first.variant)}, {clean(first.metric.label)}: {'; '.join(map(_at, same))}."


def _at(c: Comparison) -> str:
    share = c.metric.kind == "share"
    factor, unit, sign = (100, "percentage points", "%") if share else (1, c.metric.unit, "")
    low, high = factor * c.difference.low, factor * c.difference.high
    seated = f"with {plural(c.players, 'player')}"
    if any(c.hidden):
        return f"{seated} nothing is known, for no game finished"
    if c.verdict == "open":
        return f"{seated} undecided, the difference lies within {_ends(low, high)} {unit}"
    if c.verdict == "no":
        return f"{seated} no difference that matters, it lies within {_ends(low, high)} {unit}"
    digits = max(1, decimals(low, high))
    before, after = (number(factor * e.best, digits) for e in (c.baseline, c.changed))
    less, most = sorted((abs(low), abs(high)))
    way = "more" if c.difference.best > 0 else "less"
    return f"{seated} {after}{sign} in place of {before}{sign}, which is {_ends(less, most)} {unit} {way}"


def _ends(low: float, high: float) -> str:
    return between(low, high, GAP.with_digits(max(1, decimals(low, high))))


def _verdicts(found: Sequence[Compared]) -> tuple[str, ...]:
    """For each variant and number of players, the metrics by verdict."""
    told = []
    for compared in found:
        for variant in compared.variants:
            about = [c for c in compared.comparisons if c.variant == variant.name]
            by_verdict = {v: [c.metric.label for c in about if c.word == v] for v in VERDICTS}
            parts = [f"{VERDICTS[v]}: {', '.join(labels)}" for v, labels in by_verdict.items() if labels]
            told.append(clean(f"{plural(players_of(compared), 'player')}, {variant.name}: {'; '.join(parts)}."))
    return tuple(told)


def players_of(compared: Compared) -> int:
    """How many sat at the table."""
    return compared.run.experiments[0].players


def page(found: Sequence[Compared], command: str | None = None) -> Document:
    """What the page of a comparison says."""
    first = found[0].run.experiments[0]
    drawn = charts(found)
    opening = found[0].comparisons[0].metric
    every = [c for compared in found for c in compared.comparisons]
    look_for = "Look for points in colour: there the variant does something that luck does not explain, all points judged together (Holm)."
    chapters = (
        Chapter("what-changes", "What the variants change", look_for, _verdicts(found), tuple(drawn)),
        Chapter("numbers", "The numbers", "Look at the interval before the difference.", tables=(differences_table(every),)),
        Chapter("variants", "What was compared", "", tables=(variants_table(found),)),
    )
    facts = tuple((f"Playouts of each, {plural(players_of(c), 'player')}", f"{c.run.part.games:,}") for c in found)
    seats = ", ".join(dict.fromkeys(p.label for p in first.lineup))
    return Document(
        first.game,
        "Comparison of rules",
        f"{drawn[0].words.title}.",
        tuple(sentence([c for c in every if c.metric.name == opening.name and c.variant == v.name]) for v in found[0].variants),
        _warnings(found),
        (),
        (),
        first.rules,
        (("Strategy", clean(seats)), ("Seed", str(first.seed)), *facts),
        command,
        chapters=chapters,
        runs=tuple(plural(n, "player") for n in dict.fromkeys(c.players for c in every)),
    )


def _warnings(found: Sequence[Compared]) -> tuple[str, ...]:
    told = [
        f"The run with {plural(players_of(c), 'player')} was interrupted after {c.run.part.games:,} of {c.run.asked:,} playouts."
        for c in found
        if c.run.interrupted
    ]
    remarks = [clean(text) for c in found for text in c.remarks]
    unfinished = max((unfinished_of(*c.run.part.tallies).share for c in found), default=0.0)
    if unfinished and not remarks:
        told.append(f"The turn cap ended up to {percent(unfinished)} of the games unfinished; they count in every figure.")
    told += remarks
    notes = [note for c in found for experiment in c.run.experiments for note in experiment.rules.notes()]
    return (*told, *map(clean, dict.fromkeys(notes)))


def differences_table(every: Sequence[Comparison]) -> Table:
    """All comparisons, a row each."""
    return Table(
        "All comparisons",
        "A difference is the variant less the rules as they are, by pairs of playouts on the same draws, shares in percentage points;"
        " below it stands its 95% interval. Verdicts are judged together (Holm). Saved: how many times fewer playouts than"
        " independent runs would have needed.",
        ("Variant", "Players", "Metric", "As it is", "Changed", "Difference", "Verdict", "Saved"),
        tuple(_row(c) for c in every),
        frozenset({1, 3, 4, 5, 7}),
        rows_of=tuple(plural(c.players, "player") for c in every),
    )


def variants_table(found: Sequence[Compared]) -> Table:
    """What each variant changes: constants and strategies."""
    rows = []
    for variant, changed in zip(found[0].variants, found[0].run.experiments[1:], strict=True):
        base = found[0].run.experiments[0]
        pairs = zip(constants(base.rules), constants(changed.rules), strict=True)
        moved: list[tuple[str, ...]] = [(c.key, to_text(before.value), to_text(c.value)) for before, c in pairs if before.value != c.value]
        labels = [", ".join(dict.fromkeys(p.label for p in e.lineup)) for e in (base, changed)]
        if labels[0] != labels[1]:
            moved.append(("strategy", *labels))
        rows += [(clean(variant.name), *map(clean, line)) for line in moved or [("nothing", "", "")]]
    return Table("Variants", "", ("Variant", "What", "As it is", "Changed"), tuple(rows))


def _row(c: Comparison) -> tuple[str | Cell, ...]:
    factor = scale_of(c.difference)
    digits = agreeing(factor * c.baseline.best, factor * c.changed.best, digits_of(c.difference, GAP_CELL))
    both = zip((c.baseline, c.changed), c.hidden, strict=True)
    shown = ["-" if hidden else figure(e, CELL.with_digits(digits)) for e, hidden in both]
    unknown = any(c.hidden)
    saved = "-" if c.playouts_saved is None or unknown else f"{c.playouts_saved:.1f} times"
    return (
        clean(c.variant),
        str(c.players),
        clean(c.metric.label),
        *shown,
        Cell("-", "not known") if unknown else Cell.of(c.difference, GAP_CELL.with_digits(digits)),
        c.word,
        saved,
    )
