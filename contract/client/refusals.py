"""
Refusals: what is wrong with an input that was not sent.

A dumper stops at the first value that does not fit, and names the place as Python does. A server
would tell everything that is wrong, with its codes and in its own names, and so does a client: the
value is written as it is, wrong or not, and read back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, Final, TypeVar
from uuid import UUID

from pydantic_core import from_json
from pydantic_core import to_json as write_json

from contract.client.operation import Operation
from contract.client.results import CallError, DeclaredFailure, Json
from contract.pred.compile import Pred, pred_of
from contract.shape import NullShape, RecordShape, Unset
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.graph import reachable
from contract.shape.issues import Issue, to_json
from contract.shape.json_text import kind_of

__all__ = ["written"]

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  input
F = TypeVar("F", bound=DeclaredFailure)

_TEXTS: Final[Mapping[type, Pred[Any]]] = {
    each: pred_of(each) for each in (Decimal, datetime, date, time, timedelta, UUID, bytes)
}
"""Type -> what writes it as a text."""


def written(operation: Operation[I, T, F], value: I) -> bytes | CallError:
    """The body of a call with *value*, or what is wrong with that."""
    pred = operation.schemas.input.pred
    if isinstance(pred.shape, NullShape):
        return b"{}"  # which is what documents say of routes without input; servers take null too
    try:
        return pred.dump(value)
    except InvalidOutput as error:
        invalid = error
    issues, truncated = _issues(pred, value) or (
        (Issue(invalid.path, "invalid_value", invalid.problem),),
        False,
    )
    data: dict[str, Json] = {"issues": [to_json(each) for each in issues]}
    if truncated:
        data["truncated"] = True
    return CallError("VALIDATION_ERROR", 0, data=data, issues=issues, exception=invalid)


def _issues(pred: Pred[Any], value: object) -> tuple[tuple[Issue, ...], bool] | None:
    """
    What a server would say to *value*.

    None where it would have no objection, or could not even read it.
    """
    wires = {
        each.shape.type: [(field.name, field.wire) for field in each.shape.fields]
        for each in reachable(pred.shape)
        if isinstance(each.shape, RecordShape)
    }
    try:
        pred.load(write_json(_plain(value, wires)))
    except InvalidInput as refused:
        return (
            None
            if refused.issues[0].code == "json_invalid"
            else (refused.issues, refused.truncated)
        )
    except (ValueError, TypeError, RecursionError):  # not even as it is
        return None
    return None


def _plain(value: Any, wires: Mapping[type, Sequence[tuple[str, str]]]) -> Any:
    """*value* as JSON, by what it is rather than by what it should be."""
    kind = kind_of(value)
    if kind in wires:
        found = ((wire, getattr(value, name)) for name, wire in wires[kind])
        return {
            wire: _plain(member, wires) for wire, member in found if not isinstance(member, Unset)
        }
    if kind in _TEXTS:
        try:
            return from_json(_TEXTS[kind].dump(value))
        except InvalidOutput:
            # it has no form on the wire, so that of Python has to do: it will be refused
            return str(value)
    if issubclass(kind, Enum):
        return value.value
    if issubclass(kind, Mapping):
        return {_key(key, wires): _plain(item, wires) for key, item in value.items()}
    if issubclass(kind, list | tuple | AbstractSet):
        return [_plain(item, wires) for item in value]
    return value


def _key(key: Any, wires: Mapping[type, Sequence[tuple[str, str]]]) -> str:
    plain = _plain(key, wires)
    return plain if isinstance(plain, str) else str(plain)
