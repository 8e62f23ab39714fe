"""
Events: the webhooks that a service sends, declared like its outputs.

A message is an object with the name of the event, the time it was sent, and its data (the payload
that Standard Webhooks recommends). It is checked like an output before it is signed. The documents
include it, so that receivers can be generated.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Generic, Literal, TypeGuard, TypeVar, cast, final

from typing_extensions import TypedDict, TypeForm

from contract.declare.files import check_no_files
from contract.declare.paged import check_no_pages
from contract.declare.resolver import Origin, origin_in
from contract.pred.compile import Pred, compile_pred
from contract.shape import Shape, ShapeReader
from contract.shape.exceptions import SpecError
from contract.shape.names import pascal
from contract.shape.quoting import instead_of_line, instead_of_text, shown
from contract.shape.record import record
from contract.shape.signatures import new_id, signed_headers

__all__ = ["Delivery", "Event", "TypedEvent", "event", "read_events"]

T = TypeVar("T")


@final
class Event(Generic[T]):
    """
    An event that a service sends to others; made by `event`.

    Attributes:
        name: The name, such as "order.shipped".
        data: The type of its data, as given.
        module: The name of the module where it was made.
        summary: One line, for the documents.
        description: More, in Markdown.
        origin: Where it was made.
    """

    __slots__ = ("data", "description", "module", "name", "origin", "summary")

    def __init__(
        self,
        name: str,
        data: object,
        module: str,
        *,
        summary: str,
        description: str | None = None,
        origin: Origin,
    ) -> None:
        self.name: Final = name
        self.data: Final = data
        self.module: Final = module
        self.summary: Final = summary
        self.description: Final = description
        self.origin: Final = origin

    def __repr__(self) -> str:
        return f"<event {self.name}>"


_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*")
_LONGEST: Final = 90
"""The most characters of a name, which is also the name of a type."""


def event(
    name: str, data: TypeForm[T], /, *, summary: str, description: str | None = None
) -> Event[T]:
    """
    Declare an event that is sent by webhooks.

    ::

        shipped = event("order.shipped", Shipped, summary="An order has left")
        api = spec(routes=..., events=[shipped])
        delivery = api.emit(shipped, Shipped("o1"), secrets=[secret])

    Args:
        name: Words separated by full stops, as Standard Webhooks recommends.
        data: The type of the event's data: anything that a route can carry.
        summary: One line, for the documents.
        description: More, in Markdown.

    Raises:
        SpecError: The name, the summary or the description is not valid.
    """
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    origin = origin_in(frame)
    place = origin.place
    where = f"event({shown(name)})"
    if not isinstance(cast("object", name), str) or not _NAME.fullmatch(name):
        raise SpecError(
            where, f'it is not a valid event name; write it like "order.shipped" ({place})'
        )
    if len(name) > _LONGEST:
        raise SpecError(where, f"it has {len(name)} characters; take at most {_LONGEST} ({place})")
    for option, given, problem in (
        ("summary", summary, instead_of_line(summary)),
        ("description", description, instead_of_text(description, optional=True)),
    ):
        if problem is not None:
            raise SpecError(where, f"{option} is {shown(given)}; {problem} ({place})")
    module = str(frame.f_globals.get("__name__", ""))
    return Event(name, data, module, summary=summary, description=description, origin=origin)


@final
@record
class Delivery:
    """A signed message, ready to be sent by any HTTP client."""

    id: str
    """The id of the message; keep it when you send the message again."""
    headers: Mapping[str, str]
    """Its headers: the media type, and the signature that proves who sends it."""
    body: bytes
    """Its body: the exact bytes that are signed."""


@final
@record(eq=False)
class TypedEvent:
    """An event with its annotation read."""

    event: Event[Any]
    shape: Shape
    """The shape of the whole message."""
    pred: Pred[Any]
    """Checks and writes the message."""

    def deliver(
        self, data: object, secrets: Sequence[str], message_id: str | None, now: float
    ) -> Delivery:
        """The message with this *data*, signed *now*."""
        message = {
            "type": self.event.name,
            "timestamp": datetime.fromtimestamp(now, UTC),
            "data": data,
        }
        body = self.pred.dump(message)
        found = new_id() if message_id is None else message_id
        proof = signed_headers(secrets, found, int(now), body)
        return Delivery(found, {"content-type": "application/json", **proof}, body)


def read_events(events: object, reader: ShapeReader) -> dict[str, TypedEvent]:
    """
    The *events* of a spec by their names.

    Raises:
        SpecError: One is not an event, or two have the same name.
        UnsupportedAnnotation: The data of one has a type that cannot be carried.
    """
    where = "spec(events=)"
    if isinstance(events, str) or not isinstance(events, Sequence):
        raise SpecError(where, f"{shown(events)} is not a list of events; write [event(...)]")
    found: dict[str, TypedEvent] = {}
    for at, each in enumerate(cast("Sequence[object]", events)):
        if not _is_event(each):
            raise SpecError(
                f"{where}[{at}]", f"{shown(each)} is not an event; make it by event(name, type)"
            )
        if each.name in found:
            other = found[each.name].event.origin.place
            raise SpecError(
                f"{where}[{at}]",
                f"two events are called {each.name}; give one of them another name "
                f"({other} and {each.origin.place})",
            )
        shape = reader.read(
            _message(each), where=f"event({each.name!r})", namespace=each.origin.names
        )
        check_no_pages(shape, f"event({each.name!r})")
        check_no_files(shape, f"event({each.name!r})")
        found[each.name] = TypedEvent(each, shape, compile_pred(shape))
    return found


def _is_event(value: object) -> TypeGuard[Event[Any]]:
    return isinstance(value, Event)


def _message(given: Event[Any]) -> Any:
    """The type of the messages for an event."""
    make: Any = TypedDict
    fields = {"type": Literal[given.name], "timestamp": datetime, "data": given.data}
    message = make(f"{pascal(given.name)}Event", fields)
    message.__doc__ = given.summary
    message.__module__ = given.module
    return message
