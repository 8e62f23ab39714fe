"""
The flow of a call, from its input to its result, without any I/O.

It is a generator that yields the next step and is sent its result, so one flow serves the
synchronous and the asynchronous client::

    flow yields   a function        call it for headers, and await the result if necessary
                  Send(...)         send a request
                  Sleep(seconds)    wait
    and is sent   what the function gave; the response, or the exception that came instead; nothing
    and returns   the result of the call

The client that runs it never throws into it.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Final, TypeVar, cast, final
from urllib.parse import quote

from contract.client.answers import result_of
from contract.client.clock import Time
from contract.client.forms import Attached, Form
from contract.client.options import (
    Ask,
    Options,
    RequestEvent,
    ResponseEvent,
    Retries,
    RetryEvent,
    gathered_headers,
    tell,
)
from contract.client.results import CallError, DeclaredFailure, NetworkCause, Ok
from contract.client.schemas import Effect, Operation, body_of
from contract.client.transport import HttpRequest, HttpResponse, TransportError
from contract.shape.issues import in_words
from contract.shape.nodes import NullShape
from contract.shape.record import record

__all__ = [
    "Send",
    "Sleep",
    "Step",
    "backoff",
    "cause_of",
    "flow_of",
    "retry_after",
    "worded",
]

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  input
F = TypeVar("F", bound=DeclaredFailure)
R = TypeVar("R")


@final
@record
class Send:
    """Send a request."""

    request: HttpRequest
    timeout: float
    max_bytes: int


@final
@record
class Sleep:
    """Wait."""

    seconds: float


Step = Ask | Send | Sleep
"""The next step that a flow asks for."""

_AT_GET: Final = {"accept": "application/json", "accept-encoding": "identity"}
"""
Headers of each request.

Answers are requested uncompressed: a compressed one may grow a thousandfold.
"""

_FIXED: Final = {"content-type": "application/json", **_AT_GET}
"""Headers of each request that has a body."""

_UNTOUCHED: Final = "!'()*"
"""Reserved characters that ``encodeURIComponent`` leaves unchanged."""

_LONGEST: Final = 2000
"""The longest URL that all servers and proxies accept, in characters."""


def flow_of(
    operation: Operation[I, T, F],
    value: I,
    options: Options,
    clock: Time,
    agent: str,
    files: Mapping[str, Attached] | None = None,
) -> Generator[Step, Any, Ok[T] | F | CallError]:
    """
    The flow of one call; its result has issues in the language of the *options*.

    Args:
        operation: The route to call.
        value: Its input.
        options: The options of the call.
        clock: The source of time.
        agent: The User-Agent, unless the caller sets one.
        files: The files of the call, if the route takes any.
    """
    return worded((yield from _flow_of(operation, value, options, clock, agent, files)), options)


def worded(result: R, options: Options) -> R:
    """A *result* with its issues in the language of the *options*."""
    if options.sentences is None or not isinstance(result, CallError):
        return result
    issues = tuple(in_words(each, options.sentences) for each in result.issues)
    return cast("R", replace(result, issues=issues))


def _flow_of(
    operation: Operation[I, T, F],
    value: I,
    options: Options,
    clock: Time,
    agent: str,
    files: Mapping[str, Attached] | None,
) -> Generator[Step, Any, Ok[T] | F | CallError]:
    # 1. An input that is not valid is not sent.
    body = body_of(operation, value)
    if isinstance(body, CallError):
        return body
    url = options.url_of(operation.name)
    fixed = _fixed(operation, options)
    readable = _readable(operation, url, body) if operation.cached else None
    hooks = options.hooks
    deadline = clock.monotonic() + options.timeout.call
    attempt = 0
    while True:
        attempt += 1
        # 2. The headers, at each try: a token may have been renewed. A function that gives them
        #    takes time from the call, but not from the try that is measured for the hooks.
        headers = {"user-agent": agent} | (yield from gathered_headers(options.headers))
        started = clock.monotonic()
        left = deadline - started
        if left <= 0:
            return CallError("NETWORK_ERROR", 0, cause="timeout", url=url)
        # 3. The request: a form, a read that caches may answer, or the usual POST.
        form = None if files is None else Form(body, files, options.progress)
        if form is not None:
            headers |= {**fixed, "content-type": form.content_type}
            request = HttpRequest("POST", url, headers, b"", form)
        elif readable is None:
            request = HttpRequest("POST", url, headers | fixed, body)
        else:
            request = HttpRequest("GET", readable, headers | _AT_GET, b"")
        tell(hooks.on_request, RequestEvent(operation.name, attempt, request))
        timeout = min(left, options.timeout.attempt or left)
        answer: HttpResponse | Exception = yield Send(request, timeout, options.max_response_bytes)
        # 4. The answer, or the reason why there is none.
        now = clock.monotonic()
        response: HttpResponse | None = None
        exception: Exception | None = None
        cause: NetworkCause | None = None
        if isinstance(answer, HttpResponse):
            response = answer
        else:
            exception = answer
            cause = cause_of(answer)
        seconds = now - started
        event = ResponseEvent(operation.name, attempt, seconds, response, cause, exception)
        tell(hooks.on_response, event)
        if response is not None and readable is not None and _wants_post(response):
            # the POST that follows is a part of this try, and needs no wait: nothing has failed
            readable = None
            attempt -= 1
            continue
        # 5. Another try, if it may be made, may help, and has time before the deadline.
        asked, status = None, 0
        if response is not None:
            asked = retry_after(response.headers.get("retry-after"), clock.time())
            status = response.status
        is_repeatable = operation.effect in _REPEATABLE and (form is None or form.again)
        if is_repeatable and _may_help(status, cause):
            delay = backoff(options.retries, attempt, asked, clock.random())
            # a try that cannot begin in time is not waited for: the caller hears of it now
            if delay is not None and now + delay < deadline:
                tell(hooks.on_retry, RetryEvent(operation.name, attempt + 1, delay, status, cause))
                yield Sleep(delay)
                continue
        # 6. The result.
        if response is None:
            return CallError("NETWORK_ERROR", 0, cause=cause, exception=exception, url=url)
        return result_of(operation, response, asked)


def _fixed(operation: Operation[I, T, F], options: Options) -> dict[str, str]:
    """The headers of a POST call that callers cannot change."""
    if operation.opens is None:
        return _FIXED
    # A stream is requested as lines, not as events. A line is complete in itself, and is only read
    # once it is whole; an event has several lines, which may be spelt in several ways.
    fixed = {**_FIXED, "accept": operation.opens}
    if options.last_event_id is not None:
        fixed["last-event-id"] = options.last_event_id
    return fixed


def _readable(operation: Operation[I, T, F], url: str, body: bytes) -> str | None:
    """
    The URL of a cached read at GET; None if it would be too long.

    The input is encoded as browsers do it, so that clients in all languages share caches.
    """
    if not isinstance(operation.schemas.input.pred.shape, NullShape):
        url += f"?input={quote(body, safe=_UNTOUCHED)}"
    return url if len(url) <= _LONGEST else None


def _wants_post(response: HttpResponse) -> bool:
    """
    Whether a GET reached something that only knows POST.

    That is an older server, or a proxy that checks methods or refuses long URLs. A 404 in JSON
    comes from the route itself.
    """
    if response.status in (405, 414):
        return True
    return response.status == 404 and "json" not in response.headers.get("content-type", "")


def cause_of(exception: object) -> NetworkCause:
    """
    The reason why no answer came.

    Raises:
        Exception: The *exception* itself, if it is not a network error: then the transport has a
            bug.
        TypeError: The transport returned something else.
    """
    match exception:
        case TransportError():
            return exception.cause
        case ConnectionRefusedError():
            return "refused"
        case TimeoutError():
            return "timeout"
        case ConnectionError():
            return "aborted"
        # told by its name, since ssl takes long to import, and a transport without TLS needs none
        case OSError() if type(exception).__module__ == "ssl":
            return "tls"
        case OSError():
            return "other"
        case Exception():
            raise exception
        case _:  # an async transport in a synchronous client returns one
            raise TypeError(
                f"the transport gave a {type(exception).__name__} instead of an HttpResponse"
            )


_REPEATABLE: Final[frozenset[Effect]] = frozenset({"read", "idempotent"})
"""Effects of calls that may be sent again although they may already have run."""

_PASSING: Final = frozenset({429, 502, 503, 504})
"""Statuses after which a later try may succeed."""


def _may_help(status: int, cause: NetworkCause | None) -> bool:
    """
    Whether another try may have another outcome.

    A certificate that is not trusted now will not be trusted a second later.
    """
    if cause is not None:
        return cause != "tls"
    return status in _PASSING


def retry_after(header: str | None, now: float) -> float | None:
    """
    The seconds of a Retry-After header; None if it is not valid.

    The header has a number of seconds or a date (RFC 9110, section 10.2.3).

    Args:
        header: The value of the header.
        now: Seconds since 1970.
    """
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        # nine digits are over thirty years; hundreds of them would become an infinite float
        if len(text) > 9:
            return float(10**9)
        return float(text)
    try:
        date: datetime = import_module("email.utils").parsedate_to_datetime(text)
        # without a zone, or with "-0000", the date is naive; dates of HTTP are in UTC
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        return max(0.0, date.timestamp() - now)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def backoff(retries: Retries, attempt: int, asked: float | None, chance: float) -> float | None:
    """
    Seconds to wait after try number *attempt*; None if there must be no other try.

    The wait is a random part (*chance*, 0 to 1) of a time that doubles, so that clients that failed
    together do not retry together. If the server asks for a time, the wait is at least that.
    """
    if attempt > retries.limit:
        return None
    if asked is not None and asked > retries.longest_asked:
        return None
    # Full jitter: the doubling is the limit of the random part, and not added to it. 60 doublings
    # exceed any limit, and 2.0 ** 1024 would raise an OverflowError.
    highest = min(retries.longest, retries.base * 2.0 ** min(attempt - 1, 60))
    return max(highest * chance, asked or 0.0)
