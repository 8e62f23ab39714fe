"""Ways in: what a route takes, the fields for it, and what is sent."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from contract import emit_contract
from examples.shop.seed import DEMO_KEY, DEMO_TOKENS
from tests import three_ways
from tests.browser.conftest import Open
from tests.browser.steps import go
from tests.tables import rows

COUNT = "#/routes/warehouse.count"


def sent(page: Page) -> dict[str, str]:
    """The headers of the call, once it was answered."""
    with page.expect_request(lambda request: request.method == "POST") as asked:
        page.get_by_role("button", name="Send").click()
    expect(page.locator(".facts")).to_be_visible()
    return asked.value.headers


@rows(
    "route, told",
    ("opening_hours", "No token"),
    ("get_account", "Bearer token"),
    ("front_page", "Bearer token or none"),
    ("warehouse.count", "Bearer token or X-Scanner-Key"),
)
def test_a_route_says_what_it_takes(shop: Open, route: str, told: str) -> None:
    page = shop(f"#/routes/{route}")

    expect(page.locator("main .marks .mark").first).to_have_text(told)


def test_a_route_that_needs_no_credential_says_so_beside_those_that_it_takes(page_of: Open) -> None:
    found = json.loads(emit_contract(three_ways.api))
    found["routes"]["who"]["auth"] = "optional"
    page = page_of(found, "#/routes/who")

    told = "Bearer token or X-Key or sid or none"
    expect(page.locator("main .marks .mark").nth(1)).to_have_text(told)


def test_a_key_has_a_field_and_is_sent_in_its_header(shop: Open) -> None:
    page = shop(COUNT)
    expect(page.locator(".token label:not(.quiet)")).to_have_text(["Token", "X-Scanner-Key"])

    assert not {"authorization", "x-scanner-key"} & sent(page).keys()
    expect(page.locator(".facts")).to_contain_text("401")
    page.get_by_label("X-Scanner-Key").fill(f" {DEMO_KEY} ")
    assert sent(page)["x-scanner-key"] == DEMO_KEY
    expect(page.locator(".facts")).to_contain_text("200")


def test_a_token_does_not_go_beside_a_key_nor_to_whom_the_key_is_nothing(shop: Open) -> None:
    page = shop(COUNT)
    page.get_by_label("Token", exact=True).fill(DEMO_TOKENS["sam"])
    assert sent(page)["authorization"] == f"Bearer {DEMO_TOKENS['sam']}"
    page.get_by_label("X-Scanner-Key").fill(DEMO_KEY)
    assert "authorization" not in sent(page)

    go(page, "#/routes/get_account")
    expect(page.get_by_label("X-Scanner-Key")).to_have_count(0)
    headers = sent(page)
    assert "x-scanner-key" not in headers
    assert headers["authorization"] == f"Bearer {DEMO_TOKENS['sam']}"


def test_a_cookie_is_the_browsers_to_send(page_of: Open) -> None:
    page = page_of(emit_contract(three_ways.paged), "#/routes/page", calls=three_ways.paged)
    form = page.get_by_role("form", name="Try it")

    expect(form).to_contain_text("The browser sends the cookie sid, if it has one.")
    expect(form).to_contain_text("Send the cookie sid.")
    page.context.add_cookies([{"name": "sid", "value": "page", "url": page.url.split("/v1")[0]}])
    sent(page)
    expect(page.locator(".facts")).to_contain_text("200")
    page.context.clear_cookies(name="sid")


def test_a_hint_is_told_once_and_not_of_ways_that_the_route_does_not_take(page_of: Open) -> None:
    all_take = json.loads(emit_contract(three_ways.api))
    page = page_of(all_take, "#/routes/who")

    expect(page.get_by_text("Send a bearer token in the Authorization header or")).to_have_count(1)
    go(page, "#/routes/ping")
    expect(page.get_by_text("Send a bearer token")).to_have_count(0)


def shows(page: Page, python: str, script: str) -> None:
    """The call as code has these lines."""
    for language, line in (("Python", python), ("TypeScript", script)):
        page.get_by_role("tab", name=language).click()
        expect(page.locator(".code").last).to_contain_text(line, use_inner_text=True)


@rows("route", "get_account", "warehouse.low_stock")
def test_code_gives_a_client_the_token(shop: Open, route: str) -> None:
    shows(shop(f"#/routes/{route}"), "token=token) as api", "  token,\n})")


def test_code_gives_a_client_the_key_where_that_is_all(page_of: Open) -> None:
    page = page_of(emit_contract(three_ways.keyed), "#/routes/who")

    shows(page, "x_key=credential) as api", "xKey: credential,")


def test_a_group_and_a_tag_of_one_name_are_told_apart(page_of: Open, shop_contract: bytes) -> None:
    found: dict[str, Any] = json.loads(shop_contract)
    found["routes"]["restock"]["tags"] = ["warehouse"]
    page = page_of(found)
    headings = page.locator(".sidebar section h2").filter(has_text="warehouse")

    expect(headings).to_have_text(["warehouse", "warehouse."])
    in_group = page.locator(".sidebar section", has_text="warehouse.").last.locator("li")
    expect(in_group).to_have_count(2)


@rows("at", "#restock", "#/restock")
def test_a_route_alone_behind_the_number_sign_leads_to_it(shop: Open, at: str) -> None:
    page = shop(at)

    expect(page.locator("h1")).to_have_text("Count a delivery")
    go(page, "#nothing")
    expect(page.locator("h1")).to_have_text("There is no such page")
