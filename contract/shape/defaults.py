"""
Defaults: the value of a field that an input lacks, if it is known before there is an input.

The result of a factory is known if it cannot differ at another time or in another process: an empty
value of a built-in type, or a dataclass whose fields are all like that. Any other factory may be a
clock, a random number or a connection. Its code does not tell, since even the order of
``{"a", "b"}`` differs from process to process. So such a factory is not called.
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
"""Types that give equal instances whenever they are called without arguments."""

_CODE_OF_AUTHORS: Final = ("__new__", "__post_init__", "__getattribute__", "__getattr__", "__del__")
"""
Methods that run when an instance is made, read or deleted.

``dataclasses`` writes none of these, so an author wrote any that a class has.
"""

_WRITERS: Final = ("__init__", "__setattr__")
"""Methods that ``dataclasses`` writes unless the author has written them."""


def known_default(field: Field) -> Any:
    """
    The value that every input without *field* gets, or MISSING.

    It is MISSING if the field has no default, or one that cannot be known.
    """
    if field.default_factory is None:
        # UNSET is not on the wire, so no document can show it
        if field.default is UNSET:
            return MISSING
        return field.default
    # a field that no input has is often one that __post_init__ fills
    if not field.init or not _is_settled(field.default_factory):
        return MISSING
    try:
        return field.default_factory()
    except (TypeError, AttributeError):  # an argument is missing, or a slot
        return MISSING


def _is_settled(factory: Any) -> bool:
    """Whether *factory* gives an equal value at any time and in any process."""
    made = get_origin(factory) or factory  # list[str] makes a list
    # by identity, since `in` would call an `__eq__` of the factory's
    if any(made is kind for kind in _EMPTY):
        return True
    if not _is_plain(factory):
        return False
    # a field without a factory has a value, or must be given: then calling the class fails
    makers = (cast("Any", each).default_factory for each in fields(factory))
    return all(maker is NO_FACTORY or _is_settled(maker) for maker in makers)


def _is_plain(cls: Any) -> bool:
    """Whether no code of the author's makes or reads instances of the dataclass *cls*."""
    if type(cls) is not type or "__dataclass_fields__" not in vars(cls):
        return False
    # all that the class and its bases define, except `object`; what is nearest counts
    own: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        own.update(vars(base))
    if any(name in own for name in _CODE_OF_AUTHORS):
        return False
    if not all(_is_generated(own[name]) for name in _WRITERS if name in own):
        return False
    return not any(_is_descriptor(own[each.name]) for each in fields(cls) if each.name in own)


def _is_generated(method: Any) -> bool:
    """
    Whether ``dataclasses`` wrote *method*.

    All functions that it writes are local to one of this name.
    """
    code = getattr(method, "__code__", None)
    return getattr(code, "co_qualname", "").startswith("__create_fn__.<locals>.")


def _is_descriptor(value: object) -> bool:
    """
    Whether *value*, in a class, is code that runs when the attribute is read or written.

    Slots run no such code.
    """
    return not isinstance(value, MemberDescriptorType) and any(
        hasattr(type(value), name) for name in ("__get__", "__set__")
    )
