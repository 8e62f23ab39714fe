"""Unions whose members can be told apart, and others."""

from __future__ import annotations

from typing import Final

import pytest

from contract.shape import BoolShape, UnionShape, forms
from tests.codegen_documents import CARD, CASH, Schema, closed, form, read, ref, refusal
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
        ({"type": "string"}, form(forms.DATE, "date"), True),
        (form(forms.DECIMAL, "decimal"), form(forms.DATE, "date"), False),
        (
            form(forms.DATE, "date"),
            form(forms.DATE, "date", **{"x-contract-bounds": {"ge": "2024-01-01"}}),
            False,
        ),
        (form(forms.BYTES, "bytes"), form(forms.DATE, "date"), False),
        (form(forms.BYTES, "bytes"), form(forms.DECIMAL, "decimal"), True),
        (form(forms.BYTES, "bytes"), {"const": "!"}, False),
        (form(forms.BYTES, "bytes"), {"enum": ["!", "YWJj"]}, True),
        ({"enum": [1, "2024-01-01"]}, form(forms.DATE, "date"), True),
        ({"enum": [1, "2024"]}, form(forms.DATE, "date"), False),
        (ref("Color"), {"const": "blue"}, False),
        (ref("Color"), {"const": "red"}, True),
        (ref("Color"), form(forms.DATE, "date"), False),
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
        form(forms.DATE, "date", **{"x-contract-bounds": {"ge": f"{year:04}-01-01"}})
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
