"""The published exceptions: each row of the table is a difference that can be seen, and the rest of the table is not there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Network, IPv6Network
from typing import Annotated, Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from annotated_types import Ge, Gt, Le, Lt, MultipleOf, Predicate

from contract import Spec, route, spec
from contract.call.bound import bind
from contract.document.describe import describe
from contract.pred.compile import pred_of
from contract.pred.flooding import too_many_equal
from contract.shape.exceptions import InvalidInput
from contract.shape.markers import Pattern
from contract.shape.reader import shape_of
from tests.oracle import is_stock_valid, is_valid, schema_of
from tests.schema_differences import EXCEPTIONS
from tests.tables import rows


@dataclass
class Ordered:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


@dataclass
class Cheap:
    x: int = 0


@dataclass(eq=False)
class Thing:
    x: int


_TEN = str(UUID(int=10))
_NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

# Annotation, document, and what says that it is valid: the pred, the schema, jsonschema as it
# comes.
SEEN: dict[str, list[tuple[Any, str, tuple[bool, bool, bool]]]] = {
    "limits of texts": [
        (Annotated[Decimal, Ge(Decimal(1))], '"0.99"', (False, True, True)),
        (Annotated[Decimal, MultipleOf(Decimal("0.05"))], '"0.01"', (False, True, True)),
        (Annotated[datetime, Lt(_NOON)], '"2026-01-01T12:00:00Z"', (False, True, True)),
        (Annotated[date, Gt(date(2026, 1, 1))], '"2026-01-01"', (False, True, True)),
        (Annotated[time, Le(time(12))], '"12:00:01"', (False, True, True)),
        (Annotated[timedelta, Ge(timedelta(0))], '"-PT1S"', (False, True, True)),
        (dict[Annotated[int, Ge(0)], bool], '{"-1": true}', (False, True, True)),
        (dict[int, bool], f'{{"{2**63}": true}}', (False, True, True)),
    ],
    "the author's code": [
        (Annotated[int, Predicate(bool)], "0", (False, True, True)),
        (Ordered, '{"low": 1, "high": 2}', (True, True, True)),
        (Ordered, '{"low": 2, "high": 1}', (False, True, True)),
    ],
    "texts that their class refuses": [
        (IPv4Network, '"10.0.0.1/8"', (False, True, True)),
        (IPv6Network, '"2001:db8::1/32"', (False, True, True)),
        (ZoneInfo, '"Europe/Atlantis"', (False, True, True)),
    ],
    "integers written as floats": [
        (int, "9007199254740991.0", (True, True, True)),
        (int, "9007199254740992.0", (False, True, True)),
        (int, "9007199254740993.0", (False, True, True)),
        (Literal[2**60], "1152921504606846976.0", (False, True, True)),
    ],
    "numbers as they are held": [
        (float, "1e400", (False, True, True)),
        (float, "1" + "0" * 400, (False, True, True)),
        (Annotated[float, Le(2**53)], "9007199254740993", (True, False, False)),
        (Annotated[float, MultipleOf(3.0)], "9007199254740993", (False, True, False)),
        (Any, "9223372036854775808", (False, True, True)),
    ],
    "equal items and keys": [
        (set[Decimal], '["1.0", "1.00"]', (False, True, True)),
        (set[bool | int], "[1, true]", (False, True, True)),
        (set[Literal[1, True]], "[1, true]", (False, True, True)),
        (set[Point], '[{"x": 1}, {"x": 1, "y": 0}]', (False, True, True)),
        (set[Thing], '[{"x": 1}, {"x": 1}]', (False, False, False)),
        (dict[UUID, bool], f'{{"{_TEN}": true, "{_TEN.upper()}": true}}', (False, True, True)),
    ],
    "equal hashes": [],
    "cheap objects": [
        (list[Cheap], "[" + "{}," * 32_767 + "{}]", (True, True, True)),
        (list[Cheap], "[" + "{}," * 32_768 + "{}]", (False, True, True)),
    ],
    "depth": [
        (Any, "[" * 200 + "]" * 200, (True, True, True)),
        (Any, "[" * 201 + "]" * 201, (False, True, True)),
    ],
    "half characters": [
        (str, '"\\ud83d\\ude00"', (True, True, True)),
        (str, '"\\ud83d"', (False, True, True)),
    ],
    "no input": [],
    "patterns in Python": [
        (Annotated[str, Pattern("^a$")], '"a\\n"', (False, False, True)),
        (Annotated[str, Pattern(r"^\d$")], '"\u0661"', (False, False, True)),
        (Annotated[str, Pattern("^.$")], '"\\r"', (False, False, True)),
        (Annotated[str, Pattern(r"^[.$]\s\$$")], '"$\\ufeff$"', (True, True, False)),
        (UUID, f'"{UUID(int=0)}\\n"', (False, False, False)),  # the format refuses that, too
        (Decimal, '"1\\n"', (False, False, True)),
    ],
    "multiples of fractions": [
        (Annotated[float, MultipleOf(0.1)], "0.3", (True, True, False)),
        (Annotated[float, MultipleOf(0.1)], "0.35", (False, False, False)),
    ],
}


def takes(annotation: Any, document: bytes) -> bool:
    try:
        pred_of(annotation).load(document)
    except InvalidInput:
        return False
    return True


@rows(
    "annotation, document, expected",
    *(
        pytest.param(*row, id=f"{rule} {index}")
        for rule, rows in SEEN.items()
        for index, row in enumerate(rows)
    ),
)
def test_the_difference_is_real(annotation: Any, document: str, expected: tuple[bool, ...]) -> None:
    whole = schema_of(shape_of(annotation), "input")
    parsed = json.loads(document)

    told = is_valid(whole, parsed), is_stock_valid(whole, parsed)
    assert (takes(annotation, document.encode()), *told) == expected


def test_equal_hashes_are_refused_by_the_pred_alone() -> None:
    """The hash of a Decimal is the remainder of its value modulo a prime that everybody knows."""
    prime = 2**61 - 1
    document = [str(1 + prime * index) for index in range(17)]
    assert too_many_equal([Decimal(text) for text in document])

    assert not takes(set[Decimal], json.dumps(document).encode())
    assert is_valid(schema_of(shape_of(set[Decimal]), "input"), document)


def test_a_route_without_input_takes_no_body_and_null() -> None:
    @route(summary="Ping", tags=["shop"], auth="none")
    def ping(input: None, ctx: None) -> None: ...

    api = spec(routes=[ping])
    bodies = (b"", b"null", b"{}", b'{"a": 1}', b"[]", b"0", b" ")
    taken = [body for body in bodies if not refused(api, body)]
    schema = {**describe(api).routes["ping"].input}
    documents: tuple[Any, ...] = (None, {}, {"a": 1}, [], 0)

    assert taken == [b"", b"null", b"{}"]
    assert schema == {"type": "object", "properties": {}, "additionalProperties": False}
    assert [document for document in documents if is_valid(schema, document)] == [{}]


def refused(api: Spec[None], body: bytes) -> bool:
    try:
        bind(api)["ping"].input.load(body)
    except InvalidInput:
        return True
    return False


def test_every_row_has_its_test() -> None:
    assert [row.rule for row in EXCEPTIONS] == [*SEEN]
    assert all(row.pred and row.schema and row.reason for row in EXCEPTIONS)
