"""
What any body of a megabyte may cost: 96 MiB, and no more time than its size explains.

Time and memory are measured in processes of their own, where nothing traces and nothing was loaded
before; time is a ratio to that of a plain loop in the same process. `python -m bench.cost` prints
the seconds.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field, make_dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import pytest
from annotated_types import Ge, MaxLen, MinLen, MultipleOf, Predicate

from contract.pred.compile import cheap_records_of, pred_of
from contract.shape.exceptions import InvalidInput
from contract.shape.markers import Pattern
from contract.shape.reader import shape_of

MEGABYTE = 1_048_576


@dataclass(frozen=True, slots=True)
class Line:
    sku: Annotated[str, MinLen(1)]
    quantity: Annotated[int, Ge(1)] = 1


@dataclass
class Node:
    value: int
    children: list["Node"] = field(default_factory=list)


@dataclass
class Leaf:
    kind: Literal["leaf"]
    value: int


@dataclass
class Branch:
    kind: Literal["branch"]
    left: "Leaf | Branch"


@dataclass
class Picky:
    value: int

    def __post_init__(self) -> None:
        if self.value:
            raise ValueError(self.value)


class Point(NamedTuple):
    x: int
    y: int = 0


class Spot(NamedTuple):
    x: int = 0
    y: int = 0


@dataclass(frozen=True)
class Query:
    text: str = ""
    page: int = 1
    size: int = 20
    sort: str | None = None
    tags: list[str] = field(default_factory=list)
    descending: bool = False


Twenty: Any = make_dataclass("Twenty", [(f"field_{index}", int, 0) for index in range(20)])
Fifty: Any = make_dataclass("Fifty", [(f"{'a' * 60}_{index}", int, 0) for index in range(50)])
FiveThousand: Any = make_dataclass("FiveThousand", [(f"field_{at}", int) for at in range(5000)])
Hundred: Any = make_dataclass("Hundred", [(f"field_{index}", int) for index in range(100)])


def array(item: str, last: str | None = None) -> bytes:
    """As many *item* as fit into a megabyte, and at the end *last*."""
    return f"[{f'{item},' * ((MEGABYTE - 100) // (len(item) + 1))}{item if last is None else last}]".encode()


def numbered(item: str, count: int, frame: str = "[]", step: int = 1) -> bytes:
    """As many *item* as *count*, each with a number of its own."""
    numbers = range(0, count * step, step)
    body = frame[0] + ",".join(map(item.format, numbers)) + frame[1]
    assert len(body) <= MEGABYTE
    return body.encode()


def named(item: str, count: int) -> bytes:
    """An object of as many *item* as *count*."""
    return numbered(f'"{{:x}}":{item}', count, "{}")


def listed(item: str, count: int, *last: str) -> bytes:
    return f"[{','.join([*[item] * count, *last])}]".encode()


def cheap(record: Any, item: str, last: str | None = None) -> bytes:
    """As many *item* as a megabyte of *record* may hold, at the end *last*, and then blanks."""
    counted = cheap_records_of(shape_of(record))
    assert counted is not None
    items = [item] * (counted.most(MEGABYTE) - 1) + [item if last is None else last]
    return f"[{','.join(items[item == '[]' :])}]".ljust(MEGABYTE).encode()


# Hash of a float, a Decimal or an int: the value modulo this prime.
PRIME = 2**61 - 1

# Fifty enums of fifty names each, all of which are alike but for their last letters.
ALIKE = "a" * 58
BRANCHES: list[Any] = [
    Enum(f"Of{one:02}", {f"M{two}": f"{ALIKE}{one:02}{two:02}" for two in range(50)})
    for one in range(50)
]


def either(one: Any, other: Any) -> Any:
    return one | other


Branches: Any = reduce(either, BRANCHES)

A_LINE = '{"sku":"a"}'
MOMENT = '"2026-01-01T00:00:00Z"'
LONG_KEY = '"{:03}' + "x" * 10_000 + '":0'
NEAR_KEY = '"' + "a" * 55 + '{:07}":0'
NO_BRANCH = f'"{ALIKE}xxyy"'
BRANCHED = b'{"kind":"branch","left":' * 90 + b'{"kind":"leaf","value":%b}' + b"}" * 90
OfPairs = Annotated[str, Pattern("^(a|b|ab)*$")]
Ints = Annotated[set[int], MaxLen(150_000)]
Pairs = Annotated[frozenset[tuple[Decimal, int]], MaxLen(10**6)]
EQUAL = [f'"{UUID(int=index * PRIME)}":0' for index in range(24_000)]
EQUAL_KEYS = f"{{{','.join(EQUAL)}}}".encode()

CASES: dict[str, tuple[Any, bytes, str]] = {
    "ints": (list[int], array("7"), "ok"),
    "long ints": (list[int], array("9223372036854775807"), "ok"),
    "ints, the last is bad": (list[int], array("7", '"7"'), "integer_type"),
    "ints as floats": (list[int], array("1.0"), "ok"),
    "floats": (list[float], array("1.5"), "ok"),
    "arrays": (list[list[int]], array("[]"), "ok"),
    "arrays, the last is bad": (list[list[int]], array("[]", "{}"), "array_type"),
    "records": (list[Line], array('{"sku":"a"}'), "ok"),
    "records, the last is bad": (list[Line], array(A_LINE, '{"sku":""}'), "string_too_short"),
    "records that refuse themselves": (list[Picky], array('{"value":1}'), "invalid_value"),
    "named tuples": (list[Point], array("[100000000]"), "ok"),
    "texts": (list[Annotated[str, Pattern("^a*$")]], array('"aaa"'), "ok"),
    "a long text": (OfPairs, b'"' + b"ab" * 500_000 + b'"', "ok"),
    "a long text, bad": (OfPairs, b'"' + b"ab" * 500_000 + b'c"', "pattern"),
    "long bytes": (bytes, b'"' + b"YWJj" * 260_000 + b'"', "ok"),
    "long bytes, bad": (bytes, b'"' + b"YWJj" * 260_000 + b'!"', "format"),
    "datetimes": (list[datetime], array('"2026-01-01T00:00:00Z"'), "ok"),
    "datetimes, the last is bad": (list[datetime], array(MOMENT, '"2026-02-30T00:00:00Z"'), "format"),
    "decimals": (list[Decimal], array('"12.50"'), "ok"),
    "durations": (list[timedelta], array('"PT1S"'), "ok"),
    "uuids": (list[UUID], array('"00000000-0000-0000-0000-000000000000"'), "ok"),
    "literals": (list[Literal[1, "a", True]], array("1"), "ok"),
    "predicates": (list[Annotated[int, Predicate(bool)]], array("7"), "ok"),
    "scalars of two types": (list[int | str], array('1,"a"'), "ok"),
    "numbers of two types": (list[int | float], array("1.0"), "ok"),
    "junk for a union": (int | str | bool | float | None, array("0"), "union"),
    "junk for an int": (int, array("0"), "integer_type"),
    "junk in a union of arrays": (list[int] | dict[str, int], array("0", "{}"), "integer_type"),
    "any": (Any, array("[]"), "ok"),
    "any, the last is bad": (dict[str, Any], b'{"a":' + array("{}", "1e400") + b"}", "number_type"),
    "a hundred missing and junk": (Hundred, b'{"junk":' + array("0") + b"}", "missing"),
    "maps of a hundred missing": (dict[str, Hundred], named("{{}}", 95_000), "missing"),
    "arrays of a hundred missing": (list[Hundred], array("{}"), "missing"),
    "five thousand missing": (FiveThousand, b"{}", "missing"),
    "arrays of five thousand missing": (list[FiveThousand], array("{}"), "missing"),
    "unknown keys of 10 kB": (Line, numbered(LONG_KEY, 104, "{}"), "missing"),
    "unknown keys that are nearly known": (Fifty, numbered(NEAR_KEY, 15_000, "{}"), "unknown_key"),
    "nearly a value of fifty branches": (list[Branches], listed(NO_BRANCH, 980), "unknown_value"),
    "values of the last of fifty branches, the last is bad": (list[Branches], listed(f'"{ALIKE}4949"', 980, NO_BRANCH), "unknown_value"),
    "unknown keys": (Line, named("0", 100_000), "missing"),
    "maps": (dict[str, int], named("0", 100_000), "ok"),
    "maps, all bad": (dict[str, int], named('""', 95_000), "integer_type"),
    "one key, repeated": (dict[str, int], b"{" + b'"a":0,' * 170_000 + b'"a":0}', "ok"),
    "keys that are ints": (Annotated[dict[int, int], MaxLen(100_000)], numbered('"{}":0', 45_000, "{}", step=2**44), "ok"),
    "a set": (set[str], numbered('"{:x}"', 120_000), "ok"),
    "a set, written again": (set[str], numbered('"{:x}"', 120_000), "ok"),
    "a set of ints": (Ints, numbered("{}", 150_000), "ok"),
    "a set of ints without a limit": (set[int], numbered("{}", 150_000), "too_many_items"),
    "a set of ints with equal low bits": (Ints, numbered("{}", 50_000, step=2**44), "ok"),
    "a set of floats": (Annotated[set[float], MaxLen(150_000)], numbered("{}e300", 90_000), "ok"),
    "a set of equal items": (Annotated[set[int], MaxLen(10**6)], array("0"), "not_unique"),
    "a set of decimals with one hash": (Annotated[set[Decimal], MaxLen(10**6)], numbered('"{}"', 40_000, step=PRIME), "equal_hashes"),
    "a set of pairs with one hash": (Pairs, numbered('["{}",0]', 35_000, step=PRIME), "equal_hashes"),
    "keys with one hash": (Annotated[dict[UUID, int], MaxLen(10**6)], EQUAL_KEYS, "equal_hashes"),
    "records that are all defaults": (list[Query], array("{}"), "too_many_objects"),
    "as many as may be": (list[Query], cheap(Query, "{}"), "ok"),
    "as many as may be, the last is bad": (list[Query], cheap(Query, "{}", "1"), "object_type"),
    "wide records that are all defaults": (list[Twenty], cheap(Twenty, "{}"), "ok"),
    "wide records, the last is bad": (list[Twenty], cheap(Twenty, "{}", "1"), "object_type"),
    "named tuples that are all defaults": (list[Spot], cheap(Spot, "[]"), "ok"),
    "multiples of fractions": (list[Annotated[float, MultipleOf(0.01)]], array("1"), "ok"),
    "fractions of fractions": (list[Annotated[float, MultipleOf(0.01)]], array("1.1"), "ok"),
    "anything, nested": (Any, array("[" * 190 + "]" * 190), "ok"),
    "anything, 150 deep, and written again": (Any, array("[" * 150 + "]" * 150), "ok"),
    "nested arrays": (Any, b"[" * 500_000, "json_invalid"),
    "nested records": (Node, b'{"value":1,"children":[' * 100 + b"]}" * 100, "ok"),
    "nested too deep": (Node, b'{"value":1,"children":[' * 101 + b"]}" * 101, "json_invalid"),
    "nested unions": (Leaf | Branch, BRANCHED % b"1", "ok"),
    "nested unions, bad inside": (Leaf | Branch, BRANCHED % b'""', "integer_type"),
}  # fmt: skip

MOST = 150
"""
Times the yardstick: what a megabyte of small values costs, three times over; what grows faster than
its body costs thousands.
"""

QUICK = {
    "fractions of fractions": 22,
    "anything, 150 deep, and written again": 70,
    "a set of decimals with one hash": 40,
    "a set of pairs with one hash": 40,
    "keys with one hash": 40,
    "five thousand missing": 2,
    "unknown keys that are nearly known": 10,
    "nearly a value of fifty branches": 10,
    "values of the last of fifty branches, the last is bad": 30,
    "nested records": 4,
    "nested unions": 4,
    "nested unions, bad inside": 4,
}
"""
The same, for small bodies that would be costly if they were not stopped, and where the garbage
collector would cost most.
"""

CHILD = """
import json, os, resource, sys, time
from contract.pred.compile import pred_of
from test_pred_cost import CASES, verdict

def timed(function, *arguments):
    start = time.process_time()
    return function(*arguments), time.process_time() - start

def yardstick():
    return sum(len([index]) for index in range(200_000))

for name, (annotation, body, _) in CASES.items():
    if os.fork():
        os.wait()
        continue
    pred = pred_of(annotation)
    try:
        pred.load(b"-")
    except ValueError:
        pass
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = timed(yardstick)[1]
    code, spent = timed(verdict, pred, body, name.endswith("written again"))
    after = timed(yardstick)[1]
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - rss
    print(json.dumps([name, code, spent, (before + after) / 2, grown / 1024]), flush=True)
    os._exit(0)
"""


def verdict(pred: Any, body: bytes, written: bool = False) -> str:
    """The first issue of *body*, or ok, where it may also be written."""
    try:
        value = pred.load(body)
        if written:
            pred.dump(value)
    except InvalidInput as error:
        return error.issues[0].code
    return "ok"


@pytest.mark.parametrize("case", [name for name in CASES if name.startswith("nested")])
def test_what_is_nested_gets_its_verdict(case: str) -> None:
    annotation, body, expected = CASES[case]

    assert verdict(pred_of(annotation), body) == expected


def test_records_may_refuse_themselves() -> None:
    assert verdict(pred_of(Picky), b'{"value":1}') == "invalid_value"
    assert verdict(pred_of(Picky), b'{"value":0}') == "ok"


def measure() -> dict[str, tuple[str, float, float, float]]:
    """For each case: the verdict, CPU seconds, how many times the yardstick they are, and MiB."""
    here = Path(__file__).parent
    untraced = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    path = os.pathsep.join([str(here), str(here.parent), os.environ.get("PYTHONPATH", "")])
    environment = {**untraced, "PYTHONPATH": path}

    ran = subprocess.run(
        [sys.executable, "-c", CHILD], env=environment, capture_output=True, text=True, check=True
    )

    return {
        name: (code, cpu, cpu / yardstick, mebibytes)
        for name, code, cpu, yardstick, mebibytes in map(json.loads, ran.stdout.splitlines())
    }


def test_no_body_costs_out_of_proportion() -> None:
    measured = measure()

    codes = {name: code for name, (_, _, code) in CASES.items()}
    assert {name: code for name, (code, *_) in measured.items()} == codes
    times = {name: times for name, (_, _, times, _) in measured.items()}
    assert {name: each for name, each in times.items() if each > QUICK.get(name, MOST)} == {}
    assert [(name, mebibytes) for name, (*_, mebibytes) in measured.items() if mebibytes > 96] == []
