"""
Route reader: reads the routes of contract.json, with their errors, files and tools.

It refuses what no route can be: a code that means two things, a stream that may be cached, a file
that is a tool's output.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Final, Literal

from contract.declare.tool import Tool
from contract.document.checked_json import Node, SchemaCheck
from contract.document.model import (
    Caching,
    ContractError,
    ContractEvent,
    ContractFile,
    ContractRoute,
    ContractStream,
    Deprecation,
)
from contract.shape.header_values import HEADER_WORD
from contract.shape.json_text import JsonSchema
from contract.shape.media_types import MEDIA_RANGE

__all__ = ["ROUTE", "RouteReader"]

ROUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
"""The names of routes."""

_GROUP: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z][A-Za-z0-9_-]*)*")
_EVENT: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*")
_CODE: Final = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_SCOPE: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,200}")  # RFC 6749, section 3.3
_TOOL: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")  # MCP, revision 2025-11-25, "Tool Names"
_HEADER: Final = re.compile(rf"(?!\*\Z){HEADER_WORD}")


class RouteReader:
    """
    Reads the parts of a document that refer to types and to error codes.

    Args:
        check: Checks the schemas of the document.
    """

    __slots__ = ("_errors", "check")

    def __init__(self, check: SchemaCheck) -> None:
        self.check: SchemaCheck = check
        self._errors: dict[str, ContractError] = {}

    def errors(self, node: Node) -> Mapping[str, ContractError]:
        """Code -> error."""
        return {code: self._error(code, error) for code, error in node.members(_CODE, "an error")}

    def export(self, node: Node) -> JsonSchema:
        """The reference to an exported type."""
        self.check.reference(node["$ref"])
        if len(node.object()) > 1:
            raise node.place.refuse("an export must be a reference and nothing else")
        return node.object()

    def events(self, node: Node) -> dict[str, ContractEvent]:
        """Name -> event."""
        return {name: self._event(each) for name, each in node.members(_EVENT, "an event")}

    def _event(self, node: Node) -> ContractEvent:
        message = node["message"]
        self.check.reference(message["$ref"])
        return ContractEvent(
            summary=node["summary"].text(),
            description=node.optional("description", Node.text),
            message=message.object(),
        )

    def route(self, node: Node) -> ContractRoute:
        """A route."""
        output, stream = self._output(node)
        media = _media(node)
        return ContractRoute(
            path=node["path"].text(ROUTE),
            group=_group(node),
            method=node["method"].one_of("POST"),
            summary=node["summary"].text(),
            description=node.optional("description", Node.text),
            tags=tuple(node["tags"].texts()),
            auth=node["auth"].one_of("none", "optional", "bearer"),
            requires=_requires(node),
            scope=node["scope"].one_of("public", "private"),
            ways=_ways_of(node),
            effect=node["effect"].one_of("read", "idempotent", "write", "destructive"),
            cache=_caching(node),
            signed=_signed(node),
            pages=node.optional("pages", Node.flag) or False,
            deprecated=node.optional("deprecated", _deprecation),
            input=self.check.schema(node["input"]),
            files=_files(node),
            max_body_bytes=node.optional("max_body_bytes", lambda most: most.integer(1, 2**31)),
            output=self._value(output, media),
            media=media,
            stream=stream,
            errors=self.errors(node["errors"]),
            mcp=node.optional("mcp", _tool),
        )

    def _output(self, route: Node) -> tuple[Node, ContractStream | None]:
        """The schema of a *route*'s output, or of an item of its stream; and the stream, if any."""
        output = route["output"]
        item = output.get("stream")
        if item is None:
            return output, None
        route.refuse_any(["cache"], "a stream cannot have this")
        return item, ContractStream(self.errors(output["errors"]))

    def _value(self, output: Node, media: tuple[str, ...]) -> JsonSchema:
        """The schema of an output or of an item; that of null for a file, which has none."""
        if media:
            return {"type": "null"}
        return self.check.schema(output)

    def _error(self, code: str, node: Node) -> ContractError:
        error = ContractError(
            status=node["status"].integer(400, 599),
            description=node["description"].text(),
            data=node.optional("data", self.check.schema),
            data_required="data" in node.object() and node["data_required"].flag(),
        )
        # clients have one class for each code
        if self._errors.setdefault(code, error) != error:
            raise node.place.refuse("another error of this code has other contents")
        return error


def _media(route: Node) -> tuple[str, ...]:
    """The media types of the file that a *route* gives, if its output is a file."""
    node = route["output"].get("download")
    if node is None:
        return ()
    types = tuple(each.text(MEDIA_RANGE) for each in node.items())
    if not types:
        raise node.place.refuse("a file must have at least one media type")
    route.refuse_any(["mcp"], "a route that gives a file cannot have this")
    return types


def _ways_of(route: Node) -> tuple[str, ...]:
    node = route.get("ways")
    if node is None:
        return ()
    if route["auth"].text() == "none":
        raise node.place.refuse("a route without auth has no ways in")
    return tuple(node.texts())


def _requires(route: Node) -> tuple[str, ...]:
    node = route.get("requires")
    if node is None:
        return ()
    scopes = tuple(node.texts(_SCOPE))
    if route["auth"].text() != "bearer":
        raise node.place.refuse("only a route that needs a token can require scopes of it")
    return scopes


def _deprecation(node: Node) -> Deprecation:
    return Deprecation(
        node.optional("since", _day),
        node.optional("remove_on", _day),
        node.optional("use", lambda use: use.text(ROUTE)),
    )


def _caching(route: Node) -> Caching | None:
    node = route.get("cache")
    if node is None:
        return None
    if route["effect"].text() != "read":
        raise node.place.refuse("only a read can have this: it is called at GET")
    vary = node.get("vary")
    names: tuple[str, ...] = ()
    if vary is not None:
        names = tuple(name.text(_HEADER) for name in vary.items())
    # the most seconds that every cache can count (RFC 9111, section 1.2.2)
    return Caching(node["max_age"].integer(0, 2**31 - 1), names)


def _signed(route: Node) -> Literal["standard-webhooks"] | None:
    node = route.get("signed")
    if node is None:
        return None
    if route["auth"].text() != "none":
        raise node.place.refuse("a route whose bodies are signed has no other auth")
    route.refuse_any(["cache", "mcp"], "a call with a signed body cannot have this")
    node.one_of("standard-webhooks")
    return "standard-webhooks"


def _files(route: Node) -> dict[str, ContractFile]:
    node = route.get("files")
    if node is None:
        return {}
    route.refuse_any(["cache", "mcp", "signed"], "a call with files cannot have this")
    files = {name: _file(each) for name, each in node.members(_PART, "the part of a form")}
    if "input" in files:
        raise node.place.refuse("the part `input` holds the JSON, and is not a file")
    return files


def _file(node: Node) -> ContractFile:
    most = node.get("max_files")
    many = None
    if most is not None:
        many = node["min_files"].integer(0, 1000), most.integer(1, 1000)
    return ContractFile(
        name=node.optional("name", lambda name: name.text(_FIELD)),
        description=node.optional("description", Node.text),
        max_bytes=node["max_bytes"].integer(1, 2**40),
        media=_accepted(node.get("media")),
        required=node["required"].flag(),
        many=many,
    )


def _accepted(media: Node | None) -> tuple[str, ...]:
    """The media types that a file may have; none if it may have any."""
    if media is None:
        return ()
    return tuple(each.text(_MEDIA) for each in media.items())


# any text: the name of a part is quoted in a form
_PART: Final = re.compile(r"[\s\S]*")
# the name of a field in Python, which may have letters of any script
_FIELD: Final = re.compile(r"[^\W\d]\w*")
_MEDIA: Final = re.compile(r"[a-z0-9!#$&^_.+*-]{1,127}/[a-z0-9!#$&^_.+*-]{1,127}")


def _tool(node: Node) -> Tool:
    hints = node["annotations"]
    return Tool(
        name=node["name"].text(_TOOL),
        title=node["title"].text(),
        read_only=hints["readOnlyHint"].flag(),
        destructive=hints["destructiveHint"].flag(),
        idempotent=hints["idempotentHint"].flag(),
        open_world=hints["openWorldHint"].flag(),
    )


def _group(node: Node) -> str | None:
    """The group of the route *node*; each name in it ends at a dot of the route's path."""
    found = node.get("group")
    if found is None:
        return None
    group = found.text(_GROUP)
    if not node["path"].text().startswith(f"{group}."):
        raise found.place.refuse("the path of the route does not begin with it and a dot")
    return group


def _day(node: Node) -> str:
    text = node.text(_DAY)
    try:
        date.fromisoformat(text)
    except ValueError:
        raise node.place.refuse("there is no such day") from None
    return text


_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
