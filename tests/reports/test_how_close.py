"""How close games are is told by the margin at their end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reports.balance import histograms, how_close, who_wins
from simulator.game import Game
from simulator.play.run import Result

Make = Callable[..., Result]


def test_how_close_games_are_is_told_as_a_mean_under_the_metrics_name(team: Make) -> None:
    told = how_close.closeness_words(histograms.distribution([team()], "lead"))
    assert told.title == "Lead: 0.1 to 1.5 points on average with 4 players"


def test_the_caption_speaks_of_the_line_at_zero_only_where_the_axis_has_zero(team: Make) -> None:
    told = how_close.closeness_words(histograms.distribution([team()], "lead"))
    assert told.look_for == "Look for how much lies near the dashed line at zero: the nearer to zero, the closer the game."
    ahead = team(tables=({1: (60, 40, 0)}, {2: (60, 0, 0), 5: (0, 40, 0)}, *[{0: (60, 40, 0)}] * 2))
    assert "at the left end" in how_close.closeness_words(histograms.distribution([ahead], "lead")).look_for
    behind = team(tables=({1: (60, 40, 0)}, {-2: (60, 0, 0), -5: (0, 40, 0)}, *[{0: (60, 40, 0)}] * 2))
    assert "at the right end" in how_close.closeness_words(histograms.distribution([behind], "lead")).look_for


def test_the_closest_game_is_the_closest_of_those_that_came_to_an_end(team: Make) -> None:
    lead = {0: (0, 0, 10), 2: (60, 0, 0), 5: (0, 30, 0)}
    result = team(won=(60, 30, 10), tables=({1: (60, 30, 10)}, lead, *[{0: (60, 30, 10)}] * 2))
    notes = how_close.closeness_words(histograms.distribution([result], "lead")).notes
    assert "The closest game that came to an end is at 2." in notes
    assert "closest" not in " ".join(how_close.closeness_words(histograms.distribution([team()], "lead")).notes), "some are at zero"


def test_what_tells_a_close_game_is_said_below_its_picture(team: Make, game_of: Callable[..., Game]) -> None:
    metrics = game_of().metrics
    described = game_of(metrics=lambda *asked: tuple(replace(m, description=f"About {m.name}.") for m in metrics(*asked)))
    assert how_close.closeness_words(histograms.distribution([team(game=described)], "lead")).notes[0] == "About lead."


def test_games_at_exactly_zero_are_told_with_an_interval_where_there_are_any(team: Make) -> None:
    told = how_close.closeness_words(histograms.distribution([team()], "lead")).notes[0]
    assert told == "Games at exactly zero: 5 to 18 percent of games with 4 players."
    apart = team(tables=({10: (60, 40, 0)}, {5: (60, 40, 0)}, {0: (60, 40, 0)}, {0: (60, 40, 0)}))
    assert not [note for note in how_close.closeness_words(histograms.distribution([apart], "lead")).notes if "zero" in note]


def test_a_seat_alone_has_no_equal_share_and_no_close_games(seats: Make) -> None:
    alone, two = seats((90, 10), 1), seats((50, 30, 20), 2)
    assert who_wins.verdict_frame([alone, two])["equal"].isna().tolist() == [True, False, False]
    assert set(how_close.closeness_frame([alone, two], "turns")["run"]) == {"2 players"}
    assert how_close.closeness_frame([alone], "turns").empty
