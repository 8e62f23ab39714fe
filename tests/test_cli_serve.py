"""``contract serve``: real servers, and how they stop (SECURITY-REQUIREMENTS, section 11)."""

from __future__ import annotations

import http.client
import json
import os
import re
import resource
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path

import pytest

from contract.cli.serve import _connections
from tests import cli_servers
from tests.cli_apps import ASYNC_SHOP, MOUNTED, PAYMENTS, SHOP, TWO_MOUNTS
from tests.cli_inside import having, refused
from tests.cli_servers import PATIENCE, Server, alive, contract, exchange, running, until
from tests.tables import rows

EACH_INTERFACE = pytest.mark.parametrize(
    "folder", [SHOP, ASYNC_SHOP], ids=["wsgi", "asgi"], indirect=True
)


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with a shop, sync unless the test says otherwise."""
    return having(tmp_path, getattr(request, "param", SHOP))


@EACH_INTERFACE
def test_a_call_in_flight_is_finished_and_new_connections_are_refused(folder: Path) -> None:
    """It ends only after one was refused."""
    shop = folder / "shop.py"
    until_woken = r"\1while not pathlib.Path('woken').exists():\n\1    \2(0.01)"
    shop.write_text(re.sub(r"( +)(.*sleep)\(input\)", until_woken, shop.read_text()))
    with running("serve", "shop:api", cwd=folder) as server:
        with _napping(server, 0) as replies:
            server.process.terminate()
            until(lambda: _refused(server))
            (folder / "woken").touch()
            code = server.process.wait(PATIENCE)

        assert (replies, code) == ([(200, b'"awake"')], 0)
        assert "stopped" in server.text()
        assert f"MCP on http://127.0.0.1:{server.port}/mcp" in server.text()


@EACH_INTERFACE
def test_every_request_that_was_accepted_gets_its_reply(folder: Path) -> None:
    """Under load, whatever the server has let in, it answers, on new connections and on kept ones. Then it refuses."""
    with running("serve", "shop:api", "--workers", "2", cwd=folder) as server:
        seen: Counter[str] = Counter()
        clients = [
            threading.Thread(target=_load, args=(server, seen, i % 2 == 0)) for i in range(16)
        ]
        for client in clients:
            client.start()
        until(lambda: seen["200"] > 100)
        code = server.stop()
        for client in clients:
            client.join(PATIENCE)

        assert (code, set(seen), seen["refused"]) == (0, {"200", "refused"}, len(clients))


@pytest.mark.measured
@EACH_INTERFACE
def test_connections_that_wait_to_be_accepted_get_their_replies(folder: Path) -> None:
    """One connection is served at a time, so the others are in the kernel's queue when the signal comes."""
    with running("serve", "shop:api", "--concurrency", "1", cwd=folder) as server:
        connections = [server.connection() for _ in range(8)]
        for connection in connections:
            connection.connect()
        replies: list[tuple[int, bytes]] = []
        calls = [
            threading.Thread(target=lambda held=connection: replies.append(_nap_on(held, 0.1)))
            for connection in connections
        ]
        for call in calls:
            call.start()
        until((server.log.parent / "napping").exists)
        code = server.stop()
        for call in calls:
            call.join(PATIENCE)

        assert (code, replies) == (0, [(200, b'"awake"')] * 8)


@EACH_INTERFACE
def test_ctrl_c_in_a_terminal_reaches_every_process_and_still_stops_in_order(folder: Path) -> None:
    with running("serve", "shop:api", "--workers", "2", cwd=folder) as server:
        with _napping(server, 0.7) as replies:
            # until a worker has left the group, Ctrl-C is for it as well
            until(lambda: len(_leaders(server.process.pid)) == 2, pause=0.1)
            os.killpg(server.process.pid, signal.SIGINT)
            code = server.process.wait(PATIENCE)

        assert (code, replies) == (0, [(200, b'"awake"')])
        assert "Unexpected" not in server.text()


@EACH_INTERFACE
def test_while_the_server_lingers_the_health_route_says_so(folder: Path) -> None:
    """Until a second signal, which waits for nobody."""
    with running("serve", "shop:api", "--linger", "600", cwd=folder) as server:
        healthy = server.get("/healthz")
        server.process.terminate()
        reply = until(lambda: (found := server.get("/healthz")).status == 503 and found)
        still = server.post("/order", b'{"product_id": "p1"}')
        code = server.stop()

        assert (healthy.body, "connection" in healthy.headers) == (b'{"ready":true}', False)
        assert reply.headers["connection"] == "close"
        assert (still.status, still.headers["connection"], code) == (200, "close", 0)


@EACH_INTERFACE
def test_a_call_that_does_not_end_is_cut_off(folder: Path) -> None:
    with running("serve", "shop:api", "--stop-timeout", "1", cwd=folder) as server:
        with _napping(server, 60):
            began = time.monotonic()
            code = server.stop()

        assert (time.monotonic() - began < 8, code) == (True, 0)
        assert "worker-1 is killed: its calls did not end within 1 s" in server.text()


@EACH_INTERFACE
def test_workers_end_with_a_parent_that_was_killed(folder: Path) -> None:
    with running("serve", "shop:api", "--workers", "2", cwd=folder) as server:
        workers = cli_servers.children(server.process)
        server.process.kill()
        server.process.wait()

        assert len(workers) == 2, server.text()
        until(lambda: not any(map(alive, workers)))


@pytest.fixture(scope="module", params=[SHOP, ASYNC_SHOP], ids=["wsgi", "asgi"])
def plain(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server with no options; its environment holds names that look like headers."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "shop.py").write_text(request.param)
    hidden = {"HTTP_PROXY": "http://proxy.example", "HTTP_X_HIDDEN": "secret"}
    with running("serve", "shop:api", cwd=folder, **hidden) as server:
        yield server


def test_large_headers_are_refused(plain: Server) -> None:
    begun = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
    larges = [b"X-Large: " + b"x" * size + b"\r\n" for size in (200_000, 65_536)]

    for headers in (*larges, b"X-Many: 1\r\n" * 200):
        assert b" 200 " not in _rest(_open(plain, begun + headers + b"\r\n"))
    assert plain.get("/healthz").status == 200


@pytest.mark.parametrize("body", [b"1\r\n0\r\n", b"1\r\n0\r\nzz\r\n", b"5\r\n0"])
def test_a_body_in_chunks_that_breaks_off_is_refused(plain: Server, body: bytes) -> None:
    connection = _open(plain, _CHUNKED + body)
    connection.shutdown(socket.SHUT_WR)
    reply = _rest(connection)

    assert b" 400 " in reply or reply == b"", "who has hung up may get nothing"


def test_a_body_in_chunks_is_read(plain: Server) -> None:
    assert b'"awake"' in _rest(_open(plain, _CHUNKED + b"1\r\n0\r\n0\r\n\r\n"))


_CHUNKED = b"POST /nap HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"


def test_a_client_that_sends_all_before_it_reads_gets_the_answer(plain: Server) -> None:
    """As nginx does, which says 502 where it can send no more (RFC 9112, section 9.6)."""
    large = b"[" + b"1," * 2_500_000 + b"1]"
    head = b"Host: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(large)
    with closing(socket.create_connection(("127.0.0.1", plain.port), PATIENCE)) as client:
        for line, status in ((b"POST /nothing", 404), (b"POST /nap", 413), (b"POST /me", 401)):
            client.sendall(line + b" HTTP/1.1\r\n" + head + large)
            assert _status(client) == status
    wrong = b"POST /me HTTP/1.1\r\nAuthorization: Bearer wrong\r\n"
    with _open(plain, wrong + head) as client:
        assert _status(client) == 401, "before there is a body"
        client.sendall(large + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert _status(client) == 200, "the connection is used again"
    with closing(socket.create_connection(("127.0.0.1", plain.port), PATIENCE)) as client:
        client.sendall(b"POST /me HTTP/1.1\r\nHost: y\r\n" + head + large)
        assert _status(client) == 400


@EACH_INTERFACE
def test_bodies_that_come_too_slowly_are_refused_and_cost_no_thread(folder: Path) -> None:
    """A hundred connections with a byte of a body each, where two calls may run at once. Whoever has them finds them closed."""
    shop = folder / "shop.py"
    source = shop.read_text()
    of_the_mount = 'health_path="/up", limits=Limits(read_seconds=0.5)'
    mount = f'mount = mount_spec(falcon{".asgi" * ("async def" in source)}.App(), api, prefix="/v1", {of_the_mount})\n'
    shop.write_text(
        f"{source}\nimport falcon.asgi\nfrom contract import Limits, mount_spec\n{mount}"
    )
    with running("serve", "shop:mount", "--threads", "2", cwd=folder, health="/v1/up") as server:
        before = server.post("/v1/process").body
        slow = [_open(server, _BEGUN.replace(b" /", b" /v1/")) for _ in range(100)]
        replies = [server.post("/v1/process") for _ in range(3)]

        assert [(reply.status, reply.body) for reply in replies] == [(200, before)] * 3
        assert all(b" 408 " in _rest(connection) for connection in slow)
        assert server.post("/v1/process").body == before


def test_what_can_be_refused_is_refused_before_its_body(plain: Server) -> None:
    head = b"Host: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{"

    def line(request: bytes, length: int) -> bytes:
        with _open(plain, request + b" HTTP/1.1\r\n" + head % length) as connection:
            return connection.recv(99)[:12]

    assert line(b"POST /me", 9) == b"HTTP/1.1 401"
    assert line(b"POST /nap", 9_999_999) == b"HTTP/1.1 413"
    assert line(b"POST /nothing", 9) == b"HTTP/1.1 404"
    assert line(b"PUT /nap", 9) == b"HTTP/1.1 405"


def test_whoever_may_not_call_is_told_so_though_the_body_does_not_come(plain: Server) -> None:
    """And long before the body is too late."""
    head = b"POST /me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer wrong\r\n"
    began = time.monotonic()
    for announced in (b"Content-Length: 4", b"Transfer-Encoding: chunked"):
        with _open(plain, head + announced + b"\r\n\r\n") as connection:
            assert connection.recv(99).startswith(b"HTTP/1.1 401")

    assert time.monotonic() - began < 20, "a body may take 30 s"


_BEGUN = b"POST /order HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"


def test_the_environment_is_not_taken_for_headers(plain: Server) -> None:
    assert plain.post("/header", b'"proxy"').body == b"null"
    assert plain.post("/header", b'"x-hidden"').body == b"null"
    assert plain.post("/header", b'"x-hidden"', x_hidden="shown").body == b'"shown"'


def test_the_log_is_json_where_nobody_looks_on(plain: Server) -> None:
    plain.post("/me", x_request_id="known-1", authorization="Bearer secret")
    line = until(
        lambda: next((line for line in plain.text().splitlines() if "known-1" in line), None)
    )

    assert (json.loads(line)["code"], json.loads(line)["status"]) == ("OK", 200)
    assert all(line.startswith("{") for line in plain.text().splitlines())


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with every limit set low."""
    folder = tmp_path_factory.mktemp("strict")
    (folder / "shop.py").write_text(SHOP)
    of_the_spec = "--prefix /v1 --max-body 40 --health-path /up --deadline 0.2 --threads 2"
    of_the_server = "--interface asgi --log-format text --concurrency 1 --header-timeout 0.6"
    of_workers = "--backlog 128 --worker-lifetime 3600 --worker-memory 4096"
    options = f"{of_the_spec} {of_the_server} {of_workers}".split()
    with running("serve", "shop:api", *options, cwd=folder, health="/v1/up") as server:
        yield server


def test_slow_headers_are_not_waited_for(strict: Server) -> None:
    assert b" 200 " not in _rest(_open(strict, b"POST /v1/order HTTP/1.1\r\nHost:"))


def test_idle_connections_are_closed_and_no_more_are_served_than_allowed(strict: Server) -> None:
    idle = _open(strict, b"GET /v1/up HTTP/1.1\r\nHost: x\r\n\r\n")
    until(lambda: idle.recv(1, socket.MSG_PEEK))
    began = time.monotonic()
    second = strict.get("/v1/up")
    waited = time.monotonic() - began

    assert second.status == 200
    assert waited > 0.3, "it was served beside the first connection, which was idle but open"
    assert _rest(idle).count(b"HTTP/1.1 200") == 1


def test_the_options_of_a_spec_are_on_the_command_line(strict: Server) -> None:
    assert strict.post("/v1/order", b'{"product_id": "p1"}').status == 200
    assert strict.post("/v1/order", b'{"product_id": "%s"}' % (b"p" * 40)).status == 413
    assert strict.post("/v1/nap", b"1").status == 504
    assert json.loads(strict.get("/v1/healthz").body)["error"] == "ROUTE_NOT_FOUND"
    assert "with 1 ASGI worker" in strict.text()
    assert "{" not in strict.text(), "the log is text"


def test_without_keep_alive_each_reply_closes_its_connection(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(MOUNTED)
    with running("serve", "shop.py", "--no-keep-alive", cwd=tmp_path, health="/v1/up") as server:
        assert b" 200 " in _rest(_open(server, b"GET /v1/up HTTP/1.1\r\nHost: x\r\n\r\n"))
        assert server.post("/v1/ping").body == b'"pong"'
        expected = (
            f"serving shop.py, 1 route, on http://127.0.0.1:{server.port}/v1 with 1 WSGI worker"
        )
        assert expected in server.text()
        until(lambda: f"docs on http://127.0.0.1:{server.port}/v1/docs/" in server.text())
        assert (server.get("/v1/docs/").status, "MCP on" in server.text()) == (200, False)


@EACH_INTERFACE
def test_that_it_serves_is_told_when_a_worker_does(folder: Path) -> None:
    waits = (
        "import multiprocessing, pathlib, time\n"
        "while 'probe' not in multiprocessing.current_process().name:\n"
        "    if pathlib.Path('go').exists():\n"
        "        break\n"
        "    time.sleep(0.01)\n"
    )
    shop = folder / "shop.py"
    shop.write_text(waits + shop.read_text())
    command = ("serve", "shop.py", "--workers", "2")
    with running(*command, cwd=folder, health=None, ready="starting shop.py") as server:
        before = server.text()
        (folder / "go").touch()
        until(lambda: "serving shop.py, " in server.text())
        server.stop()

        assert "serving" not in before
        assert server.text().count("serving") == 1


@pytest.mark.measured
def test_a_secret_that_is_not_there_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "pay.py").write_text(PAYMENTS)
    with running("serve", "pay.py", cwd=tmp_path, health=None) as server:
        told = [json.loads(line) for line in server.text().splitlines()]

        assert server.get("/healthz").status == 503
    (warning,) = [line["message"] for line in told if line["level"] == "warning"]
    lacks = "paid has no secret to know its senders by: KeyError"
    answers = "its messages are answered with 500, and the health route with 503"
    assert warning == f"{lacks}; {answers}"


def test_every_mount_of_an_app_is_served(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(TWO_MOUNTS)
    with running("serve", "shop:mount", cwd=tmp_path, health="/v1/up") as server:
        assert [server.post(path).body for path in ("/v1/ping", "/v2/ping")] == [b'"pong"'] * 2
        assert server.post("/else").status == 404
        assert b"answer below /v1 and /v2." in server.post("/else").body
        expected = f"2 routes, on http://127.0.0.1:{server.port}/v1 and /v2 with 1 ASGI worker"
        assert expected in server.text()
        assert server.stop() == 0


def test_a_port_in_use_is_one_line(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused("serve shop:api --port", port, cwd=folder)

    told = f"contract: port {port} on 127.0.0.1 is in use; stop what uses it, or take another: "
    assert said == f"{told}--port 0 picks a free one\n"


def test_an_app_that_cannot_be_imported_ends_with_the_frames_of_its_author(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("import json\n\njson.loads('nonsense')\n")
    done = contract("serve shop:api --port 0", cwd=tmp_path)
    text = done.stderr.decode()

    assert (done.returncode, text.count("File ")) == (3, 1)
    assert 'shop.py", line 3' in text
    assert "JSONDecodeError" in text


@pytest.mark.measured
def test_an_app_whose_import_ends_the_process_is_told_about(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("import os\nos._exit(7)\n")
    done = contract("serve shop:api --port 0", cwd=tmp_path)

    assert (done.returncode, b"exit code 7" in done.stderr) == (3, True)


@contextmanager
def _napping(server: Server, seconds: float) -> Iterator[list[tuple[int, bytes]]]:
    """What the calls that nap have been answered; one naps at once, and is waited for at the end."""
    replies: list[tuple[int, bytes]] = []
    call = threading.Thread(target=lambda: replies.append(_nap_on(server.connection(), seconds)))
    call.start()
    until((server.log.parent / "napping").exists)
    yield replies
    call.join(PATIENCE)


def _nap_on(connection: http.client.HTTPConnection, seconds: float) -> tuple[int, bytes]:
    try:
        with closing(connection):
            reply = exchange(connection, "POST", "/nap", json.dumps(seconds).encode())
    except (OSError, http.client.HTTPException) as lost:
        return 0, repr(lost).encode()
    return reply.status, reply.body


def _refused(server: Server) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=0.2).close()
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False


def _leaders(parent: int) -> list[int]:
    """The children of *parent* that have a process group of their own."""
    rows = [[int(number) for number in row] for row in cli_servers.processes("pid=,ppid=,pgid=")]
    return [child for child, its_parent, group in rows if its_parent == parent and child == group]


def _load(server: Server, seen: Counter[str], keep: bool) -> None:
    with closing(server.connection()) as connection:
        seen[_last(connection, seen, keep)] += 1


def _last(connection: http.client.HTTPConnection, seen: Counter[str], keep: bool) -> str:
    """Call until there is no reply, and say why there is none."""
    while True:
        try:
            if connection.sock is None:
                connection.connect()
        except ConnectionRefusedError:
            return "refused"
        try:
            reply = exchange(connection, "POST", "/nap", b"0.01")
        except (OSError, http.client.HTTPException) as lost:  # what may not happen
            return repr(lost)
        seen[str(reply.status)] += 1
        if not keep or reply.headers.get("connection") == "close":
            connection.close()


def _open(server: Server, data: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    connection.sendall(data)
    return connection


def _rest(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    received = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65_536):
            received += part
    connection.close()
    return received


def _status(client: socket.socket) -> int:
    """The status of the next response, which is read to its end."""
    response = HTTPResponse(client)
    response.begin()
    response.read()
    return response.status


# The connections of a worker.


NONE = resource.RLIM_INFINITY


@rows(
    "soft, hard, raised, connections",
    (1024, NONE, 8448, 8192),
    (1024, 1_000_000, 8448, 8192),
    (1024, 4096, 4096, 3840),
    (100, 100, 100, 1),
    (20_000, 20_000, None, 8192),
    (NONE, NONE, None, 8192),
)
def test_open_files_bound_connections(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int | None, connections: int
) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: given.append(limits))

    assert (_connections(), given) == (connections, [] if raised is None else [(raised, hard)])
