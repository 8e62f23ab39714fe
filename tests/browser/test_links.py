"""Links that lead into a page: to a section, a field, an error, and a form that is filled in."""

import json
import re
from urllib.parse import quote

from playwright.sync_api import Page, expect

from examples.shop.seed import DEMO_TOKENS
from tests.browser.conftest import Open
from tests.browser.steps import clipboard, go, type_json

IN_VIEW = "each => { const { top } = each.getBoundingClientRect(); return top >= 50 && top < innerHeight / 2 }"


def test_a_section_has_an_address(shop: Open) -> None:
    page = shop("#/routes/place_order")
    page.get_by_role("link", name="Link to Errors").click()
    expect(page).to_have_url(re.compile("#/routes/place_order/errors$"))

    section = page.locator("section", has=page.get_by_role("heading", name="Errors"))
    expect(section).to_be_focused()
    page.reload()
    expect(section).to_be_focused()
    assert section.evaluate("each => each.getBoundingClientRect().top < innerHeight")


def focused(page: Page) -> str:
    # not `wait_for_function`: its second look is an eval, which the page's policy refuses
    page.wait_for_selector(".found:focus")
    name: str = page.evaluate("document.activeElement.querySelector('.name').textContent")
    return name


def test_a_field_has_an_address_however_deep_it_is(shop: Open) -> None:
    page = shop("#/routes/place_order/input/lines/quantity")
    assert focused(page) == "quantity"
    assert page.evaluate(f"({IN_VIEW})(document.activeElement)")

    go(page, "#/types/Order/fields/status")
    assert focused(page) == "status"
    go(page, "#/routes/place_order")
    page.get_by_role("tab", name="Schema").first.click()
    go(page, "#/types")
    go(page, "#/routes/place_order/input/payment/card/number")
    assert focused(page) == "number"
    page.get_by_role("link", name="note", exact=True).first.click()
    assert focused(page) == "note"


def test_an_error_has_an_address_folded_or_not(shop: Open) -> None:
    page = shop("#/routes/place_order/errors/OUT_OF_STOCK")
    assert focused(page) == "OUT_OF_STOCK"

    go(page, "#/routes/place_order/errors/UNAUTHORIZED")
    assert focused(page) == "UNAUTHORIZED"
    expect(page.get_by_text("UNAUTHORIZED", exact=True)).to_be_visible()
    go(page, "#/routes/place_order/errors/OUT_OF_STOCK/product_id")
    assert focused(page) == "product_id"


def test_what_is_linked_to_and_not_there_leaves_the_page(shop: Open) -> None:
    page = shop("#/routes/place_order/input/nothing/of/this")

    expect(page.locator("h1")).to_have_text("Order products")


def test_a_search_leads_to_the_field(shop: Open) -> None:
    page = shop()
    page.keyboard.press("/")
    page.keyboard.type("change_for")
    page.keyboard.press("Enter")

    assert focused(page) == "change_for"


def copied(page: Page) -> str:
    page.get_by_role("button", name="Copy a link to this input").click()
    expect(page.locator("#live")).to_have_text("Copied a link to this input")
    return clipboard(page)


def test_a_form_is_filled_in_by_a_link_without_the_token(shop: Open) -> None:
    page = shop("#/routes/place_order")
    page.get_by_label("Token", exact=True).fill(DEMO_TOKENS["ada"])
    page.get_by_label("keep for this session").check()
    page.get_by_label("quantity integer").fill("7")
    link = copied(page)
    assert DEMO_TOKENS["ada"] not in link
    page.get_by_role("button", name="Reset").click()

    methods: list[str] = []
    page.on("request", lambda request: methods.append(request.method))
    page.goto(link.replace("/#", "/?fresh#"))
    expect(page.get_by_label("quantity integer")).to_have_value("7")
    expect(page.locator(".told")).to_have_text("Filled in from a link: read it before you send it.")
    expect(page).to_have_url(re.compile("#/routes/place_order$"))
    assert "POST" not in methods


def test_what_is_too_long_is_no_link(shop: Open) -> None:
    page = shop("#/routes/place_order")
    type_json(page, json.dumps({"note": "x" * 9000}))
    expect(page.get_by_role("button", name="Copy a link to this input")).to_be_hidden()

    go(page, "#/routes/get_product")
    go(page, f"#/routes/opening_hours?input={'1' * 9000}")
    expect(page.get_by_label("Input as JSON")).to_have_value("{}")


def test_a_link_can_hold_anything(shop: Open) -> None:
    hostile = '{"note": "<img src=x onerror=pwned()>", "__proto__": {"x": 1'
    page = shop(f"#/routes/place_order?input={quote(hostile)}")

    expect(page.get_by_text("This is not JSON yet")).to_be_visible()
    page.get_by_role("tab", name="JSON").first.click()
    expect(page.get_by_label("Input as JSON")).to_have_value(hostile)
