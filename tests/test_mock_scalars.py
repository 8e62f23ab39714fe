"""Values without parts keep within all limits, and are small where they may be."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from contract.codegen.forms import OFFSET_OF_UTC, PATTERNS, TIME_PATTERNS
from contract.codegen.model import FloatType, IntType, Limits, Package, TextKind, TextType
from contract.pred.compile import compile_pred
from contract.shape.exceptions import GenerationError
from contract.testing.mock.scalars import float_of, int_of, matching_text, text_of
from contract.testing.mock.shapes import Shapes
from tests.mocks import echo_of, package

EMPTY: Package = package(echo_of(int))


def is_valid(type_: Any, values: Iterable[object]) -> bool:
    pred = compile_pred(Shapes(EMPTY).of(type_))
    return all(pred.dump(pred.load(json.dumps(value).encode())) for value in values)


@pytest.mark.parametrize(
    ("limits", "low", "high"),
    [
        (Limits(), 1, 1000),
        (Limits(ge=0), 1, 1000),
        (Limits(ge=5), 5, 1004),
        (Limits(gt=5), 6, 1005),
        (Limits(le=3), 1, 3),
        (Limits(lt=3), 1, 2),
        (Limits(ge=-10, le=-5), -10, -5),
        (Limits(le=-5), -1005, -5),
        (Limits(ge=0, le=0), 0, 0),
        (Limits(ge=-(2**63), le=2**63 - 1), 1, 1000),
        (Limits(multiple_of=7), 7, 7000),
        (Limits(multiple_of=7, ge=50), 56, 7049),
        (Limits(multiple_of=7, le=3), -6997, 0),
        (Limits(ge=2**63, le=2**64 - 1), 2**63, 2**63 + 999),
    ],
)
def test_integers(limits: Limits, low: int, high: int) -> None:
    found = {int_of(Random(seed), limits, "x") for seed in range(300)}

    assert low <= min(found) <= max(found) <= high
    assert is_valid(IntType(limits), found)


@pytest.mark.parametrize(
    "limits", [Limits(ge=3, le=2), Limits(gt=1, lt=2), Limits(ge=1, le=6, multiple_of=7)]
)
def test_no_integer(limits: Limits) -> None:
    with pytest.raises(GenerationError, match=r"^x: no integer keeps within these limits"):
        int_of(Random(1), limits, "x")


@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        Limits(ge=0, lt=1),
        Limits(gt=-0.5, le=0.5),
        Limits(le=-7),
        Limits(ge=1e300),
        Limits(ge=5.0, le=5.0),
        Limits(gt=0.001, lt=0.002),
        Limits(multiple_of=0.1, ge=0.0),
        Limits(multiple_of=0.5, gt=1, lt=2),
        Limits(multiple_of=5, le=100),
    ],
)
def test_numbers(limits: Limits) -> None:
    assert is_valid(FloatType(limits), [float_of(Random(seed), limits) for seed in range(50)])


def text(kind: TextKind, limits: Limits, *more: str) -> TextType:
    return TextType(kind, (min(PATTERNS[kind]), *more), limits)


AWARE = next(pattern for pattern, aware in TIME_PATTERNS.items() if aware)
NAIVE = next(pattern for pattern, aware in TIME_PATTERNS.items() if aware is False)


@pytest.mark.parametrize(
    "type_",
    [
        text("uuid", Limits()),
        text("int", Limits(ge=0, le=3)),
        text("decimal", Limits()),
        text("decimal", Limits(ge="0.01", lt="100")),
        text("decimal", Limits(gt="0", lt="0.00001")),
        text("decimal", Limits(ge="0", multiple_of="0.05")),
        text("decimal", Limits(ge="1E+39", le="2E+39")),
        text("decimal", Limits(le="-5.5")),
        text("datetime", Limits()),
        text("datetime", Limits(), OFFSET_OF_UTC),
        text("datetime", Limits(), "[+]05:30$"),
        text("datetime", Limits(), "-03:00$"),
        text("datetime", Limits(gt="2024-01-01T00:00:00Z", lt="2024-01-01T00:00:00.000002Z")),
        text("datetime", Limits(le="1969-01-01T00:00:00+02:00")),
        text("datetime", Limits(ge="2031-01-01T00:00:00Z")),
        text("date", Limits()),
        text("date", Limits(gt="2024-01-01", lt="2024-01-03")),
        text("date", Limits(ge="9999-12-30")),
        text("date", Limits(le="0001-01-01")),
        text("date", Limits(ge="2020-01-01", le="2020-02-01")),
        TextType("time", (AWARE,)),
        TextType("time", (NAIVE,)),
        TextType("time", (AWARE,), Limits(ge="09:00:00Z", lt="17:00:00+01:00")),
        TextType("time", (NAIVE,), Limits(gt="23:59:58", le="23:59:59")),
        text("timedelta", Limits()),
        text("timedelta", Limits(gt="PT0S", le="PT1S")),
        text("timedelta", Limits(le="-P3D")),
    ],
)
def test_values_that_stand_as_texts(type_: TextType) -> None:
    found = {text_of(Random(seed), type_, "x") for seed in range(40)}

    if type_.kind == "int":
        assert found <= {"1", "2", "3"}
    else:
        assert is_valid(type_, found)


def test_no_decimal() -> None:
    with pytest.raises(GenerationError, match=r"^x: no decimal keeps within these limits"):
        text_of(Random(1), text("decimal", Limits(ge="2", le="1")), "x")


def test_no_text() -> None:
    assert matching_text(Random(1), ("^a$",), None, None, "x") == "a"
    with pytest.raises(
        GenerationError,
        match=r"^x: no text was found that matches '\^a\$ and \^b\$'; give the field an example",
    ):
        matching_text(Random(1), ("^a$", "^b$"), None, None, "x")
