"""App calls: requests of a synchronous worker that the WSGI app answers (PEP 3333)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final, cast, final

from contract.call.incoming import Refused
from contract.call.message import BrokenOff
from contract.call.mount_options import Limits
from contract.cli.direct_calls import send_parts
from contract.cli.socket_connections import SocketConnection

__all__ = ["AppCall"]

_LOG: Final = logging.getLogger("contract.serve")


@final
class AppCall:
    """
    A request for the app to answer.

    Args:
        app: The app.
        environ: The request; it gets its body.
        connection: Its connection, whose first request it is.
        limits: The limits of its body.

    Attributes:
        ahead: How many bytes of its body to wait for before the app is called.
        checked: That its caller is not authenticated before its body comes.
        waits: Whether to wait for its body at all.
    """

    __slots__ = (
        "_app",
        "_begun",
        "_connection",
        "_environ",
        "_foreign",
        "_head",
        "_written",
        "ahead",
        "limits",
        "waits",
    )

    asks_first: bool = False
    checked: bool = True

    def __init__(
        self,
        app: Callable[..., Iterable[bytes]],
        environ: dict[str, Any],
        connection: SocketConnection,
        ahead: int,
        limits: Limits,
        *,
        foreign: bool,
        waits: bool,
    ) -> None:
        self._app: Final = app
        self._begun = False
        self._connection: Final = connection
        self._environ: Final = environ
        self._foreign: Final = foreign
        self._head: tuple[int, list[tuple[bytes, bytes]]] | None = None
        self._written: Final[list[bytes]] = []
        self.ahead: Final = ahead
        self.limits: Final = limits
        self.waits: Final = waits

    def answer(self) -> None:
        """Call the app and send its answer; never raises."""
        # 1. Refuse it here if its body was. A service of ours does that itself, but another app may
        #    not expect that reading raises.
        connection, environ = self._connection, self._environ
        body = connection.exchanges[0].body
        if body.refused is not None and self._foreign:
            connection.refuse(body.refused)
            return
        # 2. Give it the body. What has not come yet is waited for by this thread, from now on.
        if not body.whole:
            body.wait(self.limits)
        environ["wsgi.input"] = body.stream(connection.receive)
        # 3. Ask the app.
        try:
            self._send(self._app(environ, self._start))
        except BrokenOff:
            connection.break_off()
        except Refused as refused:  # the rest of its body, and the app did not handle that
            self._end(refused)
        except BaseException as exception:  # noqa: BLE001
            # whatever an app raises, there is an answer: the thread belongs to the server
            _LOG.error(
                "the app raised: %s %s",
                environ["REQUEST_METHOD"],
                connection.exchanges[0].scope["raw_path"].decode("latin-1"),
                exc_info=exception,
            )
            self._end(Refused("INTERNAL_ERROR"))

    def _end(self, refused: Refused) -> None:
        """Answer with a refusal, unless the answer has begun."""
        connection = self._connection
        if connection.exchanges[0].begun:
            connection.break_off()
        else:
            connection.refuse(refused)

    def _start(
        self, status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], None]:
        """``start_response``."""
        # the head of an answer that has begun cannot be replaced, and PEP 3333 says to raise then
        if exc_info is not None and self._begun:
            raise exc_info[1].with_traceback(exc_info[2])
        pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        self._head = int(status[:3]), pairs
        return self._written.append

    def _send(self, body: Iterable[bytes]) -> None:
        """Send all of *body*, and close it."""
        try:
            # most apps return a list; its length is known, so no chunks are needed
            if isinstance(body, list) and not self._written:
                self._connection.answer(*self._started(), b"".join(body))
            else:
                send_parts(self._connection, self._parts(body))
        finally:
            close = getattr(cast("object", body), "close", None)
            if close is not None:
                close()

    def _started(self) -> tuple[int, list[tuple[bytes, bytes]]]:
        if self._head is None:
            raise RuntimeError("the app gave a body without calling start_response")
        return self._head

    def _begin(self) -> None:
        self._begun = True
        self._connection.begin(*self._started())

    def _parts(self, body: Iterable[bytes]) -> Iterator[bytes]:
        """
        The non-empty parts of the body, after anything that was written before them.

        The response starts with the first one.
        """
        # an empty part at the end brings what was written after the last one
        for part in chain(body, (b"",)):
            whole = b"".join((*self._written, part))
            self._written.clear()
            if whole:
                if not self._begun:
                    self._begin()
                yield whole
        if not self._begun:
            self._begin()
