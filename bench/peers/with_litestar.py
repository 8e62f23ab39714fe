"""Litestar: dataclasses in and out by msgspec; bearer calls by its kind of middleware."""

from __future__ import annotations

from typing import Any

from litestar import Litestar, post
from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult

from bench import work

__all__ = ["bearer", "public"]


async def _small(data: work.SmallIn) -> work.SmallOut:
    return work.SmallOut(data.id, "n", 3)


async def _fresh(data: work.Filter) -> work.Found:
    return work.Found(work.make_items(data.page), 50)


class _Bearer(AbstractAuthenticationMiddleware):
    async def authenticate_request(self, connection: ASGIConnection) -> AuthenticationResult:
        caller = work.CALLERS.get(
            connection.headers.get("authorization", "").removeprefix("Bearer "),
        )
        if caller is None:
            raise NotAuthorizedException
        return AuthenticationResult(user=caller, auth=None)


def _app(**options: Any) -> Any:
    handlers = [
        post("/v1/small", status_code=200)(_small),
        post("/v1/fresh", status_code=200)(_fresh),
    ]
    return Litestar(route_handlers=handlers, openapi_config=None, **options)


def public() -> Any:
    return _app()


def bearer() -> Any:
    return _app(middleware=[_Bearer])
