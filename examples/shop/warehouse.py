"""
Warehouse: a group of routes for those who count what is on the shelves.

They are not customers: the group has an ``authenticate`` and a context of its own. The staff send
the token that they have, and the scanners in their hands a key.
"""

from __future__ import annotations

import logging
from typing import Final

from contract import (
    Call,
    Group,
    NotFound,
    Request,
    api_key,
    bearer,
    group,
    hook,
    requires,
    route,
    routes,
    same_secret,
    ways,
)
from examples.shop.seed import DEMO_KEY, digest
from examples.shop.store import Store
from examples.shop.types import Count, LowStock, Product, ScannedNothing, Worker

__all__ = ["Warehouse", "logged", "seen", "warehouse"]

log: Final = logging.getLogger("shop.warehouse")

SCANNERS: Final = {"gate": digest(DEMO_KEY)}
"""Scanner -> the digest of its key."""


class Warehouse:
    """The warehouse, as plain methods."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def worker_of(self, token: str, _request: Request) -> Worker | None:
        """Tell whose bearer token it is; a customer may look, and the staff may count."""
        found = self.store.customer_of(token)
        if found is None:
            return None
        return Worker(found.id, frozenset({"stock:write"} if found.staff else ()))

    def scanner_of(self, key: str, _request: Request) -> Worker | None:
        """Tell which scanner has this key: a name, a full stop, a secret."""
        name, _, _ = key.partition(".")
        if not same_secret(SCANNERS.get(name, b""), digest(key)):
            return None
        return Worker(name, frozenset({"stock:write"}), is_scanner=True)

    def low_stock(self, query: LowStock, _worker: Worker) -> list[Product]:
        """List what will soon be sold out, the fewest pieces first."""
        return self.store.low(query.below)

    def count(self, count: Count, _worker: Worker) -> Product | NotFound:
        """Set the stock of a product to what was counted."""
        found = self.store.count(count.id, count.pieces)
        return found or NotFound(message=f"There is no product {count.id}.")


@hook(inline=True)
def logged(call: Call[Worker]) -> None:
    """Write down who calls what; it turns nobody away."""
    log.info("%s calls %s", call.ctx.name, call.route)


@hook(inline=True)
def seen(call: Call[Worker, Count]) -> ScannedNothing | None:
    """Let no scanner tell that a shelf is empty; it asks for the input, so it runs after it was checked."""
    return ScannedNothing() if call.ctx.is_scanner and not call.input.pieces else None


def warehouse(store: Store) -> Group[object]:
    """The group ``warehouse``, over *store*."""
    methods = Warehouse(store)
    low_stock = route(summary="List what runs low", tags=["stock"], effect="read")(
        methods.low_stock
    )
    count = route(
        summary="Count a shelf",
        tags=["stock"],
        auth=requires("stock:write"),
        effect="idempotent",
    )(methods.count)
    return group(
        "warehouse",
        authenticate=ways(
            bearer(methods.worker_of), api_key(methods.scanner_of, header="X-Scanner-Key")
        ),
        routes=routes(low_stock, count.behind(seen)),
        hooks=[logged],
    )
