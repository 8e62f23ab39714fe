"""Hooks in a service: whatever they return or raise there is a reply, and the log names them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NoReturn, TypeVar

import orjson
import pytest
from annotated_types import Ge

import contract
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.adapters.pool import Lanes
from contract.call.bound import ErrorMapper, bind
from contract.call.incoming import Lane, Refused
from contract.call.mount_options import Options
from contract.call.service import Service
from tests.tables import rows
from tests.wire import exchange

T = TypeVar("T")


class Closed(contract.Failure, status=423):
    """The shop is closed."""

    until: Annotated[int, Ge(0)] = 0


class SoldOut(contract.Failure, status=409):
    """Every copy is sold."""


Kind = Literal["sync", "inline", "async"]
events: list[contract.CallEvent] = []
INTERNAL = (500, {"error": "INTERNAL_ERROR"})


@pytest.fixture(autouse=True)
def no_events() -> None:
    events.clear()


def stop_of(
    gives: Callable[[Any], Any], kind: Kind = "sync", of: Any = contract.Call[object]
) -> contract.Hook[Any]:
    """A hook that gives what *gives* does."""

    def stop(call: Any) -> Any:
        return gives(call)

    async def stop_later(call: Any) -> Any:
        await asyncio.sleep(0)
        return gives(call)

    made: Any = stop_later if kind == "async" else stop
    made.__qualname__ = "stop"
    made.__annotations__ = {"call": of, "return": Closed | None}
    return contract.hook(inline=True)(made) if kind == "inline" else contract.hook(made)


def api_of(
    *before: Any, way: Kind = "sync", auth: bool = False, input: Any = int, **options: Any
) -> contract.Spec[Any]:
    def here(input: Any, ctx: Any) -> Any:
        return "came through"

    async def later(input: Any, ctx: Any) -> Any:
        return "came through"

    made: Any = later if way == "async" else here
    made.__annotations__ = {"input": input, "ctx": str if auth else None, "return": str | SoldOut}
    told: Any = {"summary": "S", "tags": ["t"], "auth": "bearer" if auth else "none"}
    one = contract.route(**told, name="r", inline=way == "inline", hooks=contract.hooks(*before))(
        made
    )
    return contract.spec(
        authenticate=lambda token, _: token, routes=contract.routes(one), **options
    )


def served(api: contract.Spec[Any], map_error: ErrorMapper | None = None) -> Service:
    options = Options(handle_unhandled_error=map_error, on_call=events.append, logging=False)
    return service_of(api, options)


OWN = (exchange.JSON, ("X-Request-Id", "id"), ("Authorization", "Bearer t"))
REQUEST = exchange.RawRequest(target="/r", headers=OWN, body=b"7")


def answer(
    api: contract.Spec[Any], *, loop: bool = False, map_error: ErrorMapper | None = None
) -> exchange.RawResponse:
    service = served(api, map_error)
    return (exchange.through_asgi(AsgiApp(service)) if loop else exchange.through_service(service))(
        REQUEST
    )


def told(response: exchange.RawResponse) -> tuple[int, Any]:
    return response.status, orjson.loads(response.body)


KINDS = pytest.mark.parametrize("kind", ["sync", "inline", "async"])
EARLY_AND_LATE = rows(
    "of", contract.Call[object], contract.Call[object, int], ids=["early", "late"]
)


class Meta(type):
    def __getattribute__(cls, name: str) -> Any:
        if name == "__await__":
            raise SystemExit(name)
        return super().__getattribute__(name)


class Odd(metaclass=Meta):
    """Its class does not like to be looked at."""


@KINDS
@EARLY_AND_LATE
@rows(
    "gives, line",
    (SoldOut(), "returned a SoldOut, and its annotation declares Closed | None ("),
    (True, "returned a bool, and its annotation declares Closed | None ("),
    (Closed, "returned the class Closed; write Closed(), and its annotation declares"),
    (Closed(until=-1), "returned wrong data: until: "),
    (Odd(), None),
    ids=["undeclared", "no failure", "class", "wrong", "odd"],
)
def test_what_a_hook_may_not_return_is_a_500_and_the_log_names_the_hook(
    gives: object, line: str | None, of: Any, kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    api = api_of(stop_of(lambda _: gives, kind, of))

    assert told(answer(api, loop=True)) == INTERNAL
    said = "writing what the hook stop returned raised" if line is None else f"the hook stop {line}"
    assert said in caplog.text
    assert line is None or f"{__name__}.stop, {__file__}:" in caplog.text
    assert "[route r, request id]" in caplog.text


@KINDS
@EARLY_AND_LATE
@pytest.mark.parametrize("loop", [False, True])
def test_what_a_hook_raises_is_a_500_and_the_log_names_the_hook(
    of: Any, loop: bool, kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    def raises(_: object) -> NoReturn:
        raise KeyError("inside")

    assert told(answer(api_of(stop_of(raises, kind, of)), loop=loop)) == INTERNAL
    assert "the hook stop raised [route r, request id]" in caplog.text
    assert [type(event.exception) for event in events] == [KeyError]


@pytest.mark.parametrize("failure", [Closed(), SoldOut()])
def test_what_a_hook_raises_may_be_mapped_to_a_failure_of_its_route(
    failure: contract.Failure, caplog: pytest.LogCaptureFixture
) -> None:
    def raises(_: object) -> NoReturn:
        raise KeyError("inside")

    def mapped(exception: Exception, request: contract.Request) -> contract.Failure:
        return failure

    found = answer(api_of(stop_of(raises)), map_error=mapped)

    assert (found.status, found.json()["error"]) == (failure.http_status, failure.error_code)
    assert "the hook stop raised, and was mapped [route r, request id]" in caplog.text


class Full(exchange.Bare):
    """A place that has no room for what must not run in it."""

    def __init__(self, room: set[Lane]) -> None:
        super().__init__(REQUEST, Lanes(contract.Limits()))
        self.blocks = False
        self._room = room

    async def offload(self, lane: Lane, fn: Callable[..., T], *args: object) -> T:
        if lane in self._room:
            return fn(*args)
        raise Refused("SERVICE_UNAVAILABLE", (("retry-after", "1"),))

    def awaited(self, fn: Callable[..., Awaitable[T]], *args: object) -> Any:
        return fn(*args)


def goes_on(call: contract.Call[object]) -> None: ...


INLINE = [
    stop_of(goes_on, "inline", of)
    for of in (contract.Call[object, int], contract.Call[object, int], contract.Call[object])
]


@rows(
    "api, room, passes",
    (api_of(stop_of(goes_on)), {"routes"}, False),
    (api_of(stop_of(goes_on)), {"routes", "hooks"}, True),
    (api_of(stop_of(goes_on, of=contract.Call[object, int])), {"routes"}, True),
    (api_of(stop_of(goes_on, of=contract.Call[object, int])), {"hooks"}, False),
    (api_of(stop_of(goes_on, of=contract.Call[object, int]), way="async"), {"routes"}, False),
    (api_of(stop_of(goes_on, of=contract.Call[object, int]), way="async"), {"hooks"}, True),
    (api_of(stop_of(goes_on, of=contract.Call[object, int]), way="inline"), {"routes"}, False),
    (api_of(stop_of(goes_on, of=contract.Call[object, int]), way="inline"), {"hooks"}, True),
    (api_of(stop_of(goes_on, "async", contract.Call[object, int])), {"hooks"}, False),
    (api_of(stop_of(goes_on, "async", contract.Call[object, int])), {"routes"}, True),
    (api_of(stop_of(goes_on, "inline"), way="inline"), set[Lane](), True),
    (api_of(stop_of(goes_on, "inline", contract.Call[object, int]), way="inline"), set[Lane](), True),
    (api_of(*INLINE, way="inline", auth=True, authenticate_inline=True), set[Lane](), True),
)  # fmt: skip
def test_a_hook_takes_a_thread_where_it_may_wait(
    api: contract.Spec[Any], room: set[Lane], passes: bool
) -> None:
    response = exchange.answered(served(api), Full(room))

    assert response.status == (200 if passes else 503)
    assert [event.code for event in events] == ["OK" if passes else "SERVICE_UNAVAILABLE"]


class Steps(Full):
    """A place on a loop, which notes down who takes a thread."""

    def __init__(self) -> None:
        super().__init__(set())
        self.taken: list[Lane] = []

    async def offload(self, lane: Lane, fn: Callable[..., T], *args: object) -> T:
        self.taken.append(lane)
        return fn(*args)

    awaited = exchange.Bare.awaited

    def read_early(self, limit: int) -> bytes | None:
        return REQUEST.body


@rows(
    "api, taken",
    (api_of(stop_of(goes_on)), ["calls"]),
    (api_of(stop_of(goes_on), stop_of(goes_on, of=contract.Call[object, int]), auth=True), ["calls"]),
    (api_of(stop_of(goes_on), stop_of(goes_on), auth=True, way="async"), ["hooks"]),
    (api_of(stop_of(goes_on), auth=True, way="inline"), ["hooks"]),
    (api_of(stop_of(goes_on, "inline"), auth=True, way="inline"), ["hooks"]),
    (api_of(stop_of(goes_on, "inline")), ["routes"]),
    (api_of(stop_of(goes_on, "inline", contract.Call[object, int])), ["routes"]),
    (api_of(stop_of(goes_on, "inline"), stop_of(goes_on), way="async"), ["hooks"]),
)  # fmt: skip
def test_hooks_share_a_thread_with_what_stands_beside_them(
    api: contract.Spec[Any], taken: list[Lane]
) -> None:
    place = Steps()

    assert exchange.answered(served(api), place).status == 200
    assert place.taken == taken


@dataclass(frozen=True)
class Reader:
    scopes: frozenset[str] = frozenset({"read"})


@rows("kinds, taken", ((), []), (("sync", "async", "sync"), ["hooks", "hooks"]))
def test_scopes_are_asked_for_on_the_loop_before_every_hook(
    kinds: tuple[Kind, ...], taken: list[Lane]
) -> None:
    ran: list[Kind] = []

    async def who(token: str, request: contract.Request) -> Reader:
        return Reader()

    async def home(input: int, ctx: Reader) -> str:
        return "came through"

    def stop(kind: Kind) -> contract.Hook[Any]:
        return stop_of(lambda _: ran.append(kind), kind)

    before = contract.hooks(*map(stop, kinds))
    one = contract.route(
        summary="S", tags=["t"], name="r", auth=contract.requires("read"), hooks=before
    )(home)
    place = Steps()
    response = exchange.answered(served(contract.spec(authenticate=who, routes=[one])), place)

    assert told(response) == (200, "came through")
    assert (place.taken, ran) == (taken, list(kinds))


@EARLY_AND_LATE
def test_a_call_that_is_cancelled_in_a_hook_is_no_call_that_failed(
    of: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def wait(call: Any) -> None:
        await asyncio.Event().wait()

    wait.__annotations__["call"] = of
    exchange.abandon(AsgiApp(served(api_of(contract.hook(wait)))), REQUEST)

    assert [(event.code, event.exception) for event in events] == [("CANCELLED", None)]
    assert caplog.text == ""


def test_the_writers_of_hooks_are_those_of_the_mount() -> None:
    bound = bind(api_of(stop_of(goes_on)))["r"]
    plain = bind(api_of())["r"]

    assert Closed not in bound.failures
    assert bound.every_failure[Closed] is bound.early[0].hooks[0].failures[Closed]
    assert len(bound.dumps()) == 1 + 4 + 2
    assert plain.every_failure is plain.failures
    assert (plain.early, plain.late, plain.loaded) == ((), (), plain)


@pytest.mark.parametrize("loop", [False, True])
@KINDS
def test_a_refused_input_comes_to_no_hook_that_asks_for_it(kind: Kind, loop: bool) -> None:
    ran: list[object] = []
    api = api_of(stop_of(ran.append, kind, contract.Call[object, str]), input=str)

    assert answer(api, loop=loop).status == 400
    assert ran == []
