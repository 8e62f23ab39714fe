"""Values without parts, and values that are listed."""

from __future__ import annotations

from typing import Any

import pytest

from contract.codegen.forms import BASE64, PATTERNS
from contract.codegen.model import (
    BytesType,
    EnumDeclaration,
    FloatType,
    IntType,
    Limits,
    LiteralType,
    NamedType,
    NullableType,
    NullType,
    StrType,
    TextType,
    Type,
)
from tests.codegen_documents import Schema, package, read, refusal

A_UUID = min(PATTERNS["uuid"])

# Numbers.


@pytest.mark.parametrize(
    ("keywords", "limits"),
    [
        ({}, Limits()),
        ({"minimum": -(2**63), "maximum": 2**63 - 1, "format": "int64"}, Limits()),
        ({"minimum": 0.5, "exclusiveMaximum": 9.5}, Limits(ge=1, le=9)),
        ({"exclusiveMinimum": 0, "maximum": 9.0}, Limits(ge=1, le=9)),
        (
            {"exclusiveMinimum": 3, "minimum": 1, "exclusiveMaximum": 9, "maximum": 20},
            Limits(ge=4, le=8),
        ),
        ({"maximum": 2**64 - 1}, Limits(le=2**64 - 1)),
        ({"minimum": -1e30, "maximum": 1e30}, Limits(le=2**64 - 1)),
        ({"multipleOf": 2.5}, Limits(multiple_of=5)),
        ({"multipleOf": 0.1}, Limits(multiple_of=1)),
        ({"multipleOf": 7, "minLength": 3}, Limits(multiple_of=7)),
    ],
)
def test_limits_of_integers_are_integers(keywords: Schema, limits: Limits) -> None:
    assert read({"type": "integer", **keywords}) == IntType(limits)


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

    assert found == FloatType(Limits(ge=1, lt=float(2**53), multiple_of=0.1))
    assert refusal({"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 1})[1].startswith(
        "no value is within these limits"
    )


# Values that are listed.


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"const": "a"}, LiteralType(("a",))),
        ({"enum": ["a", 1, True]}, LiteralType(("a", 1, True))),
        ({"enum": [1, 1.0, None]}, NullableType(LiteralType((1,)))),
        ({"const": None}, NullType()),
        ({"type": ["string", "null"], "enum": ["a", 1, None]}, NullableType(LiteralType(("a",)))),
        ({"type": "number", "enum": [1, "a"]}, LiteralType((1,))),
        ({"type": "array", "enum": ["a", 1], "const": 1}, None),
        ({"enum": ["a", 1], "const": 1.0}, LiteralType((1,))),
        ({"enum": [True, 1], "const": 1}, LiteralType((1,))),
        ({"enum": []}, None),
        ({"const": True, "type": "boolean", "title": "Yes"}, LiteralType((True,))),
    ],
)
def test_listed_values_are_literals(schema: Schema, found: Type | None) -> None:
    if found is None:
        assert refusal(schema) == (
            "",
            "none of these values has the type that is told; write one that has it",
        )
    else:
        assert read(schema) == found


@pytest.mark.parametrize("value", [1.5, 2**64 - 1 + 1.0])
def test_what_no_literal_can_be_is_refused(value: float) -> None:
    assert refusal({"const": value})[1].startswith(f"{value!r} is no value of a literal")


def test_a_rule_beside_listed_values_is_refused() -> None:
    path, problem = refusal({"enum": ["a"], "minLength": 3})

    assert path == ".minLength"
    assert (
        problem == "this stands beside a list of values; leave out those that it forbids, and this"
    )


def test_an_enum_in_place_has_the_name_of_its_place() -> None:
    schema = {"type": "string", "enum": ["a", "b"], "x-contract-enum-names": ["A", "B"]}
    found = package(schema)

    assert found.operations["do"].input == NamedType("DoInput")
    assert found.declarations["DoInput"] == EnumDeclaration(
        name="DoInput", members=(("A", "a"), ("B", "b"))
    )


@pytest.mark.parametrize("values", [[1, True], ["a", None], ["a", 1.5], ["a"], [1, 1.0]])
def test_what_would_be_no_enum_in_python_is_none(values: list[Any]) -> None:
    """Equal members are one, and one that has no name of its own is none."""
    schema = {"enum": values, "x-contract-enum-names": ["A", "B"]}
    if 1.5 in values:
        assert refusal(schema)[1].startswith("1.5 is no value of a literal")
    else:
        assert isinstance(read(schema), LiteralType | NullableType)


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ({}, StrType()),
        ({"minLength": 0, "maxLength": 0}, StrType(None, 0)),
        (
            {
                "minLength": 1,
                "pattern": "a",
                "allOf": [{"pattern": "b"}, {"pattern": "a", "title": "x"}],
            },
            StrType(1, None, ("a", "b")),
        ),
        ({"allOf": [{"pattern": "b"}]}, StrType(patterns=("b",))),
        ({"format": "uuid", "pattern": A_UUID}, TextType("uuid", (A_UUID,))),
        ({"format": "email", "contentEncoding": "x", "minimum": 3}, StrType()),
        ({"x-contract-type": "bytes", "pattern": BASE64}, BytesType()),
        (
            {
                "x-contract-type": "bytes",
                "pattern": BASE64,
                "minLength": 4,
                "if": {"maxLength": 4},
                "then": {"pattern": "[^=]$"},
            },
            BytesType(3),
        ),
        ({"x-contract-type": "bytes"}, StrType()),
    ],
)
def test_texts(keywords: Schema, found: Type) -> None:
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
        ({"if": {}, "then": {}}, ".if", "no type has a rule that depends on its value"),
        ({"then": {}}, ".then", "no type has a rule that depends on its value"),
        (
            {"x-contract-type": "bytes", "pattern": BASE64, "if": {"maxLength": 4}},
            ".if",
            "no type has a rule that depends on its value",
        ),
    ],
)
def test_texts_with_other_rules_are_refused(keywords: Schema, where: str, problem: str) -> None:
    path, found = refusal({"type": "string", **keywords})

    assert path == where
    assert found.startswith(problem)
