"""Values: what an author writes beside a type, a default or an example, is a value of that type."""

from __future__ import annotations

from collections.abc import Iterable

from contract.pred.dump.scalars import SCALARS
from contract.pred.dump.walk import plain
from contract.shape.defaults import known_default
from contract.shape.exceptions import InvalidOutput, UnsupportedAnnotation
from contract.shape.graph import definitions
from contract.shape.names import label
from contract.shape.nodes import MISSING, Definition, Field, NamedTupleShape, RecordShape

__all__ = ["check_values"]


def check_values(
    start: Iterable[Definition], seen: set[Definition], where: str, place: str = ""
) -> None:
    """
    Check the defaults and examples in *start* and in all definitions that it reaches.

    Nothing else ever validates a default.

    Args:
        start: Definitions.
        seen: What was checked before, and need not be again; what is checked now is added.
        where: The start of the place, for messages.
        place: What ends the message.

    Raises:
        UnsupportedAnnotation: One is not of the type of its field.
    """
    ahead = list(start)
    while ahead:
        definition = ahead.pop()
        if definition in seen:
            continue
        seen.add(definition)
        shape = definition.shape
        ahead.extend(definitions(shape))
        if isinstance(shape, RecordShape | NamedTupleShape):
            for each in shape.fields:
                default = known_default(each)
                if default is not MISSING:
                    _check(
                        each, default, "default", f"{where}: {definition.name}.{each.name}", place
                    )
                for example in each.examples:
                    _check(
                        each, example, "example", f"{where}: {definition.name}.{each.name}", place
                    )


def _check(of: Field, value: object, kind: str, where: str, place: str) -> None:
    try:
        plain(of.shape, value)
    except InvalidOutput as invalid:
        at = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in invalid.path)
        kind_of = label(of.shape) if isinstance(of.shape, SCALARS) else "..."
        mend = f"; write {of.name}: {kind_of} | None = None" if value is None else ""
        problem = (
            f"the {kind}{f' at {at}' if at else ''} is not one of its type: {invalid.problem}{mend}"
        )
        raise UnsupportedAnnotation(where, f"{problem}{place}") from None
