"""Where a document may come from: files, folders, URLs, git and specs; and what is there instead."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from argparse import Namespace
from pathlib import Path

import pytest

from contract.cli.http import Access, fetch, fetch_newer
from contract.cli.output import Stop
from contract.cli.sources import MAX_BYTES, asked_as, document_at
from tests.cli_apps import BARE, MOUNTED
from tests.cli_inside import having, inside, run, stopping
from tests.cli_urls import documents
from tests.client_servers import Server, always, closed_port, once, response, serving
from tests.tables import rows


@pytest.fixture
def emitted(tmp_path: Path) -> bytes:
    (tmp_path / "made").mkdir()
    return run("emit app.py", cwd=having(tmp_path / "made", BARE, "app.py")).stdout


def stopped(text: str, folder: Path) -> tuple[int, str]:
    with inside(folder), pytest.raises(Stop) as stop:
        document_at(text)
    return stop.value.code, stop.value.message


def test_a_file_and_its_folder(tmp_path: Path, emitted: bytes) -> None:
    (tmp_path / "contract.json").write_bytes(emitted)
    with inside(tmp_path):
        assert document_at("contract.json") == document_at(".") == document_at(str(tmp_path))


@rows("source, target", (BARE, "app:api"), (BARE, "app.py"), (MOUNTED, "app.py:app"))
def test_a_spec(tmp_path: Path, source: str, target: str) -> None:
    with inside(having(tmp_path, f"print('hello')\n{source}", "app.py")):
        assert [*document_at(target, visibility="all").routes] == ["ping"]


NO_DOCUMENT = "is not a contract document: $"


@rows(
    "data, problem",
    (b"", f"{NO_DOCUMENT}: "),
    (b"\xff\xfe", f"{NO_DOCUMENT}: "),
    (b"[" * 10_000, NO_DOCUMENT),
    (b'{"contract": "2.0"}', f"{NO_DOCUMENT}.contract: "),
    (b" " * (MAX_BYTES + 1), "is larger than 16 MiB"),
)
def test_a_file_that_is_no_document(tmp_path: Path, data: bytes, problem: str) -> None:
    (tmp_path / "contract.json").write_bytes(data)
    code, message = stopped("contract.json", tmp_path)

    assert code == 3
    assert message.startswith(f"contract.json {problem}")
    assert "\n" not in message


def test_what_is_not_there(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    found = stopped("absent.json", tmp_path)
    assert found == (3, "cannot read absent.json: No such file or directory")
    assert stopped("pipe", tmp_path) == (3, "pipe is not a file")
    assert stopped("absent:api", tmp_path)[0] == 3


# Git.


@pytest.fixture
def repository(tmp_path: Path, emitted: bytes) -> Path:
    folder = tmp_path / "repository"
    (folder / "sub").mkdir(parents=True)
    (folder / "contract.json").write_bytes(emitted)
    (folder / "sub" / "contract.json").write_bytes(emitted)
    (folder / "large.json").write_bytes(b" " * (MAX_BYTES + 1))
    author = ["-c", "user.name=t", "-c", "user.email=t@t.example"]
    for command in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "one"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    (folder / "contract.json").unlink()
    return folder


def test_a_revision_of_a_repository(repository: Path) -> None:
    with inside(repository):
        assert [*document_at("git:HEAD:contract.json").routes] == ["ping"]
    with inside(repository / "sub"):
        assert document_at("git:HEAD:contract.json") == document_at("git:HEAD:./contract.json")


@rows("revision", "HEAD", ":contract.json", "HEAD:", "HEAD:a\nHEAD:contract.json", "HEAD:\0")
def test_what_names_nothing_in_git_is_wrong_usage(repository: Path, revision: str) -> None:
    text = f"git:{revision}"
    found = stopped(text, repository)
    assert found == (2, f"{text!r} names nothing in git; write it like git:main:contract.json")


@pytest.mark.parametrize("text", ["git:HEAD:absent.json", "git:HEAD:sub"])
def test_what_is_not_in_git(repository: Path, text: str) -> None:
    code, message = stopped(text, repository)

    assert (code, message[:16]) == (3, "git has no file ")


@pytest.mark.parametrize("text", ["git:absent:contract.json", "git:--batch:x", "git:-p:--textconv"])
def test_a_revision_that_git_does_not_know_is_told(repository: Path, text: str) -> None:
    """Options are not options there."""
    revision = text.split(":")[1]

    expected = (3, f"git knows no revision {revision!r} here; fetch it first, or write another")
    assert stopped(text, repository) == expected


def test_a_large_file_in_git(repository: Path) -> None:
    found = stopped("git:HEAD:large.json", repository)
    assert found == (3, "git:HEAD:large.json is larger than 16 MiB")


def test_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    code, message = stopped("git:HEAD:contract.json", tmp_path)

    assert code == 3
    assert message.startswith("git cannot tell: fatal: not a git repository")


@rows(
    "script, message",
    (None, "git:REV:PATH needs git, which is not installed"),
    ("#!/bin/sh\nexit 7\n", "git cannot tell: it ended with 7"),
    ("#!/bin/sh\nexec sleep 60\n", "git has not answered for 0.2 seconds"),
)
def test_a_git_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, message: str
) -> None:
    binaries = tmp_path / "bin"
    binaries.mkdir()
    sleep = shutil.which("sleep")
    assert sleep is not None
    (binaries / "sleep").symlink_to(sleep)
    if script is not None:
        (binaries / "git").write_text(script)
        (binaries / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(binaries))
    monkeypatch.setattr("contract.cli.sources._GIT_SECONDS", 0.2)

    assert stopped("git:HEAD:contract.json", tmp_path) == (3, message)


# URLs.


@rows("path", "", "/", "/v1", "/v1/", "/v1/contract.json", "/o.json", "/v1?a=b")
def test_the_url_of_a_mount_or_of_a_document(tmp_path: Path, emitted: bytes, path: str) -> None:
    with documents(emitted) as server, inside(tmp_path):
        assert [*document_at(f"{server.url}{path}").routes] == ["ping"]
        [(asked, headers)] = server.asked
    assert asked.endswith(".json?a=b" if "?" in path else ".json")
    assert headers.keys() == {"host", "accept", "accept-encoding"}


LOCAL = "://127.0.0.1/contract.json"
NOT_FOLLOWED = "where it is not followed"
NOT_ASKED_FOR = "although that was not asked for"


def moved(to: str) -> bytes:
    return response(b"", "307 Temporary Redirect", location=to)


def test_a_redirect_is_followed(tmp_path: Path, emitted: bytes) -> None:
    with serving(always(moved("/v1/contract.json"), response(emitted))) as server, inside(tmp_path):
        assert [*document_at(server.url).routes] == ["ping"]
    found = [head.split()[1] for head in server.requests]
    assert found == [b"/contract.json", b"/v1/contract.json"]


@rows(
    "answer, problem",
    (response(b"<html>", "404 Not Found"), "the server answers 404"),
    (moved("file:///etc/passwd"), f"it redirects to 'file:///etc/passwd', {NOT_FOLLOWED}"),
    (moved(f"https{LOCAL}"), f"it redirects to 'https{LOCAL}', {NOT_FOLLOWED}"),
    (moved("/contract.json"), "it redirects more than 5 times"),
    (response(b"", "302 Found"), "it redirects more than 5 times"),
    (response(b"", content_encoding="gzip"), f"the answer is packed ('gzip'), {NOT_ASKED_FOR}"),
    (response(b" " * (MAX_BYTES + 1)), "the answer is larger than 16 MiB"),
    (response(b"{}", content_length="100"), "the answer ends early"),
    (b"SSH-2.0\r\n\r\n", "SSH-2.0"),
)
def test_what_cannot_be_fetched(tmp_path: Path, answer: bytes, problem: str) -> None:
    with serving(once(answer)) as server:
        code, message = stopped(server.url, tmp_path)

    assert code == 3
    assert message.startswith(f"cannot fetch {server.url}/contract.json: ")
    assert problem in message


def test_a_server_that_takes_its_time() -> None:
    """Every byte begins the timeout of a socket again."""

    def slow(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while not server.over.wait(0.01):
            connection.sendall(b" ")

    slowly = r"it took longer than 0\.3 seconds"
    with serving(slow) as server, pytest.raises(Stop, match=slowly) as stop:
        fetch(f"{server.url}/contract.json", limit=MAX_BYTES, access=Access(seconds=0.3))

    assert stop.value.code == 3


def test_nobody_is_there() -> None:
    with pytest.raises(Stop, match=r"cannot fetch .*refused"):
        fetch(f"http://127.0.0.1:{closed_port()}/contract.json", limit=MAX_BYTES)
    with documents(None) as server:
        with pytest.raises(Stop, match="cannot fetch https:"):
            fetch(server.url.replace("http:", "https:"), limit=MAX_BYTES)
        with pytest.raises(Stop, match="it took longer than 0 seconds"):
            fetch(server.url, limit=MAX_BYTES, access=Access(seconds=0.0))


@rows(
    "text",
    *("ftp://h/contract.json", "file:///etc/passwd", "http://", "http://h:x", "http://h:0"),
    *("http://h:99999", "http://[h", "http://h/\n"),
)
def test_what_is_no_url_is_wrong_usage(tmp_path: Path, text: str) -> None:
    code, message = stopped(text, tmp_path)

    assert code == 2
    assert "is not a URL to fetch from" in message


@rows(
    "text",
    *("http://user:word@h", "https://word@h/a", "ftp://a word@h", "http://word\\@h"),
    "http://[word@h",
)
def test_credentials_in_a_url_are_not_repeated(tmp_path: Path, text: str) -> None:
    code, message = stopped(text, tmp_path)

    assert code == 2
    assert "the URL contains credentials" in message
    assert "word" not in message


def test_headers_go_to_the_origin_that_was_named_and_no_further(emitted: bytes) -> None:
    given = {"authorization": "Bearer secret", "accept": "text/plain"}
    access = Access({**given, "accept-encoding": "gzip"})
    with documents(emitted) as other, documents(emitted) as server:
        assert fetch(f"{server.url}/contract.json", limit=MAX_BYTES, access=access) == emitted
        server.elsewhere = other.url
        assert fetch(f"{server.url}/contract.json", limit=MAX_BYTES, access=access) == emitted
        named, _ = server.asked
        (further,) = other.asked

    assert named[1].keys() - {"host"} == {"authorization", "accept", "accept-encoding"}
    for name, value in {**given, "accept-encoding": "identity"}.items():
        assert named[1][name] == value
    assert {*further[1]} == {"host", "accept", "accept-encoding"}
    assert further[1]["accept"] == "application/json"


def test_what_has_not_changed_is_not_sent_again() -> None:
    with documents(b"1") as server:
        first = fetch_newer(f"{server.url}/contract.json", None, limit=MAX_BYTES)
        again = fetch_newer(f"{server.url}/contract.json", first.tag, limit=MAX_BYTES)
        server.document = b"2"
        third = fetch_newer(f"{server.url}/contract.json", again.tag, limit=MAX_BYTES)

    assert (first.body, again.body, third.body) == (b"1", None, b"2")
    assert (again.tag, third.tag) == (first.tag, '"d4735e3a"')


def test_only_a_url_is_asked_for_with_headers() -> None:
    given = Namespace(header=[("a", "b")], timeout=None)

    found = asked_as(Namespace(source="http://h", header=[("a", "b")], timeout=3.0))
    assert found == Access({"a": "b"}, 3.0)
    assert asked_as(Namespace(source="shop:api", header=[], timeout=None)) == Access()
    with stopping(r"^--header is for a URL, and shop:api is not one$"):
        asked_as(Namespace(**vars(given), source="shop:api"))
