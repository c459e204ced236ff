"""Promises: how they are read, played and judged."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from simulator.errors import UserError
from simulator.files import write_bytes
from simulator.game import Metric
from simulator.play.resources import Resources
from simulator.play.run import run
from simulator.stats.bands import Band
from simulator.stats.estimate import EachEnd, Estimate
from simulator.stats.sequences import quantile_sequence, share_sequence
from simulator.stats.tally import Histogram
from simulator.stats.verdicts import HOLDS
from simulator.studies.check import Checked, Outcome, check, play_promises
from simulator.studies.junit import junit_xml
from simulator.studies.promises import MAX_PROMISES, Promise, read_promises

ROOT = Path(__file__).resolve().parents[1]
BATCH = 8192


def written(folder: Path, text: str) -> Path:
    path = folder / "balance.toml"
    path.write_text(text, encoding="utf-8")
    return path


def promised(folder: Path, *lines: str, top: str = "", metric: str = "turns", target: str = "at_least = 0") -> list[Promise]:
    """The promises of a file with a single table; a small game that is known exactly."""
    own = [f'metric = "{metric}"', target, *lines]
    if not any(line.startswith("game =") for line in own):
        own.insert(0, 'game = "grinchmas"')
    if not any(line.startswith("players =") for line in own):
        own.insert(1, "players = 4")
    if not any(line.startswith("strategies =") for line in own):
        own.append('strategies = ["uniform"]')
    return read_promises(written(folder, "\n".join([top, "[[promise]]", *own])))


def outcome(folder: Path, *lines: str, **options: str) -> Outcome:
    (found,) = play_promises(promised(folder, *lines, **options), Resources()).outcomes
    return found


# -- reading --


def test_a_range_of_players_makes_one_promise_for_each(tmp_path: Path) -> None:
    found = promised(tmp_path, 'players = "2-6"', 'name = "Long"')
    assert [p.side.experiment.players for p in found] == [2, 3, 4, 5, 6]
    assert [p.name for p in found] == [f"Long ({n} players)" for n in range(2, 7)]
    assert {p.number for p in found} == {1}


def test_what_stands_on_top_counts_where_a_promise_says_nothing_else(tmp_path: Path) -> None:
    top = 'confidence = 0.9\ngames = "250k"\nseed = 7'
    (first,) = promised(tmp_path, top=top)
    (second,) = promised(tmp_path, "confidence = 0.95", "games = 1e4", "seed = 8", top=top)
    assert (first.confidence, first.games, first.side.experiment.seed) == (0.9, 250_000, 7)
    assert (second.confidence, second.games, second.side.experiment.seed) == (0.95, 10_000, 8)


def test_without_anything_on_top_it_is_99_percent_and_a_million(tmp_path: Path) -> None:
    (found,) = promised(tmp_path)
    assert (found.confidence, found.games, found.side.experiment.seed) == (0.99, 1_000_000, 1)


def test_the_cap_can_be_overridden(tmp_path: Path) -> None:
    path = written(tmp_path, '[[promise]]\ngame = "pig"\nplayers = 2\nmetric = "turns"\nat_least = 1\ngames = 10')
    assert read_promises(path, games=500)[0].games == 500


@pytest.mark.parametrize("rules", ['rules = {"wishes.goal" = 10}', "rules = {wishes = {goal = 10}}", "rules.wishes.goal = 10"])
def test_rules_are_written_with_dots_or_as_tables(tmp_path: Path, rules: str) -> None:
    (found,) = promised(tmp_path, rules)
    assert found.side.experiment.as_dict()["rules"]["wishes.goal"] == 10


def test_what_is_subtracted_is_as_the_promise_where_it_does_not_say_otherwise(tmp_path: Path) -> None:
    (found,) = promised(tmp_path, 'rules = {"wishes.goal" = 10}', 'minus = {rules = {"stars.trio" = 6}}')
    assert found.minus is not None
    one, other = found.side.experiment.as_dict(), found.minus.experiment.as_dict()
    assert other["rules"] == one["rules"] | {"stars.trio": 6}
    assert (other["strategies"], other["seed"], other["players"]) == (one["strategies"], one["seed"], one["players"])
    assert found.subject == (
        "grinchmas, 4 players: turns with uniform; wishes.goal=10 less turns with uniform; wishes.goal=10; stars.trio=6"
    )


# -- judging --


@pytest.mark.parametrize(
    ("target", "verdict"),
    [
        ("between = [0.23, 0.33]", "holds"),
        ("at_least = 0.23", "holds"),
        ("at_most = 0.33", "holds"),
        ("at_least = 0.33", "broken"),
        ("at_most = 0.23", "broken"),
        ("between = [0.33, 0.4]", "broken"),
    ],
)
def test_true_promises_hold_and_false_ones_are_broken(tmp_path: Path, target: str, verdict: str) -> None:
    found = outcome(tmp_path, metric="players_win", target=target)
    assert found.word == verdict
    assert found.estimate is not None
    assert found.estimate.low < 0.2803 < found.estimate.high  # counted over a million playouts


def test_what_lies_on_the_edge_stays_undecided_up_to_the_cap(tmp_path: Path) -> None:
    truth = run("grinchmas", games=20_000, strategies=["uniform"]).estimates["turns"].best
    found = outcome(tmp_path, "games = 20_000", target=f"at_least = {truth}")
    assert found.word == "undecided"
    assert found.estimate is not None
    assert found.estimate.n == 20_000


def test_a_promise_ends_as_soon_as_it_is_decided(tmp_path: Path) -> None:
    found = outcome(tmp_path, "games = 100_000", target="at_least = 5")
    assert found.word == "holds"
    assert found.estimate is not None
    assert found.estimate.n == BATCH


def test_each_promise_has_its_own_cap(tmp_path: Path) -> None:
    table = '[[promise]]\ngame = "grinchmas"\nplayers = 4\nmetric = "turns"\nstrategies = ["uniform"]\nbetween = [41.87, 41.88]\n'
    found = play_promises(read_promises(written(tmp_path, f"{table}games = 9000\n{table}games = 500\n")), Resources()).outcomes
    assert [o.estimate.n for o in found if o.estimate] == [9000, 500]


def test_neither_workers_nor_company_change_what_becomes_of_a_promise(tmp_path: Path) -> None:
    text = "".join(
        f'[[promise]]\ngame = "grinchmas"\nplayers = 4\nmetric = "{metric}"\nstrategies = ["uniform"]\n{target}\n'
        for metric, target in (("players_win", "at_least = 0.27"), ("turns", "at_most = 42.1"), ("margin", "at_most = 0"))
    )
    promises = read_promises(written(tmp_path, text), games=60_000)
    together = play_promises(promises, Resources(2)).outcomes
    assert together == tuple(play_promises([p], Resources(1)).outcomes[0] for p in promises)
    assert len({o.estimate.n for o in together if o.estimate}) > 1, "the promises should take different numbers of playouts"


def test_two_seats_are_compared_within_the_same_playouts(tmp_path: Path) -> None:
    same = {"metric": "wins.0", "target": "between = [0.0001, 0.0002]"}
    lines = ('game = "pig"', "players = 2", "games = 8192")
    alone = outcome(tmp_path, *lines, **same).estimate
    found = outcome(tmp_path, *lines, 'minus = {metric = "wins.1"}', **same).estimate
    assert alone is not None
    assert found is not None
    # one of the two always wins: the difference is twice the one share less 1, and its interval twice as wide
    assert found.best == pytest.approx(2 * alone.best - 1, abs=1e-12)
    assert found.high - found.low == pytest.approx(2 * (alone.high - alone.low), rel=0.05)


def test_rules_and_strategies_are_compared_on_the_same_draws(tmp_path: Path) -> None:
    lines = ('rules = {"stars.trio" = 6}', 'minus = {rules = {"stars.trio" = 5}}', "games = 8192")
    found = outcome(tmp_path, *lines, metric="margin", target="between = [-0.000001, 0.000001]").estimate
    asked: Any = {"players": 4, "games": 8192, "strategies": ["uniform"]}
    changed, shipped = (run("grinchmas", rules={"stars.trio": n}, **asked).estimates["margin"] for n in (6, 5))
    assert found is not None
    assert found.best == pytest.approx(changed.best - shipped.best, abs=1e-9)
    # 95 percent for a fixed number is less than half as wide as 99 percent at all numbers; the pairing outweighs that
    assert found.high - found.low < (changed.high - changed.low) + (shipped.high - shipped.low)


def test_numbers_of_players_are_compared(tmp_path: Path) -> None:
    found = outcome(tmp_path, "minus = {players = 2}", "games = 8192", metric="turns", target="between = [-0.001, 0.001]").estimate
    four, two = (run("grinchmas", players=n, games=8192, strategies=["uniform"]).estimates["turns"].best for n in (4, 2))
    assert found is not None
    assert found.best == pytest.approx(four - two, abs=1e-9)


# -- quantiles --

COUNT = Metric("n", "N", "things", "count", 0, 50)


def histogram_of(values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Histogram:
    low = int(values.min())
    return Histogram(low, np.bincount(values - low)[:, None])


def test_a_quantile_lies_within_its_interval_which_narrows_to_it() -> None:
    values = np.random.default_rng(5).binomial(30, 0.5, 200_000)
    assert quantile_sequence(COUNT, histogram_of(values), 0.85, 0.99) == Estimate(18, 18, 18, 200_000, "things")
    early = quantile_sequence(COUNT, histogram_of(values[:1000]), 0.85, 0.99)
    assert 0 < early.low < 18 <= early.high < 30


def test_the_interval_of_a_quantile_reaches_to_the_end_of_the_range_where_nothing_is_known() -> None:
    found = quantile_sequence(COUNT, histogram_of(np.array([7, 7, 7])), 0.9, 0.99)
    assert (found.low, found.best, found.high) == (0, 7, 50)


@pytest.mark.parametrize(("confidence", "of_shares"), [(0.9, 0.95), (EachEnd(0.9), EachEnd(0.9))], ids=["both ends", "each end"])
@pytest.mark.parametrize("n", [300, 1000, 20_000])
def test_the_interval_of_a_quantile_holds_the_values_that_two_sequences_at_half_the_error_allow(
    n: int, confidence: float, of_shares: float
) -> None:
    """Of an end by itself one of them can be wrong, which may spend all of the error."""
    values = np.random.default_rng(3).binomial(40, 0.4, n)
    found = quantile_sequence(COUNT, histogram_of(values), 0.7, confidence)

    def share_up_to(value: int) -> Estimate:
        return share_sequence(int((values <= value).sum()), n, of_shares)

    allowed = [v for v in range(51) if share_up_to(v).high >= 0.7 and share_up_to(v - 1).low < 0.7]
    assert (found.low, found.high) == (allowed[0], allowed[-1])


def test_the_interval_of_a_quantile_covers_it_at_all_looks_together() -> None:
    generator = np.random.default_rng(11)
    truth, looks, missed = 15, (50, 100, 200, 400, 800, 1600), 0
    for _ in range(100):
        values = generator.binomial(30, 0.5, looks[-1])
        found = [quantile_sequence(COUNT, histogram_of(values[:n]), 0.5, 0.8, tuned_for=400) for n in looks]
        missed += any(not e.low <= truth <= e.high for e in found)
    assert missed <= 20


@pytest.mark.parametrize(
    ("key", "beyond", "verdict"), [("at_most", 1, "holds"), ("at_most", -2, "broken"), ("at_least", -2, "holds"), ("at_least", 2, "broken")]
)
def test_promises_about_quantiles_are_judged(tmp_path: Path, key: str, beyond: int, verdict: str) -> None:
    truth = 48  # counted over a million playouts
    found = outcome(tmp_path, "quantile = 0.9", target=f"{key} = {truth + beyond}")
    assert found.word == verdict
    assert found.estimate is not None
    assert found.estimate.low <= truth <= found.estimate.high


@pytest.mark.parametrize(
    ("metric", "below", "more"),
    [("turns", 1, ()), ("players_win", 0.01, ()), ("turns", -50, ('minus = {rules = {"stars.trio" = 6}}',))],
    ids=["mean", "share", "difference"],
)
def test_where_one_end_is_promised_each_end_of_the_interval_holds_by_itself(
    tmp_path: Path, metric: str, below: float, more: tuple[str, ...]
) -> None:
    """So it is narrower, and decided sooner, than that of a promise with two ends, which holds as a whole."""
    lines = ("games = 8192", *more)
    first = outcome(tmp_path, *lines, metric=metric, target=f"at_most = {below}").estimate
    assert first is not None
    widths = []
    for target in (f"at_most = {first.best}", f"between = [{below}, {first.best}]"):
        found = outcome(tmp_path, *lines, metric=metric, target=target)
        assert found.word == "undecided"
        assert found.estimate is not None
        widths.append(found.estimate.high - found.estimate.low)
    assert widths[0] < 0.98 * widths[1]


# -- refusals --

GOOD = '[[promise]]\ngame = "grinchmas"\nplayers = 4\nmetric = "turns"\nat_most = 90\n'
REFUSALS = [
    (GOOD.replace("grinchmas", "grinchmass"), "line 2, promise 1: There is no game 'grinchmass' (did you mean 'grinchmas'?)"),
    (GOOD + GOOD.replace('"turns"', '"turn"'), "line 9, promise 2: at 4 players there is no metric 'turn' (did you mean 'turns'?)"),
    (GOOD + "qantile = 0.5", "line 6, promise 1: there is no key 'qantile' (did you mean 'quantile'?)"),
    (GOOD + 'strategies = ["gredy"]', "line 6, promise 1: Merry Grinchmas has no strategy 'gredy' (did you mean 'greedy'?)"),
    (GOOD + 'rules = {"wishes.gaol" = 9}', "line 6, promise 1: There is no rule 'wishes.gaol' (did you mean 'wishes.goal'?)"),
    (GOOD + '[promise.rules]\n"wishes.goal" = 10\n"stars.trio" = "x"', "line 8, promise 1: Rule 'stars.trio' cannot be x"),
    (GOOD + 'minus = {metrc = "turns"}', "line 6, promise 1: there is no key 'minus.metrc' (did you mean 'metric'?)"),
    (GOOD + 'minus = {metric = "margn"}', "line 6, promise 1: at 4 players there is no metric 'margn' (did you mean 'margin'?)"),
    (GOOD + 'minus = {metric = "margin"}', "line 6, promise 1: 'turns' counts turns and 'margin' stars"),
    (GOOD + 'minus = {metric = "turns"}', "line 6, promise 1: this is the same once more"),
    (GOOD + 'minus = "turns"', "line 6, promise 1: 'minus' cannot be turns: it has to be a table"),
    (GOOD + "minus = {players = 3}\nquantile = 0.5", "promise 1: a quantile of a difference cannot be promised"),
    (GOOD.replace("players = 4\n", ""), "line 1, promise 1: it lacks 'players'; write players = 4, say."),
    (GOOD.replace('metric = "turns"\n', ""), "line 1, promise 1: it lacks 'metric'"),
    (GOOD.replace("at_most = 90\n", ""), "line 1, promise 1: it does not say what is promised; write one of between, at_least and at_most"),
    (GOOD + "at_least = 3", "line 5, promise 1: it has at_least and at_most"),
    (GOOD.replace("4", "true"), "line 3, promise 1: 'players' cannot be true: it has to be a number of players such as 4, or a range"),
    (GOOD.replace("4", '"6-2"'), "line 3, promise 1: 'players' cannot be 6-2"),
    (GOOD.replace("4", "9"), "line 3, promise 1: Merry Grinchmas is for 2 to 6 players, not 9."),
    (GOOD.replace("at_most = 90", "at_most = nan"), "line 5, promise 1: 'at_most' cannot be nan: it has to be a number"),
    (GOOD.replace("at_most = 90", "at_most = false"), "'at_most' cannot be false"),
    (GOOD.replace("at_most = 90", "between = [3, 2]"), "'between' cannot be [3, 2]: it has to be two numbers, the lower one first"),
    (GOOD.replace("at_most = 90", "between = [3, 3]"), "'between' leaves no room, so that no number of playouts could show it"),
    (GOOD.replace('"turns"\nat_most = 90', '"players_win"\nat_most = 0'), "allow a little, such as at_most = 0.001"),
    (GOOD.replace('"turns"\nat_most = 90', '"players_win"\nat_most = 45'), "'players_win' is a share, between 0 and 1"),
    (GOOD.replace('"turns"', '"players_win"') + "quantile = 0.5", "'players_win' is a share, which has no quantiles"),
    (GOOD + "quantile = 1.0", "'quantile' cannot be 1.0: it has to be a number between 0 and 1"),
    ("confidence = 99\n" + GOOD, "line 1: 'confidence' cannot be 99: it has to be a number between 0.5 and 1"),
    ('games = "many"\n' + GOOD, "line 1: 'games' cannot be many: it has to be a number of playouts"),
    ("games = 1e99\n" + GOOD, "'games' cannot be 1e+99"),
    ("games = 0.5\n" + GOOD, "'games' cannot be 0.5"),
    ("seed = -1\n" + GOOD, "line 1: 'seed' cannot be -1"),
    ("sed = 1\n" + GOOD, "line 1: there is no key 'sed' (did you mean 'seed'?)"),
    ('[[promises]]\ngame = "pig"', "there is no key 'promises' (did you mean 'promise'?)"),
    ('[promise]\ngame = "pig"', "line 1: a promise is written under [[promise]], with two brackets on each side."),
    ("promise = [3]", "there is no promise in it"),
    ("", "there is no promise in it; write [[promise]]"),
    ("[[promise]\n", "is not valid TOML"),
    (f"x = {'[' * 5000}", "is not valid TOML: it is nested too deeply."),
    (f"seed = {'9' * 5000}", "is not valid TOML: a number in it has too many digits."),
    (GOOD + f"rules = {'{a=' * 20}1{'}' * 20}", "'rules' cannot be"),
    (GOOD + f'name = "{"x" * 201}"', "'name' cannot be xxx"),
    (GOOD.replace("grinchmas", "g" * 100_000), "'game' cannot be ggg"),
    (GOOD + f"{'k' * 100_000} = 1", "there is no key 'kkk"),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSALS, ids=[s[:60] for _, s in REFUSALS])
def test_what_is_wrong_is_refused_with_its_place(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(UserError) as refusal:
        read_promises(written(tmp_path, text))
    message = str(refusal.value)
    assert message.startswith("Promises ")
    assert sentence in message
    assert message.endswith(".")
    assert len(message) < 1000


def test_a_line_is_not_named_where_it_cannot_be_told(tmp_path: Path) -> None:
    text = GOOD + 'name = """\n[[promise]]\n"""\n' + GOOD.replace("grinchmas", "nothing")
    with pytest.raises(UserError, match=r"balance\.toml, promise 2: There is no game"):
        read_promises(written(tmp_path, text))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot be read: No such file"):
        read_promises(tmp_path / "missing.toml")
    with pytest.raises(UserError, match=r"cannot be read: Is a directory"):
        read_promises(tmp_path)
    path = tmp_path / "latin.toml"
    path.write_bytes(b"# a\n# caf\xe9\n")
    with pytest.raises(UserError, match=r"line 2, is not UTF-8 text"):
        read_promises(path)
    path.write_bytes(b"#" * 1_000_001)
    with pytest.raises(UserError, match=r"larger than 200,000 bytes"):
        read_promises(path)


def test_too_many_promises_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=rf"more than {MAX_PROMISES} promises"):
        read_promises(written(tmp_path, GOOD.replace("4", '"2-6"') * (MAX_PROMISES // 5 + 1)))


# -- JUnit --

HOSTILE = '<b a="1">&amp;\\u001b[31m]]>\\u202e\\uffff'


def checked(folder: Path) -> Checked:
    """One promise of each verdict, and one that was never begun; their name is markup."""
    (promise,) = promised(folder, f"name = '''{HOSTILE}''' ".replace("'''", '"').replace('"1"', "'1'"))
    found = Estimate(12.0, 11.0, 13.0, 100, "turns")
    verdicts = [Outcome(promise, found, verdict) for verdict in HOLDS]
    return Checked((*verdicts, Outcome(promise, None, "open")), 1.5)


def test_junit_tells_each_verdict_apart_and_is_valid_whatever_the_names(tmp_path: Path) -> None:
    suites = ET.fromstring(junit_xml(checked(tmp_path), "a<b>\x00.toml"))  # noqa: S314  written by this very test
    (suite,) = suites
    for element in (suites, suite):
        assert [element.get(k) for k in ("tests", "failures", "errors", "skipped")] == ["4", "1", "1", "1"]
    assert [case[0].tag for case in suite] == ["system-out", "failure", "error", "skipped"]
    assert suite.get("name") == "a<b>?.toml"
    name = suite[0].get("name") or ""
    assert name.startswith("<b a='1'>&amp;?[31m]]>??")
    assert suite[1][0].get("message") == "broken: promised at least 0 turns; found 12.0 (99% confidence: 11.0 to 13.0) after 100 playouts"


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "balance.xml"
    write_bytes(target, b"first")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(UserError, match="No space left on device"):
        write_bytes(target, b"second")
    assert target.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [target]


# -- interruption --


def test_what_is_not_begun_when_interrupted_is_undecided_and_without_an_estimate(tmp_path: Path) -> None:
    promises = [*promised(tmp_path, target="at_least = 5"), *promised(tmp_path, "seed = 2"), *promised(tmp_path, "seed = 3")]
    promises[1] = replace(promises[1], target=Band(41.85, math.inf))
    asked = iter(range(100))

    class Watch:
        def __init__(self, *_: object) -> None:
            self.group = next(asked)

        def __enter__(self) -> object:
            return self.tell

        def __exit__(self, *_: object) -> None:
            pass

        def tell(self, done: int, _part: object) -> None:
            if self.group == 1 and done:
                raise KeyboardInterrupt

    found = play_promises(promises, Resources(stage=Watch))  # type: ignore[arg-type]  # no more than what is needed of it
    assert found.interrupted
    assert [o.word for o in found.outcomes] == ["holds", "undecided", "undecided"]
    assert [o.estimate is None for o in found.outcomes] == [False, False, True]


# -- examples --


@pytest.mark.parametrize("name", ["grinchmas", "vacation", "crocs"])
def test_the_promises_of_the_shipped_examples_hold(name: str) -> None:
    found = check(ROOT / "examples" / f"{name}.toml")
    assert {o.word for o in found.outcomes} == {"holds"}
    assert {o.promise.side.experiment.game.name for o in found.outcomes} == {name}
    kinds = {"quantile" if o.promise.quantile else "difference" if o.promise.minus else "figure" for o in found.outcomes}
    assert kinds == {"quantile", "difference", "figure"}
