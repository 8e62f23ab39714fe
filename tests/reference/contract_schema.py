"""
A JSON Schema of contract.json.

Its objects are the records of `contract.document.model`, with their docstrings, and its keywords are
those that `contract.document.checked_json` takes, so that both follow the code. Written by hand is
what paper has in another form than memory. A schema cannot look from one place to another: that
references and names lead somewhere is left to ``load_contract``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Literal, get_args, get_origin

import orjson

from contract.declare import meta
from contract.document import checked_json, contract_json, model, route_reader
from contract.shape.media_types import MEDIA_RANGE
from contract.shape.names import camel
from contract.shape.schema_lens import DEFINITIONS, JSON_TYPES
from tests.reference.source import Option, definition, options, read

__all__ = ["contract_schema"]

_Schema = dict[str, Any]

_TEXT: Final[_Schema] = {"type": "string"}
_TEXTS: Final[_Schema] = {"type": "array", "items": _TEXT, "uniqueItems": True}
_FLAG: Final[_Schema] = {"type": "boolean"}


def contract_schema() -> str:
    """The text of the schema."""
    return orjson.dumps(_whole(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _whole() -> _Schema:
    records = _Records()
    document = records.body(model.Document)
    version = _text_of(re.compile(rf"{contract_json._MAJOR}\.(0|[1-9][0-9]{{0,5}})"))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "contract.json",
        **document,
        "required": ["contract", *document["required"]],
        "properties": {"contract": version, **document["properties"]},
        "$defs": {**records.found, "Schema": _schema(), "Reference": _reference()},
    }


# What is written in another form, or more narrowly, than the records say.


def _named(names: re.Pattern[str], each: _Schema) -> _Schema:
    return {
        "type": "object",
        "propertyNames": {"pattern": _ecma(names.pattern)},
        "additionalProperties": each,
    }


def _ref(name: str) -> _Schema:
    return {"$ref": f"{DEFINITIONS}{name}"}


def _ecma(pattern: str) -> str:
    """A pattern that Python matches as a whole, as ECMAScript reads it."""
    folded = re.sub(
        r"\(\?i:(\w+)\)",
        lambda found: "".join(f"[{each.upper()}{each.lower()}]" for each in found[1]),
        pattern,
    )
    return f"^(?:{folded})$".replace(r"\Z", "$")


def _text_of(pattern: re.Pattern[str]) -> _Schema:
    return {"type": "string", "pattern": _ecma(pattern.pattern)}


def _whole_number(least: int, most: int) -> _Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


def _object(required: Sequence[str], /, **properties: Any) -> _Schema:
    return {"type": "object", "properties": properties, "required": [*required]}


_ROUTE: Final = _text_of(route_reader.ROUTE)
_DAY: Final[_Schema] = {**_text_of(route_reader._DAY), "format": "date"}
_REFERENCE: Final = _object(("$ref",), **{"$ref": _ref("Reference")})
_EXPORT: Final[_Schema] = {**_REFERENCE, "additionalProperties": False}
_HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_COUNT_OF_FILES: Final = {"min_files": _whole_number(0, 1000), "max_files": _whole_number(1, 1000)}


_MEDIA: Final = _text_of(MEDIA_RANGE)
"""A media type."""

# the identifiers of Python; \w is ASCII alone in ECMAScript, and so what is no letter is told here
_IDENTIFIER: Final[_Schema] = {
    "type": "string",
    "pattern": r"^[^\x00-@\[-^`{-\xa9][^\x00-/:-@\[-^`{-\xa9]*$",
}


def _output() -> _Schema:
    streamed = _object(
        ("stream", "errors"),
        stream=_ref("Schema"),
        errors=_named(route_reader._CODE, _ref("ContractError")),
    )
    forms = {"stream": streamed}
    if "media" in model.ContractRoute.__dataclass_fields__:
        forms["download"] = _object(
            ("download",), download={"type": "array", "items": _MEDIA, "minItems": 1}
        )
    return {
        "anyOf": [
            *forms.values(),
            {"allOf": [_ref("Schema"), {"not": {"anyOf": [{"required": [key]} for key in forms]}}]},
        ]
    }


_CODES: Final = _named(route_reader._CODE, _ref("ContractError"))
_TYPES: Final = _named(checked_json.DEFINITION, _ref("Schema"))
_INSTEAD: Final[Mapping[str, Mapping[str, _Schema]]] = {
    "Document.ui": {"ui": _ref("Meta")},
    "Document.defs": {"$defs": _TYPES},
    "Document.errors": {"errors": _CODES},
    "Document.exports": {"exports": _named(checked_json.DEFINITION, _EXPORT)},
    "Document.routes": {"routes": _named(route_reader.ROUTE, _ref("ContractRoute"))},
    "Document.events": {"events": _named(route_reader._EVENT, _ref("ContractEvent"))},
    "Document.ways": {"ways": _named(contract_json._WAY, _object(("in",), **{"in": {"enum": ["header", "cookie"]}}))},
    "Links.docs": {"docs": _text_of(contract_json._LINK)},
    "Links.openapi": {"openapi": _text_of(contract_json._LINK)},
    "Links.mcp": {"mcp": _text_of(contract_json._LINK)},
    "ContractError.status": {"status": _whole_number(400, 599)},
    "Deprecation.since": {"since": _DAY},
    "Deprecation.remove_on": {"remove_on": _DAY},
    "Deprecation.use": {"use": _ROUTE},
    "Caching.max_age": {"max_age": _whole_number(0, 2**31 - 1)},
    "Caching.vary": {"vary": {"type": "array", "items": _text_of(route_reader._HEADER)}},
    "ContractEvent.message": {"message": _REFERENCE},
    "ContractRoute.path": {"path": _ROUTE},
    "ContractRoute.group": {"group": _text_of(route_reader._GROUP)},
    "ContractRoute.requires": {"requires": {**_TEXTS, "items": _text_of(route_reader._SCOPE)}},
    "ContractRoute.output": {"output": _output()},
    "ContractRoute.stream": {},
    "ContractRoute.media": {},
    "ContractRoute.errors": {"errors": _CODES},
    "ContractRoute.max_body_bytes": {"max_body_bytes": _whole_number(1, 2**31)},
    "ContractFile.max_bytes": {"max_bytes": _whole_number(1, 2**40)},
    "ContractFile.name": {"name": _IDENTIFIER},
    "ContractFile.media": {"media": {"type": "array", "items": _MEDIA}},
    "ContractFile.many": _COUNT_OF_FILES,
    "Tool.name": {"name": _text_of(route_reader._TOOL)},
    "Tool.read_only": {"annotations": _object(_HINTS, **dict.fromkeys(_HINTS, _FLAG))},
    "Tool.destructive": {},
    "Tool.idempotent": {},
    "Tool.open_world": {},
    "Meta.title": {},
    "Meta.version": {},
    "Meta.intro": {},
    "Meta.mcp_instructions": {},
}  # fmt: skip
"""A field of a record -> its keys on paper, where these do not follow from its annotation."""

_ALWAYS: Final = {"ContractRoute": ("method", "scope")}
"""Keys that are always there, although the field has a default."""

_RULES: Final[Mapping[str, _Schema]] = {
    "ContractError": {"dependentRequired": {"data": ["data_required"]}},
    "ContractFile": {"dependentRequired": {"max_files": ["min_files"]}},
    "ContractRoute": {
        "dependentSchemas": {
            "requires": {"properties": {"auth": {"const": "bearer"}}},
            "ways": {"properties": {"auth": {"enum": ["optional", "bearer"]}}},
            "cache": {"properties": {"effect": {"const": "read"}}},
            "signed": {"properties": {"auth": {"const": "none"}}},
        }
    },
}
"""What the keys of a record ask of each other."""


class _Records:
    """The schemas of records, and of those that these hold."""

    def __init__(self) -> None:
        self.found: dict[str, _Schema] = {}

    def reference(self, cls: type[Any]) -> _Schema:
        """Where the schema of *cls* stands."""
        if cls.__name__ not in self.found:
            self.found[cls.__name__] = {}
            self.found[cls.__name__] = self.body(cls)
        return _ref(cls.__name__)

    def body(self, cls: type[Any]) -> _Schema:
        """The schema of *cls*."""
        of = definition(cls.__module__, cls.__name__)
        properties: _Schema = {}
        required = [*_ALWAYS.get(cls.__name__, ())]
        for each in options(of):
            keys = self._keys(cls, each)
            if each.default is None:
                required += [key for key in keys if key not in required]
            properties |= {key: _told(schema, each) for key, schema in keys.items()}
        told = read(of.text).summary
        rules = _RULES.get(cls.__name__, {})
        return {"description": told, **_object(required, **properties), **rules}

    def _keys(self, cls: type[Any], field: Option) -> Mapping[str, _Schema]:
        instead = _INSTEAD.get(f"{cls.__name__}.{field.name}")
        if instead is not None:
            for name in re.findall(rf"{re.escape(DEFINITIONS)}(\w+)", str(instead)):
                self._also(name)
            return instead
        name = camel(field.name) if cls.__module__ == meta.__name__ else field.name
        names = {**vars(import_module(cls.__module__)), "JsonSchema": _SchemaOf, "Json": dict}
        return {name: self._of(eval(field.kind, names))}

    def _also(self, name: str) -> None:
        if name not in ("Schema", "Reference"):
            self.reference(getattr(meta if name == "Meta" else model, name))

    def _of(self, kind: Any) -> _Schema:
        plain = _PLAIN.get(kind)
        if plain is not None:
            return plain
        inner = [each for each in get_args(kind) if each is not type(None)]
        origin = get_origin(kind)
        if origin is Literal:
            return {"enum": inner}
        if origin is None:
            return self.reference(kind)
        if type(None) in get_args(kind):
            return self._of(inner[0])  # it is left out
        if origin is tuple:
            return {"type": "array", "items": self._of(inner[0]), "uniqueItems": True}
        if issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self._of(inner[1])}
        return {"type": "array", "items": self._of(inner[0])}


class _SchemaOf:
    """Stands for a JSON Schema."""


_PLAIN: Final[Mapping[Any, _Schema]] = {
    str: _TEXT,
    int: {"type": "integer"},
    bool: _FLAG,
    dict: {"type": "object"},
    _SchemaOf: _ref("Schema"),
}


def _told(schema: _Schema, field: Option) -> _Schema:
    return {"description": field.told, **schema} if field.told else schema


# The dialect of schemas.


def _reference() -> _Schema:
    return _text_of(re.compile(re.escape(DEFINITIONS) + checked_json.DEFINITION.pattern))


_SCALARS: Final = {"type": ["null", "boolean", "number", "string"]}
_COUNT: Final = _whole_number(0, checked_json._MAX_COUNT)
_KEYWORDS: Final[Mapping[Callable[..., Any], _Schema]] = {
    checked_json.Node.text: _TEXT,
    checked_json.Node.flag: _FLAG,
    checked_json.Node.number: {"type": "number"},
    checked_json.Node.texts: _TEXTS,
    checked_json._count: _COUNT,
    checked_json._step: {"type": "number", "exclusiveMinimum": 0},
    checked_json._scalar: _SCALARS,
    checked_json._enum: {"type": "array", "items": _SCALARS, "minItems": 1, "uniqueItems": True},
    checked_json._type: {
        "anyOf": [
            {"enum": [*JSON_TYPES]},
            {"type": "array", "items": {"enum": [*JSON_TYPES]}, "minItems": 1, "uniqueItems": True},
        ]
    },
    checked_json._bounds: {
        "type": "object",
        "properties": {name: {"type": ["number", "string"]} for name in checked_json._BOUNDS},
        "additionalProperties": False,
    },
    checked_json._one: _ref("Schema"),
    checked_json._one_or_flag: {"anyOf": [_FLAG, _ref("Schema")]},
    checked_json._several: {"type": "array", "items": _ref("Schema"), "minItems": 1},
    checked_json._each: {"type": "object", "additionalProperties": _ref("Schema")},
    checked_json._arguments: _object(
        ("name", "arguments"),
        name=_text_of(checked_json.DEFINITION),
        arguments={"type": "array", "items": _ref("Schema"), "minItems": 1},
    ),
}
"""How a keyword is checked -> the schema that says so."""


def _schema() -> _Schema:
    checks = {**checked_json._CHECKS, **checked_json._INSIDE, **checked_json._IN_PLACE}
    return {
        "description": "A schema, in the keywords of JSON Schema 2020-12 that every reader knows.",
        "type": "object",
        "properties": {
            "$ref": _ref("Reference"),
            "discriminator": _object(
                ("propertyName", "mapping"),
                propertyName=_TEXT,
                mapping={"type": "object", "additionalProperties": _ref("Reference")},
            ),
            **{keyword: _KEYWORDS.get(check, {}) for keyword, check in sorted(checks.items())},
            "examples": {"type": "array"},
        },
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }
