"""Documents to be compared, made by hand of a schema or two."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from contract.document import ContractRoute, Document, Info, Links
from contract.document.diff import Change, diff
from contract.document.model import Side

__all__ = ["NULL", "ROUTE", "SHOP", "changes", "kinds", "record", "shop", "told"]

NULL: Final[dict[str, Any]] = {"type": "null"}

ROUTE: Final = ContractRoute(
    path="order", summary="Order", tags=("orders",), auth="none", effect="write", input=NULL, output=NULL, errors={}
)  # fmt: skip

SHOP: Final = Document(
    info=Info("Shop", "1.0.0"),
    ui={},
    links=Links("docs", "openapi.json", "mcp"),
    defs={},
    errors={},
    exports={},
    routes={},
)


LEVELS: Final = ("breaking", "source", "compatible", "docs")
MARKS: Final[dict[str, tuple[str, str]]] = {
    "-": ("breaking", "compatible"), "+": ("compatible", "breaking"),
    "!": ("breaking", "breaking"), "=": ("compatible", "compatible"), "<": ("breaking", ""),
    ">": ("", "compatible"), "*": ("breaking", "breaking"), ".": ("compatible", "compatible"),
    "~": ("source", "source"), "?": ("docs", "docs"),
}  # fmt: skip
"""How grave a change is in what is received and in what is sent; the last four name no side."""


def told(marks: str, side: Side) -> list[str]:
    """The changes, in their order, that *marks* stand for on one side: kinds behind the marks."""
    found = [
        (MARKS[mark[0]][side == "output"], "" if mark[0] in "*.~?" else f"{side}_", mark[1:])
        for mark in marks.split()
    ]
    return [
        f"{level}: {prefix}{kind}"
        for level in LEVELS
        for each, prefix, kind in found
        if each == level
    ]


def record(*required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*required],
        "additionalProperties": False,
    }


def shop(defs: dict[str, Any] | None = None, /, **routes: ContractRoute) -> Document:
    """A document with these types and routes."""
    return replace(SHOP, defs=defs or {}, routes=routes)


def changes(
    side: Side,
    old: Any,
    new: Any,
    old_defs: dict[str, Any] | None = None,
    new_defs: dict[str, Any] | None = None,
) -> tuple[Change, ...]:
    """What changed in the only schema of a document."""
    before, after = (
        replace(ROUTE, input=schema) if side == "input" else replace(ROUTE, output=schema)
        for schema in (old, new)
    )
    return diff(
        shop(old_defs, order=before), shop(old_defs if new_defs is None else new_defs, order=after)
    )


def kinds(found: tuple[Change, ...]) -> list[str]:
    """Level and kind of each."""
    return [f"{change.level}: {change.kind}" for change in found]
