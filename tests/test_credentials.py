"""Credentials: which of them a call shows, and how it is refused without a good one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.call.bearer import MAX_TOKEN_BYTES
from contract.call.mount_options import Limits, Options
from contract.testing import AsyncClient, Client, Reply
from tests.tables import rows
from tests.three_ways import api, keyed
from tests.wire.exchange import Bare, RawRequest

HERE = {"host": "Shop.example:80", "origin": "http://shop.example"}
LONG = "a" * (MAX_TOKEN_BYTES + 1)
REALM = 'Bearer realm="Contract API"'
INVALID = f'{REALM}, error="invalid_token"'
Ask = Callable[[Any, Mapping[str, str]], Reply]


def by_thread(made: Any, headers: Mapping[str, str]) -> Reply:
    return Client(made).call("who", headers=headers)


def by_loop(made: Any, headers: Mapping[str, str]) -> Reply:
    return asyncio.run(AsyncClient(made).call("who", headers=headers))


@pytest.mark.parametrize("call", [by_thread, by_loop])
@rows(
    "headers, found, told",
    ({"authorization": "Bearer user"}, "who ada", None),
    ({"x-key": "robot"}, "who r2", None),
    ({"cookie": "sid=page", **HERE}, "who page", None),
    ({}, "UNAUTHORIZED", REALM),
    ({"authorization": "Bearer a b"}, "UNAUTHORIZED", INVALID),
    ({"authorization": "Bearer nobody"}, "UNAUTHORIZED", INVALID),
    ({"authorization": "Basic YTpi"}, "UNAUTHORIZED", REALM),
    ({"x-key": "a b"}, "UNAUTHORIZED", REALM),
    ({"x-key": LONG}, "UNAUTHORIZED", REALM),
    ({"x-key": "a,b"}, "BAD_REQUEST", None),
    ({"cookie": f"sid={LONG}", **HERE}, "UNAUTHORIZED", REALM),
    ({"cookie": "sid=page; sid=page", **HERE}, "BAD_REQUEST", None),
    ({"cookie": "sid=page", "x-key": "robot", **HERE}, "who r2", None),
    ({"cookie": "sid=page", "x-key": "robot", "authorization": "Bearer user"}, "BAD_REQUEST", None),
    ({"cookie": "sid=page", **HERE, "host": "evil.example"}, "FORBIDDEN", None),
    ({"cookie": "sid=page", **HERE, "host": "a b"}, "FORBIDDEN", None),
    ({"cookie": "sid=page"}, "FORBIDDEN", None),
)
def test_a_call_shows_one_credential(
    call: Ask, headers: dict[str, str], found: str, told: str | None
) -> None:
    reply = call(api, headers)

    assert (reply.error or reply.json, reply.headers.get("www-authenticate")) == (found, told)


@pytest.mark.parametrize("call", [by_thread, by_loop])
def test_a_token_is_nothing_where_keys_alone_are_taken(call: Ask) -> None:
    reply = call(keyed, {"authorization": "Bearer user"})

    told = 'ApiKey realm="Contract API", name="X-Key"'
    assert (reply.status, reply.headers["www-authenticate"]) == (401, told)


@rows(
    "headers, awaited",
    ((), False),
    ((("Authorization", "Bearer user"),), True),
    ((("X-Key", "robot"),), True),
    ((("Cookie", "sid=page"),), True),
    ((("X-Other", "robot"),), False),
)
def test_headers_tell_whether_a_credential_may_be_there(
    headers: tuple[tuple[str, str], ...], awaited: bool
) -> None:
    incoming = Bare(RawRequest(target="/v1/who", headers=headers), Lanes(Limits()))

    assert service_of(api, Options(prefix="/v1")).awaits(incoming) is awaited
