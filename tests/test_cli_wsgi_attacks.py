"""What clients do to the server of synchronous workers that they should not, or at a bad moment."""

from __future__ import annotations

import errno
import gc
import os
import resource
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Annotated, Any

import pytest

from contract import MaxBytes, Meta, Upload, route, routes, spec
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp, WsgiFront
from contract.call.incoming import Refused
from contract.call.mount_options import Limits, Options
from contract.cli import wsgi_server as module
from contract.cli.bounds import NEW, Bounds
from contract.cli.connections import untaken
from contract.cli.exchanges import Facts
from contract.cli.signals import Draining
from contract.cli.socket_connections import SocketConnection
from contract.cli.turns import Turns
from contract.cli.wsgi_server import Server
from tests.cli_servers import PATIENCE, until

App = Callable[..., Any]


def hello(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("200 OK", [])
    return [b"hello"]


@contextmanager
def served(
    app: App = hello,
    *fronts: WsgiFront,
    threads: int = 4,
    listening: socket.socket | None = None,
) -> Generator[Server]:
    """A server in this process."""
    listening = listening or socket.create_server(("127.0.0.1", 0))
    bounds = Bounds(connections=100, seconds=PATIENCE)
    server = Server(app, fronts, listening, threads, bounds, Draining())
    server.address = listening.getsockname()  # type: ignore[attr-defined]
    server.start()
    try:
        yield server
    finally:
        stops = threading.Thread(target=server.stop, daemon=True)
        stops.start()
        stops.join(PATIENCE)
        assert not stops.is_alive()


def connected(server: Any) -> socket.socket:
    return socket.create_connection(server.address, timeout=PATIENCE)


def rest_of(client: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    parts: list[bytes] = []
    while part := client.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def sent(server: Any, request: bytes) -> bytes:
    """All that the server sends for *request* until it ends the connection."""
    with connected(server) as client:
        client.sendall(request)
        return rest_of(client)


GET = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"


def has_come(known: SocketConnection) -> bool:
    """Whether there is something that the server has not read."""
    try:
        return bool(known.socket.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False


class Interrupted:
    """The system, in which another thread comes first wherever a pipe is read."""

    def __init__(self, first: Callable[[], None]) -> None:
        self.first = first
        self.read_at = threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def read(self, descriptor: int, size: int) -> bytes:
        self.first()
        self.read_at.set()
        return os.read(descriptor, size)


def test_the_leader_can_be_woken_after_it_was_woken_while_it_woke(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What another thread wrote then was read with what it wrote before, and no more was written."""
    with served() as server:
        system = Interrupted(server._wake)
        monkeypatch.setattr(module, "os", system)
        server._wake()
        assert system.read_at.wait(PATIENCE)
        monkeypatch.undo()
        # now it stops


def test_an_app_is_told_that_the_rest_of_a_body_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not that its client has gone, which waits for the answer."""
    told: list[Refused] = []

    def reads(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        with pytest.raises(Refused) as raised:
            environ["wsgi.input"].read()
        told.append(raised.value)
        return hello(environ, start_response)

    monkeypatch.setattr("contract.cli.tasks.Limits", lambda: Limits(read_seconds=0.05))
    with served(reads) as server, connected(server) as client:
        client.sendall(b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9000000\r\n\r\n")
        client.sendall(bytes(2_000_000))
        answer = client.recv(65_536)

        assert [each.code for each in told] == ["REQUEST_TIMEOUT"]
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


def test_what_came_of_a_body_is_read_however_late_the_app_asks_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("contract.cli.tasks.Limits", lambda: Limits(read_seconds=0.2))

    def computes(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        environ["wsgi.input"].read(1)
        assert all_sent.wait(PATIENCE)
        [known] = server._connections
        until(lambda: known.exchanges[0].body.due < monotonic() and has_come(known))
        environ["wsgi.input"].read()
        return hello(environ, start_response)

    all_sent = threading.Event()
    with served(computes) as server, connected(server) as client:
        head = b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1200000\r\nconnection: close\r\n\r\n"
        client.sendall(head + bytes(1_200_000))
        all_sent.set()
        answer = rest_of(client)

    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


def reads(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """An app that knows nothing of bodies that do not come."""
    environ["wsgi.input"].read()
    return hello(environ, start_response)


@pytest.mark.parametrize(
    ("goes", "status"), [(True, b"400 Bad Request"), (False, b"408 Request Timeout")]
)
def test_a_client_that_does_not_send_its_body_is_told_so_and_no_error_is_logged(
    goes: bool, status: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(
        "contract.cli.tasks.Limits", lambda: Limits(read_seconds=PATIENCE if goes else 0.05)
    )
    with served(reads) as server, connected(server) as client:
        client.sendall(b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9000000\r\n\r\n")
        client.sendall(bytes(2_000_000))
        if goes:
            client.shutdown(socket.SHUT_WR)

        assert client.recv(65_536).startswith(b"HTTP/1.1 " + status)
    assert caplog.text == ""


def test_late_bodies_are_refused_at_once_however_many_turns_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each refusal passes the lead on where several turns are free, and the next leader goes on."""
    monkeypatch.setattr("contract.cli.tasks.Limits", lambda: Limits(read_seconds=0.2))
    monkeypatch.setattr(module, "_LOOK", PATIENCE)
    with ExitStack() as stack:
        server = stack.enter_context(served())
        server.turns.granted += 3
        server.turns._free.extend([None] * 3)
        server.turns._grown = monotonic()
        clients = [stack.enter_context(connected(server)) for _ in range(20)]
        for client in clients:
            client.sendall(b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n")
        until(lambda: len(server._coming) == 20)
        until(lambda: all(each.exchanges[0].body.due < monotonic() for each in server._coming))
        server._looked = 0.0  # the next look is due, and none after that
        server._wake()

        for client in clients:
            assert client.recv(65_536).startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        monkeypatch.undo()


LARGE = 30_000_000


def large(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """More than the kernel keeps for a client."""
    start_response("200 OK", [])
    return [bytes(LARGE)]


def test_a_connection_that_has_ended_is_not_kept_until_the_collector_comes() -> None:
    """And with it an answer that nobody took."""

    def connections() -> list[SocketConnection]:
        return [each for each in gc.get_objects() if type(each) is SocketConnection]

    gc.collect()
    gc.disable()
    others = connections()

    def kept() -> bool:
        server._wake()  # it holds what it has just looked at
        return any(each not in others for each in connections())

    try:
        with served(large) as server:
            with connected(server) as client:
                client.sendall(GET)
                until(lambda: server.turns.done)
                until(lambda: server._connections)
            until(lambda: not kept())
    finally:
        gc.enable()


def test_a_client_that_takes_its_answer_when_the_server_stops_gets_all_of_it() -> None:
    with served(large) as server, connected(server) as client:
        client.sendall(GET)
        until(lambda: server.turns.done)
        stops = threading.Thread(target=server.stop)
        stops.start()
        # later than the look that closes the connections without a request
        until(lambda: server._stopped_at and server._looked > server._stopped_at + NEW)
        answer = rest_of(client)
        stops.join(PATIENCE)

    assert answer.endswith(bytes(LARGE))


def test_a_client_that_still_sends_is_not_reset_before_it_has_its_last_answer() -> None:
    with served() as server:
        answer = sent(server, LAST + bytes(5_000_000))

    assert answer.endswith(b"hello")


def test_what_a_client_sent_ahead_is_not_answered_after_the_last_answer() -> None:
    """And nothing of it resets the connection, before or after that."""
    with served() as server, connected(server) as client:
        server._draining.on = True
        client.sendall(GET * 3)
        answer = rest_of(client)
        client.sendall(GET)
        until(lambda: not client.recv(1))

    assert answer.count(b"HTTP/1.1 200 OK\r\n") == 1
    assert answer.endswith(b"hello")


@pytest.mark.parametrize("value", [b"100-continue", b"100-Continue"])
def test_a_client_is_told_to_go_on_however_it_asks(value: bytes) -> None:
    with served() as server, connected(server) as client:
        head = b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\nconnection: close\r\nexpect: "
        client.sendall(head + value + b"\r\n\r\n")
        told = client.recv(65_536)
        client.sendall(b"hi")

        assert told == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert rest_of(client).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_client_of_http_1_0_is_not_told_to_go_on() -> None:
    """RFC 9110, section 10.1.1: it would take that for the answer."""
    with served() as server, connected(server) as client:
        client.sendall(b"POST / HTTP/1.0\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n")
        until(lambda: server._coming)
        client.sendall(b"hi")

        assert rest_of(client).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_client_that_did_not_wait_to_be_told_can_use_its_connection_again() -> None:
    head = b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n"
    with served() as server:
        answers = sent(server, head + b"hi" + LAST)

    assert answers.count(b"HTTP/1.1 200 OK\r\n") == 2


def answering(status: str, *headers: tuple[str, str], whole: bool) -> App:
    """An app that answers so, with a body in parts or as a *whole*, and to others as it should."""

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        if environ["PATH_INFO"] == "/":
            return hello(environ, start_response)
        start_response(status, [*headers])
        return [b"body"] if whole else iter([b"body"])

    return app


SPLIT = ("x-split", "a\r\nx-more: b")
WRONG: list[tuple[str, tuple[str, str]]] = [
    ("200 OK", SPLIT),
    ("204 No Content", SPLIT),
    ("304 Not Modified", SPLIT),
    ("100 Continue", ("x-a", "b")),
    ("103 Early Hints", ("x-a", "b")),
]
LENGTHS = ["-4", "+4", "0_4", "four", "", "4, 4"]


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(("status", "header"), WRONG)
def test_an_answer_that_would_shift_the_next_one_is_a_500(
    status: str, header: tuple[str, str], whole: bool
) -> None:
    with served(answering(status, header, whole=whole)) as server:
        answers = sent(server, b"GET /wrong HTTP/1.1\r\nhost: a\r\n\r\n" + LAST)

    first, _, second = answers.partition(b'{"error":"INTERNAL_ERROR"}')
    assert first.startswith(b"HTTP/1.1 500 Internal Server Error\r\n")
    assert second.startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
@pytest.mark.parametrize("length", LENGTHS)
def test_an_answer_in_parts_whose_length_is_no_number_is_a_500(length: str, method: bytes) -> None:
    app = answering("200 OK", ("content-length", length), whole=False)
    with served(app) as server:
        answers = sent(server, method + b" /wrong HTTP/1.1\r\nhost: a\r\n\r\n" + LAST)

    assert answers.startswith(b"HTTP/1.1 500 Internal Server Error\r\n")
    assert answers.endswith(b"hello")


@pytest.mark.parametrize("whole", [True, False])
def test_a_204_has_no_length(whole: bool) -> None:
    app = answering("204 No Content", ("Content-Length", "4"), whole=whole)
    with served(app) as server:
        answers = sent(server, b"GET /none HTTP/1.1\r\nhost: a\r\n\r\n" + LAST)

    first, _, second = answers.partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 204 No Content\r\n")
    assert b"ength" not in first
    assert second.startswith(b"HTTP/1.1 200 OK\r\n")


@dataclass(frozen=True, slots=True)
class Photo:
    image: Annotated[Upload, MaxBytes(1_000_000)]


@route(summary="Keep a photo", tags=["photos"], auth="none")
def keep(input: Photo, ctx: None) -> int:
    """Keep a photo."""
    return input.image.size


@contextmanager
def largest_file(size: int) -> Generator[None]:
    """Like a disk that is full, to this process."""
    limit = resource.RLIMIT_FSIZE
    before = resource.getrlimit(limit)
    resource.setrlimit(limit, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(limit, before)


def test_a_disk_that_becomes_full_during_an_upload_ends_no_server() -> None:
    """What is left of the file cannot be written when it is closed, either."""
    app = WsgiApp(spec(routes=routes(keep), meta=Meta(title="Photos", version="1")))
    head = (
        b"POST /keep HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n"
        b"content-type: multipart/form-data; boundary=b\r\n\r\n"
    )
    with largest_file(70_000), served(app, app) as server:
        answer = sent(server, head + b"3e8\r\n%b\r\n" % bytes(1000) * 200)
        other = sent(server, LAST)

    assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert other.startswith(b"HTTP/1.1 404 Not Found\r\n")


def test_a_connection_that_the_system_refuses_to_watch_again_is_closed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, let_go = threading.Event(), threading.Event()

    def waits(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/waits":
            begun.set()
            assert let_go.wait(PATIENCE)
        return hello(environ, start_response)

    def refuses(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "too many")

    with served(waits, threads=2) as server, connected(server) as client:
        client.sendall(b"GET /waits HTTP/1.1\r\nhost: a\r\n\r\n")
        assert begun.wait(PATIENCE)
        client.sendall(GET)
        until(lambda: [each.parked for each in server._connections] == [True])
        monkeypatch.setattr(server._selector, "register", refuses)
        let_go.set()
        until(lambda: not server._connections)
        monkeypatch.undo()

        assert sent(server, LAST).endswith(b"hello")
    assert "a connection could not be served" in caplog.text


class OnceFull(socket.socket):
    """A socket whose client has no room when something is sent to it for the first time."""

    is_full = True

    def send(self, *data: Any) -> int:
        if self.is_full:
            self.is_full = False
            raise BlockingIOError
        return super().send(*data)


class Accepting(socket.socket):
    """A listening socket, whose connections are of that kind."""

    def accept(self) -> tuple[socket.socket, Any]:
        accepted, peer = super().accept()
        return OnceFull(fileno=accepted.detach()), peer


EXPECTING = b"POST %b HTTP/1.1\r\nhost: a\r\ncontent-length: %d\r\nconnection: close\r\nexpect: 100-continue\r\n\r\n"


@route(summary="s", tags=["t"], auth="none")
def other(input: None, ctx: None) -> str:
    raise NotImplementedError


@pytest.mark.parametrize("path", [b"/", b"/own/app"])
def test_a_client_that_had_no_room_to_be_told_to_go_on_is_told_so(path: bytes) -> None:
    """By the leader, which waits for the body, or by the thread of the app, which is called before."""
    own = WsgiApp(service_of(spec(routes=routes(other)), Options(prefix="/own")))
    size = 100_000
    listening = Accepting(fileno=socket.create_server(("127.0.0.1", 0)).detach())
    with served(reads, own, listening=listening) as server, connected(server) as client:
        client.sendall(EXPECTING % (path, size))
        assert client.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(bytes(size))
        answer = rest_of(client)

    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_request_that_comes_just_when_the_server_stops_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with served() as server, connected(server) as client:
        client.sendall(GET)
        assert client.recv(65_536).endswith(b"hello")
        [known] = server._connections
        finish = Server._finish

        def late(server: Server, now: float) -> None:
            monkeypatch.undo()
            client.sendall(GET)
            until(lambda: has_come(known))
            finish(server, now)

        monkeypatch.setattr(Server, "_finish", late)
        stops = threading.Thread(target=server.stop)
        stops.start()
        answer = rest_of(client)
        stops.join(PATIENCE)

    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.endswith(b"hello")


def test_what_comes_during_the_last_call_of_a_connection_does_not_reset_it() -> None:
    begun, let_go = threading.Event(), threading.Event()

    def waits(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        begun.set()
        assert let_go.wait(PATIENCE)
        return hello(environ, start_response)

    with served(waits) as server, connected(server) as client:
        client.sendall(LAST)
        assert begun.wait(PATIENCE)
        [known] = server._connections
        client.sendall(GET)
        until(lambda: known.parked)
        let_go.set()
        answer = rest_of(client)

    assert answer.endswith(b"hello")


@pytest.mark.parametrize("is_taken", [False, True])
def test_bodies_that_wait_for_a_thread_are_kept_only_as_far_as_there_is_room(
    is_taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that a thread has just taken is answered."""
    monkeypatch.setattr(module, "MOST_HELD", 1000)
    tried: list[Any] = []
    if is_taken:
        monkeypatch.setattr(Turns, "withdraw", lambda _, about: tried.append(about))
    let_go = threading.Event()

    def waits(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        assert let_go.wait(PATIENCE)
        return hello(environ, start_response)

    head = b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: %d\r\n\r\n"
    with ExitStack() as stack:
        server = stack.enter_context(served(waits, threads=1))
        clients = [stack.enter_context(connected(server)) for _ in range(3)]
        clients[0].sendall(GET)
        until(lambda: server.turns.full is not None)
        for client, size in zip(clients[1:], (600, 500), strict=True):
            client.sendall(head % size + bytes(size))
        if is_taken:
            until(lambda: tried)
        else:
            refused = clients.pop(1).recv(65_536)
            assert refused.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        let_go.set()

        for client in clients:
            assert client.recv(65_536).endswith(b"hello")


def test_a_refused_head_has_no_body() -> None:
    """RFC 9110, section 9.3.2."""
    with served() as server:
        answer = sent(server, b"HEAD / HTTP/1.1\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert answer.endswith(b"\r\n\r\n")


def test_a_client_that_takes_a_little_now_and_then_gets_all_of_a_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time is that in which it takes nothing."""
    monkeypatch.setattr("contract.cli.exchanges.STALLED", 1.5)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        theirs.setblocking(False)
        connection = SocketConnection(theirs, ("a", 1), Facts(("b", 2), {}, Draining()))
        ours.sendall(LAST)
        connection.read()
        connection.begin(200, [])
        sends = threading.Thread(target=connection.part, args=(bytes(60_000),))
        sends.start()
        ours.settimeout(PATIENCE)
        taken = 0
        while taken < 60_000:
            sleep(0.04)
            taken += len(ours.recv(1000))
        sends.join(PATIENCE)

    assert not connection.gone


def test_a_client_is_given_up_only_when_the_kernel_gets_rid_of_nothing_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The kernel has room for more only once a large part of what it has is taken."""
    monkeypatch.setattr("contract.cli.exchanges.STALLED", 0.05)
    left: list[int] = []
    monkeypatch.setattr("contract.cli.socket_connections.untaken", lambda _: left.pop())
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setblocking(False)
        while True:
            try:
                theirs.send(bytes(65_536))
            except BlockingIOError:
                break
        connection = SocketConnection(theirs, ("a", 1), Facts(("b", 2), {}, Draining()))
        ours.sendall(LAST)
        connection.read()
        left[:] = [3, 3, 4]
        connection.begin(200, [])
        connection.part(b"x")

    assert connection.gone
    assert left == []


def test_the_time_of_a_client_begins_anew_with_each_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two equal answers, a client that takes its time may leave as much."""
    monkeypatch.setattr(SocketConnection, "left", lambda _: 7)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        connection = SocketConnection(theirs, ("a", 1), Facts(("b", 2), {}, Draining()))
        connection.parse(LAST + LAST)
        first = connection.is_stalled(0.0)
        connection.end_first()
        second = [connection.is_stalled(now) for now in (100.0, 159.0, 160.0)]

    assert (first, second) == (False, [False, False, True])


def test_the_kernel_tells_what_a_client_has_not_taken() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(b"some")
        before = untaken(theirs)
        ours.recv(4)

        assert before > untaken(theirs) == 0
    assert untaken(theirs) == 0
