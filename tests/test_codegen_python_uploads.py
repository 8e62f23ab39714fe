"""Generated Python clients that send files, against `contract serve` on ASGI and on WSGI."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from contract.client import Attachment, Form, HttpRequest, HttpResponse
from tests.cli_servers import Server, children, until
from tests.client_servers import asked, served
from tests.golden.uploads.client import ApiClient, AsyncApiClient, CallError, Ok, Seen, Ugly, unwrap

PNG = b"\x89PNG"
LARGE = PNG + b"x" * 150_000


server = served("tests.uploaded:api", "--workers", "1")


@pytest.fixture(scope="module")
def url(server: Server) -> Iterator[str]:
    yield f"http://127.0.0.1:{server.port}"
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


@pytest.mark.parametrize("kind", [ApiClient, AsyncApiClient])
def test_files_of_every_kind_are_sent(url: str, kind: Any, tmp_path: Path) -> None:
    def call(name: str, **given: Any) -> Any:
        return asked(kind(url, token="good"), name, **given)

    for name in ("add", "mine"):
        assert unwrap(call(name, title="t", **of_every_kind(tmp_path))) == SEEN
    assert call("add", title="t", asks="fail", image=Attachment(PNG, "a.png")) == Ugly()
    refused = call("add", title="", image=PNG)
    assert isinstance(refused, CallError)
    assert [each.code for each in refused.issues] == ["string_too_short"]
    refused = call("add", title="t", image=PNG)
    assert [(each.path, each.code) for each in refused.issues] == [(("image",), "media_type")]
    too_large = call("add", title="t", image=Attachment(LARGE * 2, "a.png"))
    assert (too_large.code, too_large.data) == ("PAYLOAD_TOO_LARGE", {"limit": 200_000})
    with pytest.raises(FileNotFoundError):
        call("avatar", image=tmp_path / "none.png")


@pytest.mark.parametrize("kind", [ApiClient, AsyncApiClient])
def test_whoever_sends_a_file_is_told_how_far_it_is(url: str, kind: Any) -> None:
    told: list[tuple[int, int | None]] = []
    noting = {"progress": lambda *step: told.append(step)}
    image = Attachment(BytesIO(LARGE), "a.png")
    sized = asked(kind(url, token="good"), "avatar", options=noting, image=image)

    assert unwrap(sized) == len(LARGE)
    assert told[-1][0] == told[-1][1]
    assert told[-1][0] > len(LARGE)
    assert sorted(told) == told


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
