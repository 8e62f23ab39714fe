"""Values of a call: made when they are first asked for, ended with what was answered."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context, copy_context
from itertools import product
from typing import Any, TypedDict, cast

import orjson
import pytest

import contract
from contract.adapters.asgi import AsgiApp
from contract.adapters.mount import service_of
from contract.call.mount_options import Options
from contract.call.values import Hop
from contract.testing import AsyncClient, Client, Reply
from tests.tables import rows

said: list[str] = []
"""What the providers, hooks and resolvers did, in order."""


@pytest.fixture(autouse=True)
def _fresh() -> None:
    said.clear()


class SoldOut(contract.Failure, status=409):
    """Every copy is sold."""


class Named(TypedDict):
    name: str


def told(cause: BaseException) -> str:
    return f"{type(cause).__name__} {cause}".strip()


@contract.provide
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


@contract.provide
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
    return {"sold": SoldOut(), "wrong": 3, "undeclared": contract.Forbidden}.get(input, "done")


@contract.route(summary="Here", tags=["t"])
def here(input: str, ctx: str) -> str | SoldOut:
    assert session() == session() == threading.get_ident()
    said.append("here")
    return answer(input)  # type: ignore[no-any-return]


@contract.route(summary="On the loop", tags=["t"])
async def on_loop(input: str, ctx: str) -> str | SoldOut:
    assert await later() is await later() is asyncio.get_running_loop()
    said.append("on_loop")
    return answer(input)  # type: ignore[no-any-return]


@contract.route(summary="Inline", tags=["t"], inline=True)
def inline(input: str, ctx: str) -> str | SoldOut:
    session()
    said.append("inline")
    return answer(input)  # type: ignore[no-any-return]


@contract.route(summary="Asks for nothing", tags=["t"])
def plain(input: str, ctx: str) -> str | SoldOut:
    return answer(input)  # type: ignore[no-any-return]


User = str | contract.Forbidden | None


def known(token: str) -> User:
    said.append("hook")
    return {"no": None, "never": contract.Forbidden()}.get(token, token)


def user_of(token: str, request: contract.Request) -> User:
    session()
    return known(token)


async def user_of_later(token: str, request: contract.Request) -> User:
    await later()
    return known(token)


def anybody(token: str, request: contract.Request) -> str | None:
    return token


ROUTES = contract.routes(here, on_loop, inline, plain)
HOOKED = contract.spec(authenticate=user_of, routes=ROUTES)
HOOKED_LATER = contract.spec(authenticate=user_of_later, routes=ROUTES)
PLAIN = contract.spec(authenticate=anybody, routes=ROUTES)


Api = contract.Spec[Any]
Way = Callable[..., Reply]


def over_wsgi(api: Api, name: str, input: object, token: str = "t", **options: Any) -> Reply:
    return Client(api, options=Options(**options), token=token).call(name, input)


def over_asgi(api: Api, name: str, input: object, token: str = "t", **options: Any) -> Reply:
    return asyncio.run(AsyncClient(api, options=Options(**options), token=token).call(name, input))


def in_two_hops(api: Api, name: str, input: object, token: str = "t", **options: Any) -> Reply:
    """Over ASGI, with a body that is not there yet when the hook is asked."""
    app = AsgiApp(service_of(api, Options(**options)))
    body = orjson.dumps(input)
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": body}

    async def send(event: Any) -> None:
        sent.append(event)

    json = (b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())
    headers = [(b"authorization", f"Bearer {token}".encode()), *json]
    asyncio.run(app(post(f"/{name}", headers), receive, send))
    return Reply(sent[0]["status"], orjson.loads(sent[1]["body"]), {}, sent[1]["body"])


def post(path: str, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    asked = {"method": "POST", "path": path, "query_string": b"", "headers": headers}
    return {"type": "http", "http_version": "1.1", **asked}


WAYS = {"wsgi": over_wsgi, "asgi": over_asgi, "two hops": in_two_hops}
DEADLINES = {"": {}, " deadline": {"limits": contract.Limits(deadline_seconds=20.0)}}

ways = rows(
    "way, options",
    *product(WAYS.values(), DEADLINES.values()),
    ids=[name + deadline for name, deadline in product(WAYS, DEADLINES)],
)

OUTCOMES = {
    "well": (200, None),
    "sold": (409, "CallFailed SOLD_OUT"),
    "raise": (500, "KeyError 'canary'"),
    "wrong": (500, "InvalidOutput (value): expected str, found int"),
}


EVERY_WAY = pytest.mark.parametrize("way", [over_wsgi, over_asgi], ids=["wsgi", "asgi"])


def ends(*kinds: str, cause: str | None) -> list[str]:
    """What the providers of these *kinds* say at the end."""
    return [f"commit{kind}" if cause is None else f"rollback{kind} {cause}" for kind in kinds]


@ways
@pytest.mark.parametrize("input", OUTCOMES)
@rows(
    "api, name, begun, ended",
    (PLAIN, "here", ["begin", "here"], [""]),
    (PLAIN, "inline", ["begin", "inline"], [""]),
    (PLAIN, "on_loop", ["begin later", "on_loop"], [" later"]),
    (HOOKED, "here", ["begin", "hook", "here"], [""]),
    (HOOKED, "on_loop", ["begin", "hook", "begin later", "on_loop"], [" later", ""]),
    (HOOKED_LATER, "here", ["begin later", "hook", "begin", "here"], ["", " later"]),
    (HOOKED_LATER, "on_loop", ["begin later", "hook", "on_loop"], [" later"]),
    ids=[
        *("here", "inline", "on the loop"),
        *("of hook and resolver", "of a thread, then of the loop"),
        *("of the loop, then of a thread", "of hook and resolver on the loop"),
    ],
)
def test_values_end_in_reverse_with_what_was_answered(
    way: Way, options: Any, api: Api, name: str, begun: list[str], ended: list[str], input: str
) -> None:
    status, cause = OUTCOMES[input]

    assert way(api, name, input, **options).status == status
    assert said == [*begun, *ends(*ended, cause=cause)]


@EVERY_WAY
def test_an_undeclared_failure_is_a_wrong_output(way: Way) -> None:
    def order(input: str, ctx: None) -> str:
        session()
        return cast("str", SoldOut())

    assert way(PLAIN, "here", "undeclared").status == 500
    assert way(served(order), "order", "x").status == 500
    [_, _, undeclared, _, failure] = said
    assert undeclared.startswith("rollback InvalidOutput (value): ")
    assert failure.startswith("rollback InvalidOutput (value): a SoldOut")


NO_TEXT = "InvalidInput (value): Must be a string in double quotes, not an integer."


@ways
def test_a_refused_call_rolls_its_hook_back(way: Way, options: Any) -> None:
    for api, kind, input, token, status, why in (
        (HOOKED, "", "x", "no", 401, "CallFailed UNAUTHORIZED"),
        (HOOKED, "", "x", "never", 403, "CallFailed FORBIDDEN"),
        (HOOKED_LATER, " later", "x", "no", 401, "CallFailed UNAUTHORIZED"),
        (HOOKED_LATER, " later", "x", "never", 403, "CallFailed FORBIDDEN"),
        (HOOKED, "", 3, "t", 400, NO_TEXT),
        (HOOKED, "", "x" * 99, "t", 413, "CallFailed PAYLOAD_TOO_LARGE"),
    ):
        said.clear()
        reply = way(api, "plain", input, token=token, max_body_bytes=50, **options)
        assert (reply.status, said) == (status, [f"begin{kind}", "hook", f"rollback{kind} {why}"])


@ways
def test_a_call_that_is_over_makes_no_value(way: Way, options: Any) -> None:
    kept: list[Context] = []

    def asking(token: str, request: contract.Request) -> str | None:
        kept.append(copy_context())
        return None if token == "no" else token

    @contract.route(summary="Order", tags=["t"])
    def order(input: str, ctx: str) -> str:
        return input

    api = contract.spec(authenticate=asking, routes=contract.routes(order))
    for token, status in (("ada", 200), ("no", 401)):
        assert way(api, "order", "x", token, **options).status == status
        with pytest.raises(RuntimeError, match="session"):
            kept.pop().run(session)
    assert said == []


@ways
def test_a_value_is_handed_the_failure_that_ended_the_call(way: Way, options: Any) -> None:
    causes: list[contract.Failure | None] = []

    @contract.provide(shared=True)
    def watched() -> Iterator[None]:
        try:
            yield
        except contract.CallFailed as failed:
            causes.append(failed.failure)
            raise

    def asking(token: str, request: contract.Request) -> str | contract.Forbidden:
        watched()
        return contract.Forbidden() if token == "never" else token

    @contract.hook
    def limited(call: contract.Call[str]) -> SoldOut | None:
        return SoldOut() if call.ctx == "late" else None

    @contract.route(summary="Order", tags=["t"], hooks=contract.hooks(limited))
    def order(input: str, ctx: str) -> str | SoldOut:
        return SoldOut()

    api = contract.spec(authenticate=asking, routes=contract.routes(order))
    for token, status in (("never", 403), ("late", 409), ("ada", 409)):
        assert way(api, "order", "x", token=token, **options).status == status
    assert causes == [contract.Forbidden(), SoldOut(), SoldOut()]


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [record.getMessage() for record in caplog.records if record.name == "contract.errors"]
    return [message.partition(" [route ")[0] for message in found]


def served(*resolvers: Any, hook: Any = None) -> Api:
    """A spec of public routes, or of bearer routes behind *hook*."""
    auth: Any = "none" if hook is None else "bearer"
    made = [contract.route(summary="A route", tags=["t"], auth=auth)(each) for each in resolvers]
    given: Any = {} if hook is None else {"authenticate": hook}
    return contract.spec(routes=made, **given)


def ask(way: Way, provider: Any, input: str = "x", **options: Any) -> Reply:
    """What is answered by a resolver that asks *provider* for its value, and then does as it is told."""

    def order(input: str, ctx: None) -> str | SoldOut:
        provider()
        return answer(input)  # type: ignore[no-any-return]

    async def order_later(input: str, ctx: None) -> str | SoldOut:
        await provider()
        return answer(input)  # type: ignore[no-any-return]

    resolver = order_later if isinstance(provider, contract.AsyncProvided) else order
    return way(served(resolver), resolver.__name__, input, **options)


def in_a_thread(provider: Callable[[], object]) -> None:
    """Ask for a value in a thread of one's own."""
    thread = threading.Thread(target=copy_context().run, args=(provider,))
    thread.start()
    thread.join()


@EVERY_WAY
def test_a_provider_that_fails_at_its_end_makes_a_500(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    @contract.provide
    def outer() -> Iterator[str]:
        try:
            yield "outer"
        except BaseException as cause:
            said.append(f"outer: {told(cause)}")
            raise

    @contract.provide
    def broken() -> Iterator[str]:
        outer()
        try:
            yield "broken"
        finally:
            raise OSError("the disk is full")

    @contract.provide
    async def broken_later() -> AsyncIterator[str]:
        outer()
        yield "broken"
        raise OSError("the disk is full")

    for provider, input, heard in (
        (broken, "well", "OSError the disk is full"),
        (broken, "sold", "CallFailed SOLD_OUT"),
        (broken_later, "well", "OSError the disk is full"),
    ):
        said.clear()
        caplog.clear()
        reply = ask(way, provider, input)
        assert (reply.status, reply.json) == (500, {"error": "INTERNAL_ERROR"})
        assert isinstance(reply.exception, OSError)
        assert said == [f"outer: {heard}"]
        assert errors(caplog) == [f"the provider {provider.__name__} failed at its end"]


@EVERY_WAY
def test_a_provider_that_swallows_the_cause_changes_nothing(way: Way) -> None:
    @contract.provide
    def outer() -> Iterator[None]:
        try:
            yield
        except contract.CallFailed as failed:
            said.append(f"outer: {failed.code} {failed.failure}")

    @contract.provide
    def swallows() -> Iterator[None]:
        outer()
        try:
            yield
        except contract.CallFailed:
            said.append("swallowed")

    @contract.provide
    async def swallows_later() -> AsyncIterator[None]:
        try:
            yield
        except contract.CallFailed:
            said.append("swallowed")

    assert ask(way, swallows, "sold").error == "SOLD_OUT"
    assert said == ["swallowed", "outer: SOLD_OUT SoldOut()"]
    said.clear()
    assert (ask(way, swallows_later, "sold").error, said) == ("SOLD_OUT", ["swallowed"])


@EVERY_WAY
@pytest.mark.parametrize("input", ["well", "sold"])
def test_a_provider_yields_once(way: Way, input: str, caplog: pytest.LogCaptureFixture) -> None:
    @contract.provide
    def twice() -> Iterator[int]:
        with suppress(contract.CallFailed):
            yield 1
        yield 2

    @contract.provide
    async def twice_later() -> AsyncIterator[int]:
        with suppress(contract.CallFailed):
            yield 1
        yield 2

    @contract.provide
    def never() -> Iterator[int]:
        yield from ()

    @contract.provide
    async def never_later() -> AsyncIterator[int]:
        for each in list[int]():
            yield each

    @contract.provide(shared=True)
    def never_shared() -> Iterator[int]:
        yield from ()

    for again in (twice, twice_later):
        exception = ask(way, again, input).exception
        assert str(exception) == "a provider yields once, and this one yielded again"
    for nothing in (never, never_later, never_shared):
        told = str(ask(way, nothing, input).exception)
        assert told.startswith("never")
        assert "yielded nothing (test_provided" in told
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
    options = {"handle_unhandled_error": lambda raised, request: SoldOut()}

    assert ask(way, session, "raise", **options).error == "SOLD_OUT"
    assert said == ["begin", "rollback KeyError 'canary'"]


def test_values_belong_to_the_thread_that_made_them(caplog: pytest.LogCaptureFixture) -> None:
    def inside(input: str, ctx: None) -> str:
        session()
        in_a_thread(note)
        return "done"

    asked: list[RuntimeError] = []

    def note() -> None:
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

    assert (reply.status, said[:2]) == (500, ["begin", "hook"])
    assert said[2].startswith("rollback RuntimeError session belongs to the thread")


@EVERY_WAY
def test_a_value_that_a_thread_of_ones_own_made_cannot_end(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    @contract.provide
    def foreign() -> Iterator[int]:
        yield 1

    def order(input: str, ctx: None) -> str:
        session()
        in_a_thread(foreign)
        return "done"

    async def order_later(input: str, ctx: None) -> str:
        await later()
        in_a_thread(foreign)
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
    @contract.provide(shared=True)
    def cache() -> Iterator[list[str]]:
        said.append("begin")
        yield said
        said.append("end")

    async def order(input: str, ctx: str) -> str:
        cache().append("order")
        await asyncio.to_thread(lambda: cache().append("thread"))
        return "done"

    def user(token: str, request: contract.Request) -> str:
        cache().append("hook")
        return token

    assert way(served(order, hook=user), "order", "x", **options).status == 200
    assert said == ["begin", "hook", "order", "thread", "end"]


AT_ONCE = "was asked for while it was being made, by itself or by two threads at once"


@EVERY_WAY
def test_a_value_is_made_once_even_by_two_at_a_time(way: Way) -> None:
    made: list[int] = []

    @contract.provide
    async def slow() -> AsyncIterator[int]:
        await asyncio.sleep(0)
        made.append(1)
        yield 1

    @contract.provide(shared=True)
    def itself() -> Iterator[int]:
        yield itself()

    async def order(input: str, ctx: None) -> str:
        found = await asyncio.gather(slow(), slow(), return_exceptions=True)
        return f"{found[0]} {found[1]} {await slow()}"

    assert (way(served(order), "order", "x").json, made) == ("1 1 1", [1])
    why = f"itself {AT_ONCE}; ask for it once before you start them"
    assert str(ask(way, itself).exception) == why


@EVERY_WAY
def test_an_asynchronous_value_cannot_wait_for_itself(way: Way) -> None:
    @contract.provide
    async def itself() -> AsyncIterator[object]:
        yield await asyncio.gather(itself())

    @contract.provide
    async def first() -> AsyncIterator[object]:
        await asyncio.sleep(0)
        yield await second()

    @contract.provide
    async def second() -> AsyncIterator[object]:
        await asyncio.sleep(0)
        yield await asyncio.create_task(third())

    @contract.provide
    async def third() -> AsyncIterator[object]:
        await asyncio.sleep(0)
        yield await first()

    async def together(input: str, ctx: None) -> None:
        async with asyncio.timeout(5):
            found = await asyncio.gather(first(), second(), third(), return_exceptions=True)
        raise next(each for each in found if isinstance(each, BaseException))

    assert AT_ONCE in str(ask(way, itself).exception)
    assert AT_ONCE in str(way(served(together), "together", "x").exception)


@EVERY_WAY
@pytest.mark.parametrize("why", ["raises", "is cancelled"])
def test_where_one_task_does_not_make_a_value_the_next_one_does(way: Way, why: str) -> None:
    tries: list[int] = []

    @contract.provide
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
    @contract.provide
    async def late() -> AsyncIterator[int]:
        await asyncio.sleep(0.001)
        raise OSError("no more")
        yield 1  # type: ignore[unreachable]

    async def run() -> list[Any]:
        async with contract.calling("order"):
            asked = [asyncio.create_task(late()) for _ in range(2)]
            await asyncio.sleep(0)
        return await asyncio.gather(*asked, return_exceptions=True)

    first, second = asyncio.run(run())
    assert str(first) == "no more"
    assert str(second) == "late was asked for after the call of order had ended" + OVER


@EVERY_WAY
def test_what_raises_while_it_is_made_is_made_again(way: Way) -> None:
    tries: list[int] = []

    @contract.provide
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
        for each in (session, lambda: contract.after_commit(print), later):
            try:
                await cast("Any", each())
            except RuntimeError as error:
                found.append(error)
        over.set()

    async def order(input: str, ctx: None) -> str:
        if first:
            session()
        LEFT.append(asyncio.create_task(ask()))
        return "done"

    async def run() -> None:
        assert (await AsyncClient(served(order)).call("order", "x")).status == 200
        await LEFT[-1]

    if way is over_wsgi:
        assert way(served(order), "order", "x").status == 200
        over.wait()
    else:
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
        contract.after_commit(print)


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
    with contract.calling("order"):
        assert session() == session()
        contract.after_commit(said.append, "after")
        with pytest.raises(
            RuntimeError, match=r"^later is asynchronous; write `async with contract\.calling"
        ):
            asyncio.run(later())
    assert said == ["begin", "commit", "after"]
    said.clear()
    with suppress(KeyError), contract.calling("order"):
        session()
        contract.after_commit(said.append, "after")
        raise KeyError("x")
    assert said == ["begin", "rollback KeyError 'x'"]


def test_a_test_that_awaits_may_have_a_call_of_its_own() -> None:
    async def mail(text: str) -> None:
        await asyncio.sleep(0)
        said.append(text)

    async def run() -> None:
        async with contract.calling("order"):
            assert await later() is asyncio.get_running_loop()
            assert session() == threading.get_ident()
            contract.after_commit(mail, text="after")
            contract.after_commit(said.append, "and more")
        with suppress(KeyError):
            async with contract.calling("order"):
                await later()
                raise KeyError("x")

    asyncio.run(run())

    assert said == [
        *("begin later", "begin", "commit", "commit later", "after", "and more"),
        *("begin later", "rollback later KeyError 'x'"),
    ]


def test_a_test_hears_of_what_fails_at_the_end() -> None:
    @contract.provide
    def broken() -> Iterator[None]:
        yield
        raise OSError("no")

    @contract.provide
    def plain() -> Iterator[None]:
        yield

    def own_and_foreign() -> None:
        session()
        in_a_thread(plain)

    async def run() -> None:
        async with contract.calling("order"):
            await later()
            in_a_thread(plain)

    with pytest.raises(OSError, match="no"), contract.calling("order"):
        broken()
    with pytest.raises(RuntimeError, match="plain was made in a thread"), contract.calling("order"):
        own_and_foreign()
    with pytest.raises(RuntimeError, match="plain was made in a thread"):
        asyncio.run(run())
    # what was made before the thread's value is rolled back, though that one cannot end
    ends = [line.partition(" RuntimeError plain was made in a thread")[0] for line in said]
    assert ends == ["begin", "rollback", "begin later", "rollback later"]


def test_the_kinds_of_providers() -> None:
    assert isinstance(session, contract.Provided)
    assert isinstance(later, contract.AsyncProvided)
    assert (session.__name__, session.__module__) == ("session", __name__)
    assert repr(session).startswith("<provider session (test_provided.session, ")


def test_a_provider_is_a_generator_function_without_a_decorator() -> None:
    @contextmanager
    def managed() -> Iterator[int]:
        yield 1

    why = "^@provide managed: write a generator function that yields the value once"
    with pytest.raises(contract.DeclarationError, match=why):
        contract.provide(cast("Any", managed))


def test_the_reason_of_a_call_that_failed() -> None:
    failed = contract.CallFailed(SoldOut())

    assert (failed.failure, failed.code, str(failed)) == (SoldOut(), "SOLD_OUT", "SOLD_OUT")
    assert contract.CallFailed(None, "UNAUTHORIZED").failure is None


def test_a_hop_is_finished_or_given_up() -> None:
    finished, given_up = Hop(), Hop()
    why = TimeoutError()

    assert finished.finish() is None
    assert not finished.give_up(why)
    assert finished.given_up is None
    assert given_up.give_up(why)
    assert given_up.finish() is given_up.given_up is why


def sold(kind: str, *, out: bool) -> SoldOut | None:
    said.append(kind)
    return SoldOut() if out else None


@contract.hook
def early(call: contract.Call[object]) -> SoldOut | None:
    session()
    return sold("early", out="x-sold" in call.headers)


@contract.hook
def late(call: contract.Call[object, str]) -> SoldOut | None:
    session()
    return sold("late", out=call.input == "sold")


@contract.hook
async def early_later(call: contract.Call[object]) -> SoldOut | None:
    await later()
    return sold("early", out=False)


@contract.hook
async def late_later(call: contract.Call[object, str]) -> SoldOut | None:
    await later()
    return sold("late", out=call.input == "sold")


def behind(*hooks: Any) -> Any:
    return contract.route(summary="S", tags=["t"], hooks=contract.hooks(*hooks))


def hooked(input: str, ctx: str) -> str | SoldOut:
    session()
    said.append("hooked")
    return input


async def hooked_later(input: str, ctx: str) -> str | SoldOut:
    await later()
    said.append("hooked")
    return input


MADE: list[tuple[Any, Any, Any, list[str], list[str], list[str]]] = [
    (user_of, (early, late), hooked, ["begin", "hook", "early", "late"], ["hooked"], [""]),
    (user_of_later, (early_later, late_later), hooked_later, ["begin later", "hook", "early", "late"], ["hooked"], [" later"]),
    (anybody, (early, late_later, late), hooked, ["begin", "early", "begin later", "late"], ["late", "hooked"], [" later", ""]),
]  # fmt: skip


@pytest.mark.unwatched
@ways
@pytest.mark.parametrize("input", ["well", "sold"])
def test_hooks_have_the_same_values(way: Way, options: Any, input: str) -> None:
    cause = "CallFailed SOLD_OUT" if input == "sold" else None
    for hook, hooks, resolver, begun, then, ended in MADE:
        said.clear()
        api: Api = contract.spec(authenticate=hook, routes=[behind(*hooks)(resolver)])
        reply = way(api, resolver.__name__, input, **options)
        assert reply.status == (409 if cause else 200)
        assert said == [*begun, *([] if cause else then), *ends(*ended, cause=cause)]


@contract.route(
    summary="S", tags=["t"], auth="none", mcp=contract.McpTool(), hooks=contract.hooks(early)
)
def tool_behind(input: Named, ctx: None) -> str | SoldOut:
    said.append("tool")
    return "done"


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_hooks_of_a_tool_have_values(kind: Any) -> None:
    api = contract.spec(routes=contract.routes(tool_behind))

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


@contract.route(summary="S", tags=["t"], auth="none", mcp=True, hooks=contract.hooks(early))
def telling(input: None, ctx: None) -> None:
    contract.progress(1)
    contract.progress(2)


def test_a_value_of_a_hook_keeps_the_progress_of_a_tool_from_its_client_on_wsgi(
    caplog: pytest.LogCaptureFixture,
) -> None:
    api = contract.spec(routes=contract.routes(telling))
    params = {"name": "telling", "_meta": {"progressToken": 1}}
    client, later = Client(api), AsyncClient(api)

    async def run() -> Reply:
        return await later.mcp("tools/call", params)

    for _ in range(2):
        assert b"notifications/progress" not in client.mcp("tools/call", params).body
    assert caplog.text.count("progress is told to nobody: authenticate or a hook") == 1
    assert b"notifications/progress" in asyncio.run(run()).body
