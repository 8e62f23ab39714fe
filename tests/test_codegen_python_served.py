"""
Generated clients against real servers: the shop, and a service that gives back whatever it gets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from contract.client import Attachment, Operation, RouteSchemas, Schema
from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.document import Document
from contract.document.contract_json import load_contract
from contract.document.describe import describe
from examples.shop.app import shop_api
from examples.shop.seed import DEMO_TOKENS
from examples.shop.store import Store
from tests.cli_servers import Server, contract, running
from tests.client_servers import asked, closed_port, served
from tests.python_clients import module_of

ADA, SAM = DEMO_TOKENS["ada"], DEMO_TOKENS["sam"]

Call = Callable[..., Any]
"""
The result of a route by its name, called with keyword arguments, and ``token`` for a bearer token.
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    store = Store(str(tmp_path_factory.mktemp("described") / "shop.sqlite3"))
    document = describe(shop_api(store), visibility="all")
    with module_of(python_client(package_of(document)), "shop_client") as module:
        yield module


server = served("examples.shop.app:api", SHOP_DB="shop.sqlite3")


def caller(module: Any, url: str, *, is_async: bool) -> Call:
    def call(name: str, /, *given: Any, token: str | None = None, **arguments: Any) -> Any:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        kind = module.AsyncApiClient if is_async else module.ApiClient
        return asked(kind(url, headers=headers), name, *given, **arguments)

    return call


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def call(request: pytest.FixtureRequest, client: Any, server: Server) -> Call:
    return caller(client, f"http://127.0.0.1:{server.port}", is_async=request.param)


@pytest.mark.unwatched
def test_outputs_are_what_the_server_gave(client: Any, call: Call) -> None:
    found = call("get_product", id="blue-mug").value

    mug: dict[str, Any] = {"id": "blue-mug", "name": "Blue mug", "category": "cups"}
    added, price = datetime(2026, 1, 5, 9, tzinfo=UTC), Decimal("12.50")
    assert found == client.Product(price=price, stock=found.stock, added_at=added, **mug)
    hours = call("opening_hours").value.days[client.Day.MONDAY]
    assert hours == client.Hours(opens=time(9), closes=time(13))
    assert [shelf.id for shelf in call("category_tree").value.children] == ["desk", "kitchen"]


@pytest.mark.unwatched
def test_defaults_of_the_server_stand_in_the_method(client: Any, call: Call) -> None:
    name, cheapest = client.ProductSort.NAME, client.ProductSort.CHEAPEST
    listed = call("list_products").value
    same = call("list_products", in_stock=False, sort=name, page=1, page_size=20).value
    cheap = call("list_products", max_price=Decimal(9), sort=cheapest).value

    assert listed == same
    assert listed.next_page is None
    assert [each.id for each in cheap.items] == ["squared-notebook", "espresso-cup"]


def test_what_is_not_given_is_not_sent(call: Call) -> None:
    def phone(**given: Any) -> Any:
        return call("update_account", token=ADA, **given).value.phone

    assert phone(name="Ada", phone="+4930123456") == "+4930123456"
    assert phone(name="Ada L.") == "+4930123456"
    assert phone(phone=None) is None


@pytest.mark.unwatched
def test_records_of_a_union_are_told_apart(client: Any, call: Call) -> None:
    line = client.OrderLineInput(product_id="blue-mug")
    cash = call("place_order", lines=[line], payment=client.CashInput(), token=ADA).value
    card = client.CardInput(number="4242424242424242", expires="12/30")

    assert (cash.paid_by, cash.lines[0].quantity) == ("cash", 1)
    assert call("place_order", lines=[line], payment=card, token=ADA).value.paid_by == "card"
    assert call("get_order", id=cash.id, token=ADA).value == cash
    placed = client.OrderFilterInput(status=client.OrderStatus.PLACED)
    assert len(call("list_orders", filter=placed, token=ADA).value.items) >= 2


@pytest.mark.parametrize("becomes", ["shipped", "cancelled"])
def test_an_order_is_watched(client: Any, server: Server, becomes: str) -> None:
    url = f"http://127.0.0.1:{server.port}"
    ada, sam = (
        client.ApiClient(url, headers={"Authorization": f"Bearer {token}"}) for token in (ADA, SAM)
    )
    with ada, sam:
        line = client.OrderLineInput(product_id="blue-mug")
        placed = ada.place_order(lines=[line], payment=client.CashInput()).value
        with ada.watch_order(id=placed.id).value as states:
            assert next(states).value == placed
            if becomes == "shipped":
                shipped = sam.ship_order(id=placed.id).value
                assert [state.value for state in states] == [shipped]
            else:
                assert ada.cancel_order(id=placed.id).value.status.value == "cancelled"
                assert [*states] == [client.OrderCancelled()]


def test_a_picture_is_sent_and_read_again(client: Any, server: Server, tmp_path: Path) -> None:
    mug = tmp_path / "mug.png"
    mug.write_bytes(b"\x89PNG\r\n\x1a\n...")
    headers = {"Authorization": f"Bearer {SAM}"}
    with client.ApiClient(f"http://127.0.0.1:{server.port}", headers=headers) as api:
        text = Attachment(b"text", "mug.png", "image/png")
        assert api.set_picture(id="blue-mug", picture=text) == client.NoPicture()
        assert api.set_picture(id="blue-mug", picture=mug) == client.Ok(None)
        assert api.picture(id="blue-mug").value.read() == mug.read_bytes()


@pytest.mark.unwatched
def test_every_failure_that_a_route_declares_arrives(client: Any, call: Call) -> None:
    def ordered(product: str, payment: Any, quantity: int = 1) -> Any:
        line = client.OrderLineInput(product_id=product, quantity=quantity)
        return call("place_order", lines=[line], payment=payment, token=ADA)

    cash = client.CashInput()
    wrong = client.CardInput(number="4242424242424241", expires="12/30")
    order = ordered("blue-mug", cash).value
    shipped = call("ship_order", id=order.id, token=SAM).value.shipped_at
    unknown = client.NotFound(message="There is no product none.")
    sold_out = client.OutOfStock(product_id="letter-set", available=0)

    assert call("get_product", id="none") == unknown
    assert call("product_page", id="none") == unknown
    assert ordered("letter-set", cash, 2) == sold_out
    assert ordered("blue-mug", wrong) == client.CardDeclined()
    late = call("cancel_order", id=order.id, token=ADA)
    assert late == client.AlreadyShipped(shipped_at=shipped)
    assert isinstance(call("get_order", id=UUID(int=0), token=ADA), client.NotFound)
    assert isinstance(call("restock", id="blue-mug", quantity=1, token=ADA), client.Forbidden)
    new = {"id": "desk-lamp", "name": "Desk lamp", "price": Decimal(1), "category": "desk"}
    assert call("add_product", **new, token=SAM) == client.ProductExists()
    assert isinstance(call("withdraw_product", id="none", token=SAM), client.NotFound)


def told(error: Any) -> tuple[str, str, int]:
    return type(error).__name__, error.code, error.status


def test_errors_of_the_framework_arrive(client: Any, server: Server) -> None:
    with client.ApiClient(f"http://127.0.0.1:{server.port}/nowhere") as api:
        lost = api.opening_hours()

    assert told(lost) == ("CallError", "ROUTE_NOT_FOUND", 404)
    assert lost.headers["x-request-id"]


def test_an_input_that_is_refused_is_never_sent(call: Call) -> None:
    refused = call("list_products", page=0)

    assert told(refused) == ("CallError", "VALIDATION_ERROR", 0)
    assert [issue.path for issue in refused.issues] == [("page",)]


def test_an_input_that_the_server_refuses_comes_back_with_its_issues(
    client: Any, server: Server
) -> None:
    schemas: RouteSchemas[Any, Any] = RouteSchemas(
        input=Schema(dict[str, int]), output=client.schemas.list_products.output
    )
    with client.ApiClient(f"http://127.0.0.1:{server.port}") as api:
        refused = api._call(Operation("list_products", effect="read", schemas=schemas), {"page": 0})

    assert told(refused) == ("CallError", "VALIDATION_ERROR", 400)
    assert [issue.path for issue in refused.issues] == [("page",)]


@pytest.mark.parametrize("token", [None, "ada.wrong"])
def test_without_a_token_nobody_is_let_in(client: Any, call: Call, token: str | None) -> None:
    refused = call("get_account", token=token)

    assert told(refused) == ("CallError", "UNAUTHORIZED", 401)
    with pytest.raises(client.CallFailed, match="UNAUTHORIZED"):
        client.unwrap(refused)


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_where_nobody_listens_there_is_no_answer(client: Any, is_async: bool) -> None:
    call = caller(client, f"http://127.0.0.1:{closed_port()}", is_async=is_async)
    failed = call("place_order", lines=[], payment=client.CashInput(), token=ADA)
    lost = call("withdraw_product", id="blue-mug", token=SAM)

    assert failed.code == "VALIDATION_ERROR"
    assert told(lost) == ("CallError", "NETWORK_ERROR", 0)
    assert lost.cause == "refused"


# Every form of the wire.

ECHO = """
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from contract import UNSET, Name, Unset, route, routes, spec


class Color(Enum):
    RED = "red"
    ONE = 1


class Point(NamedTuple):
    x: int
    y: float = 0.5


@dataclass(frozen=True)
class Leaf:
    kind: Literal["leaf"]
    text: str


@dataclass(frozen=True)
class Branch:
    kind: Literal["branch"]
    parts: "list[Leaf | Branch]"


@dataclass(frozen=True, kw_only=True)
class Everything:
    flag: bool
    whole: int
    number: float
    text: str
    data: bytes
    exact: Decimal
    moment: datetime
    day: date
    hour: time
    length: timedelta
    id_: Annotated[UUID, Name("@id")]
    nothing: None
    literal: Literal["a", 1, True]
    color: Color
    point: Point
    pair: tuple[int, str]
    many: tuple[int, ...]
    some: set[str]
    few: frozenset[int]
    by_day: dict[date, list[int]]
    by_number: dict[int, Color]
    either: int | str | None
    tree: Leaf | Branch
    anything: Any
    maybe: str | Unset | None = UNSET
    started: list[int] = field(default_factory=list)


@route(summary="Give it back", tags=["tests"], auth="none", effect="read")
def echo(input: Everything, ctx: None) -> Everything:
    return input


@route(summary="Add", tags=["tests"], auth="none", effect="read", name="sums.add")
def add(input: list[int], ctx: None) -> int:
    return sum(input)


api = spec(routes=routes(echo, add))
"""


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Server]]:
    folder: Path = tmp_path_factory.mktemp("echo")
    (folder / "echo.py").write_text(ECHO)
    emitted = contract("emit", "echo:api", cwd=folder)
    document: Document = load_contract(emitted.stdout)
    with (
        module_of(python_client(package_of(document)), "echo_client") as module,
        running("serve", "echo:api", cwd=folder) as server,
    ):
        yield module, server


def values(module: Any) -> dict[str, Any]:
    leaf = module.Leaf(kind="leaf", text="\u00e4 \U0001f600 \x00")
    return {
        "flag": True,
        "whole": -(2**63),
        "number": 0.1,
        "text": 'quote " and \\',
        "data": bytes(range(256)),
        "exact": Decimal("1.50"),
        "moment": datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=timezone(-timedelta(minutes=210))),
        "day": date(1, 1, 1),
        "hour": time(23, 59, 59, 999_999),
        "length": -timedelta(days=3, microseconds=1),
        "id_": UUID("12345678-1234-5678-1234-567812345678"),
        "nothing": None,
        "literal": True,
        "color": module.Color.ONE,
        "point": module.PointInput(1, 2.5),
        "pair": (1, "one"),
        "many": (1, 2, 3),
        "some": {"a", "b"},
        "few": frozenset({1}),
        "by_day": {date(2026, 1, 1): [1]},
        "by_number": {-5: module.Color.RED},
        "either": "text",
        "tree": module.Branch(kind="branch", parts=[leaf, module.Branch(kind="branch", parts=[])]),
        "anything": {"a": [None, 1, 2.5, "x", {}]},
        "maybe": None,
        "started": [1],
    }


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_every_form_comes_back(echo: tuple[Any, Server], is_async: bool) -> None:
    module, server = echo
    call = caller(module, f"http://127.0.0.1:{server.port}", is_async=is_async)
    given = values(module)
    back = call("echo", **given)
    assert isinstance(back, module.Ok), back

    assert {name: getattr(back.value, name) for name in given} == given
    assert back.value.literal is True
    assert type(back.value.point) is module.Point
    less = {name: value for name, value in given.items() if name not in ("maybe", "started")}
    back = call("echo", **less).value
    assert (back.maybe, back.started) == (module.UNSET, [])


def test_an_input_that_is_no_object_is_given_by_position(echo: tuple[Any, Server]) -> None:
    module, server = echo
    call = caller(module, f"http://127.0.0.1:{server.port}", is_async=False)

    assert call("sums_add", [1, 2, 3]) == module.Ok(6)
