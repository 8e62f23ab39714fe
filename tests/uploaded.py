"""Routes that take files, in every way that their resolvers run, and forms made by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from annotated_types import Len

from contract import MaxBytes, Media, Name, Spec, Stream, Upload, hook, hooks, route, routes, spec
from contract.declare.failures import Failure
from contract.declare.hook import Call, Request

BOUNDARY = "made-up"
FORM = ("Content-Type", f"multipart/form-data; boundary={BOUNDARY}")
PNG = b"\x89PNG"


class Ugly(Failure, status=409):
    """Nobody wants to see it."""


@dataclass(frozen=True)
class NewPhoto:
    """A picture, and what there is to say of it."""

    title: Annotated[str, Len(1, 20)]
    image: Annotated[Upload, MaxBytes(200_000), Media("image/png", "image/jpeg")]
    asks: Literal["answer", "fail", "raise"] = "answer"
    thumb: Annotated[Upload | None, MaxBytes(10)] = None
    raw: Annotated[Upload | None, Name("raw-data")] = None
    more: Annotated[list[Upload], Len(0, 2)] = field(default_factory=list[Upload])


@dataclass(frozen=True)
class Seen:
    """What the resolver found."""

    title: str
    names: list[str]
    types: list[str]
    sizes: list[int]
    begins: str


@dataclass(frozen=True)
class Avatar:
    """Files alone."""

    image: Upload


@dataclass(frozen=True)
class Note:
    """Nothing that has to come."""

    scan: Upload | None
    text: str = ""


KEPT: list[Upload] = []
"""Every file that a resolver has seen."""


def look(input: NewPhoto) -> Seen | Ugly:
    files = [input.image, *(each for each in (input.thumb, input.raw) if each), *input.more]
    KEPT.extend(files)
    if input.asks == "raise":
        raise RuntimeError("it is raised")
    if input.asks == "fail":
        return Ugly()
    begins = [input.image.read(4), input.image.read()][0]
    return Seen(
        input.title,
        [each.name for each in files],
        [each.media_type for each in files],
        [each.size for each in files],
        begins.decode("latin-1"),
    )


def user_of(token: str, request: Request) -> str | None:
    return token if token == "good" else None


@hook
def titled(call: Call[object, NewPhoto]) -> Ugly | None:
    assert call.input.image.size
    return Ugly() if call.input.title == "ugly" else None


def make() -> Spec[Any]:
    options: Any = {"summary": "Add", "tags": ["photos"]}

    @route(**options, auth="none")
    def add(input: NewPhoto, ctx: None) -> Seen | Ugly:
        return look(input)

    @route(**options, auth="none", hooks=hooks(titled), max_body_bytes=100)
    async def later(input: NewPhoto, ctx: None) -> Seen | Ugly:
        return look(input)

    @route(summary="Add", tags=["photos"])
    def mine(input: NewPhoto, ctx: str) -> Seen | Ugly:
        return look(input)

    @route(**options, auth="none")
    def avatar(input: Avatar, ctx: None) -> int:
        KEPT.append(input.image)
        return input.image.size

    @route(**options, auth="none")
    def lines(input: Avatar, ctx: None) -> Stream[str]:
        KEPT.append(input.image)
        return Stream(line.decode() for line in input.image.file)

    @route(**options, auth="none", effect="read")
    def size(input: Avatar, ctx: None) -> int:
        return input.image.size

    @route(**options, auth="none")
    def note(input: Note, ctx: None) -> int:
        return -1 if input.scan is None else input.scan.size

    @route(**options, auth="none", max_body_bytes=30)
    def short(input: Seen, ctx: None) -> int:
        return 1

    members = routes(add, later, mine, avatar, lines, note, size, short)
    return spec(authenticate=user_of, routes=members)


def part(data: bytes = b"", *headers: str, name: str = "", told: str | None = None) -> bytes:
    """A part of a form: a file called *told*, or what the *headers* say of it."""
    if name:
        file = "" if told is None else f'; filename="{told}"'
        headers = (f'Content-Disposition: form-data; name="{name}"{file}', *headers)
    return "".join(f"{each}\r\n" for each in headers).encode() + b"\r\n" + data


def json_part(data: bytes = b'{"title":"t"}') -> bytes:
    return part(data, "Content-Type: application/json", name="input")


def image(data: bytes = PNG, told: str = "a.png", name: str = "image") -> bytes:
    return part(data, "Content-Type: image/png", name=name, told=told)


def form(*parts: bytes, end: bytes = b"--\r\n") -> bytes:
    between = f"--{BOUNDARY}".encode()
    whole = b"".join(between + b"\r\n" + each + b"\r\n" for each in parts)
    return whole + between + end


api = make()
