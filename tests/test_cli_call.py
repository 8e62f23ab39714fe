"""``contract call``: in this process, and over HTTP."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from contract.cli.call import _readable
from contract.cli.output import Stop
from contract.cli.remote import post
from tests.cli_apps import ASYNC_SHOP, MOUNTED, TWO_MOUNTS
from tests.cli_inside import run

ORDER = '{"product_id": "p1", "quantity": 3}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(ASYNC_SHOP)
    return tmp_path


def test_a_success_is_written_and_gives_0(folder: Path) -> None:
    done = run("call", "order", ORDER, "--app", "shop.py", cwd=folder)

    assert (done.returncode, done.stdout) == (0, b'{"order_id":"o1","price_cents":300}\n')
    assert done.stderr.decode().startswith("200 order  request ")


def test_a_failure_is_written_and_gives_1(folder: Path) -> None:
    done = run("call", "order", '{"product_id": "none"}', cwd=folder)

    assert (done.returncode, json.loads(done.stdout)) == (1, {"error": "SOLD_OUT", "data": {"restock_days": 3}})
    assert done.stderr.startswith(b"409 order")


@pytest.mark.parametrize(
    ("arguments", "data", "reply"),
    [
        (["order", "-"], ORDER.encode(), b'{"order_id":"o1","price_cents":300}\n'),
        (["order", "@order.json"], b"", b'{"order_id":"o1","price_cents":300}\n'),
        (["nap", "0"], b"", b'"awake"\n'),
        (["me", "--token", "secret"], b"", b'"ada"\n'),
    ],
)
def test_an_input_comes_from_anywhere(folder: Path, arguments: list[str], data: bytes, reply: bytes) -> None:
    (folder / "order.json").write_text(ORDER)
    done = run("call", *arguments, cwd=folder, data=data)

    assert (done.returncode, done.stdout) == (0, reply)


@pytest.mark.parametrize(
    ("arguments", "status"), [(["me"], b"401"), (["me", "--token", "wrong"], b"401"), (["ordér"], b"404"), (["order", "{"], b"400")]
)
def test_a_refusal_is_a_failure_like_others(folder: Path, arguments: list[str], status: bytes) -> None:
    done = run("call", *arguments, cwd=folder)

    assert (done.returncode, done.stderr[:3]) == (1, status)
    assert "error" in json.loads(done.stdout)


def test_what_a_resolver_raised_is_told_to_people(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(ASYNC_SHOP.replace('return "awake"', "return 1 / 0"))
    done = run("call", "nap", "0", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (1, b'{"error":"INTERNAL_ERROR"}\n')
    assert b"ZeroDivisionError" in done.stderr


def test_an_absent_file_is_wrong_usage(folder: Path) -> None:
    done = run("call", "order", "@absent.json", cwd=folder)

    assert (done.returncode, done.stderr) == (2, b"contract: cannot read absent.json: No such file or directory\n")


@pytest.mark.parametrize("source", [MOUNTED, TWO_MOUNTS])
def test_a_route_of_a_mount_is_called_by_its_name(tmp_path: Path, source: str) -> None:
    (tmp_path / "shop.py").write_text(source)

    assert run("call", "ping", cwd=tmp_path).stdout == b'"pong"\n'


def test_an_app_without_a_spec_has_nothing_to_call(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("import falcon\napp = falcon.App()\n")
    done = run("call", "ping", "--app", "shop:app", cwd=tmp_path)

    assert (done.returncode, done.stderr) == (3, b"contract: there is no spec mounted in that app\n")


def test_a_terminal_gets_indented_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)

    assert _readable(b'{"a":[1]}') == '{\n  "a": [\n    1\n  ]\n}'
    assert _readable(b"<html>") == "<html>"


class _Handler(BaseHTTPRequestHandler):
    """Tells what it was sent, or what its path asks for."""

    def do_POST(self) -> None:
        sent = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(sent["content-length"]))
        if self.path == "/large":
            self._reply(200, b" " * (16 * 1024 * 1024 + 1))
        elif self.path == "/moved":
            self._reply(302, b"")
        elif self.path == "/broken":
            self.wfile.write(b"SSH-2.0\r\n\r\n")
        else:
            self._reply(200, json.dumps({"path": self.path, "headers": sent, "body": body.decode()}).encode())

    def _reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Request-Id", "r1")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_server_is_called_as_it_is_in_process(url: str, tmp_path: Path) -> None:
    done = run("call", "order", ORDER, "--url", f"{url}/v1/", "--token", "secret", cwd=tmp_path)
    sent = json.loads(done.stdout)

    assert (done.returncode, done.stderr) == (0, b"200 order  request r1\n")
    assert (sent["path"], sent["body"]) == ("/v1/order", ORDER)
    assert (sent["headers"]["authorization"], sent["headers"]["content-type"]) == ("Bearer secret", "application/json")


def test_a_name_is_one_segment_of_the_path(url: str) -> None:
    status, headers, reply = post(url, "a/b c", {"content-length": "0"}, b"")

    assert (status, headers["x-request-id"], json.loads(reply)["path"]) == (200, "r1", "/a%2Fb%20c")


def test_nothing_is_followed(url: str) -> None:
    assert post(url, "moved", {"content-length": "0"}, b"")[0] == 302


def test_a_reply_without_a_body_writes_none(url: str, tmp_path: Path) -> None:
    done = run("call", "moved", "--url", url, cwd=tmp_path)

    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize(
    "wrong", ["ftp://h", "h", "http://", "http://h:x", "http://h/?q=1", "http://h/#f", "http://user@h", "http://[h", "file:///etc/passwd"]
)
def test_what_is_no_url_of_a_spec_is_wrong_usage(wrong: str) -> None:
    with pytest.raises(Stop, match="is not where a spec is served") as stopped:
        post(wrong, "order", {}, b"")

    assert stopped.value.code == 2


def test_what_cannot_be_fetched_is_told_about(url: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(Stop, match=r"cannot fetch from .*: .*refused") as refused:
            post(f"http://127.0.0.1:{port}", "order", {"content-length": "0"}, b"")
    with pytest.raises(Stop, match="cannot fetch from http:") as broken:
        post(url, "broken", {"content-length": "0"}, b"")
    with pytest.raises(Stop, match="cannot fetch from https:") as plain:
        post(url.replace("http:", "https:"), "order", {"content-length": "0"}, b"")
    with pytest.raises(Stop, match="is larger than 16 MiB") as large:
        post(url, "large", {"content-length": "0"}, b"")

    assert {stopped.value.code for stopped in (refused, broken, plain, large)} == {3}
