"""Names and links that mean something to a browser: `tests/browser/test_payloads.py` has the texts."""

import json

from tests.browser.conftest import Open
from tests.browser.steps import parsed

LINKS = "all => all.slice(0, 3).map(each => [each.getAttribute('href'), each.rel, each.target])"


def test_a_field_called_proto_is_a_field(page_of: Open, shop_contract: bytes) -> None:
    found = parsed(shop_contract)
    names = ("__proto__", "constructor")
    found["$defs"]["Evil"] = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": ["__proto__"],
        "additionalProperties": False,
    }
    evil = {"path": "constructor", "input": {"$ref": "#/$defs/Evil"}}
    found["routes"]["constructor"] = found["routes"]["get_product"] | evil
    page = page_of(found, "#/routes/constructor")
    page.get_by_label("__proto__* string").fill("polluted")

    page.get_by_role("tab", name="JSON").first.click()
    assert json.loads(page.get_by_label("Input as JSON").input_value()) == {"__proto__": "polluted"}
    plain = page.evaluate("Object.prototype.toString.call({}) + ({}).string + ({}).polluted")
    assert plain == "[object Object]undefinedundefined"


def test_links_that_are_safe_are_kept(page_of: Open, shop_contract: bytes) -> None:
    found = parsed(shop_contract)
    found["ui"]["navbarLinks"] = [
        {"label": "mail", "href": "mailto:a@b.example"},
        {"label": "near", "href": "../x"},
        {"label": "far", "href": "https://x.example", "external": True},
    ]
    links = page_of(found).locator("header.top nav a")

    assert links.evaluate_all(LINKS) == [
        ["mailto:a@b.example", "noopener noreferrer", ""],
        ["../x", "noopener noreferrer", ""],
        ["https://x.example", "noopener noreferrer", "_blank"],
    ]
