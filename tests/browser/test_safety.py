"""Every text of a contract is text."""

import json
from typing import Any, cast

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.steps import found_on

PAYLOAD = (
    "<img src=x onerror=window.pwned=1><script>window.pwned=1</script>\u2028</script><svg onload=window.pwned=1>"
    "<template><iframe srcdoc='x'>"
    "`${window.pwned=1}` {{constructor.constructor('window.pwned=1')()}} \u202e\"'>"
)
# what decides how a text is read is left as it is
_KEPT = {
    "$ref",
    "pattern",
    "type",
    "format",
    "x-contract-type",
    "auth",
    "scope",
    "effect",
    "method",
    "required",
    "x-contract-order",
    "path",
}
_SCHEMES = (
    "javascript:window.pwned=1", "JaVaScRiPt:window.pwned=1", "java\tscript:window.pwned=1",
    " javascript:window.pwned=1", "\x01javascript:window.pwned=1",
    "vbscript:x", "data:text/html,<script>window.pwned=1</script>", "data:image/svg+xml;base64,PHN2Zy8+", "blob:x", "file:///etc/passwd",
)  # fmt: skip
_MARKUP = """[...document.querySelectorAll("*")].filter(each =>
    /^(script|iframe|object|embed|base|template)$/i.test(each.tagName) && !each.src?.includes("/assets/")
    || [...each.attributes].some(({ name, value }) => /^on|^style$|^srcdoc$/i.test(name) || /^\\W*(java|vb)script:/i.test(value))
).map(each => each.outerHTML)"""


def poisoned(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: each if key in _KEPT else poisoned(each)
            for key, each in cast("dict[str, Any]", value).items()
        }
    if isinstance(value, list):
        return [poisoned(each) for each in cast("list[object]", value)]
    return PAYLOAD if isinstance(value, str) else value


@pytest.fixture
def hostile(shop_contract: bytes) -> dict[str, Any]:
    found = poisoned(json.loads(shop_contract))
    link = {"label": PAYLOAD, "href": _SCHEMES[0]}
    for route in found["routes"].values():
        route["mcp"] = {"name": PAYLOAD, "title": PAYLOAD, "annotations": {}}
    evil = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "__proto__": {"type": "string"},
            "constructor": {"type": "string"},
            PAYLOAD: {"enum": [PAYLOAD, "b"]},
        },
    }
    found["$defs"]["Evil"] = {**evil, "required": ["__proto__"], "description": PAYLOAD}
    found["routes"]["constructor"] = {
        **found["routes"]["get_product"],
        "input": {"$ref": "#/$defs/Evil"},
        "path": "constructor",
    }
    found["errors"][PAYLOAD] = {"status": 400, "description": PAYLOAD}
    return {
        **found,
        "contract": "1.0",
        "info": {
            "title": PAYLOAD,
            "version": PAYLOAD,
            "description": f"# {PAYLOAD}\n\n[x](javascript:window.pwned=1) <b>{PAYLOAD}</b>\n\n```html\n{PAYLOAD}\n```\n- {PAYLOAD}",
        },
        "links": {"mcp": "mcp", "openapi": "openapi.json"},
        "ui": {
            "website": {"url": _SCHEMES[0], "label": PAYLOAD},
            "logo": {"light": _SCHEMES[6], "dark": _SCHEMES[7]},
            "favicon": _SCHEMES[6],
            "theme": {
                "accent": "red;} body{display:none",
                "background": "url(https://evil.example)",
                "fontFamily": "x;} body{display:none}",
                "fontUrls": [*_SCHEMES],
            },
            "navbarLinks": [{"label": PAYLOAD, "href": scheme, "external": True} for scheme in _SCHEMES],
            "notice": {"title": PAYLOAD, "message": PAYLOAD, "command": PAYLOAD, "links": [link]},
            "sdkInstall": PAYLOAD,
            "authHint": PAYLOAD,
        },
    }  # fmt: skip


def test_no_text_becomes_markup_or_leaves_the_page(page_of: Open, hostile: dict[str, Any]) -> None:
    page = page_of(hostile)
    origin = page.url.split("/v1/")[0]
    outside: list[str] = []
    page.on(
        "request",
        lambda request: (
            outside.append(request.url)
            if not request.url.startswith((origin, "data:image/svg+xml,"))
            else None
        ),
    )
    pages = [
        "#/",
        "#/routes",
        "#/types",
        "#/errors",
        "#/mcp",
        *(f"#/routes/{name}" for name in hostile["routes"]),
        *(f"#/types/{name}" for name in hostile["$defs"]),
    ]

    assert found_on(page, pages, f"() => [{_MARKUP}, window.pwned ?? null]") == {
        at: [[], None] for at in pages
    }
    assert outside == []
    expect(page.locator("header.top strong")).to_have_text(PAYLOAD)
    assert page.evaluate("getComputedStyle(document.body).display") == "block"
    assert (
        page.evaluate("Object.prototype.toString.call({}) + ({}).string")
        == "[object Object]undefined"
    )


def test_a_hostile_answer_is_text(shop: Open) -> None:
    page = shop("#/routes/opening_hours")
    page.route(
        "**/opening_hours",
        lambda call: call.fulfill(
            status=200,
            body=json.dumps({PAYLOAD: PAYLOAD, "__proto__": {"string": 1}}),
            headers={"x-request-id": "<img src=x>"},
        ),
    )
    page.get_by_role("button", name="Send").click()

    expect(page.locator(".result")).to_contain_text("onerror=window.pwned=1")
    assert page.evaluate(_MARKUP) == []
    assert page.evaluate("window.pwned") is None


def test_a_field_called_proto_is_a_field(page_of: Open, hostile: dict[str, Any]) -> None:
    page = page_of(hostile, "#/routes/constructor")
    page.get_by_label("__proto__* string").fill("polluted")

    page.get_by_role("tab", name="JSON").first.click()
    assert json.loads(page.get_by_label("Input as JSON").input_value()) == {"__proto__": "polluted"}
    assert page.evaluate("({}).polluted") is None


def test_links_that_are_safe_are_kept(page_of: Open, shop_contract: bytes) -> None:
    found = json.loads(shop_contract)
    found["ui"]["navbarLinks"] = [
        {"label": "mail", "href": "mailto:a@b.example"},
        {"label": "near", "href": "../x"},
        {"label": "far", "href": "https://x.example", "external": True},
    ]
    links = page_of(found).locator("header.top nav a")

    assert links.evaluate_all(
        "all => all.slice(0, 3).map(each => [each.getAttribute('href'), each.rel, each.target])"
    ) == [
        ["mailto:a@b.example", "noopener noreferrer", ""],
        ["../x", "noopener noreferrer", ""],
        ["https://x.example", "noopener noreferrer", "_blank"],
    ]
