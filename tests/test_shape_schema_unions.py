"""Unions whose members can be told apart, by a tag or by what they are, and others."""

from typing import Any, Final

from contract.shape import text_forms
from contract.shape.nodes import BoolShape, TaggedUnionShape, UnionShape
from tests.codegen_documents import CARD, CASH, Schema, closed, form, package, read, ref, refusal
from tests.paper import named, said
from tests.tables import rows

APART: Final = "two of these cannot be told apart"
NULL_OR_LIST: Final = [{"type": "null"}, {"type": "array", "items": ref("Recursive")}]
LIST_OF: Final = {"Recursive": {"anyOf": NULL_OR_LIST}}
CARD_OR_CASH: Final = {"oneOf": [ref("Card"), ref("Cash")]}
TEXT: Final = {"type": "string"}
NULL: Final = {"type": "null"}
INTEGER: Final = {"type": "integer"}
BOOLEAN: Final = {"type": "boolean"}
DATE: Final = form(text_forms.DATE, "date")
BYTES: Final = form(text_forms.BYTES, "bytes")


def array(items: Any) -> Schema:
    return {"type": "array", "items": items}


def positions(*items: Schema) -> Schema:
    return {"type": "array", "prefixItems": [*items], "items": False, "minItems": len(items)}


def requires(kind: Schema) -> Schema:
    """What a union says of its tag."""
    return {"type": "object", "properties": {"kind": kind}, "required": ["kind"]}


@rows(
    "one, other, is_refused",
    (TEXT, {"type": "string", "minLength": 3}, False),
    (TEXT, {"const": "a"}, False),
    (TEXT, DATE, True),
    (form(text_forms.DECIMAL, "decimal"), DATE, False),
    (DATE, DATE | {"x-contract-bounds": {"ge": "2024-01-01"}}, False),
    (BYTES, DATE, False),
    (BYTES, form(text_forms.DECIMAL, "decimal"), True),
    (BYTES, {"const": "!"}, False),
    (BYTES, {"enum": ["!", "YWJj"]}, True),
    ({"enum": [1, "2024-01-01"]}, DATE, True),
    ({"enum": [1, "2024"]}, DATE, False),
    (ref("Color"), {"const": "blue"}, False),
    (ref("Color"), {"const": "red"}, True),
    (ref("Color"), DATE, False),
    (ref("Color"), TEXT, True),
    (ref("Color"), INTEGER, False),
    (array(TEXT), array(INTEGER), False),
    (array(TEXT), array(ref("Color")), True),
    (array(TEXT), {"type": "array", "x-contract-type": "tuple"}, True),
    (array(ref("Nullable")), array(TEXT), False),
    (array({"type": ["null", "string"]}), array(ref("Color")), True),
    (array({"type": ["null", "string"]}), array({"type": ["null", "integer"]}), False),
    (array({"type": ["boolean", "string"]}), array({"type": ["number"]}), False),
    (array({}), array(NULL), True),
    (array({}), ref("Pair"), True),
    (array(ref("Nullable")), array(NULL), True),
    (array(BOOLEAN), array({"anyOf": [ref("Nullable"), TEXT]}), True),
    (array(False), positions({}), False),
    (positions(NULL), positions(BOOLEAN), False),
    (positions(TEXT), positions(ref("Color")), True),
    (array(ref("Recursive")), array({"type": "array"}), True),
    (ref("Recursive"), TEXT, False),
    (ref("Recursive"), array(TEXT), False),
    (ref("Card"), ref("Cash"), False),
    (ref("Card"), ref("Bare"), True),
    (ref("Card"), {"type": "object"}, True),
    (ref("Bare"), ref("Nullable"), False),
    (CARD_OR_CASH, ref("Card"), False),
    (CARD_OR_CASH, ref("Bare"), True),
    (CARD_OR_CASH, ref("Union"), False),
    (CARD_OR_CASH, {"type": "object"}, True),
)
def test_members_of_a_union_can_be_told_apart(one: Schema, other: Schema, is_refused: bool) -> None:
    known: Schema = {
        **LIST_OF,
        "Color": {"enum": ["red"], "x-contract-enum-names": ["RED"]},
        "Pair": {"type": "array", "x-contract-type": "namedtuple", "items": False, "maxItems": 0},
        "Nullable": {"type": ["null", "boolean"]},
        "Card": CARD,
        "Cash": CASH,
        "Bare": closed(number=TEXT),
        "Union": CARD_OR_CASH,
    }
    for schema in ({"anyOf": [one, other]}, {"anyOf": [other, one]}):
        if is_refused:
            path, problem = refusal(schema, **known)
            assert (path, problem[: len(APART)]) == ("", APART)
        else:
            read(schema, **known)


def test_members_are_not_compared_without_end() -> None:
    """Of a few kilobytes there could be millions of pairs."""
    many = [DATE | {"x-contract-bounds": {"ge": f"{year:04}-01-01"}} for year in range(1, 700)]

    assert refusal({"anyOf": many})[1].startswith("there are too many unions of too many members")


def test_a_union_that_stands_in_itself_is_laid_open_once() -> None:
    """A reader of documents refuses it; here it only comes to an end."""
    circle: Schema = {"A": {"anyOf": [ref("B"), TEXT]}, "B": {"anyOf": [ref("A"), INTEGER]}}

    found = read({"anyOf": [ref("A"), BOOLEAN]}, **circle)
    assert said(found) == said(UnionShape((named("A"), BoolShape())))


# Tagged unions.


GIFT: Final = closed(False, kind={"const": "gift", "default": "gift"})
CASES: Final = (("card", named("Card")), ("cash", named("Cash")), ("coins", named("Cash")))
TAGGED: Final = TaggedUnionShape("kind", "kind", CASES)
KNOWN: Final[Schema] = {
    **dict(zip(("Card", "Cash", "Gift", "N"), (CARD, CASH, GIFT, NULL), strict=True)),
    "Same": ref("Cash"),
    "Kind": {"const": "x"},
}
NO_OBJECT: Final = "only objects are told apart by a tag"
NOT_TOLD: Final = "these objects cannot be told apart"
OTHER_MAPPING: Final = "the mapping is not what the members have in their tags"
OTHER_TAGS: Final = "this is not what the members have in their tags"
MAPPING: Final = {"card": "#/$defs/Card", "cash": "#/$defs/Cash", "coins": "#/$defs/Cash"}


def discriminated(by: str, mapping: Schema) -> Schema:
    return {**CARD_OR_CASH, "discriminator": {"propertyName": by, "mapping": mapping}}


UNTAGGED = [closed(a={"const": 1.5}), closed(a={"const": None}), closed(b={})]
UNTAGGED += [closed(a={"enum": ["b"], "minLength": 1})]
OTHERWISE = {**discriminated("number", {}), **requires({"enum": ["card", "cash", "coins"]})}


@rows(
    "schema",
    CARD_OR_CASH,
    {"oneOf": [ref("Card"), ref("Same")]},
    discriminated("kind", MAPPING),
    discriminated("kind", {**MAPPING, "cash": "#/$defs/Same"}),
    {**CARD_OR_CASH, **requires({"enum": ["cash", "card", "coins"]})},
)
def test_records_are_told_apart_by_a_tag(schema: Schema) -> None:
    assert said(read(schema, **KNOWN)) == said(TAGGED)


def test_a_tag_with_a_default_is_required_by_the_union() -> None:
    outer = requires({"enum": ["card", "gift"]})
    tagged = TaggedUnionShape("kind", "kind", (("card", named("Card")), ("gift", named("Gift"))))
    assert said(read({"oneOf": [ref("Card"), ref("Gift")], **outer}, **KNOWN)) == said(tagged)
    assert refusal({"oneOf": [ref("Card"), ref("Gift")]}, **KNOWN)[1].startswith(NOT_TOLD)


def test_a_tag_is_the_first_that_tells_and_may_be_a_type_of_its_own() -> None:
    order = {"x-contract-order": ["c", "b", "a"]}
    one = closed(a={"const": 1}, b={"const": 1}, c=ref("One")) | order
    other = closed(a={"const": 2}, b={"const": True}, c={"const": 1})
    found = read({"oneOf": [ref("A"), ref("B")]}, A=one, B=other, One={"const": 1})

    tagged = TaggedUnionShape("b", "b", ((1, named("A")), (True, named("B"))))
    assert said(found) == said(tagged)


def test_records_in_place_may_have_tags() -> None:
    found = package({"oneOf": [CARD, CASH]})

    first, second = named("DoInputOption0"), named("DoInputOption1")
    cases = (("card", first), ("cash", second), ("coins", second))
    assert said(found.operations["do"].input) == said(TaggedUnionShape("kind", "kind", cases))
    assert [*found.definitions] == ["DoInputOption0", "DoInputOption1"]


@rows(
    "schema, where, problem",
    ({"oneOf": [ref("Card"), ref("N")]}, ".oneOf[1]", NO_OBJECT),
    ({"oneOf": [ref("Card"), {"type": "object"}]}, ".oneOf[1]", NO_OBJECT),
    ({"oneOf": [ref("Card"), ref("Card")]}, "", NOT_TOLD),
    *(({"oneOf": [closed(a=ref("Kind")), other]}, "", NOT_TOLD) for other in UNTAGGED),
    ({**CARD_OR_CASH, "minProperties": 1}, "", "a union may only require its tag"),
    ({"oneOf": [ref("Card")], "type": "object"}, "", "a union may only require its tag"),
    ({**CARD_OR_CASH, **requires({"enum": ["card"]})}, ".properties", OTHER_TAGS),
    ({**CARD_OR_CASH, **requires({})}, ".properties", OTHER_TAGS),
    (OTHERWISE, "", "the tag that is required is not the one that discriminator names"),
    (discriminated("kind", {"card": "#/$defs/Card"}), ".discriminator", OTHER_MAPPING),
    (discriminated("number", MAPPING), "", NOT_TOLD),
)
def test_records_without_tags_are_refused(schema: Schema, where: str, problem: str) -> None:
    path, found = refusal(schema, **KNOWN)

    assert (path, found[: len(problem)]) == (where, problem)


def test_tags_are_not_looked_for_without_end() -> None:
    """Of a few kilobytes there could be millions of them."""
    many = closed(kind={"enum": [f"a{index}" for index in range(1000)]})
    unions = {f"U{index}": {"oneOf": [ref("Many"), ref("Card")]} for index in range(1000)}

    problem = refusal(closed(), Many=many, Card=CARD, **unions)[1]
    assert problem.startswith("there are too many tags in this document")
