"""
Results: the return values of a generated client's calls.

A call returns one of three things: `Ok`, a failure that its route declares, or a `CallError` for
everything else. Each has its own final class, so a type checker can tell whether a ``match`` that
ends in ``assert_never`` covers them all::

    match api.order(product_id="p1"):
        case Ok(receipt):
            ...
        case SoldOut(restock_days=days):
            ...
        case CallError(code="UNAUTHORIZED"):
            ...
        case CallError() as error:
            ...

Each has a ``response``, with the status, the headers and the request id of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar, final

from contract.shape.exceptions import ContractException
from contract.shape.issues import MAX_PATH_LENGTH, Issue
from contract.shape.quoting import one_line
from contract.shape.record import record

__all__ = [
    "CallError",
    "CallErrorCode",
    "CallFailed",
    "DeclaredFailure",
    "Json",
    "NetworkCause",
    "Ok",
    "ResponseInfo",
    "answered_by",
    "unwrap",
]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
F = TypeVar("F", bound="DeclaredFailure")

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
"""A JSON value."""

NetworkCause = Literal["refused", "timeout", "aborted", "tls", "other"]
"""
Why no answer came back.

In order: nothing listens there; it took too long; the connection was lost; TLS failed; or something
else (no such host, no route to it, a proxy that refuses).
"""

CallErrorCode = Literal[
    "BAD_REQUEST",
    "DEADLINE_EXCEEDED",
    "FORBIDDEN",
    "INTERNAL_ERROR",
    "LENGTH_REQUIRED",
    "METHOD_NOT_ALLOWED",
    "NETWORK_ERROR",
    "NOT_FOUND",
    "PAYLOAD_TOO_LARGE",
    "REQUEST_TIMEOUT",
    "ROUTE_NOT_FOUND",
    "SERVICE_UNAVAILABLE",
    "TOO_MANY_REQUESTS",
    "UNAUTHORIZED",
    "UNKNOWN_ERROR",
    "UNSUPPORTED_MEDIA_TYPE",
    "VALIDATION_ERROR",
]
"""
Every code that a route does not declare itself.

They come from the framework, the builtins and the client (NETWORK_ERROR and UNKNOWN_ERROR).
"""


@final
@record
class ResponseInfo:
    """
    The answer to a call, without its body; the ``repr`` omits the headers, which may be secret.
    """

    status: int
    """The HTTP status; 0 if there was no answer."""
    headers: Mapping[str, str] = field(repr=False)
    """Names are in lower case; repeated headers are joined with ", "."""

    @property
    def request_id(self) -> str | None:
        """The id of the call in the server's log; None if the answer has no id."""
        return self.headers.get("x-request-id")


_NO_RESPONSE: Final = ResponseInfo(0, {})


@final
@record
class Ok(Generic[T_co]):
    """The call succeeded."""

    value: T_co
    """The output of the route, validated."""
    response: ResponseInfo = field(default=_NO_RESPONSE, kw_only=True, compare=False, repr=False)
    """The answer that brought it."""


class DeclaredFailure:
    """
    A failure that a route declares.

    Generated code makes a subclass for each code: a final frozen dataclass.

    ::

        @final
        @dataclass(frozen=True, slots=True)
        class SoldOut(DeclaredFailure, code="SOLD_OUT", status=409):
            restock_days: Annotated[int, Ge(0)]
    """

    # two underscores: Python adds the name of the class, so a field may have the name "_response"
    __slots__ = ("__response",)

    __response: ResponseInfo
    error_code: ClassVar[str]
    """The code on the wire."""
    http_status: ClassVar[int]
    """The status that it is sent with."""

    def __init_subclass__(cls, *, code: str | None = None, status: int = 0) -> None:
        super().__init_subclass__()
        # None if dataclass() makes the class again, for its slots; then both are already set
        if code is not None:
            cls.error_code = code
            cls.http_status = status

    @property
    def response(self) -> ResponseInfo:
        """The answer that brought it; copies do not keep it."""
        try:
            return self.__response
        except AttributeError:
            return _NO_RESPONSE


# Subclasses are frozen dataclasses, whose __setattr__ refuses everything. The descriptor of the
# slot sets it all the same.
_keep: Final[Any] = vars(DeclaredFailure)["_DeclaredFailure__response"].__set__


def answered_by(failure: F, response: ResponseInfo) -> F:
    """The *failure*, now with the *response* that brought it."""
    _keep(failure, response)
    return failure


@final
@dataclass(frozen=True, slots=True)
class CallError:
    """
    The call failed in a way that its route does not declare.

    The ``repr`` shows neither body nor headers, which may be secret.
    """

    code: CallErrorCode
    """The code of the error."""
    status: int
    """The status of the answer; 0 if there was none."""
    data: Json = field(default=None, hash=False)
    """The data of the error, as JSON, if its code and its data were valid."""
    issues: tuple[Issue, ...] = field(default=(), hash=False)
    """
    The problems of the input (VALIDATION_ERROR) or of the answer (UNKNOWN_ERROR).

    Their messages are in the language of the client (``sentences``). If the input was never sent,
    the status is 0. For an answer, the path is that in its body, and the code "unreadable" means
    that the body is too large, or cannot be read.
    """
    cause: NetworkCause | None = None
    """The cause of a NETWORK_ERROR."""
    retry_after: float | None = None
    """Seconds to wait, from the header of this name."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], hash=False, repr=False)
    """The headers of the answer; names are in lower case, repeated headers are joined with ", "."""
    body: bytes | None = field(default=None, hash=False, repr=False)
    """
    The body of the answer, as far as it was read.

    Only an UNKNOWN_ERROR has it, and an error that is known by its status alone.
    """
    exception: BaseException | None = field(default=None, compare=False, repr=False)
    """The exception that the transport raised, for logs."""
    url: str | None = field(default=None, compare=False, repr=False)
    """The URL of the route whose call came to a NETWORK_ERROR; it holds nothing of the input."""

    @property
    def response(self) -> ResponseInfo:
        """The answer that brought it."""
        return ResponseInfo(self.status, self.headers)


class CallFailed(ContractException):
    """
    The exception that `unwrap` raises instead of returning a failure.

    Attributes:
        result: The failure.
        code: The code of *result*.
        status: The status of *result*.
        response: The response of *result*.
    """

    def __init__(self, result: DeclaredFailure | CallError) -> None:
        super().__init__(result)
        if isinstance(result, DeclaredFailure):
            code, status = result.error_code, result.http_status
        else:
            code, status = result.code, result.status
        self.result: Final = result
        self.code: Final[str] = code
        self.status: Final[int] = status
        self.response: Final = result.response

    def __str__(self) -> str:
        text = self.code
        if self.status:  # 0 without an answer
            text += f" ({self.status})"
        if not isinstance(self.result, CallError):
            return text
        if self.result.cause is not None:
            text += f": {self.result.cause}"
        if self.result.url is not None:
            text += f" at {self.result.url}"
        issues = self.result.issues
        if issues:
            # the first issue, shortened: both its path and its message may hold texts of a server
            path = ".".join(str(part) for part in issues[0].path[:MAX_PATH_LENGTH])
            for part in (path, issues[0].message):
                if part:
                    text += f": {one_line(part, _LONGEST)}"
        if len(issues) > 1:
            text += f" (and {len(issues) - 1} more)"
        return text


_LONGEST: Final = 200
"""The most characters of an issue's path, or of its sentence, in an exception's message."""


def unwrap(result: Ok[T] | DeclaredFailure | CallError) -> T:
    """
    The value of a call that succeeded.

    Raises:
        CallFailed: The call failed; ``result`` is the failure.
    """
    if isinstance(result, Ok):
        return result.value
    cause = result.exception if isinstance(result, CallError) else None
    raise CallFailed(result) from cause
