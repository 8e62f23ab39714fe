"""Names: how a field is called on the wire, and a type in the documents."""

from __future__ import annotations

from typing import Final, Literal, assert_never

from contract.shape.nodes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    BytesShape,
    DateShape,
    DatetimeShape,
    DecimalShape,
    EnumShape,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NamedTupleShape,
    NullableShape,
    NullShape,
    RecordShape,
    Refined,
    RefShape,
    Shape,
    StrShape,
    TaggedUnionShape,
    TimedeltaShape,
    TimeShape,
    TupleShape,
    UnionShape,
    UuidShape,
)

__all__ = ["Rename", "camel", "label"]

Rename = Literal["camel"]
"""How ``spec(rename=...)`` writes the names of fields."""

_SCALARS: Final[dict[type, str]] = {
    AnyShape: "Any",
    NullShape: "None",
    BoolShape: "bool",
    IntShape: "int",
    FloatShape: "float",
    StrShape: "str",
    BytesShape: "bytes",
    DecimalShape: "Decimal",
    DatetimeShape: "datetime",
    DateShape: "date",
    TimeShape: "time",
    TimedeltaShape: "timedelta",
    UuidShape: "UUID",
}


def camel(name: str) -> str:
    """``product_id`` as ``productId``; underscores at either end stay, since they mean something to whoever wrote them."""
    inner = name.strip("_")
    if not inner:
        return name
    head = name[: len(name) - len(name.lstrip("_"))]
    tail = name[len(name.rstrip("_")) :]
    first, *rest = inner.split("_")
    return head + first + "".join(part[:1].upper() + part[1:] for part in rest) + tail


def label(shape: Shape) -> str:
    """A readable name for *shape* of letters, digits and underscores: ``list_int``, ``Page_Product``."""
    match shape:
        case RefShape(definition):
            return definition.name
        case ArrayShape(item, container):
            return f"{container}_{label(item)}"
        case TupleShape(items):
            return "_".join(["tuple", *map(label, items)])
        case MapShape(key, value):
            return f"dict_{label(key)}_{label(value)}"
        case NullableShape(inner):
            return f"{label(inner)}_or_None"
        case UnionShape(members):
            return "_or_".join(map(label, members))
        case TaggedUnionShape(_, _, cases):
            return "_or_".join(dict.fromkeys(label(record) for _, record in cases))
        case Refined(inner):
            return label(inner)
        case LiteralShape(values):
            return "_".join(["Literal", *("".join(c if c.isascii() and c.isalnum() else "_" for c in str(value)) for value in values)])
        case RecordShape(_, type_) | NamedTupleShape(type_) | EnumShape(type_):
            return type_.__name__
        case (
            AnyShape()
            | NullShape()
            | BoolShape()
            | IntShape()
            | FloatShape()
            | StrShape()
            | BytesShape()
            | DecimalShape()
            | DatetimeShape()
            | DateShape()
            | TimeShape()
            | TimedeltaShape()
            | UuidShape()
        ):
            return _SCALARS[type(shape)]
        case _:
            assert_never(shape)
