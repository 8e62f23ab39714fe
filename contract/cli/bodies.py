"""
Bodies: what a WSGI worker does about clients that do not send theirs.

granian sets no time for a body, and the thread that reads one waits for as long as its client likes; nothing can end that from outside.
So a worker has many threads, and once every one of them has waited too long, it ends and is replaced:
no call is in flight then, and none would ever be answered.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from typing import Any, Final, final

__all__ = ["Bodies", "watch"]

_TICK: Final = 0.5

_LOG: Final = logging.getLogger("contract.serve")


@final
class Bodies:
    """The bodies that are being read in this process."""

    def __init__(self) -> None:
        self._since: Final[dict[int, float]] = {}

    def told(self, stream: Any) -> Any:
        """*stream*, which tells from now on when a thread begins to read from it, and when it is done."""
        return _Told(stream, self._since)

    def overdue(self, seconds: float) -> int:
        """How many threads have been reading for longer than *seconds*."""
        latest = time.monotonic() - seconds
        return sum(since < latest for since in list(self._since.values()))


def watch(bodies: Bodies, threads: int, seconds: float) -> None:
    """End this process once all *threads* have been reading for longer than *seconds*."""
    while bodies.overdue(seconds) < threads:
        time.sleep(_TICK)
    _LOG.error(
        "every thread has waited more than %g s for a body: this worker is replaced; a proxy that buffers bodies prevents that", seconds
    )
    os._exit(1)


@final
class _Told:
    __slots__ = ("_since", "_stream")

    def __init__(self, stream: Any, since: dict[int, float]) -> None:
        self._stream = stream
        self._since = since

    def read(self, *size: int) -> bytes:
        thread = threading.get_ident()
        self._since[thread] = time.monotonic()
        try:
            body: bytes = self._stream.read(*size)
            return body
        finally:
            del self._since[thread]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._stream)
