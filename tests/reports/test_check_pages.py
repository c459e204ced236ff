"""The page and the table of checked promises."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from reports import check as checks
from simulator.cli.main import run
from simulator.stats.estimate import Estimate
from simulator.studies.check import Checked, Outcome
from simulator.studies.promises import read_promises

PROMISES = """
games = 3000
[[promise]]
name = "<b>nearly always</b>"
game = "grinchmas"
players = 2
strategies = ["uniform"]
metric = "players_win"
at_most = 0.2
[[promise]]
game = "pig"
players = 2
metric = "turns"
at_least = 5
"""


def test_page_and_table_hold_every_promise_and_its_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page, table = tmp_path / "balance.toml", tmp_path / "p.html", tmp_path / "p.csv"
    file.write_text(PROMISES, encoding="utf-8")
    assert run(["check", str(file), "--report", str(page), "--save", str(table)]) == 1
    capsys.readouterr()
    text = page.read_text(encoding="utf-8")
    assert "1 of 2 promises hold, 1 is broken." in text
    assert "&lt;b&gt;nearly always&lt;/b&gt;" in text
    assert text.count("<script") == 1, "the page's own"
    marks = [float(y) for y in re.findall(r'<use [^>]*?y="([\d.]+)"', text)]
    assert marks
    assert min(marks) >= 4.5, "a mark of the legend is cut"
    with table.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["verdict"] for row in rows] == ["broken", "holds"]
    assert float(rows[0]["low"]) > float(rows[0]["promised_high"]) == 0.2


def test_names_of_promises_are_left_whole_where_they_fit_and_lose_whole_words_where_not(tmp_path: Path) -> None:
    file = tmp_path / "balance.toml"
    long = "The players win about every second game whatever the dice say"
    names = ("The players win about", long)
    file.write_text(
        "".join(f'[[promise]]\nname = "{n}"\ngame = "pig"\nplayers = 2\nmetric = "wins.0"\nat_least = 0.2\n' for n in names),
        encoding="utf-8",
    )
    outcomes = [Outcome(p, Estimate(0.5, 0.4, 0.6, 100, "share"), "yes") for p in read_promises(file)]
    (chart,) = checks.charts([Checked(tuple(outcomes), 0.0)])
    titles = []
    for _, panel in chart.frame.groupby("panel", sort=False):
        ax = Figure(figsize=(4, 1)).subplots()
        chart.draw(panel, ax)
        titles.append(ax.get_title("left"))
    assert titles[0] == "The players win about: holds"
    kept = titles[1].removesuffix(": holds").split()
    assert titles[1].endswith(": holds")
    assert "\N{HORIZONTAL ELLIPSIS}" in kept
    assert set(kept) - {"\N{HORIZONTAL ELLIPSIS}"} < set(long.split())
