"""Lifespan: an ASGI app is told when its worker starts and stops (Lifespan specification, 2.0)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, final

from contract.call.log import log_exception

__all__ = ["Lifespan"]

_LOG: Final = logging.getLogger("contract.serve")


@final
class Lifespan:
    """
    The life of an app on the running event loop.

    Attributes:
        state: What the app has put there for its requests.
    """

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self._app: Final = app
        self._events: Final[asyncio.Queue[dict[str, Any]]] = asyncio.Queue()
        self._answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._has_told = False
        self._task: asyncio.Task[None] | None = None
        self.state: Final[dict[str, Any]] = {}

    async def start(self) -> bool:
        """Have the app start; whether it has. An app that knows nothing of this has."""
        # one task for both ends: what the app opens at its start may belong to its task
        self._task = asyncio.create_task(self._live())
        return await self._ask("startup")

    async def stop(self) -> None:
        """Have the app stop."""
        if self._task is not None and not self._task.done():
            self._answer = asyncio.get_running_loop().create_future()
            await self._ask("shutdown")

    async def _ask(self, what: str) -> bool:
        self._events.put_nowait({"type": f"lifespan.{what}"})
        return await self._answer

    async def _live(self) -> None:
        scope = {
            "type": "lifespan",
            "asgi": {"version": "3.0", "spec_version": "2.0"},
            "state": self.state,
        }
        try:
            await self._app(scope, self._events.get, self._send)
        except asyncio.CancelledError:  # the loop ends
            raise
        except BaseException as exception:  # noqa: BLE001  the worker goes on, or ends, all the same
            if self._has_told:
                log_exception("the app's lifespan raised", exception)
            else:
                _LOG.info(
                    "the app is not told of start and stop, for which it raised %r", exception
                )
        finally:
            # whoever waits must not wait for ever for an app that has returned or raised
            if not self._answer.done():
                self._answer.set_result(True)

    async def _send(self, event: dict[str, Any]) -> None:
        self._has_told = True
        kind: str = event["type"]
        has_failed = kind.endswith(".failed")
        if has_failed:
            verb = "stop"
            if "startup" in kind:
                verb = "start"
            _LOG.error("the app did not %s: %s", verb, event.get("message", ""))
        if not self._answer.done():
            self._answer.set_result(not has_failed)
