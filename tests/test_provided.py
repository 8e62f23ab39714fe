"""Values of a call: made when they are first asked for, ended with what was answered."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context, copy_context
from typing import Any, TypedDict, cast

import orjson
import pytest

from contract import (
    AsyncProvided,
    Call,
    CallFailed,
    DeclarationError,
    Failure,
    Forbidden,
    Limits,
    McpTool,
    Provided,
    Request,
    Spec,
    after_commit,
    calling,
    hook,
    hooks,
    progress,
    provide,
    route,
    routes,
    spec,
)
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.call.mount_options import Options
from contract.call.values import Hop
from contract.testing import AsyncClient, Client, Reply

said: list[str] = []
"""What the providers, hooks and resolvers did, in order."""


@pytest.fixture(autouse=True)
def _fresh() -> None:
    said.clear()


class SoldOut(Failure, status=409):
    """Every copy is sold."""


class Named(TypedDict):
    name: str


def told(cause: BaseException) -> str:
    return f"{type(cause).__name__} {cause}".strip()


@provide
def session() -> Iterator[int]:
    thread = threading.get_ident()
    said.append("begin")
    try:
        yield thread
    except BaseException as cause:
        assert threading.get_ident() == thread
        said.append(f"rollback {told(cause)}")
        raise
    assert threading.get_ident() == thread
    said.append("commit")


@provide
async def later() -> AsyncIterator[asyncio.AbstractEventLoop]:
    loop = asyncio.get_running_loop()
    said.append("begin later")
    await asyncio.sleep(0)
    try:
        yield loop
    except BaseException as cause:
        await asyncio.sleep(0)
        assert asyncio.get_running_loop() is loop
        said.append(f"rollback later {told(cause)}")
        raise
    await asyncio.sleep(0)
    assert asyncio.get_running_loop() is loop
    said.append("commit later")


def answer(input: str) -> Any:
    if input == "raise":
        raise KeyError("canary")
    return {"sold": SoldOut(), "wrong": 3, "undeclared": Forbidden}.get(input, "done")


@route(summary="Here", tags=["t"])
def here(input: str, ctx: str) -> str | SoldOut:
    assert session() == session() == threading.get_ident()
    said.append("here")
    return answer(input)  # type: ignore[no-any-return]


@route(summary="On the loop", tags=["t"])
async def on_loop(input: str, ctx: str) -> str | SoldOut:
    assert await later() is await later() is asyncio.get_running_loop()
    said.append("on_loop")
    return answer(input)  # type: ignore[no-any-return]


@route(summary="Inline", tags=["t"], inline=True)
def inline(input: str, ctx: str) -> str | SoldOut:
    session()
    said.append("inline")
    return answer(input)  # type: ignore[no-any-return]


@route(summary="Asks for nothing", tags=["t"])
def plain(input: str, ctx: str) -> str | SoldOut:
    return answer(input)  # type: ignore[no-any-return]


def user_of(token: str, request: Request) -> str | Forbidden | None:
    session()
    said.append("hook")
    return {"no": None, "never": Forbidden()}.get(token, token)


async def user_of_later(token: str, request: Request) -> str | Forbidden | None:
    await later()
    said.append("hook")
    return {"no": None, "never": Forbidden()}.get(token, token)


def anybody(token: str, request: Request) -> str | None:
    return token


ROUTES = routes(here, on_loop, inline, plain)
HOOKED = spec(authenticate=user_of, routes=ROUTES)
HOOKED_LATER = spec(authenticate=user_of_later, routes=ROUTES)
PLAIN = spec(authenticate=anybody, routes=ROUTES)


Way = Callable[..., Reply]


def over_wsgi(api: Spec[Any], name: str, input: object, **options: Any) -> Reply:
    token = options.pop("token", "t")
    return Client(api, options=Options(**options), token=token).call(name, input)


def over_asgi(api: Spec[Any], name: str, input: object, **options: Any) -> Reply:
    token = options.pop("token", "t")

    async def run() -> Reply:
        return await AsyncClient(api, options=Options(**options), token=token).call(name, input)

    return asyncio.run(run())


def in_two_hops(api: Spec[Any], name: str, input: object, **options: Any) -> Reply:
    """Over ASGI, with a body that is not there yet when the hook is asked."""
    token = options.pop("token", "t")
    app = AsgiApp(service_of(api, Options(**options)))
    body = orjson.dumps(input)
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": body}

    async def send(event: Any) -> None:
        sent.append(event)

    headers = [
        (b"authorization", f"Bearer {token}".encode()),
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    asyncio.run(app(post(f"/{name}", headers), receive, send))
    return Reply(sent[0]["status"], orjson.loads(sent[1]["body"]), {}, sent[1]["body"])


def post(path: str, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    asked = {"method": "POST", "path": path, "query_string": b"", "headers": headers}
    return {"type": "http", "http_version": "1.1", **asked}


WAYS = {"wsgi": over_wsgi, "asgi": over_asgi, "two hops": in_two_hops}
DEADLINES = {"": {}, " deadline": {"limits": Limits(deadline_seconds=20.0)}}

ways = pytest.mark.parametrize(
    ("way", "options"),
    [
        pytest.param(way, options, id=name + deadline)
        for name, way in WAYS.items()
        for deadline, options in DEADLINES.items()
    ],
)

OUTCOMES = {
    "well": (200, None),
    "sold": (409, "CallFailed SOLD_OUT"),
    "raise": (500, "KeyError 'canary'"),
    "wrong": (500, "InvalidOutput (value): expected str, found int"),
}


def ends(*kinds: str, cause: str | None) -> list[str]:
    """What the providers of these *kinds* say at the end."""
    return [f"commit{kind}" if cause is None else f"rollback{kind} {cause}" for kind in kinds]


@pytest.mark.unwatched
@ways
@pytest.mark.parametrize("input", OUTCOMES)
def test_a_value_ends_with_what_was_answered(way: Way, options: Any, input: str) -> None:
    status, cause = OUTCOMES[input]

    for name in ("here", "inline"):
        said.clear()
        assert way(PLAIN, name, input, **options).status == status
        assert said == ["begin", name, *ends("", cause=cause)]
    said.clear()
    assert way(PLAIN, "on_loop", input, **options).status == status
    assert said == ["begin later", "on_loop", *ends(" later", cause=cause)]


@ways
@pytest.mark.parametrize("input", OUTCOMES)
def test_a_hook_and_a_resolver_have_the_same_values(way: Way, options: Any, input: str) -> None:
    status, cause = OUTCOMES[input]

    assert way(HOOKED, "here", input, **options).status == status
    assert said == ["begin", "hook", "here", *ends("", cause=cause)]
    said.clear()
    assert way(HOOKED_LATER, "on_loop", input, **options).status == status
    assert said == ["begin later", "hook", "on_loop", *ends(" later", cause=cause)]


@pytest.mark.unwatched
@ways
@pytest.mark.parametrize("input", OUTCOMES)
def test_values_end_in_the_reverse_order_wherever_they_are(
    way: Way, options: Any, input: str
) -> None:
    status, cause = OUTCOMES[input]

    assert way(HOOKED, "on_loop", input, **options).status == status
    assert said == ["begin", "hook", "begin later", "on_loop", *ends(" later", "", cause=cause)]
    said.clear()
    assert way(HOOKED_LATER, "here", input, **options).status == status
    assert said == ["begin later", "hook", "begin", "here", *ends("", " later", cause=cause)]


@ways
def test_a_refused_call_rolls_its_hook_back(way: Way, options: Any) -> None:
    for token, status, cause in (
        ("no", 401, "CallFailed UNAUTHORIZED"),
        ("never", 403, "CallFailed FORBIDDEN"),
    ):
        for api, kind in ((HOOKED, ""), (HOOKED_LATER, " later")):
            said.clear()
            assert way(api, "plain", "x", token=token, **options).status == status
            assert said == [f"begin{kind}", "hook", *ends(kind, cause=cause)]
    said.clear()
    assert way(HOOKED, "plain", 3, **options).status == 400
    assert said == [
        "begin",
        "hook",
        "rollback InvalidInput (value): Must be a string in double quotes, not an integer.",
    ]
    said.clear()
    assert way(HOOKED, "plain", "x" * 99, max_body_bytes=50, **options).status == 413
    assert said == ["begin", "hook", "rollback CallFailed PAYLOAD_TOO_LARGE"]


@ways
def test_a_call_that_is_over_makes_no_value(way: Way, options: Any) -> None:
    kept: list[Context] = []

    def asking(token: str, request: Request) -> str | None:
        kept.append(copy_context())
        return None if token == "no" else token

    @route(summary="Order", tags=["t"])
    def order(input: str, ctx: str) -> str:
        return input

    api = spec(authenticate=asking, routes=routes(order))
    for token, status in (("ada", 200), ("no", 401)):
        assert way(api, "order", "x", token=token, **options).status == status
        with pytest.raises(RuntimeError, match="session"):
            kept.pop().run(session)
    assert said == []


@ways
def test_a_value_is_handed_the_failure_that_ended_the_call(way: Way, options: Any) -> None:
    causes: list[Failure | None] = []

    @provide(shared=True)
    def watched() -> Iterator[None]:
        try:
            yield
        except CallFailed as failed:
            causes.append(failed.failure)
            raise

    def asking(token: str, request: Request) -> str | Forbidden:
        watched()
        return Forbidden() if token == "never" else token

    @hook
    def limited(call: Call[str]) -> SoldOut | None:
        return SoldOut() if call.ctx == "late" else None

    @route(summary="Order", tags=["t"], hooks=hooks(limited))
    def order(input: str, ctx: str) -> str | SoldOut:
        return SoldOut()

    api = spec(authenticate=asking, routes=routes(order))
    for token, status in (("never", 403), ("late", 409), ("ada", 409)):
        assert way(api, "order", "x", token=token, **options).status == status
    assert causes == [Forbidden(), SoldOut(), SoldOut()]


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [record.getMessage() for record in caplog.records if record.name == "contract.errors"]
    return [message.partition(" [route ")[0] for message in found]


def served(*resolvers: Any, hook: Any = None) -> Spec[Any]:
    """A spec of public routes, or of bearer routes behind *hook*."""
    auth: Any = "none" if hook is None else "bearer"
    made = [route(summary="A route", tags=["t"], auth=auth)(each) for each in resolvers]
    return spec(routes=made) if hook is None else spec(routes=cast("Any", made), authenticate=hook)


EVERY_WAY = pytest.mark.parametrize("way", [over_wsgi, over_asgi], ids=["wsgi", "asgi"])


@EVERY_WAY
def test_a_provider_that_fails_at_its_end_makes_a_500(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    @provide
    def outer() -> Iterator[str]:
        try:
            yield "outer"
        except BaseException as cause:
            said.append(f"outer: {told(cause)}")
            raise

    @provide
    def broken() -> Iterator[str]:
        outer()
        try:
            yield "broken"
        finally:
            raise OSError("the disk is full")

    @provide
    async def broken_later() -> AsyncIterator[str]:
        outer()
        yield "broken"
        raise OSError("the disk is full")

    def order(input: str, ctx: None) -> str | SoldOut:
        broken()
        return answer(input)  # type: ignore[no-any-return]

    async def order_later(input: str, ctx: None) -> str | SoldOut:
        await broken_later()
        return "done"

    api = served(order, order_later)
    for name, input, heard in (
        ("order", "well", "OSError the disk is full"),
        ("order", "sold", "CallFailed SOLD_OUT"),
        ("order_later", "well", "OSError the disk is full"),
    ):
        said.clear()
        caplog.clear()
        reply = way(api, name, input)
        assert (reply.status, reply.json) == (500, {"error": "INTERNAL_ERROR"})
        assert isinstance(reply.exception, OSError)
        assert said == [f"outer: {heard}"]
        provider = "broken" if name == "order" else "broken_later"
        assert errors(caplog) == [f"the provider {provider} failed at its end"]


@EVERY_WAY
def test_a_provider_that_swallows_the_cause_changes_nothing(way: Way) -> None:
    @provide
    def outer() -> Iterator[None]:
        try:
            yield
        except CallFailed as failed:
            said.append(f"outer: {failed.code} {failed.failure}")

    @provide
    def swallows() -> Iterator[None]:
        outer()
        try:
            yield
        except CallFailed:
            said.append("swallowed")

    @provide
    async def swallows_later() -> AsyncIterator[None]:
        try:
            yield
        except CallFailed:
            said.append("swallowed")

    def order(input: str, ctx: None) -> str | SoldOut:
        swallows()
        return answer(input)  # type: ignore[no-any-return]

    async def order_later(input: str, ctx: None) -> str | SoldOut:
        await swallows_later()
        return answer(input)  # type: ignore[no-any-return]

    assert way(served(order), "order", "sold").error == "SOLD_OUT"
    assert said == ["swallowed", "outer: SOLD_OUT SoldOut()"]
    said.clear()
    assert way(served(order_later), "order_later", "sold").error == "SOLD_OUT"
    assert said == ["swallowed"]


@EVERY_WAY
@pytest.mark.parametrize("input", ["well", "sold"])
def test_a_provider_yields_once(way: Way, input: str, caplog: pytest.LogCaptureFixture) -> None:
    @provide
    def twice() -> Iterator[int]:
        with suppress(CallFailed):
            yield 1
        yield 2

    @provide
    async def twice_later() -> AsyncIterator[int]:
        with suppress(CallFailed):
            yield 1
        yield 2

    @provide
    def never() -> Iterator[int]:
        yield from ()

    @provide
    async def never_later() -> AsyncIterator[int]:
        for each in list[int]():
            yield each

    @provide(shared=True)
    def never_shared() -> Iterator[int]:
        yield from ()

    def order(input: str, ctx: None) -> str | SoldOut:
        twice()
        return answer(input)  # type: ignore[no-any-return]

    async def order_later(input: str, ctx: None) -> str | SoldOut:
        await twice_later()
        return answer(input)  # type: ignore[no-any-return]

    def nothing(input: str, ctx: None) -> str:
        never()
        return ""

    async def nothing_later(input: str, ctx: None) -> str:
        await never_later()
        return ""

    def nothing_shared(input: str, ctx: None) -> str:
        never_shared()
        return ""

    api = served(order, order_later, nothing, nothing_later, nothing_shared)
    for name in ("order", "order_later"):
        exception = way(api, name, input).exception
        assert str(exception) == "a provider yields once, and this one yielded again"
    for name in ("nothing", "nothing_later", "nothing_shared"):
        exception = way(api, name, input).exception
        assert str(exception).startswith("never")
        assert "yielded nothing (test_provided" in str(exception)
    assert set(errors(caplog)) == {
        "the provider twice failed at its end",
        "the provider twice_later failed at its end",
        "the resolver raised",
    }


@EVERY_WAY
@pytest.mark.parametrize("raised", [StopIteration, StopAsyncIteration, GeneratorExit, SystemExit])
def test_whatever_a_resolver_raises_comes_out_as_it_went_in(
    way: Way, raised: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    def order(input: str, ctx: None) -> str:
        session()
        raise raised("x")

    async def order_later(input: str, ctx: None) -> str:
        await later()
        raise raised("x") if raised is not StopIteration else KeyError("x")

    api = served(order, order_later)

    assert way(api, "order", "x").status == way(api, "order_later", "x").status == 500
    assert said[1] == f"rollback {raised.__name__} x"
    assert errors(caplog) == ["the resolver raised"] * 2


@EVERY_WAY
def test_what_is_mapped_is_thrown_in_as_it_was_raised(way: Way) -> None:
    def order(input: str, ctx: None) -> str | SoldOut:
        session()
        raise KeyError("x")

    options = {"handle_unhandled_error": lambda raised, request: SoldOut()}

    assert way(served(order), "order", "x", **options).error == "SOLD_OUT"
    assert said == ["begin", "rollback KeyError 'x'"]


@EVERY_WAY
def test_an_undeclared_failure_is_a_wrong_output(way: Way) -> None:
    assert way(PLAIN, "here", "undeclared").status == 500
    assert said[2].startswith("rollback InvalidOutput (value): ")
    said.clear()

    def order(input: str, ctx: None) -> str:
        session()
        return cast("str", SoldOut())

    assert way(served(order), "order", "x").status == 500
    assert said[1].startswith("rollback InvalidOutput (value): a SoldOut")


def test_values_belong_to_the_thread_that_made_them(caplog: pytest.LogCaptureFixture) -> None:
    def inside(input: str, ctx: None) -> str:
        session()
        thread = threading.Thread(target=copy_context().run, args=(ask,))
        thread.start()
        thread.join()
        return "done"

    asked: list[RuntimeError] = []

    def ask() -> None:
        try:
            session()
        except RuntimeError as error:
            asked.append(error)

    assert over_wsgi(served(inside), "inside", "x").status == 200
    assert str(asked[0]).startswith(
        "session belongs to the thread that the call has made it in, and was asked for in another; "
        "make it async, or, where any thread may use it, write @provide(shared=True) (test_p"
    )
    assert said == ["begin", "commit"]


@ways
def test_a_sync_value_of_the_hook_is_not_for_the_loop(way: Way, options: Any) -> None:
    """A synchronous hook runs in a thread, and an async or inline resolver on the loop."""

    async def order(input: str, ctx: str) -> str:
        session()
        return "done"

    reply = way(served(order, hook=user_of), "order", "x", **options)

    assert reply.status == 500
    assert said[:2] == ["begin", "hook"]
    assert said[2].startswith("rollback RuntimeError session belongs to the thread")


@EVERY_WAY
def test_a_value_that_a_thread_of_ones_own_made_cannot_end(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    @provide
    def foreign() -> Iterator[int]:
        yield 1

    def in_thread() -> None:
        thread = threading.Thread(target=copy_context().run, args=(foreign,))
        thread.start()
        thread.join()

    def order(input: str, ctx: None) -> str:
        session()
        in_thread()
        return "done"

    async def order_later(input: str, ctx: None) -> str:
        await later()
        in_thread()
        return "done"

    reply = way(served(order), "order", "x")
    assert reply.status == 500
    assert str(reply.exception) == (
        "foreign was made in a thread that does not belong to the call, so it cannot end there; "
        "write `with contract.calling(...):` in that thread, around what asks for it; "
        "or, where any thread may use it, write @provide(shared=True)"
    )
    assert said == ["begin", f"rollback RuntimeError {reply.exception}"]
    assert errors(caplog) == ["the provider foreign failed at its end"]
    assert way(served(order_later), "order_later", "x").status == 500
    assert said[2:] == ["begin later", f"rollback later RuntimeError {reply.exception}"]


@ways
def test_a_shared_value_is_for_every_thread(way: Way, options: Any) -> None:
    @provide(shared=True)
    def cache() -> Iterator[list[str]]:
        said.append("begin")
        yield said
        said.append("end")

    async def order(input: str, ctx: str) -> str:
        cache().append("order")
        await asyncio.to_thread(lambda: cache().append("thread"))
        return "done"

    def user(token: str, request: Request) -> str:
        cache().append("hook")
        return token

    assert way(served(order, hook=user), "order", "x", **options).status == 200
    assert said == ["begin", "hook", "order", "thread", "end"]


@EVERY_WAY
def test_a_value_is_made_once_even_by_two_at_a_time(way: Way) -> None:
    made: list[int] = []

    @provide
    async def slow() -> AsyncIterator[int]:
        await asyncio.sleep(0)
        made.append(1)
        yield 1

    @provide(shared=True)
    def itself() -> Iterator[int]:
        yield itself()

    async def order(input: str, ctx: None) -> str:
        found = await asyncio.gather(slow(), slow(), return_exceptions=True)
        return f"{found[0]} {found[1]} {await slow()}"

    def again(input: str, ctx: None) -> str:
        return str(itself())

    api = served(order, again)
    why = (
        "was asked for while it was being made, by itself or by two threads at once; "
        "ask for it once before you start them"
    )

    assert way(api, "order", "x").json == "1 1 1"
    assert made == [1]
    assert str(way(api, "again", "x").exception) == f"itself {why}"


AT_ONCE = "was asked for while it was being made, by itself or by two threads at once"


@EVERY_WAY
def test_an_asynchronous_value_cannot_wait_for_itself(way: Way) -> None:
    @provide
    async def itself() -> AsyncIterator[object]:
        yield await asyncio.gather(itself())

    @provide
    async def first() -> AsyncIterator[object]:
        await asyncio.sleep(0)
        yield await second()

    @provide
    async def second() -> AsyncIterator[object]:
        await asyncio.sleep(0)
        yield await asyncio.create_task(third())

    @provide
    async def third() -> AsyncIterator[object]:
        await asyncio.sleep(0)
        yield await first()

    async def alone(input: str, ctx: None) -> None:
        await itself()

    async def together(input: str, ctx: None) -> None:
        async with asyncio.timeout(5):
            found = await asyncio.gather(first(), second(), third(), return_exceptions=True)
        raise next(each for each in found if isinstance(each, BaseException))

    api = served(alone, together)

    assert AT_ONCE in str(way(api, "alone", "x").exception)
    assert AT_ONCE in str(way(api, "together", "x").exception)


@EVERY_WAY
@pytest.mark.parametrize("why", ["raises", "is cancelled"])
def test_where_one_task_does_not_make_a_value_the_next_one_does(way: Way, why: str) -> None:
    tries: list[int] = []

    @provide
    async def flaky() -> AsyncIterator[int]:
        tries.append(1)
        await asyncio.sleep(0.001)
        if len(tries) == 1 and why == "raises":
            raise OSError("not yet")
        yield len(tries)

    async def order(input: str, ctx: None) -> str:
        asked = [asyncio.create_task(flaky()) for _ in range(4)]
        await asyncio.sleep(0)
        if why == "is cancelled":
            asked[0].cancel()
            asked[1].cancel()
        found = await asyncio.gather(*asked, return_exceptions=True)
        return " ".join(str(each) for each in found if isinstance(each, int))

    assert way(served(order), "order", "x").json == ("2 2" if why == "is cancelled" else "2 2 2")


OVER = '; use it before, or write `with contract.calling("order"):` around what needs a new one'


def test_who_waits_for_a_value_when_the_call_ends_is_told() -> None:
    @provide
    async def late() -> AsyncIterator[int]:
        await asyncio.sleep(0.001)
        raise OSError("no more")
        yield 1  # type: ignore[unreachable]

    async def run() -> list[Any]:
        async with calling("order"):
            asked = [asyncio.create_task(late()) for _ in range(2)]
            await asyncio.sleep(0)
        return await asyncio.gather(*asked, return_exceptions=True)

    first, second = asyncio.run(run())
    assert (str(first), str(second)) == (
        "no more",
        "late was asked for after the call of order had ended" + OVER,
    )


@EVERY_WAY
def test_what_raises_while_it_is_made_is_made_again(way: Way) -> None:
    tries: list[int] = []

    @provide
    def flaky() -> Iterator[int]:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("no")
        yield len(tries)

    def order(input: str, ctx: None) -> int:
        with pytest.raises(OSError, match="no"):
            flaky()
        return flaky()

    assert way(served(order), "order", "x").json == 2


LEFT: list[asyncio.Task[Any]] = []


@EVERY_WAY
@pytest.mark.parametrize("first", [False, True])
def test_nothing_is_made_after_the_end(way: Way, *, first: bool) -> None:
    found: list[BaseException] = []
    over = threading.Event()

    async def ask() -> None:
        await asyncio.sleep(0.05)
        for each in (session, lambda: after_commit(print)):
            try:
                each()
            except RuntimeError as error:
                found.append(error)
        try:
            await later()
        except RuntimeError as error:
            found.append(error)
        over.set()

    async def order(input: str, ctx: None) -> str:
        if first:
            session()
        LEFT.append(asyncio.create_task(ask()))
        return "done"

    if way is over_wsgi:
        assert way(served(order), "order", "x").status == 200
        over.wait()
    else:

        async def run() -> None:
            assert (await AsyncClient(served(order)).call("order", "x")).status == 200
            await LEFT[-1]

        asyncio.run(run())
    assert list(map(str, found)) == [
        "session was asked for after the call of order had ended" + OVER,
        "after_commit() was called after the call of order had ended",
        "later was asked for after the call of order had ended" + OVER,
    ]


def test_outside_of_a_call_there_are_no_values() -> None:
    with pytest.raises(
        LookupError,
        match=r"^no call is running here, and session gives the value of a call: ask for it in a "
        r"resolver, and not as the default of a parameter; in a test or a job, write "
        r'`with contract\.calling\("order"\):` around it, or replace it: '
        r"`with session\.using\(fake\):`; ",
    ):
        session()
    with pytest.raises(LookupError, match="and later gives the value of a call"):
        asyncio.run(later())
    with pytest.raises(LookupError, match=r"^no call is running here, and after_commit\(\) is for"):
        after_commit(print)


def test_a_test_may_replace_a_value() -> None:
    def order(input: str, ctx: None) -> int:
        return session()

    async def order_later(input: str, ctx: None) -> str:
        return str(await later())

    api = served(order, order_later)
    loop = cast("asyncio.AbstractEventLoop", "a loop")

    with session.using(7) as fake, later.using(loop):
        assert fake == order("x", None) == 7
        with session.using(8):
            assert session() == 8
        for way in (over_wsgi, over_asgi):
            assert way(api, "order", "x").json == 7
            assert way(api, "order_later", "x").json == "a loop"
    assert said == []
    assert over_wsgi(api, "order", "x").status == 200
    assert said == ["begin", "commit"]


def test_a_test_may_have_a_call_of_its_own() -> None:
    with calling("order"):
        assert session() == session()
        after_commit(said.append, "after")
        with pytest.raises(
            RuntimeError, match=r"^later is asynchronous; write `async with contract\.calling"
        ):
            asyncio.run(later())
    assert said == ["begin", "commit", "after"]
    said.clear()
    with suppress(KeyError), calling("order"):
        session()
        after_commit(said.append, "after")
        raise KeyError("x")
    assert said == ["begin", "rollback KeyError 'x'"]


def test_a_test_that_awaits_may_have_a_call_of_its_own() -> None:
    async def mail(text: str) -> None:
        await asyncio.sleep(0)
        said.append(text)

    async def run() -> None:
        async with calling("order"):
            assert await later() is asyncio.get_running_loop()
            assert session() == threading.get_ident()
            after_commit(mail, text="after")
            after_commit(said.append, "and more")
        with suppress(KeyError):
            async with calling("order"):
                await later()
                raise KeyError("x")

    asyncio.run(run())

    assert said == [
        *("begin later", "begin", "commit", "commit later", "after", "and more"),
        *("begin later", "rollback later KeyError 'x'"),
    ]


def test_a_test_hears_of_what_fails_at_the_end() -> None:
    @provide
    def broken() -> Iterator[None]:
        yield
        raise OSError("no")

    @provide
    def plain() -> Iterator[None]:
        yield

    def foreign() -> None:
        thread = threading.Thread(target=copy_context().run, args=(plain,))
        thread.start()
        thread.join()

    def own_and_foreign() -> None:
        session()
        foreign()

    async def run() -> None:
        async with calling("order"):
            await later()
            foreign()

    with pytest.raises(OSError, match="no"), calling("order"):
        broken()
    with pytest.raises(RuntimeError, match="plain was made in a thread"), calling("order"):
        own_and_foreign()
    with pytest.raises(RuntimeError, match="plain was made in a thread"):
        asyncio.run(run())
    # what was made before the thread's value is rolled back, though that one cannot end
    ends = [line.partition(" RuntimeError plain was made in a thread")[0] for line in said]
    assert ends == ["begin", "rollback", "begin later", "rollback later"]


def test_the_kinds_of_providers() -> None:
    assert isinstance(session, Provided)
    assert isinstance(later, AsyncProvided)
    assert (session.__name__, session.__module__) == ("session", __name__)
    assert repr(session).startswith("<provider session (test_provided.session, ")


def test_a_provider_is_a_generator_function_without_a_decorator() -> None:
    @contextmanager
    def managed() -> Iterator[int]:
        yield 1

    why = "^@provide managed: write a generator function that yields the value once"
    with pytest.raises(DeclarationError, match=why):
        provide(cast("Any", managed))


def test_the_reason_of_a_call_that_failed() -> None:
    failed = CallFailed(SoldOut())

    assert (failed.failure, failed.code, str(failed)) == (SoldOut(), "SOLD_OUT", "SOLD_OUT")
    assert CallFailed(None, "UNAUTHORIZED").failure is None


def test_a_hop_is_finished_or_given_up() -> None:
    finished, given_up = Hop(), Hop()
    why = TimeoutError()

    assert finished.finish() is None
    assert not finished.give_up(why)
    assert finished.given_up is None
    assert given_up.give_up(why)
    assert given_up.finish() is given_up.given_up is why


@hook
def early(call: Call[object]) -> SoldOut | None:
    session()
    said.append("early")
    return SoldOut() if call.headers.get("x-sold") else None


@hook
def late(call: Call[object, str]) -> SoldOut | None:
    session()
    said.append("late")
    return SoldOut() if call.input == "sold" else None


@hook
async def early_later(call: Call[object]) -> SoldOut | None:
    await later()
    said.append("early")
    return None


@hook
async def late_later(call: Call[object, str]) -> SoldOut | None:
    await later()
    said.append("late")
    return SoldOut() if call.input == "sold" else None


@route(summary="S", tags=["t"], hooks=hooks(early, late))
def hooked(input: str, ctx: str) -> str | SoldOut:
    session()
    said.append("hooked")
    return input


@route(summary="S", tags=["t"], hooks=hooks(early_later, late_later))
async def hooked_later(input: str, ctx: str) -> str | SoldOut:
    await later()
    said.append("hooked")
    return input


@route(summary="S", tags=["t"], hooks=hooks(early, late_later, late))
def hooked_in_steps(input: str, ctx: str) -> str | SoldOut:
    session()
    said.append("hooked")
    return input


BEHIND = routes(hooked, hooked_later, hooked_in_steps)


@pytest.mark.unwatched
@ways
@pytest.mark.parametrize("input", ["well", "sold"])
def test_hooks_have_the_same_values(way: Way, options: Any, input: str) -> None:
    cause = "CallFailed SOLD_OUT" if input == "sold" else None
    then = [] if cause else ["hooked"]

    assert way(spec(authenticate=user_of, routes=BEHIND), "hooked", input, **options).status == (
        409 if cause else 200
    )
    assert said == ["begin", "hook", "early", "late", *then, *ends("", cause=cause)]
    said.clear()
    way(spec(authenticate=user_of_later, routes=BEHIND), "hooked_later", input, **options)
    assert said == ["begin later", "hook", "early", "late", *then, *ends(" later", cause=cause)]
    said.clear()
    way(spec(authenticate=anybody, routes=BEHIND), "hooked_in_steps", input, **options)
    made = ["begin", "early", "begin later", "late"]
    rest = [] if cause else ["late", "hooked"]
    assert said == [*made, *rest, *ends(" later", "", cause=cause)]


@route(summary="S", tags=["t"], auth="none", mcp=McpTool(), hooks=hooks(early))
def tool_behind(input: Named, ctx: None) -> str | SoldOut:
    said.append("tool")
    return "done"


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_hooks_of_a_tool_have_values(kind: Any) -> None:
    api = spec(routes=routes(tool_behind))

    def called(arguments: Any, **headers: str) -> Reply:
        params = {"name": "tool_behind", "arguments": arguments}
        reply = kind(api, headers=headers).mcp("tools/call", params)
        return cast("Reply", reply if kind is Client else asyncio.run(reply))

    assert called({"name": "x"}).json["result"]["content"]
    assert said == ["begin", "early", "tool", "commit"]
    said.clear()
    assert called({"name": "x"}, **{"x-sold": "1"}).json["result"]["isError"]
    assert said == ["begin", "early", "rollback CallFailed SOLD_OUT"]
    said.clear()
    assert called(3).json["error"]["code"] == -32602
    assert said == ["begin", "early", "rollback CallFailed BAD_REQUEST"]


@route(summary="S", tags=["t"], auth="none", mcp=True, hooks=hooks(early))
def telling(input: None, ctx: None) -> None:
    progress(1)
    progress(2)


def test_a_value_of_a_hook_keeps_the_progress_of_a_tool_from_its_client_on_wsgi(
    caplog: pytest.LogCaptureFixture,
) -> None:
    api = spec(routes=routes(telling))
    params = {"name": "telling", "_meta": {"progressToken": 1}}
    client, later = Client(api), AsyncClient(api)

    async def run() -> Reply:
        return await later.mcp("tools/call", params)

    for _ in range(2):
        assert b"notifications/progress" not in client.mcp("tools/call", params).body
    assert caplog.text.count("progress is told to nobody: authenticate or a hook") == 1
    assert b"notifications/progress" in asyncio.run(run()).body
