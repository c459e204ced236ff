"""Addressed draws: the generator's known answers, unbiased integers, and addresses that do not disturb one another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from simulator.kernel import chance as c
from simulator.kernel.jit import jit

U = np.uint64
ALL = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ALL, ALL, ALL, ALL), (ALL, ALL), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_random123s_known_answers(counter: tuple[int, ...], key: tuple[int, ...], words: tuple[int, ...]) -> None:
    assert tuple(int(w) for w in c.philox(*(U(x) for x in (*counter, *key)))) == words


def plain_philox(counter: list[int], key: list[int]) -> list[int]:
    """The generator once more, in Python's own integers, from its definition."""
    a, b, x, y = counter
    k, m = key
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * x
        a, b, x, y = (q >> 32) ^ b ^ k, q & ALL, (p >> 32) ^ y ^ m, p & ALL
        k, m = (k + 0x9E3779B9) & ALL, (m + 0xBB67AE85) & ALL
    return [a, b, x, y]


def begun(seed: int, playout: int) -> Any:
    record = np.zeros(1, c.CHANCE)[0]
    c.begin_playout(record, U(seed), U(playout))
    return record


@settings(max_examples=200)
@given(
    seed=st.integers(0, 2**64 - 1),
    playout=st.integers(0, 2**63 - 1),
    purpose=st.integers(0, 4 * c.BLOCKS - 1),
    occasion=st.integers(0, 2**32 - 1),
)
def test_a_word_is_the_generator_at_the_draws_address(seed: int, playout: int, purpose: int, occasion: int) -> None:
    record = begun(seed, playout)
    expected = plain_philox([occasion, purpose >> 2, playout & ALL, playout >> 32], [seed & ALL, seed >> 32])
    assert int(c.word(record, purpose, occasion)) == expected[purpose & 3]
    assert int(c.word(record, purpose, occasion)) == expected[purpose & 3]  # and again, from the block kept


@settings(max_examples=100)
@given(draws=st.permutations([(p, o) for p in (16, 17, 20, 33) for o in (0, 1, 7)]))
def test_the_order_of_draws_leaves_no_trace(draws: list[tuple[int, int]]) -> None:
    record = begun(5, 9)
    found = {draw: int(c.word(record, *draw)) for draw in draws}
    alone = {draw: int(c.word(begun(5, 9), *draw)) for draw in draws}
    assert found == alone


def test_drawing_ahead_changes_no_draw() -> None:
    ahead, plain = begun(3, 2**40 + 5), begun(3, 2**40 + 5)
    c.draw_ahead(ahead, 20, 77)
    for purpose in range(20, 28):
        assert int(ahead["word"][purpose >> 2, purpose & 3]) == int(c.word(plain, purpose, 77))
        assert int(c.word(ahead, purpose, 77)) == int(c.word(plain, purpose, 77))


def lemire(word_of_attempt: Any, n: int) -> int:
    """Multiply and reject, written from the paper in Python's own integers."""
    threshold = 2**32 % n
    attempt = 0
    while True:
        product = word_of_attempt(attempt) * n
        if product % 2**32 >= threshold:
            return int(product >> 32)
        attempt += 1


@settings(max_examples=300)
@given(n=st.one_of(st.integers(1, 300), st.integers(2**31, 2**32 - 1)), occasion=st.integers(0, 2**20), lane=st.integers(0, 3))
def test_bounded_integers_reject_what_would_be_a_bias(n: int, occasion: int, lane: int) -> None:
    def word_of(attempt: int) -> int:
        return plain_philox([occasion, 6 | attempt << 16, 11, 0], [4, 0])[lane]

    assert int(c.below(begun(4, 11), 24 + lane, occasion, n)) == lemire(word_of, n)


def test_large_bounds_do_reject() -> None:
    """With a bound just above 2**31 nearly half of all words are rejected, so the test above has seen it happen."""
    n = 2**31 + 1
    rejected = sum((plain_philox([o, 6, 11, 0], [4, 0])[0] * n) % 2**32 < 2**32 % n for o in range(200))
    assert 60 < rejected < 140


@jit
def fill(record: Any, n: Any, counts: Any, draws: Any) -> None:
    for occasion in range(draws):
        counts[c.below(record, 16 + (occasion & 3), occasion, n)] += 1


@pytest.mark.parametrize("n", [2, 3, 6, 7, 24, 50])
def test_bounded_integers_are_even(n: int) -> None:
    counts = np.zeros(n, np.int64)
    fill(begun(1, 0), n, counts, 400_000)
    assert chisquare(counts).pvalue > 1e-4


def test_a_biased_draw_would_be_noticed() -> None:
    counts = np.zeros(6, np.int64)
    fill(begun(1, 0), 6, counts, 400_000)
    counts[5] -= 1500
    counts[0] += 1500
    assert chisquare(counts).pvalue < 1e-4


def test_units_lie_in_the_half_open_interval_and_are_even() -> None:
    record = begun(1, 0)
    units = np.array([c.unit(record, 16, occasion) for occasion in range(4000)])
    assert units.min() >= 0
    assert units.max() < 1
    assert chisquare(np.histogram(units, bins=20, range=(0, 1))[0]).pvalue > 1e-4


def test_a_game_has_only_so_many_blocks_of_purposes() -> None:
    assert c.purpose_block(0) == 16
    with pytest.raises(ValueError, match="0 to 11"):
        c.purpose_block(12)
