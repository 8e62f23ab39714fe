"""
Deadlines: how a synchronous client over httpx2 keeps the time that its caller gives it.

httpx2 knows a timeout for each step, and asks for it once, before the step: a server that sends its
headers in drops, each of them in time, takes as long as it likes. So what it is given is a number
that knows when all has to be over, and the connections of our own clients, which are handed that
number, look at the clock each time that they read or write.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable
from typing import Any, Final, cast, final

from contract.client.httpx_shared import httpcore2, httpx2

__all__ = ["Deadline", "keep_deadlines"]

_PART: Final = 65_536
"""Bytes that are written at once: how much of a large body goes in one step."""


@final
class Deadline(dict[str, Any]):
    """
    The timeouts of a request as httpx2 asks for them, one for each step: what is left until the end of them all.

    Attributes:
        ends: When that is.
    """

    def __init__(self, seconds: float, now: Callable[[], float]) -> None:
        super().__init__()
        self._now = now
        self.ends: Final = now() + seconds

    def get(self, key: str, default: Any = None) -> float:  # noqa: ARG002
        """Seconds that are left, but never none, which would mean: do not wait at all."""
        return _Left(self)

    @property
    def left(self) -> float:
        """Seconds; less than none where it is over."""
        return self.ends - self._now()


@final
class _Left(float):
    """What was left of a deadline when it was asked, and the deadline."""

    deadline: Deadline

    def __new__(cls, deadline: Deadline) -> _Left:
        made = super().__new__(cls, max(deadline.left, 0.001))
        made.deadline = deadline
        return made


def keep_deadlines(client: httpx2.Client) -> httpx2.Client:
    """
    *client*, whose connections look at the clock from now on.

    httpx2 has no public way to say what its connections are made of, while its httpcore2 has one; a
    release that keeps this elsewhere is left as it is, with timeouts for each step.
    """
    held: Any = client
    for transport in (getattr(held, "_transport", None), *getattr(held, "_mounts", {}).values()):
        pool = getattr(transport, "_pool", None)
        if type(getattr(pool, "_network_backend", None)) is httpcore2.SyncBackend:
            cast("Any", pool)._network_backend = _Backend()
    return client


def _left(timeout: float | None, problem: Callable[[str], Exception]) -> float | None:
    """
    What is left now.

    Raises:
        Exception: The *problem*: nothing.
    """
    if not isinstance(timeout, _Left):
        return timeout
    left = timeout.deadline.left
    if left <= 0:
        raise problem("the answer took too long")
    return left


@final
class _Backend(httpcore2.SyncBackend):
    """Makes connections."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(super().connect_tcp(host, port, timeout, local_address, socket_options))


@final
class _Stream(httpcore2.NetworkStream):
    """A connection."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream: Final = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for begin in range(0, len(buffer), _PART):
            self._stream.write(
                buffer[begin : begin + _PART], _left(timeout, httpcore2.WriteTimeout)
            )

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(
            self._stream.start_tls(
                ssl_context, server_hostname, _left(timeout, httpcore2.ConnectTimeout)
            )
        )

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
