"""
Nodes: the tree that an annotation, or a schema of contract.json, is read into.

A node says which JSON values are valid and which Python values they become; other modules check,
write and describe them. Bounds are kept as the author wrote them; they have already been checked
against their type. Every named type (a dataclass, an enum, a recursive alias ...) is a
`Definition`, and is referred to through a `RefShape`, so a tree is finite even if the type is not.
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
    """A shape whose values are text on the wire but not in Python."""

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
        """The limits, apart from those that every int has."""
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
    """A ``datetime`` without an offset: what a clock shows at a known place."""

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


# no float: PEP 586 allows none in a Literal, but an enum may have any value
Scalar = str | int | bool
"""A value of a Literal."""

Listed = Scalar | float
"""A value of an enum."""


@record
class LiteralShape:
    """One of some values, told apart by JSON type: ``Literal[1]`` does not take true."""

    values: tuple[Scalar, ...]
    """The values on the wire."""
    python: tuple[Any, ...] = ()
    """
    The values in Python, one for each of *values*; empty if they are all equal to those.

    The wire value of an enum member (``Literal[Color.RED]``) is the member's value.
    """

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values in Python, never empty."""
        return self.python or self.values


Container = Literal["list", "tuple", "set", "frozenset", "sequence", "deque"]
"""
The Python type of an array.

A "deque" is a list in documents. A "sequence" is loaded as a list, and may be written from a tuple.
"""


@record
class ArrayShape:
    """An array of any number of items of one shape; a set is an array without equal items."""

    item: Shape
    container: Container = "list"
    min_items: int | None = None
    max_items: int | None = None
    abstract: type[Any] | None = None
    """
    The class of ``collections.abc`` that the annotation names, if it names one.

    An output may be an instance of any subclass.
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
    values are all texts or all ints. As a key, an int is written in decimal digits.
    """

    key: Shape
    value: Shape
    min_keys: int | None = None
    max_keys: int | None = None
    abstract: type[Any] | None = None
    """As in `ArrayShape`."""


@record
class NullableShape:
    """*inner* or null."""

    inner: Shape


@record
class UnionShape:
    """One of several shapes that share no JSON value; of int and float the first that fits wins."""

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
    """The tag's name in Python."""
    cases: tuple[tuple[Scalar, RefShape], ...]
    """Tag value -> its record; a record with several tag values is listed once for each."""


@record
class Refined:
    """*inner*, narrowed by the author's own predicates, which no document can express."""

    inner: Shape
    predicates: tuple[Callable[[Any], object], ...]


@record
class OwnShape:
    """
    A class for which its author declared a form on the wire (`contract.shape.wire`).

    Documents show *inner*, and the *kind* of classes of this package.
    """

    inner: StrShape | IntShape
    """The text or the integer on the wire."""
    type: type[Any]
    load: Callable[[Any], Any]
    """Makes a value from its form on the wire; the author's code, which may refuse it."""
    dump: Callable[[Any], Any]
    """Turns a value into its form on the wire."""
    examples: tuple[str | int, ...] = ()
    """Example values on the wire."""
    kind: str | None = None
    """``x-contract-type`` in its schema, for a class that every client has."""
    marks: tuple[Any, ...] = ()
    """The metadata beside an `Upload` in ``Annotated``, not read yet."""

    @property
    def form(self) -> str | None:
        """The name of its form, from the first pattern of *inner*; None if it has none."""
        return self.kind if self.kind in READY_FORMS else None


@record
class RefShape:
    """A use of a named type."""

    definition: Definition


@record
class Field:
    """A field of a record."""

    name: str
    """The name in Python; any text at all if the shape comes from a document."""
    wire: str
    """The name in JSON."""
    shape: Shape
    """The shape without UNSET: see *unset*."""
    default: Any = MISSING
    """The default, or MISSING."""
    default_factory: Callable[[], Any] | None = None
    init: bool = True
    """Whether it is in the input; if not, it is only in the output."""
    init_only: bool = False
    """Whether it is an ``InitVar``: only in the input."""
    unset: bool = False
    """Whether UNSET is a value of this field: it may be absent on the wire, both ways."""
    optional_key: bool = False
    """Whether it is a TypedDict key that may be absent, both ways."""
    description: str | None = None
    examples: tuple[Any, ...] = ()
    """Values of Python, or JSON if the shape comes from a document."""
    json_default: Any = MISSING
    """The default as JSON, if the shape comes from a document, which has no other; None is null."""
    deprecated: bool = False
    """Whether a shape that comes from a document is deprecated."""

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
Replaces the class if the shape comes from a document.

The type annotations do not mention it: loading and dumping are only given shapes that have their
classes, and would otherwise have to check each time.
"""

RecordKind = Literal["dataclass", "typeddict", "failure"]


@record
class RecordShape:
    """An object with named fields: a dataclass, a TypedDict, or the data of a failure."""

    kind: RecordKind
    type: type[Any]
    """The class, or `NO_CLASS`."""
    fields: tuple[Field, ...]
    has_post_init: bool = False
    has_slots: bool = False
    extra: Shape | None = None
    """
    The shape of each value under an undeclared key (PEP 728); None if such keys are refused.

    Only a TypedDict has it. Its fields then have the same names in JSON as in Python: any other
    name could be an undeclared key.
    """


@record
class NamedTupleShape:
    """
    An array with one field for each position.

    Trailing fields with defaults may be left out of an input.
    """

    type: type[Any]
    """The class, or `NO_CLASS`."""
    fields: tuple[Field, ...]


@record
class EnumShape:
    """One of the values of an enum."""

    type: type[Enum]
    """The class, or `NO_CLASS`."""
    members: tuple[tuple[str, Listed], ...]
    """Member name -> its value on the wire, in order of definition, without aliases."""


# not a record, as it is filled in later; `contract.declare` remembers definitions in weak sets
@dataclass(eq=False, slots=True, weakref_slot=True)
class Definition:
    """
    A named type. It is compared by identity: one reader makes one definition for each type.

    The reader fills in *shape* once, before anybody else sees the definition. That makes recursive
    types possible.
    """

    key: tuple[Any, ...]
    """The type and its type arguments."""
    name: str
    """A readable name that need not be unique: ``Page_Product``."""
    module: str
    description: str | None = None
    deprecated: bool = False
    recursive: bool = False
    """Whether it is reachable from itself."""
    outline: Literal["array", "object"] | None = field(default=None, repr=False)
    """The JSON type of a recursive alias that is not a union, known while it is being read."""
    arguments: tuple[Shape, ...] = field(default=(), repr=False)
    """All type arguments; *key* lacks those that no field uses (`contract.shape.pages`)."""
    filed: Definition | None = field(default=None, repr=False)
    """The type without its uploads, if it has any (`contract.declare.files`)."""
    compiled: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)
    """Compiled by `contract.pred`, and shared: whatever is here is finished."""
    _shape: RecordShape | NamedTupleShape | EnumShape | Shape | None = field(
        default=None, repr=False
    )

    @property
    def shape(self) -> Shape:
        """The shape that the name refers to."""
        # the reader never returns an unfinished definition
        if self._shape is None:  # pragma: no cover
            raise RuntimeError(f"{self.name} is still being read")
        return self._shape

    @property
    def closed(self) -> bool:
        """Whether the shape is filled in."""
        return self._shape is not None

    def close(self, shape: Shape) -> None:
        """Fill in the shape; only the reader does this."""
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
"""Any node. Records, named tuples and enums only occur as the shape of a `Definition`."""
