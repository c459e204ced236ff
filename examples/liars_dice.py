"""Liar's Dice: bid how many dice of a face lie under all cups, or doubt the bid before; who is wrong loses a die."""

from enum import IntEnum

from simulator import kit
from simulator.game import Game
from simulator.kit import piles
from simulator.rules import GameRules, assumed, constant, rulebook
from strategies import Params, strategy

BID_OR_DOUBT = 0  # the only decision; its first option is to doubt, once there is a bid
FACES, MOST_DICE = 6, 5
CUP = piles.lanes(FACES, 10)  # dice under a cup, as counts by face
Event = IntEnum("Event", "BID DOUBTED LOST WON", start=0)


class Rules(GameRules):
    dice: int = constant(5, ge=1, le=MOST_DICE, unit="dice", description="Dice of each player.", source=rulebook("Setup"))
    wild: bool = constant(True, unit="yes or no", description="Ones are wild.", source=assumed("some do not"), plausible=(True, False))


TABLE = kit.table(
    cup=kit.per_seat(kit.cards(CUP), seen_by=kit.OWNER),
    dice=kit.per_seat(),  # dice that each seat has left
    bid_count=kit.number(),  # the bid that stands, 0 for none
    bid_face=kit.number(),  # 0 for ones to 5 for sixes
    bidder=kit.number(),
    in_cups=kit.number(),  # dice under all cups together
    count=kit.per_option(FACES + 1, [BID_OR_DOUBT]),  # how many each option bids, 0 for the doubt
    face=kit.per_option(FACES + 1, [BID_OR_DOUBT]),  # and of which face
    doubts=kit.counted("Bids that were doubted", "bids", lambda rules: rules.turn_cap, headline=True),
    caught=kit.counted("Of these, bids that were too high", "bids", lambda rules: rules.turn_cap, headline=True),
    wild=kit.of_rules("wild"),
)


@kit.jit
def deal(table, rules):
    """Everybody shakes all their dice."""
    for seat in range(table.seats):
        table.dice[seat] = rules.dice
    shake_all(table)


@kit.jit
def shake_all(table):
    """New dice for everybody, and no bid."""
    table.bid_count = table.bid_face = table.in_cups = 0
    for seat in range(table.seats):
        shake(table, seat)
        table.in_cups += table.dice[seat]


@kit.jit
def shake(table, seat):
    """As many dice under a cup as its owner has."""
    table.cup[seat] = piles.EMPTY
    for _ in range(table.dice[seat]):
        table.cup[seat] += piles.one(CUP, kit.roll(table, seat, FACES) - 1)


@kit.jit
def redeal(table, rules, seat):
    """Nobody knows what lies under the other cups: it is shaken again, where cards would be dealt out again."""
    for other in range(table.seats):
        if other != seat:
            shake(table, other)


@kit.jit
def turn(table, rules, seat):
    """Bid higher, or doubt."""
    if table.dice[seat] == 0:
        return
    option = kit.choose(table, seat, BID_OR_DOUBT, list_bids(table))
    if table.count[option] == 0:
        doubt(table, rules, seat)
    else:
        table.bid_count, table.bid_face, table.bidder = table.count[option], table.face[option], seat
        kit.note(table, Event.BID, seat, table.bid_count, table.bid_face + 1)


@kit.jit
def list_bids(table):
    """The doubt, if there is a bid, and of each face the lowest bid above the one that stands; how many options there are."""
    n = 0
    if table.bid_count > 0:
        table.count[n] = table.face[n] = 0
        n += 1
    for face in range(FACES):
        count = max(table.bid_count + (0 if face > table.bid_face else 1), 1)
        if count <= table.in_cups:
            table.count[n], table.face[n] = count, face
            n += 1
    return n


@kit.jit
def doubt(table, rules, seat):
    """Lift all cups; who was wrong loses a die, and begins the next round if there are dice left."""
    found = 0
    for other in range(table.seats):
        found += piles.count(CUP, table.cup[other], table.bid_face)
        if rules.wild and table.bid_face != 0:
            found += piles.count(CUP, table.cup[other], 0)
    too_high = found < table.bid_count
    loser = table.bidder if too_high else seat
    table.doubts += 1
    table.caught += 1 if too_high else 0
    table.dice[loser] -= 1
    kit.note(table, Event.DOUBTED, seat, found, table.bid_face + 1)
    kit.note(table, Event.LOST, loser, table.dice[loser], 0)
    table.following = loser
    shake_all(table)
    winner = seat if loser != seat else table.bidder
    if table.in_cups == table.dice[winner]:
        kit.note(table, Event.WON, winner, 0, 0)
        kit.win(table, winner)


@kit.jit
def hoped_for(view, face):
    """How many dice of a face one may hope for: one's own, and the others' share."""
    wild = view.wild and face != 0
    mine = piles.count(CUP, view.cup, face) + (piles.count(CUP, view.cup, 0) if wild else 0)
    return mine + (view.in_cups - view.dice[view.seat]) * (2 if wild else 1) / FACES


@strategy("liars_dice")
def sober(view, u, p=Params(daring=0.5)):
    """Doubts a bid that is more than `daring` above what it hopes for; else bids what it hopes for most."""
    if view.bid_count > hoped_for(view, view.bid_face) + p.daring:
        return 0
    best, most = view.n_options - 1, -1000.0
    for i in range(view.n_options):
        surplus = hoped_for(view, view.face[i]) - view.count[i]
        if view.count[i] > 0 and surplus > most:
            best, most = i, surplus
    return best


WORDS = {
    Event.BID: "Seat {a} bids {b} dice with a {c}.", Event.DOUBTED: "Seat {a} doubts it: there are {b}.",
    Event.LOST: "Seat {a} loses a die and has {b}.", Event.WON: "Seat {a} wins.",
}  # fmt: skip
STORY = kit.Sentences(
    WORDS, offers=lambda _, view, i: f"bid {view.count[i]} dice with a {view.face[i] + 1}" if view.count[i] else "doubt it"
)
GAME = Game(name="liars_dice", players=(2, 5), rules=Rules, table=TABLE, deal=deal, turn=turn, redeal=redeal,
            decisions=("bid_or_doubt",), default_strategy="sober", story=STORY)  # fmt: skip
