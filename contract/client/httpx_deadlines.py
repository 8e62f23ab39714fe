"""
Deadlines: how a synchronous client keeps the timeout of a call.

httpx2 has a timeout for each step, and reads it once, before the step. A server that sends its
headers byte by byte, each in time, can take as long as it likes. So the connections of our own
clients check the clock at each read and write. A connection finds its call by its thread: httpx2
sends a request, and reads its answer, in the thread of the caller.

httpcore2, which makes the connections, takes a class for them (``network_backend=``). httpx2, which
makes httpcore2's pools, has no argument for that. Making those pools here would repeat what httpx2
does with proxies, certificates and exceptions. So the class is set where httpx2 keeps it: in the
four private attributes in `keep_deadlines`.
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
"""How many bytes of a body are written in one step."""


@final
class Deadline(dict[str, Any]):
    """
    The timeouts of a request, one for each step, as httpx2 reads them.

    Each is the time left until one common deadline.

    Attributes:
        ends: The moment of the deadline.
    """

    def __init__(self, seconds: float, now: Callable[[], float]) -> None:
        super().__init__()
        self._now = now
        self.ends: float = now() + seconds

    def get(self, key: str, default: Any = None) -> float:  # noqa: ARG002
        """The seconds left, but never 0, which would mean not to wait at all."""
        return max(self.left, 0.001)

    def begin_again(self, seconds: float) -> None:
        """Set the deadline to so many *seconds* from now."""
        self.ends = self._now() + seconds

    @property
    def left(self) -> float:
        """The seconds left; below 0 after the deadline."""
        return self.ends - self._now()


_KEPT: Final[ContextVar[Deadline | None]] = ContextVar("contract_client_deadline", default=None)


@contextmanager
def keeping(deadline: Deadline) -> Generator[None]:
    """Have the connections that this thread uses keep *deadline*."""
    before = _KEPT.set(deadline)
    try:
        yield
    finally:
        _KEPT.reset(before)


def keep_deadlines(client: httpx2.Client) -> httpx2.Client:
    """
    Make the connections of *client* keep deadlines; return the client.

    If a release of httpx2 has other private attributes, its client is left unchanged, with a
    timeout for each step; `tests.test_private_parts` reports it.
    """
    held: Any = client
    # the transport for direct connections, and those for proxies
    for transport in (getattr(held, "_transport", None), *getattr(held, "_mounts", {}).values()):
        pool = getattr(transport, "_pool", None)
        if type(getattr(pool, "_network_backend", None)) is httpcore2.SyncBackend:
            cast("Any", pool)._network_backend = _Backend()
    return client


def _left(timeout: float | None, problem: Callable[[str], Exception]) -> float | None:
    """
    The time that is left now.

    Raises:
        Exception: The *problem*, if no time is left.
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
