"""
The model: what a contract document says, as frozen records.

Schemas stay JSON objects (JSON Schema 2020-12, in the dialect that `contract.document.json_schema`
writes); a ``$ref`` in them always is ``#/$defs/NAME``, and NAME a key of `Document.defs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, Literal, Protocol, final

from contract.declare.tool import Tool
from contract.shape.json_text import Json, JsonSchema
from contract.shape.record import record

__all__ = [
    "VERSION",
    "Caching",
    "Side",
    "ContractError",
    "ContractEvent",
    "ContractFile",
    "ContractRoute",
    "ContractStream",
    "Deprecation",
    "Document",
    "Info",
    "Links",
    "is_read_by_url",
    "ways_into",
]

VERSION: Final = "1.0"
"""The version of the format: a reader takes any minor of its major."""


Side = Literal["input", "output"]
"""Whether a value is received or sent."""


@final
@record
class Info:
    """The name and the version of the service, and its description."""

    title: str
    version: str
    description: str | None = None
    """Markdown: ``Meta.intro``."""


@final
@record
class Links:
    """Where the other surfaces are, relative to the document; None where they are switched off."""

    docs: str | None = None
    openapi: str | None = None
    mcp: str | None = None


@final
@record
class ContractError:
    """A code that an answer may carry."""

    status: int
    description: str
    data: JsonSchema | None = None
    """The schema of ``data``, or None for a code that carries none."""
    data_required: bool = False
    """Whether ``data`` is always there."""


@final
@record
class Deprecation:
    """That a route should not be called any more."""

    since: str | None = None
    """A day, as in RFC 3339 ``full-date``."""
    remove_on: str | None = None
    """A day."""
    use: str | None = None
    """The name of the route to call instead."""


@final
@record
class Caching:
    """That the output of a read may be kept, and that the route is served at GET, too."""

    max_age: int
    """Seconds."""
    vary: tuple[str, ...] = ()
    """The headers of the request that the output depends on, beside the credentials."""


@final
@record
class ContractStream:
    """That the output of a route is a stream of items."""

    errors: Mapping[str, ContractError]
    """The failures that may come between items, and end the stream."""


@final
@record(kw_only=True)
class ContractFile:
    """A file that a call brings as a part of a form, or a list of them."""

    name: str | None = None
    """The name of the field in Python, where it is another than that of the part."""
    description: str | None = None
    max_bytes: int
    """The most bytes of each file."""
    media: tuple[str, ...] = ()
    """The media types that it may have, such as ``image/png`` or ``image/*``; none: all."""
    required: bool
    many: tuple[int, int] | None = None
    """The fewest and the most files of a list; None for one file."""


@final
@record(kw_only=True)
class ContractRoute:
    """A route on paper."""

    path: str
    """Relative to the mount: the route's name."""
    group: str | None = None
    """
    The name of the group that the route is in, which *path* begins with: ``orders.create`` is in
    ``orders``. A dot in it stands between a group and one within.
    """
    method: Literal["POST"] = "POST"
    summary: str
    description: str | None = None
    tags: tuple[str, ...]
    auth: Literal["none", "optional", "bearer"]
    requires: tuple[str, ...] = ()
    """The scopes that a caller needs; where there are any, *auth* is "bearer"."""
    ways: tuple[str, ...] = ()
    """
    The credentials of which a caller sends one: "bearer", and names of `Document.ways`.

    None where that is a bearer token and nothing else, and where there is none.
    """
    scope: Literal["public", "private"] = "public"
    effect: Literal["read", "idempotent", "write", "destructive"]
    cache: Caching | None = None
    """On a read alone."""
    signed: Literal["standard-webhooks"] | None = None
    """How senders prove who they are, by a signature over the body; *auth* is "none" then."""
    pages: bool = False
    """
    Whether it is asked for a list page by page.

    The input then has an ``after``, which is null or the ``next`` of the output before, and the
    output has ``items``.
    """
    deprecated: Deprecation | None = None
    input: JsonSchema
    """For a route without input the empty closed object, written in place."""
    files: Mapping[str, ContractFile] = field(default_factory=dict[str, ContractFile])
    """
    Name of a part -> the files in it.

    Where there are any, a call is a ``multipart/form-data``, whose part ``input`` holds the JSON.
    """
    max_body_bytes: int | None = None
    """The most bytes of a body, or of the JSON in a form; None where the route does not say."""
    output: JsonSchema
    """For a stream, the schema of an item; for a file, that of null, since it is not JSON."""
    media: tuple[str, ...] = ()
    """The media types, or ranges of them, of the file that is its output; none for JSON."""
    stream: ContractStream | None = None
    """The rest of what there is to know of a stream; None where there is one output."""
    errors: Mapping[str, ContractError]
    """
    The failures of the annotation, builtins that it names included; of a stream, those before it.
    """
    mcp: Tool | None = None


class _Reading(Protocol):
    """A route, on paper or in generated code."""

    @property
    def effect(self) -> str: ...
    @property
    def cache(self) -> Caching | None: ...
    @property
    def media(self) -> tuple[str, ...]: ...


def is_read_by_url(route: _Reading) -> bool:
    """Whether *route* is called by GET, too: caches may keep its output, or it is a file."""
    return route.cache is not None or (bool(route.media) and route.effect == "read")


class _Asking(Protocol):
    """A route, on paper or in generated code."""

    @property
    def auth(self) -> Literal["none", "optional", "bearer"]: ...
    @property
    def ways(self) -> tuple[str, ...]: ...


def ways_into(route: _Asking) -> tuple[str, ...]:
    """
    The credentials of which a caller of *route* sends one: "bearer", and names of `Document.ways`.

    None where it asks for none.
    """
    if route.auth == "none":
        return ()
    return route.ways or ("bearer",)


@final
@record(kw_only=True)
class ContractEvent:
    """An event that the service sends to others, on paper."""

    summary: str
    description: str | None = None
    message: JsonSchema
    """A reference to the type of its messages: an object with type, timestamp and data."""


@final
@record(kw_only=True)
class Document:
    """A spec on paper: contract.json."""

    info: Info
    ui: Json
    """
    How the explorer looks: the fields of ``Meta`` in camelCase, but title, version, intro and what
    is for agents alone.
    """
    links: Links
    defs: Mapping[str, JsonSchema]
    """
    Every named type, once. Where input and output differ, ``T`` is the output form and ``TInput``
    the input form.
    """
    errors: Mapping[str, ContractError]
    """The codes that any route may answer with: builtins and the framework's own."""
    exports: Mapping[str, JsonSchema]
    """
    Name -> ``{"$ref": ...}`` to the output form; where the input form is another, ``NAMEInput`` ->
    ``{"$ref": ...}`` to that.

    Names are those of the exports, which need not be those that the types have in *defs*.
    """
    routes: Mapping[str, ContractRoute]
    events: Mapping[str, ContractEvent] = field(default_factory=dict[str, ContractEvent])
    """Name -> event that is sent by webhooks, as Standard Webhooks say."""
    ways: Mapping[str, Literal["header", "cookie"]] = field(default_factory=dict[str, Any])
    """Name of a header or a cookie that holds a credential -> which of the two it is."""
