"""
The work that everybody does: typed JSON in, a trivial resolver, typed JSON out.

SMALL has 1 field in and 3 out. FRESH has about 10 fields in, and out a list of 50 objects of 8
fields, made in the call. `api` makes the two routes of this package's contenders; `bench.peers` has
those of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated, Any, Final, Literal

from annotated_types import Ge, Len

from contract import AnySpec, Meta, Request, route, spec


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


Work = Literal["small", "fresh"]
"""Names a route, and what is asked of it."""

SMALL_BODY: Final = b'{"id":"p1"}'
FRESH_BODY: Final = (
    b'{"query":"lamp","colours":["red","blue"],"page":1,"size":50,"lowest":1.5,"highest":99.5,"in_stock":true,'
    b'"since":"2026-01-01T00:00:00+00:00","tags":["a","b"],"nested":{"id":"x"}}'
)
BODIES: Final[dict[Work, bytes]] = {"small": SMALL_BODY, "fresh": FRESH_BODY}
WRONG_BODIES: Final[dict[Work, bytes]] = {
    "small": b'{"id":5}',
    "fresh": FRESH_BODY.replace(b'"page":1', b'"page":"one"'),
}
"""Bodies that whoever validates refuses."""

_ADDED = datetime(2026, 1, 1, tzinfo=UTC)


def make_items(page: int) -> list[Item]:
    # built with as little code as possible: everybody pays for it alike, and the rest is compared
    red = Colour.RED
    return [
        # keywords cost more
        Item(
            number,
            "a lamp",
            red,
            1.5,
            0.25,
            _ADDED,
            True,  # noqa: FBT003
            Maker("m", "CH") if number % 2 else None,
        )
        for number in range(page, page + 50)
    ]


def small(input: SmallIn, ctx: object) -> SmallOut:
    return SmallOut(input.id, "n", 3)


async def small_async(input: SmallIn, ctx: object) -> SmallOut:
    return SmallOut(input.id, "n", 3)


def fresh(input: Filter, ctx: object) -> Found:
    return Found(make_items(input.page), 50)


async def fresh_async(input: Filter, ctx: object) -> Found:
    return Found(make_items(input.page), 50)


@dataclass(frozen=True, slots=True)
class Caller:
    name: str


TOKEN: Final = "a-token-of-some-length-0123456789"
CALLERS: Final = {TOKEN: Caller("bench")}


def authenticate(token: str, request: Request) -> Caller | None:
    return CALLERS.get(token)


async def authenticate_async(token: str, request: Request) -> Caller | None:
    return CALLERS.get(token)


def api(
    *,
    auth: Literal["none", "sync", "inline", "async"] = "none",
    is_async: bool = False,
    inline: bool = False,
) -> AnySpec:
    """
    The two routes as a spec.

    Args:
        auth: Whether the routes are public, and if not, which kind of hook they have; "inline" is a
            synchronous one that runs on the event loop.
        is_async: Of the resolvers.
        inline: Whether sync resolvers run on the event loop, where there is one.
    """
    asked: dict[str, Any] = {
        "tags": ["bench"],
        "auth": "none" if auth == "none" else "bearer",
        "inline": inline,
        "mcp": True,
    }
    resolvers: dict[str, Any] = (
        {"small": small_async, "fresh": fresh_async}
        if is_async
        else {"small": small, "fresh": fresh}
    )
    made: Any = {
        name: route(summary=name.title(), **asked)(resolver) for name, resolver in resolvers.items()
    }
    meta = Meta(title="Bench", version="1.0")
    if auth == "none":
        return spec(routes=made, meta=meta)
    hook: Any = authenticate_async if auth == "async" else authenticate
    return spec(authenticate=hook, authenticate_inline=auth == "inline", routes=made, meta=meta)
