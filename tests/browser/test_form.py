"""A call: filled in, checked, sent, shown; and the same call as code."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal
from urllib.request import urlopen

import pytest
from annotated_types import Ge, Len
from playwright.sync_api import Page, Route, expect

from contract import UNSET, Meta, Unset, emit_contract, route, routes, spec
from examples.shop.seed import DEMO_TOKENS
from tests.browser.conftest import Open
from tests.browser.steps import send, type_json
from tests.tables import rows


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


@dataclass(frozen=True)
class Leaf:
    op: Literal["leaf"]
    value: bool


@dataclass(frozen=True)
class Both:
    op: Literal["both"]
    left: "Leaf | Both"
    right: "Leaf | Both"


@dataclass(frozen=True)
class Everything:
    text: str
    count: Annotated[int, Ge(1)]
    day: date
    size: Size
    on: bool
    both: Leaf | Both
    numbers: Annotated[list[int], Len(1, 3)]
    prices: dict[str, float] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    pair: tuple[int, str] = (1, "a")
    either: int | str = 1
    note: str | Unset | None = UNSET
    anything: Any = None


@route(summary="Give it back", tags=["echo"], auth="none", mcp=True)
def echo(input: Everything, ctx: None) -> Everything:
    """Give it back."""
    return input


API = spec(routes=routes(echo), meta=Meta(title="Echo & co", intro="Hello."))


@pytest.fixture
def everything(page_of: Open) -> Page:
    return page_of(emit_contract(API), "#/routes/echo", calls=API)


def as_json(page: Page) -> Any:
    """The input, as the JSON editor has it."""
    page.get_by_role("tab", name="JSON").first.click()
    text = page.get_by_label("Input as JSON").input_value()
    page.get_by_role("tab", name="Form").click()
    return json.loads(text)


VALID = {
    "text": "string", "count": 1, "day": "2026-01-31", "size": "s", "on": True,
    "both": {"op": "leaf", "value": True}, "numbers": [1],
}  # fmt: skip


def test_the_form_begins_with_a_valid_example(everything: Page) -> None:
    assert as_json(everything) == VALID

    expect(send(everything)).to_have_text("200 OK")


FILLED: list[tuple[str, str]] = [
    ("text* string", "a\nb"), ("count* integer", "9007199254740993"), ("day* date", "2026-02-03"),
    ("numbers 2* integer", "7"), ("a.b* number", "1.5"), ("pair 2* string", "z"),
    ("either* string", "7"), ("anything any", "[1, {}]"),
]  # fmt: skip


def test_every_kind_of_field_can_be_filled_in(everything: Page) -> None:
    page = everything
    page.get_by_label("size* Size").select_option("l")
    page.get_by_label("on* boolean").select_option("false")
    for button in ("Add to numbers", "Add prices", "Add to prices", "Add pair", "Add either"):
        page.get_by_role("button", name=button).click()
    page.get_by_label("Key 1 of prices").fill("a.b")
    page.get_by_label("Key 1 of prices").press("Tab")
    page.get_by_label("Type of either").select_option("string")
    for label, value in FILLED:
        page.get_by_label(label).fill(value)
    page.get_by_role("button", name="Remove numbers 1").click()

    page.get_by_role("tab", name="JSON").first.click()
    text = page.get_by_label("Input as JSON").input_value()
    assert '"count": 9007199254740993' in text
    assert json.loads(text) == VALID | {
        "text": "a\nb", "count": 9007199254740993, "day": "2026-02-03", "size": "l", "on": False, "numbers": [7],
        "prices": {"a.b": 1.5}, "pair": [1, "z"], "either": "7", "anything": [1, {}],
    }  # fmt: skip
    page.keyboard.press("Control+Enter")
    expect(page.locator(".facts")).to_contain_text("200 OK")
    expect(page.locator(".breach")).to_have_count(0)


def test_unset_and_null_differ(everything: Page) -> None:
    page = everything
    note, null = (
        page.get_by_label("note string or null"),
        page.get_by_role("button", name="null for note"),
    )
    null.click()
    assert as_json(page)["note"] is None
    expect(note).to_be_disabled()

    null.click()
    assert "note" not in as_json(page)
    note.fill("x")
    assert as_json(page)["note"] == "x"
    page.get_by_role("button", name="Unset note").click()
    assert "note" not in as_json(page)


def test_a_union_by_tag_opens_what_its_tag_says_at_any_depth(everything: Page) -> None:
    page = everything
    page.get_by_label("op of both").select_option("both")
    page.get_by_label("op of left").select_option("both")
    page.get_by_label("op of right").last.select_option("leaf")

    both = as_json(page)["both"]
    assert both["left"]["op"] == "both"
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".facts")).to_contain_text("200 OK")


def test_what_is_written_as_json_stands_in_the_form(everything: Page) -> None:
    type_json(everything, json.dumps(VALID | {"count": 5, "text": "from JSON", "numbers": [4, 5]}))
    everything.get_by_role("tab", name="Form").click()

    expect(everything.get_by_label("text* string")).to_have_value("from JSON")
    expect(everything.get_by_label("numbers 2* integer")).to_have_value("5")


def test_what_does_not_fit_the_form_can_still_be_mended_there(everything: Page) -> None:
    type_json(everything, json.dumps(VALID | {"numbers": "none", "count": "many", "text": 5}))
    everything.get_by_role("tab", name="Form").click()

    expect(everything.get_by_label("numbers* list of integer")).to_have_value('"none"')
    expect(everything.get_by_label("count* integer")).to_have_value("many")
    everything.get_by_label("numbers* list of integer").fill("[1]")
    assert as_json(everything)["numbers"] == [1]


def test_mistakes_are_told_at_the_field_before_anything_is_sent(everything: Page) -> None:
    page = everything
    methods: list[str] = []
    page.on("request", lambda request: methods.append(request.method))
    count = page.get_by_label("count* integer")
    count.fill("0")

    expect(count).to_have_attribute("aria-invalid", "true")
    told = re.compile("Must be at least 1. greater_than_equal")
    expect(count).to_have_accessible_description(told)
    page.get_by_label("text* string").focus()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".told")).to_contain_text("Not sent: 1 problem in the input.")
    expect(count).to_be_focused()
    assert "POST" not in methods
    page.get_by_role("button", name="Send anyway").click()
    expect(page.locator(".facts")).to_contain_text("400 Bad Request")
    expect(page.locator(".result")).to_contain_text("VALIDATION_ERROR")


def test_broken_json_is_told(everything: Page) -> None:
    type_json(everything, '{"text": ')

    expect(everything.locator(".issue")).to_contain_text(["json_invalid"])
    everything.get_by_role("tab", name="Form").click()
    expect(everything.get_by_text("This is not JSON yet")).to_be_visible()
    everything.get_by_role("button", name="Reset").click()
    assert as_json(everything) == VALID


def answering(page: Page, status: int, body: object, *, wait: bool = False) -> None:
    """Answer the next calls with *body*, or never."""
    headers = {"x-request-id": "r1", "x-other": "<b>"}

    def answer(call: Route) -> None:
        if call.request.method != "POST":
            call.fallback()
        elif not wait:
            text = json.dumps(body)
            call.fulfill(status=status, headers=headers, body=text, content_type="application/json")

    page.route("**/v1/*", answer)


def test_issues_of_the_server_are_shown_at_the_field(everything: Page) -> None:
    message = "Does not fulfil a condition of this field."
    issue = {"path": ["count"], "code": "predicate", "message": message, "params": {}}
    answering(everything, 400, {"error": "VALIDATION_ERROR", "data": {"issues": [issue]}})
    everything.get_by_role("button", name="Send").click()

    count = everything.get_by_label("count* integer")
    expect(count).to_have_accessible_description(re.compile(f"{message} predicate"))


@rows(
    "status, body, told",
    (200, VALID | {"count": 0}, "greater_than_equal"),
    (200, {"secret": 1}, "unknown_key"),
    (409, {"error": "SOLD_OUT"}, "without an error that this route declares"),
    (500, {"error": "NOT_FOUND"}, "NOT_FOUND has the status 404."),
    (413, {"error": "PAYLOAD_TOO_LARGE"}, "PAYLOAD_TOO_LARGE has to carry data."),
    (500, {"error": "INTERNAL_ERROR", "data": {}}, "INTERNAL_ERROR carries no data."),
    (404, {"error": "NOT_FOUND", "data": {"message": 5}}, "data.message"),
)
def test_an_answer_that_breaks_the_contract_is_flagged(
    everything: Page, status: int, body: object, told: str
) -> None:
    answering(everything, status, body)
    send(everything)

    breach = everything.locator(".breach")
    expect(breach).to_contain_text("This answer breaks the contract")
    expect(breach).to_contain_text(told)


def test_the_answer_has_status_size_headers_and_request(everything: Page) -> None:
    answering(everything, 404, {"error": "NOT_FOUND"})
    everything.get_by_role("button", name="Send").click()

    told = re.compile(r"404 Not Found.* ms · 22 B.*request r1", re.DOTALL)
    expect(everything.locator(".facts")).to_contain_text(told)
    expect(everything.locator(".breach")).to_have_count(0)
    everything.get_by_role("tab", name="Headers").click()
    expect(everything.locator("dl")).to_contain_text("<b>")


def test_a_call_can_be_cancelled(everything: Page) -> None:
    answering(everything, 200, None, wait=True)
    everything.get_by_role("button", name="Send").click()
    everything.get_by_role("button", name="Cancel").click()
    expect(everything.locator(".told")).to_have_text("Cancelled.")

    everything.get_by_label("text* string").focus()
    everything.keyboard.press("Control+Enter")
    expect(everything.locator(".told")).to_have_text("Waiting for the answer…")
    everything.keyboard.press("Escape")
    expect(everything.locator(".told")).to_have_text("Cancelled.")
    expect(everything.get_by_role("button", name="Send")).to_be_visible()


def test_no_answer_is_told(everything: Page) -> None:
    everything.route("**/v1/echo", lambda call: call.abort())
    everything.get_by_role("button", name="Send").click()

    expect(everything.locator(".told")).to_contain_text("No answer")
    expect(everything.locator("#live")).to_contain_text("No answer")


def test_drafts_survive_navigation_and_reload(everything: Page) -> None:
    page = everything
    page.get_by_label("text* string").fill("kept")
    page.get_by_role("link", name="Types", exact=True).click()
    page.go_back()
    expect(page.get_by_label("text* string")).to_have_value("kept")
    page.reload()
    expect(page.get_by_label("text* string")).to_have_value("kept")

    page.get_by_role("button", name="Reset").click()
    page.reload()
    expect(page.get_by_label("text* string")).to_have_value("string")


def test_calls_of_this_session_can_be_repeated(everything: Page) -> None:
    page = everything
    page.get_by_label("text* string").fill("first")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".facts")).to_be_visible()
    page.get_by_label("text* string").fill("second")
    page.reload()

    page.get_by_text("History (1)").click()
    page.get_by_role("link", name=re.compile("200 ?echo")).click()
    expect(page.get_by_label("text* string")).to_have_value("first")


STORED = "JSON.stringify([{...localStorage}, {...sessionStorage}, location.href, document.cookie])"


def test_a_token_is_sent_and_stays_in_memory(shop: Open) -> None:
    ada = DEMO_TOKENS["ada"]
    page = shop("#/routes/get_account")
    token, keep = page.get_by_label("Token", exact=True), page.get_by_label("keep for this session")
    token.fill(f"Bearer {ada}")
    expect(send(page)).to_have_text("200 OK")
    expect(page.locator(".result")).to_contain_text('"name"')

    assert ada not in page.evaluate(STORED)
    hint = page.locator(".side p", has_text=ada).inner_text()
    assert ada not in page.locator("body").inner_text().replace(hint, "")
    keep.check()
    page.reload()
    expect(token).to_have_value(ada)
    keep.uncheck()
    assert ada not in page.evaluate(STORED)
    page.reload()
    expect(token).to_have_value("")
    expect(send(page)).to_have_text("401 Unauthorized")


Read = Callable[[str], str]


@pytest.fixture
def read_code(shop: Open) -> Read:
    page = shop("#/routes/place_order")
    page.get_by_label("quantity integer").fill("3")

    def read(language: str) -> str:
        page.get_by_role("tab", name=language, exact=True).click()
        return page.locator(".side > .card").last.locator("pre").inner_text()

    return read


def test_the_call_as_code_has_the_current_values(read_code: Read) -> None:
    shell = read_code("curl")
    url, type_ = r"'http://127\.0\.0\.1:\d+/v1/place_order'", "'content-type: application/json'"
    assert re.match(rf"curl {url} \\\n  -H {type_} \\\n", shell)
    assert '"authorization: Bearer $TOKEN"' in shell
    assert '{"product_id": "blue-mug", "quantity": 3}' in shell

    python = read_code("Python")
    compile(python, "example", "exec")
    assert "from shop_client import ApiClient, OrderLineInput, CardInput\n" in python
    assert 'lines=[OrderLineInput(product_id="blue-mug", quantity=3)]' in python

    script = read_code("TypeScript")
    assert 'import { ApiClient } from "./api"' in script
    assert "await api.place_order({" in script
    assert 'lines: [{product_id: "blue-mug", quantity: 3}]' in script

    called = json.loads(read_code("MCP"))["params"]
    assert called["name"] == "place_order"
    assert called["arguments"]["lines"] == [{"product_id": "blue-mug", "quantity": 3}]


def test_a_read_that_may_be_kept_shows_its_get(shop: Open) -> None:
    page = shop("#/routes/list_products")
    expect(page.locator(".marks")).to_contain_text("Also GET ?input=, kept 60 s")
    page.get_by_label("page integer", exact=True).fill("2")
    page.get_by_role("tab", name="GET", exact=True).click()
    shown = page.locator(".side > .card").last.locator("pre").inner_text()
    [url] = re.findall(r"\Acurl '(http://127\.0\.0\.1:\d+/v1/list_products\?input=[^']*)'\Z", shown)
    with urlopen(url) as answer:
        found = json.load(answer)

    assert found["page"] == 2


def test_python_has_values_of_its_own_types(everything: Page) -> None:
    everything.get_by_role("tab", name="Python").click()

    python = everything.locator(".side > .card").last.locator("pre").inner_text()
    compile(python, "example", "exec")
    for part in (
        "import datetime\n",
        "from echo_co_client import ApiClient, ",
        "size=Size.SMALL",
        'day=datetime.date.fromisoformat("2026-01-31")',
        "on=True",
    ):
        assert part in python


def test_a_route_without_input_is_called_with_nothing(shop: Open) -> None:
    page = shop("#/routes/opening_hours")
    expect(page.get_by_text("Nothing to fill in.")).to_be_visible()
    page.get_by_role("tab", name="Python").click()
    expect(page.locator(".side > .card").last).to_contain_text("api.opening_hours()")

    expect(send(page)).to_have_text("200 OK")


def test_a_copy_without_a_server_sends_nothing(shop: Open) -> None:
    def copied(call: Route) -> None:
        got = call.fetch()
        body = re.sub(r'data-server="[^"]*"', 'data-server=""', got.text())
        call.fulfill(response=got, body=body)

    page = shop("#/routes/opening_hours")
    page.route("**/docs/", copied)
    page.reload()

    expect(page.get_by_text("This is a copy without a server")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_have_count(0)
