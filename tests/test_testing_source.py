"""Source: values as Python that makes them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from contract import UNSET, NotFound, Unset
from contract.testing.source import Unmade, source_of


class Colour(Enum):
    RED = "red"


Odd = Enum("Odd", {"a-b": 1, "class": 2})


class Point(NamedTuple):
    x: int
    y: int = 0


@dataclass
class Box:
    name: str
    items: list[int] = field(default_factory=list)
    flag: bool = False
    note: str | Unset = UNSET
    made: int = field(default=3, init=False)

    @dataclass
    class Inner:
        x: int


class Strange:
    def __repr__(self) -> str:
        return "<strange>"


VALUES: list[tuple[Any, str]] = [
    (None, "None"),
    (True, "True"),
    (1.5, "1.5"),
    (b"x", "b'x'"),
    (UNSET, "UNSET"),
    (Colour.RED, "Colour.RED"),
    (Odd["a-b"], "Odd['a-b']"),
    (Odd["class"], "Odd['class']"),
    (Decimal("1.50"), "Decimal('1.50')"),
    (UUID(int=1), "UUID('00000000-0000-0000-0000-000000000001')"),
    (dt.date(2024, 1, 2), "datetime.date(2024, 1, 2)"),
    (dt.datetime(2024, 1, 2, tzinfo=dt.UTC), "datetime.datetime(2024, 1, 2, 0, 0, tzinfo=datetime.timezone.utc)"),
    (dt.timedelta(days=1), "datetime.timedelta(days=1)"),
    ([1, [Colour.RED]], "[1, [Colour.RED]]"),
    ((1,), "(1,)"),
    ((1, 2), "(1, 2)"),
    ((), "()"),
    ({2, 1}, "set({1, 2})"),
    (frozenset(), "frozenset()"),
    ({"a": Point(1, 2)}, "{'a': Point(1, 2)}"),
    (Box("a"), "Box(name='a')"),
    (Box("a", [1], True, "n"), "Box(name='a', items=[1], flag=True, note='n')"),
    (Box("a", flag=0), "Box(name='a', flag=0)"),  # type: ignore[arg-type]
    (Box.Inner(1), "Box.Inner(x=1)"),
    (NotFound(message="m"), "NotFound(message='m')"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), VALUES, ids=[text for _, text in VALUES])
def test_a_value_is_made_again_by_its_source(value: Any, text: str) -> None:
    source = source_of(value)
    names: dict[str, Any] = {}
    exec("\n".join(source.imports()), names)

    assert source.text == text
    assert eval(source.text, names) == value


def test_what_has_no_source_has_its_repr() -> None:
    assert source_of([Strange()]).text == "[<strange>]"
    assert source_of(Strange()).imports() == []


def test_imports_are_sorted_and_joined() -> None:
    source = source_of([Box("a", note="n"), Colour.RED, dt.date.min, UNSET])

    assert source.imports({"order": "shop", "Any": __name__, "main": "__main__"}) == [
        "from contract import UNSET",
        "import datetime",
        "from shop import order",
        f"from {__name__} import Any, Box, Colour",
    ]


def test_what_could_not_be_made_is_written_as_the_call() -> None:
    source = source_of([Unmade(Box, {"name": "a", "items": [Colour.RED]})])

    assert (source.text, source.imports()) == (
        "[Box(name='a', items=[Colour.RED])]",
        [f"from {__name__} import Box, Colour"],
    )


def test_a_class_that_is_local_is_there_already() -> None:
    @dataclass
    class Local:
        x: int

    source = source_of(Local(1))

    assert (source.text, source.imports()) == ("Local(x=1)", [])
