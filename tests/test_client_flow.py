from __future__ import annotations

import ssl
from datetime import date
from typing import Any, Never

import pytest

from contract import client
from contract.client.flow import Send, Sleep, backoff, flow_of, retry_after
from contract.client.options import Options
from tests.client_example import Filter, NotFound, SoldOut, schemas
from tests.client_fakes import Answer, FakeClock, answer, answers
from tests.tables import rows


def ping_of(
    effect: client.Effect, failure: Any = NotFound, *, cached: bool = False
) -> client.Operation[Any, Any, Any]:
    return client.Operation(
        "ping", effect=effect, cached=cached, schemas=schemas.ping, failures=(failure,)
    )


READ, WRITE = ping_of("read"), ping_of("write")
DESTROY, REPEAT = ping_of("destructive", SoldOut), ping_of("idempotent", SoldOut)
ACCEPTED = {"accept": "application/json", "accept-encoding": "identity"}
HEADERS = {"user-agent": "agent", "x-a": "1", **ACCEPTED}
DONE = answer(b"null")
URL = "https://shop.example/v1"


class Run:
    """A flow, driven to its end with *given*."""

    def __init__(
        self,
        *given: Answer,
        operation: client.Operation[Any, Any, Any] = READ,
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
    sent = send.request
    assert run.result == client.Ok(None)
    assert (sent.method, sent.url, sent.body) == ("POST", f"{URL}/ping", b"{}")
    assert sent.headers == HEADERS | {"content-type": "application/json"}
    assert (send.timeout, send.max_bytes) == (30.0, 16 * 1024 * 1024)


def test_the_user_agent_may_be_another_and_a_request_shows_no_secrets() -> None:
    run = Run(DONE, headers=({"User-Agent": "mine", "authorization": "Bearer canary"},))

    assert run.sends[0].request.headers["user-agent"] == "mine"
    assert "canary" not in repr(run.sends)


def test_a_wrong_input_is_not_sent() -> None:
    listing = client.Operation[Any, Any, Never]("list", effect="read", schemas=schemas.orders_list)
    run = Run(operation=listing, value=Filter(since="soon"))  # type: ignore[arg-type]

    assert run.sends == []
    assert (run.result.code, run.result.status) == ("VALIDATION_ERROR", 0)


@pytest.mark.parametrize("operation", [READ, REPEAT])
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_may_run_twice_is_tried_again(
    operation: client.Operation[Any, Any, Any], status: int
) -> None:
    run = Run(*answers([status, status]), DONE, operation=operation)

    assert run.result == client.Ok(None)
    assert run.clock.slept == [0.125, 0.25]


@pytest.mark.parametrize("operation", [WRITE, DESTROY])
@rows("given", *answers([429, 502, 503, 504]), client.TransportError("refused"), TimeoutError())
def test_what_may_have_run_is_not_tried_again(
    operation: client.Operation[Any, Any, Any], given: Answer
) -> None:
    run = Run(given, operation=operation)

    assert len(run.sends) == 1
    assert run.clock.slept == []
    assert isinstance(run.result, client.CallError)


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
    for told, seconds in (("7", 7.0), ("Tue, 14 Nov 2023 22:13:30 GMT", 10.0)):
        assert Run(answer(status=503, retry_after=told), DONE).clock.slept == [seconds]

    long = Run(answer(status=429, retry_after="31"), timeout=client.Timeout(100))
    assert (long.result.code, long.result.retry_after) == ("TOO_MANY_REQUESTS", 31.0)
    assert long.clock.slept == []


def test_all_tries_share_the_time_of_the_call() -> None:
    busy = answer(status=503, retry_after="7")
    run = Run(busy, DONE, timeout=client.Timeout(10), max_response_bytes=5)

    assert [(send.timeout, send.max_bytes) for send in run.sends] == [(10.0, 5), (3.0, 5)]


def test_a_try_may_have_less_time_than_the_call() -> None:
    busy = answer(status=503, retry_after="7")
    run = Run(client.TransportError("timeout"), busy, DONE, timeout=client.Timeout(10, attempt=4))

    assert [send.timeout for send in run.sends] == [4.0, 4.0, 2.875]


def test_nobody_waits_beyond_the_time_of_the_call() -> None:
    run = Run(answer(status=503, retry_after="10"), timeout=client.Timeout(10))

    assert run.clock.slept == []
    assert run.result.code == "SERVICE_UNAVAILABLE"


def test_a_call_whose_time_has_gone_is_not_sent() -> None:
    clock = FakeClock()

    def slow() -> dict[str, str]:
        clock.now += 31
        return {}

    run = Run(clock=clock, headers=(slow,))
    assert run.result == client.CallError("NETWORK_ERROR", 0, cause="timeout")
    assert run.result.url == f"{URL}/ping"


def test_headers_are_asked_for_before_each_try() -> None:
    tokens = iter(["1", "2"])
    run = Run(answer(status=503), DONE, headers=({"x-token": lambda: next(tokens)},))

    assert [send.request.headers["x-token"] for send in run.sends] == ["1", "2"]


@rows(
    "exception, cause",
    (client.TransportError("refused"), "refused"),
    (client.TransportError("tls", "no"), "tls"),
    (client.TransportError("aborted"), "aborted"),
    (ConnectionRefusedError(), "refused"),
    (TimeoutError(), "timeout"),
    (ConnectionResetError(), "aborted"),
    (BrokenPipeError(), "aborted"),
    (ssl.SSLCertVerificationError(), "tls"),
    (OSError("no such host"), "other"),
)
def test_no_answer_is_a_network_error_with_its_cause(
    exception: Exception, cause: client.NetworkCause
) -> None:
    run = Run(exception, exception, exception)

    assert run.result == client.CallError("NETWORK_ERROR", 0, cause=cause)
    assert run.result.exception is exception
    assert len(run.sends) == (1 if cause == "tls" else 3), "another try may help, or not"


def test_a_bug_of_a_transport_is_no_failure_of_the_network() -> None:
    with pytest.raises(ZeroDivisionError):
        Run(ZeroDivisionError())


@pytest.mark.parametrize(("given", "name"), [(b"null", "bytes"), (None, "NoneType")])
def test_a_transport_gives_responses(given: Any, name: str) -> None:
    with pytest.raises(TypeError, match=f"the transport gave a {name} instead of an HttpResponse"):
        Run(given)


def test_hooks_are_told_of_every_try() -> None:
    told: list[Any] = []
    hooks = client.Hooks(told.append, told.append, told.append)
    failed = client.TransportError("refused")
    busy = answer(status=503, retry_after="3")
    run = Run(failed, busy, DONE, hooks=hooks, clock=FakeClock(step=0.5))

    requests = [send.request for send in run.sends]
    assert told == [
        client.RequestEvent("ping", 1, requests[0]),
        client.ResponseEvent("ping", 1, 0.5, None, "refused", failed),
        client.RetryEvent("ping", 2, 0.125, 0, "refused"),
        client.RequestEvent("ping", 2, requests[1]),
        client.ResponseEvent("ping", 2, 0.5, busy, None),
        client.RetryEvent("ping", 3, 3.0, 503, None),
        client.RequestEvent("ping", 3, requests[2]),
        client.ResponseEvent("ping", 3, 0.5, DONE, None),
    ]


def test_a_redirect_is_not_followed() -> None:
    elsewhere = {"location": "https://elsewhere.example"}
    run = Run(client.HttpResponse(307, elsewhere, b""))

    assert (run.result.code, run.result.status) == ("UNKNOWN_ERROR", 307)
    assert run.result.headers == elsewhere
    assert len(run.sends) == 1


NOW = 1_700_000_000.0  # 2023-11-14T22:13:20Z


@rows(
    "header, seconds",
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
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


DOUBLED = client.Retries(100, base=0.5, longest=3)
ASKED = client.Retries(2, base=1, longest_asked=30)


@rows(
    "retries, attempt, asked, chance, seconds",  # waits double up to a limit
    (DOUBLED, 1, None, 1.0, 0.5),
    (DOUBLED, 2, None, 1.0, 1.0),
    (DOUBLED, 3, None, 1.0, 2.0),
    (DOUBLED, 4, None, 1.0, 3.0),
    (DOUBLED, 100, None, 1.0, 3.0),
    # a wait is a random part of that
    (client.Retries(3, base=1), 1, None, 0.0, 0.0),
    (client.Retries(3, base=1), 1, None, 0.75, 0.75),
    # there are only so many tries
    (client.Retries(2), 2, None, 0.0, 0.0),
    (client.Retries(2), 3, None, 0.0, None),
    (client.Retries(0), 1, None, 0.0, None),
    # a server gets the time that it asks for, unless it is too much
    (ASKED, 1, 5.0, 0.5, 5.0),
    (ASKED, 1, 0.0, 0.5, 0.5),
    (ASKED, 1, 30.0, 0.5, 30.0),
    (ASKED, 1, 30.5, 0.5, None),
)
def test_how_long_a_client_waits(
    retries: client.Retries, attempt: int, asked: float | None, chance: float, seconds: float | None
) -> None:
    assert backoff(retries, attempt, asked, chance) == seconds


# Reads that may be kept.

KEPT: client.Operation[Filter, Any, NotFound] = client.Operation(
    "list", effect="read", cached=True, schemas=schemas.orders_list, failures=(NotFound,)
)
KEPT_PING = ping_of("read", cached=True)
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
    assert run.sends[0].request.headers == HEADERS


def test_a_read_that_is_lost_says_where_it_went_without_its_input() -> None:
    run = Run(*[TimeoutError()] * 3, operation=KEPT, value=SINCE)

    assert asked(run) == [("GET", AT_GET, b"")] * 3
    assert run.result.url == f"{URL}/list"


def test_a_read_without_input_has_no_query() -> None:
    assert asked(Run(DONE, operation=KEPT_PING)) == [("GET", "ping", b"")]


JSON, PAGE = "application/json", "text/html"


@rows(
    "refusal",
    answer(b"no", 405),
    answer(b'{"error":"METHOD_NOT_ALLOWED"}', 405, content_type=JSON),
    answer(b"no", 414, content_type=PAGE),
    answer(b"no", 404, content_type=PAGE),
    answer(b"", 404),
)
def test_where_get_is_not_known_it_is_sent_by_post(refusal: client.HttpResponse) -> None:
    run = Run(refusal, answer(status=503), DONE, operation=KEPT_PING)

    assert asked(run) == [("GET", "ping", b""), ("POST", "ping", b"{}"), ("POST", "ping", b"{}")]
    assert run.result == client.Ok(None)
    assert run.sends[1].request.headers["content-type"] == JSON
    assert run.clock.slept == [0.125]  # the first retry: the GET was not a try


def test_a_404_of_the_route_itself_is_its_answer() -> None:
    sent = answer(b'{"error":"NOT_FOUND"}', 404, content_type=JSON)
    run = Run(sent, operation=KEPT_PING)

    assert asked(run) == [("GET", "ping", b"")]
    assert isinstance(run.result, NotFound)


def test_a_get_is_tried_again_as_any_read_is() -> None:
    run = Run(*answers([503]), TimeoutError(), DONE, operation=KEPT_PING)

    assert [method for method, _, _ in asked(run)] == ["GET"] * 3
    assert run.result == client.Ok(None)


@pytest.mark.parametrize(("more", "method"), [(0, "GET"), (1, "POST")])
def test_a_url_that_is_too_long_is_not_sent(more: int, method: str) -> None:
    room = 2000 - len(f"/{AT_GET}") + more
    run = Run(answer(b"[]"), operation=KEPT, value=SINCE, base=URL + "v" * (room - len(URL)))

    assert [send.request.method for send in run.sends] == [method]
