"""Sample files: bytes made up for a media type, for mocks and tests."""

from __future__ import annotations

from typing import Final

__all__ = ["sample_of"]

_PNG: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a494441"
    "54789c636800000082008177cd72b60000000049454e44ae426082"
)
"""An image of one pixel."""
_TEXT: Final = b"Made up.\n"
_OF_RANGES: Final = {
    "*/*": "application/octet-stream",
    "image/*": "image/png",
    "text/*": "text/plain",
    "audio/*": "audio/wav",
    "video/*": "video/mp4",
    "application/*": "application/octet-stream",
}


def sample_of(media_range: str) -> tuple[str, bytes]:
    """A media type within *media_range*, and the bytes of a small file."""
    kind = _OF_RANGES.get(media_range, media_range.replace("/*", "/x-made-up"))
    return kind, _PNG if kind == "image/png" else _TEXT
