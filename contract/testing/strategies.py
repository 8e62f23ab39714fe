"""
Strategies: the values and the documents of a type, read off its shape.

Hypothesis has ``from_type``, which knows the type but not the contract: it ignores patterns and multiples,
draws NaN and naive datetimes, and needs half a minute for a recursive list.
"""

from __future__ import annotations

from typing import Any, TypeVar, overload

from hypothesis.strategies import SearchStrategy

from contract.shape import Shape, shape_of
from contract.testing.pairs import Pairs

__all__ = ["documents", "strategy", "values"]

T = TypeVar("T")


@overload
def strategy(annotation: type[T], /) -> SearchStrategy[T]: ...
@overload
def strategy(annotation: object, /) -> SearchStrategy[Any]: ...
def strategy(annotation: object, /) -> SearchStrategy[Any]:
    """
    Valid values of a type: ``@given(strategy(Order))``.

    Defaults are taken and overridden, optional fields are left out and filled, recursion ends, and what fails shrinks to something small.

    Raises:
        UnsupportedAnnotation: a route cannot carry *annotation*.
        ValueError: *annotation* has no finite value.
    """
    return values(shape_of(annotation))


def values(shape: Shape) -> SearchStrategy[Any]:
    """
    Valid Python values of *shape*.

    Raises:
        ValueError: *shape* has no finite value.
    """
    return Pairs(only_values=True).of(shape).map(lambda pair: pair.value)


def documents(shape: Shape) -> SearchStrategy[Any]:
    """
    Valid JSON documents of *shape*, as the values that ``json.loads`` gives.

    In every form that is accepted: optional keys left out, keys in any order, ``1.0`` for 1, ``Z`` for ``+00:00``, ``1.50`` for ``1.5``.

    Raises:
        ValueError: *shape* has no finite value.
    """
    return Pairs().of(shape).map(lambda pair: pair.document)
