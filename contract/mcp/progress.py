"""
Progress that a resolver reports, as notifications before the result of its call.

They are sent to a client that gave a token for them and takes an event stream; any other gets the
result alone (2025-11-25, basic/utilities/progress). The stream begins with the call, whether
anything is reported or not: so a client that hears nothing for long knows that the call goes on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from threading import Lock
from time import monotonic
from typing import Any, Final, final

import orjson

from contract.call.accept import accepts
from contract.call.context import CURRENT, REPORT
from contract.call.log import log_exception
from contract.call.message import Incoming

__all__ = ["listens", "reporting"]

_LONGEST: Final = 1000
"""The characters of a message that are sent."""
_LONGEST_TOKEN: Final = 256
"""The most characters of a token, which goes with each notification."""
_AT_ONCE: Final = 100
"""The notifications of one call that are sent as they come, before there are pauses."""
_PAUSE: Final = 0.1
"""
Seconds between two notifications from then on.

A thread that sends more than a client reads can do nothing else, however small the parts are.
"""


def listens(meta: Mapping[str, Any], incoming: Incoming) -> bool:
    """Whether the client asks for progress, by the *meta* and the headers of its request."""
    accept = incoming.accept if _is_token(meta.get("progressToken")) else None
    return accept is not None and accepts(accept, "text/event-stream")


def reporting(meta: Mapping[str, Any], incoming: Incoming, send: Callable[[bytes], None]) -> None:
    """
    Send the client from now on what the resolver gives to `contract.progress`.

    *send* takes the JSON of a notification.
    """
    call = CURRENT.get(None)
    route = None if call is None else call.route
    REPORT.set(_Notifier(meta["progressToken"], send, incoming.request_id, route).report)


def _is_token(token: object) -> bool:
    """Whether *token* can be sent back: a text or a whole number that is not long."""
    if type(token) is str:  # not isinstance: True is an int to it
        return len(token) <= _LONGEST_TOKEN
    return type(token) is int and -(2**63) <= token < 2**63


@final
class _Notifier:
    """Writes the notifications of one request."""

    __slots__ = ("_last", "_left", "_lock", "_next", "_request_id", "_route", "_send", "_token")

    def __init__(
        self, token: object, send: Callable[[bytes], None], request_id: str, route: str | None
    ) -> None:
        self._token: Final = token
        self._send: Final = send
        self._request_id: Final = request_id
        self._route: Final = route
        self._last = -math.inf
        self._left = _AT_ONCE
        self._next = -math.inf
        self._lock: Final = Lock()  # a resolver may tell of its work in several threads

    def report(self, done: float, total: float | None, message: str | None) -> None:
        """
        Send a notification, unless it comes too soon or does not go beyond the one before.

        The protocol asks for the second.
        """
        params: dict[str, object] = {"progressToken": self._token, "progress": done}
        try:
            if total is not None and math.isfinite(total):
                params["total"] = total
            if message is not None:
                params["message"] = message[:_LONGEST]
            with self._lock:
                if self._last < done < math.inf and self._may_send():
                    told = {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
                    self._send(orjson.dumps(told))
                    self._last = done
        except Exception as exception:  # noqa: BLE001  a call goes on, whatever it tells
            log_exception(
                "progress could not be told",
                exception,
                route=self._route,
                request_id=self._request_id,
            )

    def _may_send(self) -> bool:
        if self._left:
            self._left -= 1
            return True
        now = monotonic()
        if now < self._next:
            return False
        self._next = now + _PAUSE
        return True
