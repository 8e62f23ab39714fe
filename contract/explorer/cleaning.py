"""
Cleaning: the looks of a document, without what could do harm in a page.

What `contract.Meta` took has been checked when the program started, and is left as it is. A
document that came from elsewhere may say anything: what its author could not have declared is left
out here, and told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, final

from contract.declare.page_safe import instead_of_colour, instead_of_fonts
from contract.document import Document
from contract.shape.json_text import Json
from contract.shape.urls import instead_of_url

__all__ = ["clean_ui", "cleaned"]

_Instead = Callable[[object], str | None]
"""The mend, for a value that will not do."""

_picture: Final[_Instead] = partial(instead_of_url, image=True)
_link: Final[_Instead] = partial(instead_of_url, mail=True)

_THEME: Final[dict[str, _Instead]] = {
    "accent": instead_of_colour,
    "background": instead_of_colour,
    "surface": instead_of_colour,
    "fontFamily": instead_of_fonts,
}


def cleaned(document: Document) -> tuple[Document, tuple[str, ...]]:
    """
    Take out of *document* all that could do harm in a page.

    Returns the rest, and for each part that was taken out: its place, and a value that would do.
    """
    ui, left_out = clean_ui(document.ui)
    return (replace(document, ui=ui), left_out) if left_out else (document, ())


def clean_ui(ui: Json) -> tuple[Json, tuple[str, ...]]:
    """Clean the looks alone, as `contract.document.reader` lets them through."""
    sieve = _Sieve()
    kept = dict(ui)
    if "website" in kept and not sieve.lets("website.url", kept["website"]["url"], instead_of_url):
        del kept["website"]
    if "logo" in kept:
        _put(
            kept,
            "logo",
            sieve.members("logo", kept["logo"], {"light": _picture, "dark": _picture}),
            needed="light",
        )
    if "favicon" in kept and not sieve.lets("favicon", kept["favicon"], _picture):
        del kept["favicon"]
    if "theme" in kept:
        theme = sieve.members("theme", kept["theme"], _THEME)
        if "fontUrls" in theme:
            theme["fontUrls"] = [
                url
                for url in theme["fontUrls"]
                if sieve.lets("theme.fontUrls", url, instead_of_url)
            ]
        kept["theme"] = theme
    if "navbarLinks" in kept:
        kept["navbarLinks"] = sieve.links("navbarLinks", kept["navbarLinks"])
    if "links" in kept.get("notice", {}):
        kept["notice"] = {
            **kept["notice"],
            "links": sieve.links("notice.links", kept["notice"]["links"]),
        }
    return kept, tuple(sieve.left_out)


def _put(kept: dict[str, Any], name: str, members: dict[str, Any], *, needed: str) -> None:
    if needed in members:
        kept[name] = members
    else:
        del kept[name]


@final
class _Sieve:
    """Lets through what does no harm, and remembers the rest."""

    def __init__(self) -> None:
        self.left_out: Final[list[str]] = []

    def lets(self, place: str, value: object, instead: _Instead) -> bool:
        advice = instead(value)
        if advice is not None:
            self.left_out.append(f"ui.{place}: {advice}")
        return advice is None

    def members(self, place: str, members: Json, checks: dict[str, _Instead]) -> dict[str, Any]:
        return {
            name: value
            for name, value in members.items()
            if name not in checks or self.lets(f"{place}.{name}", value, checks[name])
        }

    def links(self, place: str, links: list[Json]) -> list[Json]:
        return [link for link in links if self.lets(f"{place}.href", link["href"], _link)]
