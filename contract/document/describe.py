"""
Describe: from a spec to its document.

The description of a route depends only on its declaration. The name of a type depends on all types
of the spec, so it is the same in every document, whichever routes that shows.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, Final, Literal, NoReturn, cast

from contract.declare.failures import FRAMEWORK, Failure
from contract.declare.files import FileField
from contract.declare.meta import Meta
from contract.declare.route_options import Deprecated
from contract.declare.spec import AnySpec
from contract.declare.typed_route import Entry
from contract.declare.webhooks import TypedEvent
from contract.document import (
    Caching,
    ContractError,
    ContractEvent,
    ContractFile,
    ContractRoute,
    ContractStream,
    Deprecation,
    Document,
    Info,
    Links,
)
from contract.document.json_schema import SchemaWriter
from contract.document.model import Side, ways_into
from contract.document.schema_names import names_of
from contract.shape.exceptions import SpecError
from contract.shape.graph import definitions
from contract.shape.issues import MAX_ISSUES, MAX_PATH_LENGTH
from contract.shape.json_text import Json, JsonSchema
from contract.shape.media_types import Media
from contract.shape.names import camel
from contract.shape.nodes import Definition, RecordShape, RefShape, Shape
from contract.shape.schema_lens import target

__all__ = ["LINKS", "Visibility", "describe", "looks"]

Visibility = Literal["public", "all"]
"""Which routes a document shows: only public ones, or private ones too."""

LINKS: Final = Links(docs="docs", openapi="openapi.json", mcp="mcp")
"""The default paths of a mount's other surfaces."""


def describe(spec: AnySpec, *, visibility: Visibility = "public", links: Links = LINKS) -> Document:
    """
    The document of *spec*.

    Args:
        spec: The spec to describe.
        visibility: "all" also shows private routes, and the types that only they use.
        links: The paths of the other surfaces, relative to the document.

    Raises:
        SpecError: *visibility* is not one of the two.
    """
    if visibility not in ("public", "all"):
        raise SpecError("visibility=", f'{visibility!r} shows nothing; give "public" or "all"')
    shown = list(spec.entries.values())
    if visibility == "public":
        shown = [entry for entry in shown if entry.route.scope == "public"]
    exports = {name: _named(name, shape) for name, shape in spec.exports.items()}
    paper = _Paper(spec, exports, {entry.name for entry in shown})
    # Everything with a schema is written first: the paper notes which types it leads to, and only
    # those are in `defs` below.
    routes = {entry.name: paper.route(entry) for entry in shown}
    errors = {code: _framework(code) for code in FRAMEWORK} | paper.errors(spec.builtins)
    exported = paper.exports(exports)
    events = {name: paper.event(each) for name, each in spec.events.items()}
    # The hint that the look has by default speaks of a bearer token. If there are other ways in, it
    # must name them, or be left out.
    ways = _ways_of(shown)
    ui = looks(spec.meta, takes_token=any(entry.route.auth != "none" for entry in shown))
    if ways and spec.meta.auth_hint is None:
        ui = {name: each for name, each in ui.items() if name != "authHint"}
        ui |= _hint(routes.values(), ways)
    return Document(
        info=Info(spec.meta.title, spec.meta.version, spec.meta.intro),
        ui=ui,
        links=links,
        defs=paper.defs(),
        errors=errors,
        exports=exported,
        routes=routes,
        events=events,
        ways=ways,
    )


def _ways_of(entries: Iterable[Entry]) -> dict[str, Literal["header", "cookie"]]:
    """Each header and cookie in which *entries* take a credential."""
    found: dict[str, Literal["header", "cookie"]] = {}
    for entry in entries:
        if entry.authenticator is None:
            continue
        for way in entry.authenticator.ways:
            if way.kind != "bearer":
                found[way.name] = way.kind
    return found


def _hint(
    routes: Iterable[ContractRoute], ways: Mapping[str, Literal["header", "cookie"]]
) -> dict[str, str]:
    """A hint on how to authenticate, if all routes take the same, and not only a bearer token."""
    words = {"bearer": "a bearer token in the Authorization header"}
    for name, place in ways.items():
        words[name] = f"the cookie {name}"
        if place == "header":
            words[name] = f"a key in the header {name}"
    taken = {ways_into(route) for route in routes} - {()}
    if len(taken) > 1:
        return {}
    return {"authHint": f"Send {' or '.join(words[way] for way in taken.pop())}."}


class _Paper:
    """Writes the schemas of a spec, and records which types they lead to."""

    __slots__ = ("_roots", "_shown", "_writer")

    def __init__(
        self, spec: AnySpec, exports: Mapping[str, RefShape], shown: Container[str | None]
    ) -> None:
        every: list[Definition] = [
            *spec.builtins.values(),
            *(shape.definition for shape in exports.values()),
        ]
        for entry in spec.entries.values():  # private ones too: names must not depend on the reader
            every += entry.every_failure.values()
            if entry.input is not None:
                every += definitions(entry.input)
            every += definitions(entry.output)
        for each in spec.events.values():
            every += definitions(each.shape)
        self._writer = SchemaWriter(names_of(every))
        self._roots: list[tuple[Shape, Side]] = []
        self._shown = shown

    def schema(self, shape: Shape, side: Side) -> JsonSchema:
        self._roots.append((shape, side))
        return self._writer.schema(shape, side)

    def exports(self, exports: Mapping[str, RefShape]) -> dict[str, JsonSchema]:
        """
        Name -> the exported type in its output form.

        An input form that differs is exported under the name with ``Input`` appended.

        Raises:
            SpecError: One of these names belongs to another type, or to another export.
        """
        found: dict[str, JsonSchema] = {}
        for name, shape in exports.items():
            found[name] = self._export(name, name, self.schema(shape, "output"))
            received = self.schema(shape, "input")
            if received != found[name]:
                if f"{name}Input" in exports:
                    self._refuse(name, f"{name}Input", "another export")
                found[f"{name}Input"] = self._export(name, f"{name}Input", received)
        return found

    def _export(self, name: str, form: str, schema: JsonSchema) -> JsonSchema:
        if form in self._writer.taken and target(schema) != form:
            self._refuse(name, form, "another type")
        return schema

    def _refuse(self, name: str, form: str, other: str) -> NoReturn:
        subject = "this"
        if form != name:
            subject = f"{form}, which would be its input form,"
        problem = f"{subject} is the name of {other}; export it by another name"
        raise SpecError(f"spec(exports=)[{name!r}]", problem)

    def defs(self) -> Mapping[str, JsonSchema]:
        """The named types that all schemas so far lead to."""
        return self._writer.defs(*self._roots)

    def errors(self, failures: Mapping[type[Failure], Definition]) -> dict[str, ContractError]:
        return {
            cls.error_code: self._error(cls, definition) for cls, definition in failures.items()
        }

    def _error(self, cls: type[Failure], definition: Definition) -> ContractError:
        description = definition.description or f"{cls.error_code.replace('_', ' ').capitalize()}."
        record = definition.shape
        assert isinstance(record, RecordShape)  # noqa: S101  a failure is always read as a record
        # an InitVar is only received
        sent = [field for field in record.fields if not field.init_only]
        if not sent:
            return ContractError(cls.http_status, description)
        data = self.schema(RefShape(definition), "output")
        is_required = any(field.required_out for field in sent)
        return ContractError(cls.http_status, description, data, is_required)

    def route(self, entry: Entry) -> ContractRoute:
        route = entry.route
        received: JsonSchema = {**NOTHING}
        if entry.input is not None:
            received = self.schema(entry.input, "input")
        files: dict[str, ContractFile] = {}
        if entry.files is not None:
            files.update(map(_file, entry.files.fields))
        signed: Literal["standard-webhooks"] | None = None
        if route.signed is not None:
            signed = "standard-webhooks"
        deprecated = None
        if route.deprecated:
            deprecated = self._deprecation(route.deprecated)
        return ContractRoute(
            path=entry.name,
            group=entry.group,
            summary=route.summary,
            description=route.description,
            tags=entry.tags,
            auth=route.auth,
            ways=_way_names(entry),
            requires=entry.requires,
            scope=route.scope,
            effect=route.effect,
            cache=route.cache and Caching(route.cache.max_age, tuple(route.cache.vary)),
            signed=signed,
            pages=entry.page_key is not None,
            deprecated=deprecated,
            input=received,
            files=files,
            max_body_bytes=route.max_body_bytes,
            output=self.schema(entry.output, "output"),
            media=_types_of(entry.media),
            stream=entry.stream and ContractStream(self.errors(entry.stream.failures)),
            errors=self.errors(entry.failures),
            mcp=entry.tool,
        )

    def event(self, typed: TypedEvent) -> ContractEvent:
        return ContractEvent(
            summary=typed.event.summary,
            description=typed.event.description,
            message=self.schema(typed.shape, "output"),
        )

    def _deprecation(self, given: Deprecated) -> Deprecation:
        # if the replacement is a private route, those who may not know of it are not told its name
        use = None
        if given.use in self._shown:
            use = given.use
        return Deprecation(_day(given.since), _day(given.remove_on), use)


def _types_of(media: Media | None) -> tuple[str, ...]:
    """The media types of a file; none if there is no file, or if it may have any."""
    return () if media is None else media.types


def _file(field: FileField) -> tuple[str, ContractFile]:
    """A file, under the name of its part."""
    name = None if field.name == field.wire else field.name
    return field.wire, ContractFile(
        name=name,
        description=field.description,
        max_bytes=field.max_bytes,
        media=_types_of(field.media),
        required=field.required,
        many=field.many,
    )


def _way_names(entry: Entry) -> tuple[str, ...]:
    """The ways into a route, unless a bearer token is the only one."""
    asked = entry.authenticator
    if asked is None or not asked.ways:
        return ()
    return asked.way_names


NOTHING: Final[JsonSchema] = MappingProxyType(
    {"type": "object", "properties": {}, "additionalProperties": False}
)
"""The input of a route without input."""


def _named(name: str, shape: Shape) -> RefShape:
    """An exported type; one without a name takes the name of its export."""
    if isinstance(shape, RefShape):
        return shape
    definition = Definition((name,), name, "exports")
    definition.close(shape)
    return RefShape(definition)


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


# The framework's own codes. Their data has no name, since a type of that name would take it from
# one of the user's types.


def _framework(code: str) -> ContractError:
    status, description = FRAMEWORK[code]
    return ContractError(status, description, _DATA.get(code), data_required=code in _DATA)


def _closed(properties: Mapping[str, JsonSchema], *optional: str) -> JsonSchema:
    """The schema of an object with these *properties* alone, all required but the *optional*."""
    return {
        "type": "object",
        "properties": {**properties},
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


_TEXT: Final[JsonSchema] = {"type": "string"}
_COUNT: Final[JsonSchema] = {
    "type": "integer",
    "minimum": 0,
    "maximum": 2**63 - 1,
    "format": "int64",
}
_ISSUE: Final = _closed(
    {
        "path": {
            "type": "array",
            "items": {"anyOf": [_TEXT, _COUNT]},
            "maxItems": MAX_PATH_LENGTH,
            "description": "Keys and positions, from the root of the body to the place.",
        },
        "code": {
            "type": "string",
            "description": "What is wrong.",
            "examples": ["missing", "greater_than_equal"],
        },
        "message": {"type": "string", "description": "The same for people, in English."},
        "params": {
            "type": "object",
            "additionalProperties": {},
            "description": "What the rule allows, and which JSON type came; never a value.",
            "examples": [{"ge": 1}],
        },
    },
)
_MESSAGE: Final = _closed({"message": _TEXT})
_DATA: Final[Mapping[str, JsonSchema]] = MappingProxyType(
    {
        "VALIDATION_ERROR": _closed(
            {
                "issues": {"type": "array", "items": _ISSUE, "minItems": 1, "maxItems": MAX_ISSUES},
                "truncated": {
                    "type": "boolean",
                    "const": True,
                    "description": "There were more issues than are listed.",
                },
            },
            "truncated",
        ),
        "BAD_REQUEST": _MESSAGE,
        "METHOD_NOT_ALLOWED": _MESSAGE,
        "ROUTE_NOT_FOUND": _closed(
            {"route": {"type": "string", "description": "What was asked for, cut short."}}
        ),
        "PAYLOAD_TOO_LARGE": _closed({"limit": {**_COUNT, "description": "In bytes."}}),
        "UNSUPPORTED_MEDIA_TYPE": _MESSAGE,
    }
)


# The look of the explorer.

_ELSEWHERE: Final = ("title", "version", "intro", "mcpInstructions")
_AUTH_HINT: Final = "Send a bearer token in the Authorization header."


def looks(meta: Meta, *, takes_token: bool) -> Json:
    """The look that a document gives its explorer: `Document.ui`."""
    shown: dict[str, Any] = _camel(meta)
    # derived values are written out, so that no reader has to know how to derive them
    if meta.website is not None:
        shown["website"]["label"] = meta.website.link_text
    if meta.icon is not None:
        shown["favicon"] = meta.icon
    if takes_token:
        shown.setdefault("authHint", _AUTH_HINT)
    return {name: value for name, value in shown.items() if name not in _ELSEWHERE}


def _camel(value: Any) -> Any:
    """The given fields of records, with their names in camelCase."""
    if is_dataclass(value):
        members = ((camel(field.name), getattr(value, field.name)) for field in fields(value))
        return {name: _camel(member) for name, member in members if member not in (None, ())}
    # `Meta` makes tuples of the lists that it is given
    if isinstance(value, tuple):
        return [_camel(item) for item in cast("Iterable[Any]", value)]
    return value
