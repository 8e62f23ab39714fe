"""The asynchronous transport over httpx2, for asyncio."""

from __future__ import annotations

import asyncio
import time
from typing import Final, final

from contract.client.httpx_shared import Deadline, Reading, failed, httpx2, no_cookies, request_of
from contract.client.transport import HttpRequest, HttpResponse

__all__ = ["AsyncHttpxTransport"]


@final
class AsyncHttpxTransport:
    """
    Sends requests by httpx2, over connections that are kept and shared by the tasks of one event loop.

    The same as `HttpxTransport`, but that nothing can hold it for longer than its timeout.

    Args:
        client: Sends the requests, and is not closed with the transport; its own headers and timeouts are not used.
    """

    def __init__(self, client: httpx2.AsyncClient | None = None) -> None:
        self._is_ours: Final = client is None
        self._client: Final = httpx2.AsyncClient(cookies=no_cookies()) if client is None else client

    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """
        Send *request*, and read the answer.

        Raises:
            TransportError: There is none.
        """
        deadline = Deadline(timeout, time.monotonic)
        try:
            async with asyncio.timeout(timeout):
                response = await self._client.send(request_of(request, deadline), stream=True, follow_redirects=False)
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
        if self._is_ours:
            await self._client.aclose()
