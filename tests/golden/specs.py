"""The contracts of the golden cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address
from pathlib import PurePath, PurePosixPath
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NotRequired,
    TypedDict,
    TypeVar,
)
from uuid import UUID
from zoneinfo import ZoneInfo

import typing_extensions
from annotated_types import Ge, Gt, Interval, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Timezone
from typing_extensions import Doc, TypeAliasType, deprecated

from contract import (
    UNSET,
    Deprecated,
    Email,
    Example,
    Failure,
    LocalDatetime,
    Meta,
    Name,
    NotFound,
    Pattern,
    Request,
    SecretStr,
    SemVer,
    TooManyRequests,
    Unset,
    Url,
    exports,
    route,
    routes,
    spec,
)
from contract.document.describe import describe
from contract.document.model import Document
from examples.shop.app import shop_api
from examples.shop.store import Store
from tests import ledger, pictures, three_ways, uploaded
from tests.golden.hostile_names import hostile
from tests.grouped import api as grouped
from tests.talks import api as talks

__all__ = ["CASES"]

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


# Everything: each form on the wire, each constraint, each kind of type, each option of a route.


class Color(Enum):
    """What can be painted."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


class Place(NamedTuple):
    """A place on the earth."""

    latitude: Annotated[float, Interval(ge=-90, le=90)]
    longitude: float
    name: str | None = None
    height: Annotated[int, Ge(0)] = 0


class Options(TypedDict):
    name: str
    size: NotRequired[int]


class Ratings(typing_extensions.TypedDict, extra_items="Points | int"):  # type: ignore[call-arg]
    """What each of many said of a film."""

    title: Annotated[str, Doc("As it is shown.")]
    year: NotRequired[Annotated[int, Ge(1888)]]


Points = typing_extensions.TypedDict(  # type: ignore[misc]
    "Points", {"@by": str, "class": NotRequired[Literal["a", "b"]]}, extra_items=float
)


@dataclass
class Scalars:
    """A field of every form."""

    truth: bool
    number: int
    real: float
    text: str
    raw: bytes
    amount: Decimal
    moment: datetime
    day: date
    hour: time
    span: timedelta
    id: UUID
    nothing: None
    anything: Any
    color: Color
    level: Level
    choice: Literal["a", 1, True]


@dataclass
class Limited:
    """A field with every limit."""

    whole: Annotated[int, Ge(-5), Lt(6)]
    multiple: Annotated[int, Interval(ge=1, le=100), MultipleOf(7)]
    unsigned: Annotated[int, Interval(ge=0, le=2**64 - 1)]
    real: Annotated[float, Gt(-0.5), Le(0.5)]
    step: Annotated[float, MultipleOf(0.25)]
    text: Annotated[str, Len(2, 40), Pattern("^[a-z]+(-[a-z]+)*$")]
    patterns: Annotated[str, Pattern("[0-9]"), Pattern("[a-z]")]
    raw: Annotated[bytes, Len(1, 3)]
    amount: Annotated[Decimal, Ge(Decimal("0.01")), Lt(Decimal(100)), MultipleOf(Decimal("0.01"))]
    moment: Annotated[datetime, Ge(datetime(2024, 1, 1, tzinfo=UTC))]
    in_utc: Annotated[datetime, Timezone("UTC")]
    day: Annotated[date, Gt(date(2024, 1, 1)), Lt(date(2025, 1, 1))]
    opening: Annotated[time, Ge(time(9)), Le(time(17))]
    aware: Annotated[time, Timezone(...)]
    span: Annotated[timedelta, Gt(timedelta(0)), Le(timedelta(hours=1, milliseconds=1))]
    items: Annotated[list[Annotated[int, Ge(0)]], Len(1, 3)]
    keys: Annotated[dict[str, int], MaxLen(4)]


@dataclass
class Containers:
    """A field of every container."""

    items: list[int]
    many: tuple[date, ...]
    pair: tuple[int, str]
    none: tuple[()]
    colors: set[Color]
    points: frozenset[Point]
    sequence: Sequence[bytes]
    by_text: dict[str, Any]
    by_number: dict[int, Decimal]
    by_limited: dict[Annotated[int, Ge(0), Le(9)], str]
    by_id: dict[UUID, datetime]
    by_day: dict[date, float]
    by_color: Mapping[Color, Place]
    by_choice: dict[Literal["a", "b"], bytes]
    nullable: list[int | None] | None
    place: Place
    options: Options


@dataclass(kw_only=True)
class Defaults:
    """A field with every kind of default."""

    count: Annotated[int, Ge(0), Doc("How many."), Example(3)] = 1
    name: Annotated[
        str, Doc('A name; "quoted", with a \\ and a */.'), Example("Ada"), Example('"')
    ] = 'O"Neil\\'
    needed: str
    ratio: float = 0.5
    amount: Decimal = Decimal("9.50")
    raw: bytes = b"\x00abc"
    moment: datetime = datetime(2024, 2, 29, 12, 30, tzinfo=UTC)
    day: date = date(2024, 2, 29)
    hour: time = time(9, 30)
    span: timedelta = timedelta(days=1, seconds=1)
    color: Color = Color.GREEN
    level: Level = Level.HIGH
    choice: Literal["a", "b"] = "b"
    tags: list[str] = field(default_factory=list)
    numbers: tuple[int, ...] = (1, 2)
    colors: frozenset[Color] = frozenset({Color.RED})
    point: Point = Point(1, 2)
    place: Place = Place(1.5, 2.5)  # noqa: RUF009  a tuple
    limits: dict[str, int] = field(default_factory=lambda: {"a": 1})
    note: str | None = None
    nickname: str | Unset | None = UNSET
    at: Annotated[datetime | Unset, Name("@at")] = UNSET
    class_: Annotated[str, Name("class")] = "none"


@dataclass
@deprecated("Use Point.")
class OneWay:
    """Fields of one side only."""

    name: str
    secret: InitVar[Annotated[str, MinLen(3)]]
    version: int = field(init=False)
    etag: str = field(init=False, default="none")

    def __post_init__(self, secret: str) -> None: ...


class SoldOut(Failure, status=409):
    """Nobody has any left."""

    restock_days: Annotated[int, Ge(0)]
    note: str | Unset = UNSET


class Late(Failure, status=410):
    """It is over."""


class Maybe(Failure, status=422):
    reason: str | Unset = UNSET


@route(summary="Send every scalar back", tags=["tests"], auth="none", effect="read")
def scalars(input: Scalars, ctx: Any) -> Scalars:
    raise NotImplementedError


@route(summary="Send what is limited back", tags=["tests"], auth="none", effect="idempotent")
def limited(input: Limited, ctx: Any) -> Limited:
    raise NotImplementedError


@route(summary="Send containers back", tags=["tests"], auth="none", effect="write")
def containers(input: Containers, ctx: Any) -> Containers:
    raise NotImplementedError


@route(summary="Send ratings back", tags=["tests"], auth="none", effect="write")
def ratings(input: Ratings, ctx: Any) -> Ratings:
    raise NotImplementedError


@route(
    summary="Send defaults back",
    tags=["tests"],
    description="With *what was left out*.",
    auth="none",
    effect="destructive",
)
def defaults(input: Defaults, ctx: Any) -> Defaults:
    raise NotImplementedError


@route(summary="Fail in every way", tags=["failures"])
def fail(
    input: Literal["sold_out", "late"], ctx: Any
) -> SoldOut | Late | Maybe | NotFound | TooManyRequests | None:
    """
    It never does anything else.

    Whoever asks for it is told so.
    """
    raise NotImplementedError


@route(
    summary="Give what only one side has",
    tags=["tests"],
    auth="none",
    deprecated=Deprecated(since=date(2026, 1, 31), use="scalars"),
)
def one_way(input: OneWay, ctx: Any) -> OneWay | SoldOut:  # type: ignore[deprecated]
    raise NotImplementedError


@dataclass
class Host:
    """Classes that stand as a text of one form."""

    address: IPv4Address | IPv6Address
    networks: list[IPv4Network]
    contact: Annotated[Email, MaxLen(80)]
    home: Url
    runs: SemVer
    login: SecretStr
    zone: ZoneInfo
    folder: PurePath = PurePosixPath("srv")  # noqa: RUF009  it cannot change
    opens: LocalDatetime | None = None


@route(summary="Give each class of a text", tags=["tests"], auth="none")
def classes(input: Host, ctx: Any) -> Iterable[Host]:
    raise NotImplementedError


@route(summary="Say something", tags=["tests"], auth="none", effect="read")
def ping(input: None, ctx: Any) -> None:
    raise NotImplementedError


@route(summary="Add numbers", tags=["tests"], auth="none", effect="read")
def add(input: tuple[int, int], ctx: Any) -> int:
    raise NotImplementedError


@route(summary="Take anything, or nothing", tags=["tests"], auth="none")
def anything(input: Any, ctx: Any) -> Any:
    raise NotImplementedError


# Recursion.


@dataclass
class Tree:
    """A tree."""

    value: int
    children: list[Tree] = field(default_factory=list)


@dataclass
class Chain:
    value: str
    next: Chain | None


@dataclass
class Forest:
    """Through two types and a map."""

    trees: dict[str, Branch]


@dataclass
class Branch:
    leaves: Annotated[list[Forest], MaxLen(2)]
    parent: Branch | Unset = UNSET


@dataclass
class Both:
    """An expression: a tagged union that contains itself."""

    left: Expression
    right: Expression
    op: Literal["and", "or"]


@dataclass
class Leaf:
    op: Literal["leaf"]
    value: bool = True


Expression = Both | Leaf
Json = TypeAliasType("Json", "bool | int | str | list[Json] | dict[str, Json] | None")


class Loose(TypedDict, total=False):
    a: int
    inner: Loose


class Stem(NamedTuple):
    name: str
    over: Stem | None = None


@route(summary="Grow", tags=["tests"], auth="none")
def grow(input: Tree, ctx: Any) -> Forest:
    raise NotImplementedError


@route(summary="Evaluate", tags=["tests"], auth="none", effect="read")
def evaluate(input: Expression, ctx: Any) -> bool:
    raise NotImplementedError


@route(summary="Follow", tags=["tests"], auth="none", effect="read")
def follow(input: Chain, ctx: Any) -> Json:
    raise NotImplementedError


@route(summary="Loosen", tags=["tests"], auth="none", effect="read")
def loosen(input: Loose, ctx: Any) -> Stem:
    raise NotImplementedError


# Generics and unions.


@dataclass
class Page(Generic[T]):
    """A part of a list."""

    items: list[T]
    next: str | None = None


@dataclass(frozen=True)
class Pair(Generic[A, B]):
    left: A
    right: B


@dataclass
class Card:
    number: Annotated[str, Pattern("^[0-9]{16}$")]
    kind: Literal["card"] = "card"


@dataclass
class Cash:
    kind: Literal["cash", "coins"]
    amount: int = 1


@dataclass
class First:
    version: Literal[1]
    name: str


@dataclass
class Second:
    version: Literal[2]
    names: list[str]


@dataclass
class Answer:
    """A field of every union."""

    payment: Card | Cash
    maybe: Card | Cash | None
    many: list[Card | Cash]
    versioned: First | Second
    number: int | float
    scalar: bool | int | str
    moment: datetime | date
    listed: Literal["auto"] | int
    shaped: list[int] | dict[str, int] | bool
    record: Point | list[Point] | None
    mixed: Card | Cash | int | str
    texts: Decimal | UUID | time


@route(summary="List points", tags=["tests"], auth="none", effect="read")
def points(input: Page[int], ctx: Any) -> Page[Point]:
    raise NotImplementedError


@route(summary="List pages", tags=["tests"], auth="none", effect="read")
def pages(input: Pair[Page[str], int], ctx: Any) -> Page[Pair[Color, Page[Point]]]:
    raise NotImplementedError


@route(summary="Pay", tags=["tests"], auth="none")
def pay(input: Card | Cash, ctx: Any) -> Answer | SoldOut:
    raise NotImplementedError


@route(summary="Choose", tags=["tests"], auth="none", effect="read")
def choose(input: int | str | list[Color], ctx: Any) -> Literal["yes", "no"] | None:
    raise NotImplementedError


def authenticate(token: str, request: Request) -> str:
    return token


def empty() -> Document:
    return describe(spec(routes={}))


def everything() -> Document:
    every = spec(
        routes=routes(
            *(scalars, limited, containers, ratings, classes),
            *(defaults, fail, one_way, ping, add, anything),
        ),
        authenticate=authenticate,
        exports=exports(
            Scalars=Scalars, Days=list[date], Color=Color, Place=Place, Form=Defaults, Shade=Color
        ),
        meta=Meta(title="Everything", version="2.1.0", intro="Each form on the wire, once."),
    )
    return describe(every)


def recursion() -> Document:
    return describe(
        spec(routes=routes(grow, evaluate, follow, loosen), exports=exports(Json=Json, Tree=Tree))
    )


def generics() -> Document:
    return describe(
        spec(
            routes=routes(points, pages, pay, choose),
            exports=exports(Payment=Card | Cash),
            rename="camel",
        )
    )


def groups() -> Document:
    return describe(grouped)


def ways() -> Document:
    return describe(three_ways.api)


def paged() -> Document:
    return describe(ledger.api)


def streams() -> Document:
    return describe(talks)


def uploads() -> Document:
    return describe(uploaded.make())


def downloads() -> Document:
    return describe(pictures.api)


def shop() -> Document:
    return describe(shop_api(Store("unused.sqlite3")))


CASES: Final[Mapping[str, Callable[[], Document]]] = {
    "downloads": downloads,
    "empty": empty,
    "everything": everything,
    "generics": generics,
    "groups": groups,
    "hostile": hostile,
    "recursion": recursion,
    "shop": shop,
    "streams": streams,
    "ways": ways,
    "pages": paged,
    "uploads": uploads,
}
"""Name -> what makes the contract."""
