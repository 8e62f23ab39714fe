"""
Schemas that refer to each other, unions of named types, and documents that nobody means well with.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from contract.document.diff import bump, diff, walk
from contract.document.diff.definitions import Budget, Definitions, Node
from contract.document.diff.matching import is_alike
from contract.document.model import Side
from tests.diffs import NULL, ROUTE, changes, kinds, record, shop, told

TEXT: dict[str, Any] = {"type": "string"}
INTEGER: dict[str, Any] = {"type": "integer"}


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


CARD = record("kind", kind={"type": "string", "const": "card"}, number=TEXT)
CARD_BY_DEFAULT = record(kind={"type": "string", "const": "card"}, number=TEXT)
CASH = record("kind", kind={"type": "string", "enum": ["cash", "coins"]})
TAGGED = {
    "oneOf": [ref("Card"), ref("Cash")],
    "discriminator": {"propertyName": "kind", "mapping": {"card": "#/$defs/Card"}},
}
WITH_TAG = {
    **TAGGED,
    "type": "object",
    "properties": {"kind": {"enum": ["card", "cash", "coins"]}},
    "required": ["kind"],
}
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
    "a tag that tells nothing any more": (
        WITH_TAG,
        ref("Card"),
        BY_DEFAULT,
        None,
        "-member_removed +field_optional",
    ),
    "a member of the same tag": (
        TAGGED,
        {"oneOf": [ref("Cash"), ref("Karte")]},
        PAYMENT,
        {"Karte": CARD, "Cash": CASH},
        "~type_renamed",
    ),
    "a tag that may be absent": (TAGGED, TAGGED, BY_DEFAULT, PAYMENT, "!rule_changed"),
    "two members that become one": (
        {"oneOf": [ref("One"), ref("Two")]},
        ref("Both"),
        {"One": record("k", k={"const": "a"}), "Two": record("k", k={"const": "b"})},
        {"Both": record("k", k={"enum": ["a", "b"]})},
        "-member_removed ~type_renamed +enum_value_added",
    ),
    "two members of a union that become one": (
        {"oneOf": [ref("One"), ref("Two"), ref("Card")]},
        {"oneOf": [ref("Both"), ref("Card")], "discriminator": {"propertyName": "kind"}},
        {
            **PAYMENT,
            "One": record("kind", kind={"const": "a"}),
            "Two": record("kind", kind={"const": "b"}),
        },
        {**PAYMENT, "Both": record("kind", kind={"enum": ["a", "b"]})},
        "-member_removed ~type_renamed +enum_value_added",
    ),
    "members that have nothing in common": (
        {"anyOf": [ref("A"), TEXT]},
        {"anyOf": [INTEGER, {"type": "boolean"}]},
        {"A": record()},
        {},
        "-member_removed -member_removed +member_added +member_added",
    ),
    "a member of another name": (
        {"anyOf": [ref("A"), TEXT]},
        {"anyOf": [TEXT, ref("B"), {"type": "array", "items": ref("B")}]},
        {"A": record()},
        {"B": record()},
        "~type_renamed +member_added",
    ),
    "an alias laid open": (
        ref("U"),
        {"anyOf": [TEXT, INTEGER, NULL]},
        {"U": {"anyOf": [TEXT, INTEGER]}},
        {},
        "+null_added",
    ),
    "an alias laid open in a union": (
        {"anyOf": [ref("U"), NULL]},
        {"anyOf": [TEXT, {"type": "number"}, NULL]},
        {"U": {"anyOf": [TEXT, INTEGER]}},
        {},
        "+type_widened",
    ),
    "a type that meets the same schema at every depth": (
        {"anyOf": [ref("A"), NULL]},
        {"anyOf": [ref("B"), NULL]},
        {
            "A": {"type": "array", "items": {"anyOf": [ref("A"), NULL]}},
            "B": {"anyOf": [{"type": "array", "items": {"anyOf": [ref("B"), NULL]}}, TEXT]},
        },
        None,
        "+member_added +member_added",
    ),
    "a rule of the same": ({"not": ref("A")}, {"not": ref("B")}, {"A": TEXT}, {"B": TEXT}, ""),
    "a rule of a type that leads to itself": (
        {"not": ref("A")},
        {"not": ref("A")},
        {"A": {"type": "array", "items": ref("A")}},
        {"A": {"type": "array", "items": ref("A"), "description": "d"}},
        "",
    ),
    "a type that is itself": (ref("X"), TEXT, {"X": ref("X")}, {}, "!rule_changed"),
    "a union of itself alone": (ref("X"), TEXT, {"X": {"anyOf": [ref("X")]}}, {}, "!rule_changed"),
    "a reference to nowhere": (ref("X"), ref("Y"), {}, {}, "!rule_changed"),
    "a reference that is none": ({"$ref": 1}, {"$ref": "other.json"}, {}, {}, "!rule_changed"),
}


@pytest.mark.parametrize("side", ["input", "output"])
@pytest.mark.parametrize(
    ("old", "new", "old_defs", "new_defs", "marks"), UNIONS.values(), ids=UNIONS
)
def test_named_types_and_unions(
    side: Side, old: Any, new: Any, old_defs: Any, new_defs: Any, marks: str
) -> None:
    assert kinds(changes(side, old, new, old_defs, new_defs)) == told(marks, side)


@pytest.mark.parametrize(
    "members", [[], "x", [TEXT, ref("Card")], [ref("Card"), record()], [ref("Card"), ref("Card")]]
)
def test_what_is_no_tagged_union_is_compared_as_a_rule(members: Any) -> None:
    found = changes("input", {"oneOf": members}, {"oneOf": [ref("Card"), ref("Cash")]}, PAYMENT)

    assert "breaking: input_rule_changed" in kinds(found)


def test_a_change_in_a_type_is_told_once_with_the_routes_that_it_reaches() -> None:
    holder = record("item", item=ref("Item"))
    routes = {
        "a": replace(ROUTE, output=ref("Holder")),
        "b": replace(ROUTE, output={"type": "array", "items": ref("Item")}),
        "c": ROUTE,
    }
    (change,) = diff(
        shop({"Holder": holder, "Item": record(x=TEXT)}, **routes),
        shop({"Holder": holder, "Item": record(x=INTEGER)}, **routes),
    )

    assert (change.kind, change.type, change.route, change.path) == (
        "output_type_changed",
        "Item",
        None,
        "$defs.Item.x",
    )
    assert change.routes == ("a", "b")
    assert (change.old, change.new) == ("string", "integer")


def test_a_type_that_is_received_and_sent_is_told_of_twice() -> None:
    route = replace(ROUTE, input=ref("Item"), output=ref("Item"))
    found = diff(shop({"Item": record()}, a=route), shop({"Item": record("x", x=TEXT)}, a=route))

    assert kinds(found) == [
        "breaking: input_field_required_added",
        "compatible: output_field_added",
    ]


def test_a_description_of_such_a_type_is_told_of_once() -> None:
    route = replace(ROUTE, input=ref("Item"), output=ref("Item"))
    found = diff(
        shop({"Item": TEXT}, a=route), shop({"Item": {**TEXT, "description": "d"}}, a=route)
    )

    assert [(change.text, change.routes) for change in found] == [
        ('the description is "d", was none', ("a",))
    ]


@pytest.mark.parametrize("side", ["input", "output"])
def test_recursion_ends(side: Side) -> None:
    def tree(value: Any) -> dict[str, Any]:
        return {
            "Tree": record("v", v=value, kids={"type": "array", "items": ref("Tree")}),
            "Ring": {"anyOf": [ref("Ring"), ref("Tree")]},
        }

    assert [
        change.path for change in changes(side, ref("Tree"), ref("Tree"), tree(TEXT), tree(INTEGER))
    ] == ["$defs.Tree.v"]
    assert [
        change.path for change in changes(side, ref("Ring"), ref("Ring"), tree(TEXT), tree(INTEGER))
    ] == ["$defs.Tree.v"]


def test_the_path_is_that_of_the_data() -> None:
    old = record(
        "a b",
        **{"a b": {"type": "array", "items": {"type": "object", "additionalProperties": TEXT}}},
    )
    new = record(
        "a b",
        **{"a b": {"type": "array", "items": {"type": "object", "additionalProperties": INTEGER}}},
    )

    assert [change.path for change in changes("input", old, new)] == [
        'routes.order.input["a b"][*].*'
    ]


# Documents that nobody means well with.


@pytest.mark.unwatched
def test_a_schema_of_any_depth() -> None:
    old: dict[str, Any] = TEXT
    new: dict[str, Any] = INTEGER
    for _ in range(5_000):
        old, new = {"type": "array", "items": old}, {"type": "array", "items": new}
    (change,) = changes("input", old, new)

    assert change.path == "routes.order.input" + "[*]" * 5_000
    assert kinds(changes("input", {"not": old}, {"not": new})) == ["breaking: input_rule_changed"]
    assert kinds(changes("input", {"const": 1, "default": old}, {"const": old})) == [
        "breaking: input_type_changed"
    ]


def test_unions_of_any_depth() -> None:
    old: dict[str, Any] = TEXT
    for _ in range(20_000):
        old = {"anyOf": [old]}

    assert changes("input", old, TEXT) == ()


@pytest.mark.unwatched
def test_a_comparison_without_end_is_given_up_and_counts_as_breaking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every pair of these types would be compared: there are thousands."""
    monkeypatch.setattr(walk, "_STEPS", 20_000)
    count = 150
    old = {
        f"A{index}": record(**{f"f{each}": ref(f"A{each}") for each in range(0, count, 2)})
        for index in range(count)
    }
    new = {
        f"B{index}": record(
            **{f"f{each}": ref(f"B{(each * 7 + index) % count}") for each in range(0, count, 2)}
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
    types = {
        f"U{index}": {"anyOf": [ref(f"U{each}") for each in range(100)]} for index in range(100)
    }
    found = changes("output", ref("U0"), {"anyOf": [TEXT, INTEGER]}, types, {})

    assert kinds(found) == ["breaking: output_member_added", "breaking: output_member_added"]


@pytest.mark.parametrize("steps", range(16))
def test_without_a_budget_a_union_stays_whole(steps: int) -> None:
    found = Definitions(PAYMENT, Budget(steps)).alternatives(Node(TAGGED))

    assert len(found) == (1 if steps < 8 else 2)
    assert not is_alike(
        [TEXT], [TEXT], Definitions({}, Budget(9)), Definitions({}, Budget(9)), Budget(1).spend
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"x": 1},
        *(
            pytest.param(each, marks=pytest.mark.unwatched)
            for each in ("x", 1, None, [1], True, [[1]])
        ),
    ],
)
@pytest.mark.parametrize(
    "keyword",
    ["type", "enum", "properties", "required", "items", "prefixItems", "anyOf", "oneOf", "allOf", "minimum", "multipleOf", "minLength",
     "pattern", "format", "x-contract-type", "x-contract-bounds", "x-contract-order", "x-contract-enum-names", "additionalProperties",
     "propertyNames", "if", "discriminator", "uniqueItems", "maxItems"],
)  # fmt: skip
def test_keywords_of_wrong_types_are_survived(keyword: str, wrong: Any) -> None:
    old = {**record("a", a=TEXT), "oneOf": [ref("A")]}
    for side in ("input", "output"):
        for schema in (
            old,
            TEXT,
            {"type": "array", "prefixItems": [TEXT], "items": False, "maxItems": 1},
            {"enum": ["a"]},
        ):
            assert isinstance(
                changes(side, schema, {**schema, keyword: wrong}, {"A": {keyword: wrong}}), tuple
            )
            assert isinstance(
                changes(side, {keyword: wrong}, schema, {"A": {keyword: wrong}}), tuple
            )
