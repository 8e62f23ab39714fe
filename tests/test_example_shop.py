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

import contract
from contract.testing import Client
from examples.shop import types
from examples.shop.app import opening_hours, shop_api, staff_only
from examples.shop.seed import DEMO_KEY, DEMO_TOKENS
from examples.shop.service import Shop
from examples.shop.store import Store
from examples.shop.warehouse import Warehouse, logged, seen
from tests.tables import rows

ADA = types.Customer("ada")
GRACE = types.Customer("grace")
SAM = types.Customer("sam", staff=True)
NOBODY = UUID(int=0)
FOREVER = types.Period(datetime(2020, 1, 1, tzinfo=UTC), datetime(2099, 1, 1, tzinfo=UTC))


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    store = Store(tmp_path / "shop.sqlite3")
    yield Shop(store)
    store.close()


def ship(shop: Shop, order: UUID) -> types.Order | contract.NotFound:
    """In a call of its own, whose values end with it."""
    with contract.calling("ship_order"):
        return shop.ship_order(types.OrderRef(order), SAM)


def ids(page: types.Page[types.Product]) -> list[str]:
    return [product.id for product in page.items]


def bought(
    shop: Shop, *lines: types.OrderLine, paid: types.Cash | types.Card | None = None, **more: Any
) -> Any:
    return shop.place_order(types.NewOrder([*lines], paid or types.Cash(), **more), ADA)


def order(shop: Shop, *lines: types.OrderLine, **options: Any) -> types.Order:
    placed = bought(shop, *(lines or [types.OrderLine("blue-mug")]), **options)
    assert isinstance(placed, types.Order)
    return placed


def product(shop: Shop, id_: str) -> types.Product:
    found = shop.get_product(types.ProductRef(id_), None)
    assert isinstance(found, types.Product)
    return found


def stock(shop: Shop, id_: str) -> int:
    return product(shop, id_).stock


# who calls


@pytest.mark.parametrize(("name", "staff"), [("ada", False), ("sam", True)])
def test_a_demo_token_is_its_customers(shop: Shop, name: str, staff: bool) -> None:
    assert shop.authenticate(DEMO_TOKENS[name], contract.Request()) == types.Customer(name, staff)


STRANGERS = ["", "ada", "ada.", "ada.demo-token-of-the-staff", "grace.demo-token-of-a-customer"]


@pytest.mark.parametrize("token", [*STRANGERS, DEMO_TOKENS["ada"] + "x"])
def test_any_other_token_is_nobodys(shop: Shop, token: str) -> None:
    assert shop.authenticate(token, contract.Request()) is None


# catalog


def test_the_first_page_lists_products_by_name(shop: Shop) -> None:
    page = shop.list_products(types.ProductQuery(page_size=3), None)

    assert ids(page) == ["blue-mug", "bread-knife", "desk-lamp"]
    assert (page.page, page.total, page.next_page) == (1, 7, 2)


def test_the_last_page_has_no_next_one(shop: Shop) -> None:
    page = shop.list_products(types.ProductQuery(page=3, page_size=3), None)

    assert ids(page) == ["squared-notebook"]
    assert page.next_page is None


@rows(
    "query, found",
    (types.ProductQuery(search="KNIFE"), ["bread-knife", "paring-knife"]),
    (types.ProductQuery(search="%"), []),
    (types.ProductQuery(category="kitchen", sort=types.ProductSort.CHEAPEST), ["espresso-cup", "paring-knife", "blue-mug", "bread-knife"]),
    (types.ProductQuery(category="desk", sort=types.ProductSort.NEWEST), ["desk-lamp", "letter-set", "squared-notebook"]),
    (types.ProductQuery(category="desk", in_stock=True), ["desk-lamp", "squared-notebook"]),
    (types.ProductQuery(max_price=Decimal("8.90")), ["espresso-cup", "squared-notebook"]),
    (types.ProductQuery(category="garden"), []),
)  # fmt: skip
def test_a_query_narrows_and_sorts_the_list(
    shop: Shop, query: types.ProductQuery, found: list[str]
) -> None:
    assert ids(shop.list_products(query, None)) == found


def test_a_product_has_its_price_to_the_cent(shop: Shop) -> None:
    mug = product(shop, "blue-mug")

    assert mug.price == Decimal("12.50")
    assert mug.added_at == datetime(2026, 1, 5, 9, tzinfo=UTC)


def test_a_product_that_is_not_there_is_not_found(shop: Shop) -> None:
    ref = types.ProductRef("red-mug")
    none = contract.NotFound(message="There is no product red-mug.")

    assert shop.get_product(ref, None) == none
    assert asyncio.run(shop.product_page(ref, None)) == none


def test_the_page_of_a_product_holds_reviews_and_its_neighbours(shop: Shop) -> None:
    page = asyncio.run(shop.product_page(types.ProductRef("blue-mug"), None))

    assert isinstance(page, types.ProductPage)
    assert page.product.id == "blue-mug"
    assert [review.author for review in page.reviews] == ["Linus", "Grace"]
    assert [product.id for product in page.related] == ["espresso-cup"]


def test_the_categories_are_one_tree(shop: Shop) -> None:
    desk = types.Category("desk", "Desk", [types.Category("paper", "Paper", [])])
    cups = types.Category("cups", "Cups and mugs", [])
    kitchen = types.Category("kitchen", "Kitchen", [cups, types.Category("knives", "Knives", [])])

    with Client(contract.spec(routes=[], resources=[shop.tree])):
        tree = shop.category_tree(None, None)

    assert tree == types.Category("all", "Everything", [desk, kitchen])


def test_the_first_page_is_for_everybody_and_knows_who_is_signed_in(shop: Shop) -> None:
    page = shop.front_page(None, None)

    assert [product.id for product in page.newest] == ["desk-lamp", "letter-set", "paring-knife"]
    assert page.account is None
    assert shop.front_page(None, ADA) == replace(page, account=shop.get_account(None, ADA))


def test_a_route_is_called_like_the_function_that_it_is_made_of() -> None:
    hours = opening_hours(None)

    assert types.Day.SUNDAY not in hours.days
    assert hours.days[types.Day.FRIDAY].closes == time(18, 30)


# orders


def test_an_order_takes_its_pieces_off_the_shelf(shop: Shop) -> None:
    placed = order(
        shop, types.OrderLine("blue-mug", 2), types.OrderLine("bread-knife"), note="Ring twice."
    )

    assert placed.total == Decimal("59.00")
    assert [(line.product_id, line.quantity, line.unit_price) for line in placed.lines] == [
        ("blue-mug", 2, Decimal("12.50")),
        ("bread-knife", 1, Decimal("34.00")),
    ]
    assert (placed.status, placed.paid_by) == (types.OrderStatus.PLACED, "cash")
    assert placed.note == "Ring twice."
    assert stock(shop, "blue-mug") == 38


def test_two_lines_of_one_product_are_one_line(shop: Shop) -> None:
    placed = order(shop, types.OrderLine("blue-mug", 2), types.OrderLine("blue-mug", 3))

    assert [line.quantity for line in placed.lines] == [5]


def test_a_time_of_delivery_keeps_its_moment(shop: Shop) -> None:
    after = datetime(2026, 12, 24, 10, tzinfo=UTC)

    placed = order(shop, types.OrderLine("blue-mug"), deliver_after=after)

    assert shop.get_order(types.OrderRef(placed.id), ADA) == placed
    assert placed.deliver_after == after


def test_what_is_not_there_cannot_be_ordered_and_nothing_else_is(shop: Shop) -> None:
    knife = types.OrderLine("paring-knife")
    refused = bought(shop, types.OrderLine("blue-mug"), knife, knife)

    assert refused == types.OutOfStock(product_id="paring-knife", available=1)
    assert stock(shop, "blue-mug") == 40
    assert shop.get_account(None, ADA).orders == 0


def test_an_unknown_product_cannot_be_ordered(shop: Shop) -> None:
    assert isinstance(bought(shop, types.OrderLine("red-mug")), contract.NotFound)


@pytest.mark.parametrize("number", ["4242424242424242", "378282246310005"])
def test_a_card_with_a_right_check_digit_is_taken(shop: Shop, number: str) -> None:
    assert order(shop, paid=types.Card(number=number, expires="04/29")).paid_by == "card"


def test_a_card_with_a_wrong_check_digit_is_declined(shop: Shop) -> None:
    card = types.Card(number="4242424242424241", expires="04/29")

    assert bought(shop, types.OrderLine("blue-mug"), paid=card) == types.CardDeclined()
    assert stock(shop, "blue-mug") == 40


def test_a_card_keeps_its_number_to_itself() -> None:
    assert "4242" not in repr(types.Card(number="4242424242424242", expires="04/29"))


def test_a_customer_sees_only_their_own_orders_and_the_staff_all(shop: Shop) -> None:
    placed = order(shop)
    ref = types.OrderRef(placed.id)

    assert shop.get_order(ref, ADA) == placed
    assert shop.get_order(ref, SAM) == placed
    assert isinstance(shop.get_order(ref, GRACE), contract.NotFound)
    assert isinstance(shop.cancel_order(ref, GRACE), contract.NotFound)
    assert isinstance(shop.get_order(types.OrderRef(NOBODY), SAM), contract.NotFound)


def test_orders_are_listed_newest_first_and_by_status(shop: Shop) -> None:
    first, second = (order(shop, types.OrderLine(each)) for each in ("blue-mug", "desk-lamp"))
    cancelled = shop.cancel_order(types.OrderRef(first.id), ADA)

    def listed(wanted: types.OrderFilter, customer: types.Customer = ADA) -> Sequence[types.Order]:
        return shop.list_orders(contract.Cursor(wanted), customer).items

    assert listed(types.OrderFilter()) == [second, cancelled]
    assert listed(types.OrderFilter(status=types.OrderStatus.PLACED)) == [second]
    assert listed(types.OrderFilter(since=second.placed_at + timedelta(seconds=1))) == []
    assert listed(types.OrderFilter(), GRACE) == []


def test_a_page_of_orders_begins_after_the_one_before(shop: Shop) -> None:
    placed = [order(shop) for _ in range(3)]
    first = shop.list_orders(contract.Cursor(types.OrderFilter(), limit=2), ADA)
    second = shop.list_orders(contract.Cursor(types.OrderFilter(), first.next, limit=2), ADA)

    assert [*first.items, *second.items] == [*reversed(placed)]
    assert first.next == (placed[1].placed_at, placed[1].id)
    assert second.next is None


def test_cancelling_puts_the_pieces_back_once(shop: Shop) -> None:
    ref = types.OrderRef(order(shop, types.OrderLine("blue-mug", 5)).id)
    cancelled, again = (shop.cancel_order(ref, ADA) for _ in range(2))

    assert isinstance(cancelled, types.Order)
    assert cancelled.status is types.OrderStatus.CANCELLED
    assert again == cancelled
    assert stock(shop, "blue-mug") == 40


def test_a_shipped_order_is_not_cancelled(shop: Shop) -> None:
    placed = order(shop, types.OrderLine("blue-mug", 5))
    shipped = ship(shop, placed.id)

    assert isinstance(shipped, types.Order)
    assert shipped.shipped_at is not None
    late = types.AlreadyShipped(shipped_at=shipped.shipped_at)
    assert shop.cancel_order(types.OrderRef(placed.id), ADA) == late
    assert ship(shop, placed.id) == shipped
    assert stock(shop, "blue-mug") == 35


@pytest.mark.parametrize("becomes", [types.OrderStatus.SHIPPED, types.OrderStatus.CANCELLED])
def test_an_order_is_watched_until_it_is_shipped_or_cancelled(
    shop: Shop, becomes: types.OrderStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("examples.shop.service.LOOK_SECONDS", 0)
    placed = order(shop)

    async def watch() -> list[object]:
        stream = shop.watch_order(types.OrderWatch(placed.id), ADA)
        assert isinstance(stream, contract.Stream)
        seen: list[object] = []
        async for state in cast("AsyncIterator[object]", stream.items):
            seen.append(state)
            if state == placed and becomes is types.OrderStatus.SHIPPED:
                ship(shop, placed.id)
            elif state == placed:
                shop.cancel_order(types.OrderRef(placed.id), ADA)
        return seen

    first, then = asyncio.run(watch())
    last = shop.get_order(types.OrderRef(placed.id), ADA)

    assert first == placed
    assert then == (last if becomes is types.OrderStatus.SHIPPED else types.OrderCancelled())
    assert isinstance(last, types.Order)
    assert last.status is becomes


def test_an_order_is_watched_for_so_long_and_by_its_customer(shop: Shop) -> None:
    placed = order(shop)

    async def watch(seconds: int) -> list[object]:
        stream = shop.watch_order(types.OrderWatch(placed.id, seconds), ADA)
        assert isinstance(stream, contract.Stream)
        return [state async for state in cast("AsyncIterator[object]", stream.items)]

    assert asyncio.run(watch(0)) == [placed]
    assert isinstance(shop.watch_order(types.OrderWatch(placed.id), GRACE), contract.NotFound)


def test_a_cancelled_order_is_not_shipped(shop: Shop) -> None:
    placed = order(shop)
    shop.cancel_order(types.OrderRef(placed.id), ADA)

    assert isinstance(ship(shop, placed.id), contract.NotFound)
    assert isinstance(ship(shop, NOBODY), contract.NotFound)


# account


@rows(
    "patch, name, phone",
    (types.AccountPatch(), "Ada Lovelace", "+4930123456"),
    (types.AccountPatch(name="Ada"), "Ada", "+4930123456"),
    (types.AccountPatch(phone=None), "Ada Lovelace", None),
    (types.AccountPatch(name="Ada", phone="+441234567"), "Ada", "+441234567"),
)
def test_a_patch_changes_what_it_names_and_nothing_else(
    shop: Shop, patch: types.AccountPatch, name: str, phone: str | None
) -> None:
    assert shop.update_account(patch, ADA) == types.Account("ada", name, phone, 0)
    assert shop.get_account(None, ADA) == types.Account("ada", name, phone, 0)


# admin


def test_only_the_staff_may_do_what_is_for_the_staff(shop: Shop) -> None:
    entries = shop_api(shop.store).entries.values()
    guarded = [entry for entry in entries if any(each.hook is staff_only for each in entry.hooks)]

    assert staff_only(contract.Call(SAM)) is None
    assert staff_only(contract.Call(ADA)) == contract.Forbidden(
        message="Only the staff may do this."
    )
    assert guarded == [entry for entry in entries if "admin" in entry.route.tags]
    assert len(guarded) == 7


def test_a_new_product_is_on_sale_at_once(shop: Shop) -> None:
    added = shop.add_product(
        types.NewProduct("red-mug", "Red mug", Decimal("12.05"), "cups", 3), SAM
    )

    assert added == product(shop, "red-mug")
    assert product(shop, "red-mug").price == Decimal("12.05")


def test_a_product_needs_an_id_of_its_own_and_a_category(shop: Shop) -> None:
    mug = types.NewProduct("blue-mug", "Blue mug", Decimal(12), "cups")
    rake = types.NewProduct("rake", "Rake", Decimal(12), "garden")

    assert shop.add_product(mug, SAM) == types.ProductExists()
    assert isinstance(shop.add_product(rake, SAM), contract.NotFound)


@pytest.mark.parametrize("price", [contract.UNSET, Decimal("9.99")])
def test_an_updated_product_keeps_what_was_left_out(
    shop: Shop, price: Decimal | contract.Unset
) -> None:
    changed = shop.update_product(
        types.ProductPatch("blue-mug", name="Bluest mug", price=price), SAM
    )

    assert isinstance(changed, types.Product)
    assert (changed.name, changed.category, changed.stock) == ("Bluest mug", "cups", 40)
    assert changed.price == (price or Decimal("12.50"))


def test_a_product_is_moved_only_to_a_category_that_is_there(shop: Shop) -> None:
    moved = shop.update_product(types.ProductPatch("blue-mug", category="desk"), SAM)

    assert isinstance(moved, types.Product)
    assert moved.category == "desk"
    nowhere = types.ProductPatch("blue-mug", category="garden")
    for patch in (nowhere, types.ProductPatch("red-mug", name="Red")):
        assert isinstance(shop.update_product(patch, SAM), contract.NotFound)


def test_a_delivery_is_counted(shop: Shop) -> None:
    counted = shop.restock(types.Restock("letter-set", 6), SAM)

    assert isinstance(counted, types.Product)
    assert counted.stock == 6
    assert isinstance(shop.restock(types.Restock("red-mug", 6), SAM), contract.NotFound)


@rows("data, media_type", (b"\x89PNG\r\n\x1a\n...", "image/png"), (b"\xff\xd8\xff...", "image/jpeg"))  # fmt: skip
def test_a_picture_is_of_the_type_that_its_bytes_say(
    shop: Shop, data: bytes, media_type: str
) -> None:
    def put(product: str, sent: bytes) -> contract.NotFound | types.NoPicture | None:
        upload = contract.Upload.of(sent, name="picture", media_type="image/png")
        return shop.set_picture(types.NewPicture(product, upload), SAM)

    mug = types.ProductRef("blue-mug")
    assert isinstance(put("red-mug", data), contract.NotFound)
    assert put("blue-mug", b"<script>") == types.NoPicture()
    assert shop.picture(mug, None) == contract.NotFound(message="There is no picture of blue-mug.")
    assert put("blue-mug", b"\xff\xd8\xff, the one before") is None
    assert put("blue-mug", data) is None

    shown = shop.picture(mug, None)
    assert isinstance(shown, contract.Download)
    assert (shown.source, shown.media_type) == (data, media_type)
    shop.withdraw_product(mug, SAM)
    assert isinstance(shop.picture(mug, None), contract.NotFound)


def test_a_withdrawn_product_is_gone_but_not_from_its_orders(shop: Shop) -> None:
    placed = order(shop)
    mug = types.ProductRef("blue-mug")

    assert shop.withdraw_product(mug, SAM) is None
    assert isinstance(shop.withdraw_product(mug, SAM), contract.NotFound)
    assert isinstance(shop.get_product(mug, None), contract.NotFound)
    assert isinstance(bought(shop, types.OrderLine("blue-mug")), contract.NotFound)
    assert shop.get_order(types.OrderRef(placed.id), ADA) == placed


# warehouse


def test_the_staff_and_the_scanners_count_and_customers_look(shop: Shop) -> None:
    warehouse = Warehouse(shop.store)
    may = frozenset({"stock:write"})

    assert warehouse.worker_of(DEMO_TOKENS["sam"], contract.Request()) == types.Worker("sam", may)
    assert warehouse.worker_of(DEMO_TOKENS["ada"], contract.Request()) == types.Worker("ada")
    assert warehouse.worker_of("sam.guess", contract.Request()) is None
    assert warehouse.scanner_of(DEMO_KEY, contract.Request()) == types.Worker(
        "gate", may, is_scanner=True
    )
    assert warehouse.scanner_of("gate.guess", contract.Request()) is None
    assert warehouse.scanner_of("door.demo-key-of-a-scanner", contract.Request()) is None


def test_a_count_is_the_stock_from_then_on(shop: Shop) -> None:
    warehouse, sam = Warehouse(shop.store), types.Worker("sam")
    counted = warehouse.count(types.Count("blue-mug", 4), sam)
    low = [each.id for each in warehouse.low_stock(types.LowStock(below=5), sam)]

    assert counted == product(shop, "blue-mug")
    assert stock(shop, "blue-mug") == 4
    assert isinstance(warehouse.count(types.Count("red-mug", 4), sam), contract.NotFound)
    assert low == ["letter-set", "paring-knife", "blue-mug"]


def test_a_scanner_does_not_tell_that_a_shelf_is_empty() -> None:
    scanner, sam = types.Worker("gate", is_scanner=True), types.Worker("sam")

    assert seen(contract.Call(scanner, types.Count("blue-mug", 0))) == types.ScannedNothing()
    assert seen(contract.Call(scanner, types.Count("blue-mug", 1))) is None
    assert seen(contract.Call(sam, types.Count("blue-mug", 0))) is None


def test_who_calls_a_warehouse_is_written_down(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="shop.warehouse")
    logged(contract.Call(types.Worker("sam"), route="warehouse.count"))

    assert caplog.messages == ["sam calls warehouse.count"]


def test_the_report_sums_up_what_was_not_cancelled(shop: Shop) -> None:
    order(shop, types.OrderLine("blue-mug", 2), types.OrderLine("desk-lamp"))
    order(shop)
    shop.cancel_order(types.OrderRef(order(shop, types.OrderLine("bread-knife")).id), ADA)

    report = asyncio.run(shop.sales_report(FOREVER, SAM))

    pieces = {"blue-mug": 3, "desk-lamp": 1}
    assert report == types.SalesReport(orders=2, turnover=Decimal("116.50"), pieces=pieces)
