"""
Annotations that are compared, not read into shapes: contexts, and the failures of hooks.

A type checker knows more about them; only what is surely wrong is refused here.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import NoneType
from typing import Any, Final, TypeGuard, get_origin

from contract.declare.failures import Failure, check_failure, same_code
from contract.shape.annotations import Signature, Unresolved, union_members
from contract.shape.exceptions import RouteDeclarationError, SpecError, UnsupportedAnnotation
from contract.shape.nodes import MISSING, Definition
from contract.shape.reader import ShapeReader

__all__ = [
    "PROMOTIONS",
    "accepts",
    "definitions_of",
    "failures_in",
    "is_a",
    "is_failure",
    "members_of",
    "resolved",
]


def resolved(annotation: object, where: str, advice: str) -> object:
    """
    The *annotation*, which must be there.

    Raises:
        RouteDeclarationError: It is missing; *advice* says what to write.
        UnsupportedAnnotation: It is text that cannot be evaluated.
    """
    if annotation is MISSING:
        raise RouteDeclarationError(where, f"it has no annotation; {advice}")
    if isinstance(annotation, Unresolved):
        raise UnsupportedAnnotation(
            where, f"{annotation.text!r} cannot be resolved: {annotation.reason}"
        )
    return annotation


def members_of(annotation: object, signature: Signature, where: str) -> tuple[Any, ...] | None:
    """
    The members of an annotation that is only compared; None if they cannot be known.

    A name that only type checkers can see is no reason to refuse a route.
    """
    if annotation is MISSING or isinstance(annotation, Unresolved):
        return None
    try:
        members = union_members(annotation, signature.namespace, where=where)
    except UnsupportedAnnotation:
        return None
    return tuple(map(_class_for_none, members))


def _class_for_none(member: Any) -> Any:
    # an annotation may have `None` or its class, and they are compared with `==`
    return NoneType if member is None else member


def is_failure(annotation: object) -> TypeGuard[type[Failure]]:
    """Whether *annotation* is a class of failures."""
    return isinstance(annotation, type) and issubclass(annotation, Failure)


def failures_in(
    members: Iterable[object], where: str, others: Iterable[type[Failure]] = ()
) -> list[type[Failure]]:
    """
    The failures among the *members* of a return annotation.

    Raises:
        FailureDeclarationError: One of them was changed after it was made.
        SpecError: Two of them, or one of them and one of the *others*, have the same code.
    """
    # one class may be named again, among the others; two classes may not share a code
    codes = {cls.error_code: cls for cls in others}
    found = list(filter(is_failure, members))
    for cls in found:
        check_failure(cls, where)
        other = codes.setdefault(cls.error_code, cls)
        if other is not cls:
            raise SpecError(where, same_code(other, cls))
    return found


def definitions_of(
    classes: Iterable[type[Failure]], signature: Signature, where: str, reader: ShapeReader
) -> dict[type[Failure], Definition]:
    """The data of failures that the annotations of a *signature* name."""
    found: dict[type[Failure], Definition] = {}
    for cls in classes:
        place = f"{where}.{cls.__name__}"
        found[cls] = reader.failure(cls, where=place, namespace=signature.namespace)
    return found


def is_a(annotation: object, base: type) -> bool:
    """Whether *annotation* is a class below *base*, subscripted or not."""
    cls = get_origin(annotation) or annotation
    return isinstance(cls, type) and issubclass(cls, base)


def accepts(taken: object, given: object) -> bool:
    """
    Whether a parameter annotated with *taken* accepts a *given*.

    True if only a type checker could say.
    """
    # it refuses only what is surely wrong; type checkers know the rest better
    if taken is Any or taken is object or given is Any or taken == given:
        return True
    # list[int] is compared as list: only type checkers know the rules for what is in the brackets
    wide, narrow = get_origin(taken) or taken, get_origin(given) or given
    if not (isinstance(wide, type) and isinstance(narrow, type)) or (wide, narrow) in PROMOTIONS:
        return True
    try:
        return issubclass(narrow, wide)
    except TypeError:  # a protocol or a TypedDict
        return True


PROMOTIONS: Final = frozenset({(float, int), (complex, int), (complex, float)})
"""Pairs (wider, narrower) of numbers: every type checker accepts the second for the first."""
