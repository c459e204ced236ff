"""Names that somebody else chose arrive as text: on pages, in pictures, in tables and in the terminal."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from simulator.document.language import clean

Simulate = Callable[..., Any]

SCRIPT = "<script>alert(1)"
MARKUP = "[bold red]<b>fair</b>[/bold red] & 'even' $x_1$ \N{GAME DIE}"
ESCAPE = "\x1b[31mred\x1b[0m \x07\x9b2J \N{RIGHT-TO-LEFT OVERRIDE}"
FORMULA = '=HYPERLINK("http://example.org")'

STRATEGY = '''"""A visitor."""
from strategies import Params, strategy

@strategy("pig")
def w\N{LATIN SMALL LETTER U WITH DIAERESIS}rfel(view, u, p=Params(**{"<b>it's</b> \N{GAME DIE}": 20})):
    """Rolls <b>once</b>, "always" \N{GAME DIE}."""
    return 0
'''


class Elements(HTMLParser):
    """Collects the elements of a page and their event handlers."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


def page_is_tame(page: Path) -> str:
    """The page's text, if it holds one script, its own, and no element that a name brought."""
    text, elements = page.read_text(encoding="utf-8"), Elements()
    elements.feed(text)
    assert text.count("<script") == elements.seen.count("script") == 1
    assert not {"b", "i"} & set(elements.seen)
    assert not elements.handlers
    return text


def terminal_is_tame(*texts: str) -> None:
    """Nothing in the texts is a command to a terminal."""
    for text in texts:
        assert not [c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c == "\N{RIGHT-TO-LEFT OVERRIDE}")]


@pytest.fixture
def rules_file(tmp_path: Path) -> Path:
    """A file of rules whose name is markup, for pages, for Rich and for shells."""
    file = tmp_path / f"{SCRIPT} {MARKUP.replace('/', '')} {ESCAPE}.toml"
    file.write_text("goal = 50\n", encoding="utf-8")
    return file


def test_a_variant_arrives_as_text(simulate: Simulate, rules_file: Path, tmp_path: Path) -> None:
    written = ["--report", f"c{ESCAPE}.html", "--svg", "svg", "--png", "png", "--csv", "csv", "--save", "c.csv"]
    outcome = simulate("compare", "pig", "--variant", rules_file.name, "--players", "2", "--games", "200", *written)
    assert outcome.code == 0, outcome
    terminal_is_tame(outcome.out, outcome.err)
    name = rules_file.stem
    assert "&lt;script&gt;alert(1)" in page_is_tame(tmp_path / f"c{ESCAPE}.html")
    for picture in (tmp_path / "svg").iterdir():
        drawing = ET.fromstring(picture.read_bytes())  # noqa: S314  it is our own
        assert not [element for element in drawing.iter() if element.tag.rpartition("}")[2] in {"script", "b"}]
        assert any(SCRIPT in (element.text or "") for element in drawing.iter())
    with (tmp_path / "c.csv").open(encoding="utf-8", newline="") as file:
        assert {line["variant"] for line in csv.DictReader(file)} == {name}
    with (tmp_path / "csv" / "pig-All-comparisons.csv").open(encoding="utf-8", newline="") as file:
        assert {line["Variant"] for line in csv.DictReader(file)} == {clean(name)}
    assert "[bold red]" in " ".join(outcome.out.split()), "brackets are no markup"


def test_a_rules_file_arrives_as_text(simulate: Simulate, rules_file: Path, tmp_path: Path) -> None:
    outcome = simulate("pig", "--rules", rules_file.name, "--players", "2", "--games", "200", "--report", "r.html")
    assert outcome.code == 0, outcome
    varied = ["--vary", "goal=40:42", "--players", "2", "--games", "50"]
    swept = simulate("sweep", "pig", "--rules", rules_file.name, *varied, "--report", "s.html")
    assert swept.code == 0, swept
    page_is_tame(tmp_path / "r.html")
    page_is_tame(tmp_path / "s.html")


def test_an_impossible_value_is_refused_without_a_command_to_the_terminal(simulate: Simulate, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(f'goal = {json.dumps(MARKUP + ESCAPE)}\n"a<b>\\u001b[2J" = 1\n', encoding="utf-8")
    outcome = simulate("pig", "--rules", "bad.toml", "--games", "10")
    assert outcome.code == 2
    terminal_is_tame(outcome.out, outcome.err)
    terminal_is_tame(simulate("pig", "--set", f"goal={ESCAPE}", "--games", "10").err)
    terminal_is_tame(simulate("pig", "--strategy", f"{MARKUP}{ESCAPE}", "--games", "10").err)
    terminal_is_tame(simulate(ESCAPE).err)


def test_a_strategy_with_quotes_and_emoji_arrives_as_text(simulate: Simulate, tmp_path: Path) -> None:
    file = tmp_path / 'it\'s "my" \N{GAME DIE} <b>.py'
    file.write_text(STRATEGY, encoding="utf-8")
    player = f"{file.name}:w\N{LATIN SMALL LETTER U WITH DIAERESIS}rfel:<b>it's</b> \N{GAME DIE}=15"
    outcome = simulate("pig", "--strategy", player, "--players", "2", "--games", "200", "--report", "p.html", "--csv", "csv")
    assert outcome.code == 0, outcome
    text = page_is_tame(tmp_path / "p.html")
    assert "&lt;b&gt;it&#39;s&lt;/b&gt; \N{GAME DIE}=15" in text
    assert "<b>it's</b> \N{GAME DIE}=15" in outcome.out + outcome.err
    compared = simulate("compare", "pig", "--variant", f"goal=50@{player}", "--players", "2", "--games", "200", "--report", "v.html")
    assert compared.code == 0, compared
    page_is_tame(tmp_path / "v.html")


def promises(folder: Path) -> Path:
    """A file of promises whose names are hostile each in its own way."""
    names = [f"{SCRIPT}</script>", MARKUP, ESCAPE, FORMULA, "+1", "-1", "@SUM(A1)", "[/nothing]"]
    rest = 'game = "pig"\nplayers = 2\nmetric = "turns"\nat_least = 1\n'
    tables = [f"[[promise]]\nname = {json.dumps(name, ensure_ascii=False)}\n{rest}" for name in names]
    file = folder / "promises [red]<i>.toml"
    file.write_text("games = 300\n" + "".join(tables), encoding="utf-8")
    return file


def test_a_promise_arrives_as_text(simulate: Simulate, tmp_path: Path) -> None:
    file = promises(tmp_path)
    outcome = simulate("check", file.name, "--report", "k.html", "--svg", "svg", "--csv", "csv", "--save", "k.csv", "--junit", "k.xml")
    assert outcome.code == 0, outcome
    terminal_is_tame(outcome.out, outcome.err)
    assert "[bold red]" in " ".join(outcome.out.split())
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page_is_tame(tmp_path / "k.html")
    ET.fromstring((tmp_path / "svg" / "pig-promises.svg").read_bytes())  # noqa: S314  it is our own
    ET.fromstring((tmp_path / "k.xml").read_bytes())  # noqa: S314  it is our own
    for table in (tmp_path / "k.csv", tmp_path / "csv" / "pig-All-promises.csv"):
        with table.open(encoding="utf-8", newline="") as opened:
            cells = [cell for line in csv.reader(opened) for cell in line]
        assert f"'{FORMULA}" in cells
        assert not [cell for cell in cells if cell.startswith(("=", "@", "\t", "\r"))]
        assert {"'+1", "'-1"} <= set(cells), "names, not numbers"


def test_json_of_a_variant_holds_no_command_to_the_terminal(simulate: Simulate, rules_file: Path) -> None:
    outcome = simulate("compare", "pig", "--variant", rules_file.name, "--players", "2", "--games", "200", "--json")
    terminal_is_tame(outcome.out)
    assert {c["variant"] for c in json.loads(outcome.out)["comparisons"]} == {rules_file.stem}


def test_json_of_promises_holds_no_command_to_the_terminal(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate("check", promises(tmp_path).name, "--json")
    terminal_is_tame(outcome.out, outcome.err)
    assert len(json.loads(outcome.out)["promises"]) == 8
