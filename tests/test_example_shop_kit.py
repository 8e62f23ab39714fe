"""
The shop under the testing kit: one line for each route, and three properties that only this shop has.

Read it as an example: the lines are what every service gets for nothing, the properties are what one writes by hand.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from contract import NotFound, calling
from contract.testing import Client, check_route, inputs
from examples.shop import types
from examples.shop.app import opening_hours, shop_api
from examples.shop.service import Shop
from examples.shop.store import Store

ADA: Final = types.Customer("ada")
SAM: Final = types.Customer("sam", staff=True)
PRODUCTS: Final = ("blue-mug", "espresso-cup", "paring-knife", "letter-set")
QUICK: Final = settings(max_examples=15, deadline=None, derandomize=True, database=None)

_FOLDER: Final = TemporaryDirectory()
STORE: Final = Store(Path(_FOLDER.name) / "shop.sqlite3")
SHOP: Final = Shop(STORE)
API: Final = shop_api(STORE)
atexit.register(_FOLDER.cleanup)
atexit.register(STORE.close)  # before the folder goes


@cache
def some_orders() -> list[UUID]:
    """Ada's: two that are waiting, and one that has left the house; and one of nobody."""
    SHOP.restock(types.Restock("letter-set", 3), SAM)
    orders = [
        SHOP.place_order(types.NewOrder([types.OrderLine("letter-set")], types.Cash()), ADA)
        for _ in range(3)
    ]
    ids = [order.id for order in orders if isinstance(order, types.Order)]
    with calling("ship_order"):
        SHOP.ship_order(types.OrderRef(ids[-1]), SAM)
    return [*ids, UUID(int=0)]


@cache
def old_products() -> list[str]:
    """Some that nobody will miss, and one that is none."""
    ids = [f"old-{number}" for number in range(9)]
    for id_ in ids:
        SHOP.add_product(types.NewProduct(id_, "Old", Decimal(1), "cups"), SAM)
    return [*ids, "red-mug"]


NUMBERS: Final = st.sampled_from(["4242424242424242", "1" * 12])
KNOWN: Final[dict[Any, Any]] = {
    types.ProductId: st.sampled_from([*PRODUCTS, "red-mug"]),
    types.CategoryId: st.sampled_from(["cups", "garden"]),
    UUID: st.deferred(lambda: st.sampled_from(some_orders())),
    types.Card: st.builds(types.Card, number=NUMBERS, expires=st.just("04/29")),
}
"""
What the shop has, and now and then something that it has not: ids that are drawn at random would
never be found.
"""


@pytest.fixture(scope="module", autouse=True)
def opened() -> Iterator[None]:
    """What a process opens is open while the tests of this module run."""
    with Client(API):
        yield


CUSTOMERS: Final = st.sampled_from([ADA, SAM])
SOMEBODY: Final = st.sampled_from([None, ADA])
SCOPES: Final = st.sampled_from([frozenset({"stock:write"}), frozenset()])
WORKERS: Final = st.builds(types.Worker, st.just("sam"), SCOPES, st.booleans())
LINES: Final = st.lists(
    st.tuples(st.sampled_from(PRODUCTS), st.integers(1, 4)), min_size=1, max_size=2
)


def check(
    name: str, *types: Any, ctx: Any = CUSTOMERS, values: dict[Any, Any] | None = None
) -> Callable[[], None]:
    overrides = {key: KNOWN[key] for key in types} | (values or {})
    return check_route(name, api=API, ctx=ctx, overrides=overrides, settings=QUICK)


# What every route promises.

test_opening_hours = check_route(opening_hours, settings=QUICK)
test_front_page = check("front_page", ctx=SOMEBODY)
test_list_products = check("list_products", types.CategoryId)
test_get_product = check("get_product", types.ProductId)
test_product_page = check("product_page", types.ProductId)
test_picture = check("picture", types.ProductId)
test_category_tree = check("category_tree")
test_place_order = check("place_order", types.ProductId, types.Card)
test_get_order = check("get_order", UUID)
test_watch_order = check("watch_order", UUID, values={"seconds": st.just(0)})
test_list_orders = check("list_orders")
test_cancel_order = check("cancel_order", UUID)
test_get_account = check("get_account")
test_update_account = check("update_account")
test_add_product = check("add_product", types.ProductId, types.CategoryId)
test_update_product = check("update_product", types.ProductId, types.CategoryId)
test_set_picture = check("set_picture", types.ProductId)
test_restock = check("restock", types.ProductId)
OLD = st.deferred(lambda: st.sampled_from(old_products()))
test_withdraw_product = check("withdraw_product", values={types.ProductId: OLD})
test_ship_order = check("ship_order", UUID)
test_sales_report = check("sales_report")
test_warehouse_low_stock = check("warehouse.low_stock", ctx=WORKERS)
test_warehouse_count = check("warehouse.count", types.ProductId, ctx=WORKERS)


def test_every_route_has_its_line() -> None:
    assert {name for name in globals() if name.startswith("test_")} >= {
        f"test_{name.replace('.', '_')}" for name in API.entries
    }


# What only this shop promises. Its methods are called as they are: a property of the shop needs no
# wire.

new_orders = inputs(
    API.entries["place_order"].route,
    overrides={types.ProductId: st.sampled_from(PRODUCTS), "payment": st.just(types.Cash())},
)


def stock_of(shop: Shop, product: str) -> int:
    found = shop.get_product(types.ProductRef(product), None)
    assert isinstance(found, types.Product)
    return found.stock


@QUICK
@given(new_orders)
def test_cancelling_twice_is_cancelling_once(new: types.NewOrder) -> None:
    """
    Idempotence: what the route says of its effect, seen in the stock as well as in the answer.
    """
    before = [stock_of(SHOP, product) for product in PRODUCTS]
    order = SHOP.place_order(new, ADA)
    assume(isinstance(order, types.Order))
    assert isinstance(order, types.Order)

    once = SHOP.cancel_order(types.OrderRef(order.id), ADA)
    assert [stock_of(SHOP, product) for product in PRODUCTS] == before
    assert SHOP.cancel_order(types.OrderRef(order.id), ADA) == once
    assert [stock_of(SHOP, product) for product in PRODUCTS] == before


@QUICK
@given(new_orders, st.sampled_from([types.Customer(name) for name in ("grace", "Ada", "ada ")]))
def test_an_order_is_its_owners(new: types.NewOrder, other: types.Customer) -> None:
    """Ownership: nobody else sees it, lists it or cancels it."""
    order = SHOP.place_order(new, ADA)
    assume(isinstance(order, types.Order))
    assert isinstance(order, types.Order)
    ref = types.OrderRef(order.id)

    assert isinstance(SHOP.get_order(ref, other), NotFound)
    assert isinstance(SHOP.cancel_order(ref, other), NotFound)
    assert SHOP.get_order(ref, ADA) == order
    SHOP.cancel_order(ref, ADA)


class Stock(RuleBasedStateMachine):
    """
    Conservation: a piece is on the shelf, in an order, or was never delivered, however many customers order at once.

    Hypothesis makes up the story: orders that race for the last pieces, cancellations, deliveries and parcels, in any sequence.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = Store(Path(self.folder.name) / "shop.sqlite3")
        self.shop = Shop(self.store)
        self.delivered = {product: stock_of(self.shop, product) for product in PRODUCTS}
        self.orders: list[types.Order] = []

    @rule(wanted=st.lists(LINES, min_size=1, max_size=4))
    def order_at_once(self, wanted: list[list[tuple[str, int]]]) -> None:
        def order(lines: list[tuple[str, int]]) -> object:
            new = types.NewOrder([types.OrderLine(*line) for line in lines], types.Cash())
            return self.shop.place_order(new, ADA)

        with ThreadPoolExecutor(len(wanted)) as threads:
            results = list(threads.map(order, wanted))
        self.orders += [result for result in results if isinstance(result, types.Order)]
        assert all(isinstance(result, types.Order | types.OutOfStock) for result in results)

    @rule(product=st.sampled_from(PRODUCTS))
    def order_one_too_many(self, product: str) -> None:
        left = stock_of(self.shop, product)
        result = self.shop.place_order(
            types.NewOrder([types.OrderLine(product, left + 1)], types.Cash()), ADA
        )
        assert result == types.OutOfStock(product_id=product, available=left)

    @rule(place=st.integers(0, 9))
    def cancel(self, place: int) -> None:
        if self.orders:
            result = self.shop.cancel_order(
                types.OrderRef(self.orders[place % len(self.orders)].id), ADA
            )
            assert isinstance(result, types.Order | types.AlreadyShipped)

    @rule(place=st.integers(0, 9))
    def ship(self, place: int) -> None:
        if self.orders:
            with calling("ship_order"):
                self.shop.ship_order(types.OrderRef(self.orders[place % len(self.orders)].id), SAM)

    @rule(product=st.sampled_from(PRODUCTS), quantity=st.integers(1, 5))
    def deliver(self, product: str, quantity: int) -> None:
        self.shop.restock(types.Restock(product, quantity), SAM)
        self.delivered[product] += quantity

    @invariant()
    def nothing_is_lost(self) -> None:
        pieces = {product: stock_of(self.shop, product) for product in PRODUCTS}
        assert min(pieces.values()) >= 0
        for placed in self.orders:
            order = self.shop.get_order(types.OrderRef(placed.id), ADA)
            assert isinstance(order, types.Order)
            if order.status is not types.OrderStatus.CANCELLED:
                for line in order.lines:
                    pieces[line.product_id] += line.quantity
        assert pieces == self.delivered

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()


TestStock: Any = Stock.TestCase
TestStock.settings = settings(QUICK, max_examples=20, stateful_step_count=12)
