"""Counts as bytes and back, for the ledger: a line of JSON, then arrays of numbers, compressed. What is read is never run.

Whatever reads such bytes raises one of DAMAGE where they are no such bytes.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from simulator.stats.tally import Histogram, Tally

Array = np.ndarray[Any, Any]

DAMAGE = (zlib.error, ValueError, LookupError, TypeError, AttributeError, OverflowError)
"""What goes wrong with bytes that are not what they should be."""

KINDS = ("<i8", "<i4", "<f8")
"""Kinds of arrays that there are."""


def pack(about: Any, arrays: Sequence[Array]) -> bytes:
    """Anything that JSON can say, and arrays of one of KINDS."""
    listed = [a.astype(a.dtype.newbyteorder("<")) for a in arrays]
    return _joined({"about": about, "arrays": [[a.dtype.str, a.shape] for a in listed]}, listed)


def unpack(blob: bytes) -> tuple[Any, list[Array]]:
    """What `pack` made the bytes of."""
    head, rest = _divided(blob)
    arrays, start = [], 0
    for kind, shape in head["arrays"]:
        if kind not in KINDS:
            message = f"there are no arrays of kind {kind}"
            raise ValueError(message)
        count = int(np.prod(shape, dtype=np.int64))
        native = np.dtype(kind).newbyteorder("=")
        arrays.append(np.frombuffer(rest, kind, count, start).reshape(shape).astype(native))
        start += count * np.dtype(kind).itemsize
    return head["about"], arrays


def check_fits(fits: bool) -> None:  # noqa: FBT001  there is nothing else to give
    """Refuse a part that is whole, but not that of its batch.

    Raises:
        ValueError: it is that.
    """
    if not fits:
        message = "a batch does not hold what it says"
        raise ValueError(message)


def packed(tally: Tally) -> bytes:
    """A tally as bytes: what `tally_head` tells, then all counts as little-endian int64."""
    return _joined(tally_head(tally), [np.ascontiguousarray(tally_counts(tally), "<i8")])


def unpacked(blob: bytes) -> Tally:
    """The tally that `packed` made the bytes of."""
    head, counts = _divided(blob)
    return tally_of(head, np.frombuffer(counts, "<i8").reshape(-1, len(head["outcomes"])).astype(np.int64))


def tally_head(tally: Tally) -> dict[str, Any]:
    """All of a tally but its counts, for JSON."""
    return {"names": tally.names, "outcomes": tally.outcomes, "spans": [[h.low, len(h.counts)] for h in tally.histograms]}


def tally_counts(tally: Tally) -> Array:
    """The counts of a tally, those of its histograms below each other, int64, shape (values, outcomes)."""
    return np.concatenate([h.counts for h in tally.histograms])


def tally_of(head: Any, counts: Array) -> Tally:
    """The tally from what `tally_head` and `tally_counts` made of it.

    Raises:
        ValueError, LookupError, TypeError: they do not fit each other.
    """
    ends = np.cumsum([width for _, width in head["spans"]])
    if not len(ends) or ends[-1] != len(counts) or counts.shape[1] != len(head["outcomes"]):
        message = "counts are missing"
        raise ValueError(message)
    parts = np.split(counts, ends[:-1])
    histograms = tuple(Histogram(int(low), part) for (low, _), part in zip(head["spans"], parts, strict=True))
    return Tally(tuple(head["names"]), tuple(head["outcomes"]), histograms)


def _joined(head: Any, arrays: Sequence[Array]) -> bytes:
    return zlib.compress(json.dumps(head).encode() + b"\n" + b"".join(a.tobytes() for a in arrays), 1)


def _divided(blob: bytes) -> tuple[Any, bytes]:
    line, _, rest = zlib.decompress(blob).partition(b"\n")
    return json.loads(line), rest
