"""A package whose every name and text is one that somebody chose to break generated code with."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Final

from contract.codegen.package import FailureType
from contract.document.model import Deprecation
from contract.shape import nodes
from contract.shape.bounds import Bounds
from tests.paper import alias, enum, field, named, named_tuple, operation, package, record

__all__ = ["HOSTILE", "NAMES", "TEXT"]

TEXT: Final = (
    'It ends """ the docstring \\""" and \\N{DASH} \\u0041 \\x \' " \' \n\n   import os; os.abort()\r\n\ttabs\x00nul \u202e right to left'
    " \u200b zero \u2028 line # type: ignore */ // ${x} `y` </script> and goes on far beyond the end of every line"
    " that anybody would want to read, " + "x" * 200 + ' "'
)
"""Ends everything that a text can stand in."""

NAMES: Final = (
    "self", "cls", "_self", "__class__", "__init__", "__slots__", "__dict__", "__post_init__", "__dataclass_fields__",
    "__mangled", "_private", "_", "__", "class", "def", "None", "True", "match", "type", "print", "exec", "list",
    "str", "int", "float", "bool", "bytes", "dict", "set", "frozenset", "tuple", "object", "input", "property",
    "field", "dataclass", "final", "Final", "Any", "Annotated", "Literal", "Union", "Name", "Pattern", "Ge", "Len",
    "MaxLen", "UNSET", "Unset", "Ok", "CallError", "ApiClient", "DeclaredFailure", "Schema", "Operation",
    "RouteSchemas", "Enum", "NamedTuple", "TypeAliasType", "deprecated", "date", "datetime", "time", "timedelta",
    "UTC", "timezone", "Decimal", "UUID", "mro", "name", "value", "count", "index", "_name_", "_value_", "_missing_",
    "_ignore_", "error_code", "http_status", "response", "close", "aclose", "with_options", "_call", "schemas", "unwrap",
    "annotations", "builtins", "getUser", "get_user", "GETUSER", "get-user", "get.user", "gré", 'gre\u0301', "ﬁeld",
    "field_", "with space", 'with\nnewline', 'quote"', "it's", 'back\\slash', '\u202e', '\u200b', "1st", "", "日本",
    "a" * 300, "constructor", "__proto__", "*/", "${x}", "toString", "then", "await", "async", "lambda", "super",
    "Items", "AsyncItems", "File", "AsyncFile", "DownloadOperation", "StreamOperation", "Never", "len", "_client", "_Schemas", "_DeclaredFailure__response",
)  # fmt: skip
"""Names that mean something to Python, or to nobody."""

ROUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
"""What a route may be called; readers of documents take nothing else."""


_SCALARS: Final[tuple[nodes.Shape, ...]] = (
    nodes.AnyShape(),
    nodes.BoolShape(),
    nodes.IntShape(1, 5, 2),
    nodes.FloatShape(Bounds(gt=0.5, lt=2)),
    nodes.StrShape(1, 40, ("^[a-z'\"\\\\]+$", "\\d")),
    nodes.BytesShape(None, 10),
    nodes.DecimalShape(Bounds(ge=Decimal("0.01"))),
    nodes.DatetimeShape(
        Bounds(lt=datetime(2030, 1, 1, tzinfo=timezone(timedelta(hours=2)))), timedelta(minutes=90)
    ),
    nodes.DateShape(),
    nodes.TimeShape(),
    nodes.TimedeltaShape(Bounds(le=timedelta(days=1, hours=2, minutes=3, seconds=4.5))),
    nodes.UuidShape(),
    nodes.LiteralShape(("it's", 'a "quote"', "back\\slash\n", 1, True)),
)


def _fields(*, first: int = 0) -> tuple[nodes.Field, ...]:
    return tuple(
        field(
            name,
            _SCALARS[(first + number) % len(_SCALARS)],
            wire=f"@{name}" if number % 3 == 0 else name,
            description=TEXT if number % 4 == 0 else None,
        )
        for number, name in enumerate(NAMES)
        if name
    )


_PLAIN: Final = record(
    "Plain",
    field("str", nodes.StrShape()),
    field("list", nodes.ArrayShape(named("Plain")), default=[]),
)
_TYPES: Final = tuple(
    record(
        name,
        field(name, nodes.NullableShape(named(name)), required=False),
        field("other", named("Plain")),
        description=TEXT,
    )
    for name in NAMES
    if name
)
_OPTIONAL: Final = tuple(
    field(name, nodes.ArrayShape(named("Every")), required=False) for name in NAMES if name
)

HOSTILE: Final = package(
    _PLAIN,
    *_TYPES,
    record("Every", *_fields(), description=TEXT),
    record("EveryOptional", *_OPTIONAL),
    record("Huge", *(field(f"field_{number}", nodes.IntShape(), default=number) for number in range(300))),
    enum("Members", *((name, f"{TEXT}{number}") for number, name in enumerate(NAMES)), description=TEXT),
    named_tuple("Positions", *(field(name, nodes.IntShape()) for name in NAMES)),
    alias(
        "Recursive",
        nodes.UnionShape(
            (
                nodes.LiteralShape(("it's", '"', "\\")),
                nodes.StrShape(None, None, ("^\\d$",)),
                nodes.ArrayShape(named("Recursive")),
                nodes.MapShape(nodes.StrShape(), named("str")),
            )
        ),
        description=TEXT,
    ),
    operations=[
        *(
            operation(
                name,
                named(name),
                named(name),
                ["GONE"],
                summary=TEXT,
                auth="bearer",
                between=None if len(name) % 2 else ("GONE",),
            )
            for name in NAMES
            if ROUTE.fullmatch(name)
        ),
        operation("all.at-once", named("EveryOptional"), named("Plain"), ["GONE"], description=TEXT),
        operation("huge", named("Huge"), named("Members")),
        operation(
            "plain", named("Plain"), named("Positions"), deprecated=Deprecation("2026-01-01", "2027-01-01", "huge")
        ),
        operation("recursive", named("Recursive"), named("Recursive"), deprecated=Deprecation()),
    ],
    failures=[FailureType(code="GONE", status=410, description=TEXT, data=named("Every"), data_required=True)],
    exports={name: named(name) for name in NAMES if name},
    title=TEXT,
    version=TEXT,
    description=TEXT,
)  # fmt: skip
"""All of them."""
