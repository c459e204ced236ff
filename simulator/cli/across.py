"""The option --across, and what the terminal shows when a question was put to every strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.cli import options, show
from simulator.cli.exits import EXIT_DONE, EXIT_INTERRUPTED
from simulator.document.figures import difference_text
from simulator.document.language import plural
from simulator.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.cli.outputs import Outputs
    from simulator.studies.across import Asked
    from simulator.studies.sensitive_across import Conclusion, SensitivityAcross

across_option = options.several(
    "--across",
    of="strategies | NAME[:k=v,...]",
    what="Ask under each of the game's strategies, or under each NAME (may be repeated), and flag every verdict that flips.",
)


CLOSING = (
    "95% {kind}; those of the conclusions hold for all strategies at once. Which way an effect goes is judged together"
    " over all constants, metrics, numbers of players and strategies (Holm); without a verdict it is open."
    " For the size of effects under one strategy, ask with --strategy NAME."
)
"""Stands below the effects under several strategies."""

MOST_MOVES = 8
"""Moves with effects that flip which the terminal shows."""

WIDE = 60
"""A terminal of so many columns shows a difference and its interval side by side."""


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


def _table(title: str, asked: Sequence[Asked]) -> Any:
    """A line for each metric, and below those on which the strategies do not agree a line for each strategy."""
    from rich.text import Text  # noqa: PLC0415  only where a table is shown

    separator = "  " if show.console().width >= WIDE else "\n"
    table = show.new_table("Metric", "Difference", "Verdict", right=(1,))
    table.title = Text(title, style="bold")  # brackets in it are no markup
    table.columns[1].no_wrap = True  # an interval is read in one piece
    for one in asked:
        if one.status == "holds":
            show.add_row(table, one.metric.label, _span(one), f"{one.mark}, {one.answers[0].says}")
            continue
        show.add_row(table, one.metric.label, "", one.mark)
        for a in one.answers:
            told = "not known" if a.hidden else difference_text(a.difference).replace("\n", separator)
            show.add_row(table, f"  {a.strategy}", told, a.says)
    return table


def _span(one: Asked) -> str:
    """From the lowest end of the strategies' intervals to the highest."""
    from simulator.stats.estimate import Estimate  # noqa: PLC0415  needs NumPy

    low, high = min(a.difference.low for a in one.answers), max(a.difference.high for a in one.answers)
    n = min(a.difference.n for a in one.answers)
    whole = Estimate((low + high) / 2, low, high, n, one.metric.unit)
    _, _, interval = difference_text(whole).partition("\n")
    return interval or "none"


def print_sensitivity(found: SensitivityAcross) -> None:
    """The conclusions under each strategy, what could overturn them and where, and the effects that flip."""
    from simulator.stats.digests import joint_digest  # noqa: PLC0415  needs NumPy

    game = found.found[0][1].tables[0].baseline.game
    show.console().print(
        f"{game.title}: every constant moved alone, under {len(found.strategies)} strategies, on the same draws",
        style="bold",
        markup=False,
    )
    for conclusion in found.conclusions:
        _print_conclusion(conclusion)
    _print_overturned(found)
    _print_flips(found)
    _print_missing(found)
    if found.without_effect:
        show.paragraph(f"No effect that matters under any strategy, shown for every move: {', '.join(found.without_effect)}.")
    for sentence in found.closing():
        show.paragraph(sentence)
    show.paragraph(f"digest {joint_digest(table.digest for _, one in found.found for table in one.tables)}")
    kind = "confidence sequences" if found.found[0][1].sequential else "intervals"
    show.paragraph(CLOSING.format(kind=kind), style="dim")


def _print_flips(found: SensitivityAcross) -> None:
    flips = [a for a in found.asked if a.status == "flips"]
    moves = list(dict.fromkeys((a.about, a.players) for a in flips))
    for about, n in moves[:MOST_MOVES]:
        title = f"{about}, {plural(n, 'player')}"
        show.console().print(_table(title, [a for a in flips if (a.about, a.players) == (about, n)]))
    if len(moves) > MOST_MOVES:
        show.paragraph(f"and {len(moves) - MOST_MOVES} more moves with effects that flip; --report, --save and --json give all.")


def _print_missing(found: SensitivityAcross) -> None:
    """What was not moved, and what is less precise than it was to be."""
    from simulator.rules import brief_text  # noqa: PLC0415  needs pydantic

    if any(table.precise is False for _, one in found.found for table in one.tables):
        show.paragraph("Not every difference became as precise as was asked for; ask for more --games.")
    _, first = found.found[0]
    for sentence in (*first.not_tried, *first.inert_texts):
        show.paragraph(sentence)
    for left in first.left_out:
        show.paragraph(f"Left out: {left.key}{'' if left.to is None else f' = {brief_text(left.to)}'}. {left.reason}")


def _print_conclusion(conclusion: Conclusion) -> None:
    n = conclusion.players
    show.paragraph(f"{conclusion.mark}: {conclusion.about}, {plural(n, 'player')}")
    for strategy, standing in conclusion.answers:
        show.paragraph(f"{strategy}: {standing.text}", indent="  ")


def _print_overturned(found: SensitivityAcross) -> None:
    doubtful = [o for o in found.overturned if o.move.doubtful]
    if not doubtful:
        show.paragraph(
            "Under no strategy is a conclusion seen to be overturned by a constant that is in doubt, at the values that were tried."
        )
        return
    show.paragraph("Constants nobody is sure of that could overturn a conclusion, and under which strategy:")
    for one in doubtful:
        show.paragraph(one.text, indent="  ")


def finish(found: SensitivityAcross, outputs: Outputs, *, as_json: bool) -> int:
    """Write and show what was found; the exit code."""
    if found.interrupted:
        show.interrupted()
    if outputs.any:
        from reports import across  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        outputs.write(lambda: across.page(found, options.command_line()), lambda: across.table(found), "Verdicts")
    if as_json:
        show.print_json(found.as_dict())
    else:
        print_sensitivity(found)
    return EXIT_INTERRUPTED if found.interrupted else EXIT_DONE
