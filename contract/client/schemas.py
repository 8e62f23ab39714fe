"""
Schemas: the types of a contract as validators, the same as the server's.

They are strict, as the server is: what a schema takes, the server takes. Answers are read with a
little more patience (`Schema.answers`): a field that was added to an output since the client was
generated is no reason to refuse the rest.
"""

from __future__ import annotations

from typing import Generic, TypeGuard, TypeVar, final

from typing_extensions import TypeForm

from contract.client.results import DeclaredFailure
from contract.pred.compile import Pred, compile_pred
from contract.shape import RefShape, Shape, ShapeReader, shape_of

__all__ = ["RouteSchemas", "Schema"]

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
            InvalidInput: It is no valid one.
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
        """What the type is compiled to."""
        # two threads may both make one: they are alike
        pred = self._pred
        if pred is None:
            pred = self._pred = compile_pred(_shape(self._annotation))
        return pred

    @property
    def answers(self) -> Pred[T]:
        """The same for what a server answers: keys of records that are not known are ignored, wherever they stand."""
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
    return (
        RefShape(ShapeReader().failure(annotation, where=annotation.__qualname__))
        if _is_failure(annotation)
        else shape_of(annotation)
    )


def _is_failure(annotation: object) -> TypeGuard[type[DeclaredFailure]]:
    return isinstance(annotation, type) and issubclass(annotation, DeclaredFailure)
