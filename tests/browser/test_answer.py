"""The answer: seen at once, beside its request where there is room, and told to those who do not see."""

import re

import pytest
from playwright.sync_api import Locator, expect

from contract import emit_contract
from examples.shop.seed import DEMO_TOKENS
from tests import ledger
from tests.browser.conftest import Open
from tests.browser.steps import send, type_json

IN_VIEW = """each => {
    const { top, bottom, left, right } = each.getBoundingClientRect()
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return top >= 0 && bottom <= innerHeight && (each.contains(at) || at.contains(each))
}"""


def is_in_view(found: Locator) -> bool:
    """Whether all of it is in the window, with nothing before it."""
    seen: bool = found.evaluate(IN_VIEW)
    return seen


def test_send_and_the_answer_are_in_view_at_a_desk(shop: Open) -> None:
    page = shop("#/routes/place_order")
    button = page.get_by_role("button", name="Send")
    assert is_in_view(button)

    page.get_by_label("Token", exact=True).fill(DEMO_TOKENS["ada"])
    facts = send(page)
    expect(facts).to_have_text("200 OK")
    assert is_in_view(facts)
    assert is_in_view(page.get_by_role("tabpanel", name="Body").locator("code").first)
    assert is_in_view(button)
    form, answer = page.locator("form.side").bounding_box(), page.locator(".answer").bounding_box()
    assert form is not None
    assert answer is not None
    assert answer["x"] + answer["width"] <= form["x"]
    assert page.evaluate("scrollY") < 100


PARTS = ["#try", ".side .json, .side .nest"]
PARTS += [f".side > .card:last-child {part}" for part in ("h2", "pre")]


@pytest.mark.parametrize("width", [1440, 390])
def test_send_stays_in_view_wherever_the_call_is_scrolled_to(shop: Open, width: int) -> None:
    page = shop("#/routes/place_order", width=width)
    for part in PARTS:
        page.locator(part).first.evaluate("each => each.scrollIntoView({ block: 'center' })")
        assert is_in_view(page.get_by_role("button", name="Send")), part


def test_the_form_stays_where_it_is(shop: Open) -> None:
    page = shop("#/routes/place_order")
    button = page.get_by_role("button", name="Send")
    before = button.bounding_box()
    send(page)

    assert button.bounding_box() == before
    page.get_by_role("button", name="Close the answer").click()
    expect(page.get_by_role("region", name="Answer")).to_be_hidden()
    expect(button).to_be_focused()


@pytest.mark.parametrize("width", [390, 1024, 1280])
def test_with_less_room_the_answer_is_in_view_too(shop: Open, width: int) -> None:
    page = shop("#/routes/place_order", width=width)
    facts = send(page)

    expect(facts).to_have_text("401 Unauthorized")
    assert is_in_view(facts)
    assert is_in_view(page.get_by_role("button", name="Send"))
    expect(page.get_by_role("button", name="Send")).to_be_focused()


def test_the_status_is_told_without_the_focus(shop: Open) -> None:
    page = shop("#/routes/opening_hours", width=390)
    page.locator("form.side").press("Tab")
    page.get_by_role("button", name="Send").focus()
    page.keyboard.press("Enter")

    expect(page.locator("#live")).to_have_text("Answered 200 OK")
    expect(page.locator("#live")).to_have_role("status")
    expect(page.get_by_role("button", name="Send")).to_be_focused()


def test_a_401_says_what_it_means_and_leads_to_the_token(shop: Open) -> None:
    page = shop("#/routes/place_order")
    send(page)
    expect(page.locator(".result")).to_contain_text("The server wants a token, and none was sent.")
    page.get_by_role("button", name="Enter a token").click()
    expect(page.get_by_label("Token", exact=True)).to_be_focused()

    page.keyboard.type("nobody.nothing")
    send(page)
    expect(page.locator(".result")).to_contain_text(re.compile("does not take this token"))


def test_fields_say_what_they_take_before_they_are_wrong(shop: Open) -> None:
    page = shop("#/routes/place_order")
    quantity = page.get_by_label("quantity integer")
    product = page.get_by_label("product_id* string")

    expect(quantity).to_have_accessible_description("1 to 100")
    told = "^Lower-case words and numbers, joined by hyphens. 1 to 40 characters"
    expect(product).to_have_accessible_description(re.compile(told))
    expect(page.locator(".hint", has_text="Lower-case words")).to_be_visible()


def test_code_says_that_the_client_is_generated_first(shop: Open) -> None:
    page = shop("#/routes/place_order")
    code = page.locator(".side > .card").last
    command = r"contract generate http://127\.0\.0\.1:\d+/v1/contract\.json -o"
    told = f"# The client is generated first: {command} shop_client\\.py"
    for language, text in (("Python", told), ("TypeScript", r"contract\.json -o api\.ts")):
        page.get_by_role("tab", name=language, exact=True).click()
        expect(code).to_contain_text(re.compile(text))


def test_the_next_page_is_one_step_away(page_of: Open) -> None:
    """It asks with the input that the page was asked with, until there are no more."""
    page = page_of(emit_contract(ledger.api), "#/routes/find", calls=ledger.api)
    type_json(page, '{"filter": {"word": "a"}, "limit": 3}')
    send(page)
    following = page.get_by_role("button", name="Next page")
    answer = page.get_by_role("tabpanel", name="Body")
    for first in (0, 3):
        expect(answer).to_contain_text(f'"id": {first},')
        following.click()

    expect(answer).to_contain_text('"id": 6,')
    expect(answer).to_contain_text('"next": null')
    expect(following).to_have_count(0)
    expect(page.locator("textarea")).to_have_value(
        re.compile('"word": "a"[^§]*"after": "[A-Za-z0-9_-]')
    )
    expect(page.get_by_role("button", name="Send", exact=False).first).to_be_focused()
    expect(page.get_by_text("In pages")).to_be_visible()


def test_other_answers_have_no_next_page(page_of: Open) -> None:
    page = page_of(emit_contract(ledger.api), "#/routes/find", calls=ledger.api)
    type_json(page, '{"filter": {"fails_at": 0}}')
    expect(send(page)).to_have_text("409 Conflict")

    expect(page.get_by_role("button", name="Next page")).to_have_count(0)
