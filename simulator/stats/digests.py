"""Digests: a hash of all that was counted, the same on any machine, with any number of workers, interrupted and resumed or not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    Arrays = Iterable[np.ndarray[Any, Any]]


def joint_digest(digests: Iterable[str]) -> str:
    """First 16 hex digits of the SHA-256 over other digests, in their order.

    >>> joint_digest(["97916b553a68a079", "0fb6cbb481d5c6c2"])
    '992543947b827b83'
    """
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()[:16]


def array_digest(arrays: Arrays) -> str:
    """First 16 hex digits of the SHA-256 over kinds, shapes and numbers of arrays, in their order."""
    digest = hashlib.sha256()
    for array in arrays:
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        digest.update(f"{little.dtype.str} {little.shape}\n".encode() + little.tobytes())
    return digest.hexdigest()[:16]
