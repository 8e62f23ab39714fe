"""The shop's methods, called as methods: no HTTP, no client, no mocks."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import pytest

from contract import (
    UNSET,
    Call,
    Cursor,
    Download,
    Forbidden,
    NotFound,
    Request,
    Stream,
    Unset,
    Upload,
    calling,
    spec,
)
from contract.testing import Client
from examples.shop.app import opening_hours, shop_api, staff_only
from examples.shop.seed import DEMO_KEY, DEMO_TOKENS
from examples.shop.service import Shop
from examples.shop.store import Store
from examples.shop.types import (
    Account,
    AccountPatch,
    AlreadyShipped,
    Card,
    CardDeclined,
    Cash,
    Category,
    Count,
    Customer,
    Day,
    LowStock,
    NewOrder,
    NewPicture,
    NewProduct,
    NoPicture,
    Order,
    OrderCancelled,
    OrderFilter,
    OrderLine,
    OrderRef,
    OrderStatus,
    OrderWatch,
    OutOfStock,
    Page,
    Period,
    Product,
    ProductExists,
    ProductPage,
    ProductPatch,
    ProductQuery,
    ProductRef,
    ProductSort,
    Restock,
    SalesReport,
    ScannedNothing,
    Worker,
)
from examples.shop.warehouse import Warehouse, logged, seen

ADA = Customer("ada")
GRACE = Customer("grace")
SAM = Customer("sam", staff=True)
NOBODY = UUID(int=0)
FOREVER = Period(datetime(2020, 1, 1, tzinfo=UTC), datetime(2099, 1, 1, tzinfo=UTC))


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    store = Store(tmp_path / "shop.sqlite3")
    yield Shop(store)
    store.close()


def ship(shop: Shop, order: UUID) -> Order | NotFound:
    """In a call of its own, whose values end with it."""
    with calling("ship_order"):
        return shop.ship_order(OrderRef(order), SAM)


def ids(page: Page[Product]) -> list[str]:
    return [product.id for product in page.items]


def order(shop: Shop, *lines: OrderLine, **options: Any) -> Order:
    placed = shop.place_order(NewOrder(list(lines), Cash(), **options), ADA)
    assert isinstance(placed, Order)
    return placed


def stock(shop: Shop, product: str) -> int:
    found = shop.get_product(ProductRef(product), None)
    assert isinstance(found, Product)
    return found.stock


# who calls


@pytest.mark.parametrize(("name", "staff"), [("ada", False), ("sam", True)])
def test_a_demo_token_is_its_customers(shop: Shop, name: str, staff: bool) -> None:
    assert shop.authenticate(DEMO_TOKENS[name], Request()) == Customer(name, staff)


@pytest.mark.parametrize(
    "token",
    [
        "",
        "ada",
        "ada.",
        "ada.demo-token-of-the-staff",
        "grace.demo-token-of-a-customer",
        DEMO_TOKENS["ada"] + "x",
    ],
)
def test_any_other_token_is_nobodys(shop: Shop, token: str) -> None:
    assert shop.authenticate(token, Request()) is None


# catalog


def test_the_first_page_lists_products_by_name(shop: Shop) -> None:
    page = shop.list_products(ProductQuery(page_size=3), None)

    assert ids(page) == ["blue-mug", "bread-knife", "desk-lamp"]
    assert (page.page, page.total, page.next_page) == (1, 7, 2)


def test_the_last_page_has_no_next_one(shop: Shop) -> None:
    page = shop.list_products(ProductQuery(page=3, page_size=3), None)

    assert ids(page) == ["squared-notebook"]
    assert page.next_page is None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (ProductQuery(search="KNIFE"), ["bread-knife", "paring-knife"]),
        (ProductQuery(search="%"), []),
        (
            ProductQuery(category="kitchen", sort=ProductSort.CHEAPEST),
            ["espresso-cup", "paring-knife", "blue-mug", "bread-knife"],
        ),
        (
            ProductQuery(category="desk", sort=ProductSort.NEWEST),
            ["desk-lamp", "letter-set", "squared-notebook"],
        ),
        (ProductQuery(category="desk", in_stock=True), ["desk-lamp", "squared-notebook"]),
        (ProductQuery(max_price=Decimal("8.90")), ["espresso-cup", "squared-notebook"]),
        (ProductQuery(category="garden"), []),
    ],
)
def test_a_query_narrows_and_sorts_the_list(
    shop: Shop, query: ProductQuery, found: list[str]
) -> None:
    assert ids(shop.list_products(query, None)) == found


def test_a_product_has_its_price_to_the_cent(shop: Shop) -> None:
    product = shop.get_product(ProductRef("blue-mug"), None)

    assert isinstance(product, Product)
    assert product.price == Decimal("12.50")
    assert product.added_at == datetime(2026, 1, 5, 9, tzinfo=UTC)


def test_a_product_that_is_not_there_is_not_found(shop: Shop) -> None:
    assert shop.get_product(ProductRef("red-mug"), None) == NotFound(
        message="There is no product red-mug."
    )
    assert asyncio.run(shop.product_page(ProductRef("red-mug"), None)) == NotFound(
        message="There is no product red-mug."
    )


def test_the_page_of_a_product_holds_reviews_and_its_neighbours(shop: Shop) -> None:
    page = asyncio.run(shop.product_page(ProductRef("blue-mug"), None))

    assert isinstance(page, ProductPage)
    assert page.product.id == "blue-mug"
    assert [review.author for review in page.reviews] == ["Linus", "Grace"]
    assert [product.id for product in page.related] == ["espresso-cup"]


def test_the_categories_are_one_tree(shop: Shop) -> None:
    paper = Category("paper", "Paper", [])
    cups, knives = Category("cups", "Cups and mugs", []), Category("knives", "Knives", [])

    with Client(spec(routes=[], resources=[shop.tree])):
        tree = shop.category_tree(None, None)

    assert tree == Category(
        "all",
        "Everything",
        [Category("desk", "Desk", [paper]), Category("kitchen", "Kitchen", [cups, knives])],
    )


def test_the_first_page_is_for_everybody_and_knows_who_is_signed_in(shop: Shop) -> None:
    page = shop.front_page(None, None)

    assert [product.id for product in page.newest] == ["desk-lamp", "letter-set", "paring-knife"]
    assert page.account is None
    assert shop.front_page(None, ADA) == replace(page, account=shop.get_account(None, ADA))


def test_a_route_is_called_like_the_function_that_it_is_made_of() -> None:
    hours = opening_hours(None)

    assert Day.SUNDAY not in hours.days
    assert hours.days[Day.FRIDAY].closes == time(18, 30)


# orders


def test_an_order_takes_its_pieces_off_the_shelf(shop: Shop) -> None:
    placed = order(shop, OrderLine("blue-mug", 2), OrderLine("bread-knife"), note="Ring twice.")

    assert placed.total == Decimal("59.00")
    assert [(line.product_id, line.quantity, line.unit_price) for line in placed.lines] == [
        ("blue-mug", 2, Decimal("12.50")),
        ("bread-knife", 1, Decimal("34.00")),
    ]
    assert (placed.status, placed.paid_by, placed.note) == (
        OrderStatus.PLACED,
        "cash",
        "Ring twice.",
    )
    assert stock(shop, "blue-mug") == 38


def test_two_lines_of_one_product_are_one_line(shop: Shop) -> None:
    placed = order(shop, OrderLine("blue-mug", 2), OrderLine("blue-mug", 3))

    assert [line.quantity for line in placed.lines] == [5]


def test_a_time_of_delivery_keeps_its_moment(shop: Shop) -> None:
    after = datetime(2026, 12, 24, 10, tzinfo=UTC)

    placed = order(shop, OrderLine("blue-mug"), deliver_after=after)

    assert shop.get_order(OrderRef(placed.id), ADA) == placed
    assert placed.deliver_after == after


def test_what_is_not_there_cannot_be_ordered_and_nothing_else_is(shop: Shop) -> None:
    new = NewOrder(
        [OrderLine("blue-mug"), OrderLine("paring-knife"), OrderLine("paring-knife")], Cash()
    )

    assert shop.place_order(new, ADA) == OutOfStock(product_id="paring-knife", available=1)
    assert stock(shop, "blue-mug") == 40
    assert shop.get_account(None, ADA).orders == 0


def test_an_unknown_product_cannot_be_ordered(shop: Shop) -> None:
    assert isinstance(shop.place_order(NewOrder([OrderLine("red-mug")], Cash()), ADA), NotFound)


@pytest.mark.parametrize("number", ["4242424242424242", "378282246310005"])
def test_a_card_with_a_right_check_digit_is_taken(shop: Shop, number: str) -> None:
    placed = shop.place_order(
        NewOrder([OrderLine("blue-mug")], Card(number=number, expires="04/29")), ADA
    )

    assert isinstance(placed, Order)
    assert placed.paid_by == "card"


def test_a_card_with_a_wrong_check_digit_is_declined(shop: Shop) -> None:
    card = Card(number="4242424242424241", expires="04/29")

    assert shop.place_order(NewOrder([OrderLine("blue-mug")], card), ADA) == CardDeclined()
    assert stock(shop, "blue-mug") == 40


def test_a_card_keeps_its_number_to_itself() -> None:
    assert "4242" not in repr(Card(number="4242424242424242", expires="04/29"))


def test_a_customer_sees_only_their_own_orders_and_the_staff_all(shop: Shop) -> None:
    placed = order(shop, OrderLine("blue-mug"))
    ref = OrderRef(placed.id)

    assert shop.get_order(ref, ADA) == placed
    assert shop.get_order(ref, SAM) == placed
    assert isinstance(shop.get_order(ref, GRACE), NotFound)
    assert isinstance(shop.cancel_order(ref, GRACE), NotFound)
    assert isinstance(shop.get_order(OrderRef(NOBODY), SAM), NotFound)


def test_orders_are_listed_newest_first_and_by_status(shop: Shop) -> None:
    first, second = order(shop, OrderLine("blue-mug")), order(shop, OrderLine("desk-lamp"))
    cancelled = shop.cancel_order(OrderRef(first.id), ADA)

    def listed(wanted: OrderFilter, customer: Customer = ADA) -> Sequence[Order]:
        return shop.list_orders(Cursor(wanted), customer).items

    assert listed(OrderFilter()) == [second, cancelled]
    assert listed(OrderFilter(status=OrderStatus.PLACED)) == [second]
    assert listed(OrderFilter(since=second.placed_at + timedelta(seconds=1))) == []
    assert listed(OrderFilter(), GRACE) == []


def test_a_page_of_orders_begins_after_the_one_before(shop: Shop) -> None:
    placed = [order(shop, OrderLine("blue-mug")) for _ in range(3)]
    first = shop.list_orders(Cursor(OrderFilter(), limit=2), ADA)
    second = shop.list_orders(Cursor(OrderFilter(), first.next, limit=2), ADA)

    assert [*first.items, *second.items] == [*reversed(placed)]
    assert first.next == (placed[1].placed_at, placed[1].id)
    assert second.next is None


def test_cancelling_puts_the_pieces_back_once(shop: Shop) -> None:
    placed = order(shop, OrderLine("blue-mug", 5))

    cancelled, again = (
        shop.cancel_order(OrderRef(placed.id), ADA),
        shop.cancel_order(OrderRef(placed.id), ADA),
    )

    assert isinstance(cancelled, Order)
    assert cancelled.status is OrderStatus.CANCELLED
    assert again == cancelled
    assert stock(shop, "blue-mug") == 40


def test_a_shipped_order_is_not_cancelled(shop: Shop) -> None:
    placed = order(shop, OrderLine("blue-mug", 5))
    shipped = ship(shop, placed.id)

    assert isinstance(shipped, Order)
    assert shipped.shipped_at is not None
    assert shop.cancel_order(OrderRef(placed.id), ADA) == AlreadyShipped(
        shipped_at=shipped.shipped_at
    )
    assert ship(shop, placed.id) == shipped
    assert stock(shop, "blue-mug") == 35


@pytest.mark.parametrize("becomes", [OrderStatus.SHIPPED, OrderStatus.CANCELLED])
def test_an_order_is_watched_until_it_is_shipped_or_cancelled(
    shop: Shop, becomes: OrderStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("examples.shop.service.LOOK_SECONDS", 0)
    placed = order(shop, OrderLine("blue-mug"))

    async def watch() -> list[object]:
        stream = shop.watch_order(OrderWatch(placed.id), ADA)
        assert isinstance(stream, Stream)
        seen: list[object] = []
        async for state in cast("AsyncIterator[object]", stream.items):
            seen.append(state)
            if state == placed and becomes is OrderStatus.SHIPPED:
                ship(shop, placed.id)
            elif state == placed:
                shop.cancel_order(OrderRef(placed.id), ADA)
        return seen

    first, then = asyncio.run(watch())
    last = shop.get_order(OrderRef(placed.id), ADA)

    assert first == placed
    assert then == (last if becomes is OrderStatus.SHIPPED else OrderCancelled())
    assert isinstance(last, Order)
    assert last.status is becomes


def test_an_order_is_watched_for_so_long_and_by_its_customer(shop: Shop) -> None:
    placed = order(shop, OrderLine("blue-mug"))

    async def watch(seconds: int) -> list[object]:
        stream = shop.watch_order(OrderWatch(placed.id, seconds), ADA)
        assert isinstance(stream, Stream)
        return [state async for state in cast("AsyncIterator[object]", stream.items)]

    assert asyncio.run(watch(0)) == [placed]
    assert isinstance(shop.watch_order(OrderWatch(placed.id), GRACE), NotFound)


def test_a_cancelled_order_is_not_shipped(shop: Shop) -> None:
    placed = order(shop, OrderLine("blue-mug"))
    shop.cancel_order(OrderRef(placed.id), ADA)

    assert isinstance(ship(shop, placed.id), NotFound)
    assert isinstance(ship(shop, NOBODY), NotFound)


# account


@pytest.mark.parametrize(
    ("patch", "name", "phone"),
    [
        (AccountPatch(), "Ada Lovelace", "+4930123456"),
        (AccountPatch(name="Ada"), "Ada", "+4930123456"),
        (AccountPatch(phone=None), "Ada Lovelace", None),
        (AccountPatch(name="Ada", phone="+441234567"), "Ada", "+441234567"),
    ],
)
def test_a_patch_changes_what_it_names_and_nothing_else(
    shop: Shop, patch: AccountPatch, name: str, phone: str | None
) -> None:
    assert shop.update_account(patch, ADA) == Account("ada", name, phone, 0)
    assert shop.get_account(None, ADA) == Account("ada", name, phone, 0)


# admin


def test_only_the_staff_may_do_what_is_for_the_staff(shop: Shop) -> None:
    entries = shop_api(shop.store).entries.values()
    guarded = [entry for entry in entries if any(each.hook is staff_only for each in entry.hooks)]

    assert staff_only(Call(SAM)) is None
    assert staff_only(Call(ADA)) == Forbidden(message="Only the staff may do this.")
    assert guarded == [entry for entry in entries if "admin" in entry.route.tags]
    assert len(guarded) == 7


def test_a_new_product_is_on_sale_at_once(shop: Shop) -> None:
    added = shop.add_product(NewProduct("red-mug", "Red mug", Decimal("12.05"), "cups", 3), SAM)

    assert isinstance(added, Product)
    assert added.price == Decimal("12.05")
    assert shop.get_product(ProductRef("red-mug"), None) == added


def test_a_product_needs_an_id_of_its_own_and_a_category(shop: Shop) -> None:
    assert (
        shop.add_product(NewProduct("blue-mug", "Blue mug", Decimal(12), "cups"), SAM)
        == ProductExists()
    )
    assert isinstance(
        shop.add_product(NewProduct("rake", "Rake", Decimal(12), "garden"), SAM), NotFound
    )


@pytest.mark.parametrize("price", [UNSET, Decimal("9.99")])
def test_an_updated_product_keeps_what_was_left_out(shop: Shop, price: Decimal | Unset) -> None:
    changed = shop.update_product(ProductPatch("blue-mug", name="Bluest mug", price=price), SAM)

    assert isinstance(changed, Product)
    assert (changed.name, changed.category, changed.stock) == ("Bluest mug", "cups", 40)
    assert changed.price == (price or Decimal("12.50"))


def test_a_product_is_moved_only_to_a_category_that_is_there(shop: Shop) -> None:
    moved = shop.update_product(ProductPatch("blue-mug", category="desk"), SAM)

    assert isinstance(moved, Product)
    assert moved.category == "desk"
    assert isinstance(
        shop.update_product(ProductPatch("blue-mug", category="garden"), SAM), NotFound
    )
    assert isinstance(shop.update_product(ProductPatch("red-mug", name="Red"), SAM), NotFound)


def test_a_delivery_is_counted(shop: Shop) -> None:
    counted = shop.restock(Restock("letter-set", 6), SAM)

    assert isinstance(counted, Product)
    assert counted.stock == 6
    assert isinstance(shop.restock(Restock("red-mug", 6), SAM), NotFound)


@pytest.mark.parametrize(
    ("data", "media_type"),
    [(b"\x89PNG\r\n\x1a\n...", "image/png"), (b"\xff\xd8\xff...", "image/jpeg")],
)
def test_a_picture_is_of_the_type_that_its_bytes_say(
    shop: Shop, data: bytes, media_type: str
) -> None:
    def put(product: str, sent: bytes) -> NotFound | NoPicture | None:
        upload = Upload.of(sent, name="picture", media_type="image/png")
        return shop.set_picture(NewPicture(product, upload), SAM)

    mug = ProductRef("blue-mug")
    assert isinstance(put("red-mug", data), NotFound)
    assert put("blue-mug", b"<script>") == NoPicture()
    assert shop.picture(mug, None) == NotFound(message="There is no picture of blue-mug.")
    assert put("blue-mug", b"\xff\xd8\xff, the one before") is None
    assert put("blue-mug", data) is None

    shown = shop.picture(mug, None)
    assert isinstance(shown, Download)
    assert (shown.source, shown.media_type) == (data, media_type)
    shop.withdraw_product(mug, SAM)
    assert isinstance(shop.picture(mug, None), NotFound)


def test_a_withdrawn_product_is_gone_but_not_from_its_orders(shop: Shop) -> None:
    placed = order(shop, OrderLine("blue-mug"))

    assert shop.withdraw_product(ProductRef("blue-mug"), SAM) is None
    assert isinstance(shop.withdraw_product(ProductRef("blue-mug"), SAM), NotFound)
    assert isinstance(shop.get_product(ProductRef("blue-mug"), None), NotFound)
    assert isinstance(shop.place_order(NewOrder([OrderLine("blue-mug")], Cash()), ADA), NotFound)
    assert shop.get_order(OrderRef(placed.id), ADA) == placed


# warehouse


def test_the_staff_and_the_scanners_count_and_customers_look(shop: Shop) -> None:
    warehouse = Warehouse(shop.store)
    may = frozenset({"stock:write"})

    assert warehouse.worker_of(DEMO_TOKENS["sam"], Request()) == Worker("sam", may)
    assert warehouse.worker_of(DEMO_TOKENS["ada"], Request()) == Worker("ada")
    assert warehouse.worker_of("sam.guess", Request()) is None
    assert warehouse.scanner_of(DEMO_KEY, Request()) == Worker("gate", may, is_scanner=True)
    assert warehouse.scanner_of("gate.guess", Request()) is None
    assert warehouse.scanner_of("door.demo-key-of-a-scanner", Request()) is None


def test_a_count_is_the_stock_from_then_on(shop: Shop) -> None:
    warehouse, sam = Warehouse(shop.store), Worker("sam")
    counted = warehouse.count(Count("blue-mug", 4), sam)

    assert counted == shop.get_product(ProductRef("blue-mug"), None)
    assert stock(shop, "blue-mug") == 4
    assert isinstance(warehouse.count(Count("red-mug", 4), sam), NotFound)
    assert [each.id for each in warehouse.low_stock(LowStock(below=5), sam)] == [
        "letter-set",
        "paring-knife",
        "blue-mug",
    ]


def test_a_scanner_does_not_tell_that_a_shelf_is_empty() -> None:
    scanner, sam = Worker("gate", is_scanner=True), Worker("sam")

    assert seen(Call(scanner, Count("blue-mug", 0))) == ScannedNothing()
    assert seen(Call(scanner, Count("blue-mug", 1))) is None
    assert seen(Call(sam, Count("blue-mug", 0))) is None


def test_who_calls_a_warehouse_is_written_down(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="shop.warehouse")
    logged(Call(Worker("sam"), route="warehouse.count"))

    assert caplog.messages == ["sam calls warehouse.count"]


def test_the_report_sums_up_what_was_not_cancelled(shop: Shop) -> None:
    order(shop, OrderLine("blue-mug", 2), OrderLine("desk-lamp"))
    order(shop, OrderLine("blue-mug"))
    shop.cancel_order(OrderRef(order(shop, OrderLine("bread-knife")).id), ADA)

    report = asyncio.run(shop.sales_report(FOREVER, SAM))

    assert report == SalesReport(
        orders=2, turnover=Decimal("116.50"), pieces={"blue-mug": 3, "desk-lamp": 1}
    )
