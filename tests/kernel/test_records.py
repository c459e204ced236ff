"""Names of fields that cannot be, since NumPy's own records have something of that name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulator.kit.declare import number, numbers, table
from strategies import Params

OWNED = [name for name in dir(np.recarray) if not name.startswith("_")]


@pytest.mark.parametrize("name", ["sum", "size", "max", "data", "view", "pprint", *OWNED[::7]])
@pytest.mark.parametrize(
    "declare",
    [lambda n: table(**{n: number()}), lambda n: Params(**{n: 1})],
    ids=["table", "params"],
)
def test_a_name_that_numpys_records_own_is_refused_where_it_is_declared(declare: Callable[[str], Any], name: str) -> None:
    sentence = f"cannot be called '{name}', since NumPy's records have a '{name}' of their own; call it otherwise"
    with pytest.raises((ValueError, TypeError), match=sentence):
        declare(name)


def test_a_name_that_the_head_has_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be called 'turn', since there is one of that name already"):
        table(turn=number())


def test_other_names_can_be_read_in_plain_python() -> None:
    record = np.zeros(1, table(total=number(), score=numbers(3)).dtype).view(np.recarray)[0]
    assert record.total == 0
    assert record.score.tolist() == [0, 0, 0]
