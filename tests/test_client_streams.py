"""Streams in Python clients: each item is a result, and so is what ends a stream too early."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import httpx2
import pytest
import trio

from contract import GERMAN, client
from contract.client import httpx, streams
from contract.client.options import Options
from tests import client_fakes as fakes
from tests.client_servers import Server, once, response, serving
from tests.client_servers import asked as answer_of
from tests.golden.streams import client as generated
from tests.tables import rows

URL = "https://talks.example"
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
END = b'{"end":true}\n'
HEADERS = {"content-type": "application/jsonl", "x-request-id": "id-1"}


def item(n: int, id_: str | None = None) -> bytes:
    line: dict[str, Any] = {"item": {"n": n, "text": "", "at": "2026-01-02T03:04:05Z"}}
    return json.dumps(line if id_ is None else {**line, "id": id_}).encode() + b"\n"


def token(n: int) -> generated.Ok[generated.Token]:
    return generated.Ok(generated.Token(n=n, text="", at=AT))


def opened(*parts: fakes.Part) -> fakes.Opened:
    return fakes.Opened([*parts], HEADERS)


@dataclass
class Asked:
    """A call of the route ``chat``, by one of the two clients."""

    is_async: bool
    transport: fakes.Opening = field(default_factory=lambda: fakes.Opening(opened()))
    last: str | None = None

    def begin(self, *answers: client.HttpResponse | Exception, **options: Any) -> Any:
        """What the call comes to; of a stream, all of its results."""
        self.transport = fakes.Opening(self.transport.opened, *answers)
        if self.is_async:
            return asyncio.run(self._later(options))
        api = generated.ApiClient(URL, transport=self.transport, clock=fakes.FakeClock())
        result = api.with_options(**options).chat(text="a")
        if not isinstance(result, generated.Ok):
            return result
        assert result.response.request_id == "id-1"
        with result.value as items:
            found = [*items]
            assert [*items] == []
        self.last = items.last_event_id
        return found

    async def _later(self, options: dict[str, Any]) -> Any:
        api = generated.AsyncApiClient(
            URL, transport=fakes.AsyncOpening(self.transport), clock=fakes.AsyncFakeClock()
        )
        result = await api.with_options(**options).chat(text="a")
        if not isinstance(result, generated.Ok):
            return result
        assert result.response.request_id == "id-1"
        async with result.value as items:
            found = [each async for each in items]
            assert [each async for each in items] == []
        self.last = items.last_event_id
        return found

    def results(self, *parts: fakes.Part, **options: Any) -> Any:
        """The results of a stream of *parts*."""
        self.transport = fakes.Opening(opened(*parts))
        found = self.begin(**options)
        assert self.transport.opened.closed > 0
        return found


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def asked(request: pytest.FixtureRequest) -> Asked:
    return Asked(request.param)


def test_each_item_is_a_result(asked: Asked) -> None:
    found = asked.results(b"{}\n", item(1) + item(2, "b") + item(3)[:9], item(3)[9:], END)

    assert found == [token(1), token(2), token(3)]
    assert {each.response.request_id for each in found} == {"id-1"}
    assert found[0].response.status == 200
    assert asked.last == "b"
    # no time of the whole: each part has its own
    assert asked.transport.opened.waited == [45.0] * 4
    assert asked.results(item(1), END, timeout=client.Timeout(quiet=2)) == [token(1)]
    assert asked.transport.opened.waited == [2.0] * 2
    # an id that could not be sent back is none
    asked.results(item(1, "a"), item(2, "b\r\nx: y"), END)
    assert asked.last == "a"


def test_what_comes_after_the_end_is_none_of_it(asked: Asked) -> None:
    assert asked.results(item(1) + END + item(2)) == [token(1)]
    assert asked.results(END) == []


def test_lines_are_asked_for_and_the_id_of_the_last_item_is_sent(asked: Asked) -> None:
    asked.results(END, last_event_id="7")
    [sent] = asked.transport.sent

    assert (sent.method, sent.url) == ("POST", f"{URL}/chat")
    assert sent.body == b'{"text":"a","ending":"end"}'
    assert sent.headers["accept"] == "application/jsonl"
    assert sent.headers["accept-encoding"] == "identity"
    assert sent.headers["last-event-id"] == "7"
    # it stays, so that who is broken off before the first item goes on where it was
    assert asked.last == "7"
    asked.results(END)
    assert "last-event-id" not in asked.transport.sent[0].headers
    with pytest.raises(ValueError, match="the value of the header last-event-id cannot be one"):
        asked.results(END, last_event_id="a\nb")


def test_a_plain_route_hears_nothing_of_it() -> None:
    transport = fakes.Scripted(fakes.answer(b'"here"'))
    api = generated.ApiClient(URL, transport=transport).with_options(last_event_id="7")

    assert api.with_options(timeout=1).ping() == generated.Ok("here")
    assert "last-event-id" not in transport.sent[0].headers


def test_a_failure_between_items_is_the_last_result(asked: Asked) -> None:
    *first, failure = asked.results(item(1), b'{"error":"INTERRUPTED","data":{"after":1}}\n', END)
    assert first == [token(1)]
    assert failure == generated.Interrupted(after=1)
    assert failure.response.request_id == "id-1"

    for code, data in (("INTERNAL_ERROR", None), ("SERVICE_UNAVAILABLE", {"retry_after": 1})):
        error = {"error": code} if data is None else {"error": code, "data": data}
        [failure] = asked.results(json.dumps(error).encode() + b"\n")
        assert (failure.code, failure.status, failure.data) == (code, 200, data)
        assert failure.response.request_id == "id-1"


@rows("line",
    b"", b"[1]", b"{", b"<html>", b"\xff", b'{"other":1}', b'{"end":false}', b'{"error":"REFUSED"}',
    b'{"error":"INTERRUPTED","after":1}', b'{"error":"INTERRUPTED"}',
)  # fmt: skip
def test_a_line_that_is_none_ends_the_stream(asked: Asked, line: bytes) -> None:
    first, failure = asked.results(item(1) + line + b"\n" + item(2))

    assert first == token(1)
    assert (failure.code, failure.status, failure.body) == ("UNKNOWN_ERROR", 200, line)


def test_an_item_that_does_not_fit_ends_the_stream(asked: Asked) -> None:
    first, failure = asked.results(item(1), item(-1, "c"), item(2), END)

    assert first == token(1)
    [issue] = failure.issues
    assert failure.code == "UNKNOWN_ERROR"
    assert (issue.path, issue.code) == (("item", "n"), "greater_than_equal")
    assert asked.last is None
    *_, failure = asked.results(item(-1), sentences=GERMAN)
    assert failure.issues[0].message != issue.message


def test_a_field_that_was_added_is_passed_over(asked: Asked) -> None:
    line = b'{"item":{"n":1,"text":"","at":"2026-01-02T03:04:05Z","new":1},"new":2}\n'
    assert asked.results(line, b'{"end":true,"new":1}\n') == [token(1)]


@pytest.mark.unwatched
def test_tiny_parts_take_no_more_than_their_size() -> None:
    schemas = client.RouteSchemas(input=client.Schema(None), output=client.Schema(int))
    called: Any = client.StreamOperation("chat", effect="read", schemas=schemas)
    line = cast("Any", streams)._Reading(called, client.ResponseInfo(200, HEADERS), Options(URL))
    whole = cast("Any", httpx)._Reading(httpx2.Response(200), 1_000_000)
    for take in (line.take, whole.add):
        tracemalloc.start()
        try:
            for n in range(0x20000, 0x30000):
                take(chr(n).encode())
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 4 * 4 * 0x10000  # four bytes each, and room to grow


def test_a_line_has_a_limit(asked: Asked) -> None:
    long = b"x" * 301
    message = "A line is larger than 300 bytes, which is the limit of this client."
    for parts in ((item(1) + long,), (item(1) + long + b"\n" + item(2),), (item(1), long, long)):
        first, failure = asked.results(*parts, max_response_bytes=300)
        assert (first, failure.code) == (token(1), "UNKNOWN_ERROR")
        assert [(each.code, each.message) for each in failure.issues] == [("unreadable", message)]
    assert asked.results(item(1) * 9, END, max_response_bytes=300) == [token(1)] * 9


def test_a_stream_that_is_broken_off_says_so(asked: Asked) -> None:
    for last, cause in (
        (b"", "aborted"),
        (item(2).strip(), "aborted"),
        (client.TransportError("timeout"), "timeout"),
        (ConnectionResetError(), "aborted"),
    ):
        first, failure = asked.results(item(1), last)
        assert first == token(1)
        assert (failure.code, failure.status, failure.cause) == ("NETWORK_ERROR", 200, cause)
        assert failure.response.request_id == "id-1"
        assert isinstance(failure.exception, Exception)
    told = rf"^NETWORK_ERROR \(200\): aborted at {URL}/chat$"
    with pytest.raises(client.CallFailed, match=told):
        client.unwrap(failure)


def test_a_bug_in_a_transport_is_raised(asked: Asked) -> None:
    with pytest.raises(ZeroDivisionError):
        asked.results(ZeroDivisionError())


def test_what_stands_in_place_of_a_stream_is_a_result_like_any_other(asked: Asked) -> None:
    assert asked.begin(fakes.answer(b'{"error":"REFUSED"}', 403)) == generated.Refused()
    found = asked.begin(fakes.answer(b'{"error":"NOT_FOUND","data":{"message":"m"}}', 404))
    assert found == generated.NotFound(message="m")
    # a failure that only comes between items is not declared before them
    assert asked.begin(fakes.answer(b'{"error":"INTERRUPTED","data":{"after":1}}', 409)).code == (
        "UNKNOWN_ERROR"
    )
    for whole in (fakes.answer(b"[]"), fakes.answer(b"<html>", content_type="text/html")):
        found = asked.begin(whole)
        assert (found.code, found.status, found.body) == ("UNKNOWN_ERROR", 200, whole.body)
        assert found.issues[0].message == "The answer is not a stream."
    lost = asked.begin(client.TransportError("refused"), retries=0)
    assert (lost.code, lost.cause) == ("NETWORK_ERROR", "refused")


def test_a_call_is_tried_again_until_its_stream_begins(asked: Asked) -> None:
    asked.transport = fakes.Opening(opened(item(1)))
    first, failure = asked.begin(fakes.answer(status=503), client.TransportError("aborted"))

    assert first == token(1)
    assert failure.cause == "aborted"
    assert len(asked.transport.sent) == 3


def test_a_transport_may_open_no_streams() -> None:
    told = "Scripted has no method open, so it can read no streams"
    with pytest.raises(TypeError, match=f"^the transport {told}"):
        generated.ApiClient(URL, transport=fakes.Scripted()).chat(text="a")
    with pytest.raises(TypeError, match=f"^the transport Async{told}"):
        asyncio.run(generated.AsyncApiClient(URL, transport=fakes.AsyncScripted()).chat(text="a"))


@pytest.mark.parametrize("quiet", [0, -1.0, float("inf"), float("nan")])
def test_the_quiet_of_a_stream_has_an_end(quiet: float) -> None:
    with pytest.raises(ValueError, match=f"the timeout quiet={quiet!r} is not a number of seconds"):
        client.Timeout(quiet=quiet)


def test_an_operation_says_which_it_is() -> None:
    schemas = client.RouteSchemas(input=client.Schema(None), output=client.Schema(int))

    assert (
        repr(client.StreamOperation("a.b", effect="read", schemas=schemas))
        == "StreamOperation('a.b')"
    )
    assert not client.Operation("a", effect="read", schemas=schemas).opens


@rows(
    "status, type_, packing, found",
    (200, "application/jsonl", "", True),
    (200, "Application/JSONL ; charset=utf-8", "", True),
    (200, "application/jsonl", "identity", True),
    (200, "application/jsonl", "gzip", False),
    (200, "application/json", "", False),
    (200, "application/jsonlines", "", False),
    (200, "", "", False),
    (201, "application/jsonl", "", False),
    (503, "application/jsonl", "", False),
)
def test_only_lines_are_a_stream(status: int, type_: str, packing: str, found: bool) -> None:
    headers = {"content-type": type_, "content-encoding": packing}
    given = {name: value for name, value in headers.items() if value}

    assert client.is_stream(status, given) == found


# Over the network.


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: application/jsonl\r\nx-request-id: id-1\r\n"
    b"transfer-encoding: chunked\r\n\r\n"
)


@pytest.fixture(params=["first", "whole", "broken", "quiet"])
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def handled(kind: str, server: Server, connection: Any) -> None:
    server.read(connection)
    connection.sendall(HEAD + chunk(b"{}\n") + chunk(item(1)))
    if kind == "whole":
        connection.sendall(chunk(item(2) + END) + b"0\r\n\r\n")
    if kind != "broken":
        server.read(connection)


CAUSES = {"broken": "aborted", "quiet": "timeout"}


def limits(kind: str) -> client.Timeout:
    return client.Timeout(call=20, quiet=0.5 if kind == "quiet" else 20)


@pytest.fixture
def server(kind: str) -> Iterator[Server]:
    with serving(lambda server, connection: handled(kind, server, connection)) as found:
        yield found


def checked(kind: str, found: list[Any], server: Server) -> None:
    assert found[0] == token(1)
    if kind == "first":
        # to leave the loop ends the connection
        assert server.left.wait(20)
    elif kind == "whole":
        assert found[1:] == [token(2)]
    else:
        [failure] = found[1:]
        assert (failure.code, failure.cause) == ("NETWORK_ERROR", CAUSES[kind])


def test_a_stream_over_the_network(kind: str, server: Server) -> None:
    with generated.ApiClient(server.url, timeout=limits(kind)) as api:
        found: list[Any] = []
        with client.unwrap(api.chat(text="a")) as items:
            for each in items:
                found.append(each)
                if kind == "first":
                    break
        checked(kind, found, server)


@pytest.mark.parametrize("run", [asyncio.run, trio.run])
def test_a_stream_over_the_network_in_a_loop(kind: str, server: Server, run: Any) -> None:
    async def ask() -> None:
        async with generated.AsyncApiClient(server.url, timeout=limits(kind)) as api:
            found: list[Any] = []
            async with client.unwrap(await api.chat(text="a")) as items:
                async for each in items:
                    found.append(each)
                    if kind == "first":
                        break
        checked(kind, found, server)

    run(ask() if run is asyncio.run else ask)


@pytest.mark.parametrize("kind", [generated.ApiClient, generated.AsyncApiClient])
def test_any_other_answer_is_read_to_its_end(kind: Any) -> None:
    refused = response(b'{"error":"REFUSED"}', "403 Forbidden", content_type="application/json")

    with serving(once(refused)) as server:
        assert answer_of(kind(server.url), "chat", text="a") == generated.Refused()


def test_no_connection_is_no_stream() -> None:
    result = generated.ApiClient("http://127.0.0.1:9", retries=0).chat(text="a")
    assert isinstance(result, generated.CallError)
    assert result.code == "NETWORK_ERROR"


def test_items_are_closed_by_hand() -> None:
    stream = opened(item(1), item(2))
    result = generated.ApiClient(URL, transport=fakes.Opening(stream)).chat(text="a")
    items: client.Items[generated.Token, generated.Interrupted] = client.unwrap(result)

    assert next(items) == token(1)
    items.close()
    assert [*items] == []
    assert stream.parts == [item(2)]
