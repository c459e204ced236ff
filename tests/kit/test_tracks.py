"""Tracks around a board."""

from __future__ import annotations

import pytest

from simulator.kit.tracks import next_ahead


@pytest.mark.parametrize(
    ("path", "ahead"),
    [
        (("max", "feet", "A"), [1, 1, 1]),
        (("feet", "max"), [0, 0]),
        (("feet", "feet", "max", "A"), [1, 0, 0, 0]),
        (("max", "A"), [0, 0]),
        (("feet",), [0]),
    ],
)
def test_the_next_space_of_a_kind_lies_strictly_ahead_and_around_the_corner(path: tuple[str, ...], ahead: list[int]) -> None:
    assert next_ahead(path, "feet") == ahead
