"""
Client: a service in memory, as its callers see it.

Requests and responses are whole; there is no socket and no framework.

`Client` calls through WSGI and `AsyncClient` through ASGI, so each also tests the code between a
server and the spec.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from types import MappingProxyType
from typing import Any, Final, cast, final
from urllib.parse import quote

from contract.adapters.asgi import AsgiApp, die, live
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.bearer import authorization
from contract.call.context import CallEvent
from contract.call.message import BrokenOff
from contract.call.mount_options import Options
from contract.call.service import Service
from contract.client.forms import Attached, Attachment, Form, OneFile
from contract.declare.resource import Opens
from contract.declare.route import Route
from contract.declare.spec import AnySpec
from contract.shape.record import record
from contract.shape.signatures import signed_now
from contract.shape.upload import Upload
from contract.testing.replies import Reply, Taking, route_meant
from contract.testing.strategies import entry_of, written_as

__all__ = ["AsyncClient", "Client", "form_with"]


Sent = Attached | Upload | Sequence[OneFile | Upload]
"""The files of one field."""


@final
class _Nothing:
    """The type of an input that was left out."""


_NOTHING: Final = _Nothing()
_SECRET: Final = "signs what contract.testing.Client is answered"  # noqa: S105  it is not a secret
_NO_FILES: Final[Mapping[str, Any]] = MappingProxyType({})
_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})


@final
@record
class _Message:
    """A request, before it becomes one of WSGI or ASGI."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes


class _Wire:
    """The common part of both clients: making requests and reading responses."""

    def __init__(
        self,
        api: AnySpec | Service,
        *,
        options: Options | None = None,
        token: str | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> None:
        chosen = options
        if chosen is None:
            chosen = api.options if isinstance(api, Service) else Options()
        if not chosen.secrets:
            chosen = replace(chosen, secrets=(_SECRET,))
        # The exception behind a 500 is never sent. So it is noted when the call is logged, by the
        # id of its request, which the response has, too.
        self._on_call = chosen.on_call
        self._raised: dict[str, BaseException] = {}
        chosen = replace(chosen, on_call=self._note)
        if isinstance(api, Service):
            # one that is not made from a spec alone, such as a mock, makes its own copy
            made = api.anew(chosen) or self._made_of(api.spec, chosen)
        else:
            made = self._made_of(api, chosen)
        self.service: Final = made
        """The service that answers."""
        self._token: Final = token
        self._headers: Final = {name.lower(): value for name, value in headers.items()}

    def _made_of(self, api: AnySpec, options: Options) -> Service:
        return service_of(api, options, where=f"{type(self).__name__}()")

    def _note(self, event: CallEvent) -> None:
        if event.exception is not None:
            self._raised[event.request_id] = event.exception
        if self._on_call is not None:
            self._on_call(event)

    def _raised_in(self, request_id: str | None) -> BaseException | None:
        return self._raised.pop(request_id or "", None)

    def _calling(
        self,
        route: Route[Any, Any, Any] | str,
        input: object,
        body: bytes | None,
        token: str | None,
        headers: Mapping[str, str],
        files: Mapping[str, Sent],
    ) -> _Message:
        name = self._name_of(route)
        entry = self.service.spec.entries.get(name)
        if body is None:
            body = b"" if input is _NOTHING else written_as(input)
            if files or (entry is not None and entry.files is not None):
                body, content_type = form_with(body, files)
                headers = {"content-type": content_type, **headers}
        elif input is not _NOTHING or files:
            raise TypeError("a call has one body: give the input and its files, or body=")
        if entry is not None and entry.route.signed is not None:
            headers = signed_now(entry.route.signed.asked(), body, headers)
        return self._posting(f"/{name}", body, token, headers)

    def _opened_for(self, route: Route[Any, Any, Any] | str) -> Opens | None:
        """Opens the resource that the secret of a webhook may come from, before it is signed."""
        entry = self.service.spec.entries.get(self._name_of(route))
        is_signed = entry is not None and entry.route.signed is not None
        return self.service.opening if is_signed else None

    def _name_of(self, route: Route[Any, Any, Any] | str) -> str:
        if isinstance(route, str):
            return route  # it may be unknown to the spec, or a path
        return entry_of(self.service.spec, route).name

    def _posting(
        self, path: str, body: bytes, token: str | None, headers: Mapping[str, str]
    ) -> _Message:
        sent = {"content-length": str(len(body))}
        if body:
            sent["content-type"] = "application/json"
        path = self.service.options.prefix + path
        return _Message("POST", path, "", sent | self._sent(token, headers), body)

    def _getting(
        self,
        asked: Route[Any, Any, Any] | str,
        input: object,
        token: str | None,
        headers: Mapping[str, str],
    ) -> _Message:
        path, _, query = self._name_of(asked).partition("?")
        if input is not _NOTHING:
            query = f"input={quote(written_as(input))}"
        path = f"{self.service.options.prefix}/{path.lstrip('/')}"
        return _Message("GET", path, query, self._sent(token, headers), b"")

    def _speaking(
        self, method: str, params: object, token: str | None, headers: Mapping[str, str]
    ) -> _Message:
        path = self.service.options.mcp_path
        if path is None:
            raise ValueError("this mount has no MCP endpoint: mcp_path is None")
        message: dict[str, object] = {"jsonrpc": "2.0", "id": 1, "method": method}
        if params is not None:
            message["params"] = params
        accepting = {"accept": "application/json, text/event-stream", **headers}
        return self._posting(path, written_as(message), token, accepting)

    def _sent(self, token: str | None, headers: Mapping[str, str]) -> dict[str, str]:
        given = self._token if token is None else token
        sent: dict[str, str] = {}
        if given is not None:
            sent["authorization"] = authorization(given)
        # a header of the call counts most, then one of the client, then the token
        return sent | self._headers | {name.lower(): value for name, value in headers.items()}

    def _taking(self, message: _Message, most: int | None) -> Taking:
        # the name of a route has no slash, so what is before the last one is the prefix of a mount
        prefix, _, name = message.path.rpartition("/")
        entry = self.service.spec.entries.get(name)
        is_call = prefix == self.service.options.prefix
        streams = entry is not None and entry.stream is not None
        meant = None
        if is_call and entry is None and message.method == "POST":
            meant = route_meant(name, self.service.spec.entries)
        return Taking(streams and is_call, most, meant)


@final
class Client(_Wire):
    """
    Calls a spec as HTTP clients do.

    ::

        client = Client(api)
        assert client.call("order", {"product_id": "p1"}).json == {
            "order_id": "o1",
            "price_cents": 1250,
        }

    In ``with Client(api) as client:`` the resources of the spec are open inside the block; without
    it, from the first call to the end of the process.

    A webhook (``signed=``) is sent with a signature by each of its secrets.

    Args:
        api: A spec, or the service of a mount (``mount.service``).
        options: The options of the mount; by default those of the service, if *api* is one.
        token: The token of every call that does not pass one.
        headers: Headers of every request.
    """

    def __init__(
        self,
        api: AnySpec | Service,
        *,
        options: Options | None = None,
        token: str | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> None:
        super().__init__(api, options=options, token=token, headers=headers)
        self._app: Final = WsgiApp(self.service)

    def __enter__(self) -> Client:
        if self.service.opening is not None:
            self.service.opening.here()
        return self

    def __exit__(self, *_: object) -> None:
        if self.service.opening is not None:
            self.service.opening.leave_here()

    def call(
        self,
        route: Route[Any, Any, Any] | str,
        input: object = _NOTHING,
        *,
        body: bytes | None = None,
        token: str | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
        max_items: int | None = None,
        files: Mapping[str, Sent] = _NO_FILES,
    ) -> Reply:
        """
        Call a route.

        Args:
            route: The route, or a name, which may be unknown to the spec.
            input: As JSON values; if it is left out, nothing is sent.
            body: Sent as it is, instead of *input*.
            token: A bearer token.
            headers: More headers; they override those of the client.
            max_items: Hang up after this many items of a stream, or if nothing comes for 15 s. By
                default the client waits for the end of the stream, so an endless or silent one
                needs it.
            files: Field name -> bytes, a path, a binary stream, an `Attachment` of
                `contract.client`, an `Upload`, or a list of these. Bytes alone say no media type:
                for one, write ``Upload.of(data, media_type="image/png")``.
        """
        opening = self._opened_for(route)
        if opening is not None:
            opening.here()
        return self._send(self._calling(route, input, body, token, headers, files), max_items)

    def get(
        self,
        path: Route[Any, Any, Any] | str,
        input: object = _NOTHING,
        *,
        token: str | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> Reply:
        """
        Send a GET request to *path* below the mount, such as ``contract.json``.

        To call a read with ``cache=`` by GET, give the route or its name instead of a path, and its
        *input* as JSON values.
        """
        return self._send(self._getting(path, input, token, headers))

    def mcp(
        self,
        method: str,
        params: object = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> Reply:
        """
        Send a JSON-RPC request to the MCP endpoint.

        For example ``client.mcp("tools/call", {"name": "order", "arguments": {}})``.

        Raises:
            ValueError: The mount has no MCP endpoint.
        """
        return self._send(self._speaking(method, params, token, headers))

    def tools(self, *, token: str | None = None) -> list[dict[str, Any]]:
        """The tools that an MCP client sees."""
        found: list[dict[str, Any]] = self.mcp("tools/list", token=token).json["result"]["tools"]
        return found

    def call_tool(
        self,
        name: str,
        arguments: Mapping[str, object] = MappingProxyType({}),
        *,
        token: str | None = None,
    ) -> Reply:
        """Call a tool as an MCP client does."""
        return self.mcp("tools/call", {"name": name, "arguments": dict(arguments)}, token=token)

    def _send(self, message: _Message, max_items: int | None = None) -> Reply:
        taking = self._taking(message, max_items)
        environ: dict[str, Any] = {
            "REQUEST_METHOD": message.method,
            "PATH_INFO": message.path.encode().decode("latin-1"),  # PEP 3333
            "QUERY_STRING": message.query,
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": _HOST,
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(message.body),
            "wsgi.errors": sys.stderr,
            **{_in_environ(name): value for name, value in message.headers.items()},
        }
        started: list[Any] = []

        def start_response(status: str, pairs: list[tuple[str, str]], *_: Any) -> None:
            started[:] = int(status.partition(" ")[0]), pairs

        parts = self._app(environ, start_response)
        try:
            for part in parts:
                if taking.take(part, started[1]):
                    break
        except BrokenOff:
            taking.broken = True
        finally:
            close = getattr(parts, "close", None)
            if close is not None:
                close()
        status, pairs = started
        return taking.reply(status, pairs, self._raised_in)


@final
class AsyncClient(_Wire):
    """A `Client` for async tests, on their own event loop."""

    def __init__(
        self,
        api: AnySpec | Service,
        *,
        options: Options | None = None,
        token: str | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> None:
        super().__init__(api, options=options, token=token, headers=headers)
        self._app: Final = AsgiApp(self.service)

    async def __aenter__(self) -> AsyncClient:
        await live(self.service)
        return self

    async def __aexit__(self, *_: object) -> None:
        await die(self.service)

    async def call(
        self,
        route: Route[Any, Any, Any] | str,
        input: object = _NOTHING,
        *,
        body: bytes | None = None,
        token: str | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
        max_items: int | None = None,
        files: Mapping[str, Sent] = _NO_FILES,
    ) -> Reply:
        """Call a route, as `Client.call` does."""
        opening = self._opened_for(route)
        if opening is not None:
            await opening.on_loop()
        return await self._send(self._calling(route, input, body, token, headers, files), max_items)

    async def get(
        self,
        path: Route[Any, Any, Any] | str,
        input: object = _NOTHING,
        *,
        token: str | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> Reply:
        """Send a GET request below the mount, or call a read with ``cache=``."""
        return await self._send(self._getting(path, input, token, headers))

    async def mcp(
        self,
        method: str,
        params: object = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> Reply:
        """Send a JSON-RPC request to the MCP endpoint."""
        return await self._send(self._speaking(method, params, token, headers))

    async def tools(self, *, token: str | None = None) -> list[dict[str, Any]]:
        """The tools that an MCP client sees."""
        reply = await self.mcp("tools/list", token=token)
        found: list[dict[str, Any]] = reply.json["result"]["tools"]
        return found

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, object] = MappingProxyType({}),
        *,
        token: str | None = None,
    ) -> Reply:
        """Call a tool as an MCP client does."""
        params = {"name": name, "arguments": dict(arguments)}
        return await self.mcp("tools/call", params, token=token)

    async def _send(self, message: _Message, max_items: int | None = None) -> Reply:
        # as `Client._send` does, in the messages of ASGI
        taking = self._taking(message, max_items)
        scope: dict[str, Any] = {
            "type": "http",
            "http_version": "1.1",
            "method": message.method,
            "path": message.path,
            "query_string": message.query.encode("latin-1"),
            "scheme": "http",
            "client": (_HOST, 0),
            "headers": [
                (name.encode("latin-1"), value.encode("latin-1"))
                for name, value in message.headers.items()
            ],
        }
        started: list[Any] = []
        waiting = [message.body]
        left = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if waiting:
                return {"type": "http.request", "body": waiting.pop()}
            await left.wait()  # the client stays connected until it has its reply
            return {"type": "http.disconnect"}

        async def send(event: Any) -> None:
            if event["type"] == "http.response.start":
                headers = event["headers"]
                pairs = [(name.decode("latin-1"), text.decode("latin-1")) for name, text in headers]
                started[:] = event["status"], pairs
            elif taking.take(event["body"], started[1]):
                left.set()  # the client hangs up

        try:
            await self._app(scope, receive, send)
        except BrokenOff:
            taking.broken = True
        status, pairs = started
        return taking.reply(status, pairs, self._raised_in)


def form_with(body: bytes, files: Mapping[str, Sent]) -> tuple[bytes, str]:
    """A form with the JSON in *body* and with *files*, and its Content-Type."""
    form = Form(body, {part: _attached(each) for part, each in files.items()})
    return b"".join(form), form.content_type


def _attached(given: Sent) -> Attached:
    if isinstance(given, list | tuple):
        return [cast("OneFile", _attached(each)) for each in cast("Sequence[Sent]", given)]
    if isinstance(given, Upload):
        given.file.seek(0)
        return Attachment(given.file.read(), given.name, given.media_type)
    return cast("Attached", given)


_HOST: Final = "127.0.0.1"
_BARE: Final = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


def _in_environ(name: str) -> str:
    return _BARE.get(name) or f"HTTP_{name.upper().replace('-', '_')}"
