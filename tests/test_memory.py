"""Memory: a worker does not grow with the calls that it answers, whatever is sent."""

from __future__ import annotations

import gc
import io
import logging
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Any

from annotated_types import Ge, Len

from contract import CallEvent, NotFound, route, routes, spec
from contract.adapters.wsgi import WsgiApp
from contract.log import CALLS, CallHandler
from contract.service import Options, Service

CALLS_MADE = 20_000
TRACED = 4_000
"""The last of them: a call takes three times as long while what it allocates is traced."""
BYTES = 64 * 1024
"""That the heap may differ by after those: whoever costs sixteen bytes for good is seen."""
OBJECTS = 1_000
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
def logged_elsewhere() -> Iterator[None]:
    """As in a worker: a line for each call. In no fixture: what loggers say that are set apart before a test begins, pytest keeps."""
    handler = CallHandler(Sink())
    level = CALLS.level
    CALLS.addHandler(handler)
    CALLS.setLevel(logging.INFO)
    CALLS.propagate = False
    yield
    CALLS.propagate = True
    CALLS.setLevel(level)
    CALLS.removeHandler(handler)


def make(**options: Any) -> WsgiApp:
    made = route(summary="S", tags=["t"], auth="none")
    return WsgiApp(Service(spec(routes=routes(made(order))), Options(prefix="/v1", max_body_bytes=1000, **options)))


NUMBERS = count()
"""So that no two calls are alike, and whatever is kept for each is kept for all of them."""

PADDING = b"-" * 64
"""pydantic-core keeps the last 16,384 strings of fewer characters, which takes more calls to fill than there are here."""


def send(app: WsgiApp) -> None:
    """One call of each kind; the status says that it is of that kind."""
    number = next(NUMBERS)
    lengths = number % 50  # the last 1,024 are kept
    valid = b'{"lines":[{"product":"p","quantity":%d}],"note":"%d%b"}' % (number + 1, number, PADDING)
    invalid = b'{"lines":[{"product":"","quantity":-%d}],"%d%b":null}' % (number, number, PADDING)
    for path, body, length, expected in (
        ("/v1/order", valid, None, "200"),
        ("/v1/order", b'{"lines":[]}', None, "404"),
        ("/v1/order", invalid, None, "400"),
        ("/v1/order", b'{"%d' % number, None, "400"),
        (f"/v1/route{number}", b"", None, "404"),
        ("/v1/order", b"", 1001 + lengths, "413"),
        ("/v1/order", b"x" * 1001, -1, "413"),
        ("/v1/order", b"{}", f"1{lengths}x", "400"),
    ):
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": path,
            "QUERY_STRING": f"q={number}",
            "CONTENT_TYPE": "application/json",
            "HTTP_X_REQUEST_ID": f"id-{number}",
            f"HTTP_X_{number % 100}": "x",
            "REMOTE_ADDR": "192.0.2.7",
            "wsgi.input": io.BytesIO(body),
            "wsgi.input_terminated": True,
        }
        if length == -1:
            environ["HTTP_TRANSFER_ENCODING"] = "chunked"
        else:
            environ["CONTENT_LENGTH"] = str(len(body) if length is None else length)
        found: list[str] = []
        answer = b"".join(app(environ, lambda status, headers, found=found: found.append(status)))
        assert found[0][:3] == expected, (found, answer)


KINDS = 8


def objects() -> int:
    gc.collect()
    return len(gc.get_objects())


def growth(app: WsgiApp, calls: int) -> tuple[int, int]:
    """By how many bytes and objects more is in use after *calls*, begun when whatever has an end is full."""

    def send_many(calls: int) -> None:
        for _ in range(calls // KINDS):
            send(app)

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


def test_a_worker_does_not_grow() -> None:
    memory, more = growth(make(), CALLS_MADE)

    assert memory < BYTES
    assert more < OBJECTS


def test_growth_would_be_seen() -> None:
    """What keeps one small thing for each call is far beyond the bounds, in a quarter of the calls."""
    kept: list[CallEvent] = []
    memory, more = growth(make(on_call=kept.append), CALLS_MADE // 4)

    assert memory > 2 * BYTES
    assert more > 2 * OBJECTS
