"""
Screenshots of every kind of page, in light and dark, at the width of a desk and of a phone: in build/screenshots, to be looked at.

That a page looks well is for people to say. What is held here is that each picture is there, and that no two are the same: a page that
stays blank, or that of another, would be.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Launch, Open, Pool
from tests.browser.steps import go
from tests.cli_servers import REPOSITORY

FOLDER: Final = REPOSITORY / "build" / "screenshots"
HEIGHT: Final = 900
PICTURE_WIDTH: Final = 1440
"""That of the README: at this one the form stands beside the types."""

PAGES: Final = {
    "home": "#/",
    "routes": "#/routes",
    "tag": "#/tags/orders",
    "route": "#/routes/place_order",
    "public route": "#/routes/opening_hours",
    "route with two ways in": "#/routes/warehouse.count",
    "types": "#/types",
    "type": "#/types/NewOrderInput",
    "enum": "#/types/OrderStatus",
    "errors": "#/errors",
    "error": "#/errors/OUT_OF_STOCK",
    "mcp": "#/mcp",
    "unknown": "#/nope/x",
}


def search(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("order")
    expect(page.locator("#found a").first).to_be_visible()


def nothing_found(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("no such thing")
    expect(page.locator("#found a")).to_have_count(0)


def refused_input(page: Page) -> None:
    page.get_by_label("quantity integer").fill("0")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".told")).to_contain_text("Not sent")


def refused_call(page: Page) -> None:
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".facts")).to_contain_text("401")
    page.locator(".facts").scroll_into_view_if_needed()


def answer(page: Page) -> None:
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".facts")).to_contain_text("200")
    page.locator(".facts").scroll_into_view_if_needed()


# in this order: what is typed into a form is kept
STATES: Final[dict[str, tuple[str, Callable[[Page], None]]]] = {
    "search": ("#/types", search),
    "search without a result": ("#/errors", nothing_found),
    "answer": ("#/routes/opening_hours", answer),
    "call that is refused": ("#/routes/place_order", refused_call),
    "input that is refused": ("#/routes/place_order", refused_input),
}


@pytest.fixture(scope="module")
def pool(launch: Launch) -> Iterator[Pool]:
    """Pages of another browser: once it has taken pictures, all pages but one are in the background, where Chromium makes them wait."""
    browser = launch()
    yield Pool(browser)
    browser.close()


def taken(page: Page, folder: Path, name: str, width: int) -> bytes:
    """A picture of what is to be seen of *page*, which is of that size (PNG, section 11.2.2: width and height open the header)."""
    picture = page.screenshot(path=folder / f"{name}.png")
    assert picture[16:24] == width.to_bytes(4) + HEIGHT.to_bytes(4)
    return picture


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_each_page_has_a_picture_of_its_own(shop: Open, dark: bool, width: int) -> None:
    folder = FOLDER / f"{'dark' if dark else 'light'}, {width}"
    shutil.rmtree(folder, ignore_errors=True)
    page = shop(dark=dark, width=width)
    pictures: set[bytes] = set()
    for name, at in PAGES.items():
        go(page, at)
        pictures.add(taken(page, folder, name, width))
    for name, (at, act) in STATES.items():
        go(page, at)
        act(page)
        pictures.add(taken(page, folder, name, width))
        page.keyboard.press("Escape")
    if width < 960:
        page.get_by_role("button", name="Menu").click()
        pictures.add(taken(page, folder, "menu", width))

    assert len(pictures) == len(PAGES) + len(STATES) + (width < 960)


def test_the_readme_shows_the_explorer_as_it_is(shop: Open) -> None:
    """The picture of the README is made here, and ``make picture`` puts it into its place: bytes differ from browser to browser."""
    page = shop(width=PICTURE_WIDTH)
    go(page, "#/routes/get_product")
    page.get_by_label("id* string").fill("blue-mug")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".facts")).to_contain_text("200")
    FOLDER.mkdir(parents=True, exist_ok=True)
    picture = taken(page, FOLDER, "explorer", PICTURE_WIDTH)
    shown = (REPOSITORY / "docs/images/explorer.png").read_bytes()

    assert shown[:24] == picture[:24]
    assert len(shown) < 200_000
