"""The page of a comparison: what each variant changes, with intervals and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from reports.charts import Chart, legend, wrapped
from reports.study import StudyPage, StudyTable, write_study, write_study_pngs
from reports.style import INK, ordered
from reports.tables import save_frame
from reports.words import Words, lines_of, number, plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

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
    return line | ends | {"n": c.difference.n, "verdict": c.verdict, "playouts_saved": c.playouts_saved}


def charts(found: Sequence[Compared]) -> list[Chart]:
    """One chart for each metric: the differences that the variants make."""
    table = frame(found)
    drawn = []
    for metric, part in table.groupby("metric", sort=False):
        scaled = part.assign(panel="", run=[f"{n} players" for n in part["players"]])
        for end in ("best", "low", "high"):
            scaled[end] = scaled[f"difference_{end}"] * (100 if part["unit"].iloc[0] == "share" else 1)
        drawn.append(Chart(f"difference-{metric}", scaled, _words(scaled), draw_differences, 1, 2.7))
    return drawn


def draw_differences(table: pd.DataFrame, ax: Axes) -> None:
    """Points with intervals, a place for each variant and a colour for each number of players; zero as a line."""
    variants, runs = list(table["variant"].unique()), list(table["run"].unique())
    ax.axhline(0, color=INK, linewidth=0.8)
    for i, (run, colour) in enumerate(zip(runs, ordered(len(runs)), strict=True)):
        part = table[table["run"] == run]
        shift = SPREAD * ((i + 0.5) / len(runs) - 0.5)
        x = [variants.index(v) + shift for v in part["variant"]]
        ax.vlines(x, part["low"], part["high"], colors=INK, linewidth=1.4)
        ax.plot(x, part["best"], "o", color=colour, markersize=6, label=run)
    ax.set_xticks(range(len(variants)), [wrapped(v, ax, len(variants)) for v in variants])
    ax.set_xlim(-0.6, len(variants) - 0.4)
    ax.margins(y=0.15)
    if len(runs) > 1:
        legend(ax)


def _words(table: pd.DataFrame) -> Words:
    first = table.iloc[0]
    differing = [r for r in lines_of(table) if r.verdict == "differs"]
    unit = "percentage points" if first["unit"] == "share" else first["unit"]
    title = f"{first['label']}: no variant makes a difference that shows"
    if differing:
        most = max(differing, key=lambda r: abs(r.best))
        more = "more" if most.best > 0 else "less"
        low, high = sorted((abs(most.low), abs(most.high)))
        digits = 2 if high < 10 else 1  # noqa: PLR2004  one decimal is enough from ten on
        title = f"{first['label']}: {number(low, digits)} to {number(high, digits)} {unit} {more} with {most.variant} ({most.run})"
    alt = "; ".join(f"{r.variant}, {r.run}: {number(r.low, 3)} to {number(r.high, 3)}" for r in lines_of(table))
    notes = (
        "The line at zero is the rules as they are; the thin lines are 95% intervals.",
        f"n = {plural(int(first['n']), 'playout')} of each.",
    )
    return Words(title, "Look for points whose thin line misses zero.", f"{alt}.", notes, "", f"difference in {unit}")


def _sentences(found: Sequence[Compared]) -> tuple[str, ...]:
    told = []
    for compared in found:
        for variant in compared.variants:
            by_verdict = {
                v: [c.metric.label for c in compared.comparisons if c.variant == variant.name and c.verdict == v] for v in VERDICTS
            }
            parts = [f"{VERDICTS[v]}: {', '.join(labels)}" for v, labels in by_verdict.items() if labels]
            told.append(f"{compared.run.experiments[0].players} players, {variant.name}: {'; '.join(parts)}.")
    return tuple(told)


VERDICTS = {"differs": "differs", "equivalent": "no difference that matters", "undecided": "undecided"}


def page(found: Sequence[Compared], command: str | None = None) -> StudyPage:
    """What the page of a comparison says."""
    first = found[0].run.experiments[0]
    drawn = charts(found)
    table = StudyTable(
        "All comparisons",
        "A difference is the variant less the rules as they are, by pairs of playouts on the same draws; its 95% interval stands "
        "beside it. Verdicts are judged together (Holm). Saved: how many times fewer playouts than independent runs.",
        ("Variant", "Players", "Metric", "As it is", "Changed", "Difference", "Interval", "Verdict", "Saved"),
        tuple(_row(c) for compared in found for c in compared.comparisons),
        frozenset({1, 3, 4, 5, 6, 8}),
    )
    warnings = tuple(
        f"The run with {c.run.experiments[0].players} players was interrupted after {c.run.part.games:,} of {c.run.asked:,} playouts."
        for c in found
        if c.run.interrupted
    )
    facts = tuple((f"Playouts of each, {c.run.experiments[0].players} players", f"{c.run.part.games:,}") for c in found)
    seats = ", ".join(dict.fromkeys(p.label for p in first.lineup))
    made = (("Strategy", seats), ("Seed", str(first.seed)), *facts)
    return StudyPage(
        first.game,
        "Comparison of rules",
        f"{drawn[0].words.title}.",
        _sentences(found),
        warnings,
        tuple(drawn),
        (table,),
        first.rules,
        made,
        command,
    )


def _row(c: Comparison) -> tuple[str, ...]:
    factor, percent = (100, "%") if c.metric.kind == "share" else (1, "")
    digits = 2 if c.metric.kind == "share" else 3
    best, low, high = (factor * x for x in (c.difference.best, c.difference.low, c.difference.high))
    saved = "-" if c.playouts_saved is None else f"{c.playouts_saved:.1f} times"
    return (
        c.variant,
        str(c.players),
        c.metric.label,
        f"{number(factor * c.baseline.best, digits)}{percent}",
        f"{number(factor * c.changed.best, digits)}{percent}",
        number(best, digits),
        f"{number(low, digits)} to {number(high, digits)}",
        c.verdict,
        saved,
    )


def write_page(path: str | Path, found: Sequence[Compared], command: str | None = None) -> Path:
    """Write the page of a comparison, whole or not at all.

    Raises:
        UserError: the file cannot be written.
    """
    return write_study(path, page(found, command))


def write_pngs(folder: str | Path, found: Sequence[Compared]) -> list[Path]:
    """Write the charts of a comparison as PNG files.

    Raises:
        UserError: a file cannot be written.
    """
    return write_study_pngs(folder, page(found))


def save_table(path: str | Path, found: Sequence[Compared]) -> Path:
    """Save all comparisons as .csv or .parquet.

    Raises:
        UserError: the ending is another, pyarrow is missing, or the file cannot be written.
    """
    return save_frame(path, frame(found))
