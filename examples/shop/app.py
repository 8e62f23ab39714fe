"""
App: which of the shop's methods are routes.

``contract serve examples.shop.app:api`` serves it, from the file that the environment variable ``SHOP_DB`` names.
"""

from __future__ import annotations

import os
from contextlib import closing
from datetime import date, time
from typing import Final

from contract import (
    Cache,
    Call,
    Forbidden,
    Meta,
    NavbarLink,
    Notice,
    Spec,
    Theme,
    Website,
    hook,
    hooks,
    route,
    routes,
    spec,
)
from examples.shop.seed import DEMO_KEY, DEMO_SECRET, DEMO_TOKENS
from examples.shop.service import Shop
from examples.shop.store import Store
from examples.shop.types import Customer, Day, Hours, OpeningHours
from examples.shop.warehouse import warehouse

__all__ = ["META", "api", "opening_hours", "shop_api", "staff_only"]

META: Final = Meta(
    title="Shop",
    version="1.0.0",
    intro=(
        "A small shop for kitchen and desk. Looking around is free; to order, send a bearer token."
    ),
    website=Website("https://shop.example", "shop.example"),
    theme=Theme(accent="#0b6e99"),
    navbar_links=[NavbarLink("Opening hours", "https://shop.example/hours", external=True)],
    notice=Notice(
        title="A demonstration",
        message=(
            "Orders are kept in a file, and nothing is ever delivered. "
            f"The scanner of the warehouse has the key {DEMO_KEY}."
        ),
    ),
    auth_hint=f"Send {DEMO_TOKENS['ada']} as a customer, or {DEMO_TOKENS['sam']} as the staff.",
    mcp_instructions=(
        "Look a product up before it is ordered. Prices are in euros. "
        "Never order what nobody asked for."
    ),
)


@route(summary="Tell when the shop is open", tags=["shop"], auth="none", effect="read", inline=True)
def opening_hours(_input: None, _ctx: None) -> OpeningHours:
    """Give the hours of every day of the week on which the shop is open, and the days of this year on which it is not."""
    short, long = Hours(time(9), time(13)), Hours(time(9), time(18, 30))
    return OpeningHours(
        days={
            Day.MONDAY: short,
            Day.TUESDAY: long,
            Day.WEDNESDAY: long,
            Day.THURSDAY: long,
            Day.FRIDAY: long,
            Day.SATURDAY: short,
        },
        closed_on=[date(2026, 12, 25), date(2026, 12, 26)],
    )


@hook(inline=True)
def staff_only(call: Call[Customer]) -> Forbidden | None:
    """Turn away who is not of the staff, before the input is read; it waits for nothing."""
    return None if call.ctx.staff else Forbidden(message="Only the staff may do this.")


STAFF: Final = hooks(staff_only)
"""What stands before the routes of the administration."""


def shop_api(store: Store) -> Spec[Customer]:
    """The shop's routes over *store*."""
    shop = Shop(store)
    return spec(
        authenticate=shop.authenticate,
        routes=routes(
            opening_hours,
            route(summary="Get the first page", tags=["catalog"], auth="optional", effect="read")(
                shop.front_page
            ),
            route(
                summary="List products",
                tags=["catalog"],
                auth="none",
                effect="read",
                cache=Cache(max_age=60),
                mcp=True,
            )(shop.list_products),
            route(summary="Get a product", tags=["catalog"], auth="none", effect="read", mcp=True)(
                shop.get_product
            ),
            route(
                summary="Get the page of a product", tags=["catalog"], auth="none", effect="read"
            )(shop.product_page),
            route(
                summary="Get the picture of a product", tags=["catalog"], auth="none", effect="read"
            )(shop.picture),
            route(
                summary="Get all categories", tags=["catalog"], auth="none", effect="read", mcp=True
            )(shop.category_tree),
            route(summary="Order products", tags=["orders"], mcp=True)(shop.place_order),
            route(summary="Get an order", tags=["orders"], effect="read", mcp=True)(shop.get_order),
            route(summary="Watch an order", tags=["orders"], effect="read", mcp=True)(
                shop.watch_order
            ),
            route(summary="List orders", tags=["orders"], effect="read", mcp=True)(
                shop.list_orders
            ),
            route(summary="Cancel an order", tags=["orders"], effect="idempotent", mcp=True)(
                shop.cancel_order
            ),
            route(summary="Get the account", tags=["account"], effect="read")(shop.get_account),
            route(summary="Change the account", tags=["account"], effect="idempotent")(
                shop.update_account
            ),
            route(summary="Add a product", tags=["admin"], hooks=STAFF)(shop.add_product),
            route(summary="Change a product", tags=["admin"], hooks=STAFF, effect="idempotent")(
                shop.update_product
            ),
            route(
                summary="Set the picture of a product",
                tags=["admin"],
                hooks=STAFF,
                effect="idempotent",
            )(shop.set_picture),
            route(summary="Count a delivery", tags=["admin"], hooks=STAFF)(shop.restock),
            route(summary="Withdraw a product", tags=["admin"], hooks=STAFF, effect="destructive")(
                shop.withdraw_product
            ),
            route(summary="Ship an order", tags=["admin"], hooks=STAFF, effect="idempotent")(
                shop.ship_order
            ),
            route(
                summary="Sum up the sales",
                tags=["admin"],
                hooks=STAFF,
                effect="read",
                scope="private",
            )(shop.sales_report),
            warehouse(store),
        ),
        meta=META,
        resources=[closing(store), shop.tree],
        ready=[store.ping],
    )


# whoever serves a real shop gives it a secret
os.environ.setdefault("CONTRACT_SECRETS", DEMO_SECRET)

api = shop_api(Store(os.environ.get("SHOP_DB", "shop.sqlite3")))
