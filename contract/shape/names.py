"""
Names: of fields on the wire, of types in documents, and for texts that anybody may have written.

A text that is a valid identifier may stay as it is; any other becomes an ASCII identifier that
looks like it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from operator import attrgetter
from typing import Final, Literal, assert_never

from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    Basic,
    Definition,
    EnumShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    OwnShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    TaggedUnionShape,
    TupleShape,
    UnionShape,
)
from contract.shape.scalars import row_of

__all__ = [
    "MAX_LENGTH",
    "Rename",
    "camel",
    "identifier",
    "is_identifier",
    "is_plain",
    "label",
    "pascal",
]

Rename = Literal["camel"]
"""How ``spec(rename=...)`` writes the names of fields."""


def camel(name: str) -> str:
    """
    ``product_id`` as ``productId``.

    Underscores at either end stay: the author put them there for a reason.
    """
    inner = name.strip("_")
    if not inner:
        return name
    head = name[: len(name) - len(name.lstrip("_"))]
    tail = name[len(name.rstrip("_")) :]
    first, *others = inner.split("_")
    return head + first + "".join(part[:1].upper() + part[1:] for part in others) + tail


def label(shape: Shape, named: Callable[[Definition], str] = attrgetter("name")) -> str:
    """A name for *shape* of letters, digits and underscores: ``list_int``, ``Page_Product``."""

    def inside(part: Shape) -> str:
        return label(part, named)

    match shape:
        case RefShape(definition):
            return named(definition)
        case ArrayShape(item, container):
            return f"{container}_{inside(item)}"
        case TupleShape(items):
            return "_".join(["tuple", *map(inside, items)])
        case MapShape(key, value):
            return f"dict_{inside(key)}_{inside(value)}"
        case NullableShape(inner):
            return f"{inside(inner)}_or_None"
        case UnionShape(members):
            return "_or_".join(map(inside, members))
        case TaggedUnionShape(_, _, cases):
            return "_or_".join(dict.fromkeys(inside(record) for _, record in cases))
        case Refined(inner):
            return inside(inner)
        case LiteralShape(values):
            words = [re.sub("[^A-Za-z0-9]", "_", str(value)) for value in values]
            return "_".join(["Literal", *words])
        case RecordShape(_, type_) | NamedTupleShape(type_) | EnumShape(type_) | OwnShape(_, type_):
            return type_.__name__
        case Basic():
            return row_of(shape).label
        case AnyShape():
            return "Any"
        case _:
            assert_never(shape)


MAX_LENGTH: Final = 100
"""
The greatest length of a name that is made, without the number that keeps it unique.

A longer text is cut, and ends in digits of its hash.
"""

_PLAIN: Final = re.compile(rf"[A-Za-z_][A-Za-z0-9_]{{0,{MAX_LENGTH - 1}}}")

_CASED_APART: Final = re.compile("[A-Z0-9_]+")

_OLD: Final = unicodedata.ucd_3_2_0
"""
Unicode 3.2, which every version of Python has.

With it, generated names do not depend on the version of Python.
"""


def is_plain(text: str) -> bool:
    """Whether *text* is an identifier of ASCII, of at most `MAX_LENGTH` characters."""
    return _PLAIN.fullmatch(text) is not None


def is_identifier(text: str) -> bool:
    """
    Whether every version of Python takes *text* as an identifier and reads it unchanged.

    Such a text has at most `MAX_LENGTH` characters.

    Python reads names as NFKC (PEP 3131). Which characters it knows depends on its version, except
    for the old ones.
    """
    return (
        len(text) <= MAX_LENGTH
        and text.isidentifier()
        and unicodedata.is_normalized("NFKC", text)
        and (text.isascii() or all(_OLD.category(char)[0] in "LMN" or char == "_" for char in text))
    )


def identifier(text: str, stem: str = "name") -> str:
    """
    An identifier of ASCII that looks like *text*.

    Accents are removed, a character without an ASCII form is written as its number, and underscores
    at the ends are dropped. It begins with *stem* if *text* does not begin with a letter.
    """
    # each character takes four in ASCII, in the worst case; what comes after the cut is in the hash
    ascii_text = "".join(map(_plain, _OLD.normalize("NFKD", text[: MAX_LENGTH + 1])))
    name = re.sub("_+", "_", ascii_text).strip("_")
    if not name:
        name = stem
    elif not name[0].isalpha():
        name = f"{stem}_{name}"
    if len(name) > MAX_LENGTH or len(text) > MAX_LENGTH:
        digest = sha256(text.encode(errors="surrogatepass")).hexdigest()
        name = f"{name[: MAX_LENGTH - 9]}_{digest[:8]}"
    return name


def pascal(text: str, stem: str = "Type") -> str:
    """
    The name of a type after *text*.

    ``SOLD_OUT`` and ``sold.out`` give ``SoldOut``, and ``getUser`` gives ``GetUser``.
    """
    words = identifier(text, stem).split("_")
    # a text of capitals says nothing by them; in any other, they are kept within words
    if _CASED_APART.fullmatch(text):
        words = [word.lower() for word in words]
    return "".join(word[:1].upper() + word[1:] for word in words)


def _plain(char: str) -> str:
    if char.isascii():
        return char if char.isalnum() else "_"
    # NFKD has made of an accented letter the letter and its accent, which is left out
    if _OLD.combining(char):
        return ""
    return f"_u{ord(char):x}_"
