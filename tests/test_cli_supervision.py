"""Which worker has which seat: real servers, whose workers die, are replaced and end."""

from __future__ import annotations

import atexit
import http.client
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from operator import truediv
from pathlib import Path
from typing import Any, NoReturn, Self

import pytest

from contract.cli.signals import Ties
from contract.cli.sockets import bind, listen
from contract.cli.supervision import Knobs, Pauses, Supervisor
from contract.cli.worker import Ending, end
from contract.cli.worker_process import LOG, Worker, stop
from tests.cli_apps import ASYNC_FEED, ASYNC_MOUNTED, ASYNC_SHOP, BARE, FEED, SHOP
from tests.cli_inside import having
from tests.cli_servers import (
    PATIENCE,
    Reply,
    Server,
    alive,
    children,
    contract,
    exchange,
    running,
    told_to_end,
    until,
)
from tests.tables import rows
from tests.test_cli_worker_process import obedient, starting

EACH_INTERFACE = pytest.mark.parametrize(
    "folder", [SHOP, ASYNC_SHOP], ids=["wsgi", "asgi"], indirect=True
)


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with a shop, sync unless the test says otherwise."""
    return having(tmp_path, getattr(request, "param", SHOP))


def test_the_pause_grows_and_is_forgotten_after_a_quiet_time() -> None:
    pauses = Pauses()
    soon = [pauses.after(1.0) for _ in range(7)]
    later = [pauses.after(60.0), pauses.after(1.0)]

    assert (soon, later) == ([0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0], [0.0, 0.5])


def never(idx: int, news: Callable[[], None]) -> NoReturn:
    raise NotImplementedError


def test_the_queue_is_emptied_once_however_much_news_there_is(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, "contract.serve"), bind("127.0.0.1", 0) as listening:
        listen(listening, 8)
        supervisor = Supervisor(never, listening, Knobs(stop_timeout=1), None)
        supervisor._drain()
        supervisor._drain()
        until(lambda: supervisor._is_stopping)

    assert caplog.messages == ["stopping: calls in flight get 1 s"]


def test_the_queue_is_emptied_though_no_thread_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: threading.Thread) -> None:
        message = "can't start new thread"
        raise RuntimeError(message)

    monkeypatch.setattr(threading.Thread, "start", fail)
    with bind("127.0.0.1", 0) as listening:
        listen(listening, 8)
        supervisor = Supervisor(never, listening, Knobs(stop_timeout=1), None)
        supervisor.stop()
        supervisor._drain()

    assert supervisor._is_over


class Tried(list[Worker | Exception]):
    """
    What came of each start of a worker by a server that runs in this process.

    Args:
        knobs: How it runs.
        lacking: The number of a start -> the exception with which it fails.
        target: What its workers run.
        serving: Called when the first one is ready.
    """

    def __init__(
        self,
        knobs: Knobs,
        lacking: Mapping[int, Exception] = {},
        target: Callable[[Ties], None] = obedient,
        serving: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        self.times: list[float] = []
        self.raised: BaseException | None = None
        self._lacking = lacking
        self._begin = starting(target)
        listening = socket.create_server(("127.0.0.1", 0))
        self.server = Supervisor(self._start, listening, knobs, serving)
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.stop()
        self.join()
        left = [worker for worker in self.workers if not worker.ended]
        stop(left, 1, PATIENCE)
        assert left == []

    def join(self) -> None:
        """Wait until the server has ended."""
        self._thread.join(PATIENCE)

    @property
    def workers(self) -> list[Worker]:
        """Those that were started."""
        return [each for each in self if isinstance(each, Worker)]

    def ready(self, count: int) -> None:
        """Wait until so many have become ready."""
        until(lambda: [each.ready_since is not None for each in self.workers].count(True) == count)

    def _start(self, idx: int, news: Callable[[], None]) -> Worker:
        self.times.append(time.monotonic())
        lack = self._lacking.get(len(self))
        if lack is not None:
            self.append(lack)
            raise lack
        worker = self._begin(idx, news)
        self.append(worker)
        return worker

    def _run(self) -> None:
        try:
            self.server.run()
        except BaseException as raised:
            self.raised = raised


NO_ROOM = BlockingIOError(11, "no room")
NO_THREAD = RuntimeError("can't start new thread")
LACKS = f"could not be started ({NO_ROOM})"


def unready(ties: Ties) -> None:
    threading.Event().wait()


@rows("lack", NO_ROOM, NO_THREAD)
def test_a_worker_that_could_not_be_started_is_tried_again_after_a_pause(
    caplog: pytest.LogCaptureFixture, lack: Exception
) -> None:
    """The others serve meanwhile."""
    with caplog.at_level("ERROR", LOG.name), Tried(Knobs(workers=2), {2: lack}) as tried:
        tried.ready(2)
        os.kill(tried.workers[0].pid, signal.SIGKILL)
        tried.ready(3)
        other = tried.workers[1]
        assert not other.ended

    told = f"worker-1 could not be started ({lack}); another one starts in 0.5 s"
    assert caplog.messages == ["worker-1 ended (SIGKILL); another one starts at once", told]
    assert (len(tried), tried.raised) == (4, None)
    assert tried.times[3] - tried.times[2] > 0.4


def test_a_server_ends_if_none_of_its_workers_could_be_started(
    caplog: pytest.LogCaptureFixture,
) -> None:
    lacking = {0: NO_ROOM, 1: NO_ROOM}
    with caplog.at_level("ERROR", LOG.name), Tried(Knobs(workers=2), lacking) as tried:
        tried.join()

    again = f"worker-1 {LACKS}; another one starts at once"
    never = f"worker-2 {LACKS}: no worker has ever been ready, so the server ends"
    assert caplog.messages == [again, never]
    assert isinstance(tried.raised, SystemExit)
    assert (tried.raised.code, len(tried)) == (1, 2)


def test_a_server_does_not_end_while_a_worker_may_still_become_ready(
    caplog: pytest.LogCaptureFixture,
) -> None:
    lacking = {0: NO_ROOM, 2: NO_ROOM, 3: NO_ROOM}
    with caplog.at_level("ERROR", LOG.name), Tried(Knobs(workers=2), lacking, unready) as tried:
        until(lambda: len(tried.workers) == 2)

    pauses = ["at once", "in 0.5 s", "in 1 s"]
    assert caplog.messages == [f"worker-1 {LACKS}; another one starts {when}" for when in pauses]
    assert tried.raised is None


def test_without_respawn_the_server_ends_if_a_worker_could_not_be_started(
    caplog: pytest.LogCaptureFixture,
) -> None:
    knobs = Knobs(workers=2, respawn=False)
    with caplog.at_level("ERROR", LOG.name), Tried(knobs, {1: NO_ROOM}) as tried:
        tried.join()

    assert caplog.messages == [f"worker-2 {LACKS}: the server ends, as --no-respawn says"]
    assert isinstance(tried.raised, SystemExit)


def test_a_worker_stays_if_the_one_to_replace_it_could_not_be_started(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Those in other seats stay, too, until the next SIGHUP."""
    knobs = Knobs(workers=2, header_timeout=0.1)
    with caplog.at_level("INFO", LOG.name), Tried(knobs, {2: NO_THREAD}) as tried:
        tried.ready(2)
        tried.server.replace()
        until(lambda: len(caplog.messages) == 2)
        ended = [worker.ended for worker in tried.workers]
        tried.server.replace()
        until(lambda: all(worker.ended for worker in tried.workers[:2]))
        tried.ready(4)

    assert ended == [False, False]
    assert caplog.messages[:4] == [
        "worker-1 is replaced: SIGHUP",
        f"the new worker-1 could not be started ({NO_THREAD}); the old one stays",
        "worker-1 is replaced: SIGHUP",
        "worker-2 is replaced: SIGHUP",
    ]


def test_the_workers_end_with_their_server_whatever_ends_it() -> None:
    with Tried(Knobs(), serving=partial(truediv, 1, 0)) as tried:
        tried.join()

    assert isinstance(tried.raised, ZeroDivisionError)


@rows("target, given, code", (len, "", 0), (sys.exit, 7, 7), (truediv, 1, 1))
def test_a_process_keeps_its_exit_code(
    target: Callable[[Any], Any], given: object, code: int
) -> None:
    process = Ending(target=target, args=(given,))
    process.start()
    process.join(PATIENCE)

    assert process.exitcode == code


def test_exit_handlers_run_and_output_comes_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class Stream:
        def __init__(self, name: str) -> None:
            self.name = name

        def flush(self) -> None:
            seen.append(self.name)
            raise BrokenPipeError

    def leave(code: int) -> NoReturn:
        seen.append(f"end {code}")
        raise SystemExit

    monkeypatch.setattr(atexit, "_run_exitfuncs", lambda: seen.append("handlers"))
    monkeypatch.setattr(sys, "stdout", Stream("output"))
    monkeypatch.setattr(sys, "stderr", Stream("errors"))
    monkeypatch.setattr(os, "_exit", leave)
    with pytest.raises(SystemExit):
        end(3)

    assert seen == ["handlers", "output", "errors", "end 3"]


LIVING = ASYNC_MOUNTED.replace(
    "app = falcon.asgi.App()", "app = falcon.asgi.App(middleware=[Life()])"
).replace(
    "import falcon.asgi\n",
    """
import atexit
import threading

import falcon.asgi


class Life:
    async def process_startup(self, scope, event):
        threading.Thread(target=outlive, args=(threading.main_thread(),)).start()

    async def process_shutdown(self, scope, event):
        print("lifespan over")


def outlive(main):
    main.join()
    print("thread over")


atexit.register(print, "handler over")
""",
)


WITNESS = """
import builtins, multiprocessing, os

WORKS = multiprocessing.current_process().name == "contract-worker"


class Witness:
    def __del__(self, works=WORKS, write=os.write):
        if works:
            write(2, b"the interpreter is taken down")


builtins.witness = Witness()
"""


def test_nothing_of_the_app_is_lost_when_its_worker_ends(tmp_path: Path) -> None:
    """
    The output is a file, so it is written only when somebody flushes it.

    Of a worker on ASGI, this shows what the next test shows of one on WSGI, too.
    """
    folder = having(tmp_path, WITNESS + LIVING)
    with running("serve", "shop.py", cwd=folder, health="/v1/up") as server:
        server.post("/v1/ping")
        code = server.stop()
        text = server.text()

    told = [line for line in text.splitlines() if line.endswith("over")]
    assert "taken down" not in text
    assert (code, told[-3:]) == (0, ["lifespan over", "thread over", "handler over"])


def test_the_interpreter_of_a_worker_is_not_taken_down_under_its_threads(tmp_path: Path) -> None:
    """That is when they panic; see `end`."""
    with running("serve", "shop:api", cwd=having(tmp_path, WITNESS + SHOP)) as server:
        server.post("/process")
        assert server.stop() == 0
        assert "taken down" not in server.text()


@pytest.mark.measured
def test_a_worker_that_dies_again_and_again_is_followed_by_another(folder: Path) -> None:
    """Calls that come in a pause wait for its end."""
    with running("serve", "shop:api", cwd=folder) as server:
        seen = [_pid(server)]
        for _ in range(2):
            _die(server)
            seen.append(_pid(server))
        os.kill(seen[-1], signal.SIGKILL)
        seen.append(_pid(server))
        code = server.stop()
        text = server.text()

    assert (len(set(seen)), code) == (4, 0)
    told = [line[line.index("worker-1") : -2] for line in text.splitlines() if "worker-1" in line]
    ended = "worker-1 ended (exit code 9); another one starts"
    pauses = [f"{ended} {when}" for when in ("at once", "in 0.5 s")]
    assert told == [*pauses, "worker-1 ended (SIGKILL); another one starts in 1 s"]


@pytest.mark.measured
def test_without_respawn_the_server_ends_with_its_worker(folder: Path) -> None:
    with running("serve", "shop:api", "--no-respawn", cwd=folder) as server:
        _die(server)

        assert server.process.wait(PATIENCE) == 1
        told = "worker-1 ended (exit code 9): the server ends, as --no-respawn says"
        assert told in server.text()


@pytest.mark.measured
def test_an_app_that_only_workers_cannot_import_does_not_loop(tmp_path: Path) -> None:
    source = "import multiprocessing\nif multiprocessing.current_process().name == 'contract-worker':\n    raise RuntimeError('no')\n"
    done = contract("serve", "shop:api", "--port", "0", cwd=having(tmp_path, source + BARE))

    told = b"worker-1 ended (exit code 3): no worker has ever been ready, so the server ends"
    assert (done.returncode, b"RuntimeError: no" in done.stderr) == (1, True)
    assert done.stderr.count(told) == 1


@EACH_INTERFACE
def test_a_kept_connection_is_told_before_its_worker_is_replaced(folder: Path) -> None:
    """The health route of the old one goes on to say 200: the server does not stop."""
    with running("serve", "shop:api", cwd=folder) as server, _kept(server) as call:
        first = call("/process")
        with _kept(server) as another:
            another("/process")
            server.process.send_signal(signal.SIGHUP)
            until(lambda: server.post("/process").body != first.body)
            health = until(lambda: _closing(another("/healthz", "GET")))
        last = call("/process")
        after = call("/process")

        assert (health.status, health.body) == (200, b'{"ready":true}')
        assert (last.body, last.headers["connection"]) == (first.body, "close")
        assert after.body != first.body
        assert "worker-1 is replaced: SIGHUP" in server.text()


@pytest.mark.unwatched
@EACH_INTERFACE
def test_no_call_is_lost_when_workers_are_replaced_one_after_the_other(folder: Path) -> None:
    """An idle connection may be closed after the header timeout, so no client here is idle for nearly as long."""
    options = "--workers 2 --header-timeout 3"
    with running(f"serve shop:api {options}", cwd=folder) as server:
        before = until(lambda: len(found := _pids(server)) == 2 and found, pause=0.1)
        with _calling(server) as seen:
            server.process.send_signal(signal.SIGHUP)
            _all_gone(before)

        assert set(seen) == {"200"}
        assert server.stop() == 0
        assert all(line.startswith("{") for line in server.text().splitlines()), server.text()


SHORT = """
from contract.cli.find import aim
from contract.cli.serve import serve
from contract.cli.serving import Settings
from contract.cli.sockets import bind, shown
from contract.cli.supervision import Knobs
from contract.cli.worker import Plan
from contract.call.log import configure_logging

if __name__ == "__main__":
    configure_logging(format="json")
    listening = bind("127.0.0.1", 0)
    print(shown(listening), flush=True)
    serve(Plan(aim("shop:api"), Settings(), "wsgi", "json"), listening, Knobs(worker_lifetime=1, header_timeout=3))
"""


@pytest.mark.measured
@pytest.mark.unwatched
def test_no_call_is_lost_when_a_worker_is_too_old(tmp_path: Path) -> None:
    """A worker does not know why it is replaced, so one interface shows it; the test above has both."""
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "short.py").write_text(SHORT)
    with running(cwd=tmp_path, program=("short.py",)) as server:
        with _calling(server) as seen:
            _all_gone(_pids(server))
            _all_gone(_pids(server))

        assert set(seen) == {"200"}
        assert "worker-1 is replaced: it has served for 1 s" in server.text()
        assert server.stop() == 0


@pytest.mark.measured
def test_a_worker_that_has_grown_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP + GROWING)
    options = ("--workers", "2", "--worker-memory", "200")
    program = ("-c", LOOKING)
    with running("serve", "shop:grown", *options, cwd=tmp_path, program=program) as server:
        before: set[int] = set()

        def both_answered() -> bool:
            before.add(_pid(server))
            return len(before) == 2

        until(both_answered)
        server.post("/grow")
        until(lambda: _pid(server) not in before, pause=0.1)
        lines = server.text()

    assert lines.count("is replaced: it has grown beyond 200 MiB") == 1


LOOKING = """
import sys
from contract.cli import main, supervision

supervision._LOOK = 0.1
sys.exit(main())
"""
"""The command, whose server looks often at the memory of its workers."""

GROWING = """
held = []


@route(summary="Grow", tags=["tests"], auth="none")
def grow(input: None, ctx: None) -> None:
    held.append(b"x" * 250 * 1024 * 1024)


grown = spec(routes=routes(process, grow))
"""


@pytest.mark.measured
def test_a_worker_that_does_not_start_does_not_replace_one_that_works(tmp_path: Path) -> None:
    app = tmp_path / "shop.py"
    app.write_text(BARE)
    with running("serve", "shop:api", "--header-timeout", "0.1", cwd=tmp_path) as server:
        app.write_text("1 / 0\n")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: "ended (exit code 3); the old one stays" in server.text())
        still = server.post("/ping")
        app.write_text(BARE.replace('"pong"', '"PONG"'))
        server.process.send_signal(signal.SIGHUP)
        until(lambda: server.post("/ping").body == b'"PONG"')
        code = server.stop()

    assert (still.body, code) == (b'"pong"', 0)


WAITING = """
import pathlib, time
if pathlib.Path("wait").exists():
    pathlib.Path("waiting").touch()
    while pathlib.Path("wait").exists():
        time.sleep(0.01)
"""


@pytest.mark.measured
def test_a_worker_may_die_before_and_after_the_one_that_is_to_replace_it_is_ready(
    tmp_path: Path,
) -> None:
    """Before, that one takes over; afterwards, the end is told about."""
    with running("serve", "shop:api", cwd=having(tmp_path, WAITING + SHOP)) as server:
        before = _pid(server)
        (tmp_path / "wait").touch()
        server.process.send_signal(signal.SIGHUP)
        until((tmp_path / "waiting").exists)
        _die(server)
        until(lambda: "the one that was to replace it is starting already" in server.text())
        (tmp_path / "wait").unlink()
        heir = _pid(server)
        assert heir != before
        assert server.text().count("worker-1") == 2

        with _kept(server) as call:
            assert call("/process").body == b"%d" % heir
            server.process.send_signal(signal.SIGHUP)
            until(lambda: _pid(server) != heir)
            with pytest.raises((http.client.HTTPException, OSError)):
                call("/die")
        until(lambda: "worker-1 ended (exit code 9) while another one took over" in server.text())
        assert _pid(server) != heir


@pytest.mark.measured
def test_a_replaced_worker_whose_calls_do_not_end_is_killed(tmp_path: Path) -> None:
    """It is told to end as it is when the server stops; tests.test_cli_serve has that on each interface."""
    folder = having(tmp_path, ASYNC_SHOP)
    line = "serve shop:api --stop-timeout 1 --no-keep-alive"
    with running(line, cwd=folder) as server, _kept(server) as call:
        before = _pids(server)
        napping = threading.Thread(target=_lost, args=(call,))
        napping.start()
        until((folder / "napping").exists)
        server.process.send_signal(signal.SIGHUP)
        _all_gone(before)
        napping.join(PATIENCE)

        assert "worker-1 is killed: its calls did not end within 1 s" in server.text()
        assert server.post("/process").status == 200


@pytest.mark.parametrize("folder", [FEED, ASYNC_FEED], ids=["wsgi", "asgi"], indirect=True)
def test_an_open_stream_is_told_to_end_when_its_worker_is_replaced(folder: Path) -> None:
    """It would be cut off by the end of its worker, which would wait for it as long as it may."""
    options = ("--header-timeout", "0.1", "--stop-timeout", "50")
    with running("serve", "shop:api", *options, cwd=folder) as server:
        before = _pids(server)
        code = told_to_end(server, "/count", partial(server.process.send_signal, signal.SIGHUP))
        _all_gone(before)

        assert code == "SERVICE_UNAVAILABLE"
        assert "is killed" not in server.text()


def _closing(reply: Reply) -> Reply | None:
    return reply if "connection" in reply.headers else None


def _die(server: Server) -> None:
    with pytest.raises((http.client.HTTPException, OSError)):
        server.post("/die")


def _lost(call: Callable[..., Reply]) -> None:
    with pytest.raises((http.client.HTTPException, OSError)):
        call("/nap", "POST", b"600")


def _all_gone(before: set[int]) -> None:
    """Wait until all of *before* have gone, which takes seconds."""
    until(lambda: not any(map(alive, before)), pause=0.1)


def _pid(server: Server) -> int:
    return int(server.post("/process").body)


def _pids(server: Server) -> set[int]:
    return set(children(server.process))


@contextmanager
def _kept(server: Server) -> Iterator[Callable[..., Reply]]:
    """Calls on one connection, for as long as the other side keeps it."""
    with closing(server.connection()) as connection:
        yield lambda path, method="POST", body=b"": exchange(connection, method, path, body)


@contextmanager
def _calling(server: Server) -> Iterator[Counter[str]]:
    """What clients see meanwhile."""
    seen: Counter[str] = Counter()
    over = threading.Event()
    clients = [
        threading.Thread(target=_call, args=(server, seen, over, number)) for number in range(8)
    ]
    for client in clients:
        client.start()
    try:
        yield seen
    finally:
        over.set()
        for client in clients:
            client.join(PATIENCE)


def _call(server: Server, seen: Counter[str], over: threading.Event, number: int) -> None:
    """Call at a pace of its own until it is *over*, on one connection or, every third client, on a new one each time."""
    with closing(server.connection()) as connection:
        while not over.wait((number + 1) / 15):
            try:
                reply = exchange(connection, "POST", "/nap", b"0.005")
            except (OSError, http.client.HTTPException) as lost:  # what may not happen
                seen[repr(lost)] += 1
                connection.close()
                continue
            seen[str(reply.status)] += 1
            if number % 3 == 0 or reply.headers.get("connection") == "close":
                connection.close()
