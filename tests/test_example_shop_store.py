"""The shop's file: filled once, kept over restarts, and never sold out twice."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from threading import Barrier

import pytest

from examples.shop.seed import DEMO_TOKENS
from examples.shop.store import Store
from examples.shop.types import Cash, NewOrder, Order, OrderLine, OutOfStock, ProductQuery

ROOT = Path(__file__).parent.parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shop.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path)
    yield store
    store.close()


def test_a_store_writes_nothing_before_it_is_asked(store: Store, path: Path) -> None:
    assert not path.exists()
    store.categories()
    assert path.exists()


def test_a_file_is_filled_once(store: Store, path: Path) -> None:
    products = store.products(ProductQuery())
    store.close()

    with closing(Store(path)) as again:
        assert again.products(ProductQuery()) == products
    assert list(path.parent.glob("*")) == [path]


def test_a_file_of_an_older_shop_is_given_the_tables_that_it_lacks(
    store: Store, path: Path
) -> None:
    store.categories()
    store.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE pictures")

    assert store.set_picture("blue-mug", b"\x89PNG", "image/png")
    assert store.picture("blue-mug") == (b"\x89PNG", "image/png")


def test_a_store_whose_file_cannot_be_read_is_not_ready(store: Store, path: Path) -> None:
    path.mkdir()
    with pytest.raises(sqlite3.OperationalError):
        store.ping()

    path.rmdir()
    store.ping()


def test_prices_orders_and_stock_survive_a_restart(store: Store, path: Path) -> None:
    store.update_product("blue-mug", {"price": Decimal("13.37")})
    placed = store.place("ada", NewOrder([OrderLine("blue-mug", 4)], Cash(), note="By the door."))
    assert isinstance(placed, Order)
    store.close()

    with closing(Store(path)) as again:
        mug = again.product("blue-mug")
        assert mug is not None
        assert (mug.price, mug.stock) == (Decimal("13.37"), 36)
        assert again.order(placed.id) == placed


def test_processes_that_start_at_once_fill_the_file_once(store: Store, path: Path) -> None:
    script = "import sys; from examples.shop.store import Store; Store(sys.argv[1]).categories()"
    started = [
        subprocess.Popen([sys.executable, "-c", script, str(path)], cwd=ROOT) for _ in range(4)
    ]

    assert [process.wait() for process in started] == [0, 0, 0, 0]
    assert store.products(ProductQuery()).total == 7


def test_of_many_who_want_the_last_pieces_only_some_get_them(store: Store) -> None:
    wanting = 16
    ready = Barrier(wanting)

    def buy(_: int) -> Order | OutOfStock | None:
        ready.wait()
        return store.place("ada", NewOrder([OrderLine("bread-knife")], Cash()))

    with ThreadPoolExecutor(wanting) as threads:
        answers = list(threads.map(buy, range(wanting)))

    refused = [answer for answer in answers if not isinstance(answer, Order)]
    assert refused == [OutOfStock(product_id="bread-knife", available=0)] * 11
    knife = store.product("bread-knife")
    assert knife is not None
    assert knife.stock == 0


def test_what_raises_is_not_written(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        store.update_product("blue-mug", {"name": "Bluest mug", "category": "garden"})

    mug = store.product("blue-mug")
    assert mug is not None
    assert mug.name == "Blue mug"


def test_tokens_are_kept_as_digests(store: Store, path: Path) -> None:
    store.categories()
    store.close()

    for token in DEMO_TOKENS.values():
        assert token.encode() not in path.read_bytes()
