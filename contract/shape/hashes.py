"""
Hashes: which classes can be hashed, and which of their fields the hash is made of.

A field may be left out of it (``hash=False`` and ``compare=False`` of dataclasses, ``eq=False`` of
attrs). Its type does not matter to a set, which only the other fields keep from holding the record.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from contract.shape.foreign import foreign_maker

__all__ = ["hashed_fields"]


def hashed_fields(cls: Any, fields: Iterable[str]) -> Sequence[str] | None:
    """
    Those of the *fields* of *cls* that its hash is made of; None if it cannot be hashed.

    There are none if instances are hashed by identity, or by code of the author's.
    """
    config: Any = getattr(cls, "__struct_config__", None)
    # every struct of msgspec has a hash, which raises if the struct is not frozen
    if cls.__hash__ is None or (config is not None and not config.frozen):
        return None
    # the class whose `__hash__` this inherits, and the file in which that is written: both
    # dataclasses and attrs compile theirs from text, and so leave a mark
    maker: Any = next(base for base in cls.__mro__ if "__hash__" in vars(base))
    code = getattr(maker.__hash__, "__code__", None)
    file: str = getattr(code, "co_filename", "")
    if dataclasses.is_dataclass(cls):
        # code that dataclasses compiled has no file, and names it "<string>"
        if file != "<string>" or not dataclasses.is_dataclass(maker):
            return []
        made = dataclasses.fields(maker)
        return [each.name for each in made if _counts(each.hash, each.compare)]
    if foreign_maker(cls) == "attrs":
        if not file.startswith("<attrs generated"):
            return []
        return [each.name for each in maker.__attrs_attrs__ if _counts(each.hash, each.eq)]
    return [*fields]


def _counts(hashed: bool | None, compared: bool) -> bool:  # noqa: FBT001
    """Whether a field counts in the hash: as it says itself, or else if it is compared."""
    if hashed is None:
        return compared
    return hashed
