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
from contract.document.model import is_read_by_url, ways_into
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
            lines += [
                f"  - {key}: {_line(part['description'])}"
                for key, part in fields(schema)
                if "description" in part
            ]
    declared = {
        code: error
        for route in document.routes.values()
        for code, error in route.errors.items()
        if code not in document.errors
    }
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
    base = f"{server.rstrip('/')}/" if server else ""
    links = document.links
    lines = [
        _CALL.format(base=base),
        "",
        f"- Contract, in JSON Schema: {contract}",
    ]
    if links.openapi is not None:
        lines.append(f"- OpenAPI: {contract.removesuffix('contract.json')}{links.openapi}")
    if (
        links.mcp is not None
        and base
        and any(route.mcp is not None for route in document.routes.values())
    ):
        lines.append(f"- MCP: {base}{links.mcp}")
    hint = document.ui.get("authHint")
    if hint is not None or any("bearer" in ways_into(each) for each in document.routes.values()):
        line = "- Token, for routes that say so (`Authorization: Bearer TOKEN`)"
        lines.append(f"{line}: {_line(hint)}" if hint is not None else line)
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
    together: dict[tuple[str, bool], list[str]] = {}
    for name, route in sorted(routes.items()):
        title = route.group or next(iter(route.tags), "")
        together.setdefault((title, route.group is not None), []).append(name)
    lines: list[str] = []
    for (title, is_group), members in sorted(together.items()):
        kind = "Group" if is_group else "Routes"
        lines += ["", f"## {kind}: {_line(title)}" if title else "## Routes", ""]
        for name in members:
            lines += _route(name, routes[name], names)
    return lines


def _ways(route: ContractRoute) -> str:
    """The credentials of a route, one of which a caller sends."""
    return " or ".join("a token" if way == "bearer" else way for way in ways_into(route))


def _route(name: str, route: ContractRoute, names: _Names) -> list[str]:
    marks: list[str] = [route.effect]
    if route.requires:
        marks.append(f"needs {_ways(route)} with the scopes {_line(' '.join(route.requires))}")
    elif route.auth != "none":
        marks.append(f"{'needs' if route.auth == 'bearer' else 'takes'} {_ways(route)}")
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
        use = route.deprecated.use
        marks.append("deprecated" if use is None else f"deprecated, use {use}")
    lines = [f"- `{name}` ({', '.join(marks)}): {_line(route.summary)}"]
    if route.description not in (None, route.summary):
        lines.append(f"  {_line(route.description)}")
    errors = f"; errors: {', '.join(sorted(route.errors))}" if route.errors else ""
    written = term(route.input, names)
    given = "none" if written == "{}" else written
    lines.append(f"  Input: {given}{_form(route)}; {_output(route, names)}{errors}")
    return lines


def _form(route: ContractRoute) -> str:
    """The text about the files that a call of *route* sends."""
    if not route.files:
        return ""
    parts: list[str] = []
    for name, file in route.files.items():
        kind = " | ".join(file.media) or "any media type"
        count = "" if file.many is None else f", {file.many[0]}-{file.many[1]} of them"
        mark = "" if file.required else "?"
        parts.append(f"{_key(name)}{mark}: a file ({kind}, at most {file.max_bytes} bytes{count})")
    return f", as JSON in the part input of a multipart/form-data, with {'; '.join(parts)}"


def _output(route: ContractRoute, names: _Names) -> str:
    if route.media:
        return f"output: a file ({', '.join(route.media)})"
    if route.stream is None:
        return f"output: {term(route.output, names)}"
    ends = ", ".join(sorted(route.stream.errors))
    failing = f", which may end with {ends}" if ends else ""
    return f"output: a stream of {term(route.output, names)}{failing}"


def _errors(errors: Mapping[str, ContractError], names: _Names) -> Iterable[str]:
    for code, error in sorted(errors.items()):
        line = f"- {code} ({error.status}): {_line(error.description)}"
        if error.data is not None:
            mark = "" if error.data_required else "?"
            line += f" Data{mark}: {term(error.data, names)}"
        yield line


def _sentence(description: str | None) -> str:
    return "" if description is None else f". {_line(description)}"


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
    line = line if first is None else f"{first[1]}\\{line[first.end(1) :]}"
    return line.replace("<", r"\<")


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
    if "$ref" in schema:
        return target(schema) if names is None else names[target(schema)]
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
            tag = schema.get("discriminator")
            must = "" if tag is None else f" ({_key(tag['propertyName'])} is required)"
            return _union(term(each, names, depth + 1) for each in schema[keyword]) + must
    kinds = schema.get("type", "any")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return _union(_one(kind, schema, names, depth) for kind in kinds)


def fields(schema: JsonSchema) -> list[tuple[str, JsonSchema]]:
    """The properties of *schema* in the order of their declaration: (key, schema)."""
    return [(_key(name), schema["properties"][name]) for name in order_of(schema)]


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else literal(name)


def _union(parts: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(parts))


def _one(kind: str, schema: JsonSchema, names: _Written, depth: int) -> str:
    match kind:
        case "object":
            return _object(schema, names, depth) + _count(schema, kind)
        case "array":
            unique = ["no two equal"] if schema.get("uniqueItems") else []
            return _array(schema, names, depth) + _count(schema, kind, unique)
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
        default = f" = {literal(part['default'])}" if "default" in part else ""
        members.append(f"{_key(name)}{mark}: {term(part, names, depth + 1)}{default}")
    more = schema.get("additionalProperties", True)
    if more is not False:
        keys = schema.get("propertyNames")
        key = "key" if keys is None else f"key: {term(as_schema(keys), names, depth + 1)}"
        members.append(f"[{key}]: {'any' if more is True else term(more, names, depth + 1)}")
    return f"{{{', '.join(members)}}}"


def _array(schema: JsonSchema, names: _Written, depth: int) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(term(each, names, depth + 1) for each in schema['prefixItems'])}]"
    item = schema.get("items", True)
    inner = "any" if isinstance(item, bool) else term(item, names, depth + 1)
    is_name = not isinstance(item, bool) and "$ref" in item
    return f"({inner})[]" if " " in inner and not is_name else f"{inner}[]"


def _string(schema: JsonSchema) -> str:
    kind = schema.get("x-contract-type", schema.get("format"))
    if isinstance(kind, str):  # it implies the pattern
        limits = [*_limits(schema.get("x-contract-bounds", {}), _TEXT_BOUNDS), *_offset(schema)]
        if kind == "bytes":
            return kind + _count(lengths_of_bytes(schema), kind)
        return _key(kind) + _count(schema, "string", limits)
    return "string" + _count(schema, "string", _such(schema) if "pattern" in schema else [])


def _offset(schema: JsonSchema) -> Iterable[str]:
    """The only offset that a ``date-time`` may have."""
    for rule in map(mapping, schema.get("allOf", ())):
        found = _OFFSET.fullmatch(str(rule.get("pattern")))
        if found is not None:
            yield f"with the offset {found[1] or '+'}{found[2]}"


_OFFSET: Final = re.compile(r"(?:\(Z\|\[\+-\]|\[\+\]|(-))([0-9]{2}:[0-9]{2})\)?\$")
"""The pattern of an offset, as in `contract.document.scalar_schemas`."""


def _such(schema: JsonSchema) -> list[str]:
    """Instead of a pattern, which is hard to read: a matching example, if there is one."""
    examples = schema.get("examples", [])
    return [f"such as {literal(examples[0])}"] if examples else ["its form is in the contract"]


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
    return (
        text.format(_plain(schema[name]))
        for name, text in words.items()
        if name in schema and schema[name] not in (I64_MIN, I64_MAX)
    )


def _count(schema: JsonSchema, kind: str, more: Iterable[str] = ()) -> str:
    keyword, noun = _COUNTS[kind]
    least, most = schema.get(f"min{keyword}"), schema.get(f"max{keyword}")
    if least is None and most is None:
        return _behind(more)
    if least is None or most is None:
        span = f"at most {most}" if least is None else f"at least {least}"
    else:
        span = f"{most}" if least == most else f"{least}-{most}"
    last = least if most is None else most
    return _behind([f"{span} {noun}" if last == 1 else f"{span} {noun}s", *more])


def _behind(limits: Iterable[str]) -> str:
    text = ", ".join(limits)
    return f" ({text})" if text else ""


def _plain(limit: object) -> str:
    return limit if isinstance(limit, str) and _LIMIT.fullmatch(limit) else literal(limit)


_LIMIT: Final = re.compile(r"[0-9A-Za-z:.+-]{1,64}")
