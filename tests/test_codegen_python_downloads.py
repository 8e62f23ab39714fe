"""Generated Python clients and files, against `contract serve` on ASGI and on WSGI."""

from __future__ import annotations

import asyncio
import http.client
from pathlib import Path
from typing import Any

import pytest

from contract.client import CallFailed
from tests.cli_servers import Server
from tests.client_servers import served
from tests.golden.downloads import client
from tests.pictures import FILE, LARGE, PNG

server = served("tests.pictures:api", "--workers", "1")


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_file_is_read_saved_and_told_of(server: Server, is_async: bool, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{server.port}"
    wanted: dict[str, bytes] = {"bytes": PNG, "file": FILE.read_bytes(), "parts": LARGE}
    mine = tmp_path / "parts.png.part"  # the server names files: it must not cost others
    mine.write_bytes(b"mine")

    async def later() -> None:
        async with client.AsyncApiClient(url) as api:
            for how, body in wanted.items():
                options: Any = {"desk": how, "how": how}
                file = client.unwrap(await api.picture(**options))
                assert (file.name, file.media_type) == (f"{how}.png", "image/png")
                assert file.size == (None if how == "parts" else len(body))
                assert await file.save(tmp_path) == tmp_path / f"{how}.png"
                assert await client.unwrap(await api.picture(**options)).read(2_000_000) == body
            async with client.unwrap(await api.table()) as table:
                assert b"".join([part async for part in table]) == b"desk\r\nd1\r\n"
            assert table.name == "Tische ü.csv"
            assert await client.unwrap(await api.art.draw("d1")).read() == b"<svg/>"
            assert client.unwrap(await api.listed()) == ["d1"]
            assert await api.picture(desk="none") == client.NoPicture()
            broken = client.unwrap(await api.picture(desk="d1", how="broken"))
            with pytest.raises(CallFailed) as raised:
                await broken.save(tmp_path / "broken.png")
            assert isinstance(raised.value.result, client.CallError)
            assert raised.value.result.cause == "aborted"

    def now() -> None:
        with client.ApiClient(url) as api:
            for how, body in wanted.items():
                options: Any = {"desk": how, "how": how}
                file = client.unwrap(api.picture(**options))
                assert (file.name, file.media_type) == (f"{how}.png", "image/png")
                assert file.size == (None if how == "parts" else len(body))
                assert file.save(tmp_path) == tmp_path / f"{how}.png"
                assert client.unwrap(api.picture(**options)).read(2_000_000) == body
            with client.unwrap(api.table()) as table:
                assert b"".join(table) == b"desk\r\nd1\r\n"
            assert table.name == "Tische ü.csv"
            assert client.unwrap(api.art.draw("d1")).read() == b"<svg/>"
            assert client.unwrap(api.listed()) == ["d1"]
            assert api.picture(desk="none") == client.NoPicture()
            broken = client.unwrap(api.picture(desk="d1", how="broken"))
            with pytest.raises(CallFailed) as raised:
                broken.save(tmp_path / "broken.png")
            assert isinstance(raised.value.result, client.CallError)
            assert raised.value.result.cause == "aborted"

    asyncio.run(later()) if is_async else now()

    saved = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert saved.pop(mine.name) == b"mine"
    assert saved == {f"{how}.png": body for how, body in wanted.items()}
    assert "the iterator of the download, after 1 parts, raised" in server.text()


def test_a_page_may_ask_for_a_part_by_its_url(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    path = "/picture?input=%7B%22desk%22%3A%22d1%22%2C%22how%22%3A%22file%22%7D"
    for method, headers, status, body in (
        ("GET", {"Range": "bytes=100000-299999"}, 206, FILE.read_bytes()[100_000:300_000]),
        ("HEAD", {}, 200, b""),
        ("GET", {"Range": "bytes=9999999-"}, 416, None),
    ):
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        found = response.read()
        assert response.status == status
        assert body is None or found == body
    connection.close()


def test_it_is_a_result_like_any_other(server: Server) -> None:
    with client.ApiClient(f"http://127.0.0.1:{server.port}") as api:
        match api.picture(desk="d1"):
            case client.Ok(file):
                with file:
                    assert file.size == len(PNG)
            case other:
                raise AssertionError(other)
