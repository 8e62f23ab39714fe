"""Steps: what several tests do with a page, each of which ends when the page is done with it."""

from __future__ import annotations

from playwright.sync_api import Page

__all__ = ["go", "scroll", "unfold"]

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


def go(page: Page, at: str) -> None:
    """Go to another address of the same page, such as ``#/types``."""
    page.evaluate(_GO, at)


def scroll(page: Page, to: int) -> None:
    """Scroll to another place than where the page is."""
    page.evaluate(_SCROLL, to)


def unfold(page: Page) -> None:
    """Open whatever is folded on the page, but not what that holds."""
    page.evaluate(_UNFOLD)
