"""Real servers for the tests of the command line: processes on ports that the kernel chooses, stopped by their ids."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[1]
PATIENCE = 60.0
"""Seconds until a test gives up; much more than anything takes."""


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Server:
    process: subprocess.Popen[bytes]
    log: Path
    port: int

    def post(self, path: str, body: bytes = b"", **headers: str) -> Reply:
        return self._once("POST", path, body, headers)

    def get(self, path: str) -> Reply:
        return self._once("GET", path)

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def _once(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] = {}
    ) -> Reply:
        with closing(self.connection()) as connection:
            return exchange(connection, method, path, body, headers)

    def text(self) -> str:
        return self.log.read_text()

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def exchange(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: bytes = b"",
    headers: Mapping[str, str] = {},
) -> Reply:
    given = {"content-type": "application/json"} if body else {}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, given)
    response = connection.getresponse()
    sent = {name.lower(): value for name, value in response.getheaders()}
    return Reply(response.status, sent, response.read())


def told_to_end(server: Server, path: str, tell: Callable[[], object]) -> str:
    """The code with which an open stream at *path* ends, after its first item has come and *tell* was called."""
    with closing(server.connection()) as connection:
        connection.request("POST", path, headers={"accept": "application/jsonl"})
        response = connection.getresponse()
        while b"item" not in response.readline():
            pass
        tell()
        return str(json.loads(response.read().splitlines()[-1])["error"])


def until(condition: Callable[[], Any], pause: float = 0.02) -> Any:
    """What *condition*, asked after each *pause*, gives as soon as it is true."""
    ending = time.monotonic() + PATIENCE
    while True:
        found = None
        with suppress(OSError, http.client.HTTPException):
            found = condition()
        if found:
            return found
        assert time.monotonic() < ending, "it never happened"
        time.sleep(pause)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1", **more}


def ran(
    *command: str, cwd: Path | None = None, data: bytes = b"", **env: str
) -> subprocess.CompletedProcess[bytes]:
    """A program that ends by itself."""
    return subprocess.run(
        command,
        cwd=cwd,
        input=data,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env=environment(**env),
    )


def contract(
    line: str, *more: str, cwd: Path, data: bytes = b"", **env: str
) -> subprocess.CompletedProcess[bytes]:
    """A command that ends by itself; *more* is as it is."""
    command = (sys.executable, "-P", "-m", "contract", *shlex.split(line), *more)
    return ran(*command, cwd=cwd, data=data, **env)


_URL = r"http://127\.0\.0\.1:(\d+)"


@contextmanager
def running(
    line: str = "",
    *more: str,
    cwd: Path,
    health: str | None = "/healthz",
    ready: str = _URL,
    program: Sequence[str] = ("-m", "contract"),
    **env: str,
) -> Iterator[Server]:
    """A server in a session of its own that has written *ready*. With *health*, one that says by itself that it is."""
    log = cwd / "log.txt"
    command = [sys.executable, "-P", *program, *shlex.split(line), *more, "--port", "0"]
    with log.open("wb") as log_file:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            stdout=log_file,
            stderr=log_file,
            env=environment(**env),
            start_new_session=True,
        )
    try:
        found = until(lambda: process.poll() is not None or re.search(ready, log.read_text()))
        assert isinstance(found, re.Match), log.read_text()
        server = Server(process, log, int(found[1]) if found.re.groups else 0)
        if health is not None:
            until(lambda: server.get(health).status == 200)
        yield server
    finally:
        process.terminate()
        killer = threading.Timer(PATIENCE, process.kill)
        killer.start()
        process.wait()
        killer.cancel()


def processes(columns: str) -> list[list[str]]:
    """Those *columns* that ps has of the processes of this machine."""
    command = ["ps", "-A", "-ww", "-o", columns]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line.split(None, 2) for line in listed.splitlines()]


def children(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes that *process* has spawned."""
    return [
        int(pid)
        for pid, parent, args in processes("pid=,ppid=,args=")
        if int(parent) == process.pid and "spawn_main" in args
    ]


def alive(process: int) -> bool:
    """Whether there is a process of that number, which costs less to ask than a list of all."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
