"""Terms: schemas in a few words."""

from __future__ import annotations

from typing import Any

import pytest

from contract.explorer.terms import fields, literal, term

I64 = {"minimum": -(2**63), "maximum": 2**63 - 1}


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        ({}, "any"),
        ({"$ref": "#/$defs/Order", "description": "x"}, "Order"),
        ({"type": "null"}, "null"),
        ({"type": "boolean"}, "boolean"),
        ({"type": "string", "const": "card"}, '"card"'),
        ({"enum": ["a", 1, None, True]}, '"a" | 1 | null | true'),
        ({"type": "string"}, "string"),
        ({"type": "string", "minLength": 1}, "string (at least 1 character)"),
        ({"type": "string", "maxLength": 80}, "string (at most 80 characters)"),
        ({"type": "string", "minLength": 1, "maxLength": 80}, "string (1-80 characters)"),
        (
            {"type": "string", "minLength": 3, "maxLength": 3, "pattern": "^a"},
            "string (3 characters, its form is in the contract)",
        ),
        ({"type": "string", "minLength": 1, "maxLength": 1}, "string (1 character)"),
        ({"type": "string", "pattern": "^a", "examples": ["a`"]}, r'string (such as "a\u0060")'),
        ({"type": "string", "format": "date-time", "pattern": "^x"}, "date-time"),
        (
            {
                "type": "string",
                "x-contract-type": "decimal",
                "pattern": "^x",
                "x-contract-bounds": {"ge": "0", "lt": 10, "multiple_of": "0.01"},
            },
            "decimal (>= 0, < 10, multiple of 0.01)",
        ),
        ({"type": "string", "format": "x\n# y"}, r'"x\n# y"'),
        (
            {"type": "string", "format": "date", "x-contract-bounds": {"ge": "a\nb"}},
            r'date (>= "a\nb")',
        ),
        ({"type": "integer", **I64, "format": "int64"}, "integer"),
        (
            {"type": "integer", **I64, "minimum": 1, "multipleOf": 5},
            "integer (>= 1, multiple of 5)",
        ),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5}, "number (> 0, < 1.5)"),
        ({"type": ["integer", "null"]}, "integer | null"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"anyOf": [{"type": "string"}, {"type": "string"}]}, "string"),
        (
            {
                "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}],
                "discriminator": {"propertyName": "kind", "mapping": {}},
                "type": "object",
            },
            "A | B (kind is required)",
        ),
        ({"type": "array"}, "any[]"),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "string[] (at least 1 item)",
        ),
        ({"type": "array", "items": {"type": ["string", "null"]}}, "(string | null)[]"),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {}], "items": False},
            "[string, any]",
        ),
        ({"type": "object"}, "{[key]: any}"),
        ({"type": "object", "additionalProperties": False, "properties": {}}, "{}"),
        (
            {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 9},
            "{[key]: string} (at most 9 keys)",
        ),
        (
            {
                "type": "object",
                "properties": {"b": {"default": [1]}, "a-b": {}},
                "required": ["a-b"],
                "x-contract-order": ["b", "gone"],
            },
            "{b?: any = [1], a-b: any, [key]: any}",
        ),
        (
            {
                "type": "object",
                "properties": {"a\n# b": {}, "ü": {}},
                "additionalProperties": False,
            },
            r'{"a\n# b"?: any, "ü"?: any}',
        ),
        (
            {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "null"}},
            "{a?: any, [key]: null}",
        ),
    ],
)
def test_a_schema_is_written_like_a_type(schema: dict[str, Any], written: str) -> None:
    assert term(schema) == written


def test_a_description_of_everything_is_short() -> None:
    assert term({"enum": [*range(100)]}).endswith("38 | 39 | ...")
    assert literal("a" * 1000) == '"' + "a" * 199 + "..."


def test_deep_types_are_cut_short() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(150):
        schema = {"type": "array", "items": schema}

    assert term(schema) == "..." + "[]" * 9


@pytest.mark.parametrize(
    "odd",
    [
        "\x7f",
        "\x85",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "`",
        "\ud800",
        "\n",
        "\r",
        "\x0b",
        "\x1c",
    ],
)
def test_a_literal_stays_on_its_line(odd: str) -> None:
    written = literal({odd: odd})

    assert odd not in written
    assert len(written.splitlines()) == 1
    assert written.isascii()


def test_fields_stand_in_the_order_of_their_declaration() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"x": 1}, "b": {}, "c d": {}},
        "x-contract-order": ["b", "a"],
    }

    assert fields(schema) == [("b", {}), ("a", {"x": 1}), ('"c d"', {})]
    assert fields({"type": "string"}) == []
