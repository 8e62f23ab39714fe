"""
Refusals: what an annotation must not contain, and what to write instead.

That is a type without a form on the wire, a constraint of another package, or a part that does not
fit the type around it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from decimal import Decimal
from enum import Enum
from inspect import isroutine
from typing import Any, Final, NoReturn, TypeVar, cast

from contract.shape.exceptions import DeclarationError, UnsupportedAnnotation
from contract.shape.foreign import OF_A_ROW, is_table
from contract.shape.graph import is_hashable, reachable
from contract.shape.hashes import hashed_fields
from contract.shape.names import label
from contract.shape.nodes import (
    ArrayShape,
    Basic,
    BytesShape,
    DecimalShape,
    Definition,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullableShape,
    OwnShape,
    RecordShape,
    RefShape,
    Shape,
    StrShape,
)
from contract.shape.quoting import shown
from contract.shape.scalars import ROWS, row_of
from contract.shape.scope import display

__all__ = [
    "check_bounded",
    "check_hashable",
    "check_key",
    "is_of_a_call",
    "refuse",
    "refuse_foreign",
    "refuse_limits",
    "unreadable",
]

_IN_A_MODEL: Final = ", in a dataclass or a model with arbitrary_types_allowed=True"
"""Pydantic knows no class of ours, and takes it only where its models say so."""

_INSTEAD: Final = {
    "builtins.list": "list[...] with the type of its items",
    "builtins.tuple": "tuple[int, str] or tuple[int, ...] with the types of its items",
    "builtins.set": "set[...] with the type of its items",
    "builtins.frozenset": "frozenset[...] with the type of its items",
    "collections.deque": "deque[...] with the type of its items",
    "builtins.dict": "dict[str, ...] with the type of its values",
    "collections.abc.Sequence": "Sequence[...] with the type of its items",
    "collections.abc.MutableSequence": "MutableSequence[...] with the type of its items",
    "collections.abc.Collection": "Collection[...] with the type of its items",
    "collections.abc.Iterable": "Iterable[...] with the type of its items",
    "collections.abc.Set": "Set[...] with the type of its items",
    "collections.abc.MutableSet": "MutableSet[...] with the type of its items",
    "collections.abc.Mapping": "Mapping[str, ...] with the type of its values",
    "collections.abc.MutableMapping": "MutableMapping[str, ...] with the type of its values",
    # by name, because some of these are in modules that nothing else here needs
    "builtins.complex": "tuple[float, float]",
    "builtins.bytearray": "bytes",
    "builtins.memoryview": "bytes",
    "builtins.range": "a dataclass with start and stop",
    "builtins.slice": "a dataclass with start and stop",
    "builtins.type": "the name of the type, as a Literal or an Enum",
    "fractions.Fraction": "Decimal, or a tuple of two ints",
    "collections.OrderedDict": "dict[str, ...]",
    "collections.defaultdict": "dict[str, ...]",
    "collections.ChainMap": "dict[str, ...]",
    "collections.Counter": "dict[str, int]",
    "collections.abc.Container": "Collection[...]",
    "collections.abc.ItemsView": "Collection[tuple[..., ...]]",
    "collections.abc.KeysView": "Set[...]",
    "collections.abc.Reversible": "Sequence[...]",
    "collections.abc.ValuesView": "Collection[...]",
    "collections.abc.Iterator": "Iterable[...], which takes an iterator too",
    "collections.abc.Generator": "Iterable[...], which takes a generator too",
    "collections.abc.AsyncIterable": "list[...]: a reply is sent as a whole",
    "collections.abc.AsyncIterator": "list[...]: a reply is sent as a whole",
    "collections.abc.AsyncGenerator": "list[...]: a reply is sent as a whole",
    "collections.abc.Awaitable": "what it gives, and `async def`",
    "collections.abc.Coroutine": "what it gives, and `async def`",
    "collections.abc.Callable": "the name of what is to be done, as a Literal or an Enum",
    "types.SimpleNamespace": "a dataclass",
    # a caller's expression may take longer than anybody can wait
    "re.Pattern": "str: an expression of a caller's could hold the server up, so search by a text",
    "pydantic.networks.EmailStr": f"Email of contract{_IN_A_MODEL}",
    "pydantic.networks.AnyUrl": f"Url of contract{_IN_A_MODEL}",
    "pydantic.networks.AnyHttpUrl": f"Url of contract{_IN_A_MODEL}",
    "pydantic.networks.HttpUrl": f"Url of contract{_IN_A_MODEL}",
    "pydantic.networks.IPvAnyAddress": "IPv4Address | IPv6Address of ipaddress",
    "pydantic.types.SecretStr": f"SecretStr of contract{_IN_A_MODEL}",
    "pydantic.types.AwareDatetime": "datetime, which always has an offset here",
    "pydantic.types.NaiveDatetime": "LocalDatetime of contract",
    "pydantic.types.FutureDate": "date, and compare it in a dataclass with __post_init__",
    "pydantic.types.FutureDatetime": "datetime, and compare it in a dataclass with __post_init__",
    "pydantic.types.PastDate": "date, and compare it in a dataclass with __post_init__",
    "pydantic.types.PastDatetime": "datetime, and compare it in a dataclass with __post_init__",
    "pydantic.types.Json": "the type that the text holds",
    "typing.Self": "the name of the class",
    "typing.LiteralString": "str",
    "typing.Never": "None",
    "typing.NoReturn": "None",
}


def refuse(annotation: object, where: str, *, origin: object = None) -> NoReturn:
    """Refuse *annotation*, with what to write instead."""
    named = annotation if origin is None else origin
    raise UnsupportedAnnotation(
        where,
        f"{display(annotation)} is not a type that a route can carry; write {_instead(named)}",
    )


@contextmanager
def unreadable(where: str) -> Generator[None]:
    """
    Turn an exception of the author's own code into a refusal.

    That code runs while a type is read: a metaclass, a constraint, the value of an enum.
    """
    try:
        yield
    except DeclarationError:
        raise
    except RecursionError:
        # without the cause, whose traceback has a thousand lines
        raise UnsupportedAnnotation(
            where[:200], "its types are nested too deep to be read; use fewer within each other"
        ) from None
    except Exception as error:
        raise UnsupportedAnnotation(
            where, f"its type cannot be read, because its own code raised {shown(error)}; fix that"
        ) from error


# The advice goes from the most exact knowledge of the type to the least: the table of types by
# name, then the family that a class belongs to, then how its instances look.


def _instead(named: object) -> str:
    # an instance of a failure, where its class is meant
    if hasattr(type(named), "__contract_builtin__"):
        return f"the class of the failure, {type(named).__name__}"
    if not isinstance(named, type):
        if isinstance(named, TypeVar):
            return "a type: this type variable is not bound to one here"
        return _INSTEAD.get(str(named), "a type")
    cls: type[Any] = named
    known = _INSTEAD.get(f"{cls.__module__}.{cls.__qualname__}")
    if known is not None:
        return known
    if is_table(cls):
        return OF_A_ROW
    # such as Path; the module is pathlib._local from Python 3.13 on
    parents = {f"{base.__module__}.{base.__qualname__}" for base in cls.__mro__}
    if "pathlib.PurePath" in parents or "pathlib._local.PurePath" in parents:
        return "PurePath, and make a Path of it to open it"
    if cls.__module__ == "ipaddress":
        return "str, with a Pattern if it must have a form"
    if any(hasattr(cls, mark) for mark in ("model_fields", "__attrs_attrs__", "__struct_fields__")):
        return "a dataclass with the same fields"
    if issubclass(cls, BaseException):
        return (
            "a subclass of Failure into the return type, and return it: "
            "class SoldOut(Failure, status=409)"
        )
    # by its name alone: every framework has a Request of its own
    of_a_call = _OF_A_CALL.get(cls.__name__)
    if of_a_call is not None:
        return of_a_call
    for scalar in (str, int, float, bytes):
        if issubclass(cls, scalar):
            return f"{scalar.__name__}, or a NewType of it"
    if any(hasattr(cls, name) for name in ("status", "status_code", "http_status")):
        return f"class {cls.__name__}(Failure, status=...) if it is a failure, else a dataclass"
    # all that a dataclass is refused for here: arguments for parameters that it does not have
    if dataclasses.is_dataclass(cls):
        return "it without type arguments"
    return "a dataclass with the fields that are to be sent, or a Wire[...](...) beside it"


_PROVIDED: Final = "@provide above a generator that yields it, and call that in the resolver"

_OF_A_CALL: Final = {
    "Request": "the type of the input alone: the headers of a request are in current_call()",
    **dict.fromkeys(
        ("Response", "JSONResponse"), "what is sent, such as a dataclass, and return it"
    ),
    **dict.fromkeys(("Session", "AsyncSession", "Connection", "AsyncConnection"), _PROVIDED),
}
"""Names of classes that other frameworks pass to a function, or take from it."""


def is_of_a_call(cls: type[Any]) -> bool:
    """Whether *cls* is our own `Request`, which is a dataclass but not one to send."""
    return cls.__name__ in _OF_A_CALL and cls.__module__.partition(".")[0] == _PACKAGE


_PACKAGE: Final = __name__.partition(".")[0]


# Constraints of other packages.
#
# Unknown metadata belongs to somebody else (PEP 593) and is left alone. A constraint is not, such
# as the Field of pydantic or the Meta of msgspec: its author means it as a rule, but it would limit
# nothing here. It is recognized by the package of its class, or by limits under the names that
# annotated-types gives them, so no package must be imported.

_PACKAGES: Final = frozenset(
    {
        "apischema",
        "beartype",
        "fastapi",
        "litestar",
        "marshmallow",
        "msgspec",
        "pydantic",
        "sqlmodel",
    }
)
"""Packages whose metadata are constraints."""

_LIMITS: Final = {
    "ge": "Ge",
    "gt": "Gt",
    "le": "Le",
    "lt": "Lt",
    "multiple_of": "MultipleOf",
    "min_length": "MinLen",
    "max_length": "MaxLen",
    "min_items": "MinLen",
    "max_items": "MaxLen",
    "pattern": "Pattern",
    "regex": "Pattern",
}
"""The name of a limit in other packages -> what is written here."""

_NOTES: Final = {"alias": "Name", "description": "Doc"}
"""The name of anything else that a field of pydantic says -> what is written here."""


def refuse_foreign(item: object, shape: Shape, where: str) -> None:
    """Refuse *item*, beside *shape* or its default, if its package writes constraints so."""
    # instances of a class in C have no attributes of their own
    module = getattr(item, "__module__", None) or type(item).__module__
    package = str(module).partition(".")[0]
    if package in _PACKAGES:
        problem = f"{_written(item)}(...) is {package}'s and limits nothing here"
        raise UnsupportedAnnotation(where, f"{problem}; {_instead_of(item, shape)}")


def refuse_limits(item: object, shape: Shape, where: str) -> None:
    """Refuse *item*, metadata of an unknown package beside *shape*, if it has a limit."""
    if isinstance(item, re.Pattern):
        raise UnsupportedAnnotation(
            where, "re.compile(...) limits nothing here; write Pattern(...) from contract"
        )
    # a class or a function may have methods of these names, which limit nothing
    if isinstance(item, type) or isroutine(item):
        return
    for name in _LIMITS:
        limit: object = getattr(item, name, None)
        if limit is not None and not callable(limit):
            problem = f"{_written(item)}(...) has {name}=, which limits nothing here"
            raise UnsupportedAnnotation(where, f"{problem}; {_instead_of(item, shape)}")


def _written(item: object) -> str:
    name = str(getattr(item, "__name__", type(item).__name__)).lstrip("_")
    if name == "PydanticGeneralMetadata" and {"max_digits", "decimal_places"} & vars(item).keys():
        return "Field"  # the same class holds what a StringConstraints says
    return _MADE_BY.get(name, name)


def _instead_of(item: object, shape: Shape) -> str:
    """The advice for an *item* beside *shape*: what it says, as far as that is known here."""
    inner = shape.inner if isinstance(shape, NullableShape) else shape
    limited, example = _LIMITED_BY.get(type(inner), ("...", "Predicate(...)"))
    # the limits of a Field are in its metadata, as annotated-types has them
    held: object = getattr(item, "metadata", None)
    default = ""
    limits = _limits_of(item)
    if isinstance(held, list) and hasattr(item, "default"):
        default = _default_of(item)
        for each in cast("list[object]", held):
            limits += _limits_of(each)
    if not limits:
        options: dict[str, Any] = getattr(item, "__dict__", {})
        for name in ("strip_whitespace", "to_lower", "to_upper"):
            if options.get(name):
                return (
                    f"leave {name}= out, and do that in the resolver: it gets a value as it was "
                    "sent"
                )
        if options.get("allow_inf_nan") is False:
            return "leave it out: a number is always finite here"
        if default:
            return f"write {limited}{default}"
        limits = [example]
    packages = dict.fromkeys(
        _HOME.get(each.partition("(")[0], "annotated_types") for each in limits
    )
    return f"write Annotated[{limited}, {', '.join(limits)}]{default} from {', '.join(packages)}"


_HOME: Final = {"Doc": "typing_extensions", "Name": "contract", "Pattern": "contract"}
"""The module that each is imported from, unless it is annotated_types."""


def _limits_of(item: object) -> list[str]:
    """The limits and notes of an *item* of another package, as they are written here."""
    found: list[str] = []
    if isinstance(item, type):
        return found
    for name, ours in {**_NOTES, **_LIMITS}.items():
        value: object = getattr(item, name, None)
        if value is None or callable(value):
            continue
        if isinstance(value, re.Pattern):
            value = cast("Any", value).pattern
        found.append(f"{ours}({shown(value)})")
    # 5 digits, 2 of them behind the point, are all numbers below 1E3
    digits: int | None = getattr(item, "max_digits", None)
    places: int | None = getattr(item, "decimal_places", None)
    if digits is not None:
        found.append(f'Lt(Decimal("1E{digits - (places or 0)}"))')
    if places is not None:
        found.append(f'MultipleOf(Decimal("{Decimal(1).scaleb(-places)}"))')
    return found


def _default_of(field: object) -> str:
    """The default of a *field* of pydantic, as it is written behind a type; empty if none."""
    default: object = getattr(field, "default", None)
    if type(default).__name__ == "PydanticUndefinedType":
        return ""
    return f" = {shown(default)}"


_MADE_BY: Final = {
    "BeartypeValidator": "Is",
    "BodyKwarg": "Body",
    "FieldInfo": "Field",
    "ParameterKwarg": "Parameter",
    "PydanticGeneralMetadata": "StringConstraints",
}
"""The class that another package makes -> the name that its author writes."""

_LIMITED_BY: Final[dict[type, tuple[str, str]]] = {
    IntShape: ("int", "Ge(1)"),
    FloatShape: ("float", "Ge(0.5)"),
    DecimalShape: ("Decimal", 'Ge(Decimal("0.01"))'),
    StrShape: ("str", "Len(1, 40)"),
    BytesShape: ("bytes", "MaxLen(40)"),
    ArrayShape: ("list[...]", "Len(1, 40)"),
    MapShape: ("dict[str, ...]", "MaxLen(40)"),
}
"""Shape -> its type, and an example of a constraint on it."""


# Parts that do not fit the type around them.


def check_hashable(array: ArrayShape, where: str) -> None:
    """Refuse a set whose items cannot be hashed."""
    if is_hashable(array.item):
        return
    field = _unhashable_field(array.item)
    if field is None:
        why, instead = "", "write list[...] or a frozen dataclass"
    else:
        why = f", since its field {field} cannot"
        instead = "write list[...], or let the field be a tuple or a frozen dataclass"
    raise UnsupportedAnnotation(
        where, f"{label(array.item)} cannot be hashed{why}, so no set holds it; {instead}"
    )


def _unhashable_field(shape: Shape) -> str | None:
    """The field for which a record that has a hash cannot be hashed all the same."""
    if not isinstance(shape, RefShape):
        return None
    record = shape.definition.shape
    if not isinstance(record, RecordShape) or record.kind == "typeddict":
        return None
    names = hashed_fields(record.type, [each.name for each in record.fields])
    if names is None:
        return None
    for each in record.fields:
        # the record counts as seen: it may hold itself, which is not the reason
        if each.name in names and not is_hashable(each.shape, {shape.definition}):
            return each.name
    raise AssertionError(shape)


def check_key(key: Shape, where: str) -> None:
    """Refuse keys that are not written as strings of one form."""
    match key:
        case Basic() if row_of(key).is_key:
            return
        # a dict looks keys up by their hash, which a class may lack
        case OwnShape(StrShape()) if is_hashable(key):
            return
        case LiteralShape(values) if _are_keys(values):
            return
        case RefShape(definition) if _is_enum_of_keys(definition.key[0]):
            return
        case _:
            pass
    scalars = ", ".join(row.label for row in ROWS.values() if row.is_key)
    advice = (
        f"write {scalars}, or a Literal or an Enum whose values are all strings or all ints; "
        "or a list of pairs"
    )
    raise UnsupportedAnnotation(where, f"{label(key)} cannot be the key of an object; {advice}")


def _are_keys(values: Iterable[object]) -> bool:
    """Whether *values*, of a Literal or an enum, can be keys: all are texts or all are ints."""
    return {*map(type, values)} in ({str}, {int})


def _is_enum_of_keys(kind: object) -> bool:
    return (
        isinstance(kind, type)
        and issubclass(kind, Enum)
        and _are_keys(member.value for member in kind)
    )


def check_bounded(arrays: Sequence[Shape], owner: Definition, where: str) -> None:
    """
    Refuse a union that contains itself through two arrays.

    Each level would be tried once per array, so 110 bytes could cost seconds.
    """
    if any(owner in reachable(array) for array in arrays):
        names = " and ".join(map(label, arrays[:2]))
        raise UnsupportedAnnotation(
            where, f"{names} contain the union that they are in; write one list of a union"
        )
