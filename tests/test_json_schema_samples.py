"""Defaults and examples in schemas: as they stand on the wire, or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import InitVar, dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from itertools import count
from pathlib import Path
from time import time
from typing import Annotated, Any
from uuid import UUID, uuid4

import pytest
from annotated_types import Ge, MinLen

from contract.document.json_schema import SchemaWriter, Side, names_of
from contract.shape import UNSET, Example, Name, Unset, shape_of
from contract.shape.graph import definitions
from tests.oracle import is_valid, schema_of
from tests.samples import ANNOTATIONS


def properties(annotation: Any, side: Side) -> dict[str, Any]:
    shape = shape_of(annotation)
    found = SchemaWriter(names_of(definitions(shape))).defs((shape, side))
    mine: dict[str, Any] = found[
        f"{annotation.__name__}Input"
        if f"{annotation.__name__}Input" in found
        else annotation.__name__
    ]["properties"]
    return mine


class Color(Enum):
    RED = "red"


@dataclass(frozen=True)
class Point:
    x: Annotated[int, Name("@x")]
    y: int = 0


@dataclass
class Entry:
    at: date
    tags: list[str] = field(default_factory=list)


@dataclass
class Stored:
    name: str
    id: str = field(init=False, default="none")
    secret: InitVar[str] = ""


@dataclass
class Options:
    size: int = 10
    tags: list[str] = field(default_factory=list)
    color: Color = Color.RED


@dataclass
class Clocked:
    at: float = field(default_factory=time)


@dataclass
class Finished:
    size: int = 0

    def __post_init__(self) -> None:
        self.size = next(_NUMBERS)


@dataclass
class Defaults:
    text: str = "a"
    null: str | None = None
    price: Decimal = Decimal("1.50")
    since: date = date(2026, 1, 1)
    color: Color = Color.RED
    point: Point = Point(1)
    pair: tuple[int, Color] = (1, Color.RED)
    tags: list[str] = field(default_factory=list)
    words: frozenset[str] = frozenset({"b", "c", "a"})
    counts: dict[int, int] = field(default_factory=dict[int, int])
    moments: list[datetime] = field(default_factory=list)
    options: Options = field(default_factory=Options)


def test_defaults_are_as_on_the_wire() -> None:
    found = properties(Defaults, "input")

    assert {name: of["default"] for name, of in found.items()} == {
        "text": "a",
        "null": None,
        "price": "1.50",
        "since": "2026-01-01",
        "color": "red",
        "point": {"@x": 1, "y": 0},
        "pair": [1, "red"],
        "tags": [],
        "words": ["a", "b", "c"],
        "counts": {},
        "moments": [],
        "options": {"size": 10, "tags": [], "color": "red"},
    }
    assert all("default" not in of for of in properties(Defaults, "output").values())


_NUMBERS = count()


@dataclass
class Untold:
    unset: int | Unset = UNSET
    invalid: int = "one"  # type: ignore[assignment]  # which nobody checks before it is dumped
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    id: UUID = field(default_factory=uuid4)
    next: int = field(default_factory=lambda: next(_NUMBERS))
    words: list[str] = field(default_factory=lambda: ["a"])
    clocked: Clocked = field(default_factory=Clocked)
    finished: Finished = field(default_factory=Finished)
    wrong: list[str] = field(default_factory=int)  # type: ignore[arg-type]
    short: Annotated[list[str], MinLen(1)] = field(default_factory=list)
    stored: Stored = field(default_factory=lambda: Stored("a"))
    kept: list[Stored] = field(default_factory=lambda: [Stored("a")])
    first: Stored | None = None


def test_what_cannot_be_said_is_left_out() -> None:
    """Above all what may not be the same on every start (`contract.shape.defaults` tells), and what an input could not hold."""
    before = repr(_NUMBERS)

    assert [name for name, of in properties(Untold, "input").items() if "default" in of] == []
    assert repr(_NUMBERS) == before


@dataclass
class Examples:
    name: Annotated[str, Example("p1"), Example("p2")]
    since: Annotated[date, Example(date(2026, 1, 1))]
    number: Annotated[int, Ge(0), Example(1), Example(-1), Example("1")]
    stored: Annotated[list[Stored], Example([Stored("a")])]
    none: Annotated[int, Example("none")]


def test_examples_are_as_on_the_wire() -> None:
    """Those that are not valid are left out."""
    found = properties(Examples, "output")

    assert {name: of.get("examples") for name, of in found.items()} == {
        "name": ["p1", "p2"],
        "since": ["2026-01-01"],
        "number": [1],
        "stored": [[{"name": "a", "id": "none"}]],
        "none": None,
    }


def test_an_example_is_valid_on_its_side() -> None:
    """What is written of a value with fields of one side could not be sent back."""
    assert "examples" in properties(Examples, "input")["name"]
    assert "examples" not in properties(Examples, "input")["stored"]


@pytest.mark.parametrize("annotation", [*ANNOTATIONS.values(), Defaults, Untold, Examples])
@pytest.mark.parametrize("side", ["input", "output"])
def test_defaults_and_examples_are_valid(annotation: Any, side: Side) -> None:
    whole = schema_of(shape_of(annotation), side)
    for body in whole["$defs"].values():
        for of in body.get("properties", {}).values():
            told = [*of.get("examples", []), *([of["default"]] if "default" in of else [])]
            assert all(is_valid({**of, "$defs": whole["$defs"]}, value) for value in told)


_PROGRAM = """
import json
import time
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from contract.document.json_schema import SchemaWriter, names_of
from contract.shape import shape_of
from contract.shape.graph import definitions

class Color(Enum):
    RED = "red"
    BLUE = "blue"
    GREEN = "green"

    @property
    def now(self) -> str:
        return str(time.time_ns())

@dataclass
class Nested:
    words: frozenset[str] = frozenset({"a", "b", "c", "d"})
    colors: frozenset[Color] = frozenset(Color)

@dataclass
class Tags:
    words: list[str] = field(default_factory=lambda: [*{"a", "b", "c", "d"}])
    shown: str = field(default_factory=lambda: f"{ {'a', 'b', 'c'} }")
    parts: tuple[str, ...] = field(default_factory=lambda: (*{"a", "b", "c"},))
    whatever: Any = field(default_factory=lambda: [*frozenset(("a", "b", "c"))])
    now: str = field(default_factory=lambda: Color.RED.now)
    mixed: frozenset[str | int] = frozenset({"a", 1, "b", 2})
    nested: Nested = field(default_factory=Nested)

shape = shape_of(Tags)
print(json.dumps(SchemaWriter(names_of(definitions(shape))).defs((shape, "input"))))
"""


def test_defaults_are_the_same_in_every_process() -> None:
    root = Path(__file__).parent.parent
    printed = {
        subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            check=True,
            cwd=root,
        ).stdout
        for seed in ("0", "1", "2", "3")
    }

    assert len(printed) == 1
    found = json.loads(printed.pop())["TagsInput"]["properties"]
    assert {name: of["default"] for name, of in found.items() if "default" in of} == {
        "mixed": ["a", "b", 1, 2],
        "nested": {"words": ["a", "b", "c", "d"], "colors": ["blue", "green", "red"]},
    }
