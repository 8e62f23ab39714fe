from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Literal, NamedTuple
from uuid import UUID

import pytest

from contract.pred.hashes import has_safe_hash, too_many_equal
from contract.shape import shape_of


class Color(Enum):
    RED = "red"


class Pair(NamedTuple):
    left: int
    right: int


@pytest.mark.parametrize(
    "annotation",
    [None, bool, int, float, str, bytes, datetime, Literal["a"], Color, int | None, int | str],
)
def test_nobody_can_think_up_equal_hashes_of_these(annotation: Any) -> None:
    assert has_safe_hash(shape_of(annotation))


@pytest.mark.parametrize(
    "annotation", [Decimal, UUID, tuple[int, int], Pair, int | Decimal, Decimal | None]
)
def test_anybody_can_think_up_equal_hashes_of_these(annotation: Any) -> None:
    assert not has_safe_hash(shape_of(annotation))


def test_hashes_are_counted() -> None:
    equal = [Decimal(index * (2**61 - 1)) for index in range(17)]

    assert too_many_equal(equal)
    assert not too_many_equal(equal[:16])
    assert not too_many_equal([Decimal(index) for index in range(100)])
