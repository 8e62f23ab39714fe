"""Store: products, orders and stock in an SQLite file."""

from __future__ import annotations

import sqlite3
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import UUID, uuid4

from contract import Cursor, Slice, same_secret
from examples.shop.seed import add_tables, digest, fill
from examples.shop.types import (
    Account,
    Category,
    Customer,
    NewOrder,
    NewProduct,
    Order,
    OrderFilter,
    OrderKey,
    OrderStatus,
    OutOfStock,
    Page,
    PricedLine,
    Product,
    ProductExists,
    ProductQuery,
    ProductSort,
    Review,
    SalesReport,
)

__all__ = ["Store", "now"]


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class Store:
    """
    The shop's data.

    The file is made and filled by the first call that needs it, not when the store is made:
    importing the shop writes nothing. A connection is used by one thread at a time and then by the
    next, so there are as many as calls at one moment. Reads go on while somebody writes (WAL); a
    write takes the lock of the file before it looks at anything (``BEGIN IMMEDIATE``), so what it
    has seen is still true when it writes: that is what keeps the stock from going below zero.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._idle: deque[sqlite3.Connection] = deque()

    def close(self) -> None:
        """Close the idle connections; the next call opens a new one."""
        while self._idle:
            self._idle.pop().close()

    def ping(self) -> None:
        """Look whether the file can be read; raises where it cannot."""
        with self._reading() as db:
            db.execute("SELECT 1 FROM products LIMIT 1").fetchone()

    # Who calls.

    def customer_of(self, token: str) -> Customer | None:
        """The customer whose token it is, or None."""
        name, _, _ = token.partition(".")
        with self._reading() as db:
            row = db.execute(
                (
                    "SELECT id, staff, digest FROM tokens JOIN customers ON customers.id = "
                    "tokens.customer WHERE id = ?"
                ),
                (name,),
            ).fetchone()
        # Compared in constant time: how long it takes does not tell how much of a guess was right.
        if row is None or not same_secret(row["digest"], digest(token)):
            return None
        return Customer(row["id"], staff=bool(row["staff"]))

    def account(self, customer: str) -> Account:
        """What is known of a customer."""
        with self._reading() as db:
            row = db.execute(
                (
                    "SELECT id, name, phone, (SELECT count(*) FROM orders WHERE customer = "
                    "customers.id) AS orders FROM customers WHERE id = ?"
                ),
                (customer,),
            ).fetchone()
        return Account(row["id"], row["name"], row["phone"], row["orders"])

    def update_account(self, customer: str, changes: Mapping[str, str | None]) -> None:
        """Change the columns *changes* of a customer."""
        with self._writing() as db:
            _update(db, "customers", customer, changes)

    # The catalog.

    def categories(self) -> Category:
        """The tree of categories, from its root."""
        with self._reading() as db:
            rows = db.execute("SELECT id, title, parent FROM categories ORDER BY title").fetchall()
        shelves = {row["id"]: Category(row["id"], row["title"], []) for row in rows}
        for row in rows:
            if row["parent"] is not None:
                shelves[row["parent"]].children.append(shelves[row["id"]])
        return next(shelves[row["id"]] for row in rows if row["parent"] is None)

    def tree(self) -> Iterator[Category]:
        """The tree of categories, read once in each process: `resource` makes a value of it."""
        yield self.categories()

    def has_category(self, category: str) -> bool:
        """Whether there is such a category."""
        with self._reading() as db:
            return (
                db.execute("SELECT 1 FROM categories WHERE id = ?", (category,)).fetchone()
                is not None
            )

    def products(self, query: ProductQuery) -> Page[Product]:
        """The products that *query* asks for."""
        wanted = {
            "search": query.search,
            "category": query.category,
            "cents": None if query.max_price is None else _cents(query.max_price),
            "in_stock": query.in_stock,
        }
        with self._reading() as db:
            (total,) = db.execute(f"SELECT count(*) {_WANTED_PRODUCTS}", wanted).fetchone()
            rows = db.execute(
                (
                    f"SELECT products.* {_WANTED_PRODUCTS} ORDER BY {_SORTS[query.sort]} LIMIT "
                    ":limit OFFSET :offset"
                ),
                {**wanted, "limit": query.page_size, "offset": (query.page - 1) * query.page_size},
            ).fetchall()
        return _page([_product(row) for row in rows], query.page, query.page_size, total)

    def product(self, product: str) -> Product | None:
        """A product, unless it is not on sale."""
        with self._reading() as db:
            row = db.execute(
                "SELECT * FROM products WHERE id = ? AND on_sale", (product,)
            ).fetchone()
        return None if row is None else _product(row)

    def newest(self, count: int) -> list[Product]:
        """The *count* products that came last."""
        return self.products(ProductQuery(sort=ProductSort.NEWEST, page_size=count)).items

    def low(self, below: int) -> list[Product]:
        """The products with fewer pieces than *below*, fewest first."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT * FROM products WHERE on_sale AND stock < ? ORDER BY stock, id", (below,)
            ).fetchall()
        return [_product(row) for row in rows]

    def related(self, product: str) -> list[Product]:
        """Other products of its category."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT * FROM products WHERE on_sale AND id <> :id"
                " AND category = (SELECT category FROM products WHERE id = :id) ORDER BY name",
                {"id": product},
            ).fetchall()
        return [_product(row) for row in rows]

    def reviews(self, product: str) -> list[Review]:
        """What was written about a product, newest first."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT * FROM reviews WHERE product = ? ORDER BY written_at DESC", (product,)
            ).fetchall()
        return [
            Review(row["author"], row["stars"], row["text"], _moment(row["written_at"]))
            for row in rows
        ]

    def add_product(self, new: NewProduct) -> Product | ProductExists:
        """Put a new product on sale."""
        with self._writing() as db:
            if db.execute("SELECT 1 FROM products WHERE id = ?", (new.id,)).fetchone():
                return ProductExists()
            db.execute(
                (
                    "INSERT INTO products (id, name, cents, stock, category, added_at) VALUES (?, ?, "
                    "?, ?, ?, ?)"
                ),
                (new.id, new.name, _cents(new.price), new.stock, new.category, _text(now())),
            )
            return _product(db.execute("SELECT * FROM products WHERE id = ?", (new.id,)).fetchone())

    def update_product(self, product: str, changes: Mapping[str, str | Decimal]) -> Product | None:
        """Change the columns *changes* of a product; None where there is none."""
        columns = {
            ("cents" if key == "price" else key): _cents(value)
            if isinstance(value, Decimal)
            else value
            for key, value in changes.items()
        }
        with self._writing() as db:
            _update(db, "products", product, columns)
        return self.product(product)

    def restock(self, product: str, quantity: int) -> Product | None:
        """Add pieces to the stock; None where there is no such product."""
        with self._writing() as db:
            db.execute(
                "UPDATE products SET stock = stock + ? WHERE id = ? AND on_sale",
                (quantity, product),
            )
        return self.product(product)

    def count(self, product: str, pieces: int) -> Product | None:
        """Set the stock to the *pieces* that are there; None where there is no such product."""
        with self._writing() as db:
            db.execute("UPDATE products SET stock = ? WHERE id = ? AND on_sale", (pieces, product))
        return self.product(product)

    def withdraw(self, product: str) -> bool:
        """
        Take a product off the shelf; its orders keep it. False where there is no such product.
        """
        with self._writing() as db:
            return (
                db.execute(
                    "UPDATE products SET on_sale = 0 WHERE id = ? AND on_sale", (product,)
                ).rowcount
                > 0
            )

    def picture(self, product: str) -> tuple[bytes, str] | None:
        """The picture of a product and its media type; None where there is none."""
        with self._reading() as db:
            row = db.execute(
                "SELECT data, media_type FROM pictures JOIN products ON products.id = product"
                " WHERE product = ? AND on_sale",
                (product,),
            ).fetchone()
        return None if row is None else (row["data"], row["media_type"])

    def set_picture(self, product: str, data: bytes, media_type: str) -> bool:
        """Keep the picture of a product; False where there is no such product."""
        with self._writing() as db:
            return (
                db.execute(
                    "REPLACE INTO pictures SELECT id, ?, ? FROM products WHERE id = ? AND on_sale",
                    (media_type, data, product),
                ).rowcount
                > 0
            )

    # Orders.

    def place(self, customer: str, new: NewOrder) -> Order | OutOfStock | None:
        """Order all lines or none; None where one of the products does not exist."""
        wanted: Counter[str] = Counter()
        for line in new.lines:
            wanted[line.product_id] += line.quantity
        order = str(uuid4())
        with self._writing() as db:
            prices: dict[str, int] = {}
            for product, quantity in wanted.items():
                row = db.execute(
                    "SELECT cents, stock FROM products WHERE id = ? AND on_sale", (product,)
                ).fetchone()
                if row is None:
                    return None
                if row["stock"] < quantity:
                    return OutOfStock(product_id=product, available=row["stock"])
                prices[product] = row["cents"]
            # Everything is there, and the lock of the file keeps it so.
            db.execute(
                (
                    "INSERT INTO orders (id, customer, status, paid_by, placed_at, note, "
                    "deliver_after) VALUES (?, ?, ?, ?, ?, ?, ?)"
                ),
                (
                    order,
                    customer,
                    OrderStatus.PLACED.value,
                    new.payment.kind,
                    _text(now()),
                    new.note,
                    _text(new.deliver_after),
                ),
            )
            for product, quantity in wanted.items():
                db.execute(
                    "UPDATE products SET stock = stock - ? WHERE id = ?", (quantity, product)
                )
                db.execute(
                    "INSERT INTO lines VALUES (?, ?, ?, ?)",
                    (order, product, quantity, prices[product]),
                )
            return _orders(db, [order])[0]

    def order(self, order: UUID, customer: str | None = None) -> Order | None:
        """An order; with *customer*, only if it is theirs."""
        with self._reading() as db:
            return next(iter(_orders(db, _existing(db, order, customer))), None)

    def orders(
        self, customer: str, cursor: Cursor[OrderFilter, OrderKey]
    ) -> Slice[Order, OrderKey]:
        """A page of the orders of a customer, newest first."""
        wanted = cursor.filter
        placed_at, last = cursor.after or (None, None)
        with self._reading() as db:
            rows = db.execute(
                _WANTED_ORDERS,
                {
                    "customer": customer,
                    "status": wanted.status.value if wanted.status else None,
                    "since": _text(wanted.since),
                    "placed_at": _text(placed_at),
                    "last": str(last),
                    "limit": cursor.limit + 1,  # one more, to know whether there is another page
                },
            ).fetchall()
            found = _orders(db, [row["id"] for row in rows[: cursor.limit]])
        more = len(rows) > cursor.limit
        return Slice(found, next=(found[-1].placed_at, found[-1].id) if more else None)

    def cancel(self, order: UUID, customer: str) -> Order | None:
        """
        Cancel an order of a customer unless it was shipped, and put its pieces back.

        None where there is none.
        """
        with self._writing() as db:
            _move(db, order, OrderStatus.CANCELLED, customer)
        return self.order(order, customer)

    def ship(self, db: sqlite3.Connection, order: UUID) -> Order | None:
        """Ship an order unless it was cancelled; None where there is none."""
        _move(db, order, OrderStatus.SHIPPED)
        return next(iter(_orders(db, _existing(db, order))), None)

    def sales(self, since: datetime, until: datetime) -> SalesReport:
        """What was sold between two moments."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT order_id, product, quantity, cents FROM lines JOIN orders ON orders.id = "
                "lines.order_id"
                " WHERE status <> 'cancelled' AND placed_at >= ? AND placed_at < ?",
                (_text(since), _text(until)),
            ).fetchall()
        pieces: Counter[str] = Counter()
        for row in rows:
            pieces[row["product"]] += row["quantity"]
        turnover = _euros(sum(row["quantity"] * row["cents"] for row in rows))
        return SalesReport(
            orders=len({row["order_id"] for row in rows}),
            turnover=turnover,
            pieces=dict(sorted(pieces.items())),
        )

    # Connections.

    def transaction(self) -> Iterator[sqlite3.Connection]:
        """
        A connection with the lock of the file, for one call: `provide` makes a value of it.

        It is written as a whole, or not at all where it is ended by an exception.
        """
        with self._writing() as db:
            yield db

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection]:
        """A connection, for this block alone, in which all reads see the same moment."""
        with self._connection() as db:
            db.execute("BEGIN")
            with db:
                yield db

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        """A connection with the lock of the file: the block is written as a whole, or not at all if it raises."""
        with self._connection() as db:
            db.execute("BEGIN IMMEDIATE")
            with db:
                yield db

    @contextmanager
    def _connection(self) -> Generator[sqlite3.Connection]:
        try:
            db = self._idle.pop()
        except IndexError:
            db = self._connect()
        try:
            yield db
        finally:
            self._idle.append(db)

    def _connect(self) -> sqlite3.Connection:
        if not self._path.exists():
            self._make()
        with closing(_open(self._path)) as db:
            add_tables(db)
        return _open(self._path)

    def _make(self) -> None:
        """
        Make the file elsewhere, and put it in its place when it is complete.

        A link never replaces what is there, so of several processes that start at once one is the
        first and the others use its file.
        """
        with TemporaryDirectory(dir=self._path.parent, prefix=f"{self._path.name}-") as folder:
            new = Path(folder) / self._path.name
            with closing(_open(new)) as db:
                db.execute("PRAGMA journal_mode = WAL")  # once is enough: the file remembers it
                fill(db)
            with suppress(FileExistsError):
                self._path.hardlink_to(new)


def _open(path: Path) -> sqlite3.Connection:
    # Transactions are begun by hand, and what keeps two threads off one connection is that it is
    # not among the idle ones.
    db = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA foreign_keys = ON")
    return db


_SORTS: Final = {
    ProductSort.NAME: "name, id",
    ProductSort.CHEAPEST: "cents, id",
    ProductSort.NEWEST: "added_at DESC, id",
}

_WANTED_PRODUCTS: Final = """
FROM products
WHERE on_sale
  AND (:search IS NULL OR instr(lower(name), lower(:search)) > 0)
  AND (:cents IS NULL OR cents <= :cents)
  AND (NOT :in_stock OR stock > 0)
  AND (:category IS NULL OR category IN (
    WITH RECURSIVE below (id) AS (VALUES (:category) UNION SELECT categories.id FROM categories JOIN below ON parent = below.id)
    SELECT id FROM below))
"""

_WANTED_ORDERS: Final = """
SELECT id FROM orders
WHERE customer = :customer
  AND (:status IS NULL OR status = :status)
  AND (:since IS NULL OR placed_at >= :since)
  AND (:placed_at IS NULL OR placed_at < :placed_at OR (placed_at = :placed_at AND id > :last))
ORDER BY placed_at DESC, id LIMIT :limit
"""


def _update(db: sqlite3.Connection, table: str, row: str, changes: Mapping[str, Any]) -> None:
    for column, value in changes.items():  # the names are those of our own dataclasses
        db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (value, row))


def _move(
    db: sqlite3.Connection, order: UUID, status: OrderStatus, customer: str | None = None
) -> None:
    """
    Move a placed order on to *status*.

    One that has moved already stays where it is, so a second call changes nothing.
    """
    found = db.execute(
        "UPDATE orders SET status = :status, shipped_at = :shipped_at"
        " WHERE id = :order AND status = 'placed' AND (:customer IS NULL OR customer = "
        ":customer)",
        {
            "order": str(order),
            "customer": customer,
            "status": status.value,
            "shipped_at": _text(now()) if status is OrderStatus.SHIPPED else None,
        },
    )
    if found.rowcount and status is OrderStatus.CANCELLED:
        for row in db.execute(
            "SELECT product, quantity FROM lines WHERE order_id = ?", (str(order),)
        ).fetchall():
            db.execute(
                "UPDATE products SET stock = stock + ? WHERE id = ?",
                (row["quantity"], row["product"]),
            )


def _existing(db: sqlite3.Connection, order: UUID, customer: str | None = None) -> list[str]:
    """The id of an order, unless it is another customer's or none."""
    rows = db.execute(
        ("SELECT id FROM orders WHERE id = :order AND (:customer IS NULL OR customer = :customer)"),
        {"order": str(order), "customer": customer},
    ).fetchall()
    return [row["id"] for row in rows]


def _orders(db: sqlite3.Connection, ids: Sequence[str]) -> list[Order]:
    return [
        _order(db, db.execute("SELECT * FROM orders WHERE id = ?", (id_,)).fetchone())
        for id_ in ids
    ]


def _order(db: sqlite3.Connection, row: sqlite3.Row) -> Order:
    lines = db.execute(
        "SELECT product, quantity, cents FROM lines WHERE order_id = ? ORDER BY product",
        (row["id"],),
    ).fetchall()
    return Order(
        id=UUID(row["id"]),
        status=OrderStatus(row["status"]),
        lines=[
            PricedLine(line["product"], line["quantity"], _euros(line["cents"])) for line in lines
        ],
        total=_euros(sum(line["quantity"] * line["cents"] for line in lines)),
        paid_by=row["paid_by"],
        placed_at=_moment(row["placed_at"]),
        note=row["note"],
        deliver_after=row["deliver_after"] and _moment(row["deliver_after"]),
        shipped_at=row["shipped_at"] and _moment(row["shipped_at"]),
    )


def _product(row: sqlite3.Row) -> Product:
    return Product(
        row["id"],
        row["name"],
        _euros(row["cents"]),
        row["stock"],
        row["category"],
        _moment(row["added_at"]),
    )


def _page(items: list[Any], page: int, size: int, total: int) -> Page[Any]:
    return Page(
        items=items, page=page, total=total, next_page=page + 1 if page * size < total else None
    )


def _cents(euros: Decimal) -> int:
    return int(euros * 100)


def _euros(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def _text(moment: datetime | None) -> str | None:
    """Always in UTC and with microseconds, so that the texts sort as the moments do."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="microseconds")


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
