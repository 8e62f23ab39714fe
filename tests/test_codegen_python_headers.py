"""Generated clients and the status, the headers and the request id of every result."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from contract.codegen.package import package_of
from contract.codegen.python import python_client
from contract.document.describe import describe
from tests.cli_servers import Server
from tests.client_servers import served
from tests.headed import api
from tests.python_clients import module_of

SENT = {
    "x-total": "120",
    "link": "</a>; rel=next, </b>; rel=last",
    "set-cookie": (
        "visitor=v-17; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax, "
        "theme=dark; Path=/; Secure; HttpOnly; SameSite=Lax"
    ),
}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with module_of(python_client(package_of(describe(api)))) as module:
        yield module


server = served("tests.headed:api")


@pytest.mark.unwatched
@pytest.mark.parametrize("route", ["visit", "visit_later"])
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_every_result_has_the_response(
    client: Any, server: Server, route: str, is_async: bool
) -> None:
    url, headers = f"http://127.0.0.1:{server.port}", {"X-Request-Id": "id-1"}

    async def ask(outcome: str) -> Any:
        async with client.AsyncApiClient(url, headers=headers) as later:
            return await getattr(later, route)(outcome=outcome)

    def call(outcome: str) -> Any:
        if is_async:
            return asyncio.run(ask(outcome))
        with client.ApiClient(url, headers=headers) as now:
            return getattr(now, route)(outcome=outcome)

    good, gone, broken = call("good"), call("gone"), call("broken")

    assert good == client.Ok("good")
    assert good.response.status == 200
    assert gone == client.Gone(response_="yesterday")
    assert gone.response.status == 410
    for result in (good, gone):
        assert {name: result.response.headers[name] for name in SENT} == SENT
    assert (broken.code, broken.response.status) == ("INTERNAL_ERROR", 500)
    assert not SENT.keys() & broken.response.headers.keys()
    assert [each.response.request_id for each in (good, gone, broken)] == ["id-1"] * 3
    with pytest.raises(client.CallFailed) as raised:
        client.unwrap(gone)
    assert raised.value.response.request_id == "id-1"


def test_a_result_without_an_answer_says_so(client: Any) -> None:
    with client.ApiClient("http://127.0.0.1:9", retries=0) as api:
        lost, refused = api.visit(), api.visit(outcome="other")

    for result, code in ((lost, "NETWORK_ERROR"), (refused, "VALIDATION_ERROR")):
        assert (result.code, result.response.status) == (code, 0)
        assert (dict(result.response.headers), result.response.request_id) == ({}, None)
