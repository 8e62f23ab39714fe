"""Files in clients: answers that none of our services gives, and their limits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from contract.client import CallError, CallFailed, DownloadOperation, RouteSchemas, Schema, Timeout
from tests.client_fakes import AsyncOpening, Opened, Opening
from tests.golden.downloads.client import ApiClient, AsyncApiClient, unwrap
from tests.tables import rows

FILE = {"content-type": "image/png", "content-disposition": "inline"}


URL = "https://a.example"


def got(headers: Mapping[str, str], *parts: bytes) -> tuple[Any, Opened]:
    """The result of a call that is so answered."""
    transport = Opening(Opened([*parts], headers))
    result = ApiClient(URL, transport=transport).picture(desk="d1")
    [sent] = transport.sent
    assert sent.headers["accept"] == "image/png, image/jpeg, application/json"
    return result, transport.opened


def test_a_file_of_another_type_is_none_of_the_route() -> None:
    html = {**FILE, "content-type": "text/html"}
    later = Opened([b"<p>"], html)
    api = AsyncApiClient(URL, transport=AsyncOpening(Opening(later)))

    for result, opened in (got(html, b"<p>"), (asyncio.run(api.picture(desk="d1")), later)):
        assert isinstance(result, CallError)
        assert (result.code, result.issues[0].code) == ("UNKNOWN_ERROR", "unreadable")
        assert opened.closed


@rows(
    "told, name",
    ("inline", None),
    ('attachment; filename="..\\\\..\\\\a\\"b.png"', 'a"b.png'),
    ("attachment; filename=a.png", "a.png"),
    ("attachment; filename=\"_.png\"; filename*=UTF-8''..%2F%E2%82%AC.png", "€.png"),
    ('attachment; filename=".."', None),
    ('attachment; filename="a\x07b.png"', "ab.png"),
    ('attachment; filename="C:a.png"', "a.png"),
    (f"attachment; filename*=UTF-8''{'%E2%82%AC' * 300}", "€" * 66),
)
def test_a_name_cannot_lead_to_another_folder(told: str, name: str | None) -> None:
    result, _ = got({**FILE, "content-disposition": told})

    assert unwrap(result).name == name


def test_a_file_says_what_it_is_before_it_is_read() -> None:
    named = {**FILE, "content-disposition": "inline; filename=a.png", "content-length": "2"}

    assert repr(unwrap(got(named)[0])) == "File('a.png', 'image/png', size=2)"


def test_a_file_that_is_too_short_or_too_long_raises() -> None:
    for headers, most, code in (
        ({**FILE, "content-length": "9"}, None, "NETWORK_ERROR"),
        (FILE, 3, "UNKNOWN_ERROR"),
    ):
        result, opened = got(headers, b"ab", b"cd")
        with pytest.raises(CallFailed) as raised:
            unwrap(result).read(most)
        assert raised.value.code == code
        assert opened.closed


def test_a_file_that_goes_quiet_is_given_up_and_says_where_that_was() -> None:
    parts: list[bytes | Exception] = [b"ab", TimeoutError()]
    opened = Opened([*parts], FILE)
    file = unwrap(ApiClient(URL, transport=Opening(opened)).picture(desk="d1"))
    later = Opened([*parts], FILE)
    api = AsyncApiClient(URL, transport=AsyncOpening(Opening(later)), timeout=Timeout(quiet=2))
    file_later = unwrap(asyncio.run(api.picture(desk="d1")))

    told = f"^NETWORK_ERROR \\(200\\): timeout at {URL}/picture$"
    with pytest.raises(CallFailed, match=told):
        file.read()
    with pytest.raises(CallFailed, match=told):
        asyncio.run(file_later.read())
    assert (opened.waited, later.waited) == ([45.0] * 2, [2.0] * 2)


def test_a_part_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    file = unwrap(got(FILE, b"ab", b"cd")[0])
    api = AsyncApiClient(URL, transport=AsyncOpening(Opening(Opened([b"ab"], FILE))))
    file_later = unwrap(asyncio.run(api.picture(desk="d1")))

    assert next(file) == b"ab"
    assert asyncio.run(file_later.read()) == b"ab"
    for again in (file.read, partial(file.save, tmp_path)):
        with pytest.raises(RuntimeError, match=r"it can be read once"):
            again()
    for again_later in (file_later.read, partial(file_later.save, tmp_path)):
        with pytest.raises(RuntimeError, match=r"it can be read once"):
            asyncio.run(again_later())
    assert [*file] == [b"cd"]
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_could_not_be_saved_is_closed(tmp_path: Path) -> None:
    file = unwrap(got(FILE)[0])
    api = AsyncApiClient(URL, transport=AsyncOpening(Opening(Opened([b"ab"], FILE))))
    file_later = unwrap(asyncio.run(api.picture(desk="d1")))
    nowhere = tmp_path / "no" / "folder"

    with pytest.raises(FileNotFoundError):
        file.save(nowhere)
    with pytest.raises(RuntimeError, match="was read or closed already"):
        file.read()
    with pytest.raises(FileNotFoundError):
        asyncio.run(file_later.save(nowhere))
    with pytest.raises(RuntimeError, match="was read or closed already"):
        asyncio.run(file_later.read())


def test_an_operation_says_which_it_is() -> None:
    schemas = RouteSchemas(input=Schema(type(None)), output=Schema(type(None)))
    found: Any = DownloadOperation("a.b", effect="read", media=("image/png",), schemas=schemas)
    assert repr(found) == "DownloadOperation('a.b')"
