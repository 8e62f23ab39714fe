"""Webhooks: bodies that their senders sign, over every transport."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from standardwebhooks.webhooks import Webhook

from contract import Call, Failure, NotFound, Signed, current_call, hook, hooks, route, spec
from contract.shape.signatures import signed_headers
from tests.tables import rows
from tests.wire.exchange import JSON, RawRequest, Transport, serve

OLD, NEW, OTHER = (f"whsec_{b64encode(bytes([n]) * 32).decode()}" for n in (1, 2, 3))
BODY = b'{"id": "p1", "cents": 1250}'


@dataclass(frozen=True)
class Paid:
    id: str
    cents: int


class Seen(Failure, status=409):
    """A payment that is known."""


@hook
def first(call: Call[None]) -> NotFound | None:
    return NotFound() if "x-lost" in call.headers else None


@hook
def known(call: Call[None, Paid]) -> Seen | None:
    return Seen() if call.input.id == "known" else None


@route(summary="Paid", tags=["pay"], auth="none", signed=Signed([NEW, OLD]))
def paid(input: Paid, ctx: None) -> str:
    return f"{input.id} {current_call().headers['webhook-id']}"


@route(summary="Paid", tags=["pay"], auth="none", signed=Signed(lambda: [NEW]))
async def paid_later(input: Paid, ctx: None) -> str:
    return paid(input)


@route(summary="Paid", tags=["pay"], auth="none", signed=Signed([NEW]), hooks=hooks(first, known))
def paid_once(input: Paid, ctx: None) -> str:
    return paid(input)


@route(summary="Empty", tags=["pay"], auth="none", signed=Signed([NEW], tolerance=5))
def pinged(input: None, ctx: None) -> str:
    return "pong"


def nothing() -> list[str]:
    return []


@route(summary="Broken", tags=["pay"], auth="none", signed=Signed(nothing))
def broken(input: Paid, ctx: None) -> str:
    return "never"


SPEC = spec(routes=[paid, paid_later, paid_once, pinged, broken])
ROUTES = ("paid", "paid_later", "paid_once")


def sent(
    transport: Transport, name: str, headers: dict[str, str], body: bytes = BODY, **others: Any
) -> tuple[int, Any]:
    exchange = serve(transport, SPEC)
    kind = (JSON,) if body else ()
    found = exchange(RawRequest("POST", f"/v1/{name}", (*kind, *headers.items()), body, **others))
    return found.status, orjson.loads(found.body)


def signed(
    secrets: str = NEW, body: bytes = BODY, *, message_id: str = "msg_1", ago: float = 0
) -> dict[str, str]:
    return signed_headers(secrets.split(), message_id, int(time.time() - ago), body)


def refused(told: tuple[int, Any]) -> str:
    status, body = told
    assert (status, body["error"]) == (400, "BAD_REQUEST")
    return str(body["data"]["message"])


@rows("name", *ROUTES)
def test_a_signed_body_is_taken(transport: Transport, name: str) -> None:
    assert sent(transport, name, signed()) == (200, "p1 msg_1")
    assert sent(transport, name, signed(), part=5) == (200, "p1 msg_1")


def test_each_of_the_secrets_is_enough(transport: Transport) -> None:
    assert sent(transport, "paid", signed(OLD)) == (200, "p1 msg_1")
    assert sent(transport, "paid", signed(f"{OTHER} {OLD}")) == (200, "p1 msg_1")
    assert sent(transport, "paid_later", signed(OLD))[0] == 400


def test_what_other_libraries_sign_is_taken(transport: Transport) -> None:
    now = datetime.now(UTC)
    headers = {
        "webhook-id": "msg_2",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(NEW).sign("msg_2", now, BODY.decode()),
    }

    assert sent(transport, "paid", headers) == (200, "p1 msg_2")


def test_other_libraries_take_what_is_signed() -> None:
    assert Webhook(OLD).verify(BODY, signed(f"{NEW} {OLD}")) == {"id": "p1", "cents": 1250}


# made at each call: a signature grows old while other tests run
WRONG: dict[str, Callable[[], dict[str, str]]] = {
    "another secret": lambda: signed(OTHER),
    "another body": lambda: signed(body=BODY.replace(b"1250", b"9999")),
    "a space more": lambda: signed(body=BODY + b" "),
    "another id": lambda: signed() | {"webhook-id": "msg_9"},
    "another time": lambda: signed() | {"webhook-timestamp": str(int(time.time()) - 60)},
    "an empty one": lambda: signed() | {"webhook-signature": "v1,"},
    "none at all": lambda: signed() | {"webhook-signature": "v1"},
    "another version": lambda: (
        signed() | {"webhook-signature": signed()["webhook-signature"].replace("v1", "v2")}
    ),
    "no ASCII": lambda: signed() | {"webhook-signature": "v1,\xe9"},
    "too many": lambda: (
        signed() | {"webhook-signature": "v1,x " * 16 + signed()["webhook-signature"]}
    ),
}


@rows("name", *ROUTES)
@rows("wrong", *WRONG)
def test_a_signature_that_does_not_fit_is_refused(
    transport: Transport, name: str, wrong: str
) -> None:
    message = refused(sent(transport, name, WRONG[wrong]()))

    assert message == "webhook-signature does not fit the body, the id and the time."


def test_a_body_without_a_signature_is_told_what_to_send(transport: Transport) -> None:
    told = "This takes a signed body: send webhook-id, webhook-timestamp, webhook-signature."
    for missing in signed():
        headers = {name: value for name, value in signed().items() if name != missing}
        assert refused(sent(transport, "paid", headers)) == told
    assert refused(sent(transport, "paid", {})) == told


@rows(
    "headers",
    *({"webhook-id": wrong} for wrong in ("msg.1", "msg,1", "m" * 257)),
    *({"webhook-timestamp": wrong} for wrong in ("1.5", "-1", "now", "9" * 13)),
)
def test_an_id_and_a_time_have_one_form(transport: Transport, headers: dict[str, str]) -> None:
    told = "webhook-id or webhook-timestamp has another form than Standard Webhooks say."

    assert refused(sent(transport, "paid", signed() | headers)) == told


def test_an_old_message_is_refused(transport: Transport) -> None:
    told = "webhook-timestamp is more than {} seconds from now."

    assert refused(sent(transport, "paid", signed(ago=400))) == told.format(300)
    assert refused(sent(transport, "paid", signed(ago=-400))) == told.format(300)
    assert sent(transport, "paid", signed(ago=200))[0] == 200
    assert refused(sent(transport, "pinged", signed(body=b"", ago=60), b"")) == told.format(5)


def test_a_route_without_input_takes_an_empty_body(transport: Transport) -> None:
    assert sent(transport, "pinged", signed(body=b""), b"") == (200, "pong")
    assert sent(transport, "pinged", {}, b"")[0] == 400


@rows("name", *ROUTES)
def test_the_signature_comes_before_the_input(transport: Transport, name: str) -> None:
    wrong = b'{"id": 1}'

    assert "signature" in refused(sent(transport, name, signed(), wrong))
    status, body = sent(transport, name, signed(body=wrong), wrong)
    assert (status, body["error"]) == (400, "VALIDATION_ERROR")


def test_hooks_stand_around_the_signature(transport: Transport) -> None:
    twice = BODY.replace(b"p1", b"known")

    assert sent(transport, "paid_once", {"x-lost": "1"})[1]["error"] == "NOT_FOUND"
    assert "signature" in refused(sent(transport, "paid_once", signed(), twice))
    assert sent(transport, "paid_once", signed(body=twice), twice)[1] == {"error": "SEEN"}


def test_without_a_secret_nobody_is_let_in(
    transport: Transport, caplog: pytest.LogCaptureFixture
) -> None:
    assert sent(transport, "broken", signed()) == (500, {"error": "INTERNAL_ERROR"})
    assert "Signed.secrets: it is empty, so no signature could be valid" in caplog.text
