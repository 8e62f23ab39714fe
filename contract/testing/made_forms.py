"""
Made-up forms: calls that bring small files that are made up, right ones and wrong ones.

They all have one boundary, so that the bodies of a run depend on its seed alone, and that a body
tells that it is such a form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Final, final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.declare.files import INPUT_PART, FileField, Files
from contract.shape.record import record
from contract.shape.upload import Upload
from contract.testing.client import form_with
from contract.testing.valid_values import uploads

__all__ = [
    "FORM_TYPE",
    "WrongBody",
    "files_for",
    "form_of",
    "is_form",
    "mistakes_in",
    "valid_forms",
]

_BOUNDARY: Final = "made-up-by-contract"
FORM_TYPE: Final = f"multipart/form-data; boundary={_BOUNDARY}"
"""The Content-Type of each form."""

_LARGEST: Final = 8 * 1024 * 1024
"""Bytes of a file that are worth sending, only to hear that it is too large."""
_SOME: Final = 20
"""Files that are worth sending, only to hear that they are too many."""
_MORE: Final = 2
"""The most files that come beyond those that have to."""
_NOBODYS: Final = "x-nobodys/x-nobodys"
"""A media type that nobody asks for."""


@final
@record
class WrongBody:
    """A body that breaks one rule, and the answer that it has to get."""

    body: bytes
    reason: str
    """The rule in words."""
    error: str
    issue: tuple[tuple[str | int, ...], str] | None = None
    """The path and the code of the one issue that it has to get, where the error has issues."""


def is_form(body: bytes) -> bool:
    """Whether *body* is one of these forms, and no JSON."""
    return body.startswith(b"--")


def files_for(files: Files) -> dict[str, list[Upload]]:
    """The fewest files that a call may bring."""
    return {each.wire: _made(each, _least(each)) for each in files.fields}


def _least(field: FileField) -> int:
    if field.many is not None:
        return field.many[0]
    return 1 if field.required else 0


def _made(field: FileField, number: int, data: bytes = b"") -> list[Upload]:
    """So many files of a type that the *field* takes."""
    types = ("application/octet-stream",) if field.media is None else field.media.types
    media_type = types[0].replace("*", "x-made-up")
    return [Upload.of(data, media_type=media_type) for _ in range(number)]


def form_of(body: bytes, files: Mapping[str, Sequence[Upload]]) -> bytes:
    """A form with the JSON in *body* and with *files*."""
    # each form has a boundary of its own at first, drawn by chance
    form, content_type = form_with(body, files)
    return form.replace(content_type.rpartition("=")[2].encode(), _BOUNDARY.encode())


def valid_forms(bodies: SearchStrategy[bytes], files: Files) -> SearchStrategy[bytes]:
    """Forms of *bodies*, with files that fit."""
    brought = st.fixed_dictionaries({each.wire: _fitting(each) for each in files.fields})
    return st.builds(form_of, bodies, brought)


def _fitting(field: FileField) -> SearchStrategy[list[Upload]]:
    least = _least(field)
    each = uploads(field.max_bytes, field.media)
    return st.lists(each, min_size=least, max_size=min(field.most, least + _MORE))


def mistakes_in(files: Files) -> list[Callable[[bytes], WrongBody]]:
    """Functions that make forms of a valid body, each with one mistake in its parts."""
    return [
        partial(_cut_off, files),
        *(partial(_with_other_files, files, *mistake) for mistake in _mistakes(files)),
    ]


def _cut_off(files: Files, body: bytes) -> WrongBody:
    # without the end of its last boundary
    form = form_of(body, files_for(files))
    return WrongBody(form[: -len(_BOUNDARY)], "a form that ends too early", "BAD_REQUEST")


_Mistake = tuple[str, str, list[Upload], str | None]
"""
A part that has other files than it may have: the reason, its name, its files, the issue's code.

There is no code where a file is too large.
"""


def _with_other_files(
    files: Files, reason: str, part: str, brought: list[Upload], code: str | None, body: bytes
) -> WrongBody:
    form = form_of(body, {**files_for(files), part: brought})
    if code is None:
        return WrongBody(form, reason, "PAYLOAD_TOO_LARGE")
    return WrongBody(form, reason, "VALIDATION_ERROR", ((part,), code))


def _mistakes(files: Files) -> Iterator[_Mistake]:
    names = {INPUT_PART, *(each.wire for each in files.fields)}
    # x0, or the first after it that no field has
    unknown = next(name for name in map("x{}".format, count()) if name not in names)
    json = [Upload.of(b"{}", media_type="application/json")]
    yield f"an unknown part {unknown}", unknown, json, "unknown_key"
    yield f"two parts {INPUT_PART}", INPUT_PART, json, "repeated_part"
    for each in files.fields:
        yield from _mistakes_in(each)


def _mistakes_in(field: FileField) -> Iterator[_Mistake]:
    name, least, several = field.wire, _least(field), field.many is not None
    if least:
        code = "too_few_items" if several else "missing"
        yield f"no part {name}", name, [], code
    if field.most < _SOME:
        many = _made(field, field.most + 1)
        code = "too_many_items" if several else "repeated_part"
        yield f"{len(many)} parts {name}", name, many, code
    if field.media is not None and not field.media.takes(_NOBODYS):
        others = [Upload.of(b"", media_type=_NOBODYS) for _ in range(max(1, least))]
        yield f"a file of the type {_NOBODYS} as {name}", name, others, "media_type"
    if field.max_bytes < _LARGEST:
        size = field.max_bytes + 1
        yield (
            f"a file of {size} bytes as {name}",
            name,
            _made(field, max(1, least), bytes(size)),
            None,
        )
