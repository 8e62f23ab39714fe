"""Downloads: what is sent of each source, over every transport, and what is told of one that fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import orjson
import pytest

from contract import Cache, CallEvent
from contract.call.files import OpenFile
from contract.call.message import BrokenOff
from tests.cli_servers import until
from tests.downloaded import LARGE, NOTED, SMALL, Asks, Source, make
from tests.wire.exchange import JSON, TRANSPORTS, RawRequest, RawResponse, Transport, serve

SHOWN = 'inline; filename="desk.png"'


def open_files(folder: Path) -> list[str]:
    """The files in the *folder* that this process has open."""
    found: list[str] = []
    for each in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.append(str(each.readlink()))
    return [path for path in found if path.startswith(str(folder))]


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> Transport:
    found: Transport = request.param
    return found


@pytest.fixture(autouse=True)
def nothing_noted() -> Iterator[None]:
    NOTED.clear()
    yield
    NOTED.clear()


def asking(source: Source, asks: Asks = "file", **more: Any) -> RawRequest:
    body = orjson.dumps({"source": source, "asks": asks, **more})
    return RawRequest(target="/v1/draw", headers=(JSON, ("X-Request-Id", "id-1")), body=body)


def getting(source: Source, *headers: tuple[str, str], method: str = "GET") -> RawRequest:
    query = quote(orjson.dumps({"source": source}))
    return RawRequest(method, f"/v1/picture?input={query}", headers)


def is_file(response: RawResponse, body: bytes, length: int | None) -> None:
    """Hold what every file is answered with."""
    assert response.status == 200, response.body
    assert response.body == body
    assert response.header("content-type") == "image/png"
    assert response.header("content-disposition") == SHOWN
    assert response.header("x-content-type-options") == "nosniff"
    assert response.header("cache-control") == "no-store"
    assert "sandbox" in (response.header("content-security-policy") or "")
    told = response.header("content-length")
    assert told in (None, str(length))


SYNC_AND_ASYNC = pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])


@SYNC_AND_ASYNC
def test_a_file_is_the_body_of_a_success(
    transport: Transport, is_async: bool, tmp_path: Path
) -> None:
    events: list[CallEvent] = []
    exchange = serve(transport, make(tmp_path, is_async=is_async), on_call=events.append)

    for source in get_args(Source):
        whole = SMALL if source in ("bytes", "small") else LARGE
        length = None if source in ("iterator", "later") else len(whole)
        is_file(exchange(asking(source, uses=True)), whole, length)
        ends = ("closed",) if length is None else ()
        assert tuple(NOTED) == (*ends, "committed")
        NOTED.clear()
        is_file(exchange(getting(source)), whole, length)
        assert tuple(NOTED) == ends
        NOTED.clear()
        head = exchange(getting(source, method="HEAD"))
        assert (head.body, NOTED) == (b"", [])  # nothing is asked of an iterator
        if length is not None and transport != "service":
            assert head.header("content-length") == str(length)
    until(lambda: len(events) == 15)
    told = {(event.route, event.code, event.status) for event in events}
    assert told == {("draw", "OK", 200), ("picture", "OK", 200)}
    assert open_files(tmp_path) == []


FAILED: dict[tuple[Source, Asks], tuple[int, str, str]] = {
    ("bytes", "no picture"): (404, "NO_PICTURE", ""),
    ("bytes", "none"): (500, "INTERNAL_ERROR", "returned None"),
    ("bytes", "bytes"): (500, "INTERNAL_ERROR", "expected a Download, found a bytes"),
    ("large", "another type"): (500, "INTERNAL_ERROR", "its media type is text/html"),
    ("large", "missing"): (500, "INTERNAL_ERROR", "writing the output raised"),
    ("large", "folder"): (500, "INTERNAL_ERROR", "writing the output raised"),
    ("large", "bad end"): (500, "INTERNAL_ERROR", "the provider broken failed at its end"),
}


@SYNC_AND_ASYNC
def test_a_failure_before_the_file_is_json(
    transport: Transport, is_async: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    exchange = serve(transport, make(tmp_path, is_async=is_async))

    for (source, asks), (status, code, told) in FAILED.items():
        caplog.clear()
        response = exchange(asking(source, asks))
        assert (response.status, response.json()) == (status, {"error": code})
        assert response.header("content-type") == "application/json"
        assert told in caplog.text, (asks, caplog.text)
    refused = exchange(RawRequest(target="/v1/draw", body=b'{"source":"none"}'))
    assert refused.json()["error"] == "VALIDATION_ERROR"
    assert open_files(tmp_path) == []


@SYNC_AND_ASYNC
def test_a_file_that_cannot_come_to_its_end_is_broken_off(
    transport: Transport,
    is_async: bool,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    events: list[CallEvent] = []
    exchange = serve(transport, make(tmp_path, is_async=is_async), on_call=events.append)

    for source, asks, told in (
        ("iterator", "raise", "the iterator of the download, after 2 parts, raised"),
        ("later", "raise", "the iterator of the download, after 2 parts, raised"),
        ("iterator", "wrong part", "part 2 of the download does not fit its declared type"),
        ("later", "wrong part", "expected bytes, found a str"),
        ("iterator", "bad end", "the provider broken failed at its end"),
    ):
        caplog.clear()
        with pytest.raises(BrokenOff):
            exchange(asking(source, asks, uses=True))  # type: ignore[arg-type]
        assert told in caplog.text
        assert NOTED[0] == "closed"
        assert [each.partition(":")[0] for each in NOTED[1:]] == ["rolled back"]
        NOTED.clear()
    assert {event.code for event in events} == {"INTERNAL_ERROR"}

    reads = iter([LARGE[:1000], b""])
    monkeypatch.setattr(OpenFile, "read", lambda *_: next(reads))
    caplog.clear()
    with pytest.raises(BrokenOff):
        exchange(asking("large", uses=True))
    assert f"{tmp_path / 'large'} became shorter while it was sent" in caplog.text
    assert NOTED == ["committed"]
    assert open_files(tmp_path) == []


RANGES: list[tuple[str, int, int, int]] = [
    ("bytes=0-9", 206, 0, 10),
    ("BYTES= 5-5 ", 206, 5, 6),
    ("bytes=1000-", 206, 1000, -1),
    ("bytes=-10", 206, -10, -1),
    ("bytes=-999999999", 206, 0, -1),
    ("bytes=10-99999999999", 206, 10, -1),
    ("bytes=-0", 416, 0, 0),
    ("bytes=99999999-", 416, 0, 0),
    ("bytes=9-5", 200, 0, -1),
    ("bytes=0-1,3-4", 200, 0, -1),
    ("lines=0-1", 200, 0, -1),
]
"""What is asked for, the status, and the first byte and the end of what comes."""


def test_a_part_of_a_file_can_be_asked_for(transport: Transport, tmp_path: Path) -> None:
    exchange = serve(transport, make(tmp_path))

    for source, whole in (("bytes", SMALL), ("small", SMALL), ("large", LARGE)):
        for asked, status, start, end in RANGES:
            response = exchange(getting(source, ("Range", asked)))  # type: ignore[arg-type]
            assert response.status == status, asked
            if status == 416:
                assert response.header("content-range") == f"bytes */{len(whole)}"
                assert response.json()["error"] == "BAD_REQUEST"
                continue
            first, last = start % len(whole), end if end > 0 else len(whole)
            assert response.body == whole[first:last], asked
            assert response.header("accept-ranges") == "bytes"
            told = f"bytes {first}-{last - 1}/{len(whole)}" if status == 206 else None
            assert response.header("content-range") == told
        wanted: Any = ("If-Match", '"another"')
        refused = exchange(getting(source, wanted, ("Range", "bytes=0-9")))  # type: ignore[arg-type]
        assert (refused.status, refused.json()["error"]) == (412, "BAD_REQUEST")
    for source in ("iterator", "later"):
        streamed = exchange(getting(source, ("Range", "bytes=0-9")))  # type: ignore[arg-type]
        assert (streamed.status, streamed.body) == (200, LARGE)
        assert streamed.header("accept-ranges") is None
    posted = replace(asking("bytes"), headers=(JSON, ("Range", "bytes=0-1")))
    assert exchange(posted).body == SMALL
    assert open_files(tmp_path) == []


def test_a_client_that_has_the_file_is_told_so(transport: Transport, tmp_path: Path) -> None:
    exchange = serve(transport, make(tmp_path, cache=Cache(max_age=60)))

    for source, whole in (("bytes", SMALL), ("small", SMALL), ("large", LARGE)):
        asks: Any = source
        first = exchange(getting(asks))
        tag, changed = first.header("etag") or "", first.header("last-modified")
        assert first.header("cache-control") == "public, max-age=60"
        assert (changed is None) == (source == "bytes")
        for header, status in (
            (("If-None-Match", tag), 304),
            (("If-None-Match", '"another"'), 200),
            (("If-Modified-Since", changed or "Sun, 13 Sep 2020 12:26:40 GMT"), 304),
            (("If-Modified-Since", "Sun, 13 Sep 2020 12:26:39 GMT"), 200),
            (("If-Modified-Since", "yesterday"), 200),
        ):
            response = exchange(getting(asks, header))
            wanted = 200 if changed is None and header[0] != "If-None-Match" else status
            assert (response.status, response.body) == (wanted, b"" if wanted == 304 else whole)
            assert response.header("etag") == tag
        for same, status in ((tag, 206), (changed or tag, 206), ('"another"', 200)):
            headers = (("Range", "bytes=1-2"), ("If-Range", same))
            assert exchange(getting(asks, *headers)).status == status
    assert open_files(tmp_path) == []
