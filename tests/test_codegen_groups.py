"""Groups in generated clients: which names they have, and what their methods call."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from contract.codegen.package import package_of
from contract.codegen.python import python_client, python_validators
from contract.codegen.typescript import typescript_client
from contract.document.describe import describe
from tests.client_fakes import AsyncInMemory, InMemory
from tests.grouped import api
from tests.python_clients import module_of
from tests.tables import rows

PACKAGE = package_of(describe(api))


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with module_of(python_client(PACKAGE)) as module:
        yield module


def client_of(kind: Any, transport: Any, token: str) -> Any:
    headers = {"Authorization": f"Bearer {token}"}
    return kind("http://shop.example", headers=headers, transport=transport)


def sync_of(client: Any, token: str) -> Any:
    return client_of(client.ApiClient, InMemory(api), token)


def test_routes_are_called_by_their_groups(client: Any) -> None:
    ada, acme = sync_of(client, "ada"), sync_of(client, "acme")

    assert ada.orders.create(product="p1") == client.Ok("ada p1")
    assert ada.orders.create(product="p1", count=10) == client.SoldOut(days=3)
    assert ada.orders.items.property() == client.Ok("property")
    assert acme.partners.stock() == client.Ok("acme")
    assert acme.orders.create(product="p1").code == "UNAUTHORIZED"
    assert sync_of(client, "bob").orders.create(product="p1") == client.Banned()
    assert ada.with_options(timeout=3).orders.create(product="p2") == client.Ok("ada p2")


def test_so_they_are_on_an_event_loop(client: Any) -> None:
    async def run() -> None:
        ada, acme = (
            client_of(client.AsyncApiClient, AsyncInMemory(api), token) for token in ("ada", "acme")
        )

        assert await ada.orders.create(product="p1", count=10) == client.SoldOut(days=3)
        assert await ada.orders.items.class_() == client.Ok("class")
        assert await acme.partners.stock() == client.Ok("acme")
        assert await ada.import_.then() == client.Ok("then")

    asyncio.run(run())


def test_no_name_takes_another(client: Any) -> None:
    """Words of Python, members of clients, flat names with a dot or an underscore."""
    ada = sync_of(client, "ada")

    assert ada.close_.property.a_b() == client.Ok("class")
    with pytest.deprecated_call(match=r"^orders\.close is deprecated; use orders\.items\.class_$"):
        assert ada.orders.close() == client.Ok("closed")
    assert ada.orders.items.class_() == client.Ok("class")
    assert ada.import_.withOptions() == client.Ok("withOptions")
    assert ada.orders_flat() == client.Ok("flat")
    assert ada.orders_create() == client.Ok("orders_create")
    assert client.schemas.orders_create.input is not client.schemas.orders_create_2.input
    assert client.schemas.orders_items_class.output.load(b'"a"') == "a"


def test_validators_have_no_groups() -> None:
    assert "GroupBase" not in python_validators(PACKAGE)


@rows(
    "line",
    "  get orders(): $OrdersGroup {\n    return new $OrdersGroup(this);\n  }\n",
    "  get close(): $CloseGroup {\n",
    "  get import(): $ImportGroup {\n",
    "class $OrdersItemsGroup implements AnyClient {\n",
    '  create(input: OrderInput, options?: CallOptions): CallPromise<string, "BANNED" | "SOLD_OUT">',
    "    return orders_create_2(this, input, options);\n",
    "  then_(options?: CallOptions): CallPromise<string> {\n    return import_then(this, options);",
    "  withOptions(options?: CallOptions): CallPromise<string> {\n    return import_withOptions(",
    "  a_b(options?: CallOptions): CallPromise<string> {\n",
    "  orders_flat(options?: CallOptions): CallPromise<string> {\n",
    "   * @deprecated Call orders.items.class instead.\n",
)
def test_typescript_has_a_class_for_each_group(line: str) -> None:
    assert line in typescript_client(PACKAGE)
