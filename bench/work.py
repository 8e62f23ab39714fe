"""The work that everybody does: typed JSON in, a trivial resolver, typed JSON out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated

from annotated_types import Ge, Len

from contract import Meta, Spec, route, routes, spec


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class SmallIn:
    id: str


@dataclass
class SmallOut:
    id: str
    name: str
    price: int


@dataclass
class Filter:
    query: Annotated[str, Len(0, 100)]
    colours: list[Colour]
    page: Annotated[int, Ge(1)]
    size: Annotated[int, Ge(1)]
    lowest: float
    highest: float
    in_stock: bool
    since: datetime
    tags: list[str]
    nested: SmallIn | None


@dataclass
class Maker:
    name: str
    country: str


@dataclass
class Item:
    id: int
    name: str
    colour: Colour
    price: float
    weight: float
    added: datetime
    in_stock: bool
    maker: Maker | None


@dataclass
class Found:
    items: list[Item]
    total: int


SMALL_BODY = b'{"id":"p1"}'
FRESH_BODY = (
    b'{"query":"lamp","colours":["red","blue"],"page":1,"size":50,"lowest":1.5,"highest":99.5,"in_stock":true,'
    b'"since":"2026-01-01T00:00:00+00:00","tags":["a","b"],"nested":{"id":"x"}}'
)
_ADDED = datetime(2026, 1, 1, tzinfo=UTC)


def make_items(page: int) -> list[Item]:
    # built with as little as can be, since everybody pays the same for it: what is compared is the rest
    red = Colour.RED
    return [
        Item(number, "a lamp", red, 1.5, 0.25, _ADDED, True, Maker("m", "CH") if number % 2 else None)  # noqa: FBT003  keywords cost more
        for number in range(page, page + 50)
    ]


@route(summary="Small", tags=["bench"], auth="none", inline=True)
def small(input: SmallIn, ctx: None) -> SmallOut:
    return SmallOut(input.id, "n", 3)


@route(summary="Fresh", tags=["bench"], auth="none", inline=True)
def fresh(input: Filter, ctx: None) -> Found:
    return Found(make_items(input.page), 50)


def api() -> Spec[None]:
    return spec(routes=routes(small, fresh), meta=Meta(title="Bench"))
