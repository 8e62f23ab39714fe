"""What clients are given in tests instead of a network and a clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from contract.client import HttpRequest, HttpResponse
from contract.testing import Client

Answer = HttpResponse | Exception


def answer(body: bytes = b"", status: int = 200, **headers: str) -> HttpResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpResponse(status, named, body)


@dataclass
class FakeClock:
    """Time goes on when somebody waits, and by *step* whenever somebody looks."""

    now: float = 1000.0
    step: float = 0.0
    chance: float = 0.5
    slept: list[float] = field(default_factory=list[float])

    def monotonic(self) -> float:
        self.now += self.step
        return self.now

    def time(self) -> float:
        return 1_700_000_000.0

    def random(self) -> float:
        return self.chance

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class AsyncFakeClock:
    clock: FakeClock = field(default_factory=FakeClock)

    def monotonic(self) -> float:
        return self.clock.monotonic()

    def time(self) -> float:
        return self.clock.time()

    def random(self) -> float:
        return self.clock.random()

    async def sleep(self, seconds: float) -> None:
        self.clock.sleep(seconds)


class Scripted:
    """A transport that answers as it is told, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = [*answers]
        self.sent: list[HttpRequest] = []
        self.timeouts: list[float] = []
        self.limits: list[int] = []
        self.closed = 0

    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        self.sent.append(request)
        self.timeouts.append(timeout)
        self.limits.append(max_bytes)
        given = self.answers.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    def close(self) -> None:
        self.closed += 1


class AsyncScripted:
    def __init__(self, *answers: Answer) -> None:
        self.inner = Scripted(*answers)

    async def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        return self.inner.send(request, timeout=timeout, max_bytes=max_bytes)

    async def aclose(self) -> None:
        self.inner.close()


Part = bytes | Exception


@dataclass
class Opened:
    """An open answer of *parts*, which notes down how long each was waited for."""

    parts: list[Part]
    headers: Mapping[str, str]
    status: int = 200
    waited: list[float] = field(default_factory=list[float])
    closed: int = 0

    def read(self, timeout: float) -> bytes:
        assert not self.closed
        self.waited.append(timeout)
        part = self.parts.pop(0) if self.parts else b""
        if isinstance(part, Exception):
            raise part
        return part

    def close(self) -> None:
        self.closed += 1


@dataclass
class AsyncOpened:
    inner: Opened

    @property
    def status(self) -> int:
        return self.inner.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self.inner.headers

    async def read(self, timeout: float) -> bytes:
        return self.inner.read(timeout)

    async def aclose(self) -> None:
        self.inner.close()


class Opening(Scripted):
    """A transport that opens an answer, after it has answered as it is told."""

    def __init__(self, opened: Opened, *answers: Answer) -> None:
        super().__init__(*answers)
        self.opened = opened

    def open(
        self, request: HttpRequest, *, timeout: float, max_bytes: int
    ) -> Opened | HttpResponse:
        if self.answers:
            return self.send(request, timeout=timeout, max_bytes=max_bytes)
        self.sent.append(request)
        return self.opened


class AsyncOpening(AsyncScripted):
    def __init__(self, inner: Opening) -> None:
        self.opening = self.inner = inner

    async def open(
        self, request: HttpRequest, *, timeout: float, max_bytes: int
    ) -> AsyncOpened | HttpResponse:
        found = self.opening.open(request, timeout=timeout, max_bytes=max_bytes)
        return AsyncOpened(found) if isinstance(found, Opened) else found


class InMemory:
    """A transport to a service in this process, which keeps what is sent."""

    def __init__(self, served: Any) -> None:
        self.client = Client(served)
        self.sent: list[bytes] = []

    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        self.sent.append(request.body)
        name = request.url.rpartition("/")[2]
        reply = self.client.call(name, body=request.body, headers=request.headers)
        return HttpResponse(reply.status, reply.headers, reply.body)

    def close(self) -> None: ...


class AsyncInMemory(InMemory):
    async def send(  # type: ignore[override]
        self, request: HttpRequest, *, timeout: float, max_bytes: int
    ) -> HttpResponse:
        return super().send(request, timeout=timeout, max_bytes=max_bytes)

    async def aclose(self) -> None: ...


def answers(statuses: Iterable[int]) -> list[Answer]:
    return [answer(status=status) for status in statuses]
