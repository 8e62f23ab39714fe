"""Mocks of routes that give streams: made-up items, then an end, or the failure that is asked for."""

from __future__ import annotations

import pytest

from contract.testing import Client
from contract.testing.mock import MockService
from tests.mocks import package
from tests.streamed import make


@pytest.fixture(scope="module")
def mock() -> Client:
    return Client(MockService(package(make("sync", is_async=False))))


FORMS = pytest.mark.parametrize("form", [{}, {"accept": "application/jsonl"}])


@FORMS
def test_items_are_made_up_and_then_it_ends(mock: Client, form: dict[str, str]) -> None:
    reply = mock.call("chat", {}, headers=form)

    assert (reply.status, reply.json) == (200, {})
    assert reply.items is not None
    assert [sorted(item) for item in reply.items] == [["n", "text"]] * 3
    assert mock.call("chat", {}, headers=form).items == reply.items
    assert mock.call("chat", {"ids": True}, headers=form).items != reply.items


@FORMS
@pytest.mark.parametrize("prefer", ["code=INTERRUPTED", "status=409"])
def test_a_failure_between_items_comes_after_them(
    mock: Client, form: dict[str, str], prefer: str
) -> None:
    reply = mock.call("chat", {}, headers={"prefer": prefer, **form})

    assert (reply.status, reply.error, len(reply.items or ())) == (200, "INTERRUPTED", 3)
    assert isinstance(reply.json["data"]["after"], int)
    assert reply.headers["preference-applied"] == prefer


def test_one_before_them_is_an_ordinary_reply(mock: Client) -> None:
    reply = mock.call("chat", {}, headers={"prefer": "code=REFUSED"})
    assert (reply.status, reply.items, reply.error) == (403, None, "REFUSED")
    assert reply.headers["preference-applied"] == "code=REFUSED"

    reply = mock.call("chat", {}, headers={"prefer": "code=OTHER"})
    assert (reply.status, reply.error) == (400, "BAD_REQUEST")
    assert "INTERRUPTED" in reply.json["data"]["message"]
