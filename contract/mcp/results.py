"""
Results: what requests are answered with, as JSON.

What a call gives is JSON already, and goes into its result as it is: once as structured content,
once more as a text, for clients and models that read nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, final

import orjson
from pydantic_core import to_json

from contract.call.context import Reply
from contract.declare.meta import Meta
from contract.mcp.revisions import LATEST_HANDSHAKE, NEWEST_FIRST, REVISIONS, Revision
from contract.mcp.texts import invalid_arguments
from contract.mcp.tools import ListedTool, Toolset, page

__all__ = ["Results"]

_CAPABILITIES: Final[Mapping[str, Any]] = {"tools": {}}
_SERVER: Final = "io.modelcontextprotocol/serverInfo"


@final
class Results:
    """
    The results of one mount.

    Args:
        meta: Whose title, version and instructions are told.
        private: What is listed depends on the token.
    """

    __slots__ = ("_firsts", "_instructions", "_scope", "_server", "_stamps")

    def __init__(self, meta: Meta, *, private: bool) -> None:
        self._server: Final = {"name": meta.title, "version": meta.version}
        self._instructions: Final = (
            {} if meta.mcp_instructions is None else {"instructions": meta.mcp_instructions}
        )
        self._scope: Final = "private" if private else "public"
        self._stamps: Final = {
            revision.version: self._stamp(revision) for revision in REVISIONS.values()
        }
        self._firsts: Final = {
            version: stamp and stamp + b"," for version, stamp in self._stamps.items()
        }

    def initialize(self, params: Mapping[str, Any]) -> bytes:
        """
        The revision that a client asks for, where it may have that one in this way.

        Else the newest such.
        """
        asked: object = params.get("protocolVersion")
        revision = REVISIONS.get(asked) if isinstance(asked, str) else None
        agreed = revision if revision is not None and revision.handshake else LATEST_HANDSHAKE
        told = {
            "protocolVersion": agreed.version,
            "capabilities": _CAPABILITIES,
            "serverInfo": self._server,
            **self._instructions,
        }
        return self.stamped(to_json(told), agreed)

    def discover(self, revision: Revision) -> bytes:
        """Who this is, and what it speaks."""
        told = {
            "supportedVersions": [*NEWEST_FIRST],
            "capabilities": _CAPABILITIES,
            **self._instructions,
            **self._kept(revision),
        }
        return self.stamped(to_json(told), revision)

    def tools(self, tools: Toolset, cursor: object, size: int, revision: Revision) -> bytes | None:
        """A page of *tools*; None where *cursor* is none of theirs."""
        found = (
            page(tools, cursor, size, wraps=revision.wraps)
            if cursor is None or isinstance(cursor, str)
            else None
        )
        if found is None:
            return None
        rendered, following = found
        more = {**self._kept(revision), **({} if following is None else {"nextCursor": following})}
        rest = b"," + to_json(more)[1:] if more else b"}"
        return self.stamped(b'{"tools":%b%b' % (rendered, rest), revision)

    def failure(
        self, reply: Reply, tool: ListedTool, arguments: Mapping[str, Any], revision: Revision
    ) -> bytes:
        """Why a call has no output, which is no error of the protocol's, so that a model gets to see it."""
        body = reply.body
        texts = _text(body.decode())
        if reply.code == "VALIDATION_ERROR":
            data: Mapping[str, Any] = orjson.loads(body)["data"]
            texts += b"," + _text(invalid_arguments(tool.name, data, arguments, tool.input_schema))
        return self.stamped(b'{"content":[%b],"isError":true}' % texts, revision)

    def output(self, body: bytes, tool: ListedTool, revision: Revision) -> bytes:
        """What came of a call that went well."""
        if tool.wraps and revision.wraps:
            body = b'{"result":%b}' % body
        text = orjson.dumps(body.decode())
        return b'{%b"content":[{"type":"text","text":%b}],"structuredContent":%b}' % (
            self._firsts[revision.version],
            text,
            body,
        )

    def stamped(self, result: bytes, revision: Revision) -> bytes:
        """The JSON object *result*, with what every result of *revision* says."""
        stamp = self._stamps[revision.version]
        if not stamp:
            return result
        return b"{%b}" % stamp if result == b"{}" else b"{%b,%b" % (stamp, result[1:])

    def _stamp(self, revision: Revision) -> bytes:
        said: dict[str, Any] = {}
        if revision.result_type is not None:
            said["resultType"] = revision.result_type
        if revision.names_server:
            said["_meta"] = {_SERVER: self._server}
        return to_json(said)[1:-1]

    def _kept(self, revision: Revision) -> dict[str, Any]:
        """How long, and for whom, an answer may be kept."""
        return (
            {} if revision.ttl_ms is None else {"ttlMs": revision.ttl_ms, "cacheScope": self._scope}
        )


def _text(text: str) -> bytes:
    return b'{"type":"text","text":%b}' % orjson.dumps(text)
