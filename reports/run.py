"""The page of a run: the balance report, with the small studies that are played beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from reports import beside, frames, report

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

    from simulator.document.document import Document
    from simulator.play.resources import Resources
    from simulator.play.run import Result
    from simulator.studies.run import Run
    from simulator.studies.study import Finding


def page(document: Document, finding: Finding[Any], resources: Resources, note: Callable[[str], None]) -> Document:
    """The balance report on what was found, and on what is played for it; see `reports.html_pages.page_of`."""
    study = cast("Run", finding.study)
    more = beside.chapters(study, finding.parts, resources, note)
    return report.document(finding.parts, document.command, more, study.pace)


def frame(parts: Sequence[Result]) -> pd.DataFrame:
    """Every count."""
    return frames.frame(parts)
