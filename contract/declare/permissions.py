"""
Permissions: the scopes that a route requires of its caller, and how they are checked.

Only the ``scopes`` of the context count. Those inside a token are an unproven claim until
``authenticate`` has verified it.
"""

from __future__ import annotations

import re
from collections import UserString
from collections.abc import Collection, Iterable
from typing import Any, Final, Protocol, cast, final, get_origin

from contract.shape.exceptions import RouteDeclarationError
from contract.shape.quoting import shown
from contract.shape.record import record
from contract.shape.scope import own_annotations

__all__ = ["HasScopes", "Requires", "lacking", "requires", "without_scopes"]


class HasScopes(Protocol):
    """A context that says what its caller may do."""

    @property
    def scopes(self) -> Collection[str]:
        """The scopes that were granted; a set is fastest."""
        ...


@final
@record
class Requires:
    """The scopes that a route requires; made by `requires`."""

    scopes: tuple[str, ...]
    """The scopes without duplicates, in the order in which they were named."""

    def __repr__(self) -> str:
        return f"requires({', '.join(map(repr, self.scopes))})"


# RFC 6749, section 3.3: any printable character of ASCII but the space, the quote and the backslash
_SCOPE: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,200}")


def requires(scope: str, /, *more: str) -> Requires:
    """
    Require permissions: the caller of a route must have *scope*, and each of *more*.

    ::

        @route(summary="Refund an order", tags=["orders"], auth=requires("orders:write"))
        def refund(input: Refund, ctx: User) -> Refunded | AlreadyRefunded: ...

    The route needs a token, and ``ctx.scopes`` must contain all of them. Otherwise the answer is
    ``FORBIDDEN``, and its challenge names the scopes (RFC 6750, section 3.1).

    Raises:
        RouteDeclarationError: One of them is not a valid scope name, or is named twice.
    """
    return check_scopes("requires()", (scope, *more))


def check_scopes(where: str, given: tuple[object, ...]) -> Requires:
    """
    Check and return the scopes that were *given*.

    Raises:
        RouteDeclarationError: There are none, or one is not a valid scope name or is named twice.
    """
    for index, scope in enumerate(given):
        if not isinstance(scope, str) or _SCOPE.fullmatch(scope) is None:
            how = "take printable ASCII without spaces, quotes and backslashes, at most 200"
            raise RouteDeclarationError(
                f"{where}[{index}]", f"{shown(scope)} is not a valid scope name; {how} characters"
            )
    # a member of a StrEnum becomes its text
    scopes = tuple(str.__str__(scope) for scope in cast("tuple[str, ...]", given))
    if len(set(scopes)) != len(scopes):
        raise RouteDeclarationError(
            where, f"it names one twice: {', '.join(scopes)}; leave one out"
        )
    return Requires(scopes)


def lacking(required: Iterable[str], ctx: HasScopes) -> bool:
    """
    Whether *ctx* lacks any of the *required* scopes.

    Raises:
        TypeError: Its scopes are one string, which would also match by substring.
    """
    granted = ctx.scopes
    # a type checker accepts a str as a collection of str; UserString and the lazy strings of
    # translations are not str, but have ``split``, too
    if hasattr(granted, "split"):
        raise TypeError(_ONE_TEXT)
    return any(scope not in granted for scope in required)


_ONE_TEXT: Final = "ctx.scopes is one text, and a collection of texts is needed: ctx.scopes.split()"


def without_scopes(given: object) -> str | None:
    """
    The problem with a context that cannot hold scopes; None if nothing is known to be wrong.

    Args:
        given: A member of the return annotation of ``authenticate``.
    """
    cls = get_origin(given) or given
    if not isinstance(cls, type) or cls in (Any, object):
        return None
    # the annotation is a text under `from __future__ import annotations`
    hint = _hint(cls)
    if hint is _NONE and not _sets_scopes(cls):
        return "has no scopes"
    if hint in (str, bytes, UserString, "str", "bytes", "UserString"):
        return "has scopes that are one text"
    return None


_NONE: Final = object()


def _hint(cls: type) -> object:
    """The annotation of the scopes of *cls*: None without an annotation, `_NONE` without scopes."""
    # the nearest class decides, whether it has a field, a property or a plain value
    for each in cls.__mro__:
        annotations = own_annotations(each)
        if "scopes" in annotations:
            return annotations["scopes"]
        if "scopes" in vars(each):
            getter = getattr(vars(each)["scopes"], "fget", None)
            return getattr(getter, "__annotations__", {}).get("return")
    return _NONE


def _sets_scopes(cls: type) -> bool:
    """Whether its own ``__init__``, or ``__getattr__``, may set scopes."""
    # co_names has each attribute that the code reads or sets: `self.scopes = ...` is among them
    made = [vars(each).get("__init__") for each in cls.__mro__]
    names = [getattr(getattr(each, "__code__", None), "co_names", ()) for each in made]
    return hasattr(cls, "__getattr__") or any("scopes" in each for each in names)
