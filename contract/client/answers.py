"""
Answers: the result that a caller gets for an answer, whether it came from a service or a proxy.

The rules apply in this order, and never invent data that was not sent:

1. A status of 2xx is a success, and its body the output, which is validated. One that does not fit
   is an UNKNOWN_ERROR with the issues.
2. A body that is exactly ``{"error": code}`` or ``{"error": code, "data": ...}`` is an error of the
   service, and its code decides, whatever the status is. If its data is valid, it is a declared
   failure or a builtin or framework code; otherwise it is an UNKNOWN_ERROR, with the issues of the
   data. A code that nobody declares is an UNKNOWN_ERROR, too.
3. Anything else (HTML from a proxy, truncated JSON, a body that is too large) is never a declared
   failure. With the status 401, 413, 429, 502, 503 or 504 it is a `CallError` with the code of that
   status, otherwise an UNKNOWN_ERROR. Either keeps the headers and the body.

If no answer came at all, the result is a NETWORK_ERROR; see `contract.client.flow`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, TypeVar, final

from annotated_types import Ge
from pydantic_core import from_json, to_json

from contract.client.results import (
    CallError,
    CallErrorCode,
    DeclaredFailure,
    Ok,
    ResponseInfo,
    answered_by,
)
from contract.client.schemas import Operation, Schema
from contract.client.transport import HttpResponse, TransportError
from contract.shape.exceptions import InvalidInput
from contract.shape.issues import Issue
from contract.shape.markers import UNSET, Unset
from contract.shape.record import record

__all__ = ["BY_STATUS", "CODES", "Code", "Refusal", "refusal_of", "result_of"]


@record
class _Nothing:
    """No data."""


@record
class _Notice:
    """A message for people."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET


@record
class _TooMany:
    """A message for people, and how long to wait."""

    title: str | Unset = UNSET
    message: str | Unset = UNSET
    retry_after: Annotated[int, Ge(0)] | Unset = UNSET


@record
class _Away:
    """A message for people, and how long to wait."""

    message: str | Unset = UNSET
    description: str | Unset = UNSET
    retry_after: Annotated[int, Ge(0)] | Unset = UNSET


@record
class _Message:
    """A message that says what is wrong."""

    message: str


@record
class _Unknown:
    """The route that was asked for."""

    route: str


@record
class _Limit:
    """The limit of a body, in bytes."""

    limit: Annotated[int, Ge(0)]


@record
class _Issue:
    """A single problem of an input."""

    path: list[str | int]
    code: str
    message: str
    params: dict[str, Any] = field(default_factory=dict[str, Any])


@final
@record
class Refusal:
    """The data of a VALIDATION_ERROR."""

    issues: list[_Issue]
    truncated: Literal[True] | Unset = UNSET

    def as_issues(self) -> tuple[Issue, ...]:
        """The issues, in the class that the rest of the client uses."""
        return tuple(
            Issue(tuple(each.path), each.code, each.message, tuple(each.params.items()))
            for each in self.issues
        )


@final
@record
class Code:
    """A code, and the data that comes with it."""

    code: CallErrorCode
    data: Schema[Any]
    """The schema of the data; it loads ``{}`` if the data may be missing."""


_NOTHING: Final = Schema(_Nothing)
_NOTICE: Final = Schema(_Notice)
_MESSAGE: Final = Schema(_Message)

_ALL_CODES: Final = (
    Code("BAD_REQUEST", _MESSAGE),
    Code("DEADLINE_EXCEEDED", _NOTHING),
    Code("FORBIDDEN", _NOTICE),
    Code("INTERNAL_ERROR", _NOTHING),
    Code("LENGTH_REQUIRED", _NOTHING),
    Code("METHOD_NOT_ALLOWED", _NOTICE),
    Code("NOT_FOUND", _NOTICE),
    Code("PAYLOAD_TOO_LARGE", Schema(_Limit)),
    Code("REQUEST_TIMEOUT", _NOTHING),
    Code("ROUTE_NOT_FOUND", Schema(_Unknown)),
    Code("SERVICE_UNAVAILABLE", Schema(_Away)),
    Code("TOO_MANY_REQUESTS", Schema(_TooMany)),
    Code("UNAUTHORIZED", _NOTHING),
    Code("UNSUPPORTED_MEDIA_TYPE", _MESSAGE),
    Code("VALIDATION_ERROR", Schema(Refusal)),
)
CODES: Final[Mapping[str, Code]] = MappingProxyType({each.code: each for each in _ALL_CODES})
"""
Every code that a server of any contract may answer with.

A code that its route does not declare becomes a `CallError`, if its data is valid.
"""

BY_STATUS: Final[Mapping[int, CallErrorCode]] = MappingProxyType(
    {
        401: "UNAUTHORIZED",
        413: "PAYLOAD_TOO_LARGE",
        429: "TOO_MANY_REQUESTS",
        502: "SERVICE_UNAVAILABLE",
        503: "SERVICE_UNAVAILABLE",
        504: "SERVICE_UNAVAILABLE",
    }
)
"""
The codes of statuses that mean the same from any sender: a proxy, a gateway, a firewall.

403 and 404 are not among them: from a proxy, they say nothing about the route.
"""


T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  input
F = TypeVar("F", bound=DeclaredFailure)

# not None, since null is data, too
_NO_DATA: Final = object()


def result_of(
    operation: Operation[I, T, F], response: HttpResponse, retry_after: float | None
) -> Ok[T] | F | CallError:
    """
    The result of a call of *operation* that got *response*.

    The *retry_after* comes from its headers.
    """
    if 200 <= response.status <= 299:
        return _output(operation, response, retry_after)
    return refusal_of(operation.failures, response, retry_after)


def refusal_of(
    failures: Mapping[str, Schema[F]], response: HttpResponse, retry_after: float | None
) -> F | CallError:
    """
    The failure that a *response* reports.

    Args:
        failures: Code -> class of each declared failure.
        response: A response that is not a success.
        retry_after: The seconds from its headers.
    """
    sent = None if response.truncated else _error(response.body)
    if sent is None:
        return _by_status(response, retry_after)
    code, data = sent
    # A class without required fields loads "{}", as if the service had sent empty data. But the
    # result shows what was sent: None, and not {}.
    if data is _NO_DATA:
        body, data = b"{}", None
    else:
        body = to_json(data)
    try:
        # declared failures first: a route may declare a builtin, such as NOT_FOUND
        if code in failures:
            failure = failures[code].answers.load(body)
            return answered_by(failure, ResponseInfo(response.status, response.headers))
        if code in CODES:
            known = CODES[code]
            value = known.data.answers.load(body)
            issues: tuple[Issue, ...] = ()
            if isinstance(value, Refusal):
                issues = value.as_issues()
            return CallError(
                known.code,
                response.status,
                data=data,
                issues=issues,
                retry_after=retry_after,
                headers=response.headers,
            )
    except InvalidInput as refused:
        wrong = [replace(each, path=("data", *each.path)) for each in refused.issues]
        return _unknown(response, retry_after, tuple(wrong))
    return _unknown(response, retry_after)


def _output(
    operation: Operation[I, T, F], response: HttpResponse, retry_after: float | None
) -> Ok[T] | CallError:
    if response.truncated:
        return _unknown(response, retry_after)
    if operation.opens is not None:
        # streams and files were opened, and are not read here
        issue = _NO_STREAM if operation.opens == "application/jsonl" else NO_FILE
        return _unknown(response, retry_after, (issue,))
    try:
        value = operation.schemas.output.answers.load(response.body)
    except InvalidInput as refused:
        return _unknown(response, retry_after, refused.issues)
    return Ok(value, response=ResponseInfo(response.status, response.headers))


_NO_STREAM: Final = Issue((), "unreadable", "The answer is not a stream.")
NO_FILE: Final = Issue(
    (), "unreadable", "The answer is not a file of a type that the route declares."
)
"""The issue of an answer that is not the file that was asked for."""


def _error(body: bytes) -> tuple[str, Any] | None:
    """The code and data of an error of the service; None for anything else."""
    try:
        sent: Any = from_json(body, allow_inf_nan=False)
    except ValueError:
        return None
    match sent:
        # any other key, and it is the JSON of somebody else, such as a gateway
        case {"error": str(code), **others} if others.keys() <= {"data"}:
            return code, others.get("data", _NO_DATA)
        case _:
            return None


def _by_status(response: HttpResponse, retry_after: float | None) -> CallError:
    code = BY_STATUS.get(response.status)
    if code is None:
        return _unknown(response, retry_after)
    return CallError(
        code, response.status, retry_after=retry_after, headers=response.headers, body=response.body
    )


def _unknown(
    response: HttpResponse, retry_after: float | None, issues: tuple[Issue, ...] = ()
) -> CallError:
    problem: TransportError | None = None
    if response.truncated:
        # a transport may be the user's own, and say as much as it likes
        sentence = response.problem or "The answer is too large, or cannot be read."
        issues = (Issue((), "unreadable", sentence[:200]),)
        problem = TransportError("other", sentence)
    return CallError(
        "UNKNOWN_ERROR",
        response.status,
        issues=issues,
        retry_after=retry_after,
        headers=response.headers,
        body=response.body,
        exception=problem,
    )
