"""
Media: which media types the files of a route may have.

``Media("image/png", "image/jpeg")`` goes beside a `Download` in an annotation. A type may be a
range, as in ``Accept`` (RFC 9110, section 12.5.1): ``image/*`` takes every image.
"""

from __future__ import annotations

from typing import Final, final

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.media_types import is_media_range, takes
from contract.shape.quoting import shown

__all__ = ["Media"]


@final
class Media:
    """
    The media types that a file may have: ``Annotated[Download, Media("image/png")]``.

    Args:
        types: One or more, in the form ``type/subtype`` without parameters; ``image/*`` is every
            type that begins so.

    Attributes:
        types: In lower case, without duplicates, in their order.

    Raises:
        UnsupportedAnnotation: There is none, or one is not a media type.
    """

    __slots__ = ("types",)

    def __init__(self, *types: str) -> None:
        if not types:
            raise UnsupportedAnnotation("Media()", 'it names no type; write Media("image/png")')
        for each in types:
            if not is_media_range(each):
                raise UnsupportedAnnotation(
                    f"Media({shown(each)})",
                    "it is not a media type; write type/subtype without parameters, "
                    'such as "image/png" or "image/*"',
                )
        self.types: Final = tuple(dict.fromkeys(str.lower(each) for each in types))

    def takes(self, media_type: str) -> bool:
        """Whether *media_type* is one of them; parameters do not count."""
        return takes(self.types, media_type)

    def __eq__(self, other: object) -> bool:
        """Equal where the types are."""
        return isinstance(other, Media) and self.types == other.types

    def __hash__(self) -> int:
        return hash(self.types)

    def __repr__(self) -> str:
        """The call that makes it."""
        return f"Media({', '.join(map(repr, self.types))})"
