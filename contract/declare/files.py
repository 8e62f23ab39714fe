"""
Files: which fields of an input are uploads, and what each of them may contain.

An input with uploads has two shapes. The resolver gets one dataclass; on the wire, its files are
parts of a form, and the rest is JSON. The whole shape loads the form. The one without the files is
the input that documents, clients and tests know.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, final
from weakref import WeakSet

import annotated_types as at

from contract.shape.exceptions import RouteDeclarationError, UnsupportedAnnotation
from contract.shape.graph import nested, reachable
from contract.shape.markers import Pattern
from contract.shape.media_types import Media
from contract.shape.nodes import (
    ArrayShape,
    Definition,
    Field,
    NullableShape,
    RecordShape,
    RefShape,
    Shape,
)
from contract.shape.pages import MaxLimit
from contract.shape.quoting import shown
from contract.shape.record import record
from contract.shape.upload import USUAL_BYTES, MaxBytes, upload_in

__all__ = ["INPUT_PART", "FileField", "Files", "check_no_files", "read_files", "read_marks"]

INPUT_PART: Final = "input"
"""The name of the form part that holds the JSON of an input; no file may have it."""

_LARGEST: Final = 2**40
"""More than any disk for temporary files can hold."""
_MANY: Final = 1000
"""More files than anybody sends at once."""
_SEQUENCES: Final = ("list", "tuple", "sequence")


@final
@record(eq=False)
class FileField:
    """A field of an input that is an upload or a list of uploads."""

    name: str
    """The name of the field in Python."""
    wire: str
    """The name of its form part."""
    max_bytes: int
    """The most bytes of each file."""
    media: Media | None
    """The media types that it may have; None for any."""
    required: bool
    """Whether every call must send it."""
    nullable: bool = False
    """Whether a missing file gives null, instead of the field's default."""
    many: tuple[int, int] | None = None
    """The fewest and the most files of a list; None for one file."""
    description: str | None = None

    @property
    def most(self) -> int:
        """The most files."""
        return 1 if self.many is None else self.many[1]


@final
@record(eq=False)
class Files:
    """The files of a route."""

    fields: tuple[FileField, ...]
    """In the order of the dataclass; there is at least one."""
    whole: RefShape | None
    """
    The input with its files, as the resolver gets it.

    None if it gets the JSON alone, as the resolver of a mock does.
    """

    @property
    def max_bytes(self) -> int:
        """The most bytes of all files together."""
        return sum(each.most * each.max_bytes for each in self.fields)


def read_files(
    given: Shape | None, where: str, **other_ways: object
) -> tuple[Files | None, Shape | None]:
    """
    The files of the input *given*, and the input without them.

    The files are None if there are none; the input is None if nothing else is in it.

    Args:
        given: The input.
        where: Its place, for messages.
        other_ways: The options ``mcp``, ``cache`` and ``signed``: each lets a route be called
            without a form.

    Raises:
        DeclarationError: An upload is in a place that no form part can reach, or has marks that do
            not apply to files; or the route can be called without a form.
    """
    if given is None:
        return None, None
    if not (isinstance(given, RefShape) and isinstance(given.definition.shape, RecordShape)):
        check_no_files(given, where)
        return None, given
    # 1. Part the fields. A form has one part for each file, so no file is deeper than a field.
    record_shape = given.definition.shape
    files = [each for each in record_shape.fields if _is_file(each.shape)]
    others = tuple(each for each in record_shape.fields if not _is_file(each.shape))
    for each in others:
        check_no_files(each.shape, f"{where}.{each.name}")
    if not files:
        return None, given
    # 2. Check that a form can carry them, on every way to the route.
    if record_shape.kind != "dataclass":
        raise UnsupportedAnnotation(where, "an Upload is a field of a dataclass; make it one")
    fields = tuple(_file(each, f"{where}.{each.name}") for each in files)
    for option, value in other_ways.items():
        if value is not None and value is not False:
            raise RouteDeclarationError(
                where, f"{_NO_FORM[option]}; leave out {option}=, or the Upload"
            )
    # 3. Make the type of the JSON beside them, with the name of the whole.
    if not others:
        return Files(fields, given), None
    whole = given.definition
    if whole.filed is None:  # made once: routes that take the same class share one type
        made = whole.filed = Definition(
            whole.key,
            whole.name,
            whole.module,
            whole.description,
            deprecated=whole.deprecated,
            arguments=whole.arguments,
        )
        made.close(replace(record_shape, fields=others))
    return Files(fields, given), RefShape(whole.filed)


def _is_file(shape: Shape) -> bool:
    # `Upload`, `list[Upload]`, and either with None
    if isinstance(shape, NullableShape):
        shape = shape.inner
    if isinstance(shape, ArrayShape):
        shape = shape.item
    return upload_in(shape) is not None


def _file(field: Field, where: str) -> FileField:
    if field.wire == INPUT_PART:
        raise UnsupportedAnnotation(
            where,
            f"the part {INPUT_PART} holds the JSON; give the file another name, "
            'such as Annotated[Upload, Name("file")]',
        )
    shape, many = field.shape, None
    nullable = isinstance(shape, NullableShape)
    if isinstance(shape, NullableShape):
        shape = shape.inner
    if isinstance(shape, ArrayShape):
        many = _fewest_and_most(shape, where)
        shape = shape.item
    upload = upload_in(shape)
    assert upload is not None  # noqa: S101  for the type checker
    if nullable and (many is not None or isinstance(shape, NullableShape)):
        raise UnsupportedAnnotation(where, "without files the list is empty; leave out None")
    max_bytes, media = read_marks(upload.marks, where)
    has_default = not field.required_in
    may_be_empty = many is not None and many[0] == 0
    return FileField(
        field.name,
        field.wire,
        max_bytes,
        media,
        required=not (has_default or nullable or may_be_empty),
        nullable=nullable and not has_default,
        many=many,
        description=field.description,
    )


def _fewest_and_most(shape: ArrayShape, where: str) -> tuple[int, int]:
    most = shape.max_items
    if shape.container not in _SEQUENCES or isinstance(shape.item, NullableShape):
        raise UnsupportedAnnotation(where, "several files are a list; write list[Upload]")
    if most is None or not 1 <= most <= _MANY:
        raise UnsupportedAnnotation(
            where,
            f"it does not say how many files may come, 1 to {_MANY}; "
            "write Annotated[list[Upload], Len(0, 10)]",
        )
    return shape.min_items or 0, most


def read_marks(marks: Iterable[object], where: str) -> tuple[int, Media | None]:
    """
    Read the size limit and the media types from the *marks* beside an upload.

    Raises:
        UnsupportedAnnotation: A mark does not apply to files.
    """
    size, media = USUAL_BYTES, None
    for mark in marks:
        match mark:
            case MaxBytes(size):
                if type(size) is not int or not 1 <= size <= _LARGEST:
                    raise UnsupportedAnnotation(
                        where, f"MaxBytes({shown(size)}): write a number of bytes, an int from 1"
                    )
            case Media():
                media = mark
            case at.BaseMetadata() | Pattern() | MaxLimit():
                raise UnsupportedAnnotation(
                    where,
                    f"{shown(mark)} does not apply to files; write MaxBytes(...) and Media(...)",
                )
            case type() if mark in (MaxBytes, Media):
                raise UnsupportedAnnotation(
                    where, f'{mark.__name__} is a class; write MaxBytes(5_000_000), Media("...")'
                )
            case _:
                pass  # marks of other libraries
    return size, media


def check_no_files(shape: Shape, where: str) -> None:
    """
    Check that *shape* contains no upload.

    Raises:
        UnsupportedAnnotation: It contains one.
    """
    fresh = reachable(shape, _WITHOUT_UPLOADS)
    for each in (shape, *(found.shape for found in fresh)):
        if any(upload_in(part) is not None for part in nested(each)):
            raise UnsupportedAnnotation(
                where,
                "an Upload cannot be part of JSON; "
                "make it a field of the dataclass that is the input of a route",
            )
    _WITHOUT_UPLOADS.update(fresh)


_WITHOUT_UPLOADS: Final[WeakSet[Definition]] = WeakSet()
"""Types in which no upload was found: many routes may refer to them. It keeps none alive."""
_NO_FORM: Final = {
    "mcp": "an MCP client sends no files",
    "cache": "a URL cannot hold a file",
    "signed": "webhooks send JSON",
}
"""Why no files can come in each of the other ways to call a route."""
