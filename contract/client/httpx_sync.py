"""The synchronous transport over httpx2."""

from __future__ import annotations

import time
from typing import Final, final

from contract.client.httpx_deadlines import Deadline, keep_deadlines, keeping
from contract.client.httpx_shared import Reading, failed, httpx2, no_cookies, request_of
from contract.client.transport import HttpRequest, HttpResponse

__all__ = ["HttpxTransport"]


@final
class HttpxTransport:
    """
    Sends requests by httpx2, over connections that are kept and shared by threads.

    Redirects are not followed, cookies are not kept, and packed answers are not asked for; those of
    proxies that pack by gzip all the same are unpacked, up to the limit. Like httpx2 itself it goes
    through the proxies that the environment names (``HTTPS_PROXY``, ``NO_PROXY`` ...), and trusts
    the certificates that it names (``SSL_CERT_FILE``); give a client of your own where that is not
    wanted::

        HttpxTransport(httpx2.Client(trust_env=False, verify=context))

    Nothing holds a thread for longer than the timeout, but that it takes to look up a name, and
    that each address of a name may take all of it to connect to. With a client of your own the
    timeout bounds each step of a request (connecting, writing, each read) by what is left of it
    when the step begins, so that a server which sends its headers in drops takes longer.

    Args:
        client: Sends the requests, and is not closed with the transport; its own headers and
            timeouts are not used.
    """

    def __init__(self, client: httpx2.Client | None = None) -> None:
        self._is_ours: Final = client is None
        self._client: Final = (
            keep_deadlines(httpx2.Client(cookies=no_cookies())) if client is None else client
        )

    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        """
        Send *request*, and read the answer.

        Raises:
            TransportError: There is none.
        """
        deadline = Deadline(timeout, time.monotonic)
        try:
            with keeping(deadline):
                response = self._client.send(
                    request_of(request, deadline), stream=True, follow_redirects=False
                )
                try:
                    reading = Reading(response, max_bytes)
                    if not reading.is_full:
                        for part in response.iter_raw():
                            if not reading.add(part):
                                break
                            if deadline.left < 0:
                                raise TimeoutError("the answer took too long")
                finally:
                    response.close()
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise failed(error) from error
        return reading.done()

    def close(self) -> None:
        """End all connections."""
        if self._is_ours:
            self._client.close()
