"""
Streams: outputs that are sent item by item, and what their annotations mean.

``Stream[Token | Interrupted] | Refused`` is read like every return annotation: whatever is not a
failure is the output, here the items. A failure inside ``Stream[...]`` may come between the items,
and ends the stream. One beside it is answered before the first item, with its status.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Final, Generic, TypeVar, cast, final, get_args, get_origin

from contract.declare.compared import is_failure
from contract.declare.failures import Failure, check_failure, same_code
from contract.declare.route import Route
from contract.shape import Definition, union_members
from contract.shape.exceptions import RouteDeclarationError, SpecError
from contract.shape.record import record
from contract.shape.scope import display

__all__ = ["ItemTypes", "Stream", "Streaming", "check_stream", "items_of", "one_success"]

T_co = TypeVar("T_co", covariant=True)


@final
class Stream(Generic[T_co]):
    """
    An output that is sent item by item, as an iterator gives them.

    ::

        def tokens(input: Ask) -> Iterator[Token | Interrupted]: ...


        @route(summary="Chat", tags=["chat"], auth="none")
        def chat(input: Ask, ctx: None) -> Stream[Token | Interrupted] | Refused:
            return Stream(tokens(input))

    Each item is checked and sent like any output. A failure among them ends the stream. A generator
    is always closed when the stream ends, so its ``finally`` runs.

    Args:
        items: An iterator or an async iterator; ``iter([...])`` makes one from a list.
        id: Gives the id of an item. A client that reconnects sends the last id it saw; the resolver
            finds it as ``current_call().last_event_id``. An id is printable ASCII, at most 256
            characters.

    Raises:
        TypeError: *items* is not an iterator.
    """

    __slots__ = ("id", "items")

    def __init__(
        self,
        items: Iterator[T_co] | AsyncIterator[T_co],
        /,
        *,
        # the items alone: typed with T_co, the function would have to take the failures, too
        id: Callable[[Any], str] | None = None,  # noqa: A002
    ) -> None:
        kind = cast("type[object]", type(items))
        if not (hasattr(kind, "__next__") or hasattr(kind, "__anext__")):
            hint = "; write Stream(iter(...))" if hasattr(kind, "__iter__") else ""
            raise TypeError(f"Stream() is given a {kind.__name__}, which is not an iterator{hint}")
        self.items: Final[Iterator[Any] | AsyncIterator[Any]] = items
        self.id: Final[Callable[[Any], str] | None] = id

    @property
    def is_async(self) -> bool:
        """Whether the items have to be awaited."""
        return not hasattr(type(self.items), "__next__")


@final
@record(eq=False)
class Streaming:
    """The failures of a route's stream, kept beside the shape of an item."""

    failures: Mapping[type[Failure], Definition]
    """The failures that may come between items, and end the stream."""


@final
@record
class ItemTypes:
    """The items and failures inside an annotation ``Stream[...]``."""

    items: tuple[Any, ...]
    failures: tuple[type[Failure], ...]


def one_success(outputs: list[Any], where: str) -> Any:
    """
    The ``Stream[...]`` among the *outputs* of a return annotation; None if there is none.

    Raises:
        RouteDeclarationError: There is another form of success beside it, or it does not say what
            its items are.
    """
    found = [each for each in outputs if each is Stream or get_origin(each) is Stream]
    if not found:
        return None
    if len(outputs) > 1:
        others = " and ".join(display(each) for each in outputs)
        raise RouteDeclarationError(
            where,
            f"a route has one form of success, and this one has {others}; "
            "make it two routes, or give all of it as items",
        )
    if not get_args(found[0]):
        raise RouteDeclarationError(where, "it says nothing of its items; write Stream[Item]")
    return found[0]


def items_of(
    stream: Any,
    namespace: Mapping[str, object],
    where: str,
    before: Mapping[str, type[Failure]],
) -> ItemTypes:
    """
    The types of the items of a *stream*, and the failures that may come between them.

    Args:
        stream: The annotation.
        namespace: The names that it may use.
        where: Its place, for messages.
        before: Code -> failure declared beside the stream; a code must mean the same class in both.

    Raises:
        RouteDeclarationError: There are only failures.
        SpecError: Two of them have the same code.
    """
    members: tuple[Any, ...] = union_members(get_args(stream)[0], namespace, where=where)
    declared: dict[str, type[Failure]] = {}
    for member in members:
        if is_failure(member):
            check_failure(member, where)
            other = declared.setdefault(member.error_code, before.get(member.error_code, member))
            if other is not member:
                raise SpecError(where, same_code(other, member))
    items = tuple(member for member in members if not is_failure(member))
    if not items:
        raise RouteDeclarationError(
            where, "there are only failures in Stream[...]; say what its items are"
        )
    return ItemTypes(items, tuple(declared.values()))


def check_stream(route: Route[Any, Any, Any], where: str) -> None:
    """
    Check that a *route* that gives a stream has no option that only other outputs can have.

    Raises:
        RouteDeclarationError: It has one.
    """
    if route.cache is not None:
        raise RouteDeclarationError(
            where, "nobody may keep a stream; leave out cache=, or give a list"
        )
