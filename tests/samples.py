"""Samples: a type of every kind that a route can carry, by name."""

from __future__ import annotations

import typing
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import PurePath
from typing import Annotated, Any, Final, Generic, Literal, NotRequired, Self, TypedDict, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

import annotated_types
import attrs
import msgspec
import pydantic
import typing_extensions
from annotated_types import Ge, Gt, Interval, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Timezone
from pydantic_core import PydanticOmit, PydanticUseDefault, SchemaValidator, core_schema
from typing_extensions import TypeAliasType

from contract.shape.markers import UNSET, LocalDatetime, Name, Pattern, Unset
from contract.shape.own_texts import Email, SecretStr, SemVer, Url
from contract.shape.wire import Wire, wire_str

__all__ = ["ANNOTATIONS", "EVERY", "ONE_WAY", "PICKY"]

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class Price:
    """A class of somebody else's, in the eyes of this module."""

    cents: int
    currency: str

    @classmethod
    def parse(cls, text: str) -> Price:
        number, currency = text.split(" ")
        return cls(int(number.replace(".", "")), currency)

    @classmethod
    def known(cls, text: str) -> Price:
        made = cls.parse(text)
        if made.currency == "XXX":
            raise ValueError("There is no currency XXX.")
        assert made.cents % 2 == 0, "There are no odd prices."
        return made

    def __str__(self) -> str:
        whole, rest = divmod(self.cents, 100)
        return f"{whole}.{rest:02} {self.currency}"


FREE: Final = Price(0, "EUR")


def of_currencies(currencies: str, load: Callable[[str], Price]) -> Wire[Price]:
    pattern = rf"^(0|[1-9][0-9]{{0,9}})\.[0-9]{{2}} ({currencies})$"
    return Wire[Price](as_=str, load=load, dump=str, pattern=pattern, examples=["12.50 EUR"])


price: Final = of_currencies("EUR|USD", Price.parse)
Amount = Annotated[Price, price]
known: Final = of_currencies("EUR|XXX", Price.known)


@wire_str(pattern="^97[89]-[0-9]{10}$", examples=["978-0000000002"])
@dataclass(frozen=True, slots=True)
class Isbn:
    text: str

    @classmethod
    def __from_wire__(cls, text: str, /) -> Self:
        return cls(text)

    def __to_wire__(self) -> str:
        return self.text


class Cents:
    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cents) and other.number == self.number

    def __hash__(self) -> int:
        return hash(self.number)


def number_of(value: Cents) -> int:
    return value.number


cents: Final = Wire[Cents](as_=int, load=Cents, dump=number_of, ge=0, le=1_000)


@dataclass
class Invoice:
    total: Amount
    paid: Amount | None
    book: Isbn | int
    refunds: Annotated[list[Annotated[Cents, cents]], MaxLen(3)]
    tip: Amount | Unset = UNSET
    least: Annotated[Price, price, Name("@least"), annotated_types.Predicate(str)] = FREE


class Color(Enum):
    RED = "red"
    GREEN = "green"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Sign(StrEnum):
    PLUS = "+"
    MINUS = "-"
    NEGATIVE = "neg"


class Ratio(float, Enum):
    HALF = 0.5
    WHOLE = 1.0
    DOZEN = 12


class Odd(Enum):
    YES = True
    ONE = 1
    TEXT = "1"


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0


@dataclass
class Money:
    amount: Annotated[Decimal, Ge(Decimal(0)), MultipleOf(Decimal("0.01"))]
    currency: Literal["EUR", "USD"] = "EUR"


@dataclass(kw_only=True)
class Defaults:
    """Defaults before fields without, factories, and a field that may be absent."""

    count: int = 1
    name: str
    tags: list[str] = field(default_factory=list)
    note: str | None = None
    nickname: str | Unset | None = UNSET
    at: Annotated[Unset | datetime, Name("@at")] = UNSET


@dataclass
class Renamed:
    id_: Annotated[int, Name("@id")]
    class_: Annotated[str, Name("class")] = "none"


@dataclass
class Ordered:
    """A condition that spans fields."""

    low: Annotated[int, Interval(ge=0, le=20)]
    high: Annotated[int, Interval(ge=0, le=20)]

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


@dataclass(slots=True)
class Empty:
    """No fields at all, and no ``__dict__`` either."""


@dataclass(frozen=True)
class Either(Generic[A, B]):
    left: A
    right: B


@dataclass
class Holder:
    """A default that cannot be hashed, although its class has a hash."""

    page: Either[int, list[int]] = Either(1, [2])


@dataclass
class Base:
    id: int


@dataclass
class Derived(Base):
    name: str = ""


@dataclass
class Box(Generic[T]):
    item: T


@dataclass
class Page(Generic[T]):
    items: list[T]
    next: str | None = None


@dataclass
class Tree:
    value: int
    children: list[Tree] = field(default_factory=list)


@dataclass
class Chain:
    """Recursion through an optional field without a default."""

    value: str
    next: Chain | None


@dataclass
class Forest:
    """Recursion through two types and a map."""

    trees: dict[str, Branch]


@dataclass
class Branch:
    leaves: Annotated[list[Forest], MaxLen(2)]
    parent: Branch | Unset = UNSET


class Options(TypedDict):
    name: str
    size: NotRequired[int]


class Loose(TypedDict, total=False):
    a: int
    inner: Loose


class Movie(typing_extensions.TypedDict, extra_items=Annotated[int, Ge(0)]):  # type: ignore[call-arg]
    title: str
    year: NotRequired[int]


class Twig(typing_extensions.TypedDict, extra_items="Twig | date"):  # type: ignore[call-arg]
    kind: Literal["twig"]


class Stump(TypedDict):
    kind: Literal["stump"]


Named = typing_extensions.TypedDict(  # type: ignore[misc]
    "Named", {"@id": UUID, "class": NotRequired[str]}, extra_items=list[date] | None
)


class Place(typing.NamedTuple):
    latitude: float
    longitude: float
    name: str | None = None
    height: Annotated[int, Ge(0)] = 0


@dataclass
class Card:
    number: Annotated[str, Pattern("^[0-9]{16}$")]
    kind: Literal["card"] = "card"


@dataclass
class Cash:
    kind: Literal["cash", "coins"]
    amount: int = 1


@dataclass
class Both:
    """An expression: a tagged union that contains itself."""

    left: Expression
    right: Expression
    op: Literal["and", "or"]


@dataclass
class Leaf:
    op: Literal["leaf"]
    value: bool


@attrs.define
class OfAttrs:
    name: Annotated[str, MinLen(1)]
    inner: OfAttrs | None = None
    tags: list[str] = attrs.field(factory=list)


class OfMsgspec(msgspec.Struct):
    kind: Literal["struct"]
    sizes: dict[str, int] = msgspec.field(default_factory=dict)


class OfPydantic(pydantic.BaseModel):
    kind: Literal["model"]
    count: int = pydantic.Field(default=1, ge=0, le=5)
    points: list[Point] = pydantic.Field(default_factory=list)


@dataclass(frozen=True)
class Plus:
    sign: Literal[Sign.PLUS]
    by: int = 1


@dataclass(frozen=True)
class Minus:
    sign: Literal[Sign.MINUS, Sign.NEGATIVE] = Sign.MINUS


class Opened(TypedDict):
    sign: Literal[Sign.PLUS]


class Closed(TypedDict):
    sign: Literal[Sign.MINUS]


Expression = Both | Leaf
Folder = TypeAliasType("Folder", "dict[str, Folder | str]")
Pile = TypeAliasType("Pile", "list[Pile | int | None]")
Json = TypeAliasType("Json", "bool | int | str | list[Json] | dict[str, Json] | None")
ProductId = typing.NewType("ProductId", str)
Payment = Card | Cash


@dataclass
class Computed:
    """An output-only field that is computed."""

    price: Annotated[int, Interval(ge=0, le=1000)]
    count: Annotated[int, Interval(ge=0, le=1000)]
    total: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = self.price * self.count


@dataclass(slots=True)
class Stored:
    """An output-only field that somebody else fills in, and one with a default."""

    name: str
    version: Annotated[int, Ge(1)] = field(init=False)
    etag: str = field(init=False, default="none")


@dataclass
class Secret:
    """An input-only field."""

    name: str
    password: InitVar[Annotated[str, MinLen(3)]]

    def __post_init__(self, password: str) -> None:
        if password == self.name:
            raise ValueError("the password is the name")


def is_even(value: int) -> bool:
    return value % 2 == 0


def ends_in(outcome: str) -> None:
    """Refuse, fail or return, as the code of an author may; whatever else *outcome* is."""
    match outcome:
        case "value":
            raise ValueError("no good")
        case "assertion":
            raise AssertionError(outcome)
        case "foreign":  # what an author's own use of pydantic raises
            SchemaValidator(core_schema.int_schema()).validate_python("x")
        case "omit":
            raise PydanticOmit
        case "default":
            raise PydanticUseDefault
        case "bug":
            raise KeyError(outcome)
        case "recursion":
            raise RecursionError
        case _:
            pass


FIRST, SECOND = datetime(2024, 1, 1), datetime(2024, 1, 2)
CITY: Final = timezone(timedelta(hours=5, minutes=30))

ANNOTATIONS: Final[dict[str, Any]] = {
    "bool": bool,
    "int": int,
    "float": float,
    "str": str,
    "bytes": bytes,
    "None": None,
    "datetime": datetime,
    "date": date,
    "time": time,
    "timedelta": timedelta,
    "Decimal": Decimal,
    "UUID": UUID,
    "Any": Any,
    "NewType": ProductId,
    "int bounds": Annotated[int, Ge(-5), Lt(6)],
    "int exclusive": Annotated[int, Gt(0), Le(3)],
    "int multiple": Annotated[int, Interval(ge=1, le=100), MultipleOf(7)],
    "int unsigned": Annotated[int, Interval(ge=0, le=2**64 - 1)],
    "int predicate": Annotated[int, annotated_types.Predicate(is_even)],
    "float bounds": Annotated[float, Ge(0), Lt(1)],
    "float exclusive": Annotated[float, Gt(-0.5), Le(0.5)],
    "float multiple": Annotated[float, MultipleOf(0.1), Ge(0.0)],
    "str lengths": Annotated[str, Len(2, 4)],
    "str pattern": Annotated[str, Pattern("^[a-z]+(-[a-z]+)*$"), MaxLen(20)],
    "str digest": Annotated[str, Pattern("^[0-9a-f]+$"), Len(32, 32)],
    "str unanchored": Annotated[str, Pattern("[0-9]"), MinLen(3)],
    "str choice": Annotated[str, Pattern("^(yes|no)$|^maybe")],
    "bytes lengths": Annotated[bytes, Len(1, 3)],
    "Decimal bounds": Annotated[Decimal, Ge(Decimal("0.01")), Lt(Decimal(100))],
    "Decimal narrow": Annotated[Decimal, Gt(Decimal(0)), Lt(Decimal("0.00001"))],
    "Decimal multiple": Annotated[Decimal, MultipleOf(Decimal("0.05")), Ge(Decimal(0))],
    "datetime bounds": Annotated[
        datetime, Ge(FIRST.replace(tzinfo=UTC)), Lt(SECOND.replace(tzinfo=CITY))
    ],
    "datetime without an offset": LocalDatetime,
    "datetime without an offset limited": Annotated[LocalDatetime, Ge(FIRST), Lt(SECOND)],
    "datetime in a zone": Annotated[datetime, Timezone(CITY)],
    "datetime in UTC": Annotated[datetime, Timezone("UTC")],
    "date bounds": Annotated[date, Gt(date(2024, 1, 1)), Lt(date(2024, 1, 3))],
    "time aware": Annotated[time, Timezone(...)],
    "time naive": Annotated[time, Timezone(None)],
    "time bounds": Annotated[time, Ge(time(9)), Le(time(17))],
    "time aware bounds": Annotated[time, Ge(time(9, tzinfo=UTC)), Lt(time(17, tzinfo=UTC))],
    "timedelta bounds": Annotated[timedelta, Gt(timedelta(0)), Le(timedelta(seconds=1))],
    "own text": Amount,
    "own text decorated": Isbn,
    "own int": Annotated[Cents, cents],
    "own set": set[Isbn],
    "own keys": dict[Annotated[Price, price], Isbn | None],
    "own parts": Invoice,
    "IPv4Address": IPv4Address,
    "IPv6Address": IPv6Address,
    "PurePath": PurePath,
    "Email by lengths": Annotated[Email, Len(5, 100)],
    "Email": Email,
    "Url": Url,
    "SemVer": SemVer,
    "SecretStr": SecretStr,
    "SecretStr lengths": Annotated[SecretStr, Len(2, 4)],
    "Literal": Literal["a", 1, True],
    "Literal of enum members": Literal[Color.RED, Color.BLUE],
    "Literal of mixed members": Literal[Level.LOW, "a", Sign.PLUS, Odd.YES] | None,
    "enum": Color,
    "enum of ints": Level,
    "enum of kinds": Odd,
    "enum of floats": Ratio,
    "list": list[int],
    "list lengths": Annotated[list[str], Len(1, 3)],
    "list of lists": list[list[bool]],
    "tuple": tuple[int, str, bool],
    "tuple of none": tuple[()],
    "tuple of many": tuple[int, ...],
    "set": set[int],
    "set lengths": Annotated[set[Annotated[int, Interval(ge=0, le=3)]], Len(2, 3)],
    "frozenset": frozenset[Color],
    "set of decimals": set[Decimal],
    "set of records": set[Point],
    "set of tuples": set[tuple[int, date]],
    "set of clocks": set[time | timedelta | datetime | LocalDatetime],
    "deque": deque[int],
    "deque of records": Annotated[deque[Point], Len(1, 2)],
    "Sequence": Sequence[int],
    "Iterable": Iterable[date],
    "Mapping": Mapping[str, int],
    "dict": dict[str, Any],
    "dict lengths": Annotated[dict[str, int], Len(1, 2)],
    "dict of two": Annotated[dict[Color, int], Len(2, 2)],
    "dict by int": dict[int, str],
    "dict by limited int": dict[Annotated[int, Ge(0), Le(9)], str],
    "dict by UUID": dict[UUID, int],
    "dict by date": dict[date, int],
    "dict by Decimal": dict[Decimal, int],
    "dict by limited Decimal": dict[Annotated[Decimal, Ge(Decimal(0)), Le(Decimal(9))], str],
    "dict by datetime": dict[datetime, int],
    "dict by local datetime": dict[LocalDatetime, int],
    "dict by time": dict[time, int],
    "dict by timedelta": dict[timedelta, int],
    "dict by bytes": dict[bytes, int],
    "dict by enum of ints": dict[Level, int],
    "dict by Literal of ints": dict[Literal[1, -2, Level.HIGH], int],
    "dict by enum": dict[Color, int],
    "dict by Literal": dict[Literal["a", "b"], int],
    "dict by enum members": dict[Literal[Color.RED, Sign.PLUS], int],
    "dict by pattern": dict[Annotated[str, Pattern("^[a-z]{2}$")], int],
    "nullable": int | None,
    "nullable with limits": Annotated[int, Ge(1)] | None,
    "nullable list": list[int | None] | None,
    "union of scalars": int | str | None,
    "union of numbers": int | float,
    "union with limits": Annotated[str, Len(1, 3)] | list[Annotated[int, Ge(1)] | None],
    "union of dates": datetime | date,
    "union of addresses": IPv4Address | IPv6Address | None,
    "union of datetimes": list[datetime | LocalDatetime],
    "union of list and record": list[Point] | Point,
    "union of literals": Literal["auto"] | int,
    "union of list and map": list[int] | dict[str, int] | bool,
    "tagged union": Payment,
    "tagged union in a list": list[Payment | None],
    "tagged union and a number": Payment | int,
    "tagged union by enum members": Plus | Minus,
    "tagged union of TypedDicts by enum members": list[Opened | Closed],
    "union of enum members": Literal[Sign.PLUS, Color.RED] | int,
    "class of attrs": OfAttrs,
    "union of a struct and a model": OfMsgspec | OfPydantic,
    "dataclass": Point,
    "dataclass with Decimal": Money,
    "dataclass with defaults": Defaults,
    "dataclass without fields": Empty,
    "dataclass with a default that has no hash": Holder,
    "dataclass renamed": Renamed,
    "dataclass with a condition": Ordered,
    "dataclass derived": Derived,
    "generic": Page[Point],
    "generic of generic": Box[Either[int, Page[str]]],
    "generic recursive": Page[Tree],
    "tree": Tree,
    "chain": Chain,
    "mutual recursion": Forest,
    "expression": Expression,
    "recursive alias": Json,
    "recursive alias of a map": Folder,
    "recursive alias of a list": list[Pile] | Folder,
    "TypedDict": Options,
    "TypedDict recursive": Loose,
    "NamedTuple": Place,
    "union of listed values and a date": Literal["today", "now"] | Color | date | Level,
    "union of listed values": Literal["auto", 1] | Color | bool,
    "TypedDict with extra items": Movie,
    "TypedDict with extra items recursive": Twig | Stump,
    "TypedDict with extra items and odd keys": Named,
}
"""A type of every kind, by name; all of them are the same in both directions."""

ONE_WAY: Final[dict[str, Any]] = {
    "computed": Computed, "stored": Stored, "secret": Secret, "list of stored": list[Stored],
}  # fmt: skip
"""Types with fields that are only in the input or only in the output."""

PICKY: Final[dict[str, Any]] = {
    "own text that is refused": Annotated[Price, known],
    "own item that is refused": list[Annotated[Price, known]],
    "own key that is refused": dict[Annotated[Price, known], int],
    "IPv4Network": IPv4Network,
    "IPv6Network": IPv6Network,
    "ZoneInfo": ZoneInfo,
    "set of zones": set[ZoneInfo],
}
"""Types whose own code refuses values of which no document tells."""

EVERY: Final[dict[str, Any]] = {**ANNOTATIONS, **ONE_WAY, **PICKY}
