"""Talking to an endpoint in memory: a request with no server, and a driver with no threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextvars import copy_context
from typing import Any

import orjson

from contract import CallInfo, Spec, current_call
from contract.call import APART, READ, STREAM, Flow, Outcome, Raised, Value
from contract.dispatch import ErrorMapper, bind
from contract.mcp import Answer, Endpoint, McpOptions
from contract.message import Incoming

MODERN = "2026-07-28"
META: dict[str, Any] = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}


class Bare(Incoming):
    """A request with no server at all."""

    __slots__ = ("_headers",)

    chunked = False
    client = None
    query = ""
    scheme = "http"

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._headers = headers
        self.method = "POST"
        self.path = "/mcp"
        self.request_id = "request-1"

    @property
    def headers(self) -> Mapping[str, str]:
        return self._headers

    @property
    def native(self) -> Any:
        return self


def drive(flow: Flow[Answer], body: bytes | BaseException) -> Answer:
    """What *flow* comes to; a *body* that is an exception cannot be read."""
    outcome: Outcome | None = None
    try:
        while True:
            step = next(flow) if outcome is None else flow.send(outcome)
            if step is READ:
                outcome = Raised(body) if isinstance(body, BaseException) else Value(body)
                continue
            if step is APART:
                outcome = Value(None)
                continue
            assert step is not STREAM
            try:
                given: Any = step.fn(*step.args)
                outcome = Value(asyncio.run(given) if step.is_async else given)
            except BaseException as exception:
                outcome = Raised(exception)
    except StopIteration as stop:
        answer: Answer = stop.value
        return answer


class Talk:
    """A client of one endpoint."""

    def __init__(self, spec: Spec[Any], *, map_error: ErrorMapper | None = None, visibility: Any = "public", **options: Any) -> None:
        self.endpoint = Endpoint(spec, bind(spec, map_error=map_error), McpOptions(**options), visibility=visibility)
        self.incoming = Bare({})
        self.call: CallInfo | None = None
        """What `current_call` said at the end."""

    def post(self, body: bytes | BaseException, headers: Mapping[str, str] | None = None, query: str = "") -> Answer:
        self.incoming = Bare(headers or {})

        def run() -> Answer:
            answer = drive(self.endpoint.respond(self.incoming, query), body)
            try:
                self.call = current_call()
            except LookupError:
                self.call = None
            return answer

        return copy_context().run(run)

    def send(self, method: str, params: Any = None, *, query: str = "", **headers: str) -> Answer:
        """A request of the handshake era."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method} | ({} if params is None else {"params": params})
        return self.post(orjson.dumps(message), {name.replace("_", "-"): value for name, value in headers.items()}, query)

    def modern(self, method: str, params: Mapping[str, Any] | None = None, *, query: str = "", **headers: str) -> Answer:
        """A request of the modern era, with all that it has to have."""
        params = {"_meta": META, **(params or {})}
        sent = {"mcp-protocol-version": MODERN, "mcp-method": method}
        if isinstance(params.get("name"), str):
            sent["mcp-name"] = params["name"]
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.post(orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), sent, query)

    def result(self, method: str, params: Any = None, **given: str) -> Any:
        answer = self.send(method, params, **given)
        assert answer.status == 200, answer.body
        return parsed(answer)["result"]

    def modern_result(self, method: str, params: Mapping[str, Any] | None = None, **given: str) -> Any:
        answer = self.modern(method, params, **given)
        assert answer.status == 200, answer.body
        return parsed(answer)["result"]


def parsed(answer: Answer) -> Any:
    """The message in an answer, which has to say that it is one."""
    assert ("content-type", "application/json") in answer.headers
    message = orjson.loads(answer.body)
    assert message["jsonrpc"] == "2.0"
    return message


def error(answer: Answer) -> tuple[int, int]:
    """HTTP status and JSON-RPC code."""
    return answer.status, parsed(answer)["error"]["code"]
