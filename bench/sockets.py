"""
One call over a socket, with the server that belongs to it: ``python -m bench.sockets`` (Linux).

Each contender is a server with one worker, started as its own documentation says; `contract serve`
as a user starts it, with its log on. All run at once, each on a port of its own, and take turns: a
burst of SMALL calls over 16 connections that stay open, sent by this process (`bench.client`),
which has a core of its own where there are several. Answers are checked before anything is timed.

The table has medians over the rounds: the CPU time of a call in the server, all its processes,
threads and system calls included, and its ratio to another contender in the same round. What a
server does in the tenth of a second after a burst counts as well, so that its log is written. After
that comes the memory of the worker, which is the process of the server that has run most.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench import processes, wire, work
from bench.call import ratio, versions
from bench.client import Client, ask

BIN: Final = Path(sys.executable).parent
NODE: Final = "bench/node"
CONNECTIONS: Final = 16
COUNT: Final = 2000
ROUNDS: Final = 11
PATIENCE: Final = 120
"""Seconds for a server to start."""


@dataclass(frozen=True)
class Server:
    """
    A contender.

    Attributes:
        name: In the table.
        command: Without spaces in its words, and with PORT where the port belongs.
        base: Whom it is compared with.
        bearer: Whether it wants a token.
        validates: Whether it refuses wrong bodies.
        env: More of the environment.
    """

    name: str
    command: str
    base: str
    bearer: bool = True
    validates: bool = True
    env: Mapping[str, str] = field(default_factory=dict)


_GRANIAN: Final = "granian --port PORT --workers 1 --no-ws --log-level warning --interface"
_UVICORN: Final = "uvicorn --port PORT --loop uvloop --http httptools --no-access-log"

_MOUNTS: Final = {
    "none": "granian wsgi, mount, sync public, log",
    "sync": "granian wsgi, mount, sync bearer, log",
    "async": "granian asgi, mount, async bearer, log",
}
_QUIET: Final = "granian wsgi, mount, sync public"
_RAW_WSGI: Final = "granian wsgi, raw falcon, public"
_RAW_WSGI_BEARER: Final = "granian wsgi, raw falcon, bearer"
_RAW_ASGI_BEARER: Final = "granian asgi, raw falcon, bearer"
_ON_UVICORN: Final = "uvicorn, mount, async bearer"
_RAW_UVICORN: Final = "uvicorn, raw falcon, async bearer"


def _serve(auth: str) -> Server:
    name = _MOUNTS[auth].partition("mount, ")[2].removesuffix(", log")
    command = "contract serve bench.served:api --prefix /v1 --port PORT"
    env = {"BENCH_AUTH": auth}
    base = _RAW_UVICORN if auth == "async" else _MOUNTS[auth]
    return Server(f"contract serve, {name}", command, base, auth != "none", env=env)


def _mount(auth: str, base: str, *, log: bool = True) -> Server:
    command = f"{_GRANIAN} {'asgi' if auth == 'async' else 'wsgi'} bench.served:front"
    env = {"BENCH_AUTH": auth, **({"BENCH_LOG": "1"} if log else {})}
    return Server(_MOUNTS[auth] if log else _QUIET, command, base, auth != "none", env=env)


def _raw(name: str, interface: str, factory: str, *, bearer: bool) -> Server:
    command = f"{_GRANIAN} {interface} --factory bench.peers.raw_falcon:{factory}"
    return Server(name, command, _RAW_WSGI, bearer, validates=False)


def _uvicorn(peer: str, factory: str, *, validates: bool = True) -> Server:
    command = f"{_UVICORN} --factory bench.peers.{factory}"
    return Server(f"uvicorn, {peer}, async bearer", command, _ON_UVICORN, validates=validates)


def _fastify(kind: str) -> Server:
    command = f"node {NODE}/fastify_{kind}.cjs PORT"
    return Server(f"node, fastify with {kind}, public", command, _QUIET, bearer=False)


SERVERS: Final = (
    _serve("none"),
    _serve("sync"),
    _serve("async"),
    _mount("none", _RAW_WSGI),
    _mount("none", _RAW_WSGI, log=False),
    _mount("sync", _RAW_WSGI_BEARER),
    _mount("async", _RAW_ASGI_BEARER),
    _raw(_RAW_WSGI, "wsgi", "wsgi", bearer=False),
    _raw(_RAW_WSGI_BEARER, "wsgi", "wsgi_bearer", bearer=True),
    _raw(_RAW_ASGI_BEARER, "asgi", "asgi_bearer", bearer=True),
    _fastify("ajv"),
    _fastify("zod"),
    Server(
        _ON_UVICORN,
        f"{_UVICORN} bench.served:front",
        _RAW_UVICORN,
        env={"BENCH_AUTH": "async"},
    ),
    _uvicorn("raw falcon", "raw_falcon:asgi_bearer", validates=False),
    _uvicorn("blacksheep", "with_blacksheep:bearer"),
    _uvicorn("litestar", "with_litestar:bearer"),
    _uvicorn("fastapi", "with_fastapi:bearer"),
)


class Running:
    """A server that has been started and checked."""

    def __init__(self, server: Server, process: subprocess.Popen[bytes], port: int) -> None:
        self.server: Final = server
        self.taken: Final[list[float]] = []
        self.port: Final = port
        self._process: Final = process
        self._more: Final = {"authorization": f"Bearer {work.TOKEN}"} if server.bearer else {}

    def wait(self, log: Path) -> None:
        """
        Wait until it answers, and see that it does the work.

        Raises:
            WrongAnswerError: It does not.
        """
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                ask(self.port, "small", work.SMALL_BODY, self._more)
                break
            except OSError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise wire.WrongAnswerError(
                        f"{self.server.name} has not started: {log.read_text()}",
                    ) from None
                time.sleep(0.05)
        bearer, validates = self.server.bearer, self.server.validates
        wire.check(
            lambda *asked: ask(self.port, *asked),
            "small",
            bearer=bearer,
            validates=validates,
        )

    def burst(self, count: int) -> float:
        """The CPU seconds of a call, of *count*."""
        with Client(self.port, "small", work.SMALL_BODY, self._more, CONNECTIONS) as client:
            begin = self.cpu()
            client.run(count)
            time.sleep(0.1)
            return (self.cpu() - begin) / count

    def move(self, cores: Sequence[int]) -> None:
        """Have it run on these *cores* alone."""
        for process in processes.family(self._process.pid):
            processes.move(process, cores)

    def worker(self) -> int:
        """The process that has run most."""
        return max(processes.family(self._process.pid), key=processes.cpu)

    def cpu(self) -> float:
        """The seconds that all of its processes have run."""
        return sum(map(processes.cpu, processes.family(self._process.pid)))


@contextmanager
def started(server: Server, log: Path) -> Iterator[Running]:
    """Start *server* on a free port, and stop it in the end; what it says goes to *log*."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    program, *rest = server.command.replace("PORT", str(port)).split()
    env = {
        **os.environ,
        "PYTHONPATH": os.curdir,
        "PYTHONHASHSEED": "0",
        "NODE_PATH": str(BIN.parent / "node_modules"),
        **server.env,
    }
    with (
        log.open("wb") as out,
        subprocess.Popen([str(BIN / program), *rest], env=env, stdout=out, stderr=out) as process,
    ):
        try:
            yield Running(server, process, port)
        finally:
            family = [] if process.poll() is not None else processes.family(process.pid)
            process.terminate()
            process.wait()
            for each in family:  # node is started by a program that does not stop it
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGTERM)


def table(running: Sequence[Running]) -> None:
    by_name = {each.server.name: each for each in running}
    for each in running:
        line = f"  {each.server.name:<42}{statistics.median(each.taken) * 1e6:8.1f} us"
        base = by_name.get(each.server.base)
        if base is not None and base is not each:
            line += f" {ratio(each.taken, base.taken):6.2f} x {base.server.name}"
        print(line)
    print("\nMemory of the worker, MiB" + " " * 20 + "RSS     PSS     USS")
    for each in running:
        found = processes.memory(each.worker())
        print(f"  {each.server.name:<42}{found.rss:6.1f}  {found.pss:6.1f}  {found.uss:6.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.sockets",
        description="The CPU time of one call, over a socket.",
    )
    parser.add_argument("--only", default="", help="servers with this in their name")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    print(
        versions(
            "falcon",
            "granian",
            "uvicorn",
            "uvloop",
            "httptools",
            "fastapi",
            "litestar",
            "blacksheep",
        ),
    )
    servers = [each for each in SERVERS if asked.only in each.name]
    cores = sorted(os.sched_getaffinity(0))
    with ExitStack() as stack:
        logs = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        files = [logs / str(number) for number in range(len(servers))]
        running = [stack.enter_context(started(*each)) for each in zip(servers, files, strict=True)]
        for each, log in zip(running, files, strict=True):
            each.wait(log)
            each.move(cores[:-1] or cores)
        os.sched_setaffinity(0, cores[-1:])
        for number in range(asked.rounds + 1):
            for each in running:
                seconds = each.burst(COUNT)
                if number:  # the first warms up
                    each.taken.append(seconds)
        print(f"\nSMALL over a socket: CPU of a call, {asked.rounds} rounds of {COUNT}")
        table(running)


if __name__ == "__main__":
    main()
