"""Values without parts, and values that are listed."""

from typing import Any

import pytest

from contract.shape import nodes, text_forms
from contract.shape.bounds import Bounds
from tests.codegen_documents import Schema, package, read, refusal
from tests.tables import rows

BYTES = {"x-contract-type": "bytes", "pattern": text_forms.BYTES.pattern}
DEPENDS = "no type has a rule that depends on its value"

# Numbers.

FOUR_LIMITS = {"exclusiveMinimum": 3, "minimum": 1, "exclusiveMaximum": 9, "maximum": 20}


@rows(
    "keywords, found",
    ({}, nodes.IntShape()),
    ({"minimum": -(2**63), "maximum": 2**63 - 1, "format": "int64"}, nodes.IntShape()),
    ({"minimum": 0.5, "exclusiveMaximum": 9.5}, nodes.IntShape(1, 9)),
    ({"exclusiveMinimum": 0, "maximum": 9.0}, nodes.IntShape(1, 9)),
    (FOUR_LIMITS, nodes.IntShape(4, 8)),
    ({"maximum": 2**64 - 1}, nodes.IntShape(maximum=2**64 - 1)),
    ({"minimum": -1e30, "maximum": 1e30}, nodes.IntShape(maximum=2**64 - 1)),
    ({"multipleOf": 2.5}, nodes.IntShape(multiple_of=5)),
    ({"multipleOf": 0.1}, nodes.IntShape(multiple_of=1)),
    ({"multipleOf": 7, "minLength": 3}, nodes.IntShape(multiple_of=7)),
)
def test_limits_of_integers_are_integers(keywords: Schema, found: nodes.IntShape) -> None:
    assert read({"type": "integer", **keywords}) == found


@rows(
    "keywords",
    {"minimum": 2, "maximum": 1},
    {"minimum": 1e30},
    {"maximum": -1e30},
    {"exclusiveMinimum": 0, "exclusiveMaximum": 1},
    {"minimum": 1, "maximum": 6, "multipleOf": 7},
    {"multipleOf": 1e300},
)
def test_limits_that_leave_no_integer_are_refused(keywords: Schema) -> None:
    problem = "no integer of 64 bits is within these limits; write limits that leave something"
    assert refusal({"type": "integer", **keywords}) == ("", problem)


def test_numbers_have_the_limits_of_doubles() -> None:
    found = read({"type": "number", "minimum": 1, "exclusiveMaximum": 2**53 + 1, "multipleOf": 0.1})

    assert found == nodes.FloatShape(Bounds(ge=1, lt=float(2**53), multiple_of=0.1))
    _, problem = refusal({"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 1})
    assert problem.startswith("no value is within these limits")


# Values that are listed.
ONLY_A = nodes.LiteralShape(("a",))
NO_VALUE = "none of these values has the type that this names; write one that has it"


@rows(
    "schema, found",
    ({"const": "a"}, ONLY_A),
    ({"enum": ["a", 1, True]}, nodes.LiteralShape(("a", 1, True))),
    ({"enum": [1, 1.0, None]}, nodes.NullableShape(nodes.LiteralShape((1,)))),
    ({"const": None}, nodes.NullShape()),
    ({"type": ["string", "null"], "enum": ["a", 1, None]}, nodes.NullableShape(ONLY_A)),
    ({"type": "number", "enum": [1, "a"]}, nodes.LiteralShape((1,))),
    ({"type": "array", "enum": ["a", 1], "const": 1}, None),
    ({"enum": ["a", 1], "const": 1.0}, nodes.LiteralShape((1,))),
    ({"enum": [True, 1], "const": 1}, nodes.LiteralShape((1,))),
    ({"enum": []}, None),
    ({"const": True, "type": "boolean", "title": "Yes"}, nodes.LiteralShape((True,))),
)
def test_listed_values_are_literals(schema: Schema, found: nodes.Shape | None) -> None:
    if found is None:
        assert refusal(schema) == ("", NO_VALUE)
    else:
        assert read(schema) == found


@pytest.mark.parametrize("value", [1.5, 2**64 - 1 + 1.0])
def test_what_no_literal_can_be_is_refused(value: float) -> None:
    assert refusal({"const": value})[1].startswith(f"{value!r} is not a value of a literal")


def test_a_rule_beside_listed_values_is_refused() -> None:
    problem = "this is beside a list of values; leave it out, and the values that it forbids"
    assert refusal({"enum": ["a"], "minLength": 3}) == (".minLength", problem)


def test_an_enum_in_place_has_the_name_of_its_place() -> None:
    schema = {"type": "string", "enum": ["a", "b"], "x-contract-enum-names": ["A", "B"]}
    found = package(schema)

    assert found.operations["do"].input == nodes.RefShape(found.definitions["DoInput"])
    made = nodes.EnumShape(nodes.NO_CLASS, (("A", "a"), ("B", "b")))
    assert found.definitions["DoInput"].shape == made


@pytest.mark.parametrize("values", [[1, True], ["a", None], ["a"], [1, 1.0]])
def test_what_would_be_no_enum_in_python_is_none(values: list[Any]) -> None:
    """Equal members are one, and one that has no name of its own is none."""
    schema = {"enum": values, "x-contract-enum-names": ["A", "B"]}
    assert isinstance(read(schema), nodes.LiteralShape | nodes.NullableShape)


def test_an_enum_may_have_numbers_with_fractions() -> None:
    schema = {"type": "number", "enum": [1.5, 2.0], "x-contract-enum-names": ["A", "B"]}
    made = nodes.EnumShape(nodes.NO_CLASS, (("A", 1.5), ("B", 2.0)))

    assert package(schema).definitions["DoInput"].shape == made
    schema["type"] = "integer"
    assert refusal(schema)[1].startswith("1.5 is not a value of a literal")


MIXED = {"allOf": [{"pattern": "a"}, {"minLength": 1}]}
BOTH = {"allOf": [{"pattern": "b"}, {"pattern": "a"}]}
NO_PADDING = {"if": {"maxLength": 4}, "then": {"pattern": "[^=]$"}}
OTHER = "is not read alike everywhere: it"


@rows(
    "keywords, found",
    ({}, nodes.StrShape()),
    ({"minLength": 0, "maxLength": 0}, nodes.StrShape(None, 0)),
    ({"minLength": 1, "pattern": "a", **BOTH}, nodes.StrShape(1, None, ("a", "b"))),
    ({"allOf": [{"pattern": "b"}]}, nodes.StrShape(patterns=("b",))),
    ({"format": "uuid", "pattern": text_forms.UUID_.pattern}, nodes.UuidShape()),
    ({"format": "email", "contentEncoding": "x", "minimum": 3}, nodes.StrShape()),
    (BYTES, nodes.BytesShape()),
    (BYTES | {"minLength": 4, **NO_PADDING}, nodes.BytesShape(3)),
    ({"x-contract-type": "bytes"}, nodes.StrShape()),
)
def test_texts(keywords: Schema, found: nodes.Shape) -> None:
    assert read({"type": "string", **keywords}) == found


@rows(
    "keywords, where, problem",
    ({"minLength": 2, "maxLength": 1}, "", "nothing has at least 2 and at most 1 of these"),
    (MIXED, ".allOf[1]", "only patterns can be given together"),
    ({"pattern": "^(?=a)"}, ".pattern", f"the pattern '^(?=a)' {OTHER} looks around"),
    ({"pattern": "a{999999}"}, ".pattern", f"the pattern 'a{{999999}}' {OTHER} is too large"),
    (
        {"pattern": "a", "allOf": [{"pattern": "b"}, {"pattern": "*/"}]},
        ".allOf[1].pattern",
        "the pattern '*/' is not read alike",
    ),
    ({"if": {}, "then": {}}, ".if", DEPENDS),
    ({"then": {}}, ".then", DEPENDS),
    (BYTES | {"if": {"maxLength": 4}}, ".if", DEPENDS),
)
def test_texts_with_other_rules_are_refused(keywords: Schema, where: str, problem: str) -> None:
    path, found = refusal({"type": "string", **keywords})

    assert path == where
    assert found.startswith(problem)
