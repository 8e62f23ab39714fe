"""
Webhooks: which signed bodies a route takes, and which events a service sends.

A route that takes signed bodies is public, since its sender has no token: the signature over the
raw body identifies the sender. A body without a valid signature is refused before it is parsed.

An event is declared like an output. A message is an object with the name of the event, the time it
occurred, and its data (the payload that Standard Webhooks recommends). It is checked like an output
before it is signed. The documents include it, so that receivers can be generated.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from typing import Any, Final, Generic, Literal, TypeGuard, TypeVar, cast, final

from typing_extensions import TypedDict, TypeForm

from contract.declare.cache import Cache
from contract.declare.files import check_no_files
from contract.declare.paged import check_no_pages
from contract.declare.resolver import Origin, origin_in, takes
from contract.pred.compile import Pred, compile_pred
from contract.shape.annotations import signature_of
from contract.shape.exceptions import RouteDeclarationError, SpecError
from contract.shape.markers import Texts
from contract.shape.names import pascal
from contract.shape.nodes import Shape
from contract.shape.quoting import instead_of_line, instead_of_text, shown
from contract.shape.reader import ShapeReader
from contract.shape.record import record
from contract.shape.signatures import TOLERANCE, Secrets, instead_of_secret, new_id, signed_headers

__all__ = [
    "Delivery",
    "Event",
    "Signed",
    "TypedEvent",
    "check_signed",
    "event",
    "is_elsewhere",
    "read_events",
    "why_not",
]

T = TypeVar("T")


@final
@record(eq=False)
class Signed:
    """
    The secrets of a route that takes webhooks, signed as Standard Webhooks say (HMAC-SHA256).

    ::

        @route(
            summary="A payment came in",
            tags=["payments"],
            auth="none",
            signed=Signed(lambda: os.environ["PAYMENT_SECRETS"].split()),
        )
        def paid(input: Payment, ctx: None) -> None: ...

    A message that is sent again has the same ``webhook-id``; read it in ``current_call().headers``.

    Attributes:
        secrets: The secrets, each ``whsec_`` and base64, or a function that gives them and is
            called for each request. A signature by any of them is valid, so old and new may
            overlap. Until the function gives one, the health route of a mount answers 503. A
            list is kept hidden: only ``signed.secrets.reveal()`` shows its texts.
        tolerance: How many seconds the signature's time may differ from now, either way.
    """

    # never in a repr, and so never in a log; for what shows all fields, see `Secrets`
    secrets: Texts | Secrets | Callable[[], Texts] = field(repr=False)
    tolerance: int = TOLERANCE

    def __post_init__(self) -> None:
        given: object = self.secrets
        # anything else is a function, or refused by the route
        if isinstance(given, Sequence) and not isinstance(given, str | bytes):
            object.__setattr__(self, "secrets", Secrets(cast("Sequence[str]", given)))

    def asked(self) -> Sequence[str]:
        """
        The secrets as they are now.

        Raises:
            ValueError: There is none, or one cannot sign.
        """
        if not callable(self.secrets):
            return [*Secrets.of(self.secrets).reveal()]  # checked when the route was made
        # what a function gives may be another list at each request, so it is checked each time
        found = self.secrets()
        problem = _problem(found)
        if problem is not None:
            raise ValueError(f"{_OURS}{problem}")
        return [*found]


def is_elsewhere(raised: Exception) -> bool:
    """
    Whether `Signed.asked` raised only because nothing is served here.

    Its function reads a resource, which is open where the spec is served, or the running call.
    Both raise a plain LookupError; what is missing in a mapping is a KeyError.
    """
    # not isinstance: a KeyError is a LookupError, too
    return type(raised) is LookupError


def why_not(raised: Exception) -> str:
    """Why `Signed.asked` raised; other exceptions than ours may show the secret, so not theirs."""
    # the secret may be anywhere in a message of others, such as that of a failed conversion
    message = str(raised)
    is_ours = message.startswith(_OURS) or is_elsewhere(raised)
    return message if is_ours else type(raised).__name__


# how the messages of this module begin, none of which repeats a secret
_OURS: Final = "Signed.secrets: "

_LONGEST_TOLERANCE: Final = 86_400
"""In seconds. A signature accepted after more than a day would prove nothing about its age."""


def check_signed(
    where: str, signed: object, *, auth: object, mcp: object, cache: Cache | None
) -> Signed | None:
    """
    Check and return the *signed* option of a route whose other options are known.

    Raises:
        RouteDeclarationError: It is not a `Signed`, its secrets cannot sign, or the route can also
            be called in a way without signatures.
    """
    if signed is None:
        return None
    if not isinstance(signed, Signed):
        raise RouteDeclarationError(
            where, f"signed is {shown(signed)}; give Signed(secrets), or leave it out"
        )
    # the signature is the only credential, so there must be no other way to the route
    if auth != "none":
        raise RouteDeclarationError(
            where, 'signed= says who sends, so no token is asked for; write auth="none" beside it'
        )
    if mcp is not False or cache is not None:
        option = "mcp=" if mcp is not False else "cache="
        raise RouteDeclarationError(
            where, f"{option} has the route called without a signature; leave {option} out"
        )
    tolerance = cast("object", signed.tolerance)
    # 0 stands for anything that is no number, and is refused below
    if not isinstance(tolerance, int) or isinstance(tolerance, bool):
        tolerance = 0
    if not 1 <= tolerance <= _LONGEST_TOLERANCE:
        raise RouteDeclarationError(
            where,
            f"Signed.tolerance is {shown(signed.tolerance)}; "
            f"give whole seconds from 1 to {_LONGEST_TOLERANCE}, such as {TOLERANCE}",
        )
    given = signed.secrets
    if isinstance(given, Secrets):
        problem = _problem(given.reveal())
    elif not callable(given):
        problem = _problem(given)
    elif _takes_nothing(given):
        problem = None  # what it gives is checked at each request
    else:
        problem = _WITH_ARGUMENTS
    if problem is not None:
        raise RouteDeclarationError(where, f"{_OURS}{problem}")
    return signed


_WITH_ARGUMENTS: Final = (
    "the function is asked without arguments; write it like lambda: [os.environ[...]]"
)


def _takes_nothing(function: Callable[[], object]) -> bool:
    try:
        parameters = signature_of(function, {}).parameters
    except TypeError:  # written in C: the first call will show it
        return True
    return takes(parameters, 0)


def _problem(secrets: object) -> str | None:
    """The problem with *secrets*, and what to write instead; None if there is none."""
    if isinstance(secrets, str | bytes) or not isinstance(secrets, Sequence):
        return "give a list of secrets, such as os.environ[...].split()"
    found = cast("Sequence[object]", secrets)
    if not found:
        return "it is empty, so no signature could be valid; give at least one"
    for secret in found:
        problem = instead_of_secret(secret)
        if problem is not None:
            return problem
    return None


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
# The type of the messages is called after the event, with `Event` at its end. A name of a type in
# documents has at most 95 characters (see `contract.document.schema_names`).
_LONGEST_NAME: Final = 90
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
    where, place = f"event({shown(name)})", origin.place
    if not isinstance(cast("object", name), str) or not _NAME.fullmatch(name):
        raise SpecError(
            where, f'it is not a valid event name; write it like "order.shipped" ({place})'
        )
    if len(name) > _LONGEST_NAME:
        raise SpecError(
            where, f"it has {len(name)} characters; take at most {_LONGEST_NAME} ({place})"
        )
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
        self,
        data: object,
        secrets: Sequence[str],
        message_id: str | None,
        occurred_at: datetime | None,
        now: float,
    ) -> Delivery:
        """The message with this *data*, signed *now*."""
        # what is sent again has the id and the time of the first try, from the caller
        if occurred_at is None:
            occurred_at = datetime.fromtimestamp(now, UTC)
        message = {"type": self.event.name, "timestamp": occurred_at, "data": data}
        body = self.pred.dump(message)
        sent_id = new_id() if message_id is None else message_id
        # the receiver compares the time of the signature with its clock, so it is that of this try
        signature = signed_headers(secrets, sent_id, int(now), body)
        return Delivery(sent_id, {"content-type": "application/json", **signature}, body)


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
    make: Any = TypedDict  # type checkers refuse one whose name and fields are worked out
    fields = {"type": Literal[given.name], "timestamp": datetime, "data": given.data}
    message = make(f"{pascal(given.name)}Event", fields)
    message.__doc__ = given.summary
    message.__module__ = given.module
    return message
