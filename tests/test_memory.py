"""Memory: a worker does not grow with the calls that it answers, whatever is sent."""

from __future__ import annotations

import asyncio
import gc
import io
import logging
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Annotated, Any

from annotated_types import Ge, Len

from contract import CallEvent, NotFound, Request, route, routes, spec
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.log import CALLS, CallHandler
from contract.call.mount_options import Limits, Options
from contract.call.service import Service
from tests.tables import rows
from tests.wire import exchange

CALLS_MADE = 6_000
TRACED = 2_000
"""The last of them: a call takes three times as long while what it allocates is traced."""
BYTES = 32 * 1024
"""That the heap may differ by after those: whoever costs sixteen bytes for good is seen."""
OBJECTS = 300
"""The same, of objects that the garbage collector knows of, after all of them."""


@dataclass(frozen=True, slots=True)
class Line:
    product: Annotated[str, Len(1, 40)]
    quantity: Annotated[int, Ge(1)]


@dataclass(frozen=True, slots=True)
class Order:
    lines: list[Line]
    note: str | None = None


def order(input: Order, ctx: None) -> Order | NotFound:
    return input if input.lines else NotFound(message="There is nothing to order.")


class Sink(io.StringIO):
    """A log that goes somewhere else."""

    def write(self, text: str) -> int:
        return len(text)


@contextmanager
def logged_elsewhere() -> Iterator[CallHandler]:
    """
    As in a worker: a line for each call.

    In no fixture: what loggers say that are set apart before a test begins, pytest keeps.
    """
    handler = CallHandler(Sink())
    level = CALLS.level
    CALLS.addHandler(handler)
    CALLS.setLevel(logging.INFO)
    CALLS.propagate = False
    yield handler
    CALLS.propagate = True
    CALLS.setLevel(level)
    CALLS.removeHandler(handler)


def mine(input: None, ctx: str) -> str:
    return ctx


async def later(input: None, ctx: str) -> str:
    await asyncio.sleep(0)
    return ctx


def who(token: str, request: Request) -> str | None:
    return token if request.headers["host"] else None


def make(**options: Any) -> Service:
    public = route(summary="S", tags=["t"], auth="none", mcp=True)
    bearer = route(summary="S", tags=["t"])
    api = spec(authenticate=who, routes=routes(public(order), bearer(mine), bearer(later)))
    return service_of(api, Options(prefix="/v1", max_body_bytes=1000, **options))


NUMBERS = count()
"""So that no two calls are alike, and whatever is kept for each is kept for all of them."""

PADDING = b"-" * 64
"""
pydantic-core keeps the last 16,384 strings of fewer characters, which takes more calls to fill than
there are here.
"""


def send(ask: exchange.Exchange) -> None:
    """One call of each kind; the status says that it is of that kind."""
    number = next(NUMBERS)
    lengths = number % 50  # the last 1,024 are kept
    lines, note = b'[{"product":"p","quantity":%d}]' % (number + 1), b"%d%b" % (number, PADDING)
    valid = b'{"lines":%b,"note":"%b"}' % (lines, note)
    invalid = b'{"lines":[{"product":"","quantity":-%d}],"%b":null}' % (number, note)
    called = b'{"name":"order","arguments":%b}' % valid
    message = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%b}' % (number, called)
    own = (("X-Request-Id", f"id-{number}"), (f"X-{number % 100}", "x"), ("Accept", "*/*"))
    token = ("Authorization", f"Bearer t{lengths}")  # the last 1,000 are known
    sent = exchange.RawRequest(target=f"/v1/order?q={number}", headers=(*own, exchange.JSON))
    for request, expected in (
        (replace(sent, body=valid), 200),
        (replace(sent, body=b'{"lines":[]}'), 404),
        (replace(sent, body=invalid), 400),
        (replace(sent, body=b'{"%d' % number), 400),
        (replace(sent, target=f"/v1/route{number}"), 404),
        (replace(sent, length=str(1001 + lengths)), 413),
        (replace(sent, body=b"x" * 1001, chunked=True), 413),
        (replace(sent, body=b"{}", length=f"1{lengths}x"), 400),
        (replace(sent, target="/v1/mine", headers=(*own, exchange.JSON, token), body=b"null"), 200),
        (replace(sent, target="/v1/mine"), 401),
        (replace(sent, target="/v1/later", headers=(*own, exchange.JSON, token)), 200),
        (replace(sent, target="/v1/mcp", body=message), 200),
    ):
        answer = ask(request)
        assert answer.status == expected, answer


KINDS = 12


def objects() -> int:
    gc.collect()
    return len(gc.get_objects())


def growth(ask: exchange.Exchange, calls: int) -> tuple[int, int]:
    """By how many bytes and objects more is in use after *calls*, begun when whatever has an end is full."""

    def send_many(calls: int) -> None:
        for _ in range(calls // KINDS):
            send(ask)

    with logged_elsewhere():
        send_many(2_000)
        before = objects()
        send_many(calls - TRACED)
        tracemalloc.start()
        try:
            send_many(400)
            gc.collect()
            memory = tracemalloc.get_traced_memory()[0]
            send_many(TRACED)
            after = objects()
            return tracemalloc.get_traced_memory()[0] - memory, after - before
        finally:
            tracemalloc.stop()


@rows(
    "ask, calls",
    (exchange.through_wsgi(WsgiApp(make())), CALLS_MADE),
    (exchange.through_asgi(AsgiApp(make())), TRACED),
    (exchange.through_server(WsgiApp(make())), TRACED),
    (exchange.through_wsgi(WsgiApp(make(limits=Limits(deadline_seconds=60.0)))), TRACED),
    (exchange.through_asgi(AsgiApp(make(limits=Limits(deadline_seconds=60.0)))), TRACED),
    ids=["wsgi", "asgi", "server", "wsgi with a deadline", "asgi with a deadline"],
)
def test_a_worker_does_not_grow(ask: exchange.Exchange, calls: int) -> None:
    memory, more = growth(ask, calls)

    assert memory < BYTES
    assert more < OBJECTS


def test_growth_would_be_seen() -> None:
    """What keeps one small thing for each call is far beyond the bounds, in fewer calls."""
    kept: list[CallEvent] = []
    memory, more = growth(
        exchange.through_wsgi(WsgiApp(make(on_call=kept.append))), CALLS_MADE // 3
    )

    assert memory > 2 * BYTES
    assert more > 2 * OBJECTS
