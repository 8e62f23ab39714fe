"""Unions whose members can be told apart, by a tag or by what they are, and others."""

from __future__ import annotations

from typing import Final

import pytest

from contract.shape import BoolShape, TaggedUnionShape, UnionShape, text_forms
from tests.codegen_documents import (
    CARD,
    CASH,
    NOTHING,
    Schema,
    closed,
    form,
    package,
    read,
    ref,
    refusal,
)
from tests.paper import named, said

APART: Final = "two of these cannot be told apart"
LIST_OF: Final = {
    "Recursive": {"anyOf": [{"type": "null"}, {"type": "array", "items": ref("Recursive")}]}
}


@pytest.mark.parametrize(
    ("one", "other", "is_refused"),
    [
        ({"type": "string"}, {"type": "string", "minLength": 3}, False),
        ({"type": "string"}, {"const": "a"}, False),
        ({"type": "string"}, form(text_forms.DATE, "date"), True),
        (form(text_forms.DECIMAL, "decimal"), form(text_forms.DATE, "date"), False),
        (
            form(text_forms.DATE, "date"),
            form(text_forms.DATE, "date", **{"x-contract-bounds": {"ge": "2024-01-01"}}),
            False,
        ),
        (form(text_forms.BYTES, "bytes"), form(text_forms.DATE, "date"), False),
        (form(text_forms.BYTES, "bytes"), form(text_forms.DECIMAL, "decimal"), True),
        (form(text_forms.BYTES, "bytes"), {"const": "!"}, False),
        (form(text_forms.BYTES, "bytes"), {"enum": ["!", "YWJj"]}, True),
        ({"enum": [1, "2024-01-01"]}, form(text_forms.DATE, "date"), True),
        ({"enum": [1, "2024"]}, form(text_forms.DATE, "date"), False),
        (ref("Color"), {"const": "blue"}, False),
        (ref("Color"), {"const": "red"}, True),
        (ref("Color"), form(text_forms.DATE, "date"), False),
        (ref("Color"), {"type": "string"}, True),
        (ref("Color"), {"type": "integer"}, False),
        (
            {"type": "array", "items": {"type": "string"}},
            {"type": "array", "items": {"type": "integer"}},
            False,
        ),
        (
            {"type": "array", "items": {"type": "string"}},
            {"type": "array", "items": ref("Color")},
            True,
        ),
        (
            {"type": "array", "items": {"type": "string"}},
            {"type": "array", "x-contract-type": "tuple"},
            True,
        ),
        (
            {"type": "array", "items": ref("Nullable")},
            {"type": "array", "items": {"type": "string"}},
            False,
        ),
        (
            {"type": "array", "items": {"type": ["null", "string"]}},
            {"type": "array", "items": ref("Color")},
            True,
        ),
        (
            {"type": "array", "items": {"type": ["null", "string"]}},
            {"type": "array", "items": {"type": ["null", "integer"]}},
            False,
        ),
        (
            {"type": "array", "items": {"type": ["boolean", "string"]}},
            {"type": "array", "items": {"type": ["number"]}},
            False,
        ),
        ({"type": "array", "items": {}}, {"type": "array", "items": {"type": "null"}}, True),
        ({"type": "array", "items": {}}, ref("Pair"), True),
        (
            {"type": "array", "items": ref("Nullable")},
            {"type": "array", "items": {"type": "null"}},
            True,
        ),
        (
            {"type": "array", "items": {"type": "boolean"}},
            {"type": "array", "items": {"anyOf": [ref("Nullable"), {"type": "string"}]}},
            True,
        ),
        (
            {"type": "array", "items": False},
            {"type": "array", "prefixItems": [{}], "items": False, "minItems": 1},
            False,
        ),
        (
            {"type": "array", "prefixItems": [{"type": "null"}], "items": False, "minItems": 1},
            {"type": "array", "prefixItems": [{"type": "boolean"}], "items": False, "minItems": 1},
            False,
        ),
        (
            {"type": "array", "prefixItems": [{"type": "string"}], "items": False, "minItems": 1},
            {"type": "array", "prefixItems": [ref("Color")], "items": False, "minItems": 1},
            True,
        ),
        (
            {"type": "array", "items": ref("Recursive")},
            {"type": "array", "items": {"type": "array"}},
            True,
        ),
        (ref("Recursive"), {"type": "string"}, False),
        (ref("Recursive"), {"type": "array", "items": {"type": "string"}}, False),
        (ref("Card"), ref("Cash"), False),
        (ref("Card"), ref("Bare"), True),
        (ref("Card"), {"type": "object"}, True),
        (ref("Bare"), ref("Nullable"), False),
        ({"oneOf": [ref("Card"), ref("Cash")]}, ref("Card"), False),
        ({"oneOf": [ref("Card"), ref("Cash")]}, ref("Bare"), True),
        ({"oneOf": [ref("Card"), ref("Cash")]}, ref("Union"), False),
        ({"oneOf": [ref("Card"), ref("Cash")]}, {"type": "object"}, True),
    ],
)
def test_members_of_a_union_can_be_told_apart(one: Schema, other: Schema, is_refused: bool) -> None:
    known: Schema = {
        **LIST_OF,
        "Color": {"enum": ["red"], "x-contract-enum-names": ["RED"]},
        "Pair": {"type": "array", "x-contract-type": "namedtuple", "items": False, "maxItems": 0},
        "Nullable": {"type": ["null", "boolean"]},
        "Card": CARD,
        "Cash": CASH,
        "Bare": closed(number={"type": "string"}),
        "Union": {"oneOf": [ref("Card"), ref("Cash")]},
    }
    for schema in ({"anyOf": [one, other]}, {"anyOf": [other, one]}):
        if is_refused:
            path, problem = refusal(schema, **known)
            assert (path, problem[: len(APART)]) == ("", APART)
        else:
            read(schema, **known)


def test_members_are_not_compared_without_end() -> None:
    """Of a few kilobytes there could be millions of pairs."""
    many = [
        form(text_forms.DATE, "date", **{"x-contract-bounds": {"ge": f"{year:04}-01-01"}})
        for year in range(1, 700)
    ]

    assert refusal({"anyOf": many})[1].startswith("there are too many unions of too many members")


def test_a_union_that_stands_in_itself_is_laid_open_once() -> None:
    """A reader of documents refuses it; here it only comes to an end."""
    circle: Schema = {
        "A": {"anyOf": [ref("B"), {"type": "string"}]},
        "B": {"anyOf": [ref("A"), {"type": "integer"}]},
    }

    assert said(read({"anyOf": [ref("A"), {"type": "boolean"}]}, **circle)) == said(
        UnionShape((named("A"), BoolShape()))
    )


# Tagged unions.


GIFT: Final = closed(False, kind={"const": "gift", "default": "gift"})
TAGGED: Final = TaggedUnionShape(
    "kind", "kind", (("card", named("Card")), ("cash", named("Cash")), ("coins", named("Cash")))
)
KNOWN: Final[Schema] = {
    "Card": CARD,
    "Cash": CASH,
    "Gift": GIFT,
    "Same": ref("Cash"),
    "Kind": {"const": "x"},
    "N": {"type": "null"},
}
MAPPING: Final = {"card": "#/$defs/Card", "cash": "#/$defs/Cash", "coins": "#/$defs/Cash"}


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [ref("Card"), ref("Cash")]},
        {"oneOf": [ref("Card"), ref("Same")]},
        {
            "oneOf": [ref("Card"), ref("Cash")],
            "discriminator": {"propertyName": "kind", "mapping": MAPPING},
        },
        {
            "oneOf": [ref("Card"), ref("Cash")],
            "discriminator": {
                "propertyName": "kind",
                "mapping": {**MAPPING, "cash": "#/$defs/Same"},
            },
        },
        {
            "oneOf": [ref("Card"), ref("Cash")],
            "type": "object",
            "properties": {"kind": {"enum": ["cash", "card", "coins"]}},
            "required": ["kind"],
        },
    ],
)
def test_records_are_told_apart_by_a_tag(schema: Schema) -> None:
    assert said(read(schema, **KNOWN)) == said(TAGGED)


def test_a_tag_with_a_default_is_required_by_the_union() -> None:
    outer = {
        "type": "object",
        "properties": {"kind": {"enum": ["card", "gift"]}},
        "required": ["kind"],
    }

    tagged = TaggedUnionShape("kind", "kind", (("card", named("Card")), ("gift", named("Gift"))))
    assert said(read({"oneOf": [ref("Card"), ref("Gift")], **outer}, **KNOWN)) == said(tagged)
    assert refusal({"oneOf": [ref("Card"), ref("Gift")]}, **KNOWN)[1].startswith(
        "these objects cannot be told apart"
    )


def test_a_tag_is_the_first_that_tells_and_may_be_a_type_of_its_own() -> None:
    one = closed(a={"const": 1}, b={"const": 1}, c=ref("One")) | {
        "x-contract-order": ["c", "b", "a"]
    }
    other = closed(a={"const": 2}, b={"const": True}, c={"const": 1})

    tagged = TaggedUnionShape("b", "b", ((1, named("A")), (True, named("B"))))
    assert said(read({"oneOf": [ref("A"), ref("B")]}, A=one, B=other, One={"const": 1})) == said(
        tagged
    )


def test_records_in_place_may_have_tags() -> None:
    found = package({"oneOf": [CARD, CASH]})

    cases = (
        ("card", named("DoInputOption0")),
        ("cash", named("DoInputOption1")),
        ("coins", named("DoInputOption1")),
    )
    assert said(found.operations["do"].input) == said(TaggedUnionShape("kind", "kind", cases))
    assert [*found.definitions] == ["DoInputOption0", "DoInputOption1"]


@pytest.mark.parametrize(
    ("schema", "where", "problem"),
    [
        ({"oneOf": [ref("Card"), ref("N")]}, ".oneOf[1]", "only objects are told apart by a tag"),
        (
            {"oneOf": [ref("Card"), {"type": "object"}]},
            ".oneOf[1]",
            "only objects are told apart by a tag",
        ),
        ({"oneOf": [ref("Card"), ref("Card")]}, "", "these objects cannot be told apart"),
        (
            {"oneOf": [closed(a=ref("Kind")), closed(a={"const": 1.5})]},
            "",
            "these objects cannot be told apart",
        ),
        (
            {"oneOf": [closed(a=ref("Kind")), closed(a={"const": None})]},
            "",
            "these objects cannot be told apart",
        ),
        (
            {"oneOf": [closed(a=ref("Kind")), closed(a={"enum": ["b"], "minLength": 1})]},
            "",
            "these objects cannot be told apart",
        ),
        (
            {"oneOf": [closed(a=ref("Kind")), closed(b={})]},
            "",
            "these objects cannot be told apart",
        ),
        (
            {"oneOf": [ref("Card"), ref("Cash")], "minProperties": 1},
            "",
            "a union may only require its tag",
        ),
        ({"oneOf": [ref("Card")], "type": "object"}, "", "a union may only require its tag"),
        (
            {
                "oneOf": [ref("Card"), ref("Cash")],
                "type": "object",
                "properties": {"kind": {"enum": ["card"]}},
                "required": ["kind"],
            },
            ".properties",
            "this is not what the members have in their tags",
        ),
        (
            {
                "oneOf": [ref("Card"), ref("Cash")],
                "type": "object",
                "properties": {"kind": {}},
                "required": ["kind"],
            },
            ".properties",
            "this is not what the members have in their tags",
        ),
        (
            {
                "oneOf": [ref("Card"), ref("Cash")],
                "discriminator": {"propertyName": "number", "mapping": {}},
                "type": "object",
                "properties": {"kind": {"enum": ["card", "cash", "coins"]}},
                "required": ["kind"],
            },
            "",
            "the tag that is required is not the one that discriminator names",
        ),
        (
            {
                "oneOf": [ref("Card"), ref("Cash")],
                "discriminator": {"propertyName": "kind", "mapping": {"card": "#/$defs/Card"}},
            },
            ".discriminator",
            "the mapping is not what the members have in their tags",
        ),
        (
            {
                "oneOf": [ref("Card"), ref("Cash")],
                "discriminator": {"propertyName": "number", "mapping": MAPPING},
            },
            "",
            "these objects cannot be told apart",
        ),
    ],
)
def test_records_without_tags_are_refused(schema: Schema, where: str, problem: str) -> None:
    path, found = refusal(schema, **KNOWN)

    assert path == where
    assert found.startswith(problem)


def test_tags_are_not_looked_for_without_end() -> None:
    """Of a few kilobytes there could be millions of them."""
    many = closed(kind={"enum": [f"a{index}" for index in range(1000)]})
    unions = {f"U{index}": {"oneOf": [ref("Many"), ref("Card")]} for index in range(1000)}

    assert refusal(NOTHING, Many=many, Card=CARD, **unions)[1].startswith(
        "there are too many tags in this document"
    )
