"""
Contract.json: reads a document from text, and writes it.

Text from anywhere may be read, and the result is reliable: names are valid, references lead
somewhere, schemas are in the dialect of `contract.document.checked_json`, and an error code means
the same everywhere. A later minor version may say more, so unknown keys are ignored; not so
keywords of schemas, which could refuse a value.

Each document has exactly one text: keys are sorted, what is left out has no key, and lists keep
their order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

import orjson

from contract.declare.tool import Tool
from contract.document.checked_json import DEFINITION, Node, SchemaCheck
from contract.document.model import (
    VERSION,
    Caching,
    ContractError,
    ContractEvent,
    ContractFile,
    ContractRoute,
    Deprecation,
    Document,
    Info,
    Links,
)
from contract.document.route_reader import ROUTE, RouteReader
from contract.shape.json_text import (
    MAX_BYTES,
    Json,
    JsonSchema,
    Place,
    check_json,
    find,
    is_array,
    is_object,
    parse,
)
from contract.shape.schema_lens import followed

__all__ = [
    "canonical",
    "dump_contract",
    "load_contract",
]


def load_contract(data: bytes) -> Document:
    """
    Read a document.

    A document that ``dump_contract`` wrote comes back unchanged. Unknown keys are ignored, since a
    later minor version may have them; an unknown keyword in a schema is refused unless it begins
    with ``x-``.

    Args:
        data: contract.json, in UTF-8.

    Raises:
        DocumentError: *data* is not a contract document, or of another major version; the exception
            names the place, as a JSON path.
    """
    # 1. The version first: another major version may mean something else by everything below.
    root = Node(parse(data), Place())
    _check_version(root["contract"])

    # 2. The parts. Schemas may refer to any type, so all names of types are known before the first
    #    schema is read, and what they refer to is checked at the end.
    defs = dict(root["$defs"].members(DEFINITION, "a type"))
    reader = RouteReader(SchemaCheck({name: node.place for name, node in defs.items()}))
    ways = root.optional("ways", _ways) or {}
    document = Document(
        info=_info(root["info"]),
        ui=_ui(root["ui"]),
        links=_links(root["links"]),
        defs={name: reader.check.schema(node, name) for name, node in defs.items()},
        errors=reader.errors(root["errors"]),
        exports=_exports(root["exports"], reader),
        routes=_routes(root["routes"], reader),
        events=root.optional("events", reader.events) or {},
        ways=ways,
    )

    # 3. What only the whole document can show.
    reader.check.finish()
    _check_routes(document.routes, document.ways, root.place / "routes")
    _check_pages(document, root.place / "routes")
    return document


_WAY: Final = re.compile(r"(?!(?i:bearer)\Z)[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
# no scheme, since it has no colon; and no backslash, which browsers read as a slash
_LINK: Final = re.compile(r"(?!/)[A-Za-z0-9._~!$&'()*+,;=@%/-]+")
_VERSION: Final = re.compile(r"(0|[1-9][0-9]{0,5})\.(?:0|[1-9][0-9]{0,5})")
_MAJOR: Final = VERSION.partition(".")[0]


def _check_version(node: Node) -> None:
    found = _VERSION.fullmatch(node.text())
    if found is None:
        raise node.place.refuse(f"this is not a version, such as {VERSION}")
    if found[1] != _MAJOR:
        raise node.place.refuse(f"this is version {found[0]}, and only {_MAJOR}.x can be read")


def _check_routes(routes: Mapping[str, ContractRoute], ways: Collection[str], place: Place) -> None:
    """Check that each of *routes* can be told from the others."""
    tools: dict[str, str] = {}
    for name, route in routes.items():
        if route.path != name:
            raise (place / name / "path").refuse("this is not the name of the route")
        # a generated client has one member for each name
        for group in _groups_of(route.group or ""):
            if group in routes:
                raise (place / name / "group").refuse(f"the route {group} has the name of a group")
        for index, way in enumerate(route.ways):
            if way != "bearer" and way not in ways:
                raise (place / name / "ways" / index).refuse("there is no way in of this name")
        use = route.deprecated and route.deprecated.use
        if use and (use not in routes or use == name):
            raise (place / name / "deprecated" / "use").refuse(
                "there is no other route of this name"
            )
        if route.mcp is not None and tools.setdefault(route.mcp.name, name) != name:
            raise (place / name / "mcp" / "name").refuse(
                f"the route {tools[route.mcp.name]} is a tool of this name, too"
            )


def _check_pages(document: Document, place: Place) -> None:
    """Check that in each route with pages, a page leads to the next."""
    for name, route in document.routes.items():
        if not route.pages:
            continue
        pages = place / name / "pages"
        inputs = _properties(route.input, document.defs)
        outputs = _properties(route.output, document.defs)
        if inputs.get("limit", {}).get("type") != "integer":
            raise pages.refuse("the input has no `limit` that is an integer")
        if not (_holds_key(inputs, "after") and _holds_key(outputs, "next")):
            raise pages.refuse(
                "the input has no `after`, or the output no `next`, that is null or a page-key"
            )
        if outputs.get("items", {}).get("type") != "array" or "items" not in outputs["items"]:
            raise pages.refuse("the output has no list of `items`")


def _properties(schema: JsonSchema, defs: Mapping[str, JsonSchema]) -> Mapping[str, JsonSchema]:
    """The fields of *schema*, if it is an object or refers to one."""
    found: Mapping[str, JsonSchema] = followed(schema, defs).get("properties", {})
    return found


def _holds_key(properties: Mapping[str, JsonSchema], name: str) -> bool:
    parts: Sequence[JsonSchema] = properties.get(name, {}).get("anyOf", ())
    # compared as lists: a schema may have several types, in a list, which no set can hold
    # (null comes last where we write it; a document from elsewhere may have it first)
    kinds = [each.get("x-contract-type", each.get("type")) for each in parts]
    return kinds in (["page-key", "null"], ["null", "page-key"])


def _groups_of(group: str) -> Iterator[str]:
    """The full names of *group* and of the groups around it, outermost first."""
    return (group[: each.end()] for each in re.finditer(r"[^.]+", group))


def _exports(node: Node, reader: RouteReader) -> dict[str, JsonSchema]:
    exports = node.members(DEFINITION, "an export")
    return {name: reader.export(each) for name, each in exports}


def _routes(node: Node, reader: RouteReader) -> dict[str, ContractRoute]:
    routes = node.members(ROUTE, "a route")
    return {name: reader.route(each) for name, each in routes}


def _ways(node: Node) -> dict[str, Literal["header", "cookie"]]:
    ways = node.members(_WAY, "a way in")
    return {name: way["in"].one_of("header", "cookie") for name, way in ways}


def _info(node: Node) -> Info:
    description = node.optional("description", Node.text)
    return Info(node["title"].text(), node["version"].text(), description)


def _links(node: Node) -> Links:
    docs, openapi, mcp = (node.optional(key, _link) for key in ("docs", "openapi", "mcp"))
    return Links(docs, openapi, mcp)


def _link(node: Node) -> str:
    if _LINK.fullmatch(node.text()) is None:
        raise node.place.refuse("this is not a relative path, such as docs")
    return node.text()


def _ui(node: Node) -> Json:
    """
    The look of the explorer in *node*. The types of its values are checked; unknown keys are kept.

    Which URLs a page may use is decided where the page is made, since the same text may be harmless
    elsewhere.
    """
    _members(_UI, ())(node)
    return node.object()


# The checks of the look are functions of a node. These two put them together, so that the look can
# be written down below as a table.


def _members(
    checks: Mapping[str, Callable[[Node], object]], required: tuple[str, ...]
) -> Callable[[Node], object]:
    def check(node: Node) -> None:
        for key in required:
            node[key]  # refuses the object if it is missing
        for key in node.object():
            if key in checks:
                checks[key](node[key])

    return check


def _list_of(check: Callable[[Node], object]) -> Callable[[Node], object]:
    def check_each(node: Node) -> None:
        for item in node.items():
            check(item)

    return check_each


_TEXT: Final = Node.text
_UI_LINK: Final = _members(
    {"label": _TEXT, "href": _TEXT, "external": Node.flag}, ("label", "href")
)
_THEME: Final = {
    "accent": _TEXT,
    "background": _TEXT,
    "surface": _TEXT,
    "fontFamily": _TEXT,
    "fontUrls": _list_of(_TEXT),
}
_NOTICE: Final = {"title": _TEXT, "message": _TEXT, "command": _TEXT, "links": _list_of(_UI_LINK)}
_UI: Final[Mapping[str, Callable[[Node], Any]]] = {
    "website": _members({"url": _TEXT, "label": _TEXT}, ("url",)),
    "logo": _members({"light": _TEXT, "dark": _TEXT}, ("light",)),
    "favicon": _TEXT,
    "theme": _members(_THEME, ()),
    "navbarLinks": _list_of(_UI_LINK),
    "footer": _members({"poweredBy": Node.flag}, ()),
    "notice": _members(_NOTICE, ("message",)),
    "sdkInstall": _TEXT,
    "authHint": _TEXT,
}


# Writing a document.

_Object = dict[str, Any]


def dump_contract(document: Document) -> bytes:
    """
    The text of *document*, as `load_contract` reads it.

    Raises:
        DocumentError: It has something that no reader would accept: a value that JSON lacks, 200
            levels, or 16 MiB.
    """
    data = canonical(_document(document))
    if len(data) > MAX_BYTES:
        raise Place().refuse(f"it has {len(data)} bytes, and a reader takes at most {MAX_BYTES}")
    return data


def canonical(value: Json) -> bytes:
    """
    The only text of a JSON object: UTF-8, sorted keys, two spaces per level, a line feed at last.

    Raises:
        DocumentError: It has a value that JSON lacks, or 200 levels.
    """
    check_json(value)
    try:
        return orjson.dumps(
            value,
            default=_plain,
            option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE,
        )
    except TypeError as error:  # orjson's own exception is a TypeError
        place, _ = find(value, lambda part, _: _is_odd(part))
        raise place.refuse(f"it cannot be written: {error}") from None


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {**cast("Json", value)}
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _is_odd(part: object) -> bool:
    """Whether *part* itself, apart from its contents, cannot be written."""
    if is_array(part):
        return False
    # of an object, only the keys
    own = [*part] if is_object(part) else part
    try:
        orjson.dumps(own)
    except TypeError:
        return True
    return False


def _document(document: Document) -> _Object:
    info, links = document.info, document.links
    return {"$defs": document.defs} | _given(
        contract=VERSION,
        info=_given(title=info.title, version=info.version, description=info.description),
        ui=document.ui,
        links=_given(docs=links.docs, openapi=links.openapi, mcp=links.mcp),
        errors=_errors(document.errors),
        exports=document.exports,
        routes={name: _route(route) for name, route in document.routes.items()},
        events={name: _written_event(each) for name, each in document.events.items()} or None,
        ways={name: {"in": place} for name, place in document.ways.items()} or None,
    )


def _errors(errors: Mapping[str, ContractError]) -> _Object:
    return {code: _error(error) for code, error in errors.items()}


def _error(error: ContractError) -> _Object:
    written = _given(status=error.status, description=error.description, data=error.data)
    if error.data is not None:
        written["data_required"] = error.data_required
    return written


def _route(route: ContractRoute) -> _Object:
    return _given(
        path=route.path,
        group=route.group,
        method=route.method,
        summary=route.summary,
        description=route.description,
        tags=[*route.tags],
        auth=route.auth,
        ways=[*route.ways] or None,
        requires=[*route.requires] or None,
        scope=route.scope,
        effect=route.effect,
        cache=route.cache and _written_caching(route.cache),
        signed=route.signed,
        pages=route.pages or None,
        deprecated=route.deprecated and _written_deprecation(route.deprecated),
        input=route.input,
        files={name: _written_file(each) for name, each in route.files.items()} or None,
        max_body_bytes=route.max_body_bytes,
        output=_written_output(route),
        errors=_errors(route.errors),
        mcp=route.mcp and _written_tool(route.mcp),
    )


def _written_caching(cache: Caching) -> _Object:
    return _given(max_age=cache.max_age, vary=[*cache.vary] or None)


def _written_deprecation(deprecated: Deprecation) -> _Object:
    return _given(since=deprecated.since, remove_on=deprecated.remove_on, use=deprecated.use)


def _written_file(file: ContractFile) -> _Object:
    least, most = file.many or (None, None)
    return _given(
        name=file.name,
        description=file.description,
        max_bytes=file.max_bytes,
        media=[*file.media] or None,
        required=file.required,
        min_files=least,
        max_files=most,
    )


def _written_output(route: ContractRoute) -> Any:
    if route.media:
        return {"download": [*route.media]}
    if route.stream is None:
        return route.output
    return {"stream": route.output, "errors": _errors(route.stream.errors)}


def _written_event(event: ContractEvent) -> _Object:
    return _given(summary=event.summary, description=event.description, message=event.message)


def _written_tool(tool: Tool) -> _Object:
    # the names are MCP's (revision 2025-11-25, ToolAnnotations)
    hints = {
        "readOnlyHint": tool.read_only,
        "destructiveHint": tool.destructive,
        "idempotentHint": tool.idempotent,
        "openWorldHint": tool.open_world,
    }
    return {"name": tool.name, "title": tool.title, "annotations": hints}


def _given(**members: Any) -> _Object:
    # a member without a value is left out, and not null
    return {name: value for name, value in members.items() if value is not None}
