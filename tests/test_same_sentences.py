"""
Sentences: what a caller is told is the same, whoever tells it.

Here are the server, the Python that is generated, ``contract call`` and MCP. The TypeScript that is
generated and the explorer are held to the same words by ``tests/vectors.json``
(``tests/typescript/programs/vectors.ts``, ``tests/browser/test_check.py``).
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import falcon
import falcon.testing
import pytest

from contract import InvalidInput, mount_spec
from tests.cli_inside import run

SHOP = '''
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from annotated_types import Ge, Len

from contract import route, routes, spec


@dataclass(frozen=True)
class Card:
    kind: Literal["card"]
    number: str


@dataclass(frozen=True)
class Cash:
    kind: Literal["cash"]


@dataclass(frozen=True)
class Order:
    product_id: Annotated[str, Len(2, 40)]
    day: date
    size: Literal["small", "large"]
    how: Card | Cash
    code: int | date = 1
    when: date | Literal["today", "tomorrow"] = "today"
    quantity: Annotated[int, Ge(1)] = 1


@route(summary="Order", tags=["orders"], auth="none", mcp=True)
def order(input: Order, ctx: None) -> None:
    """Order."""


api = spec(routes=routes(order))
'''

GOOD: dict[str, Any] = {
    "product_id": "p1",
    "day": "2026-01-31",
    "size": "small",
    "how": {"kind": "cash"},
}

DATE = "a date like 2026-01-31"
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"product_id": "p"}, "Must have at least 2 characters; this has 1."),
    ({"product_id": 1}, "Must be a string in double quotes, not an integer."),
    ({"day": "2026-02-30"}, f"Must be {DATE}; there is no such day: that month has 28 days."),
    ({"day": 20260131}, f"Must be a string in double quotes with {DATE}, not an integer."),
    ({"size": "smal"}, 'Must be one of "small", "large". Did you mean "small"?'),
    ({"how": {"kind": "cards"}}, 'Must be one of "card", "cash". Did you mean "card"?'),
    ({"how": {"kind": "card"}}, "This field is required."),
    ({"code": True}, f"Must be an integer or {DATE}, not true or false."),
    ({"when": "todday"}, f'Must be one of "today", "tomorrow" or {DATE}. Did you mean "today"?'),
    ({"when": "x"}, f'Must be one of "today", "tomorrow" or {DATE}.'),
    ({"quantity": 0}, "Must be at least 1."),
    ({"quantity": "1"}, "Must be an integer without quotes, not a string."),
    ({"quantiti": 2}, 'This key is not known here. Did you mean "quantity"?'),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("same")
    (folder / "same_shop.py").write_text(SHOP)
    run("emit same_shop.py -o contract.json", cwd=folder)
    run("generate contract.json -o same_client.py", cwd=folder)
    return folder


@contextmanager
def imported(file: Path) -> Generator[Any]:
    """The module in *file*, among all others as long as its annotations may be read."""
    found = importlib.util.spec_from_file_location(file.stem, file)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, file.stem, module)
        found.loader.exec_module(module)
        yield module


@pytest.fixture(scope="module")
def server(folder: Path) -> Generator[falcon.testing.TestClient]:
    app = falcon.App()
    with imported(folder / "same_shop.py") as shop:
        mount_spec(app, shop.api)
        yield falcon.testing.TestClient(app)


@pytest.fixture(scope="module")
def client(folder: Path) -> Generator[Any]:
    with imported(folder / "same_client.py") as module:
        yield module


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_all_of_them_say_it(
    folder: Path, server: falcon.testing.TestClient, client: Any, change: Any, sentence: str
) -> None:
    body = {**GOOD, **change}

    answer = server.simulate_post("/order", json=body).json
    tool = {"name": "order", "arguments": body}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": tool}
    result = server.simulate_post("/mcp", json=message).json["result"]
    called = run("call order", json.dumps(body), "--app", "same_shop.py", cwd=folder)
    with pytest.raises(InvalidInput) as refused:
        client.schemas.order.input.load(json.dumps(body).encode())

    assert [each["message"] for each in answer["data"]["issues"]] == [sentence]
    assert sentence in result["content"][1]["text"]
    assert json.loads(called.stdout) == answer
    assert [each.message for each in refused.value.issues] == [sentence]
