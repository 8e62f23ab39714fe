"""What is drawn anew hands the focus on to its neighbour, never to the page (WCAG 2.2, section 2.4.3)."""

from dataclasses import dataclass, field
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from contract import UNSET, Unset, emit_contract, route, routes, spec
from tests.browser.conftest import Open
from tests.browser.steps import type_json


@dataclass(frozen=True)
class Cat:
    kind: Literal["cat"]
    lives: int


@dataclass(frozen=True)
class Dog:
    kind: Literal["dog"]
    name: str


@dataclass(frozen=True)
class Yard:
    """Nothing can be said of it."""


@dataclass(frozen=True)
class Zoo:
    names: list[str]
    pet: Cat | Dog
    prices: dict[str, int] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    pair: tuple[int, str] = (1, "a")
    either: int | str = 1
    note: str | Unset | None = UNSET
    other: Cat | None = None
    yard: Yard | Unset = UNSET


@route(summary="Open", tags=["zoo"], auth="none")
def open_zoo(input: Zoo, ctx: None) -> None:
    raise NotImplementedError


API = spec(routes=routes(open_zoo))


@pytest.fixture
def zoo(page_of: Open) -> Page:
    return page_of(emit_contract(API), "#/routes/open_zoo")


def press(page: Page, name: str) -> None:
    """Press a button with the keyboard, which needs the focus."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_add_leads_to_what_was_added(zoo: Page) -> None:
    press(zoo, "Add to names")
    expect(zoo.get_by_label("names 2* string")).to_be_focused()

    press(zoo, "Add prices")
    expect(zoo.get_by_role("button", name="Add to prices")).to_be_focused()
    press(zoo, "Add yard")
    expect(zoo.get_by_role("button", name="Unset yard")).to_be_focused()
    for button, added in (
        ("Add to prices", "Key 1 of prices"),
        ("Add pair", "pair 1* integer"),
        ("Add either", "Type of either"),
    ):
        press(zoo, button)
        expect(zoo.get_by_label(added)).to_be_focused()


def test_remove_leads_to_the_next_or_the_last_or_to_add(zoo: Page) -> None:
    press(zoo, "Add to names")
    press(zoo, "Add to names")
    for button in ("Remove names 1", "Remove names 2"):
        press(zoo, button)
        expect(zoo.get_by_label("names 1* string")).to_be_focused()
    press(zoo, "Remove names 1")
    expect(zoo.get_by_role("button", name="Add to names")).to_be_focused()


def test_unset_leads_to_what_sets_again(zoo: Page) -> None:
    press(zoo, "Add prices")
    press(zoo, "Unset prices")
    expect(zoo.get_by_role("button", name="Add prices")).to_be_focused()


@pytest.mark.parametrize("field", ["note", "other"])
def test_null_keeps_the_focus(zoo: Page, field: str) -> None:
    null = zoo.get_by_role("button", name=f"null for {field}")
    for pressed in ("true", "false"):
        null.focus()
        zoo.keyboard.press("Enter")
        expect(null).to_have_attribute("aria-pressed", pressed)
        expect(null).to_be_focused()


def test_another_kind_keeps_the_focus(zoo: Page) -> None:
    kind = zoo.get_by_label("kind of pet")
    kind.focus()
    kind.select_option("dog")
    expect(zoo.get_by_label("name* string")).to_be_visible()
    expect(zoo.get_by_label("kind of pet")).to_be_focused()


def test_a_key_that_is_renamed_lets_the_focus_go_on(zoo: Page) -> None:
    press(zoo, "Add prices")
    press(zoo, "Add to prices")
    zoo.keyboard.press("Control+a")
    zoo.keyboard.type("new")
    zoo.keyboard.press("Tab")
    expect(zoo.get_by_role("button", name="Remove new")).to_be_focused()


def test_reset_and_send_anyway_keep_it(zoo: Page) -> None:
    press(zoo, "Reset")
    expect(zoo.get_by_role("button", name="Reset")).to_be_focused()

    zoo.get_by_label("names 1* string").fill("x")
    type_json(zoo, "{}")
    zoo.get_by_role("button", name="Send").click()
    press(zoo, "Send anyway")
    expect(zoo.locator("button.primary")).to_be_focused()
