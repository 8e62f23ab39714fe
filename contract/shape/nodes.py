"""
Nodes: the tree that an annotation, or a schema of contract.json, is read into.

A node says what may stand on the wire and which Python value it becomes; how it is checked, written
or described is somebody else's. Bounds are kept as the author wrote them, already checked against
the type that they stand on. Every named type (a dataclass, an enum, a recursive alias ...) is a
`Definition` and is referred to through a `RefShape`, so a tree is finite even where the type is
not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import Any, Final, Literal

from contract.shape.bounds import I64_MAX, I64_MIN, UNBOUNDED, Bounds
from contract.shape.record import record
from contract.shape.text_forms import READY_FORMS

__all__ = [
    "MISSING",
    "NO_CLASS",
    "AnyShape",
    "ArrayShape",
    "Basic",
    "BasicShape",
    "BoolShape",
    "BytesShape",
    "Container",
    "DateShape",
    "DatetimeShape",
    "DecimalShape",
    "Definition",
    "EnumShape",
    "Field",
    "FloatShape",
    "Formed",
    "FormedShape",
    "IntShape",
    "Listed",
    "LiteralShape",
    "LocalDatetimeShape",
    "MapShape",
    "Missing",
    "NamedTupleShape",
    "NullShape",
    "NullableShape",
    "OwnShape",
    "RecordKind",
    "RecordShape",
    "RefShape",
    "Refined",
    "Scalar",
    "ScalarShape",
    "Shape",
    "StrShape",
    "TaggedUnionShape",
    "TimeShape",
    "TimedeltaShape",
    "TupleShape",
    "UnionShape",
    "UuidShape",
]


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "MISSING"


MISSING: Final = Missing.MISSING
"""A field without a default."""


@record
class AnyShape:
    """Any JSON value: null, bool, 64-bit int, finite float, str, list, dict with str keys."""


class Basic:
    """
    A shape whose values are of one built-in class and have no parts.

    It has a row in the table of scalars (`contract.shape.scalars`).
    """

    __slots__ = ()


class Formed(Basic):
    """A shape whose values stand as a text on the wire, and are none in Python."""

    __slots__ = ()


@record
class NullShape(Basic):
    """Only null."""


@record
class BoolShape(Basic):
    """Only true and false."""


@record
class IntShape(Basic):
    """
    An integer between *minimum* and *maximum*, both included.

    ``Gt``, ``Lt`` and fractional limits are rounded into them.
    """

    minimum: int = I64_MIN
    maximum: int = I64_MAX
    multiple_of: int | None = None

    @property
    def bounds(self) -> Bounds:
        """The limits, without those of every int."""
        low = None if self.minimum == I64_MIN else self.minimum
        high = None if self.maximum == I64_MAX else self.maximum
        return Bounds(ge=low, le=high, multiple_of=self.multiple_of)


@record
class FloatShape(Basic):
    """A finite number."""

    bounds: Bounds = UNBOUNDED


@record
class StrShape(Basic):
    """Text; lengths count code points, every pattern must be found somewhere in it."""

    min_length: int | None = None
    max_length: int | None = None
    patterns: tuple[str, ...] = ()


@record
class BytesShape(Formed):
    """Bytes, in base64 on the wire; lengths count bytes."""

    min_length: int | None = None
    max_length: int | None = None


@record
class DecimalShape(Formed):
    """A ``Decimal``, as a string on the wire."""

    bounds: Bounds = UNBOUNDED


@record
class DatetimeShape(Formed):
    """A ``datetime`` with an offset; with *offset* set, only that one."""

    bounds: Bounds = UNBOUNDED
    offset: timedelta | None = None


@record
class LocalDatetimeShape(Formed):
    """A ``datetime`` without an offset: what a clock shows at a place that goes without saying."""

    bounds: Bounds = UNBOUNDED


@record
class DateShape(Formed):
    """A ``date``."""

    bounds: Bounds = UNBOUNDED


@record
class TimeShape(Formed):
    """A ``time``; *aware* None takes it with or without an offset."""

    bounds: Bounds = UNBOUNDED
    aware: bool | None = None


@record
class TimedeltaShape(Formed):
    """A ``timedelta``, as an ISO 8601 duration in days and time."""

    bounds: Bounds = UNBOUNDED


@record
class UuidShape(Formed):
    """A ``UUID`` in its hyphenated form."""


Scalar = str | int | bool
"""A value of a Literal."""

Listed = Scalar | float
"""A value of an enum."""


@record
class LiteralShape:
    """One of some values, told apart by JSON type: ``Literal[1]`` does not take true."""

    values: tuple[Scalar, ...]
    """As on the wire."""
    python: tuple[Any, ...] = ()
    """
    As in Python, one for each of *values*; empty where all of them stand for themselves.

    A member of an enum (``Literal[Color.RED]``) stands on the wire as its value.
    """

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values in Python."""
        return self.python or self.values


Container = Literal["list", "tuple", "set", "frozenset", "sequence", "deque"]
"""
The Python type of an array.

A "deque" is a list on paper. A "sequence" is loaded as a list, and is written from a tuple as well.
"""


@record
class ArrayShape:
    """An array of any number of equal items; sets are arrays without equal items."""

    item: Shape
    container: Container = "list"
    min_items: int | None = None
    max_items: int | None = None
    abstract: type[Any] | None = None
    """
    The class of ``collections.abc`` that the annotation names, if it names one.

    An output may be of any class below it.
    """

    @property
    def unique(self) -> bool:
        """Whether equal items are refused."""
        return self.container in ("set", "frozenset")


@record
class TupleShape:
    """An array with one shape for each position."""

    items: tuple[Shape, ...]


@record
class MapShape:
    """
    An object with free keys.

    *key* is a StrShape, an IntShape, a `Formed` one, a LiteralShape or a RefShape to an enum, whose
    values are all texts or all ints. An int stands there as its decimal digits.
    """

    key: Shape
    value: Shape
    min_keys: int | None = None
    max_keys: int | None = None
    abstract: type[Any] | None = None
    """As that of an array."""


@record
class NullableShape:
    """*inner* or null."""

    inner: Shape


@record
class UnionShape:
    """
    One of several shapes that share no JSON value (int and float apart: the first that fits wins).
    """

    members: tuple[Shape, ...]


@record
class TaggedUnionShape:
    """
    One of several records, told apart by a field with a Literal type.

    On the wire the tag is always required.
    """

    tag: str
    """The wire name of the tag."""
    attribute: str
    """Its name in Python."""
    cases: tuple[tuple[Scalar, RefShape], ...]
    """Tag value -> the record; a record with several tag values stands here several times."""


@record
class Refined:
    """*inner*, narrowed by the author's own predicates, which no document can express."""

    inner: Shape
    predicates: tuple[Callable[[Any], object], ...]


@record
class OwnShape:
    """
    A class that has a form of its own on the wire, by its author's word (`contract.shape.wire`).

    Paper knows it as *inner*, and those of ours by their *kind*.
    """

    inner: StrShape | IntShape
    """The text or the integer that stands on the wire."""
    type: type[Any]
    load: Callable[[Any], Any]
    """The value of what stands on the wire; the author's code, which may refuse it."""
    dump: Callable[[Any], Any]
    """Turns a value into its form on the wire."""
    examples: tuple[str | int, ...] = ()
    """Values on the wire."""
    kind: str | None = None
    """``x-contract-type`` in its schema, of a class that every client has."""
    marks: tuple[Any, ...] = ()
    """The objects beside an `Upload` in ``Annotated``, not read yet."""

    @property
    def form(self) -> str | None:
        """The name of its form, which the first pattern of *inner* says; None where it has none."""
        return self.kind if self.kind in READY_FORMS else None


@record
class RefShape:
    """A use of a named type."""

    definition: Definition


@record
class Field:
    """A field of a record."""

    name: str
    """As in Python; any text at all where the shape comes from paper."""
    wire: str
    """As in JSON."""
    shape: Shape
    """Without UNSET: see *unset*."""
    default: Any = MISSING
    """The default, or MISSING."""
    default_factory: Callable[[], Any] | None = None
    init: bool = True
    """False: not in the input, only in the output."""
    init_only: bool = False
    """An ``InitVar``: only in the input."""
    unset: bool = False
    """UNSET is a value of this field: it may be absent on the wire, both ways."""
    optional_key: bool = False
    """A TypedDict key that may be absent, both ways."""
    description: str | None = None
    examples: tuple[Any, ...] = ()
    """Values of Python; JSON where the shape comes from paper."""
    json_default: Any = MISSING
    """The default as JSON, where the shape comes from paper, which has no other; None is null."""
    deprecated: bool = False
    """Whether a shape that comes from paper is deprecated."""

    @property
    def required_in(self) -> bool:
        """Whether an input must have it."""
        return (
            self.default is MISSING
            and self.default_factory is None
            and self.json_default is MISSING
            and not self.optional_key
        )

    @property
    def required_out(self) -> bool:
        """Whether every output has it."""
        return not self.unset and not self.optional_key


NO_CLASS: Final[Any] = None
"""
Stands for the class where a shape comes from paper.

The types say nothing of it: what loads and dumps is only given shapes that have their classes, and
would have to look each time.
"""

RecordKind = Literal["dataclass", "typeddict", "failure"]


@record
class RecordShape:
    """An object with named fields: a dataclass, a TypedDict, or the data of a failure."""

    kind: RecordKind
    type: type[Any]
    """Or `NO_CLASS`."""
    fields: tuple[Field, ...]
    has_post_init: bool = False
    has_slots: bool = False
    extra: Shape | None = None
    """
    The shape of each value under a key that no field has (PEP 728); None where there is no such.

    Only a TypedDict has it, whose fields are then called in JSON as in Python: any other name might
    be that of such a key.
    """


@record
class NamedTupleShape:
    """
    An array with one field for each position.

    Trailing fields with defaults may be left out of an input.
    """

    type: type[Any]
    """Or `NO_CLASS`."""
    fields: tuple[Field, ...]


@record
class EnumShape:
    """One of the values of an enum."""

    type: type[Enum]
    """Or `NO_CLASS`."""
    members: tuple[tuple[str, Listed], ...]
    """Member name -> its value on the wire, in order of definition, without aliases."""


@dataclass(eq=False, slots=True)
class Definition:
    """
    A named type. Compared by identity: one reader makes one for each type.

    *shape* is filled in once, by the reader, before anybody else sees the definition: that is how
    recursion is closed.
    """

    key: tuple[Any, ...]
    """The type and its type arguments."""
    name: str
    """Readable, not yet unique: ``Page_Product``."""
    module: str
    description: str | None = None
    deprecated: bool = False
    recursive: bool = False
    """Whether it can be reached from itself."""
    outline: Literal["array", "object"] | None = field(default=None, repr=False)
    """The JSON type of a recursive alias that is not a union, known while it is being read."""
    arguments: tuple[Shape, ...] = field(default=(), repr=False)
    """All type arguments; *key* lacks those that stand in no field (`contract.shape.pages`)."""
    filed: Definition | None = field(default=None, repr=False)
    """The type without its uploads, where there are some (`contract.declare.files`)."""
    _shape: RecordShape | NamedTupleShape | EnumShape | Shape | None = field(
        default=None, repr=False
    )

    @property
    def shape(self) -> Shape:
        """The shape that the name stands for."""
        # the reader never lets an unfinished definition out
        if self._shape is None:  # pragma: no cover
            raise RuntimeError(f"{self.name} is still being read")
        return self._shape

    @property
    def closed(self) -> bool:
        """Whether the shape is filled in."""
        return self._shape is not None

    def close(self, shape: Shape) -> None:
        """Fill in the shape; for the reader alone."""
        self._shape = shape


FormedShape = (
    BytesShape
    | DecimalShape
    | DatetimeShape
    | LocalDatetimeShape
    | DateShape
    | TimeShape
    | TimedeltaShape
    | UuidShape
)
"""All shapes below `Formed`."""

BasicShape = NullShape | BoolShape | IntShape | FloatShape | StrShape | FormedShape
"""All shapes below `Basic`."""

ScalarShape = BasicShape | LiteralShape | EnumShape
"""A shape whose values have no parts."""

Shape = (
    AnyShape
    | ScalarShape
    | ArrayShape
    | TupleShape
    | MapShape
    | NullableShape
    | UnionShape
    | TaggedUnionShape
    | Refined
    | OwnShape
    | RefShape
    | RecordShape
    | NamedTupleShape
)
"""Any node. Records, named tuples and enums are only found as the shape of a `Definition`."""
