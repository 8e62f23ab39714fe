"""
Contract API 0.0.0: a client.

Generated from the contract with the SHA-256 digest e039fd5ad18ee9aae0ca1c3df9a512e499b5776d6ff60bd08b3a1406649e9662. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Annotated, Final, Generic, Literal, Never, TypeAlias, TypeVar, final
from uuid import UUID

from annotated_types import Ge
from contract.client import (
    UNSET,
    ApiClientBase,
    AsyncApiClientBase,
    CallError,
    CallFailed,
    DeclaredFailure,
    Name,
    Ok,
    Operation,
    Pattern,
    RouteSchemas,
    Schema,
    Unset,
    unwrap,
)

__all__ = [
    "Answer",
    "ApiClient",
    "AsyncApiClient",
    "CallError",
    "CallFailed",
    "Card",
    "CardInput",
    "Cash",
    "CashInput",
    "Color",
    "First",
    "Ok",
    "Page",
    "PageInput",
    "Page_strInput",
    "Pair",
    "Payment",
    "PaymentInput",
    "Point",
    "Second",
    "SoldOut",
    "UNSET",
    "Unset",
    "schemas",
    "unwrap",
]


_T = TypeVar("_T")
_T1 = TypeVar("_T1")
_T2 = TypeVar("_T2")


@dataclass(frozen=True, slots=True, kw_only=True)
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
    record: list[Point] | Point | None
    mixed: int | str | Card | Cash
    texts: Decimal | UUID | time


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    number: Annotated[str, Pattern("^[0-9]{16}$")]
    kind: Literal["card"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardInput:
    number: Annotated[str, Pattern("^[0-9]{16}$")]
    kind: Literal["card"] = "card"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cash:
    kind: Literal["cash", "coins"]
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CashInput:
    kind: Literal["cash", "coins"]
    amount: int = 1


class Color(Enum):
    """What can be painted."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    version: Literal[1]
    name: str


@dataclass(frozen=True, kw_only=True)
class Page(Generic[_T]):
    """A part of a list."""

    items: list[_T]
    next: str | None


@dataclass(frozen=True, kw_only=True)
class PageInput(Generic[_T]):
    """A part of a list."""

    items: list[_T]
    next: str | None = None


@dataclass(frozen=True, kw_only=True)
class Pair(Generic[_T1, _T2]):
    left: _T1
    right: _T2


Payment: TypeAlias = Card | Cash


PaymentInput: TypeAlias = CardInput | CashInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Second:
    version: Literal[2]
    names: list[str]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SoldOut(DeclaredFailure, code="SOLD_OUT", status=409):
    """Nobody has any left."""

    restock_days: Annotated[int, Ge(0), Name("restockDays")]
    note: str | Unset = UNSET


Page_strInput: TypeAlias = PageInput[str]


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.Payment: Final[Schema[Payment]] = Schema(Payment)
        self.PaymentInput: Final[Schema[PaymentInput]] = Schema(PaymentInput)
        self.choose: Final[RouteSchemas[int | str | list[Color], Literal["yes", "no"] | None]] = RouteSchemas(
            input=Schema(int | str | list[Color]),
            output=Schema(Literal["yes", "no"] | None),
        )
        self.pages: Final[RouteSchemas[Pair[PageInput[str], int], Page[Pair[Color, Page[Point]]]]] = RouteSchemas(
            input=Schema(Pair[PageInput[str], int]),
            output=Schema(Page[Pair[Color, Page[Point]]]),
        )
        self.pay: Final[RouteSchemas[CardInput | CashInput, Answer]] = RouteSchemas(
            input=Schema(CardInput | CashInput),
            output=Schema(Answer),
        )
        self.points: Final[RouteSchemas[PageInput[int], Page[Point]]] = RouteSchemas(
            input=Schema(PageInput[int]),
            output=Schema(Page[Point]),
        )


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_CHOOSE: Final[Operation[int | str | list[Color], Literal["yes", "no"] | None, Never]] = Operation(
    "choose",
    effect="read",
    schemas=schemas.choose,
)
_PAGES: Final[Operation[Pair[PageInput[str], int], Page[Pair[Color, Page[Point]]], Never]] = Operation(
    "pages",
    effect="read",
    schemas=schemas.pages,
)
_PAY: Final[Operation[CardInput | CashInput, Answer, SoldOut]] = Operation(
    "pay",
    effect="write",
    schemas=schemas.pay,
    failures=(SoldOut,),
)
_POINTS: Final[Operation[PageInput[int], Page[Point], Never]] = Operation(
    "points",
    effect="read",
    schemas=schemas.points,
)


class ApiClient(ApiClientBase):
    """A client of Contract API."""

    _title = "Contract API"
    _version = "0.0.0"

    def choose(self, input: int | str | list[Color], /) -> Ok[Literal["yes", "no"] | None] | CallError:
        """
        Choose.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_CHOOSE, input)

    def pages(self, *, left: PageInput[str], right: int) -> Ok[Page[Pair[Color, Page[Point]]]] | CallError:
        """
        List pages.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_PAGES, Pair[PageInput[str], int](left=left, right=right))

    def pay(self, input: CardInput | CashInput, /) -> Ok[Answer] | SoldOut | CallError:
        """
        Pay.

        Is never tried again by itself.

        Failures:
            SoldOut: Nobody has any left.
        """
        return self._call(_PAY, input)

    def points(self, *, items: list[int], next: str | None = None) -> Ok[Page[Point]] | CallError:
        """
        List points.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_POINTS, PageInput[int](items=items, next=next))


class AsyncApiClient(AsyncApiClientBase):
    """A client of Contract API, for asyncio or Trio."""

    _title = "Contract API"
    _version = "0.0.0"

    async def choose(self, input: int | str | list[Color], /) -> Ok[Literal["yes", "no"] | None] | CallError:
        """
        Choose.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_CHOOSE, input)

    async def pages(self, *, left: PageInput[str], right: int) -> Ok[Page[Pair[Color, Page[Point]]]] | CallError:
        """
        List pages.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_PAGES, Pair[PageInput[str], int](left=left, right=right))

    async def pay(self, input: CardInput | CashInput, /) -> Ok[Answer] | SoldOut | CallError:
        """
        Pay.

        Is never tried again by itself.

        Failures:
            SoldOut: Nobody has any left.
        """
        return await self._call(_PAY, input)

    async def points(self, *, items: list[int], next: str | None = None) -> Ok[Page[Point]] | CallError:
        """
        List points.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_POINTS, PageInput[int](items=items, next=next))
