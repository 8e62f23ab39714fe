"""``contract call`` of a route that gives a stream: a line an item, as they come."""

from __future__ import annotations

import io
import json
import socket
import sys
from pathlib import Path

import pytest

from contract.cli import main
from tests.cli_inside import Done, having, inside, run
from tests.cli_servers import until
from tests.client_servers import Server, always, response, serving
from tests.tables import rows

CHAT = """
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

from contract import Failure, NotFound, Stream, route, spec


class Interrupted(Failure, status=409):
    '''It was stopped.'''


@route(summary="Chat", tags=["t"], auth="none")
def chat(input: int, ctx: None) -> Stream[str | Interrupted] | NotFound:
    def items() -> Iterator[str | Interrupted]:
        print("not for you")
        yield "a\\x1b[2J"
        yield "b"
        if input == 1:
            yield Interrupted()

    return NotFound() if input == 2 else Stream(items(), id=lambda item: item[0])


@route(summary="Count", tags=["t"], auth="none")
def count(input: None, ctx: None) -> Stream[int]:
    def items() -> Iterator[int]:
        try:
            yield from itertools.count()
        finally:
            Path("closed").touch()

    return Stream(items())


api = spec(routes=[chat, count])
"""

ITEMS = b'"a\\u001b[2J"\n"b"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return having(tmp_path, CHAT, "chat.py")


def body(*events: bytes) -> bytes:
    return b": working\n\n" + b"".join(event + b"\n\n" for event in events)


EVENTS = (b'id: a\ndata: "a\\u001b[2J"', b'id: b\ndata: "b"')
END = b"event: end\ndata: {}"
ERROR = b'event: error\ndata: {"error":"INTERRUPTED"}'


def told(folder: Path, sent: bytes, *flags: str, content_type: str = "text/event-stream") -> Done:
    """What is shown of a stream that a server has *sent*."""
    with serving(always(response(sent, content_type=content_type, x_request_id="r1"))) as server:
        return run("call chat 0 --url", server.url, *flags, cwd=folder)


def test_items_are_lines_and_the_end_is_the_exit_code(folder: Path) -> None:
    done = run("call chat 0 --app chat.py", cwd=folder)

    assert (done.returncode, done.stdout) == (0, ITEMS)
    assert done.stderr.startswith(b"200 chat  request ")
    assert done.stderr.endswith(b"not for you\n")

    done = told(folder, body(*EVENTS, END))
    assert (done.returncode, done.stdout, done.stderr) == (0, ITEMS, b"200 chat  request r1\n")


def test_a_failure_between_items_gives_1(folder: Path) -> None:
    for done in (run("call chat 1 --app chat.py", cwd=folder), told(folder, body(*EVENTS, ERROR))):
        assert (done.returncode, done.stdout) == (1, ITEMS)
        assert b'ended by a failure  {"error":"INTERRUPTED"' in done.stderr


def test_a_failure_before_them_is_an_ordinary_reply(folder: Path) -> None:
    done = run("call chat 2 --app chat.py", cwd=folder)

    assert (done.returncode, json.loads(done.stdout)["error"]) == (1, "NOT_FOUND")


@pytest.mark.parametrize(("asked", "end", "code"), [("0", END, 0), ("1", ERROR, 1)])
def test_programs_get_an_object_in_each_line(
    folder: Path, asked: str, end: bytes, code: int
) -> None:
    for done in (
        run("call chat", asked, "--app", "chat.py", "--json", cwd=folder),
        told(folder, body(*EVENTS, end), "--json"),
    ):
        *items, last = map(json.loads, done.stdout.splitlines())
        assert done.returncode == code
        assert items == [{"item": "a\x1b[2J", "id": "a"}, {"item": "b", "id": "b"}]
        assert (last["route"], last["status"]) == ("chat", 200)
        assert last["body"] == ({"error": "INTERRUPTED"} if code else None)


def test_items_without_an_id_have_none(folder: Path) -> None:
    assert told(folder, body(b"data: 1", END), "--json").stdout.splitlines()[0] == b'{"item":1}'


def test_lines_are_read_where_they_are_asked_for(folder: Path) -> None:
    flags = ("--header", "Accept: application/jsonl")
    done = run("call chat 0 --app chat.py", *flags, cwd=folder)
    assert (done.returncode, done.stdout) == (0, b'"a\\u001b[2J"\n"b"\n')


def test_a_terminal_gets_nothing_that_it_would_obey(folder: Path) -> None:
    with serving(
        always(response(body(b'data: "\x1b[2J"', END), content_type="text/event-stream"))
    ) as server:
        done = run("call chat --url", server.url, cwd=folder, terminal=True)
    assert b'"\\x1b[2J"' in done.stdout


@rows(
    "sent, flags, why",
    (body(*EVENTS), (), "the stream of chat was broken off"),
    (body(b"data: a"), ("--json",), "Expecting value"),
)
def test_what_does_not_end_gives_3(
    folder: Path, sent: bytes, flags: tuple[str, ...], why: str
) -> None:
    done = told(folder, sent, *flags)
    assert (done.returncode, why in done.err) == (3, True)


def test_a_server_may_take_its_time_but_not_say_nothing(folder: Path) -> None:
    def handle(server: Server, connection: socket.socket) -> None:
        server.read(connection)
        head = response(content_type="text/event-stream", content_length="999")
        connection.sendall(head.removesuffix(b"null") + body(b"data: 1"))
        server.over.wait()

    with serving(handle) as server:
        done = run("call chat --url", server.url, "--timeout", "1", cwd=folder)

    assert (done.returncode, done.stdout) == (3, b"1\n")
    assert b"nothing came for 1 seconds" in done.stderr


class Closing(io.TextIOWrapper):
    """Standard output, whose reader goes, or presses Ctrl-C, after the third line."""

    raises: type[BaseException] = BrokenPipeError

    def write(self, text: str) -> int:
        if text.startswith("3"):
            raise self.raises
        return super().write(text)


@pytest.mark.parametrize(("raises", "code"), [(BrokenPipeError, 0), (KeyboardInterrupt, 130)])
def test_who_has_seen_enough_ends_the_call(
    folder: Path, raises: type[BaseException], code: int
) -> None:
    """The iterator is closed, too."""
    out = Closing(io.BytesIO())
    out.raises = raises
    with inside(folder) as patch:
        patch.setattr(sys, "stdout", out)
        assert main(["call", "count", "--app", "chat.py"]) == code

    out.flush()
    shown: io.BytesIO = out.buffer  # type: ignore[assignment]
    assert shown.getvalue() == b"0\n1\n2\n"
    until((folder / "closed").exists)  # by the thread of the iterator
