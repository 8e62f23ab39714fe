"""
Webhooks: the receiver's side, which verifies and reads a message.

A message is trusted once its signature is valid, and read as leniently as an answer: a field that
was added after the receiver was generated is ignored, and so is an event that it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import time
from typing import Any, Final, Generic, TypeVar, cast, final

from pydantic_core import from_json

from contract.client.schemas import Schema
from contract.shape.signatures import TOLERANCE, instead_of_secret, not_signed

__all__ = ["Events", "NotSigned"]

T = TypeVar("T")


class NotSigned(ValueError):  # noqa: N818  it says what is wrong with what was sent
    """The signature of a message is not valid, so its sender is unknown."""


@final
class Events(Generic[T]):
    """
    The events that a service sends, by name.

    Args:
        messages: Event name -> the schema of its messages.
    """

    __slots__ = ("_messages",)

    def __init__(self, messages: Mapping[str, Schema[Any]]) -> None:
        self._messages: Final = messages

    def __repr__(self) -> str:
        return f"Events({', '.join(self._messages)})"

    def receive(
        self,
        body: bytes,
        headers: Mapping[str, str],
        secrets: Sequence[str],
        *,
        tolerance: int = TOLERANCE,
    ) -> T | None:
        """
        The message in a webhook; None for an event that was added after this was generated.

        If this returns, answer with a status of 2xx, whatever it returns; if it raises, answer with
        400. A message may come twice: its id is in the header ``webhook-id``.

        Args:
            body: The raw body, before parsing.
            headers: The headers of the request; names may be in any case.
            secrets: The secrets that the service may sign with; one of them must match.
            tolerance: How many seconds the message's time may differ from now, either way.

        Raises:
            NotSigned: The signature does not hold.
            InvalidInput: The service signed something that is not a message of its contract.
            ValueError: A secret is not valid.
        """
        # the receiver's own mistake comes first: with a wrong secret, no signature would hold
        for secret in secrets:
            wrong = instead_of_secret(secret)
            if wrong is not None:
                raise ValueError(wrong)
        # frameworks differ in the case of the names that they give
        sent = {name.lower(): value for name, value in headers.items()}
        problem = not_signed(sent, body, secrets, now=time(), tolerance=tolerance)
        if problem is not None:
            raise NotSigned(problem)
        # an event that is not known is read, too: something other than an object is refused
        schema = self._messages.get(_type_of(body), _ANY)
        found = schema.answers.load(body)
        if schema is _ANY:
            return None
        return cast("T", found)


_ANY: Final = Schema[dict[str, Any]](dict[str, Any])


def _type_of(body: bytes) -> str:
    """The name of the event in *body*; empty if there is none."""
    # read apart from the message, whose schema is not known before
    try:
        message: Any = from_json(body)
    except ValueError:
        return ""
    match message:
        case {"type": str(name)}:
            return name
        case _:
            return ""
