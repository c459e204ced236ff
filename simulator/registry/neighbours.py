"""What other installed packages offer under an entry-point group; one that is broken is left out with a note, and harms nobody."""

from __future__ import annotations

import importlib.util
import traceback
import warnings
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from simulator.errors import UserError, described
from simulator.files import shortened

_MOST_LETTERS = 500
"""What is said about a package that is left out is cut to this length."""


class LeftOutWarning(UserWarning):
    """Something that another installed package offers cannot be used; everything else goes on without it."""


class StrangerWarning(UserWarning):
    """A file of somebody's is named for the first time, and is about to run."""


def leave_out(reason: object) -> None:
    """Warn that something is left out, for a reason given as a sentence."""
    warnings.warn(f"{shortened(' '.join(str(reason).split()), _MOST_LETTERS)} It is left out.", LeftOutWarning, stacklevel=2)


@dataclass(frozen=True)
class Offer:
    """Something that an installed package offers by an entry point."""

    entry: EntryPoint

    @property
    def name(self) -> str:
        """What it is called there."""
        return self.entry.name

    def __str__(self) -> str:
        """Name, distribution and place, to begin a sentence with."""
        return f"'{self.name}' from the installed package {self.distribution} ({self.entry.value})"

    @property
    def distribution(self) -> str:
        """Name of what was installed."""
        return self.entry.dist.name if self.entry.dist is not None else "without a name"

    def load(self) -> Any:
        """What is offered.

        Raises:
            UserError: it cannot be imported; file and line are named where they can be told.
        """
        try:
            return self.entry.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever another package raises while it is imported
            message = f"{self} cannot be loaded{self._place(error)}: {described(error)}."
            raise UserError(message) from None

    def _place(self, error: BaseException) -> str:
        """File and line of the package at which an error came up."""
        if isinstance(error, SyntaxError) and error.filename and error.lineno:
            return f" ({error.filename}, line {error.lineno})"
        own = _folders(self.entry.module.partition(".")[0])
        frames = [f for f in traceback.extract_tb(error.__traceback__) if any(Path(f.filename).is_relative_to(place) for place in own)]
        return f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""


def _folders(package: str) -> list[str]:
    """Where the files of a top-level package, or the file of a module, lie."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return []
    if spec is None:
        return []
    return list(spec.submodule_search_locations or ([spec.origin] if spec.origin else []))


@cache
def offers(group: str) -> tuple[Offer, ...]:
    """All that installed packages offer under a group, sorted by name; nothing is imported."""
    return tuple(sorted((Offer(entry) for entry in entry_points(group=group)), key=lambda o: (o.name, o.entry.value)))
