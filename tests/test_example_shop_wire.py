"""The shop over the wire: what the types of its methods become in JSON."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import falcon
import falcon.testing
import pytest

from contract import mount_spec
from contract.client import Attachment
from contract.testing import Client
from examples.shop.app import api, shop_api
from examples.shop.seed import DEMO_KEY, DEMO_TOKENS
from examples.shop.store import Store
from tests.tables import rows

ADA = {"Authorization": f"Bearer {DEMO_TOKENS['ada']}"}
SAM = {"Authorization": f"bearer {DEMO_TOKENS['sam']}"}
SCANNER = {"X-Scanner-Key": DEMO_KEY}
MUG = {"product_id": "blue-mug"}


class Wire:
    """Calls the shop as a client would."""

    def __init__(self, store: Store) -> None:
        app: falcon.App[Any, Any] = falcon.App()
        mount_spec(app, shop_api(store))
        self.client: Any = falcon.testing.TestClient(app)

    def __call__(
        self, route: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        result = self.client.simulate_post(f"/{route}", json=body, headers=headers)
        return result.status_code, result.json


@pytest.fixture
def call(tmp_path: Path) -> Iterator[Wire]:
    with closing(Store(tmp_path / "shop.sqlite3")) as store:
        yield Wire(store)


def test_importing_the_shop_declares_routes_in_six_tags() -> None:
    routes = {name: entry.route for name, entry in api.entries.items()}
    tags = {tag for each in routes.values() for tag in each.tags}

    assert tags == {"account", "admin", "catalog", "orders", "shop", "stock"}
    assert [name for name, each in routes.items() if each.scope == "private"] == ["sales_report"]
    later = [name for name, each in routes.items() if each.is_async]
    assert later == ["product_page", "sales_report"]


def test_a_product_has_a_price_in_a_string_and_a_moment_with_an_offset(call: Wire) -> None:
    status, page = call("product_page", {"id": "desk-lamp"})

    assert status == 200
    lamp: dict[str, Any] = {"id": "desk-lamp", "name": "Desk lamp", "category": "desk", "stock": 8}
    assert page["product"] == lamp | {"price": "79.00", "added_at": "2026-03-28T09:00:00+00:00"}
    assert page["reviews"][0]["stars"] == 5
    assert page["related"] == []


def test_categories_are_nested(call: Wire) -> None:
    status, tree = call("category_tree", {})

    assert status == 200
    paper = {"id": "paper", "title": "Paper", "children": []}
    assert tree["children"][0] == {"id": "desk", "title": "Desk", "children": [paper]}


def test_opening_hours_are_keyed_by_day(call: Wire) -> None:
    status, hours = call("opening_hours")

    assert status == 200
    assert hours["days"]["monday"] == {"opens": "09:00:00", "closes": "13:00:00"}
    assert hours["closed_on"] == ["2026-12-25", "2026-12-26"]


CASH = {"kind": "cash"}
CARD = {"kind": "card", "number": "4242424242424242", "expires": "04/29"}


@rows("payment", CASH, CASH | {"change_for": "50"}, CARD)
def test_an_order_is_paid_in_one_of_two_ways(call: Wire, payment: dict[str, str]) -> None:
    status, order = call("place_order", {"lines": [MUG], "payment": payment}, ADA)

    assert (status, order["paid_by"], order["total"]) == (200, payment["kind"], "12.50")
    assert call("list_orders", {"filter": {}}, ADA) == (200, {"items": [order], "next": None})
    assert call("cancel_order", {"id": order["id"]}, ADA) == (200, order | {"status": "cancelled"})


@rows(
    "change, path",
    ({"lines": []}, ["lines"]),
    ({"lines": [MUG | {"quantity": 0}]}, ["lines", 0, "quantity"]),
    ({"payment": CASH | {"change_for": "50.005"}}, ["payment", "change_for"]),
    ({"payment": CARD | {"number": "4242 4242"}}, ["payment", "number"]),
    ({"deliver_after": "2026-12-24T10:00:00"}, ["deliver_after"]),
    ({"deliver_after": "2001-01-01T10:00:00Z"}, ["deliver_after"]),
)
def test_a_wrong_order_is_refused_with_the_place(
    call: Wire, change: dict[str, Any], path: list[str | int]
) -> None:
    status, answer = call("place_order", {"lines": [MUG], "payment": CASH} | change, ADA)

    assert (status, answer["error"]) == (400, "VALIDATION_ERROR")
    assert [issue["path"] for issue in answer["data"]["issues"]] == [path]


def test_failures_arrive_with_their_code_and_data(call: Wire) -> None:
    many = {"lines": [MUG | {"quantity": 41}], "payment": CASH}
    declined = {"lines": [MUG], "payment": CARD | {"number": "4242424242424241"}}
    product = {"id": "blue-mug", "name": "Blue mug", "price": "12.50", "category": "cups"}
    left = {"product_id": "blue-mug", "available": 40}
    staff = {"message": "Only the staff may do this."}
    nothing = {"message": "There is no product red-mug."}

    assert call("place_order", many, ADA) == (409, {"error": "OUT_OF_STOCK", "data": left})
    assert call("place_order", declined, ADA) == (402, {"error": "CARD_DECLINED"})
    assert call("add_product", product, SAM) == (409, {"error": "PRODUCT_EXISTS"})
    assert call("add_product", product, ADA) == (403, {"error": "FORBIDDEN", "data": staff})
    missing = call("get_product", {"id": "red-mug"})
    assert missing == (404, {"error": "NOT_FOUND", "data": nothing})


def test_a_picture_is_set_by_a_form_and_shown_by_a_url(tmp_path: Path) -> None:
    png = b"\x89PNG\r\n\x1a\n..."
    picture = {"picture": Attachment(png, "mug.png")}
    with closing(Store(tmp_path / "shop.sqlite3")) as store:
        client, mug = Client(shop_api(store)), {"id": "blue-mug"}
        turned_away = client.call("set_picture", mug, files=picture, token=DEMO_TOKENS["ada"])
        text = client.call("set_picture", mug, files={"picture": b"x"}, token=DEMO_TOKENS["sam"])
        done = client.call("set_picture", mug, files=picture, token=DEMO_TOKENS["sam"])
        shown = client.get("picture", mug)

    assert turned_away.error == "FORBIDDEN"
    assert text.json["data"]["issues"][0]["code"] == "media_type"
    assert (done.status, done.json) == (200, None)
    assert (shown.body, shown.headers["content-type"]) == (png, "image/png")


def test_absent_and_null_are_two_things(call: Wire) -> None:
    ada = {"id": "ada", "name": "Ada", "phone": "+4930123456", "orders": 0}

    assert call("update_account", {"name": "Ada"}, ADA)[1] == ada
    assert call("update_account", {"phone": None}, ADA)[1] == ada | {"phone": None}


def test_a_private_route_is_served(call: Wire) -> None:
    period = {"since": "2020-01-01T00:00:00Z", "until": "2099-01-01T00:00:00+01:00"}
    report = {"orders": 0, "turnover": "0.00", "pieces": {}}

    assert call("sales_report", period, SAM) == (200, report)


@rows("headers", None, {"Authorization": "Bearer ada.guess"}, {"Authorization": "Basic YWRhOmd1ZXNz"})  # fmt: skip
def test_without_a_token_of_the_shop_nobody_gets_an_account(
    call: Wire, headers: dict[str, str] | None
) -> None:
    assert call("get_account", None, headers) == (401, {"error": "UNAUTHORIZED"})


def test_a_parcel_is_told_of_in_a_header_and_once_it_is_in_the_file(
    call: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    _, order = call("place_order", {"lines": [MUG], "payment": {"kind": "cash"}}, ADA)
    with caplog.at_level("INFO", "shop"):
        result = call.client.simulate_post("/ship_order", json={"id": order["id"]}, headers=SAM)

    assert result.headers["x-parcel"] == f"shop-{order['id'][:8]}"
    assert f"the parcel of order {order['id']} left the house" in caplog.text
    assert call("get_order", {"id": order["id"]}, ADA)[1]["status"] == "shipped"


@pytest.mark.parametrize(("headers", "name"), [(None, None), (ADA, "Ada Lovelace")])
def test_the_first_page_needs_no_token_and_takes_one(
    call: Wire, headers: dict[str, str] | None, name: str | None
) -> None:
    status, page = call("front_page", None, headers)

    assert (status, len(page["newest"])) == (200, 3)
    assert page["account"] is None if name is None else page["account"]["name"] == name
    assert call("front_page", None, {"Authorization": "Bearer ada.guess"})[0] == 401


@pytest.mark.parametrize("headers", [SAM, SCANNER])
def test_a_shelf_is_counted_by_the_staff_and_by_scanners(
    call: Wire, headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "shop"):
        status, product = call("warehouse.count", {"id": "letter-set", "pieces": 2}, headers)

    assert (status, product["stock"]) == (200, 2)
    assert call("get_product", {"id": "letter-set"}) == (200, product)
    assert "calls warehouse.count" in caplog.text


def test_who_may_not_count_is_told_so(call: Wire) -> None:
    nothing = {"id": "letter-set", "pieces": 0}
    scope = {"message": "This needs the scope stock:write."}

    assert call("warehouse.count", nothing) == (401, {"error": "UNAUTHORIZED"})
    refused = call("warehouse.count", nothing, ADA)
    assert refused == (403, {"error": "FORBIDDEN", "data": scope})
    assert call("warehouse.count", nothing, SCANNER) == (409, {"error": "SCANNED_NOTHING"})
    assert call("warehouse.count", nothing, SCANNER | SAM)[0] == 400
    assert call("warehouse.low_stock", {"below": 1}, ADA)[1][0]["id"] == "letter-set"
    assert call("get_account", None, SCANNER) == (401, {"error": "UNAUTHORIZED"})
