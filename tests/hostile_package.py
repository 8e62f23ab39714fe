"""A package whose every name and text is one that somebody chose to break generated code with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from contract.codegen.model import (
    ABSENT,
    AliasDeclaration,
    AnyType,
    ArrayType,
    BoolType,
    BytesType,
    Declaration,
    EnumDeclaration,
    FailureType,
    Field,
    FloatType,
    IntType,
    Limits,
    LiteralType,
    MapType,
    NamedTupleDeclaration,
    NamedType,
    NullableType,
    NullType,
    Operation,
    Package,
    RecordDeclaration,
    StrType,
    TextType,
    Type,
    UnionType,
)
from contract.document.model import Deprecation, Document, Info, Links

__all__ = ["HOSTILE", "NAMES", "TEXT", "field", "operation", "package", "record"]

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
    "_ignore_", "error_code", "http_status", "close", "aclose", "with_options", "_call", "schemas", "unwrap",
    "annotations", "builtins", "getUser", "get_user", "GETUSER", "get-user", "get.user", "gré", 'gre\u0301', "ﬁeld",
    "field_", "with space", 'with\nnewline', 'quote"', "it's", 'back\\slash', '\u202e', '\u200b', "1st", "", "日本",
    "a" * 300, "constructor", "__proto__", "*/", "${x}", "toString", "then", "await", "async", "lambda", "super",
    "len", "_client", "_Schemas",
)  # fmt: skip
"""Names that mean something to Python, or to nobody."""

ROUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
"""What a route may be called; readers of documents take nothing else."""


def field(
    name: str,
    type_: Type,
    *,
    default: Any = ABSENT,
    required: bool = True,
    wire: str | None = None,
    **more: Any,
) -> Field:
    """A field, which is not required if it has a default."""
    needed = required and default is ABSENT
    return Field(
        wire=name if wire is None else wire,
        name=name,
        type=type_,
        required=needed,
        default=default,
        **more,
    )


def record(name: str, *fields: Field, **more: Any) -> RecordDeclaration:
    """A record."""
    return RecordDeclaration(name=name, fields=fields, **more)


def operation(
    name: str,
    input: Type | None = None,
    output: Type = NullType(),  # noqa: B008  frozen
    failures: Iterable[str] = (),
    **more: Any,
) -> Operation:
    """A route."""
    given: dict[str, Any] = {"summary": "Call it", "auth": "none", "effect": "read", **more}
    return Operation(name=name, input=input, output=output, failures=tuple(failures), **given)


def package(
    *declarations: Declaration,
    operations: Iterable[Operation] = (),
    failures: Iterable[FailureType] = (),
    exports: Mapping[str, Type] | None = None,
    title: str = "Tests",
    version: str = "1.0.0",
    description: str | None = None,
) -> Package:
    """A package of these."""
    document = Document(
        info=Info(title, version, description),
        ui={},
        links=Links(),
        defs={},
        errors={},
        exports={},
        routes={},
    )
    return Package(
        document=document,
        digest="0" * 64,
        declarations={each.name: each for each in sorted(declarations, key=lambda each: each.name)},
        failures={each.code: each for each in sorted(failures, key=lambda each: each.code)},
        builtins={},
        exports=dict(sorted((exports or {}).items())),
        operations={each.name: each for each in sorted(operations, key=lambda each: each.name)},
    )


_SCALARS: Final[tuple[Type, ...]] = (
    AnyType(),
    BoolType(),
    IntType(Limits(ge=1, le=5, multiple_of=2)),
    FloatType(Limits(gt=0.5, lt=2)),
    StrType(1, 40, ("^[a-z'\"\\\\]+$", "\\d")),
    BytesType(None, 10),
    TextType("decimal", ("^.*$",), Limits(ge="0.01")),
    TextType("datetime", ("^.*$", "[+]01:30$"), Limits(lt="2030-01-01T00:00:00+02:00")),
    TextType("date", ("^.*$",)),
    TextType("time", ("^Z?$",)),
    TextType("timedelta", ("^.*$",), Limits(le="P1DT2H3M4.5S")),
    TextType("uuid", ("^.*$",)),
    LiteralType(("it's", 'a "quote"', "back\\slash\n", 1, True)),
)


def _fields(*, first: int = 0) -> tuple[Field, ...]:
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
    "Plain", field("str", StrType()), field("list", ArrayType(NamedType("Plain")), default=[])
)
_TYPES: Final = tuple(
    record(
        name,
        field(name, NullableType(NamedType(name)), required=False),
        field("other", NamedType("Plain")),
        description=TEXT,
    )
    for name in NAMES
    if name
)
_OPTIONAL: Final = tuple(
    field(name, ArrayType(NamedType("Every")), required=False) for name in NAMES if name
)

HOSTILE: Final = package(
    _PLAIN,
    *_TYPES,
    record("Every", *_fields(), description=TEXT),
    record("EveryOptional", *_OPTIONAL),
    record("Huge", *(field(f"field_{number}", IntType(), default=number) for number in range(300))),
    EnumDeclaration(
        name="Members",
        description=TEXT,
        members=tuple((name, f"{TEXT}{number}") for number, name in enumerate(NAMES)),
    ),
    NamedTupleDeclaration(name="Positions", fields=tuple(field(name, IntType()) for name in NAMES)),
    AliasDeclaration(
        name="Recursive",
        description=TEXT,
        type=UnionType(
            (
                LiteralType(("it's", '"', "\\")),
                StrType(None, None, ("^\\d$",)),
                ArrayType(NamedType("Recursive")),
                MapType(StrType(), NamedType("str")),
            )
        ),
    ),
    operations=[
        *(
            operation(name, NamedType(name), NamedType(name), ["GONE"], summary=TEXT, auth="bearer")
            for name in NAMES
            if ROUTE.fullmatch(name)
        ),
        operation(
            "all.at-once",
            NamedType("EveryOptional"),
            NamedType("Plain"),
            ["GONE"],
            description=TEXT,
        ),
        operation("huge", NamedType("Huge"), NamedType("Members")),
        operation(
            "plain",
            NamedType("Plain"),
            NamedType("Positions"),
            deprecated=Deprecation("2026-01-01", "2027-01-01", "huge"),
        ),
        operation(
            "recursive", NamedType("Recursive"), NamedType("Recursive"), deprecated=Deprecation()
        ),
    ],
    failures=[
        FailureType(
            code="GONE", status=410, description=TEXT, data=NamedType("Every"), data_required=True
        )
    ],
    exports={name: NamedType(name) for name in NAMES if name},
    title=TEXT,
    version=TEXT,
    description=TEXT,
)
"""All of them."""
