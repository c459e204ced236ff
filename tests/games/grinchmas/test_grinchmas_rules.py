"""Which rule constants Merry Grinchmas allows, notes and refuses, and how the kernel gets them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from grinchmas_positions import COLOURS, read, rules_with

from simulator.errors import RulesError
from simulator.games.grinchmas import GAME
from simulator.games.grinchmas.boards import BOARDS
from simulator.games.grinchmas.rules import (
    CONTINUE,
    HOUSES,
    MAX_WISH_TYPES,
    MIXED,
    NOTHING,
    PAIR,
    PATH,
    RESHUFFLE,
    TRIO,
    WISH_CARDS,
    GrinchmasRules,
)
from simulator.rules import Constant, build_rules, constants
from simulator.rules.alternatives import acts, alternatives

ASSUMED = {c.key: c.plausible for c in constants(GrinchmasRules()) if c.source == "assumed"}


# ---------------------------------------------------------------- the box
def test_box_has_no_notes() -> None:
    assert GrinchmasRules().notes() == []


def test_every_constant_says_where_it_comes_from() -> None:
    for constant in constants(GrinchmasRules()):
        assert constant.note, constant.key
        assert constant.description.endswith("."), constant.key
        assert constant.unit, constant.key


def test_assumed_constants_with_a_number_or_a_switch_have_a_plausible_range() -> None:
    lists = {"board.path", "spinner.faces"}
    assert lists < set(ASSUMED)
    assert all(ASSUMED[key] for key in set(ASSUMED) - lists)


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in ASSUMED.items() for value in values])
def test_plausible_values_can_be_played(key: str, value: Any) -> None:
    assert {c.key: c.value for c in constants(build_rules(GrinchmasRules, {key: value}))}[key] == value


def test_path_in_the_box_has_24_spaces() -> None:
    counts = Counter(PATH)
    assert len(PATH) == 24
    assert counts == Counter({"feet": 6, "present": 5, "A": 2, "B": 2, "C": 2, "max": 1, **{f"house {n}": 1 for n in range(1, 7)}})
    assert PATH[0] == "max"


def test_wishes_in_the_box() -> None:
    cards: Counter[int] = Counter()
    for kind, tokens, copies in GrinchmasRules().wish_types():
        cards[kind] += copies
        assert len(tokens) == {MIXED: 3, PAIR: 2, TRIO: 0}[kind]
    assert cards == Counter({MIXED: 20, PAIR: 10, TRIO: 6})


def test_pictured_pairs_name_every_colour_and_design_and_free_pairs_none() -> None:
    pictured = [tokens for kind, tokens, _ in rules_with(presents__designs=2).wish_types() if kind == PAIR]
    assert sorted(pictured) == [(kind, kind) for kind in (0, 1, 2, 3, 4, 8, 9, 10, 11, 12)]
    free = [(tokens, copies) for kind, tokens, copies in rules_with(presents__designs=2, wishes__pair="any").wish_types() if kind == PAIR]
    assert free == [((), 10)]


@pytest.mark.parametrize(
    ("overrides", "copies"),
    [
        ({}, 10),
        ({"presents__colours": 4}, 12),
        ({"presents__colours": 6}, 8),
        ({"presents__designs": 2}, 5),
        ({"presents__colours": 4, "presents__designs": 2}, 6),
        ({"presents__designs": 2, "presents__copies": 9}, 9),
    ],
)
def test_copies_follow_colours_and_designs_unless_set(overrides: dict[str, Any], copies: int) -> None:
    assert rules_with(**overrides).presents.copies == copies


@pytest.mark.parametrize(
    ("overrides", "mixed", "pair", "trio"),
    [
        ({}, 2, 2, 6),
        ({"wishes__mixed_copies": 1}, 1, 2, 16),
        ({"wishes__mixed_copies": 3}, 3, 1, 1),
        ({"wishes__pair_copies": 3}, 2, 3, 1),
        ({"wishes__pair_copies": 4}, 1, 4, 6),
        ({"presents__colours": 4}, 5, 2, 8),
        ({"presents__colours": 6}, 1, 2, 4),
        ({"presents__designs": 2}, 2, 1, 6),
    ],
)
def test_kinds_of_wishes_give_and_take_among_the_36_cards(overrides: dict[str, Any], mixed: int, pair: int, trio: int) -> None:
    rules = rules_with(**overrides)
    assert (rules.wishes.mixed_copies, rules.wishes.pair_copies, rules.wishes.trio_cards) == (mixed, pair, trio)
    assert len(rules.pile()) == WISH_CARDS


@pytest.mark.parametrize("constant", constants(GrinchmasRules()), ids=lambda c: c.key)
def test_no_alternative_has_another_number_of_wish_cards_than_the_box(constant: Constant) -> None:
    for to in alternatives(constant, GrinchmasRules):
        assert len(build_rules(GrinchmasRules, {constant.key: to}).pile()) == WISH_CARDS, to


def test_a_kind_of_wish_that_is_set_stays_as_it_is_set() -> None:
    rules = rules_with(wishes__mixed_copies=3, wishes__trio_cards=6)
    assert rules.wishes.trio_cards == 6
    assert len(rules.pile()) == 30 + 5 + 6


@pytest.mark.parametrize("board", BOARDS)
def test_every_other_board_has_max_once_all_houses_and_every_other_kind_of_space(board: tuple[str, ...]) -> None:
    assert board.count("max") == 1
    assert [board.count(f"house {n + 1}") for n in range(HOUSES)] == [1] * HOUSES
    assert {"A", "B", "C", "feet", "present"} <= set(board)


def test_a_gift_exchange_that_is_open_or_closed_anyway_does_not_act() -> None:
    shipped = GrinchmasRules()
    assert not acts(shipped, rules_with(exchange__min_players=6), 4)
    assert acts(shipped, rules_with(exchange__min_players=6), 5)
    assert not acts(shipped, rules_with(exchange__min_players=6), 6)
    assert acts(shipped, rules_with(exchange__min_players=7), 6)
    assert not acts(shipped, rules_with(exchange__on_max=False), 4)
    assert acts(shipped, rules_with(exchange__on_max=False), 5)


# ---------------------------------------------------------------- allowed, but noted
@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"presents__copies": 9}, ("45 Present tokens", "50")),
        ({"presents__colours": 4}, ("48 Present tokens",)),
        ({"wishes__trio_cards": 7}, ("37 Wish cards", "36")),
        ({"wishes__pair_copies": 4, "wishes__mixed_copies": 2}, ("40 Wish cards",)),
        ({"wishes__goal": 37}, ("37 Wishes", "only 36")),
    ],
)
def test_oddities_are_noted(overrides: dict[str, Any], words: tuple[str, ...]) -> None:
    notes = rules_with(**overrides).notes()
    assert len(notes) == 1
    assert notes[0].endswith(".")
    assert all(word in notes[0] for word in words)


@pytest.mark.parametrize("overrides", [{"wishes__goal": 36}, {"wishes__goal": 37, "wishes__when_exhausted": "reshuffle"}])
def test_goal_that_can_be_reached_is_not_noted(overrides: dict[str, Any]) -> None:
    assert rules_with(**overrides).notes() == []


# ---------------------------------------------------------------- refused
NO_WISHES: dict[str, Any] = {"wishes__mixed_copies": 0, "wishes__pair_copies": 0, "wishes__trio_cards": 0}
NO_FEET = tuple(space for space in PATH if space != "feet")
NO_MAX = tuple(space for space in PATH if space != "max")


@pytest.mark.parametrize(
    ("overrides", "key", "way_out"),
    [
        ({"spinner__faces": ()}, "spinner.faces", "1"),
        ({"spinner__faces": (0,)}, "spinner.faces", "entry 1 has to be 'feet' or at least 1"),
        ({"spinner__faces": (1, -2)}, "spinner.faces", "entry 2"),
        ({"spinner__faces": (65,)}, "spinner.faces", "entry 1 has to be 'feet' or at most 64"),
        ({"spinner__faces": ("hands",)}, "spinner.faces", "'feet'"),
        ({"spinner__faces": (2, 1.5)}, "spinner.faces", "entry 2"),
        ({"spinner__faces": (1,) * 33}, "spinner.faces", "32"),
        ({"board__path": ()}, "board.path", "1"),
        ({"board__path": NO_MAX}, "board.path", "add one"),
        ({"board__path": NO_FEET}, "board.path", "add a feet space or take that face away"),
        ({"board__path": ("max", "feet", "house 7")}, "board.path", "entry 3"),
        ({"board__path": ("max",) * 65}, "board.path", "64"),
        ({"stars__mixed": -1}, "stars.mixed", "at least 0"),
        ({"stars__pair": -1}, "stars.pair", "at least 0"),
        ({"stars__trio": -5}, "stars.trio", "at least 0"),
        ({"stars__trio": 101}, "stars.trio", "at most 100"),
        ({"stars__trio": 2.5}, "stars.trio", "a whole number"),
        ({"presents__colours": 2}, "presents.colours", "at least 3"),
        ({"presents__colours": 9}, "presents.colours", "at most 8"),
        ({"presents__colours": True}, "presents.colours", "a whole number"),
        ({"presents__designs": 3}, "presents.designs", "1 or 2"),
        ({"presents__copies": 0}, "presents.copies", "at least 1"),
        ({"presents__copies": 26}, "presents.copies", "use at most 25"),
        ({"presents__colours": 8, "presents__copies": 16}, "presents.copies", "use at most 15"),
        ({"presents__copies": 128}, "presents.copies", "at most 127"),
        (NO_WISHES, "wishes.trio_cards", "add Wish cards"),
        ({"wishes__mixed_copies": -1}, "wishes.mixed_copies", "at least 0"),
        ({"wishes__mixed_copies": 25}, "wishes.mixed_copies", "at most 250"),
        (
            {"wishes__mixed_copies": 0, "wishes__pair_copies": 0, "wishes__trio_cards": 251},
            "wishes.trio_cards",
            "at most 250",
        ),
        ({"wishes__face_up": 0}, "wishes.face_up", "at least 1"),
        ({"wishes__face_up": 9}, "wishes.face_up", "at most 8"),
        ({"wishes__goal": 0}, "wishes.goal", "at least 1"),
        ({"wishes__pair": "some"}, "wishes.pair", "'pictured' or 'any'"),
        ({"wishes__when_exhausted": "stop"}, "wishes.when_exhausted", "'continue' or 'reshuffle'"),
        ({"exchange__min_players": 1}, "exchange.min_players", "at least 2"),
        ({"exchange__min_players": 8}, "exchange.min_players", "at most 7"),
        ({"exchange__on_max": 1}, "exchange.on_max", "true or false"),
        ({"win_on_tie": "yes"}, "win_on_tie", "true or false"),
        ({"turn_cap": 0}, "turn_cap", "at least 1"),
        ({"turn_cap": 10**7}, "turn_cap", "at most 1000000"),
        ({"wishes__gaol": 8}, "wishes.gaol", "wishes.goal"),
        ({"wishes": 8}, "wishes", "wishes.mixed_copies"),
    ],
)
def test_impossible_value_is_refused_with_its_key_and_a_way_out(overrides: dict[str, Any], key: str, way_out: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_with(**overrides)
    message = str(caught.value)
    assert f"'{key}'" in message
    assert way_out in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "overrides",
    [
        {"presents__copies": 25},
        {"presents__designs": 2, "presents__copies": 25},
        {"presents__colours": 8, "presents__copies": 15},
        {"board__path": NO_FEET, "spinner__faces": (1, 2)},
        {"board__path": ("max",), "spinner__faces": (1,)},
        {**NO_WISHES, "wishes__trio_cards": 1},
        {**NO_WISHES, "wishes__trio_cards": 250},
        {"stars__mixed": 0, "stars__pair": 0, "stars__trio": 0},
        {"exchange__min_players": 7},
        {"turn_cap": 1},
    ],
)
def test_values_at_the_edge_are_allowed(overrides: dict[str, Any]) -> None:
    assert len(GAME.pack(rules_with(**overrides))) == 1


# ---------------------------------------------------------------- as the kernel reads them
def test_pack_next_feet_of_every_space_in_the_box() -> None:
    expected = [3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15, 19, 19, 19, 19, 23, 23, 23, 23, 3]
    assert GAME.pack(GrinchmasRules())[0]["next_feet"][:24].tolist() == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("max", "feet", "A"), [1, 1, 1]),
        (("feet", "max"), [0, 0]),
        (("feet", "feet", "max", "A"), [1, 0, 0, 0]),
    ],
)
def test_pack_next_feet_is_strictly_ahead_and_goes_around(path: tuple[str, ...], expected: list[int]) -> None:
    assert GAME.pack(rules_with(board__path=path))[0]["next_feet"][: len(path)].tolist() == expected


def test_pack_path_and_spinner() -> None:
    packed = GAME.pack(rules_with(board__path=("feet", "house 6", "C", "max", "present", "A"), spinner__faces=("feet", 7, 1)))[0]
    assert packed["path_length"] == 6
    assert packed["path"][:6].tolist() == [5, 11, 2, 3, 4, 0]
    assert packed["start"] == 3
    assert packed["n_faces"] == 3
    assert packed["faces"][:3].tolist() == [0, 7, 1]


def test_pack_start_is_the_first_max_space() -> None:
    assert GAME.pack(rules_with(board__path=("feet", "max", "A", "max")))[0]["start"] == 1


@pytest.mark.parametrize(("designs", "copies"), [(1, 10), (2, 5)])
def test_pack_bag_holds_the_copies_of_every_kind(designs: int, copies: int) -> None:
    bag = read(GAME.pack(rules_with(presents__designs=designs))[0]["bag"])
    names = [f"{'dotted_' * design}{colour}" for design in range(designs) for colour in COLOURS[:5]]
    assert bag == dict.fromkeys(names, copies)


def test_pack_wishes_have_kind_need_design_and_stars() -> None:
    rules = rules_with(presents__designs=2, stars__mixed=7, stars__pair=8, stars__trio=9)
    packed = GAME.pack(rules)[0]
    for index, (kind, tokens, _) in enumerate(rules.wish_types()):
        assert packed["wish_kind"][index] == kind
        assert packed["wish_stars"][index] == {MIXED: 7, PAIR: 8, TRIO: 9}[kind]
        colours = Counter(token % 8 for token in tokens)
        assert read((packed["wish_need"][index], 0)) == {COLOURS[colour]: n for colour, n in colours.items()}
        assert packed["wish_design"][index] == (tokens[0] // 8 if kind == PAIR else -1)


def test_pack_pile_holds_every_card() -> None:
    packed = GAME.pack(GrinchmasRules())[0]
    assert packed["pile_size"] == 36
    assert Counter(packed["pile"][:36].tolist()) == Counter({**dict.fromkeys(range(15), 2), 15: 6})


@pytest.mark.parametrize(
    ("overrides", "field", "value"),
    [
        ({"wishes__when_exhausted": "continue"}, "wishes.when_exhausted", CONTINUE),
        ({"wishes__when_exhausted": "reshuffle"}, "wishes.when_exhausted", RESHUFFLE),
        ({"exchange__on_max": False}, "exchange.on_max", 0),
        ({"exchange__on_max": True}, "exchange.on_max", 1),
        ({"win_on_tie": False}, "win_on_tie", 0),
        ({"win_on_tie": True}, "win_on_tie", 1),
        ({"exchange__min_players": 3}, "exchange.min_players", 3),
        ({"wishes__face_up": 7}, "wishes.face_up", 7),
        ({"wishes__goal": 11}, "wishes.goal", 11),
        ({"presents__colours": 6}, "presents.colours", 6),
        ({"presents__designs": 2}, "kinds", 13),
    ],
)
def test_pack_numbers_and_switches(overrides: dict[str, Any], field: str, value: int) -> None:
    found = GAME.pack(rules_with(**overrides))[0]
    for name in field.split("."):
        found = found[name]
    assert found == value


def test_pack_has_in_the_last_place_a_wish_that_is_none() -> None:
    packed = GAME.pack(GrinchmasRules())[0]
    assert [int(packed[f"wish_{name}"][NOTHING]) for name in ("kind", "design", "need", "stars")] == [NOTHING, NOTHING, 0, 0]
    most = rules_with(presents__colours=8, presents__copies=1, presents__designs=2, wishes__pair_copies=1, wishes__mixed_copies=1)
    assert len(most.wish_types()) < MAX_WISH_TYPES
