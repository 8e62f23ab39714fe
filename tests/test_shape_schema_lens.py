"""The schema lens: references, schemas in schemas, the order of fields, and types of JSON."""

from __future__ import annotations

from typing import Any

import pytest

from contract.document.scalar_schemas import scalar_schema
from contract.shape.nodes import BytesShape
from contract.shape.schema_lens import (
    JSON_TYPES,
    as_schema,
    constraints,
    enumerated,
    followed,
    inside,
    key_of,
    lengths_of_bytes,
    mapping,
    names_in,
    order_of,
    reference,
    schemas_in,
    sequence,
    target,
    text_in,
    type_of,
    types_of,
)

TEXT = {"type": "string"}


def test_a_reference_names_a_type() -> None:
    assert reference("Order") == {"$ref": "#/$defs/Order"}
    assert target(reference("Order")) == "Order"


def test_references_are_followed_to_their_end() -> None:
    types = {"A": reference("B"), "B": TEXT}

    assert followed(reference("A"), types) is TEXT
    assert followed(TEXT, types) is TEXT


@pytest.mark.parametrize(
    ("keyword", "value", "expected"),
    [
        ("items", TEXT, [TEXT]),
        ("additionalProperties", False, [False]),
        ("anyOf", [TEXT, True], [TEXT, True]),
        ("properties", {"$ref": TEXT}, [TEXT]),
        ("default", {"items": TEXT}, []),
        ("discriminator", {"propertyName": "kind", "mapping": {}}, []),
    ],
)
def test_schemas_stand_under_some_keywords(keyword: str, value: Any, expected: list[Any]) -> None:
    found: list[Any] = []

    def seen(schema: Any) -> Any:
        found.append(schema)
        return schema

    assert inside(keyword, value, seen) == value
    assert found == expected


def test_all_schemas_are_found_in_the_order_of_the_text() -> None:
    inner: dict[str, Any] = {"items": TEXT, "additionalProperties": False}
    schema: dict[str, Any] = {
        "properties": {"$ref": inner, "b": reference("B")},
        "examples": [{"items": {}}],
    }

    assert [*schemas_in(schema)] == [schema, inner, TEXT, reference("B")]


@pytest.mark.unwatched
def test_no_depth_is_too_deep() -> None:
    schema: dict[str, Any] = {}
    for _ in range(100_000):
        schema = {"items": schema}

    assert sum(1 for _ in schemas_in(schema)) == 100_001


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (None, "a b c"),
        (["c", "a", "b"], "c a b"),
        (["c", "gone", 1, None, "c"], "c a b"),
        ("cab", "a b c"),
    ],
)
def test_fields_have_an_order(told: object, expected: str) -> None:
    schema: dict[str, Any] = {"properties": {"b": {}, "a": {}, "c": {}}, "x-contract-order": told}

    assert order_of(schema) == expected.split()


def test_what_is_no_object_has_no_fields() -> None:
    assert order_of({}) == order_of({"properties": 1, "x-contract-order": ["a"]}) == []


def test_notes_are_no_constraints() -> None:
    assert constraints({"title": "", "x-contract-order": [], "format": "", "x-a": 1}) == {
        "format",
        "x-a",
    }


def test_what_was_not_checked_is_read_as_far_as_it_is_right() -> None:
    assert as_schema(TEXT) is TEXT
    assert as_schema(True) == as_schema(1) == {}
    assert as_schema(False) == {"enum": []}
    assert mapping(TEXT) is TEXT
    assert mapping([]) == {}
    assert sequence((1, 2)) == (1, 2)
    assert sequence("ab") == ()
    assert names_in(["a", 1, "a"]) == {"a"}
    assert text_in({"title": "a"}, "title") == "a"
    assert text_in({"title": ""}, "title") is text_in({"title": 1}, "title") is None


def test_a_schema_says_which_types_it_takes() -> None:
    assert types_of({}) == {*JSON_TYPES}
    assert types_of(TEXT) == {"string"}
    assert types_of({"type": ["number", "null"]}) == {"integer", "number", "null"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "integer"),
        (1.0, "integer"),
        (1.5, "number"),
        ("", "string"),
        ([], "array"),
        ((), "array"),
        ({}, "object"),
    ],
)
def test_a_value_has_a_type(value: object, expected: str) -> None:
    assert type_of(value) == expected


def test_listed_values_are_those_of_the_type() -> None:
    assert enumerated(TEXT) is None
    assert enumerated({"const": 1}) == {"1": 1}
    assert enumerated({"enum": ["a", 1], "type": "string"}) == {'"a"': "a"}


def test_equal_values_have_equal_keys() -> None:
    assert key_of(1.0) == key_of(1) != key_of(True)
    assert key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1})
    one, other = object(), object()
    assert key_of(one) == key_of(one) != key_of(other)


# Lengths of bytes.


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
