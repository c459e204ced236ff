"""The page of checked promises: which hold, which are broken, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from reports.study import StudyPage, StudyTable, write_study
from reports.tables import save_frame
from reports.words import plural

if TYPE_CHECKING:
    from pathlib import Path

    from simulator.studies.check import Checked, Outcome


def frame(checked: Checked) -> pd.DataFrame:
    """A line for each promise: what was promised, the estimate with its ends, n, and the verdict."""
    return pd.DataFrame([_line(o) for o in checked.outcomes])


def _line(outcome: Outcome) -> dict[str, Any]:
    told = outcome.as_dict()
    estimate = told.pop("estimate") or dict.fromkeys(("best", "low", "high", "n", "unit"))
    promised = told.pop("promised")
    return told | {"promised_low": promised["low"], "promised_high": promised["high"]} | estimate


def page(checked: Checked, source: str, command: str | None = None) -> StudyPage:
    """What the page of a promises file says."""
    held, total = checked.count("holds"), len(checked.outcomes)
    broken, undecided = ([o for o in checked.outcomes if o.verdict == verdict] for verdict in ("broken", "undecided"))
    finding = f"{held} of {plural(total, 'promise')} hold."
    sentences = tuple(
        f"{o.promise.name}: promised {o.promise.promised}, found {' within '.join(o.found())}; {o.verdict}." for o in (*broken, *undecided)
    )
    warnings = ("The check was interrupted; what was found so far is shown.",) if checked.interrupted else ()
    levels = " or ".join(f"{100 * level:g}%" for level in sorted({o.promise.confidence for o in checked.outcomes}))
    table = StudyTable(
        "All promises",
        f"Found: best estimate and {levels} confidence sequence, which holds whenever the playing stops, each promise by itself.",
        ("Promise", "About", "Promised", "Found", "Interval", "Playouts", "Verdict"),
        tuple(_row(o) for o in checked.outcomes),
        frozenset({3, 4, 5}),
    )
    games = {side.experiment.game.name: side.experiment.game for side in (o.promise.side for o in checked.outcomes)}
    only = next(iter(games.values())) if len(games) == 1 else None
    facts = (("Promises", source), ("Elapsed", f"{checked.elapsed_s:.1f} s"))
    return StudyPage(only, "Check of promises", finding, sentences, warnings, (), (table,), None, facts, command, source)


def _row(outcome: Outcome) -> tuple[str, ...]:
    best, interval = outcome.found()
    played = "0" if outcome.estimate is None else f"{outcome.estimate.n:,}"
    return outcome.promise.name, outcome.promise.subject, outcome.promise.promised, best, interval, played, outcome.verdict


def write_page(path: str | Path, checked: Checked, source: str, command: str | None = None) -> Path:
    """Write the page of a promises file, whole or not at all.

    Raises:
        UserError: the file cannot be written.
    """
    return write_study(path, page(checked, source, command))


def save_table(path: str | Path, checked: Checked) -> Path:
    """Save all promises with their verdicts as .csv or .parquet.

    Raises:
        UserError: the ending is another, pyarrow is missing, or the file cannot be written.
    """
    return save_frame(path, frame(checked))
