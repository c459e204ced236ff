"""The option --across of `sensitivity`, and what is written and shown when a question was put to every strategy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simulator.cli import options, show
from simulator.cli.exits import EXIT_DONE, EXIT_INTERRUPTED
from simulator.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.cli.outputs import Outputs
    from simulator.studies.sensitive_across import SensitivityAcross

across_option = options.several(
    "--across",
    of="strategies | NAME[:k=v,...]",
    what="Ask under each of the game's strategies, or under each NAME (may be repeated), and flag every verdict that flips.",
)


def spread(game: Any, across: Sequence[str], strategies: Sequence[str]) -> tuple[str, ...]:
    """The strategies to ask.

    Raises:
        UserError: --strategy says who plays as well, or there is nothing to ask across.
    """
    from simulator.studies.across import spread_of  # noqa: PLC0415  needs Numba

    if strategies:
        message = "--across says who plays; leave out --strategy, or write --across NAME for each strategy to ask."
        raise UserError(message)
    return spread_of(game, across)


def finish(found: SensitivityAcross, outputs: Outputs, *, as_json: bool) -> int:
    """Write and show what was found; the exit code."""
    from simulator.document.terminal import print_document  # noqa: PLC0415  needs Rich
    from simulator.studies.sensitive_across import document  # noqa: PLC0415  needs Numba

    if found.interrupted:
        show.interrupted()
    seed = str(found.found[0][1].tables[0].baseline.seed)
    made = replace(document(found), made=(("Seed", seed), ("Digest", found.digest)), command=options.command_line())
    if outputs.any:
        from reports import across  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        outputs.write(lambda: across.drawn(made, found), lambda: across.table(found), "Verdicts")
    if as_json:
        show.print_json(found.as_dict())
    else:
        print_document(made, show.console())
    return EXIT_INTERRUPTED if found.interrupted else EXIT_DONE
