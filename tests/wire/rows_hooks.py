"""Hooks before resolvers: when they run, where, and what comes of what they return."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.wire.case import NOT_JSON, Case, call, error, issues
from tests.wire.exchange import ASGI, IN_THREADS, ON_LOOP, SERVERLESS, WSGI, RawRequest
from tests.wire.lanes import Lane, guarded
from tests.wire.rows_auth import MISSING, UNAUTHORIZED, bearer
from tests.wire.rows_content import BIG
from tests.wire.rows_outcomes import INTERNAL, QUICK
from tests.wire.site import TOKEN

KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    kind: ((f"hook.x-early.{kind}",), (f"hook.x-late.{kind}",))
    for kind in ("sync", "inline", "async")
} | {
    "mixed": (
        ("hook.x-early.sync", "hook.x-early.async", "hook.x-early.inline"),
        ("hook.x-late.async", "hook.x-late.sync", "hook.x-late.inline"),
    )
}
"""The kind of the hooks before a route -> those without the input, and those with it."""

GOOD = b'{"text":"x"}'
CLOSED = error("CLOSED")
NONE: dict[str, str | None] = {"www-authenticate": None}


WRONG = ("wrong", "undeclared", "a failure of the resolver", "the class", "true", "coroutine")
"""What is answered with 500."""


OFTEN = ("wrong", "undeclared", "KeyError")
"""Those of it that hooks of every kind are tried with."""


def hooked(kind: str, body: bytes = GOOD, /, **gives: str) -> RawRequest:
    """A call in which hooks, the early or the late ones, give what is named."""
    headers = [(f"X-{where.title()}", what) for where, what in gives.items()]
    return call(f"hooked.{kind}", body, *headers)


def given(kind: str, where: str, *what: str, status: int = 500, body: Any = INTERNAL) -> list[Case]:
    """What comes of it where a hook of this *kind* gives that."""
    early, late = KINDS[kind]
    ran = early[:1] if where == "early" else (*early, *late[:1])
    return [
        Case(f"{kind}: {where} hook gives {each!r}", hooked(kind, **{where: each}), status, body, NONE, ran)
        for each in what
    ]  # fmt: skip


def too_many(thread: Any) -> dict[str, Any]:
    return error("TOO_MANY_REQUESTS", message=thread, retry_after=7)


def rows_of(kind: str) -> list[Case]:
    early, late = KINDS[kind]
    every = (*early, *late)
    first, third = early[:1], (*early, *late[:1])
    name = f"hooked.{kind}"
    passed = " ".join(every)
    plain = (("Content-Type", "text/plain"),)
    closed_plain = RawRequest(
        target=f"/v1/{name}", headers=(*plain, ("X-Early", "closed")), body=b"x"
    )
    both = hooked(kind, early="too many", late="closed")
    told = {"retry-after": "7"}
    not_text = issues((["text"], "string_type"))
    good = call(name, GOOD, ("Authorization", f"Bearer {TOKEN}"), ("X-Early", "closed"))
    of_hook: Any = {"lanes": guarded, "of_hook": True}
    return [
        Case(f"{kind} hooks let a call in", hooked(kind), 200, passed, NONE, (*every, name)),
        Case(f"{kind} hooks and no input", hooked(kind, b""), 200, passed, NONE, (*every, name)),
        Case(f"{kind}: early", hooked(kind, early="closed"), 423, CLOSED, NONE, first),
        Case(f"{kind}: late", hooked(kind, late="closed"), 423, CLOSED, NONE, third),
        Case(f"{kind}: the first of them counts", both, 429, too_many(...), told, first),
        Case(f"{kind}: a body that is not JSON after an early hook", hooked(kind, b"{", late="closed"), 400, NOT_JSON, NONE, early),
        Case(f"{kind}: an input that is none before a late hook", hooked(kind, b'{"text":1}', late="closed"), 400, not_text, NONE, early),
        Case(f"{kind}: early before 400", hooked(kind, b"{", early="closed"), 423, CLOSED, ran=first),
        Case(f"{kind}: early before 413", hooked(kind, BIG, early="closed"), 423, CLOSED, ran=first),
        Case(f"{kind}: 413 after early", hooked(kind, BIG, late="closed"), 413, ran=early),
        Case(f"{kind}: early before 415", closed_plain, 423, CLOSED, ran=first),
        Case(f"{kind}: 415 after early", replace(closed_plain, headers=plain), 415, ran=early),
        Case(f"{kind}: 401 before early", hooked(kind, early="closed"), 401, UNAUTHORIZED, MISSING, **of_hook),
        Case(f"{kind}: 401 of authenticate before early", bearer("Bearer none", route=name, body=GOOD), 401, UNAUTHORIZED, ran=("authenticate",), **of_hook),
        Case(f"{kind}: early after a good token", good, 423, CLOSED, NONE, ("authenticate", *first), **of_hook),
        Case(f"{kind}: 405 before early", RawRequest(method="GET", target=f"/v1/{name}"), 405),
        *given(kind, "early", *OFTEN),
        *given(kind, "late", *OFTEN),
        Case(f"{kind}: the resolver may not return what only hooks declare", hooked(kind, b'{"text":"closed"}'), 500, INTERNAL, ran=(*every, name)),
        Case(f"{kind}: the resolver returns its own failure", hooked(kind, b'{"text":"sold out"}'), 409, error("SOLD_OUT", restock_days=3), ran=(*every, name)),
    ]  # fmt: skip


def with_deadline(lane: Lane) -> bool:
    return lane.deadline


def without_deadline(lane: Lane) -> bool:
    return not lane.deadline


THREADS = [
    Case(
        f"a hook of the kind {kind} runs in {thread}, {where} ({'with' if lanes is with_deadline else 'without'} a deadline)",
        hooked(kind, **{where: "too many"}),
        429,
        too_many(thread),
        ran=KINDS[kind][0] + (KINDS[kind][1] if where == "late" else ()),
        on=on,
        lanes=lanes,
    )
    for on, kind, lanes, thread in (
        (WSGI | SERVERLESS, "sync", without_deadline, "MainThread"),
        (IN_THREADS, "sync", without_deadline, "contract-call"),
        (WSGI | SERVERLESS | IN_THREADS, "sync", with_deadline, "contract-resolver"),
        (ASGI | ON_LOOP, "sync", without_deadline, "contract-resolver"),
        (ASGI | ON_LOOP, "sync", with_deadline, "contract-resolver"),
        (WSGI | SERVERLESS, "inline", without_deadline, "MainThread"),
        (IN_THREADS, "inline", without_deadline, "contract-call"),
        (WSGI | SERVERLESS | IN_THREADS, "async", without_deadline, "contract-async-resolvers"),
        (WSGI | SERVERLESS | IN_THREADS, "async", with_deadline, "contract-async-resolvers"),
        (ASGI | ON_LOOP, "async", without_deadline, "MainThread"),
        (ASGI | ON_LOOP, "async", with_deadline, "MainThread"),
    )
    for where in ("early", "late")
]

GIVEN = [
    case
    for kind, where in (("sync", "early"), ("async", "late"))
    for case in (
        *given(kind, where, *(each for each in (*WRONG, *QUICK) if each not in OFTEN)),
        *given(kind, where, "a builtin that is not declared", status=404, body=error("NOT_FOUND")),
    )
]

ROWS = [*(case for kind in KINDS for case in rows_of(kind)), *GIVEN, *THREADS]
