"""Credentials (RFC 6750): which are looked at, when, and what comes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.wire.case import Case, call, error
from tests.wire.exchange import ASGI, ON_LOOP, SERVERLESS, WSGI, RawRequest
from tests.wire.lanes import public, running
from tests.wire.rows_content import BIG
from tests.wire.rows_outcomes import INTERNAL, QUICK
from tests.wire.site import TOKEN

REALM = 'Bearer realm="The \\"wire\\""'
MISSING: dict[str, str | None] = {"www-authenticate": REALM}
INVALID: dict[str, str | None] = {"www-authenticate": REALM + ', error="invalid_token"'}
TOO_LONG: dict[str, str | None] = {
    "www-authenticate": f'{REALM}, error="invalid_token", error_description="The bearer token is longer than 4096 characters."'
}
NO_CHALLENGE: dict[str, str | None] = {"www-authenticate": None}
UNAUTHORIZED = error("UNAUTHORIZED")
REPEATED = error("BAD_REQUEST", message="Send the Authorization header once, with one token.")
HOOK = ("authenticate",)


def bearer(*values: str, route: str = "me", body: bytes = b"", **how: Any) -> RawRequest:
    return call(route, body, *(("Authorization", value) for value in values), **how)


def me(thread: str) -> dict[str, Any]:
    return {"user": "ada", "route": "me", "surface": "http", "thread": thread}


GOOD = [
    *(
        Case(f"takes {scheme.strip()!r}", bearer(f"{scheme}{TOKEN}"), 200, ..., NO_CHALLENGE, ran=("authenticate", "me"))
        for scheme in ("Bearer ", "bearer ", "BEARER ", "bEARER   ")
    ),
    *(
        Case(f"a resolver that is {kind} runs in {thread}", bearer(f"Bearer {TOKEN}"), 200, me(thread), ran=(*HOOK, "me"),
             on=on, lanes=lanes)
        for on, kind, lanes, thread in (
            (WSGI | SERVERLESS, "sync", running("sync", deadline=False), "MainThread"),
            (WSGI | SERVERLESS, "sync, with a deadline,", running("sync", deadline=True), "contract-resolver"),
            (ASGI | ON_LOOP, "sync", running("sync"), "contract-resolver"),
            (WSGI | ASGI | ON_LOOP | SERVERLESS, "inline", running("inline"), "MainThread"),
            (WSGI | SERVERLESS, "async", running("async"), "contract-async-resolvers"),
            (ASGI | ON_LOOP, "async", running("async"), "MainThread"),
        )
    ),
    Case("takes a token and a body", bearer(f"Bearer {TOKEN}", route="guarded", body=b'{"text":"x"}'), 200, ..., ran=(*HOOK, "guarded")),
]  # fmt: skip


UNUSED = [
    Case(name, bearer(token, route="ping"), 200, "pong", ran=("ping",), lanes=public)
    for name, token in (
        ("a public route has no use for a token", "Bearer none"),
        ("nor for a broken one", "Bearer a, Bearer b"),
    )
]

NONE = [
    Case("no header", call("me", b""), 401, UNAUTHORIZED, MISSING),
    *(
        Case(f"no bearer token: {value!r}", bearer(value), 401, UNAUTHORIZED, MISSING)
        for value in ("", "Basic YTpi", "Digest a=b", TOKEN, "Bearerx")
    ),
    Case("a token in the query", RawRequest(target=f"/v1/me?access_token={TOKEN}", headers=()), 401, UNAUTHORIZED, MISSING),
    Case("a token in the body", call("guarded", f'{{"access_token":"{TOKEN}"}}'.encode()), 401, UNAUTHORIZED, MISSING),
    Case("a token in a cookie", call("me", b"", ("Cookie", f"token={TOKEN}; Authorization=Bearer {TOKEN}")), 401, UNAUTHORIZED, MISSING),
    *(
        Case(f"a token in {header}", call("me", b"", (header, f"Bearer {TOKEN}")), 401, UNAUTHORIZED, MISSING)
        for header in ("X-Authorization", "Proxy-Authorization", "X-Api-Key")
    ),
    *(
        Case(f"a malformed token: {value[:30]!r}", bearer(value), 401, UNAUTHORIZED, INVALID)
        for value in (
            "Bearer", "Bearer ", "Bearer a b", "Bearer a=b", "Bearer =", "Bearer \xe4", "Bearer a\x00", "Bearer {}",
        )
    ),
    Case("a token that is too long", bearer("Bearer " + "a" * 4097), 401, UNAUTHORIZED, TOO_LONG),
    *(
        Case(f"repeated: {values}", bearer(*values), 400, REPEATED, NO_CHALLENGE)
        for values in (
            (f"Bearer {TOKEN}", f"Bearer {TOKEN}"), (f"Bearer {TOKEN}, Bearer x",),
            ("Basic YTpi", f"Bearer {TOKEN}"), (f"Bearer {TOKEN}", "Basic YTpi"),
        )
    ),
]  # fmt: skip

REFUSED = [
    Case("the hook gives None", bearer("Bearer none"), 401, UNAUTHORIZED, INVALID, HOOK),
    Case("the hook gives False", bearer("Bearer false"), 401, UNAUTHORIZED, INVALID, HOOK),
    Case("the hook says slow down", bearer("Bearer slow"), 429, error("TOO_MANY_REQUESTS", message="Slow down.", retry_after=9),
         NO_CHALLENGE | {"retry-after": "9"}, HOOK),
    Case("the hook says no", bearer("Bearer no"), 403, error("FORBIDDEN", message="Not you."), NO_CHALLENGE, HOOK),
    Case("the hook is down", bearer("Bearer down"), 503, error("SERVICE_UNAVAILABLE"), NO_CHALLENGE | {"retry-after": None}, HOOK),
    Case("the hook says not found", bearer("Bearer gone"), 404, error("NOT_FOUND"), NO_CHALLENGE, HOOK),
    Case("the hook gives a failure of a route", bearer("Bearer domain"), 500, INTERNAL, NO_CHALLENGE, HOOK),
    Case("the hook gives wrong data", bearer("Bearer wrong"), 500, INTERNAL, NO_CHALLENGE, HOOK),
    Case("the hook gives a coroutine", bearer("Bearer coroutine"), 500, INTERNAL, NO_CHALLENGE, HOOK),
    Case("the hook does not know the token", bearer("Bearer unknown"), 500, INTERNAL, NO_CHALLENGE, HOOK),
    *(
        Case(f"the hook raises {name}", bearer(f"Bearer {name.replace(' ', '_')}"), 500, INTERNAL, NO_CHALLENGE, HOOK)
        for name in QUICK
    ),
]  # fmt: skip

NOBODY = ("Authorization", "Bearer none")
GOOD_TOKEN = ("Authorization", f"Bearer {TOKEN}")


def unread(*headers: tuple[str, str], method: str = "POST", **how: Any) -> RawRequest:
    """A request of the guarded route that says nothing of its content."""
    return RawRequest(method, "/v1/guarded", headers, **how)


ORDER = [
    Case("404 before 405 and 401", RawRequest(method="GET", target="/v1/nope"), 404),
    Case("405 before 401", unread(NOBODY, method="GET"), 405),
    Case("401 before 413", call("guarded", BIG), 401),
    Case("401 of the hook before 413", call("guarded", BIG, NOBODY), 401, ran=HOOK),
    Case("401 before a wrong length", RawRequest(target="/v1/guarded", length="-1"), 401),
    Case("401 before 415", unread(("Content-Type", "text/plain"), body=b"x"), 401),
    Case("401 before 400", call("guarded", b"{"), 401),
    Case("401 before the body has arrived", call("guarded", b"{", length="9", ends="error"), 401),
    Case("429 before 413", bearer("Bearer slow", route="guarded", body=BIG), 429, ran=HOOK),
    Case("413 before 415", unread(GOOD_TOKEN, body=BIG), 413, ran=HOOK),
    Case("415 before 400", unread(GOOD_TOKEN, body=b"{"), 415, ran=HOOK),
    Case("400 before the resolver", call("guarded", b"{", GOOD_TOKEN), 400, ran=HOOK),
]

ROWS = [*UNUSED, *(replace(row, of_hook=True) for row in (*GOOD, *NONE, *REFUSED, *ORDER))]
