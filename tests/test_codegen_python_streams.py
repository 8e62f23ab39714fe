"""Generated Python clients and streams, against `contract serve` on ASGI and on WSGI."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from contract.client import Timeout
from tests.cli_servers import Server, until
from tests.client_servers import served
from tests.golden.streams import client
from tests.tables import rows

server = served("tests.talks:api", "--workers", "1")


def told(found: list[client.Ok[client.Token] | client.Interrupted | client.CallError]) -> list[str]:
    return [
        each.value.text if isinstance(each, client.Ok) else getattr(each, "code", "INTERRUPTED")
        for each in found
    ]


@pytest.mark.unwatched
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@rows(
    "asked, options, expected",
    ({"text": "one two"}, {}, ["one", "two"]),
    ({"text": "a b c"}, {"last_event_id": "1"}, ["c"]),
    ({"text": "a", "ending": "interrupted"}, {}, ["a", "INTERRUPTED"]),
    ({"text": "a", "ending": "wrong"}, {}, ["a", "INTERNAL_ERROR"]),
    ({"text": "a", "ending": "quiet"}, {"timeout": Timeout(quiet=1)}, ["a", "NETWORK_ERROR"]),
    ({"text": "secret"}, {}, client.Refused()),
    ({"text": "nothing"}, {}, client.NotFound(message="There is nothing.")),
)
def test_a_stream_comes_to_what_the_service_says(
    server: Server, is_async: bool, asked: dict[str, Any], options: dict[str, Any], expected: object
) -> None:
    url = f"http://127.0.0.1:{server.port}"

    async def later() -> object:
        async with client.AsyncApiClient(url) as api:
            result = await api.with_options(**options).chat(**asked)
            if not isinstance(result, client.Ok):
                return result
            assert result.response.request_id
            async with result.value as items:
                return told([each async for each in items])

    def now() -> object:
        with client.ApiClient(url) as api:
            result = api.with_options(**options).chat(**asked)
            if not isinstance(result, client.Ok):
                return result
            assert result.response.request_id
            with result.value as items:
                return told([*items])

    assert (asyncio.run(later()) if is_async else now()) == expected


def test_streams_stand_beside_plain_routes_and_in_groups(server: Server) -> None:
    async def later(url: str) -> None:
        async with client.AsyncApiClient(url) as api:
            heard = client.unwrap(await api.rooms.listen())
            assert [client.unwrap(each) async for each in heard] == ["hello", None]

    url = f"http://127.0.0.1:{server.port}"
    asyncio.run(later(url))
    with client.ApiClient(url) as api:
        assert [client.unwrap(each) for each in client.unwrap(api.count(3))] == [0, 1, 2]
        heard = [client.unwrap(each) for each in client.unwrap(api.rooms.listen())]
        assert heard == ["hello", None]
        assert api.ping() == client.Ok("here")


def test_who_leaves_the_block_closes_the_stream_of_the_service(server: Server) -> None:
    before = server.text().count("noted endless is closed")
    with client.ApiClient(f"http://127.0.0.1:{server.port}") as api:
        with client.unwrap(api.chat(text="a", ending="endless")) as items:
            assert client.unwrap(next(items)).text == "a"
        until(lambda: server.text().count("noted endless is closed") == before + 1)
        assert [*items] == []
