"""`simulate new NAME`: begin a game of one's own."""

from __future__ import annotations

import importlib.util
import keyword
import sys
from pathlib import Path

import click

from simulator import registry
from simulator.cli import show
from simulator.errors import UserError
from simulator.files import write_bytes

README = "README.md"
STARTS = ("cards", "dice", "wheel", "race", "coop")

_FOLDER = Path(__file__).parents[2] / "starts"


@click.command("new", short_help="Begin a game of your own.")
@click.argument("name")
@click.option("--from", "start", type=click.Choice(STARTS), default=STARTS[0], show_default=True, help="What kind of game it begins as.")
def command(name: str, start: str) -> None:
    """Write a small game that plays, to be changed into your own: NAME.py, its tests, its promises, and what to edit first.

    cards: a hand that nobody else sees, and a die to beat. dice: roll on, or stop. wheel: take what it shows, or spin again.
    race: two pawns, of which one moves. coop: all against the clock. Nothing that is there is overwritten.
    """
    _check_name(name)
    texts = texts_of(name, start)
    there = [file for file in texts if Path(file).exists()]
    if there and there != [README]:
        message = f"{there[0]} is there already, and nothing is overwritten; choose another name, or begin in another folder."
        raise UserError(message)
    for file in there:
        show.note(f"{file} is there already and stays as it is.")
        del texts[file]
    for file, text in texts.items():
        write_bytes(file, text.encode())
    show.note(f"Written: {', '.join(texts)}. Go on with: simulate try {name}.py")


def _check_name(name: str) -> None:
    """Refuse a name that a game in a file cannot have.

    Raises:
        UserError: it is such a name.
    """
    if not (name.isidentifier() and name.isascii()) or keyword.iskeyword(name):
        message = f"'{name}' cannot be the name of a Python file; write one word of letters, digits and _, such as dragons."
    elif name in {*registry.game_names(), *registry.command_names()}:
        message = f"There is a game or command '{name}' already; choose another name."
    elif name in sys.stdlib_module_names or importlib.util.find_spec(name) is not None:
        message = f"'{name}' is the name of a Python module that a game may need; choose another name."
    else:
        return
    raise UserError(message)


def texts_of(name: str, start: str) -> dict[str, str]:
    """Name and text of each file."""
    promises = "coop.toml" if start == "coop" else "toml"
    parts = {f"{name}.py": [f"{start}.py"], f"{name}_test.py": ["test.py", f"{start}_test.py"], f"{name}.toml": [promises]}
    title = name.replace("_", " ").strip().capitalize() or name
    return {
        file: "".join((_FOLDER / f"{part}.txt").read_text(encoding="utf-8") for part in named).replace("NAME", name).replace("TITLE", title)
        for file, named in {**parts, README: [README]}.items()
    }
