"""BlackSheep: pydantic models in, dataclasses out by orjson; bearer calls by a middleware."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import orjson
from blacksheep import Application, Content, FromJSON, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from bench import work

__all__ = ["bearer", "public"]


class _SmallIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str


class _Filter(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: Annotated[str, Field(max_length=100)]
    colours: list[work.Colour]
    page: Annotated[int, Field(ge=1)]
    size: Annotated[int, Field(ge=1)]
    lowest: float
    highest: float
    in_stock: bool
    since: datetime
    tags: list[str]
    nested: _SmallIn | None


async def _small(data: FromJSON[_SmallIn]) -> Response:
    return _json(work.SmallOut(data.value.id, "n", 3))


async def _fresh(data: FromJSON[_Filter]) -> Response:
    return _json(work.Found(work.make_items(data.value.page), 50))


def _json(value: object) -> Response:
    return Response(200, content=Content(b"application/json", orjson.dumps(value)))


async def _allow(request: Request, handler: Any) -> Response:
    sent = request.get_first_header(b"authorization")
    if sent is None or sent[:7] != b"Bearer " or sent[7:].decode() not in work.CALLERS:
        return Response(401)
    return await handler(request)


def public() -> Any:
    app = Application()
    app.router.add_post("/v1/small", _small)
    app.router.add_post("/v1/fresh", _fresh)
    return app


def bearer() -> Any:
    app = public()
    app.middlewares.append(_allow)
    return app
