"""Values without parts keep within all limits, and are small where they may be."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from contract.pred.compile import compile_pred
from contract.shape import (
    Bounds,
    DateShape,
    DatetimeShape,
    DecimalShape,
    FloatShape,
    IntShape,
    Shape,
    TimedeltaShape,
    TimeShape,
    UuidShape,
)
from contract.shape.exceptions import GenerationError
from contract.testing.mock.scalars import float_of, int_of, matching_text, text_of


def is_valid(shape: Shape, values: Iterable[object]) -> bool:
    pred = compile_pred(shape)
    return all(pred.dump(pred.load(json.dumps(value).encode())) for value in values)


@pytest.mark.parametrize(
    ("shape", "low", "high"),
    [
        (IntShape(), 1, 1000),
        (IntShape(0), 1, 1000),
        (IntShape(5), 5, 1004),
        (IntShape(maximum=3), 1, 3),
        (IntShape(-10, -5), -10, -5),
        (IntShape(maximum=-5), -1005, -5),
        (IntShape(0, 0), 0, 0),
        (IntShape(multiple_of=7), 7, 7000),
        (IntShape(50, multiple_of=7), 56, 7049),
        (IntShape(maximum=3, multiple_of=7), -6997, 0),
        (IntShape(2**63, 2**64 - 1), 2**63, 2**63 + 999),
    ],
)
def test_integers(shape: IntShape, low: int, high: int) -> None:
    found = {int_of(Random(seed), shape, "x") for seed in range(300)}

    assert low <= min(found) <= max(found) <= high
    assert is_valid(shape, found)


@pytest.mark.parametrize("shape", [IntShape(3, 2), IntShape(1, 6, 7)])
def test_no_integer(shape: IntShape) -> None:
    with pytest.raises(GenerationError, match=r"^x: no integer keeps within these limits"):
        int_of(Random(1), shape, "x")


@pytest.mark.parametrize(
    "bounds",
    [
        Bounds(),
        Bounds(ge=0, lt=1),
        Bounds(gt=-0.5, le=0.5),
        Bounds(le=-7),
        Bounds(ge=1e300),
        Bounds(ge=5.0, le=5.0),
        Bounds(gt=0.001, lt=0.002),
        Bounds(multiple_of=0.1, ge=0.0),
        Bounds(multiple_of=0.5, gt=1, lt=2),
        Bounds(multiple_of=5, le=100),
    ],
)
def test_numbers(bounds: Bounds) -> None:
    shape = FloatShape(bounds)

    assert is_valid(shape, [float_of(Random(seed), shape) for seed in range(50)])


def decimals(**limits: str) -> DecimalShape:
    return DecimalShape(Bounds(**{name: Decimal(limit) for name, limit in limits.items()}))


NOON = datetime(2024, 1, 1, tzinfo=UTC)
EAST = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    "shape",
    [
        UuidShape(),
        DecimalShape(),
        decimals(ge="0.01", lt="100"),
        decimals(gt="0", lt="0.00001"),
        decimals(ge="0", multiple_of="0.05"),
        decimals(ge="1E+39", le="2E+39"),
        decimals(le="-5.5"),
        DatetimeShape(),
        DatetimeShape(offset=timedelta(0)),
        DatetimeShape(offset=timedelta(hours=5, minutes=30)),
        DatetimeShape(offset=timedelta(hours=-3)),
        DatetimeShape(Bounds(gt=NOON, lt=NOON + timedelta(microseconds=2))),
        DatetimeShape(Bounds(le=datetime(1969, 1, 1, tzinfo=EAST))),
        DatetimeShape(Bounds(ge=datetime(2031, 1, 1, tzinfo=UTC))),
        DateShape(),
        DateShape(Bounds(gt=date(2024, 1, 1), lt=date(2024, 1, 3))),
        DateShape(Bounds(ge=date(9999, 12, 30))),
        DateShape(Bounds(le=date.min)),
        DateShape(Bounds(ge=date(2020, 1, 1), le=date(2020, 2, 1))),
        TimeShape(aware=True),
        TimeShape(aware=False),
        TimeShape(Bounds(ge=time(9, tzinfo=UTC), lt=time(17, tzinfo=EAST)), aware=True),
        TimeShape(Bounds(gt=time(23, 59, 58), le=time(23, 59, 59)), aware=False),
        TimedeltaShape(),
        TimedeltaShape(Bounds(gt=timedelta(0), le=timedelta(seconds=1))),
        TimedeltaShape(Bounds(le=timedelta(days=-3))),
    ],
)
def test_values_that_stand_as_texts(shape: Any) -> None:
    assert is_valid(shape, {text_of(Random(seed), shape, "x") for seed in range(40)})


def test_no_decimal() -> None:
    with pytest.raises(GenerationError, match=r"^x: no decimal keeps within these limits"):
        text_of(Random(1), decimals(ge="2", le="1"), "x")


def test_no_text() -> None:
    assert matching_text(Random(1), ("^a$",), None, None, "x") == "a"
    with pytest.raises(
        GenerationError,
        match=r"^x: no text was found that matches '\^a\$ and \^b\$'; give the field an example",
    ):
        matching_text(Random(1), ("^a$", "^b$"), None, None, "x")
