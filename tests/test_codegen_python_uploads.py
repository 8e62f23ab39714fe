"""Generated Python clients that send files, against `contract serve` on ASGI and on WSGI."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from contract.client import Attachment, Form, HttpRequest, HttpResponse
from tests.cli_servers import Server, children, running, until
from tests.golden.uploads.client import ApiClient, AsyncApiClient, CallError, Ok, Seen, Ugly, unwrap

PNG = b"\x89PNG"
LARGE = PNG + b"x" * 150_000


@pytest.fixture(scope="module", params=["wsgi", "asgi"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("photos")
    how = ("serve", "tests.uploaded:api", "--interface", request.param, "--workers", "1")
    with running(*how, cwd=folder) as server:
        yield server
        # nothing stays open in the worker of what was uploaded
        until(lambda: not unnamed(server))


def unnamed(server: Server) -> list[Path]:
    """The open files of the workers that have no name."""
    found = [each for pid in children(server.process) for each in Path(f"/proc/{pid}/fd").iterdir()]
    return [each for each in found if each.readlink().name.endswith("(deleted)")]


class Pipe(BytesIO):
    """A stream that can only be read once."""

    def tell(self) -> int:
        raise OSError("it cannot be told")


def of_every_kind(folder: Path) -> dict[str, Any]:
    image = folder / "a picture.png"
    image.write_bytes(LARGE)
    return {
        "image": image,
        "thumb": Attachment(b"thumb", 'a "thumb".png'),
        "raw": Pipe(b"raw"),
        "more": [b"1", Attachment(str(image), media_type="text/plain")],
    }


SEEN = Seen(
    title="t",
    names=["a picture.png", "a thumb.png", "file", "file", "a picture.png"],
    types=["image/png", "image/png", *["application/octet-stream"] * 2, "text/plain"],
    sizes=[150_004, 5, 3, 1, 150_004],
    begins="\x89PNG",
)


def calls(url: str, *, is_async: bool, name: str, **given: Any) -> Any:
    options = given.pop("options", {})

    async def later() -> object:
        async with AsyncApiClient(url, token="good") as api:
            return await getattr(api.with_options(**options), name)(**given)

    def now() -> object:
        with ApiClient(url, token="good") as api:
            return getattr(api.with_options(**options), name)(**given)

    return asyncio.run(later()) if is_async else now()


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_files_of_every_kind_are_sent(server: Server, is_async: bool, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{server.port}"
    told: list[tuple[int, int | None]] = []

    def note(sent: int, of: int | None) -> None:
        told.append((sent, of))

    def call(name: str, **given: Any) -> Any:
        return calls(url, is_async=is_async, name=name, **given)

    for name in ("add", "mine"):
        found = call(name, title="t", **of_every_kind(tmp_path))
        assert unwrap(found) == SEEN
    assert call("add", title="t", asks="fail", image=Attachment(PNG, "a.png")) == Ugly()
    refused = call("add", title="", image=PNG)
    assert isinstance(refused, CallError)
    assert [each.code for each in refused.issues] == ["string_too_short"]
    refused = call("add", title="t", image=PNG)
    assert [(each.path, each.code) for each in refused.issues] == [(("image",), "media_type")]
    too_large = call("add", title="t", image=Attachment(LARGE * 2, "a.png"))
    assert (too_large.code, too_large.data) == ("PAYLOAD_TOO_LARGE", {"limit": 200_000})
    sized = call(
        "avatar",
        image=Attachment(BytesIO(LARGE), "a.png"),
        options={"progress": note},
    )
    assert unwrap(sized) == len(LARGE)
    assert told[-1][0] == told[-1][1]
    assert told[-1][0] > len(LARGE)
    assert sorted(told) == told
    with pytest.raises(FileNotFoundError):
        call("avatar", image=tmp_path / "none.png")


class Flaky:
    """A transport that first says that it is busy."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, request: HttpRequest, *, timeout: float, max_bytes: int) -> HttpResponse:
        assert isinstance(request.form, Form)
        assert request.body == b""
        self.sent.append(b"".join(request.form))
        status = 503 if len(self.sent) == 1 else 200
        return HttpResponse(status, {"content-type": "application/json"}, b"4")

    def close(self) -> None: ...


@pytest.mark.parametrize(("image", "tries"), [(PNG, 2), (BytesIO(PNG), 1)])
def test_only_what_can_be_read_again_is_sent_again(image: Any, tries: int) -> None:
    transport = Flaky()
    with ApiClient("http://a", transport=transport, retries=1) as api:
        result = api.size(image=image)

    assert len(transport.sent) == tries
    assert isinstance(result, Ok if tries == 2 else CallError)
