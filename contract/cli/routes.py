"""``contract routes``: the list of routes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any, Final, assert_never

import orjson

from contract.call.service import Service
from contract.cli.find import aim, take
from contract.cli.output import data, table
from contract.cli.serving import Settings, services_of, tool_of
from contract.declare.typed_route import Entry
from contract.document.json_schema import own_name
from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    Basic,
    EnumShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.scalars import row_of

__all__ = ["Facts", "facts", "run", "title"]

Facts = Mapping[str, Any]
"""One route of the list, ready for JSON."""

_HEAD: Final = ("ROUTE", "AUTH", "SCOPE", "EFFECT", "MCP", "KIND", "INPUT -> OUTPUT | ERRORS")


def run(arguments: argparse.Namespace) -> int:
    """List the routes, and return the exit code."""
    # what an app prints when it is imported is not part of the list
    with redirect_stdout(sys.stderr):
        services = services_of(take(aim(arguments.target)), Settings())
    found: list[Facts] = []
    for service in services:
        for path, bound in service.routes.items():
            found.append(facts(path, bound.name, service))
    if arguments.json:
        data(orjson.dumps(found, option=orjson.OPT_INDENT_2).decode())
    else:
        data(table([_HEAD, *map(_row, found)]))
    return 0


def facts(path: str, name: str, service: Service) -> Facts:
    """The facts about the route *name* of *service*, which is at *path*."""
    entry = service.spec.entries[name]
    route = entry.route
    ways: list[str] = []
    if entry.authenticator is not None:
        ways += entry.authenticator.way_names
    files: list[str] = []
    if entry.files is not None:
        files += [each.wire for each in entry.files.fields]
    input_: str | None = None
    if entry.input is not None:
        input_ = title(entry.input)
    return {
        "name": entry.name,
        "path": path,
        "summary": route.summary,
        "tags": list(entry.tags),
        "auth": route.auth,
        "ways": ways,
        "requires": list(entry.requires),
        "signed": route.signed is not None,
        "scope": route.scope,
        "effect": route.effect,
        "cached": entry.read_by_url,
        "mcp": tool_of(entry, service.options),
        "async": route.is_async,
        "deprecated": bool(route.deprecated),
        "input": input_,
        "files": files,
        "output": _output(entry),
        "stream": entry.stream is not None,
        "errors": [cls.error_code for cls in entry.every_failure],
    }


def _output(entry: Entry) -> str:
    if entry.media is None:
        return title(entry.output)
    return f"Download[{', '.join(entry.media.types)}]"


def _row(found: Facts) -> tuple[str, ...]:
    output: str = found["output"]
    if found["stream"]:
        output = f"Stream[{output}]"
    given: list[str] = []
    if found["input"]:
        given.append(found["input"])
    if found["files"]:
        given.append(f"Upload[{', '.join(found['files'])}]")
    success = f"{' + '.join(given) or 'nothing'} -> {output}"
    signature = " | ".join([success, *found["errors"]])
    effect: str = found["effect"]
    if found["cached"]:  # it can be called by GET, too
        effect = f"{effect}, GET"
    kind = "async" if found["async"] else "sync"
    return (
        found["path"].removeprefix("/"),
        _caller(found),
        found["scope"],
        effect,
        found["mcp"] or "no",
        kind,
        signature,
    )


def _caller(found: Facts) -> str:
    """The credentials of which a caller sends one, and the scopes that it needs."""
    if found["signed"]:
        return "signed"
    ways: list[str] = found["ways"]
    # the kind of `auth` says it all if there is but a bearer token, or nothing to send
    if found["auth"] == "none" or ways == ["bearer"]:
        return " ".join([found["auth"], *found["requires"]])
    words = [" or ".join(ways), *found["requires"]]
    if found["auth"] == "optional":
        words.insert(0, "optional")
    return " ".join(words)


def title(shape: Shape) -> str:
    """The name of a type, in one line."""
    match shape:
        case NullShape():
            return "null"
        case AnyShape():
            return "any"
        case Basic():
            return row_of(shape).label
        case LiteralShape(values):
            return " | ".join(orjson.dumps(value).decode() for value in values)
        case ArrayShape(item, container):
            return f"{container}[{title(item)}]"
        case TupleShape(items):
            return f"tuple[{', '.join(map(title, items))}]"
        case MapShape(key, value):
            return f"dict[{title(key)}, {title(value)}]"
        case NullableShape(inner):
            return f"{title(inner)} | null"
        case UnionShape(members):
            return " | ".join(map(title, members))
        case TaggedUnionShape(cases=cases):
            return " | ".join(dict.fromkeys(title(case_) for _, case_ in cases))
        case Refined(inner):
            return title(inner)
        case RefShape(definition) if definition.key[1:]:
            return f"{own_name(definition)}[{', '.join(map(title, definition.arguments))}]"
        case RefShape(definition):
            return definition.name
        case (
            RecordShape(type=cls)
            | NamedTupleShape(type=cls)
            | EnumShape(type=cls)
            | OwnShape(type=cls)
        ):
            return cls.__name__
        case _:
            assert_never(shape)
