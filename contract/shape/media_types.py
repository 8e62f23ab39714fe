"""Media types and ranges of them: what is valid, and which types a range includes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["MEDIA_RANGE", "essence", "is_media_range", "is_media_type", "takes"]

_WORD: Final = r"[A-Za-z0-9!#$&^_.+-]{1,127}"
"""A name in a media type (RFC 6838, section 4.2)."""
MEDIA_RANGE: Final = re.compile(rf"\*/\*|{_WORD}/(?:\*|{_WORD})")
"""A type, or a range of them (RFC 9110, section 12.5.1), without parameters."""
_ONE: Final = re.compile(rf"{_WORD}/{_WORD}(?:[ \t]*;[ -~]{{1,200}})?")


def is_media_type(given: object) -> bool:
    """Whether *given* is one media type; any parameters go into a header as they are."""
    return isinstance(given, str) and _ONE.fullmatch(given) is not None


def is_media_range(given: object) -> bool:
    """Whether *given* is a media type, or a range of them."""
    return isinstance(given, str) and MEDIA_RANGE.fullmatch(given) is not None


def essence(media_type: str) -> str:
    """The *media_type* in lower case and without its parameters."""
    return media_type.partition(";")[0].strip(" \t").lower()


def takes(ranges: Iterable[str], media_type: str) -> bool:
    """Whether a *media_type* is in one of the *ranges*; parameters do not count."""
    found = essence(media_type)
    kind = found.partition("/")[0]
    return any(each in (found, f"{kind}/*", "*/*") for each in ranges)
