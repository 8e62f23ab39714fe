"""Seed: the tables of the shop, and what they hold on the first day."""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Final

__all__ = ["DEMO_KEY", "DEMO_SECRET", "DEMO_TOKENS", "add_tables", "digest", "fill"]

DEMO_TOKENS: Final = {"ada": "ada.demo-token-of-a-customer", "sam": "sam.demo-token-of-the-staff"}
"""
Customer -> bearer token: the id, a full stop, a secret. For the demonstration only: a real shop
would never write one down.
"""
DEMO_KEY: Final = "gate.demo-key-of-a-scanner"
"""The key of the scanner at the gate of the warehouse; like the tokens."""

DEMO_SECRET: Final = "signs the keys of pages in a demonstration"  # noqa: S105
"""Signs the pages of lists; the same holds of it."""

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS categories (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    parent TEXT REFERENCES categories (id)
);
CREATE TABLE IF NOT EXISTS products (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0),
    stock INTEGER NOT NULL CHECK (stock >= 0),
    category TEXT NOT NULL REFERENCES categories (id),
    added_at TEXT NOT NULL,
    on_sale INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE IF NOT EXISTS pictures (
    product TEXT PRIMARY KEY REFERENCES products (id),
    media_type TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS reviews (
    product TEXT NOT NULL REFERENCES products (id),
    author TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    text TEXT NOT NULL,
    written_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS customers (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    phone TEXT,
    staff INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS tokens (
    customer TEXT PRIMARY KEY REFERENCES customers (id),
    digest BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY,
    customer TEXT NOT NULL REFERENCES customers (id),
    status TEXT NOT NULL,
    paid_by TEXT NOT NULL,
    placed_at TEXT NOT NULL,
    note TEXT,
    deliver_after TEXT,
    shipped_at TEXT
);
CREATE INDEX IF NOT EXISTS orders_of_a_customer ON orders (customer, placed_at);
CREATE TABLE IF NOT EXISTS lines (
    order_id TEXT NOT NULL REFERENCES orders (id),
    product TEXT NOT NULL REFERENCES products (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    cents INTEGER NOT NULL,
    PRIMARY KEY (order_id, product)
);
"""

_CATEGORIES: Final = (
    ("all", "Everything", None),
    ("kitchen", "Kitchen", "all"),
    ("cups", "Cups and mugs", "kitchen"),
    ("knives", "Knives", "kitchen"),
    ("desk", "Desk", "all"),
    ("paper", "Paper", "desk"),
)

_PRODUCTS: Final = (
    ("blue-mug", "Blue mug", 1250, 40, "cups", "2026-01-05T09:00:00.000000+00:00"),
    ("espresso-cup", "Espresso cup", 890, 12, "cups", "2026-02-11T09:00:00.000000+00:00"),
    ("bread-knife", "Bread knife", 3400, 5, "knives", "2026-02-20T09:00:00.000000+00:00"),
    ("paring-knife", "Paring knife", 1195, 1, "knives", "2026-03-02T09:00:00.000000+00:00"),
    ("squared-notebook", "Squared notebook", 675, 120, "paper", "2026-01-19T09:00:00.000000+00:00"),
    ("letter-set", "Letter set", 1490, 0, "paper", "2026-03-15T09:00:00.000000+00:00"),
    ("desk-lamp", "Desk lamp", 7900, 8, "desk", "2026-03-28T09:00:00.000000+00:00"),
)

_REVIEWS: Final = (
    ("blue-mug", "Grace", 5, "Holds exactly one morning.", "2026-02-01T07:30:00.000000+00:00"),
    ("blue-mug", "Linus", 4, "More of a teal, really.", "2026-03-09T16:05:00.000000+00:00"),
    (
        "desk-lamp",
        "Barbara",
        5,
        "Lights the desk and not the room.",
        "2026-04-04T20:10:00.000000+00:00",
    ),
)

_CUSTOMERS: Final = (
    ("ada", "Ada Lovelace", "+4930123456", 0),
    ("sam", "Sam from the shop", None, 1),
)


def digest(token: str) -> bytes:
    """What is kept of a token: enough to know it again, not enough to use it."""
    return hashlib.sha256(token.encode()).digest()


def add_tables(db: sqlite3.Connection) -> None:
    """Make the tables that a file lacks, as one of an older shop may."""
    db.executescript(_TABLES)


def fill(db: sqlite3.Connection) -> None:
    """Make the tables in a new file and fill them."""
    db.executescript(f"BEGIN; {_TABLES}")
    with db:
        db.executemany("INSERT INTO categories VALUES (?, ?, ?)", _CATEGORIES)
        db.executemany(
            (
                "INSERT INTO products (id, name, cents, stock, category, added_at) VALUES (?, ?, ?, "
                "?, ?, ?)"
            ),
            _PRODUCTS,
        )
        db.executemany("INSERT INTO reviews VALUES (?, ?, ?, ?, ?)", _REVIEWS)
        db.executemany("INSERT INTO customers VALUES (?, ?, ?, ?)", _CUSTOMERS)
        db.executemany(
            "INSERT INTO tokens VALUES (?, ?)",
            [(customer, digest(token)) for customer, token in DEMO_TOKENS.items()],
        )
