"""`simulate try GAME`: find out what is wrong with a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from simulator.cli import options, show
from simulator.cli.exits import EXIT_BROKEN, EXIT_DONE
from simulator.document.language import plural

if TYPE_CHECKING:
    from simulator.studies.trial import Trial


@click.command("try", short_help="Find out what is wrong with a game of your own.")
@click.argument("game", metavar="FILE.py")
@options.json_option
def command(game: str, *, as_json: bool) -> int:
    """Find out what is wrong with a game of your own: each complaint is a sentence with its line, and what to write instead.

    First all is played in plain Python, by every strategy: does it deal, does every turn end, are all options legal, does nobody
    see what is hidden, do metrics stay in their ranges, does the story have its words? Then it is compiled, played again, and
    each rule constant is moved to see whether it does anything.
    """
    from simulator.studies.trial import try_game  # noqa: PLC0415  needs Numba

    with show.compiling_note():
        result = try_game(game)
    if as_json:
        complaints = [{"file": c.file, "line": c.line, "code": c.code, "reason": c.reason} for c in result.complaints]
        show.print_json({"game": result.game.name if result.game else None, "complaints": complaints, "notes": list(result.notes)})
    else:
        _print(result)
    return EXIT_BROKEN if result.complaints else EXIT_DONE


def _print(found: Trial) -> None:
    for complaint in found.complaints:
        show.lines(f"{complaint.sentence}\n    {complaint.code}\n")
    for note in found.notes:
        show.note(note)
    if found.complaints:
        then = "" if found.compiled else " What comes later was not looked at yet."
        show.lines(f"{plural(len(found.complaints), 'complaint')}.{then}")
        return
    assert found.game is not None  # noqa: S101  without a game there is a complaint
    low, high = found.game.players
    seats = plural(low, "player") if low == high else f"{low} to {high} players"
    show.lines(
        f"{found.game.title} is a game for {seats}: {plural(found.playouts, 'playout')} in plain Python, and the same "
        f"compiled, without a complaint, in {found.elapsed_s:.1f} s. Go on with: simulate {found.path} --players {low}"
    )
