"""Fuzzing of routes that take files: right forms are taken, and each wrong one is refused."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest
from annotated_types import Len

from contract import MaxBytes, Media, NotFound, Upload, hook, hooks, route, routes, spec
from contract.adapters.mount import service_of
from contract.declare.hook import Call
from contract.testing import Client, Reply
from contract.testing.findings import NotRefused
from contract.testing.fuzzed import Fuzzed
from contract.testing.fuzzing import Answer, Post
from contract.testing.made_forms import FORM_TYPE, is_form
from tests.cli_inside import run
from tests.fuzzed import asking, fuzz, inside_and_outside
from tests.tables import rows
from tests.test_cli_fuzz import serving

PNG = b"\x89PNG"
Small = Annotated[Upload, MaxBytes(10)]


@dataclass(frozen=True)
class NewPhoto:
    title: Annotated[str, Len(1, 20)]
    image: Annotated[Upload, MaxBytes(2_000), Media("image/png", "image/*")]
    scans: Annotated[list[Annotated[Small, Media("*/*")]], Len(1, 2)]
    raw: Annotated[Upload | None, MaxBytes(10_000_000)] = None
    pages: Annotated[list[Small], Len(0, 100)] = field(default_factory=list[Upload])


@dataclass(frozen=True)
class Avatar:
    image: Upload
    x0: Small | None


SEEN: list[tuple[str, bytes]] = []
"""The type and the bytes of each picture, of which some are real ones."""


@route(summary="Add", tags=["photos"], auth="none")
def add(input: NewPhoto, ctx: None) -> int | NotFound:
    SEEN.append((input.image.media_type, input.image.read()))
    return NotFound() if input.title == "nowhere" else len(input.scans)


@route(summary="Avatar", tags=["photos"], auth="none")
def avatar(input: Avatar, ctx: None) -> int:
    return input.image.size


@hook
def closed(call: Call[object]) -> NotFound:
    return NotFound()


@route(summary="Never", tags=["photos"], auth="none", hooks=hooks(closed))
def never(input: Avatar, ctx: None) -> int:
    raise AssertionError


api = spec(routes=routes(add, avatar, never))
CLIENT = Client(api)
INSIDE, OUTSIDE = inside_and_outside(api)


served = asking(CLIENT, headers={"content-type": FORM_TYPE})


@pytest.mark.unwatched
@rows("known", INSIDE, OUTSIDE)
@rows("name", "add", "avatar", "never")
def test_right_forms_are_taken_and_wrong_ones_refused(known: dict[str, Fuzzed], name: str) -> None:
    SEEN.clear()
    result = fuzz(known[name], served)

    assert (result.skipped, result.findings) == (None, ())
    assert min(result.valid, result.invalid) > 20
    assert "OK" in result.codes or name == "never"
    assert name != "add" or any(data.startswith(PNG) for _, data in SEEN)


def lenient(wrong: tuple[str, str] | str) -> Post:
    """A server that takes what it should refuse, for an error, or for an issue of one part."""

    def post(name: str, body: bytes) -> Answer:
        reply = served(name, body).reply
        found: list[Any] = reply.json["data"]["issues"] if reply.error == "VALIDATION_ERROR" else []
        issues = [(*each["path"], each["code"]) for each in found]
        return Answer(Reply(200, 1, {}, b"1") if wrong in (reply.error, *issues) else reply)

    return post


@rows("known", INSIDE, pytest.param(OUTSIDE, marks=pytest.mark.unwatched))
@rows(
    "wrong, problem",
    (("image", "missing"), "no part image"),
    (("scans", "too_few_items"), "no part scans"),
    (("image", "repeated_part"), "2 parts image"),
    (("scans", "too_many_items"), "3 parts scans"),
    (("image", "media_type"), "a file of the type x-nobodys/x-nobodys as image"),
    (("x0", "unknown_key"), "an unknown part x0"),
    (("input", "repeated_part"), "two parts input"),
    ("BAD_REQUEST", "a form that ends too early"),
    ("PAYLOAD_TOO_LARGE", "a file of 2001 bytes as image"),
)
def test_a_server_that_takes_a_wrong_form_is_found(
    known: dict[str, Fuzzed], wrong: tuple[str, str] | str, problem: str
) -> None:
    found = fuzz(known["add"], lenient(wrong), most=1).findings

    assert {type(each) for each in found} == {NotRefused}
    assert any(problem in each.problem for each in found), [each.problem for each in found]
    assert all(each.body is not None and is_form(each.body) for each in found)


PHOTOS = """
from dataclasses import dataclass
from typing import Annotated
from contract import MaxBytes, Media, Upload, route, routes, spec

@dataclass(frozen=True)
class NewPhoto:
    title: str
    image: Annotated[Upload, MaxBytes(2_000), Media("image/png")]

@route(summary="Add", tags=["photos"], auth="none")
def add(input: NewPhoto, ctx: None) -> int:
    return input.image.size

@route(summary="Break", tags=["photos"], auth="none")
def broken(input: NewPhoto, ctx: None) -> int:
    raise RuntimeError("no more")

api = spec(routes=routes(add, broken))
"""


def shell(command: str) -> tuple[list[str], bytes]:
    """The arguments and the standard input that a shell gives to ``contract`` in *command*."""
    program = 'contract() { printf "%s\\0" "$@" >&2; cat; }; ' + command
    ran = subprocess.run(["bash", "-c", program], capture_output=True, check=True)
    return ran.stderr.decode().split("\0")[:-1], ran.stdout


def test_the_command_sends_the_same_form_again(tmp_path: Path) -> None:
    (tmp_path / "photos.py").write_text(PHOTOS)
    done = run("fuzz --json --max-examples 5 photos.py", cwd=tmp_path)
    good, bad = json.loads(done.stdout)["routes"]
    [finding] = bad["findings"]
    arguments, body = shell(finding["replay"])
    again = run(*arguments, cwd=tmp_path, data=body)

    assert (good["findings"], good["skipped"]) == ([], None)
    assert b"500 broken" in again.stderr, again
    assert "RuntimeError: no more" in finding["problem"]


def test_a_server_is_sent_forms(tmp_path: Path) -> None:
    with serving(service_of(api)) as url:
        done = run("fuzz --url", url, "--max-examples", "5", cwd=tmp_path)

    assert done.returncode == 0, done
    assert b"not fuzzed" not in done.stdout
