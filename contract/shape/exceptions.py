"""
Exceptions: what is raised to the programmer, and never goes on the wire.

::

    ContractException
    +-- DeclarationError          a wrong declaration; raised when it is imported, not called
    |   +-- UnsupportedAnnotation  a type that no route carries, or a constraint that does not fit
    |   +-- FailureDeclarationError
    |   +-- RouteDeclarationError
    |   +-- SpecError
    |   +-- MountError
    +-- InvalidInput              bytes or a JSON value that a pred refuses
    +-- InvalidOutput             a Python value that does not fit its declared type
    +-- DocumentError             bytes that are not a contract document of this major version
    +-- GenerationError           a document of which no code can be generated

Every declaration error starts with the place: ``get_user.input.age: ...``, and says what to write
instead.
"""

from __future__ import annotations

from typing import Any, overload

from contract.shape.issues import Issue

__all__ = [
    "ContractException",
    "DeclarationError",
    "DocumentError",
    "FailureDeclarationError",
    "GenerationError",
    "InvalidInput",
    "InvalidOutput",
    "MountError",
    "RouteDeclarationError",
    "SpecError",
    "UnsupportedAnnotation",
    "python_path",
]


class ContractException(Exception):  # noqa: N818  "error" is the word for what goes on the wire
    """
    Everything that this package raises on purpose.

    It can be copied and pickled, so it can pass between processes.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        # by default an exception is made again from its `args`, but the classes below take other
        # arguments
        return _made_again, (type(self), self.args), self.__dict__


class DeclarationError(ContractException, TypeError):
    """
    A declaration is wrong.

    Attributes:
        where: The place, outermost first: ``"get_user.input.age"``.
        problem: What is wrong there, and what to write instead.
    """

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem


class UnsupportedAnnotation(DeclarationError):  # noqa: N818
    """An annotation that has no form on the wire, or a constraint that does not fit its type."""


class FailureDeclarationError(DeclarationError):
    """A failure class that callers could not tell apart, that cannot be sent or type-checked."""


class RouteDeclarationError(DeclarationError):
    """A resolver with the wrong signature, or options of ``@route`` that contradict it."""


class SpecError(DeclarationError):
    """Routes that do not fit together, or a value in ``routes`` that ``route`` did not make."""


class MountError(DeclarationError):
    """A spec that cannot be mounted where it was asked for."""


class InvalidInput(ContractException, ValueError):  # noqa: N818
    """
    A document that a pred refuses.

    A validator of the author's (``__post_init__``, a predicate) raises it to say in its own words
    what is wrong and where: ``raise InvalidInput("The end is before the start.", "end")``.

    Args:
        problem: A sentence for the caller, of which at most 200 characters are shown; or the issues
            that a pred found.
        path: The place, from the value that is being validated: names of fields as in Python,
            keys and positions.

    Attributes:
        issues: What is wrong, in document order; never empty, at most 20.
        truncated: Whether there were more issues than are listed.
    """

    @overload
    def __init__(self, problem: str, /, *path: str | int) -> None: ...
    @overload
    def __init__(self, problem: tuple[Issue, ...], /, *, truncated: bool = False) -> None: ...
    def __init__(
        self, problem: str | tuple[Issue, ...], /, *path: str | int, truncated: bool = False
    ) -> None:
        super().__init__(problem, *path)
        if isinstance(problem, str):
            problem = (Issue(path, "invalid_value", problem),)
        self.issues = problem
        self.truncated = truncated

    def __str__(self) -> str:
        # made only when it is asked for: a server never does
        return "; ".join(f"{python_path(issue.path)}: {issue.message}" for issue in self.issues)


class InvalidOutput(ContractException, TypeError):  # noqa: N818
    """
    A Python value that does not fit its declared type.

    Attributes:
        path: Where in the value: field names (as in Python) and indexes.
        problem: What was expected and which type was found; never the value itself.
    """

    def __init__(self, path: tuple[str | int, ...], problem: str) -> None:
        super().__init__(f"{python_path(path)}: {problem}")
        self.path = path
        self.problem = problem


class DocumentError(ContractException, ValueError):
    """
    Bytes that are not a contract document, or one of another major version.

    It is also raised for a document that cannot be written.

    Attributes:
        path: The place, as a JSON path: ``"$.routes.order.input"``.
        problem: What is wrong there.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class GenerationError(ContractException, ValueError):
    """
    A valid document of which no code can be generated: it says something that no type can.

    Attributes:
        path: The place, as a JSON path: ``"$.$defs.Order.properties.id"``.
        problem: What is wrong there, and what to write instead.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


def _made_again(cls: type[ContractException], args: tuple[Any, ...]) -> ContractException:
    return cls.__new__(cls, *args)


def python_path(path: tuple[str | int, ...]) -> str:
    """A *path* inside a value as Python writes it, ``items[0].price``; ``(value)`` if empty."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}"
    return text.lstrip(".") or "(value)"
