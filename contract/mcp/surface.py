"""
The surface for MCP clients in a mount: from a request to its response, with a line in the log.

`HttpRules` refuses what HTTP forbids, and the endpoint answers the message. In between, the service
that was handed this surface reads the body.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from time import perf_counter
from typing import Final, final

from contract.call.bound import Bound
from contract.call.context import Reply
from contract.call.log import Listeners
from contract.call.message import (
    BARE_HEADERS,
    JSON_HEADERS,
    FixedHeaders,
    Incoming,
    Response,
    Streamed,
)
from contract.call.mount_options import Options
from contract.declare.spec import AnySpec
from contract.mcp.answers import JSON_ANSWER, Answer, refusal
from contract.mcp.endpoint import Endpoint, Reporting
from contract.mcp.http import HttpRules

__all__ = ["McpSurface"]

_MESSAGE_HEADERS: Final = FixedHeaders(*JSON_HEADERS.pairs, ("vary", "Origin"))
"""The headers of nearly every answer to a message that comes from no page."""


@final
class McpSurface:
    """
    The MCP endpoint of one mount, as `contract.call.service.Messages` has it.

    Args:
        path: The path of the endpoint, below the prefix.
        spec: What is served.
        options: The options of the mount.
        bound: Its routes by name, ready to be called.

    Attributes:
        paths: The paths of the endpoint and of its metadata.

    Raises:
        MountError: A tool has a key that the APIs of models refuse.
    """

    def __init__(
        self, path: str, spec: AnySpec, options: Options, bound: Mapping[str, Bound]
    ) -> None:
        self._http: Final = HttpRules(path, spec.meta.title, options)
        self._endpoint: Final = Endpoint(spec, bound, options)
        self._listeners: Final = Listeners(options.on_call, logs=options.logging)
        self.paths: Final = self._http.paths | self._http.metadata_paths

    async def answer(
        self, incoming: Incoming, read: Callable[[Incoming], Awaitable[bytes | Reply]]
    ) -> Response:
        """
        The response to a request to one of the paths, whose body *read* gives.

        There is one, whatever the body holds.
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
        """Tell of a message whose client has gone; what is still running has no answer to give."""
        tools = self._endpoint.tools.items()
        tool = next((name for name, tool in tools if tool.bound.name == incoming.route), None)
        route = None if tool is None else incoming.route
        duration = perf_counter() - incoming.started
        self._listeners.tell(
            (route, "mcp", "CANCELLED", 499, duration, incoming.request_id, None, tool, None, None)
        )

    async def _last_event(
        self, incoming: Incoming, call: Reporting, send: Callable[[bytes], None]
    ) -> Response:
        """The response whose body is the last event of a stream."""
        return self._answered(incoming, await call(send))

    def _answered(self, incoming: Incoming, answer: Answer) -> Response:
        """The response with an *answer*, once that is logged."""
        for each in answer.parts or (answer,):
            if self._listeners.are_there:
                self._log(incoming, each)
        if answer.headers is JSON_ANSWER and incoming.origin is None:
            return Response(answer.status, answer.body, incoming.request_id, _MESSAGE_HEADERS, ())
        headers = self._http.located(incoming, answer.headers) + self._http.cors(incoming)
        return Response(answer.status, answer.body, incoming.request_id, BARE_HEADERS, headers)

    def _log(self, incoming: Incoming, answer: Answer) -> None:
        """Tell the listeners of an *answer*."""
        duration = perf_counter() - incoming.started
        outcome = (answer.code, answer.outcome, duration, incoming.request_id, answer.exception)
        self._listeners.tell(
            (answer.route, "mcp", *outcome, answer.tool, answer.client, answer.traceparent)
        )
