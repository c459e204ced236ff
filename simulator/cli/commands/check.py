"""`simulate check FILE`: are a designer's promises kept?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from simulator.cli import options, show
from simulator.cli.exits import EXIT_BROKEN, EXIT_DONE, EXIT_INTERRUPTED, EXIT_UNDECIDED
from simulator.cli.outputs import Outputs, output_options
from simulator.document.language import listed

if TYPE_CHECKING:
    from simulator.studies.check import Checked, Outcome
    from simulator.studies.promises import Promise


@click.command("check", short_help="Check the promises in a file, such as 'the players win half of the games'.")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.toml")
@click.option("--games", type=options.count(), help="Playouts for each promise at most, in place of what the file says.")
@options.ledger_option
@options.workers_option
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE.xml", help="Write the verdicts as JUnit XML as well.")
@output_options("the verdicts")
@options.json_option
def command(
    file: Path,
    games: int | None,
    ledger_file: Path | None,
    workers: int | None,
    junit: Path | None,
    outputs: Outputs,
    *,
    as_json: bool,
) -> int:
    """Play each promise in FILE until it holds or is broken.

    Exits with 0 if all hold, with 1 if one is broken, and with 3 if none is broken but one is undecided after --games.
    docs/check.md says how to write a promise.
    """
    from simulator.studies.check import check  # noqa: PLC0415  needs Numba
    from simulator.studies.promises import read_promises  # noqa: PLC0415  needs pydantic

    options.check_writable(junit, "--junit")
    outputs.check()
    promises = read_promises(file, games=games)
    _note_rules(promises)
    ledger = options.open_ledger(ledger_file)
    with show.compiling_note():
        checked = check(promises, workers=workers, ledger=ledger, watch=show.counting_bar)
    if checked.interrupted:
        show.interrupted(what="what was found so far")
    if junit is not None:
        from simulator.files import write_bytes  # noqa: PLC0415  only where it is asked for
        from simulator.studies.junit import junit_xml  # noqa: PLC0415

        write_bytes(junit, junit_xml(checked, file.name))
        show.note(f"Verdicts written to {junit}.")
    _write(checked, file.name, outputs)
    if as_json:
        show.print_json(checked.as_dict())
    else:
        _print(checked)
    return _exit_code(checked)


def _write(checked: Checked, source: str, outputs: Outputs) -> None:
    if outputs.any:
        from reports import checks  # noqa: PLC0415  pandas comes only where a report is asked for

        outputs.write(lambda: checks.page(checked, source, options.command_line()), lambda: checks.frame(checked), "Verdicts")


def _note_rules(promises: list[Promise]) -> None:
    """What a designer should know about the rules, each once."""
    sides = [side for p in promises for side in (p.side, p.minus) if side is not None]
    for sentence in dict.fromkeys(s for side in sides for s in side.experiment.rules.notes()):
        show.note(sentence)


def _exit_code(checked: Checked) -> int:
    if checked.interrupted:
        return EXIT_INTERRUPTED
    if checked.count("broken"):
        return EXIT_BROKEN
    return EXIT_UNDECIDED if checked.count("undecided") else EXIT_DONE


def _print(checked: Checked) -> None:
    console = show.console()
    table = show.new_table("Promise", "Promised", "Found", "Playouts", "Verdict", right=(2, 3))
    for outcome in checked.outcomes:
        show.add_row(table, *_cells(outcome))
    console.print(table)
    for outcome in checked.outcomes:
        if outcome.remark:
            show.paragraph(f"{outcome.promise.name}: {outcome.remark}")
    total = len(checked.outcomes)
    held, broken, undecided = (checked.count(verdict) for verdict in ("holds", "broken", "undecided"))
    others = "".join(f", {n} {word}" for n, word in ((broken, "broken"), (undecided, "undecided")) if n)
    console.print(f"{held} of {total} hold{others}; {checked.elapsed_s:.1f} s, digest {checked.digest}", markup=False)
    levels = sorted({o.promise.confidence for o in checked.outcomes})
    at = listed([f"{100 * level:g}%" for level in levels], "or")
    console.print(
        f"{at} confidence sequences, each promise by itself, and each end by itself where one was promised; differences on the same draws.",
        style="dim",
    )
    if checked.more_would_tell and not checked.interrupted:
        console.print("Undecided: the interval still reaches across an end of what is promised; allow more --games.", style="dim")


def _cells(outcome: Outcome) -> tuple[str, ...]:
    p = outcome.promise
    verdict = outcome.verdict if outcome.verdict == "holds" else outcome.verdict.upper()
    played = 0 if outcome.estimate is None else outcome.estimate.n
    about = f"{p.title}\n{p.subject}" if p.title else p.subject
    return about, p.promised, "\n".join(outcome.found()), f"{played:,}", verdict
