"""
The looks: what a document says of its explorer, checked as far as types go.

Which URLs a page may use is decided where the page is made, since the same text may do no harm
elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from contract.document.checked_json import Node
from contract.shape.json_text import Json

__all__ = ["check_ui"]


def check_ui(node: Node) -> Json:
    """
    The looks that *node* is; what is not known is kept.

    Raises:
        DocumentError: A field has another type.
    """
    _members(_UI, ())(node)
    return node.object()


def _members(
    checks: Mapping[str, Callable[[Node], object]], required: tuple[str, ...]
) -> Callable[[Node], object]:
    def check(node: Node) -> None:
        for key in required:
            node[key]
        for key in node.object():
            if key in checks:
                checks[key](node[key])

    return check


def _list_of(check: Callable[[Node], object]) -> Callable[[Node], object]:
    def check_each(node: Node) -> None:
        for item in node.items():
            check(item)

    return check_each


_TEXT: Final = Node.text
_LINK: Final = _members({"label": _TEXT, "href": _TEXT, "external": Node.flag}, ("label", "href"))
_THEME: Final = {
    "accent": _TEXT,
    "background": _TEXT,
    "surface": _TEXT,
    "fontFamily": _TEXT,
    "fontUrls": _list_of(_TEXT),
}
_NOTICE: Final = {"title": _TEXT, "message": _TEXT, "command": _TEXT, "links": _list_of(_LINK)}
_UI: Final[Mapping[str, Callable[[Node], Any]]] = {
    "website": _members({"url": _TEXT, "label": _TEXT}, ("url",)),
    "logo": _members({"light": _TEXT, "dark": _TEXT}, ("light",)),
    "favicon": _TEXT,
    "theme": _members(_THEME, ()),
    "navbarLinks": _list_of(_LINK),
    "footer": _members({"poweredBy": Node.flag}, ()),
    "notice": _members(_NOTICE, ("message",)),
    "sdkInstall": _TEXT,
    "authHint": _TEXT,
}
