"""Documents to be compared, made by hand of a schema or two."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from contract.document import ContractRoute, Document, Info, Links
from contract.document.diff import Change, diff
from contract.document.diff.changes import Side

__all__ = ["NULL", "ROUTE", "SHOP", "changes", "kinds", "shop"]

NULL: Final[dict[str, Any]] = {"type": "null"}

ROUTE: Final = ContractRoute(
    path="order",
    summary="Order",
    tags=("orders",),
    auth="none",
    effect="write",
    input=NULL,
    output=NULL,
    errors={},
)

SHOP: Final = Document(
    info=Info("Shop", "1.0.0"),
    ui={},
    links=Links("docs", "openapi.json", "mcp"),
    defs={},
    errors={},
    exports={},
    routes={},
)


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
