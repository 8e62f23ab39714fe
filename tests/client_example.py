"""
A client as `contract generate` writes it, by hand: of a service with an order, a list of them, and a ping.

The runtime is tested with it, and so is what the type checkers say of it (`tests/typechecks/right_clients.py`).
"""

from __future__ import annotations

import datetime as _dt  # noqa: ICN001  private, as in generated code
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, Never, final

from annotated_types import Ge, Len

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
    RouteSchemas,
    Schema,
    Unset,
    unwrap,
)

__all__ = [
    "ApiClient",
    "AsyncApiClient",
    "CallError",
    "CallFailed",
    "Card",
    "Cash",
    "Filter",
    "NotFound",
    "Ok",
    "Order",
    "Receipt",
    "SoldOut",
    "UNSET",
    "Unset",
    "schemas",
    "unwrap",
]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Paid with a card."""

    kind: Literal["card"] = "card"
    last_digits: Annotated[str, Len(4, 4)]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Cash:
    """Paid at the door."""

    kind: Literal["cash"] = "cash"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    product_id: Annotated[str, Len(1, 40)]
    quantity: Annotated[int, Ge(1)] = 1
    paid_by: Card | Cash = field(default_factory=Cash)
    note: str | Unset = UNSET


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    since: Annotated[_dt.date, Name("from")]
    limit: int = 10


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    order_id: str
    price_cents: Annotated[int, Ge(0)]
    paid_by: Annotated[Card | Cash, Name("paidBy")] = field(default_factory=Cash)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound(DeclaredFailure, code="NOT_FOUND", status=404):
    """The thing that the call names does not exist."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SoldOut(DeclaredFailure, code="SOLD_OUT", status=409):
    """Every copy is sold."""

    restock_days: Annotated[int, Ge(0)]


# Under names of their own: in the body of `schemas`, the names of exports no longer mean the types.
_order_schemas: Final = RouteSchemas(input=Schema(Order), output=Schema(Receipt))
_orders_list_schemas: Final = RouteSchemas(input=Schema(Filter), output=Schema(list[Receipt]))
_ping_schemas: Final = RouteSchemas(input=Schema(None), output=Schema(None))
_total_schemas: Final = RouteSchemas(input=Schema(list[int]), output=Schema(int))
_Order_schema: Final = Schema(Order)
_Receipt_schema: Final = Schema(Receipt)


@final
class schemas:  # noqa: N801  as it is written in every language
    """Every exported type, and input and output of every route."""

    Order: Final = _Order_schema
    Receipt: Final = _Receipt_schema
    order: Final = _order_schemas
    orders_list: Final = _orders_list_schemas
    ping: Final = _ping_schemas
    total: Final = _total_schemas


_order: Final[Operation[Order, Receipt, NotFound | SoldOut]] = Operation(
    "order", effect="write", schemas=_order_schemas, failures=(NotFound, SoldOut)
)
_orders_list: Final[Operation[Filter, list[Receipt], Never]] = Operation(
    "orders.list", effect="read", schemas=_orders_list_schemas
)
_ping: Final[Operation[None, None, Never]] = Operation("ping", effect="read", schemas=_ping_schemas)
_total: Final[Operation[list[int], int, NotFound]] = Operation(
    "total", effect="idempotent", schemas=_total_schemas, failures=(NotFound,)
)


class ApiClient(ApiClientBase):
    """Shop 1.0.0."""

    __slots__ = ()

    _title = "The Shop"
    _version = "1.0.0"

    def order(
        self,
        *,
        product_id: str,
        quantity: int = 1,
        paid_by: Card | Cash = Cash(),
        note: str | Unset = UNSET,
    ) -> Ok[Receipt] | NotFound | SoldOut | CallError:
        """Order a product."""
        input_ = Order(product_id=product_id, quantity=quantity, paid_by=paid_by, note=note)
        return self._call(_order, input_)

    def orders_list(self, *, since: _dt.date, limit: int = 10) -> Ok[list[Receipt]] | CallError:
        """List the orders."""
        return self._call(_orders_list, Filter(since=since, limit=limit))

    def ping(self) -> Ok[None] | CallError:
        """Say that you are there."""
        return self._call(_ping, None)

    def total(self, value: list[int], /) -> Ok[int] | NotFound | CallError:
        """Add up."""
        return self._call(_total, value)


class AsyncApiClient(AsyncApiClientBase):
    """Shop 1.0.0."""

    __slots__ = ()

    _title = "The Shop"
    _version = "1.0.0"

    async def order(
        self,
        *,
        product_id: str,
        quantity: int = 1,
        paid_by: Card | Cash = Cash(),
        note: str | Unset = UNSET,
    ) -> Ok[Receipt] | NotFound | SoldOut | CallError:
        """Order a product."""
        input_ = Order(product_id=product_id, quantity=quantity, paid_by=paid_by, note=note)
        return await self._call(_order, input_)

    async def orders_list(
        self, *, since: _dt.date, limit: int = 10
    ) -> Ok[list[Receipt]] | CallError:
        """List the orders."""
        return await self._call(_orders_list, Filter(since=since, limit=limit))

    async def ping(self) -> Ok[None] | CallError:
        """Say that you are there."""
        return await self._call(_ping, None)

    async def total(self, value: list[int], /) -> Ok[int] | NotFound | CallError:
        """Add up."""
        return await self._call(_total, value)
