"""Streams in clients: what has to be refused, where it is written."""

from __future__ import annotations

from typing import assert_never

from contract.client import CallError, Items, Ok, StreamTransport, Timeout, unwrap
from tests.golden.streams.client import ApiClient, AsyncApiClient, Interrupted, Token

api = ApiClient("https://talks.example/v1")

wrong_1 = [*api.chat(text="a")]  # type: ignore[misc]
wrong_2 = unwrap(api.chat(text="a"))[0]  # type: ignore[index]
api.chat(text="a", last_event_id="7")  # type: ignore[call-arg]
api.with_options(last_event_id=7)  # type: ignore[arg-type]
Timeout(quiet="20")  # type: ignore[arg-type]
numbers: Items[str, Interrupted] = unwrap(api.chat(text="a"))  # type: ignore[arg-type]


def bare_items() -> None:
    for each in unwrap(api.chat(text="a")):
        each.text.upper()  # type: ignore[union-attr]


def not_whole(items: Items[Token, Interrupted]) -> str:
    for each in items:
        match each:
            case Ok(token):
                return token.text
            case CallError():
                return ""
            case _:
                assert_never(each)  # type: ignore[arg-type]
    return ""


async def not_awaited() -> None:
    later = AsyncApiClient("https://talks.example/v1")
    async with unwrap(later.chat(text="a")) as items:  # type: ignore[arg-type]
        assert items


async def not_async() -> None:
    later = AsyncApiClient("https://talks.example/v1")
    with unwrap(await later.chat(text="a")):  # type: ignore[attr-defined]
        pass
    for _ in unwrap(await later.chat(text="a")):  # type: ignore[attr-defined]
        pass


class Sending:
    def send(self, request: object, *, timeout: float, max_bytes: int) -> None: ...

    def close(self) -> None: ...


sending: StreamTransport = Sending()  # type: ignore[assignment]
