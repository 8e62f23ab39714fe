"""Dispatch: whatever is sent and whatever a user's code does, there is a reply."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, NoReturn

import orjson
import pytest
from annotated_types import Ge

import contract
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.call.bound import ErrorMapper, bind
from contract.call.context import Reply
from contract.call.incoming import Refused
from contract.call.mount_options import Options
from contract.call.replies import failed
from contract.call.service import Service
from contract.declare.failures import FRAMEWORK
from tests.tables import rows
from tests.wire import exchange


class SoldOut(contract.Failure, status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


class Closed(contract.Failure, status=423):
    """The shop is closed."""


class Undeclared(contract.Failure):
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


Way = Literal["here", "threads", "loop"]
"""
Where a call runs: in the thread of a server, there with the deadlines that take a thread each, or
on an event loop.
"""
WAYS = pytest.mark.parametrize("way", ["here", "threads", "loop"])
events: list[contract.CallEvent] = []
"""What was told of the calls of a test."""


@pytest.fixture(autouse=True)
def no_events() -> None:
    events.clear()


REQUEST = exchange.RawRequest(
    target="/r", headers=(exchange.JSON, ("X-Request-Id", "id"), ("Authorization", "Bearer token"))
)


def served(
    api: contract.Spec[Any], map_error: ErrorMapper | None = None, way: Way = "here"
) -> Service:
    limits = contract.Limits(deadline_seconds=60.0 if way == "threads" else None)
    told: dict[str, Any] = {"on_call": events.append, "logging": False}
    return service_of(api, Options(handle_unhandled_error=map_error, limits=limits, **told))


def answer(
    api: contract.Spec[Any], body: bytes = b"", *, map_error: Any = None, way: Way = "here"
) -> exchange.RawResponse:
    """What *api* answers to a call of its route "r"."""
    service, request = served(api, map_error, way), replace(REQUEST, body=body)
    if way == "loop":
        return exchange.through_asgi(AsgiApp(service))(request)
    return exchange.through_service(service)(request)


def with_route(resolver: Callable[[Any, Any], Any], **options: Any) -> contract.Spec[None]:
    made = contract.route(summary="S", tags=["t"], auth="none", name="r", **options)(resolver)
    return contract.spec(routes=contract.routes(made))


def behind(hook: Any, resolver: Any, *, inline: bool = False) -> contract.Spec[Any]:
    """A spec whose route "r" stands behind *hook*."""
    made: Any = contract.route(summary="S", tags=["t"], name="r", inline=inline)(resolver)
    return contract.spec(authenticate=hook, authenticate_inline=inline, routes=[made])


def call(
    resolver: Any, body: bytes = b"", *, map_error: Any = None, way: Way = "here", **options: Any
) -> exchange.RawResponse:
    return answer(with_route(resolver, **options), body, map_error=map_error, way=way)


def told(found: exchange.RawResponse | Reply) -> tuple[int, Any]:
    return found.status, orjson.loads(found.body)


INTERNAL = (500, {"error": "INTERNAL_ERROR"})


@pytest.mark.parametrize("code", [*FRAMEWORK, "SERVICE_UNAVAILABLE"])
def test_every_framework_code_has_its_status(code: str) -> None:
    reply = failed(code, (("a", "b"),), message="m")

    status = 503 if code == "SERVICE_UNAVAILABLE" else FRAMEWORK[code].status
    assert told(reply) == (status, {"error": code, "data": {"message": "m"}})
    assert (reply.code, reply.headers, reply.exception) == (code, (("a", "b"),), None)
    assert orjson.loads(failed(code).body) == {"error": code}
    assert str(Refused(code)) == code


def double(input: Order, ctx: None) -> Order:
    return Order(input.product * 2)


@dataclass(frozen=True)
class Page:
    size: int = 10


@pytest.mark.parametrize(("body", "size"), [(b"", 10), (b"{}", 10), (b'{"size":3}', 3)])
def test_an_input_whose_fields_have_defaults_may_be_left_out(body: bytes, size: int) -> None:
    def show(input: Page, ctx: None) -> int:
        return input.size

    assert told(call(show, body)) == (200, size)
    assert len(bind(with_route(show))["r"].loads()) == 1


@pytest.mark.parametrize("is_async", [False, True])
def test_what_reading_an_input_raises_is_a_500(
    is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    def trap(input: Trap, ctx: None) -> None: ...

    async def trap_async(input: Trap, ctx: None) -> None: ...

    assert told(call(trap_async if is_async else trap, b'{"value":1}')) == INTERNAL
    assert "reading the input raised [route r, request id]" in caplog.text


def fails(failure: object, *, is_async: bool = False) -> Any:
    def resolver(input: None, ctx: None) -> str | SoldOut | Closed | contract.NotFound:
        return failure  # type: ignore[return-value]

    async def resolver_async(input: None, ctx: None) -> str | SoldOut | Closed | contract.NotFound:
        return failure  # type: ignore[return-value]

    return resolver_async if is_async else resolver


class Seconds(int):
    def __str__(self) -> str:
        return "1\r\nSet-Cookie: a=b"

    __repr__ = __format__ = __index__ = __int__ = __str__  # type: ignore[assignment]


class Wait(IntEnum):
    SHORT = 5


class Pause(int, Enum):
    LONG = 7

    __str__ = Enum.__str__


@rows("seconds, sent", (Seconds(3), "3"), (Wait.SHORT, "5"), (Pause.LONG, "7"))
def test_a_number_is_sent_whatever_its_class_says_of_it(seconds: int, sent: str) -> None:
    response = call(fails(contract.TooManyRequests(retry_after=seconds)))

    assert response.json()["data"] == {"retry_after": int(sent)}
    assert (response.status, response.header("retry-after")) == (429, sent)


WRONG_TYPE = "the resolver declares DECLARED, and returned "
WRONG_DATA = "the data of the returned SoldOut do not fit what it declares: restock_days: "
NO_TEXT: Any = "x"


@pytest.mark.parametrize("is_async", [False, True])
@rows(
    "result, logged",
    (Undeclared(), "the resolver returned an Undeclared, and its annotation declares DECLARED"),
    (SoldOut(restock_days=-1), WRONG_DATA),
    (SoldOut(restock_days=NO_TEXT), f"{WRONG_DATA}expected int"),
    (3, f"{WRONG_TYPE}an int; (value): expected str, found int"),
    (None, "the resolver returned None, and declares DECLARED; is a return missing?"),
    (contract.NotFound, f"{WRONG_TYPE}the class NotFound; write NotFound(); (value): expected str"),
    (str, f"{WRONG_TYPE}a type; (value): expected str"),
    (Awaitable(), f"{WRONG_TYPE}an Awaitable; await it; (value): expected str"),
)
def test_what_was_not_declared_is_a_500_and_the_log_says_what_came_and_where(
    result: object, logged: str, is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    assert told(call(fails(result, is_async=is_async))) == INTERNAL
    [record] = caplog.records
    message = record.getMessage()
    assert message.startswith(logged.replace("DECLARED", "str | SoldOut | Closed | NotFound"))
    assert f"test_dispatch.fails.<locals>.resolver{'_async' if is_async else ''}, " in message
    assert re.search(r"test_dispatch\.py:[0-9]+\) \[route r, request id\]$", message)


def test_a_class_with_a_mind_of_its_own_is_a_500_too(caplog: pytest.LogCaptureFixture) -> None:
    class Meta(type):
        def __getattr__(cls, name: str) -> Any:
            raise SystemExit(3)

    class Odd(metaclass=Meta):
        pass

    class Nameless:
        pass

    Nameless.__name__ = ""
    assert told(call(fails(Odd()))) == INTERNAL
    found = "the returned value does not fit its declared type: (value): expected str, found Odd ("
    assert found in caplog.text
    assert told(call(fails(Nameless()))) == INTERNAL
    assert told(ask(gives(Odd()))[1]) == INTERNAL
    assert "the authenticate hook returned an Odd, and declares none (" in caplog.text


def test_a_lost_annotation_is_told_as_it_was_written(caplog: pytest.LogCaptureFixture) -> None:
    class Local(contract.Failure):
        """Known in this function alone."""

    def resolver(input: None, ctx: None) -> str | Local:
        return None  # type: ignore[return-value]

    made = contract.route(summary="S", tags=["t"], auth="none", name="r")(resolver)
    assert told(answer(contract.spec(routes=contract.routes(made)))) == INTERNAL
    wrong = "the resolver returned None, and declares str | Local; is a return missing?"
    assert wrong in caplog.text


def test_an_output_that_cannot_be_looked_into_is_a_500(caplog: pytest.LogCaptureFixture) -> None:
    class Hostile:
        @property  # type: ignore[misc]
        def __class__(self) -> Any:
            raise SystemExit(3)

    assert told(call(fails(Hostile()))) == INTERNAL
    assert "writing the output raised" in caplog.text


def raises(exception: BaseException, *, is_async: bool = False) -> Any:
    def resolver(input: None, ctx: None) -> str | SoldOut:
        raise exception

    async def resolver_async(input: None, ctx: None) -> str | SoldOut:
        raise exception

    return resolver_async if is_async else resolver


EXCEPTIONS = [
    ValueError("canary"), SystemExit(3), KeyboardInterrupt(), GeneratorExit(), StopIteration(1),
    MemoryError(), ExceptionGroup("g", [ValueError()]), asyncio.CancelledError(),
]  # fmt: skip


def raised(found: BaseException | None) -> BaseException | None:
    """The exception that *found* is, or was made of: a coroutine makes a RuntimeError of StopIteration."""
    return found if found is None or found.__cause__ is None else found.__cause__


def assert_told(exception: BaseException, who: str, caplog: pytest.LogCaptureFixture) -> None:
    """The log and `CallEvent` have *exception*, and name the call."""
    [event] = events
    assert raised(event.exception) is exception
    [record] = caplog.records
    assert record.getMessage() == f"{who} raised [route r, request id]"
    assert record.exc_info is not None
    assert raised(record.exc_info[1]) is exception
    assert (record.levelno, record.route, record.request_id) == (logging.ERROR, "r", "id")  # type: ignore[attr-defined]


@pytest.mark.unwatched
@WAYS
@pytest.mark.parametrize("exception", EXCEPTIONS, ids=repr)
@pytest.mark.parametrize("is_async", [False, True])
def test_what_a_resolver_raises_is_a_500_and_in_the_log(
    exception: BaseException, is_async: bool, way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    assert told(call(raises(exception, is_async=is_async), way=way)) == INTERNAL
    assert_told(exception, "the resolver", caplog)


def test_a_raised_failure_is_named_as_what_it_is(caplog: pytest.LogCaptureFixture) -> None:
    def resolver(input: None, ctx: None) -> str | SoldOut:
        raise SoldOut(restock_days=1)  # type: ignore[misc]

    assert told(call(resolver, map_error=lambda _, __: SoldOut(restock_days=2))) == INTERNAL
    assert "failures are returned, not raised [route r, request id]" in caplog.text


class Full(exchange.Bare):
    """
    A request where nothing synchronous may run, no thread is free, and there is no time to wait.
    """

    def __init__(self) -> None:
        super().__init__(REQUEST, Lanes(contract.Limits()))
        self.blocks = False

    async def offload(self, *_: object) -> Any:
        raise Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),))

    async def awaited(self, *_: object) -> Any:  # type: ignore[override]
        raise Refused("DEADLINE_EXCEEDED", limit=1)


NO_ROOM = (503, {"error": "SERVICE_UNAVAILABLE"}, "1")
NO_TIME = (504, {"error": "DEADLINE_EXCEEDED", "data": {"limit": 1}}, None)


def never() -> NoReturn:
    raise AssertionError


@pytest.mark.parametrize(("is_async", "expected"), [(False, NO_ROOM), (True, NO_TIME)])
@pytest.mark.parametrize("hooked", [False, True])
def test_what_the_place_of_a_call_refuses_to_run_is_refused(
    is_async: bool, hooked: bool, expected: Any
) -> None:
    def resolver(input: None, ctx: Any) -> None:
        never()

    async def resolver_async(input: None, ctx: Any) -> None:
        never()

    def hook(token: str, request: contract.Request) -> str:
        never()

    async def hook_async(token: str, request: contract.Request) -> str:
        never()

    if hooked:
        api = behind(hook_async if is_async else hook, resolver)
    else:
        api = with_route(resolver_async if is_async else resolver)
    response = exchange.answered(served(api), Full())

    assert (*told(response), response.header("retry-after")) == expected
    assert [event.code for event in events] == [expected[1]["error"]]


def test_what_says_that_it_waits_for_nothing_needs_no_thread() -> None:
    def me(input: None, ctx: str) -> str:
        return ctx

    api = behind(lambda token, _: token, me, inline=True)

    assert told(exchange.answered(served(api), Full())) == (200, "token")


@pytest.mark.parametrize("hooked", [False, True])
def test_a_call_that_is_cancelled_is_no_call_that_failed(
    hooked: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def hook(token: str, request: contract.Request) -> str:
        if hooked:
            await asyncio.Event().wait()
        return token

    async def wait(input: None, ctx: str) -> None:
        await asyncio.Event().wait()

    def mapper(exception: Exception, request: contract.Request) -> contract.Failure | None:
        never()

    exchange.abandon(AsgiApp(served(behind(hook, wait), mapper)), REQUEST)

    assert [(event.code, event.exception) for event in events] == [("CANCELLED", None)]
    assert caplog.text == ""


def test_an_exception_may_be_mapped_to_a_declared_failure(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[tuple[Exception, contract.Request]] = []

    def mapper(exception: Exception, request: contract.Request) -> contract.Failure | None:
        seen.append((exception, request))
        return SoldOut(restock_days=5)

    error = LookupError()
    sold_out = {"error": "SOLD_OUT", "data": {"restock_days": 5}}
    assert told(call(raises(error), map_error=mapper)) == (409, sold_out)
    assert [(exception, request.path) for exception, request in seen] == [(error, "/r")]
    assert "the resolver raised, and was mapped" in caplog.text


def broken(exception: Exception, request: contract.Request) -> contract.Failure | None:
    raise SystemExit(3)


DECLARES = "and its annotation declares"


@rows(
    "mapper, line",
    (lambda _, __: None, None),
    (lambda _, __: Undeclared(), f" returned an Undeclared, {DECLARES} str | SoldOut ("),
    (lambda _, __: SoldOut(restock_days=-1), " returned wrong data: restock_days: "),
    (lambda _, __: "x", f" returned a str, {DECLARES} str | SoldOut ("),
    (broken, " raised [route r, request id]"),
    ids=["none", "undeclared", "wrong", "no failure", "raises"],
)
def test_whatever_a_mapper_does_there_is_a_reply(
    mapper: Any, line: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    error = LookupError()
    assert told(call(raises(error), map_error=mapper)) == INTERNAL
    assert [event.exception for event in events] == [error]
    assert "was mapped" not in caplog.text
    assert ("handle_unhandled_error" in caplog.text) is (line is not None)
    assert f"handle_unhandled_error{line}" in caplog.text or line is None
    assert "the resolver raised [route r, request id]" in caplog.text


def test_a_mapper_is_not_asked_about_what_is_no_exception() -> None:
    found = call(raises(SystemExit(3)), map_error=lambda _, __: SoldOut(restock_days=1))
    assert told(found) == INTERNAL


def ask(hook: Any, way: Way = "here") -> tuple[list[Any], exchange.RawResponse]:
    """The contexts that a resolver was given of *hook*, and the response."""
    given: list[Any] = []

    def me(input: None, ctx: Any) -> str | SoldOut:
        given.append(ctx)
        return "in"

    return given, answer(behind(hook, me), way=way)


def gives(ctx: object) -> Callable[[str, contract.Request], Any]:
    def hook(token: str, request: contract.Request) -> Any:
        return ctx if (token, request.path) == ("token", "/r") else None

    return hook


@pytest.mark.parametrize("ctx", ["ada", 1, True, {}, [], "", 0])
def test_a_hook_gives_the_context(ctx: object) -> None:
    given, response = ask(gives(ctx))

    assert given == [ctx]
    assert told(response) == (200, "in")


def test_a_hook_that_says_that_it_answers_yes_or_no_refuses_by_no() -> None:
    def hook(token: str, request: contract.Request) -> bool:
        return token == "yes"

    def resolver(input: None, ctx: bool) -> str:
        never()

    found = told(answer(behind(hook, resolver), b"null"))

    assert found == (401, {"error": "UNAUTHORIZED"})


async def _coroutine() -> str:
    raise AssertionError


@rows(
    "make, logged",
    (lambda: contract.Forbidden, "authenticate hook returned the class Forbidden; write Forbidden() ("),
    (lambda: SoldOut(restock_days=1), "returned SoldOut, which is not a builtin failure"),
    (lambda: contract.TooManyRequests(retry_after=-1), "returned wrong data: retry_after"),
    (_coroutine, "returned a coroutine; await it, or write async def ("),
)  # fmt: skip
def test_a_hook_that_gives_something_else_lets_nobody_in(
    make: Callable[[], Any], logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    gift = make()
    given, response = ask(gives(gift))
    if asyncio.iscoroutine(gift):
        gift.close()

    assert given == []
    assert told(response) == INTERNAL
    assert logged in caplog.text
    [event] = events
    assert (event.exception is None) is ("wrong data" not in logged)


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


@rows(
    "ctx, found",
    (User("ada"), None),
    (Impostor(), None),
    ({}, "a dict"),
    ("", "a str"),
    (Raising(), "a Raising"),
    (User, "a type"),
    ids=["user", "impostor", "dict", "str", "raising", "class"],
)
def test_a_hook_that_gives_what_it_does_not_declare_is_blamed_for_it(
    ctx: object, found: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    def hook(token: str, request: contract.Request) -> User | contract.Forbidden | None:
        return ctx  # type: ignore[return-value]

    given, response = ask(hook)

    assert [each is ctx for each in given] == [True] * (found is None)
    assert response.status == (200 if found is None else 500)
    line = f"the authenticate hook returned {found}, and declares User ("
    assert (line in caplog.text) is (found is not None)


def test_a_context_may_be_a_proxy_that_raises() -> None:
    class Proxy:
        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError("nobody is bound")

    proxy = Proxy()
    with pytest.raises(RuntimeError):
        proxy.__class__  # noqa: B018  as isinstance would ask
    given, response = ask(gives(proxy))

    assert response.status == 200
    assert given[0] is proxy


@pytest.mark.unwatched
@WAYS
@pytest.mark.parametrize("exception", EXCEPTIONS, ids=repr)
@pytest.mark.parametrize("is_async", [False, True])
def test_a_hook_that_raises_lets_nobody_in(
    exception: BaseException, is_async: bool, way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    def hook(token: str, request: contract.Request) -> str:
        raise exception

    async def hook_async(token: str, request: contract.Request) -> str:
        raise exception

    given, response = ask(hook_async if is_async else hook, way)

    assert given == []
    assert told(response) == INTERNAL
    assert_told(exception, "the authenticate hook", caplog)


def test_without_a_hook_nobody_is_let_in() -> None:
    def me(input: None, ctx: str) -> None:
        never()

    api = behind(lambda token, _: token, me)
    entries = {name: replace(each, authenticator=None) for name, each in api.entries.items()}

    assert told(answer(replace(api, entries=entries))) == INTERNAL


@rows(
    "deprecated, since, until",
    (False, None, None),
    (True, None, None),
    (contract.Deprecated(since=date(1970, 1, 2)), "@86400", None),
    (contract.Deprecated(remove_on=date(2026, 2, 1)), None, "Sun, 01 Feb 2026 00:00:00 GMT"),
)
def test_a_deprecated_route_has_its_notices(
    deprecated: Any, since: str | None, until: str | None
) -> None:
    response = call(double, b'{"product":"x"}', deprecated=deprecated)

    assert response.status == 200
    assert (response.header("deprecation"), response.header("sunset")) == (since, until)


def test_all_preds_of_a_route_are_known() -> None:
    def order(input: Order, ctx: None) -> str | SoldOut:
        never()

    def nothing(input: None, ctx: None) -> None: ...

    def items(input: None, ctx: None) -> contract.Stream[int | SoldOut]:
        never()

    bound = [bind(with_route(each))["r"] for each in (items, order, nothing)]
    assert [len(each.loads()) for each in bound] == [0, 1, 0]
    assert [len(each.dumps()) for each in bound] == [1 + 5 + 4, 1 + 5, 1 + 4]


def test_failures_that_several_routes_declare_are_written_by_one_pred() -> None:
    def one(input: None, ctx: None) -> str | SoldOut:
        raise AssertionError

    def two(input: None, ctx: None) -> int | SoldOut:
        raise AssertionError

    made = contract.route(summary="S", tags=["t"], auth="none")
    bound = bind(contract.spec(routes=contract.routes(made(one), made(two))))

    assert bound["one"].failures[SoldOut] is bound["two"].failures[SoldOut]
