"""What stands on the pages, and the way between them."""

import json
import re
from functools import partial
from typing import Any

from playwright.sync_api import expect

from contract.document.contract_json import dump_contract
from tests.browser.conftest import Open
from tests.browser.steps import go, parsed, scroll
from tests.cli_servers import until
from tests.golden.specs import CASES
from tests.tables import rows

GROUPS = ["account", "admin", "catalog", "orders", "shop", "warehouse."]


def test_the_shell_has_title_version_links_and_foot(shop: Open) -> None:
    page = shop()

    link = partial(page.locator("header.top").get_by_role, "link")
    expect(link(name="Shop 1.0.0")).to_have_attribute("href", "#/")
    expect(link(name="Opening hours")).to_have_attribute("rel", "noopener noreferrer")
    for name in ("contract.json", "openapi.json"):
        expect(link(name=name)).to_have_attribute("href", re.compile(rf"/v1/{name}$"))
    expect(link(name="llms.txt")).to_have_attribute("href", "./llms.txt")
    expect(page.get_by_role("complementary", name="Notice")).to_contain_text("A demonstration")
    expect(page.get_by_text("Powered by contract")).to_be_visible()
    expect(page).to_have_title("Shop 1.0.0")
    expect(page.locator(".sidebar section h2")).to_have_text(GROUPS, use_inner_text=True)


def test_groups_come_before_tags(page_of: Open, shop_contract: bytes) -> None:
    found = parsed(shop_contract)
    moved = {"path": "sales.old.create", "group": "sales.old"}
    found["routes"]["sales.old.create"] = found["routes"].pop("place_order") | moved
    page = page_of(found)

    groups = sorted([*GROUPS, "sales.old."])
    expect(page.locator(".sidebar section h2")).to_have_text(groups, use_inner_text=True)
    expect(page.locator(".sidebar section", has_text="sales.old").locator("li")).to_have_count(1)


def test_the_mode_is_remembered(shop: Open) -> None:
    page = shop(dark=True)
    assert page.evaluate("document.documentElement.dataset.mode") == "dark"

    page.get_by_role("button", name="Light or dark").click()
    page.reload()
    page.wait_for_selector("h1")

    assert page.evaluate("document.documentElement.dataset.mode") == "light"
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


SNIPPETS = {
    "Claude Code": "claude mcp add --transport http shop http",
    "Claude Desktop": "mcp-remote",
    "Cursor": "${env:TOKEN}",
    "VS Code": "promptString",
    "Windsurf": "serverUrl",
    "Codex": "bearer_token_env_var",
    "JSON": '"type": "http"',
}


def test_home_tells_how_to_begin(shop: Open) -> None:
    main = shop().locator("main")

    expect(main).to_contain_text("A small shop for kitchen and desk.")
    for name, href in (
        ("shop.example", "https://shop.example"),
        ("22 routes", "#/routes"),
        ("38 types", "#/types"),
        ("22 errors", "#/errors"),
        ("8 tools", "#/mcp"),
    ):
        expect(main.get_by_role("link", name=name)).to_have_attribute("href", href)
    command = r"contract generate http://127\.0\.0\.1:\d+/v1/contract\.json -o shop_client\.py"
    expect(main).to_contain_text(re.compile(command))
    for client, told in SNIPPETS.items():
        main.get_by_role("tab", name=client, exact=True).click()
        expect(main.get_by_role("tabpanel").nth(1)).to_contain_text(told)


def test_commands_are_copied(shop: Open) -> None:
    page = shop()

    page.get_by_role("button", name="Copy the endpoint").click()

    expect(page.get_by_role("status")).to_contain_text("Copied the endpoint")
    assert page.evaluate("navigator.clipboard.readText()").endswith("/v1/mcp")


def test_home_is_left_out_where_it_would_be_empty(page_of: Open, shop_contract: bytes) -> None:
    found = parsed(shop_contract)
    del found["info"]["description"], found["ui"]["website"]
    page = page_of(found)

    expect(page.locator("h1")).to_have_text("Get the account")
    expect(page.locator(".sidebar [aria-current]")).to_have_text(re.compile("get_account"))
    expect(page.get_by_role("link", name="Overview")).to_have_count(0)
    page.get_by_role("link", name="MCP", exact=True).click()
    expect(page.locator("h1")).to_have_text("Connect an agent")


def test_a_route_says_what_it_asks_of_its_callers(shop_contract: bytes, page_of: Open) -> None:
    found = parsed(shop_contract)
    found["routes"]["place_order"]["requires"] = ["orders:write", "<b>"]
    found["routes"]["get_product"]["auth"] = "optional"
    page = page_of(found, "#/routes/place_order")
    marks = page.locator("main .marks .mark")

    told = ["MCP tool\nplace_order", "Bearer token", "scope\norders:write", "scope\n<b>"]
    expect(marks).to_have_text([*told, "Writes", "orders"], use_inner_text=True)
    go(page, "#/routes/get_product")
    expect(marks.filter(has_text="Bearer token or none")).to_have_count(1)
    expect(page.get_by_label("Token", exact=True)).to_be_visible()


def test_a_webhook_is_shown_and_cannot_be_sent(shop_contract: bytes, page_of: Open) -> None:
    found = parsed(shop_contract)
    found["routes"]["list_products"]["signed"] = "standard-webhooks"
    page = page_of(found, "#/routes/list_products")

    expect(page.locator("main .marks")).to_contain_text("Signed webhook")
    told = "Its senders sign each body with a secret, which no page has."
    expect(page.get_by_text(told)).to_be_visible()
    expect(page.get_by_role("form")).to_have_count(0)


def test_events_lead_to_their_messages(shop_contract: bytes, page_of: Open) -> None:
    found = parsed(shop_contract)
    told = {"summary": "An order has left", "message": {"$ref": "#/$defs/Order"}}
    found["events"] = {"order.shipped": told}
    page = page_of(found)
    page.locator(".counts").get_by_role("link", name="1 event").click()

    row = page.locator("main section", has_text="Events, sent by webhooks").locator("li")
    expect(row).to_contain_text("An order has left")
    expect(row).to_contain_text("order.shipped")
    row.get_by_role("link").click()
    expect(page.locator("main h1")).to_have_text("Order")


def test_a_route_has_all_that_is_to_be_known(shop: Open) -> None:
    page = shop("#/routes/place_order")
    main = page.locator("main article")

    expect(main).to_contain_text("A card is charged at once")
    expect(main.locator(".path code")).to_have_text("/v1/place_order")
    expect(main.locator(".marks .mark")).to_have_text(
        ["MCP tool\nplace_order", "Bearer token", "Writes", "orders"], use_inner_text=True
    )
    fields = main.get_by_role("tabpanel").first
    expect(fields.locator(".tree > li > .head > .name")).to_have_text(
        ["lines", "payment", "note", "deliver_after"], use_inner_text=True
    )
    expect(fields).to_contain_text("1 to 20 items")
    fields.get_by_text("Inside OrderLineInput").click()
    expect(fields).to_contain_text("1 to 100")
    expect(fields).to_contain_text("such as blue-mug")
    expect(fields.get_by_role("link", name="CardInput").first).to_have_attribute(
        "href", "#/types/CardInput"
    )
    main.get_by_role("tab", name="Schema").first.click()
    expect(main.get_by_role("tabpanel").first).to_contain_text('"additionalProperties": false')
    codes = main.locator("section").last.locator(".tree > li > .head > .name")
    expect(codes).to_have_text(["CARD_DECLINED", "OUT_OF_STOCK", "NOT_FOUND"], use_inner_text=True)
    main.get_by_text("Any route may also answer with").click()
    expect(codes.get_by_text("UNAUTHORIZED", exact=True)).to_be_visible()


def test_a_type_that_holds_itself_is_folded(shop: Open) -> None:
    page = shop("#/types/Category")

    for depth in range(1, 4):
        expect(page.locator("main summary")).to_have_count(depth)
        page.locator("main summary").last.click()

    expect(page.locator("main .tree .tree .tree .name")).to_have_text(
        ["id", "title", "children"] * 2
    )
    expect(page.locator("main")).to_contain_text("as output")


def test_types_that_are_made_of_generic_ones_say_of_what(page_of: Open) -> None:
    contract = json.loads(dump_contract(CASES["generics"]()))
    circle = {"name": "Round", "arguments": [{"$ref": "#/$defs/Second"}]}
    contract["$defs"]["Second"]["x-contract-generic"] = circle
    page = page_of(contract, "#/types")

    expect(page.get_by_role("link", name="Round[Second]")).to_be_visible()
    go(page, "#/types/Page_Pair_Color_Page_Point")
    expect(page.locator("h1")).to_have_text("Page[Pair[Color, Page[Point]]]")
    expect(page.locator(".tree .head").first).to_have_text("itemslist of Pair[Color, Page[Point]]")
    page.keyboard.press("/")
    page.keyboard.type("page[point]")
    expect(page.locator("#found a").first).to_contain_text("Page[Point]")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Page[Point]")


def test_a_route_is_copied_as_markdown(shop: Open) -> None:
    page = shop("#/routes/place_order")

    page.get_by_role("button", name="Copy as Markdown").click()

    expect(page.get_by_role("status").first).to_contain_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("# place_order: Order products\n")
    assert re.search(r"POST http://127\.0\.0\.1:\d+/v1/place_order \(", text)
    assert re.search(r"http://127\.0\.0\.1:\d+/v1/contract\.json", text)
    product = (
        '1 to 40 characters, such as "blue-mug". Lower-case words and numbers, joined by hyphens.'
    )
    for part in (
        "- `lines` (list of OrderLineInput): 1 to 20 items",
        "### OrderLineInput\n",
        f"- `product_id` (string): {product}",
        "- `OUT_OF_STOCK` (409): ",
        "- `UNAUTHORIZED` (401): ",
        "- `INTERNAL_ERROR` (500): ",
        "- `VALIDATION_ERROR` (400): ",
    ):
        assert part in text
    for part in ("OpeningHours", "[a-z0-9]", "^"):
        assert part not in text


def test_a_service_without_tools_says_nothing_of_mcp(page_of: Open, shop_contract: bytes) -> None:
    found = parsed(shop_contract)
    for route in found["routes"].values():
        route.pop("mcp", None)
    page = page_of(found)
    for at in ("#/", "#/routes", "#/routes/place_order", "#/tags/orders"):
        go(page, at)
        assert "MCP" not in page.locator("body").inner_text()
        assert "agent" not in page.locator("body").inner_text()
    go(page, "#/mcp")
    expect(page.locator("h1")).to_have_text("There is no such page")


def test_every_page_has_an_address(shop: Open) -> None:
    page = shop("#/types")
    page.get_by_role("link", name="Product", exact=True).click()
    expect(page.locator("h1")).to_have_text("Product")
    expect(page.locator("h1")).to_be_focused()
    page.get_by_role("link", name="Page[Product]").click()
    expect(page).to_have_title("Page[Product] · Shop 1.0.0")

    page.go_back()
    expect(page.locator("h1")).to_have_text("Product")
    page.go_forward()
    expect(page.locator("h1")).to_have_text("Page[Product]")


def test_the_place_on_a_page_is_found_again(shop: Open) -> None:
    page = shop("#/types")
    scroll(page, 500)
    page.evaluate("document.querySelector('main a[href=\"#/types/Review\"]').click()")
    expect(page.locator("h1")).to_have_text("Review")
    assert page.evaluate("scrollY") == 0

    page.go_back()
    expect(page.locator("h1")).to_have_text("Types")
    until(lambda: page.evaluate("scrollY") == 500)


@rows(
    "at, title",
    ("#/routes/nope", "There is no such route"),
    ("#/types/constructor", "There is no such type"),
    ("#/errors/__proto__", "There is no such error"),
    ("#/nope/x", "There is no such page"),
    ("#/routes/%E0%A4%A", "There is no such route"),
)
def test_an_unknown_address_says_so(shop: Open, at: str, title: str) -> None:
    expect(shop(at).locator("h1")).to_have_text(title)


def test_errors_say_who_declares_them(shop: Open) -> None:
    page = shop("#/errors")
    expect(page.locator("main h2")).to_have_text(
        ["Of this service", "Of any route"], use_inner_text=True
    )

    page.get_by_role("link", name="OUT_OF_STOCK").click()

    expect(page.locator("main")).to_contain_text("Error, status 409")
    expect(page.locator("main").get_by_role("link", name="place_order")).to_be_visible()


def test_a_deprecated_private_route_is_marked(page_of: Open, shop_contract: bytes) -> None:
    found = parsed(shop_contract)
    ends = {"since": "2026-01-01", "remove_on": "2027-01-01", "use": "list_orders"}
    found["routes"]["get_order"] |= {"deprecated": ends, "scope": "private"}
    page = page_of(found, "#/routes/get_order")
    sidebar = page.locator(".sidebar")

    told = "Deprecated since 2026-01-01, gone after 2027-01-01; call list_orders instead"
    expect(page.locator("main .breach")).to_have_text(told)
    expect(sidebar.locator(".old .mark")).to_have_text(["private", "MCP"], use_inner_text=True)
    link = sidebar.get_by_role("link", name=re.compile("get_order ?deprecated"))
    expect(link).to_have_count(1)


def test_an_empty_contract_says_what_to_do(page_of: Open, shop_contract: bytes) -> None:
    empty: dict[str, Any] = {key: {} for key in ("routes", "$defs", "errors", "ui", "links")}
    new = {"info": {"title": "New", "version": "0.0.0"}}
    page = page_of(parsed(shop_contract) | empty | new)

    expect(page.locator(".empty")).to_contain_text("Add one with @route")
    page.get_by_role("link", name="Types").click()
    expect(page.locator(".empty")).to_have_text("This contract names no types.")
    expect(page.get_by_role("link", name="MCP")).to_have_count(0)


def test_routes_without_tags_stand_in_one_list(page_of: Open, shop_contract: bytes) -> None:
    found = parsed(shop_contract)
    for route in found["routes"].values():
        route["tags"] = []
        route.pop("group", None)

    headings = page_of(found).locator(".sidebar section h2")
    expect(headings).to_have_text(["Routes"], use_inner_text=True)


def test_what_is_no_contract_is_told(page_of: Open) -> None:
    page = page_of({"contract": "2.0", "info": {"title": "x"}})

    expect(page.locator("main")).to_contain_text("It is not a contract of version 1.")


def test_on_a_phone_the_menu_is_a_drawer(shop: Open) -> None:
    page = shop(width=360)
    expect(page.locator(".sidebar")).to_be_hidden()

    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("link", name="list_products").click()

    expect(page.locator("h1")).to_have_text("List products")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
