"""The listening socket, and what the kernel knows of it."""

from __future__ import annotations

import select
import socket
import sys

import pytest

from contract.cli import sockets
from contract.cli.output import Stop
from contract.cli.sockets import address_of, bind, drop_handshakes, listen, url_of, waiting
from tests.cli_inside import stopping
from tests.cli_servers import PATIENCE
from tests.tables import rows


def _listens(listening: socket.socket) -> tuple[str, int]:
    listen(listening, 8)
    return address_of(listening)


def test_port_0_is_a_free_one() -> None:
    with bind("127.0.0.1", 0) as listening:
        host, port = address_of(listening)

        assert (host, port > 0) == ("127.0.0.1", True)
        assert url_of(listening) == f"http://127.0.0.1:{port}"


@rows(
    "host, url, told",
    ("0.0.0.0", "http://127.0.0.1:", "http://0.0.0.0:"),
    ("::1", "http://[::1]:", "http://[::1]:"),
    ("localhost", "http://127.0.0.1:", "http://127.0.0.1:"),
    ("127.0.0.1", "http://127.0.0.1:", "http://127.0.0.1:"),
)
def test_a_url_can_be_used_from_here_and_a_log_tells_the_address(
    host: str, url: str, told: str
) -> None:
    with bind(host, 0) as listening:
        port = address_of(listening)[1]
        assert (url_of(listening), sockets.shown(listening)) == (f"{url}{port}", f"{told}{port}")


def test_a_port_that_is_in_use_is_told_about() -> None:
    with bind("127.0.0.1", 0) as first:
        listen(first, 8)
        port = address_of(first)[1]
        with stopping(f"port {port} on 127.0.0.1 is in use"):
            bind("127.0.0.1", port)


def test_of_two_that_are_bound_the_second_to_listen_is_told() -> None:
    with bind("127.0.0.1", 0) as first, bind("127.0.0.1", address_of(first)[1]) as second:
        listen(first, 8)
        with pytest.raises(Stop, match="is in use"):
            listen(second, 8)


def test_an_address_of_another_machine_is_told_about() -> None:
    with stopping(r"cannot listen on 192\.0\.2\.1, port 0: .*assign"):
        bind("192.0.2.1", 0)


@pytest.mark.parametrize("host", ["\udcff", "a\0b"])
def test_what_is_no_address_is_told_about(host: str) -> None:
    with stopping(r"cannot listen on .*: it is not an address"):
        bind(host, 0)


def test_what_is_in_the_queue_stays_and_nothing_is_added() -> None:
    with bind("127.0.0.1", 0) as listening, socket.socket() as early, socket.socket() as late:
        listen(listening, 8)
        early.connect(address_of(listening))
        before = waiting(listening)
        drop_handshakes(listening)
        late.setblocking(False)
        late.connect_ex(address_of(listening))
        completed = select.select([], [late], [], 0.2)[1]
        accepted, _ = listening.accept()
        with accepted:
            early.sendall(b"hello")

            assert (before, completed) == (1, [])
            assert accepted.recv(5) == b"hello"
            assert waiting(listening) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux drops such a client")
def test_a_client_that_takes_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "_STALLED", 200)
    with bind("127.0.0.1", 0) as listening, socket.create_connection(_listens(listening)):
        accepted, _ = listening.accept()
        accepted.settimeout(PATIENCE)
        with accepted, pytest.raises(TimeoutError, match="Connection timed out"):
            accepted.sendall(bytes(100_000_000))


def test_a_closed_socket_has_no_queue() -> None:
    listening = bind("127.0.0.1", 0)
    listening.close()
    drop_handshakes(listening)

    assert waiting(listening) == 0


def test_elsewhere_nothing_is_known_of_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with bind("127.0.0.1", 0) as listening, socket.socket() as client:
        listen(listening, 8)
        client.connect(address_of(listening))
        drop_handshakes(listening)

        assert waiting(listening) == 0
