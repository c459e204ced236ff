"""Strategies for Christmas Vacation."""

from __future__ import annotations

from typing import Any

from simulator.games.vacation.view import Decision, Kind, NextBonus, RollAgain, largest_number, longest_run
from simulator.kernel.jit import jit
from strategies.declare import Params, strategy


@jit
def _most_cards(view: Any) -> Any:
    """The option that discards the most cards, the first of equals."""
    best, most = 0, -1
    for i in range(view.n_options):
        if view.discards[i] > most:
            best, most = i, view.discards[i]
    return best


@jit
def _choose_plainly(view: Any) -> Any:
    if view.decision == Decision.NEXT_BONUS:
        return NextBonus.BONUS
    return _most_cards(view)


@strategy("vacation")
def one_roll(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Stops after each roll and discards as many cards as it can."""
    return RollAgain.STOP if view.decision == Decision.ROLL_AGAIN else int(_choose_plainly(view))


@strategy("vacation")
def cautious(view: Any, u: float, p: Any = Params(stop_at=6, eddies=2)) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Stops once `stop_at` cards lie face up or `eddies` Eddies on the board, and discards as many cards as it can."""
    if view.decision == Decision.ROLL_AGAIN:
        return RollAgain.STOP if view.n_up >= p.stop_at or view.eddies >= p.eddies else RollAgain.ROLL
    return int(_choose_plainly(view))


@strategy("vacation")
def reckless(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Always rolls again until it busts or holds its whole deck."""
    if view.decision == Decision.ROLL_AGAIN:
        return RollAgain.STOP if view.n_pile == 0 else RollAgain.ROLL
    return int(_choose_plainly(view))


# ---------------------------------------------------------------- runner
@jit
def _longest_run_first(view: Any, long: Any) -> Any:
    """The longest run, a Wild in it only if it is long; without a run the most cards of a number."""
    best, most = 0, -1
    for i in range(view.n_options):
        run = view.kind[i] == Kind.RUN
        last = view.discards[i] == view.left[view.seat]
        value = 2 * view.discards[i] + (1 if run else 0)
        if view.wilds[i] > 0 and not last and not (run and view.discards[i] >= long):
            value = -1
        if value > most:
            best, most = i, value
    return best


@strategy("vacation")
def runner(view: Any, u: float, p: Any = Params(long=6, eddies=3)) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Rolls until a run of `long` cards lies face up or `eddies` Eddies on the board, and spends the Wild on such runs alone."""
    if view.decision == Decision.ROLL_AGAIN:
        return RollAgain.STOP if view.eddies >= p.eddies or longest_run(view, view.up, view.up_wilds) >= p.long else RollAgain.ROLL
    if view.decision == Decision.NEXT_BONUS:
        return NextBonus.BONUS
    return int(_longest_run_first(view, p.long))


# ---------------------------------------------------------------- racer
@jit
def _largest_set(view: Any, cards: Any, wilds: Any) -> Any:
    """How many cards the largest set has that could be discarded from some number cards and Wilds."""
    return max(largest_number(cards) + wilds, longest_run(view, cards, wilds))


@jit
def _lead_kept(view: Any, near: Any) -> Any:
    """How much a card saved now still counts on the next turn: little if others are about to finish."""
    kept = 1.0
    for seat in range(view.seats):
        if seat != view.seat:
            kept *= view.left[seat] / (view.left[seat] + near)
    return kept


@jit
def _worth_of_roll(view: Any, p: Any) -> Any:
    """What a roll that does not bust is worth, in cards: its bonuses, and what its cards add to the set discarded at the end."""
    drawn = min(view.dice * (view.faces - view.eddie_faces) / view.faces, float(view.n_pile))
    return view.dice * (view.bonus_faces * p.bonus + view.wreath_faces * p.wreath) / view.faces + p.card * drawn


@jit
def _worth_rolling(view: Any, p: Any) -> Any:
    """Whether the roll outweighs the chance of a bust; not where the stop wins."""
    at_stake = _largest_set(view, view.up, view.up_wilds)
    bold = (1.0 - view.bust) * _worth_of_roll(view, p) > view.bust * at_stake * _lead_kept(view, p.near)
    return at_stake < view.left[view.seat] and bold


@jit
def _most_useful(view: Any, p: Any) -> Any:
    """Many cards now, few Wilds, and a large set left face up; all cards of the deck if they will go."""
    best, most = 0, -1.0e9
    for i in range(view.n_options):
        after = _largest_set(view, view.up - view.cards[i], view.up_wilds - view.wilds[i])
        value = view.discards[i] - p.wild * view.wilds[i] + p.rest * after
        if view.discards[i] == view.left[view.seat]:
            value = 1.0e9
        if value > most:
            best, most = i, value
    return best


@strategy("vacation")
def racer(
    view: Any,
    u: float,  # noqa: ARG001  it leaves nothing to chance
    p: Any = Params(bonus=5.0, wreath=1.5, card=0.3, near=5.0, wild=1.3, rest=0.4),
) -> int:
    """Rolls while what the dice may bring outweighs the set at stake; the nearer others are to the end, the bolder."""
    if view.decision == Decision.ROLL_AGAIN:
        return RollAgain.ROLL if _worth_rolling(view, p) else RollAgain.STOP
    if view.decision == Decision.NEXT_BONUS:
        return NextBonus.BONUS
    return int(_most_useful(view, p))
