"""Ranges: the part of a file that a GET is answered with, by the headers of the request."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from contract import Download, Limits, Media
from contract.adapters.pool import Lanes
from contract.call.files import AtHand, Files, Part, part_of
from tests.tables import rows
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


@rows(
    "wanted, first, size",
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
)
def test_a_range_is_the_part_that_it_names(wanted: str, first: int, size: int) -> None:
    told = ("content-range", f"bytes {first}-{first + size - 1}/10")

    assert asked(at_hand(), ("Range", wanted)) == Part(206, first, size, (*KNOWN, told))


@pytest.mark.parametrize("wanted", ["bytes=10-", "bytes=10-10", "bytes=-0", f"bytes={'9' * 18}-"])
def test_what_is_not_there_is_refused(wanted: str) -> None:
    refused = Part(416, 0, 0, (("content-range", "bytes */10"),))

    assert asked(at_hand(), ("Range", wanted)) == refused
    assert asked(at_hand(b""), ("Range", "bytes=0-")).status == 416


@rows(
    "wanted",
    *("bytes=5-4", "bytes=0-1,3-4", "lines=0-1", "bytes=", "bytes=-", "bytes=a-b", "0-1"),
    *(f"bytes={'9' * 19}-", f"bytes=0-{'9' * 19}", f"bytes=-{'9' * 19}"),
)
def test_a_range_that_means_nothing_is_the_whole(wanted: str) -> None:
    assert asked(at_hand(), ("Range", wanted)) == Part(200, 0, 10, KNOWN)


def test_a_range_means_nothing_where_nothing_is_sent() -> None:
    assert asked(at_hand(), ("Range", "bytes=0-1"), method="HEAD") == Part(200, 0, 10, KNOWN)


def whole_and_found(path: Path, headers: list[tuple[str, str]]) -> tuple[Part, list[Part]]:
    """The file, and what GET and HEAD find of it with these *headers*."""
    whole = asked(at_hand(path))
    tag = dict(whole.headers)["etag"]
    told = [(name, value.replace("{tag}", tag)) for name, value in headers]
    return whole, [asked(at_hand(path), *told, method=each) for each in ("GET", "HEAD")]


@rows(
    "headers, is_known",
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
)
def test_who_has_the_file_gets_none_of_it(
    on_disk: Path, headers: list[tuple[str, str]], is_known: bool
) -> None:
    whole, found = whole_and_found(on_disk, headers)
    tag = dict(whole.headers)["etag"]

    assert whole.headers == (("etag", tag), ("last-modified", NOON), ("accept-ranges", "bytes"))
    assert found == [Part(304, 0, 0, whole.headers) if is_known else whole] * 2


@rows(
    "headers, is_this",
    ([("If-Match", "{tag}")], True),
    ([("If-Match", '"another", {tag}')], True),
    ([("If-Match", " * ")], True),
    ([("If-Match", '"another"')], False),
    ([("If-Match", "W/{tag}")], False),
    ([("If-Match", "")], False),
    ([("If-Match", '"another"'), ("If-None-Match", "*"), ("Range", "bytes=99-")], False),
    ([("If-Match", '"another"'), ("If-Unmodified-Since", NOON)], False),
    ([("If-Match", "{tag}"), ("If-Unmodified-Since", BEFORE)], True),
    ([("If-Unmodified-Since", NOON)], True),
    ([("If-Unmodified-Since", AFTER)], True),
    ([("If-Unmodified-Since", BEFORE)], False),
    ([("If-Unmodified-Since", "soon")], True),
)
def test_who_wants_another_file_gets_none(
    on_disk: Path, headers: list[tuple[str, str]], is_this: bool
) -> None:
    """RFC 9110, sections 13.1.1, 13.1.4 and 13.2.2."""
    whole, found = whole_and_found(on_disk, headers)

    assert found == [whole if is_this else Part(412, 0, 0, ())] * 2


def test_a_tag_that_may_name_two_files_names_none_of_them_for_sure(on_disk: Path) -> None:
    os.utime(on_disk, (4_000_000_000, 4_000_000_000))
    tag = dict(asked(at_hand(on_disk)).headers)["etag"]

    assert tag.startswith("W/")
    found = [asked(at_hand(on_disk), ("If-Match", each)).status for each in (tag, tag[2:], "*")]
    assert found == [412, 412, 200]


def test_bytes_have_no_time_at_which_they_changed() -> None:
    for header in (("If-Modified-Since", AFTER), ("If-Unmodified-Since", BEFORE)):
        assert asked(at_hand(), header) == Part(200, 0, 10, KNOWN)


@rows(
    "is_weak, same, status",
    (False, "{tag}", 206),
    (False, NOON, 206),
    (False, AFTER, 200),
    (False, '"another"', 200),
    *((True, each, 200) for each in ("{tag}", "{modified}", '"another"')),
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
    part = (206, 2, 8) if status == 206 else (200, 0, 10)
    assert (found.status, found.start, found.size) == part
