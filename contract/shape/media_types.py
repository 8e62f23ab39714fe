"""
Media types and ranges of them: what is valid, and which types a range includes.

``Media("image/png", "image/jpeg")`` goes beside a `Download` or an `Upload` in an annotation. A
type may be a range, as in ``Accept`` (RFC 9110, section 12.5.1): ``image/*`` takes every image.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, final

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.header_values import essence
from contract.shape.quoting import shown

__all__ = ["MEDIA_RANGE", "Media", "is_media_range", "is_media_type", "takes"]

_WORD: Final = r"[A-Za-z0-9!#$&^_.+-]{1,127}"
"""A name in a media type (RFC 6838, section 4.2)."""
MEDIA_RANGE: Final = re.compile(rf"\*/\*|{_WORD}/(?:\*|{_WORD})")
"""A type, or a range of them (RFC 9110, section 12.5.1), without parameters."""
# Parameters are sent as they are, so they may have what any header can carry: printable ASCII,
# without line ends. No RFC limits their length; this limit is ours.
_ONE: Final = re.compile(rf"{_WORD}/{_WORD}(?:[ \t]*;[ -~]{{1,200}})?")


def is_media_type(given: object) -> bool:
    """Whether *given* is one media type; any parameters go into a header as they are."""
    return isinstance(given, str) and _ONE.fullmatch(given) is not None


def is_media_range(given: object) -> bool:
    """Whether *given* is a media type, or a range of them."""
    return isinstance(given, str) and MEDIA_RANGE.fullmatch(given) is not None


def takes(ranges: Iterable[str], media_type: str) -> bool:
    """Whether a *media_type* is in one of the *ranges*; parameters do not count."""
    found = essence(media_type)
    kind = found.partition("/")[0]
    return any(each in (found, f"{kind}/*", "*/*") for each in ranges)


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
