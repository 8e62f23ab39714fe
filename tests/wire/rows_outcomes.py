"""Outcomes: what a resolver gives, returns and raises."""

from __future__ import annotations

from typing import Any

import orjson

from tests.wire.case import Case, call, error
from tests.wire.exchange import RawRequest
from tests.wire.lanes import public
from tests.wire.site import MISBEHAVIOUR, SAID, WRONG_ANY, WRONG_NAMED

INTERNAL = error("INTERNAL_ERROR")

SENT: dict[str, tuple[int, Any, str | None]] = {
    "sold out": (409, error("SOLD_OUT", restock_days=3), None),
    "sold out, wrong": (500, INTERNAL, None),
    "sold out, too small": (500, INTERNAL, None),
    "closed": (423, error("CLOSED"), None),
    "rare": (499, error("RARE_THING"), None),
    "rare, with a note": (499, error("RARE_THING", note="n"), None),
    "not found": (404, error("NOT_FOUND"), None),
    "not found, with a message": (404, error("NOT_FOUND", message="No such thing."), None),
    "forbidden": (403, error("FORBIDDEN", message="No.", description="Never."), None),
    "too many": (429, error("TOO_MANY_REQUESTS"), None),
    "too many, wait": (429, error("TOO_MANY_REQUESTS", title="Slow down", retry_after=7), "7"),
    "too many, do not wait": (429, error("TOO_MANY_REQUESTS", retry_after=0), "0"),
    "too many, wrong": (500, INTERNAL, None),
    "unavailable": (503, error("SERVICE_UNAVAILABLE"), None),
    "unavailable, wait": (503, error("SERVICE_UNAVAILABLE", message="Later.", retry_after=30), "30"),
    "undeclared": (500, INTERNAL, None),
}  # fmt: skip


def which(route: str, name: str) -> RawRequest:
    return call(route, orjson.dumps({"which": name}))


def broken(does: str, route: str, name: str, *ran: str, **where: Any) -> Case:
    """What is answered with a 500 that says nothing."""
    return Case(does, which(route, name), 500, INTERNAL, ran=ran, **where)


FAILED = [
    Case(f"fail returns {name!r}", which("fail", name), status, body, {"retry-after": retry}, ("fail",))
    for name, (status, body, retry) in SENT.items()
]  # fmt: skip

SILENTLY = "fail.silently"
SILENT = [
    Case(f"a failure that no annotation declares: {name!r}", which(SILENTLY, name), status, body, ran=(SILENTLY,))
    for name, status, body in (
        ("sold out", 500, INTERNAL),
        ("undeclared", 500, INTERNAL),
        ("not found", 404, error("NOT_FOUND")),
        ("too many", 429, error("TOO_MANY_REQUESTS")),
    )
]  # fmt: skip

# a thousand frames take their time to be logged
QUICK = [name for name in MISBEHAVIOUR if name != "too deep"]

STACKS = frozenset({"service", "wsgi", "asgi", "served", "loop"})
"""One transport for each kind of place that a resolver may run in."""

RAISED = [
    *(broken(f"a resolver raises {name}", "misbehave", name, "misbehave") for name in QUICK),
    broken(
        "a resolver goes too deep", "misbehave", "too deep", "misbehave", on=STACKS, lanes=public
    ),
    broken("an input goes too deep", "trap.post_init", "too deep", on=STACKS, lanes=public),
]

# how a __post_init__ refuses an input, in its own words or without any
SHOWN: dict[str, tuple[list[str], str]] = {
    "ValueError": ([], SAID),
    "AssertionError": ([], SAID),
    "InvalidInput": ([], SAID),
    "InvalidInput at a field": (["end"], SAID),
    "half a character": ([], "\ufffd"),
    "control characters": ([], "\x00\x1b[2J\r\n"),
    "a text that is too long": ([], (SAID * 100)[:200]),
    "a number that is none": ([], "Is not a valid value."),
}

TRAPPED = [
    *(broken(f"__post_init__ raises {name}", "trap.post_init", name) for name in QUICK if name not in SHOWN),
    *(
        Case(f"__post_init__ refuses with {name}", which("trap.post_init", name), 400,
             error("VALIDATION_ERROR", issues=[{"path": path, "code": "invalid_value", "message": message}]))
        for name, (path, message) in SHOWN.items()
    ),
]  # fmt: skip

FACTORY = "trap.factory"
LAZY = [
    Case("a default factory that raises", call(FACTORY), 500, INTERNAL),
    Case("a default factory that is not needed", call(FACTORY, b'{"value":"x"}'), 200, "x", ran=(FACTORY,)),
]  # fmt: skip

NARROW = {"name": "n", "age": 1}
WRONG = [
    *(broken(f"a resolver gives {name}", "wrong.named", name, "wrong.named") for name in WRONG_NAMED),
    *(broken(f"anything but {name}", "wrong.any", name, "wrong.any") for name in WRONG_ANY),
    *(
        Case(f"more than the type says, by a {name}", which("wider", name), 200, NARROW, ran=("wider",))
        for name in ("subclass", "stray attribute")
    ),
]  # fmt: skip

NOTICES = [
    Case("a deprecated route says so", call("old"), 200, None,
         {"deprecation": "@1772323200", "sunset": "Fri, 31 Dec 2027 00:00:00 GMT"}, ran=("old",)),
    Case("also when it refuses", call("old", b"1"), 400, ..., {"deprecation": "@1772323200", "sunset": "Fri, 31 Dec 2027 00:00:00 GMT"}),
    Case("not where there is no call of it", RawRequest("GET", "/v1/old"), 405, ..., {"deprecation": None, "sunset": None}),
    Case("others do not", call("ping"), 200, "pong", {"deprecation": None, "sunset": None}, ran=("ping",)),
]  # fmt: skip

ROWS = [*FAILED, *SILENT, *RAISED, *TRAPPED, *LAZY, *WRONG, *NOTICES]
