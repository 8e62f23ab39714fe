"""Downloads: what an annotation says of one, its headers, and what happens at the limits."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from typing_extensions import Doc, TypeAliasType

import contract
from contract.adapters.asgi import AsgiApp
from contract.adapters.item_streams import ItemsOnLoop
from contract.adapters.mount import service_of
from contract.adapters.wsgi import WsgiApp
from contract.call.files import OpenFile, disposition, rest_of
from contract.call.message import BrokenOff
from contract.call.mount_options import Options
from contract.cli.direct_calls import send_parts
from contract.cli.exchanges import Facts
from contract.cli.signals import Draining
from contract.cli.socket_connections import SocketConnection
from contract.testing import AsyncClient, Client
from tests.cli_servers import until
from tests.tables import rows
from tests.wire.exchange import RawRequest, environ_of, talk

Png = Annotated[contract.Download, contract.Media("image/png")]
Named = TypeAliasType("Named", Png)


class NoPicture(contract.Failure, status=404):
    """There is none."""


def given(annotation: Any, source: Any = b"a", **options: Any) -> Any:
    """A spec of one route with this return *annotation*, whose resolver calls *source*."""

    def picture(input: None, ctx: None) -> Any:
        return source() if callable(source) else contract.Download(source, media_type="image/png")

    picture.__annotations__["return"] = annotation
    told: dict[str, Any] = {"summary": "Picture", "tags": ["t"], "auth": "none", **options}
    members: Any = [contract.route(**told)(picture)]
    return contract.spec(routes=members)


def parts_of(api: Any, **options: Any) -> Any:
    """What a server is given to send."""
    asked = RawRequest(target="/picture", headers=())
    return WsgiApp(service_of(api, Options(**options)))(environ_of(asked), lambda *_: None)


@rows(
    "annotation, types",
    (Png, ["image/png"]),
    (Png | NoPicture, ["image/png"]),
    (NoPicture | Named, ["image/png"]),
    ("Png | NoPicture", ["image/png"]),
    (Annotated[Png, Doc("A desk.")], ["image/png"]),
    (Annotated["contract.Download", contract.Media("text/csv", "image/*")], ["text/csv", "image/*"]),
)  # fmt: skip
def test_the_media_types_stand_in_the_annotation(annotation: Any, types: list[str]) -> None:
    [entry] = given(annotation).entries.values()

    assert list(entry.media.types) == types
    assert set(entry.failures) <= {NoPicture}


@rows(
    "annotation, words",
    (Annotated[contract.Download, Doc("A desk.")], "what media type its file has"),
    (Annotated[Png, contract.Media("image/gif")], "what media type its file has"),
    (Png | Annotated[contract.Download, contract.Media("text/csv")], "one form of success"),
)
def test_a_file_is_the_only_success_and_has_a_type(annotation: Any, words: str) -> None:
    with pytest.raises(contract.RouteDeclarationError, match=words):
        given(annotation)


@rows(
    "source, options, words",
    ("desk.png", {}, r"a str, which is not bytes.*; write Download\(Path\("),
    ([b"a"], {}, "a list, which is not bytes, a path or an iterator$"),
    (b"a", {"media_type": "png"}, 'write it like "image/png"'),
    (b"a", {"media_type": "image/png\r\nX: a"}, 'write it like "image/png"'),
    (b"a", {"media_type": 3}, 'write it like "image/png"'),
    (b"a", {"name": 3}, "a name is a text"),
)
def test_what_is_no_file_raises_where_it_is_made(
    source: Any, options: dict[str, Any], words: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        contract.Download(source, **{"media_type": "image/png", **options})


EXTENDED = "filename*=UTF-8''"


@rows(
    "media_type, name, value",
    ("image/png", None, "inline"),
    ("image/png", "desk.png", 'inline; filename="desk.png"'),
    ("text/plain", "a b.txt", 'inline; filename="a b.txt"'),
    ("audio/ogg", None, "inline"),
    ("video/mp4", None, "inline"),
    ("application/pdf", None, "attachment"),
    ("image/svg+xml", None, "attachment"),
    ("image/dicom+xml", None, "attachment"),
    ("text/html", "a.html", 'attachment; filename="a.html"'),
    ("image/png", "../../etc/passwd", 'inline; filename="_.._etc_passwd"'),
    ("image/png", "C:\\a\\b.png", 'inline; filename="C__a_b.png"'),
    ("image/png", 'a"b;c.png', 'inline; filename="a_b;c.png"'),
    ("image/png", "a\r\nX-Y: z\0", 'inline; filename="aX-Y_ z"'),
    ("image/png", "..", "inline"),
    ("image/png", "\u202egnp.exe\ud800", 'inline; filename="gnp.exe"'),
    ("image/png", "100%.png", "inline; filename=\"100_.png\"; filename*=UTF-8''100%25.png"),
    ("image/png", "ü €.png", f'inline; filename="_ _.png"; {EXTENDED}%C3%BC%20%E2%82%AC.png'),
    ("image/png", "a" * 200 + ".png", f'inline; filename="{"a" * 146}.png"'),
    ("image/png", "a" * 200, f'inline; filename="{"a" * 150}"'),
    ("image/png", "a." + "b" * 200, f'inline; filename="a.{"b" * 148}"'),
    ("image/png", f"{'a' * 149} b", f'inline; filename="{"a" * 149}"'),
    ("image/png", f"{'a' * 200}.{'b' * 12}", f'inline; filename="{"a" * 137}.{"b" * 12}"'),
    ("image/png", f"{'a' * 200}.{'b' * 13}", f'inline; filename="{"a" * 150}"'),
)
def test_a_name_is_safe_whoever_wrote_it(media_type: str, name: str | None, value: str) -> None:
    assert disposition(media_type, name) == value


def test_both_clients_in_memory_get_the_bytes_and_see_what_is_broken_off() -> None:
    def broken() -> Iterator[bytes]:
        yield b"ab"
        raise LookupError("the disk is gone")

    whole = given(Png, b"ab", effect="read")
    half = given(Png, lambda: contract.Download(broken(), media_type="image/png"))

    async def later(api: Any) -> Any:
        return await AsyncClient(api).call("picture")

    client = Client(whole)
    for reply in (client.call("picture"), client.get("picture"), asyncio.run(later(whole))):
        assert (reply.status, reply.body, reply.json, reply.broken) == (200, b"ab", None, False)
    for reply in (Client(half).call("picture"), asyncio.run(later(half))):
        assert (reply.status, reply.body, reply.broken) == (200, b"ab", True)
        assert isinstance(reply.exception, LookupError)
        assert repr(reply).startswith("Reply(200, ab, broken=True, ")


def test_a_call_may_say_more_of_its_file_and_a_page_may_read_it() -> None:
    def saying() -> contract.Download:
        contract.current_call().headers_out.set("Content-Disposition", "attachment")
        contract.current_call().headers_out.set("X-Desk", "oak")
        contract.current_call().headers_out.set_cookie("seen", "1")
        return contract.Download(b"ab", media_type="image/png", name="desk.png")

    options = Options(cors_origins=["https://a.example"])
    client = Client(
        given(Png, saying, effect="read", cache=contract.Cache(max_age=60)), options=options
    )
    reply = client.get("picture", headers={"Origin": "https://a.example"})

    assert reply.headers["content-disposition"] == "attachment"
    assert reply.headers["cache-control"] == "no-store"  # it sets a cookie
    assert "x-desk" in reply.headers["access-control-expose-headers"].split(", ")


def test_a_page_of_another_origin_may_read_all_that_describes_a_file() -> None:
    api = given(Png, effect="read")
    client = Client(api, options=Options(cors_origins=["https://a.example"]))

    reply = client.get("picture", headers={"Origin": "https://a.example"})

    assert reply.headers["access-control-expose-headers"].split(", ") == [
        *("x-request-id", "retry-after"),
        *("content-disposition", "content-range", "accept-ranges", "etag", "last-modified"),
    ]


def test_a_range_beyond_the_file_is_refused_with_its_size() -> None:
    reply = Client(given(Png, b"ab", effect="read")).get("picture", headers={"Range": "bytes=9-"})

    assert (reply.status, reply.headers["content-range"]) == (416, "bytes */2")
    why = "The file has not so many bytes; Content-Range says how many it has."
    assert reply.json == {"error": "BAD_REQUEST", "data": {"message": why}}


def test_a_file_that_is_another_than_the_one_that_is_wanted_is_refused() -> None:
    client = Client(given(Png, b"ab", effect="read"))
    tag = client.get("picture").headers["etag"]
    same, other = (client.get("picture", headers={"If-Match": each}) for each in (tag, '"x"'))

    assert (same.status, same.body, other.status) == (200, b"ab", 412)
    why = "The output is not the one that If-Match or If-Unmodified-Since asks for."
    assert other.json == {"error": "BAD_REQUEST", "data": {"message": why}}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "desk.png"
    path.write_bytes(b"ab")
    return path


@pytest.mark.parametrize("date", ["soon", "9" * 5000, "Mon, 01 Jan 2035 00:00:00 +99999999999999"])
def test_no_date_is_none_that_a_file_has_not_changed_since(small: Path, date: str) -> None:
    client = Client(given(Png, small, effect="read"))
    assert client.get("picture", headers={"If-Modified-Since": date}).status == 200


def test_a_write_is_not_called_by_its_url() -> None:
    assert Client(given(Png)).get("picture").status == 405


def test_a_file_that_has_just_changed_has_a_weak_tag(small: Path) -> None:
    now = time.time() + 3600  # however long this test takes
    os.utime(small, (now, now))
    client = Client(given(Png, small, effect="read"))

    found = client.get("picture").headers["etag"]
    assert found.startswith('W/"')
    assert client.get("picture", headers={"If-None-Match": found}).status == 304
    ranged = {"Range": "bytes=0-0", "If-Range": found}
    assert client.get("picture", headers=ranged).status == 200


@pytest.mark.parametrize(("ago", "is_weak"), [(0, True), (2, True), (3, False)])
def test_a_tag_is_weak_for_two_seconds(
    small: Path, monkeypatch: pytest.MonkeyPatch, ago: int, is_weak: bool
) -> None:
    os.utime(small, (1_600_000_000, 1_600_000_000))
    monkeypatch.setattr("contract.call.files.time", SimpleNamespace(time=lambda: 1.6e9 + ago))

    assert OpenFile(small).tag.startswith("W/") is is_weak


def test_files_of_equal_time_and_size_have_different_tags(tmp_path: Path) -> None:
    """Callers may have one each at one URL, and images of containers set one time for all files."""
    tags: set[str] = set()
    for name in ("ann.png", "bob.png"):
        (tmp_path / name).write_bytes(name.encode())
        os.utime(tmp_path / name, (1_600_000_000, 1_600_000_000))
        tags.add(OpenFile(tmp_path / name).tag)

    assert len(tags) == 2


def test_a_file_is_read_in_parts_of_one_size(tmp_path: Path) -> None:
    path = tmp_path / "desk.png"
    path.write_bytes(bytes(600_000))

    assert [len(part) for part in rest_of(OpenFile(path), 1, 524_289)] == [262_144, 262_144, 1]


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "desk.png"
    path.write_bytes(bytes(400_000))
    return path


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that have been closed."""
    close = OpenFile.close
    paths: list[Path] = []

    def noted(file: OpenFile) -> None:
        paths.append(file.path)
        close(file)

    monkeypatch.setattr(OpenFile, "close", noted)
    return paths


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a thread that is in an iterator."""
    monkeypatch.setattr("contract.adapters.thread_items.PATIENCE", 0.01)


@pytest.mark.usefixtures("impatient")
def test_an_iterator_that_stands_still_is_given_up() -> None:
    free = threading.Event()

    def standing() -> Iterator[bytes]:
        free.wait(60)
        yield b"ab"

    api = given(Png, lambda: contract.Download(standing(), media_type="image/png"))
    try:
        late = Client(api, options=Options(limits=contract.Limits(item_seconds=0.01))).call(
            "picture"
        )
    finally:
        free.set()
    assert (late.body, late.broken) == (b"", True)


@pytest.mark.usefixtures("impatient")
def test_a_file_that_is_given_up_never_has_a_clean_end() -> None:
    free, closed = threading.Event(), threading.Event()

    def standing() -> Iterator[bytes]:
        try:
            free.wait(60)
            yield b"ab"
        finally:
            closed.set()

    api = given(Png, lambda: contract.Download(standing(), media_type="image/png"))
    parts = parts_of(api, limits=contract.Limits(item_seconds=0.01))
    try:
        for _ in range(2):
            with pytest.raises(BrokenOff):
                list(parts)
    finally:
        free.set()
        parts.close()
    assert closed.wait(60)


def later(path: Path) -> Any:
    """A spec whose resolver needs no thread."""

    @contract.route(summary="Picture", tags=["t"], auth="none", effect="read")
    async def picture(input: None, ctx: None) -> Png:
        return contract.Download(path, media_type="image/png")

    return contract.spec(routes=[picture])


def test_a_large_file_is_refused_where_no_thread_is_free(large: Path) -> None:
    app = WsgiApp(service_of(later(large), Options(limits=contract.Limits(stream_threads=1))))
    environ = environ_of(RawRequest("GET", "/picture", ()))
    statuses: list[str] = []

    def start(status: str, _: object) -> None:
        statuses.append(status)

    first: Any = app(environ, start)
    assert next(iter(first))
    for size in (65_537, 65_536):  # the latter is read at once, and needs none
        large.unlink()  # the first is still read
        large.write_bytes(bytes(size))
        list(app(environ, start))
    first.close()

    assert statuses == ["200 OK", "503 Service Unavailable", "200 OK"]


async def test_a_download_is_refused_before_it_begins_where_no_thread_is_free_for_it() -> None:
    """Once it has begun, nothing could tell a client why it is broken off."""

    async def picture(input: None, ctx: None) -> Png:
        return contract.Download(iter([b"ab"]), media_type="image/png")

    made = contract.route(summary="p", tags=["t"], auth="none")(picture)
    options = Options(limits=contract.Limits(stream_threads=1, queue=0))
    app = AsgiApp(service_of(contract.spec(routes=[made]), options))
    free = threading.Event()
    app.lanes.streams.submit(lambda: free.wait(60), lambda _: None)
    try:
        response = await talk(app, RawRequest(target="/picture", headers=()))
    finally:
        free.set()

    assert (response.status, response.body) == (503, b'{"error":"SERVICE_UNAVAILABLE"}')


def test_what_was_committed_before_a_file_was_sent_stays_so(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    reads = iter([bytes(1000), b""])
    monkeypatch.setattr(OpenFile, "read", lambda *_: next(reads))

    def mailing() -> contract.Download:
        contract.after_commit(sent.append, "mail")
        return contract.Download(large, media_type="image/png")

    parts = parts_of(given(Png, mailing))
    with pytest.raises(BrokenOff):
        list(parts)
    parts.close()

    assert sent == ["mail"]


@pytest.mark.parametrize("size", [1000, 70_000])
def test_a_file_is_read_to_its_end_and_closed_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: list[Path], size: int
) -> None:
    path = tmp_path / "desk.png"
    path.write_bytes(bytes(range(250)) * (size // 250))
    read = OpenFile.read

    monkeypatch.setattr(OpenFile, "read", lambda file, most: read(file, min(most, 300)))

    assert Client(given(Png, path)).call("picture").body == path.read_bytes()
    assert closed == [path]


@rows(
    "headers, told",
    ({}, ("OK", 200)),
    ({"If-None-Match": "*"}, ("OK", 304)),
    ({"Range": "bytes=99999999-"}, ("BAD_REQUEST", 416)),
    ({"If-Match": '"another"'}, ("BAD_REQUEST", 412)),
)
def test_a_large_file_is_closed_whatever_is_sent_of_it(
    large: Path, closed: list[Path], headers: dict[str, str], told: tuple[str, int]
) -> None:
    events: list[contract.CallEvent] = []
    client = Client(given(Png, large, effect="read"), options=Options(on_call=events.append))
    reply = client.get("picture", headers=headers)

    assert reply.status == told[1]
    assert closed == [large]
    assert [(event.surface, event.code, event.status) for event in events] == [("http", *told)]


@rows(
    "headers, status, ends",
    ({}, 200, "committed"),
    ({"If-None-Match": "*"}, 304, "committed"),
    ({"Range": "bytes=0-0"}, 206, "committed"),
    ({"Range": "bytes=99999999-"}, 416, "BAD_REQUEST"),
    ({"If-Match": '"another"'}, 412, "BAD_REQUEST"),
)
@pytest.mark.parametrize("is_large", [False, True])
def test_a_refused_file_commits_nothing(
    large: Path, is_large: bool, headers: dict[str, str], status: int, ends: str
) -> None:
    said: list[str] = []

    @contract.provide
    def session() -> Iterator[None]:
        try:
            yield
            said.append("committed")
        except contract.CallFailed as failed:
            said.append(failed.code)

    def counted() -> contract.Download:
        session()
        contract.after_commit(said.append, "followed")
        return contract.Download(large if is_large else b"abc", media_type="image/png")

    reply = Client(given(Png, counted, effect="read")).get("picture", headers=headers)

    assert reply.status == status
    assert said == ([ends, "followed"] if ends == "committed" else [ends])


def test_a_large_file_is_closed_where_no_thread_is_free(large: Path, closed: list[Path]) -> None:
    app = WsgiApp(service_of(later(large), Options(limits=contract.Limits(stream_threads=1))))
    environ = environ_of(RawRequest("GET", "/picture", ()))
    first: Any = app(environ, lambda *_: None)
    assert next(iter(first))
    list(app(environ, lambda *_: None))
    assert closed == [large]
    first.close()


@pytest.mark.usefixtures("impatient")
def test_who_leaves_a_file_that_stands_still_waits_no_longer(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, reading = threading.Event(), threading.Event()
    read = OpenFile.read

    def slowly(file: OpenFile, most: int) -> bytes:
        reading.set()
        free.wait(60)
        return read(file, most)

    monkeypatch.setattr(OpenFile, "read", slowly)
    events: list[contract.CallEvent] = []
    app = WsgiApp(service_of(later(large), Options(on_call=events.append)))
    parts: Any = app(environ_of(RawRequest("GET", "/picture", ())), lambda *_: None)
    try:
        assert reading.wait(60)
        parts.close()
    finally:
        free.set()
    until(lambda: [event.code for event in events] == ["CANCELLED"])


def test_a_download_says_nothing_while_it_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("contract.adapters.item_streams.QUIET_SECONDS", 0.001)
    monkeypatch.setattr("contract.adapters.thread_items.QUIET_SECONDS", 0.001)
    ticks: list[None] = []
    tick: Any = vars(ItemsOnLoop)["_tick"]

    def counted(items: Any) -> None:
        ticks.append(None)
        tick(items)

    monkeypatch.setattr(ItemsOnLoop, "_tick", counted)
    quiet = threading.Event()

    async def slow() -> AsyncIterator[bytes]:
        while len(ticks) < 2:
            await asyncio.sleep(0)
        yield b"ab"

    def slow_here() -> Iterator[bytes]:
        quiet.wait(60)
        yield b"ab"

    async def ask(api: Any) -> Any:
        return await AsyncClient(api).call("picture")

    api = given(Png, lambda: contract.Download(slow(), media_type="image/png"))
    assert asyncio.run(ask(api)).body == b"ab"
    parts = parts_of(given(Png, lambda: contract.Download(slow_here(), media_type="image/png")))
    assert next(parts) == b""
    quiet.set()
    assert b"".join(parts) == b"ab"
    parts.close()


def test_nothing_empty_is_sent_by_contract_serve() -> None:
    """An empty chunk would be the last one."""
    client, accepted = socket.socketpair()
    with client, accepted:
        accepted.setblocking(False)
        connection = SocketConnection(accepted, ("a", 1), Facts(("b", 2), {}, Draining()))
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        connection.read()
        connection.begin(200, [])
        send_parts(connection, [b"", b"ab", b""])
        connection.close()
        answer = b"".join(iter(partial(client.recv, 9999), b""))

    assert answer.partition(b"\r\n\r\n")[2] == b"2\r\nab\r\n0\r\n\r\n"


def test_there_is_nothing_to_compile_for_a_file() -> None:
    service = service_of(given(Png | NoPicture), Options())
    service.warm_up()
    [bound] = service.routes.values()
    assert len(bound.dumps()) == len(bound.every_failure)
