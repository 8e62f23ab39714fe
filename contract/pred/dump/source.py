"""
Source: the text of a function that checks a value and makes of it what orjson writes, generated from a shape.

What is generated knows exact types only and has no messages. Whatever does not fit raises, and the walk (`contract.pred.dump.walk`) then
reads the value again from its root: it gives the verdict, and the path of a refusal. What generated code accepts, the walk accepts too.

1. Always the value is rebuilt, out of dicts and lists. orjson's own way through dataclasses was measured and is not used, not even where
   it would write the same: it is 3.5 times slower on slots, and on others it first makes a ``__dict__`` for each new object.
   50 new objects of 8 fields took 64 µs rebuilt and 103 µs checked and then given to orjson (CPython 3.11; 64 and 77 on 3.13);
   only objects that are dumped again and again are even. orjson would also write undeclared attributes, and crashes on an empty slot.
   To hand over each object's ``__dict__`` itself is not faster either, and another thread could put in what nobody has checked;
   a copy of it, with its keys compared, takes a fifth more than a dict of the attributes.
2. A built-in container whose items are already what orjson writes is copied, and the copy is checked and handed over: what was checked and
   what is written are one thing, whatever another thread or a property does to the value in between. Only what cannot change is not copied.
3. A scalar of a subclass (a ``StrEnum`` member for a ``str``, a datetime in a zone of the author's) is converted on the spot where
   the place for it is being built anyway, so that common ones do not cost a walk. A datetime in a zone of Python's own is left to
   orjson, which takes a sixth of the time of ``isoformat``; a Decimal of at most 40 characters without an exponent is within its
   limits, and no pattern is asked.
4. A record is written in place where it is first used. For all other uses it is a function, as is a recursive type: a call costs
   as much as the checks of two or three fields. Functions on a recursive path, or above an ``Any``, are told how deep they stand
   and refuse what the limit could cut; all others have a known height. Blocks are not nested deeper than Python's compiler takes them.
5. No text of the author's reaches the compiler: the source has only names of our own and integers. Classes, tables and functions stand in
   the namespace; the names of attributes and keys are put into the finished code object in place of ours.
6. Of 50 objects of 8 fields, the dicts and orjson take two thirds of the time, and the checks one.
   Measured, and not quicker: checks by column (``set(map(type, column))``, 1.7 times the time) or by the types of each row (2.5 times),
   to ask of a float whether ``v - v == 0.0`` or of an int whether it is small, to fill copies of one dict, to keep the names that
   are called in cells (which took a fifth more to compile), and to hand orjson naive datetimes to be written as UTC.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from contract.pred.dump.module import Module, stamped
from contract.pred.dump.support import NAMESPACE, OPTIONS
from contract.pred.dump.walk import MAX_DEPTH
from contract.pred.dump.writer import Writer
from contract.shape.nodes import RefShape, Shape

__all__ = ["generate"]


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
    if module.traits.height(shape) > MAX_DEPTH:
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
