"""Nasty: a spec that holds what document tools stumble over, and nothing that anybody would write all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NotRequired,
    TypeAlias,
    TypedDict,
    TypeVar,
)
from uuid import UUID

from annotated_types import Ge, Interval, Le, Len, MultipleOf
from typing_extensions import Doc

from contract import (
    UNSET,
    Deprecated,
    Example,
    Failure,
    McpTool,
    Meta,
    Name,
    NotFound,
    Pattern,
    TooManyRequests,
    Unset,
    exports,
    route,
    routes,
    spec,
)

__all__ = ["api"]

T = TypeVar("T")
U = TypeVar("U")


class Gone(Failure, status=410):
    r"""
    It was here once.

    Two paragraphs, a `code`, <b>markup</b>, a "quotation" and a \ in a description.
    """


class Locked(Failure, status=423, code="E2"):
    owner: str
    until: datetime | None = None


class ConflictError(Failure, status=409):
    """The code ends in ERROR."""

    versions: list[int]


class Conflict(Failure, status=409):
    """Its schema would be called as that of CONFLICT_ERROR is."""


class Odd(Failure, status=499):
    """A status that nobody has registered."""

    message: str | Unset = UNSET


class OddError(Failure, status=418, code="TEAPOT"):
    """A class that is called as an error's body might be."""


@dataclass(frozen=True)
class GoneError:
    """A type that is called as the body of GONE would be."""

    gone_error: str


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of anything."""

    items: Sequence[T]
    next: Page[T] | None = None


@dataclass(frozen=True)
class Pair(Generic[T, U]):
    first: T
    second: U


@dataclass(frozen=True)
class Tree:
    """Holds itself in four ways."""

    children: list[Tree]
    by_name: dict[str, Tree]
    parent: Tree | None = None
    either: Leaf | Twig | Unset = UNSET


@dataclass(frozen=True)
class Leaf:
    kind: Literal["leaf"]
    colour: Colour


@dataclass(frozen=True)
class Twig:
    kind: Literal["twig", "branch"]
    tree: Tree | None
    weight: Annotated[float, Interval(gt=0, le=1e6)] = 1.5


class Colour(Enum):
    """Values that are not identifiers."""

    RED = "röd"
    NOTHING = "\u2400"
    SPACED = "a b"
    CLASS = "class"


class Level(IntEnum):
    LOW = -1
    ZERO = 0
    HIGH = 2**40


class Point(NamedTuple):
    """Two numbers."""

    x: float
    y: Annotated[float, Doc("Up.")] = 0.0


class Options(TypedDict):
    """A typed dict."""

    must: bool
    may: NotRequired[Annotated[int, MultipleOf(5)]]


Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Größe:  # noqa: PLC2401
    """Ein Maß."""

    größe: Annotated[Decimal, Ge(Decimal(0)), Le(Decimal("9.9")), Example(Decimal("1.5"))]  # noqa: PLC2401
    einheit: Annotated[str, Name("Einheit: metrisch")] = "m"


@dataclass(frozen=True, kw_only=True)
class Everything:
    """Every scalar, and names that are none elsewhere."""

    id: Annotated[str, Name("@id"), Pattern(r'^[^"\\/]+$')]
    class_: Annotated[str, Name("class")] = "x"
    from_: Annotated[int, Name("from")] = 0
    data_type: Annotated[str, Name("data-type")] = ""
    emoji: Annotated[str, Name("\u2615")] = "\u2615"
    error: Literal["error"] = "error"
    flag: bool = False
    number: float = 0.1
    big: Annotated[int, Interval(ge=-(2**63), le=2**63 - 1)] = 2**63 - 1
    day: date | None = None
    moment: datetime | None = None
    clock: time | None = None
    span: timedelta = timedelta(seconds=90)
    key: UUID | None = None
    raw: Annotated[bytes, Len(0, 10)] = b"\x00\xff"
    mixed: Literal[1, "one", 2, True] = 1
    level: Level = Level.ZERO
    tags: Annotated[frozenset[str], Len(0, 3)] = frozenset()
    position: Point = Point(1.0)  # noqa: RUF009  a tuple
    triple: tuple[int, str, bool] = (1, "a", True)
    options: Options = field(default_factory=lambda: Options(must=True))
    anything: Any = None
    free: Json = field(default_factory=dict)
    counts: dict[int, Annotated[list[int], Len(0, 2)]] = field(default_factory=dict)
    nested: dict[str, dict[str, list[Größe | None]]] = field(default_factory=dict)
    text_or_number: str | float | None = None
    computed: int = field(default=7, init=False)


@route(summary="Say nothing", tags=["näming"], auth="none")
def nothing(_input: None, _ctx: None) -> None: ...


@route(
    summary="Walk a tree",
    tags=["näming", "2"],
    auth="none",
    effect="read",
    name="tree.walk_v1.0-beta",
    mcp=McpTool(name="walk"),
)
def walk(input: Tree, _ctx: None) -> Tree | Gone | Locked | ConflictError | Conflict | NotFound:
    return input


@route(
    summary="Page",
    tags=["näming"],
    effect="read",
    deprecated=Deprecated(since=date(2026, 1, 1), remove_on=date(2027, 1, 1), use="nothing"),
)
def pages(
    input: Page[Pair[int, Größe]], _ctx: str
) -> Page[Pair[str, Page[Größe]]] | Odd | OddError:
    """
    Give pages of pages.

    # A heading

    With *Markdown*, a [link](https://example.org), and `$ref: "#/$defs/Nothing"`.
    """
    raise NotImplementedError


@route(summary="Everything", tags=["näming"], effect="destructive", deprecated=True)
def everything(input: Everything, _ctx: str) -> Everything | TooManyRequests:
    return input


@route(summary="A list", tags=["näming"], auth="none", effect="idempotent")
def bare(input: list[Leaf | Twig], _ctx: None) -> dict[str, int | None] | Gone:
    return {}


@route(summary="A text", tags=["näming"], auth="none")
def text(input: Annotated[str, Len(1, 5)], _ctx: None) -> int | str | None:
    return input


@route(summary="For the house", tags=["private"], scope="private")
def hidden(input: Pair[Level, Point], _ctx: str) -> Pair[Point, Options]:
    raise NotImplementedError


api = spec(
    authenticate=lambda token, _request: token,
    routes=routes(nothing, walk, pages, everything, bare, text, hidden),
    meta=Meta(
        title='Nästy: <b>a "spec"</b>',
        version="0.0.0-rc.1+build",
        intro="# Hello\n\n`$ref` and \u2603.",
    ),
    exports=exports(Measure=Größe, GoneError=GoneError, Either=Leaf | Twig, Rank=Level),
    rename="camel",
)
