"""
The asynchronous transport over httpx2, for asyncio and Trio.

httpx2 stands on anyio, which runs on both; so does what is asked of an event loop here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Final, final

from anyio import fail_after
from anyio.lowlevel import current_token

from contract.client.httpx_deadlines import Deadline
from contract.client.httpx_shared import Reading, failed, httpx2, no_cookies, request_of
from contract.client.transport import HttpRequest, HttpResponse

__all__ = ["AsyncHttpxTransport"]


@final
class AsyncHttpxTransport:
    """
    Sends requests by httpx2, over connections that are kept and shared by the tasks of an event loop; another loop has its own.

    The same as `HttpxTransport`, but that nothing at all can hold it for longer than its timeout. A client of your own belongs to one loop.

    Args:
        client: Sends the requests, and is not closed with the transport; its own headers and timeouts are not used.
    """

    def __init__(self, client: httpx2.AsyncClient | None = None) -> None:
        self._given: Final = client
        self._made: dict[object, _Made] = {}
        """Event loop -> its client."""
        self._is_closed = False

    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """
        Send *request*, and read the answer.

        Raises:
            TransportError: There is none.
        """
        deadline = Deadline(timeout, time.monotonic)
        client = self._given or await self._own()
        try:
            with fail_after(timeout):
                response = await client.send(
                    request_of(request, deadline), stream=True, follow_redirects=False
                )
                try:
                    reading = Reading(response, max_bytes)
                    if not reading.is_full:
                        async for part in response.aiter_raw():
                            if not reading.add(part):
                                break
                finally:
                    await response.aclose()
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise failed(error) from error
        return reading.done()

    async def aclose(self) -> None:
        """End all connections."""
        self._is_closed = True
        made, self._made = self._made, {}
        here = made.get(_running_loop())
        if here is not None:
            await here[1].aclose()

    async def _own(self) -> httpx2.AsyncClient:
        """The client of the loop that runs: connections know the loop that they were made in, and live as long as that."""
        if self._is_closed:
            raise RuntimeError("the transport is closed")
        loop = _running_loop()
        if loop not in self._made or self._made[loop][0].is_closed:
            self._made = {
                each: made
                for each, made in self._made.items()
                if not (made[0].is_closed or _is_closed(each))
            }
            client = httpx2.AsyncClient(cookies=no_cookies())
            self._made[loop] = client, _closing(client)
            await self._made[loop][1].asend(None)
        return self._made[loop][0]


_Made = tuple[httpx2.AsyncClient, AsyncGenerator[None, None]]
"""A client, and what closes it."""


async def _closing(client: httpx2.AsyncClient) -> AsyncGenerator[None, None]:
    """
    Wait until it is over, and close *client*.

    A loop ends the generators that were begun in it when it ends itself (``asyncio.run`` and
    ``trio.run`` see to that), or when they are forgotten: there is nothing else that it would tell
    us by.
    """
    try:
        yield
    finally:
        await client.aclose()


def _running_loop() -> object:
    """The event loop that runs, or what stands for it with Trio."""
    token = current_token()
    return getattr(token, "native_token", token)  # before version 4.11 anyio gave the loop itself


def _is_closed(loop: object) -> bool:
    """Whether a loop was closed by somebody who did not end its generators."""
    return isinstance(loop, asyncio.AbstractEventLoop) and loop.is_closed()
