"""
The MCP surface of a mount: from a request to its response, with a line in the log.

`HttpRules` refuses whatever HTTP forbids, and the endpoint answers the message. In between, the
service reads the body.

HTTP's rules depend on headers alone: which pages may call (2025-11-25, basic/transports, "Security
Warning"), which methods and media types are allowed, and how a client without a token is told to
get one (RFC 6750; RFC 9728).

A page that is not listed is refused even if its origin is that of the request: after DNS rebinding,
an attacker's host name is in both. A program that is not a browser sends no Origin, and is
accepted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from time import perf_counter
from typing import Final, final

from pydantic_core import to_json

from contract.call.accept import accepts
from contract.call.bound import Bound
from contract.call.context import OK, Client, Outcome, Reply
from contract.call.incoming import Incoming, origin_of
from contract.call.log import Listeners
from contract.call.log_text import event_of
from contract.call.message import (
    ALLOW_CALLS,
    ALLOW_READS,
    BARE_HEADERS,
    JSON_HEADERS,
    FixedHeaders,
    Response,
    Streamed,
    is_json,
    preflight,
)
from contract.call.mount_options import Options
from contract.declare.spec import AnySpec
from contract.mcp.answers import JSON_ANSWER, Answer, refusal
from contract.mcp.endpoint import Endpoint, Reporting
from contract.mcp.tokens import scopes_of, with_parameter
from contract.shape.urls import is_local

__all__ = ["Headers", "HttpRules", "McpSurface"]

Headers = tuple[tuple[str, str], ...]
"""Names in lower case, with their values."""

_WELL_KNOWN: Final = "/.well-known/oauth-protected-resource"
"""
The path of the metadata, inserted between the host and the path of a resource (RFC 9728, 3.1).
"""

# a 405 must name the methods that are allowed (RFC 9110, section 15.5.6)
_METHODS: Final = (("allow", "POST"),)
_SENT: Final = (
    "authorization",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "traceparent",
    "x-request-id",
)
"""The headers that clients send, and that pages may send."""
# with every answer, or a cache could give one page the answer that was made for another
_VARY: Final = (("vary", "Origin"),)
_EXPOSED: Final = ("access-control-expose-headers", "retry-after, www-authenticate, x-request-id")


def _refused(status: int, code: str, message: str, headers: Headers = ()) -> Answer:
    return refusal(
        Reply(status, code, to_json({"error": code, "data": {"message": message}}), headers)
    )


@final
class HttpRules:
    """
    The HTTP rules of one endpoint.

    Args:
        path: The path of the endpoint, below the prefix.
        title: The title of the spec.
        options: The options of the mount.
        keys: The headers of API keys.
        scopes: The scopes that its tools require.

    Attributes:
        paths: The paths of the endpoint.
        metadata_paths: The paths of its metadata (RFC 9728); empty without authorization servers.
    """

    def __init__(
        self,
        path: str,
        title: str,
        options: Options,
        scopes: tuple[str, ...] = (),
        keys: Iterable[str] = (),
    ) -> None:
        prefix = options.prefix
        self._path: Final = prefix + path
        self._title: Final = title
        self._scopes: Final[dict[str, tuple[str, ...]]] = {}
        if scopes:  # RFC 9728, section 3.2: a parameter without any value is left out
            self._scopes["scopes_supported"] = scopes
        self._allowed: Final = frozenset(options.mcp_origins)
        self._servers: Final = options.authorization_servers
        self._asked_before: Final = preflight((*_SENT, *keys, *options.cors_headers))
        self._public_url: Final = options.public_url
        self.paths: Final = _both(self._path)
        by_the_rfc = f"{_WELL_KNOWN}{self._path}"
        below_prefix = f"{prefix}{_WELL_KNOWN}{path}"
        self._metadata: Final = by_the_rfc if options.public_url is None else below_prefix
        """
        The path of the metadata that clients are told.

        If the public URL is known, it is below the prefix: a proxy that passes on the endpoint
        passes that on, too.
        """
        places: tuple[str, ...] = ()
        if self._servers:
            # below the prefix, the path of the resource is there with the prefix and without it
            places = (by_the_rfc, below_prefix, f"{prefix}{by_the_rfc}")
        self.metadata_paths: Final = frozenset[str]().union(*map(_both, places))

    def refuse(self, incoming: Incoming) -> Answer | None:
        """
        The answer to a request to the endpoint if its headers alone decide it, else None.

        They decide it if they forbid it, or if it only asks what is allowed (OPTIONS).
        """
        # first of all, so that a page that may not call learns nothing else (DNS rebinding)
        if incoming.origin is not None and not self._may_come(incoming.origin):
            return _refused(403, "FORBIDDEN", "This origin is not allowed.")
        if incoming.method == "OPTIONS":
            allowed = ALLOW_CALLS if incoming.origin is None else self._asked_before
            return Answer(204, b"", OK, 204, allowed)
        if incoming.method != "POST":
            return _refused(
                405,
                "METHOD_NOT_ALLOWED",
                "Send messages by POST; there is no stream to GET, and no session to DELETE.",
                _METHODS,
            )
        kind = incoming.header("content-type")
        if kind is None or not is_json(kind):
            return _refused(
                415, "UNSUPPORTED_MEDIA_TYPE", "Send the message as application/json in UTF-8."
            )
        if not accepts(incoming.header("accept"), "application/json"):
            return _refused(
                406,
                "NOT_ACCEPTABLE",
                "Accept application/json, and text/event-stream for progress.",
            )
        return None

    def show(self, incoming: Incoming) -> Answer:
        """The answer to a request for the metadata."""
        if incoming.method == "OPTIONS":
            return Answer(204, b"", OK, 204, ALLOW_READS)
        if incoming.method not in ("GET", "HEAD"):
            return _refused(405, "METHOD_NOT_ALLOWED", "Send a GET.", ALLOW_READS)
        base = self._base(incoming)
        if base is None:
            return _refused(400, "BAD_REQUEST", "Host is not the name of a host.")
        metadata = {
            "resource": base + self._path,
            "authorization_servers": self._servers,
            "bearer_methods_supported": ["header"],
            **self._scopes,
            "resource_name": self._title,
        }
        return Answer(200, to_json(metadata), OK, 200)

    def cors(self, incoming: Incoming) -> Headers:
        """The headers that let a page see a response, and say that it depends on Origin."""
        origin = incoming.origin
        if origin is None or not self._may_come(origin):
            return _VARY
        return (*_VARY, ("access-control-allow-origin", origin), _EXPOSED)

    def located(self, incoming: Incoming, headers: Headers) -> Headers:
        """
        The *headers* of an answer, with the URL of the token metadata in its challenge, if known.
        """
        if not self._servers:
            return headers
        base = self._base(incoming)
        if base is None:  # Host names no host
            return headers
        return with_parameter(headers, f', resource_metadata="{base}{self._metadata}"')

    def _may_come(self, origin: str) -> bool:
        return origin in self._allowed or is_local(origin)

    def _base(self, incoming: Incoming) -> str | None:
        """The URL of this mount without its prefix, as the client sees it."""
        if self._public_url is not None:
            return self._public_url
        return origin_of(incoming)


def _both(path: str) -> frozenset[str]:
    # people write the URL into their clients, with or without a slash at its end
    return frozenset((path, f"{path}/"))


# From a request to its response.

_MESSAGE_HEADERS: Final = FixedHeaders(*JSON_HEADERS.pairs, ("vary", "Origin"))
"""The headers of nearly every answer to a message that does not come from a page."""


@final
class McpSurface:
    """
    The MCP endpoint of one mount; implements `contract.call.service.Messages`.

    Args:
        path: The path of the endpoint, below the prefix.
        spec: The spec to serve.
        options: The options of the mount.
        bound: Name -> route, ready to be called.

    Attributes:
        paths: The paths of the endpoint and of its metadata.

    Raises:
        MountError: A tool has a key that model APIs refuse.
    """

    def __init__(
        self, path: str, spec: AnySpec, options: Options, bound: Mapping[str, Bound]
    ) -> None:
        self._endpoint: Final = Endpoint(spec, bound, options)
        tools = self._endpoint.tools
        # no key of a route that is no tool, since it may be private
        taken = [tool.bound.credentials for tool in tools.values()]
        keys = chain(*(each.keys for each in taken if each is not None))
        scopes = scopes_of(tools)
        self._http: Final = HttpRules(path, spec.meta.title, options, scopes, keys)
        self._listeners: Final = Listeners(options.on_call, logs=options.logging)
        self.paths: Final = self._http.paths | self._http.metadata_paths

    async def answer(
        self, incoming: Incoming, read: Callable[[Incoming], Awaitable[bytes | Reply]]
    ) -> Response:
        """
        The response to a request to one of the paths; *read* gives its body.

        There is a response for any body.
        """
        if incoming.path in self._http.metadata_paths:
            return self._answered(incoming, self._http.show(incoming))
        incoming.route = ""
        answer = self._http.refuse(incoming)
        if answer is not None:
            return self._answered(incoming, answer)
        body = await read(incoming)
        if isinstance(body, Reply):
            return self._answered(incoming, refusal(body))
        outcome = await self._endpoint.answer(incoming, body, incoming.query)
        if isinstance(outcome, Answer):
            return self._answered(incoming, outcome)
        parts = incoming.stream(
            partial(self._last_event, incoming, outcome), partial(self.cancelled, incoming)
        )
        return Streamed(incoming.request_id, self._http.cors(incoming), parts)

    def cancelled(self, incoming: Incoming) -> None:
        """Report a message whose client has gone; it ends without an answer."""
        name: str | None = None
        route: str | None = None
        # all that is known of it is the route, which is empty if it called no tool
        for tool in self._endpoint.tools.values():
            if tool.bound.name == incoming.route:
                name, route = tool.name, incoming.route
                break
        # no RFC has a status for this; 499 is that of nginx
        outcome = Outcome(route, "mcp", "CANCELLED", 499)
        self._tell(incoming, outcome, None, (name, None, None))

    async def _last_event(
        self, incoming: Incoming, call: Reporting, send: Callable[[bytes], None]
    ) -> Response:
        """The response whose body is the last event of a stream."""
        return self._answered(incoming, await call(send))

    def _answered(self, incoming: Incoming, answer: Answer) -> Response:
        """Log an *answer*, and return the response with it."""
        for each in answer.parts or (answer,):
            if self._listeners.are_there:
                self._log(incoming, each)
        # nearly every answer: its headers are already written
        if answer.headers is JSON_ANSWER and incoming.origin is None:
            return Response(answer.status, answer.body, incoming.request_id, _MESSAGE_HEADERS, ())
        headers = self._http.located(incoming, answer.headers) + self._http.cors(incoming)
        return Response(answer.status, answer.body, incoming.request_id, BARE_HEADERS, headers)

    def _log(self, incoming: Incoming, answer: Answer) -> None:
        """Tell the listeners about an *answer*."""
        outcome = Outcome(answer.route, "mcp", answer.code, answer.outcome)
        client = (answer.tool, answer.client, answer.traceparent)
        self._tell(incoming, outcome, answer.exception, client)

    def _tell(
        self,
        incoming: Incoming,
        outcome: Outcome,
        exception: BaseException | None,
        client: Client,
    ) -> None:
        took = perf_counter() - incoming.started
        event = event_of(outcome, took, incoming.request_id, exception, client)
        self._listeners.tell_of(event)
