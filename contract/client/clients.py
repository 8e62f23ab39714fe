"""
The clients: base classes of generated clients, for threads (`ApiClientBase`) or an event loop.

Both do what the flow of a call (`contract.client.flow`) asks for. One blocks its thread, the other
awaits; they share only code that does neither.
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

from contract.client.clock import AsyncClock, AsyncSystemClock, Clock, SystemClock, Time
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
    "Shared",
]

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  input
F = TypeVar("F", bound=DeclaredFailure)
E = TypeVar("E", bound=DeclaredFailure)
R = TypeVar("R")
S = TypeVar("S")

Files = Mapping[str, Attached]
"""Part name -> the files of a call."""

_Sends = Callable[..., HttpResponse]
"""The method ``send`` of a transport."""
_SendsLater = Callable[..., Coroutine[Any, Any, HttpResponse]]
"""The method ``send`` of a transport for event loops."""

_NO_HEADERS: Final[Mapping[str, AsyncHeaderValue | None]] = MappingProxyType({})


@final
class Shared(Generic[S]):
    """
    A transport, shared by a client and its copies.

    Attributes:
        transport: Sends the requests.
        is_ours: Whether the client made it, and so closes it.
        is_closed: Whether the client was closed.
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
    """The code that synchronous and asynchronous clients share."""

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

    def _flow(
        self, operation: Operation[I, T, F], input: I, files: Files | None, clock: Time
    ) -> Generator[Step, Any, Ok[T] | F | CallError]:
        agent = user_agent(self._title, self._version)
        return flow_of(operation, input, self._options, clock, agent, files)

    def _copy_with(self, options: Options) -> Self:
        # a shallow copy of all slots: so it shares the transport, and a generated subclass keeps
        # whatever it has of its own
        made = copy(self)
        made._options = options
        made._is_copy = True
        return made


class ClientOptions(TypedDict, total=False):
    """The options of every client; see `ApiClientBase`."""

    headers: Headers | None
    timeout: float | Timeout
    retries: int | Retries
    transport: Transport | None
    hooks: Hooks | None
    max_response_bytes: int
    clock: Clock | None


class AsyncClientOptions(TypedDict, total=False):
    """The options of every async client; see `AsyncApiClientBase`."""

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

    A failed call never raises: it returns a failure. Only a programming mistake raises: a header
    function that raises, a header that cannot be sent, a transport with a bug, a client that was
    closed.

    Args:
        base_url: Where the spec is mounted: ``https://shop.example/v1``.
        headers: Sent with every request: name -> a value or a function that gives one; or a
            function that gives all headers.
        timeout: Seconds for a call, including all tries; a `Timeout` also limits each try.
        retries: How often a call that may be repeated is tried again.
        transport: Sends the requests; httpx2 by default. Closing the client does not close a
            transport that you pass.
        hooks: Functions that are called with what the client does.
        max_response_bytes: The most bytes of an answer.
        sentences: The texts of issues, such as `contract.GERMAN`; English by default.
        clock: The source of time and randomness, for tests.

    Raises:
        ValueError: An option is not valid.
        ImportError: There is no transport, and httpx2 is not installed.
    """

    __slots__ = ("_clock", "_shared")

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
        if transport is None:
            # loaded by name, so that a client with another transport does not need httpx2
            made = import_module("contract.client.httpx").HttpxTransport()
            self._shared: Shared[Transport] = Shared(made, is_ours=True)
        else:
            self._shared = Shared(transport, is_ours=False)
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

        It shares the connections of the original client, and works until that is closed. Closing
        the copy does nothing.

        Args:
            headers: Added to those of the client; they override equal names.
            timeout: Replaces that of the client.
            retries: Replaces that of the client.
            hooks: Replaces those of the client.
            max_response_bytes: Replaces that of the client.
            sentences: Replaces those of the client.
            last_event_id: The id of an item; a stream continues after it.
            progress: Called with the bytes of a call's files that have been sent, and the total, or
                None if the total is not known.
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
        """Close all connections; the client and its copies cannot be used any more."""
        if self._is_copy or self._shared.is_closed:
            return
        self._shared.is_closed = True
        if self._shared.is_ours:
            self._shared.transport.close()

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
        """Call a route and return the result; generated methods use it."""
        transport, clock = self._shared.get(), self._clock
        if not is_streaming(operation):
            return _driven(self._flow(operation, input, files, clock), transport.send, clock)
        # The flow reads an answer as a whole. So it is given one without a body, and the stream or
        # file itself is kept aside, in `opening`.
        opening = Opening(transport)
        result = _driven(self._flow(operation.call, input, files, clock), opening.send, clock)
        return opening.outcome(operation, result, self._options)


# The flow of a call decides, and `_driven` or `_driven_async` does what it asks for: a request, a
# wait, or a function to call for headers. The two are the same loop, line by line; only `await`
# differs, so a change of one is a change of both.


def _driven(flow: Generator[Step, Any, R], send: _Sends, clock: Clock) -> R:
    # a generator that has not begun can only be sent None
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
                    # the flow tells network failures from bugs
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
    The routes of one group, as a member of a client.

    Args:
        call: Calls a route of the client.
    """

    __slots__ = ("_call",)

    def __init__(self, call: _Call) -> None:
        self._call: _Call = call


class AsyncApiClientBase(_Client):
    """
    A client of one mounted spec, which tasks of one event loop may share.

    It takes the options of `ApiClientBase`, and raises the same exceptions. Functions that give
    headers may be async.
    """

    __slots__ = ("_clock", "_shared")

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
        if transport is None:
            made = import_module("contract.client.httpx").AsyncHttpxTransport()
            self._shared: Shared[AsyncTransport] = Shared(made, is_ours=True)
        else:
            self._shared = Shared(transport, is_ours=False)
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
        """A copy with other options; see `ApiClientBase.with_options`."""
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
        """Close all connections; the client and its copies cannot be used any more."""
        if self._is_copy or self._shared.is_closed:
            return
        self._shared.is_closed = True
        if self._shared.is_ours:
            await self._shared.transport.aclose()

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
        """Call a route and return the result; generated methods use it."""
        transport, clock = self._shared.get(), self._clock
        if not is_streaming(operation):
            flow = self._flow(operation, input, files, clock)
            return await _driven_async(flow, transport.send, clock)
        opening = AsyncOpening(transport)
        flow = self._flow(operation.call, input, files, clock)
        result = await _driven_async(flow, opening.send, clock)
        return await opening.outcome(operation, result, self._options)


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
    The routes of one group, as a member of an asynchronous client.

    Args:
        call: Calls a route of the client.
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
                    # the flow tells network failures from bugs
                    answer = error
            case Sleep(seconds):
                await clock.sleep(seconds)
            case ask:
                answer = await _settled(ask())


async def _settled(answer: Any) -> Any:
    if isawaitable(answer):
        return await answer
    return answer
