"""
The keys at a URL; a thread fetches and keeps them, so that no call waits for an issuer.

A call uses the keys that are there. If it meets an unknown key name, it asks the thread to fetch
the URL again, and goes on; the thread limits how often it does so. If that fails the old keys stay,
and the thread tries again, at growing intervals.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, final
from urllib.parse import urlsplit

from contract.adapters.exchanges import Exchanges, target_of
from contract.adapters.jwt_keys import Keys, keys_of_jwks
from contract.call.log import log_exception
from contract.call.process import leave_signals, restarts
from contract.shape.exceptions import SpecError
from contract.shape.quoting import described, shown
from contract.shape.urls import has_credentials, host_in, is_local, is_to_fetch

__all__ = ["Jwks", "check_url", "fetch"]

_SECONDS: Final = 10.0
"""Seconds for one fetch, however slowly it comes."""
_BYTES: Final = 256 * 1024
"""The most bytes of a set of keys; one key has about 500."""


def check_url(where: str, url: object) -> str:
    """
    The URL of a set of keys.

    Raises:
        SpecError: It is not valid, or others on the network could replace its answer.
    """
    if not isinstance(url, str) or not is_to_fetch(url) or has_credentials(url):
        # a message must not show them
        what = "a URL with credentials" if has_credentials(str(url)) else described(url)
        raise SpecError(
            where,
            f"{what} is not a URL to fetch keys from; "
            "write it like 'https://login.example/.well-known/jwks.json'",
        )
    scheme, host = host_in(url)
    if scheme != "https" and not is_local(f"{scheme}://{host}"):
        raise SpecError(
            where, f"{shown(url)} is not safe from whoever stands between; keys need https"
        )
    return url


@final
class Jwks:
    """
    The keys at *url*.

    Args:
        url: A URL that `check_url` accepts.
        algorithms: The algorithms that are accepted.
        get: Fetches the URL, in the thread.
        every: Seconds from one fetch to the next.
        pause: Seconds after a fetch before any other.
        retry: Seconds from a failed fetch to the next; they double, up to a minute.

    Attributes:
        keys: The newest keys; None until a fetch succeeds.
    """

    def __init__(
        self,
        url: str,
        algorithms: frozenset[str],
        get: Callable[[str], bytes],
        every: float,
        *,
        pause: float = 10.0,
        retry: float = 1.0,
    ) -> None:
        self.keys: Keys | None = None
        self._url: Final = url
        self._algorithms: Final = algorithms
        self._get: Final = get
        self._every: Final = every
        self._pause: Final = pause
        self._retry: Final = retry
        self._users = 0
        self.restart()
        restarts(self)

    def restart(self) -> None:
        """Start again: after a fork the thread is gone."""
        self._lock = threading.Lock()
        self._keeper: _Keeper | None = None

    def current(self) -> Keys | None:
        """The keys, without waiting; this starts the thread if necessary."""
        if self._keeper is None:
            self._started()
        return self.keys

    def look(self) -> None:
        """Ask the thread to fetch the URL; do not wait for it."""
        keeper = self._keeper
        if keeper is not None:
            keeper.asked.set()

    def enter(self) -> None:
        """Start, and wait for the end of the first fetch, successful or not."""
        self._users += 1
        keeper = self._started()
        if keeper is not None:
            keeper.tried.wait(_SECONDS)

    def leave(self) -> None:
        """End the thread, unless another user still needs it; the keys stay."""
        self._users -= 1
        if not self._users:
            with self._lock:
                keeper, self._keeper = self._keeper, None
            if keeper is not None:  # it is not waited for
                keeper.ended.set()
                keeper.asked.set()

    def _started(self) -> _Keeper | None:
        with self._lock:
            if self._keeper is None:
                keeper = _Keeper()
                thread = threading.Thread(
                    target=self._keep, args=(keeper,), name="contract-jwks", daemon=True
                )
                try:
                    thread.start()
                except RuntimeError:  # no thread can be started now
                    return None
                self._keeper = keeper
            return self._keeper

    def fetch(self) -> None:
        """Fetch the keys; raises whatever goes wrong."""
        self.keys = keys_of_jwks(self._get(self._url), self._algorithms)

    def _keep(self, keeper: _Keeper) -> None:
        """Fetch again and again, until the *keeper* ends; runs in a thread."""
        leave_signals()
        failed = 0
        while True:
            # before the fetch: whoever asks while it runs may need a newer set
            keeper.asked.clear()
            try:
                self.fetch()
            except Exception as error:  # noqa: BLE001  the thread has to go on
                # told once until a fetch succeeds, and not at all when the process is about to end
                if not failed and not keeper.ended.is_set():
                    self._tell(error)
                pause = due = min(self._retry * 2**failed, 60.0)
                failed = min(failed + 1, 10)  # the pause has long been the longest by then
            else:
                failed, pause, due = 0, self._pause, self._every
            keeper.tried.set()
            # however often it is asked: tokens with made-up names must not flood the issuer
            if keeper.ended.wait(pause):
                return
            keeper.asked.wait(max(due - pause, 0))
            if keeper.ended.is_set():
                return

    def _tell(self, problem: Exception) -> None:
        kept = "no key is there yet" if self.keys is None else "the keys that are there are kept"
        log_exception(f"cannot fetch the keys at {self._url}: {kept}", problem)


@final
class _Keeper:
    """The signals to the thread of a `Jwks`, and from it."""

    def __init__(self) -> None:
        self.asked: Final = threading.Event()
        """Set to ask for a fetch."""
        self.tried: Final = threading.Event()
        """Set after the first fetch."""
        self.ended: Final = threading.Event()


def fetch(url: str, seconds: float = _SECONDS) -> bytes:
    """
    The body at *url*, with status 200, limited in time and size; redirects are not followed.

    Raises:
        OSError: It cannot be fetched in time.
        HTTPException: The server does not speak HTTP.
        ValueError: It has another status, or is too large.
    """
    parts = urlsplit(url)
    with Exchanges(seconds) as http:
        headers = {"accept": "application/json"}
        response = http.ask("GET", parts, target_of(parts), None, headers)
        if response.status != 200:
            raise ValueError(f"the server answers {response.status}")
        return http.body(response, _BYTES)
