"""Talking to an endpoint in memory: a request with no server, where everything runs at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import orjson

from contract import CallInfo, Spec, current_call
from contract.call.bound import ErrorMapper, bind
from contract.call.incoming import Incoming, Lane
from contract.call.mount_options import Options
from contract.mcp.answers import Answer
from contract.mcp.endpoint import Endpoint, Reporting
from tests.wire.exchange import loop

MODERN = "2026-07-28"
META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Bare(Incoming):
    """A request with no server at all; it notes what must not run where it *blocks*."""

    __slots__ = ("_headers", "blocks", "offloaded")

    chunked = False
    peer = None
    query = ""
    scheme = "http"

    def __init__(self, headers: Mapping[str, str], *, blocks: bool = True) -> None:
        self._headers = headers
        self.method = "POST"
        self.path = "/mcp"
        self.request_id = "request-1"
        self.blocks = blocks
        self.cancelled = self.watched = False
        self.offloaded: list[Lane] = []

    @property
    def headers(self) -> Mapping[str, str]:
        return self._headers

    @property
    def native(self) -> Any:
        return self

    def read(self, limit: int) -> bytes:
        raise AssertionError("an endpoint is given what was read")

    async def awaited(self, fn: Callable[..., Awaitable[Any]], *args: object) -> Any:
        return await fn(*args)

    async def offload(self, lane: Lane, fn: Callable[..., Any], *args: object) -> Any:
        self.offloaded.append(lane)
        return fn(*args)

    def items(self, bound: Any, opened: Any) -> Any:
        raise AssertionError("an endpoint has no streams of items")

    def stream(self, call: Any, cancelled: Any) -> Any:
        raise AssertionError("an endpoint sends nothing")


class Talk:
    """A client of one endpoint."""

    def __init__(
        self,
        spec: Spec[Any],
        *,
        map_error: ErrorMapper | None = None,
        page_size: int = 1000,
        **options: Any,
    ) -> None:
        self.endpoint = Endpoint(
            spec, bind(spec, map_error=map_error), Options(**options), page_size=page_size
        )
        self.incoming = Bare({})
        self.call_info: CallInfo | None = None
        """What `current_call` said at the end."""

    def post(
        self, body: bytes, headers: Mapping[str, str] | None = None, query: str = "", **how: Any
    ) -> Answer:
        answer = self.outcome(body, headers, query, **how)
        assert isinstance(answer, Answer)
        return answer

    def outcome(
        self,
        body: bytes,
        headers: Mapping[str, str] | None = None,
        query: str = "",
        *,
        blocks: bool = True,
    ) -> Answer | Reporting:
        """The answer, or what gives it to a client that hears of progress."""
        self.incoming = Bare(headers or {}, blocks=blocks)

        async def run() -> Answer | Reporting:
            answer = await self.endpoint.answer(self.incoming, body, query)
            try:
                self.call_info = current_call()
            except LookupError:
                self.call_info = None
            return answer

        return loop().run_until_complete(run())

    def send(self, method: str, params: Any = None, *, query: str = "", **headers: str) -> Answer:
        """A request of the handshake era."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.post(written(method, params), sent, query)

    def modern(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        query: str = "",
        **headers: str,
    ) -> Answer:
        """A request of the modern era, with all that it has to have."""
        params = {"_meta": META, **(params or {})}
        sent = {"mcp-protocol-version": MODERN, "mcp-method": method}
        if isinstance(params.get("name"), str):
            sent["mcp-name"] = params["name"]
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.post(written(method, params), sent, query)

    def call(self, tool: object, arguments: object = None, **headers: str) -> Answer:
        """A call of the handshake era."""
        return self.send("tools/call", called(tool, arguments), **headers)

    def output(self, tool: str, arguments: object = None, **headers: str) -> Any:
        """The structured content of a call of the handshake era."""
        return self.result("tools/call", called(tool, arguments), **headers)["structuredContent"]

    def tools(self, **headers: str) -> list[str]:
        """The names in the list of the handshake era."""
        return [tool["name"] for tool in self.result("tools/list", **headers)["tools"]]

    def result(self, method: str, params: Any = None, **given: str) -> Any:
        answer = self.send(method, params, **given)
        assert answer.status == 200, answer.body
        return parsed(answer)["result"]

    def modern_result(self, method: str, params: Any = None, **given: str) -> Any:
        answer = self.modern(method, params, **given)
        assert answer.status == 200, answer.body
        return parsed(answer)["result"]


def called(tool: object, arguments: object = None, **meta: object) -> dict[str, object]:
    """The params of a call."""
    given = {} if arguments is None else {"arguments": arguments}
    return {"name": tool, **given, **({"_meta": meta} if meta else {})}


def written(method: str, params: object = None, number: object = 1) -> bytes:
    """A request."""
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    return orjson.dumps(message if params is None else {**message, "params": params})


def parsed(answer: Answer) -> Any:
    """The message in an answer, which has to say that it is one."""
    assert ("content-type", "application/json") in answer.headers
    message = orjson.loads(answer.body)
    assert message["jsonrpc"] == "2.0"
    return message


def error(answer: Answer) -> tuple[int, int]:
    """HTTP status and JSON-RPC code."""
    return answer.status, parsed(answer)["error"]["code"]
