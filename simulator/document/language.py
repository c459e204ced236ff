"""Numbers of things, and lists, in words."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence


def plural(count: int, thing: str) -> str:
    """A number of things.

    >>> plural(1, "bonus"), plural(2, "bonus"), plural(0, "card"), plural(20000, "playout")
    ('1 bonus', '2 bonuses', '0 cards', '20,000 playouts')
    """
    ending = "" if count == 1 else "es" if thing.endswith("s") else "s"
    return f"{count:,} {thing}{ending}"


def ranged(counts: Iterable[int], thing: str) -> str:
    """From the least to the most of several numbers of things.

    >>> ranged((2, 3, 4), "player"), ranged({1}, "player"), ranged((900, 1000), "playout")
    ('2 to 4 players', '1 player', '900 to 1,000 playouts')
    """
    distinct = set(counts)
    least, most = min(distinct), max(distinct)
    return plural(most, thing) if least == most else f"{least:,} to {plural(most, thing)}"


def listed(words: Sequence[str], last: str = "and", *, between: str = ", ", most: int | None = None) -> str:
    """A list in words.

    Args:
        words: what is in it.
        last: the word in front of the last of them; where it is empty, nothing sets that apart.
        between: what stands between the others.
        most: so many are named, and the others counted.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or"), listed(["a"]), listed([])
    ('a, b and c', 'a or b', 'a', '')
    >>> listed(["a", "b", "c", "d"], most=2), listed(["a", "b"], "", most=2)
    ('a, b and 2 more', 'a, b')
    """
    if most is not None and len(words) > most:
        return f"{between.join(words[:most])} and {len(words) - most} more"
    if not last or len(words) < 2:  # noqa: PLR2004  one alone has none before it
        return between.join(words)
    return f"{between.join(words[:-1])} {last} {words[-1]}"


def short(text: str, most: int) -> str:
    """The text with its middle left out if it has more than `most` letters.

    >>> short("4 players, greedy", 11)
    '4 pla…reedy'
    """
    half = max(2, (most - 1) // 2)
    return text if len(text) <= max(most, 5) else f"{text[:half]}\N{HORIZONTAL ELLIPSIS}{text[-half:]}"


def clean(text: str) -> str:
    """The text on one line and without characters that cannot be printed."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split()))


class _Breaker(textwrap.TextWrapper):
    """Breaks names behind their punctuation."""

    wordsep_simple_re = re.compile(r"(\s+)|(?<=[_:,=/])")


def broken(name: str, width: int) -> list[str]:
    """A name or a heading in lines of at most `width` letters, or as long as its longest word, for none is torn.

    >>> broken("lookahead:rollouts=64,base=hold", 12)
    ['lookahead:', 'rollouts=64,', 'base=hold']
    >>> broken("strict_hold", 1), broken("opportunist", 8)
    (['strict_', 'hold'], ['opportunist'])
    """
    return _Breaker(width, break_on_hyphens=False, break_long_words=False).wrap(name)
