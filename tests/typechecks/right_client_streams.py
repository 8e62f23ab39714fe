"""Streams in clients: what the checkers infer of items, and that a match over each is whole."""

# mypy: disable-error-code="empty-body"
# what is declared below is checked and never run

from __future__ import annotations

from collections.abc import Iterator
from typing import Never, assert_never, assert_type

import contract.client
from contract.client import AsyncItems, HttpRequest, HttpResponse, Items, OpenResponse, Timeout
from tests.golden.streams import client
from tests.golden.streams.client import CallError, Interrupted, NotFound, Ok, Refused, Token, unwrap

api = client.ApiClient("https://talks.example/v1", timeout=Timeout(quiet=20))

assert_type(api.chat(text="a"), Ok[Items[Token, Interrupted]] | NotFound | Refused | CallError)
assert_type(api.count(1), Ok[Items[int, Never]] | CallError)
assert_type(api.rooms.listen(), Ok[Items[str | None, Never]] | CallError)
assert_type(unwrap(api.chat(text="a")).last_event_id, str | None)
assert_type(api.with_options(last_event_id="7"), client.ApiClient)
for counted in unwrap(api.count(1)):
    assert_type(unwrap(counted), int)


def whole(result: Ok[Items[Token, Interrupted]] | NotFound | Refused | CallError) -> Iterator[str]:
    match result:
        case Ok(items):
            with items as entered:
                assert_type(entered, Items[Token, Interrupted])
                for each in entered:
                    assert_type(each, Ok[Token] | Interrupted | CallError)
                    match each:
                        case Ok(token):
                            assert_type(token, Token)
                            yield token.text
                        case Interrupted(after=after):
                            assert_type(after, int)
                        case CallError(code="NETWORK_ERROR", cause="aborted"):
                            return
                        case CallError() as error:
                            yield error.code
                        case _:
                            assert_never(each)
        case NotFound() | Refused():
            return
        case CallError() as error:
            yield error.code
        case _:
            assert_never(result)


def whole_without_failures(items: Items[int, Never]) -> int:
    total = 0
    for each in items:
        match each:
            case Ok(number):
                total += number
            case CallError():
                return 0
            case _:
                assert_never(each)
    return total


async def awaited() -> None:
    async with client.AsyncApiClient("https://talks.example/v1") as later:
        result = await later.chat(text="a")
        assert_type(result, Ok[AsyncItems[Token, Interrupted]] | NotFound | Refused | CallError)
        async with unwrap(result) as items:
            async for each in items:
                assert_type(each, Ok[Token] | Interrupted | CallError)
                assert_type(unwrap(each), Token)
        async for heard in unwrap(await later.rooms.listen()):
            assert_type(unwrap(heard), str | None)


class Opened:
    status: int
    headers: dict[str, str]

    def read(self, timeout: float) -> bytes: ...

    def close(self) -> None: ...


class OpenedLater:
    status: int
    headers: dict[str, str]

    async def read(self, timeout: float) -> bytes: ...

    async def aclose(self) -> None: ...


class Sending:
    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse: ...

    def open(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> Opened: ...

    def close(self) -> None: ...


class SendingLater:
    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        raise NotImplementedError

    async def open(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> OpenedLater:
        raise NotImplementedError

    async def aclose(self) -> None: ...


opened: OpenResponse = Opened()
opened_later: contract.client.AsyncOpenResponse = OpenedLater()
sending: contract.client.StreamTransport = Sending()
sending_later: contract.client.AsyncStreamTransport = SendingLater()
