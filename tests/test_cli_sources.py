"""
Where a document may come from: files, folders, URLs, git and specs; and what is there instead.
"""

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
from tests.cli_inside import inside, run
from tests.cli_urls import documents
from tests.client_servers import Server, always, closed_port, once, response, serving


@pytest.fixture
def emitted(tmp_path: Path) -> bytes:
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "app.py").write_text(BARE)
    return run("emit app.py", cwd=folder).stdout


def stopped(text: str, folder: Path) -> tuple[int, str]:
    with inside(folder), pytest.raises(Stop) as stop:
        document_at(text)
    return stop.value.code, stop.value.message


def test_a_file_and_its_folder(tmp_path: Path, emitted: bytes) -> None:
    (tmp_path / "contract.json").write_bytes(emitted)
    with inside(tmp_path):
        assert document_at("contract.json") == document_at(".") == document_at(str(tmp_path))


@pytest.mark.parametrize(
    ("source", "target"), [(BARE, "app:api"), (BARE, "app.py"), (MOUNTED, "app.py:app")]
)
def test_a_spec(tmp_path: Path, source: str, target: str) -> None:
    (tmp_path / "app.py").write_text(f"print('hello')\n{source}")
    with inside(tmp_path):
        assert [*document_at(target, visibility="all").routes] == ["ping"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "contract.json is not a contract document: $: "),
        (b"\xff\xfe", "contract.json is not a contract document: $: "),
        (b"[" * 10_000, "contract.json is not a contract document: $"),
        (b'{"contract": "2.0"}', "contract.json is not a contract document: $.contract: "),
        (b" " * (MAX_BYTES + 1), "contract.json is larger than 16 MiB"),
    ],
)
def test_a_file_that_is_no_document(tmp_path: Path, data: bytes, problem: str) -> None:
    (tmp_path / "contract.json").write_bytes(data)
    code, message = stopped("contract.json", tmp_path)

    assert (code, message[: len(problem)]) == (3, problem)
    assert "\n" not in message


def test_what_is_not_there(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert stopped("absent.json", tmp_path) == (
        3,
        "cannot read absent.json: No such file or directory",
    )
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
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@t.example", "commit", "-q", "-m", "one"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    (folder / "contract.json").unlink()
    return folder


def test_a_revision_of_a_repository(repository: Path) -> None:
    with inside(repository):
        assert [*document_at("git:HEAD:contract.json").routes] == ["ping"]
    with inside(repository / "sub"):
        assert document_at("git:HEAD:contract.json") == document_at("git:HEAD:./contract.json")


@pytest.mark.parametrize(
    "text",
    [
        "git:HEAD",
        "git::contract.json",
        "git:HEAD:",
        "git:HEAD:a\nHEAD:contract.json",
        "git:HEAD:\0",
    ],
)
def test_what_names_nothing_in_git_is_wrong_usage(repository: Path, text: str) -> None:
    assert stopped(text, repository) == (
        2,
        f"{text!r} names nothing in git; write it like git:main:contract.json",
    )


@pytest.mark.parametrize("text", ["git:HEAD:absent.json", "git:HEAD:sub"])
def test_what_is_not_in_git(repository: Path, text: str) -> None:
    code, message = stopped(text, repository)

    assert code == 3
    assert message.startswith("git has no file ")


@pytest.mark.parametrize("text", ["git:absent:contract.json", "git:--batch:x", "git:-p:--textconv"])
def test_a_revision_that_git_does_not_know_is_told(repository: Path, text: str) -> None:
    """Options are not options there."""
    revision = text.split(":")[1]

    assert stopped(text, repository) == (
        3,
        f"git knows no revision {revision!r} here; fetch it first, or write another",
    )


def test_a_large_file_in_git(repository: Path) -> None:
    assert stopped("git:HEAD:large.json", repository) == (
        3,
        "git:HEAD:large.json is larger than 16 MiB",
    )


def test_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    code, message = stopped("git:HEAD:contract.json", tmp_path)

    assert code == 3
    assert message.startswith("git cannot tell: fatal: not a git repository")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (None, "git:REV:PATH needs git, which is not installed"),
        ("#!/bin/sh\nexit 7\n", "git cannot tell: it ended with 7"),
        ("#!/bin/sh\nexec sleep 60\n", "git has not answered for 0.2 seconds"),
    ],
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


@pytest.mark.parametrize(
    "path", ["", "/", "/v1", "/v1/", "/v1/contract.json", "/o.json", "/v1?a=b"]
)
def test_the_url_of_a_mount_or_of_a_document(tmp_path: Path, emitted: bytes, path: str) -> None:
    with documents(emitted) as server, inside(tmp_path):
        assert [*document_at(f"{server.url}{path}").routes] == ["ping"]
        [(asked, headers)] = server.asked
    assert asked.endswith(".json?a=b" if "?" in path else ".json")
    assert headers.keys() == {"host", "accept", "accept-encoding"}


def moved(to: str) -> bytes:
    return response(b"", "307 Temporary Redirect", location=to)


def test_a_redirect_is_followed(tmp_path: Path, emitted: bytes) -> None:
    with serving(always(moved("/v1/contract.json"), response(emitted))) as server, inside(tmp_path):
        assert [*document_at(server.url).routes] == ["ping"]
    assert [head.split()[1] for head in server.requests] == [
        b"/contract.json",
        b"/v1/contract.json",
    ]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (response(b"<html>", "404 Not Found"), "the server answers 404"),
        (
            moved("file:///etc/passwd"),
            "it redirects to 'file:///etc/passwd', where it is not followed",
        ),
        (
            moved("https://127.0.0.1/contract.json"),
            "it redirects to 'https://127.0.0.1/contract.json', where it is not followed",
        ),
        (moved("/contract.json"), "it redirects more than 5 times"),
        (response(b"", "302 Found"), "it redirects more than 5 times"),
        (
            response(b"", content_encoding="gzip"),
            "the answer is packed ('gzip'), although that was not asked for",
        ),
        (response(b" " * (MAX_BYTES + 1)), "the answer is larger than 16 MiB"),
        (response(b"{}", content_length="100"), "the answer ends early"),
        (b"SSH-2.0\r\n\r\n", "SSH-2.0"),
    ],
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

    with (
        serving(slow) as server,
        pytest.raises(Stop, match=r"it took longer than 0\.3 seconds") as stop,
    ):
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


@pytest.mark.parametrize(
    "text",
    [
        "ftp://h/contract.json",
        "file:///etc/passwd",
        "http://",
        "http://h:x",
        "http://h:0",
        "http://h:99999",
        "http://[h",
        "http://h/\n",
    ],
)
def test_what_is_no_url_is_wrong_usage(tmp_path: Path, text: str) -> None:
    code, message = stopped(text, tmp_path)

    assert code == 2
    assert "is not a URL to fetch from" in message


@pytest.mark.parametrize(
    "text",
    [
        "http://user:word@h",
        "https://word@h/a",
        "ftp://a word@h",
        "http://word\\@h",
        "http://[word@h",
    ],
)
def test_credentials_in_a_url_are_not_repeated(tmp_path: Path, text: str) -> None:
    code, message = stopped(text, tmp_path)

    assert code == 2
    assert "the URL contains credentials" in message
    assert "word" not in message


def test_headers_go_to_the_origin_that_was_named_and_no_further(emitted: bytes) -> None:
    access = Access(
        {"authorization": "Bearer secret", "accept": "text/plain", "accept-encoding": "gzip"}
    )
    with documents(emitted) as other, documents(emitted) as server:
        assert fetch(f"{server.url}/contract.json", limit=MAX_BYTES, access=access) == emitted
        server.elsewhere = other.url
        assert fetch(f"{server.url}/contract.json", limit=MAX_BYTES, access=access) == emitted
        named, _ = server.asked
        (further,) = other.asked

    assert named[1].keys() - {"host"} == {"authorization", "accept", "accept-encoding"}
    assert (named[1]["authorization"], named[1]["accept"], named[1]["accept-encoding"]) == (
        "Bearer secret",
        "text/plain",
        "identity",
    )
    assert ({*further[1]}, further[1]["accept"]) == (
        {"host", "accept", "accept-encoding"},
        "application/json",
    )


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

    assert asked_as(Namespace(source="http://h", header=[("a", "b")], timeout=3.0)) == Access(
        {"a": "b"}, 3.0
    )
    assert asked_as(Namespace(source="shop:api", header=[], timeout=None)) == Access()
    with pytest.raises(Stop, match=r"^--header is for a URL, and shop:api is not one$") as stop:
        asked_as(Namespace(**vars(given), source="shop:api"))
    assert stop.value.code == 2
