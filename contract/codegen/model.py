"""
The model: what a contract document means to a generator of code.

A schema says what JSON is valid; a generator wants to know which type that is.
`contract.codegen.reader` reads the schemas of a document back into this small tree, once for all
languages; a language is a function of the tree, one ``match`` that ends in ``assert_never``. Names
are the document's own here: what a language can not write (keywords, names of its own, names that
become equal) it renames itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal, final

from contract.document.model import Deprecation, Document
from contract.shape.record import record

__all__ = [
    "ABSENT",
    "AliasDeclaration",
    "AnyType",
    "ArrayType",
    "BoolType",
    "BytesType",
    "Container",
    "Declaration",
    "EnumDeclaration",
    "FailureType",
    "Field",
    "FloatType",
    "IntType",
    "Limits",
    "LiteralType",
    "MapType",
    "NamedTupleDeclaration",
    "NamedType",
    "NullType",
    "NullableType",
    "Operation",
    "Package",
    "RecordDeclaration",
    "Scalar",
    "StrType",
    "TaggedType",
    "TextKind",
    "TextType",
    "TupleType",
    "Type",
    "UnionType",
]


class Absent(Enum):
    """The type of `ABSENT`."""

    ABSENT = "ABSENT"


ABSENT: Final = Absent.ABSENT
"""No default; None is the default null."""

Scalar = str | int | bool
"""A value of a Literal or an enum."""

TextKind = Literal["decimal", "datetime", "date", "time", "timedelta", "uuid", "int"]
"""What a string stands for; ``int`` only as the key of a map."""

Container = Literal["list", "tuple", "set", "frozenset"]
"""What an array is in Python."""


@final
@record
class Limits:
    """
    Bounds of a number, or of a value that stands as a text.

    Numbers are what the document has, int or float; the limits of a `TextType` are texts in its own
    wire form, but for an int.
    """

    ge: Any = None
    gt: Any = None
    le: Any = None
    lt: Any = None
    multiple_of: Any = None


@final
@record
class AnyType:
    """Any JSON value."""


@final
@record
class NullType:
    """Only null."""


@final
@record
class BoolType:
    """true or false."""


@final
@record
class IntType:
    """An integer; its limits are integers."""

    limits: Limits = Limits()


@final
@record
class FloatType:
    """A finite number."""

    limits: Limits = Limits()


@final
@record
class StrType:
    """Text; lengths count code points, every pattern (ECMAScript) has to be found in it."""

    min_length: int | None = None
    max_length: int | None = None
    patterns: tuple[str, ...] = ()


@final
@record
class BytesType:
    """Bytes, in base64 on the wire; lengths count bytes."""

    min_length: int | None = None
    max_length: int | None = None


@final
@record
class TextType:
    """A value that stands as a text."""

    kind: TextKind
    patterns: tuple[str, ...]
    """
    That of the kind first, word for word as in the document; of a datetime with a fixed offset
    another one.
    """
    limits: Limits = Limits()


@final
@record
class LiteralType:
    """One of some values, told apart by JSON type."""

    values: tuple[Scalar, ...]


@final
@record
class ArrayType:
    """An array of any number of equal items; sets are arrays without equal ones."""

    item: Type
    container: Container = "list"
    min_items: int | None = None
    max_items: int | None = None


@final
@record
class TupleType:
    """An array with one type for each position."""

    items: tuple[Type, ...]


@final
@record
class MapType:
    """An object with free keys, which are a StrType, TextType, LiteralType, or NamedType of an enum of strings."""

    key: Type
    value: Type
    min_keys: int | None = None
    max_keys: int | None = None


@final
@record
class NullableType:
    """*inner* or null."""

    inner: Type


@final
@record
class UnionType:
    """One of several types that share no JSON value."""

    members: tuple[Type, ...]


@final
@record
class TaggedType:
    """One of several records, told apart by the value of one field, which has to be there."""

    tag: str
    """The field, as on the wire."""
    cases: tuple[tuple[Scalar, NamedType], ...]
    """
    Value -> record, in the order of the document; a record with several values stands here several
    times.
    """


@final
@record
class NamedType:
    """A use of a declaration."""

    name: str
    """A key of `Package.declarations`."""


Type = (
    AnyType
    | NullType
    | BoolType
    | IntType
    | FloatType
    | StrType
    | BytesType
    | TextType
    | LiteralType
    | ArrayType
    | TupleType
    | MapType
    | NullableType
    | UnionType
    | TaggedType
    | NamedType
)
"""Any type in place. Objects with fields, named tuples and enums always have a name."""


@final
@record(kw_only=True)
class Field:
    """A field of a record, or a position of a named tuple."""

    wire: str
    """Its name in JSON: any text at all. Of a position: *name*."""
    name: str
    """Its name in Python at the server: any text at all, if the document is not ours."""
    type: Type
    required: bool
    """Whether it has to be there, on the wire."""
    default: Any = ABSENT
    """
    What its absence means, as JSON; ABSENT where that is not told. Only of a field that is not
    required.
    """
    description: str | None = None
    examples: tuple[Any, ...] = ()
    deprecated: bool = False


@final
@record(kw_only=True)
class RecordDeclaration:
    """A closed object."""

    name: str
    description: str | None = None
    deprecated: bool = False
    fields: tuple[Field, ...]
    """In the order in which they were declared."""


@final
@record(kw_only=True)
class NamedTupleDeclaration:
    """An array with a name for each position; trailing ones with defaults may be left out."""

    name: str
    description: str | None = None
    deprecated: bool = False
    fields: tuple[Field, ...]


@final
@record(kw_only=True)
class EnumDeclaration:
    """One of some values, each with a name."""

    name: str
    description: str | None = None
    deprecated: bool = False
    members: tuple[tuple[str, Scalar], ...]
    """Name at the server -> value on the wire."""


@final
@record(kw_only=True)
class AliasDeclaration:
    """A name for a type in place: a type alias, recursive ones too, or a NewType."""

    name: str
    description: str | None = None
    deprecated: bool = False
    type: Type


Declaration = RecordDeclaration | NamedTupleDeclaration | EnumDeclaration | AliasDeclaration
"""A named type."""


@final
@record(kw_only=True)
class FailureType:
    """A failure that a route declares, or a builtin code."""

    code: str
    status: int
    description: str
    data: NamedType | None = None
    """Always a `RecordDeclaration`; None for a code that carries none."""
    data_required: bool = False


@final
@record(kw_only=True)
class Operation:
    """A route, as it is called."""

    name: str
    """Of the route: also its path, relative to the base URL."""
    summary: str
    description: str | None = None
    tags: tuple[str, ...] = ()
    auth: Literal["none", "bearer"]
    effect: Literal["read", "idempotent", "write", "destructive"]
    deprecated: Deprecation | None = None
    input: Type | None
    """None for a route without input."""
    output: Type
    failures: tuple[str, ...]
    """The codes that it declares, sorted; each is a key of `Package.failures`."""


@final
@record(kw_only=True)
class Package:
    """A document, as generators see it."""

    document: Document
    digest: str
    """
    The SHA-256 of the document as `contract.document.writer.dump_contract` writes it, in
    hexadecimal digits.
    """
    declarations: Mapping[str, Declaration]
    """
    Every named type, sorted by name; objects that stood in place were given names by where they
    stood.
    """
    failures: Mapping[str, FailureType]
    """
    Code -> failure: all that routes declare, sorted.

    Where two routes declare one code differently (which our own specs refuse), the document is
    refused.
    """
    builtins: Mapping[str, FailureType]
    """
    Code -> failure: the catalogue of the document, sorted; a code that routes declare too stands in
    both.

    Where the data of one is written in place, as the framework's own are, there is None of it:
    runtimes know these by themselves.
    """
    exports: Mapping[str, Type]
    """Name -> type."""
    operations: Mapping[str, Operation]
    """Name -> route, sorted."""

    @property
    def aliases(self) -> dict[str, NamedType]:
        """Export -> its type, where the name of the export is that of no type: it becomes a second name of its type."""
        named = {name: of for name, of in self.exports.items() if isinstance(of, NamedType)}
        return {name: of for name, of in named.items() if name not in self.declarations}
