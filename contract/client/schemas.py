"""
Schemas: the types of a contract as validators, and the routes that they belong to.

They are the server's own, and as strict: what a schema takes, the server takes. Answers are read
with a little more patience (`Schema.answers`): a field that was added to an output since the client
was generated is no reason to refuse the rest.

An input that does not fit is not sent, and the client tells all that is wrong with it (`body_of`).
A dumper stops at the first value that does not fit, and names the place as Python does. A server
would tell everything, with its codes and in its own names; so the value is written as it is, wrong
or not, and read back.
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
from contract.shape import NullShape, RecordShape, RefShape, Shape, ShapeReader, Unset, shape_of
from contract.shape.exceptions import InvalidInput, InvalidOutput
from contract.shape.graph import reachable
from contract.shape.issues import Issue, to_json
from contract.shape.json_text import kind_of
from contract.shape.scalars import ROWS

__all__ = ["Effect", "Operation", "RouteSchemas", "Schema", "body_of"]

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  input


@final
class Schema(Generic[T]):
    """
    A type that values are loaded, checked and dumped as; the type is read when it is first used.

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
        Nothing, for a value that `dump` would write.

        Raises:
            InvalidOutput: It does not fit its type.
        """
        self.pred.check(value)

    def dump(self, value: T) -> bytes:
        """
        The JSON document of a value.

        Raises:
            InvalidOutput: The value does not fit its type.
        """
        return self.pred.dump(value)

    @property
    def pred(self) -> Pred[T]:
        """The compiled type."""
        # two threads may both make one: they are alike
        pred = self._pred
        if pred is None:
            pred = self._pred = compile_pred(_shape(self._annotation))
        return pred

    @property
    def answers(self) -> Pred[T]:
        """
        The compiled type for answers of a server.

        Keys of records that are not known are ignored, wherever they stand.
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
        input: Of its input; of None for a route without one.
        output: Of its output.
    """

    __slots__ = ("input", "output")

    def __init__(self, *, input: Schema[I], output: Schema[T]) -> None:
        self.input: Schema[I] = input
        self.output: Schema[T] = output

    def __repr__(self) -> str:
        return f"RouteSchemas(input={self.input!r}, output={self.output!r})"


def _shape(annotation: object) -> Shape:
    if _is_failure(annotation):
        return RefShape(ShapeReader().failure(annotation, where=annotation.__qualname__))
    return shape_of(annotation)


def _is_failure(annotation: object) -> TypeGuard[type[DeclaredFailure]]:
    return isinstance(annotation, type) and issubclass(annotation, DeclaredFailure)


F = TypeVar("F", bound=DeclaredFailure)

Effect = Literal["read", "idempotent", "write", "destructive"]
"""The consequence of a call; only the first two are retried."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")


@final
class Operation(Generic[I, T, F]):
    """
    A route, as clients call it.

    Generated code has one for each, and nothing in it is compiled before the first call.

    Args:
        name: Of the route, which is its path below the base URL.
        effect: What a call does.
        cached: Whether it is served at GET, too, whose answers may be kept.
        opens: The media types that are asked for where its output is opened, and not read: those
            of a stream, of whose items the schemas tell, or of a file.
        schemas: Of its input and its output.
        failures: The classes of the failures that it declares.

    Raises:
        ValueError: The name could not be one.
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
"""Type -> the pred that writes it as a text."""


def body_of(operation: Operation[I, T, F], value: I) -> bytes | CallError:
    """The body of a call with *value*, or the failure that tells what is wrong with it."""
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
    The issues that a server would find in *value*.

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
        if refused.issues[0].code == "json_invalid":
            return None
        return refused.issues, refused.truncated
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
