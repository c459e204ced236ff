"""`simulate tune GAME`: which rules meet a target, and how little has to be changed for it?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli import options, show
from simulator.cli.exits import EXIT_BROKEN, EXIT_DONE, EXIT_INTERRUPTED, EXIT_UNDECIDED
from simulator.cli.in_turn import play_in_turn
from simulator.cli.outputs import Outputs, output_options
from simulator.document.figures import estimate_text, signed_text
from simulator.document.language import ranged
from simulator.stats.verdicts import MET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.studies.targets import Judged
    from simulator.studies.tune import TuningQuestion
    from simulator.studies.tuning import Proposal, Tuning

DEFAULT_GAMES = 50_000


@click.command("tune", short_help="Find rules that meet a target, with few and small changes.")
@options.game_argument
@options.several(
    "--target",
    "targets",
    of="METRIC=VALUE | METRIC=LOW:HIGH",
    required=True,
    what="What you want, such as players_win=0.60 or turns=25:35; several have to be met together.",
)
@options.several("--within", of="WIDTH | METRIC=WIDTH", what="How near is near enough: 0.01 for shares unless given, turns=0.5 for others.")
@options.players_option("the target is for each.")
@click.option("--separately", is_flag=True, help="Look for other rules for each number of players, instead of the same for all.")
@options.several(
    "--vary",
    of="KEY=LOW:HIGH[:STEP] | KEY=A,B,C",
    what="A constant that may be changed, and its values; all rules of the game unless given.",
)
@click.option("--changes", type=options.Whole(1, 6), default=2, show_default=True, help="How many constants may be changed together.")
@options.games_option(DEFAULT_GAMES, "Playouts of every figure that is reported; 50k unless given.")
@options.strategy_option
@options.asked_options
@click.option(
    "--write", type=click.Path(path_type=Path), metavar="FILE.toml", help="Write the best proposal as a rules file, if it meets the target."
)
@output_options("all figures")
@options.json_option
def command(
    game: Any,
    targets: tuple[str, ...],
    players: tuple[int, ...],
    asked: options.Asked,
    write: Path | None,
    outputs: Outputs,
    *,
    separately: bool,
    as_json: bool,
    **more: Any,
) -> int:
    """Change as few constants as will do, and as little, until every target is met with every number of players.

    What is found is measured again on playouts that had no part in finding it. Exits with 0 if it is shown to meet every
    target there, with 1 if nothing does, and with 3 if something may, with more --games. docs/tune.md says how it looks.
    """
    from simulator.studies.tune import ask  # noqa: PLC0415  needs Numba

    question = ask(game, targets, players=players, rules=asked.rules, seed=asked.seed, workers=asked.workers, **more)
    options.tell_unseated(more["strategies"], players)
    outputs.check()
    options.check_writable(write, "--write", (".toml",))
    if question.games < question.games_needed:
        least = f"{question.games_needed:,} playouts or more"
        show.note(
            f"With --games {question.games:,} an interval hardly fits into the target, so that much will stay open; {least} would do."
        )
    question = replace(question, ledger=asked.open_ledger())
    found = _tune_all([replace(question, players=(n,)) for n in players] if separately else [question])
    complete = sum(len(t.question.players) for t in found) == len(players) and not found[-1].interrupted
    if not complete:
        show.interrupted()
    _write(found, write)
    if outputs.any:
        from reports import tunings  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        outputs.write(lambda: tunings.page(found, options.command_line()), lambda: tunings.frame(found), "Figures")
    if as_json:
        show.print_json(_document(found))
    else:
        _print(found)
    return _exit_code(found) if complete else EXIT_INTERRUPTED


def _tune_all(questions: Sequence[TuningQuestion]) -> list[Tuning]:
    """One question after the other; what is done when Ctrl-C comes is kept."""
    from simulator.studies.tune import tune  # noqa: PLC0415  needs Numba

    def play(question: TuningQuestion) -> Tuning:
        with show.compiling_note():
            return tune(question, watch=show.stage)

    found = play_in_turn(questions, play, lambda tuning: tuning.interrupted)
    if not found:
        raise KeyboardInterrupt
    return found


def _exit_code(found: Sequence[Tuning]) -> int:
    if all(t.met for t in found):
        return EXIT_DONE
    return EXIT_UNDECIDED if all(t.met or t.undecided for t in found) else EXIT_BROKEN


def _document(found: Sequence[Tuning]) -> dict[str, Any]:
    told = [t.as_dict() for t in found]
    listed = {key: [one for t in told for one in t[key]] for key in ("proposals", "baseline")}
    return {
        **listed,
        "met": all(t["met"] for t in told),
        "exhaustive": all(t["exhaustive"] for t in told),
        "digests": [t.digest for t in found],
    }


def _write(found: Sequence[Tuning], path: Path | None) -> None:
    """The best proposal of each search as a rules file; nothing where none meets the target."""
    from simulator.files import write_bytes  # noqa: PLC0415  only where it is asked for
    from simulator.rules import write_toml  # noqa: PLC0415  needs pydantic

    for tuning in found if path is not None else ():
        assert path is not None  # noqa: S101  the line above says so
        players = tuning.question.players
        file = path if len(found) == 1 else path.with_stem(f"{path.stem}-{players[0]}")
        if not tuning.met:
            show.note(f"{file} is not written, since nothing is shown to meet the target.")
            continue
        write_bytes(file, write_toml(tuning.rules_of(tuning.proposals[0]), tuning.question.game.title).encode())
        show.note(f"Rules written to {file}; play them with --rules {file}.")


# ---------------------------------------------------------------- what the terminal shows


def _print(found: Sequence[Tuning]) -> None:
    for tuning in found:
        _print_one(tuning)
    show.paragraph(
        "Every figure comes from playouts that had no part in finding these rules, with its 95% interval. Met: the interval that holds for"
        " all figures of the same rules at once (Holm) lies within the target. Missed: it lies outside. Open: neither.",
        style="dim",
    )


def _print_one(tuning: Tuning) -> None:

    question = tuning.question
    wanted = "; ".join(f"{t.label} {t.text}" for t in question.targets)
    show.paragraph(f"{question.game.title}, {ranged(question.players, 'player')}. Wanted: {wanted}", style="bold")
    show.paragraph(tuning.finding)
    for number, proposal in enumerate(tuning.proposals, 1):
        _print_proposal(tuning, proposal, number)
    for remark, numbers in tuning.remarks.items():
        if len(numbers) > 1 and (len(numbers) < len(tuning.proposals) or remark not in tuning.finding):
            show.paragraph(f"Of {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}: {remark}")
    for level in tuning.levels:
        show.paragraph(level.text)
    took = f"{tuning.playouts:,} playouts, {tuning.elapsed_s:.0f} s, seed {question.seed}, digest {tuning.digest}"
    show.console().print(took, markup=False)


def _print_proposal(tuning: Tuning, proposal: Proposal, number: int) -> None:
    from rich.text import Text  # noqa: PLC0415  only where a table is shown

    table = show.new_table("Players", "Target", "As it is", "Changed", "Interval", "Verdict", right=(0, 2, 3))
    table.title = Text(f"{number}. {tuning.question.told(proposal.setting)}", style="bold")  # brackets in it are no markup
    for before, after in zip(tuning.baseline.judged, proposal.measured.judged, strict=True):
        show.add_row(table, *_cells(before, after))
    show.console().print(table)
    for remark, numbers in tuning.remarks.items():
        if numbers == (number,) and (len(tuning.proposals) > 1 or remark not in tuning.finding):
            show.paragraph(remark, indent="  ")
    for region in proposal.regions:
        show.paragraph(f"{region.text}.", indent="  ")
    for other in proposal.others:
        show.paragraph(f"{MET[other.meets].capitalize()} too: {tuning.question.told(other.setting)}.", indent="  ")


def _cells(before: Judged, after: Judged) -> tuple[str, ...]:
    (was, _), (best, interval) = (_figure(judged) for judged in (before, after))
    return str(after.players), f"{after.target.label}\n{after.target.text}", was, best, interval, after.word


def _figure(judged: Judged) -> tuple[str, str]:
    """A figure and its interval, in what its target is written in: an advantage in points, with its sign."""
    text = signed_text if judged.target.signed else estimate_text
    best, _, interval = text(judged.estimate, "\n").partition("\n")
    return ("none seen", f"{best} {interval}") if interval.startswith("in ") else (best, interval)
