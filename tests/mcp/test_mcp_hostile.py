"""Hostile clients: what they send must not cost more than it is worth, nor come back, nor open what is closed."""

from __future__ import annotations

import threading
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import orjson

from contract import Spec, progress, route, routes, spec
from contract.adapters.mount import service_of
from contract.adapters.streams import MOST_PARTS, stream_here
from contract.adapters.wsgi import WsgiApp
from contract.call.message import JSON_HEADERS, Response
from contract.call.mount_options import Options
from contract.mcp.envelope import write_arguments
from contract.mcp.surface import HttpRules
from tests.mcp.talk import Bare, Talk, called, error, parsed, written
from tests.tables import rows
from tests.wire.exchange import JSON, RawRequest, Transport, environ_of, serve


@dataclass(frozen=True)
class Said:
    text: str


@route(summary="Say", tags=["x"], auth="none", mcp=True)
def say(input: Said, ctx: None) -> int:
    return len(input.text)


@route(summary="Listen", tags=["y"], auth="none", mcp=True)
def listen(input: None, ctx: None) -> None: ...


@dataclass(frozen=True)
class Sized:
    size: int
    text: str = ""


@route(summary="Measure", tags=["y"], auth="none", mcp=True)
def measure(input: Sized, ctx: None) -> None: ...


TALK = Talk(spec(routes=routes(say, listen, measure)))


@rows("sign", "", "-")
@rows("digits", 256, 257, 1000, 4400)
def test_a_number_is_an_id_up_to_as_many_digits_as_a_text_may_have(sign: str, digits: int) -> None:
    number = (sign + "7" * digits).encode()
    answer = TALK.post(b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % number)

    if digits == 256:
        assert (answer.status, b'"id":%b,' % number in answer.body) == (200, True)
    else:
        assert error(answer) == (400, -32600)
        assert "id" not in parsed(answer)
        assert len(answer.body) < 300


@rows("number", "7" * 4300, "7" * 4400, "-" + "7" * 4400, "7" * 4400 + ".5", "7" * 4400 + "e-4400")
@rows("text", "", "7" * 5000, '\\"' + "7" * 5000)
def test_a_number_of_thousands_of_digits_is_refused_in_its_place(number: str, text: str) -> None:
    """The parser has a limit of its own, and knew nothing of the id."""
    params = f'{{"name":"measure","arguments":{{"text": "{text}", "size": {number}}}}}'
    message = f'{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{params}}}'
    answer = TALK.post(message.encode())

    assert answer.status == 200
    assert parsed(answer)["id"] == "x"
    [issue] = orjson.loads(parsed(answer)["result"]["content"][0]["text"])["data"]["issues"]
    assert issue["path"] == ["size"]


@rows("body", b"7" * 4400 + b"x", b'{"a": ' + b"7" * 4400, b'["' + b"7" * 4400, b"0" * 4400)
def test_what_is_no_json_stays_none_beside_such_a_number(body: bytes) -> None:
    assert error(TALK.post(body)) == (400, -32700)


@rows(
    "text", "a" * 1_000_000, '\\"' * 250_000, "\x01" * 160_000, ids=["plain", "escaped", "control"]
)
def test_a_long_text_beside_an_infinity_takes_no_more_memory_than_a_few_copies_of_it(
    text: str,
) -> None:
    arguments = {"text": f"{text} Infinity", "number": float("-inf")}
    tracemalloc.start()
    try:
        body = write_arguments(arguments)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert body.endswith(b'Infinity","number":-1e999}')
    assert peak < 10 * len(body)


@rows("query", "%74ools=say", "tool%73=say", "&t%6Fols=s%61y", "%74ags=x", "t%61gs=%78")
def test_a_selection_is_read_however_it_is_encoded(query: str) -> None:
    assert TALK.tools(query=query) == ["say"]
    assert error(TALK.call("listen", query=query)) == (200, -32602)


@rows("host", "h" * 254, f"[{':' * 46}]", "h" * 60_000)
def test_a_host_that_is_too_long_for_one_is_not_sent_back(host: str) -> None:
    edge = HttpRules("/mcp", "T", Options(authorization_servers=("https://login.example",)))
    asked = (("www-authenticate", 'Bearer realm="T"'),)

    assert edge.located(Bare({"host": host}), asked) == asked
    get = Bare({"host": host})
    get.method = "GET"
    assert edge.show(get).status == 400
    assert "resource_metadata" in edge.located(Bare({"host": "h" * 253}), asked)[0][1]


def request() -> RawRequest:
    """A call of *work* that listens to its progress."""
    headers = (JSON, ("Accept", "application/json, text/event-stream"))
    body = written("tools/call", called("work", progressToken="t"))
    return RawRequest(target="/mcp", headers=headers, body=body)


def on_wsgi(served: Spec[Any]) -> Iterator[bytes]:
    """The parts of the response."""
    app = WsgiApp(service_of(served, Options()))
    return cast("Iterator[bytes]", app(environ_of(request()), lambda *_: None))


def working(gate: threading.Event, ended: threading.Event) -> Spec[None]:
    @route(summary="Work", tags=["t"], auth="none", mcp=True)
    def work(input: None, ctx: None) -> None:
        for done in range(3):
            progress(done)
        assert gate.wait(10)
        for done in range(3, 1000):
            progress(done)
        ended.set()

    return spec(routes=routes(work))


@rows("read", 0, 1, 2)
def test_the_thread_of_a_server_is_held_until_the_call_of_a_client_that_has_gone_is_over(
    read: int,
) -> None:
    gate, ended, closed = threading.Event(), threading.Event(), threading.Event()
    parts: Any = on_wsgi(working(gate, ended))
    for expected in (b": working\n\n", b"event: message\n")[:read]:
        assert next(parts).startswith(expected)

    def close() -> None:
        parts.close()
        closed.set()

    server = threading.Thread(target=close)
    server.start()
    assert not closed.wait(0.05)
    gate.set()
    server.join(10)

    assert ended.is_set()
    assert [*parts] == []
    parts.close()


@rows("transport", "wsgi", "asgi")
@rows("character", "\x85", "\u2028", "\u2029", "\r", "\n", "\x0b", "\x0c", "\x1c", "\x1e")
def test_a_message_is_one_line_to_whoever_splits_at_more_than_line_feeds(
    transport: Transport, character: str
) -> None:
    said = f"é{character}¨\u2027"

    @route(summary="Work", tags=["t"], auth="none", mcp=True)
    def work(input: None, ctx: None) -> str:
        progress(1, None, said)
        return said

    response = serve(transport, spec(routes=routes(work)), prefix="")(request())
    lines = response.body.decode().splitlines()
    data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    notice, result = map(orjson.loads, data)

    event = "event: message"
    assert lines == [": working", "", event, lines[3], "", event, lines[6], ""]
    assert notice["params"]["message"] == said
    assert result["result"]["structuredContent"] == {"result": said}


def test_parts_that_nobody_takes_do_not_pile_up() -> None:
    over = threading.Event()

    def call(send: Callable[[bytes], None]) -> Response:
        for number in range(100_000):
            send(b"%d" % number)
        over.set()
        return Response(200, b"{}", "r", JSON_HEADERS, ())

    parts = stream_here(call)
    assert over.wait(10)

    assert len([*parts]) == 1 + MOST_PARTS + 1


CONTROLS = "a\r\nb\x1b[2J\x00\x85\u2028\u202e\ufeff"
HIDDEN = r"a\r\nb\x1b[2J\x00\x85\u2028\u202e\ufeff"


def test_what_a_client_calls_itself_and_its_tool_is_one_plain_line_in_the_log() -> None:
    info = {"name": CONTROLS, "version": CONTROLS}
    meta = {"io.modelcontextprotocol/clientInfo": info}
    answer = TALK.send("tools/call", called(CONTROLS, **meta))

    assert error(answer) == (200, -32602)
    assert (answer.client, answer.tool) == (f"{HIDDEN} {HIDDEN}", HIDDEN)


def test_what_hooks_are_told_of_a_message_is_one_plain_line() -> None:
    TALK.post(orjson.dumps({"jsonrpc": "2.0", "method": CONTROLS}))

    assert TALK.call_info is not None
    assert TALK.call_info.route == HIDDEN


TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@rows(
    "parent, taken",
    (f"00-{TRACE}-{SPAN}-01", True), (f"fe-{TRACE}-{SPAN}-00", True),
    (f"ff-{TRACE}-{SPAN}-01", False), (f"00-{'0' * 32}-{SPAN}-01", False),
    (f"00-{TRACE}-{'0' * 16}-01", False), (f"00-{TRACE}-{SPAN}-01\n", False),
    (f"00-{TRACE.upper()}-{SPAN}-01", False), *((none, False) for none in ("", "x", 3, None)),
)  # fmt: skip
def test_a_trace_that_cannot_be_one_is_not_told_of(parent: object, taken: bool) -> None:
    found = TALK.send("ping", {"_meta": {"traceparent": parent}}).traceparent
    assert found == (parent if taken else None)
