"""
Dumpers: a shape compiled to a function that checks a value and writes it as JSON.

A dumper writes the fields of the shape, whatever the value also holds; a value that does not fit is
refused with the place where it does not. Nothing of the author's is constructed on the way.

The function is generated from the shape as source (`generate`), which knows exact types only and
has no messages. A value that does not fit raises there, and the walk (`contract.pred.dump.walk`)
then reads it again from its root: it gives the verdict, and the path of a refusal. What generated
code accepts, the walk accepts too.

1. Always the value is rebuilt, out of dicts and lists. orjson's own way through dataclasses was
   measured and is not used, not even where it would write the same: it is 3.5 times slower on
   slots, and on others it first makes a ``__dict__`` for each new object. 50 new objects of 8
   fields took 64 µs rebuilt and 103 µs checked and then given to orjson (CPython 3.11; 64 and 77 on
   3.13); only objects that are dumped again and again are even. orjson would also write undeclared
   attributes, and crashes on an empty slot. To hand over each object's ``__dict__`` itself is not
   faster either, and another thread could put in what nobody has checked; a copy of it, with its
   keys compared, takes a fifth more than a dict of the attributes.
2. A built-in container whose items are already what orjson writes is copied, and the copy is
   checked and handed over: what was checked and what is written are one thing, whatever another
   thread or a property does to the value in between. Only what cannot change is not copied.
3. A scalar of a subclass (a ``StrEnum`` member for a ``str``, a datetime in a zone of the author's)
   is converted on the spot where the place for it is being built anyway, so that common ones do not
   cost a walk. A datetime in a zone of Python's own is left to orjson, which takes a sixth of the
   time of ``isoformat``; a Decimal of at most 40 characters without an exponent is within its
   limits, and no pattern is asked.
4. A record is written in place where it is first used. For all other uses it is a function, as is a
   recursive type: a call costs as much as the checks of two or three fields. Functions on a
   recursive path, or above an ``Any``, are told how deep they stand and refuse what the limit could
   cut; all others have a known height. Blocks are not nested deeper than Python's compiler takes
   them.
5. No text of the author's reaches the compiler: the source has only names of our own and integers.
   Classes, tables and functions stand in the namespace; the names of attributes and keys are put
   into the finished code object in place of ours.
6. Of 50 objects of 8 fields, the dicts and orjson take two thirds of the time, and the checks one.
   Measured, and not quicker: checks by column (``set(map(type, column))``, 1.7 times the time) or
   by the types of each row (2.5 times), to ask of a float whether ``v - v == 0.0`` or of an int
   whether it is small, to fill copies of one dict, to keep the names that are called in cells
   (which took a fifth more to compile), and to hand orjson naive datetimes to be written as UTC.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from contract.pred.dump.classes import Json
from contract.pred.dump.module import NAMESPACE, OPTIONS, Module, stamped
from contract.pred.dump.walk import MAX_DEPTH, plain
from contract.pred.dump.writer import Writer
from contract.shape.graph import holds_read_once
from contract.shape.nodes import RefShape, Shape

__all__ = ["Dumper", "compile_dumper", "generate"]


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


def generate(
    shape: Shape, refused: Callable[[object], bytes], name: str
) -> Callable[[object], bytes]:
    """
    A function that gives the JSON of a value.

    Args:
        shape: What the value has to be.
        refused: What is called, for its result or its exception, with a value that the generated
            code cannot vouch for.
        name: For tracebacks.
    """
    module = Module()
    # what generated code has read of an iterator, the walk would not find any more
    if module.traits.height(shape) > MAX_DEPTH or holds_read_once(shape):
        return refused
    lines = _entry(module, shape)
    while module.waiting:
        lines += _function(module, *module.waiting.pop())
    names: dict[str, Any] = {**NAMESPACE, **module.names, "refused": refused}
    code = compile("\n".join(lines), f"<contract dumper of {name}>", "exec", dont_inherit=True)
    # every line is ours: see the module's docstring, 5
    exec(stamped(code, module.stamps), names)  # noqa: S102
    entry: Callable[[object], bytes] = names["entry"]
    return entry


def _entry(module: Module, shape: Shape) -> list[str]:
    if isinstance(shape, RefShape) and not shape.definition.recursive:
        shape = shape.definition.shape  # written into the entry itself, which saves a call
    writer = Writer(module, "", indent=2)
    result = writer.built(shape, "v")
    # v may be a copy by the time that the walk is asked
    head = ["def entry(value):", " v = value", " try:"]
    return [
        *head,
        *writer.lines,
        f"  return dumps({result}, None, {OPTIONS})",
        " except Exception:",
        "  pass",
        " return refused(value)",
    ]


def _function(module: Module, name: str, shape: Shape) -> list[str]:
    if not module.traits.deep(shape):
        writer = Writer(module, "", indent=1)
        head = f"def {name}(v):"
    else:
        writer = Writer(module, "d + ", indent=1)
        writer.check(f"d <= {MAX_DEPTH - module.traits.height(shape)}")
        head = f"def {name}(v, d):"
    result = writer.built(shape, "v")
    return [head, *writer.lines, f" return {result}"]
