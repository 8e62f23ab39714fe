"""Values without parts, and values that are listed."""

from __future__ import annotations

from typing import Any

import pytest

from contract.shape import text_forms
from contract.shape.bounds import Bounds
from contract.shape.nodes import (
    NO_CLASS,
    BytesShape,
    EnumShape,
    FloatShape,
    IntShape,
    LiteralShape,
    NullableShape,
    NullShape,
    RefShape,
    Shape,
    StrShape,
    UuidShape,
)
from tests.codegen_documents import Schema, package, read, refusal

BYTES = {"x-contract-type": "bytes", "pattern": text_forms.BYTES.pattern}
DEPENDS = "no type has a rule that depends on its value"

# Numbers.


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ({}, IntShape()),
        ({"minimum": -(2**63), "maximum": 2**63 - 1, "format": "int64"}, IntShape()),
        ({"minimum": 0.5, "exclusiveMaximum": 9.5}, IntShape(1, 9)),
        ({"exclusiveMinimum": 0, "maximum": 9.0}, IntShape(1, 9)),
        (
            {"exclusiveMinimum": 3, "minimum": 1, "exclusiveMaximum": 9, "maximum": 20},
            IntShape(4, 8),
        ),
        ({"maximum": 2**64 - 1}, IntShape(maximum=2**64 - 1)),
        ({"minimum": -1e30, "maximum": 1e30}, IntShape(maximum=2**64 - 1)),
        ({"multipleOf": 2.5}, IntShape(multiple_of=5)),
        ({"multipleOf": 0.1}, IntShape(multiple_of=1)),
        ({"multipleOf": 7, "minLength": 3}, IntShape(multiple_of=7)),
    ],
)
def test_limits_of_integers_are_integers(keywords: Schema, found: IntShape) -> None:
    assert read({"type": "integer", **keywords}) == found


@pytest.mark.parametrize(
    "keywords",
    [
        {"minimum": 2, "maximum": 1},
        {"minimum": 1e30},
        {"maximum": -1e30},
        {"exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"minimum": 1, "maximum": 6, "multipleOf": 7},
        {"multipleOf": 1e300},
    ],
)
def test_limits_that_leave_no_integer_are_refused(keywords: Schema) -> None:
    assert refusal({"type": "integer", **keywords}) == (
        "",
        "no integer of 64 bits is within these limits; write limits that leave something",
    )


def test_numbers_have_the_limits_of_doubles() -> None:
    found = read({"type": "number", "minimum": 1, "exclusiveMaximum": 2**53 + 1, "multipleOf": 0.1})

    assert found == FloatShape(Bounds(ge=1, lt=float(2**53), multiple_of=0.1))
    assert refusal({"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 1})[1].startswith(
        "no value is within these limits"
    )


# Values that are listed.


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"const": "a"}, LiteralShape(("a",))),
        ({"enum": ["a", 1, True]}, LiteralShape(("a", 1, True))),
        ({"enum": [1, 1.0, None]}, NullableShape(LiteralShape((1,)))),
        ({"const": None}, NullShape()),
        ({"type": ["string", "null"], "enum": ["a", 1, None]}, NullableShape(LiteralShape(("a",)))),
        ({"type": "number", "enum": [1, "a"]}, LiteralShape((1,))),
        ({"type": "array", "enum": ["a", 1], "const": 1}, None),
        ({"enum": ["a", 1], "const": 1.0}, LiteralShape((1,))),
        ({"enum": [True, 1], "const": 1}, LiteralShape((1,))),
        ({"enum": []}, None),
        ({"const": True, "type": "boolean", "title": "Yes"}, LiteralShape((True,))),
    ],
)
def test_listed_values_are_literals(schema: Schema, found: Shape | None) -> None:
    if found is None:
        assert refusal(schema) == (
            "",
            "none of these values has the type that this names; write one that has it",
        )
    else:
        assert read(schema) == found


@pytest.mark.parametrize("value", [1.5, 2**64 - 1 + 1.0])
def test_what_no_literal_can_be_is_refused(value: float) -> None:
    assert refusal({"const": value})[1].startswith(f"{value!r} is not a value of a literal")


def test_a_rule_beside_listed_values_is_refused() -> None:
    path, problem = refusal({"enum": ["a"], "minLength": 3})

    assert path == ".minLength"
    assert (
        problem == "this is beside a list of values; leave it out, and the values that it forbids"
    )


def test_an_enum_in_place_has_the_name_of_its_place() -> None:
    schema = {"type": "string", "enum": ["a", "b"], "x-contract-enum-names": ["A", "B"]}
    found = package(schema)

    assert found.operations["do"].input == RefShape(found.definitions["DoInput"])
    assert found.definitions["DoInput"].shape == EnumShape(NO_CLASS, (("A", "a"), ("B", "b")))


@pytest.mark.parametrize("values", [[1, True], ["a", None], ["a"], [1, 1.0]])
def test_what_would_be_no_enum_in_python_is_none(values: list[Any]) -> None:
    """Equal members are one, and one that has no name of its own is none."""
    schema = {"enum": values, "x-contract-enum-names": ["A", "B"]}
    assert isinstance(read(schema), LiteralShape | NullableShape)


def test_an_enum_may_have_numbers_with_fractions() -> None:
    schema = {"type": "number", "enum": [1.5, 2.0], "x-contract-enum-names": ["A", "B"]}

    assert package(schema).definitions["DoInput"].shape == EnumShape(
        NO_CLASS, (("A", 1.5), ("B", 2.0))
    )
    schema["type"] = "integer"
    assert refusal(schema)[1].startswith("1.5 is not a value of a literal")


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ({}, StrShape()),
        ({"minLength": 0, "maxLength": 0}, StrShape(None, 0)),
        (
            {"minLength": 1, "pattern": "a", "allOf": [{"pattern": "b"}, {"pattern": "a"}]},
            StrShape(1, None, ("a", "b")),
        ),
        ({"allOf": [{"pattern": "b"}]}, StrShape(patterns=("b",))),
        ({"format": "uuid", "pattern": text_forms.UUID_.pattern}, UuidShape()),
        ({"format": "email", "contentEncoding": "x", "minimum": 3}, StrShape()),
        (BYTES, BytesShape()),
        (
            BYTES | {"minLength": 4, "if": {"maxLength": 4}, "then": {"pattern": "[^=]$"}},
            BytesShape(3),
        ),
        ({"x-contract-type": "bytes"}, StrShape()),
    ],
)
def test_texts(keywords: Schema, found: Shape) -> None:
    assert read({"type": "string", **keywords}) == found


@pytest.mark.parametrize(
    ("keywords", "where", "problem"),
    [
        ({"minLength": 2, "maxLength": 1}, "", "nothing has at least 2 and at most 1 of these"),
        (
            {"allOf": [{"pattern": "a"}, {"minLength": 1}]},
            ".allOf[1]",
            "only patterns can be given together",
        ),
        (
            {"pattern": "^(?=a)"},
            ".pattern",
            "the pattern '^(?=a)' is not read alike everywhere: it looks around",
        ),
        (
            {"pattern": "a{999999}"},
            ".pattern",
            "the pattern 'a{999999}' is not read alike everywhere: it is too large",
        ),
        (
            {"pattern": "a", "allOf": [{"pattern": "b"}, {"pattern": "*/"}]},
            ".allOf[1].pattern",
            "the pattern '*/' is not read alike",
        ),
        ({"if": {}, "then": {}}, ".if", DEPENDS),
        ({"then": {}}, ".then", DEPENDS),
        (BYTES | {"if": {"maxLength": 4}}, ".if", DEPENDS),
    ],
)
def test_texts_with_other_rules_are_refused(keywords: Schema, where: str, problem: str) -> None:
    path, found = refusal({"type": "string", **keywords})

    assert path == where
    assert found.startswith(problem)
