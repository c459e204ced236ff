"""Positions of Merry Grinchmas set up by hand, played on step by step, and read back in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from simulator import registry
from simulator.games.grinchmas import GAME
from simulator.games.grinchmas.rules import NOTHING, GrinchmasRules
from simulator.games.grinchmas.scoring import show_wish
from simulator.games.grinchmas.table import Action
from simulator.games.grinchmas.turn import let_the_grinch_score, score_a_wish, spin_and_move, steal_presents, take_a_present
from simulator.kernel.jit import jit
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.rules import build_rules

COLOURS = ("pink", "green", "purple", "yellow", "blue", "red", "orange", "white")
HOUSES = 6
FREE_HOUSES = {2: 4, 3: 3, 4: 2, 5: 1, 6: 0}
"""Players to houses that nobody chose."""

OVER = "over"
EMPTY: dict[str, int] = {}
_DESIGN = 8
_ACTIONS = {
    Action.TAKE_A: "A", Action.TAKE_B: "B", Action.TAKE_C: "C", Action.DRAW_FROM_BAG: "bag", Action.EXCHANGE: "exchange",
    Action.AGREE: "agree", Action.REFUSE: "refuse", Action.TAKE_NOTHING: "nothing",
}  # fmt: skip


@jit
def turn_before_refilling(table: Any, rules: Any, seat: Any) -> None:
    """Steps 1 to 6 of a turn; then the playout is over, so that the table can be looked at as it lies before step 7."""
    spin_and_move(table, rules, seat)
    steal_presents(table, rules)
    let_the_grinch_score(table, rules, seat)
    take_a_present(table, rules, seat)
    score_a_wish(table, rules, seat)
    table.over = 1


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

    def __init__(self, players: int = 4, *, refills: bool = True, **rules: Any) -> None:
        """Deal; `rules` are overrides with __ for the dot. A game that never refills is over after step 6 of its first turn."""
        self.rules = rules_with(**{"spinner__faces": (1,), **rules})
        game = GAME if refills else replace(GAME, turn=turn_before_refilling)
        self.sit_down(Table(game, self.rules, (registry.player(GAME, "uniform"),) * players), seed=5, playout=0)

    def sit_down(self, table: Table, seed: int, playout: int) -> None:
        """Deal a playout at a table."""
        self.stepper = Stepper(table, seed)
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
        seat: int = 0,
        wishes_scored: int = 0,
        **fields: int,
    ) -> TableTop:
        """Put these things on the table and nothing else; a seat is about to begin its turn.

        Args:
            lands_on: a space that a 1 on the spinner takes the Grinch to, the first of its name.
            at: or the space he stands on, counted from Max in the box.
            spots: what lies on A, B and C; "" for nothing.
            houses: number, from 1 as on the board, to Presents.
            hoard, bag: Presents.
            wishes, pile, scored: "pink green blue", "pink pink", "pair" (any) or "trio".
            seat: whose turn it is.
            wishes_scored: by the players.
            **fields: further fields of the table.
        """
        state = self.state
        path: list[str] = list(self.rules.board.path)
        state.following, state.wishes_to_go = seat, self.rules.wishes.goal - wishes_scored
        if at is not None:
            state.position = at
        elif lands_on:
            state.position = (path.index(lands_on) - 1) % len(path)
        for i, spot in enumerate(spots):
            state.spot[i] = kind_of(spot) if spot else NOTHING
        for house in range(1, HOUSES + 1):
            state.house[house - 1] = words_of((houses or {}).get(house, EMPTY))
        state.hoard[:], state.bag[:] = words_of(hoard), words_of(bag)
        up = [self.wish_index(text) for text in wishes]
        for place in range(self.rules.wishes.face_up):
            show_wish(self.stepper.table.memory[0], self.stepper.table.rules[0], place, up[place] if place < len(up) else NOTHING)
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
            return _ACTIONS[Action(view.action[i])]
        if decision == "give_up":
            return name_of(int(view.lose[i]))
        if decision == "offer":
            return f"{int(view.partner[i])}: {name_of(int(view.lose[i]))} for {name_of(int(view.gain[i]))}"
        if int(view.wish[i]) < 0:
            return "none"
        return " ".join(name for name, count in read(view.pay[i]).items() for _ in range(count))

    def choose(self, option: str) -> None:
        """Choose the option with these words, which is carried out when the playout goes on."""
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
    def wishes_scored(self) -> int:
        """How many Wishes the players have scored."""
        return self.rules.wishes.goal - int(self.state.wishes_to_go)

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
        return sum(1 for kind in self.state.wish_kind if kind >= 0)

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
        piles = (state.pile[: state.pile_size], state.wish_type[: self.rules.wishes.face_up], state.scored[: state.n_scored])
        return Counter(int(card) for pile in piles for card in pile if card >= 0)

    def happened(self, event: int) -> list[tuple[int, ...]]:
        """The events of one kind since the last call; the others are forgotten."""
        return [noted[1:] for noted in self.stepper.events() if noted[0] == event]

    def metric(self, name: str) -> int:
        """A metric so far."""
        return self.row()[name]

    def row(self) -> dict[str, int]:
        """All metrics so far; the playout may be pausing for a choice, which is no fault."""
        self.stepper.table.head["fault"] = 0
        return {m.name: int(v) for m, v in zip(self.stepper.table.metrics, self.stepper.row(), strict=True)}
