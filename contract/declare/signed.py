"""
Signed bodies: the secrets by which a route recognises the sender of a webhook.

Such a route is public, since its sender has no token: the signature over the raw body identifies
the sender. A body without a valid signature is refused before it is parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final, cast, final

from contract.declare.cache import Cache
from contract.declare.resolver import takes
from contract.shape import signature_of
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.markers import Texts
from contract.shape.quoting import shown
from contract.shape.record import record
from contract.shape.signatures import TOLERANCE, instead_of_secret

__all__ = ["Signed", "check_signed", "is_elsewhere", "why_not"]


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
            overlap. Until the function gives one, the health route of a mount answers 503.
        tolerance: How many seconds the signature's time may differ from now, either way.
    """

    # never in a repr, and so never in a log
    secrets: Texts | Callable[[], Texts] = field(repr=False)
    tolerance: int = TOLERANCE

    def asked(self) -> Sequence[str]:
        """
        The secrets as they are now.

        Raises:
            ValueError: There is none, or one cannot sign.
        """
        if not callable(self.secrets):
            return [*self.secrets]  # they were checked when the route was made
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
    return type(raised) is LookupError


def why_not(raised: Exception) -> str:
    """Why `Signed.asked` raised; other exceptions than ours may show the secret, so not theirs."""
    told = str(raised)
    is_ours = told.startswith(_OURS) or is_elsewhere(raised)
    return told if is_ours else type(raised).__name__


_OURS: Final = "Signed.secrets: "

_LONGEST: Final = 86_400
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
    if not isinstance(tolerance, int) or isinstance(tolerance, bool):
        tolerance = 0
    if not 1 <= tolerance <= _LONGEST:
        raise RouteDeclarationError(
            where,
            f"Signed.tolerance is {shown(signed.tolerance)}; "
            f"give whole seconds from 1 to {_LONGEST}, such as {TOLERANCE}",
        )
    if not callable(signed.secrets):
        problem = _problem(signed.secrets)
    else:
        problem = None if _takes_nothing(signed.secrets) else _ASKED
    if problem is not None:
        raise RouteDeclarationError(where, f"{_OURS}{problem}")
    return signed


_ASKED: Final = "the function is asked without arguments; write it like lambda: [os.environ[...]]"


def _takes_nothing(function: Callable[[], object]) -> bool:
    try:
        parameters = signature_of(function, {}).parameters
    except TypeError:  # written in C: the first call will show it
        return True
    return takes(parameters, 0)


def _problem(secrets: object) -> str | None:
    """What is wrong with *secrets*, and what to write instead; None if nothing is."""
    if isinstance(secrets, str | bytes) or not isinstance(secrets, Sequence):
        return "give a list of secrets, such as os.environ[...].split()"
    found = cast("Sequence[object]", secrets)
    if not found:
        return "it is empty, so no signature could be valid; give at least one"
    return next(filter(None, map(instead_of_secret, found)), None)
