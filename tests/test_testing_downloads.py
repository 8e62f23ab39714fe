"""Files in checks, stubs, mocks and fuzzing: what is made up, and what is found."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import find, settings

from contract import Download, Failure, Media, emit_contract, load_contract, route, spec
from contract.codegen.package import package_of
from contract.testing import Client, call, check_route, outputs
from contract.testing.findings import WrongOutput
from contract.testing.fuzzing import Answer
from contract.testing.mock import MockService
from contract.testing.sample_contents import sample_of
from tests.fuzzed import asking, fuzz, inside_and_outside
from tests.tables import rows

Picture = Annotated[Download, Media("image/png", "text/*")]


class NoPicture(Failure, status=404):
    """There is none."""


def parts(*found: Any) -> Iterator[Any]:
    yield from found


async def later(*found: Any) -> AsyncIterator[Any]:
    for each in found:
        yield each


def made(source: Any, *, is_async: bool = False, media_type: str = "image/png") -> Any:
    """A route that gives what *source* makes."""

    def picture(input: str, ctx: None) -> Picture | NoPicture:
        found = source()
        if isinstance(found, Failure | int):
            return found  # type: ignore[return-value]
        return Download(found, media_type=media_type)

    async def picture_later(input: str, ctx: None) -> Picture | NoPicture:
        return picture(input, ctx)

    chosen: Any = picture_later if is_async else picture
    return route(summary="P", tags=["t"], auth="none", effect="read", name="picture")(chosen)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "a").write_bytes(b"ab" * 50_000)
    return tmp_path / "a"


@rows("is_async", False, True, ids=["sync", "async"])
def test_a_right_file_passes_every_check(path: Path, is_async: bool) -> None:
    for source, body in (
        (lambda: b"ab", b"ab"),
        (lambda: path, path.read_bytes()),
        (lambda: parts(b"a", b"b"), b"ab"),
        (lambda: later(b"a", b"b"), b"ab"),
    ):
        given = made(source, is_async=is_async)
        found = call(given, "d", None)
        assert isinstance(found, Download)
        assert found.source == body
        check_route(given, settings=settings(max_examples=3))()
    assert call(made(NoPicture), "d", None) == NoPicture()


def test_a_wrong_file_is_found() -> None:
    def raising() -> Iterator[bytes]:
        yield b"a"
        raise LookupError("the disk is gone")

    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (lambda: parts(b"a", "b"), {}, "part 2 of its file is 'b', which does not fit"),
        (lambda: b"a", {"media_type": "image/gif"}, "image/gif"),
        (lambda: 3, {}, "3, which "),
    ]
    for source, options, words in wrong:
        with pytest.raises(WrongOutput, match=words):
            call(made(source, **options), "d", None)
        with pytest.raises(Exception, match=words):
            check_route(made(source, **options), settings=settings(max_examples=3))()
    with pytest.raises(Exception, match="the disk is gone"):
        check_route(made(raising), settings=settings(max_examples=3))()


def test_a_stub_gives_files_of_each_type() -> None:
    drawn = find(outputs(made(bytes)), lambda file: file.media_type == "text/plain")
    assert isinstance(drawn.source, bytes)


@rows(
    "media, media_type",
    ("image/png", "image/png"), ("image/*", "image/png"), ("*/*", "application/octet-stream"),
    ("font/*", "font/x-made-up"), ("text/csv", "text/csv"),
)  # fmt: skip
def test_a_mock_makes_a_file_up(media: str, media_type: str) -> None:
    def picture(input: str, ctx: None) -> Any:
        raise AssertionError("nobody calls it")

    picture.__annotations__["return"] = Annotated[Download, Media(media)] | NoPicture
    made: Any = route(summary="P", tags=["t"], auth="none", effect="read")(picture)
    package = package_of(load_contract(emit_contract(spec(routes=[made]))))
    client = Client(MockService(package))

    for reply in (client.call("picture", "d"), client.get("picture", "d")):
        assert (reply.status, reply.headers["content-type"]) == (200, media_type)
        assert reply.body == sample_of(media)[1]
    refused = client.call("picture", "d", headers={"Prefer": "code=NO_PICTURE"})
    assert (refused.status, refused.error) == (404, "NO_PICTURE")


@rows(
    "source, media_type, problem",
    (lambda: b"ab", "image/png", None),
    (lambda: b'{"error": "NO"}', "text/plain", None),
    (lambda: parts(b"a", "b"), "image/png", "its file is broken off after 1 bytes"),
    (lambda: b"ab", "image/gif", "it answers 500"),
)
def test_fuzzing_looks_at_the_file(source: Any, media_type: str, problem: str | None) -> None:
    api = spec(routes=[made(source, media_type=media_type)])

    for side in inside_and_outside(api):
        found = fuzz(side["picture"], asking(Client(api)), most=3)
        problems = {finding.problem for finding in found.findings}
        assert bool(problems) == (problem is not None), problems
        assert problem is None or any(problem in each for each in problems)


def test_fuzzing_a_server_finds_a_file_of_another_type() -> None:
    declared = spec(routes=[made(lambda: b"ab")])
    other = Client(spec(routes=[made(lambda: b"ab", media_type="text/plain")]))
    [_, outside] = inside_and_outside(declared)

    def post(name: str, body: bytes) -> Answer:
        reply = other.call(name, body=body)
        return Answer(replace(reply, headers={**reply.headers, "content-type": "font/woff"}))

    found = fuzz(outside["picture"], post, most=3)
    assert any("it answers 200 with font/woff" in each.problem for each in found.findings)
