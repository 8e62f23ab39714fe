"""The synchronous client: the base of generated ones, which may be shared by threads."""

from __future__ import annotations

from collections.abc import Generator
from copy import copy
from importlib import import_module
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar

from contract.client.clock import Clock, SystemClock
from contract.client.flow import Send, Sleep, Step, flow_of
from contract.client.options import (
    DEFAULT_MAX_BYTES,
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT,
    Headers,
    Held,
    Hooks,
    Retries,
    Timeout,
    changed_options,
    options_of,
    user_agent,
)
from contract.client.results import CallError, DeclaredFailure, Ok
from contract.client.schemas import Operation
from contract.client.transport import Transport

__all__ = ["ApiClientBase"]

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  input
F = TypeVar("F", bound=DeclaredFailure)
R = TypeVar("R")


class ApiClientBase:
    """
    A client of one mounted spec.

    Nothing is raised for what can go wrong with a call, but for mistakes in what the client was
    given: a header function that raises, a header that could not be sent, a transport with a bug, a
    client that was closed.

    Args:
        base_url: Where the spec is mounted: ``https://shop.example/v1``.
        headers: Sent with every request: by name, with a value or a function that gives one; or a
            function that gives all.
        timeout: Seconds that a call may take, with all its tries; a `Timeout` tells them apart.
        retries: How often a call that may be repeated is tried again.
        transport: What sends the requests; httpx2 by default. One that is given stays open when the
            client is closed.
        hooks: Who is told what the client does.
        max_response_bytes: How large an answer may be.
        clock: Time and chance, for tests.

    Raises:
        ValueError: An option makes no sense.
        ImportError: There is no transport, and httpx2 is not installed.
    """

    __slots__ = ("_clock", "_held", "_is_copy", "_options")

    _title: ClassVar[str] = ""
    """The title of the contract, for the User-Agent."""
    _version: ClassVar[str] = ""
    """The version of the contract, for the User-Agent."""

    def __init__(
        self,
        base_url: str,
        *,
        headers: Headers | None = None,
        timeout: float | Timeout = DEFAULT_TIMEOUT,
        retries: int | Retries = DEFAULT_RETRIES,
        transport: Transport | None = None,
        hooks: Hooks | None = None,
        max_response_bytes: int = DEFAULT_MAX_BYTES,
        clock: Clock | None = None,
    ) -> None:
        self._options = options_of(base_url, headers, timeout, retries, hooks, max_response_bytes)
        self._held: Held[Transport] = (
            Held(import_module("contract.client.httpx").HttpxTransport(), is_ours=True)
            if transport is None
            else Held(transport, is_ours=False)
        )
        self._clock: Clock = SystemClock() if clock is None else clock
        self._is_copy = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._options.base_url!r})"

    def with_options(
        self,
        *,
        headers: Headers | None = None,
        timeout: float | Timeout | None = None,
        retries: int | Retries | None = None,
        hooks: Hooks | None = None,
        max_response_bytes: int | None = None,
    ) -> Self:
        """
        A copy with other options: ``api.with_options(timeout=2).order(...)``.

        It shares the connections, and lives as long as the client that it is a copy of; closing it
        does nothing.

        Args:
            headers: Besides those that the client has already; of equal names these win.
            timeout: Instead of that of the client.
            retries: Instead of those of the client.
            hooks: Instead of those of the client.
            max_response_bytes: Instead of that of the client.
        """
        options = changed_options(
            self._options, headers, timeout, retries, hooks, max_response_bytes
        )
        made = copy(self)
        made._options = options
        made._is_copy = True
        return made

    def close(self) -> None:
        """End all connections; neither the client nor a copy of it can be used any more."""
        if self._is_copy or self._held.is_closed:
            return
        self._held.is_closed = True
        if self._held.is_ours:
            self._held.transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _call(self, operation: Operation[I, T, F], input: I) -> Ok[T] | F | CallError:
        """The result of one call; what generated methods return."""
        transport = self._held.get()
        agent = user_agent(self._title, self._version)
        return _driven(
            flow_of(operation, input, self._options, self._clock, agent), transport, self._clock
        )


def _driven(flow: Generator[Step, Any, R], transport: Transport, clock: Clock) -> R:
    answer: Any = None
    while True:
        try:
            step = flow.send(answer)
        except StopIteration as end:
            result: R = end.value
            return result
        answer = None
        match step:
            case Send(request, timeout, max_bytes):
                try:
                    answer = transport.send(request, timeout=timeout, max_bytes=max_bytes)
                except Exception as error:  # noqa: BLE001
                    # the flow tells failures of the network from bugs
                    answer = error
            case Sleep(seconds):
                clock.sleep(seconds)
            case ask:
                answer = ask()
