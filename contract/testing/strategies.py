"""
Strategies: the values and the documents of a type, read off its shape.

Hypothesis has ``from_type``, which knows the type but not the contract: it ignores patterns and
multiples, draws NaN and naive datetimes, and needs half a minute for a recursive list.
"""

from __future__ import annotations

from typing import Any, TypeVar, overload

from hypothesis.strategies import SearchStrategy

from contract.shape import Shape
from contract.testing.overrides import (
    NO_OVERRIDES,
    Marking,
    Overridden,
    Overrides,
    check_overrides,
    overridden,
)
from contract.testing.pairs import Pairs

__all__ = ["documents", "strategy", "values"]

T = TypeVar("T")


@overload
def strategy(
    annotation: type[T], /, *, overrides: Overrides | None = None
) -> SearchStrategy[T]: ...
@overload
def strategy(
    annotation: object, /, *, overrides: Overrides | None = None
) -> SearchStrategy[Any]: ...
def strategy(annotation: object, /, *, overrides: Overrides | None = None) -> SearchStrategy[Any]:
    """
    Valid values of a type: ``@given(strategy(Order))``.

    Defaults are taken and overridden, optional fields are left out and filled, recursion ends, and
    what fails shrinks to something small.

    ::

        strategy(
            Order,
            overrides={
                ProductId: st.sampled_from(["p1", "p2"]),
                (Order, "quantity"): st.integers(1, 3),
            },
        )

    Args:
        annotation: Anything that a route can carry.
        overrides: Strategies of your own, for a type as it is written in annotations (a class, an
            ``Annotated`` alias, a ``NewType``), for a field of a class, or, by its name alone, for
            a field of the type itself.

    Raises:
        UnsupportedAnnotation: a route cannot carry *annotation*.
        ValueError: *annotation* has no finite value, or nothing in it is what an override is for.
        TypeError: an override is no strategy.
    """
    chosen = overrides or {}
    check_overrides("strategy()", chosen)
    reader = Marking(chosen)
    shape = reader.read(annotation, where="type")
    return values(shape, given=overridden("strategy()", chosen, reader.marked, [shape]))


def values(shape: Shape, *, given: Overridden = NO_OVERRIDES) -> SearchStrategy[Any]:
    """
    Valid Python values of *shape*, those of the user's included that are *given*.

    Raises:
        ValueError: *shape* has no finite value.
    """
    return Pairs(only_values=True, given=given).of(shape).map(lambda pair: pair.value)


def documents(shape: Shape) -> SearchStrategy[Any]:
    """
    Valid JSON documents of *shape*, as the values that ``json.loads`` gives.

    In every form that is accepted: optional keys left out, keys in any order, ``1.0`` for 1, ``Z``
    for ``+00:00``, ``1.50`` for ``1.5``.

    Raises:
        ValueError: *shape* has no finite value.
    """
    return Pairs().of(shape).map(lambda pair: pair.document)
