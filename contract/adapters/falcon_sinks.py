"""
Sinks: what Falcon calls for a path of a mount.

Here and in `contract.adapters.falcon_fronts` stands all that is known of Falcon's private
attributes. It has no public way to set all headers of a response at once, to hand on the
``receive`` of a server, or to say what an app would do with a path. `tests.test_private_parts`
lists them, and names the release that has lost one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import falcon
import falcon.asgi

from contract.adapters.asgi_calls import AsgiIncoming, Receive, Scope
from contract.adapters.asgi_calls import path_of as path_in_scope
from contract.adapters.asgi_calls import respond as respond_on_loop
from contract.adapters.pool import Lanes
from contract.adapters.threads import respond as respond_here
from contract.adapters.wsgi_calls import WsgiIncoming
from contract.adapters.wsgi_calls import path_of as path_in_environ
from contract.call.message import JSON_HEADERS, Answered, Incoming, Streamed
from contract.call.service import Service

__all__ = ["FIRST", "RECEIVE", "asgi_sink", "matchers_of", "wsgi_sink"]

RECEIVE: Final = "contract.receive"
"""The key in a scope under which `Mount.asgi` hands on the server's own ``receive``."""

FIRST: Final[dict[str, Any]] = {"type": "http.request", "body": b"", "more_body": True}
"""Stands in for the first event, which Falcon awaits before any code of ours runs."""


def _apply(response: Answered, incoming: Incoming, resp: Any) -> None:
    # one update of the private dict costs a quarter of what setting each header by Falcon's method
    # does, and every name here is lower-case
    headers = resp._headers
    headers["x-request-id"] = incoming.request_id
    if isinstance(response, bytes):
        resp.status = "200 OK"  # middleware may have set another
        resp.data = response
        headers.update(JSON_HEADERS.mapping)
        return
    resp.status = response.status
    if isinstance(response, Streamed):
        resp.data, resp.stream = None, response.parts
    else:
        resp.data = response.body
    headers.update(response.fixed.mapping)
    if response.headers:
        headers.update(response.headers)


def matchers_of(app: object) -> list[object]:
    """
    What was given to ``add_sink`` to find paths, the last one first.

    `falcon.inspect` gives its text alone.
    """
    return [entry[0] for entry in cast("Any", app)._sinks]


def wsgi_sink(service: Service, lanes: Lanes) -> Callable[..., None]:
    """What a ``falcon.App`` calls."""

    def contract_mount(req: falcon.Request, resp: falcon.Response) -> None:
        path = _path_of(service, req.path, path_in_environ(req.env))
        incoming = WsgiIncoming(req.env, path, lambda _: req, lanes)
        _apply(respond_here(service, incoming), incoming, resp)

    return contract_mount


def asgi_sink(service: Service, lanes: Lanes) -> Callable[..., Any]:
    """What a ``falcon.asgi.App`` calls."""

    async def contract_mount(req: Any, resp: Any, ws: falcon.asgi.WebSocket | None = None) -> None:
        if ws is not None:
            return  # Falcon closes what nobody has accepted
        scope = cast("Scope", req.scope)
        if (
            type(scope["headers"]) is not list and iter(scope["headers"]) is scope["headers"]
        ):  # Falcon has used it up
            scope["headers"] = list(req._asgi_headers.items())
        begun = req._stream is not None
        receive = (
            _rest(req, service.options.max_body_bytes)
            if begun
            else scope.get(RECEIVE) or _events(req)
        )
        path = _path_of(service, req.path, path_in_scope(scope))
        incoming = AsgiIncoming(scope, path, lambda _: req, lanes, receive)
        _apply(await respond_on_loop(service, incoming), incoming, resp)

    return contract_mount


def _path_of(service: Service, path: str, sent: str) -> str:
    """
    *path* as Falcon has it, but for two things of what was *sent*.

    A slash behind it, which Falcon takes off where it is told to: without it, the page would be
    said to have moved to itself. And a slash that was sent as ``%2F``, which Falcon's server has
    decoded: it makes no route of what is none.
    """
    if "%2F" in sent:
        return sent
    return f"{path}/" if sent.endswith("/") and service.shows(f"{path}/") else path


# What Falcon has already taken from the server it keeps in private attributes of its request, which
# is why that is Any in what follows.


def _events(req: Any) -> Receive:
    """
    The events of the body, from the first, which Falcon has awaited.

    Its stream takes a client that goes away for the end.
    """
    first: Any = req._first_event

    async def receive() -> Any:
        nonlocal first
        event, first = first, None
        return await req._receive() if event is None else event

    return receive


def _rest(req: Any, limit: int) -> Receive:
    """What is left of the body in Falcon's own stream."""

    async def receive() -> Any:
        return {
            "type": "http.request",
            "body": await req.stream.read(limit + 1),
            "more_body": False,
        }

    return receive
