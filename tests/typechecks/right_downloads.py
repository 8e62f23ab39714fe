"""Downloads: what the checkers infer, and what a resolver may return."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, assert_type

from contract import Download, Failure, Media, PublicRoute, route, routes, spec
from tests.typechecks.shop import Order

Png = Annotated[Download, Media("image/png", "image/jpeg")]


class NoPicture(Failure, status=404): ...


def parts() -> Iterator[bytes]:
    yield b"a"


async def parts_later() -> AsyncIterator[bytes]:
    yield b"a"


public = route(summary="Picture", tags=["t"], auth="none", effect="read")


@public
def of_bytes(input: Order, ctx: None) -> Png | NoPicture:
    if input.quantity:
        return NoPicture()
    return Download(b"...", media_type="image/png")


@public
def of_a_path(input: Order, ctx: None) -> Png:
    return Download(Path("desk.png"), media_type="image/png", name="desk.png")


@public
def of_an_iterator(input: Order, ctx: None) -> Png:
    return Download(parts(), media_type="image/png")


@public
async def of_an_async_iterator(input: Order, ctx: None) -> Png:
    return Download(parts_later(), media_type="image/png")


assert_type(of_bytes, PublicRoute[Order, Download | NoPicture])
assert_type(of_bytes(Order("p1")), Download | NoPicture)
api = spec(routes=routes(of_bytes, of_a_path, of_an_iterator, of_an_async_iterator))
