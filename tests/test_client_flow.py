from __future__ import annotations

import ssl
from datetime import date
from typing import Any, Never

import pytest

from contract.client import (
    CallError,
    Hooks,
    HttpResponse,
    NetworkCause,
    Ok,
    Operation,
    RequestEvent,
    ResponseEvent,
    Retries,
    RetryEvent,
    Timeout,
    TransportError,
)
from contract.client.flow import Send, Sleep, backoff, flow_of, retry_after
from contract.client.options import Options
from tests.client_example import Filter, NotFound, SoldOut, schemas
from tests.client_fakes import Answer, FakeClock, answer, answers

READ: Operation[None, None, NotFound] = Operation(
    "ping", effect="read", schemas=schemas.ping, failures=(NotFound,)
)
WRITE: Operation[None, None, NotFound] = Operation(
    "ping", effect="write", schemas=schemas.ping, failures=(NotFound,)
)
DESTROY: Operation[None, None, SoldOut] = Operation(
    "ping", effect="destructive", schemas=schemas.ping, failures=(SoldOut,)
)
REPEAT: Operation[None, None, SoldOut] = Operation(
    "ping", effect="idempotent", schemas=schemas.ping, failures=(SoldOut,)
)
DONE = answer(b"null")
URL = "https://shop.example/v1"


class Run:
    """A flow, driven to its end with *given*."""

    def __init__(
        self,
        *given: Answer,
        operation: Operation[Any, Any, Any] = READ,
        value: Any = None,
        clock: FakeClock | None = None,
        base: str = URL,
        **options: Any,
    ) -> None:
        self.clock = FakeClock() if clock is None else clock
        self.sends: list[Send] = []
        self.left = [*given]
        flow = flow_of(operation, value, Options(base, **options), self.clock, "agent")
        sent: Any = None
        while True:
            try:
                step = flow.send(sent)
            except StopIteration as end:
                self.result: Any = end.value
                return
            sent = None
            match step:
                case Send():
                    self.sends.append(step)
                    sent = self.left.pop(0)
                case Sleep(seconds):
                    self.clock.sleep(seconds)
                case ask:
                    sent = ask()


def test_a_call_is_one_post() -> None:
    run = Run(DONE, headers=({"X-A": "1"},))

    [send] = run.sends
    assert run.result == Ok(None)
    assert (send.request.method, send.request.url, send.request.body) == (
        "POST",
        f"{URL}/ping",
        b"{}",
    )
    assert send.request.headers == {
        "user-agent": "agent",
        "x-a": "1",
        "content-type": "application/json",
        "accept": "application/json",
        "accept-encoding": "identity",
    }
    assert (send.timeout, send.max_bytes) == (30.0, 16 * 1024 * 1024)


def test_the_user_agent_may_be_another_and_a_request_shows_no_secrets() -> None:
    run = Run(DONE, headers=({"User-Agent": "mine", "authorization": "Bearer canary"},))

    assert run.sends[0].request.headers["user-agent"] == "mine"
    assert "canary" not in repr(run.sends)


def test_a_wrong_input_is_not_sent() -> None:
    listing: Operation[Filter, Any, Never] = Operation(
        "list", effect="read", schemas=schemas.orders_list
    )
    run = Run(operation=listing, value=Filter(since="soon"))  # type: ignore[arg-type]

    assert run.sends == []
    assert (run.result.code, run.result.status) == ("VALIDATION_ERROR", 0)


@pytest.mark.parametrize("operation", [READ, REPEAT])
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_may_run_twice_is_tried_again(
    operation: Operation[Any, Any, Any], status: int
) -> None:
    run = Run(*answers([status, status]), DONE, operation=operation)

    assert run.result == Ok(None)
    assert run.clock.slept == [0.125, 0.25]


@pytest.mark.parametrize("operation", [WRITE, DESTROY])
@pytest.mark.parametrize(
    "given", [*answers([429, 502, 503, 504]), TransportError("refused"), TimeoutError()]
)
def test_what_may_have_run_is_not_tried_again(
    operation: Operation[Any, Any, Any], given: Answer
) -> None:
    run = Run(given, operation=operation)

    assert len(run.sends) == 1
    assert run.clock.slept == []
    assert isinstance(run.result, CallError)


@pytest.mark.parametrize("status", [200, 301, 302, 400, 401, 404, 408, 409, 500, 501])
def test_what_will_not_be_another_time_is_not_tried_again(status: int) -> None:
    assert len(Run(answer(b"<html>", status)).sends) == 1


def test_there_are_two_other_tries_and_then_the_last_answer_counts() -> None:
    run = Run(*answers([503, 502, 429]))

    assert (run.result.code, run.result.status) == ("TOO_MANY_REQUESTS", 429)
    assert len(run.sends) == 3


def test_a_declared_failure_is_tried_again_too() -> None:
    busy = answer(b'{"error":"NOT_FOUND"}', 503)

    assert Run(busy, busy, busy).result == NotFound()


def test_a_server_says_when_it_may_be_asked_again() -> None:
    assert Run(answer(status=503, retry_after="7"), DONE).clock.slept == [7.0]
    assert Run(
        answer(status=503, retry_after="Tue, 14 Nov 2023 22:13:30 GMT"), DONE
    ).clock.slept == [10.0]

    long = Run(answer(status=429, retry_after="31"), timeout=Timeout(100))
    assert (long.result.code, long.result.retry_after, long.clock.slept) == (
        "TOO_MANY_REQUESTS",
        31.0,
        [],
    )


def test_all_tries_share_the_time_of_the_call() -> None:
    busy = answer(status=503, retry_after="7")
    run = Run(busy, DONE, timeout=Timeout(10), max_response_bytes=5)

    assert [(send.timeout, send.max_bytes) for send in run.sends] == [(10.0, 5), (3.0, 5)]


def test_a_try_may_have_less_time_than_the_call() -> None:
    run = Run(
        TransportError("timeout"),
        answer(status=503, retry_after="7"),
        DONE,
        timeout=Timeout(10, attempt=4),
    )

    assert [send.timeout for send in run.sends] == [4.0, 4.0, 2.875]


def test_nobody_waits_beyond_the_time_of_the_call() -> None:
    run = Run(answer(status=503, retry_after="10"), timeout=Timeout(10))

    assert run.clock.slept == []
    assert run.result.code == "SERVICE_UNAVAILABLE"


def test_a_call_whose_time_has_gone_is_not_sent() -> None:
    clock = FakeClock()

    def slow() -> dict[str, str]:
        clock.now += 31
        return {}

    run = Run(clock=clock, headers=(slow,))
    assert run.result == CallError("NETWORK_ERROR", 0, cause="timeout")


def test_headers_are_asked_for_before_each_try() -> None:
    tokens = iter(["1", "2"])
    run = Run(answer(status=503), DONE, headers=({"x-token": lambda: next(tokens)},))

    assert [send.request.headers["x-token"] for send in run.sends] == ["1", "2"]


@pytest.mark.parametrize(
    ("exception", "cause"),
    [
        (TransportError("refused"), "refused"),
        (TransportError("tls", "no"), "tls"),
        (TransportError("aborted"), "aborted"),
        (ConnectionRefusedError(), "refused"),
        (TimeoutError(), "timeout"),
        (ConnectionResetError(), "aborted"),
        (BrokenPipeError(), "aborted"),
        (ssl.SSLCertVerificationError(), "tls"),
        (OSError("no such host"), "other"),
    ],
)
def test_no_answer_is_a_network_error_with_its_cause(
    exception: Exception, cause: NetworkCause
) -> None:
    run = Run(exception, exception, exception)

    assert run.result == CallError("NETWORK_ERROR", 0, cause=cause)
    assert run.result.exception is exception
    assert len(run.sends) == (1 if cause == "tls" else 3), "another try may help, or not"


def test_a_bug_of_a_transport_is_no_failure_of_the_network() -> None:
    with pytest.raises(ZeroDivisionError):
        Run(ZeroDivisionError())


@pytest.mark.parametrize("given", [b"null", None])
def test_a_transport_gives_responses(given: Any) -> None:
    with pytest.raises(
        TypeError, match=f"the transport gave a {type(given).__name__} instead of an HttpResponse"
    ):
        Run(given)


def test_hooks_are_told_of_every_try() -> None:
    told: list[Any] = []
    failed = TransportError("refused")
    busy = answer(status=503, retry_after="3")
    run = Run(
        failed,
        busy,
        DONE,
        hooks=Hooks(told.append, told.append, told.append),
        clock=FakeClock(step=0.5),
    )

    requests = [send.request for send in run.sends]
    assert told == [
        RequestEvent("ping", 1, requests[0]),
        ResponseEvent("ping", 1, 0.5, None, "refused", failed),
        RetryEvent("ping", 2, 0.125, 0, "refused"),
        RequestEvent("ping", 2, requests[1]),
        ResponseEvent("ping", 2, 0.5, busy, None),
        RetryEvent("ping", 3, 3.0, 503, None),
        RequestEvent("ping", 3, requests[2]),
        ResponseEvent("ping", 3, 0.5, DONE, None),
    ]


def test_a_redirect_is_not_followed() -> None:
    run = Run(HttpResponse(307, {"location": "https://elsewhere.example"}, b""))

    assert (run.result.code, run.result.status, run.result.headers) == (
        "UNKNOWN_ERROR",
        307,
        {"location": "https://elsewhere.example"},
    )
    assert len(run.sends) == 1


NOW = 1_700_000_000.0  # 2023-11-14T22:13:20Z


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


@pytest.mark.parametrize(
    ("retries", "attempt", "asked", "chance", "seconds"),
    [
        # waits double up to a limit
        (Retries(100, base=0.5, longest=3), 1, None, 1.0, 0.5),
        (Retries(100, base=0.5, longest=3), 2, None, 1.0, 1.0),
        (Retries(100, base=0.5, longest=3), 3, None, 1.0, 2.0),
        (Retries(100, base=0.5, longest=3), 4, None, 1.0, 3.0),
        (Retries(100, base=0.5, longest=3), 100, None, 1.0, 3.0),
        # a wait is a random part of that
        (Retries(3, base=1), 1, None, 0.0, 0.0),
        (Retries(3, base=1), 1, None, 0.75, 0.75),
        # there are only so many tries
        (Retries(2), 2, None, 0.0, 0.0),
        (Retries(2), 3, None, 0.0, None),
        (Retries(0), 1, None, 0.0, None),
        # a server gets the time that it asks for, unless it is too much
        (Retries(2, base=1, longest_asked=30), 1, 5.0, 0.5, 5.0),
        (Retries(2, base=1, longest_asked=30), 1, 0.0, 0.5, 0.5),
        (Retries(2, base=1, longest_asked=30), 1, 30.0, 0.5, 30.0),
        (Retries(2, base=1, longest_asked=30), 1, 30.5, 0.5, None),
    ],
)
def test_how_long_a_client_waits(
    retries: Retries, attempt: int, asked: float | None, chance: float, seconds: float | None
) -> None:
    assert backoff(retries, attempt, asked, chance) == seconds


# Reads that may be kept.

KEPT: Operation[Filter, Any, NotFound] = Operation(
    "list", effect="read", cached=True, schemas=schemas.orders_list, failures=(NotFound,)
)
KEPT_PING: Operation[None, None, NotFound] = Operation(
    "ping", effect="read", cached=True, schemas=schemas.ping, failures=(NotFound,)
)
SINCE = Filter(since=date(2026, 1, 31))
AT_GET = "list?input=%7B%22from%22%3A%222026-01-31%22%2C%22limit%22%3A10%7D"


def asked(run: Run) -> list[tuple[str, str, bytes]]:
    return [
        (send.request.method, send.request.url.removeprefix(f"{URL}/"), send.request.body)
        for send in run.sends
    ]


def test_a_read_that_may_be_kept_is_one_get() -> None:
    run = Run(answer(b"[]"), operation=KEPT, value=SINCE, headers=({"X-A": "1"},))

    assert asked(run) == [("GET", AT_GET, b"")]
    assert run.sends[0].request.headers == {
        "user-agent": "agent",
        "x-a": "1",
        "accept": "application/json",
        "accept-encoding": "identity",
    }


def test_a_read_without_input_has_no_query() -> None:
    assert asked(Run(DONE, operation=KEPT_PING)) == [("GET", "ping", b"")]


@pytest.mark.parametrize(
    "refusal",
    [
        answer(b"no", 405),
        answer(b'{"error":"METHOD_NOT_ALLOWED"}', 405, content_type="application/json"),
        answer(b"no", 414, content_type="text/html"),
        answer(b"no", 404, content_type="text/html"),
        answer(b"", 404),
    ],
)
def test_where_get_is_not_known_it_is_sent_by_post(refusal: HttpResponse) -> None:
    run = Run(refusal, answer(status=503), DONE, operation=KEPT_PING)

    assert asked(run) == [("GET", "ping", b""), ("POST", "ping", b"{}"), ("POST", "ping", b"{}")]
    assert run.result == Ok(None)
    assert run.sends[1].request.headers["content-type"] == "application/json"
    assert run.clock.slept == [0.125]  # the first retry: the GET was not a try


def test_a_404_of_the_route_itself_is_its_answer() -> None:
    sent = answer(b'{"error":"NOT_FOUND"}', 404, content_type="application/json")
    run = Run(sent, operation=KEPT_PING)

    assert asked(run) == [("GET", "ping", b"")]
    assert isinstance(run.result, NotFound)


def test_a_get_is_tried_again_as_any_read_is() -> None:
    run = Run(*answers([503]), TimeoutError(), DONE, operation=KEPT_PING)

    assert [method for method, _, _ in asked(run)] == ["GET"] * 3
    assert run.result == Ok(None)


@pytest.mark.parametrize(("more", "method"), [(0, "GET"), (1, "POST")])
def test_a_url_that_is_too_long_is_not_sent(more: int, method: str) -> None:
    room = 2000 - len(f"/{AT_GET}") + more
    run = Run(answer(b"[]"), operation=KEPT, value=SINCE, base=URL + "v" * (room - len(URL)))

    assert [send.request.method for send in run.sends] == [method]
