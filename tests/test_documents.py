"""What the documents show and promise is run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from simulator import registry
from simulator.cli.main import run

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = re.compile(r"<!-- example: simulate (.+?) -->\n```\n\$ .+?\n(.+?)```", re.DOTALL)
FILE = re.compile(r"<!-- file: (\S+) -->\n```python\n(.+?)```", re.DOTALL)


PLAYERS = re.compile(r"simulate ([^\n`|]*?--players) (\d+)(?:-(\d+))?")


def test_every_command_of_the_documents_seats_as_many_as_the_game_is_for() -> None:
    """Games in files are played by the tests of their own documents."""
    texts = {p: p.read_text(encoding="utf-8") for p in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))}
    commands = [(path.name, found) for path, text in texts.items() for found in PLAYERS.findall(text) if ".py" not in found[0]]
    assert len(commands) > 20
    for document, (words, fewest, most) in commands:
        (game,) = {word for word in words.split() if word in registry.game_names()}
        low, high = registry.game(game).players
        assert low <= int(fewest) <= int(most or fewest) <= high, f"{document}: simulate {words} {fewest}-{most or fewest}"


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("document", [p for p in ROOT.glob("*.md") if EXAMPLE.search(p.read_text(encoding="utf-8"))], ids=lambda p: p.name)
def test_examples_print_what_the_document_shows(
    document: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for arguments, shown in EXAMPLE.findall(document.read_text(encoding="utf-8")):
        assert run(arguments.split()) == 0
        printed = squeezed(capsys.readouterr().out)
        assert printed[: len(squeezed(shown))] == squeezed(shown)


def test_the_strategy_of_the_document_plays_and_is_under_twenty_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
    ((name, source),) = FILE.findall(text)
    assert len(source.strip().splitlines()) < 20
    (tmp_path / name).write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^    simulate (.+?)(?: +#.*)?$", text, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        extra = [] if command.startswith("replay") else ["--games", "3000", "--json"]
        assert run([*command.split(), *extra]) == 0
    capsys.readouterr()


def win_rate(capsys: pytest.CaptureFixture[str], *strategies: str) -> float:
    chosen = [part for s in strategies for part in ("--strategy", s)]
    assert run(["grinchmas", "--games", "20000", "--json", *chosen]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    best: float = result["estimates"]["players_win"]["best"]
    return best


def test_the_strategy_of_the_document_plays_better_than_chance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ((name, source),) = FILE.findall((ROOT / "docs" / "strategies.md").read_text(encoding="utf-8"))
    (tmp_path / name).write_text(source, encoding="utf-8")
    assert win_rate(capsys, f"{tmp_path / name}:hasty") > win_rate(capsys, "uniform") + 0.05


DOCUMENTED = [
    (["grinchmas", "--games", "100", "--json"], "simulate GAME"),
    (["games", "--json"], "simulate games"),
    (["rules", "grinchmas", "--json"], "simulate rules"),
    (["strategies", "grinchmas", "--json"], "simulate strategies"),
    (["replay", "grinchmas", "--json"], "simulate replay"),
    (["try", "cherry", "--json"], "simulate try"),
    (["compare", "grinchmas", "--variant", "stars.trio=6", "--games", "500", "--json"], "simulate compare"),
    (["compare", "pig", "--players", "2", "--variant", "goal=90", "--games", "300", "--across", "strategies", "--json"], "--across ..."),
    (["sensitivity", "pig", "--players", "2", "--games", "300", "--across", "strategies", "--json"], "--across ..."),
    (["sensitivity", "orchard", "--players", "2", "--games", "100", "--target", "0.6:0.7", "--json"], "simulate sensitivity"),
    (["sweep", "grinchmas", "--vary", "stars.trio=5:6", "--games", "300", "--json"], "simulate sweep"),
    (["tournament", "pig", "--players", "2", "--games", "200", "--json"], "simulate tournament"),
    (["tournament", "orchard", "--games", "100", "--json"], "simulate tournament"),
    (["verify", "--quick", "--group", "generator", "--json"], "simulate verify"),
]


def keys_of(value: object) -> set[str]:
    """Names of all fields that are no data, such as metrics, rule keys and values."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value)) if value else set()
    if isinstance(value, dict):
        data = {"estimates", "distributions", "rules", "row", "parameters", "set", "difference"}
        inner = [keys_of(list(v.values())[:1]) if k in data and isinstance(v, dict) else keys_of(v) for k, v in value.items()]
        return set(value).union(*inner)
    return set()


@pytest.mark.parametrize(("arguments", "heading"), DOCUMENTED)
def test_every_field_of_the_json_is_documented(arguments: list[str], heading: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    assert heading in text
    assert run(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    fields = {k for k in keys_of(document) if not re.fullmatch(r"-?\d+", k)}
    missing = {field for field in fields if not re.search(rf"[`\"]{field}[`\"]", text)}
    assert not missing


def test_the_python_example_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (source,) = re.findall(r"```python\n(.+?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(source.replace("games=1_000_000", "games=2000"), {})  # noqa: S102  the document's own example
    assert "Estimate(best=" in capsys.readouterr().out
    assert (tmp_path / "balance.html").stat().st_size > 10_000
