"""
The model: the content of a contract document, as frozen records.

Schemas stay JSON objects (JSON Schema 2020-12, in the dialect that `contract.document.json_schema`
writes). A ``$ref`` in them is always ``#/$defs/NAME``, where NAME is a key of `Document.defs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, Literal, final

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
    "every_error",
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
    """Where the other surfaces are, relative to the document; None if they are switched off."""

    docs: str | None = None
    openapi: str | None = None
    mcp: str | None = None


@final
@record
class ContractError:
    """An error code that an answer may have."""

    status: int
    description: str
    data: JsonSchema | None = None
    """The schema of ``data``, or None for a code without data."""
    data_required: bool = False
    """Whether ``data`` is always present."""


@final
@record
class Deprecation:
    """Marks a route that should no longer be called."""

    since: str | None = None
    """A day, as in RFC 3339 ``full-date``."""
    remove_on: str | None = None
    """A day, as in RFC 3339 ``full-date``."""
    use: str | None = None
    """The name of the route to call instead."""


@final
@record
class Caching:
    """Marks a read whose output may be cached; the route is also served at GET."""

    max_age: int
    """Seconds."""
    vary: tuple[str, ...] = ()
    """The request headers that the output depends on, besides the credentials."""


@final
@record
class ContractStream:
    """Marks a route whose output is a stream of items."""

    errors: Mapping[str, ContractError]
    """The failures that may come between items, and end the stream."""


@final
@record(kw_only=True)
class ContractFile:
    """A file, or a list of files, that a call sends as a part of a form."""

    name: str | None = None
    """The name of the field in Python, if it differs from that of the part."""
    description: str | None = None
    max_bytes: int
    """The most bytes of each file."""
    media: tuple[str, ...] = ()
    """The media types allowed, such as ``image/png`` or ``image/*``; if empty, all are."""
    required: bool
    many: tuple[int, int] | None = None
    """The fewest and the most files of a list; None for a single file."""


@final
@record(kw_only=True)
class ContractRoute:
    """The description of a route."""

    path: str
    """The path relative to the mount: the route's name."""
    group: str | None = None
    """
    The name of the route's group, with which *path* begins: ``orders.create`` is in ``orders``. A
    dot in it separates a group from one inside it.
    """
    method: Literal["POST"] = "POST"
    summary: str
    description: str | None = None
    tags: tuple[str, ...]
    auth: Literal["none", "optional", "bearer"]
    requires: tuple[str, ...] = ()
    """The scopes that a caller needs; if there are any, *auth* is "bearer"."""
    ways: tuple[str, ...] = ()
    """
    The credentials of which a caller sends one: "bearer", and names of `Document.ways`.

    None if only a bearer token is accepted, or if no credential is needed.
    """
    scope: Literal["public", "private"] = "public"
    effect: Literal["read", "idempotent", "write", "destructive"]
    cache: Caching | None = None
    """Only a read has it."""
    signed: Literal["standard-webhooks"] | None = None
    """The scheme by which senders sign the body; *auth* is "none" then."""
    pages: bool = False
    """
    Whether its output is a list in pages.

    If so, the input has an ``after``, which is null or the ``next`` of the previous output, and the
    output has ``items``.
    """
    deprecated: Deprecation | None = None
    input: JsonSchema
    """The schema of the input; without input, the empty closed object, written in place."""
    files: Mapping[str, ContractFile] = field(default_factory=dict[str, ContractFile])
    """
    Name of a part -> the files in it.

    If there are any, a call is a ``multipart/form-data``, whose part ``input`` is the JSON.
    """
    max_body_bytes: int | None = None
    """The most bytes of a body, or of the JSON in a form; None if the route sets no limit."""
    output: JsonSchema
    """The schema of the output: of an item for a stream; of null for a file, which is not JSON."""
    media: tuple[str, ...] = ()
    """The media types, or ranges of them, of an output that is a file; empty for JSON."""
    stream: ContractStream | None = None
    """The parts of a stream beside its items; None for a single output."""
    errors: Mapping[str, ContractError]
    """
    The failures in the return annotation, builtins included; for a stream, those before its items.
    """
    mcp: Tool | None = None


def is_read_by_url(route: ContractRoute) -> bool:
    """
    Whether *route* is also called by GET: its output may be cached, or is a file.

    A URL holds neither files nor the headers that sign a body.
    """
    fits = not route.files and route.signed is None
    return route.cache is not None or (bool(route.media) and route.effect == "read" and fits)


def every_error(route: ContractRoute) -> Mapping[str, ContractError]:
    """The errors that *route* declares; for a stream, those between its items, too."""
    if route.stream is None:
        return route.errors
    return {**route.errors, **route.stream.errors}


def ways_into(route: ContractRoute) -> tuple[str, ...]:
    """
    The credentials of which a caller of *route* sends one: "bearer", and names of `Document.ways`.

    None if it needs no credential.
    """
    if route.auth == "none":
        return ()
    return route.ways or ("bearer",)


@final
@record(kw_only=True)
class ContractEvent:
    """The description of an event that the service sends to others."""

    summary: str
    description: str | None = None
    message: JsonSchema
    """A reference to the type of its messages: an object with type, timestamp and data."""


@final
@record(kw_only=True)
class Document:
    """The description of a spec: contract.json."""

    info: Info
    ui: Json
    """
    The look of the explorer: the fields of ``Meta`` in camelCase, except title, version, intro and
    those for agents only.
    """
    links: Links
    defs: Mapping[str, JsonSchema]
    """
    Every named type, once. If input and output differ, ``T`` is the output form and ``TInput`` the
    input form.
    """
    errors: Mapping[str, ContractError]
    """The codes that any route may answer with: builtins and the framework's own."""
    exports: Mapping[str, JsonSchema]
    """
    Name -> ``{"$ref": ...}`` to the output form. If the input form differs, ``NAMEInput`` ->
    ``{"$ref": ...}`` to that.

    The names are those of the exports; the types may have other names in *defs*.
    """
    routes: Mapping[str, ContractRoute]
    events: Mapping[str, ContractEvent] = field(default_factory=dict[str, ContractEvent])
    """Name -> an event that is sent by webhooks, as in Standard Webhooks."""
    ways: Mapping[str, Literal["header", "cookie"]] = field(default_factory=dict[str, Any])
    """Name of a header or a cookie with a credential -> which of the two it is."""
