"""Streams in the explorer: what is said of them, and their items as they come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from contract import Failure, NotFound, Spec, Stream, emit_contract, route, spec
from tests.browser.conftest import Open
from tests.tables import rows


@dataclass(frozen=True)
class Token:
    n: int


class Interrupted(Failure, status=409):
    """It was stopped."""

    after: int


@dataclass(frozen=True)
class Ask:
    asks: Literal["three", "interrupted", "wrong", "lost", "endless"] = "three"


def make(go_on: Event, over: Event) -> Spec[None]:
    def tokens(asks: str) -> Iterator[Token | Interrupted]:
        try:
            yield Token(0)
            go_on.wait(20)
            yield Token(1)
            if asks == "interrupted":
                yield Interrupted(2)
            if asks == "wrong":
                yield Token("two")  # type: ignore[arg-type]
            n = 2
            while asks == "endless" or n < 3:
                yield Token(n)
                n += 1
        finally:
            over.set()

    @route(summary="Chat", tags=["chat"], auth="none", name="chat")
    def chat(input: Ask, ctx: None) -> Stream[Token | Interrupted] | NotFound:
        return NotFound() if input.asks == "lost" else Stream(tokens(input.asks))

    return spec(routes=[chat])


@dataclass(frozen=True)
class Chat:
    page: Page
    go_on: Event
    over: Event

    def ask(self, asks: str) -> None:
        self.page.get_by_label("asks").select_option(label=asks)
        self.page.get_by_role("button", name="Send").click()

    @property
    def items(self) -> str:
        return self.page.get_by_role("group", name="Items").inner_text()


@pytest.fixture
def chat(page_of: Open) -> Iterator[Chat]:
    go_on, over = Event(), Event()
    api = make(go_on, over)
    yield Chat(page_of(emit_contract(api), "#/routes/chat", calls=api), go_on, over)
    go_on.set()


def test_a_page_says_that_it_is_a_stream(chat: Chat) -> None:
    page = chat.page

    expect(page.locator("main .marks")).to_contain_text("Stream")
    expect(page.get_by_role("heading", name="Output, item by item")).to_be_visible()
    between = page.locator("section", has=page.get_by_role("heading", name="Errors between items"))
    expect(between).to_contain_text("INTERRUPTED")
    expect(page.locator(".side")).to_contain_text("curl -N ")
    between.get_by_role("link", name="INTERRUPTED", exact=True).click()
    expect(page.locator("main")).to_contain_text("Chat")


def test_items_are_shown_as_they_come(chat: Chat) -> None:
    chat.page.set_viewport_size({"width": 320, "height": 640})
    chat.ask("three")
    items = chat.page.get_by_role("group", name="Items")
    expect(items).to_have_text('{"n":0}\n')
    expect(items).to_be_in_viewport()
    expect(chat.page.get_by_role("button", name="Stop")).to_be_visible()

    chat.go_on.set()
    expect(items).to_have_text('{"n":0}\n{"n":1}\n{"n":2}\n')
    expect(chat.page.locator(".facts strong")).to_have_text("3 items")
    expect(chat.page.get_by_role("button", name="Send")).to_be_visible()
    expect(chat.page.locator(".breach")).to_have_count(0)


def test_a_stream_is_stopped(chat: Chat) -> None:
    chat.ask("endless")
    expect(chat.page.get_by_role("group", name="Items")).to_have_text('{"n":0}\n')

    chat.page.get_by_role("button", name="Stop").click()
    expect(chat.page.locator(".send")).to_contain_text("Cancelled.")
    expect(chat.page.get_by_role("group", name="Items")).to_have_text('{"n":0}\n')
    chat.go_on.set()
    assert chat.over.wait(20)


def test_a_failure_between_items_is_shown(chat: Chat) -> None:
    chat.go_on.set()
    chat.ask("interrupted")

    expect(chat.page.locator(".facts strong")).to_have_text("2 items, then INTERRUPTED")
    expect(chat.page.locator(".result")).to_contain_text('"after": 2')
    expect(chat.page.locator(".breach")).to_have_count(0)


def test_a_wrong_item_ends_it(chat: Chat) -> None:
    chat.go_on.set()
    chat.ask("wrong")

    expect(chat.page.locator(".facts strong")).to_have_text("2 items, then INTERNAL_ERROR")


def test_a_failure_before_items_is_an_ordinary_answer(chat: Chat) -> None:
    chat.ask("lost")

    expect(chat.page.locator(".facts strong")).to_have_text("404 Not Found")


@rows(
    "lines, told",
    ('{"item":{"n":0}}\n', "It was broken off."),
    ('{"item":{"n":"x"}}\n{"end":true}\n', "Must be an integer"),
    ('{"error":"ODD"}\n', "ODD is not declared between the items."),
)
def test_a_stream_that_breaks_the_contract_is_told(chat: Chat, lines: str, told: str) -> None:
    chat.page.route(
        "**/v1/chat", lambda call: call.fulfill(body=lines, content_type="application/jsonl")
    )
    chat.ask("three")

    expect(chat.page.locator(".breach")).to_contain_text(told)
