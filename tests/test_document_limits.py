"""Limits for which JSON Schema has no keyword."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from contract.document.limits import READERS, lengths_of_bytes
from contract.document.scalar_schemas import scalar_schema
from contract.shape.nodes import BytesShape


@pytest.mark.parametrize("low", [None, *range(1, 14), 1000])
@pytest.mark.parametrize("high", [None, *range(14), 1000])
def test_lengths_of_bytes_are_told_as_they_were_written(low: int | None, high: int | None) -> None:
    found = lengths_of_bytes(scalar_schema(BytesShape(low, high)))

    assert found.get("minBytes") == low
    assert found.get("maxBytes") == high
    assert not found.keys() & {"minLength", "maxLength", "if", "then", "allOf"}


@pytest.mark.parametrize(
    "keywords",
    [
        {"minLength": 3},
        {"minLength": -4},
        {"minLength": True},
        {"maxLength": 2**53},
        {"maxLength": "4"},
        {"allOf": "x"},
        {"allOf": [1]},
        {"minLength": 4, "if": {"maxLength": 4}, "then": {"pattern": "[^=]$"}, "allOf": []},
        {"minLength": 4, "if": {"maxLength": 8}, "then": {"pattern": "[^=]$"}},
        {"minLength": 4, "if": {"maxLength": 4}, "then": {"pattern": "x"}},
        {"maxLength": 4, "if": {"minLength": 4}, "then": 1},
        {"if": 1},
    ],
)
def test_what_was_written_otherwise_stays(keywords: dict[str, Any]) -> None:
    """Only what is written in just the one way is read in this way."""
    schema = {"x-contract-type": "bytes", **keywords}

    assert lengths_of_bytes(schema) == schema
    assert lengths_of_bytes({**keywords}) == keywords


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("decimal", "1.50", Decimal("1.50")),
        ("int", "-3", Decimal(-3)),
        ("date-time", "2024-01-01T00:00:00+00:00", datetime(2024, 1, 1, tzinfo=UTC)),
        ("date", "2024-01-01", date(2024, 1, 1)),
        ("time", "09:30:00", time(9, 30)),
        ("timedelta", "-P1DT2H3M4.05S", -timedelta(1, 4, 50_000, minutes=3, hours=2)),
        ("timedelta", "PT0S", timedelta(0)),
        ("timedelta", "P2D", timedelta(2)),
    ],
)
def test_texts_are_read(kind: str, text: str, value: Any) -> None:
    assert READERS[kind](text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("decimal", "x"),
        ("decimal", "NaN"),
        ("timedelta", "1"),
        ("timedelta", "P999999999DT99H"),
        ("date", "2024-13-01"),
        ("time", ""),
    ],
)
def test_other_texts_are_not(kind: str, text: str) -> None:
    with pytest.raises((ValueError, ArithmeticError)):
        READERS[kind](text)
