"""How a playout is told: a sentence for each kind of event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any


@dataclass(frozen=True, eq=False)
class Sentences:
    """A game's story.

    Attributes:
        events: for each event its sentence, in which {a}, {b}, {c} are its numbers and {rules} the rules, or a function of these four.
        together: for events of which those that follow one another share a sentence, a function of the rules and a list of their numbers.
        opening: a sentence for the beginning, in which {rules} are the rules.
        asks: what the deciding seat is asked, in one phrase, given rules and view.
        offers: what an option would do, in one phrase, given rules, view and the option.
    """

    events: Mapping[int, str | Callable[[Any, int, int, int], str]]
    together: Mapping[int, Callable[[Any, list[tuple[int, int, int]]], str]] = field(default_factory=dict)
    opening: str = ""
    asks: Callable[[Any, Any], str] = lambda *_: ""
    offers: Callable[[Any, Any, int], str] = lambda *_: ""

    def sentences(self, rules: Any, events: list[tuple[int, int, int, int]]) -> list[str]:
        """One sentence for each event, or for those that share one."""
        told: list[str] = []
        for code, group in groupby(events, key=lambda event: event[0]):
            if code in self.together:
                told.append(self.together[code](rules, [(a, b, c) for _, a, b, c in group]))
            else:
                told += [self._sentence(rules, *event) for event in group]
        return told

    def beginning(self, rules: Any) -> list[str]:
        """What is said before anything happens."""
        return [self.opening.format(rules=rules)] if self.opening else []

    def question(self, rules: Any, view: Any) -> str:
        """What the deciding seat is asked."""
        return self.asks(rules, view)

    def option(self, rules: Any, view: Any, index: int) -> str:
        """What one option would do."""
        return self.offers(rules, view, index)

    def _sentence(self, rules: Any, code: int, a: int, b: int, c: int) -> str:
        sentence = self.events[code]
        return sentence.format(rules=rules, a=a, b=b, c=c) if isinstance(sentence, str) else sentence(rules, a, b, c)
