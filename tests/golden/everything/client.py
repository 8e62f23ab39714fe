"""
Everything 2.1.0: a client.

Each form on the wire, once.

Generated from the contract with the SHA-256 digest ebc490a277121677c68a718d7723a43df21bfae04242f30b4f504c72b190e686. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Final, Literal, NamedTuple, Never, NotRequired, TypeAlias, Union, Unpack, final
from uuid import UUID

from annotated_types import Ge, Gt, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Timezone
from contract.client import (
    UNSET,
    ApiClientBase,
    AsyncApiClientBase,
    AsyncClientOptions,
    AsyncHeaderValue,
    CallError,
    CallFailed,
    ClientOptions,
    DeclaredFailure,
    Email,
    HeaderValue,
    Name,
    Ok,
    Operation,
    Pattern,
    RouteSchemas,
    Schema,
    SecretStr,
    SemVer,
    Unset,
    Url,
    unwrap,
)
from ipaddress import IPv4Address, IPv4Network, IPv6Address
from pathlib import PurePosixPath
from typing_extensions import TypedDict, deprecated
from zoneinfo import ZoneInfo

__all__ = [
    "ApiClient",
    "AsyncApiClient",
    "CallError",
    "CallFailed",
    "Color",
    "Containers",
    "ContainersInput",
    "Days",
    "Defaults",
    "DefaultsInput",
    "Form",
    "FormInput",
    "Host",
    "HostInput",
    "Late",
    "Level",
    "Limited",
    "Maybe",
    "NotFound",
    "Ok",
    "OneWay",
    "OneWayInput",
    "Options",
    "Place",
    "PlaceInput",
    "Point",
    "PointInput",
    "Points",
    "Ratings",
    "Scalars",
    "Shade",
    "SoldOut",
    "TooManyRequests",
    "UNSET",
    "Unset",
    "schemas",
    "unwrap",
]


class Color(Enum):
    """What can be painted."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Containers:
    """A field of every container."""

    items: list[int]
    many: tuple[date, ...]
    pair: tuple[int, str]
    none: tuple[()]
    colors: set[Color]
    points: frozenset[Point]
    sequence: list[bytes]
    by_text: dict[str, Any]
    by_number: dict[int, Decimal]
    by_limited: dict[Annotated[int, Ge(0), Le(9)], str]
    by_id: dict[UUID, datetime]
    by_day: dict[date, float]
    by_color: dict[Color, Place]
    by_choice: dict[Literal["a", "b"], bytes]
    nullable: list[int | None] | None
    place: Place
    options: Options


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainersInput:
    """A field of every container."""

    items: list[int]
    many: tuple[date, ...]
    pair: tuple[int, str]
    none: tuple[()]
    colors: set[Color]
    points: Annotated[frozenset[PointInput], MaxLen(4096)]
    sequence: list[bytes]
    by_text: dict[str, Any]
    by_number: Annotated[dict[int, Decimal], MaxLen(4096)]
    by_limited: dict[Annotated[int, Ge(0), Le(9)], str]
    by_id: Annotated[dict[UUID, datetime], MaxLen(4096)]
    by_day: dict[date, float]
    by_color: dict[Color, PlaceInput]
    by_choice: dict[Literal["a", "b"], bytes]
    nullable: list[int | None] | None
    place: PlaceInput
    options: Options


Days: TypeAlias = list[date]


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """A field with every kind of default."""

    count: Annotated[int, Ge(0)]
    """How many. For example ``3``."""
    name: str
    """A name; "quoted", with a \\ and a */. For example ``Ada``, ``"``."""
    needed: str
    ratio: float
    amount: Decimal
    raw: bytes
    moment: datetime
    day: date
    hour: time
    span: timedelta
    color: Color
    level: Level
    choice: Literal["a", "b"]
    tags: list[str]
    numbers: tuple[int, ...]
    colors: frozenset[Color]
    point: Point
    place: Place
    limits: dict[str, int]
    note: str | None
    nickname: str | Unset | None = UNSET
    at: Annotated[datetime | Unset, Name("@at")] = UNSET
    class_: Annotated[str, Name("class")]


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class PlaceInput(NamedTuple):
    """A place on the earth."""

    latitude: Annotated[float, Ge(-90.0), Le(90.0)]
    longitude: float
    name: str | None = None
    height: Annotated[int, Ge(0)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PointInput:
    x: int
    y: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultsInput:
    """A field with every kind of default."""

    count: Annotated[int, Ge(0)] = 1
    """How many. For example ``3``."""
    name: str = 'O"Neil\\'
    """A name; "quoted", with a \\ and a */. For example ``Ada``, ``"``."""
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
    tags: list[str] = field(default_factory=list[str])
    numbers: tuple[int, ...] = (1, 2)
    colors: frozenset[Color] = frozenset({Color.RED})
    point: PointInput = PointInput(x=1, y=2)
    place: PlaceInput = PlaceInput(1.5, 2.5, None, 0)
    limits: dict[str, int] | Unset = UNSET
    note: str | None = None
    nickname: str | Unset | None = UNSET
    at: Annotated[datetime | Unset, Name("@at")] = UNSET
    class_: Annotated[str, Name("class")] = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """Classes that stand as a text of one form."""

    address: IPv4Address | IPv6Address
    networks: list[IPv4Network]
    contact: Annotated[Email, MaxLen(80)]
    """For example ``ada@example.org``."""
    home: Url
    """For example ``https://example.org/a?b=c``."""
    runs: SemVer
    """For example ``1.4.0``, ``2.0.0-rc.1+build.5``."""
    login: SecretStr
    zone: ZoneInfo
    """For example ``Europe/Berlin``, ``UTC``, ``America/New_York``."""
    folder: PurePosixPath
    """For example ``invoices/2026-01.pdf``."""
    opens: Annotated[datetime, Timezone(None)] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostInput:
    """Classes that stand as a text of one form."""

    address: IPv4Address | IPv6Address
    networks: list[IPv4Network]
    contact: Annotated[Email, MaxLen(80)]
    """For example ``ada@example.org``."""
    home: Url
    """For example ``https://example.org/a?b=c``."""
    runs: SemVer
    """For example ``1.4.0``, ``2.0.0-rc.1+build.5``."""
    login: SecretStr
    zone: ZoneInfo
    """For example ``Europe/Berlin``, ``UTC``, ``America/New_York``."""
    folder: PurePosixPath = PurePosixPath("srv")
    """For example ``invoices/2026-01.pdf``."""
    opens: Annotated[datetime, Timezone(None)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limited:
    """A field with every limit."""

    whole: Annotated[int, Ge(-5), Le(5)]
    multiple: Annotated[int, Ge(1), Le(100), MultipleOf(7)]
    unsigned: Annotated[int, Ge(0), Le(18446744073709551615)]
    real: Annotated[float, Gt(-0.5), Le(0.5)]
    step: Annotated[float, MultipleOf(0.25)]
    text: Annotated[str, Len(2, 40), Pattern("^[a-z]+(-[a-z]+)*$")]
    patterns: Annotated[str, Pattern("[0-9]"), Pattern("[a-z]")]
    raw: Annotated[bytes, Len(1, 3)]
    amount: Annotated[Decimal, Ge(Decimal("0.01")), Lt(Decimal("100")), MultipleOf(Decimal("0.01"))]
    moment: Annotated[datetime, Ge(datetime(2024, 1, 1, tzinfo=UTC))]
    in_utc: Annotated[datetime, Timezone("UTC")]
    day: Annotated[date, Gt(date(2024, 1, 1)), Lt(date(2025, 1, 1))]
    opening: Annotated[time, Ge(time(9)), Le(time(17)), Timezone(None)]
    aware: Annotated[time, Timezone(...)]
    span: Annotated[timedelta, Gt(timedelta(0)), Le(timedelta(hours=1, microseconds=1000))]
    items: Annotated[list[Annotated[int, Ge(0)]], Len(1, 3)]
    keys: Annotated[dict[str, int], MaxLen(4)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneWay:
    """
    Fields of one side only.

    Deprecated.
    """

    name: str
    version: int
    etag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OneWayInput:
    """
    Fields of one side only.

    Deprecated.
    """

    name: str
    secret: Annotated[str, MinLen(3)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    name: str
    size: int | Unset = UNSET


class Place(NamedTuple):
    """A place on the earth."""

    latitude: Annotated[float, Ge(-90.0), Le(90.0)]
    longitude: float
    name: str | None
    height: Annotated[int, Ge(0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    x: int
    y: int


_PointsKeys = TypedDict("_PointsKeys", {"@by": str, "class": NotRequired[Literal["a", "b"]]})


class Points(_PointsKeys, extra_items=float):  # type: ignore[call-arg, unused-ignore]
    pass


class Ratings(TypedDict, extra_items=Union[int, "Points"]):  # type: ignore[call-arg, unused-ignore]
    """What each of many said of a film."""

    title: str
    """As it is shown."""
    year: NotRequired[Annotated[int, Ge(1888)]]


@dataclass(frozen=True, slots=True, kw_only=True)
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


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Late(DeclaredFailure, code="LATE", status=410):
    """It is over."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Maybe(DeclaredFailure, code="MAYBE", status=422):
    """Maybe."""

    reason: str | Unset = UNSET


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound(DeclaredFailure, code="NOT_FOUND", status=404):
    """The thing that the call names does not exist."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SoldOut(DeclaredFailure, code="SOLD_OUT", status=409):
    """Nobody has any left."""

    restock_days: Annotated[int, Ge(0)]
    note: str | Unset = UNSET


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TooManyRequests(DeclaredFailure, code="TOO_MANY_REQUESTS", status=429):
    """The caller must slow down."""

    title: str | Unset = UNSET
    message: str | Unset = UNSET
    retry_after: Annotated[int, Ge(0)] | Unset = UNSET


Form: TypeAlias = Defaults
FormInput: TypeAlias = DefaultsInput
Shade: TypeAlias = Color


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.Color: Final[Schema[Color]] = Schema(Color)
        self.Days: Final[Schema[Days]] = Schema(Days)
        self.Form: Final[Schema[Defaults]] = Schema(Defaults)
        self.FormInput: Final[Schema[DefaultsInput]] = Schema(DefaultsInput)
        self.Place: Final[Schema[Place]] = Schema(Place)
        self.PlaceInput: Final[Schema[PlaceInput]] = Schema(PlaceInput)
        self.Scalars: Final[Schema[Scalars]] = Schema(Scalars)
        self.Shade: Final[Schema[Color]] = Schema(Color)
        self.add: Final[RouteSchemas[tuple[int, int], int]] = RouteSchemas(
            input=Schema(tuple[int, int]),
            output=Schema(int),
        )
        self.anything: Final[RouteSchemas[Any, Any]] = RouteSchemas(input=Schema(Any), output=Schema(Any))
        self.classes: Final[RouteSchemas[HostInput, list[Host]]] = RouteSchemas(
            input=Schema(HostInput),
            output=Schema(list[Host]),
        )
        self.containers: Final[RouteSchemas[ContainersInput, Containers]] = RouteSchemas(
            input=Schema(ContainersInput),
            output=Schema(Containers),
        )
        self.defaults: Final[RouteSchemas[DefaultsInput, Defaults]] = RouteSchemas(
            input=Schema(DefaultsInput),
            output=Schema(Defaults),
        )
        self.fail: Final[RouteSchemas[Literal["sold_out", "late"], None]] = RouteSchemas(
            input=Schema(Literal["sold_out", "late"]),
            output=Schema(None),
        )
        self.limited: Final[RouteSchemas[Limited, Limited]] = RouteSchemas(
            input=Schema(Limited),
            output=Schema(Limited),
        )
        self.one_way: Final[RouteSchemas[OneWayInput, OneWay]] = RouteSchemas(
            input=Schema(OneWayInput),
            output=Schema(OneWay),
        )
        self.ping: Final[RouteSchemas[None, None]] = RouteSchemas(input=Schema(None), output=Schema(None))
        self.ratings: Final[RouteSchemas[Ratings, Ratings]] = RouteSchemas(
            input=Schema(Ratings),
            output=Schema(Ratings),
        )
        self.scalars: Final[RouteSchemas[Scalars, Scalars]] = RouteSchemas(
            input=Schema(Scalars),
            output=Schema(Scalars),
        )


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_ADD: Final[Operation[tuple[int, int], int, Never]] = Operation("add", effect="read", schemas=schemas.add)
_ANYTHING: Final[Operation[Any, Any, Never]] = Operation("anything", effect="write", schemas=schemas.anything)
_CLASSES: Final[Operation[HostInput, list[Host], Never]] = Operation("classes", effect="write", schemas=schemas.classes)
_CONTAINERS: Final[Operation[ContainersInput, Containers, Never]] = Operation(
    "containers",
    effect="write",
    schemas=schemas.containers,
)
_DEFAULTS: Final[Operation[DefaultsInput, Defaults, Never]] = Operation(
    "defaults",
    effect="destructive",
    schemas=schemas.defaults,
)
_FAIL: Final[Operation[Literal["sold_out", "late"], None, Late | Maybe | NotFound | SoldOut | TooManyRequests]] = (
    Operation("fail", effect="write", schemas=schemas.fail, failures=(Late, Maybe, NotFound, SoldOut, TooManyRequests))
)
_LIMITED: Final[Operation[Limited, Limited, Never]] = Operation("limited", effect="idempotent", schemas=schemas.limited)
_ONE_WAY: Final[Operation[OneWayInput, OneWay, SoldOut]] = Operation(
    "one_way",
    effect="write",
    schemas=schemas.one_way,
    failures=(SoldOut,),
)
_PING: Final[Operation[None, None, Never]] = Operation("ping", effect="read", schemas=schemas.ping)
_RATINGS: Final[Operation[Ratings, Ratings, Never]] = Operation("ratings", effect="write", schemas=schemas.ratings)
_SCALARS: Final[Operation[Scalars, Scalars, Never]] = Operation("scalars", effect="read", schemas=schemas.scalars)


class ApiClient(ApiClientBase):
    """A client of Everything."""

    _title = "Everything"
    _version = "2.1.0"

    def __init__(
        self,
        base_url: str,
        *,
        token: HeaderValue | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """
        Make a client with the credential, or without.

        Args:
            token: A bearer token, or a function that gives it.
            options: As those of every client.
        """
        ApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token)

    def add(self, input: tuple[int, int], /) -> Ok[int] | CallError:
        """
        Add numbers.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_ADD, input)

    def anything(self, input: Any, /) -> Ok[Any] | CallError:
        """
        Take anything, or nothing.

        Is never tried again by itself.
        """
        return self._call(_ANYTHING, input)

    def classes(
        self,
        *,
        address: IPv4Address | IPv6Address,
        networks: list[IPv4Network],
        contact: Email,
        home: Url,
        runs: SemVer,
        login: SecretStr,
        zone: ZoneInfo,
        folder: PurePosixPath = PurePosixPath("srv"),
        opens: datetime | None = None,
    ) -> Ok[list[Host]] | CallError:
        """
        Give each class of a text.

        Is never tried again by itself.
        """
        return self._call(
            _CLASSES,
            HostInput(
                address=address,
                networks=networks,
                contact=contact,
                home=home,
                runs=runs,
                login=login,
                zone=zone,
                folder=folder,
                opens=opens,
            ),
        )

    def containers(
        self,
        *,
        items: list[int],
        many: tuple[date, ...],
        pair: tuple[int, str],
        none: tuple[()],
        colors: set[Color],
        points: frozenset[PointInput],
        sequence: list[bytes],
        by_text: dict[str, Any],
        by_number: dict[int, Decimal],
        by_limited: dict[int, str],
        by_id: dict[UUID, datetime],
        by_day: dict[date, float],
        by_color: dict[Color, PlaceInput],
        by_choice: dict[Literal["a", "b"], bytes],
        nullable: list[int | None] | None,
        place: PlaceInput,
        options: Options,
    ) -> Ok[Containers] | CallError:
        """
        Send containers back.

        Is never tried again by itself.
        """
        return self._call(
            _CONTAINERS,
            ContainersInput(
                items=items,
                many=many,
                pair=pair,
                none=none,
                colors=colors,
                points=points,
                sequence=sequence,
                by_text=by_text,
                by_number=by_number,
                by_limited=by_limited,
                by_id=by_id,
                by_day=by_day,
                by_color=by_color,
                by_choice=by_choice,
                nullable=nullable,
                place=place,
                options=options,
            ),
        )

    def defaults(
        self,
        *,
        count: int = 1,
        name: str = 'O"Neil\\',
        needed: str,
        ratio: float = 0.5,
        amount: Decimal = Decimal("9.50"),
        raw: bytes = b"\x00abc",
        moment: datetime = datetime(2024, 2, 29, 12, 30, tzinfo=UTC),
        day: date = date(2024, 2, 29),
        hour: time = time(9, 30),
        span: timedelta = timedelta(days=1, seconds=1),
        color: Color = Color.GREEN,
        level: Level = Level.HIGH,
        choice: Literal["a", "b"] = "b",
        tags: list[str] | Unset = UNSET,
        numbers: tuple[int, ...] = (1, 2),
        colors: frozenset[Color] = frozenset({Color.RED}),
        point: PointInput = PointInput(x=1, y=2),
        place: PlaceInput = PlaceInput(1.5, 2.5, None, 0),
        limits: dict[str, int] | Unset = UNSET,
        note: str | None = None,
        nickname: str | Unset | None = UNSET,
        at: datetime | Unset = UNSET,
        class_: str = "none",
    ) -> Ok[Defaults] | CallError:
        """
        Send defaults back.

        With *what was left out*.

        Destroys something, and is never tried again by itself.

        Args:
            count: How many.
            name: A name; "quoted", with a \\ and a */.
        """
        return self._call(
            _DEFAULTS,
            DefaultsInput(
                count=count,
                name=name,
                needed=needed,
                ratio=ratio,
                amount=amount,
                raw=raw,
                moment=moment,
                day=day,
                hour=hour,
                span=span,
                color=color,
                level=level,
                choice=choice,
                tags=[] if tags is UNSET else tags,
                numbers=numbers,
                colors=colors,
                point=point,
                place=place,
                limits=limits,
                note=note,
                nickname=nickname,
                at=at,
                class_=class_,
            ),
        )

    def fail(
        self,
        input: Literal["sold_out", "late"],
        /,
    ) -> Ok[None] | Late | Maybe | NotFound | SoldOut | TooManyRequests | CallError:
        """
        Fail in every way.

        It never does anything else.

        Whoever asks for it is told so.

        Needs a client with ``token``. Is never tried again by itself.

        Failures:
            Late: It is over.
            Maybe: Maybe.
            NotFound: The thing that the call names does not exist.
            SoldOut: Nobody has any left.
            TooManyRequests: The caller must slow down.
        """
        return self._call(_FAIL, input)

    def limited(
        self,
        *,
        whole: int,
        multiple: int,
        unsigned: int,
        real: float,
        step: float,
        text: str,
        patterns: str,
        raw: bytes,
        amount: Decimal,
        moment: datetime,
        in_utc: datetime,
        day: date,
        opening: time,
        aware: time,
        span: timedelta,
        items: list[int],
        keys: dict[str, int],
    ) -> Ok[Limited] | CallError:
        """
        Send what is limited back.

        Does no more when it is repeated, so it is tried again if no answer comes.
        """
        return self._call(
            _LIMITED,
            Limited(
                whole=whole,
                multiple=multiple,
                unsigned=unsigned,
                real=real,
                step=step,
                text=text,
                patterns=patterns,
                raw=raw,
                amount=amount,
                moment=moment,
                in_utc=in_utc,
                day=day,
                opening=opening,
                aware=aware,
                span=span,
                items=items,
                keys=keys,
            ),
        )

    @deprecated("one_way is deprecated since 2026-01-31; use scalars")
    def one_way(self, *, name: str, secret: str) -> Ok[OneWay] | SoldOut | CallError:
        """
        Give what only one side has.

        Is never tried again by itself.

        Failures:
            SoldOut: Nobody has any left.
        """
        return self._call(_ONE_WAY, OneWayInput(name=name, secret=secret))

    def ping(self) -> Ok[None] | CallError:
        """
        Say something.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_PING, None)

    def ratings(self, input: Ratings, /) -> Ok[Ratings] | CallError:
        """
        Send ratings back.

        Is never tried again by itself.
        """
        return self._call(_RATINGS, input)

    def scalars(
        self,
        *,
        truth: bool,
        number: int,
        real: float,
        text: str,
        raw: bytes,
        amount: Decimal,
        moment: datetime,
        day: date,
        hour: time,
        span: timedelta,
        id: UUID,
        nothing: None,
        anything: Any,
        color: Color,
        level: Level,
        choice: Literal["a", 1, True],
    ) -> Ok[Scalars] | CallError:
        """
        Send every scalar back.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(
            _SCALARS,
            Scalars(
                truth=truth,
                number=number,
                real=real,
                text=text,
                raw=raw,
                amount=amount,
                moment=moment,
                day=day,
                hour=hour,
                span=span,
                id=id,
                nothing=nothing,
                anything=anything,
                color=color,
                level=level,
                choice=choice,
            ),
        )


class AsyncApiClient(AsyncApiClientBase):
    """A client of Everything, for asyncio or Trio."""

    _title = "Everything"
    _version = "2.1.0"

    def __init__(
        self,
        base_url: str,
        *,
        token: AsyncHeaderValue | None = None,
        **options: Unpack[AsyncClientOptions],
    ) -> None:
        """
        Make a client with the credential, or without.

        Args:
            token: A bearer token, or a function that gives it.
            options: As those of every client.
        """
        AsyncApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token)

    async def add(self, input: tuple[int, int], /) -> Ok[int] | CallError:
        """
        Add numbers.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_ADD, input)

    async def anything(self, input: Any, /) -> Ok[Any] | CallError:
        """
        Take anything, or nothing.

        Is never tried again by itself.
        """
        return await self._call(_ANYTHING, input)

    async def classes(
        self,
        *,
        address: IPv4Address | IPv6Address,
        networks: list[IPv4Network],
        contact: Email,
        home: Url,
        runs: SemVer,
        login: SecretStr,
        zone: ZoneInfo,
        folder: PurePosixPath = PurePosixPath("srv"),
        opens: datetime | None = None,
    ) -> Ok[list[Host]] | CallError:
        """
        Give each class of a text.

        Is never tried again by itself.
        """
        return await self._call(
            _CLASSES,
            HostInput(
                address=address,
                networks=networks,
                contact=contact,
                home=home,
                runs=runs,
                login=login,
                zone=zone,
                folder=folder,
                opens=opens,
            ),
        )

    async def containers(
        self,
        *,
        items: list[int],
        many: tuple[date, ...],
        pair: tuple[int, str],
        none: tuple[()],
        colors: set[Color],
        points: frozenset[PointInput],
        sequence: list[bytes],
        by_text: dict[str, Any],
        by_number: dict[int, Decimal],
        by_limited: dict[int, str],
        by_id: dict[UUID, datetime],
        by_day: dict[date, float],
        by_color: dict[Color, PlaceInput],
        by_choice: dict[Literal["a", "b"], bytes],
        nullable: list[int | None] | None,
        place: PlaceInput,
        options: Options,
    ) -> Ok[Containers] | CallError:
        """
        Send containers back.

        Is never tried again by itself.
        """
        return await self._call(
            _CONTAINERS,
            ContainersInput(
                items=items,
                many=many,
                pair=pair,
                none=none,
                colors=colors,
                points=points,
                sequence=sequence,
                by_text=by_text,
                by_number=by_number,
                by_limited=by_limited,
                by_id=by_id,
                by_day=by_day,
                by_color=by_color,
                by_choice=by_choice,
                nullable=nullable,
                place=place,
                options=options,
            ),
        )

    async def defaults(
        self,
        *,
        count: int = 1,
        name: str = 'O"Neil\\',
        needed: str,
        ratio: float = 0.5,
        amount: Decimal = Decimal("9.50"),
        raw: bytes = b"\x00abc",
        moment: datetime = datetime(2024, 2, 29, 12, 30, tzinfo=UTC),
        day: date = date(2024, 2, 29),
        hour: time = time(9, 30),
        span: timedelta = timedelta(days=1, seconds=1),
        color: Color = Color.GREEN,
        level: Level = Level.HIGH,
        choice: Literal["a", "b"] = "b",
        tags: list[str] | Unset = UNSET,
        numbers: tuple[int, ...] = (1, 2),
        colors: frozenset[Color] = frozenset({Color.RED}),
        point: PointInput = PointInput(x=1, y=2),
        place: PlaceInput = PlaceInput(1.5, 2.5, None, 0),
        limits: dict[str, int] | Unset = UNSET,
        note: str | None = None,
        nickname: str | Unset | None = UNSET,
        at: datetime | Unset = UNSET,
        class_: str = "none",
    ) -> Ok[Defaults] | CallError:
        """
        Send defaults back.

        With *what was left out*.

        Destroys something, and is never tried again by itself.

        Args:
            count: How many.
            name: A name; "quoted", with a \\ and a */.
        """
        return await self._call(
            _DEFAULTS,
            DefaultsInput(
                count=count,
                name=name,
                needed=needed,
                ratio=ratio,
                amount=amount,
                raw=raw,
                moment=moment,
                day=day,
                hour=hour,
                span=span,
                color=color,
                level=level,
                choice=choice,
                tags=[] if tags is UNSET else tags,
                numbers=numbers,
                colors=colors,
                point=point,
                place=place,
                limits=limits,
                note=note,
                nickname=nickname,
                at=at,
                class_=class_,
            ),
        )

    async def fail(
        self,
        input: Literal["sold_out", "late"],
        /,
    ) -> Ok[None] | Late | Maybe | NotFound | SoldOut | TooManyRequests | CallError:
        """
        Fail in every way.

        It never does anything else.

        Whoever asks for it is told so.

        Needs a client with ``token``. Is never tried again by itself.

        Failures:
            Late: It is over.
            Maybe: Maybe.
            NotFound: The thing that the call names does not exist.
            SoldOut: Nobody has any left.
            TooManyRequests: The caller must slow down.
        """
        return await self._call(_FAIL, input)

    async def limited(
        self,
        *,
        whole: int,
        multiple: int,
        unsigned: int,
        real: float,
        step: float,
        text: str,
        patterns: str,
        raw: bytes,
        amount: Decimal,
        moment: datetime,
        in_utc: datetime,
        day: date,
        opening: time,
        aware: time,
        span: timedelta,
        items: list[int],
        keys: dict[str, int],
    ) -> Ok[Limited] | CallError:
        """
        Send what is limited back.

        Does no more when it is repeated, so it is tried again if no answer comes.
        """
        return await self._call(
            _LIMITED,
            Limited(
                whole=whole,
                multiple=multiple,
                unsigned=unsigned,
                real=real,
                step=step,
                text=text,
                patterns=patterns,
                raw=raw,
                amount=amount,
                moment=moment,
                in_utc=in_utc,
                day=day,
                opening=opening,
                aware=aware,
                span=span,
                items=items,
                keys=keys,
            ),
        )

    @deprecated("one_way is deprecated since 2026-01-31; use scalars")
    async def one_way(self, *, name: str, secret: str) -> Ok[OneWay] | SoldOut | CallError:
        """
        Give what only one side has.

        Is never tried again by itself.

        Failures:
            SoldOut: Nobody has any left.
        """
        return await self._call(_ONE_WAY, OneWayInput(name=name, secret=secret))

    async def ping(self) -> Ok[None] | CallError:
        """
        Say something.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_PING, None)

    async def ratings(self, input: Ratings, /) -> Ok[Ratings] | CallError:
        """
        Send ratings back.

        Is never tried again by itself.
        """
        return await self._call(_RATINGS, input)

    async def scalars(
        self,
        *,
        truth: bool,
        number: int,
        real: float,
        text: str,
        raw: bytes,
        amount: Decimal,
        moment: datetime,
        day: date,
        hour: time,
        span: timedelta,
        id: UUID,
        nothing: None,
        anything: Any,
        color: Color,
        level: Level,
        choice: Literal["a", 1, True],
    ) -> Ok[Scalars] | CallError:
        """
        Send every scalar back.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(
            _SCALARS,
            Scalars(
                truth=truth,
                number=number,
                real=real,
                text=text,
                raw=raw,
                amount=amount,
                moment=moment,
                day=day,
                hour=hour,
                span=span,
                id=id,
                nothing=nothing,
                anything=anything,
                color=color,
                level=level,
                choice=choice,
            ),
        )
