"""Finding things, by typing and by filters."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.tables import rows


@rows("key", "/", "Control+k", "Meta+k")
def test_a_key_opens_the_search(shop: Open, key: str) -> None:
    page = shop()
    page.keyboard.press(key)

    expect(page.get_by_role("combobox", name="Search")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox", name="Search")).to_have_count(0)


@rows(
    "words, kind, title, heading",
    ("place_order", "Route", "place_order", "Order products"),
    ("shelf take", "Type", "Category", None),
    ("productref", "Type", "ProductRef", "ProductRef"),
    ("OUT_OF", "Error", "OUT_OF_STOCK", "OUT_OF_STOCK"),
    ("change_for", "Field", "change_for", "CashInput"),
    ("admin", "Tag", "admin", "admin"),
)
def test_everything_is_found(
    shop: Open, words: str, kind: str, title: str, heading: str | None
) -> None:
    page = shop()
    page.get_by_role("button", name="Search").click()
    page.keyboard.type(words if heading else "shelves")

    best = page.locator("#found").get_by_role("option").first
    expect(best).to_contain_text(kind)
    expect(best.locator(".name")).to_have_text(title)
    expect(best).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(heading or title)


def test_arrows_choose_and_say_what_is_chosen(shop: Open) -> None:
    page = shop()
    page.keyboard.press("/")
    page.keyboard.type("order")
    for _ in range(2):
        page.keyboard.press("ArrowDown")

    chosen = page.locator("[aria-selected=true][role=option]")
    expect(chosen).to_have_count(1)
    search = page.get_by_role("combobox", name="Search")
    expect(search).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    last = page.locator("#found").get_by_role("option").last
    expect(last).to_have_attribute("aria-selected", "true")


def test_a_click_beside_the_search_closes_it_and_one_inside_does_not(shop: Open) -> None:
    page = shop()
    search = page.get_by_role("combobox", name="Search")
    page.keyboard.press("/")
    search.click()
    page.keyboard.type("place")
    page.locator(".find > p").click()
    expect(search).to_have_value("place")

    page.mouse.click(5, 5)
    expect(search).to_have_count(0)


def test_nothing_found_says_so(shop: Open) -> None:
    page = shop()
    page.keyboard.press("/")
    page.keyboard.type("zzz")

    expect(page.locator(".find")).to_contain_text("Nothing in this contract has “zzz”.")
    page.keyboard.press("Enter")
    expect(page.locator(".find")).to_be_visible()


def test_filters_combine(shop: Open) -> None:
    page = shop()
    routes = page.locator(".sidebar section li:visible")
    expect(routes).to_have_count(22)

    for label, option, left in (
        ("Auth", "Bearer token", 15),
        ("MCP", "Tools", 5),
        ("Tag", "catalog", 0),
    ):
        page.get_by_label(label, exact=True).select_option(option)
        expect(routes).to_have_count(left)
    expect(page.locator(".sidebar")).to_contain_text("No route has all of these.")
    page.get_by_label("Auth").select_option("No token")
    found = [re.sub(r"MCP$", "", text) for text in routes.all_text_contents()]
    assert found == ["category_tree", "get_product", "list_products"]
