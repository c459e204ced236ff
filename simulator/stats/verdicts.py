"""Verdicts: yes, no or open; on differences, alone and where many are judged at once.

A difference is the changed experiment less the baseline, and the question is whether there is one. A verdict is read off the
interval that is shown, so that a reader can check it: at 95 percent, yes is wrong with probability 5 percent at most where
there is no difference, and no, 'equivalent', with 2.5 percent at most where the difference is as large as the margin or
larger, for that is two one-sided tests at 2.5 percent each. (The customary test of equivalence at 5 percent is read off a 90
percent interval.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from simulator.stats.estimate import CONFIDENCE, Estimate

Verdict = Literal["yes", "no", "open"]
"""The answer to a yes-or-no question, its rate of error controlled; open where neither is shown."""

DIFFERS: Mapping[Verdict, str] = {"yes": "differs", "no": "equivalent", "open": "undecided"}
"""Is there a difference, or does it not matter?"""

HOLDS: Mapping[Verdict, str] = {"yes": "holds", "no": "broken", "open": "undecided"}
"""Is a promise kept?"""

LIES: Mapping[Verdict, str] = {"yes": "inside", "no": "outside", "open": "open"}
"""Does a figure lie in its band?"""

MET: Mapping[Verdict, str] = {"yes": "met", "no": "missed", "open": "open"}
"""Is a target met?"""

SURVIVES: Mapping[Verdict, str] = {"yes": "holds", "no": "flips", "open": "open"}
"""Does a verdict hold whoever plays?"""

AS_JSON: Mapping[Verdict, bool | None] = {"yes": True, "no": False, "open": None}


def all_together(verdicts: Iterable[Verdict]) -> Verdict:
    """Yes if all are, no if one is, or else open.

    >>> all_together(["yes", "open"]), all_together(["open", "no"]), all_together([])
    ('open', 'no', 'yes')
    """
    given = set(verdicts)
    return "no" if "no" in given else "open" if "open" in given else "yes"


IntervalAt = Callable[[float], Estimate]
"""The estimate of a difference, with its interval at any confidence."""


def verdict(difference: Estimate, margin: float | None = None) -> Verdict:
    """What the interval of a difference says.

    No if it lies within the margin: a difference as small as that does not matter, be it real or not.
    Yes if it excludes 0 otherwise. Without a margin only experiments that cannot differ are equivalent.

    Args:
        difference: with the interval to judge by.
        margin: the largest difference, either way, that does not matter.

    Raises:
        ValueError: the margin is negative.

    Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.

    >>> verdict(Estimate(0.02, 0.01, 0.03, 1000, "share"))
    'yes'
    >>> verdict(Estimate(0.02, -0.01, 0.05, 1000, "share"), margin=0.1)
    'no'
    """
    if _within(difference, margin):
        return "no"
    return "yes" if _excludes_zero(difference) else "open"


def verdicts_together(
    intervals: Sequence[IntervalAt], margin: float | Sequence[float | None] | None = None, confidence: float = CONFIDENCE
) -> tuple[Verdict, ...]:
    """Verdicts on several differences, of which with probability `confidence` none is a wrong yes.

    Holm's procedure: each is judged at the confidence that holds for all the undecided at once; those that are decided
    leave, and the others are judged at the lower confidence that is enough for fewer. The same for no, apart.

    Args:
        intervals: for each difference, its estimate at a given confidence; an interval at a higher confidence has to
            contain those at lower ones, and has to be a confidence sequence if the number of playouts is not fixed.
        margin: as in `verdict`, for all differences or for each.
        confidence: that no difference is called 'differs' that is none; and, separately, that none is called
            'equivalent' that is the margin or more.

    Raises:
        ValueError: the margin is negative.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
    """
    margins = [margin] * len(intervals) if margin is None or isinstance(margin, float | int) else list(margin)
    equivalent = _decided_stepwise(intervals, lambda index, difference: _within(difference, margins[index]), confidence)
    differing = _decided_stepwise(intervals, lambda _index, difference: _excludes_zero(difference), confidence)
    return tuple("no" if index in equivalent else "yes" if index in differing else "open" for index in range(len(intervals)))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values adjusted so that all those up to a level can be called findings, and with that probability at most any is wrong.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return tuple(adjusted)


def false_discovery(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values adjusted so that of all those up to a level, called findings, on average at most that share is wrong.

    It holds for independent p-values and for positively dependent ones, as those of several changes against one baseline.

    Source: Benjamini and Hochberg, "Controlling the false discovery rate: a practical and powerful approach to multiple
    testing", Journal of the Royal Statistical Society B 57, 1995; Benjamini and Yekutieli, Annals of Statistics 29, 2001.
    """
    from scipy.stats import false_discovery_control  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    if not p_values:
        return ()
    return tuple(float(p) for p in false_discovery_control(list(p_values), method="bh"))


def confidence_of_selected(selected: int, judged: int, rate: float) -> float:
    """The confidence at which intervals of those that were selected miss the truth, on average, in that share of them at most.

    Who looks at the intervals of what was found alone, looks at those that chance has moved: at the confidence that they
    have for any one fixed beforehand, more of them miss. This holds after the procedure of Benjamini and Hochberg at the same
    rate, after which an interval excludes 0 exactly where the difference was selected.

    Args:
        selected: how many were selected, and are shown, at least one.
        judged: among how many.
        rate: the share of false discoveries, and of intervals that may miss.

    Source: Benjamini and Yekutieli, "False discovery rate-adjusted multiple confidence intervals for selected parameters",
    Journal of the American Statistical Association 100, 2005.

    >>> confidence_of_selected(10, 200, 0.05)
    0.9975
    """
    return 1 - rate * selected / judged


def _within(difference: Estimate, margin: float | None) -> bool:
    if margin is not None and margin < 0:
        message = f"a margin cannot be negative, as {margin} is"
        raise ValueError(message)
    reach = margin or 0.0
    return -reach <= difference.low and difference.high <= reach


def _excludes_zero(difference: Estimate) -> bool:
    return difference.low > 0 or difference.high < 0


def _decided_stepwise(intervals: Sequence[IntervalAt], decides: Callable[[int, Estimate], bool], confidence: float) -> set[int]:
    """Which are decided when each is judged at a confidence that depends on how many are not decided yet."""
    left = set(range(len(intervals)))
    while left:
        together = 1 - (1 - confidence) / len(left)
        decided = {index for index in left if decides(index, intervals[index](together))}
        if not decided:
            break
        left -= decided
    return set(range(len(intervals))) - left
