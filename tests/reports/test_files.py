"""Files are written whole or not at all."""

from __future__ import annotations

import importlib.util
import re
import struct
import xml.etree.ElementTree as ET
import zipfile
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import reports
from reports import pictures, tables
from reports.report import document
from reports.workbook import write_workbook
from simulator.document.chapters import Cell, Table
from simulator.document.document import Document
from simulator.errors import UserError
from simulator.files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from simulator.game import Game
    from simulator.play.run import Result

    Make = Callable[..., Result]


def test_a_saved_table_reads_back_as_it_was(team: Make, tmp_path: Path, hostile: str) -> None:
    result = team(names=(hostile, "plain"))
    path = reports.save_table(tmp_path / "counts.csv", result)
    back = pd.read_csv(path).astype({"seed": "uint64"})
    pd.testing.assert_frame_equal(back, reports.frame(result))
    assert [p.name for p in tmp_path.iterdir()] == ["counts.csv"]


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="needs pyarrow")
def test_a_saved_parquet_reads_back_as_it_was(team: Make, tmp_path: Path) -> None:
    path = reports.save_table(tmp_path / "counts.parquet", team())
    pd.testing.assert_frame_equal(pd.read_parquet(path), reports.frame(team()))


def test_parquet_without_pyarrow_says_how_to_get_it(team: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.tables.find_spec", lambda _name: None)
    with pytest.raises(UserError, match=r"pip install 'ludometer\[parquet\]'"):
        reports.save_table(tmp_path / "counts.parquet", team())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["counts", "counts.xlsx", ".csv"])
def test_an_unknown_ending_is_refused(team: Make, tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=r"\.csv or \.parquet"):
        reports.save_table(tmp_path / name, team())


def test_an_unwritable_place_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    for path in (tmp_path / "folder", tmp_path / "none" / "x.csv", tmp_path / "file" / "x.csv"):
        with pytest.raises(UserError, match="cannot be written"):
            write_bytes(path, b"new")
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["file", "folder"]


def test_an_interrupted_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "page.html"
    write_bytes(target, b"old")

    def fail(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("simulator.files.os.replace", fail)
    with pytest.raises(KeyboardInterrupt):
        write_bytes(target, b"new")
    assert target.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "real.html").write_text("old")
    (tmp_path / "link.html").symlink_to("real.html")
    write_bytes(tmp_path / "link.html", b"new")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "real.html").read_bytes() == b"new"


def test_there_is_a_picture_for_each_chart(team: Make, tmp_path: Path, hostile: str) -> None:
    paths = reports.write_pngs(tmp_path / "new" / "pictures", [team(players=2), team(players=3, names=(hostile,))])
    assert [p.name for p in paths] == [f"toy-{name}.png" for name in ("verdict", "lengths", "durations", "closeness", "hits")]
    for path in paths:
        content = path.read_bytes()
        width, height = struct.unpack(">II", content[16:24])
        assert content[:8] == b"\x89PNG\r\n\x1a\n"
        assert width == round(pictures.WIDE * pictures.DPI)
        assert width / 4 < height < 2 * width


def test_pictures_are_the_same_twice(seats: Make, tmp_path: Path) -> None:
    result = seats((50, 30, 20), 2)
    first, second = (reports.write_pngs(tmp_path / name, result) for name in "ab")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_a_name_cannot_lead_out_of_the_folder(team: Make, tmp_path: Path, game_of: Callable[..., Game]) -> None:
    paths = reports.write_pngs(tmp_path / "in", team(game=game_of(name="../../out")))
    assert {p.parent for p in paths} == {tmp_path / "in"}


def test_a_folder_that_cannot_be_made_is_refused(team: Make, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be made"):
        reports.write_pngs(tmp_path / "file" / "folder", team())


def test_an_svg_file_stands_alone_and_says_its_finding_and_its_numbers(team: Make, tmp_path: Path, hostile: str) -> None:
    paths = reports.write_svgs(tmp_path / "new", [team(players=2), team(players=3, names=(hostile,))])
    assert [p.name for p in paths] == [f"toy-{name}.svg" for name in ("verdict", "lengths", "durations", "closeness", "hits")]
    for path in paths:
        root = ET.parse(path).getroot()  # noqa: S314  it is our own
        space = root.tag.removesuffix("svg")
        assert root.find(f"{space}title").text
        assert "2 players" in root.find(f"{space}desc").text
        assert not [e for e in root.iter() if e.tag == f"{space}script" or e.attrib.get("id", "").startswith("mark:")]
    assert "var(" not in paths[0].read_text(encoding="utf-8")
    assert (
        reports.write_svgs(tmp_path / "again", team(players=2))[0].read_bytes()
        == reports.write_svgs(tmp_path / "b", team(players=2))[0].read_bytes()
    )


def test_the_tables_of_a_page_are_written_as_csv(team: Make, tmp_path: Path) -> None:
    paths = reports.write_csvs(tmp_path / "new", [team(players=2), team(players=3)])
    names = ("outcomes", "lengths", "long-tail", "estimates", "rules", "runs")
    assert [p.name for p in paths] == [f"toy-{name}.csv" for name in names]
    table = pd.read_csv(tmp_path / "new" / "toy-outcomes.csv")
    line = table[table["Metric"] == "Foe wins"].iloc[0]
    assert (line["2 players"], line["2 players: n"], line["2 players: unit"]) == (0.4, 100, "share")
    assert (line["2 players: low"], line["2 players: high"]) == pytest.approx((0.309, 0.498), abs=0.001)
    counts = pd.read_csv(tmp_path / "new" / "toy-runs.csv")
    assert list(counts["Playouts"]) == [100, 100], "numbers have no commas and are numbers"


def test_a_decimal_comma_comes_with_semicolons(tmp_path: Path) -> None:
    path = tables.save_frame(tmp_path / "x.csv", pd.DataFrame({"share": [0.5, 0.25], "name": ["a", "b;c"]}), ",")
    assert path.read_text(encoding="utf-8") == 'share;name\n0,5;a\n0,25;"b;c"\n'


def test_a_workbook_has_a_sheet_for_each_table_and_the_charts(team: Make, tmp_path: Path) -> None:
    results = [team(players=2), team(players=3)]
    made = document(results)
    figures = reports.frame(results).assign(label="=1+1")
    path = write_workbook(tmp_path / "x.xlsx", made, figures)
    with zipfile.ZipFile(path) as file:
        sheets = re.findall(r'<sheet name="([^"]+)"', file.read("xl/workbook.xml").decode())
        pictures = [name for name in file.namelist() if name.startswith("xl/media/")]
        formulas = [name for name in file.namelist() if b"<f>" in file.read(name)]
    assert sheets[0] == "Figures"
    assert sheets[-1] == "Charts"
    assert len(sheets) == 2 + len(made.every_table)
    assert len({name.lower() for name in sheets}) == len(sheets)
    assert len(pictures) == len(made.every_chart)
    assert not formulas


def test_no_two_sheets_of_a_workbook_have_one_name_and_none_is_too_long(tmp_path: Path) -> None:
    twice = (Table("A [long] title: of more than thirty-one letters", "", ("A",), (("1",),)),) * 2
    path = write_workbook(
        tmp_path / "x.xlsx", Document(None, "Study", "", tables=(*twice, Table("figures", "", ("A",), (("1",),)))), pd.DataFrame({"a": [1]})
    )
    with zipfile.ZipFile(path) as file:
        sheets = re.findall(r'<sheet name="([^"]+)"', file.read("xl/workbook.xml").decode())
    assert len({name.lower() for name in sheets}) == len(sheets) == 4
    assert max(map(len, sheets)) <= 31


def test_the_small_print_and_the_marks_of_a_table_have_columns_of_their_own() -> None:
    table = Table("T", "", ("A", "B", "B"), ((Cell("a", "about"), Cell("1", "0 to 2", "assumed"), "x"),), frozenset({1}))
    (line,) = tables.page_frame(table).to_dict("records")
    assert line == {"A": "a", "A: about": "about", "B": 1.0, "B: interval": "0 to 2", "B: mark": "assumed", "B (3)": "x"}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"])
def test_no_cell_of_a_table_is_a_formula(tmp_path: Path, text: str) -> None:
    path = tables.save_frame(tmp_path / "x.csv", pd.DataFrame({text: [text, "plain"], "n": [-1, 1]}))
    back = pd.read_csv(path, keep_default_na=False)
    assert list(back.columns) == [f"'{text}", "n"]
    assert list(back.iloc[:, 0]) == [f"'{text}", "plain"]
    assert list(back["n"]) == [-1, 1]


def test_a_carriage_return_begins_no_line(tmp_path: Path) -> None:
    path = tables.save_frame(tmp_path / "x.csv", pd.DataFrame({"name": ["a\r=1+1", "b\nc"], "n": [1, 2]}))
    assert list(pd.read_csv(path)["name"]) == ["a =1+1", "b\nc"]
