"""
Falcon with orjson and no validation: the floor of what Falcon can do.

"Tuned" has a dict for a router and reads the body of WSGI without Falcon's stream. "Marked" has a
middleware, which sets one header of each answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import falcon
import falcon.asgi
import orjson

from bench import work

__all__ = [
    "AsgiMark",
    "WsgiMark",
    "asgi",
    "asgi_bearer",
    "tuned_asgi",
    "tuned_asgi_bearer",
    "tuned_asgi_marked",
    "tuned_wsgi",
    "tuned_wsgi_bearer",
    "tuned_wsgi_marked",
    "wsgi",
    "wsgi_bearer",
]


class WsgiMark:
    """The middleware of a WSGI app."""

    def process_response(self, req: Any, resp: Any, resource: Any, req_succeeded: Any) -> None:
        resp.set_header("x-mark", "bench")


class AsgiMark:
    """The middleware of an ASGI app."""

    async def process_response(
        self,
        req: Any,
        resp: Any,
        resource: Any,
        req_succeeded: Any,
    ) -> None:
        resp.set_header("x-mark", "bench")


class _DictRouter:
    def __init__(self) -> None:
        self.routes: dict[str, Any] = {}

    def add_route(self, template: str, resource: object, **_: Any) -> None:
        methods = falcon.routing.map_http_methods(resource)
        self.routes[template] = (resource, methods, {}, template)

    def find(self, uri: str, req: Any = None) -> Any:
        return self.routes.get(uri)


def _small(data: Any) -> Any:
    return {"id": data["id"], "name": "n", "price": 3}


def _fresh(data: Any) -> Any:
    return work.Found(work.make_items(data["page"]), 50)


def _allow(authorization: str | None) -> None:
    scheme, _, token = (authorization or "").partition(" ")
    if scheme != "Bearer" or token not in work.CALLERS:
        raise falcon.HTTPUnauthorized


def _wsgi_resource(resolver: Callable[[Any], Any], *, tuned: bool, bearer: bool) -> object:
    class Plain:
        def on_post(self, req: Any, resp: Any) -> None:
            env = req.env
            if bearer:
                _allow(env.get("HTTP_AUTHORIZATION") if tuned else req.auth)
            if tuned:
                length = int(env["CONTENT_LENGTH"])
                body = env["wsgi.input"].read(length)
            else:
                body = req.bounded_stream.read()
            resp.content_type = "application/json"
            resp.data = orjson.dumps(resolver(orjson.loads(body)))

    return Plain()


def _asgi_resource(resolver: Callable[[Any], Any], *, bearer: bool) -> object:
    class Plain:
        async def on_post(self, req: Any, resp: Any) -> None:
            if bearer:
                _allow(req.auth)
            body = await req.stream.read()
            resp.content_type = "application/json"
            resp.data = orjson.dumps(resolver(orjson.loads(body)))

    return Plain()


def _wsgi(*, tuned: bool = False, bearer: bool = False, marked: bool = False) -> Any:
    app: Any = falcon.App(middleware=[WsgiMark()] if marked else None, **_router(tuned=tuned))
    app.add_route("/v1/small", _wsgi_resource(_small, tuned=tuned, bearer=bearer))
    app.add_route("/v1/fresh", _wsgi_resource(_fresh, tuned=tuned, bearer=bearer))
    return app


def _asgi(*, tuned: bool = False, bearer: bool = False, marked: bool = False) -> Any:
    app: Any = falcon.asgi.App(middleware=[AsgiMark()] if marked else None, **_router(tuned=tuned))
    app.add_route("/v1/small", _asgi_resource(_small, bearer=bearer))
    app.add_route("/v1/fresh", _asgi_resource(_fresh, bearer=bearer))
    return app


def _router(*, tuned: bool) -> dict[str, Any]:
    return {"router": _DictRouter()} if tuned else {}


wsgi: Final = partial(_wsgi)
wsgi_bearer: Final = partial(_wsgi, bearer=True)
tuned_wsgi: Final = partial(_wsgi, tuned=True)
tuned_wsgi_bearer: Final = partial(_wsgi, tuned=True, bearer=True)
tuned_wsgi_marked: Final = partial(_wsgi, tuned=True, marked=True)
asgi: Final = partial(_asgi)
asgi_bearer: Final = partial(_asgi, bearer=True)
tuned_asgi: Final = partial(_asgi, tuned=True)
tuned_asgi_bearer: Final = partial(_asgi, tuned=True, bearer=True)
tuned_asgi_marked: Final = partial(_asgi, tuned=True, marked=True)
