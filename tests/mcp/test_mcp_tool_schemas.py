"""Tool schemas: as every client takes them."""

from __future__ import annotations

from typing import Any

from contract.mcp.tool_schemas import PROPERTY_KEY, Types, is_object_schema, keys_of, portable
from tests.oracle import check_schema, is_valid
from tests.tables import rows

TEXT = {"type": "string"}
POINT = {
    "title": "Point", "description": "Where it is.", "type": "object",
    "properties": {"x": {"type": "number"}}, "required": ["x"],
}  # fmt: skip
NODE = {
    "title": "Node",
    "type": "object",
    "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}, "point": {"$ref": "#/$defs/Point"}},
    "additionalProperties": False,
}  # fmt: skip
DEFS: dict[str, Any] = {"Point": POINT, "Node": NODE}


INTEGER = {"type": "integer"}
CHOICE = [{"type": "object"}, {"type": "array", "items": {}}]
MAP = {"type": "object"}
TUPLE = {"type": "array", "prefixItems": [TEXT, INTEGER, TEXT], "minItems": 3, "maxItems": 3}
DEFAULT = {"default": {"title": 1, "$ref": 2, "minimum": -(2**63)}, "examples": [{"const": 1}]}
INT64 = {"minimum": -(2**63), "maximum": 2**63 - 1, "format": "int64"}
CONDITION = {"if": TEXT, "then": TEXT}
OF_TEXTS = {"type": "array", "prefixItems": [TEXT], "maxItems": 1}


@rows(
    "schema",
    {"type": "integer", "minimum": 0, "maximum": 9, "multipleOf": 3},
    {"type": "string", "pattern": "^x$"},
    {"type": "string", "pattern": "a", "allOf": [{"pattern": "b"}]},
    {},
    {"type": "object", "properties": {"title": TEXT, "const": TEXT}, "additionalProperties": False},
    {"type": "object", "properties": {"a": DEFAULT}},
    {"anyOf": [TEXT, {"type": "null"}], "default": None},
)  # fmt: skip
def test_what_no_client_refuses_stays(schema: dict[str, Any]) -> None:
    assert portable(schema, Types({})) == schema
    check_schema(schema)


@rows(
    "schema, written",
    (
        {"title": "T", "type": "string", "x-contract-type": "bytes", "description": "d"},
        {"type": "string", "description": "d"},
    ),
    ({"type": "integer", **INT64}, INTEGER),
    ({"type": "number", "format": "double"}, {"type": "number"}),
    ({"type": "string", "format": "date", "pattern": "^x$"}, {"type": "string", "format": "date"}),
    ({"type": "string", "const": "card"}, {"type": "string", "enum": ["card"]}),
    ({"type": ["string", "integer"], "enum": ["a", 1]}, {"enum": ["a", 1]}),
    (
        {"type": "string", "minLength": 4, "if": {"maxLength": 4}, "then": {"pattern": "x"}},
        {"type": "string", "minLength": 4},
    ),
    ({"type": "string", "allOf": [CONDITION, CONDITION]}, TEXT),
    ({"oneOf": CHOICE, "discriminator": {"propertyName": "kind"}}, {"anyOf": CHOICE}),
    (TUPLE | {"items": False}, TUPLE | {"items": {"anyOf": [TEXT, INTEGER]}}),
    (OF_TEXTS | {"items": False}, OF_TEXTS | {"items": TEXT}),
    ({"type": "array", "items": False, "maxItems": 0}, {"type": "array", "items": {}, "maxItems": 0}),
    (
        MAP | {"additionalProperties": {"title": "T"}, "propertyNames": {"pattern": "a", "x-contract-type": "int"}},
        MAP | {"additionalProperties": {}, "propertyNames": {"pattern": "a"}, "properties": {}},
    ),
)  # fmt: skip
def test_what_a_client_might_refuse_is_gone(
    schema: dict[str, Any], written: dict[str, Any]
) -> None:
    found = portable(schema, Types({}))

    assert found == written
    check_schema(found)


def test_references_are_resolved_and_what_stands_beside_them_goes_first() -> None:
    point = {"$ref": "#/$defs/Point"}
    schema = {"type": "object", "properties": {"a": {**point, "description": "Mine."}, "b": point}}
    inner = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}

    mine, plain = ({**inner, "description": text} for text in ("Mine.", "Where it is."))
    assert portable(schema, Types(DEFS)) == {**MAP, "properties": {"a": mine, "b": plain}}


def test_the_root_is_no_reference() -> None:
    defs = {**DEFS, "Alias": {"$ref": "#/$defs/Point"}}
    untitled = {key: value for key, value in POINT.items() if key != "title"}

    assert portable({"$ref": "#/$defs/Alias"}, Types(defs)) == untitled


def test_only_types_that_hold_themselves_are_referred_to() -> None:
    found = portable({"$ref": "#/$defs/Node"}, Types(DEFS))

    assert "$ref" not in found
    assert [*found["$defs"]] == ["Node"]
    assert found["properties"]["next"] == {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}
    assert found["$defs"]["Node"]["properties"]["point"]["properties"] == {"x": {"type": "number"}}
    assert is_valid(found, {"next": {"next": None}})
    assert not is_valid(found, {"next": {"next": 3}})
    check_schema(found)


def test_types_that_hold_each_other_are_referred_to() -> None:
    defs = {
        "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}},
        "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A", "description": "Back."}}},
    }

    found = portable({"type": "object", "properties": {"one": {"$ref": "#/$defs/A"}}}, Types(defs))

    assert [*found["$defs"]] == ["A", "B"]
    assert found["$defs"]["B"]["properties"]["a"] == {"$ref": "#/$defs/A", "description": "Back."}


def test_types_that_would_double_at_each_level_are_referred_to() -> None:
    defs: dict[str, Any] = {}
    for level in range(40):
        inner = {"$ref": f"#/$defs/T{level + 1}"}
        defs[f"T{level}"] = {"type": "object", "properties": {"a": inner, "b": inner}}
    defs["T40"] = {"type": "string"}

    found = portable({"$ref": "#/$defs/T0"}, Types(defs))

    assert len(found["$defs"]) == 40
    assert found["properties"]["a"] == {"$ref": "#/$defs/T1"}


def test_what_is_no_object_can_be_wrapped_in_one() -> None:
    assert portable(
        {"type": "array", "items": {"$ref": "#/$defs/Node"}}, Types(DEFS), wrapped=True
    ) == {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
        "required": ["result"],
        "additionalProperties": False,
        "$defs": {"Node": portable({"$ref": "#/$defs/Node"}, Types(DEFS))["$defs"]["Node"]},
    }


@rows(
    "schema, is_object",
    ({"type": "object"}, True), ({"type": "array"}, False), ({}, False), ({"anyOf": []}, False),
    ({"type": "object", "anyOf": []}, False), ({"type": "object", "allOf": []}, False),
)  # fmt: skip
def test_an_object_is_one_without_choices(schema: dict[str, Any], is_object: bool) -> None:
    assert is_object_schema(schema) is is_object


def test_keys_are_found_wherever_they_are() -> None:
    schema = portable({"$ref": "#/$defs/Node"}, Types(DEFS)) | {
        "items": {"anyOf": [{"type": "object", "properties": {"z": True}}]},
        "default": {"properties": {"no": 1}},
    }

    assert sorted({*keys_of(schema)}) == ["next", "point", "x", "z"]
    assert PROPERTY_KEY.fullmatch("a_B.c-9")
    assert not PROPERTY_KEY.fullmatch("@id")
