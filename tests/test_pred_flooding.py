"""Values that make a table slow are bounded, and the bound stands where clients can read it."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import pytest
from annotated_types import Ge, Le, MaxLen, Predicate

from contract.document.json_schema import SchemaWriter
from contract.document.schema_names import names_of
from contract.pred.compile import pred_of
from contract.pred.flooding import (
    MAX_FORGEABLE,
    has_safe_hash,
    is_capped,
    is_forgeable,
    most_items,
    most_keys,
    too_many_equal,
)
from contract.shape.exceptions import InvalidInput
from contract.shape.graph import definitions
from contract.shape.reader import shape_of
from tests.growth import least
from tests.samples import Color
from tests.tables import rows


@dataclass(frozen=True)
class Point:
    x: int


@dataclass
class Stock:
    counts: dict[int, int]


@rows(
    "forgeable, annotations",
    (False, [None, bool, str, bytes, date, Literal["a", 1], Color, str | None, bool | str]),
    (False, [Annotated[int, Ge(0), Le(4095)], Annotated[str, Predicate(bool)]]),
    (True, [int, float, Decimal, UUID, datetime, timedelta, tuple[int], Point]),
    (True, [int | str, int | None, Annotated[int, Ge(0), Le(4096)]]),
)
def test_anybody_can_think_up_values_with_one_path(forgeable: bool, annotations: list[Any]) -> None:
    assert [is_forgeable(shape_of(each)) for each in annotations] == [forgeable] * len(annotations)


def test_only_sets_and_keys_are_bounded_and_only_where_the_author_has_not() -> None:
    def items(annotation: Any) -> int | None:
        array: Any = shape_of(annotation)
        return most_items(array)

    def keys(annotation: Any) -> int | None:
        mapping: Any = shape_of(annotation)
        return most_keys(mapping)

    assert (items(list[int]), items(set[str]), items(set[int])) == (None, None, MAX_FORGEABLE)
    assert items(Annotated[set[int], MaxLen(9)]) == 9
    assert items(Annotated[set[int], MaxLen(9_999)]) == 9_999
    assert keys(dict[str, int]) is keys(dict[date, int]) is None
    assert keys(dict[int, str]) == keys(dict[UUID, str]) == 4096
    assert keys(Annotated[dict[int, str], MaxLen(9_999)]) == 9_999


def test_what_is_capped_is_found_at_any_depth_of_a_type() -> None:
    assert is_capped(shape_of(list[dict[str, set[int] | None]]))
    assert is_capped(shape_of(dict[int, str]))
    assert not is_capped(shape_of(list[dict[str, set[str] | None]]))
    assert not is_capped(shape_of(Stock))


@rows(
    "annotation, item, code",
    (dict[int, int], '"%d":0', "too_many_keys"),
    (dict[UUID, int], '"%032d":0', "too_many_keys"),
    (set[int], "%d", "too_many_items"),
)
def test_the_first_too_many_is_refused(annotation: Any, item: str, code: str) -> None:
    start, end = "[]" if code == "too_many_items" else "{}"
    item = item.replace("%032d", "00000000-0000-0000-0000-%012d")

    def document(count: int) -> bytes:
        return (start + ",".join(item % index for index in range(count)) + end).encode()

    load = pred_of(annotation).load

    assert len(load(document(MAX_FORGEABLE))) == MAX_FORGEABLE
    with pytest.raises(InvalidInput) as refused:
        load(document(MAX_FORGEABLE + 1))
    assert [issue.code for issue in refused.value.issues] == [code]
    assert refused.value.issues[0].params[0][1] == MAX_FORGEABLE


def test_the_limit_is_part_of_the_schema_of_the_input() -> None:
    shape = shape_of(Stock)
    writer = SchemaWriter(names_of(definitions(shape)))
    defs = writer.defs((shape, "input"), (shape, "output"))

    assert defs["StockInput"]["properties"]["counts"]["maxProperties"] == MAX_FORGEABLE
    assert "maxProperties" not in defs["Stock"]["properties"]["counts"]
    assert writer.schema(shape_of(set[int]), "input")["maxItems"] == MAX_FORGEABLE
    assert "maxItems" not in writer.schema(shape_of(set[int]), "output")
    assert pred_of(set[int]).dump(set(range(5000)))


def test_an_output_may_have_more() -> None:
    assert len(json.loads(pred_of(dict[int, int]).dump(dict.fromkeys(range(5000), 0)))) == 5000


def walking_one_path(bits: int, first: int, others: int) -> list[int]:
    """Ints that a table of 2**bits places tries one after the other, although no two of their hashes are equal."""
    mask = (1 << bits) - 1
    places: dict[int, int] = {}
    at = 1
    for index in range(first):
        places[at] = index
        at = at * 5 + 1 & mask
    found = list(places)
    chosen = random.Random(1)
    while len(found) < first + others:
        number = rest = chosen.getrandbits(30)
        at = number & mask
        taken = places.get(at, first) < first // 3
        while taken and rest:
            rest >>= 5
            at = at * 5 + rest + 1 & mask
            taken = at in places
        if taken:
            found.append(number)
    return found


def test_keys_that_walk_one_path_are_no_flood() -> None:
    keys = walking_one_path(14, 8_500, 2_000)
    document = json.dumps(dict.fromkeys(map(str, keys), 0)).encode()
    load = pred_of(dict[int, int]).load

    def refused(document: bytes) -> None:
        with pytest.raises(InvalidInput, match="at most 4096 keys"):
            load(document)

    assert least(refused, document) < least(dict.fromkeys, keys) / 2


class Pair(NamedTuple):
    left: int
    right: int


SAFE = [None, bool, int, float, str, bytes, datetime, Literal["a"], Color, int | None, int | str]
UNSAFE = [Decimal, UUID, tuple[int, int], Pair, int | Decimal, Decimal | None]


def test_nobody_can_think_up_equal_hashes_but_of_some() -> None:
    assert all(has_safe_hash(shape_of(each)) for each in SAFE)
    assert not any(has_safe_hash(shape_of(each)) for each in UNSAFE)


def test_hashes_are_counted() -> None:
    equal = [Decimal(index * (2**61 - 1)) for index in range(17)]

    assert too_many_equal(equal)
    assert not too_many_equal(equal[:16])
    assert not too_many_equal([Decimal(index) for index in range(100)])
