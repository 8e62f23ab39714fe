"""
Requests and answers in memory, for WSGI and ASGI callables: built before a burst, asked in it.

``check`` looks at what a contender answers before anything is timed: one that does less work than
the others is not a contender.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import orjson

from bench import work

__all__ = [
    "Answer",
    "Ask",
    "Interface",
    "WrongAnswerError",
    "ask_asgi",
    "ask_wsgi",
    "asker",
    "check",
    "environ",
    "run_asgi",
    "run_wsgi",
    "scope",
]

Interface = Literal["wsgi", "asgi"]

Answer = tuple[int, bytes]
"""Status and body."""

Ask = Callable[[str, bytes, Mapping[str, str]], Answer]
"""Sends a body to a path, with more headers, their names in lower case."""


class WrongAnswerError(Exception):
    """A contender does not do the work."""


def environ(path: str, body: bytes, more: Mapping[str, str] = {}) -> dict[str, Any]:
    """A request of WSGI to *path* below ``/v1/``."""
    made: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": f"/v1/{path}",
        "QUERY_STRING": "",
        "SERVER_NAME": "x",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": "application/json",
        "HTTP_HOST": "x",
        "HTTP_ACCEPT": "*/*",
        "HTTP_USER_AGENT": "bench",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": None,
        "wsgi.url_scheme": "http",
    }
    for name, value in more.items():
        made[f"HTTP_{name.upper().replace('-', '_')}"] = value
    return made


def scope(path: str, body: bytes, more: Mapping[str, str] = {}) -> dict[str, Any]:
    """A request of ASGI to *path* below ``/v1/``."""
    headers = {
        "host": "x",
        "accept": "*/*",
        "user-agent": "bench",
        "content-type": "application/json",
        "content-length": str(len(body)),
        **more,
    }
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": f"/v1/{path}",
        "raw_path": f"/v1/{path}".encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("x", 80),
        "state": {},
    }


def ask_wsgi(app: Any, path: str, body: bytes, more: Mapping[str, str]) -> Answer:
    """Ask a WSGI callable once."""
    seen: list[str] = []
    parts = app(environ(path, body, more), lambda status, *_: seen.append(status))
    return int(seen[0][:3]), b"".join(parts)


async def ask_asgi(app: Any, path: str, body: bytes, more: Mapping[str, str]) -> Answer:
    """Ask an ASGI callable once."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope(path, body, more), _receiver(body), send)
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent[1:])


def asker(app: Any, interface: Interface, loop: asyncio.AbstractEventLoop) -> Ask:
    """How to ask *app*, whichever its interface."""
    if interface == "wsgi":
        return lambda path, body, more: ask_wsgi(app, path, body, more)
    return lambda path, body, more: loop.run_until_complete(ask_asgi(app, path, body, more))


def run_wsgi(app: Any, environs: list[dict[str, Any]]) -> None:
    """Ask for each of *environs*, and take the whole answer, as a server does."""
    for each in environs:
        b"".join(app(each, _start_response))


async def run_asgi(app: Any, scopes: list[dict[str, Any]], body: bytes) -> None:
    """Ask for each of *scopes*."""
    receive = _receiver(body)
    for each in scopes:
        await app(each, receive, _send)


def _start_response(*_: Any) -> None:
    pass


async def _send(message: Any) -> None:
    pass


def _receiver(body: bytes) -> Any:
    event = {"type": "http.request", "body": body, "more_body": False}

    async def receive() -> Any:
        return event

    return receive


def check(ask: Ask, name: work.Work, *, bearer: bool, validates: bool) -> None:
    """
    See that a contender does the work *name*.

    Raises:
        WrongAnswerError: It answers something else, or takes what it should refuse.
    """
    allowed = {"authorization": f"Bearer {work.TOKEN}"} if bearer else {}
    status, body = ask(name, work.BODIES[name], allowed)
    if status != 200 or _read(body) != _EXPECTED[name]:
        raise WrongAnswerError(f"{name}: {status} {body[:300]!r}")
    if validates:
        _check_refused(
            ask(name, work.WRONG_BODIES[name], allowed),
            {400, 422},
            f"{name} with a wrong body",
        )
    if bearer:
        _check_refused(ask(name, work.BODIES[name], {}), {401, 403}, f"{name} without a token")
        _check_refused(
            ask(name, work.BODIES[name], {"authorization": "Bearer wrong"}),
            {401, 403},
            f"{name} with a wrong token",
        )


def _check_refused(answer: Answer, statuses: set[int], what: str) -> None:
    if answer[0] not in statuses:
        raise WrongAnswerError(f"{what}: {answer[0]} {answer[1][:300]!r}")


def _read(body: bytes) -> Any:
    """The value of *body*, with UTC written in one of the two ways that RFC 3339 has for it."""
    return orjson.loads(body.replace(b'T00:00:00Z"', b'T00:00:00+00:00"'))


_EXPECTED: Final[dict[work.Work, Any]] = {
    "small": {"id": "p1", "name": "n", "price": 3},
    "fresh": orjson.loads(orjson.dumps(work.Found(work.make_items(1), 50))),
}
