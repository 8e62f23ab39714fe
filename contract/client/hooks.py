"""
Hooks: functions that are told what a client does, for logs and metrics.

They are called in order, in the thread or the task of the call, and have to be quick; async clients
do not await them. What one raises is logged (logger ``contract.client``) and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from importlib import import_module
from typing import TypeVar, final

from contract.client.results import NetworkCause
from contract.client.transport import HttpRequest, HttpResponse
from contract.shape.record import record

__all__ = ["Hooks", "RequestEvent", "ResponseEvent", "RetryEvent", "tell"]

E = TypeVar("E")


@final
@record
class RequestEvent:
    """A request goes out."""

    route: str
    attempt: int
    """The number of the try, 1 for the first."""
    request: HttpRequest
    """The request with all headers: do not log those."""


@final
@record
class ResponseEvent:
    """An answer came back, or there will be none."""

    route: str
    attempt: int
    """The number of the try, 1 for the first."""
    seconds: float
    """Seconds since the request went out."""
    response: HttpResponse | None
    """The response, None where none came back."""
    cause: NetworkCause | None
    """The cause that none came back for."""
    exception: BaseException | None = field(default=None, repr=False)
    """The exception that the transport raised."""


@final
@record
class RetryEvent:
    """The call will be tried again."""

    route: str
    attempt: int
    """The number of the try to come: 2 for the first of these."""
    delay: float
    """Seconds until the next try."""
    status: int
    """The status of the answer that was no good; 0 where there was none."""
    cause: NetworkCause | None
    """The cause that there was none for."""


@final
@record
class Hooks:
    """The functions that are told of a call."""

    on_request: Callable[[RequestEvent], object] | None = None
    on_response: Callable[[ResponseEvent], object] | None = None
    on_retry: Callable[[RetryEvent], object] | None = None


def tell(hook: Callable[[E], object] | None, event: E) -> None:
    """Call *hook*, if there is one, and log what it raises."""
    if hook is None:
        return
    try:
        hook(event)
    except Exception:  # noqa: BLE001  whatever it is, the call goes on
        import_module("logging").getLogger("contract.client").exception("a hook raised")
