"""
Streams over a socket, and what a quiet one holds: ``python -m bench.streams`` (Linux).

Each contender is a server with one worker. All run at once and take turns: one reads the whole of a
stream, and the CPU time of its server is counted for each item, its processes and system calls
included. The ratio is that of two contenders in the same round, as throughput: the budget is 0.7
of the same bytes sent by an app that makes, checks and writes nothing (`bench.streamed.raw`).

Then quiet streams are opened, each gives an item and no more, and the memory that the worker has
more is divided by their number. The budget is 60 KiB for each of 10,000.
"""

from __future__ import annotations

import argparse
import os
import resource
import socket
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench import processes
from bench.call import ratio, versions
from bench.sockets import Running, Server, started
from bench.streamed import COUNT, END, PARTS

ROUNDS: Final = 7
STREAMS: Final = 10_000
PATIENCE: Final = 120.0
"""Seconds for a server to start, or to send a part."""

_UVICORN: Final = (
    "uvicorn --port PORT --loop uvloop --http httptools --no-access-log --log-level warning "
    "--backlog 16384 --timeout-graceful-shutdown 1 bench.streamed:"
)
_GRANIAN: Final = (
    "granian --port PORT --workers 1 --no-ws --log-level warning --interface asgi "
    "--backlog 16384 bench.streamed:"
)
SERVERS: Final = tuple(
    Server(f"{name}, {app}", f"{command}{app}", f"{name}, raw")
    for name, command in (("uvicorn", _UVICORN), ("granian", _GRANIAN))
    for app in ("ours", "by_hand", "raw")
)
KINDS: Final = {"all": "items as fast as they are taken", "each": "a turn of the loop for each"}


@dataclass
class Asked:
    """A contender that runs, and the seconds of an item by the kind of the stream."""

    running: Running
    taken: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def open(self, path: str) -> socket.socket:
        """A connection on which a stream has been asked for."""
        found = socket.create_connection(("127.0.0.1", self.running.port), PATIENCE)
        head = f"POST /v1/{path} HTTP/1.1\r\nhost: bench\r\ncontent-length: 0\r\n\r\n"
        found.sendall(head.encode())
        return found

    def wait(self) -> None:
        """Wait until it answers, and see that it sends what it should."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.open("quiet").close()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        body = self.read("all")
        missing = [part for part in (PARTS[0], PARTS[-1], END) if part not in body]
        if missing:
            raise RuntimeError(f"{self.running.server.name} does not send {missing[0]!r}")

    def read(self, path: str) -> bytes:
        """The whole of a stream, with what frames it."""
        parts: list[bytes] = []
        with closing(self.open(path)) as connection:
            while not parts or b"0\r\n\r\n" not in parts[-1][-64:]:
                part = connection.recv(1 << 18)
                if not part:
                    raise RuntimeError(f"{self.running.server.name} has broken off")
                parts.append(part)
        return b"".join(parts)

    def measure(self, kind: str) -> float:
        """The CPU seconds of an item."""
        before = self.running.cpu()
        self.read(kind)
        return (self.running.cpu() - before) / COUNT

    def held(self, count: int) -> float:
        """KiB that the worker holds for each of *count* quiet streams."""
        worker = self.running.worker()
        before = processes.memory(worker).uss
        with ExitStack() as stack:
            for _ in range(count):
                connection = stack.enter_context(closing(self.open("quiet")))
                found = b""
                while PARTS[0] not in found:
                    part = connection.recv(4096)
                    if not part:
                        raise RuntimeError(f"{self.running.server.name} has broken off")
                    found += part
            return (processes.memory(worker).uss - before) * 1024 / count


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.streams", description="Streams over a socket."
    )
    parser.add_argument("--only", default="", help="servers with this in their name")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--streams", type=int, default=STREAMS, help="quiet ones, 0 for none")
    given = parser.parse_args()
    print(versions("granian", "uvicorn", "uvloop", "httptools"))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    cores = sorted(os.sched_getaffinity(0))
    with ExitStack() as stack:
        logs = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = [each for each in SERVERS if given.only in each.name]
        asked = [
            Asked(stack.enter_context(started(each, logs / str(at))))
            for at, each in enumerate(servers)
        ]
        for each in asked:
            each.wait()
            each.running.move(cores[:-1] or cores)
        os.sched_setaffinity(0, cores[-1:])
        for number in range(given.rounds + 1):
            for kind in KINDS:
                for each in asked:
                    seconds = each.measure(kind)
                    if number:  # the first warms up
                        each.taken[kind].append(seconds)
        for kind, told in KINDS.items():
            print(f"\n{told}: CPU of an item, {given.rounds} rounds of {COUNT}")
            table(asked, kind)
        if given.streams:
            quiet(asked, min(given.streams, most - 500))


def table(asked: Sequence[Asked], kind: str) -> None:
    by_name = {each.running.server.name: each for each in asked}
    for each in asked:
        server, taken = each.running.server, each.taken[kind]
        line = f"  {server.name:<20}{statistics.median(taken) * 1e6:8.2f} us"
        base = by_name.get(server.base)
        if base is not None and base is not each:
            line += f"{ratio(base.taken[kind], taken):6.2f} of the throughput of {server.base}"
        print(line)


def quiet(asked: Sequence[Asked], count: int) -> None:
    print(f"\n{count} quiet streams, KiB of each")
    for each in asked:
        if not each.running.server.name.endswith("by_hand"):
            print(f"  {each.running.server.name:<20}{each.held(count):8.1f}")


if __name__ == "__main__":
    main()
