"""The page, the table and the chart of a tuned strategy say what was measured, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from reports.charts import Chart
from reports.html_pages import drawn, page_html
from reports.pictures import WIDE, draw, styled
from reports.tune_strategy import charts, frame
from simulator.studies.study import Finding
from simulator.studies.tune_strategy import StrategyTuning, TuneStrategyStudy


def finding(strategy: str, **options: Any) -> Finding[StrategyTuning]:
    return TuneStrategyStudy.of("pig", strategy=strategy, vary=["at=24:25"], games=12_000, **options).play()  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def hold() -> Finding[StrategyTuning]:
    """Hold at 24 or 25 in place of 12."""
    return finding("hold:at=12", players=[2, 3])


def look(chart: Chart) -> None:
    with styled():
        draw(chart, WIDE).canvas.draw()


def test_the_page_of_a_strategy_says_what_it_gains(hold: Finding[StrategyTuning], tmp_path: Path) -> None:
    (part,) = hold.parts
    text = page_html(drawn(hold.document(), hold))
    assert f"{part.line} is better: it wins" in text
    assert f"Play it with: --strategy {part.line}" in text
    assert re.search(r'data-label="Difference" class="number">\+\d+\.\d+<small>\+', text), "a gain has its sign, as in the terminal"
    (chart,) = charts(hold.parts)
    assert list(chart.frame["tick"]) == ["2", "3", "mean"]
    assert part.gain is not None
    assert chart.frame["best"].iloc[-1] == part.gain.best
    look(chart)
    table = frame(hold.parts)
    table.to_csv(tmp_path / "figures.csv", index=False)
    assert list(pd.read_csv(tmp_path / "figures.csv")["figure"]) == ["before", "after", "difference"] * 2 + ["difference"]


def test_the_page_of_a_strategy_without_an_improvement_has_no_chart() -> None:
    none = finding("hold:at=25", players=[2])
    assert charts(none.parts) == []
    assert "No improvement was found" in page_html(drawn(none.document(), none))
    assert frame(none.parts).empty
