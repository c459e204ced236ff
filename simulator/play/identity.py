"""What a ledger calls a job: the id of all that its parts depend on, and what is said of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment

RUN = "run"
"""The kind of a job that tallies a single experiment."""


def id_of(kind: str, experiments: Sequence[Experiment], arguments: tuple[Any, ...]) -> str:
    """The experiment's own id for a run; else 16 hex digits of the SHA-256 over kind, the experiments' ids in order and arguments."""
    if kind == RUN:
        (experiment,) = experiments
        return experiment.id
    question = [kind, [e.id for e in experiments], repr(arguments)]
    return hashlib.sha256(json.dumps(question).encode()).hexdigest()[:16]


def question_of(kind: str, experiments: Sequence[Experiment], arguments: tuple[Any, ...]) -> dict[str, Any]:
    """For a run the experiment, as in its JSON; else that of the first, the kind, and in what the others differ from it."""
    first, *others = (e.as_dict() for e in experiments)
    if kind == RUN:
        return first
    return {**first, "kind": kind, "arguments": repr(arguments), "others": [_differing(first, other) for other in others]}


def _differing(first: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    rules = {key: value for key, value in other["rules"].items() if first["rules"].get(key) != value}
    differing = {key: value for key, value in other.items() if key != "rules" and value != first[key]}
    return differing | ({"rules": rules} if rules else {})
