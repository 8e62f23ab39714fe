"""The spec that the table is run against: a route for everything that can go right or wrong."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from annotated_types import Ge, Len

from contract import Builtin, Deprecated, Failure, Meta, PublicRoute, Spec, route, routes, spec
from contract.call.context import current_call
from contract.declare.failures import Forbidden, NotFound, ServiceUnavailable, TooManyRequests
from contract.declare.hook import Call, Hook, Request, hook, hooks
from contract.shape.exceptions import InvalidInput
from contract.shape.markers import UNSET, Name, Unset

SECRET = "canary-of-the-inside"
"""Stands in exceptions and wrong values; must never be on the wire."""

TOKEN = "canary-of-the-token.A-Z_a~z+0/9=="
"""The good token; must never be on the wire, in a log, in a repr or in an event."""

R = TypeVar("R")

RAN: list[str] = []
"""The resolvers and hooks that ran, in order."""


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


class Closed(Failure, status=423):
    """The shop is closed."""


class Rare(Failure, status=499, code="RARE_THING"):
    """A status that http.HTTPStatus does not know."""

    note: str | Unset = UNSET


class Undeclared(Failure):
    """Never in an annotation."""

    secret: str = SECRET


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(Enum):
    ONE = 1
    TWO = 2


@dataclass(frozen=True)
class Echo:
    text: Annotated[str, Len(0, 2_000_000)] = ""
    number: int = 0
    real: float = 0.0
    flag: bool = False
    items: list[int] = field(default_factory=list)
    colour: Colour | None = None
    level: Level | None = None
    one: Literal[1] | None = None
    yes: Literal[True] | None = None
    day: date | None = None
    moment: datetime | None = None
    price: Decimal | None = None


@dataclass(frozen=True)
class Named:
    name: Annotated[str, Len(1, 20)]
    age: Annotated[int, Ge(0)]


@dataclass(frozen=True)
class Which:
    which: str


@dataclass(frozen=True)
class Who:
    user: str
    route: str
    surface: str
    thread: str


@dataclass(frozen=True)
class User:
    name: str


@route(summary="Echo", tags=["good"], auth="none")
def echo(input: Echo, ctx: None) -> Echo:
    RAN.append("echo")
    return input


@route(summary="Echo, async", tags=["good"], auth="none", name="echo.async")
async def echo_async(input: Echo, ctx: None) -> Echo:
    RAN.append("echo.async")
    await asyncio.sleep(0)
    return input


@route(summary="Required fields", tags=["good"], auth="none")
def named(input: Named, ctx: None) -> Named:
    RAN.append("named")
    return input


@route(summary="Anything", tags=["good"], auth="none")
def anything(input: Any, ctx: None) -> Any:
    RAN.append("anything")
    return input


@route(summary="No input", tags=["good"], auth="none")
def ping(input: None, ctx: None) -> str:
    RAN.append("ping")
    return "pong"


@route(summary="No output", tags=["good"], auth="none", name="no-output.silence")
def silence(input: None, ctx: None) -> None:
    RAN.append("no-output.silence")


OLD = Deprecated(since=date(2026, 3, 1), remove_on=date(2027, 12, 31))


@route(summary="Old", tags=["good"], auth="none", deprecated=OLD)
def old(input: None, ctx: None) -> None:
    RAN.append("old")


def who(ctx: User) -> Who:
    call = current_call()
    RAN.append(call.route)
    return Who(ctx.name, call.route, call.surface, threading.current_thread().name)


@route(summary="Who am I", tags=["good"])
def me(input: None, ctx: User) -> Who:
    return who(ctx)


@route(summary="Who am I, async", tags=["good"], name="me.async")
async def me_async(input: None, ctx: User) -> Who:
    await asyncio.sleep(0)
    return who(ctx)


@route(summary="Echo with a token", tags=["good"])
def guarded(input: Echo, ctx: User) -> Echo:
    RAN.append("guarded")
    return input


Failures = SoldOut | Closed | Rare | NotFound | Forbidden | TooManyRequests | ServiceUnavailable

FAILURES: dict[str, Failure] = {
    "sold out": SoldOut(restock_days=3),
    "sold out, wrong": SoldOut(restock_days=SECRET),  # type: ignore[arg-type]
    "sold out, too small": SoldOut(restock_days=-1),
    "closed": Closed(),
    "rare": Rare(),
    "rare, with a note": Rare(note="n"),
    "not found": NotFound(),
    "not found, with a message": NotFound(message="No such thing."),
    "forbidden": Forbidden(message="No.", description="Never."),
    "too many": TooManyRequests(),
    "too many, wait": TooManyRequests(title="Slow down", retry_after=7),
    "too many, do not wait": TooManyRequests(retry_after=0),
    "too many, wrong": TooManyRequests(retry_after=-1),
    "unavailable": ServiceUnavailable(),
    "unavailable, wait": ServiceUnavailable(message="Later.", retry_after=30),
    "undeclared": Undeclared(),
}


@route(summary="Fails", tags=["bad"], auth="none")
def fail(input: Which, ctx: None) -> str | Failures:
    RAN.append("fail")
    return FAILURES[input.which]  # type: ignore[return-value]


@route(summary="Fails without saying so", tags=["bad"], auth="none", name="fail.silently")
def fail_silently(input: Which, ctx: None) -> str:
    RAN.append("fail.silently")
    return FAILURES[input.which]  # type: ignore[return-value]


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError(SECRET)

    __repr__ = __str__


def recurse(depth: int) -> int:
    return recurse(depth + 1)


def raising(exception: BaseException) -> Callable[[], Any]:
    def misbehave() -> Any:
        raise exception.with_traceback(None)  # or it would carry that of every call before

    return misbehave


def raise_failure() -> Any:
    raise SoldOut(restock_days=1)  # type: ignore[misc]


RAISED: tuple[type[BaseException], ...] = (
    *(Exception, KeyError, ValueError, AssertionError, TimeoutError, KeyboardInterrupt),
    *(GeneratorExit, StopIteration, StopAsyncIteration, RecursionError, MemoryError),
)
MISBEHAVIOUR: dict[str, Callable[[], Any]] = {
    **{kind.__name__: raising(kind(SECRET)) for kind in RAISED},
    "SystemExit": raising(SystemExit(3)),
    "CancelledError": raising(asyncio.CancelledError(SECRET)),
    "ExceptionGroup": raising(ExceptionGroup(SECRET, [ValueError(SECRET)])),
    "BaseExceptionGroup": raising(BaseExceptionGroup(SECRET, [SystemExit(SECRET)])),
    "unprintable": raising(UnprintableError()),
    "a failure": raise_failure,
    "too deep": lambda: recurse(0),
}
"""What user code may do to us, by name."""


@route(summary="Misbehaves", tags=["bad"], auth="none")
def misbehave(input: Which, ctx: None) -> str:
    RAN.append("misbehave")
    return str(MISBEHAVIOUR[input.which]())


SAID = "The end is before the start."
"""What a validator says in its own words."""

WORDS: dict[str, Callable[[], Any]] = {
    "ValueError": raising(ValueError(SAID)),
    "AssertionError": raising(AssertionError(SAID)),
    "InvalidInput": raising(InvalidInput(SAID)),
    "InvalidInput at a field": raising(InvalidInput(SAID, "until")),
    "half a character": raising(ValueError("\ud800")),
    "control characters": raising(ValueError("\x00\x1b[2J\r\n")),
    "a text that is too long": raising(ValueError(SAID * 100)),
    "a number that is none": lambda: int(SECRET),
}
"""How a validator refuses an input."""


@dataclass(frozen=True)
class Trap:
    which: str
    until: Annotated[int, Name("end")] = 0

    def __post_init__(self) -> None:
        {**MISBEHAVIOUR, **WORDS}[self.which]()


@route(summary="Misbehaves in its input", tags=["bad"], auth="none", name="trap.post_init")
def trap(input: Trap, ctx: None) -> str:
    raise AssertionError("the input was taken")


def lazily() -> str:
    return str(MISBEHAVIOUR["SystemExit"]())


@dataclass(frozen=True)
class Lazy:
    value: str = field(default_factory=lazily)


@route(summary="Misbehaves in a default factory", tags=["bad"], auth="none", name="trap.factory")
def trap_factory(input: Lazy, ctx: None) -> str:
    RAN.append("trap.factory")
    return input.value


@dataclass(frozen=True)
class Sub(Named):
    secret: str = SECRET


def adorned() -> Named:
    plain = Named("n", 1)
    object.__setattr__(plain, "secret", SECRET)
    return plain


def cycle() -> Any:
    around: list[Any] = []
    around.append(around)
    return around


def deep() -> Any:
    value: Any = SECRET
    for _ in range(500):
        value = [value]
    return value


async def _never() -> str:
    raise AssertionError("awaited")


WRONG_NAMED: dict[str, Callable[[], Any]] = {
    "a string": lambda: SECRET,
    "None": lambda: None,
    "a dict": lambda: {"name": SECRET, "age": 1},
    "a field of another type": lambda: Named(SECRET, "1"),  # type: ignore[arg-type]
    "a bool for an int": lambda: Named("n", True),
    "too small": lambda: Named("n", -1),
    "too long": lambda: Named("n" * 21, 1),
    "65 bits": lambda: Named("n", 2**64),
    "a lone surrogate": lambda: Named("\ud800", 1),
    "a generator": lambda: (SECRET for _ in "x"),
    "an exception": lambda: ValueError(SECRET),
    "another class": lambda: Which(SECRET),
}
"""Values that are no `Named`."""

WRONG_ANY: dict[str, Callable[[], Any]] = {
    "NaN": lambda: float("nan"),
    "infinity": lambda: [float("inf")],
    "a lone surrogate": lambda: {"a": "\udfff"},
    "65 bits": lambda: 2**64,
    "a cycle": cycle,
    "500 levels": deep,
    "a set": lambda: {SECRET},
    "an object": object,
    "a key that is not a string": lambda: {1: SECRET},
    "bytes": lambda: b"x",
}
"""Values that are not JSON."""


@route(summary="Wrong", tags=["bad"], auth="none", name="wrong.named")
def wrong_named(input: Which, ctx: None) -> Named:
    RAN.append("wrong.named")
    found: Named = WRONG_NAMED[input.which]()
    return found


@route(summary="Wrong", tags=["bad"], auth="none", name="wrong.any")
def wrong_any(input: Which, ctx: None) -> Any:
    RAN.append("wrong.any")
    return WRONG_ANY[input.which]()


@route(summary="More than it says", tags=["good"], auth="none", name="wider")
def wider(input: Which, ctx: None) -> Named:
    RAN.append("wider")
    return Sub("n", 1) if input.which == "subclass" else adorned()


STOPPED: dict[str, Callable[[], Any]] = {
    "closed": Closed,
    "too many": lambda: TooManyRequests(message=threading.current_thread().name, retry_after=7),
    "wrong": lambda: TooManyRequests(retry_after=-1),
    "undeclared": Undeclared,
    "a builtin that is not declared": NotFound,
    "a failure of the resolver": lambda: SoldOut(restock_days=1),
    "the class": lambda: Closed,
    "true": lambda: True,
    "coroutine": _never,
    **MISBEHAVIOUR,
}
"""What a hook before a resolver does, by the header X-Early or X-Late."""

CALLS: list[tuple[str, str, str, object]] = []
"""What such hooks saw: their names, the route, the request id, and the context."""

PAST: ContextVar[str] = ContextVar("PAST", default="")
"""Set by such hooks, for those that run after them, and the resolver."""


def _stopped(name: str, call: Call[object, Any]) -> Any:
    RAN.append(name)
    CALLS.append((name, call.route, call.request_id, call.ctx))
    assert (call.request_id, call.route) == (current_call().request_id, current_call().route)
    assert TOKEN not in repr(call)
    PAST.set(f"{PAST.get()} {name}".lstrip())
    does = call.headers.get(name.split(".")[1])
    return None if does is None else STOPPED[does]()


def _hook(name: str) -> Hook[object]:
    """A hook before resolvers: its name is ``hook``, the header that it looks at, and its kind."""
    _, header, kind = name.split(".")
    of = Call[object] if header == "x-early" else Call[object, Echo]

    def stop(call: Any) -> Any:
        return _stopped(name, call)

    async def stop_later(call: Any) -> Any:
        await asyncio.sleep(0)
        return _stopped(name, call)

    made: Any = stop_later if kind == "async" else stop
    made.__annotations__ = {"call": of, "return": Closed | TooManyRequests | None}
    return hook(inline=True)(made) if kind == "inline" else hook(made)


def _stands(*names: str) -> Callable[[Callable[[Echo, None], R]], PublicRoute[Echo, R]]:
    """The decorator of a route behind the hooks of these *names*."""
    named = f"hooked.{names[0].rpartition('.')[2] if len(names) == 2 else 'mixed'}"
    before = hooks(*map(_hook, names))
    return route(summary="Behind hooks", tags=["hooks"], auth="none", name=named, hooks=before)


def hooked(input: Echo, ctx: None) -> str | SoldOut:
    RAN.append(current_call().route)
    return FAILURES.get(input.text, PAST.get())  # type: ignore[return-value]


MIXED = ("late.async", "early.sync", "early.async", "late.sync", "early.inline", "late.inline")
HOOKED_ROUTES = [
    *(
        _stands(f"hook.x-early.{kind}", f"hook.x-late.{kind}")(hooked)
        for kind in ("sync", "inline", "async")
    ),
    _stands(*(f"hook.x-{name}" for name in MIXED))(hooked),
]
"""The routes behind hooks of one kind, and that behind hooks of all."""

HOOKED: dict[str, Callable[[], Any]] = {
    TOKEN: lambda: User("ada"),
    "none": lambda: None,
    "false": lambda: False,
    "slow": lambda: TooManyRequests(message="Slow down.", retry_after=9),
    "no": lambda: Forbidden(message="Not you."),
    "down": ServiceUnavailable,
    "gone": NotFound,
    "domain": lambda: SoldOut(restock_days=1),
    "wrong": lambda: TooManyRequests(retry_after=-1),
    "coroutine": _never,
    **{name.replace(" ", "_"): does for name, does in MISBEHAVIOUR.items()},
}
"""What the hook does with a token."""


def authenticate(token: str, request: Request) -> User | Builtin | None:
    RAN.append("authenticate")
    assert TOKEN not in repr(request)
    found: User | Builtin | None = HOOKED[token]()
    return found


async def authenticate_async(token: str, request: Request) -> User | Builtin | None:
    RAN.append("authenticate")
    await asyncio.sleep(0)
    found: User | Builtin | None = HOOKED[token]()
    return found


ROUTES = routes(
    *HOOKED_ROUTES, echo, echo_async, named, anything, ping, silence, old, me, me_async, guarded, fail, fail_silently,
    misbehave, trap, trap_factory, wrong_named, wrong_any, wider,
)  # fmt: skip

META = Meta(title='The "wire"')


@cache
def make_site(*, async_hook: bool = False) -> Spec[User]:
    """The spec, with one hook or the other."""
    if async_hook:
        return spec(authenticate=authenticate_async, routes=ROUTES, meta=META)
    return spec(authenticate=authenticate, routes=ROUTES, meta=META)
