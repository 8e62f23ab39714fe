"""Steps: what several tests do with a page, each of which ends when the page is done with it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Locator, Page, expect

__all__ = ["clipboard", "found_on", "go", "parsed", "scroll", "send", "type_json", "unfold"]

_GO = """at => new Promise(done => {
    if (location.hash === at) return done()
    addEventListener("hashchange", () => setTimeout(done), { once: true })
    location.hash = at
})"""
_SCROLL = """to => new Promise(done => {
    addEventListener("scroll", () => setTimeout(done), { once: true })
    scrollTo(0, to)
})"""

_UNFOLD = """() => Promise.all([...document.querySelectorAll("main details:not([open])")].map(each => new Promise(done => {
    each.addEventListener("toggle", done, { once: true })
    each.firstElementChild.click()
})))"""

_EACH = """async places => {
    const go = %s, unfold = %s, look = %s
    const found = {}
    for (const at of places) {
        await go(at)
        await unfold()
        found[at] = await look()
    }
    return found
}"""


def found_on(
    page: Page, places: Iterable[str], look: str, *, unfolded: bool = True
) -> dict[str, Any]:
    """What *look*, a function, gives at each of these addresses, with all *unfolded*. In one go, since each step costs time."""
    opened = _UNFOLD if unfolded else "() => null"
    found: dict[str, Any] = page.evaluate(_EACH % (_GO, opened, look), list(places))
    return found


def parsed(contract: bytes) -> dict[str, Any]:
    """A contract, to be changed."""
    found: dict[str, Any] = json.loads(contract)
    return found


def clipboard(page: Page) -> str:
    """What was copied last."""
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def type_json(page: Page, text: str) -> None:
    """Write the input as JSON."""
    page.get_by_role("tab", name="JSON").first.click()
    page.get_by_label("Input as JSON").fill(text)


def send(page: Page) -> Locator:
    """Send the call, and give what is told of the answer."""
    page.get_by_role("button", name="Send").first.click()
    facts = page.locator(".facts strong")
    expect(facts).to_be_visible()
    return facts


def go(page: Page, at: str) -> None:
    """Go to another address of the same page, such as ``#/types``."""
    page.evaluate(_GO, at)


def scroll(page: Page, to: int) -> None:
    """Scroll to another place than where the page is."""
    page.evaluate(_SCROLL, to)


def unfold(page: Page) -> None:
    """Open whatever is folded on the page, but not what that holds."""
    page.evaluate(_UNFOLD)
