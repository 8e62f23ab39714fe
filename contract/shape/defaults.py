"""
Defaults: the value of a field that an input lacks, where it is known before there is an input.

What a factory makes is known where nothing in it could come out otherwise at another time or in
another process: an empty value of a built-in type, and a dataclass whose fields are all like that.
Any other factory may be a clock, a random number or a connection; what its code does cannot be told
from the code, since even the order of ``{"a", "b"}`` differs from process to process. So it is not
asked.
"""

from __future__ import annotations

from dataclasses import MISSING as NO_FACTORY
from dataclasses import fields
from types import MemberDescriptorType
from typing import Any, Final, cast, get_origin

from contract.shape.markers import UNSET
from contract.shape.nodes import MISSING, Field

__all__ = ["known_default"]

_EMPTY: Final = (list, dict, set, frozenset, tuple, str, bytes, int, float, bool)
"""Types whose instances without arguments are all equal."""

_CODE_OF_AUTHORS: Final = ("__new__", "__post_init__", "__getattribute__", "__getattr__", "__del__")
"""
Methods that run when an instance is made, read or dropped.

``dataclasses`` writes none of them, so they are the author's.
"""

_WRITERS: Final = ("__init__", "__setattr__")
"""Methods that ``dataclasses`` writes where the author has not."""


def known_default(field: Field) -> Any:
    """
    The value that every input without *field* gets, or MISSING.

    It is MISSING where there is none, or where it cannot be known.
    """
    if field.default_factory is None:
        return MISSING if field.default is UNSET else field.default
    # what no input has is often a place for __post_init__ to fill
    if not field.init or not _is_settled(field.default_factory):
        return MISSING
    try:
        return field.default_factory()
    except (TypeError, AttributeError):  # an argument is missing, or a slot
        return MISSING


def _is_settled(factory: Any) -> bool:
    """Whether nothing that *factory* does could come out otherwise at another time."""
    made = get_origin(factory) or factory  # list[str] makes a list
    if any(made is kind for kind in _EMPTY):
        return True
    if not _is_plain(factory):
        return False
    makers = (cast("Any", each).default_factory for each in fields(factory))
    return all(maker is NO_FACTORY or _is_settled(maker) for maker in makers)


def _is_plain(cls: Any) -> bool:
    """
    Whether *cls* is a dataclass whose instances are made and read without any code of its author's.
    """
    if type(cls) is not type or "__dataclass_fields__" not in vars(cls):
        return False
    own = {name: value for base in reversed(cls.__mro__[:-1]) for name, value in vars(base).items()}
    if any(name in own for name in _CODE_OF_AUTHORS) or not all(
        _is_generated(own[name]) for name in _WRITERS if name in own
    ):
        return False
    return not any(_is_descriptor(own[each.name]) for each in fields(cls) if each.name in own)


def _is_generated(method: Any) -> bool:
    """
    Tell whether ``dataclasses`` wrote *method*.

    All functions that it writes stand within one of this name.
    """
    return getattr(getattr(method, "__code__", None), "co_qualname", "").startswith(
        "__create_fn__.<locals>."
    )


def _is_descriptor(value: object) -> bool:
    """
    Whether *value*, in a class, stands for code that runs where the attribute is read or written.

    Slots have none.
    """
    return not isinstance(value, MemberDescriptorType) and any(
        hasattr(type(value), name) for name in ("__get__", "__set__")
    )
