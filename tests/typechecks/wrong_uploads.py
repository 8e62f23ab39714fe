"""Uploads: what has to be refused, where it is written."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from contract import MaxBytes, Media, Upload, route


@dataclass(frozen=True)
class Photo:
    image: Annotated[Upload, MaxBytes(5_000_000), Media("image/png")]
    thumb: Upload | None = None


Photo(b"an image")  # type: ignore[arg-type]
Photo(Upload.of("an image"))  # type: ignore[arg-type]
Photo(Upload.of(b"an image", "a.png"))  # type: ignore[call-arg]
Photo(Upload.of(b"an image", name="a.png", media_type="image/png"), Upload.of(b""))


@route(summary="x", tags=["x"], auth="none")
def add(input: Photo, ctx: None) -> str:
    reads: str = input.image.read()  # type: ignore[assignment]
    input.thumb.read()  # type: ignore[union-attr]
    input.image.name = "other"  # type: ignore[misc]
    return reads


@route(summary="x", tags=["x"], auth="none", max_body_bytes="large")  # type: ignore[call-overload, untyped-decorator]
def wrong_limit(input: Photo, ctx: None) -> str: ...
