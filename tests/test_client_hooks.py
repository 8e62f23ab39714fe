from __future__ import annotations

import logging

import pytest

from contract.client import HttpRequest, RequestEvent, ResponseEvent
from contract.client.hooks import tell
from tests.client_fakes import answer

EVENT = RequestEvent(
    "order", 1, HttpRequest("POST", "https://a/order", {"authorization": "canary"}, b"canary")
)


def test_a_hook_is_told() -> None:
    told: list[RequestEvent] = []

    tell(told.append, EVENT)
    tell(None, EVENT)

    assert told == [EVENT]


def test_what_a_hook_raises_is_logged_and_harmless(caplog: pytest.LogCaptureFixture) -> None:
    def hook(event: RequestEvent) -> None:
        raise ZeroDivisionError("oh")

    with caplog.at_level(logging.ERROR, "contract.client"):
        tell(hook, EVENT)

    [record] = caplog.records
    assert (record.name, record.message) == ("contract.client", "a hook raised")
    assert "ZeroDivisionError: oh" in caplog.text


def test_what_ends_the_program_is_not_kept_from_doing_so() -> None:
    def hook(event: RequestEvent) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tell(hook, EVENT)


def test_events_show_no_secrets() -> None:
    gone = ResponseEvent(
        "order", 1, 0.5, answer(b"canary", cookie="canary"), None, OSError("canary")
    )

    assert "canary" not in repr(EVENT)
    assert "canary" not in repr(gone)
