"""Types: what goes over the wire, and the failures that a call may answer with."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Annotated, Generic, Literal, TypeAlias, TypeVar
from uuid import UUID

from annotated_types import Ge, Interval, Le, Len, MultipleOf
from typing_extensions import Doc

from contract import UNSET, Download, Example, Failure, MaxBytes, Media, Pattern, Unset, Upload

__all__ = [
    "Account",
    "AccountPatch",
    "AlreadyShipped",
    "Card",
    "CardDeclined",
    "Cash",
    "Category",
    "CategoryId",
    "Count",
    "Customer",
    "Day",
    "FrontPage",
    "Hours",
    "LowStock",
    "Moment",
    "Money",
    "NewOrder",
    "NewPicture",
    "NewProduct",
    "NoPicture",
    "OpeningHours",
    "Order",
    "OrderCancelled",
    "OrderLine",
    "OrderFilter",
    "OrderKey",
    "OrderRef",
    "OrderStatus",
    "OrderWatch",
    "OutOfStock",
    "OwnPrice",
    "Page",
    "Payment",
    "Period",
    "Picture",
    "PricedLine",
    "Product",
    "ProductExists",
    "ProductId",
    "ProductPage",
    "ProductPatch",
    "ProductQuery",
    "ProductRef",
    "ProductSort",
    "Restock",
    "Review",
    "SalesReport",
    "ScannedNothing",
    "Worker",
]

Item = TypeVar("Item")

ProductId: TypeAlias = Annotated[
    str,
    Len(1, 40),
    Pattern("^[a-z0-9]+(-[a-z0-9]+)*$"),
    Doc("Lower-case words and numbers, joined by hyphens."),
    Example("blue-mug"),
]
CategoryId: TypeAlias = Annotated[
    str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$"), Example("kitchen")
]
Money: TypeAlias = Annotated[
    Decimal,
    Interval(ge=Decimal(0), le=Decimal(1_000_000)),
    MultipleOf(Decimal("0.01")),
    Doc("Euros and cents."),
    Example(Decimal("12.50")),
]
OwnPrice: TypeAlias = Annotated[
    Decimal,
    Interval(ge=Decimal("0.01"), le=Decimal(10_000)),
    MultipleOf(Decimal("0.01")),
    Doc("Euros and cents; nothing is free."),
    Example(Decimal("12.50")),
]
Moment: TypeAlias = Annotated[
    datetime,
    Interval(ge=datetime(2020, 1, 1, tzinfo=UTC), lt=datetime(2100, 1, 1, tzinfo=UTC)),
    Doc("With an offset."),
]
SearchText: TypeAlias = Annotated[str, Len(1, 60)]
Note: TypeAlias = Annotated[str, Len(1, 200)]
Quantity: TypeAlias = Annotated[int, Interval(ge=1, le=100)]
Picture: TypeAlias = Annotated[Download, Media("image/png", "image/jpeg")]
PageNumber: TypeAlias = Annotated[int, Interval(ge=1, le=10_000), Doc("Counted from 1.")]
PageSize: TypeAlias = Annotated[int, Interval(ge=1, le=100), Doc("The most that one page holds.")]


# Failures: what a call may answer with instead of its output. The docstring is the description in the documents.


class OutOfStock(Failure, status=409):
    """There are fewer pieces left than were ordered; nothing was ordered at all."""

    product_id: ProductId
    available: Annotated[int, Ge(0), Doc("Pieces that could be ordered now.")]


class AlreadyShipped(Failure, status=409):
    """The parcel has left the house, so the order cannot be cancelled any more."""

    shipped_at: Moment


class OrderCancelled(Failure, status=409):
    """The order was cancelled, so nothing more becomes of it."""


class CardDeclined(Failure, status=402):
    """The card was not accepted."""


class ProductExists(Failure, status=409):
    """Another product has this id."""


class NoPicture(Failure, status=422):
    """The file is neither a PNG nor a JPEG, whatever it calls itself."""


class ScannedNothing(Failure, status=409):
    """A scanner has found an empty shelf, which somebody has to see before it is believed."""


# The catalog.


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a longer list."""

    items: list[Item]
    page: PageNumber
    total: Annotated[int, Ge(0), Doc("Items on all pages together.")]
    next_page: Annotated[
        int | None, Doc("The number of the page after this one, or null on the last.")
    ] = None


@dataclass(frozen=True, slots=True)
class Category:
    """A shelf, and the shelves in it."""

    id: CategoryId
    title: str
    children: list[Category]


@dataclass(frozen=True, slots=True)
class Product:
    """Something that can be bought."""

    id: ProductId
    name: str
    price: OwnPrice
    stock: Annotated[int, Ge(0), Doc("Pieces that can be ordered now.")]
    category: CategoryId
    added_at: Moment


class ProductSort(Enum):
    """The order of a list of products."""

    NAME = "name"
    CHEAPEST = "cheapest"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class ProductQuery:
    """Which products to list; without any field, all of them."""

    search: Annotated[SearchText | None, Doc("A part of the name, in any case.")] = None
    category: Annotated[CategoryId | None, Doc("Only this category and those below it.")] = None
    max_price: Money | None = None
    in_stock: bool = False
    sort: ProductSort = ProductSort.NAME
    page: PageNumber = 1
    page_size: PageSize = 20


@dataclass(frozen=True, slots=True)
class ProductRef:
    """Which product."""

    id: ProductId


@dataclass(frozen=True, slots=True)
class Review:
    """What somebody thought of a product."""

    author: str
    stars: Annotated[int, Interval(ge=1, le=5)]
    text: str
    written_at: Moment


@dataclass(frozen=True, slots=True)
class ProductPage:
    """All that a page about a product shows."""

    product: Product
    reviews: list[Review]
    related: Annotated[list[Product], Doc("Others of its category.")]


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What the first page shows."""

    newest: list[Product]
    account: Annotated[Account | None, Doc("Whose token was sent; null without one.")] = None


class Day(Enum):
    """A day of the week."""

    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


@dataclass(frozen=True, slots=True)
class Hours:
    """From when to when the shop is open."""

    opens: time
    closes: time


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """When somebody is there; a day that is missing is a day off."""

    days: dict[Day, Hours]
    closed_on: list[date]


# Orders.


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Paid by card, at once."""

    kind: Literal["card"] = "card"
    number: Annotated[
        str, Pattern("^[0-9]{12,19}$"), Doc("Digits only."), Example("4242424242424242")
    ] = field(repr=False)
    expires: Annotated[
        str, Pattern("^(0[1-9]|1[0-2])/[0-9]{2}$"), Doc("Month and year."), Example("04/29")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cash:
    """Paid at the door."""

    kind: Literal["cash"] = "cash"
    change_for: Annotated[Money | None, Doc("The note that the customer will pay with.")] = None


Payment: TypeAlias = Card | Cash


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A product, and how many of it."""

    product_id: ProductId
    quantity: Quantity = 1


@dataclass(frozen=True, slots=True)
class NewOrder:
    """What to buy, and how it will be paid."""

    lines: Annotated[list[OrderLine], Len(1, 20)]
    payment: Payment
    note: Note | None = None
    deliver_after: Moment | None = None


class OrderStatus(Enum):
    """Where an order stands."""

    PLACED = "placed"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A line of an order, at the price of its day."""

    product_id: ProductId
    quantity: Annotated[int, Ge(1)]
    unit_price: OwnPrice


@dataclass(frozen=True, slots=True)
class Order:
    """An order of a customer."""

    id: UUID
    status: OrderStatus
    lines: list[PricedLine]
    total: Annotated[Decimal, Ge(Decimal(0)), Doc("Euros and cents.")]
    paid_by: Literal["card", "cash"]
    placed_at: Moment
    note: str | None = None
    deliver_after: Moment | None = None
    shipped_at: Moment | None = None


@dataclass(frozen=True, slots=True)
class OrderRef:
    """Which order."""

    id: UUID


@dataclass(frozen=True, slots=True)
class OrderWatch:
    """Which order to watch, and for how long."""

    id: UUID
    seconds: Annotated[int, Interval(ge=0, le=3_600)] = 30


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """Which of the caller's orders to list, newest first."""

    status: OrderStatus | None = None
    since: Moment | None = None


OrderKey: TypeAlias = tuple[datetime, UUID]
"""Where an order stands in a list: when it was placed, and its id."""


# Customers. A Customer is who calls: it is made from the token, and never goes over the wire.


@dataclass(frozen=True, slots=True)
class Customer:
    """Who calls."""

    id: str
    staff: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """What the shop knows of a customer."""

    id: str
    name: str
    phone: str | None
    orders: Annotated[int, Ge(0)]


Phone: TypeAlias = Annotated[str, Pattern("^\\+[0-9]{6,15}$"), Example("+4930123456")]


@dataclass(frozen=True, slots=True)
class AccountPatch:
    """What to change; what is left out stays as it is, and a null phone is taken away."""

    name: Annotated[str, Len(1, 80)] | Unset = UNSET
    phone: Phone | Unset | None = UNSET


# For the staff.


@dataclass(frozen=True, slots=True)
class NewProduct:
    """A product that the shop did not have."""

    id: ProductId
    name: Annotated[str, Len(1, 80)]
    price: OwnPrice
    category: CategoryId
    stock: Annotated[int, Interval(ge=0, le=10_000)] = 0


@dataclass(frozen=True, slots=True)
class ProductPatch:
    """What to change of a product; what is left out stays as it is."""

    id: ProductId
    name: Annotated[str, Len(1, 80)] | Unset = UNSET
    price: OwnPrice | Unset = UNSET
    category: CategoryId | Unset = UNSET


@dataclass(frozen=True, slots=True)
class NewPicture:
    """A picture of a product, in place of the one before."""

    id: ProductId
    picture: Annotated[Upload, MaxBytes(2_000_000), Media("image/png", "image/jpeg")]


@dataclass(frozen=True, slots=True)
class Restock:
    """Pieces that came in."""

    id: ProductId
    quantity: Annotated[int, Ge(1), Le(10_000)]


# The warehouse. A Worker is who counts there: somebody of the staff, or the scanner in their hand.


@dataclass(frozen=True, slots=True)
class Worker:
    """Who counts."""

    name: str
    scopes: frozenset[str] = frozenset()
    """What they may do; `requires` asks for these."""
    is_scanner: bool = False


@dataclass(frozen=True, slots=True)
class LowStock:
    """Which products to list."""

    below: Annotated[Quantity, Doc("Those with fewer pieces than this.")] = 10


@dataclass(frozen=True, slots=True)
class Count:
    """Pieces that lie on the shelf."""

    id: ProductId
    pieces: Annotated[int, Interval(ge=0, le=10_000)]


@dataclass(frozen=True, slots=True)
class Period:
    """From *since*, included, to *until*, not included."""

    since: Moment
    until: Moment


@dataclass(frozen=True, slots=True)
class SalesReport:
    """What was sold in a period."""

    orders: Annotated[int, Ge(0)]
    turnover: Annotated[Decimal, Ge(Decimal(0)), Doc("Euros and cents.")]
    pieces: Annotated[dict[ProductId, int], Doc("Pieces sold of each product.")]
