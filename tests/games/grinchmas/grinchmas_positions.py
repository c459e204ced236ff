"""Positions of Merry Grinchmas set up by hand, played on step by step, and read back in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simulator import registry
from simulator.games.grinchmas import GAME
from simulator.games.grinchmas import state as s
from simulator.games.grinchmas.rules import GrinchmasRules
from simulator.rules import build_rules
from simulator.stepper import Stepper
from simulator.table import Table

COLOURS = ("pink", "green", "purple", "yellow", "blue", "red", "orange", "white")
HOUSES = 6
FREE_HOUSES = {2: 4, 3: 3, 4: 2, 5: 1, 6: 0}
"""Players to houses that nobody chose."""

OVER = "over"
EMPTY: dict[str, int] = {}
_DESIGN = 8
_ACTIONS = {
    s.TAKE_A: "A", s.TAKE_B: "B", s.TAKE_C: "C", s.DRAW_FROM_BAG: "bag", s.EXCHANGE: "exchange", s.AGREE: "agree", s.REFUSE: "refuse",
    s.TAKE_NOTHING: "nothing",
}  # fmt: skip


def kind_of(name: str) -> int:
    """Number of a Present: its colour, and 8 more for `dotted_...`, which is the second design."""
    return COLOURS.index(name.removeprefix("dotted_")) + _DESIGN * name.startswith("dotted_")


def name_of(kind: int) -> str:
    """The Present of a number, or `nothing`."""
    return "nothing" if kind < 0 else "dotted_" * (kind // _DESIGN) + COLOURS[kind % _DESIGN]


def hand(**presents: int) -> dict[str, int]:
    """Some Presents: `hand(pink=2, green=1)`."""
    return presents


def words_of(presents: Mapping[str, int]) -> tuple[int, int]:
    """Two words of counts, a byte for each colour, one word for each design."""
    words = [0, 0]
    for name, count in presents.items():
        kind = kind_of(name)
        words[kind // _DESIGN] += count << (8 * (kind % _DESIGN))
    return words[0], words[1]


def read(words: Any) -> dict[str, int]:
    """The Presents in two words of counts."""
    held = {}
    for kind in range(2 * _DESIGN):
        count = int(words[kind // _DESIGN]) >> (8 * (kind % _DESIGN)) & 0xFF
        if count:
            held[name_of(kind)] = count
    return held


def rules_with(**overrides: Any) -> GrinchmasRules:
    """The rules in the box with some changed; __ stands for the dot of a key."""
    built = build_rules(GrinchmasRules, {key.replace("__", "."): value for key, value in overrides.items()})
    assert isinstance(built, GrinchmasRules)
    return built


class TableTop:
    """A game in progress. Unless told otherwise the spinner has nothing but a 1 on it."""

    def __init__(self, players: int = 4, *, playout: int = 0, strategy: str = "uniform", **rules: Any) -> None:
        """Deal; `rules` are overrides with __ for the dot."""
        self.rules = rules_with(**{"spinner__faces": (1,), **rules})
        seats = (registry.player(GAME, strategy),) * players
        self.stepper = Stepper(Table(GAME, self.rules, seats), seed=5)
        self.stepper.listen()
        self.stepper.deal(playout)

    # ------------------------------------------------------------ setting up
    def lay(  # noqa: PLR0913  each keyword is a thing on the table
        self,
        *,
        lands_on: str = "",
        at: int | None = None,
        spots: Sequence[str] = ("", "", ""),
        houses: Mapping[int, Mapping[str, int]] | None = None,
        hoard: Mapping[str, int] = EMPTY,
        bag: Mapping[str, int] = EMPTY,
        wishes: Iterable[str] = (),
        pile: Iterable[str] = (),
        scored: Iterable[str] = (),
        **fields: int,
    ) -> TableTop:
        """Put these things on the table and nothing else; seat 0 begins its turn.

        Args:
            lands_on: a space that a 1 on the spinner takes the Grinch to, the first of its name.
            at: or the space he stands on, counted from Max in the box.
            spots: what lies on A, B and C; "" for nothing.
            houses: number, from 1 as on the board, to Presents.
            hoard, bag: Presents.
            wishes, pile, scored: "pink green blue", "pink pink", "pair" (any) or "trio".
            **fields: further fields of the state.
        """
        state = self.state
        path: list[str] = list(self.rules.board.path)
        state.phase, state.seat, state.decider, state.turn, state.asked, state.n_options = s.SPIN_PHASE, 0, 0, 0, 0, 0
        if at is not None:
            state.position = at
        elif lands_on:
            state.position = (path.index(lands_on) - 1) % len(path)
        for i, spot in enumerate(spots):
            state.spot[i] = kind_of(spot) if spot else s.NOTHING
        for house in range(1, HOUSES + 1):
            state.house[house - 1] = words_of((houses or {}).get(house, EMPTY))
        state.hoard[:], state.bag[:] = words_of(hoard), words_of(bag)
        up = [self.wish_index(text) for text in wishes]
        state.wish[: self.rules.wishes.face_up] = [*up, *[s.NOTHING] * (self.rules.wishes.face_up - len(up))]
        for name, cards in (("pile", pile), ("scored", scored)):
            numbers = [self.wish_index(text) for text in cards]
            state[name][: len(numbers)] = numbers
            state["pile_size" if name == "pile" else "n_scored"] = len(numbers)
        for name, value in fields.items():
            state[name] = value
        self.stepper.events()
        return self

    def wish_index(self, text: str) -> int:
        """Which Wish of the rules asks for this."""
        tokens = text.split()
        kind = {"trio": 2, "pair": 1}.get(text, 1 if len(tokens) == 2 else 0)
        wanted = () if text in ("trio", "pair") else tuple(sorted(kind_of(token) for token in tokens))
        return [(k, tokens) for k, tokens, _ in self.rules.wish_types()].index((kind, wanted))

    # ------------------------------------------------------------ playing on
    def advance(self) -> str:
        """Play on to the next decision: its name, or "over"."""
        return GAME.decisions[int(self.state.decision)] if self.stepper.advance() else OVER

    def options(self) -> list[str]:
        """What the options would do, in order.

        A take is "A", "B", "C", "bag" or "exchange"; an offer "2: pink for green" with the partner's seat; a score the
        Presents paid, or "none".
        """
        view, decision = self.stepper.observe(), GAME.decisions[int(self.state.decision)]
        return [self._option(view, decision, i) for i in range(self.stepper.n_options)]

    @staticmethod
    def _option(view: Any, decision: str, i: int) -> str:
        if decision in ("take", "consent"):
            return _ACTIONS[int(view.action[i])]
        if decision == "give_up":
            return name_of(int(view.lose[i]))
        if decision == "offer":
            return f"{int(view.partner[i])}: {name_of(int(view.lose[i]))} for {name_of(int(view.gain[i]))}"
        if int(view.wish[i]) < 0:
            return "none"
        return " ".join(name for name, count in read(view.pay[i]).items() for _ in range(count))

    def choose(self, option: str) -> None:
        """Carry out the option with these words."""
        self.stepper.apply(self.options().index(option))

    def play(self, *options: str) -> str:
        """Take these options at the next decisions, then play on to the one after: its name, or "over"."""
        for option in options:
            assert self.advance() != OVER
            self.choose(option)
        return self.advance()

    # ------------------------------------------------------------ reading
    @property
    def state(self) -> Any:
        """The state's record."""
        return self.stepper.state

    @property
    def seat(self) -> int:
        """Who decides."""
        return self.stepper.seat

    @property
    def spots(self) -> tuple[str, ...]:
        """What lies on A, B and C."""
        return tuple(name_of(int(kind)) for kind in self.state.spot)

    @property
    def hoard(self) -> dict[str, int]:
        """The Presents near Mt. Crumpit."""
        return read(self.state.hoard)

    @property
    def bag(self) -> dict[str, int]:
        """The Presents in the bag."""
        return read(self.state.bag)

    def house(self, number: int) -> dict[str, int]:
        """The Presents on a house, counted from 1."""
        return read(self.state.house[number - 1])

    @property
    def wishes_up(self) -> int:
        """How many Wishes lie face up."""
        return sum(1 for wish in self.state.wish[: self.rules.wishes.face_up] if wish >= 0)

    @property
    def space(self) -> str:
        """The space the Grinch stands on."""
        return self.rules.board.path[int(self.state.position)]

    @property
    def tokens(self) -> Counter[str]:
        """All Presents by kind: in the bag, on spots and houses, near Mt. Crumpit."""
        found = Counter(spot for spot in self.spots if spot != "nothing")
        for words in (self.state.bag, self.state.hoard, *self.state.house):
            found.update(read(words))
        return found

    @property
    def cards(self) -> Counter[int]:
        """All Wish cards by type: in the pile, face up, scored."""
        state = self.state
        piles = (state.pile[: state.pile_size], state.wish[: self.rules.wishes.face_up], state.scored[: state.n_scored])
        return Counter(int(card) for pile in piles for card in pile if card >= 0)

    def happened(self, event: int) -> list[tuple[int, ...]]:
        """The events of one kind since the last call; the others are forgotten."""
        return [noted[1:] for noted in self.stepper.events() if noted[0] == event]

    def metric(self, name: str) -> int:
        """A metric so far."""
        return self.row()[name]

    def row(self) -> dict[str, int]:
        """All metrics so far."""
        return {m.name: int(v) for m, v in zip(self.stepper.table.metrics, self.stepper.row(), strict=True)}
