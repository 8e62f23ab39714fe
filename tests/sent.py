"""A spec that sends events, and messages of it, true and forged, for the tests of receivers."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from contract import event, route, spec
from contract.shape.signatures import signed_headers

SECRET, OTHER = (f"whsec_{b64encode(bytes([n]) * 32).decode()}" for n in (1, 2))


@dataclass(frozen=True)
class Shipped:
    order_id: str
    boxes: int = 1


shipped = event("order.shipped", Shipped, summary="An order has left")
gone = event("product.gone", str, summary="A product is gone")


@route(summary="Ping", tags=["t"], auth="none")
def ping(input: None, ctx: None) -> str:
    return "pong"


api = spec(routes=[ping], events=[shipped, gone])


def messages() -> Iterator[dict[str, Any]]:
    """Messages, each with what a receiver that has SECRET comes to: ok, unknown, wrong, unsigned."""
    sent = api.emit(shipped, Shipped("öl"), secrets=[SECRET])
    yield _message("ok", sent.body, dict(sent.headers))
    both = api.emit(gone, "p1", secrets=[OTHER, SECRET])
    yield _message("ok", both.body, {name.title(): value for name, value in both.headers.items()})
    yield _message("unsigned", sent.body + b" ", dict(sent.headers))
    yield _message("unsigned", sent.body, dict(both.headers))
    yield _message("unsigned", sent.body, {})
    yield _message("unsigned", sent.body, _signed(sent.body, OTHER))
    yield _message("unsigned", sent.body, _signed(sent.body, ago=400))
    yield _message("unsigned", sent.body, _signed(sent.body, ago=-400))
    for name, value in (
        ("webhook-id", "msg.1"),
        ("webhook-timestamp", "1e9"),
        ("webhook-signature", "v1,é"),
        ("webhook-signature", "v1,=="),
    ):
        yield _message("unsigned", sent.body, _signed(sent.body) | {name: value})
    for outcome, body in (
        ("unknown", b'{"type":"order.lost","data":{}}'),
        ("unknown", b'{"type":"toString"}'),
        ("unknown", b'{"type":3}'),
        ("wrong", b'{"type":"product.gone","timestamp":"2026-01-01T00:00:00Z"}'),
        ("wrong", b'{"type":"product.gone","timestamp":"yesterday","data":"p1"}'),
        ("ok", b'{"type":"product.gone","timestamp":"2026-01-01T00:00:00Z","data":"p","n":1}'),
        ("wrong", b"[]"),
        ("wrong", b"{"),
    ):
        yield _message(outcome, body, _signed(body))


def _signed(body: bytes, secret: str = SECRET, *, ago: int = 0) -> dict[str, str]:
    return signed_headers([secret], "msg_1", int(time.time()) - ago, body)


def _message(outcome: str, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
    return {"outcome": outcome, "body": body.decode(), "headers": headers, "secret": SECRET}
