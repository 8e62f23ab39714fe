"""
Policy: what a page may load, and from where (Content Security Policy, level 3).

Nothing comes from elsewhere but what the document's looks name: pictures, style sheets and fonts.
Scripts are the service's own, and Trusted Types make the browser refuse whatever would turn a text
into markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from contract.explorer.cleaning import clean_ui
from contract.shape.json_text import Json
from contract.shape.urls import host_in

__all__ = ["policy"]


def policy(ui: Json, *, server: str = "", embedded: bool = False) -> str:
    """
    The policy of a page.

    Args:
        ui: How the page looks: `Document.ui`.
        server: The URL of the service, where that may be of another origin.
        embedded: It stands in the page itself, where browsers take no word about frames.
    """
    looks, _ = clean_ui(ui)
    theme: Json = looks.get("theme", {})
    logo: Json = looks.get("logo", {})
    fonts: list[str] = theme.get("fontUrls", [])
    directives = {
        "default-src": ("'none'",),
        "script-src": ("'self'",),
        "style-src": ("'self'", *_origins(url for url in fonts if not _FONT_FILE.search(url))),
        "img-src": ("'self'", "data:", *_origins([*logo.values(), looks.get("favicon")])),
        "font-src": ("'self'", *_origins(fonts)),
        "connect-src": ("'self'", *_origins([server])),
        "base-uri": ("'none'",),
        "form-action": ("'none'",),
        "frame-ancestors": ("'none'",),
        "require-trusted-types-for": ("'script'",),
        "trusted-types": ("'none'",),
    }
    if embedded:
        del directives["frame-ancestors"]
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


_FONT_FILE: Final = re.compile(r"\.(?:woff2?|[ot]tf)\b")
"""The page loads these by themselves, and all others as style sheets."""


def _origins(urls: Iterable[Any]) -> list[str]:
    """The origins of URLs, as sources; what is relative has that of the page."""
    found: dict[str, None] = {}
    for url in urls:
        scheme, host = host_in(url) if isinstance(url, str) else ("", "")
        if host and not host.startswith("["):  # which no policy can name
            found[f"{scheme}://{host}" if scheme else host] = None
    return sorted(found)
