"""
Llms: a document as a short text for agents (llms.txt, in Markdown).

It says what a caller must know, each type once and in few words. Every text of the document is put
on one line, after something of ours, so that it cannot begin a heading or a list, or end one of our
lines. Its content is the author's.

A type is written as in TypeScript, followed by its limits. That is for readers, not for machines:
long and deeply nested types are cut short, and the contract has the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, final

from contract.document import ContractError, ContractRoute, Document
from contract.document.model import every_error, is_read_by_url, ways_into
from contract.shape.bounds import I64_MAX, I64_MIN
from contract.shape.json_text import JsonSchema
from contract.shape.quoting import cut
from contract.shape.schema_lens import as_schema, lengths_of_bytes, mapping, order_of, target

__all__ = ["fields", "literal", "llms", "term"]

_LONG: Final = 600
"""The most characters of one text."""


def llms(document: Document, *, contract: str, server: str) -> bytes:
    """
    The text.

    Args:
        document: The document to describe.
        contract: The URL of contract.json, relative to the text.
        server: The URL of the service, also relative; empty if it is not known.
    """
    names = _Names(document.defs)
    lines = [f"# {_line(f'{document.info.title} {document.info.version}')}", ""]
    if document.info.description is not None:
        lines += [f"> {_line(document.info.description)}", ""]
    lines += _calling(document, contract, server)
    lines += _routes(document.routes, names)
    if document.events:
        lines += ["", "## Events that are sent by webhooks (Standard Webhooks)", ""]
        for name, event in sorted(document.events.items()):
            lines.append(f"- `{name}`: {_line(event.summary)}")
            lines.append(f"  Message: {term(event.message, names)}{_sentence(event.description)}")
    if document.defs:
        lines += ["", "## Types", ""]
        for name, schema in sorted(document.defs.items()):
            lines.append(
                f"- `{names[name]}`: {term(schema, names)}{_sentence(schema.get('description'))}"
            )
            for key, part in fields(schema):
                if "description" in part:
                    lines.append(f"  - {key}: {_line(part['description'])}")
    # each route names the codes of its errors; here each code is described once
    declared: dict[str, ContractError] = {}
    for route in document.routes.values():
        declared.update(every_error(route))
    for code in document.errors:
        declared.pop(code, None)
    if declared:
        lines += ["", "## Errors of routes", "", *_errors(declared, names)]
    if document.errors:
        lines += ["", "## Errors of any route", "", *_errors(document.errors, names)]
    return ("\n".join(lines) + "\n").encode()


@final
class _Names(dict[str, str]):
    """Name of a type -> how it is written: ``Page[Order]``, where it is made of a generic one."""

    def __init__(self, defs: Mapping[str, JsonSchema]) -> None:
        super().__init__()
        self._defs: Final = defs

    def __missing__(self, name: str) -> str:
        self[name] = name  # for a document that goes round in circles
        made = self._defs[name].get("x-contract-generic")
        if made is not None:
            arguments = ", ".join(term(each, self) for each in made["arguments"])
            self[name] = cut(f"{made['name']}[{arguments}]", _LONG_VALUE)
        return self[name]


def _calling(document: Document, contract: str, server: str) -> list[str]:
    base = ""
    if server:
        base = f"{server.rstrip('/')}/"
    links = document.links
    routes = document.routes.values()
    lines = [
        _CALL.format(base=base),
        "",
        f"- Contract, in JSON Schema: {contract}",
    ]
    # the link of the OpenAPI document is relative to contract.json
    if links.openapi is not None:
        lines.append(f"- OpenAPI: {contract.removesuffix('contract.json')}{links.openapi}")
    has_tools = any(route.mcp is not None for route in routes)
    if links.mcp is not None and base and has_tools:
        lines.append(f"- MCP: {base}{links.mcp}")
    line = "- Token, for routes that say so (`Authorization: Bearer TOKEN`)"
    hint = document.ui.get("authHint")
    if hint is not None:
        lines.append(f"{line}: {_line(hint)}")
    elif any("bearer" in ways_into(each) for each in routes):
        lines.append(line)
    for name, place in sorted(document.ways.items()):
        sent = f"`{name}: KEY`" if place == "header" else f"`Cookie: {name}=VALUE`"
        lines.append(f"- In place of a token, for routes that name {name}: {sent}")
    return [*lines, _TYPES]


_CALL: Final = (
    "Call a route: `POST {base}ROUTE` with its input as the body, in JSON (`Content-Type: "
    "application/json`). "
    'Status 200 carries the output. Every other status carries `{{"error": CODE, "data"?: '
    "{{...}}}}`."
)
_TYPES: Final = (
    "- Types are written as in TypeScript; `date-time`, `date`, `time`, `timedelta`, `uuid`, "
    "`decimal`, `bytes` (base64) and the like "
    "are strings of that form. Keys that are not listed are refused."
)


def _routes(routes: Mapping[str, ContractRoute], names: _Names) -> list[str]:
    # A route stands under its group or, without one, under its first tag. A group and a tag of one
    # name keep headings of their own. Routes with neither come first: their title is empty.
    together: dict[tuple[str, bool], list[str]] = {}
    for name, route in sorted(routes.items()):
        title = route.group or next(iter(route.tags), "")
        together.setdefault((title, route.group is not None), []).append(name)
    lines: list[str] = []
    for (title, is_group), members in sorted(together.items()):
        if not title:
            heading = "## Routes"
        elif is_group:
            heading = f"## Group: {_line(title)}"
        else:
            heading = f"## Routes: {_line(title)}"
        lines += ["", heading, ""]
        for name in members:
            lines += _route(name, routes[name], names)
    return lines


def _ways(route: ContractRoute) -> str:
    """The credentials of a route, one of which a caller sends."""
    names = {"bearer": "a token"}
    return " or ".join(names.get(way, way) for way in ways_into(route))


def _route(name: str, route: ContractRoute, names: _Names) -> list[str]:
    # 1. In brackets: how the route may be called, and by whom.
    marks: list[str] = [route.effect]
    if route.requires:
        marks.append(f"needs {_ways(route)} with the scopes {_line(' '.join(route.requires))}")
    elif route.auth == "bearer":
        marks.append(f"needs {_ways(route)}")
    elif route.auth != "none":
        marks.append(f"takes {_ways(route)}")
    if route.signed is not None:
        marks.append("a webhook: its sender signs the body (Standard Webhooks)")
    if route.cache is not None:
        marks.append(f"also GET {name}?input=JSON, kept {route.cache.max_age} s")
    elif is_read_by_url(route):
        marks.append(f"also GET {name}?input=JSON")
    if route.max_body_bytes is not None:
        marks.append(f"at most {route.max_body_bytes} bytes of JSON")
    if route.pages:
        marks.append("in pages: send `next` as `after`, with the same filter, until it is null")
    if route.scope == "private":
        marks.append("private")
    if route.mcp is not None:
        marks.append(f"MCP tool {route.mcp.name}")
    if route.deprecated is not None:
        mark = "deprecated"
        if route.deprecated.use is not None:
            mark += f", use {route.deprecated.use}"
        marks.append(mark)
    lines = [f"- `{name}` ({', '.join(marks)}): {_line(route.summary)}"]
    # 2. Its description; the summary may be all of it.
    if route.description not in (None, route.summary):
        lines.append(f"  {_line(route.description)}")
    # 3. Its input and its output.
    given = term(route.input, names)
    if given == "{}":
        given = "none"
    line = f"  Input: {given}{_form(route)}; {_output(route, names)}"
    if route.errors:
        line += f"; errors: {', '.join(sorted(route.errors))}"
    return [*lines, line]


def _form(route: ContractRoute) -> str:
    """The text about the files that a call of *route* sends."""
    if not route.files:
        return ""
    parts: list[str] = []
    for name, file in route.files.items():
        limits = " | ".join(file.media) or "any media type"
        limits += f", at most {file.max_bytes} bytes"
        if file.many is not None:
            limits += f", {file.many[0]}-{file.many[1]} of them"
        mark = "" if file.required else "?"
        parts.append(f"{_key(name)}{mark}: a file ({limits})")
    return f", as JSON in the part input of a multipart/form-data, with {'; '.join(parts)}"


def _output(route: ContractRoute, names: _Names) -> str:
    if route.media:
        return f"output: a file ({', '.join(route.media)})"
    written = term(route.output, names)
    if route.stream is None:
        return f"output: {written}"
    # the status of a stream is sent before its items: a later failure can only end the stream
    if route.stream.errors:
        written += f", which may end with {', '.join(sorted(route.stream.errors))}"
    return f"output: a stream of {written}"


def _errors(errors: Mapping[str, ContractError], names: _Names) -> Iterable[str]:
    for code, error in sorted(errors.items()):
        line = f"- {code} ({error.status}): {_line(error.description)}"
        if error.data is not None:
            mark = "" if error.data_required else "?"
            line += f" Data{mark}: {term(error.data, names)}"
        yield line


def _sentence(description: str | None) -> str:
    if description is None:
        return ""
    return f". {_line(description)}"


# A text of the document is written as one line, so three things are removed from it: line ends and
# other characters that would break the line or hide a part of it, marks at its beginning that
# Markdown would read as a heading or a list, and "<", which would begin a tag.

_GAP: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
"""
White space, control characters, and characters that are invisible or change the direction of text.
"""

_FIRST: Final = re.compile(r"(\d*)(?:[-#>+*=|_\[]|~~~|```|[.)](?: |\Z))")
"""The beginning of a Markdown block, at the start of a line or after a list mark."""


def _line(text: str) -> str:
    """The *text* as a piece of one line, which begins no block and contains no tag."""
    line = cut(_GAP.sub(" ", text).strip(), _LONG)
    first = _FIRST.match(line)
    if first is not None:
        # "1. a" becomes "1\. a", since a backslash escapes punctuation, not digits (CommonMark 2.4)
        line = f"{first[1]}\\{line[first.end(1) :]}"
    return line.replace("<", r"\<")


# Types. A schema may come from a document of somebody else, so three limits keep its text short,
# however deep its types are and however long its values. A type with a name is written in place
# only at the name itself: everywhere else its name is enough.

_DEPTH: Final = 8
"""How many levels of a type are written in place."""

_CHOICES: Final = 40
"""How many values of an enum are written."""

_LONG_VALUE: Final = 200
"""The most characters of one value."""

_NAME: Final = re.compile(r"[A-Za-z_$][\w$-]{0,63}", re.ASCII)
# the start of code or a tag in Markdown, line ends that JSON allows in a string, and characters
# that change the direction of text
_ODD: Final = re.compile(r"[`<\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def literal(value: Any) -> str:
    """The *value* in JSON, on one line; a long one is cut short."""
    text = cut(json.dumps(value, ensure_ascii=False, separators=(",", ":")), _LONG_VALUE)
    return _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_Written = Mapping[str, str] | None
"""Name of a type -> how it is written; None if by its name."""


def term(schema: JsonSchema, names: _Written = None, depth: int = 0) -> str:
    """The type that *schema* describes, with *names* for the types that it refers to."""
    # references first: a type that contains itself ends here, at its name
    if "$ref" in schema:
        name = target(schema)
        return name if names is None else names[name]
    if "const" in schema:
        return literal(schema["const"])
    if "enum" in schema:
        choices = [literal(value) for value in schema["enum"][:_CHOICES]]
        if len(schema["enum"]) > _CHOICES:
            choices.append("...")
        return _union(choices)
    if depth > _DEPTH:
        return "..."
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            union = _union(term(each, names, depth + 1) for each in schema[keyword])
            tag = schema.get("discriminator")
            if tag is None:
                return union
            return f"{union} ({_key(tag['propertyName'])} is required)"
    # "type" is one name or a list of names (JSON Schema Validation, section 6.1.1)
    kinds = schema.get("type", "any")
    if isinstance(kinds, str):
        kinds = [kinds]
    return _union(_one(kind, schema, names, depth) for kind in kinds)


def fields(schema: JsonSchema) -> list[tuple[str, JsonSchema]]:
    """The properties of *schema* in the order of their declaration: (key, schema)."""
    return [(_key(name), schema["properties"][name]) for name in order_of(schema)]


def _key(name: str) -> str:
    if _NAME.fullmatch(name):
        return name
    return literal(name)


def _union(parts: Iterable[str]) -> str:
    # members that are cut short, or differ only in what is not written, may have the same text
    return " | ".join(dict.fromkeys(parts))


def _one(kind: str, schema: JsonSchema, names: _Written, depth: int) -> str:
    match kind:
        case "object":
            return _object(schema, names, depth) + _count(schema, kind)
        case "array":
            more = ["no two equal"] if schema.get("uniqueItems") else []
            return _array(schema, names, depth) + _count(schema, kind, more)
        case "string":
            return _string(schema)
        case "integer" | "number":
            return kind + _behind(_limits(schema, _BOUNDS))
        case _:
            return kind


def _object(schema: JsonSchema, names: _Written, depth: int) -> str:
    required = schema.get("required", ())
    members: list[str] = []
    for name in order_of(schema):
        part = schema["properties"][name]
        mark = "" if name in required else "?"
        member = f"{_key(name)}{mark}: {term(part, names, depth + 1)}"
        if "default" in part:
            member += f" = {literal(part['default'])}"
        members.append(member)
    # a schema that does not say otherwise allows any other keys (JSON Schema, section 10.3.2.3)
    more = schema.get("additionalProperties", True)
    if more is not False:
        key = "key"
        keys = schema.get("propertyNames")
        if keys is not None:
            key += f": {term(as_schema(keys), names, depth + 1)}"
        value = "any" if more is True else term(more, names, depth + 1)
        members.append(f"[{key}]: {value}")
    return f"{{{', '.join(members)}}}"


def _array(schema: JsonSchema, names: _Written, depth: int) -> str:
    if "prefixItems" in schema:
        items = [term(each, names, depth + 1) for each in schema["prefixItems"]]
        return f"[{', '.join(items)}]"
    item = schema.get("items", True)
    if isinstance(item, bool):
        return "any[]"
    inner = term(item, names, depth + 1)
    # a name needs no brackets, even if it has spaces, as that of a generic type may
    if " " in inner and "$ref" not in item:
        return f"({inner})[]"
    return f"{inner}[]"


def _string(schema: JsonSchema) -> str:
    kind = schema.get("x-contract-type", schema.get("format"))
    if isinstance(kind, str):
        # the pattern of such a type is not written: the name implies it
        if kind == "bytes":
            return kind + _count(lengths_of_bytes(schema), kind)
        limits = [*_limits(schema.get("x-contract-bounds", {}), _TEXT_BOUNDS), *_offset(schema)]
        return _key(kind) + _count(schema, "string", limits)
    if "pattern" in schema:
        return "string" + _count(schema, "string", [_such(schema)])
    return "string" + _count(schema, "string")


def _offset(schema: JsonSchema) -> Iterable[str]:
    """The only offset that a ``date-time`` may have."""
    for rule in map(mapping, schema.get("allOf", ())):
        found = _OFFSET.fullmatch(str(rule.get("pattern")))
        if found is not None:
            yield f"with the offset {found[1] or '+'}{found[2]}"


_OFFSET: Final = re.compile(r"(?:\(Z\|\[\+-\]|\[\+\]|(-))([0-9]{2}:[0-9]{2})\)?\$")
"""The pattern of an offset, as in `contract.document.scalar_schemas`."""


def _such(schema: JsonSchema) -> str:
    """A matching example, if there is one, in place of a pattern, which is hard to read."""
    examples = schema.get("examples")
    if examples:
        return f"such as {literal(examples[0])}"
    return "its form is in the contract"


_BOUNDS: Final = {
    "minimum": ">= {}",
    "exclusiveMinimum": "> {}",
    "maximum": "<= {}",
    "exclusiveMaximum": "< {}",
    "multipleOf": "multiple of {}",
}
_TEXT_BOUNDS: Final = {
    "ge": ">= {}",
    "gt": "> {}",
    "le": "<= {}",
    "lt": "< {}",
    "multiple_of": "multiple of {}",
}
_COUNTS: Final = {
    "string": ("Length", "character"),
    "bytes": ("Bytes", "byte"),
    "array": ("Items", "item"),
    "object": ("Properties", "key"),
}


def _limits(schema: JsonSchema, words: Mapping[str, str]) -> Iterable[str]:
    for name, text in words.items():
        # the limits of int64 are those of every integer, so they tell nothing
        if name in schema and schema[name] not in (I64_MIN, I64_MAX):
            yield text.format(_plain(schema[name]))


def _count(schema: JsonSchema, kind: str, more: Iterable[str] = ()) -> str:
    keyword, noun = _COUNTS[kind]
    least, most = schema.get(f"min{keyword}"), schema.get(f"max{keyword}")
    if least is None and most is None:
        return _behind(more)
    if least is None:
        span = f"at most {most}"
    elif most is None:
        span = f"at least {least}"
    elif least == most:
        span = f"{most}"
    else:
        span = f"{least}-{most}"
    # the noun follows the last number that was written
    last = least if most is None else most
    if last != 1:
        noun += "s"
    return _behind([f"{span} {noun}", *more])


def _behind(limits: Iterable[str]) -> str:
    text = ", ".join(limits)
    if not text:
        return ""
    return f" ({text})"


def _plain(limit: object) -> str:
    # bounds of dates, durations and decimals are texts: they are written without quotes
    if isinstance(limit, str) and _LIMIT.fullmatch(limit):
        return limit
    return literal(limit)


_LIMIT: Final = re.compile(r"[0-9A-Za-z:.+-]{1,64}")
