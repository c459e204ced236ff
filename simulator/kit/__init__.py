"""The kit: what games are made of. Dice and spinners, piles and bags, seats, questions, and the declaration of a table."""

from simulator.document.language import listed, plural
from simulator.kernel.events import note
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record
from simulator.kernel.turns import choose, choose_at
from simulator.kit.declare import EVERYBODY, NOBODY, OWNER, cards, counted, counters, number, numbers, of_rules, per_option, per_seat, table
from simulator.kit.dice import roll, spin
from simulator.kit.seats import end_for_all, lead, win
from simulator.kit.story import Sentences

__all__ = [
    "EVERYBODY",
    "NOBODY",
    "OWNER",
    "Record",
    "Sentences",
    "cards",
    "choose",
    "choose_at",
    "counted",
    "counters",
    "end_for_all",
    "jit",
    "jit_inlined",
    "lead",
    "listed",
    "note",
    "number",
    "numbers",
    "of_rules",
    "per_option",
    "per_seat",
    "plural",
    "roll",
    "spin",
    "table",
    "win",
]
