"""Steps: what several tests do with a page, each of which ends when the page is done with it."""

from __future__ import annotations

from playwright.sync_api import Page

__all__ = ["go", "scroll"]

_GO = """at => new Promise(done => {
    if (location.hash === at) return done()
    addEventListener("hashchange", () => setTimeout(done), { once: true })
    location.hash = at
})"""
_SCROLL = """to => new Promise(done => {
    addEventListener("scroll", () => setTimeout(done), { once: true })
    scrollTo(0, to)
})"""


def go(page: Page, at: str) -> None:
    """Go to another address of the same page, such as ``#/types``."""
    page.evaluate(_GO, at)


def scroll(page: Page, to: int) -> None:
    """Scroll to another place than where the page is."""
    page.evaluate(_SCROLL, to)
