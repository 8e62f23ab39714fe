"""Arrays, maps and unions, and schemas that no type means."""

from __future__ import annotations

from typing import Final

import pytest

from contract.shape import text_forms
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullableShape,
    NullShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.schema_reader import kind_of
from tests.codegen_documents import CARD, CASH, Schema, closed, form, package, read, ref, refusal
from tests.paper import named, said

ANY: Final = AnyShape()
ARRAY: Final = {"type": "array"}
OBJECT: Final = {"type": "object"}
TEXT: Final = {"type": "string"}
NULL: Final = {"type": "null"}
BOOLEAN: Final = {"type": "boolean"}
INTEGER: Final = {"type": "integer"}
BESIDE_TYPE: Final = 'no type has a rule like this beside "type"'
EVERY_POSITION: Final = "every position of a tuple must be there"
WHAT_FOLLOWS: Final = "this does not say what follows the first items"


def array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def keys(names: Schema) -> Schema:
    return {"type": "object", "propertyNames": names}


# Arrays and maps.


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        (ARRAY, ArrayShape(ANY)),
        (ARRAY | {"items": True, "minItems": 0}, ArrayShape(ANY)),
        ({**array(NULL), "maxItems": 0}, ArrayShape(NullShape(), max_items=0)),
        ({**array(NULL), "uniqueItems": True}, ArrayShape(NullShape(), "set")),
        (
            {**array(NULL), "uniqueItems": True, "x-contract-type": "frozenset"},
            ArrayShape(NullShape(), "frozenset"),
        ),
        (ARRAY | {"uniqueItems": False, "x-contract-type": "set"}, ArrayShape(ANY)),
        (ARRAY | {"x-contract-type": "tuple", "minItems": 1}, ArrayShape(ANY, "tuple", 1)),
        (ARRAY | {"items": False}, TupleShape(())),
        (
            ARRAY | {"prefixItems": [{}, NULL], "items": False, "minItems": 2},
            TupleShape((AnyShape(), NullShape())),
        ),
        (ARRAY | {"prefixItems": [{}], "minItems": 1, "maxItems": 1}, TupleShape((AnyShape(),))),
        (OBJECT, MapShape(StrShape(), ANY)),
        (
            OBJECT | {"properties": {}, "minProperties": 1, "required": []},
            MapShape(StrShape(), ANY, 1),
        ),
        (OBJECT | {"additionalProperties": NULL}, MapShape(StrShape(), NullShape())),
        (keys({"pattern": "a"}), MapShape(StrShape(patterns=("a",)), AnyShape())),
        (keys({"enum": ["a", "b"]}), MapShape(LiteralShape(("a", "b")), AnyShape())),
        (
            keys(form(text_forms.INTEGER_KEY, "int", **{"x-contract-bounds": {"ge": 0}})),
            MapShape(IntShape(0), AnyShape()),
        ),
        (keys(ref("E")), MapShape(named("E"), AnyShape())),
        (keys(ref("Same")), MapShape(named("E"), AnyShape())),
        (
            keys({"enum": ["a"], "x-contract-enum-names": ["A"]}),
            MapShape(named("DoInputKey"), AnyShape()),
        ),
    ],
)
def test_arrays_and_maps(schema: Schema, found: Shape) -> None:
    assert said(
        read(
            schema,
            E={"type": "string", "enum": ["a"], "x-contract-enum-names": ["A"]},
            Same=ref("E"),
        )
    ) == said(found)


NO_KEY: Final = "keys must be texts, with or without a form, integers or an enum; write one of these, in place if it is not an enum"


@pytest.mark.parametrize(
    ("schema", "where", "problem"),
    [
        ({"minItems": 2, "maxItems": 1}, "", "nothing has at least 2 and at most 1 of these"),
        ({"prefixItems": [{}]}, "", WHAT_FOLLOWS),
        ({"prefixItems": [{}], "items": {}, "minItems": 1}, "", WHAT_FOLLOWS),
        ({"prefixItems": [{}], "items": False}, "", EVERY_POSITION),
        (
            {
                "prefixItems": [{}, {}],
                "items": False,
                "minItems": 2,
                "maxItems": 2,
                "uniqueItems": True,
            },
            ".uniqueItems",
            "a tuple of different items",
        ),
        ({"prefixItems": [{}], "items": False, "minItems": 2}, "", EVERY_POSITION),
        (
            {"items": False, "maxItems": 0, "minItems": 1},
            "",
            "nothing has at least 1 and at most 0",
        ),
        ({"anyOf": [{}], "items": {}}, ".items", "no type has a rule like this beside anyOf"),
        ({"allOf": [{}]}, ".allOf", BESIDE_TYPE),
        ({"if": {}}, ".if", BESIDE_TYPE),
    ],
)
def test_arrays_of_no_type_are_refused(schema: Schema, where: str, problem: str) -> None:
    path, found = refusal(ARRAY | {**schema} if "anyOf" not in schema else schema)

    assert path == where
    assert found.startswith(problem)


@pytest.mark.parametrize(
    "names",
    [
        INTEGER,
        {"type": ["string"]},
        {"const": 1},
        {"const": None},
        {"const": 1, "x-contract-type": "int"},
        {"anyOf": [{}]},
        ref("Text"),
        ref("Level"),
        {"enum": [1], "x-contract-enum-names": ["A"]},
    ],
)
def test_keys_are_texts(names: Schema) -> None:
    level = {"type": "integer", "enum": [1], "x-contract-enum-names": ["LOW"]}

    assert refusal(keys(names), Text=TEXT, Level=level) == (".propertyNames", NO_KEY)


def test_integers_stand_as_keys_in_their_digits() -> None:
    names = {"type": "string", "enum": ["1", "-2"], "x-contract-type": "int"}

    assert read(keys(names)) == MapShape(LiteralShape((1, -2)), AnyShape())
    names["enum"] = ["1", "02"]
    problem = "as a key, an integer is written in plain digits; write it so"
    assert refusal(keys(names)) == (".propertyNames", problem)


def test_a_map_requires_no_keys() -> None:
    path, problem = refusal(OBJECT | {"required": ["a"]})

    assert path == ".required"
    assert problem == "this requires what no schema describes; write it into properties"


def test_arrays_do_not_stand_within_each_other_without_end() -> None:
    """Compilers and readers of types call themselves for each level."""
    schema: Schema = NULL
    for _ in range(50):
        schema = array(schema)
    read(schema)

    assert refusal(array(schema))[1].startswith(
        "more than 50 arrays and maps are nested in each other"
    )
    # an object has a name, and begins anew
    package(ARRAY | {"items": closed(a=schema)})


# What has no type.


def test_a_schema_without_a_type_is_any_value_or_refused() -> None:
    assert read({"title": "x", "description": "y", "x-other": 1}) == AnyShape()
    assert refusal({"minLength": 1})[1].startswith("the type is missing")
    assert refusal({"properties": {"a": {}}})[1].startswith("the type is missing")
    assert refusal({"allOf": [{"pattern": "a"}]})[1].startswith("the type is missing")


@pytest.mark.parametrize(
    ("schema", "where", "problem"),
    [
        ({"type": "null", "allOf": [{}]}, ".allOf", BESIDE_TYPE),
        ({"type": "integer", "if": {}}, ".if", BESIDE_TYPE),
        (OBJECT | {"then": {}}, ".then", BESIDE_TYPE),
        (
            {"$ref": "#/$defs/A", "minLength": 1},
            ".minLength",
            "no type has a rule like this beside $ref",
        ),
        ({"$ref": "#/$defs/B"}, ".$ref", "there is no such type in $defs"),
    ],
)
def test_rules_that_no_type_has_are_refused(schema: Schema, where: str, problem: str) -> None:
    path, found = refusal(schema, A=TEXT)

    assert path == where
    assert found.startswith(problem)


# Unions.


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": ["boolean"]}, BoolShape()),
        ({"type": ["integer", "null"], "minimum": 0}, NullableShape(IntShape(0))),
        ({"type": ["null"]}, NullShape()),
        ({"type": ["string", "number"], "minLength": 1}, UnionShape((StrShape(1), FloatShape()))),
        ({"anyOf": [NULL, TEXT]}, NullableShape(StrShape())),
        ({"anyOf": [NULL, NULL]}, NullShape()),
        ({"anyOf": [TEXT, {}]}, AnyShape()),
        (
            {"anyOf": [{"const": "a"}, BOOLEAN, {"enum": ["b", "a", None]}]},
            NullableShape(UnionShape((LiteralShape(("a", "b")), BoolShape()))),
        ),
        (
            {"anyOf": [{"anyOf": [TEXT, NULL]}, BOOLEAN]},
            NullableShape(UnionShape((StrShape(), BoolShape()))),
        ),
        (
            {"anyOf": [{"type": ["string", "null"]}, {"type": ["integer", "string"]}]},
            NullableShape(UnionShape((StrShape(), IntShape()))),
        ),
        ({"oneOf": [TEXT]}, StrShape()),
        ({"anyOf": [ref("A"), NULL]}, NullableShape(named("A"))),
    ],
)
def test_unions(schema: Schema, found: Shape) -> None:
    assert said(read(schema, A=closed())) == said(found)


def test_references_in_a_circle_come_to_an_end() -> None:
    """A reader of documents refuses them; they are not followed for ever even so."""
    found = package(OBJECT | {"additionalProperties": ref("A")}, A=ref("B"), B=ref("A"))

    assert said(found.definitions["A"].shape) == said(named("B"))
    assert refusal(keys(ref("A")), A=ref("B"), B=ref("A"))[1] == NO_KEY
    united = read({"anyOf": [ref("A"), TEXT]}, A=ref("B"), B=ref("A"))
    assert said(united) == said(UnionShape((named("A"), StrShape())))
    assert refusal({"oneOf": [ref("A"), ref("C")]}, A=ref("B"), B=ref("A"))[1].startswith(
        "only objects are told apart"
    )


def test_what_has_a_name_of_its_own_is_not_in_place() -> None:
    record, place = (
        closed(a={}),
        ARRAY | {"x-contract-type": "namedtuple", "items": False, "maxItems": 0},
    )
    color = {"enum": ["a"], "x-contract-enum-names": ["A"]}

    assert [*map(kind_of, (record, place, color))] == ["record", "namedtuple", "enum"]
    assert [kind_of({**schema, "anyOf": [{}]}) for schema in (record, place, color)] == [None] * 3
    assert kind_of(OBJECT) is None
    assert said(read(array(place))) == said(ArrayShape(named("DoInputItem")))


def test_a_tagged_union_may_hold_what_stands_in_place() -> None:
    cases = (("card", named("DoInputOption0")), ("cash", named("Cash")), ("coins", named("Cash")))
    assert said(read({"oneOf": [CARD, ref("Cash")]}, Cash=CASH)) == said(
        TaggedUnionShape("kind", "kind", cases)
    )
