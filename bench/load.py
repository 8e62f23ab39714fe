"""
What loading costs beside pydantic, on the same classes and bodies: ``python -m bench.load``.

CPU time, the two interleaved, and the medians of many rounds. FORMED: a list of records of four
scalars that are texts on the wire; ITEMS: what FRESH answers, sent back. The bodies that are
refused have one bad value, in their last record. pydantic coerces and takes many forms of a date,
which `contract` refuses.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from random import Random
from statistics import median
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from bench import work
from contract.pred.compile import pred_of

ROUNDS = 31


@dataclass
class Formed:
    when: datetime
    price: Decimal
    key: UUID
    day: date


def formed(count: int) -> bytes:
    draw = Random(1)
    records = [
        {
            "when": f"2026-01-01T12:30:{draw.randrange(60):02}Z",
            "price": f"{draw.randrange(10_000)}.50",
            "key": str(UUID(int=draw.getrandbits(128))),
            "day": f"2026-01-{draw.randrange(1, 29):02}",
        }
        for _ in range(count)
    ]
    return json.dumps(records, separators=(",", ":")).encode()


def items(count: int) -> bytes:
    return pred_of(list[work.Item]).dump(work.make_items(1) * (count // 50))


CASES: dict[str, tuple[Any, bytes, str]] = {
    "SMALL": (work.SmallIn, work.SMALL_BODY, "id"),
    "FRESH": (work.Filter, work.FRESH_BODY, "query"),
    "ITEMS, 50": (list[work.Item], items(50), "id"),
    "ITEMS, 150": (list[work.Item], items(150), "id"),
    "ITEMS, 4000": (list[work.Item], items(4000), "id"),
    "FORMED, 5300": (list[Formed], formed(5300), "when"),
}
"""A type, a body, and a field of its last record."""


def verdict(load: Callable[[bytes], Any], body: bytes) -> bool:
    try:
        load(body)
    except ValueError:
        return False
    return True


def medians(contenders: dict[str, Callable[[bytes], Any]], body: bytes) -> list[float]:
    """Microseconds of each contender."""
    runs = max(1, 200_000 // (len(body) + 400))
    spent: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, load in contenders.items():
            start = time.process_time()
            for _ in range(runs):
                verdict(load, body)
            spent[name].append((time.process_time() - start) / runs * 1e6)
    return [median(times) for times in spent.values()]


def main() -> None:
    print(f"{'':24}{'bytes':>8}{'contract':>12}{'pydantic':>12}  (microseconds)")
    for name, (annotation, body, key) in CASES.items():
        contenders = {
            "contract": pred_of(annotation).load,
            "pydantic": TypeAdapter(annotation).validate_json,
        }
        last = body.rindex(b"}")
        refused = b'%b,"%b":[]%b' % (body[:last], key.encode(), body[last:])
        for title, sent in ((name, body), (f"{name}, refused", refused)):
            ours, theirs = medians(contenders, sent)
            print(f"{title:24}{len(sent):8}{ours:12.1f}{theirs:12.1f}  {ours / theirs:5.2f}")


if __name__ == "__main__":
    main()
