"""The bare WSGI application."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Any
from wsgiref.validate import validator

import orjson
import pytest

from contract import progress, route, spec
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.mount_options import Limits, Options
from tests.wire import site
from tests.wire.case import call
from tests.wire.exchange import JSON, RawRequest, environ_of, through_wsgi


def make(**options: Any) -> WsgiApp:
    return WsgiApp(service_of(site.make_site(), Options(prefix="/v1", **options)))


def start(app: Any, environ: dict[str, Any]) -> tuple[str, dict[str, str], bytes]:
    found: list[Any] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], object]:
        found.extend((status, {name.lower(): value for name, value in headers}))
        return lambda _: None

    answered = app(environ, start_response)
    body = b"".join(answered)
    if hasattr(answered, "close"):
        answered.close()
    return found[0], found[1], body


@pytest.mark.parametrize(
    ("request_", "line"),
    [
        (call("echo", b'{"text":"x"}'), "200 OK"),
        (call("fail", b'{"which":"rare"}'), "499 Unknown"),
        (call("fail", b'{"which":"closed"}'), "423 Locked"),
        (RawRequest(target="/elsewhere"), "404 Not Found"),
        (RawRequest(method="OPTIONS"), "204 No Content"),
    ],
)
def test_requests_are_answered(request_: RawRequest, line: str) -> None:
    status, headers, body = start(make(), environ_of(request_))

    assert status == line
    assert headers.get("content-length") == (None if line.startswith("204") else str(len(body)))


def test_every_route_is_answered_by_the_service_alone() -> None:
    app = make()
    tools = make(mcp_path="/tools", authorization_servers=["https://login.example"])

    assert app.service.routes
    assert all(app.answers(path) for path in app.service.routes)
    assert [
        app.answers(path) for path in ("/v1/mcp", "/v1/tools", "/v1/contract.json", "/v1/nothing")
    ] == [True, False, False, False]
    assert [tools.answers(path) for path in ("/v1/mcp", "/v1/tools")] == [False, True]
    assert tools.answers("/.well-known/oauth-protected-resource/v1/tools")


def test_the_answer_to_head_has_the_length_and_not_the_body() -> None:
    status, headers, body = start(make(), environ_of(RawRequest(method="HEAD")))

    whole = start(make(), environ_of(RawRequest(method="GET")))[2]
    assert (status, headers["content-length"], body) == (
        "405 Method Not Allowed",
        str(len(whole)),
        b"",
    )


def test_a_stream_is_sent_as_it_comes() -> None:
    def work(input: None, ctx: None) -> str:
        progress(1)
        return "done"

    served = spec(
        routes=[route(summary="Work", tags=["t"], auth="none", mcp=True, name="work")(work)]
    )
    body = orjson.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "work", "_meta": {"progressToken": 1}},
        }
    )
    request = RawRequest(target="/v1/mcp", headers=(JSON, ("Accept", "*/*")), body=body)
    app = WsgiApp(service_of(served, Options(prefix="/v1")))
    line, headers, sent = start(
        validator(app), environ_of(request) | {"wsgi.input": io.BytesIO(body)}
    )

    assert (line, headers["content-type"]) == ("200 OK", "text/event-stream")
    assert "content-length" not in headers
    assert sent.count(b"event: message\ndata: ") == 2


def test_paths_are_utf_8() -> None:
    exchange = through_wsgi(make())

    assert exchange(RawRequest(target="/v1/%c3%a9%ff")).json()["data"] == {"route": "é\ufffd"}
    environ = environ_of(RawRequest())
    del environ["PATH_INFO"]
    assert start(make(), environ)[0] == "404 Not Found"


@pytest.mark.parametrize(
    "request_",
    [
        call("echo", b'{"text":"x"}'),
        RawRequest(method="HEAD"),
        RawRequest(method="OPTIONS"),
        call("fail", b'{"which":"rare"}'),
        call("echo.async"),
    ],
)
def test_the_rules_of_wsgi_are_kept(request_: RawRequest) -> None:
    status, _, _ = start(
        validator(make()), environ_of(request_) | {"wsgi.input": io.BytesIO(request_.body)}
    )

    assert status.partition(" ")[2]


def test_the_health_route_says_that_nothing_moves_in_the_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = threading.Event()

    def hangs(input: None, ctx: None) -> None:
        gate.wait(10)

    api = spec(routes={"hangs": route(summary="S", tags=["t"], auth="none")(hangs)})
    limits = Limits(deadline_seconds=0.001, threads=1, queue=0)
    exchange = through_wsgi(
        WsgiApp(service_of(api, Options(prefix="/v1", health_path="/up", limits=limits)))
    )
    health = RawRequest(method="GET", target="/v1/up", headers=())
    assert exchange(call("hangs")).status == 504
    assert exchange(health).status == 200
    monkeypatch.setattr("contract.adapters.pool.STUCK", 0.0)

    assert exchange(health).status == 503
    gate.set()
