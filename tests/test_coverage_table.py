"""The table of counted coverage in the documents, and the script that makes it."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
TRUST = ROOT / "docs" / "trust.md"


@pytest.fixture(scope="module")
def coverage() -> ModuleType:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("coverage_script", ROOT / "scripts" / "coverage.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def between_markers(coverage: ModuleType) -> list[str]:
    text = TRUST.read_text(encoding="utf-8")
    return str(text.split(coverage.BEGIN)[1].split(coverage.END)[0]).strip().split("\n")


def test_the_documents_table_is_what_the_script_writes(coverage: ModuleType, tmp_path: Path) -> None:
    lines = between_markers(coverage)
    head, rule = coverage.table([coverage.Line("x", 2, "y", 0.5, dict.fromkeys(coverage.SIZES, 1.0))])[:2]
    assert lines[:2] == [head, rule]
    figure = r"\| \w+ \| \d \| [^|]+ \| -?[\d.e+-]+ \| 95% \|" + r" (?:\d+\.\d%|–) \|" * len(coverage.SIZES)  # noqa: RUF001  as the table writes what was not counted
    assert len(lines) > 15
    assert all(re.fullmatch(figure, line) for line in lines[2:])
    again = tmp_path / "trust.md"
    again.write_text(TRUST.read_text(encoding="utf-8"), encoding="utf-8")
    coverage.write(again, lines)
    assert again.read_text(encoding="utf-8") == TRUST.read_text(encoding="utf-8")


def test_the_document_shows_all_three_games_and_rare_events_and_none_that_is_hardly_ever_held(coverage: ModuleType) -> None:
    lines = between_markers(coverage)[2:]
    assert {line.split()[1] for line in lines} >= {"grinchmas", "vacation", "crocs"}
    figures = {line.split("|")[3].strip() for line in lines}
    assert {"`declined`", "`empty_bag`", "first player's advantage", "`drama`, `decided_early`"} <= figures
    shares = [float(share) for line in lines for share in re.findall(r"([\d.]+)%", line.split("95%", 1)[1])]
    assert min(shares) > 90


def test_the_document_shows_every_figure_that_the_script_counts_with_its_mean(coverage: ModuleType) -> None:
    shown = [[cell.strip() for cell in line.strip("|").split("|")] for line in between_markers(coverage)[2:]]
    found = []
    for part in coverage.PARTS:  # the means of `drama` are exact, and watching a playout takes long
        found += part(coverage.Effort(playouts=10 if part is coverage.drama else 20_000, sizes=(1,), runs=1))
    assert {tuple(cells[:3]) for cells in shown} == {(line.game, str(line.players), line.what) for line in found}
    means = {tuple(cells[:3]): float(cells[3]) for cells in shown}
    for line in found:
        assert means[line.game, str(line.players), line.what] == pytest.approx(
            line.truth, rel=0.1, abs=0.05 if " = " in line.what else 0.003
        ), line


def test_that_a_run_is_counted_as_one_that_holds_the_truth_only_where_its_interval_does(coverage: ModuleType) -> None:
    asked = coverage.make_experiment("pig", players=2)
    ends = iter([(0.1, 0.3), (0.3, 0.5), (0.4, 0.5), (0.25, 0.35)])
    sizes, effort = list[int](), coverage.Effort(playouts=100, sizes=(7,), runs=4)

    def interval(picked: Any) -> Any:
        sizes.append(len(picked))
        low, high = next(ends)
        return coverage.Estimate(0.2, low, high, 7, "share")

    line = coverage.counted("x", asked, 0.3, effort, interval)
    assert (line.held, sizes) == ({7: 0.75}, [7] * 4)


def test_intervals_over_real_playouts_of_rare_events_hold_the_truth(coverage: ModuleType) -> None:
    """Of 50 games that a frequent figure needs, `declined` was held by 28 percent once, and `empty_bag` by hardly any."""
    effort: Any = coverage.Effort(playouts=20_000, sizes=(50, 1000), runs=150)
    asked = coverage.make_experiment("grinchmas", players=4)
    rows = coverage.rows_of(asked, effort.playouts)
    for line in coverage.metrics(asked, rows, ("turns", "declined", "empty_bag"), effort):
        assert line.truth > 0, "it does happen, else there is nothing to hold"
        assert min(line.held.values()) > 0.9, line
    lopsided = coverage.make_experiment("pig", players=2, strategies=["hold", "hold:at=1"])
    ahead = coverage.advantage(lopsided, coverage.rows_of(lopsided, effort.playouts), effort)
    assert min(ahead.held.values()) > 0.9, ahead
