"""Media types: which of them a file may have, and what is none."""

from typing import Any

import pytest

from contract import Media, UnsupportedAnnotation
from tests.tables import rows


@rows(
    "types, taken, refused",
    (["image/png"], ["image/png", "IMAGE/PNG ; a=b"], ["image/gif", "image/*", ""]),
    (["Image/*", "text/csv"], ["image/gif", "text/csv; charset=utf-8"], ["text/plain"]),
    (["*/*"], ["application/x-made.up+json"], []),
)
def test_a_type_is_taken_by_essence(types: list[str], taken: list[str], refused: list[str]) -> None:
    media = Media(*types)

    assert [each for each in (*taken, *refused) if media.takes(each)] == taken
    assert media == Media(*types, types[0].upper())
    assert hash(media) == hash(Media(*types))
    assert eval(repr(media)) == media
    assert media != types


@rows("types", [], ["png"], ["image/png; q=1"], ["*/png"], ["image/p ng"], [3], ["image/png", ""])
def test_what_is_no_media_type_is_refused_with_words(types: list[Any]) -> None:
    with pytest.raises(UnsupportedAnnotation, match=r"Media\(.*\): it .*write .*image/png"):
        Media(*types)
