"""
Grouped 1.0.0: a client.

Generated from the contract with the SHA-256 digest 87208def20aea99755b77146a81edb83ce63586cfdaf305e6d306169e8538bd5. Do
not change this file; generate it again::

    contract generate contract.json -o client.py
"""

from __future__ import annotations

from builtins import property as _property
from dataclasses import dataclass
from typing import Final, Never, Unpack, final

from contract.client import (
    UNSET,
    ApiClientBase,
    ApiGroupBase,
    AsyncApiClientBase,
    AsyncApiGroupBase,
    AsyncClientOptions,
    AsyncHeaderValue,
    CallError,
    CallFailed,
    ClientOptions,
    DeclaredFailure,
    HeaderValue,
    Ok,
    Operation,
    RouteSchemas,
    Schema,
    Unset,
    unwrap,
)
from typing_extensions import deprecated

__all__ = [
    "ApiClient",
    "AsyncApiClient",
    "Banned",
    "CallError",
    "CallFailed",
    "Ok",
    "OrderInput",
    "SoldOut",
    "UNSET",
    "Unset",
    "schemas",
    "unwrap",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderInput:
    product: str
    count: int = 1


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Banned(DeclaredFailure, code="BANNED", status=403):
    """Nobody wants to see this account again."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SoldOut(DeclaredFailure, code="SOLD_OUT", status=409):
    """Every copy is sold."""

    days: int


@final
class _Schemas:
    """Validators: of every exported type, and of the input and the output of every route."""

    def __init__(self) -> None:
        self.close_property_a_b: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))
        self.import_then: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))
        self.import_withOptions: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))
        self.orders_close: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))
        self.orders_create_2: Final[RouteSchemas[OrderInput, str]] = RouteSchemas(
            input=Schema(OrderInput),
            output=Schema(str),
        )
        self.orders_flat: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))
        self.orders_items_class: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))
        self.orders_items_property: Final[RouteSchemas[None, str]] = RouteSchemas(
            input=Schema(None),
            output=Schema(str),
        )
        self.orders_create: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))
        self.partners_stock: Final[RouteSchemas[None, str]] = RouteSchemas(input=Schema(None), output=Schema(str))


schemas: Final = _Schemas()
"""Validators, with ``load``, ``check`` and ``dump``: the same as the server's."""


_CLOSE_PROPERTY_A_B: Final[Operation[None, str, Never]] = Operation(
    "close.property.a.b",
    effect="write",
    schemas=schemas.close_property_a_b,
)
_IMPORT_THEN: Final[Operation[None, str, Never]] = Operation("import.then", effect="write", schemas=schemas.import_then)
_IMPORT_WITHOPTIONS: Final[Operation[None, str, Never]] = Operation(
    "import.withOptions",
    effect="write",
    schemas=schemas.import_withOptions,
)
_ORDERS_CLOSE: Final[Operation[None, str, Never]] = Operation(
    "orders.close",
    effect="write",
    schemas=schemas.orders_close,
)
_ORDERS_CREATE_2: Final[Operation[OrderInput, str, Banned | SoldOut]] = Operation(
    "orders.create",
    effect="write",
    schemas=schemas.orders_create_2,
    failures=(Banned, SoldOut),
)
_ORDERS_FLAT: Final[Operation[None, str, Never]] = Operation("orders.flat", effect="write", schemas=schemas.orders_flat)
_ORDERS_ITEMS_CLASS: Final[Operation[None, str, Never]] = Operation(
    "orders.items.class",
    effect="write",
    schemas=schemas.orders_items_class,
)
_ORDERS_ITEMS_PROPERTY: Final[Operation[None, str, Never]] = Operation(
    "orders.items.property",
    effect="write",
    schemas=schemas.orders_items_property,
)
_ORDERS_CREATE: Final[Operation[None, str, Never]] = Operation(
    "orders_create",
    effect="write",
    schemas=schemas.orders_create,
)
_PARTNERS_STOCK: Final[Operation[None, str, Never]] = Operation(
    "partners.stock",
    effect="read",
    schemas=schemas.partners_stock,
)


class _CloseGroup(ApiGroupBase):
    """The routes of the group ``close``."""

    @_property
    def property(self) -> _ClosePropertyGroup:
        """The routes of the group ``close.property``."""
        return _ClosePropertyGroup(self._call)


class _ClosePropertyGroup(ApiGroupBase):
    """The routes of the group ``close.property``."""

    def a_b(self) -> Ok[str] | CallError:
        """
        A class of items.

        Is never tried again by itself.
        """
        return self._call(_CLOSE_PROPERTY_A_B, None)


class _ImportGroup(ApiGroupBase):
    """The routes of the group ``import``."""

    def then(self) -> Ok[str] | CallError:
        """
        What JavaScript asks for.

        Is never tried again by itself.
        """
        return self._call(_IMPORT_THEN, None)

    def withOptions(self) -> Ok[str] | CallError:
        """
        What clients have.

        Is never tried again by itself.
        """
        return self._call(_IMPORT_WITHOPTIONS, None)


class _OrdersGroup(ApiGroupBase):
    """The routes of the group ``orders``."""

    @_property
    def items(self) -> _OrdersItemsGroup:
        """The routes of the group ``orders.items``."""
        return _OrdersItemsGroup(self._call)

    @deprecated("orders.close is deprecated; use orders.items.class_")
    def close(self) -> Ok[str] | CallError:
        """
        Close.

        Is never tried again by itself.
        """
        return self._call(_ORDERS_CLOSE, None)

    def create(self, *, product: str, count: int = 1) -> Ok[str] | Banned | SoldOut | CallError:
        """
        Create an order.

        Needs a client with ``token``. Is never tried again by itself.

        Failures:
            Banned: Nobody wants to see this account again.
            SoldOut: Every copy is sold.
        """
        return self._call(_ORDERS_CREATE_2, OrderInput(product=product, count=count))


class _OrdersItemsGroup(ApiGroupBase):
    """The routes of the group ``orders.items``."""

    def class_(self) -> Ok[str] | CallError:
        """
        A class of items.

        Is never tried again by itself.
        """
        return self._call(_ORDERS_ITEMS_CLASS, None)

    def property(self) -> Ok[str] | CallError:
        """
        A property of items.

        Is never tried again by itself.
        """
        return self._call(_ORDERS_ITEMS_PROPERTY, None)


class _PartnersGroup(ApiGroupBase):
    """The routes of the group ``partners``."""

    def stock(self) -> Ok[str] | CallError:
        """
        Stock of a partner.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes.
        """
        return self._call(_PARTNERS_STOCK, None)


class ApiClient(ApiClientBase):
    """A client of Grouped."""

    _title = "Grouped"
    _version = "1.0.0"

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

    @_property
    def close_(self) -> _CloseGroup:
        """The routes of the group ``close``."""
        return _CloseGroup(self._call)

    @_property
    def import_(self) -> _ImportGroup:
        """The routes of the group ``import``."""
        return _ImportGroup(self._call)

    @_property
    def orders(self) -> _OrdersGroup:
        """The routes of the group ``orders``."""
        return _OrdersGroup(self._call)

    @_property
    def partners(self) -> _PartnersGroup:
        """The routes of the group ``partners``."""
        return _PartnersGroup(self._call)

    def orders_flat(self) -> Ok[str] | CallError:
        """
        Flat, with a dot.

        Is never tried again by itself.
        """
        return self._call(_ORDERS_FLAT, None)

    def orders_create(self) -> Ok[str] | CallError:
        """
        Flat, as a group in a function.

        Is never tried again by itself.
        """
        return self._call(_ORDERS_CREATE, None)


class _AsyncCloseGroup(AsyncApiGroupBase):
    """The routes of the group ``close``."""

    @_property
    def property(self) -> _AsyncClosePropertyGroup:
        """The routes of the group ``close.property``."""
        return _AsyncClosePropertyGroup(self._call)


class _AsyncClosePropertyGroup(AsyncApiGroupBase):
    """The routes of the group ``close.property``."""

    async def a_b(self) -> Ok[str] | CallError:
        """
        A class of items.

        Is never tried again by itself.
        """
        return await self._call(_CLOSE_PROPERTY_A_B, None)


class _AsyncImportGroup(AsyncApiGroupBase):
    """The routes of the group ``import``."""

    async def then(self) -> Ok[str] | CallError:
        """
        What JavaScript asks for.

        Is never tried again by itself.
        """
        return await self._call(_IMPORT_THEN, None)

    async def withOptions(self) -> Ok[str] | CallError:
        """
        What clients have.

        Is never tried again by itself.
        """
        return await self._call(_IMPORT_WITHOPTIONS, None)


class _AsyncOrdersGroup(AsyncApiGroupBase):
    """The routes of the group ``orders``."""

    @_property
    def items(self) -> _AsyncOrdersItemsGroup:
        """The routes of the group ``orders.items``."""
        return _AsyncOrdersItemsGroup(self._call)

    @deprecated("orders.close is deprecated; use orders.items.class_")
    async def close(self) -> Ok[str] | CallError:
        """
        Close.

        Is never tried again by itself.
        """
        return await self._call(_ORDERS_CLOSE, None)

    async def create(self, *, product: str, count: int = 1) -> Ok[str] | Banned | SoldOut | CallError:
        """
        Create an order.

        Needs a client with ``token``. Is never tried again by itself.

        Failures:
            Banned: Nobody wants to see this account again.
            SoldOut: Every copy is sold.
        """
        return await self._call(_ORDERS_CREATE_2, OrderInput(product=product, count=count))


class _AsyncOrdersItemsGroup(AsyncApiGroupBase):
    """The routes of the group ``orders.items``."""

    async def class_(self) -> Ok[str] | CallError:
        """
        A class of items.

        Is never tried again by itself.
        """
        return await self._call(_ORDERS_ITEMS_CLASS, None)

    async def property(self) -> Ok[str] | CallError:
        """
        A property of items.

        Is never tried again by itself.
        """
        return await self._call(_ORDERS_ITEMS_PROPERTY, None)


class _AsyncPartnersGroup(AsyncApiGroupBase):
    """The routes of the group ``partners``."""

    async def stock(self) -> Ok[str] | CallError:
        """
        Stock of a partner.

        Needs a client with ``token``. Only reads, so it is tried again if no answer comes.
        """
        return await self._call(_PARTNERS_STOCK, None)


class AsyncApiClient(AsyncApiClientBase):
    """A client of Grouped, for asyncio or Trio."""

    _title = "Grouped"
    _version = "1.0.0"

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

    @_property
    def close_(self) -> _AsyncCloseGroup:
        """The routes of the group ``close``."""
        return _AsyncCloseGroup(self._call)

    @_property
    def import_(self) -> _AsyncImportGroup:
        """The routes of the group ``import``."""
        return _AsyncImportGroup(self._call)

    @_property
    def orders(self) -> _AsyncOrdersGroup:
        """The routes of the group ``orders``."""
        return _AsyncOrdersGroup(self._call)

    @_property
    def partners(self) -> _AsyncPartnersGroup:
        """The routes of the group ``partners``."""
        return _AsyncPartnersGroup(self._call)

    async def orders_flat(self) -> Ok[str] | CallError:
        """
        Flat, with a dot.

        Is never tried again by itself.
        """
        return await self._call(_ORDERS_FLAT, None)

    async def orders_create(self) -> Ok[str] | CallError:
        """
        Flat, as a group in a function.

        Is never tried again by itself.
        """
        return await self._call(_ORDERS_CREATE, None)
