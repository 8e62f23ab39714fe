"""
Dumpers: a shape compiled to a function that checks a value and writes it as JSON.

A dumper writes only the fields of the shape, even if the value has more. A value that does not fit
is refused, with the place of the mistake. No object of the author's is constructed.

The function is generated as source from the shape (`generate`). It knows only exact types and has
no messages. It raises for a value that does not fit; the walk (`contract.pred.dump.walk`) then
reads the value again from its root, gives the verdict, and the path of a refusal. What generated
code accepts, the walk accepts too.

1. The value is always rebuilt, out of dicts and lists. orjson's own support for dataclasses was
   measured and is not used, even if it would write the same. It is 3.5 times slower with slots, and
   without them it first makes a ``__dict__`` for each new object. 50 new objects of 8 fields took
   64 µs rebuilt, and 103 µs checked and then given to orjson (CPython 3.11; 64 and 77 on 3.13); it
   is as fast only for objects that are dumped again and again. orjson would also write undeclared
   attributes, and crashes on an empty slot. Giving orjson each object's own ``__dict__`` is not
   faster either, and another thread could add something unchecked; a copy of it, with its keys
   compared, takes a fifth more time than a dict of the attributes.
2. A built-in container whose items orjson can write as they are is copied, and the copy is checked
   and given to orjson. So what is checked is what is written, whatever another thread or a property
   does to the value in between. Only immutable values are not copied.
3. A scalar of a subclass (a ``StrEnum`` member for a ``str``, a datetime in a zone of the author's)
   is converted on the spot if a container is built around it anyway, so common ones do not cost a
   walk. A datetime in one of Python's own zones is left to orjson, which takes a sixth of the time
   of ``isoformat``. A Decimal of at most 40 characters without an exponent is within its limits,
   and no pattern is matched.
4. A record is written inline where it is first used. All other uses call a function, as do
   recursive types: a call costs as much as the checks of two or three fields. Functions on a
   recursive path, or above an ``Any``, are given their depth and refuse what would exceed the
   limit; all others have a known height. Blocks are not nested deeper than Python's compiler
   allows.
5. No text of the author's reaches the compiler: the source contains only our own names and
   integers. Classes, tables and functions are in the namespace; the names of attributes and keys
   replace ours in the finished code object.
6. For 50 objects of 8 fields, the dicts and orjson take two thirds of the time, and the checks a
   third. These were measured and are not faster: checks by column (``set(map(type, column))``, 1.7
   times the time) or by the types of each row (2.5 times), testing a float with ``v - v == 0.0`` or
   an int for being small, filling copies of one dict, keeping called names in cells (which took a
   fifth more time to compile), and letting orjson write naive datetimes as UTC.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from contract.pred.dump.module import FUNCTION, NAMESPACE, OPTIONS, Module, stamped
from contract.pred.dump.walk import MAX_DEPTH, plain
from contract.pred.dump.writer import Writer
from contract.shape.graph import holds_read_once
from contract.shape.nodes import RefShape, Shape

__all__ = ["compile_dumper", "generate"]


def compile_dumper(shape: Shape) -> Callable[[object], bytes]:
    """
    The dumper of *shape*: a function of a value that gives its JSON, in UTF-8.

    It raises only InvalidOutput, for a value that does not fit. From the author's own code, only
    what ``except Exception`` does not catch (KeyboardInterrupt) passes through.

    Compiling takes a fraction of a millisecond for each type, so do it at the first need.
    """

    def by_walk(value: object) -> bytes:
        return orjson.dumps(plain(shape, value))

    name = type(shape).__name__
    if isinstance(shape, RefShape):
        # a name may have any letters, and a traceback goes into logs
        name = ascii(shape.definition.name)[1:-1]
    return generate(shape, by_walk, name)


def generate(
    shape: Shape, refused: Callable[[object], bytes], name: str
) -> Callable[[object], bytes]:
    """
    A function that gives the JSON of a value.

    Args:
        shape: The shape that values must have.
        refused: Called with a value that the generated code does not accept; gives the result, or
            raises.
        name: For tracebacks.
    """
    module = Module()
    # the walk cannot read an iterator again that generated code has read
    if module.traits.height(shape) > MAX_DEPTH or holds_read_once(shape):
        return refused
    # to write a function may ask for others; each is written after the one that asked
    lines = _entry(module, shape)
    while module.waiting:
        lines += _function(module, *module.waiting.pop())
    names: dict[str, Any] = {**NAMESPACE, **module.names, "refused": refused}
    code = compile("\n".join(lines), f"<contract dumper of {name}>", "exec", dont_inherit=True)
    # every line is ours: see the module's docstring, 5
    exec(stamped(code, module.stamps), names)  # noqa: S102
    # kept with its definition, so that the dumpers of other types need not write it again
    for definition, its_name in module.function_of.items():
        definition.compiled[FUNCTION] = names[its_name]
    entry: Callable[[object], bytes] = names["entry"]
    return entry


def _entry(module: Module, shape: Shape) -> list[str]:
    if isinstance(shape, RefShape) and not shape.definition.recursive:
        shape = shape.definition.shape  # inlined into the entry function, which saves a call
    writer = Writer(module, "", indent=2)
    result = writer.built(shape, "v")
    # by the time the walk is called, v may be a copy
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
    # the height is known, so whoever calls it has checked the depth for it
    if not module.traits.deep(shape):
        writer = Writer(module, "", indent=1)
        head = f"def {name}(v):"
    else:
        writer = Writer(module, "d + ", indent=1)
        writer.check(f"d <= {MAX_DEPTH - module.traits.height(shape)}")
        head = f"def {name}(v, d):"
    result = writer.built(shape, "v")
    return [head, *writer.lines, f" return {result}"]
