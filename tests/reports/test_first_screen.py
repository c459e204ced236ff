"""The first screen of a balance report: what a publisher would stumble over is said before anything else."""

from __future__ import annotations

from collections.abc import Callable

from reports.first_screen import overview, warnings
from simulator.play.run import Result, run

Make = Callable[..., Result]


def said(results: list[Result], word: str) -> list[str]:
    return [sentence for sentence in warnings(results, measured=True) if word in sentence]


def test_games_that_are_over_before_everybody_had_a_turn_are_told_with_their_share() -> None:
    results = [run("vacation", players=n, games=4000) for n in (2, 4)]
    (sentence,) = said(results, "before everybody had a turn")
    early = sum(n for turns, n in results[1].tally["turns"].as_dict().items() if turns < 4) / 4000
    low, high = (float(end) for end in sentence.split(" percent of games with 4 players")[0].split(" and ")[-1].split(" to "))
    assert low < 100 * early < high
    assert "on the first turn, with" in sentence
    assert said([run("grinchmas", players=4, games=2000)], "before everybody had a turn") == []


def test_games_of_which_some_drag_on_are_told_with_their_median_and_their_tail() -> None:
    (sentence,) = said([run("crocs", players=6, games=4000)], "drag on")
    assert "minutes in the median with 6 players, but beyond" in sentence
    assert said([run("crocs", players=2, games=4000)], "drag on") == []


def test_ties_are_told_where_a_table_would_notice() -> None:
    ending = run("crocs", players=4, games=2000, rules={"deck.when_empty": "end"})
    assert ending.estimates["tied"].low > 0.02
    (sentence,) = said([ending], "no winner")
    assert "with 4 players" in sentence
    assert said([run("crocs", players=4, games=2000)], "no winner") == []


def test_the_table_has_a_row_for_each_run_and_the_share_of_a_cooperative_game() -> None:
    results = [run("orchard", players=n, games=2000) for n in (1, 2)]
    shown = overview(results)
    assert [row[0].text for row in shown.cells] == ["1 player", "2 players"]
    assert [row[1].estimate.best for row in shown.cells] == [
        r.estimates[r.experiment.game.verdict(r.experiment.players)[0]].best for r in results
    ]
