"""
The writer: a document as contract.json.

Of one document there is one text: keys are sorted, what is left out has no key, lists stand as they
are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import orjson

from contract.declare.tool import Tool
from contract.document.model import VERSION, ContractError, ContractRoute, Document
from contract.shape.json_text import MAX_BYTES, Json, Place, check_json, find, is_array, is_object

__all__ = ["canonical", "dump_contract"]

_Object = dict[str, Any]


def dump_contract(document: Document) -> bytes:
    """
    The text of *document*, as `load_contract` reads it.

    Raises:
        DocumentError: It holds what no reader would take: a value that JSON has not, 200 levels, 16
            MiB.
    """
    data = canonical(_document(document))
    if len(data) > MAX_BYTES:
        raise Place().refuse(f"it has {len(data)} bytes, and a reader takes at most {MAX_BYTES}")
    return data


def canonical(value: Json) -> bytes:
    """
    The one text of a JSON object: UTF-8, sorted keys, two spaces a level, one line feed at the end.

    Raises:
        DocumentError: It holds a value that JSON has not, or 200 levels.
    """
    check_json(value)
    try:
        return orjson.dumps(
            value,
            default=_plain,
            option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE,
        )
    except TypeError as error:  # orjson's own exception is one
        place, _ = find(value, lambda part, _: _is_odd(part))
        raise place.refuse(f"it cannot be written: {error}") from None


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {**cast("Json", value)}
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _is_odd(part: object) -> bool:
    """Whether *part* itself cannot be written, whatever is in it."""
    if is_array(part):
        return False
    try:
        orjson.dumps([*part] if is_object(part) else part)
    except TypeError:
        return True
    return False


def _document(document: Document) -> _Object:
    info, links = document.info, document.links
    return {
        "contract": VERSION,
        "info": _given(title=info.title, version=info.version, description=info.description),
        "ui": document.ui,
        "links": _given(docs=links.docs, openapi=links.openapi, mcp=links.mcp),
        "$defs": document.defs,
        "errors": _errors(document.errors),
        "exports": document.exports,
        "routes": {name: _route(route) for name, route in document.routes.items()},
    }


def _errors(errors: Mapping[str, ContractError]) -> _Object:
    return {code: _error(error) for code, error in errors.items()}


def _error(error: ContractError) -> _Object:
    data = {} if error.data is None else {"data": error.data, "data_required": error.data_required}
    return {"status": error.status, "description": error.description, **data}


def _route(route: ContractRoute) -> _Object:
    deprecated = route.deprecated
    return _given(
        path=route.path,
        method=route.method,
        summary=route.summary,
        description=route.description,
        tags=[*route.tags],
        auth=route.auth,
        scope=route.scope,
        effect=route.effect,
        deprecated=None
        if deprecated is None
        else _given(since=deprecated.since, remove_on=deprecated.remove_on, use=deprecated.use),
        input=route.input,
        output=route.output,
        errors=_errors(route.errors),
        mcp=None if route.mcp is None else _tool(route.mcp),
    )


def _tool(tool: Tool) -> _Object:
    # the names are those of MCP (revision 2025-11-25, ToolAnnotations)
    hints = {
        "readOnlyHint": tool.read_only,
        "destructiveHint": tool.destructive,
        "idempotentHint": tool.idempotent,
        "openWorldHint": tool.open_world,
    }
    return {"name": tool.name, "title": tool.title, "annotations": hints}


def _given(**members: Any) -> _Object:
    return {name: value for name, value in members.items() if value is not None}
