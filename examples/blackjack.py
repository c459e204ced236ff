"""Blackjack: draw towards 21 against a dealer who has no choice; one hand a playout, from a deck that never ends."""

from simulator import kit
from simulator.game import ALL_TOGETHER, Game, Metric, turns
from simulator.rules import GameRules, constant, rulebook
from strategies import Params, strategy

HIT_OR_STAND, CARDS, DEALERS = 0, 0, 1  # the only decision, and where the cards of player and dealer come from
HIT, STAND = range(2)


class Rules(GameRules):
    goal: int = constant(21, ge=12, le=31, unit="points", description="Points that one must not exceed.", source=rulebook("Object"))
    dealer: int = constant(17, ge=12, le=21, unit="points", description="Points at which the dealer stands.", source=rulebook("Dealer"))


TABLE = kit.table(mine=kit.number(), soft=kit.number(), shown=kit.number(), dealers=kit.number(), tied=kit.number(), busts=kit.number())


@kit.jit
def with_card(rules, points, soft, rank):
    """Points, and how many aces of them count 11, once a card has been added."""
    points, soft = points + (11 if rank == 1 else min(rank, 10)), soft + (1 if rank == 1 else 0)
    return (points - 10, soft - 1) if points > rules.goal and soft > 0 else (points, soft)


@kit.jit
def turn(table, rules, seat):
    table.shown = kit.roll(table, DEALERS, 13)
    table.dealers, soft = with_card(rules, 0, 0, table.shown)
    for drawn in range(40):
        if drawn >= 2 and (table.mine >= rules.goal or kit.choose(table, seat, HIT_OR_STAND, 2) == STAND):
            break
        table.mine, table.soft = with_card(rules, table.mine, table.soft, kit.roll(table, CARDS, 13))
    while table.mine <= rules.goal and table.dealers < rules.dealer:
        table.dealers, soft = with_card(rules, table.dealers, soft, kit.roll(table, DEALERS, 13))
    table.busts = 1 if table.dealers > rules.goal else 0
    table.tied = 1 if table.dealers == table.mine else 0
    kit.end_for_all(table, table.mine <= rules.goal and (table.busts == 1 or table.mine > table.dealers))
    table.players_lose -= table.tied


def metrics(rules, players):
    tied = Metric("tied", "Tied", "share", "share", 0, 1, outcome=True)
    return *ALL_TOGETHER, tied, turns(rules.turn_cap), Metric("busts", "Dealer is over", "share", "share", 0, 1, headline=True)


@strategy("blackjack")
def basic(view, u, p=Params(stiff=12)):
    """Hits below 17 against a strong card of the dealer, below `stiff` against a weak one, and below 18 with an ace that counts 11."""
    least = 18 if view.soft > 0 else 17 if view.shown == 1 or view.shown >= 7 else p.stiff
    return HIT if view.mine < least else STAND


STORY = kit.Sentences({}, asks=lambda _, view: f"whether to hit {view.mine}", offers=lambda _, __, option: ("hit", "stand")[option])
GAME = Game(name="blackjack", players=(1, 1), cooperative=True, rules=Rules, table=TABLE, turn=turn, metrics=metrics,
            decisions=("hit_or_stand",), default_strategy="basic", story=STORY)  # fmt: skip
