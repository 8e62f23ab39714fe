"""Outcomes: what a resolver gives, returns and raises."""

from __future__ import annotations

from typing import Any

import orjson

from tests.wire.case import Case, call, error
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
    "unavailable, wait": (
        503,
        error("SERVICE_UNAVAILABLE", message="Later.", retry_after=30),
        "30",
    ),
    "undeclared": (500, INTERNAL, None),
}


def which(route: str, name: str) -> Any:
    return call(route, orjson.dumps({"which": name}))


FAILED = [
    Case(
        f"fail returns {name!r}",
        which("fail", name),
        status,
        body,
        {"retry-after": retry},
        ("fail",),
    )
    for name, (status, body, retry) in SENT.items()
]

SILENT = [
    Case(
        f"a failure that no annotation declares: {name!r}",
        which("fail.silently", name),
        status,
        body,
        ran=("fail.silently",),
    )
    for name, status, body in (
        ("sold out", 500, INTERNAL),
        ("undeclared", 500, INTERNAL),
        ("not found", 404, error("NOT_FOUND")),
        ("too many", 429, error("TOO_MANY_REQUESTS")),
    )
]

# a thousand frames take their time to be logged
QUICK = [name for name in MISBEHAVIOUR if name != "too deep"]

STACKS = frozenset({"service", "wsgi", "asgi", "bridge"})
"""One transport for each kind of place that a resolver may run in."""

RAISED = [
    *(
        Case(
            f"a resolver raises {name}", which("misbehave", name), 500, INTERNAL, ran=("misbehave",)
        )
        for name in QUICK
    ),
    Case(
        "a resolver goes too deep",
        which("misbehave", "too deep"),
        500,
        INTERNAL,
        ran=("misbehave",),
        on=STACKS,
        lanes=public,
    ),
    Case(
        "an input goes too deep",
        which("trap.post_init", "too deep"),
        500,
        INTERNAL,
        on=STACKS,
        lanes=public,
    ),
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
    *(Case(f"__post_init__ raises {name}", which("trap.post_init", name), 500, INTERNAL) for name in QUICK if name not in SHOWN),
    *(
        Case(f"__post_init__ refuses with {name}", which("trap.post_init", name), 400,
             error("VALIDATION_ERROR", issues=[{"path": path, "code": "invalid_value", "message": message}]))
        for name, (path, message) in SHOWN.items()
    ),
]  # fmt: skip

LAZY = [
    Case("a default factory that raises", call("trap.factory"), 500, INTERNAL),
    Case(
        "a default factory that is not needed",
        call("trap.factory", b'{"value":"x"}'),
        200,
        "x",
        ran=("trap.factory",),
    ),
]

WRONG = [
    *(
        Case(
            f"a resolver gives {name}",
            which("wrong.named", name),
            500,
            INTERNAL,
            ran=("wrong.named",),
        )
        for name in WRONG_NAMED
    ),
    *(
        Case(f"anything but {name}", which("wrong.any", name), 500, INTERNAL, ran=("wrong.any",))
        for name in WRONG_ANY
    ),
    *(
        Case(
            f"more than the type says, by a {name}",
            which("wider", name),
            200,
            {"name": "n", "age": 1},
            ran=("wider",),
        )
        for name in ("subclass", "stray attribute")
    ),
]

NOTICES = [
    Case("a deprecated route says so", call("old"), 200, None,
         {"deprecation": "@1772323200", "sunset": "Fri, 31 Dec 2027 00:00:00 GMT"}, ran=("old",)),
    Case("also when it refuses", call("old", b"1"), 400, ..., {"deprecation": "@1772323200", "sunset": "Fri, 31 Dec 2027 00:00:00 GMT"}),
    Case("others do not", call("ping"), 200, "pong", {"deprecation": None, "sunset": None}, ran=("ping",)),
]  # fmt: skip

ROWS = [*FAILED, *SILENT, *RAISED, *TRAPPED, *LAZY, *WRONG, *NOTICES]
