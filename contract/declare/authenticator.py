"""
Authenticators: the functions that make a call's context from its token, read once.

The annotation of such a function says what the context is. It is compared with what resolvers and
hooks take when the spec is made, and with the actual result at each call.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import NoneType
from typing import Any, cast, final, get_origin

from typing_extensions import is_typeddict

from contract.declare.compared import PROMOTIONS, is_a, is_failure, members_of
from contract.declare.failures import is_builtin
from contract.declare.hook import Request
from contract.declare.resolver import is_async_callable, parameter_list, place_of, takes, underlying
from contract.declare.route_options import Auth
from contract.declare.ways import Credential, Way
from contract.shape.annotations import signature_of
from contract.shape.exceptions import SpecError
from contract.shape.quoting import shown
from contract.shape.record import record
from contract.shape.scope import display

__all__ = ["Authenticator", "check_inline", "context_types", "given_by", "read_authenticator"]


@final
@record(eq=False)
class Authenticator:
    """The function that ``authenticate=`` names, with its annotation read."""

    function: Callable[[str, Request], Any]
    """The function: from a token and the request to the context."""
    is_async: bool = False
    """Whether the function is async."""
    inline: bool = False
    """Whether it runs on the event loop itself, if there is one."""
    gives: tuple[object, ...] | None = None
    """
    The members of its return annotation that can become a context.

    None if they cannot be known.
    """
    contexts: tuple[type, ...] | None = None
    """
    The classes that it declares to return; the result of each call is checked against them.

    None if they are not known, or if nothing is declared.
    """
    ways: tuple[Credential, ...] = ()
    """The credentials that it takes; empty if it takes a bearer token and nothing else."""

    @property
    def way_names(self) -> tuple[str, ...]:
        """The names of these credentials in documents and clients."""
        return tuple(each.name for each in self.ways) or ("bearer",)

    @property
    def headers(self) -> tuple[str, ...]:
        """The headers that may hold a credential; an answer depends on them."""
        return tuple(each.shown_header for each in self.ways) or ("Authorization",)


def given_by(
    authenticator: Authenticator | None, auth: Auth = "bearer"
) -> tuple[object, ...] | None:
    """
    The members of the type of a context: None alone if nothing makes one.

    If a call may come without a token, None is among them. The result is None if the members cannot
    be known.
    """
    if authenticator is None:
        return (NoneType,)
    if authenticator.gives is None or auth != "optional":
        return authenticator.gives
    return (*authenticator.gives, NoneType)


def read_authenticator(
    where: str,
    authenticate: Callable[..., Any] | None,
    names: Mapping[str, object],
    *,
    inline: bool,
) -> Authenticator | None:
    """
    The authenticator of a spec, or None if it has none.

    *where* is the place of an option, for messages, with ``{}`` for its name: ``spec({}=)``.

    Raises:
        SpecError: It cannot be called with a token and a request, its annotation does not fit it,
            or it cannot run where *inline* says.
    """
    place = where.format("authenticate_inline")
    check_inline(place, authenticate, inline)
    if authenticate is None:
        return None
    # each way in has a function of its own, and all of them are read
    given = cast("object", authenticate)
    ways = given.credentials if isinstance(given, Way) else ()
    is_async, gives = _read_all(
        where.format("authenticate"), [each.function for each in ways] or [authenticate], names
    )
    if is_async and inline:
        raise SpecError(place, "an async authenticate= always runs on the event loop; leave it out")
    # one way in needs no choice between functions at each call
    function: Callable[..., Any] = ways[0].function if len(ways) == 1 else authenticate
    # a plain function takes a bearer token alone
    if all(each.kind == "bearer" for each in ways):
        ways = ()
    return Authenticator(function, is_async, inline, gives, context_types(gives), ways)


def _read_all(
    where: str, functions: Sequence[Callable[..., Any]], names: Mapping[str, object]
) -> tuple[bool, tuple[object, ...] | None]:
    """Whether the functions are async, and the members of the contexts of all of them."""
    read = [_read(where, each, names) for each in functions]
    kinds = {is_async for is_async, _ in read}
    if len(kinds) > 1:
        first = [is_async for is_async, _ in read].index(False)
        plain = functions[first]
        raise SpecError(
            where,
            f"some ways in are async, and one is not; make it `async def` ({place_of(plain)})",
        )
    known: list[object] = []
    is_async = kinds.pop()
    for _, gives in read:
        if gives is None:
            # one function does not say what it gives, so the contexts of the whole are not known
            return is_async, None
        known += gives
    return is_async, tuple(known)


def check_inline(where: str, authenticate: object, inline: object) -> None:
    """
    Check that there is an *authenticate* for *inline* to apply to.

    Raises:
        SpecError: There is none.
    """
    if inline not in (False, True) or (inline and authenticate is None):
        raise SpecError(
            where, "it says where authenticate= runs; write authenticate_inline=True beside it"
        )


def _read(
    where: str, authenticate: Callable[..., Any], names: Mapping[str, object]
) -> tuple[bool, tuple[object, ...] | None]:
    """Whether the function is async, and the members of its contexts."""
    if isinstance(authenticate, type) or not callable(authenticate):
        raise SpecError(
            where, f"{shown(authenticate)} is not a function; give one that takes (token, request)"
        )
    place = place_of(authenticate)
    function = underlying(authenticate)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise SpecError(
            where,
            f"it is a generator, and one context is needed; write return, not yield ({place})",
        )
    is_async = is_async_callable(authenticate)
    try:
        signature = signature_of(authenticate, names)
    except TypeError:  # written in C, or not in Python at all
        return is_async, None
    if not takes(signature.parameters, 2):
        raise SpecError(
            where,
            f"it takes {parameter_list(signature.parameters)}, "
            f"and is called with (token, request) ({place})",
        )
    members = members_of(signature.returns, signature, where)
    for member in members or ():
        _check_member(where, member, place, is_async=is_async)
    if members is None:
        return is_async, None
    # None and a failure end the call, so no resolver gets them as its context
    contexts = [member for member in members if not is_failure(member)]
    return is_async, tuple(member for member in contexts if member is not NoneType)


def _check_member(where: str, member: Any, place: str, *, is_async: bool) -> None:
    if not is_async and is_a(member, Awaitable):
        raise SpecError(
            where,
            "it is annotated to give an awaitable, and is not a coroutine function; "
            f"make it `async def` ({place})",
        )
    if is_failure(member) and not is_builtin(member):
        raise SpecError(
            where,
            f"it may give {display(member)}, but only builtin failures are known before a route "
            f"runs; give Forbidden or another of those, or return it in a hook ({place})",
        )


def context_types(gives: tuple[object, ...] | None) -> tuple[type, ...] | None:
    """
    The classes that a context with the members *gives* may have.

    None if only a type checker could say.
    """
    found: list[type[Any]] = []
    for given in gives or (Any,):
        cls = get_origin(given) or given
        # isinstance refuses most protocols, and takes anything for an object
        if not isinstance(cls, type) or cls in (Any, object) or getattr(cls, "_is_protocol", False):
            return None
        if is_typeddict(cls):
            cls = dict  # isinstance refuses a TypedDict, whose values are plain dicts
        found.append(cast("type[Any]", cls))
        found.extend(narrow for wide, narrow in PROMOTIONS if wide is cls)
    return tuple(found)
