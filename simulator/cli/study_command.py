"""The command of a study, made from its declaration: options, refusals, progress, what is written and printed, the exit code."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from simulator import registry
from simulator.cli import options, show
from simulator.cli.exits import EXIT_BROKEN, EXIT_DONE, EXIT_INTERRUPTED, EXIT_UNDECIDED
from simulator.cli.outputs import Outputs, output_options
from simulator.errors import UserError
from simulator.play.resources import Resources
from simulator.studies.options import Option, options_of
from simulator.studies.study import Finding, Question, Setup, Study

if TYPE_CHECKING:
    from simulator.document.document import Document

F = TypeVar("F", bound=Callable[..., Any])

EXITS = {True: EXIT_DONE, False: EXIT_BROKEN, None: EXIT_UNDECIDED}
"""What the command exits with: whether what was asked holds, None where that is open."""


def study_command(name: str, study: type[Question[Any, Any]], game: str = "") -> click.Command:
    """The command that asks a study's question.

    Args:
        name: as it is typed.
        study: what is asked; see `simulator.studies.study`.
        game: which game it is about; where there is none, that is the command's argument.
    """

    def command(**given: Any) -> int:
        return _ask(study, {"game": registry.game(game), **given} if game else given)

    about = inspect.getdoc(study) or ""
    decorated = options.add(
        *([options.game_argument] if issubclass(study, Study) and not game else []),
        *([options.players_option(study.each_number)] if issubclass(study, Study) else []),
        *(_click_option(field, default, one) for field, default, one in options_of(study)),
        *_who_and_what(study),
        options.ledger_option,
        options.workers_option,
        output_options(study.saved),
        options.json_option,
        click.option("--markdown", is_flag=True, help="Print it as Markdown, to paste it into a wiki or an issue."),
    )(command)
    help_text = f"{registry.game_summary(game)}\n\n{about}" if game else about
    return click.command(name, help=help_text)(decorated)


def _who_and_what(study: type[Question[Any, Any]]) -> list[Any]:
    if not issubclass(study, Study):
        return []
    who = options.entrants_option(study.strategies_are) if study.strategies_are else options.strategy_option
    return [*([] if study.strategies_are is None else [who]), options.set_option, options.rules_option, options.seed_option]


def _click_option(field: str, default: Any, one: Option) -> Callable[[F], F]:
    """An option of the command, or its argument where the name has no dashes."""
    name = _typed(field, one)
    more: dict[str, Any] = {"required": one.required, "help": one.help, "metavar": one.written or None}
    if one.kind == "flag":
        return click.option(name, field, is_flag=True, help=one.help)
    if one.kind == "texts":
        return click.option(name, field, multiple=True, **more)
    if not name.startswith("--"):
        return click.argument(field, type=_type_of(one), metavar=name)
    return click.option(name, field, type=_type_of(one), default=default, show_default=one.shown, **more)


def _typed(field: str, one: Option) -> str:
    """A field's option as it is typed."""
    return one.name or f"--{field.replace('_', '-')}"


def _type_of(one: Option) -> Any:
    if one.read is not None:
        return options.Read(one.read)
    low, high = one.ends
    if one.kind in {"count", "whole"}:
        return options.Whole(int(low), int(high))
    return {"number": click.FloatRange(low, high), "text": click.STRING, "file": click.Path(path_type=Path)}[one.kind]


def _ask(study: type[Question[Any, Any]], given: dict[str, Any]) -> int:
    """Ask a question, and write and print what was found; the exit code."""
    workers, ledger_file = given.pop("workers"), given.pop("ledger_file")
    outputs: Outputs = given.pop("outputs")
    as_json, as_markdown = given.pop("as_json"), given.pop("markdown")
    question = _question(study, given)
    question.plans  # noqa: B018  what cannot be asked is refused here
    outputs.check()
    _refuse_without_a_page(question, outputs)
    for field, _, one in options_of(study):
        if one.kind == "file" and (name := _typed(field, one)).startswith("--"):
            options.check_writable(getattr(question, field), name, one.endings)
    notes = question.notes()
    for sentence in notes:
        show.note(sentence)
    resources = Resources(workers, options.open_ledger(ledger_file), show.stage)
    finding = question.play(resources)
    if finding.interrupted:
        show.interrupted(question.interruption(finding.parts))
    document = replace(finding.document(), command=options.command_line())
    _write(finding, document, outputs, resources)
    if as_json:
        show.print_json(finding.as_dict())
    else:
        _print(document, notes, as_markdown=as_markdown)
    return EXIT_INTERRUPTED if finding.interrupted else EXITS[finding.answer]


def _question(study: type[Question[Any, Any]], given: dict[str, Any]) -> Question[Any, Any]:
    """The question that the options ask."""
    if not issubclass(study, Study):
        return study(**given)
    game, players, strategies = given.pop("game"), given.pop("players"), given.pop("strategies", ())
    rules = options.gather_rules(game, given.pop("rules_file"), given.pop("assignments"))
    setup = Setup(game, players, strategies, rules, given.pop("seed"))
    if not study.strategies_are:
        options.tell_unseated(strategies, players)
    return study(setup, **given)


def _print(document: Document, said: Sequence[str], *, as_markdown: bool) -> None:
    """Print what was found; a terminal has what was `said` already."""
    if as_markdown:
        from simulator.document.markdown import markdown  # noqa: PLC0415  only where it is asked for

        click.echo(markdown(document), nl=False)
        return
    from simulator.document.terminal import print_document  # noqa: PLC0415  Rich comes only where something is printed

    print_document(document.without_warnings(said), show.console())


def _refuse_without_a_page(question: Question[Any, Any], outputs: Outputs) -> None:
    """Refuse what would have no effect."""
    for field, default, one in options_of(type(question)):
        if one.page_only and getattr(question, field) != default and not outputs.paged:
            message = f"--{field} is about the report, and none is asked for; add --report FILE.html."
            raise UserError(message)


@show.told_at_the_end()
def _write(finding: Finding[Any], document: Document, outputs: Outputs, resources: Resources) -> None:
    """Write what was asked for; before anything is printed, since a closed pipe must not cost it."""
    for path, content, sentence in finding.study.files(finding.parts):
        from simulator.files import write_bytes  # noqa: PLC0415  only where it is asked for

        if content is not None:
            write_bytes(path, content)
        show.note(sentence)
    if outputs.any:
        from reports.html_pages import frame_of, page_of  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        outputs.write(lambda: page_of(document, finding, resources, show.note), lambda: frame_of(finding), finding.study.saved.capitalize())
