"""What the box and the rulebook leave open: lengths that point at an assumption, and rulings that no constant covers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reports import frames, words
from simulator.document.figures import interval, known, number
from simulator.document.language import clean, listed
from simulator.rules import constants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.game import BoxLength
    from simulator.play.run import Result


def beyond_the_box(results: Sequence[Result]) -> str:
    """A warning where games surely last longer, or shorter, than what is sold could mean, with what it hangs on; else nothing."""
    first = results[0].experiment
    box = first.game.box_length
    lines = words.lines_of(frames.durations(results))
    told = [text for line in lines if box is not None and (text := _beyond(line, box))]
    if box is None or not told:
        return ""
    assumed = [c.key for c in constants(first.rules) if c.source == "assumed"]
    pace = next((line.at_pace.removeprefix("at ") for line in lines if "minutes" in " ".join(told) and line.at_pace), "")
    on = [f"constants that nobody printed ({', '.join(assumed)})"] * bool(assumed) + [pace] * bool(pace)
    hangs = f" It hangs on {' and on '.join(on)}." if on else ""
    rounds, minutes = (f"{number(low)} to {number(high)}" for low, high in (box.rounds, box.minutes))
    return (
        f"From what is in the box a game should take {rounds} rounds and {minutes} minutes ({clean(box.why)})."
        f" It averages {'; '.join(told)}.{hangs}"
    )


def _beyond(line: words.Line, box: BoxLength) -> str:
    """How long the games of a run last, if that is surely beyond the box; in minutes only where a pace is known."""
    out = []
    rounds = words.rounds_of(line)
    if not box.rounds[0] <= rounds.high or not rounds.low <= box.rounds[1]:
        out.append(f"{interval(rounds, words.coarse(rounds))} rounds")
    if math.isfinite(line.pace) and known(line):
        minutes = words.minutes_of(line)
        if not box.minutes[0] <= minutes.high or not minutes.low <= box.minutes[1]:
            out.append(f"{words.minutes_ends(line.low, line.high, line)} minutes")
    return f"{listed(out, 'or')} with {line.run}" if out else ""
