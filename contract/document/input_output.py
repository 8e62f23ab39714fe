"""
Input and output: in which types the form of the one differs from that of the other.

A type differs where one of its own fields does, and where it holds a type that differs. So what is
asked of one type is answered for all at once, from the types that settle it to those that hold
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from contract.pred.flooding import is_capped
from contract.shape.graph import definitions
from contract.shape.nodes import Definition, Field, NamedTupleShape, RecordShape, Shape

__all__ = ["Facts", "Side", "closure", "is_on", "on_side"]

Side = Literal["input", "output"]
"""Whether a value is received or sent."""


class Facts:
    """
    Facts about the types of a spec.

    Attributes:
        differing: Their input form is not their output form.
        one_way: They hold a field that only one of the two sides has, so what is written of a value
            cannot be read as one.
    """

    __slots__ = ("differing", "one_way")

    def __init__(self, found: Iterable[Definition]) -> None:
        found = [*found]
        holders: dict[Definition, list[Definition]] = {}
        for definition in found:
            for target in definitions(definition.shape):
                holders.setdefault(target, []).append(definition)

        def leading_to(settles: Callable[[Shape], bool]) -> frozenset[Definition]:
            ahead = [definition for definition in found if settles(definition.shape)]
            leading = set(ahead)
            while ahead:
                for holder in holders.get(ahead.pop(), ()):
                    if holder not in leading:
                        leading.add(holder)
                        ahead.append(holder)
            return frozenset(leading)

        self.differing: frozenset[Definition] = leading_to(
            lambda shape: is_capped(shape) or any(map(_differs, _fields(shape)))
        )
        self.one_way: frozenset[Definition] = leading_to(
            lambda shape: any(not field.init or field.init_only for field in _fields(shape))
        )

    def is_one_way(self, shape: Shape) -> bool:
        """Whether a value of *shape* may hold a field of one side only."""
        return any(definition in self.one_way for definition in definitions(shape))


def closure(roots: Iterable[Definition]) -> list[Definition]:
    """*roots* and all that they lead to, each once."""
    found: dict[Definition, None] = {}
    ahead = [*roots]
    while ahead:
        definition = ahead.pop()
        if definition not in found:
            found[definition] = None
            ahead.extend(definitions(definition.shape))
    return [*found]


def is_on(field: Field, side: Side) -> bool:
    """Whether *field* is there on *side*."""
    return field.init if side == "input" else not field.init_only


def on_side(shape: Shape, side: Side) -> Iterator[Definition]:
    """The definitions that *shape* refers to on *side*, without looking into them."""
    for part in (
        [field.shape for field in _fields(shape) if is_on(field, side)]
        if _fields(shape)
        else [shape]
    ):
        yield from definitions(part)


def _fields(shape: Shape) -> tuple[Field, ...]:
    return shape.fields if isinstance(shape, RecordShape | NamedTupleShape) else ()


def _differs(field: Field) -> bool:
    return not field.init or field.init_only or field.required_in != field.required_out
