"""The schema lens: references, schemas in schemas, the order of fields, and types of JSON."""

from typing import Any

import pytest

from contract.document.scalar_schemas import scalar_schema
from contract.shape import schema_lens
from contract.shape.nodes import BytesShape
from tests.tables import rows

TEXT = {"type": "string"}


def test_a_reference_names_a_type() -> None:
    assert schema_lens.reference("Order") == {"$ref": "#/$defs/Order"}
    assert schema_lens.target(schema_lens.reference("Order")) == "Order"


def test_references_are_followed_to_their_end() -> None:
    types = {"A": schema_lens.reference("B"), "B": TEXT}

    assert schema_lens.followed(schema_lens.reference("A"), types) is TEXT
    assert schema_lens.followed(TEXT, types) is TEXT


@rows(
    "keyword, value, expected",
    ("items", TEXT, [TEXT]),
    ("additionalProperties", False, [False]),
    ("anyOf", [TEXT, True], [TEXT, True]),
    ("properties", {"$ref": TEXT}, [TEXT]),
    ("default", {"items": TEXT}, []),
    ("discriminator", {"propertyName": "kind", "mapping": {}}, []),
)
def test_schemas_stand_under_some_keywords(keyword: str, value: Any, expected: list[Any]) -> None:
    found: list[Any] = []

    def seen(schema: Any) -> Any:
        found.append(schema)
        return schema

    assert (schema_lens.inside(keyword, value, seen), found) == (value, expected)


def test_all_schemas_are_found_in_the_order_of_the_text() -> None:
    inner: dict[str, Any] = {"items": TEXT, "additionalProperties": False}
    schema: dict[str, Any] = {
        "properties": {"$ref": inner, "b": schema_lens.reference("B")},
        "examples": [{"items": {}}],
    }

    assert [*schema_lens.schemas_in(schema)] == [schema, inner, TEXT, schema_lens.reference("B")]


@pytest.mark.unwatched
def test_no_depth_is_too_deep() -> None:
    schema: dict[str, Any] = {}
    for _ in range(100_000):
        schema = {"items": schema}

    assert sum(1 for _ in schema_lens.schemas_in(schema)) == 100_001


@rows(
    "told, expected",
    (None, "a b c"),
    (["c", "a", "b"], "c a b"),
    (["c", "gone", 1, None, "c"], "c a b"),
    ("cab", "a b c"),
)
def test_fields_have_an_order(told: object, expected: str) -> None:
    schema: dict[str, Any] = {"properties": {"b": {}, "a": {}, "c": {}}, "x-contract-order": told}

    assert schema_lens.order_of(schema) == expected.split()


def test_what_is_no_object_has_no_fields() -> None:
    assert (
        schema_lens.order_of({})
        == schema_lens.order_of({"properties": 1, "x-contract-order": ["a"]})
        == []
    )


def test_notes_are_no_constraints() -> None:
    assert schema_lens.constraints(
        {"title": "", "x-contract-order": [], "format": "", "x-a": 1}
    ) == {"format", "x-a"}


def test_what_was_not_checked_is_read_as_far_as_it_is_right() -> None:
    assert schema_lens.as_schema(TEXT) is TEXT
    assert schema_lens.as_schema(True) == schema_lens.as_schema(1) == {}
    assert schema_lens.as_schema(False) == {"enum": []}
    assert schema_lens.mapping(TEXT) is TEXT
    assert (schema_lens.mapping([]), schema_lens.sequence((1, 2))) == ({}, (1, 2))
    assert schema_lens.sequence("ab") == ()
    assert schema_lens.names_in(["a", 1, "a"]) == {"a"}
    assert schema_lens.text_in({"title": "a"}, "title") == "a"
    assert (
        schema_lens.text_in({"title": ""}, "title")
        is schema_lens.text_in({"title": 1}, "title")
        is None
    )


def test_a_schema_says_which_types_it_takes() -> None:
    assert schema_lens.types_of({}) == {*schema_lens.JSON_TYPES}
    assert schema_lens.types_of(TEXT) == {"string"}
    assert schema_lens.types_of({"type": ["number", "null"]}) == {"integer", "number", "null"}


@rows(
    "value, expected",
    (None, "null"),
    (True, "boolean"),
    (1, "integer"),
    (1.0, "integer"),
    (1.5, "number"),
    ("", "string"),
    ([], "array"),
    ((), "array"),
    ({}, "object"),
)
def test_a_value_has_a_type(value: object, expected: str) -> None:
    assert schema_lens.type_of(value) == expected


def test_listed_values_are_those_of_the_type() -> None:
    assert schema_lens.enumerated(TEXT) is None
    assert schema_lens.enumerated({"const": 1}) == {"1": 1}
    assert schema_lens.enumerated({"enum": ["a", 1], "type": "string"}) == {'"a"': "a"}


def test_equal_values_have_equal_keys() -> None:
    assert schema_lens.key_of(1.0) == schema_lens.key_of(1) != schema_lens.key_of(True)
    assert schema_lens.key_of({"a": 1, "b": 2}) == schema_lens.key_of({"b": 2, "a": 1})
    one, other = object(), object()
    assert schema_lens.key_of(one) == schema_lens.key_of(one) != schema_lens.key_of(other)


# Lengths of bytes.


@pytest.mark.parametrize("low", [None, *range(1, 14), 1000])
@pytest.mark.parametrize("high", [None, *range(14), 1000])
def test_lengths_of_bytes_are_told_as_they_were_written(low: int | None, high: int | None) -> None:
    found = schema_lens.lengths_of_bytes(scalar_schema(BytesShape(low, high)))

    assert (found.get("minBytes"), found.get("maxBytes")) == (low, high)
    assert not found.keys() & {"minLength", "maxLength", "if", "then", "allOf"}


@rows(
    "keywords",
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
)
def test_what_was_written_otherwise_stays(keywords: dict[str, Any]) -> None:
    """Only what is written in just the one way is read in this way."""
    schema = {"x-contract-type": "bytes", **keywords}

    assert schema_lens.lengths_of_bytes(schema) == schema
    assert schema_lens.lengths_of_bytes({**keywords}) == keywords
