"""`simulate compare GAME`: what does a change of the rules do?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from simulator.cli import across as spreads
from simulator.cli import options, show
from simulator.cli.exits import EXIT_INTERRUPTED
from simulator.cli.in_turn import play_in_turn
from simulator.cli.outputs import Outputs, output_options
from simulator.document.figures import TERMINAL, difference_places, difference_text, figure
from simulator.document.language import plural
from simulator.stats.shares import read_widths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.studies.across import ComparedAcross
    from simulator.studies.compare import Compared, Comparison
    from simulator.studies.pairs import Variant

DEFAULT_GAMES = 200_000


@click.command("compare", short_help="Show what a change of the rules does.")
@options.game_argument
@options.several(
    "--variant",
    "variants",
    of="KEY=VALUE | FILE.toml",
    required=True,
    what="Rules to compare with: key=value, several with semicolons between, or a rules file. Append @NAME for another strategy.",
)
@options.players_option("each is compared.")
@options.games_option(DEFAULT_GAMES, "Playouts, or the most of them; 200k unless given.")
@options.several(
    "--margin",
    "margins",
    of="WIDTH | METRIC=WIDTH",
    what="A difference that does not matter: 0.01 for all shares, turns=0.5 for another metric.",
)
@click.option("--until-decided", is_flag=True, help="Play until no verdict is open, or --games is reached.")
@options.metric_option("compare")
@options.strategy_option
@spreads.across_option
@options.asked_options
@output_options("the comparisons")
@options.json_option
def command(  # noqa: PLR0913, PLR0917  one argument per option
    game: Any,
    variants: tuple[str, ...],
    players: tuple[int, ...],
    games: int,
    margins: tuple[str, ...],
    until_decided: bool,  # noqa: FBT001  click gives it by name
    metrics: tuple[str, ...],
    strategies: tuple[str, ...],
    across: tuple[str, ...],
    asked: options.Asked,
    outputs: Outputs,
    *,
    as_json: bool,
) -> int:
    """Play the rules as they are and variants of them on the same playouts, and judge the differences.

    A difference is the variant less the rules as they are. All differences are judged together, so that with 95 percent
    confidence none is called one that is none.
    """
    outputs.check()
    question: dict[str, Any] = {
        "rules": asked.rules,
        "strategies": strategies,
        "metrics": metrics,
        "margins": read_widths(margins, "--margin", "margin", least=0.0),
        "until_decided": until_decided,
        "seed": asked.seed,
        "workers": asked.workers,
    }
    listed = [_variant(game, text, asked.rules) for text in variants]
    options.tell_unseated(strategies, players)
    question["ledger"] = asked.open_ledger()
    if across:
        question = {**question, "strategies": spreads.spread(game, across, strategies), "players": players, "games": games}
        return spreads.finish(_compare_across(game, listed, question), outputs, as_json=as_json)
    found = _compare_all(game, listed, players, games, question)
    if not found:
        raise KeyboardInterrupt
    _write(found, outputs)
    if as_json:
        show.print_json({"comparisons": [c.as_dict() for f in found for c in f.comparisons], "digests": [f.digest for f in found]})
    else:
        _print(found, games)
    return EXIT_INTERRUPTED if len(found) < len(players) or found[-1].run.interrupted else 0


def _variant(game: Any, text: str, baseline: dict[str, Any]) -> Variant:
    """A variant, with a strategy of its own behind an @."""
    from dataclasses import replace  # noqa: PLC0415  only here

    from simulator.studies.pairs import parse_variant  # noqa: PLC0415  needs Numba

    rules, at, strategy = text.partition("@")
    variant = parse_variant(game, rules, baseline)
    return replace(variant, name=text.strip(), strategies=(strategy.strip(),)) if at else variant


def _compare_all(game: Any, variants: list[Variant], players: Sequence[int], games: int, asked: dict[str, Any]) -> list[Compared]:
    """One number of players after the other; what is done when Ctrl-C comes is kept."""
    from simulator.studies.compare import compare, judged_together  # noqa: PLC0415  needs Numba

    def play(n: int) -> Compared:
        with show.stage(plural(n, "player"), games) as progress:
            return compare(game, variants, players=n, games=games, together=len(players), progress=progress, **asked)

    found = play_in_turn(players, play, lambda compared: compared.run.interrupted)
    if found and (len(found) < len(players) or found[-1].run.interrupted):
        show.interrupted()
    return list(judged_together(found, asked["margins"]))


def _compare_across(game: Any, variants: Sequence[Variant], asked: dict[str, Any]) -> ComparedAcross:
    from simulator.studies.across import compare_across  # noqa: PLC0415  needs Numba

    with show.compiling_note():
        return compare_across(game, variants, watch=show.stage, **asked)


def _print(found: Sequence[Compared], games: int) -> None:
    console = show.console()
    for compared in found:
        first, done = compared.run.experiments[0], compared.run.part.games
        seated = plural(first.players, "player")
        console.print(f"{first.game.title}, {seated}, {plural(done, 'playout')} of each, on the same draws", markup=False)
        for variant in compared.variants:
            console.print(_table(variant.name, [c for c in compared.comparisons if c.variant == variant.name]))
        for remark in compared.remarks:
            show.paragraph(remark)
        if compared.sequential and not compared.run.interrupted:
            decided = all(c.verdict != "open" for c in compared.comparisons)
            ended = "every verdict is in" if decided else f"not everything was decided within {games:,} playouts"
            console.print(f"Stopped: {ended}.\n", markup=False)
    console.print(f"digest {', '.join(compared.digest for compared in found)}", markup=False)
    kind = "confidence sequences" if any(c.sequential for c in found) else "intervals"
    console.print(
        f"95% {kind} of the difference, changed less as it is; verdicts are judged together (Holm). "
        "Saved: how many times fewer playouts than independent runs.",
        style="dim",
    )


def _table(title: str, comparisons: Sequence[Comparison]) -> Any:
    from rich.text import Text  # noqa: PLC0415  only where a table is shown

    table = show.new_table("Metric", "As it is", "Changed", "Difference", "Interval", "Verdict", "Saved", right=(1, 2, 3, 4, 6))
    table.title = Text(title, style="bold")  # brackets in it are no markup
    for c in comparisons:
        places = difference_places(c.baseline, c.changed, c.difference)
        both = zip((c.baseline, c.changed), c.hidden, strict=True)
        best = ["-" if hidden else figure(e, TERMINAL.with_digits(places)) for e, hidden in both]
        saved = "-" if c.playouts_saved is None or any(c.hidden) else f"{c.playouts_saved:.1f}x"
        told = "-\nnot known" if any(c.hidden) else difference_text(c.difference, places)
        difference, _, interval = told.partition("\n")
        show.add_row(table, c.metric.label, *best, difference, interval, c.word, saved)
    return table


def _write(found: Sequence[Compared], outputs: Outputs) -> None:
    if outputs.any:
        from reports import comparisons  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        outputs.write(lambda: comparisons.page(found, options.command_line()), lambda: comparisons.frame(found), "Comparisons")
