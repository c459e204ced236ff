"""The designer's page about Merry Grinchmas leaves nothing out and says nothing that is no longer so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from grinchmas_positions import rules_with

from simulator import registry
from simulator.games.grinchmas import GAME
from simulator.games.grinchmas.rules import GrinchmasRules
from simulator.rules import Constant, constants, parse_assignment, plausible_text

DOCUMENT = Path(__file__).parents[3] / "docs" / "grinchmas.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
CODE = set(re.findall(r"`([^`\n]+)`", TEXT))
"""All that stands between backticks."""

KEYS = [c.key for c in constants(GrinchmasRules())]
METRICS = [metric.name for metric in GAME.metrics(GrinchmasRules(), 4)]
SHIPPED = registry.strategies("grinchmas")
_PREFIXES = ("presents.", "wishes.", "stars.", "board.", "spinner.", "exchange.", "stolen.")


def section(title: str) -> str:
    """What stands under a heading."""
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("key", KEYS)
def test_every_rule_constant_is_named(key: str) -> None:
    assert any(code == key or code.startswith(f"--set {key}=") for code in CODE)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_named(name: str) -> None:
    assert f"`{name}`" in section("Metrics")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_strategy_is_named_with_its_parameters(name: str) -> None:
    line = next(line for line in section("Strategies").splitlines() if line.startswith(f"| `{name}` |"))
    assert all(f"`{parameter}`" in line for parameter in SHIPPED[name].parameters)


def test_default_strategy_is_the_one_named_so() -> None:
    assert f"| `{GAME.default_strategy}` | The default." in section("Strategies")


def test_constants_and_metrics_that_are_named_exist() -> None:
    dotted = {code for code in CODE if code.startswith(_PREFIXES)}
    assert dotted <= {*KEYS, *METRICS}


def test_every_setting_shown_can_be_made_and_changes_the_rules() -> None:
    settings = ["".join(found) for found in re.findall(r"--set (?:'([^']+)'|([^\s`']+))", TEXT)]
    assert len(settings) >= 7
    for setting in settings:
        key, value = parse_assignment(setting, GrinchmasRules)[:2]
        assert rules_with(**{key: value}) != GrinchmasRules(), setting


def test_switches_are_those_with_both_values_plausible() -> None:
    lines = [line for line in TEXT.splitlines() if "*Switch.*" in line]
    shown = {parse_assignment(match, GrinchmasRules).key for line in lines for match in re.findall(r"--set ([^\s`]+)", line)}
    assert shown == {ruling.switch for ruling in GAME.rulings if ruling.switch}
    assert len(lines) == len(shown)


@pytest.mark.parametrize("constant", [c for c in constants(GrinchmasRules()) if c.source == "assumed"], ids=lambda c: c.key)
def test_every_assumed_constant_shows_its_value_and_range(constant: Constant) -> None:
    lines = section("Constants nobody printed").splitlines()
    cells = next(line for line in lines if line.startswith(f"| `{constant.key}` |")).split("|")
    if not isinstance(constant.value, tuple):
        assert str(constant.value).lower() in cells[2]
    assert "assumed" in cells[3]
    if isinstance(constant.value, tuple):
        assert plausible_text(constant) in cells[4]
    else:
        assert all(str(end).lower() in cells[4] for end in constant.plausible)


def test_how_the_kinds_of_wishes_move_together_is_told_right() -> None:
    more, six = rules_with(wishes__mixed_copies=3).wishes, rules_with(presents__colours=6).wishes
    assert (more.pair_copies, more.trio_cards) == (1, 1)
    assert (six.mixed_copies, six.pair_copies, six.trio_cards) == (1, 2, 4)
    told = " ".join(TEXT.split())
    assert "with three of each mixed Wish the pairs come down to one of each and the trios to one card" in told
    assert "with six colours there is one of each mixed Wish, two of each pair and four trios" in told
