"""Defaults that are written otherwise, and mean the same or do not."""

from __future__ import annotations

from typing import Any, Final

from contract.document.diff.defaults import means_the_same
from contract.document.diff.definitions import Budget, Definitions, Node
from tests.codegen_documents import ref
from tests.diffs import NULL, changes, kinds, record
from tests.tables import rows

TEXT: Final[dict[str, Any]] = {"type": "string"}
WORD: Final = TEXT | {"default": "w"}
OPTIONS: Final = record(a=WORD, b=WORD)
CARD: Final = record("kind", kind={"const": "card"}, a=WORD, b=WORD)
CASH: Final = record("kind", kind={"const": "cash"}, a=WORD, b=TEXT | {"default": "c"})
DEFS: Final[dict[str, Any]] = {
    "Options": OPTIONS,
    "Payment": {"oneOf": [ref("Card"), ref("Cash")]},
    "Card": CARD,
    "Cash": CASH,
    "Endless": {"anyOf": [ref("Endless"), ref("Options")]},
    "Loop": {"anyOf": [ref("Loop"), ref("Loop")]},
}
ALL: Final = {"a": "x", "b": "w"}


@rows(
    "old, new, schema, same",
    ({"a": "x"}, ALL, ref("Options"), True),
    ({"a": "x"}, {"a": "x", "b": "other"}, ref("Options"), False),
    ({"a": "y"}, ALL, ref("Options"), False),
    (ALL, {"a": "x"}, ref("Options"), False),
    ({"a": "x"}, ALL, {"anyOf": [ref("Options"), NULL]}, True),
    (None, {"a": "w", "b": "w"}, {"anyOf": [ref("Options"), NULL]}, False),
    ({"o": {"a": "x"}}, {"o": ALL}, record(o=ref("Options")), True),
    ({"o": {"a": "x"}}, {"o": ALL}, {"additionalProperties": ref("Options")}, True),
    ({"o": {"a": "x"}}, {"o": ALL}, {}, False),
    ([{"a": "x"}], [ALL], {"items": ref("Options")}, True),
    ([{"a": "x"}], [ALL], {"prefixItems": [ref("Options")], "items": False}, True),
    ([{"a": "x"}], [ALL], {}, False),
    ([{"a": "x"}], [ALL, ALL], {"items": ref("Options")}, False),
    ({"kind": "card"}, {"kind": "card", "b": "w"}, ref("Payment"), True),
    ({"kind": "cash"}, {"kind": "cash", "b": "w"}, ref("Payment"), False),
    ({"kind": "cash"}, {"kind": "cash", "b": "c"}, ref("Payment"), True),
    ({"a": "x"}, ALL, ref("Endless"), True),
    ({"a": "x"}, ALL, ref("Loop"), False),
    ({"a": "x"}, ALL, {"anyOf": [record(a=WORD), ref("Options")]}, True),
    # which of two records it is, nobody can tell
    ({"a": "x"}, ALL, {"anyOf": [ref("Options"), record(a=WORD, b=WORD)]}, False),
    (1, 1.0, {}, True),
    (1, True, {}, False),
)  # fmt: skip
def test_a_default_is_filled_up(old: Any, new: Any, schema: Any, same: bool) -> None:
    budget = Budget(100)

    assert means_the_same(old, new, Node(schema), Definitions(DEFS, budget), budget) is same


def test_without_budget_they_differ() -> None:
    budget = Budget(0)

    assert not means_the_same(1, 1, Node({}), Definitions({}, budget), budget)


def test_a_field_with_a_default_changes_no_default_around_it() -> None:
    old = {"Options": record(a=WORD)}
    around = record(options=ref("Options") | {"default": {"a": "w"}})
    filled = record(options=ref("Options") | {"default": {"a": "w", "b": "w"}})
    another = record(options=ref("Options") | {"default": {"a": "w", "b": "x"}})
    new = {"Options": OPTIONS}

    assert kinds(changes("input", around, filled, old, new)) == ["compatible: input_field_added"]
    assert "breaking: input_default_changed" in kinds(changes("input", around, another, old, new))
