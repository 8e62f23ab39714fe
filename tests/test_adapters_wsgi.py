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
from contract.call.mount_options import Options
from tests.tables import rows
from tests.test_adapters_loops import public, wsgi_bare
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


def test_every_route_is_answered_by_the_service_alone() -> None:
    app = make()
    tools = make(mcp_path="/tools", authorization_servers=["https://login.example"])

    assert app.service.routes
    assert all(app.answers(path) for path in app.service.routes)
    others = ("/v1/tools", "/v1/contract.json", "/v1/nothing")
    assert app.answers("/v1/mcp")
    assert not any(app.answers(path) for path in others)
    assert [tools.answers(path) for path in ("/v1/mcp", "/v1/tools")] == [False, True]
    assert tools.answers("/.well-known/oauth-protected-resource/v1/tools")


def test_a_stream_is_sent_as_it_comes() -> None:
    def work(input: None, ctx: None) -> str:
        progress(1)
        return "done"

    app = wsgi_bare(spec(routes=[route(summary="S", tags=["t"], auth="none", mcp=True)(work)]))
    params = {"name": "work", "_meta": {"progressToken": 1}}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    request = RawRequest(target="/v1/mcp", headers=(JSON, ("Accept", "*/*")), body=body)
    environ = environ_of(request) | {"wsgi.input": io.BytesIO(body)}
    line, headers, sent = start(validator(app), environ)

    assert (line, headers["content-type"]) == ("200 OK", "text/event-stream")
    assert "content-length" not in headers
    assert sent.count(b"event: message\ndata: ") == 2


def test_a_server_need_not_tell_a_path() -> None:
    environ = environ_of(RawRequest())
    del environ["PATH_INFO"]
    assert start(make(), environ)[0] == "404 Not Found"


@rows(
    "request_",
    call("echo", b'{"text":"x"}'),
    RawRequest(method="HEAD"),
    RawRequest(method="OPTIONS"),
    call("fail", b'{"which":"rare"}'),
    call("echo.async"),
)
def test_the_rules_of_wsgi_are_kept(request_: RawRequest) -> None:
    environ = environ_of(request_) | {"wsgi.input": io.BytesIO(request_.body)}
    status, _, _ = start(validator(make()), environ)

    assert status.partition(" ")[2]


def test_the_health_route_says_that_threads_are_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def hangs(input: None, ctx: None) -> None:
        gate.wait(10)

    limits = {"deadline_seconds": 0.001, "threads": 1, "queue": 0}
    exchange = through_wsgi(wsgi_bare(public(hangs), health_path="/up", **limits))
    health = RawRequest(method="GET", target="/v1/up", headers=())
    assert exchange(call("hangs")).status == 504
    assert exchange(health).status == 200
    monkeypatch.setattr("contract.adapters.pool.STUCK", 0.0)

    assert exchange(health).status == 503
    gate.set()
