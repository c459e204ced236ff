"""The page and the table of checked promises."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from simulator.cli.main import run

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
    with table.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["verdict"] for row in rows] == ["broken", "holds"]
    assert float(rows[0]["low"]) > float(rows[0]["promised_high"]) == 0.2
