"""A check as JUnit XML, which continuous integration shows as tests."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from simulator.studies.promise_file import printable

if TYPE_CHECKING:
    from simulator.studies.check import Checked, Outcome


def junit_xml(checked: Checked, name: str) -> bytes:
    """The check as a document: a broken promise is a failure, an undecided one an error, one never begun is skipped.

    Args:
        checked: what became of the promises.
        name: of the suite.
    """
    begun = sum(o.estimate is not None for o in checked.outcomes)
    counts = {
        "tests": str(len(checked.outcomes)),
        "failures": str(checked.count("no")),
        "errors": str(checked.count("open") - (len(checked.outcomes) - begun)),
        "skipped": str(len(checked.outcomes) - begun),
        "time": f"{checked.elapsed_s:.3f}",
    }
    suites = ET.Element("testsuites", {"name": "simulate check", **counts})
    suite = ET.SubElement(suites, "testsuite", {"name": printable(name), **counts})
    for outcome in checked.outcomes:
        _add_case(suite, outcome)
    ET.indent(suites)
    return bytes(ET.tostring(suites, encoding="utf-8", xml_declaration=True)) + b"\n"


def _add_case(suite: ET.Element, outcome: Outcome) -> None:
    p, result = outcome.promise, outcome.estimate
    experiment = p.side.experiment
    name = printable(f"{p.name}: {p.promised}")
    case = ET.SubElement(suite, "testcase", {"classname": f"{experiment.game.name}.{experiment.players}_players", "name": name})
    if result is None:
        ET.SubElement(case, "skipped", {"message": "interrupted before it was played"})
        return
    message = f"{outcome.cell.text} ({100 * p.confidence:g}% confidence: {outcome.cell.small}) after {result.n:,} playouts"
    if outcome.verdict == "yes":
        ET.SubElement(case, "system-out").text = message
        return
    kind = "failure" if outcome.verdict == "no" else "error"
    text = f"promised {p.promised}; found {message}"
    problem = ET.SubElement(case, kind, {"type": outcome.word, "message": printable(f"{outcome.word}: {text}")})
    problem.text = printable(f"promise {p.number}, {p.subject}: {text}")
