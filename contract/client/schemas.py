"""
Schemas: the types of a contract as validators, and the routes that use them.

They are the server's own and just as strict: a client accepts exactly what the server accepts.
Answers are read more leniently (`Schema.answers`): a field that was added to an output after the
client was generated is ignored.

An input that does not fit is not sent, and the client reports everything that is wrong with it
(`body_of`). A dumper stops at the first value that does not fit, and names the place in Python's
terms. A server would report every issue, with its codes and its own names. So the client writes the
value as it is, valid or not, and loads it again to find the issues.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, TypeGuard, TypeVar, final

from pydantic_core import from_json
from pydantic_core import to_json as write_json
from typing_extensions import TypeForm

from contract.client.results import CallError, DeclaredFailure, Json
from contract.pred.compile import Pred, compile_pred, pred_of
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.graph import reachable
from contract.shape.issues import Issue, to_json
from contract.shape.json_text import kind_of
from contract.shape.markers import Unset
from contract.shape.nodes import NullShape, RecordShape, RefShape, Shape
from contract.shape.reader import ShapeReader, shape_of
from contract.shape.scalars import ROWS

__all__ = ["Effect", "Operation", "RouteSchemas", "Schema", "body_of"]

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  input


@final
class Schema(Generic[T]):
    """
    A type to load, check and dump values with; it is compiled on first use.

    Args:
        annotation: Anything that a route can carry, or the class of a declared failure.
    """

    __slots__ = ("_annotation", "_answers", "_pred")

    def __init__(self, annotation: TypeForm[T]) -> None:
        self._annotation = annotation
        self._pred: Pred[T] | None = None
        self._answers: Pred[T] | None = None

    def __repr__(self) -> str:
        return f"Schema({self._annotation!r})"

    def load(self, data: bytes) -> T:
        """
        The value of a JSON document.

        Raises:
            InvalidInput: It is not valid.
        """
        return self.pred.load(data)

    def check(self, value: object) -> None:
        """
        Check that `dump` would write a value.

        Raises:
            InvalidOutput: It does not fit its type.
        """
        self.pred.check(value)

    def dump(self, value: T) -> bytes:
        """
        The JSON document for a value.

        Raises:
            InvalidOutput: The value does not fit its type.
        """
        return self.pred.dump(value)

    @property
    def pred(self) -> Pred[T]:
        """The compiled type."""
        # two threads may both make one, but the two are equal
        pred = self._pred
        if pred is None:
            pred = self._pred = compile_pred(_shape(self._annotation))
        return pred

    @property
    def answers(self) -> Pred[T]:
        """
        The compiled type for the answers of a server.

        Unknown keys are ignored in records at any depth.
        """
        answers = self._answers
        if answers is None:
            answers = self._answers = compile_pred(self.pred.shape, unknown="ignore")
        return answers


@final
class RouteSchemas(Generic[I, T]):
    """
    The schemas of a route.

    Attributes:
        input: The schema of its input; that of None for a route without one.
        output: The schema of its output.
    """

    __slots__ = ("input", "output")

    def __init__(self, *, input: Schema[I], output: Schema[T]) -> None:
        self.input: Schema[I] = input
        self.output: Schema[T] = output

    def __repr__(self) -> str:
        return f"RouteSchemas(input={self.input!r}, output={self.output!r})"


def _shape(annotation: object) -> Shape:
    # a failure is nothing that a route can carry as a value, so `shape_of` refuses its class
    if _is_failure(annotation):
        return RefShape(ShapeReader().failure(annotation, where=annotation.__qualname__))
    return shape_of(annotation)


def _is_failure(annotation: object) -> TypeGuard[type[DeclaredFailure]]:
    return isinstance(annotation, type) and issubclass(annotation, DeclaredFailure)


F = TypeVar("F", bound=DeclaredFailure)

Effect = Literal["read", "idempotent", "write", "destructive"]
"""Whether a call changes anything, and how; only the first two are retried."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")


@final
class Operation(Generic[I, T, F]):
    """
    A route, as a client calls it.

    Generated code has one for each route; nothing in it is compiled before the first call.

    Args:
        name: The name of the route, which is its path below the base URL.
        effect: What a call changes.
        cached: Whether it is also served at GET, and its answers may be kept.
        opens: The media types to ask for if its output is opened, and not read at once: those of a
            stream (its schemas describe the items) or of a file.
        schemas: The schemas of its input and its output.
        failures: The classes of the failures that it declares.

    Raises:
        ValueError: The name is not valid.
    """

    __slots__ = ("cached", "effect", "failures", "name", "opens", "schemas")

    def __init__(
        self,
        name: str,
        *,
        effect: Effect,
        cached: bool = False,
        opens: str | None = None,
        schemas: RouteSchemas[I, T],
        failures: tuple[type[F], ...] = (),
    ) -> None:
        if _NAME.fullmatch(name) is None:  # it becomes part of a URL
            raise ValueError(f"{name!r} is not a valid route name")
        self.name: Final = name
        self.effect: Final[Effect] = effect
        self.cached: Final = cached
        self.opens: Final = opens
        self.schemas: Final = schemas
        self.failures: Final[Mapping[str, Schema[F]]] = MappingProxyType(
            {cls.error_code: Schema(cls) for cls in failures}
        )

    def __repr__(self) -> str:
        return f"Operation({self.name!r})"


_TEXTS: Final[Mapping[type, Pred[Any]]] = {
    row.python: pred_of(row.python) for row in ROWS.values() if row.forms
}
"""Type -> the pred that writes it as a string."""


def body_of(operation: Operation[I, T, F], value: I) -> bytes | CallError:
    """The body of a call with *value*, or the failure that says what is wrong with it."""
    pred = operation.schemas.input.pred
    if isinstance(pred.shape, NullShape):
        return b"{}"  # as the documents say for routes without input; servers accept null, too
    try:
        return pred.dump(value)
    except InvalidOutput as error:
        invalid = error
    # The dumper's own issue, if a server would find none: the value is wrong only in Python.
    own = Issue(invalid.path, "invalid_value", invalid.problem)
    issues, truncated = _issues(pred, value) or ((own,), False)
    data: dict[str, Json] = {"issues": [to_json(each) for each in issues]}
    if truncated:
        data["truncated"] = True
    return CallError("VALIDATION_ERROR", 0, data=data, issues=issues, exception=invalid)


def _issues(pred: Pred[Any], value: object) -> tuple[tuple[Issue, ...], bool] | None:
    """
    The issues that a server would find in *value*.

    None if it would find none, or could not even parse it.
    """
    wires: dict[type, list[tuple[str, str]]] = {}
    for each in reachable(pred.shape):
        if isinstance(each.shape, RecordShape):
            wires[each.shape.type] = [(field.name, field.wire) for field in each.shape.fields]
    try:
        pred.load(write_json(_plain(value, wires)))
    except InvalidInput as refused:
        if refused.issues[0].code == "json_invalid":
            return None
        return refused.issues, refused.truncated
    except (ValueError, TypeError, RecursionError):  # not even in its raw form
        return None
    return None


def _plain(value: Any, wires: Mapping[type, Sequence[tuple[str, str]]]) -> Any:
    """The *value* as JSON, by its actual type instead of the declared one."""
    kind = kind_of(value)
    if kind in wires:
        given = {wire: getattr(value, name) for name, wire in wires[kind]}
        return {
            wire: _plain(member, wires)
            for wire, member in given.items()
            if not isinstance(member, Unset)
        }
    if kind in _TEXTS:
        try:
            return from_json(_TEXTS[kind].dump(value))
        except InvalidOutput:
            # it has no form on the wire, so its repr has to do: it will be refused
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
