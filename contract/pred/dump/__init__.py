"""
Dumpers: a value checked against its shape and written as JSON.

``compile_dumper`` makes a dumper of a shape. What it writes is what the shape says, whatever the
value also holds; what does not fit is refused with the place where it does not. Nothing of the
author's is constructed on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import orjson

from contract.pred.dump.scalars import is_multiple
from contract.pred.dump.source import generate
from contract.pred.dump.walk import MAX_DEPTH, Json, plain
from contract.shape.nodes import RefShape, Shape

__all__ = ["MAX_DEPTH", "Dumper", "Json", "compile_dumper", "is_multiple", "plain"]


@dataclass(frozen=True, slots=True)
class Dumper:
    """
    A shape compiled for output.

    Each of its methods raises InvalidOutput, and nothing else, for a value that does not fit. Only
    what no ``except Exception`` would catch (KeyboardInterrupt) passes through from the author's
    own code.
    """

    shape: Shape
    dump: Callable[[object], bytes]
    """A value -> its JSON, in UTF-8."""

    def check(self, value: object) -> None:
        """Refuse *value* if it cannot be written."""
        self.dump(value)

    def plain(self, value: object) -> Json:
        """
        The JSON value that *value* is written as, of exact built-in types, sharing nothing with it.
        """
        result: Json = orjson.loads(self.dump(value))
        return result


def compile_dumper(shape: Shape) -> Dumper:
    """
    The dumper of *shape*.

    It takes a fraction of a millisecond for each type, so it is best called when first needed.
    """

    def by_walk(value: object) -> bytes:
        return orjson.dumps(plain(shape, value))

    name = (
        ascii(shape.definition.name)[1:-1] if isinstance(shape, RefShape) else type(shape).__name__
    )
    return Dumper(shape, generate(shape, by_walk, name))
