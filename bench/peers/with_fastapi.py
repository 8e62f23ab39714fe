"""FastAPI: dataclasses in and out; bearer calls by its `HTTPBearer` and an async dependency."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from bench import work

__all__ = ["bearer", "public"]

_SCHEME = HTTPBearer()


async def _caller(
    credentials: Annotated[HTTPAuthorizationCredentials, Depends(_SCHEME)],
) -> work.Caller:
    caller = work.CALLERS.get(credentials.credentials)
    if caller is None:
        raise HTTPException(401)
    return caller


async def _small(input: work.SmallIn) -> work.SmallOut:
    return work.SmallOut(input.id, "n", 3)


async def _fresh(input: work.Filter) -> work.Found:
    return work.Found(work.make_items(input.page), 50)


async def _small_for(
    input: work.SmallIn,
    caller: Annotated[work.Caller, Depends(_caller)],
) -> work.SmallOut:
    return work.SmallOut(input.id, "n", 3)


async def _fresh_for(
    input: work.Filter,
    caller: Annotated[work.Caller, Depends(_caller)],
) -> work.Found:
    return work.Found(work.make_items(input.page), 50)


def public() -> FastAPI:
    app = FastAPI()
    app.post("/v1/small")(_small)
    app.post("/v1/fresh")(_fresh)
    return app


def bearer() -> FastAPI:
    app = FastAPI()
    app.post("/v1/small")(_small_for)
    app.post("/v1/fresh")(_fresh_for)
    return app
