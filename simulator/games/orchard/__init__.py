"""First Orchard: harvest all fruit together before the raven arrives."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from simulator import kit
from simulator.game import UNFINISHED, BoxLength, Game, Metric, turns
from simulator.rules import GameRules, RuleGroup, constant, rulebook

WHICH_TREE, DIE = 0, 0
Event = IntEnum("Event", "PICKED BARE BASKET RAVEN WON LOST", start=0)
COLOURS = ("green", "red", "yellow", "blue", "purple", "orange", "white", "black")


MAX_TREES = 8
MAX_FRUIT = 100
MAX_STEPS = 100
MAX_PICKS = 10


class Trees(RuleGroup):
    """The trees; the die has a colour for each, a basket and the raven."""

    count: int = constant(4, ge=1, le=MAX_TREES, unit="trees", description="Trees, each of its colour.", source=rulebook("Contents"))
    fruit: int = constant(
        4, ge=1, le=MAX_FRUIT, unit="fruits", description="Fruits on each tree; 10 in the big sister.", source=rulebook("Contents")
    )


class Raven(RuleGroup):
    """The raven."""

    steps: int = constant(
        5,
        ge=1,
        le=MAX_STEPS,
        unit="steps",
        description="Steps that bring it to the orchard; 9 in the big sister.",
        source=rulebook("Contents"),
    )


class Basket(RuleGroup):
    """The basket on the die."""

    fruits: int = constant(
        1,
        ge=0,
        le=MAX_PICKS,
        unit="fruits",
        left_out=0,
        description="Fruits of choice that it brings; 2 in the big sister.",
        source=rulebook("How to play"),
    )


class OrchardRules(GameRules):
    """All constants of First Orchard."""

    trees: Trees = Trees()
    raven: Raven = Raven()
    basket: Basket = Basket()


TABLE = kit.table(
    hanging=kit.numbers(MAX_TREES),  # fruit on each tree
    left=kit.number(),  # fruit on all trees
    raven=kit.number(),  # steps that it still has to go
    picks=kit.number(),  # fruits of choice still to be picked in this turn, the one at hand included
    fruit=kit.per_option(MAX_TREES, [WHICH_TREE]),  # on the tree of each option
    tree=kit.per_option(MAX_TREES, [WHICH_TREE]),  # and which tree that is
    raven_wins=kit.number(),
    margin=kit.number(),
    baskets=kit.number(),
    bare=kit.number(),
)


@kit.jit
def deal(table: Any, rules: Any) -> None:
    """All fruit hangs on the trees, and the raven is at the far end of its path."""
    for tree in range(rules.trees.count):
        table.hanging[tree] = rules.trees.fruit
    table.left = rules.trees.count * rules.trees.fruit
    table.raven = rules.raven.steps


@kit.jit
def turn(table: Any, rules: Any, seat: Any) -> None:
    """Roll. A colour: one fruit of it, if there is one. The basket: fruit of choice. The raven: a step nearer."""
    face = kit.spin(table, DIE, rules.trees.count + 2)
    if face < rules.trees.count:
        pick(table, seat, face)
    elif face == rules.trees.count:
        fill_the_basket(table, rules, seat)
    else:
        table.raven -= 1
        kit.note(table, Event.RAVEN, seat, table.raven, 0)
    if table.left == 0 or table.raven == 0:
        kit.note(table, Event.WON if table.left == 0 else Event.LOST, 0, 0, 0)
        kit.end_for_all(table, table.left == 0)


@kit.jit
def pick(table: Any, seat: Any, tree: Any) -> None:
    """One fruit of a tree, if there is one."""
    if table.hanging[tree] == 0:
        table.bare += 1
        kit.note(table, Event.BARE, seat, tree, 0)
        return
    table.hanging[tree] -= 1
    table.left -= 1
    kit.note(table, Event.PICKED, seat, tree, table.hanging[tree])


@kit.jit
def fill_the_basket(table: Any, rules: Any, seat: Any) -> None:
    """Fruits of choice, one after the other, each from a tree that has some."""
    table.baskets += 1
    kit.note(table, Event.BASKET, seat, 0, 0)
    table.picks = rules.basket.fruits
    while table.picks > 0 and table.left > 0:
        n = 0
        for tree in range(rules.trees.count):
            if table.hanging[tree] > 0:
                table.tree[n], table.fruit[n] = tree, table.hanging[tree]
                n += 1
        option = kit.choose(table, seat, WHICH_TREE, n)
        table.picks -= 1
        pick(table, seat, table.tree[option])


@kit.jit
def score(table: Any, rules: Any) -> None:  # noqa: ARG001  the table has it all
    """Who won, and by how much."""
    table.raven_wins = 1 - table.players_win - table.unfinished
    table.margin = table.raven if table.left == 0 else -table.left


def metrics(rules: OrchardRules, players: int) -> tuple[Metric, ...]:
    """The metrics."""
    del players  # who picks does not matter
    cap, fruit, steps = rules.turn_cap, rules.trees.count * rules.trees.fruit, rules.raven.steps
    margin = "The raven's steps left after a win; after a loss, the fruit left on the trees, negative."
    return (
        Metric("players_win", "Players win", "share", "share", 0, 1, headline=True, outcome=True),
        Metric("raven_wins", "Raven wins", "share", "share", 0, 1, outcome=True),
        UNFINISHED,
        turns(cap),
        Metric("margin", "Margin", "steps or fruits", "count", -fruit, steps, headline=True, description=margin),
        Metric("baskets", "Baskets rolled", "turns", "count", 0, cap),
        Metric("bare", "Colours rolled in vain", "turns", "count", 0, cap, headline=True, description="No fruit of it was left."),
    )


STORY = kit.Sentences(
    {
        Event.PICKED: lambda _, a, b, c: f"Seat {a} picks {COLOURS[b]} and leaves {c}.",
        Event.BARE: lambda _, a, b, __: f"Seat {a} rolls {COLOURS[b]}, of which none is left.",
        Event.BASKET: "Seat {a} rolls the basket.",
        Event.RAVEN: "Seat {a} rolls the raven, which is {b} steps away now.",
        Event.WON: "All fruit is harvested: the players win.",
        Event.LOST: "The raven has arrived: the players lose.",
    },
    opening="Each of {rules.trees.count} trees bears {rules.trees.fruit}; the raven is {rules.raven.steps} steps away.",
    asks=lambda _, view: f"a tree to pick from (the raven is {view.raven} steps away)",
    offers=lambda _, view, option: f"one that bears {view.fruit[option]}",
)

GAME = Game(
    name="orchard",
    players=(1, 4),
    cooperative=True,
    rules=OrchardRules,
    table=TABLE,
    deal=deal,
    turn=turn,
    score=score,
    metrics=metrics,
    decisions=("tree",),
    default_strategy="fullest",
    verdict=lambda _players: ("players_win",),
    closeness="margin",
    story=STORY,
    classic=True,
    seconds_per_turn=10,
    pace_note="assumed: one roll and one piece to move",
    box_length=BoxLength(rounds=(3, 100), minutes=(1, 60), why="a first game for small children"),
    players_note="printed: 1 to 4 on the box",
)
