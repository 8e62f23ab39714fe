"""
Service: what the shop does, as plain methods.

Nothing here knows of HTTP, JSON or tokens in headers: a test calls a method and looks at what it returns.
A method *returns* its failures; the return annotation is the only place where they are declared.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import asdict
from time import monotonic
from typing import Any, Final

from contract import (
    Cursor,
    Download,
    NotFound,
    Request,
    Slice,
    Stream,
    Unset,
    after_commit,
    current_call,
    provide,
    resource,
)
from examples.shop.store import Store
from examples.shop.types import (
    Account,
    AccountPatch,
    AlreadyShipped,
    Card,
    CardDeclined,
    Category,
    Customer,
    FrontPage,
    NewOrder,
    NewPicture,
    NewProduct,
    NoPicture,
    Order,
    OrderCancelled,
    OrderFilter,
    OrderKey,
    OrderRef,
    OrderStatus,
    OrderWatch,
    OutOfStock,
    Page,
    Period,
    Picture,
    Product,
    ProductExists,
    ProductPage,
    ProductPatch,
    ProductQuery,
    ProductRef,
    Restock,
    SalesReport,
)

__all__ = ["Shop"]

log: Final = logging.getLogger("shop")

LOOK_SECONDS: Final = 0.2
"""Seconds between two looks at an order that is watched; any worker may have changed it."""

SIGNATURES: Final = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""How a picture begins -> its media type."""


class Shop:
    """The shop. What its methods need is given to it once, when it is made."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.transaction = provide(store.transaction)
        self.tree = resource(store.tree)

    def authenticate(self, token: str, _request: Request) -> Customer | None:
        """Tell whose bearer token it is; None is answered with 401."""
        return self.store.customer_of(token)

    # catalog

    def front_page(self, _input: None, customer: Customer | None) -> FrontPage:
        """Give what came last and, to who is signed in, their account."""
        account = None if customer is None else self.store.account(customer.id)
        return FrontPage(self.store.newest(3), account)

    def list_products(self, query: ProductQuery, _ctx: None) -> Page[Product]:
        """List what is on sale, a page at a time; every field of the input narrows the list."""
        return self.store.products(query)

    def get_product(self, ref: ProductRef, _ctx: None) -> Product | NotFound:
        """Give one product, with its price and stock of this moment."""
        return self.store.product(ref.id) or _no_product(ref.id)

    async def product_page(self, ref: ProductRef, _ctx: None) -> ProductPage | NotFound:
        """
        Give a product with its reviews and what else there is of its kind.

        The three reads wait for the disk side by side, each in a thread, and the event loop goes on serving others.
        """
        product, reviews, related = await asyncio.gather(
            asyncio.to_thread(self.store.product, ref.id),
            asyncio.to_thread(self.store.reviews, ref.id),
            asyncio.to_thread(self.store.related, ref.id),
        )
        return ProductPage(product, reviews, related) if product else _no_product(ref.id)

    def picture(self, ref: ProductRef, _ctx: None) -> Picture | NotFound:
        """Give the picture of a product, to be shown in a page."""
        found = self.store.picture(ref.id)
        if found is None:
            return NotFound(message=f"There is no picture of {ref.id}.")
        data, media_type = found
        return Download(data, media_type=media_type)

    def category_tree(self, _input: None, _ctx: None) -> Category:
        """Give all categories, as a tree."""
        return self.tree()  # no route changes them, so they are read when the process begins

    # orders

    def place_order(
        self, new: NewOrder, customer: Customer
    ) -> Order | OutOfStock | CardDeclined | NotFound:
        """
        Order products, all lines or none.

        A card is charged at once, cash is paid at the door. The price is that of this moment, also if it changes before the delivery.
        """
        if isinstance(new.payment, Card) and not _is_card_number(new.payment.number):
            return CardDeclined()
        return self.store.place(customer.id, new) or NotFound(
            message="One of the products is not on sale."
        )

    def get_order(self, ref: OrderRef, customer: Customer) -> Order | NotFound:
        """Give one of the caller's orders; the staff may see all."""
        return self.store.order(ref.id, None if customer.staff else customer.id) or _no_order()

    def watch_order(
        self, watch: OrderWatch, customer: Customer
    ) -> Stream[Order | OrderCancelled] | NotFound:
        """Give one of the caller's orders as it is, and again whenever it has changed, until it is shipped."""
        order = self.get_order(OrderRef(watch.id), customer)
        return order if isinstance(order, NotFound) else Stream(self._states(order, watch.seconds))

    async def _states(self, order: Order, seconds: int) -> AsyncIterator[Order | OrderCancelled]:
        until = monotonic() + seconds
        while order.status is not OrderStatus.CANCELLED:
            yield order
            seen = order
            while order == seen:
                if order.status is OrderStatus.SHIPPED or monotonic() >= until:
                    return
                await asyncio.sleep(LOOK_SECONDS)
                found = await asyncio.to_thread(self.store.order, order.id)
                order = order if found is None else found
        yield OrderCancelled()

    def list_orders(
        self, cursor: Cursor[OrderFilter, OrderKey], customer: Customer
    ) -> Slice[Order, OrderKey]:
        """List the caller's orders, newest first."""
        return self.store.orders(customer.id, cursor)

    def cancel_order(self, ref: OrderRef, customer: Customer) -> Order | AlreadyShipped | NotFound:
        """Cancel one of the caller's orders and put its pieces back on the shelf; cancelling twice is the same as once."""
        order = self.store.cancel(ref.id, customer.id)
        if order is None:
            return _no_order()
        return order if order.shipped_at is None else AlreadyShipped(shipped_at=order.shipped_at)

    # account

    def get_account(self, _input: None, customer: Customer) -> Account:
        """Give what the shop knows of the caller."""
        return self.store.account(customer.id)

    def update_account(self, patch: AccountPatch, customer: Customer) -> Account:
        """Change the caller's name or phone number; a field that is left out stays as it is, a null phone is taken away."""
        self.store.update_account(customer.id, _given(patch))
        return self.store.account(customer.id)

    # admin: who calls these is asked before (`examples.shop.app.staff_only`)

    def add_product(
        self, new: NewProduct, _customer: Customer
    ) -> Product | ProductExists | NotFound:
        """Put a new product on sale."""
        return (
            self.store.add_product(new) if self.store.has_category(new.category) else _no_category()
        )

    def update_product(self, patch: ProductPatch, _customer: Customer) -> Product | NotFound:
        """Change a product's name, price or category; a field that is left out stays as it is."""
        if not isinstance(patch.category, Unset) and not self.store.has_category(patch.category):
            return _no_category()
        changes = _given(patch)
        return self.store.update_product(changes.pop("id"), changes) or _no_product(patch.id)

    def set_picture(self, new: NewPicture, _customer: Customer) -> NotFound | NoPicture | None:
        """Keep a picture of a product, in place of the one before."""
        data = new.picture.read()
        # a sender can call any file a picture: what it is stands in its first bytes
        media_type = next((SIGNATURES[each] for each in SIGNATURES if data.startswith(each)), None)
        if media_type is None:
            return NoPicture()
        return None if self.store.set_picture(new.id, data, media_type) else _no_product(new.id)

    def restock(self, delivery: Restock, _customer: Customer) -> Product | NotFound:
        """Count pieces that came in."""
        return self.store.restock(delivery.id, delivery.quantity) or _no_product(delivery.id)

    def withdraw_product(self, ref: ProductRef, _customer: Customer) -> NotFound | None:
        """Take a product off the shelf for good; orders that have it keep it."""
        return None if self.store.withdraw(ref.id) else _no_product(ref.id)

    def ship_order(self, ref: OrderRef, _customer: Customer) -> Order | NotFound:
        """Tell that a parcel left the house; an order that was cancelled is not found."""
        order = self.store.ship(self.transaction(), ref.id)
        if order is None or order.status is not OrderStatus.SHIPPED:
            return _no_order()
        current_call().headers_out.set("x-parcel", f"shop-{order.id.hex[:8]}")
        # once it is in the file, and the answer on its way
        after_commit(log.info, "the parcel of order %s left the house", order.id)
        return order

    async def sales_report(self, period: Period, _customer: Customer) -> SalesReport:
        """Sum up what was sold; over a year that takes a while, so it waits in a thread of its own."""
        return await asyncio.to_thread(self.store.sales, period.since, period.until)


def _given(patch: AccountPatch | ProductPatch) -> dict[str, Any]:
    """The fields of a patch that were on the wire."""
    return {name: value for name, value in asdict(patch).items() if not isinstance(value, Unset)}


def _is_card_number(number: str) -> bool:
    """Whether the check digit is right (ISO/IEC 7812-1, Luhn): every second digit from the right counts twice, with its digits added up."""
    digits = [int(digit) for digit in reversed(number)]
    return (sum(digits[::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])) % 10 == 0


def _no_product(product: str) -> NotFound:
    return NotFound(message=f"There is no product {product}.")


def _no_category() -> NotFound:
    return NotFound(message="There is no such category.")


def _no_order() -> NotFound:
    return NotFound(message="There is no such order.")
