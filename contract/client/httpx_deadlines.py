"""
Deadlines: how a synchronous client keeps the time that its caller gives it.

httpx2 knows a timeout for each step, and asks for it once, before the step: a server that sends
its headers in drops, each of them in time, takes as long as it likes. So the connections of our
own clients look at the clock each time that they read or write. A connection learns from its
thread which call it works for: httpx2 sends a request, and reads its answer, in the thread that
asks for it.

httpcore2, which makes the connections, takes a class for them (``network_backend=``); httpx2,
which makes httpcore2's pools, has no argument for that. To make those pools here would mean to do
again what httpx2 does with proxies, certificates and exceptions, so the class is put in where
httpx2 keeps it: the four private attributes in `keep_deadlines`.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, cast, final

import httpcore2
import httpx2

__all__ = ["Deadline", "keep_deadlines", "keeping"]

_PART: Final = 65_536
"""Bytes of a body that are written in one step."""


@final
class Deadline(dict[str, Any]):
    """
    The timeouts of a request, one for each step, as httpx2 asks for them.

    Each is the time that is left until the end of them all.

    Attributes:
        ends: When that is.
    """

    def __init__(self, seconds: float, now: Callable[[], float]) -> None:
        super().__init__()
        self._now = now
        self.ends: float = now() + seconds

    def get(self, key: str, default: Any = None) -> float:  # noqa: ARG002
        """Seconds that are left, but never 0, which would mean not to wait at all."""
        return max(self.left, 0.001)

    def begin_again(self, seconds: float) -> None:
        """Give as many *seconds* from now on."""
        self.ends = self._now() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left; below 0 where the time is over."""
        return self.ends - self._now()


_KEPT: Final[ContextVar[Deadline | None]] = ContextVar("contract_client_deadline", default=None)


@contextmanager
def keeping(deadline: Deadline) -> Generator[None]:
    """Have connections that this thread uses look at *deadline*."""
    before = _KEPT.set(deadline)
    try:
        yield
    finally:
        _KEPT.reset(before)


def keep_deadlines(client: httpx2.Client) -> httpx2.Client:
    """
    *client*, whose connections look at the clock from now on.

    A release that keeps them elsewhere is left as it is, with timeouts for each step;
    `tests.test_private_parts` names it.
    """
    held: Any = client
    for transport in (getattr(held, "_transport", None), *getattr(held, "_mounts", {}).values()):
        pool = getattr(transport, "_pool", None)
        if type(getattr(pool, "_network_backend", None)) is httpcore2.SyncBackend:
            cast("Any", pool)._network_backend = _Backend()
    return client


def _left(timeout: float | None, problem: Callable[[str], Exception]) -> float | None:
    """
    The time that is left now.

    Raises:
        Exception: The *problem*: nothing.
    """
    deadline = _KEPT.get()
    if deadline is None:
        return timeout
    if deadline.left <= 0:
        raise problem("the answer took too long")
    return deadline.left


@final
class _Backend(httpcore2.SyncBackend):
    """The network, with connections that keep deadlines."""

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
    """A connection that keeps deadlines."""

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
