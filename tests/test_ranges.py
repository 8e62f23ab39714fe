"""Ranges: the part of a file that a GET is answered with, by the headers of the request."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from contract import Download, Limits, Media
from contract.adapters.pool import Lanes
from contract.call.files import AtHand, Files, Part, part_of
from tests.wire.exchange import Bare, RawRequest

LANES = Lanes(Limits())
BYTES = b"0123456789"
NOON = "Sun, 13 Sep 2020 12:26:40 GMT"
BEFORE = "Sun, 13 Sep 2020 12:26:39 GMT"
AFTER = "Sun, 13 Sep 2020 12:26:41 GMT"


def at_hand(source: Any = BYTES) -> AtHand:
    found = Files(Media("image/png")).dump(Download(source, media_type="image/png"))
    assert isinstance(found, AtHand)
    return found


@pytest.fixture
def on_disk(tmp_path: Path) -> Path:
    path = tmp_path / "desk.png"
    path.write_bytes(BYTES)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    return path


def asked(file: AtHand, *headers: tuple[str, str], method: str = "GET") -> Part:
    return part_of(Bare(RawRequest(method, "/v1/picture", headers), LANES), file)


TAG = '"84d89877f0d4041efb6bf91a16f0248f"'
KNOWN = (("etag", TAG), ("accept-ranges", "bytes"))


@pytest.mark.parametrize(
    ("wanted", "first", "size"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=0-9", 0, 10),
        ("bytes=9-", 9, 1),
        ("bytes=5-5", 5, 1),
        ("bytes=3-99", 3, 7),
        ("bytes=-1", 9, 1),
        ("bytes=-10", 0, 10),
        ("bytes=-11", 0, 10),
        ("BYTES=\t3-4 ", 3, 2),
        (f"bytes=2-{'9' * 18}", 2, 8),
    ],
)
def test_a_range_is_the_part_that_it_names(wanted: str, first: int, size: int) -> None:
    told = ("content-range", f"bytes {first}-{first + size - 1}/10")

    assert asked(at_hand(), ("Range", wanted)) == Part(206, first, size, (*KNOWN, told))


@pytest.mark.parametrize("wanted", ["bytes=10-", "bytes=10-10", "bytes=-0", f"bytes={'9' * 18}-"])
def test_what_is_not_there_is_refused(wanted: str) -> None:
    refused = Part(416, 0, 0, (("content-range", "bytes */10"),))

    assert asked(at_hand(), ("Range", wanted)) == refused
    assert asked(at_hand(b""), ("Range", "bytes=0-")).status == 416


@pytest.mark.parametrize(
    "wanted",
    [
        *("bytes=5-4", "bytes=0-1,3-4", "lines=0-1", "bytes=", "bytes=-", "bytes=a-b", "0-1"),
        *(f"bytes={'9' * 19}-", f"bytes=0-{'9' * 19}", f"bytes=-{'9' * 19}"),
    ],
)
def test_a_range_that_means_nothing_is_the_whole(wanted: str) -> None:
    assert asked(at_hand(), ("Range", wanted)) == Part(200, 0, 10, KNOWN)


def test_a_range_means_nothing_where_nothing_is_sent() -> None:
    assert asked(at_hand(), ("Range", "bytes=0-1"), method="HEAD") == Part(200, 0, 10, KNOWN)


@pytest.mark.parametrize(
    ("headers", "is_known"),
    [
        ([("If-None-Match", "{tag}")], True),
        ([("If-None-Match", 'W/{tag}, "another"')], True),
        ([("If-None-Match", "*")], True),
        ([("If-None-Match", '"another"')], False),
        ([("If-Modified-Since", NOON)], True),
        ([("If-Modified-Since", AFTER)], True),
        ([("If-Modified-Since", BEFORE)], False),
        ([("If-Modified-Since", "soon")], False),
        ([("If-None-Match", '"another"'), ("If-Modified-Since", NOON)], False),
        ([("If-None-Match", "{tag}"), ("If-Modified-Since", BEFORE)], True),
    ],
)
def test_who_has_the_file_gets_none_of_it(
    on_disk: Path, headers: list[tuple[str, str]], is_known: bool
) -> None:
    whole = asked(at_hand(on_disk))
    tag = dict(whole.headers)["etag"]
    told = [(name, value.replace("{tag}", tag)) for name, value in headers]

    assert whole.headers == (("etag", tag), ("last-modified", NOON), ("accept-ranges", "bytes"))
    for method in ("GET", "HEAD"):
        found = asked(at_hand(on_disk), *told, method=method)
        assert found == (Part(304, 0, 0, whole.headers) if is_known else whole)


def test_bytes_have_no_time_at_which_they_changed() -> None:
    assert asked(at_hand(), ("If-Modified-Since", AFTER)) == Part(200, 0, 10, KNOWN)


@pytest.mark.parametrize(
    ("is_weak", "same", "status"),
    [
        (False, "{tag}", 206),
        (False, NOON, 206),
        (False, AFTER, 200),
        (False, '"another"', 200),
        (True, "{tag}", 200),
        (True, "{modified}", 200),
        (True, '"another"', 200),
    ],
)
def test_the_rest_comes_to_who_has_the_beginning_of_this(
    on_disk: Path, is_weak: bool, same: str, status: int
) -> None:
    if is_weak:  # as if it had just changed, however long this test takes
        os.utime(on_disk, (4_000_000_000, 4_000_000_000))
    whole = dict(asked(at_hand(on_disk)).headers)
    same = same.replace("{tag}", whole["etag"]).replace("{modified}", whole["last-modified"])
    found = asked(at_hand(on_disk), ("Range", "bytes=2-"), ("If-Range", same))

    assert whole["etag"].startswith("W/") is is_weak
    assert (found.status, found.start, found.size) == (
        (206, 2, 8) if status == 206 else (200, 0, 10)
    )
