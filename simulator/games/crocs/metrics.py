"""What each playout of Christmas Crocs leaves behind."""

from __future__ import annotations

from simulator.errors import RulesError
from simulator.game import Breakdown, Influence, Metric
from simulator.games.crocs.rules import KIND_KEYS, KIND_NAMES, CrocsRules, too_small_to_deal

_WON_BY = {
    "won_by.present": ("Won by a Present", "The last slot was filled with a Present from the hand or from a question."),
    "won_by.canes": ("Won by Candy Canes", "The last slot was filled with a Candy Cane from the hand or from a question."),
    "won_by.grinch": ("Won by a Grinch Croc", "A theft filled the last slot, and the next player did not answer it with a Heart."),
    "won_by.heart": ("Won by a Heart's gift", "The last slot was filled with a present that a Heart made a thief give away."),
    "won_by.most_slots": ("Won by most slots", "The deck ran out, where that ends the game, and one player had the most full slots."),
}
_KINDS = tuple(zip(KIND_KEYS, KIND_NAMES, strict=True))
_ATTACKS = (("Scrooge", "scrooge"), ("Grinch Croc", "grinch"), ("Coal", "coal"))
_STANDINGS = {"alone": "of the leader", "level": "of one of several leaders", "behind": "of a player who is behind"}


def metrics(rules: CrocsRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row.

    Raises:
        RulesError: the deck is too small to deal to so many players.
    """
    if reason := too_small_to_deal(rules, players):
        message = f"Rule 'hand.deal' {reason}."
        raise RulesError(message)
    cap, slots, seats = rules.turn_cap, rules.slots.count, range(players)
    ends = int(rules.deck.when_empty == "end")
    most, drawn = rules.hand.deal + 2 * cap, "Those of the first hand included; by question is not drawn."
    return (
        *(_outcome(f"wins.{i}", f"Seat {i} wins", "Has filled its slots first.", headline=True) for i in seats),
        _outcome("tied", "Tied", "The deck ran out, where that ends the game, with several players ahead; nobody's win.", high=ends),
        _outcome("unfinished", "Unfinished", "The turn cap ended the playout."),
        _count("turns", "Turns", "turns", cap, "Turns of all seats together, skipped ones apart.", headline=True),
        _count("rounds", "Rounds", "rounds", -(-cap // players), "Turns divided by players, rounded up.", headline=True),
        _count("lead", "Lead of the winner", "slots", slots, "Full slots that the runner-up lacked.", headline=True),
        *(Metric(name, label, "share", "share", 0, 1, description=text) for name, (label, text) in _WON_BY.items()),
        *(_count(f"slots.{i}", f"Full slots of seat {i}", "slots", slots) for i in seats),
        *_attack_metrics(cap, cap * rules.grinch.takes),
        *_other_metrics(cap),
        *(_count(f"drawn.{key}.{i}", f"{name} cards drawn by seat {i}", "cards", most, drawn) for i in seats for key, name in _KINDS),
    )


def _outcome(name: str, label: str, description: str, *, headline: bool = False, high: int = 1) -> Metric:
    return Metric(name, label, "share", "share", 0, high, headline=headline, description=description, outcome=True)


def _count(name: str, label: str, unit: str, high: int, description: str = "", *, headline: bool = False) -> Metric:
    return Metric(name, label, unit, "count", 0, high, headline=headline, description=description)


def _attack_metrics(cap: int, most: int) -> tuple[Metric, ...]:
    thefts, presents = "Grinch Crocs", "presents"
    lost = (("scrooge", "Slots emptied by Scrooge", cap), ("grinch", "Presents stolen", most), ("coal", "Slots blocked by Coal", cap))
    answered = "With a Heart, by anybody, of those that did not fill the last slot."
    return (
        _count("grinch.played", "Grinch Crocs played", thefts, cap, headline=True),
        _count("grinch.to_win", "Grinch Crocs that fill the last slot", thefts, cap),
        _count("grinch.answered", "Grinch Crocs answered", thefts, cap, answered),
        _count("grinch.answered_to_win", "Winning Grinch Crocs answered", thefts, cap, "With a Heart, by the next player."),
        _count("grinch.wasted", "Stolen presents discarded", presents, most, "The thief had no open slot for them."),
        _count("gifts", "Presents given away", presents, most, "Because of a Heart."),
        _count("gifts.wasted", "Gifts discarded", presents, most, "Who should get them had no open slot."),
        *(_count(f"lost.{by}.{name}", f"{label} {of}", "slots", high) for by, label, high in lost for name, of in _STANDINGS.items()),
        *(_count(f"lost.{by}", label, "slots", high) for by, label, high in lost),
    )


def _other_metrics(cap: int) -> tuple[Metric, ...]:
    return (
        _count("coal.removed", "Coal removed", "Coal cards", cap, "With a Santa."),
        _count("questions", "Questions", "questions", cap, "With a Santa or an Elf."),
        _count("questions.failed", "Questions that got nothing", "questions", cap),
        _count("questions.refused", "Questions refused", "questions", cap, "Where giving is voluntary."),
        _count("no_play", "Turns without a legal play", "turns", cap, "A card was discarded to no effect."),
        _count("passed", "Turns with no card in hand", "turns", cap),
        _count("not_drawn", "Turns without a draw", "turns", cap, "There was no card to draw."),
        _count("skipped", "Turns skipped", "turns", cap, "Because of a Snow Croc.", headline=True),
        _count("reversed", "Choo Choos", "Choo Choo cards", cap),
        _count("reshuffles", "Reshuffles", "reshuffles", 2 * cap),
    )


BREAKDOWNS = (
    Breakdown(
        "won_by",
        "How games are won",
        "Look for a way that decides too many games, or hardly any.",
        ("a Present", "Candy Canes", "a Grinch Croc", "a Heart's gift", "most slots"),
        (("", tuple(_WON_BY)),),
    ),
    Breakdown(
        "lost",
        "Who is attacked",
        "Look at whether attacks hold the leader back, or hit those who are behind already.",
        ("the leader", "one of several leaders", "somebody behind"),
        tuple((label, tuple(f"lost.{by}.{name}" for name in _STANDINGS)) for label, by in _ATTACKS),
    ),
    Breakdown(
        "grinch",
        "Grinch Crocs and Hearts",
        "Look at how often a Heart undoes a theft, and whether a winning one can be stopped.",
        ("played", "answered with a Heart"),
        (("all", ("grinch.played", "grinch.answered")), ("filling the last slot", ("grinch.to_win", "grinch.answered_to_win"))),
    ),
    Breakdown(
        "questions",
        "What Santa and Elf ask for",
        "Look for questions that are mostly wasted.",
        ("asked", "got nothing", "refused"),
        (("", ("questions", "questions.failed", "questions.refused")),),
    ),
    Breakdown(
        "idle",
        "Turns in which nothing happens",
        "Look at how much of the game players only watch.",
        ("skipped", "no legal play", "no card in hand", "no card to draw"),
        (("", ("skipped", "no_play", "passed", "not_drawn")),),
    ),
    Breakdown(
        "no_winner",
        "Games that nobody wins",
        "Look for games that stall, or that the rules leave undecided.",
        ("tied", "unfinished"),
        (("", ("tied", "unfinished")),),
    ),
)

INFLUENCES = (
    Influence(
        "drawn",
        "Cards drawn and games won",
        "Look for a thick line that climbs or falls far: there the luck of the draw goes with winning or losing.",
        "cards drawn",
        tuple((name, f"drawn.{key}") for key, name in _KINDS),
    ),
)
