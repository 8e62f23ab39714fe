"""A service that gives files beside a plain route, and one of them in a group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from contract import Cache, Download, Failure, Media, Meta, group, route, routes, spec

__all__ = ["FILE", "LARGE", "PNG", "api"]

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
LARGE = bytes(range(251)) * 4000
FILE = Path(__file__).parent / "vectors.json"


class NoPicture(Failure, status=404):
    """There is no picture of this desk."""


@dataclass(frozen=True, slots=True)
class Which:
    """A picture."""

    desk: str
    how: Literal["bytes", "file", "parts", "broken"] = "bytes"


Picture = Annotated[Download, Media("image/png", "image/jpeg")]


def parts(how: str) -> Iterator[bytes]:
    yield LARGE[:100_000]
    if how == "broken":
        raise LookupError("the disk is gone")
    yield LARGE[100_000:]


@route(summary="Picture of a desk", tags=["desk"], auth="none", effect="read")
def picture(input: Which, ctx: None) -> Picture | NoPicture:
    if input.desk == "none":
        return NoPicture()
    name = f"{input.desk}.png"
    if input.how == "file":
        return Download(FILE, media_type="image/png", name=name)
    source = PNG if input.how == "bytes" else parts(input.how)
    return Download(source, media_type="image/png", name=name)


@route(summary="List of the desks", tags=["desk"], auth="none", effect="read")
def listed(input: None, ctx: None) -> list[str]:
    return ["d1"]


@route(
    summary="Desks as a table", tags=["desk"], auth="none", effect="read", cache=Cache(max_age=5)
)
def table(input: None, ctx: None) -> Annotated[Download, Media("text/csv")]:
    return Download(b"desk\r\nd1\r\n", media_type="text/csv; charset=utf-8", name="Tische ü.csv")


@route(summary="Draw a desk", tags=["desk"], auth="none")
def draw(input: str, ctx: None) -> Annotated[Download, Media("image/*")]:
    return Download(b"<svg/>", media_type="image/svg+xml")


api = spec(
    routes=routes(picture, listed, table, group("art", routes=routes(draw))),
    meta=Meta(title="Desks", version="1.0.0"),
)
