"""
The clients: bases of generated ones, for threads (`ApiClientBase`) and for an event loop.

Both give the flow of a call (`contract.client.flow`) what it asks for. One waits for it in its
thread, the other awaits it; they share no more than what needs neither.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping
from copy import copy
from importlib import import_module
from inspect import isawaitable
from types import MappingProxyType, TracebackType
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    Protocol,
    Self,
    TypedDict,
    TypeVar,
    final,
    overload,
)

from contract.client.clock import AsyncClock, AsyncSystemClock, Clock, SystemClock
from contract.client.files import AsyncFile, DownloadOperation, File
from contract.client.flow import Send, Sleep, Step, flow_of
from contract.client.forms import Attached, Progress
from contract.client.options import (
    DEFAULT_MAX_BYTES,
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT,
    AsyncHeaders,
    AsyncHeaderValue,
    Headers,
    Hooks,
    Options,
    Retries,
    Timeout,
    changed_options,
    credential_headers,
    options_of,
    user_agent,
)
from contract.client.results import CallError, DeclaredFailure, Ok
from contract.client.schemas import Operation
from contract.client.streams import (
    AsyncItems,
    AsyncOpening,
    Items,
    Opening,
    StreamOperation,
    is_streaming,
)
from contract.client.transport import AsyncTransport, HttpResponse, Transport
from contract.shape.sentences import Sentences

__all__ = [
    "ApiClientBase",
    "ApiGroupBase",
    "AsyncApiClientBase",
    "AsyncApiGroupBase",
    "AsyncClientOptions",
    "ClientOptions",
    "Held",
]

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  input
F = TypeVar("F", bound=DeclaredFailure)
E = TypeVar("E", bound=DeclaredFailure)
R = TypeVar("R")
S = TypeVar("S")

Files = Mapping[str, Attached]
"""The files of a call, by the names of their parts."""

_Sends = Callable[..., HttpResponse]
"""The method ``send`` of a transport."""
_SendsLater = Callable[..., Coroutine[Any, Any, HttpResponse]]
"""That of a transport for event loops."""

_NO_HEADERS: Final[Mapping[str, AsyncHeaderValue | None]] = MappingProxyType({})


@final
class Held(Generic[S]):
    """
    A transport, as a client and its copies share it.

    Attributes:
        transport: What sends.
        is_ours: The client made it, and closes it.
        is_closed: The client was closed.
    """

    __slots__ = ("is_closed", "is_ours", "transport")

    def __init__(self, transport: S, *, is_ours: bool) -> None:
        self.transport: S = transport
        self.is_ours: bool = is_ours
        self.is_closed: bool = False

    def get(self) -> S:
        """
        The transport.

        Raises:
            RuntimeError: The client was closed.
        """
        if self.is_closed:
            raise RuntimeError("this client is closed")
        return self.transport


class _Client:
    """The parts of a client that do not depend on who waits."""

    __slots__ = ("_is_copy", "_options")

    _title: ClassVar[str] = ""
    """The title of the contract, for the User-Agent."""
    _version: ClassVar[str] = ""
    """The version of the contract, for the User-Agent."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._is_copy = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._options.base_url!r})"

    def _send_with(
        self,
        *,
        bearer: AsyncHeaderValue | None = None,
        headers: Mapping[str, AsyncHeaderValue | None] = _NO_HEADERS,
        cookies: Mapping[str, AsyncHeaderValue | None] = _NO_HEADERS,
    ) -> None:
        """Send a credential with every request, if there is one; for generated clients."""
        found = credential_headers(bearer, headers, cookies)
        if found:
            self._options = changed_options(self._options, found, None, None, None, None)

    def _copy_with(self, options: Options) -> Self:
        made = copy(self)
        made._options = options
        made._is_copy = True
        return made


class ClientOptions(TypedDict, total=False):
    """The options of every client, as `ApiClientBase` has them."""

    headers: Headers | None
    timeout: float | Timeout
    retries: int | Retries
    transport: Transport | None
    hooks: Hooks | None
    max_response_bytes: int
    clock: Clock | None


class AsyncClientOptions(TypedDict, total=False):
    """The options of every async client, as `AsyncApiClientBase` has them."""

    headers: AsyncHeaders | None
    timeout: float | Timeout
    retries: int | Retries
    transport: AsyncTransport | None
    hooks: Hooks | None
    max_response_bytes: int
    clock: AsyncClock | None


class ApiClientBase(_Client):
    """
    A client of one mounted spec, which threads may share.

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
        sentences: The words for issues, such as `contract.GERMAN`; English by default.
        clock: Time and chance, for tests.

    Raises:
        ValueError: An option makes no sense.
        ImportError: There is no transport, and httpx2 is not installed.
    """

    __slots__ = ("_clock", "_held")

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
        sentences: Sentences | None = None,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(
            options_of(base_url, headers, timeout, retries, hooks, max_response_bytes, sentences)
        )
        self._held: Held[Transport] = (
            Held(import_module("contract.client.httpx").HttpxTransport(), is_ours=True)
            if transport is None
            else Held(transport, is_ours=False)
        )
        self._clock: Clock = SystemClock() if clock is None else clock

    def with_options(
        self,
        *,
        headers: Headers | None = None,
        timeout: float | Timeout | None = None,
        retries: int | Retries | None = None,
        hooks: Hooks | None = None,
        max_response_bytes: int | None = None,
        sentences: Sentences | None = None,
        last_event_id: str | None = None,
        progress: Progress | None = None,
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
            sentences: Instead of those of the client.
            last_event_id: The id of an item, behind which a stream is to go on.
            progress: Called with the bytes of a call's files that have been sent, and with all of
                them, or None where nobody knows.
        """
        options = changed_options(
            self._options,
            headers,
            timeout,
            retries,
            hooks,
            max_response_bytes,
            sentences,
            last_event_id,
            progress,
        )
        return self._copy_with(options)

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

    @overload
    def _call(
        self, operation: Operation[I, T, F], input: I, files: Files | None = None
    ) -> Ok[T] | F | CallError: ...
    @overload
    def _call(
        self, operation: StreamOperation[I, T, F, E], input: I, files: Files | None = None
    ) -> Ok[Items[T, E]] | F | CallError: ...
    @overload
    def _call(
        self, operation: DownloadOperation[I, F], input: I, files: Files | None = None
    ) -> Ok[File] | F | CallError: ...
    def _call(self, operation: Any, input: Any, files: Files | None = None) -> Any:
        """The result of one call; what generated methods return."""
        transport = self._held.get()
        if not is_streaming(operation):
            return _driven(self._flow(operation, input, files), transport.send, self._clock)
        opening = Opening(transport)
        result = _driven(self._flow(operation.call, input, files), opening.send, self._clock)
        return opening.outcome(operation, result, self._options)

    def _flow(
        self, operation: Operation[I, T, F], input: I, files: Files | None
    ) -> Generator[Step, Any, Ok[T] | F | CallError]:
        agent = user_agent(self._title, self._version)
        return flow_of(operation, input, self._options, self._clock, agent, files)


def _driven(flow: Generator[Step, Any, R], send: _Sends, clock: Clock) -> R:
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
                    answer = send(request, timeout=timeout, max_bytes=max_bytes)
                except Exception as error:  # noqa: BLE001
                    # the flow tells failures of the network from bugs
                    answer = error
            case Sleep(seconds):
                clock.sleep(seconds)
            case ask:
                answer = ask()


class _Call(Protocol):
    @overload
    def __call__(
        self, operation: Operation[I, T, F], input: I, files: Files | None = None, /
    ) -> Ok[T] | F | CallError: ...
    @overload
    def __call__(
        self, operation: StreamOperation[I, T, F, E], input: I, files: Files | None = None, /
    ) -> Ok[Items[T, E]] | F | CallError: ...
    @overload
    def __call__(
        self, operation: DownloadOperation[I, F], input: I, files: Files | None = None, /
    ) -> Ok[File] | F | CallError: ...


class ApiGroupBase:
    """
    The routes of one group, as a client has them.

    Args:
        call: What calls a route of the client.
    """

    __slots__ = ("_call",)

    def __init__(self, call: _Call) -> None:
        self._call: _Call = call


class AsyncApiClientBase(_Client):
    """
    A client of one mounted spec, which tasks of one event loop may share.

    It takes what `ApiClientBase` takes, and raises what that raises. Functions that give headers
    may be async.
    """

    __slots__ = ("_clock", "_held")

    def __init__(
        self,
        base_url: str,
        *,
        headers: AsyncHeaders | None = None,
        timeout: float | Timeout = DEFAULT_TIMEOUT,
        retries: int | Retries = DEFAULT_RETRIES,
        transport: AsyncTransport | None = None,
        hooks: Hooks | None = None,
        max_response_bytes: int = DEFAULT_MAX_BYTES,
        sentences: Sentences | None = None,
        clock: AsyncClock | None = None,
    ) -> None:
        super().__init__(
            options_of(base_url, headers, timeout, retries, hooks, max_response_bytes, sentences)
        )
        self._held: Held[AsyncTransport] = (
            Held(import_module("contract.client.httpx").AsyncHttpxTransport(), is_ours=True)
            if transport is None
            else Held(transport, is_ours=False)
        )
        self._clock: AsyncClock = AsyncSystemClock() if clock is None else clock

    def with_options(
        self,
        *,
        headers: AsyncHeaders | None = None,
        timeout: float | Timeout | None = None,
        retries: int | Retries | None = None,
        hooks: Hooks | None = None,
        max_response_bytes: int | None = None,
        sentences: Sentences | None = None,
        last_event_id: str | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """A copy with other options, as `ApiClientBase.with_options` gives it."""
        options = changed_options(
            self._options,
            headers,
            timeout,
            retries,
            hooks,
            max_response_bytes,
            sentences,
            last_event_id,
            progress,
        )
        return self._copy_with(options)

    async def aclose(self) -> None:
        """End all connections; neither the client nor a copy of it can be used any more."""
        if self._is_copy or self._held.is_closed:
            return
        self._held.is_closed = True
        if self._held.is_ours:
            await self._held.transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    @overload
    async def _call(
        self, operation: Operation[I, T, F], input: I, files: Files | None = None
    ) -> Ok[T] | F | CallError: ...
    @overload
    async def _call(
        self, operation: StreamOperation[I, T, F, E], input: I, files: Files | None = None
    ) -> Ok[AsyncItems[T, E]] | F | CallError: ...
    @overload
    async def _call(
        self, operation: DownloadOperation[I, F], input: I, files: Files | None = None
    ) -> Ok[AsyncFile] | F | CallError: ...
    async def _call(self, operation: Any, input: Any, files: Files | None = None) -> Any:
        """The result of one call; what generated methods return."""
        transport = self._held.get()
        if not is_streaming(operation):
            return await _driven_async(
                self._flow(operation, input, files), transport.send, self._clock
            )
        opening = AsyncOpening(transport)
        result = await _driven_async(
            self._flow(operation.call, input, files), opening.send, self._clock
        )
        return await opening.outcome(operation, result, self._options)

    def _flow(
        self, operation: Operation[I, T, F], input: I, files: Files | None
    ) -> Generator[Step, Any, Ok[T] | F | CallError]:
        agent = user_agent(self._title, self._version)
        return flow_of(operation, input, self._options, self._clock, agent, files)


class _AsyncCall(Protocol):
    @overload
    def __call__(
        self, operation: Operation[I, T, F], input: I, files: Files | None = None, /
    ) -> Coroutine[Any, Any, Ok[T] | F | CallError]: ...
    @overload
    def __call__(
        self, operation: StreamOperation[I, T, F, E], input: I, files: Files | None = None, /
    ) -> Coroutine[Any, Any, Ok[AsyncItems[T, E]] | F | CallError]: ...
    @overload
    def __call__(
        self, operation: DownloadOperation[I, F], input: I, files: Files | None = None, /
    ) -> Coroutine[Any, Any, Ok[AsyncFile] | F | CallError]: ...


class AsyncApiGroupBase:
    """
    The routes of one group, as a client for an event loop has them.

    Args:
        call: What calls a route of the client.
    """

    __slots__ = ("_call",)

    def __init__(self, call: _AsyncCall) -> None:
        self._call: _AsyncCall = call


async def _driven_async(flow: Generator[Step, Any, R], send: _SendsLater, clock: AsyncClock) -> R:
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
                    answer = await send(request, timeout=timeout, max_bytes=max_bytes)
                except Exception as error:  # noqa: BLE001
                    # the flow tells failures of the network from bugs
                    answer = error
            case Sleep(seconds):
                await clock.sleep(seconds)
            case ask:
                answer = await _settled(ask())


async def _settled(answer: Any) -> Any:
    return await answer if isawaitable(answer) else answer
