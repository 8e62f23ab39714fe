"""Limits for which JSON Schema has no keyword."""

from __future__ import annotations

from typing import Any

import pytest

from contract.document.scalar_schemas import scalar_schema
from contract.shape.byte_lengths import lengths_of_bytes
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
