"""
Llms: a document as a short text for agents (llms.txt, in Markdown).

It says what a caller has to know, each type once and in few words. Every text of the document is
put on one line, behind something of ours, and cannot begin what would be a heading, a list or an
end of our own lines; what it says is its author's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from contract.document import ContractError, ContractRoute, Document
from contract.explorer.terms import fields, term
from contract.shape.quoting import cut

__all__ = ["llms"]

_LONG: Final = 600
"""Characters of one text."""


def llms(document: Document, *, contract: str, server: str) -> bytes:
    """
    The text.

    Args:
        document: What is described.
        contract: Where contract.json is, as seen from the text.
        server: Where the service is, in the same way; empty where that is not known.
    """
    lines = [f"# {_line(f'{document.info.title} {document.info.version}')}", ""]
    if document.info.description is not None:
        lines += [f"> {_line(document.info.description)}", ""]
    lines += _calling(document, contract, server)
    lines += _routes(document.routes)
    if document.defs:
        lines += ["", "## Types", ""]
        for name, schema in sorted(document.defs.items()):
            lines.append(f"- `{name}`: {term(schema)}{_told(schema.get('description'))}")
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
        lines += ["", "## Errors of routes", "", *_errors(declared)]
    if document.errors:
        lines += ["", "## Errors of any route", "", *_errors(document.errors)]
    return ("\n".join(lines) + "\n").encode()


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
    if hint is not None:
        lines.append(
            f"- Token, for routes that say so (`Authorization: Bearer TOKEN`): {_line(hint)}"
        )
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


def _routes(routes: Mapping[str, ContractRoute]) -> list[str]:
    tagged: dict[str, list[str]] = {}
    for name, route in sorted(routes.items()):
        tagged.setdefault(next(iter(route.tags), ""), []).append(name)
    lines: list[str] = []
    for tag, names in sorted(tagged.items()):
        lines += ["", f"## Routes: {_line(tag)}" if tag else "## Routes", ""]
        for name in names:
            lines += _route(name, routes[name])
    return lines


def _route(name: str, route: ContractRoute) -> list[str]:
    marks: list[str] = [route.effect]
    if route.auth == "bearer":
        marks.append("needs a token")
    if route.scope == "private":
        marks.append("private")
    if route.mcp is not None:
        marks.append(f"MCP tool {route.mcp.name}")
    if route.deprecated is not None:
        marks.append(
            "deprecated"
            if route.deprecated.use is None
            else f"deprecated, use {route.deprecated.use}"
        )
    described = (
        []
        if route.description is None or route.description == route.summary
        else [f"  {_line(route.description)}"]
    )
    errors = f"; errors: {', '.join(sorted(route.errors))}" if route.errors else ""
    return [
        f"- `{name}` ({', '.join(marks)}): {_line(route.summary)}",
        *described,
        f"  Input: {_nothing(term(route.input))}; output: {term(route.output)}{errors}",
    ]


def _nothing(written: str) -> str:
    return "none" if written == "{}" else written


def _errors(errors: Mapping[str, ContractError]) -> Iterable[str]:
    for code, error in sorted(errors.items()):
        told = f"- {code} ({error.status}): {_line(error.description)}"
        if error.data is not None:
            told += (
                f" Data: {term(error.data)}"
                if error.data_required
                else f" Data?: {term(error.data)}"
            )
        yield told


def _told(description: str | None) -> str:
    return "" if description is None else f". {_line(description)}"


_GAP: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
"""White space, control characters, and what cannot be seen or turns the direction of a text."""

_FIRST: Final = re.compile(r"(\d*)(?:[-#>+*=~`|_\[]|[.)](?: |\Z))")
"""Begins a block of Markdown, at the start of a line or behind the mark of a list."""


def _line(text: str) -> str:
    """*text* as a piece of one line, that begins no block and holds no tag."""
    line = cut(_GAP.sub(" ", text).strip(), _LONG)
    first = _FIRST.match(line)
    line = line if first is None else f"{first[1]}\\{line[first.end(1) :]}"
    return line.replace("<", r"\<")
