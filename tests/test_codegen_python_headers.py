"""Generated clients and the status, the headers and the request id of every result."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli_servers import Server
from tests.client_servers import asked, served
from tests.headed import api
from tests.python_clients import generated

SENT = {
    "x-total": "120",
    "link": "</a>; rel=next, </b>; rel=last",
    "set-cookie": (
        "visitor=v-17; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax, "
        "theme=dark; Path=/; Secure; HttpOnly; SameSite=Lax"
    ),
}


client = generated(api)


server = served("tests.headed:api")


@pytest.mark.unwatched
@pytest.mark.parametrize("route", ["visit", "visit_later"])
@pytest.mark.parametrize("kind", ["ApiClient", "AsyncApiClient"])
def test_every_result_has_the_response(client: Any, server: Server, route: str, kind: str) -> None:
    url, headers = f"http://127.0.0.1:{server.port}", {"X-Request-Id": "id-1"}
    good, gone, broken = (
        asked(getattr(client, kind)(url, headers=headers), route, outcome=outcome)
        for outcome in ("good", "gone", "broken")
    )

    assert (good, good.response.status) == (client.Ok("good"), 200)
    assert (gone, gone.response.status) == (client.Gone(response_="yesterday"), 410)
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
