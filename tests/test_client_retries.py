from __future__ import annotations

import pytest

from contract.client import Effect, NetworkCause, Retries
from contract.client.retries import backoff, is_repeatable, may_help, retry_after

NOW = 1_700_000_000.0  # 2023-11-14T22:13:20Z


@pytest.mark.parametrize(
    ("effect", "repeatable"),
    [("read", True), ("idempotent", True), ("write", False), ("destructive", False)],
)
def test_only_what_may_run_twice_is_repeated(effect: Effect, repeatable: bool) -> None:
    assert is_repeatable(effect) is repeatable


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_another_try_may_help_where_somebody_is_busy(status: int) -> None:
    assert may_help(status, None)


@pytest.mark.parametrize("status", [200, 302, 400, 401, 404, 408, 409, 500, 501])
def test_another_try_does_not_help_elsewhere(status: int) -> None:
    assert not may_help(status, None)


@pytest.mark.parametrize(
    ("cause", "helps"),
    [("refused", True), ("timeout", True), ("aborted", True), ("other", True), ("tls", False)],
)
def test_another_try_may_help_where_nobody_answered(cause: NetworkCause, helps: bool) -> None:
    assert may_help(0, cause) is helps


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("0", 0.0),
        ("3", 3.0),
        (" 120 ", 120.0),
        ("9" * 30, 1e9),
        ("Tue, 14 Nov 2023 22:13:30 GMT", 10.0),
        ("Tuesday, 14-Nov-23 22:13:30 GMT", 10.0),
        ("Tue Nov 14 22:13:30 2023", 10.0),
        ("Tue, 14 Nov 2023 22:13:30 -0000", 10.0),
        ("Tue, 14 Nov 2023 22:00:00 GMT", 0.0),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("²", None),
        ("Tue, 99 Nov 2023 22:13:30 GMT", None),
        ("Tue, 14 Nov 99999 22:13:30 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


def test_waits_double_up_to_a_limit() -> None:
    retries = Retries(100, base=0.5, longest=3)

    assert [backoff(retries, attempt, None, 1.0) for attempt in (1, 2, 3, 4, 5, 100)] == [
        0.5,
        1.0,
        2.0,
        3.0,
        3.0,
        3.0,
    ]


def test_a_wait_is_a_random_part_of_that() -> None:
    retries = Retries(3, base=1)

    assert [backoff(retries, 1, None, chance) for chance in (0.0, 0.25, 0.75)] == [0.0, 0.25, 0.75]


def test_there_are_only_so_many_tries() -> None:
    assert backoff(Retries(2), 2, None, 0.0) == 0.0
    assert backoff(Retries(2), 3, None, 0.0) is None
    assert backoff(Retries(0), 1, None, 0.0) is None


def test_a_server_gets_the_time_that_it_asks_for_unless_it_is_too_much() -> None:
    retries = Retries(2, base=1, longest_asked=30)

    assert backoff(retries, 1, 5.0, 0.5) == 5.0
    assert backoff(retries, 1, 0.0, 0.5) == 0.5
    assert backoff(retries, 1, 30.0, 0.5) == 30.0
    assert backoff(retries, 1, 30.5, 0.5) is None
