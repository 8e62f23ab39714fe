"""
What a checked dump costs, as ratios taken in one run, interleaved, by CPU time.

Run ``python -m bench.dump``. FRESH: a list of 50 new objects of 8 fields; SMALL: one object of 3;
FORMED: 100 of scalars that JSON has only strings for; ANY: a small value that nothing is declared
of. "unchecked" is orjson's own dump of the same dataclasses; "dicts" is orjson's dump of dicts that
are there already, the floor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import orjson

from contract.pred.dump.compile import compile_dumper
from contract.pred.dump.walk import plain
from contract.shape.reader import shape_of

ROUNDS = 15


class State(Enum):
    OPEN = "open"
    CLOSED = "closed"


@dataclass
class Owner:
    number: int
    name: str


@dataclass
class Item:
    number: int
    name: str
    price: float
    weight: float
    created: datetime
    state: State
    owner: Owner | None
    active: bool


@dataclass(slots=True)
class SlottedItem:
    number: int
    name: str
    price: float
    weight: float
    created: datetime
    state: State
    owner: Owner | None
    active: bool


@dataclass
class Small:
    key: str
    count: int
    done: bool


@dataclass
class Entry:
    key: UUID
    day: date
    at: datetime
    until: datetime
    amount: Decimal


NOW = datetime.now(UTC)
THERE = NOW.astimezone(timezone(timedelta(hours=2)))
Make = Callable[[], object]
Case = tuple[Callable[[object], object], Make]
"""What is measured, and what makes a new value for each run of it."""


def items(cls: type[Item | SlottedItem]) -> Make:
    def make() -> object:
        return [
            cls(
                n,
                f"item {n}",
                n * 1.5,
                n / 3,
                NOW,
                State.OPEN,
                Owner(n, "owner") if n % 2 else None,
                active=True,
            )
            for n in range(50)
        ]

    return make


def small() -> object:
    return Small("p1", 3, done=True)


def entries() -> object:
    return [Entry(UUID(int=n << 64), NOW.date(), NOW, THERE, Decimal(n) / 100) for n in range(100)]


def anything() -> object:
    return {"user": {"id": 1, "name": "x"}, "tags": ["a", "b"], "at": {"x": 1.5, "y": 2.5}}


def dicts_of(make: Make) -> Make:
    """The same as dicts; made once, as nobody changes them."""
    made = orjson.loads(orjson.dumps(make()))
    return lambda: made


def measure(cases: Mapping[str, Case], runs: int) -> dict[str, float]:
    """Microseconds of each case: the best of the rounds."""
    best = dict.fromkeys(cases, float("inf"))
    for _ in range(ROUNDS):
        for name, (run, make) in cases.items():
            values = [make() for _ in range(runs)]
            start = time.process_time()
            for value in values:
                run(value)
            best[name] = min(best[name], (time.process_time() - start) / runs * 1e6)
    return best


def report(title: str, taken: Mapping[str, float], base: str) -> None:
    print(title)
    for name, microseconds in taken.items():
        print(f"  {name:12}{microseconds:8.2f} us {microseconds / taken[base]:6.2f} of {base}")


def main() -> None:
    shape, small_shape = shape_of(list[Item]), shape_of(Small)
    dumper, slotted, small_dumper = (
        compile_dumper(shape),
        compile_dumper(shape_of(list[SlottedItem])),
        compile_dumper(small_shape),
    )
    fresh: dict[str, Case] = {
        "dicts": (orjson.dumps, dicts_of(items(Item))),
        "unchecked": (orjson.dumps, items(Item)),
        "dump": (dumper, items(Item)),
        "slots": (orjson.dumps, items(SlottedItem)),
        "dump slots": (slotted, items(SlottedItem)),
        "walk": (lambda value: plain(shape, value), items(Item)),
    }
    report("FRESH", measure(fresh, 200), "unchecked")
    one: dict[str, Case] = {
        "dicts": (orjson.dumps, dicts_of(small)),
        "unchecked": (orjson.dumps, small),
        "dump": (small_dumper, small),
        "walk": (lambda value: plain(small_shape, value), small),
    }
    report("SMALL", measure(one, 5000), "unchecked")
    entry_shape, any_shape = shape_of(list[Entry]), shape_of(dict[str, Any])
    formed: dict[str, Case] = {
        "unchecked": (lambda value: orjson.dumps(value, str), entries),
        "dump": (compile_dumper(entry_shape), entries),
        "walk": (lambda value: plain(entry_shape, value), entries),
    }
    report("FORMED", measure(formed, 50), "unchecked")
    free: dict[str, Case] = {
        "unchecked": (orjson.dumps, anything),
        "dump": (compile_dumper(any_shape), anything),
    }
    report("ANY", measure(free, 2000), "unchecked")
    compiled: dict[str, Case] = {"compile": (lambda _: compile_dumper(shape), small)}
    report("compile a dumper of 10 fields in 2 records", measure(compiled, 20), "compile")


if __name__ == "__main__":
    main()
