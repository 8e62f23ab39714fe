"""ASGI calls: scopes, events and what is sent."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import suppress
from typing import Any

import pytest

from contract import Request, route, routes, spec
from contract.adapters import asgi_calls, asgi_scope, unfinished
from contract.adapters.asgi import AsgiApp
from contract.adapters.asgi_calls import AsgiIncoming
from contract.adapters.asgi_scope import HTTP_VERSIONS, Receive, ScopeIncoming, path_of
from contract.adapters.loops import rest_of
from contract.adapters.pool import Lanes
from contract.call.incoming import Refused
from contract.call.message import announced_length
from contract.call.mount_options import Limits
from tests.tables import rows
from tests.test_adapters_loops import bare, never, noting, public
from tests.wire import site
from tests.wire.case import call
from tests.wire.exchange import JSON, RawRequest, scope_of, talk

LANES = Lanes(Limits())


async def nothing() -> Any:
    raise AssertionError("something was asked for")


def incoming_of(
    request: RawRequest, receive: Receive = nothing, lanes: Lanes = LANES, **scope: Any
) -> AsgiIncoming:
    made = scope_of(request) | scope
    incoming = AsgiIncoming(
        made, made["path"], lambda scope: f"native {scope['method']}", lanes, receive
    )
    # as the service notes it down
    incoming.length = announced_length(incoming.header("content-length") or "0") or 0
    return incoming


HEADERS = (
    ("Content-Type", "application/json"),
    ("Content-Encoding", "identity"),
    ("Authorization", "Bearer a"),
    ("Origin", "https://app.example"),
    ("X-Request-Id", "id"),
)


def assert_read(incoming: Any, **more: str) -> None:
    """A request with `HEADERS`, some *more*, and a body of three bytes is read as it was sent."""
    names = ("content-type", "content-length", "content-encoding")
    found = {name.lower(): value for name, value in HEADERS}
    found |= {"host": "shop.example", "content-length": "3", **more}

    assert (incoming.method, incoming.path) == ("POST", "/v1/echo")
    assert [incoming.header(name) for name in names] == ["application/json", "3", "identity"]
    assert (incoming.authorization(), incoming.request_id) == ("Bearer a", "id")
    assert (incoming.origin, incoming.chunked) == ("https://app.example", False)
    assert (incoming.client, incoming.native) == ("192.0.2.7", "native POST")
    assert incoming.surface == "http"
    assert (dict(incoming.headers), len(incoming.headers)) == (found, len(found))
    assert incoming.request().headers["origin"] == "https://app.example"


def test_a_scope_becomes_a_request() -> None:
    headers = (*HEADERS, ("X-Many", "a"), ("X-Many", "b"))

    assert_read(incoming_of(RawRequest(headers=headers, body=b"abc")), **{"x-many": "a, b"})


def test_what_mcp_asks_for() -> None:
    request = RawRequest(target="/v1/mcp?tags=a%20b", headers=(("Accept", "a"), ("Accept", "b")))
    incoming = incoming_of(request, root_path="/api/", scheme="https")

    assert (incoming.header("accept"), incoming.query) == ("a, b", "tags=a%20b")
    assert (incoming.scheme, incoming.root) == ("https", "/api")
    bare = AsgiIncoming({"method": "POST", "headers": []}, "/", lambda _: None, LANES, nothing)
    assert (bare.header("accept"), bare.query, bare.scheme, bare.root) == (None, "", "http", "")


def test_cookies_in_headers_of_their_own_are_those_of_one() -> None:
    """RFC 9113, section 8.2.3."""
    incoming = incoming_of(RawRequest(headers=(("Cookie", "a=1"), ("Cookie", "b=2"))))

    assert incoming.header("cookie") == incoming.headers["cookie"] == "a=1; b=2"


def test_headers_may_be_given_once_only() -> None:
    """The specification says Iterable."""
    incoming = incoming_of(
        RawRequest(), headers=iter([(b"origin", b"https://app.example"), (b"x-a", b"\xe4")])
    )

    assert incoming.origin == "https://app.example"
    assert dict(incoming.headers) == {"origin": "https://app.example", "x-a": "ä"}


@rows(
    "request_, chunked",
    (RawRequest(), True),
    (RawRequest(length="3"), False),
    (RawRequest(chunked=True), True),
    (RawRequest(length="3", chunked=True), True),
    (RawRequest(version="2"), True),
    (RawRequest(version="3"), True),
    (RawRequest(version="2", length="3"), False),
    (RawRequest(version="1.0"), True),
)
def test_a_body_without_a_length_is_known(request_: RawRequest, chunked: bool) -> None:
    assert incoming_of(request_).chunked is chunked


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_body_in_frames_may_have_a_length(version: str) -> None:
    """For a server that tells the end of a body by its scope alone (``contract serve``)."""

    def chunked(*headers: tuple[bytes, bytes]) -> bool:
        scope = incoming_of(RawRequest(), http_version=version, headers=[*headers])
        found: bool = ScopeIncoming.chunked.__get__(scope)
        return found

    assert chunked()
    assert not chunked((b"content-length", b"3"))


@rows("version, closes", ("1.0", True), ("1.1", True), ("2", False), ("3", False))
def test_only_http_1_closes_by_a_header(version: str, closes: bool) -> None:
    assert incoming_of(RawRequest(), http_version=version).closing == (
        (("connection", "close"),) if closes else ()
    )


def test_a_peer_need_not_be_known() -> None:
    assert incoming_of(RawRequest(), client=None).client is None
    scope = scope_of(RawRequest())
    del scope["client"], scope["http_version"]
    assert AsgiIncoming(scope, "/", dict, LANES, nothing).client is None
    assert AsgiIncoming(scope, "/", dict, LANES, nothing).closing


@rows(
    "scope, path",
    ({"path": "/v1/a"}, "/v1/a"),
    ({"path": "/api/v1/a", "root_path": "/api"}, "/v1/a"),
    ({"path": "/v1/a", "root_path": "/api"}, "/v1/a"),
    ({"path": "/apis/a", "root_path": "/api"}, "/apis/a"),
    ({"path": "/api", "root_path": "/api"}, "/"),
    ({"path": "/v1/a/b", "raw_path": b"/v1/a%2Fb"}, "/v1/a%2Fb"),
    ({"path": "/v1/a b", "raw_path": b"/v1/a%20b"}, "/v1/a b"),
)
def test_a_path_is_read_below_the_application(scope: dict[str, Any], path: str) -> None:
    assert path_of(scope) == path


IN_UTF_8 = ("Content-Type", "application/json; charset=utf-8")
PLAIN = [RawRequest(body=b"abc"), RawRequest(body=b"abc", headers=(IN_UTF_8,))]
NOT_PLAIN = [
    RawRequest(),
    RawRequest(length="x"),
    RawRequest(body=b"abc", chunked=True),
    RawRequest(body=b"abc", headers=()),
    RawRequest(body=b"abc", headers=(("Content-Type", "Application/JSON"),)),
    RawRequest(body=b"abc", headers=(JSON, ("Content-Encoding", "identity"))),
    RawRequest(body=b"abc", headers=(JSON, ("Content-Length", "3"))),
]


@rows(
    "request_, length",
    *((request, 3) for request in PLAIN),
    (RawRequest(length="0"), 0),
    *((request, None) for request in NOT_PLAIN),
)
def test_what_nearly_all_bodies_are_is_seen_at_once(
    request_: RawRequest, length: int | None
) -> None:
    assert incoming_of(request_).plain_length() == length


def test_no_length_is_kept_that_is_none() -> None:
    incoming_of(RawRequest(length="1")).plain_length()
    before = asgi_scope._announced.cache_info().currsize
    incoming_of(RawRequest(headers=(JSON,), length="0" * 60_000)).plain_length()

    assert asgi_scope._announced.cache_info().currsize == before


def test_headers_are_looked_up_in_any_case() -> None:
    headers = incoming_of(RawRequest()).headers

    assert headers["content-type"] == headers["Content-Type"] == "application/json"
    assert "X-Other" not in headers


def test_versions_are_what_frameworks_call_them() -> None:
    assert HTTP_VERSIONS == {"1": "1.0", "1.0": "1.0", "1.1": "1.1", "2": "2", "3": "3"}


def events(*given: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
    rest = list(given)

    async def receive() -> Any:
        return rest.pop(0)

    return receive


def part(body: bytes | bytearray | memoryview, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


GONE = {"type": "http.disconnect"}


async def read(
    request: RawRequest, give: Receive, *, limit: int = 10, patience: float = 5, total: float = 60
) -> bytes:
    limits = Limits(read_seconds=patience, body_seconds=total)
    return await whole(incoming_of(request, give, Lanes(limits)), limit)


async def whole(incoming: AsgiIncoming, limit: int = 10) -> bytes:
    found = incoming.read(limit)
    return found if isinstance(found, bytes) else await found


@rows(
    "request_, given, body",
    (RawRequest(length="3"), [part(b"abc", more=False)], b"abc"),
    (RawRequest(length="3"), [part(b"a"), part(b"bc", more=False)], b"abc"),
    (RawRequest(length="3"), [part(b""), part(b"abc"), {"type": "http.request"}], b"abc"),
    (RawRequest(chunked=True), [{"type": "http.request"}], b""),
    (RawRequest(chunked=True), [part(b"0123456789", more=False)], b"0123456789"),
    (RawRequest(chunked=True), [part(b"01"), part(b""), part(b"2"), part(b"", more=False)], b"012"),
    (RawRequest(length="3"), [part(memoryview(b"abc"), more=False)], b"abc"),
    (RawRequest(length="3"), [part(bytearray(b"abc"), more=False)], b"abc"),
    (RawRequest(chunked=True), [part(memoryview(b"a")), part(bytearray(b"c"), more=False)], b"ac"),
    (RawRequest(length="0"), [], b""),
    (RawRequest(), [{"type": "http.request"}], b""),
    (RawRequest(), [part(b"", more=False)], b""),
    (RawRequest(), [part(b"abc", more=False)], b"abc"),
    (RawRequest(), [part(b"a"), part(b"bc", more=False)], b"abc"),
)
def test_a_body_is_put_together(
    request_: RawRequest, given: list[dict[str, Any]], body: bytes
) -> None:
    found = asyncio.run(read(request_, events(*given)))

    assert found == body
    assert type(found) is bytes


@rows(
    "request_, given, code",
    (RawRequest(chunked=True), [part(b"0123456789a")], "PAYLOAD_TOO_LARGE"),
    (RawRequest(chunked=True), [part(b"0123456789"), part(b"a")], "PAYLOAD_TOO_LARGE"),
    (RawRequest(length="3"), [part(b"abcd")], "BAD_REQUEST"),
    (RawRequest(length="3"), [part(b"abcd", more=False)], "BAD_REQUEST"),
    (RawRequest(length="3"), [part(b"ab"), part(b"", more=False)], "BAD_REQUEST"),
    (RawRequest(length="3"), [GONE], "BAD_REQUEST"),
    (RawRequest(length="3"), [part(b"abc"), GONE], "BAD_REQUEST"),
    (RawRequest(chunked=True), [part(b"abc"), GONE], "BAD_REQUEST"),
    (RawRequest(length="3"), [], "BAD_REQUEST"),
    (RawRequest(), [part(b"0123456789a", more=False)], "PAYLOAD_TOO_LARGE"),
    (RawRequest(), [GONE], "BAD_REQUEST"),
)
def test_a_body_that_is_not_what_it_should_be_is_refused(
    request_: RawRequest, given: list[dict[str, Any]], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        asyncio.run(read(request_, events(*given)))
    assert refused.value.code == code


class Kept:
    """A sink that keeps what it gets."""

    def __init__(self) -> None:
        self.fed = b""

    @property
    def held(self) -> int:
        return len(self.fed)

    def feed(self, data: bytes) -> None:
        self.fed += data


def begin(receive: Receive, length: str, *, is_form: bool) -> asyncio.Task[bytes]:
    incoming = incoming_of(RawRequest(length=length), receive)

    async def form() -> bytes:
        sink = Kept()
        await incoming.pour(sink, 20)
        return sink.fed

    read: Any = form() if is_form else incoming.read(20)
    return asyncio.create_task(read)


@pytest.mark.parametrize("is_form", [False, True])
async def test_the_largest_of_too_many_bytes_that_wait_for_more_are_refused(
    is_form: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They hear of it while they wait. A body that comes at once is never one of them."""
    monkeypatch.setattr(unfinished, "MOST_HELD", 10)
    monkeypatch.setattr(asgi_calls, "_POURED", 1)

    never, second = asyncio.Event(), asyncio.Event()
    every = unfinished._ALL.setdefault(asyncio.get_running_loop(), unfinished._All())
    large = begin(waiting([part(b"0123456")], never, []), "10", is_form=is_form)
    small = begin(waiting([part(b"012")], second, [part(b"34", more=False)]), "5", is_form=is_form)
    while every.size < 10:
        await asyncio.sleep(0)
    next_one = begin(waiting([part(b"a")], second, [part(b"b", more=False)]), "2", is_form=is_form)
    whole = await read(RawRequest(length="20"), events(part(b"x" * 20, more=False)), limit=20)
    with pytest.raises(Refused, match="SERVICE_UNAVAILABLE") as refused:
        await large
    second.set()

    assert refused.value.headers == (("connection", "close"),)
    assert [await small, await next_one, whole] == [b"01234", b"ab", b"x" * 20]
    assert (every.size, every.bodies) == (0, set())


@pytest.mark.parametrize("is_form", [False, True])
async def test_a_body_that_is_the_largest_by_its_next_part_is_refused_at_once(
    is_form: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unfinished, "MOST_HELD", 10)
    end = asyncio.Event()
    small = begin(waiting([part(b"012")], end, [part(b"34", more=False)]), "5", is_form=is_form)
    await asyncio.sleep(0)
    with pytest.raises(Refused, match="SERVICE_UNAVAILABLE"):
        await begin(events(part(b"0123"), part(b"4567")), "9", is_form=is_form)
    end.set()

    assert await small == b"01234"


def waiting(given: list[Any], event: asyncio.Event, then: list[Any]) -> Receive:
    """Events, of which some come after *event*."""

    async def receive() -> Any:
        if given:
            return given.pop(0)
        await event.wait()
        return then.pop(0)

    return receive


@rows(
    "given, early",
    ([part(b"abc", more=False)], b"abc"),
    ([{"type": "http.request", "body": b"abc"}], b"abc"),
    ([part(b"a"), part(b"bc", more=False)], None),
    ([part(b"abc"), part(b"", more=False)], None),
    ([part(bytearray(b"abc"), more=False)], None),
    ([None, part(b"abc", more=False)], None),
)
async def test_a_body_that_is_there_can_be_had_early_and_any_other_all_the_same(
    given: list[Any], early: bytes | None
) -> None:
    async def receive() -> Any:
        if given[0] is None:
            given.pop(0)
            await asyncio.sleep(0)
        return given.pop(0)

    incoming = incoming_of(RawRequest(length="3"), receive)
    assert incoming.read_early(10) == early
    if early is None:
        assert await whole(incoming) == b"abc"
    assert given == []


def test_what_is_empty_or_too_large_is_not_asked_for_early() -> None:
    assert incoming_of(RawRequest(length="0")).read_early(10) == b""
    for request in (RawRequest(length="11"), RawRequest(chunked=True), RawRequest()):
        assert incoming_of(request).read_early(10) is None


def test_a_body_is_not_asked_for_early_where_hooks_hold_too_many_threads() -> None:
    incoming = incoming_of(RawRequest(length="3"), lanes=Lanes(Limits(threads=2)))
    incoming.asking()

    assert incoming.lanes.crowded
    assert incoming.read_early(10) is None
    incoming.authenticated()
    incoming.authenticated()
    assert not incoming.lanes.crowded


@rows(
    "given, code",
    ([GONE], "BAD_REQUEST"),
    ([], "BAD_REQUEST"),
    ([part(b"abcd", more=False)], "BAD_REQUEST"),
)
async def test_what_is_wrong_with_a_body_is_told_when_its_time_comes(
    given: list[Any], code: str
) -> None:
    """Not before it is known who calls."""
    incoming = incoming_of(RawRequest(length="3"), events(*given))
    assert incoming.read_early(10) is None

    with pytest.raises(Refused, match=code):
        await whole(incoming)


class Rushed(asyncio.SelectorEventLoop):
    """A loop in which time passes at once wherever somebody waits for it, and never otherwise: how busy the machine is does not matter."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__()
        selector: Any = self._selector  # type: ignore[attr-defined]  # asyncio's own
        select = selector.select

        def rush(timeout: float | None) -> Any:
            self.now += timeout or 0
            return select(0)

        selector.select = rush

    def time(self) -> float:
        return self.now


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rushed]:
    found = Rushed()
    monkeypatch.setattr("contract.adapters.pace.monotonic", found.time)
    yield found
    found.close()


@pytest.mark.parametrize(("version", "headers"), [("1.1", (("connection", "close"),)), ("2", ())])
def test_patience_ends(loop: Rushed, version: str, headers: Any) -> None:
    with pytest.raises(Refused) as refused:
        loop.run_until_complete(read(RawRequest(length="3", version=version), never, patience=10))

    assert (refused.value.code, refused.value.headers) == ("REQUEST_TIMEOUT", headers)
    assert loop.now == pytest.approx(10)


def slow(seconds: float, size: int, parts: int) -> Receive:
    """A client that takes so many seconds for each part of a body."""
    rest = parts

    async def receive() -> Any:
        nonlocal rest
        rest -= 1
        await asyncio.sleep(seconds)
        return part(b" " * size, more=rest > 0)

    return receive


def test_each_part_has_its_own_patience(loop: Rushed) -> None:
    found = loop.run_until_complete(
        read(RawRequest(length="30000"), slow(9, 10_000, 3), limit=30_000, patience=10)
    )

    assert len(found) == 30_000
    assert loop.now == pytest.approx(27)


@rows(
    "seconds, size, ends",
    (11, 10_000, 10),
    (9, 10_000, 60),
    (9, 4_000, 17.8),
    (0.01, 1, 12.4),
    (0.1, 40, 45.4),
    (0.1, 60, 60),
    ids=["silent", "long", "small parts", "drops", "nearly quick drops", "quick drops"],
)
def test_a_body_that_takes_too_long_is_too_slow_however_it_comes(
    loop: Rushed, seconds: float, size: int, ends: float
) -> None:
    """Each part begins anew what may pass without progress; a least rate and a longest time go on."""
    receive, times = slow(seconds, size, 100_000), {"patience": 10, "total": 60}
    reading = read(RawRequest(length="1000000"), receive, limit=1_000_000, **times)
    with pytest.raises(Refused, match="REQUEST_TIMEOUT"):
        loop.run_until_complete(reading)
    assert loop.now == pytest.approx(ends, abs=0.1)


async def endless(input: None, ctx: None) -> None:
    await asyncio.Event().wait()


def test_whether_a_client_is_still_there_is_asked_after_50_milliseconds(loop: Rushed) -> None:
    """Most calls are over by then, and nobody asks."""
    events = iter([part(b"null", more=False), GONE])

    async def receive() -> Any:
        return next(events)

    async def send(event: Any) -> None:
        assert event.get("status") in (499, None)

    loop.run_until_complete(
        bare(public(endless))(scope_of(call("endless", b"null")), receive, send)
    )

    assert loop.now == pytest.approx(0.05)


def test_after_its_answer_nobody_asks_for_a_client_any_more(loop: Rushed) -> None:
    async def slow(input: None, ctx: None) -> str:
        await asyncio.sleep(1)
        return "done"

    response = loop.run_until_complete(talk(bare(public(slow)), call("slow", b"null")))
    loop.run_until_complete(asyncio.sleep(0))

    assert (response.status, response.json()) == (200, "done")
    assert asyncio.all_tasks(loop) == set()


def test_a_deadline_that_has_passed_is_told_at_once(loop: Rushed) -> None:
    app = bare(public(endless), deadline_seconds=5)
    assert loop.run_until_complete(talk(app, call("endless", b"null"))).status == 504
    assert loop.now == pytest.approx(5)


async def test_a_body_that_fails_is_not_asked_for_again(caplog: pytest.LogCaptureFixture) -> None:
    """Not even where it was asked before the hook ran; and no disk is full."""
    asked, sent = list[str](), list[Any]()

    async def receive() -> Any:
        asked.append("body")
        if len(asked) == 1:
            raise OSError("reset")
        return part(b"{}", more=False)

    scope = scope_of(call("guarded", b"{}", ("Authorization", f"Bearer {site.TOKEN}")))
    await bare(site.make_site())(scope, receive, noting(sent))

    assert (sent[0]["status"], asked) == (400, ["body"])
    assert "disk" not in caplog.text


class Fulfilled:
    """An awaitable like those of servers that are not written in Python: an iterator, and nothing else."""

    def __init__(self, future: asyncio.Future[Any]) -> None:
        self.future = future

    def __await__(self) -> Generator[Any, Any, Any]:
        return self  # type: ignore[return-value]

    def __iter__(self) -> Fulfilled:
        return self

    def __next__(self) -> Any:
        if self.future.done():
            raise StopIteration(self.future.result())
        self.future._asyncio_future_blocking = True
        return self.future


async def test_awaitables_that_are_no_coroutines_work() -> None:
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    loop.call_later(0.01, future.set_result, part(b"abc", more=False))
    assert await read(RawRequest(length="3"), lambda: Fulfilled(future)) == b"abc"


async def test_awaitables_that_are_no_coroutines_time_out() -> None:
    future = asyncio.get_running_loop().create_future()
    with pytest.raises(Refused, match="REQUEST_TIMEOUT"):
        await read(RawRequest(length="3"), lambda: Fulfilled(future), patience=0.01)


async def test_awaitables_that_are_no_coroutines_are_cancelled() -> None:
    """As what sends a part of a stream may be."""
    future = asyncio.get_running_loop().create_future()
    steps = Fulfilled(future).__await__()

    async def rest() -> None:
        await rest_of(steps, next(steps))

    task = asyncio.create_task(rest())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    assert (task.cancelled(), future.cancelled()) == (True, True)


def test_a_receive_that_waits_several_times_is_awaited_to_its_end() -> None:
    async def receive() -> Any:
        for _ in range(3):
            await asyncio.sleep(0)
        return part(b"abc", more=False)

    assert asyncio.run(read(RawRequest(length="3"), receive)) == b"abc"


@pytest.mark.parametrize("clings", [False, True])
async def test_a_receive_ends_when_its_task_is_cancelled(clings: bool) -> None:
    """In its own time, and it may have something to give all the same."""
    seen: list[str] = []

    async def receive() -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            for _ in range(3):
                await asyncio.sleep(0)
            if not clings:
                raise
            return part(b"abc", more=False)
        finally:
            seen.append("closed")

    task = asyncio.create_task(read(RawRequest(length="3"), receive))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled() is not clings
    assert clings is False or task.result() == b"abc"
    assert seen == ["closed"]


def test_a_receive_that_is_asked_to_end_may_give_what_came_at_once() -> None:
    async def receive() -> Any:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return part(b"abc", more=False)

    assert asyncio.run(read(RawRequest(length="3"), receive, patience=0.001)) == b"abc"


def test_a_body_that_is_empty_is_not_asked_for() -> None:
    assert incoming_of(RawRequest(length="0")).read(10) == b""


def living_calls() -> list[AsgiIncoming]:
    return [each for each in gc.get_objects() if type(each) is AsgiIncoming]


@rows("body", b"1", b'"no integer"', b"no JSON", b"2", b"3")
def test_a_call_is_not_kept_until_the_collector_comes(body: bytes) -> None:
    """Not by the exception that refused it, either."""

    @route(summary="S", tags=["t"], auth="none")
    async def half(input: int, ctx: None) -> int:
        if input == 2:
            raise LookupError("canary")
        return {"three": 3} if input == 3 else input  # type: ignore[return-value]

    app = AsgiApp(spec(routes=routes(half)))
    assert kept_after(app, RawRequest(target="/half", body=body)) == []


@rows("token", "good", "bad", "raises")
def test_nor_is_one_whose_credential_is_checked(token: str) -> None:
    async def check(token: str, request: Request) -> str | None:
        if token == "raises":
            raise LookupError("canary")
        return None if token == "bad" else token

    @route(summary="S", tags=["t"])
    async def whose(input: None, ctx: str) -> str:
        return ctx

    app = AsgiApp(spec(routes=routes(whose), authenticate=check))
    request = RawRequest(target="/whose", headers=(("Authorization", f"Bearer {token}"),))
    assert kept_after(app, request) == []


def kept_after(app: AsgiApp, request: RawRequest) -> list[AsgiIncoming]:
    """The calls that are still there after the answer to *request*, though nobody has them."""
    logging.disable()  # what pytest keeps of the log has the exceptions
    try:
        asyncio.run(talk(app, request))
        gc.collect()
        gc.disable()
        before = living_calls()  # of other tests; they stay here, so that no new one has their ids
        asyncio.run(talk(app, request))
        ids = {id(each) for each in before}
        return [each for each in living_calls() if id(each) not in ids]
    finally:
        gc.enable()
        logging.disable(logging.NOTSET)
