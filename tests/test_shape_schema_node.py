"""Spots: a schema where it stands, and what its type is called there."""

from typing import Any

import pytest

from contract.shape.json_text import Place
from contract.shape.names import is_plain
from contract.shape.schema_node import Spot, rules_of
from tests.tables import rows

ROOT = Spot({"format": "x", "maximum": 1}, Place() / "$defs" / "Order", "Order")


def test_a_type_is_called_after_its_place() -> None:
    inner = (
        ROOT.inner({}, "properties", "user-id", part="user-id")
        .inner({}, "anyOf", 1)
        .inner({}, "items", part="item", deeper=True)
    )

    assert (inner.name, inner.depth) == ("OrderUserIdItem", 1)
    assert str(inner.place) == "$.$defs.Order.properties.user-id.anyOf[1].items"
    assert ((inner / "type").name, ROOT.name) == (inner.name, "Order")


def test_a_name_is_never_too_long() -> None:
    spot = ROOT
    for _ in range(50):
        spot = spot.inner({}, part="x" * 500)

    assert is_plain(spot.name)


def test_keywords_are_asked_for() -> None:
    assert ROOT.text("format") == "x"
    assert ROOT.text("pattern") == ROOT.text("maximum") == ""
    assert rules_of({"title": "", "x-any": 1, "maximum": 1, "if": {}}) == {"maximum", "if"}


def test_a_refusal_says_where() -> None:
    assert str((ROOT / "if").refuse("no")) == "$.$defs.Order.if: no"


@rows(
    "limits, is_refused",
    *((each, False) for each in ({}, {"ge": 1}, {"ge": 1, "le": 1})),
    ({"ge": 1, "gt": 5, "multiple_of": 7}, False),
    ({"gt": 1, "lt": 2}, False),
    *((each, True) for each in ({"ge": 2, "le": 1}, {"gt": 1, "le": 1}, {"ge": 1, "lt": 1})),
    ({"gt": 1, "lt": 1}, True),
)
def test_limits_have_to_leave_something(limits: dict[str, Any], is_refused: bool) -> None:
    if is_refused:
        with pytest.raises(ValueError, match="no value is within these limits"):
            ROOT.check_order(limits)
    else:
        ROOT.check_order(limits)
