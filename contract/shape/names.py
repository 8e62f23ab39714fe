"""Names: how fields are called on the wire, and types in documents."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Literal, assert_never

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

__all__ = ["Rename", "camel", "label"]

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
    first, *rest = inner.split("_")
    return head + first + "".join(part[:1].upper() + part[1:] for part in rest) + tail


def label(shape: Shape, named: Callable[[Definition], str] = attrgetter("name")) -> str:
    """
    A readable name for *shape* of letters, digits and underscores: ``list_int``, ``Page_Product``.

    Args:
        shape: Any shape.
        named: Gives the name of a named type.
    """

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
            return "_".join(
                [
                    "Literal",
                    *(
                        "".join(c if c.isascii() and c.isalnum() else "_" for c in str(value))
                        for value in values
                    ),
                ]
            )
        case RecordShape(_, type_) | NamedTupleShape(type_) | EnumShape(type_) | OwnShape(_, type_):
            return type_.__name__
        case Basic():
            return row_of(shape).label
        case AnyShape():
            return "Any"
        case _:
            assert_never(shape)
