"""Strategies for Christmas Crocs."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from simulator.games.crocs.view import (
    Action,
    Answer,
    Decision,
    Kind,
    Slot,
    cards,
    full,
    is_question,
    is_silenced,
    may_give,
    option,
    slots_of,
    unseen,
    unseen_cards,
)
from simulator.kernel.jit import jit, jit_inlined
from strategies.declare import Params, strategy


def _wanted(of: type[IntEnum], order: str) -> Any:
    """How much each action or kind is wanted, the first of `order` the most; the others not at all."""
    table = np.zeros(len(Action), np.int64)
    for place, name in enumerate(reversed(order.split())):
        table[of[name]] = place + 1
    return table


_BUILDING = "PRESENT CANDY_CANE REMOVE_COAL ASK_FOR_PRESENT ASK_FOR_CANE DRAW_CARD CHOO_CHOO"
_BUILDER_PLAYS = _wanted(Action, f"{_BUILDING} SNOW COAL SCROOGE GRINCH")
_BULLY_PLAYS = _wanted(Action, f"GRINCH SCROOGE COAL SNOW {_BUILDING}")
_PUSHOVER_PLAYS = _wanted(
    Action, "CHOO_CHOO DRAW_CARD SNOW COAL ASK_FOR_CANE ASK_FOR_PRESENT SCROOGE REMOVE_COAL CANDY_CANE PRESENT GRINCH"
)
_BANKER_PLAYS = _wanted(Action, "PRESENT CANDY_CANE REMOVE_COAL ASK_FOR_CANE DRAW_CARD GRINCH SCROOGE COAL SNOW CHOO_CHOO ASK_FOR_PRESENT")

_BUILDER_DISCARDS = _wanted(Kind, "COAL SCROOGE GRINCH SNOW HEART CHOO_CHOO ELF SANTA CANDY_CANE PRESENT")
_BULLY_DISCARDS = _wanted(Kind, "HEART CHOO_CHOO ELF CANDY_CANE PRESENT SANTA COAL SNOW SCROOGE GRINCH")
_BANKER_DISCARDS = _wanted(Kind, "COAL SNOW SCROOGE CHOO_CHOO GRINCH ELF CANDY_CANE PRESENT SANTA HEART")
_OPPORTUNIST_DISCARDS = _wanted(Kind, "CANDY_CANE SANTA ELF PRESENT HEART CHOO_CHOO SNOW GRINCH COAL SCROOGE")
_PUSHOVER_DISCARDS = _wanted(Kind, "PRESENT CANDY_CANE GRINCH HEART SANTA ELF SCROOGE COAL SNOW CHOO_CHOO")


@jit_inlined
def _most_wanted(view: Any, wanted: Any) -> Any:
    """The option that comes first in an order of actions or kinds."""
    best, most = 0, -1
    for i in range(view.n_options):
        value = wanted[option(view, i)]
        if value > most:
            best, most = i, value
    return best


@jit_inlined
def _asked_for(view: Any) -> Any:
    return Kind.PRESENT if view.action == Action.ASK_FOR_PRESENT else Kind.CANDY_CANE


@jit_inlined
def _likeliest_holder(view: Any, sign: Any) -> Any:
    """The option of asking who may hold the card asked for most often, or for a `sign` of -1 least often; the next player of equals."""
    kind = _asked_for(view)
    best, most = 0, -1000
    for i in range(view.n_options):
        value = sign * may_give(view, option(view, i), kind)
        if value > most:
            best, most = i, value
    return best


@jit_inlined
def _leader(view: Any, sign: Any) -> Any:
    """The option that hits who has the most full slots, or for a `sign` of -1 the fewest; the next player of equals."""
    best, most = 0, -1000
    for i in range(view.n_options):
        value = sign * full(view, option(view, i))
        if value > most:
            best, most = i, value
    return best


@jit_inlined
def _last(view: Any) -> Any:
    return view.n_options - 1


@jit_inlined
def _say(view: Any, answer: Any) -> Any:
    return 0 if option(view, 0) == answer else 1


@strategy("crocs")
def builder(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Plays presents and canes first, then what helps to get them, and attacks only when nothing else can be played."""
    decision = view.decision
    if decision == Decision.PLAY:
        return _most_wanted(view, _BUILDER_PLAYS)
    if decision == Decision.TARGET:
        return _likeliest_holder(view, 1) if is_question(view) else 0
    if decision == Decision.DISCARD:
        return _most_wanted(view, _BUILDER_DISCARDS)
    if decision == Decision.ANSWER:
        return _say(view, Answer.YES)
    return _say(view, Answer.NO) if decision == Decision.GIVE else _last(view)


@strategy("crocs")
def bully(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Attacks before it builds, and always whoever has the most full slots."""
    decision = view.decision
    if decision == Decision.PLAY:
        return _most_wanted(view, _BULLY_PLAYS)
    if decision == Decision.TARGET:
        return _likeliest_holder(view, 1) if is_question(view) else _leader(view, 1)
    if decision == Decision.DISCARD:
        return _most_wanted(view, _BULLY_DISCARDS)
    if decision == Decision.CANE:
        return _last(view)
    if decision == Decision.ANSWER:
        return _say(view, Answer.YES)
    return _say(view, Answer.NO) if decision == Decision.GIVE else 0


@strategy("crocs")
def banker(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Builds, keeps a Heart in hand to answer the Grinch Croc and a Santa for Coal, and asks with a second Santa only."""
    decision = view.decision
    if decision == Decision.PLAY:
        return _play_but_keep_santa(view)
    if decision == Decision.TARGET:
        return _likeliest_holder(view, 1) if is_question(view) else _leader(view, 1)
    if decision == Decision.DISCARD:
        return _most_wanted(view, _BANKER_DISCARDS)
    if decision == Decision.CANE:
        return _last(view)
    if decision == Decision.ANSWER:
        return _say(view, Answer.YES)
    return _say(view, Answer.NO) if decision == Decision.GIVE else 0


@jit
def _play_but_keep_santa(view: Any) -> Any:
    best, most = 0, -1
    for i in range(view.n_options):
        action = option(view, i)
        value = _BANKER_PLAYS[action]
        if action == Action.ASK_FOR_PRESENT and cards(view, Kind.SANTA) > 1:
            value = _BANKER_PLAYS[Action.REMOVE_COAL]
        if value > most:
            best, most = i, value
    return best


@strategy("crocs")
def pushover(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Plays to lose: puts presents down last, gives what it is asked for, hits the weakest and asks who has nothing."""
    decision = view.decision
    if decision == Decision.PLAY:
        return _most_wanted(view, _PUSHOVER_PLAYS)
    if decision == Decision.TARGET:
        return _likeliest_holder(view, -1) if is_question(view) else _leader(view, -1)
    if decision == Decision.DISCARD:
        return _most_wanted(view, _PUSHOVER_DISCARDS)
    if decision == Decision.CANE:
        return 0
    if decision == Decision.SLOT:
        return _last(view)
    return _say(view, Answer.YES if decision == Decision.GIVE else Answer.NO)


# ---------------------------------------------------------------- opportunist
# A seat's progress is measured in quarters of a slot. Its weight grows with it exponentially, and a seat's hope of winning
# is its weight's share of all weights. What a card is worth in hand is taken off when it is played, for it could have
# waited. The defaults of `opportunist` were tuned against the other strategies and itself with two and four players. They
# say: Coal is the worst that can happen and Santa its only cure, a missed turn costs more than a slot, and a Grinch Croc
# is kept until it decides the game.
_QUARTERS = 4
_NEVER = -1.0
_CERTAIN = 2.0


@jit
def _progress(view: Any, seat: Any, coal: Any) -> Any:
    """Quarters of slots that a seat has filled, less what Coal costs it."""
    canes = view.full_canes - Slot.CANE + 1
    quarters = _QUARTERS * full(view, seat) - coal * slots_of(view, seat, Slot.COAL)
    for n in range(1, canes):
        quarters += slots_of(view, seat, Slot.CANE + n - 1) * _QUARTERS * n / canes
    return quarters


@jit
def _weight_of_others(view: Any, p: Any) -> Any:
    total = 0.0
    for seat in range(view.seats):
        if seat != view.seat:
            total += np.exp(p.rate * _progress(view, seat, p.coal))
    return total


@jit_inlined
def _share(weight: Any, others: Any) -> Any:
    """Share of one's own weight if the others' weights add up to `others`."""
    return weight / (weight + others)


@jit_inlined
def _hope(mine: Any, others: Any, p: Any) -> Any:
    """Share of one's own weight at `mine` quarters."""
    return _share(np.exp(p.rate * mine), others)


@jit
def _chance_to_hold(view: Any, kind: Any, n: Any) -> Any:
    """How likely there is a card of `kind` among `n` cards that one cannot see."""
    without_one = 1.0 - unseen(view, kind) / max(unseen_cards(view), 1)
    without = 1.0
    for _ in range(n):
        without *= without_one
    return 1.0 - without


@jit
def _hope_of_present(view: Any, p: Any, mine: Any, others: Any) -> Any:
    return _CERTAIN if full(view, view.seat) + 1 >= view.goal else _hope(mine + _QUARTERS, others, p)


@jit
def _hope_of_cane(view: Any, p: Any, mine: Any, others: Any) -> Any:
    canes = view.full_canes - Slot.CANE + 1
    completes = canes == 1 or slots_of(view, view.seat, view.full_canes - 1) > 0
    if completes and full(view, view.seat) + 1 >= view.goal:
        return _CERTAIN
    return _hope(mine + _QUARTERS / canes, others, p)


@jit
def _hope_of_question(view: Any, p: Any, mine: Any, weight: Any, others: Any, kind: Any, target: Any) -> Any:
    chance = _chance_to_hold(view, kind, may_give(view, target, kind))
    given = _hope_of_present(view, p, mine, others) if kind == Kind.PRESENT else _hope_of_cane(view, p, mine, others)
    return chance * given + (1.0 - chance) * _share(weight, others)


@jit
def _hope_of_theft(view: Any, p: Any, mine: Any, weight: Any, others: Any, target: Any) -> Any:
    """A Grinch Croc, weighed with the Heart that may answer it."""
    taken = min(view.takes, slots_of(view, target, Slot.PRESENT))
    if taken == 0:
        return _NEVER
    theirs = _progress(view, target, p.coal)
    kept = min(taken, slots_of(view, view.seat, Slot.OPEN))
    left = others + np.exp(p.rate * (theirs - _QUARTERS * taken)) - np.exp(p.rate * theirs)
    wins = full(view, view.seat) + kept >= view.goal
    following = (view.seat + view.direction + view.seats) % view.seats
    hands = unseen_cards(view) - view.deck
    if wins:
        hands = 0 if is_silenced(view, following) else view.hand_sizes[following]
    answered = _chance_to_hold(view, Kind.HEART, hands)
    gift = _progress(view, following, p.coal)
    given = left + np.exp(p.rate * (gift + _QUARTERS)) - np.exp(p.rate * gift)
    kept_hope = _CERTAIN if wins else _hope(mine + _QUARTERS * kept, left, p)
    return (1.0 - answered) * kept_hope + answered * _share(weight, given)


@jit
def _loss_by_scrooge(view: Any, target: Any) -> Any:
    """The most quarters that a Scrooge can take from a seat."""
    canes = view.full_canes - Slot.CANE + 1
    if full(view, target) > 0:
        return float(_QUARTERS)
    for n in range(canes - 1, 0, -1):
        if slots_of(view, target, Slot.CANE + n - 1) > 0:
            return _QUARTERS * n / canes
    return 0.0


@jit
def _hope_of_attack(view: Any, p: Any, weight: Any, others: Any, action: Any, target: Any) -> Any:
    """The hope after playing Scrooge, Coal or a Snow Croc on a seat; _NEVER if that cannot be."""
    loss = 0.0
    if action == Action.SCROOGE:
        loss = _loss_by_scrooge(view, target)
    elif action == Action.COAL:
        loss = p.coal if slots_of(view, target, Slot.OPEN) > 0 else 0.0
    elif (view.frozen >> target) & 1 == 0:
        loss = p.snow
    if loss == 0:
        return _NEVER
    theirs = _progress(view, target, p.coal)
    return _share(weight, others + np.exp(p.rate * (theirs - loss)) - np.exp(p.rate * theirs))


@jit
def _hope_on(view: Any, p: Any, mine: Any, weight: Any, others: Any, action: Any, target: Any) -> Any:
    """The hope after a card on a seat; `weight` is one's own at `mine` quarters, given because it takes time to compute."""
    if action == Action.ASK_FOR_PRESENT:
        return _hope_of_question(view, p, mine, weight, others, Kind.PRESENT, target)
    if action == Action.ASK_FOR_CANE:
        return _hope_of_question(view, p, mine, weight, others, Kind.CANDY_CANE, target)
    if action == Action.GRINCH:
        return _hope_of_theft(view, p, mine, weight, others, target)
    return _hope_of_attack(view, p, weight, others, action, target)


@jit
def _kept(p: Any, action: Any) -> Any:
    """What a card is worth in hand, in quarters of a slot."""
    card = Kind.SANTA if action == Action.REMOVE_COAL else Kind.ELF if action == Action.DRAW_CARD else action
    if card == Kind.PRESENT:
        return p.keep_present
    if card == Kind.CANDY_CANE:
        return p.keep_cane
    if card == Kind.SANTA:
        return p.keep_santa
    return p.keep_elf if card == Kind.ELF else _kept_attack(p, card)


@jit
def _kept_attack(p: Any, card: Any) -> Any:
    if card == Kind.SCROOGE:
        return p.keep_scrooge
    if card == Kind.GRINCH:
        return p.keep_grinch
    if card == Kind.COAL:
        return p.keep_coal
    return p.keep_snow if card == Kind.SNOW else 0.0


@jit
def _hope_of_play(view: Any, p: Any, mine: Any, others: Any, action: Any) -> Any:
    if action == Kind.PRESENT:
        return _hope_of_present(view, p, mine, others)
    if action == Kind.CANDY_CANE:
        return _hope_of_cane(view, p, mine, others)
    if action == Action.REMOVE_COAL:
        return _hope(mine + p.coal, others, p)
    if action == Action.DRAW_CARD:
        return _hope(mine + p.card, others, p)
    if action == Kind.CHOO_CHOO:
        return _hope(mine, others, p)
    best, weight = _NEVER, np.exp(p.rate * mine)
    for target in range(view.seats):
        if target != view.seat:
            best = max(best, _hope_on(view, p, mine, weight, others, action, target))
    return best


@jit
def _most_hopeful_play(view: Any, p: Any) -> Any:
    mine, others = _progress(view, view.seat, p.coal), _weight_of_others(view, p)
    best, most = 0, _NEVER
    for i in range(view.n_options):
        action = option(view, i)
        value = _hope_of_play(view, p, mine - _kept(p, action), others, action)
        if value > most:
            best, most = i, value
    return best


@jit
def _most_hopeful_target(view: Any, p: Any) -> Any:
    mine, others = _progress(view, view.seat, p.coal), _weight_of_others(view, p)
    best, most, weight = 0, _NEVER, np.exp(p.rate * mine)
    for i in range(view.n_options):
        value = _hope_on(view, p, mine, weight, others, view.action, option(view, i))
        if value > most:
            best, most = i, value
    return best


@jit
def _largest_slot(view: Any) -> Any:
    """Full canes first, since most cards went into them, then a present, then the most canes."""
    for i in range(view.n_options):
        if option(view, i) == view.full_canes:
            return i
    return 0


@jit
def _answer_pays(view: Any, p: Any) -> Any:
    """Whether the loot given away is worth more than a Heart in hand; a theft that wins is always answered."""
    if view.to_win != 0:
        return True
    mine, others = _progress(view, view.seat, p.coal), _weight_of_others(view, p)
    before, to = _hope(mine, others, p), view.thief
    thief = _progress(view, to, p.coal)
    others += np.exp(p.rate * (thief - _QUARTERS * view.loot)) - np.exp(p.rate * thief)
    for _ in range(view.loot):
        to = (to + view.direction + view.seats) % view.seats
        if to == view.thief:
            to = (to + view.direction + view.seats) % view.seats
        if slots_of(view, to, Slot.OPEN) > 0:
            if to == view.seat:
                mine += _QUARTERS
            elif full(view, to) + 1 >= view.goal:
                return False
            else:
                theirs = _progress(view, to, p.coal)
                others += np.exp(p.rate * (theirs + _QUARTERS)) - np.exp(p.rate * theirs)
    return _hope(mine - p.keep_heart, others, p) > before


_OPPORTUNIST = Params(
    rate=0.2,
    coal=6.5,
    snow=7.0,
    card=3.5,
    keep_present=0.0,
    keep_cane=0.4,
    keep_santa=6.0,
    keep_elf=0.6,
    keep_scrooge=0.5,
    keep_grinch=5.0,
    keep_coal=0.0,
    keep_snow=0.6,
    keep_heart=0.0,
)


@strategy("crocs")
def opportunist(view: Any, u: float, p: Any = _OPPORTUNIST) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Weighs what each card adds to its own slots against what it takes from those who are about to win."""
    decision = view.decision
    if decision == Decision.PLAY:
        return _most_hopeful_play(view, p)
    if decision == Decision.TARGET:
        return _most_hopeful_target(view, p)
    if decision == Decision.DISCARD:
        return _most_wanted(view, _OPPORTUNIST_DISCARDS)
    if decision == Decision.CANE:
        return _last(view)
    if decision == Decision.SLOT:
        return _largest_slot(view)
    return _say(view, Answer.YES if decision == Decision.ANSWER and _answer_pays(view, p) else Answer.NO)
