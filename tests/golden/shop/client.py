"""
Shop 1.0.0: a client.

A small shop for kitchen and desk. Looking around is free; to order, send a bearer token.

Generated from the contract with the SHA-256 digest 74ca03daf631114821a825010c3f38e25f4fbdcea7fcc52f9236a42bce325d80. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Annotated, Final, Generic, Literal, Never, TypeVar, Unpack, final
from uuid import UUID

from annotated_types import Ge, Le, Len, Lt, MultipleOf
from contract.client import (
    UNSET,
    ApiClientBase,
    ApiGroupBase,
    AsyncApiClientBase,
    AsyncApiGroupBase,
    AsyncClientOptions,
    AsyncFile,
    AsyncHeaderValue,
    AsyncItems,
    CallError,
    CallFailed,
    ClientOptions,
    DeclaredFailure,
    DownloadOperation,
    File,
    HeaderValue,
    Items,
    Ok,
    OneFile,
    Operation,
    PageKey,
    Paged,
    Pattern,
    RouteSchemas,
    Schema,
    StreamOperation,
    Unset,
    async_paged,
    paged,
    pages,
    unwrap,
)

__all__ = [
    "Account",
    "AccountPatch",
    "AlreadyShipped",
    "ApiClient",
    "AsyncApiClient",
    "CallError",
    "CallFailed",
    "CardDeclined",
    "CardInput",
    "CashInput",
    "Category",
    "Count",
    "Cursor_OrderFilterInput",
    "Day",
    "Forbidden",
    "FrontPage",
    "Hours",
    "LowStockInput",
    "NewOrderInput",
    "NewPicture",
    "NewProductInput",
    "NoPicture",
    "NotFound",
    "Ok",
    "OpeningHours",
    "Order",
    "OrderCancelled",
    "OrderFilterInput",
    "OrderLineInput",
    "OrderRef",
    "OrderStatus",
    "OrderWatchInput",
    "OutOfStock",
    "Page",
    "PricedLine",
    "Product",
    "ProductExists",
    "ProductPage",
    "ProductPatch",
    "ProductQueryInput",
    "ProductRef",
    "ProductSort",
    "Restock",
    "Review",
    "ScannedNothing",
    "Slice",
    "UNSET",
    "Unset",
    "pages",
    "schemas",
    "unwrap",
]


_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What the shop knows of a customer."""

    id: str
    name: str
    phone: str | None
    orders: Annotated[int, Ge(0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPatch:
    """What to change; what is left out stays as it is, and a null phone is taken away."""

    name: Annotated[str, Len(1, 80)] | Unset = UNSET
    phone: Annotated[str, Pattern("^\\+[0-9]{6,15}$")] | Unset | None = UNSET
    """For example ``+4930123456``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardInput:
    """Paid by card, at once."""

    kind: Literal["card"] = "card"
    number: Annotated[str, Pattern("^[0-9]{12,19}$")]
    """Digits only. For example ``4242424242424242``."""
    expires: Annotated[str, Pattern("^(0[1-9]|1[0-2])/[0-9]{2}$")]
    """Month and year. For example ``04/29``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CashInput:
    """Paid at the door."""

    kind: Literal["cash"] = "cash"
    change_for: Annotated[Decimal, Ge(Decimal("0")), Le(Decimal("1000000")), MultipleOf(Decimal("0.01"))] | None = None
    """The note that the customer will pay with. For example ``12.50``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A shelf, and the shelves in it."""

    id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """For example ``kitchen``."""
    title: str
    children: list[Category]


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Pieces that lie on the shelf."""

    id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""
    pieces: Annotated[int, Ge(0), Le(10000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFilterInput:
    """Which of the caller's orders to list, newest first."""

    status: OrderStatus | None = None
    since: Annotated[datetime, Ge(datetime(2020, 1, 1, tzinfo=UTC)), Lt(datetime(2100, 1, 1, tzinfo=UTC))] | None = None
    """With an offset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor_OrderFilterInput:
    """Which page of a list is asked for."""

    filter: OrderFilterInput = OrderFilterInput()
    """Which items there are; the same for all pages of one list."""
    after: PageKey | None = None
    """`next` of the page before this; null for the first page."""
    limit: Annotated[int, Ge(1), Le(100)] = 50
    """The most items that the page may have."""


class Day(Enum):
    """A day of the week."""

    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPage:
    """What the first page shows."""

    newest: list[Product]
    account: Account | None
    """Whose token was sent; null without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """From when to when the shop is open."""

    opens: time
    closes: time


@dataclass(frozen=True, slots=True, kw_only=True)
class LowStockInput:
    """Which products to list."""

    below: Annotated[int, Ge(1), Le(100)] = 10
    """Those with fewer pieces than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrderInput:
    """What to buy, and how it will be paid."""

    lines: Annotated[list[OrderLineInput], Len(1, 20)]
    payment: CardInput | CashInput
    note: Annotated[str, Len(1, 200)] | None = None
    deliver_after: (
        Annotated[datetime, Ge(datetime(2020, 1, 1, tzinfo=UTC)), Lt(datetime(2100, 1, 1, tzinfo=UTC))] | None
    ) = None
    """With an offset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPicture:
    """A picture of a product, in place of the one before."""

    id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewProductInput:
    """A product that the shop did not have."""

    id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""
    name: Annotated[str, Len(1, 80)]
    price: Annotated[Decimal, Ge(Decimal("0.01")), Le(Decimal("10000")), MultipleOf(Decimal("0.01"))]
    """Euros and cents; nothing is free. For example ``12.50``."""
    category: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """For example ``kitchen``."""
    stock: Annotated[int, Ge(0), Le(10000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningHours:
    """When somebody is there; a day that is missing is a day off."""

    days: dict[Day, Hours]
    closed_on: list[date]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An order of a customer."""

    id: UUID
    status: OrderStatus
    lines: list[PricedLine]
    total: Annotated[Decimal, Ge(Decimal("0"))]
    """Euros and cents."""
    paid_by: Literal["card", "cash"]
    placed_at: Annotated[datetime, Ge(datetime(2020, 1, 1, tzinfo=UTC)), Lt(datetime(2100, 1, 1, tzinfo=UTC))]
    """With an offset."""
    note: str | None
    deliver_after: (
        Annotated[datetime, Ge(datetime(2020, 1, 1, tzinfo=UTC)), Lt(datetime(2100, 1, 1, tzinfo=UTC))] | None
    )
    """With an offset."""
    shipped_at: Annotated[datetime, Ge(datetime(2020, 1, 1, tzinfo=UTC)), Lt(datetime(2100, 1, 1, tzinfo=UTC))] | None
    """With an offset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLineInput:
    """A product, and how many of it."""

    product_id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""
    quantity: Annotated[int, Ge(1), Le(100)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRef:
    """Which order."""

    id: UUID


class OrderStatus(Enum):
    """Where an order stands."""

    PLACED = "placed"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderWatchInput:
    """Which order to watch, and for how long."""

    id: UUID
    seconds: Annotated[int, Ge(0), Le(3600)] = 30


@dataclass(frozen=True, kw_only=True)
class Page(Generic[_T]):
    """One page of a longer list."""

    items: list[_T]
    page: Annotated[int, Ge(1), Le(10000)]
    """Counted from 1."""
    total: Annotated[int, Ge(0)]
    """Items on all pages together."""
    next_page: int | None
    """The number of the page after this one, or null on the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedLine:
    """A line of an order, at the price of its day."""

    product_id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""
    quantity: Annotated[int, Ge(1)]
    unit_price: Annotated[Decimal, Ge(Decimal("0.01")), Le(Decimal("10000")), MultipleOf(Decimal("0.01"))]
    """Euros and cents; nothing is free. For example ``12.50``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """Something that can be bought."""

    id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""
    name: str
    price: Annotated[Decimal, Ge(Decimal("0.01")), Le(Decimal("10000")), MultipleOf(Decimal("0.01"))]
    """Euros and cents; nothing is free. For example ``12.50``."""
    stock: Annotated[int, Ge(0)]
    """Pieces that can be ordered now."""
    category: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """For example ``kitchen``."""
    added_at: Annotated[datetime, Ge(datetime(2020, 1, 1, tzinfo=UTC)), Lt(datetime(2100, 1, 1, tzinfo=UTC))]
    """With an offset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductPage:
    """All that a page about a product shows."""

    product: Product
    reviews: list[Review]
    related: list[Product]
    """Others of its category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductPatch:
    """What to change of a product; what is left out stays as it is."""

    id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""
    name: Annotated[str, Len(1, 80)] | Unset = UNSET
    price: Annotated[Decimal, Ge(Decimal("0.01")), Le(Decimal("10000")), MultipleOf(Decimal("0.01"))] | Unset = UNSET
    """Euros and cents; nothing is free. For example ``12.50``."""
    category: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")] | Unset = UNSET
    """For example ``kitchen``."""


class ProductSort(Enum):
    """The order of a list of products."""

    NAME = "name"
    CHEAPEST = "cheapest"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductQueryInput:
    """Which products to list; without any field, all of them."""

    search: Annotated[str, Len(1, 60)] | None = None
    """A part of the name, in any case."""
    category: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")] | None = None
    """Only this category and those below it. For example ``kitchen``."""
    max_price: Annotated[Decimal, Ge(Decimal("0")), Le(Decimal("1000000")), MultipleOf(Decimal("0.01"))] | None = None
    """Euros and cents. For example ``12.50``."""
    in_stock: bool = False
    sort: ProductSort = ProductSort.NAME
    page: Annotated[int, Ge(1), Le(10000)] = 1
    """Counted from 1."""
    page_size: Annotated[int, Ge(1), Le(100)] = 20
    """The most that one page holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductRef:
    """Which product."""

    id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restock:
    """Pieces that came in."""

    id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""
    quantity: Annotated[int, Ge(1), Le(10000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What somebody thought of a product."""

    author: str
    stars: Annotated[int, Ge(1), Le(5)]
    text: str
    written_at: Annotated[datetime, Ge(datetime(2020, 1, 1, tzinfo=UTC)), Lt(datetime(2100, 1, 1, tzinfo=UTC))]
    """With an offset."""


@dataclass(frozen=True, kw_only=True)
class Slice(Generic[_T]):
    """A page of a list."""

    items: list[_T]
    next: PageKey | None
    """`after` of the page that follows, asked for with the same filter; null: no more."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyShipped(DeclaredFailure, code="ALREADY_SHIPPED", status=409):
    """The parcel has left the house, so the order cannot be cancelled any more."""

    shipped_at: Annotated[datetime, Ge(datetime(2020, 1, 1, tzinfo=UTC)), Lt(datetime(2100, 1, 1, tzinfo=UTC))]
    """With an offset."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CardDeclined(DeclaredFailure, code="CARD_DECLINED", status=402):
    """The card was not accepted."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden(DeclaredFailure, code="FORBIDDEN", status=403):
    """The caller is known, but may not do this."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NoPicture(DeclaredFailure, code="NO_PICTURE", status=422):
    """The file is neither a PNG nor a JPEG, whatever it calls itself."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound(DeclaredFailure, code="NOT_FOUND", status=404):
    """The thing that the call names does not exist."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCancelled(DeclaredFailure, code="ORDER_CANCELLED", status=409):
    """The order was cancelled, so nothing more becomes of it."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfStock(DeclaredFailure, code="OUT_OF_STOCK", status=409):
    """There are fewer pieces left than were ordered; nothing was ordered at all."""

    product_id: Annotated[str, Len(1, 40), Pattern("^[a-z0-9]+(-[a-z0-9]+)*$")]
    """Lower-case words and numbers, joined by hyphens. For example ``blue-mug``."""
    available: Annotated[int, Ge(0)]
    """Pieces that could be ordered now."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProductExists(DeclaredFailure, code="PRODUCT_EXISTS", status=409):
    """Another product has this id."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedNothing(DeclaredFailure, code="SCANNED_NOTHING", status=409):
    """A scanner has found an empty shelf, which somebody has to see before it is believed."""


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.add_product: Final[RouteSchemas[NewProductInput, Product]] = RouteSchemas(
            input=Schema(NewProductInput),
            output=Schema(Product),
        )
        self.cancel_order: Final[RouteSchemas[OrderRef, Order]] = RouteSchemas(
            input=Schema(OrderRef),
            output=Schema(Order),
        )
        self.category_tree: Final[RouteSchemas[None, Category]] = RouteSchemas(
            input=Schema(None),
            output=Schema(Category),
        )
        self.front_page: Final[RouteSchemas[None, FrontPage]] = RouteSchemas(
            input=Schema(None),
            output=Schema(FrontPage),
        )
        self.get_account: Final[RouteSchemas[None, Account]] = RouteSchemas(input=Schema(None), output=Schema(Account))
        self.get_order: Final[RouteSchemas[OrderRef, Order]] = RouteSchemas(
            input=Schema(OrderRef),
            output=Schema(Order),
        )
        self.get_product: Final[RouteSchemas[ProductRef, Product]] = RouteSchemas(
            input=Schema(ProductRef),
            output=Schema(Product),
        )
        self.list_orders: Final[RouteSchemas[Cursor_OrderFilterInput, Slice[Order]]] = RouteSchemas(
            input=Schema(Cursor_OrderFilterInput),
            output=Schema(Slice[Order]),
        )
        self.list_products: Final[RouteSchemas[ProductQueryInput, Page[Product]]] = RouteSchemas(
            input=Schema(ProductQueryInput),
            output=Schema(Page[Product]),
        )
        self.opening_hours: Final[RouteSchemas[None, OpeningHours]] = RouteSchemas(
            input=Schema(None),
            output=Schema(OpeningHours),
        )
        self.picture: Final[RouteSchemas[ProductRef, None]] = RouteSchemas(
            input=Schema(ProductRef),
            output=Schema(None),
        )
        self.place_order: Final[RouteSchemas[NewOrderInput, Order]] = RouteSchemas(
            input=Schema(NewOrderInput),
            output=Schema(Order),
        )
        self.product_page: Final[RouteSchemas[ProductRef, ProductPage]] = RouteSchemas(
            input=Schema(ProductRef),
            output=Schema(ProductPage),
        )
        self.restock: Final[RouteSchemas[Restock, Product]] = RouteSchemas(
            input=Schema(Restock),
            output=Schema(Product),
        )
        self.set_picture: Final[RouteSchemas[NewPicture, None]] = RouteSchemas(
            input=Schema(NewPicture),
            output=Schema(None),
        )
        self.ship_order: Final[RouteSchemas[OrderRef, Order]] = RouteSchemas(
            input=Schema(OrderRef),
            output=Schema(Order),
        )
        self.update_account: Final[RouteSchemas[AccountPatch, Account]] = RouteSchemas(
            input=Schema(AccountPatch),
            output=Schema(Account),
        )
        self.update_product: Final[RouteSchemas[ProductPatch, Product]] = RouteSchemas(
            input=Schema(ProductPatch),
            output=Schema(Product),
        )
        self.warehouse_count: Final[RouteSchemas[Count, Product]] = RouteSchemas(
            input=Schema(Count),
            output=Schema(Product),
        )
        self.warehouse_low_stock: Final[RouteSchemas[LowStockInput, list[Product]]] = RouteSchemas(
            input=Schema(LowStockInput),
            output=Schema(list[Product]),
        )
        self.watch_order: Final[RouteSchemas[OrderWatchInput, Order]] = RouteSchemas(
            input=Schema(OrderWatchInput),
            output=Schema(Order),
        )
        self.withdraw_product: Final[RouteSchemas[ProductRef, None]] = RouteSchemas(
            input=Schema(ProductRef),
            output=Schema(None),
        )


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_ADD_PRODUCT: Final[Operation[NewProductInput, Product, Forbidden | NotFound | ProductExists]] = Operation(
    "add_product",
    effect="write",
    schemas=schemas.add_product,
    failures=(Forbidden, NotFound, ProductExists),
)
_CANCEL_ORDER: Final[Operation[OrderRef, Order, AlreadyShipped | NotFound]] = Operation(
    "cancel_order",
    effect="idempotent",
    schemas=schemas.cancel_order,
    failures=(AlreadyShipped, NotFound),
)
_CATEGORY_TREE: Final[Operation[None, Category, Never]] = Operation(
    "category_tree",
    effect="read",
    schemas=schemas.category_tree,
)
_FRONT_PAGE: Final[Operation[None, FrontPage, Never]] = Operation(
    "front_page",
    effect="read",
    schemas=schemas.front_page,
)
_GET_ACCOUNT: Final[Operation[None, Account, Never]] = Operation(
    "get_account",
    effect="read",
    schemas=schemas.get_account,
)
_GET_ORDER: Final[Operation[OrderRef, Order, NotFound]] = Operation(
    "get_order",
    effect="read",
    schemas=schemas.get_order,
    failures=(NotFound,),
)
_GET_PRODUCT: Final[Operation[ProductRef, Product, NotFound]] = Operation(
    "get_product",
    effect="read",
    schemas=schemas.get_product,
    failures=(NotFound,),
)
_LIST_ORDERS: Final[Operation[Cursor_OrderFilterInput, Slice[Order], Never]] = Operation(
    "list_orders",
    effect="read",
    schemas=schemas.list_orders,
)
_LIST_PRODUCTS: Final[Operation[ProductQueryInput, Page[Product], Never]] = Operation(
    "list_products",
    effect="read",
    cached=True,
    schemas=schemas.list_products,
)
_OPENING_HOURS: Final[Operation[None, OpeningHours, Never]] = Operation(
    "opening_hours",
    effect="read",
    schemas=schemas.opening_hours,
)
_PICTURE: Final[DownloadOperation[ProductRef, NotFound]] = DownloadOperation(
    "picture",
    effect="read",
    media=("image/png", "image/jpeg"),
    schemas=schemas.picture,
    failures=(NotFound,),
)
_PLACE_ORDER: Final[Operation[NewOrderInput, Order, CardDeclined | NotFound | OutOfStock]] = Operation(
    "place_order",
    effect="write",
    schemas=schemas.place_order,
    failures=(CardDeclined, NotFound, OutOfStock),
)
_PRODUCT_PAGE: Final[Operation[ProductRef, ProductPage, NotFound]] = Operation(
    "product_page",
    effect="read",
    schemas=schemas.product_page,
    failures=(NotFound,),
)
_RESTOCK: Final[Operation[Restock, Product, Forbidden | NotFound]] = Operation(
    "restock",
    effect="write",
    schemas=schemas.restock,
    failures=(Forbidden, NotFound),
)
_SET_PICTURE: Final[Operation[NewPicture, None, Forbidden | NotFound | NoPicture]] = Operation(
    "set_picture",
    effect="idempotent",
    schemas=schemas.set_picture,
    failures=(Forbidden, NotFound, NoPicture),
)
_SHIP_ORDER: Final[Operation[OrderRef, Order, Forbidden | NotFound]] = Operation(
    "ship_order",
    effect="idempotent",
    schemas=schemas.ship_order,
    failures=(Forbidden, NotFound),
)
_UPDATE_ACCOUNT: Final[Operation[AccountPatch, Account, Never]] = Operation(
    "update_account",
    effect="idempotent",
    schemas=schemas.update_account,
)
_UPDATE_PRODUCT: Final[Operation[ProductPatch, Product, Forbidden | NotFound]] = Operation(
    "update_product",
    effect="idempotent",
    schemas=schemas.update_product,
    failures=(Forbidden, NotFound),
)
_WAREHOUSE_COUNT: Final[Operation[Count, Product, Forbidden | NotFound | ScannedNothing]] = Operation(
    "warehouse.count",
    effect="idempotent",
    schemas=schemas.warehouse_count,
    failures=(Forbidden, NotFound, ScannedNothing),
)
_WAREHOUSE_LOW_STOCK: Final[Operation[LowStockInput, list[Product], Never]] = Operation(
    "warehouse.low_stock",
    effect="read",
    schemas=schemas.warehouse_low_stock,
)
_WATCH_ORDER: Final[StreamOperation[OrderWatchInput, Order, NotFound, OrderCancelled]] = StreamOperation(
    "watch_order",
    effect="read",
    schemas=schemas.watch_order,
    failures=(NotFound,),
    between=(OrderCancelled,),
)
_WITHDRAW_PRODUCT: Final[Operation[ProductRef, None, Forbidden | NotFound]] = Operation(
    "withdraw_product",
    effect="destructive",
    schemas=schemas.withdraw_product,
    failures=(Forbidden, NotFound),
)


class _WarehouseGroup(ApiGroupBase):
    """The routes of the group ``warehouse``."""

    def count(self, *, id: str, pieces: int) -> Ok[Product] | Forbidden | NotFound | ScannedNothing | CallError:
        """
        Count a shelf.

        Set the stock of a product to what was counted.

        Needs a client with ``token`` or ``x_scanner_key``, and the scopes ``stock:write``. Does no more when it is
        repeated, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
            ScannedNothing: A scanner has found an empty shelf, which somebody has to see before it is believed.
        """
        return self._call(_WAREHOUSE_COUNT, Count(id=id, pieces=pieces))

    def low_stock(self, *, below: int = 10) -> Ok[list[Product]] | CallError:
        """
        List what runs low.

        List what will soon be sold out, the fewest pieces first.

        Needs a client with ``token`` or ``x_scanner_key``. Only reads, so it is tried again if no answer comes.

        Args:
            below: Those with fewer pieces than this.
        """
        return self._call(_WAREHOUSE_LOW_STOCK, LowStockInput(below=below))


class ApiClient(ApiClientBase):
    """A client of Shop."""

    _title = "Shop"
    _version = "1.0.0"

    def __init__(
        self,
        base_url: str,
        *,
        token: HeaderValue | None = None,
        x_scanner_key: HeaderValue | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """
        Make a client with one of the credentials, or with none.

        Args:
            token: A bearer token, or a function that gives it.
            x_scanner_key: The key in the header ``X-Scanner-Key``, or a function that gives it.
            options: As those of every client.
        """
        ApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token, headers={"X-Scanner-Key": x_scanner_key})

    @property
    def warehouse(self) -> _WarehouseGroup:
        """The routes of the group ``warehouse``."""
        return _WarehouseGroup(self._call)

    def add_product(
        self,
        *,
        id: str,
        name: str,
        price: Decimal,
        category: str,
        stock: int = 0,
    ) -> Ok[Product] | Forbidden | NotFound | ProductExists | CallError:
        """
        Add a product.

        Put a new product on sale.

        Needs a client with ``token``. Is never tried again by itself.

        Args:
            id: Lower-case words and numbers, joined by hyphens.
            price: Euros and cents; nothing is free.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
            ProductExists: Another product has this id.
        """
        return self._call(_ADD_PRODUCT, NewProductInput(id=id, name=name, price=price, category=category, stock=stock))

    def cancel_order(self, *, id: UUID) -> Ok[Order] | AlreadyShipped | NotFound | CallError:
        """
        Cancel an order.

        Cancel one of the caller's orders and put its pieces back on the shelf; cancelling twice is the same as once.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            AlreadyShipped: The parcel has left the house, so the order cannot be cancelled any more.
            NotFound: The thing that the call names does not exist.
        """
        return self._call(_CANCEL_ORDER, OrderRef(id=id))

    def category_tree(self) -> Ok[Category] | CallError:
        """
        Get all categories.

        Give all categories, as a tree.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_CATEGORY_TREE, None)

    def front_page(self) -> Ok[FrontPage] | CallError:
        """
        Get the first page.

        Give what came last and, to who is signed in, their account.

        May be called without a credential; a client with ``token`` sends it. Only reads, so it is tried again if no
        answer comes.
        """
        return self._call(_FRONT_PAGE, None)

    def get_account(self) -> Ok[Account] | CallError:
        """
        Get the account.

        Give what the shop knows of the caller.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes.
        """
        return self._call(_GET_ACCOUNT, None)

    def get_order(self, *, id: UUID) -> Ok[Order] | NotFound | CallError:
        """
        Get an order.

        Give one of the caller's orders; the staff may see all.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes.

        Failures:
            NotFound: The thing that the call names does not exist.
        """
        return self._call(_GET_ORDER, OrderRef(id=id))

    def get_product(self, *, id: str) -> Ok[Product] | NotFound | CallError:
        """
        Get a product.

        Give one product, with its price and stock of this moment.

        Only reads, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            NotFound: The thing that the call names does not exist.
        """
        return self._call(_GET_PRODUCT, ProductRef(id=id))

    @paged
    def list_orders(
        self,
        *,
        filter: OrderFilterInput = OrderFilterInput(),
        after: PageKey | None = None,
        limit: int = 50,
    ) -> Paged[Ok[Slice[Order]] | CallError, Ok[Order] | CallError]:
        """
        List orders.

        List the caller's orders, newest first.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes.

        Args:
            filter: Which items there are; the same for all pages of one list.
            after: `next` of the page before this; null for the first page.
            limit: The most items that the page may have.
        """
        return Paged(self._call(_LIST_ORDERS, Cursor_OrderFilterInput(filter=filter, after=after, limit=limit)))

    def list_products(
        self,
        *,
        search: str | None = None,
        category: str | None = None,
        max_price: Decimal | None = None,
        in_stock: bool = False,
        sort: ProductSort = ProductSort.NAME,
        page: int = 1,
        page_size: int = 20,
    ) -> Ok[Page[Product]] | CallError:
        """
        List products.

        List what is on sale, a page at a time; every field of the input narrows the list.

        Only reads, so it is tried again if no answer comes.

        Args:
            search: A part of the name, in any case.
            category: Only this category and those below it.
            max_price: Euros and cents.
            page: Counted from 1.
            page_size: The most that one page holds.
        """
        return self._call(
            _LIST_PRODUCTS,
            ProductQueryInput(
                search=search,
                category=category,
                max_price=max_price,
                in_stock=in_stock,
                sort=sort,
                page=page,
                page_size=page_size,
            ),
        )

    def opening_hours(self) -> Ok[OpeningHours] | CallError:
        """
        Tell when the shop is open.

        Give the hours of every day of the week on which the shop is open, and the days of this year on which it is not.

        Only reads, so it is tried again if no answer comes.
        """
        return self._call(_OPENING_HOURS, None)

    def picture(self, *, id: str) -> Ok[File] | NotFound | CallError:
        """
        Get the picture of a product.

        Give the picture of a product, to be shown in a page.

        Only reads, so it is tried again if no answer comes. Gives a file (image/png or image/jpeg); save or read it, or
        close it by ``with``, or ``async with``.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            NotFound: The thing that the call names does not exist.
        """
        return self._call(_PICTURE, ProductRef(id=id))

    def place_order(
        self,
        *,
        lines: list[OrderLineInput],
        payment: CardInput | CashInput,
        note: str | None = None,
        deliver_after: datetime | None = None,
    ) -> Ok[Order] | CardDeclined | NotFound | OutOfStock | CallError:
        """
        Order products.

        Order products, all lines or none.

        A card is charged at once, cash is paid at the door. The price is that of this moment, also if it changes before
        the delivery.

        Needs a client with ``token``. Is never tried again by itself.

        Args:
            deliver_after: With an offset.

        Failures:
            CardDeclined: The card was not accepted.
            NotFound: The thing that the call names does not exist.
            OutOfStock: There are fewer pieces left than were ordered; nothing was ordered at all.
        """
        return self._call(
            _PLACE_ORDER,
            NewOrderInput(lines=lines, payment=payment, note=note, deliver_after=deliver_after),
        )

    def product_page(self, *, id: str) -> Ok[ProductPage] | NotFound | CallError:
        """
        Get the page of a product.

        Give a product with its reviews and what else there is of its kind.

        The three reads wait for the disk side by side, each in a thread, and the event loop goes on serving others.

        Only reads, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            NotFound: The thing that the call names does not exist.
        """
        return self._call(_PRODUCT_PAGE, ProductRef(id=id))

    def restock(self, *, id: str, quantity: int) -> Ok[Product] | Forbidden | NotFound | CallError:
        """
        Count a delivery.

        Count pieces that came in.

        Needs a client with ``token``. Is never tried again by itself.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
        """
        return self._call(_RESTOCK, Restock(id=id, quantity=quantity))

    def set_picture(self, *, id: str, picture: OneFile) -> Ok[None] | Forbidden | NotFound | NoPicture | CallError:
        """
        Set the picture of a product.

        Keep a picture of a product, in place of the one before.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.
            picture: A file of at most 2000000 bytes, of the type image/png or image/jpeg. Bytes have no name that
                tells their type: give them as an `Attachment`.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
            NoPicture: The file is neither a PNG nor a JPEG, whatever it calls itself.
        """
        return self._call(_SET_PICTURE, NewPicture(id=id), {"picture": picture})

    def ship_order(self, *, id: UUID) -> Ok[Order] | Forbidden | NotFound | CallError:
        """
        Ship an order.

        Tell that a parcel left the house; an order that was cancelled is not found.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
        """
        return self._call(_SHIP_ORDER, OrderRef(id=id))

    def update_account(
        self,
        *,
        name: str | Unset = UNSET,
        phone: str | Unset | None = UNSET,
    ) -> Ok[Account] | CallError:
        """
        Change the account.

        Change the caller's name or phone number; a field that is left out stays as it is, a null phone is taken away.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.
        """
        return self._call(_UPDATE_ACCOUNT, AccountPatch(name=name, phone=phone))

    def update_product(
        self,
        *,
        id: str,
        name: str | Unset = UNSET,
        price: Decimal | Unset = UNSET,
        category: str | Unset = UNSET,
    ) -> Ok[Product] | Forbidden | NotFound | CallError:
        """
        Change a product.

        Change a product's name, price or category; a field that is left out stays as it is.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.
            price: Euros and cents; nothing is free.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
        """
        return self._call(_UPDATE_PRODUCT, ProductPatch(id=id, name=name, price=price, category=category))

    def watch_order(self, *, id: UUID, seconds: int = 30) -> Ok[Items[Order, OrderCancelled]] | NotFound | CallError:
        """
        Watch an order.

        Give one of the caller's orders as it is, and again whenever it has changed, until it is shipped.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes. Gives its items one by one;
        close it by ``with``, or ``async with``.

        Failures:
            NotFound: The thing that the call names does not exist.

        Between items:
            OrderCancelled: The order was cancelled, so nothing more becomes of it.
        """
        return self._call(_WATCH_ORDER, OrderWatchInput(id=id, seconds=seconds))

    def withdraw_product(self, *, id: str) -> Ok[None] | Forbidden | NotFound | CallError:
        """
        Withdraw a product.

        Take a product off the shelf for good; orders that have it keep it.

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
        """
        return self._call(_WITHDRAW_PRODUCT, ProductRef(id=id))


class _AsyncWarehouseGroup(AsyncApiGroupBase):
    """The routes of the group ``warehouse``."""

    async def count(self, *, id: str, pieces: int) -> Ok[Product] | Forbidden | NotFound | ScannedNothing | CallError:
        """
        Count a shelf.

        Set the stock of a product to what was counted.

        Needs a client with ``token`` or ``x_scanner_key``, and the scopes ``stock:write``. Does no more when it is
        repeated, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
            ScannedNothing: A scanner has found an empty shelf, which somebody has to see before it is believed.
        """
        return await self._call(_WAREHOUSE_COUNT, Count(id=id, pieces=pieces))

    async def low_stock(self, *, below: int = 10) -> Ok[list[Product]] | CallError:
        """
        List what runs low.

        List what will soon be sold out, the fewest pieces first.

        Needs a client with ``token`` or ``x_scanner_key``. Only reads, so it is tried again if no answer comes.

        Args:
            below: Those with fewer pieces than this.
        """
        return await self._call(_WAREHOUSE_LOW_STOCK, LowStockInput(below=below))


class AsyncApiClient(AsyncApiClientBase):
    """A client of Shop, for asyncio or Trio."""

    _title = "Shop"
    _version = "1.0.0"

    def __init__(
        self,
        base_url: str,
        *,
        token: AsyncHeaderValue | None = None,
        x_scanner_key: AsyncHeaderValue | None = None,
        **options: Unpack[AsyncClientOptions],
    ) -> None:
        """
        Make a client with one of the credentials, or with none.

        Args:
            token: A bearer token, or a function that gives it.
            x_scanner_key: The key in the header ``X-Scanner-Key``, or a function that gives it.
            options: As those of every client.
        """
        AsyncApiClientBase.__init__(self, base_url, **options)
        self._send_with(bearer=token, headers={"X-Scanner-Key": x_scanner_key})

    @property
    def warehouse(self) -> _AsyncWarehouseGroup:
        """The routes of the group ``warehouse``."""
        return _AsyncWarehouseGroup(self._call)

    async def add_product(
        self,
        *,
        id: str,
        name: str,
        price: Decimal,
        category: str,
        stock: int = 0,
    ) -> Ok[Product] | Forbidden | NotFound | ProductExists | CallError:
        """
        Add a product.

        Put a new product on sale.

        Needs a client with ``token``. Is never tried again by itself.

        Args:
            id: Lower-case words and numbers, joined by hyphens.
            price: Euros and cents; nothing is free.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
            ProductExists: Another product has this id.
        """
        return await self._call(
            _ADD_PRODUCT,
            NewProductInput(id=id, name=name, price=price, category=category, stock=stock),
        )

    async def cancel_order(self, *, id: UUID) -> Ok[Order] | AlreadyShipped | NotFound | CallError:
        """
        Cancel an order.

        Cancel one of the caller's orders and put its pieces back on the shelf; cancelling twice is the same as once.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            AlreadyShipped: The parcel has left the house, so the order cannot be cancelled any more.
            NotFound: The thing that the call names does not exist.
        """
        return await self._call(_CANCEL_ORDER, OrderRef(id=id))

    async def category_tree(self) -> Ok[Category] | CallError:
        """
        Get all categories.

        Give all categories, as a tree.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_CATEGORY_TREE, None)

    async def front_page(self) -> Ok[FrontPage] | CallError:
        """
        Get the first page.

        Give what came last and, to who is signed in, their account.

        May be called without a credential; a client with ``token`` sends it. Only reads, so it is tried again if no
        answer comes.
        """
        return await self._call(_FRONT_PAGE, None)

    async def get_account(self) -> Ok[Account] | CallError:
        """
        Get the account.

        Give what the shop knows of the caller.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_GET_ACCOUNT, None)

    async def get_order(self, *, id: UUID) -> Ok[Order] | NotFound | CallError:
        """
        Get an order.

        Give one of the caller's orders; the staff may see all.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes.

        Failures:
            NotFound: The thing that the call names does not exist.
        """
        return await self._call(_GET_ORDER, OrderRef(id=id))

    async def get_product(self, *, id: str) -> Ok[Product] | NotFound | CallError:
        """
        Get a product.

        Give one product, with its price and stock of this moment.

        Only reads, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            NotFound: The thing that the call names does not exist.
        """
        return await self._call(_GET_PRODUCT, ProductRef(id=id))

    @async_paged
    async def list_orders(
        self,
        *,
        filter: OrderFilterInput = OrderFilterInput(),
        after: PageKey | None = None,
        limit: int = 50,
    ) -> Paged[Ok[Slice[Order]] | CallError, Ok[Order] | CallError]:
        """
        List orders.

        List the caller's orders, newest first.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes.

        Args:
            filter: Which items there are; the same for all pages of one list.
            after: `next` of the page before this; null for the first page.
            limit: The most items that the page may have.
        """
        return Paged(await self._call(_LIST_ORDERS, Cursor_OrderFilterInput(filter=filter, after=after, limit=limit)))

    async def list_products(
        self,
        *,
        search: str | None = None,
        category: str | None = None,
        max_price: Decimal | None = None,
        in_stock: bool = False,
        sort: ProductSort = ProductSort.NAME,
        page: int = 1,
        page_size: int = 20,
    ) -> Ok[Page[Product]] | CallError:
        """
        List products.

        List what is on sale, a page at a time; every field of the input narrows the list.

        Only reads, so it is tried again if no answer comes.

        Args:
            search: A part of the name, in any case.
            category: Only this category and those below it.
            max_price: Euros and cents.
            page: Counted from 1.
            page_size: The most that one page holds.
        """
        return await self._call(
            _LIST_PRODUCTS,
            ProductQueryInput(
                search=search,
                category=category,
                max_price=max_price,
                in_stock=in_stock,
                sort=sort,
                page=page,
                page_size=page_size,
            ),
        )

    async def opening_hours(self) -> Ok[OpeningHours] | CallError:
        """
        Tell when the shop is open.

        Give the hours of every day of the week on which the shop is open, and the days of this year on which it is not.

        Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_OPENING_HOURS, None)

    async def picture(self, *, id: str) -> Ok[AsyncFile] | NotFound | CallError:
        """
        Get the picture of a product.

        Give the picture of a product, to be shown in a page.

        Only reads, so it is tried again if no answer comes. Gives a file (image/png or image/jpeg); save or read it, or
        close it by ``with``, or ``async with``.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            NotFound: The thing that the call names does not exist.
        """
        return await self._call(_PICTURE, ProductRef(id=id))

    async def place_order(
        self,
        *,
        lines: list[OrderLineInput],
        payment: CardInput | CashInput,
        note: str | None = None,
        deliver_after: datetime | None = None,
    ) -> Ok[Order] | CardDeclined | NotFound | OutOfStock | CallError:
        """
        Order products.

        Order products, all lines or none.

        A card is charged at once, cash is paid at the door. The price is that of this moment, also if it changes before
        the delivery.

        Needs a client with ``token``. Is never tried again by itself.

        Args:
            deliver_after: With an offset.

        Failures:
            CardDeclined: The card was not accepted.
            NotFound: The thing that the call names does not exist.
            OutOfStock: There are fewer pieces left than were ordered; nothing was ordered at all.
        """
        return await self._call(
            _PLACE_ORDER,
            NewOrderInput(lines=lines, payment=payment, note=note, deliver_after=deliver_after),
        )

    async def product_page(self, *, id: str) -> Ok[ProductPage] | NotFound | CallError:
        """
        Get the page of a product.

        Give a product with its reviews and what else there is of its kind.

        The three reads wait for the disk side by side, each in a thread, and the event loop goes on serving others.

        Only reads, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            NotFound: The thing that the call names does not exist.
        """
        return await self._call(_PRODUCT_PAGE, ProductRef(id=id))

    async def restock(self, *, id: str, quantity: int) -> Ok[Product] | Forbidden | NotFound | CallError:
        """
        Count a delivery.

        Count pieces that came in.

        Needs a client with ``token``. Is never tried again by itself.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
        """
        return await self._call(_RESTOCK, Restock(id=id, quantity=quantity))

    async def set_picture(
        self,
        *,
        id: str,
        picture: OneFile,
    ) -> Ok[None] | Forbidden | NotFound | NoPicture | CallError:
        """
        Set the picture of a product.

        Keep a picture of a product, in place of the one before.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.
            picture: A file of at most 2000000 bytes, of the type image/png or image/jpeg. Bytes have no name that
                tells their type: give them as an `Attachment`.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
            NoPicture: The file is neither a PNG nor a JPEG, whatever it calls itself.
        """
        return await self._call(_SET_PICTURE, NewPicture(id=id), {"picture": picture})

    async def ship_order(self, *, id: UUID) -> Ok[Order] | Forbidden | NotFound | CallError:
        """
        Ship an order.

        Tell that a parcel left the house; an order that was cancelled is not found.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
        """
        return await self._call(_SHIP_ORDER, OrderRef(id=id))

    async def update_account(
        self,
        *,
        name: str | Unset = UNSET,
        phone: str | Unset | None = UNSET,
    ) -> Ok[Account] | CallError:
        """
        Change the account.

        Change the caller's name or phone number; a field that is left out stays as it is, a null phone is taken away.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.
        """
        return await self._call(_UPDATE_ACCOUNT, AccountPatch(name=name, phone=phone))

    async def update_product(
        self,
        *,
        id: str,
        name: str | Unset = UNSET,
        price: Decimal | Unset = UNSET,
        category: str | Unset = UNSET,
    ) -> Ok[Product] | Forbidden | NotFound | CallError:
        """
        Change a product.

        Change a product's name, price or category; a field that is left out stays as it is.

        Needs a client with ``token``. Does no more when it is repeated, so it is tried again if no answer comes.

        Args:
            id: Lower-case words and numbers, joined by hyphens.
            price: Euros and cents; nothing is free.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
        """
        return await self._call(_UPDATE_PRODUCT, ProductPatch(id=id, name=name, price=price, category=category))

    async def watch_order(
        self,
        *,
        id: UUID,
        seconds: int = 30,
    ) -> Ok[AsyncItems[Order, OrderCancelled]] | NotFound | CallError:
        """
        Watch an order.

        Give one of the caller's orders as it is, and again whenever it has changed, until it is shipped.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes. Gives its items one by one;
        close it by ``with``, or ``async with``.

        Failures:
            NotFound: The thing that the call names does not exist.

        Between items:
            OrderCancelled: The order was cancelled, so nothing more becomes of it.
        """
        return await self._call(_WATCH_ORDER, OrderWatchInput(id=id, seconds=seconds))

    async def withdraw_product(self, *, id: str) -> Ok[None] | Forbidden | NotFound | CallError:
        """
        Withdraw a product.

        Take a product off the shelf for good; orders that have it keep it.

        Needs a client with ``token``. Destroys something, and is never tried again by itself.

        Args:
            id: Lower-case words and numbers, joined by hyphens.

        Failures:
            Forbidden: The caller is known, but may not do this.
            NotFound: The thing that the call names does not exist.
        """
        return await self._call(_WITHDRAW_PRODUCT, ProductRef(id=id))
