"""
Schemas that refer to each other, unions of named types, and documents that nobody means well with.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from contract.document.diff import bump, diff, walk
from contract.document.diff.definitions import Budget, Definitions, Node
from contract.document.diff.matching import is_alike
from contract.document.model import Side
from tests.diffs import NULL, ROUTE, changes, kinds, record, shop, told
from tests.tables import rows

TEXT: dict[str, Any] = {"type": "string"}
INTEGER: dict[str, Any] = {"type": "integer"}


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def any_of(*members: Any) -> dict[str, Any]:
    return {"anyOf": [*members]}


def list_of(item: Any) -> dict[str, Any]:
    return {"type": "array", "items": item}


def map_of(values: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


def kind(*values: str) -> dict[str, Any]:
    """A record that is told from others by its kind."""
    return record("kind", kind={"enum": [*values]})


CARD = record("kind", kind={"type": "string", "const": "card"}, number=TEXT)
CARD_BY_DEFAULT = record(kind={"type": "string", "const": "card"}, number=TEXT)
CASH = record("kind", kind={"type": "string", "enum": ["cash", "coins"]})
KIND = {"propertyName": "kind", "mapping": {"card": "#/$defs/Card"}}
TAGGED = {"oneOf": [ref("Card"), ref("Cash")], "discriminator": KIND}
TAG = {"properties": {"kind": {"enum": ["card", "cash", "coins"]}}, "required": ["kind"]}
WITH_TAG = {**TAGGED, "type": "object", **TAG}
PAYMENT = {"Card": CARD, "Cash": CASH}
BY_DEFAULT = {"Card": CARD_BY_DEFAULT, "Cash": CASH}

UNIONS: dict[str, tuple[Any, Any, Any, Any, str]] = {
    "a type of the same": (ref("A"), ref("A"), {"A": TEXT}, {"A": TEXT}, ""),
    "a type in place of its schema": (ref("A"), TEXT, {"A": TEXT}, {}, ""),
    "a type that is another": (ref("A"), ref("B"), {"A": TEXT}, {"B": TEXT}, "~type_renamed"),
    "a union for a member": (ref("Card"), TAGGED, PAYMENT, None, "+member_added"),
    "a member for a union": (TAGGED, ref("Card"), PAYMENT, None, "-member_removed"),
    "a union that may be null": (TAGGED, {"anyOf": [TAGGED, NULL]}, PAYMENT, None, "+null_added"),
    "a tag with a default": (TAGGED, WITH_TAG, PAYMENT, BY_DEFAULT, ""),
    "a tag without a default": (WITH_TAG, TAGGED, BY_DEFAULT, PAYMENT, ""),
    "a tag that tells nothing any more": (WITH_TAG, ref("Card"), BY_DEFAULT, None, "-member_removed +field_optional"),
    "a member of the same tag": (TAGGED, {"oneOf": [ref("Cash"), ref("Karte")]}, PAYMENT, {"Karte": CARD, "Cash": CASH}, "~type_renamed"),
    "a tag that may be absent": (TAGGED, TAGGED, BY_DEFAULT, PAYMENT, "!rule_changed"),
    "two members that become one": (
        {"oneOf": [ref("One"), ref("Two")]},
        ref("Both"),
        {"One": kind("a"), "Two": kind("b")},
        {"Both": kind("a", "b")},
        "-member_removed ~type_renamed +enum_value_added",
    ),
    "two members of a union that become one": (
        {"oneOf": [ref("One"), ref("Two"), ref("Card")]},
        {"oneOf": [ref("Both"), ref("Card")], "discriminator": {"propertyName": "kind"}},
        PAYMENT | {"One": kind("a"), "Two": kind("b")},
        PAYMENT | {"Both": kind("a", "b")},
        "-member_removed ~type_renamed +enum_value_added",
    ),
    "members that have nothing in common": (
        any_of(ref("A"), TEXT),
        any_of(INTEGER, {"type": "boolean"}),
        {"A": record()},
        {},
        "-member_removed -member_removed +member_added +member_added",
    ),
    "a member of another name": (
        any_of(ref("A"), TEXT),
        any_of(TEXT, ref("B"), list_of(ref("B"))),
        {"A": record()},
        {"B": record()},
        "~type_renamed +member_added",
    ),
    "an alias laid open": (ref("U"), any_of(TEXT, INTEGER, NULL), {"U": any_of(TEXT, INTEGER)}, {}, "+null_added"),
    "an alias laid open in a union": (
        any_of(ref("U"), NULL),
        any_of(TEXT, {"type": "number"}, NULL),
        {"U": any_of(TEXT, INTEGER)},
        {},
        "+type_widened",
    ),
    "a type that meets the same schema at every depth": (
        any_of(ref("A"), NULL),
        any_of(ref("B"), NULL),
        {"A": list_of(any_of(ref("A"), NULL)), "B": any_of(list_of(any_of(ref("B"), NULL)), TEXT)},
        None,
        "+member_added +member_added",
    ),
    "a rule of the same": ({"not": ref("A")}, {"not": ref("B")}, {"A": TEXT}, {"B": TEXT}, ""),
    "a rule of a type that leads to itself": (
        {"not": ref("A")},
        {"not": ref("A")},
        {"A": list_of(ref("A"))},
        {"A": list_of(ref("A")) | {"description": "d"}},
        "",
    ),
    "a type that is itself": (ref("X"), TEXT, {"X": ref("X")}, {}, "!rule_changed"),
    "a union of itself alone": (ref("X"), TEXT, {"X": any_of(ref("X"))}, {}, "!rule_changed"),
    "a reference to nowhere": (ref("X"), ref("Y"), {}, {}, "!rule_changed"),
    "a reference that is none": ({"$ref": 1}, {"$ref": "other.json"}, {}, {}, "!rule_changed"),
}  # fmt: skip


@pytest.mark.parametrize("side", ["input", "output"])
@rows("old, new, old_defs, new_defs, marks", *UNIONS.values(), ids=UNIONS)
def test_named_types_and_unions(
    side: Side, old: Any, new: Any, old_defs: Any, new_defs: Any, marks: str
) -> None:
    assert kinds(changes(side, old, new, old_defs, new_defs)) == told(marks, side)


NUMBER: dict[str, Any] = {"type": "number"}
DAY = {"type": "string", "format": "date"}
MOMENT = {"type": "string", "format": "date-time"}
PAIR = {"type": "array", "prefixItems": [INTEGER], "items": False}
WIDER: dict[str, tuple[Any, Any, str, str]] = {
    "null or an integer": (any_of(INTEGER, NULL), {}, "type_widened member_added", "member_added"),
    "an integer or a number": (any_of(INTEGER, NUMBER), NUMBER, "type_widened", ""),
    "a day or a moment": (any_of(DAY, MOMENT), TEXT, "form_widened member_added", "member_added"),
    "what a pair has no more of": (PAIR, list_of(any_of(INTEGER, TEXT)), "member_added", "member_added"),
}  # fmt: skip


def on_the_wire(side: Side, old: Any, new: Any) -> set[str]:
    return {kind for kind in kinds(changes(side, old, new)) if not kind.startswith("source")}


@rows("old, new, received, sent", *WIDER.values(), ids=WIDER)
def test_what_another_member_takes_is_not_missed(
    old: Any, new: Any, received: str, sent: str
) -> None:
    allowed = {f"compatible: input_{kind}" for kind in received.split()}
    unknown = {f"breaking: output_{kind}" for kind in sent.split()}

    assert on_the_wire("input", old, new) == allowed
    assert on_the_wire("output", old, new) == unknown


@rows("new, old", *((old, new) for old, new, *_ in WIDER.values()), ids=WIDER)
def test_what_another_member_gave_is_not_new(old: Any, new: Any) -> None:
    found = on_the_wire("output", old, new)

    assert not [kind for kind in found if kind.startswith("breaking")]


@rows("members", [], "x", [TEXT, ref("Card")], [ref("Card"), record()], [ref("Card"), ref("Card")])
def test_what_is_no_tagged_union_is_compared_as_a_rule(members: Any) -> None:
    found = changes("input", {"oneOf": members}, {"oneOf": [ref("Card"), ref("Cash")]}, PAYMENT)

    assert "breaking: input_rule_changed" in kinds(found)


def test_a_change_in_a_type_is_told_once_with_the_routes_that_it_reaches() -> None:
    outputs: dict[str, Any] = {"a": ref("Holder"), "b": list_of(ref("Item")), "c": ROUTE.output}
    routes = {name: replace(ROUTE, output=output) for name, output in outputs.items()}
    holder = record("item", item=ref("Item"))
    old, new = (
        shop({"Holder": holder, "Item": record(x=each)}, **routes) for each in (TEXT, INTEGER)
    )
    (change,) = diff(old, new)

    assert (change.kind, change.type, change.route) == ("output_type_changed", "Item", None)
    assert (change.path, change.routes) == ("$defs.Item.x", ("a", "b"))
    assert (change.old, change.new) == ("string", "integer")


BOTH_WAYS = replace(ROUTE, input=ref("Item"), output=ref("Item"))


def test_a_type_that_is_received_and_sent_is_told_of_twice() -> None:
    old, new = (shop({"Item": item}, a=BOTH_WAYS) for item in (record(), record("x", x=TEXT)))

    found = ["breaking: input_field_required_added", "compatible: output_field_added"]
    assert kinds(diff(old, new)) == found


def test_a_description_of_such_a_type_is_told_of_once() -> None:
    old, new = (shop({"Item": item}, a=BOTH_WAYS) for item in (TEXT, TEXT | {"description": "d"}))
    (change,) = diff(old, new)

    assert (change.text, change.routes) == ('the description is "d", was none', ("a",))


@pytest.mark.parametrize("side", ["input", "output"])
@pytest.mark.parametrize("name", ["Tree", "Ring"])
def test_recursion_ends(side: Side, name: str) -> None:
    def types(value: Any) -> dict[str, Any]:
        tree = record("v", v=value, kids=list_of(ref("Tree")))
        return {"Tree": tree, "Ring": any_of(ref("Ring"), ref("Tree"))}

    (change,) = changes(side, ref(name), ref(name), types(TEXT), types(INTEGER))

    assert change.path == "$defs.Tree.v"


def test_the_path_is_that_of_the_data() -> None:
    old, new = (record("a b", **{"a b": list_of(map_of(values))}) for values in (TEXT, INTEGER))
    (change,) = changes("input", old, new)

    assert change.path == 'routes.order.input["a b"][*].*'


# Documents that nobody means well with.


@pytest.mark.unwatched
def test_a_schema_of_any_depth() -> None:
    old, new = TEXT, INTEGER
    for _ in range(5_000):
        old, new = list_of(old), list_of(new)
    (change,) = changes("input", old, new)
    rule = changes("input", {"not": old}, {"not": new})
    constant = changes("input", {"const": 1, "default": old}, {"const": old})

    assert change.path == "routes.order.input" + "[*]" * 5_000
    assert kinds(rule) == ["breaking: input_rule_changed"]
    assert kinds(constant) == ["breaking: input_type_changed"]


def test_unions_of_any_depth() -> None:
    old = TEXT
    for _ in range(20_000):
        old = any_of(old)

    assert changes("input", old, TEXT) == ()


@pytest.mark.unwatched
def test_a_comparison_without_end_counts_as_breaking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pair of these types would be compared: there are thousands."""
    monkeypatch.setattr(walk, "_STEPS", 20_000)
    count = 150
    fields = range(0, count, 2)
    one = record(**{f"f{each}": ref(f"A{each}") for each in fields})
    old = {f"A{index}": one for index in range(count)}
    new = {
        f"B{index}": record(
            **{f"f{each}": ref(f"B{(each * 7 + index) % count}") for each in fields}
        )
        for index in range(count)
    }
    found = changes("input", ref("A0"), ref("B0"), old, new)

    assert bump(found) == "major"
    assert "not_compared" in {change.kind for change in found}


def test_wherever_a_comparison_is_given_up_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the midst of what differs between two records."""
    old, new = (record(**{f"f{index}": each for index in range(5)}) for each in (TEXT, INTEGER))
    given_up: list[bool] = []
    for steps in range(30):
        monkeypatch.setattr(walk, "_STEPS", steps)
        given_up.append("not_compared" in {change.kind for change in changes("input", old, new)})

    assert given_up == sorted(given_up, reverse=True)
    assert given_up[0]
    assert not given_up[-1]


def test_aliases_of_aliases() -> None:
    """Laying open every union within every other one would take a while."""
    every = any_of(*(ref(f"U{each}") for each in range(100)))
    types = {f"U{index}": every for index in range(100)}
    found = changes("output", ref("U0"), any_of(TEXT, INTEGER), types, {})

    assert kinds(found) == ["breaking: output_member_added", "breaking: output_member_added"]


@pytest.mark.parametrize("steps", range(16))
def test_without_a_budget_a_union_stays_whole(steps: int) -> None:
    found = Definitions(PAYMENT, Budget(steps)).alternatives(Node(TAGGED))
    old, new = (Definitions({}, Budget(9)) for _ in range(2))

    assert len(found) == (1 if steps < 8 else 2)
    assert not is_alike([TEXT], [TEXT], old, new, Budget(1).spend)


def test_without_a_budget_listed_values_are_not_gone_through() -> None:
    """A list may be as long as the document."""
    values = {"type": "string", "enum": ["a", "b"]}

    assert Definitions({}, Budget(2)).listed(Node(values)) == values
    assert Definitions({}, Budget(1)).listed(Node(values)) is None


OTHERS = ("x", 1, None, [1], True, [[1]])


@rows("wrong", {"x": 1}, *(pytest.param(each, marks=pytest.mark.unwatched) for each in OTHERS))
@rows(
    "keyword",
"type", "enum", "properties", "required", "items", "prefixItems", "anyOf", "oneOf", "allOf", "minimum", "multipleOf", "minLength",
     "pattern", "format", "x-contract-type", "x-contract-bounds", "x-contract-order", "x-contract-enum-names", "additionalProperties",
     "propertyNames", "if", "discriminator", "uniqueItems", "maxItems",
)  # fmt: skip
def test_keywords_of_wrong_types_are_survived(keyword: str, wrong: Any) -> None:
    union = {**record("a", a=TEXT), "oneOf": [ref("A")]}
    short = {"type": "array", "prefixItems": [TEXT], "items": False, "maxItems": 1}
    odd = {keyword: wrong}
    sides: tuple[Side, ...] = ("input", "output")
    schemas: list[dict[str, Any]] = [union, TEXT, short, {"enum": ["a"]}]
    for side, schema in product(sides, schemas):
        assert isinstance(changes(side, schema, schema | odd, {"A": odd}), tuple)
        assert isinstance(changes(side, odd, schema, {"A": odd}), tuple)
