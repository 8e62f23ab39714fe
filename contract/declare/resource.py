"""
Resources: what a process opens before its first call and closes when it ends.

Examples are a pool of connections and a client of another service. `resource` makes one from a
generator function. A plain context manager will do if nobody needs the value that it opens.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from types import TracebackType
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar, cast, final

from contract.declare.resolver import parameter_list, place_of, simple_name, takes, underlying
from contract.shape.annotations import parameters_of
from contract.shape.exceptions import ContractException, DeclarationError, SpecError
from contract.shape.quoting import shown

__all__ = [
    "Manager",
    "NotOpened",
    "Opens",
    "Resource",
    "Resources",
    "Using",
    "check_generator",
    "check_ready",
    "check_resources",
    "resource",
]

T = TypeVar("T")

Manager: TypeAlias = AbstractContextManager[Any, Any] | AbstractAsyncContextManager[Any, Any]
"""A context manager of either kind."""


@final
class Using(AbstractContextManager[T]):
    """Replaces the value of a provider or a resource with a fake, in tests."""

    def __init__(self, fakes: list[T], fake: T) -> None:
        self._fakes: Final = fakes
        self._fake: Final = fake

    def __enter__(self) -> T:
        self._fakes.append(self._fake)
        return self._fake

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._fakes.pop()  # blocks of `with` end in the opposite order, so the last one is ours


@final
class Resource(Generic[T]):
    """
    A resource of a process, made by `resource`; calling it gives the opened value.

    Attributes:
        is_async: Whether its function is async.
        users: How many services of this process need it open.
        value: The opened value, while there are users.
        leave: Closes it.
    """

    def __init__(self, function: Callable[[], Any], place: str, *, is_async: bool) -> None:
        self.__name__: str = simple_name(function)
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self.__qualname__ = function.__qualname__
        self.is_async: Final = is_async
        self._function: Final = function
        self._place: Final = place
        self._fakes: Final[list[T]] = []
        self.users: int = 0
        self.value: Any = None
        self.leave: Any = None

    def __repr__(self) -> str:
        return f"<resource {self.__name__} ({self._place})>"

    def __call__(self) -> T:
        """
        The value that is open in this process.

        Raises:
            LookupError: It is not open.
        """
        # Fakes come first, since nothing opens a resource that a test replaces. They may be nested,
        # and the inner one counts.
        if self._fakes:
            return self._fakes[-1]
        if not self.users:
            name = self.__name__
            raise LookupError(
                f"{name} is not open: a spec with resources=[{name}] opens it where it is served; "
                "in a job, write `with contract.opened(api):` around it; in a test, "
                f"write `with Client(api):` around it, or replace it: "
                f"`with {name}.using(fake):` ({self._place})"
            )
        return cast("T", self.value)

    def using(self, fake: T, /) -> AbstractContextManager[T]:
        """
        Replace the value with *fake* in the whole process, for a test.

        Meanwhile no client and no server opens the resource itself.
        """
        return Using(self._fakes, fake)

    @property
    def replaced(self) -> bool:
        """Whether a fake replaces its value now."""
        return bool(self._fakes)

    def manager(self) -> Manager:
        """A context manager that opens it once."""
        made = asynccontextmanager if self.is_async else contextmanager
        return cast("Manager", made(cast("Any", self._function))())


Resources: TypeAlias = Sequence[Resource[Any] | Manager]
"""The resources of a spec."""


def resource(fn: Callable[[], AsyncIterator[T] | Iterator[T]], /) -> Resource[T]:
    """
    Make a resource from a generator function; a process opens it once and closes it at its end.

    ::

        @resource
        def pool() -> Iterator[Pool]:
            with Pool(DATABASE_URL) as opened:
                yield opened


        api = spec(routes=routes(order), resources=[pool])

    ``pool()`` gives the opened value, without ``await`` even if *fn* is an ``async def``.

    Args:
        fn: A function without parameters that yields once.

    Raises:
        DeclarationError: *fn* is not a generator function, or has a parameter.
    """
    place, is_async = check_generator("@resource", fn)
    return Resource(fn, place, is_async=is_async)


def check_generator(decorator: str, fn: Callable[[], object]) -> tuple[str, bool]:
    """
    Check that *fn* is a generator function without parameters.

    Return its place, and whether it is async.

    Raises:
        DeclarationError: It is not.
    """
    where = f"{decorator} {simple_name(fn)}"
    if not callable(fn):
        raise DeclarationError(
            where, f"{shown(fn)} is not a generator function; write one that yields the value once"
        )
    place = place_of(fn)
    function: Any = underlying(fn)
    is_async = inspect.isasyncgenfunction(function)
    # @contextmanager keeps the generator function in __wrapped__, and gives something else itself
    if hasattr(fn, "__wrapped__") or not (is_async or inspect.isgeneratorfunction(function)):
        raise DeclarationError(
            where,
            "write a generator function that yields the value once, "
            f"without @contextmanager ({place})",
        )
    parameters = parameters_of(fn)
    if not takes(parameters, 0):
        raise DeclarationError(
            where,
            f"it takes {parameter_list(parameters)}, and is called with nothing; "
            f"read what it needs inside of it, as from a @resource ({place})",
        )
    return place, is_async


def check_resources(given: object) -> tuple[Resource[Any] | Manager, ...]:
    """
    Check the ``resources=`` of a spec.

    Raises:
        SpecError: One of them cannot be opened.
    """
    found = _each("spec(resources=)", given, "resources=[pool]")
    for at, each in enumerate(found):
        if isinstance(each, type) or not (
            isinstance(each, Resource) or is_manager(each) or is_async_manager(each)
        ):
            raise SpecError(
                f"spec(resources=)[{at}]",
                f"{shown(each)} is neither a @resource nor a context manager; "
                "write @resource above a generator function that yields it",
            )
    return cast("tuple[Resource[Any] | Manager, ...]", found)


def is_manager(value: object) -> bool:
    """Whether *value* is a context manager."""
    # on the type, where `with` looks them up as well
    return hasattr(type(value), "__enter__") and hasattr(type(value), "__exit__")


def is_async_manager(value: object) -> bool:
    """Whether *value* is an asynchronous context manager."""
    return hasattr(type(value), "__aenter__") and hasattr(type(value), "__aexit__")


def check_ready(given: object) -> tuple[Callable[[], object], ...]:
    """
    Check the ``ready=`` of a spec.

    Raises:
        SpecError: One of them cannot be called without arguments.
    """
    found = _each("spec(ready=)", given, "ready=[ping]")
    for at, each in enumerate(found):
        where = f"spec(ready=)[{at}]"
        if not callable(each):
            raise SpecError(
                where,
                f"{shown(each)} is not a function; give one that says whether the service is ready",
            )
        parameters = parameters_of(each)
        if not takes(parameters, 0):
            taken = parameter_list(parameters)
            raise SpecError(
                where, f"it takes {taken}, and is called with nothing; read what it needs inside"
            )
    return cast("tuple[Callable[[], object], ...]", found)


def _each(where: str, given: object, how: str) -> tuple[object, ...]:
    # texts are iterables, too
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise SpecError(where, f"{shown(given)} is not a list of these; write {how}")
    return tuple(cast("Iterable[object]", given))


class NotOpened(ContractException):
    """
    A resource of the spec could not be opened.

    Attributes:
        name: The name of the resource.
    """

    def __init__(self, name: str, raised: BaseException) -> None:
        kind = type(raised).__name__
        super().__init__(f"the resource {name} could not be opened: {kind}: {raised}".strip(": "))
        self.name: Final = name


class Opens(Protocol):
    """
    Opens the resources of a spec in this process; a service knows no more than this about them.

    Opening raises `NotOpened` if it fails. Closing logs what resources raise, and returns the first
    such exception.
    """

    done: bool

    def here(self) -> None: ...  # noqa: D102
    async def on_loop(self) -> None: ...  # noqa: D102
    def leave_here(self) -> BaseException | None: ...  # noqa: D102
    async def leave_on_loop(self) -> BaseException | None: ...  # noqa: D102
