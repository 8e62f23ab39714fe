"""
Uploads: files that are sent beside the JSON of an input.

An `Upload` is a field of the input's dataclass, but it is not in the JSON: a call sends its files
as parts of a form (`contract.call.form`). In memory the field is read like any class whose form is
a text. That text is the number of a file of the call, and only the loader of forms writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from io import BytesIO
from typing import Any, BinaryIO, Final, Self, cast, final

from contract.shape.nodes import NullableShape, OwnShape, Shape, StrShape
from contract.shape.quoting import shown
from contract.shape.record import record

__all__ = ["UPLOADED", "USUAL_BYTES", "MaxBytes", "Upload", "marked", "upload_in", "upload_shape"]

USUAL_BYTES: Final = 1_048_576
"""The most bytes of a file, or of a body of JSON, if nothing says otherwise."""


@final
class Upload:
    """
    A file that a call has sent: a field of the input, such as ``image: Upload``.

    ::

        image: Annotated[Upload, MaxBytes(5_000_000), Media("image/png", "image/jpeg")]

    It is deleted when the call ends. A test makes one with `Upload.of`.

    Attributes:
        file: The file, open for reading from its beginning; above 64 KiB it is on disk, without a
            name.
        media_type: The media type that the client gave, in lower case and without parameters;
            "application/octet-stream" if it gave no valid one.
        name: The last part of the name that the client gave, without characters that file names
            cannot have; "file" if nothing is left.
        size: Bytes.
    """

    __slots__ = ("file", "media_type", "name", "size")

    def __init__(self, file: BinaryIO, *, name: str, media_type: str, size: int) -> None:
        self.file: Final = file
        self.name: Final = name
        self.media_type: Final = media_type
        self.size: Final = size

    @classmethod
    def of(
        cls, data: bytes, *, name: str = "file", media_type: str = "application/octet-stream"
    ) -> Self:
        """
        A file in memory: ``add(Photo(Upload.of(b"...", media_type="image/png")), None)``.

        Raises:
            TypeError: *data* is not bytes.
        """
        if not isinstance(cast("object", data), bytes | bytearray | memoryview):
            raise TypeError(f"Upload.of() is given {shown(data)}; give bytes")
        return cls(BytesIO(data), name=name, media_type=media_type, size=len(data))

    def read(self, size: int = -1) -> bytes:
        """The next *size* bytes, or the rest."""
        return self.file.read(size)

    def __repr__(self) -> str:
        return f"Upload({self.name!r}, {self.media_type}, {self.size} bytes)"


@final
@record
class MaxBytes:
    """The most bytes of an upload: ``Annotated[Upload, MaxBytes(5_000_000)]``; 1 MiB without it."""

    size: int


UPLOADED: Final = ContextVar[Mapping[str, Upload]]("contract_uploaded")
"""The files of the form whose input is being loaded, under the texts that refer to them."""


# A form sends its files beside its JSON. Before the JSON is loaded, a text takes the place of each
# file; a pred then loads an upload like any class that is a text, and finds the file by this text.


def _claimed(text: str) -> Upload:
    return UPLOADED.get()[text]


def upload_shape() -> OwnShape:
    """The shape of an `Upload`."""
    return OwnShape(StrShape(), Upload, _claimed, repr)


def upload_in(shape: Shape) -> OwnShape | None:
    """The upload that *shape* is, null or not; None if it is not an upload."""
    inner = shape.inner if isinstance(shape, NullableShape) else shape
    if isinstance(inner, OwnShape) and inner.type is Upload:
        return inner
    return None


def marked(shape: Shape, marks: Iterable[Any]) -> Shape:
    """*shape*, an upload or null, with more *marks* beside it."""
    if isinstance(shape, NullableShape):
        return NullableShape(marked(shape.inner, marks))
    assert isinstance(shape, OwnShape)  # noqa: S101  for the type checker
    return replace(shape, marks=(*shape.marks, *marks))
