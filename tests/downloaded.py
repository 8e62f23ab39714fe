"""A route that gives a file, from every source, in every way that its resolver may run."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from contract import Cache, Download, Failure, Media, Spec, provide, route, spec

Png = Annotated[Download, Media("image/png")]
Source = Literal["bytes", "small", "large", "iterator", "later"]
Asks = Literal[
    "file", "no picture", "none", "bytes", "another type", "missing", "folder", "wrong part",
    "raise", "shrinks", "bad end",
]  # fmt: skip

SMALL = bytes(range(256)) * 4
LARGE = bytes(range(251)) * 4000


class NoPicture(Failure, status=404):
    """There is no picture of this desk."""


@dataclass(frozen=True, slots=True)
class Which:
    source: Source = "bytes"
    asks: Asks = "file"
    uses: bool = False
    name: str | None = "desk.png"


NOTED: list[str] = []
"""What has ended, in its order."""


@provide(shared=True)
def session() -> Iterator[str]:
    try:
        yield "session"
    except BaseException as raised:
        NOTED.append(f"rolled back: {raised!r}")
        raise
    NOTED.append("committed")


@provide(shared=True)
def broken() -> Iterator[None]:
    yield
    raise ValueError("it cannot end")


def parts(asks: Asks) -> Iterator[Any]:
    try:
        yield LARGE[:1000]
        yield "text" if asks == "wrong part" else b""
        if asks == "raise":
            raise LookupError("the disk is gone")
        yield LARGE[1000:]
    finally:
        NOTED.append("closed")


async def parts_later(asks: Asks) -> AsyncIterator[Any]:
    try:
        for part in (LARGE[:1000], "text" if asks == "wrong part" else b""):
            yield part
        if asks == "raise":
            raise LookupError("the disk is gone")
        yield LARGE[1000:]
    finally:
        NOTED.append("closed")


def made(folder: Path, input: Which) -> Any:
    """What the resolver returns."""
    if input.uses:
        session()
    if input.asks == "bad end":
        broken()
    if input.asks == "no picture":
        return NoPicture()
    if input.asks == "none":
        return None
    if input.asks == "bytes":
        return SMALL
    path = folder / input.source
    if input.asks in ("missing", "folder"):
        path = folder / "nothing" if input.asks == "missing" else folder
    elif input.source in ("small", "large"):
        path.write_bytes(SMALL if input.source == "small" else LARGE)
        os.utime(path, (1_600_000_000, 1_600_000_000))
    source: Any = path
    if input.source == "bytes":
        source = SMALL
    elif input.source == "iterator":
        source = parts(input.asks)
    elif input.source == "later":
        source = parts_later(input.asks)
    kind = "text/html" if input.asks == "another type" else "image/png"
    return Download(source, media_type=kind, name=input.name)


def make(folder: Path, *, is_async: bool = False, cache: Cache | None = None) -> Spec[Any]:
    """A spec with the route, whose files lie in a *folder*: a write, and a read by two names."""

    def picture(input: Which, ctx: None) -> Png | NoPicture:
        found: Png | NoPicture = made(folder, input)
        return found

    async def picture_later(input: Which, ctx: None) -> Png | NoPicture:
        found: Png | NoPicture = made(folder, input)
        return found

    told: dict[str, Any] = {"summary": "Picture", "tags": ["t"], "auth": "none"}
    chosen: Any = picture_later if is_async else picture
    members: dict[str, Any] = {
        "draw": route(**told)(chosen),
        "picture": route(**told, effect="read", cache=cache)(chosen),
    }
    return spec(routes=members)
