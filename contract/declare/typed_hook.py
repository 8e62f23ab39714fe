"""
Typed hooks: the hooks of a spec with their annotations read, checked against their routes.

A hook takes a ``Call[C]``, where C is the context of the routes that it may run before, or a
``Call[C, In]`` if it also asks for the input. Its return annotation names its failures.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Final, final, get_args, get_origin

from contract.declare.compared import (
    accepts,
    definitions_of,
    failures_in,
    is_a,
    is_failure,
    resolved,
)
from contract.declare.failures import Failure, same_code
from contract.declare.hook import Call, Hook
from contract.declare.resolver import Origin
from contract.declare.route import Route
from contract.shape.annotations import Signature, signature_of, union_members
from contract.shape.exceptions import DeclarationError, RouteDeclarationError, SpecError
from contract.shape.nodes import Definition
from contract.shape.reader import ShapeReader
from contract.shape.record import record
from contract.shape.scope import display

__all__ = ["HookReader", "TypedHook", "check_input", "joined_failures"]


@final
@record(eq=False)
class TypedHook:
    """A hook of a spec, with its annotations read."""

    hook: Hook[Any]
    """The hook as the user made it."""
    contexts: tuple[object, ...]
    """The members of the type of the context that it takes."""
    inputs: tuple[object, ...] | None
    """The members of the type of the input that it asks for; None if it does not ask for it."""
    failures: Mapping[type[Failure], Definition]
    """The failures that its return annotation declares."""

    @property
    def name(self) -> str:
        """The name of its function, for messages and the log."""
        return self.hook.__qualname__.rpartition("<locals>.")[2]


@final
class HookReader:
    """Reads the hooks of one spec, each once, however many routes they run before."""

    def __init__(self, reader: ShapeReader) -> None:
        self._reader: Final = reader
        self._known: Final[dict[int, TypedHook]] = {}

    def before(
        self,
        route: Route[Any, Any, Any],
        name: str,
        gives: tuple[object, ...] | None,
        names: Callable[[Origin], Mapping[str, object]],
        *,
        wide: Sequence[Hook[Any]],
        outer: Sequence[Hook[Any]],
    ) -> tuple[TypedHook, ...]:
        """
        The hooks that run before *route*, in their order.

        First come the *wide* ones, of the spec and of outer groups whose authenticator is another
        one, except those that do not take the context of this route. Then come the *outer* ones,
        of the spec and of groups that share this context; if it is None, those that do not take
        None are left out. The annotations of a hook may use the *names* that were local where it
        was decorated.

        Raises:
            DeclarationError: With the route, the hook, and the file and line of its function.
        """
        found: list[TypedHook] = []
        # Whether a hook that does not fit the context is passed over or refused depends on where it
        # was given. The author of a route named its hooks for it, so each must fit. A hook of a
        # group is for many routes: it passes over the public ones, and those of another
        # authenticator.
        for index, hook in enumerate((*wide, *outer, *route.hooks)):
            typed = self._typed(hook, name, names)
            where = f"{name} hook {typed.name}"
            with _placed_at(hook):
                if any(other is typed for other in found):
                    raise SpecError(where, "it runs before this route twice; name it once")
                wrong = _unfit(typed, gives)
                if wrong is None:
                    found.append(typed)
                elif index >= len(wide) and (gives != (NoneType,) or hook in route.hooks):
                    raise SpecError(where, _mismatch(typed, wrong, route))
        return tuple(found)

    def _typed(
        self, hook: Hook[Any], route: str, names: Callable[[Origin], Mapping[str, object]]
    ) -> TypedHook:
        known = self._known.get(id(hook))
        if known is None:
            with _placed_at(hook):
                known = self._known[id(hook)] = self._read(hook, route, names)
        return known

    def _read(
        self, hook: Hook[Any], route: str, names: Callable[[Origin], Mapping[str, object]]
    ) -> TypedHook:
        signature = signature_of(hook.function, names(hook.origin))
        where = f"{route} hook {hook.__qualname__.rpartition('<locals>.')[2]}"
        contexts, inputs = _read_call(signature, where)
        return TypedHook(hook, contexts, inputs, self._read_return(signature, f"{where}.return"))

    def _read_return(self, signature: Signature, where: str) -> Mapping[type[Failure], Definition]:
        advice = "say which failures it returns, as in -> TooManyRequests | None"
        annotation = resolved(signature.returns, where, advice)
        members = union_members(annotation, signature.namespace, where=where)
        for member in members:
            if member not in (None, NoneType) and not is_failure(member):
                awaitable = is_a(member, Awaitable)
                how = "make the hook `async def`" if awaitable else advice
                raise RouteDeclarationError(
                    where,
                    f"a hook returns a failure or None, and {display(member)} is neither; {how}",
                )
        declared = failures_in(members, where)
        return MappingProxyType(definitions_of(declared, signature, where, self._reader))


@final
class _placed_at:  # noqa: N801  a context manager
    """Add the file and line of a hook's function to any exception raised inside."""

    def __init__(self, hook: Hook[Any]) -> None:
        self._place: Final = hook.origin.place

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, DeclarationError):
            raise type(error)(error.where, f"{error.problem} ({self._place})") from None


def _read_call(
    signature: Signature, where: str
) -> tuple[tuple[object, ...], tuple[object, ...] | None]:
    """The members of the context, and those of the input if the hook asks for it."""
    parameter = signature.parameters[0]
    where = f"{where}.{parameter.name}"
    annotation = resolved(parameter.annotation, where, "say whose call it is, as in Call[User]")
    kinds = union_members(annotation, signature.namespace, where=where)
    if len(kinds) != 1 or (get_origin(kinds[0]) or kinds[0]) is not Call:
        raise RouteDeclarationError(
            where, f"a hook takes a call, and not {display(annotation)}; write Call[User]"
        )
    # a bare Call is Call[Any], which is refused below
    given = get_args(kinds[0])
    context: object = given[0] if given else Any
    contexts = union_members(context, signature.namespace, where=where)
    if Any in contexts:
        raise RouteDeclarationError(
            where,
            "Call[Any] says nothing of the context, so that no type checker would look at it; "
            "write Call[User], or Call[object] for a hook of every route",
        )
    asked: object = given[1] if len(given) > 1 else None
    if asked is None or asked is NoneType:
        return contexts, None
    return contexts, union_members(asked, signature.namespace, where=where)


def _unfit(typed: TypedHook, gives: tuple[object, ...] | None) -> object | None:
    """A member of the context that the hook does not take; None if it takes all of them."""
    for given in gives or ():
        taken = _is_none if given is NoneType else accepts
        if not any(taken(member, given) for member in typed.contexts):
            return given
    return None


def _is_none(taken: object, _given: object) -> bool:
    # stricter than `accepts`: a hook that cannot inspect its context would always raise
    return taken in (None, NoneType, object)


def _mismatch(typed: TypedHook, given: object, route: Route[Any, Any, Any]) -> str:
    taken = " | ".join(map(display, typed.contexts))
    if route.auth == "none":
        return (
            f'it takes Call[{taken}], and with auth="none" the context is None; write Call[object]'
        )
    if given is NoneType:
        return (
            f'it takes Call[{taken}], and with auth="optional" the context may be None; '
            f"write Call[{taken} | None], or Call[object]"
        )
    return (
        f"it takes Call[{taken}], and authenticate gives {display(given)}; "
        f"write Call[{display(given)}], or Call[object] for every context"
    )


def check_input(
    hooks: Iterable[TypedHook], annotation: object, signature: Signature, name: str
) -> None:
    """
    Check that each hook that asks for the input takes the input of the route called *name*.

    Raises:
        RouteDeclarationError: One does not.
    """
    given = union_members(annotation, signature.namespace, where=name)
    for typed in hooks:
        if typed.inputs is None:
            continue
        taken_types = [_bare(each) for each in typed.inputs]
        for member in given:
            if not any(accepts(each, _bare(member)) for each in taken_types):
                taken = " | ".join(map(display, typed.inputs))
                raise RouteDeclarationError(
                    f"{name} hook {typed.name}",
                    f"it asks for the input {taken}, and that of this route is "
                    f"{display(annotation)}; write Call[...] without an input, or take the hook "
                    f"off this route ({typed.hook.origin.place})",
                )


def _bare(annotation: object) -> object:
    """The *annotation* without the metadata of ``Annotated``."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    # `None` and its class mean one thing in an annotation
    return NoneType if annotation is None else annotation


def joined_failures(
    failures: Mapping[type[Failure], Definition], hooks: Sequence[TypedHook], name: str
) -> dict[type[Failure], Definition]:
    """
    The *failures* of a resolver, followed by those of its hooks.

    Raises:
        SpecError: Two of them have the same code.
    """
    found = dict(failures)
    codes = {cls.error_code: cls for cls in failures}
    for typed in hooks:
        for cls, definition in typed.failures.items():
            other = codes.setdefault(cls.error_code, cls)
            if other is not cls:
                raise SpecError(
                    f"{name} hook {typed.name}",
                    f"{same_code(other, cls)} ({typed.hook.origin.place})",
                )
            found.setdefault(cls, definition)
    return found
