"""Dispatch: the flow of one call, driven by hand."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum, IntEnum
from typing import Annotated, Any

import orjson
import pytest
from annotated_types import Ge

from contract import (
    Builtin,
    Deprecated,
    Failure,
    Forbidden,
    NotFound,
    Request,
    ServiceUnavailable,
    Spec,
    TooManyRequests,
    route,
    routes,
    spec,
)
from contract.call import Flow, Outcome, Raised, Reply, Run, Value
from contract.dispatch import Bound, ErrorMapper, Refused, authenticate, bind, failed, invoke, invoke_now
from contract.errors import FRAMEWORK


class SoldOut(Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


class Closed(Failure, status=423):
    """The shop is closed."""


class Undeclared(Failure):
    """In no annotation."""


class Awaitable:
    def __await__(self) -> Any:
        raise NotImplementedError


@dataclass(frozen=True)
class Order:
    product: str


@dataclass(frozen=True)
class Trap:
    value: int

    def __post_init__(self) -> None:
        raise SystemExit(3)


def bound_of(resolver: Callable[[Any, Any], Any], *, map_error: ErrorMapper | None = None, **options: Any) -> Bound:
    made = route(summary="S", tags=["t"], auth="none", name="r", **options)(resolver)
    return bind(spec(routes=routes(made)), map_error=map_error)["r"]


def drive(flow: Flow[Any], *outcomes: Outcome) -> Any:
    """What *flow* comes to; each step is run where no outcome is given for it."""
    given = list(outcomes)
    outcome: Outcome | None = None
    try:
        while True:
            step = next(flow) if outcome is None else flow.send(outcome)
            assert isinstance(step, Run)
            outcome = given.pop(0) if given else Value(step.fn(*step.args))
    except StopIteration as stop:
        assert not given
        return stop.value


def make_request() -> Request:
    return Request("POST", "/r")


def call(bound: Bound, body: bytes = b"", *outcomes: Outcome) -> Reply:
    reply: Reply = drive(invoke(bound, body, None, make_request, "id"), *outcomes)
    return reply


def told(reply: Reply) -> tuple[int, Any]:
    return reply.status, orjson.loads(reply.body)


INTERNAL = (500, {"error": "INTERNAL_ERROR"})


@pytest.mark.parametrize("code", [*FRAMEWORK, "SERVICE_UNAVAILABLE"])
def test_every_framework_code_has_its_status(code: str) -> None:
    reply = failed(code, (("a", "b"),), message="m")

    assert told(reply) == (503 if code == "SERVICE_UNAVAILABLE" else FRAMEWORK[code].status, {"error": code, "data": {"message": "m"}})
    assert (reply.code, reply.headers, reply.exception) == (code, (("a", "b"),), None)
    assert orjson.loads(failed(code).body) == {"error": code}


def test_an_input_becomes_an_output() -> None:
    def order(input: Order, ctx: None) -> Order:
        return Order(input.product * 2)

    assert told(call(bound_of(order), b'{"product":"x"}')) == (200, {"product": "xx"})


def test_an_async_resolver_is_a_step_of_its_own() -> None:
    async def order(input: Order, ctx: None) -> Order:
        raise AssertionError

    flow = invoke(bound_of(order), b'{"product":"x"}', "ctx", make_request, "id")
    step = next(flow)

    assert isinstance(step, Run)
    assert step.is_async
    assert step.args == (Order("x"), "ctx")
    with pytest.raises(StopIteration) as stop:
        flow.send(Value(Order("y")))
    assert told(stop.value.value) == (200, {"product": "y"})


def test_an_output_of_an_async_resolver_is_checked_no_less() -> None:
    async def order(input: Order, ctx: None) -> Order:
        raise AssertionError

    assert told(call(bound_of(order), b'{"product":"x"}', Value("x"))) == INTERNAL
    assert told(call(bound_of(order), b'{"product":"x"}', Value(Undeclared()))) == INTERNAL


async def nothing(input: None, ctx: None) -> None:
    """Never called: its outcomes are made up."""


@pytest.mark.parametrize("is_async", [False, True])
def test_a_refused_input_runs_nothing(is_async: bool) -> None:
    def order(input: Order, ctx: None) -> None:
        raise AssertionError

    async def order_async(input: Order, ctx: None) -> None:
        raise AssertionError

    reply = call(bound_of(order_async if is_async else order), b'{"product":1}')

    status, body = told(reply)
    assert (status, body["error"]) == (400, "VALIDATION_ERROR")
    assert [(issue["path"], issue["code"]) for issue in body["data"]["issues"]] == [(["product"], "string_type")]


def test_more_issues_than_are_told_are_hinted_at() -> None:
    def many(input: list[int], ctx: None) -> None:
        raise AssertionError

    status, body = told(call(bound_of(many), b"[" + b",".join([b"null"] * 30) + b"]"))

    assert status == 400
    assert len(body["data"]["issues"]) == 20
    assert body["data"]["truncated"] is True


@pytest.mark.parametrize("body", [b"", b"null", b"{}"])
def test_a_route_without_input_takes_nothing(body: bytes) -> None:
    def ping(input: None, ctx: None) -> str:
        assert input is None
        return "pong"

    assert told(call(bound_of(ping), body)) == (200, "pong")


@pytest.mark.parametrize("body", [b'{"a":1}', b"1", b"x"])
def test_a_route_without_input_takes_nothing_else(body: bytes) -> None:
    def ping(input: None, ctx: None) -> str:
        raise AssertionError

    assert call(bound_of(ping), body).status == 400


def test_what_reading_an_input_raises_is_a_500(caplog: pytest.LogCaptureFixture) -> None:
    def trap(input: Trap, ctx: None) -> None:
        raise AssertionError

    assert told(call(bound_of(trap), b'{"value":1}')) == INTERNAL
    assert "reading the input raised [route r, request id]" in caplog.text


def fails(failure: object) -> Bound:
    def resolver(input: None, ctx: None) -> str | SoldOut | Closed | NotFound:
        return failure  # type: ignore[return-value]

    return bound_of(resolver)


@pytest.mark.parametrize(
    ("failure", "status", "body", "headers"),
    [
        (SoldOut(restock_days=3), 409, {"error": "SOLD_OUT", "data": {"restock_days": 3}}, ()),
        (Closed(), 423, {"error": "CLOSED"}, ()),
        (NotFound(), 404, {"error": "NOT_FOUND"}, ()),
        (NotFound(message="m"), 404, {"error": "NOT_FOUND", "data": {"message": "m"}}, ()),
        (Forbidden(), 403, {"error": "FORBIDDEN"}, ()),
        (TooManyRequests(), 429, {"error": "TOO_MANY_REQUESTS"}, ()),
        (TooManyRequests(retry_after=0), 429, {"error": "TOO_MANY_REQUESTS", "data": {"retry_after": 0}}, (("retry-after", "0"),)),
        (ServiceUnavailable(retry_after=7), 503, {"error": "SERVICE_UNAVAILABLE", "data": {"retry_after": 7}}, (("retry-after", "7"),)),
    ],
)
def test_a_failure_arrives_as_its_code(failure: Failure, status: int, body: Any, headers: Any) -> None:
    reply = call(fails(failure))

    assert told(reply) == (status, body)
    assert (reply.code, reply.headers) == (body["error"], headers)


class Seconds(int):
    def __str__(self) -> str:
        return "1\r\nSet-Cookie: a=b"

    __repr__ = __format__ = __index__ = __int__ = __str__  # type: ignore[assignment]


class Wait(IntEnum):
    SHORT = 5


class Pause(int, Enum):
    LONG = 7

    __str__ = Enum.__str__


@pytest.mark.parametrize(("seconds", "sent"), [(Seconds(3), "3"), (Wait.SHORT, "5"), (Pause.LONG, "7")])
def test_a_number_is_sent_whatever_its_class_says_of_it(seconds: int, sent: str) -> None:
    reply = call(fails(TooManyRequests(retry_after=seconds)))

    assert told(reply) == (429, {"error": "TOO_MANY_REQUESTS", "data": {"retry_after": int(sent)}})
    assert reply.headers == (("retry-after", sent),)


@pytest.mark.parametrize(
    ("result", "logged"),
    [
        (Undeclared(), "the resolver returned an Undeclared, and its annotation declares DECLARED"),
        (SoldOut(restock_days=-1), "the data of the returned SoldOut do not fit what it declares: restock_days: "),
        (SoldOut(restock_days="x"), "the data of the returned SoldOut do not fit what it declares: restock_days: expected int"),  # type: ignore[arg-type]
        (3, "the resolver declares DECLARED, and returned an int; (value): expected str, found int"),
        (None, "the resolver returned None, and declares DECLARED; is a return missing?"),
        (NotFound, "the resolver declares DECLARED, and returned the class NotFound; write NotFound(); (value): expected str"),
        (str, "the resolver declares DECLARED, and returned a type; (value): expected str"),
        (Awaitable(), "the resolver declares DECLARED, and returned an Awaitable; await it; (value): expected str"),
    ],
)
def test_what_was_not_declared_is_a_500_and_the_log_says_what_came_and_where(
    result: object, logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert told(call(fails(result))) == INTERNAL
    [record] = caplog.records
    message = record.getMessage()
    assert message.startswith(logged.replace("DECLARED", "str | SoldOut | Closed | NotFound"))
    assert "test_dispatch.fails.<locals>.resolver, " in message
    assert re.search(r"test_dispatch\.py:[0-9]+\) \[route r, request id\]$", message)


def test_a_class_with_a_mind_of_its_own_is_a_500_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    class Meta(type):
        def __getattr__(cls, name: str) -> Any:
            raise SystemExit(3)

    class Odd(metaclass=Meta):
        pass

    class Nameless:
        pass

    Nameless.__name__ = ""
    assert told(call(fails(Odd()))) == INTERNAL
    assert "the returned value does not fit its declared type: (value): expected str, found Odd (" in caplog.text
    assert told(call(fails(Nameless()))) == INTERNAL
    _, reply = ask(gives(Odd()))
    assert reply is not None
    assert told(reply) == INTERNAL
    assert "the authenticate hook returned an Odd, and declares none (" in caplog.text


def test_an_annotation_that_cannot_be_resolved_any_more_is_told_as_it_was_written(caplog: pytest.LogCaptureFixture) -> None:
    class Local(Failure):
        """Known in this function alone."""

    def resolver(input: None, ctx: None) -> str | Local:
        return None  # type: ignore[return-value]

    made = route(summary="S", tags=["t"], auth="none")(resolver)
    assert told(call(bind(spec(routes=routes(made)))["resolver"])) == INTERNAL
    assert "the resolver returned None, and declares str | Local; is a return missing?" in caplog.text


def test_an_output_that_cannot_be_looked_into_is_a_500(caplog: pytest.LogCaptureFixture) -> None:
    class Hostile:
        @property  # type: ignore[misc]
        def __class__(self) -> Any:
            raise SystemExit(3)

    assert told(call(fails(Hostile()))) == INTERNAL
    assert "writing the output raised" in caplog.text


def raises(exception: BaseException, map_error: ErrorMapper | None = None) -> Bound:
    def resolver(input: None, ctx: None) -> str | SoldOut:
        raise exception

    return bound_of(resolver, map_error=map_error)


EXCEPTIONS = [
    ValueError("canary"),
    SystemExit(3),
    KeyboardInterrupt(),
    GeneratorExit(),
    StopIteration(1),
    MemoryError(),
    ExceptionGroup("g", [ValueError()]),
]


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=repr)
@pytest.mark.parametrize("is_async", [False, True])
def test_what_a_resolver_raises_is_a_500_and_in_the_log(exception: BaseException, is_async: bool, caplog: pytest.LogCaptureFixture) -> None:
    reply = call(bound_of(nothing), b"", Raised(exception)) if is_async else call(raises(exception))

    assert told(reply) == INTERNAL
    assert reply.exception is exception
    [record] = caplog.records
    assert record.getMessage() == "the resolver raised [route r, request id]"
    assert record.exc_info is not None
    assert record.exc_info[1] is exception
    assert (record.levelno, record.route, record.request_id) == (logging.ERROR, "r", "id")  # type: ignore[attr-defined]


def test_a_raised_failure_is_named_as_what_it_is(caplog: pytest.LogCaptureFixture) -> None:
    def resolver(input: None, ctx: None) -> str | SoldOut:
        raise SoldOut(restock_days=1)  # type: ignore[misc]

    assert told(call(bound_of(resolver, map_error=lambda _, __: SoldOut(restock_days=2)))) == INTERNAL
    assert "failures are returned, not raised [route r, request id]" in caplog.text


@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_that_a_driver_refuses_is_refused(is_async: bool) -> None:
    """Because there is no room for it, or no time."""

    def now(input: None, ctx: None) -> None:
        raise AssertionError

    reply = call(bound_of(nothing if is_async else now), b"", Raised(Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),))))

    assert told(reply) == (503, {"error": "SERVICE_UNAVAILABLE"})
    assert reply.headers == (("retry-after", "1"),)
    assert told(call(bound_of(nothing), b"", Raised(Refused("DEADLINE_EXCEEDED", limit=1)))) == (
        504,
        {"error": "DEADLINE_EXCEEDED", "data": {"limit": 1}},
    )


def test_an_exception_may_be_mapped_to_a_declared_failure(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[tuple[Exception, Request]] = []

    def mapper(exception: Exception, request: Request) -> Failure | None:
        seen.append((exception, request))
        return SoldOut(restock_days=5)

    error = LookupError()
    assert told(call(raises(error, mapper))) == (409, {"error": "SOLD_OUT", "data": {"restock_days": 5}})
    assert seen == [(error, make_request())]
    assert "the resolver raised, and was mapped" in caplog.text


def broken(exception: Exception, request: Request) -> Failure | None:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("mapper", "line"),
    [
        (lambda _, __: None, None),
        (lambda _, __: Undeclared(), " returned an Undeclared, and its annotation declares str | SoldOut ("),
        (lambda _, __: SoldOut(restock_days=-1), " returned wrong data: restock_days: "),
        (lambda _, __: "x", " returned a str, and its annotation declares str | SoldOut ("),
        (broken, " raised [route r, request id]"),
    ],
    ids=["none", "undeclared", "wrong", "no failure", "raises"],
)
def test_whatever_a_mapper_does_there_is_a_reply(mapper: Any, line: str | None, caplog: pytest.LogCaptureFixture) -> None:
    error = LookupError()
    reply = call(raises(error, mapper))

    assert told(reply) == INTERNAL
    assert reply.exception is error
    assert "was mapped" not in caplog.text
    assert ("handle_unhandled_error" in caplog.text) is (line is not None)
    assert f"handle_unhandled_error{line}" in caplog.text or line is None
    assert "the resolver raised [route r, request id]" in caplog.text


def test_a_mapper_is_not_asked_about_what_is_no_exception() -> None:
    assert told(call(raises(SystemExit(3), lambda _, __: SoldOut(restock_days=1)))) == INTERNAL


def test_invoke_now_is_the_whole_call() -> None:
    def order(input: Order, ctx: Any) -> str:
        return f"{input.product} for {ctx}"

    assert told(invoke_now(bound_of(order), b'{"product":"x"}', "ada", make_request, "id")) == (200, "x for ada")


def guarded(hook: Callable[[str, Request], Any]) -> tuple[Spec[Any], Bound]:
    def me(input: None, ctx: Any) -> str | SoldOut:
        raise AssertionError

    served = spec(authenticate=hook, routes=routes(route(summary="S", tags=["t"])(me)))
    return served, bind(served)["me"]


def ask(hook: Callable[[str, Request], Any], *outcomes: Outcome) -> tuple[Any, Reply | None]:
    served, bound = guarded(hook)
    found: tuple[Any, Reply | None] = drive(authenticate(served, bound, "token", make_request(), "id"), *outcomes)
    return found


def gives(ctx: object) -> Callable[[str, Request], Any]:
    def hook(token: str, request: Request) -> Any:
        assert (token, request) == ("token", make_request())
        return ctx

    return hook


@pytest.mark.parametrize("ctx", ["ada", 1, True, {}, [], "", 0])
def test_a_hook_gives_the_context(ctx: object) -> None:
    assert ask(gives(ctx)) == (ctx, None)


@pytest.mark.parametrize("ctx", [None, False])
def test_a_hook_that_gives_nothing_refuses(ctx: object) -> None:
    _, reply = ask(gives(ctx))

    assert reply is not None
    assert told(reply) == (401, {"error": "UNAUTHORIZED"})


@pytest.mark.parametrize(
    ("failure", "status", "headers"),
    [
        (Forbidden(), 403, ()),
        (NotFound(message="m"), 404, ()),
        (TooManyRequests(retry_after=3), 429, (("retry-after", "3"),)),
        (ServiceUnavailable(), 503, ()),
    ],
)
def test_a_hook_may_give_a_builtin_failure(failure: Builtin, status: int, headers: Any) -> None:
    _, reply = ask(gives(failure))

    assert reply is not None
    assert (reply.status, reply.code, reply.headers) == (status, failure.error_code, headers)


async def _coroutine() -> str:
    raise AssertionError


@pytest.mark.filterwarnings("ignore:coroutine '_coroutine' was never awaited:RuntimeWarning")
@pytest.mark.parametrize(
    ("make", "logged"),
    [
        (lambda: Forbidden, "the authenticate hook returned the class Forbidden; write Forbidden() ("),
        (lambda: SoldOut(restock_days=1), "returned SoldOut, which is no builtin failure"),
        (lambda: TooManyRequests(retry_after=-1), "returned wrong data: retry_after"),
        (_coroutine, "returned a coroutine; await it, or write async def ("),
    ],
)
def test_a_hook_that_gives_something_else_lets_nobody_in(make: Callable[[], Any], logged: str, caplog: pytest.LogCaptureFixture) -> None:
    ctx, reply = ask(gives(make()))

    assert ctx is None
    assert reply is not None
    assert told(reply) == INTERNAL
    assert logged in caplog.text


@dataclass(frozen=True)
class User:
    name: str


class Impostor:
    """What mocks and proxies do."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return User


class Raising:
    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise SystemExit(3)


@pytest.mark.parametrize(
    ("ctx", "found"),
    [(User("ada"), None), (Impostor(), None), ({}, "a dict"), ("", "a str"), (Raising(), "a Raising"), (User, "a type")],
    ids=["user", "impostor", "dict", "str", "raising", "class"],
)
def test_a_hook_that_gives_what_it_does_not_declare_is_blamed_for_it(
    ctx: object, found: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    def hook(token: str, request: Request) -> User | Forbidden | None:
        return ctx  # type: ignore[return-value]

    given, reply = ask(hook)

    assert (reply is None) is (found is None)
    assert given is (ctx if found is None else None)
    assert f"the authenticate hook returned {found}, and declares User (" in caplog.text or found is None


def test_a_context_may_be_a_proxy_that_raises() -> None:
    class Proxy:
        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError("nobody is bound")

    proxy = Proxy()
    with pytest.raises(RuntimeError):
        proxy.__class__  # noqa: B018  as isinstance would ask
    ctx, reply = ask(gives(proxy))

    assert reply is None
    assert ctx is proxy


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=repr)
def test_a_hook_that_raises_lets_nobody_in(exception: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    ctx, reply = ask(gives(None), Raised(exception))

    assert ctx is None
    assert reply is not None
    assert told(reply) == INTERNAL
    assert reply.exception is exception
    assert "the authenticate hook raised [route me, request id]" in caplog.text


def test_a_hook_that_a_driver_refuses_to_run_is_refused() -> None:
    _, reply = ask(gives(None), Raised(Refused("SERVICE_UNAVAILABLE")))

    assert reply is not None
    assert told(reply) == (503, {"error": "SERVICE_UNAVAILABLE"})


def test_without_a_hook_nobody_is_let_in() -> None:
    served, bound = guarded(gives("ada"))
    found = drive(authenticate(replace(served, authenticate=None), bound, "token", make_request(), "id"))

    assert found[0] is None
    assert told(found[1]) == (500, {"error": "INTERNAL_ERROR"})


def test_an_async_hook_is_awaited_by_the_driver() -> None:
    async def hook(token: str, request: Request) -> str:
        raise AssertionError

    served, bound = guarded(hook)
    step = next(authenticate(served, bound, "token", make_request(), "id"))

    assert isinstance(step, Run)
    assert step.is_async


@pytest.mark.parametrize(
    ("deprecated", "notices"),
    [
        (False, ()),
        (True, ()),
        (Deprecated(since=date(1970, 1, 2)), (("deprecation", "@86400"),)),
        (Deprecated(remove_on=date(2026, 2, 1)), (("sunset", "Sun, 01 Feb 2026 00:00:00 GMT"),)),
        (
            Deprecated(since=date(2025, 12, 31), remove_on=date(2030, 7, 9)),
            (("deprecation", "@1767139200"), ("sunset", "Tue, 09 Jul 2030 00:00:00 GMT")),
        ),
    ],
)
def test_a_deprecated_route_has_its_notices(deprecated: Any, notices: Any) -> None:
    def old(input: None, ctx: None) -> None: ...

    assert bound_of(old, deprecated=deprecated).notices == notices


def test_a_bound_route_says_how_it_may_be_run() -> None:
    def sync(input: None, ctx: None) -> None: ...

    assert bound_of(sync).direct
    assert not bound_of(nothing).direct
    assert bound_of(sync, inline=True).inline
    assert not guarded(gives(None))[1].direct


def test_all_preds_of_a_route_are_known() -> None:
    def order(input: Order, ctx: None) -> str | SoldOut:
        raise AssertionError

    with_input, without = bound_of(order), bound_of(nothing)

    assert len(with_input.preds()) == 2 + 5
    assert len(without.preds()) == 1 + 4


def test_failures_that_several_routes_declare_are_written_by_one_pred() -> None:
    def one(input: None, ctx: None) -> str | SoldOut:
        raise AssertionError

    def two(input: None, ctx: None) -> int | SoldOut:
        raise AssertionError

    made = route(summary="S", tags=["t"], auth="none")
    bound = bind(spec(routes=routes(made(one), made(two))))

    assert bound["one"].failures[SoldOut] is bound["two"].failures[SoldOut]
