"""
Results of requests, as JSON.

The output of a call is JSON already, and goes into its result unchanged: once as structured
content, and once as text, for clients and models that read nothing else.

A call that was refused is explained in words. A model can correct its call if it is told everything
at once: the place, what is expected there, what came, and which values are valid. The value itself
is never repeated: the model knows it, and others may read along.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, final

import orjson
from pydantic_core import to_json

from contract.call.context import Reply
from contract.call.stream import Gathered
from contract.declare.meta import Meta
from contract.mcp.revisions import LATEST_HANDSHAKE, NEWEST_FIRST, REVISIONS, Revision
from contract.mcp.tools import ListedTool, Toolset, page
from contract.shape.json_text import kind_of
from contract.shape.schema_lens import followed, type_of, types_of

__all__ = ["Results", "invalid_arguments"]

# no listChanged: only a deployment changes the list, and there is no stream to say so on
_CAPABILITIES: Final[Mapping[str, Any]] = {"tools": {}}
_SERVER: Final = "io.modelcontextprotocol/serverInfo"


@final
class Results:
    """
    The results of one mount.

    Args:
        meta: The title, the version and the instructions of the server.
        private: Whether the list of tools depends on the token.
    """

    __slots__ = ("_firsts", "_instructions", "_scope", "_server", "_stamps")

    def __init__(self, meta: Meta, *, private: bool) -> None:
        self._server: Final = {"name": meta.title, "version": meta.version}
        self._instructions: Final[dict[str, str]] = {}
        if meta.mcp_instructions is not None:
            self._instructions["instructions"] = meta.mcp_instructions
        self._scope: Final = "private" if private else "public"
        # The keys that every result of a revision has, as the inside of a JSON object: ready to be
        # put in front of other keys, since the output of a call is never parsed again.
        self._stamps: Final[dict[str, bytes]] = {}
        self._firsts: Final[dict[str, bytes]] = {}
        """The stamps, with a comma behind those that are not empty."""
        for version, revision in REVISIONS.items():
            stamp = self._stamp(revision)
            self._stamps[version] = self._firsts[version] = stamp
            if stamp:
                self._firsts[version] += b","

    def initialize(self, params: Mapping[str, Any]) -> bytes:
        """
        The answer to the handshake, with the revision that the client asks for.

        If that does not exist, or has no handshake, it is the newest one that has.
        """
        # a server offers another revision instead of refusing (2025-11-25, basic/lifecycle,
        # "Version Negotiation")
        agreed = LATEST_HANDSHAKE
        asked: object = params.get("protocolVersion")
        if isinstance(asked, str):
            revision = REVISIONS.get(asked)
            if revision is not None and revision.handshake:
                agreed = revision
        result = {
            "protocolVersion": agreed.version,
            "capabilities": _CAPABILITIES,
            "serverInfo": self._server,
            **self._instructions,
        }
        return self.stamped(to_json(result), agreed)

    def discover(self, revision: Revision) -> bytes:
        """The name of the server, and the revisions that it supports."""
        result = {
            "supportedVersions": [*NEWEST_FIRST],
            "capabilities": _CAPABILITIES,
            **self._instructions,
            **self._kept(revision),
        }
        return self.stamped(to_json(result), revision)

    def tools(self, tools: Toolset, cursor: object, size: int, revision: Revision) -> bytes | None:
        """A page of *tools*; None if *cursor* does not come from this list."""
        if cursor is not None and not isinstance(cursor, str):
            return None
        found = page(tools, cursor, size, wraps=revision.wraps)
        if found is None:
            return None
        rendered, following = found
        more = self._kept(revision)
        if following is not None:
            more["nextCursor"] = following
        end = b"}"
        if more:
            end = b"," + to_json(more)[1:]  # without its opening brace
        return self.stamped(b'{"tools":%b%b' % (rendered, end), revision)

    def failure(
        self, reply: Reply, tool: ListedTool, arguments: Mapping[str, Any], revision: Revision
    ) -> bytes:
        """
        The result of a call without an output, with its reason.

        It is not a protocol error: clients hide those from the model.
        """
        body = reply.body
        texts = _text(body.decode())
        # the error as it is on HTTP comes first, and then what a model can do about it
        if reply.code == "VALIDATION_ERROR":
            data: Mapping[str, Any] = orjson.loads(body)["data"]
            texts += b"," + _text(invalid_arguments(tool.name, data, arguments, tool.input_schema))
        return self.stamped(b'{"content":[%b],"isError":true}' % texts, revision)

    def output(self, body: bytes, tool: ListedTool, revision: Revision) -> bytes:
        """The result of a call that succeeded, with its output."""
        if tool.wraps and revision.wraps:
            body = b'{"result":%b}' % body
        # the text is a JSON string whose content is the JSON of the output
        text = orjson.dumps(body.decode())
        return b'{%b"content":[{"type":"text","text":%b}],"structuredContent":%b}' % (
            self._firsts[revision.version],
            text,
            body,
        )

    def items(self, found: Gathered, revision: Revision) -> bytes:
        """
        The result of a call that gave a stream: its items, and the failure that ended it, if any.
        """
        complete = b"true" if found.complete else b"false"
        listed = b'{"items":[%b],"complete":%b}' % (b",".join(found.items), complete)
        texts, error = _text(listed.decode()), b""
        if found.outcome is not None:
            # the failure is read first, and the items before it may be many
            texts = _text(found.outcome.body.decode()) + b"," + texts
            error = b',"isError":true'
        elif not found.complete:
            texts += b"," + _text(_CUT_SHORT.format(len(found.items)))
        result = b'{"content":[%b],"structuredContent":%b%b}' % (texts, listed, error)
        return self.stamped(result, revision)

    def stamped(self, result: bytes, revision: Revision) -> bytes:
        """The JSON object *result*, with the keys that every result of *revision* has."""
        stamp = self._stamps[revision.version]
        if not stamp:
            return result
        # never an empty object: that is the result of ping, which only handshake revisions have
        return b"{%b,%b" % (stamp, result[1:])

    def _stamp(self, revision: Revision) -> bytes:
        stamp: dict[str, Any] = {}
        if revision.result_type is not None:
            stamp["resultType"] = revision.result_type
        if revision.names_server:
            stamp["_meta"] = {_SERVER: self._server}
        return to_json(stamp)[1:-1]  # without its braces

    def _kept(self, revision: Revision) -> dict[str, Any]:
        """The keys that say for how long, and for whom, an answer may be cached."""
        if revision.ttl_ms is None:
            return {}
        return {"ttlMs": revision.ttl_ms, "cacheScope": self._scope}


_CUT_SHORT: Final = (
    "The stream was closed after {} items, since one result holds no more; "
    "what it had to say after them is not here."
)


def _text(text: str) -> bytes:
    return b'{"type":"text","text":%b}' % orjson.dumps(text)


# The text of a refusal says more than the messages of the issues: it follows the path of each issue
# through the schema and the arguments at once, since only the arguments tell which member of a
# union was meant. Where that is not clear, nothing is said rather than something wrong.

_MISSING: Final = object()
_UNKNOWN: Final[Mapping[str, Any]] = MappingProxyType({})
_SIMPLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MAX_LENGTH: Final = 6_000
"""The most characters of all lines: a model must read them, and paths may have any length."""
_MAX_KNOWN: Final = 40
"""How many known keys are listed for an unknown one."""


def invalid_arguments(
    tool: str, data: Mapping[str, Any], arguments: Any, schema: Mapping[str, Any]
) -> str:
    """
    The text for arguments that were refused.

    Args:
        tool: The name of the tool.
        data: The data of the VALIDATION_ERROR.
        arguments: The arguments that were sent.
        schema: The schema of the tool's input.
    """
    refused = f"The arguments of {tool} are not valid, and nothing was done."
    lines = [f"{refused} Fix all of this, and call it again:"]
    room = _MAX_LENGTH
    for issue in data["issues"]:
        line = f"- {_line(issue, arguments, schema)}"
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
    # "truncated" says that the report itself ended before the last issue
    if room < 0 or data.get("truncated"):
        lines.append("There is more that is wrong than is listed here.")
    return "\n".join(lines)


def _line(issue: Mapping[str, Any], arguments: Any, schema: Mapping[str, Any]) -> str:
    path: Sequence[str | int] = issue["path"]
    code: str = issue["code"]
    sentences = [f"{_place(path)}: {issue['message']}"]
    if code == "missing":
        # the message of a missing tag lists the values already
        is_tag = "allowed" in issue.get("params", {})
        if not is_tag:
            expected = _expected(_schema_at(path, schema, arguments))
            if expected:
                sentences.append(f"Expected: {expected}.")
    elif code == "unknown_key":
        # the last part of the path is the unknown key itself
        known = [*_schema_at(path[:-1], schema, arguments).get("properties", ())]
        if len(known) > _MAX_KNOWN:
            known = [*known[:_MAX_KNOWN], "..."]
        if known:
            sentences.append(f"Known keys: {', '.join(known)}.")
    else:
        # the message often names all of them already
        allowed: list[Any] = issue.get("params", {}).get("allowed", [])
        if any(_json(value) not in issue["message"] for value in allowed):
            sentences.append(f"Allowed: {_listed(allowed)}.")
    return " ".join(sentences)


def _place(path: Sequence[str | int]) -> str:
    """A path in the notation of programs: ``lines[0].quantity``."""
    place = ""
    for part in path:
        if isinstance(part, str) and _SIMPLE.fullmatch(part):
            place += f".{part}"
        else:
            place += f"[{_json(part)}]"
    return place.removeprefix(".") or "(the arguments)"


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(map(_json, values))


def _at(path: Sequence[str | int], value: Any) -> Any:
    """The part of *value* at *path*; `_MISSING` if there is none."""
    for part in path:
        kind = kind_of(value)
        is_member = kind is dict and part in value
        is_item = kind is list and isinstance(part, int) and 0 <= part < len(value)
        if not (is_member or is_item):
            return _MISSING
        value = value[part]
    return value


def _schema_at(
    path: Sequence[str | int], schema: Mapping[str, Any], value: Any
) -> Mapping[str, Any]:
    """The schema at the place *path* in *value*; empty if that is not clear."""
    defs: Mapping[str, Any] = schema.get("$defs", {})
    found = _resolved(schema, defs, value)
    for part in path:
        inner: Any = None
        if isinstance(part, str):
            properties: Mapping[str, Any] = found.get("properties", {})
            inner = properties.get(part, found.get("additionalProperties"))
        elif "prefixItems" not in found:  # the members of a tuple have types of their own
            inner = found.get("items")
        value = _at((part,), value)
        # no schema, or a bare true or false
        if kind_of(inner) is not dict:
            found = _UNKNOWN
        else:
            found = _resolved(inner, defs, value)
    return found


def _resolved(schema: Mapping[str, Any], defs: Mapping[str, Any], value: Any) -> Mapping[str, Any]:
    """
    The most specific schema for *value*: references and unions with null are resolved.

    For any other union, it is the member that *value* is meant to be, if there is just one.
    """
    while True:
        schema = followed(schema, defs)
        members = [member for member in schema.get("anyOf", ()) if member != {"type": "null"}]
        if len(members) > 1:
            tags = schema.get("properties", {})  # beside the members: they tell these apart
            resolved = [_resolved(member, defs, value) for member in members]
            members = [member for member in resolved if _may_be(value, member, tags)]
        if len(members) != 1:
            return schema
        schema = members[0]


def _may_be(value: Any, member: Mapping[str, Any], tags: Collection[str]) -> bool:
    """
    Whether *value* is meant to be that *member* of a union, judged by its type and its *tags*.
    """
    if "type" not in member or type_of(value) not in types_of(member):
        return False
    if kind_of(value) is not dict:
        return True
    fields: Mapping[str, Any] = member.get("properties", {})
    for tag in tags:
        if tag not in value or value[tag] not in fields.get(tag, {}).get("enum", ()):
            return False
    return True


def _expected(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {_listed(schema['enum'])}"
    kind: str = schema.get("type", "")
    if not kind:
        text = ""
    elif kind.startswith(("a", "i", "o")):  # an array, an integer, an object
        text = f"an {kind}"
    else:
        text = f"a {kind}"
    if "format" in schema:
        text += f" in the format {schema['format']}"
    return text
