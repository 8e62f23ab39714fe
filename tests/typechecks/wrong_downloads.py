"""Files of something else than bytes, and what is none."""

from __future__ import annotations

from collections.abc import Iterator

from contract import Download, Media, route
from tests.typechecks.right_downloads import NoPicture, Png
from tests.typechecks.shop import Order

public = route(summary="Picture", tags=["t"], auth="none")


def texts() -> Iterator[str]:
    yield "a"


@public
def bare_bytes(input: Order, ctx: None) -> Png:
    return b"..."  # type: ignore[return-value]


@public
def of_a_text(input: Order, ctx: None) -> Png:
    return Download("desk.png", media_type="image/png")  # type: ignore[arg-type]


@public
def of_texts(input: Order, ctx: None) -> Png:
    return Download(texts(), media_type="image/png")  # type: ignore[arg-type]


@public
def of_a_list(input: Order, ctx: None) -> Png:
    return Download([b"a"], media_type="image/png")  # type: ignore[arg-type]


@public
def of_no_media_type(input: Order, ctx: None) -> Png:
    return Download(b"...")  # type: ignore[call-arg]


@public
def with_an_undeclared_failure(input: Order, ctx: None) -> Png:
    return NoPicture()  # type: ignore[return-value]


Media(3)  # type: ignore[arg-type]
