"""Where the rules come from, and how the report was made."""

from __future__ import annotations

from collections.abc import Sequence

from reports import frames
from simulator.document.chapters import HOW_MADE, RULES_AND_SOURCES, Cell, Chapter, Table
from simulator.document.document import rulings_table
from simulator.document.language import clean
from simulator.play.run import Result
from simulator.rules import Constant, constants, plausible_text, to_text


def rules_chapter(results: Sequence[Result]) -> Chapter:
    """The constants of the rules with their sources; where runs differ, the value of each."""
    runs, assumed = frames.run_names(results), frames.assumed_keys(results[0])
    rows = tuple(_rule(same, runs) for same in zip(*(constants(r.experiment.rules) for r in results), strict=True))
    table = Table("Constants", "", ("Constant", "Value", "Source"), rows, small="detail", name="rules")
    sentence = f"Assumed, because the rulebook does not print them: {', '.join(assumed)}." if assumed else "Every constant has a source."
    note = "A constant marked assumed is not printed in the rulebook; its plausible range says between what the truth may lie."
    return Chapter(
        RULES_AND_SOURCES,
        "Where the rules come from",
        "Look for assumed constants that you know better.",
        (sentence,),
        tables=(table, *rulings_table(results[0].experiment.game)),
        notes=(note,) * bool(assumed),
    )


def _rule(same: Sequence[Constant], runs: Sequence[str]) -> tuple[Cell, ...]:
    """One constant of every run."""
    first, values = same[0], [to_text(c.value) for c in same]
    value = values[0] if len(set(values)) == 1 else "; ".join(f"{v} with {run}" for v, run in zip(values, runs, strict=True))
    changed, assumed, plausible = any(c.changed for c in same), first.source == "assumed", plausible_text(first)
    unit = "; ".join(filter(None, (first.unit, f"shipped: {to_text(first.default)}" * changed)))
    return (
        Cell(first.key, first.description, code=True),
        Cell(value, unit, "changed" * changed),
        Cell("" if assumed else first.source, f"{first.note}{f'; plausible: {plausible}' * bool(plausible)}", "assumed" * assumed),
    )


def chapter(results: Sequence[Result]) -> Chapter:
    """How each run was made."""
    rows = [
        (
            Cell(run, clean(frames.seats_text(r))),
            f"{r.games:,}",
            f"{r.unfinished:,}",
            f"{r.elapsed_s:.2f} s",
            str(r.experiment.seed),
            Cell(r.digest, code=True),
            Cell(r.experiment.id, code=True),
        )
        for run, r in frames.named(results)
    ]
    columns = ("Run", "Playouts", "Unfinished", "Elapsed", "Seed", "Digest", "Experiment")
    rows_of = tuple(frames.run_names(results))
    table = Table("Runs", "", columns, tuple(rows), frozenset({1, 2, 3, 4}), rows_of=rows_of, small="strategies", name="runs")
    note = "The digest is a hash of all counts: the same experiment gives the same digest on any machine, with any number of workers."
    return Chapter(HOW_MADE, "How this was made", "", tables=(table,), notes=(note,))
