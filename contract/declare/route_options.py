"""
Options: the options of a route, and which values are refused.

Type checkers know what ``route`` takes, but nobody has to run one. So every option is checked, and
a wrong one is refused when the resolver is decorated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Final, Literal, cast, final, get_args

from contract.declare.failures import Errors
from contract.declare.permissions import Requires
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.quoting import instead_of_flag, instead_of_line, instead_of_text, shown
from contract.shape.record import record

__all__ = [
    "HINTS",
    "TOOL_NAME",
    "Auth",
    "Deprecated",
    "Effect",
    "McpTool",
    "Scope",
    "check_name",
    "checked",
]

Auth = Literal["none", "optional", "bearer"]
"""
Who may call a route.

"none": anybody. "optional": anybody, and a caller with a bearer token is identified. "bearer": only
callers with a bearer token that ``authenticate`` accepts.
"""
Scope = Literal["public", "private"]
"""Which documents show a route; private routes are served all the same."""
Effect = Literal["read", "idempotent", "write", "destructive"]
"""
The changes that a call makes.

"read": nothing. "idempotent": two calls do the same as one. "write": each call changes something.
"destructive": the change cannot be undone.
"""


TOOL_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The tool names that every MCP client accepts."""

HINTS: Final[Mapping[Effect, Mapping[str, bool | None]]] = MappingProxyType(
    {
        "read": {"read_only": True, "destructive": False, "idempotent": True},
        "idempotent": {"read_only": False, "destructive": None, "idempotent": True},
        "write": {"read_only": False, "destructive": False, "idempotent": False},
        "destructive": {"read_only": False, "destructive": True, "idempotent": None},
    }
)
"""The hints that follow from each effect; None if a tool may say either."""

LONGEST_NAME: Final = 100
"""
The most characters of a name, which is used in paths, logs and generated code.

No route needs a longer one.
"""
_NAME: Final = re.compile(rf"[A-Za-z][A-Za-z0-9_.-]{{0,{LONGEST_NAME - 1}}}")


@final
@record(kw_only=True)
class McpTool:
    """
    How a route looks as an MCP tool, if its own texts do not suit agents.

    The effect of the route says what a call does, and a hint that contradicts it is refused. If no
    effect is given, the hints determine it; they are refused if they fit no effect, or several.

    Attributes:
        name: The tool's name: at most 64 letters, digits, underscores and hyphens. By default the
            route's name, with ``_`` for each dot.
        title: The name that people see; by default the route's summary.
        read_only: A call changes nothing: ``effect="read"``.
        destructive: A call may do what cannot be undone: ``effect="destructive"``; or an addition
            to ``effect="idempotent"``.
        idempotent: Two equal calls do the same as one: ``effect="idempotent"``; or an addition to
            ``effect="destructive"``.
        open_world: The tool reaches things outside of this service.
    """

    name: str | None = None
    title: str | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool = False


@final
@record(kw_only=True)
class Deprecated:
    """
    The notice that a route should not be called any more.

    Attributes:
        since: The day from which it is deprecated; sent in the Deprecation header (RFC 9745).
        remove_on: The day on which it goes away; sent in the Sunset header (RFC 8594).
        use: The name of the route to call instead.
    """

    since: date | None = None
    remove_on: date | None = None
    use: str | None = None


def checked(
    where: str, given: Mapping[str, object], *, is_async: bool, doc: str | None, marked: bool
) -> dict[str, object]:
    """
    The options of a route, as `Route` keeps them, from those *given* to ``route``.

    The resolver may have a docstring, *doc*, and be *marked* by the decorator ``deprecated``.

    Raises:
        RouteDeclarationError: One of them is wrong, or two contradict each other.
    """
    # The effect comes first: the hints of the tool must agree with it, or determine it.
    stated, description = given["effect"], given["description"]
    if stated is not None:
        stated = cast("Effect", _one_of(where, "effect", stated, Effect))
    if description is not None:
        doc = _checked(where, "description", description, instead_of_text(description))
    mcp = _tool(where, given["mcp"], stated)
    effect = stated or _effect_of(where, mcp or McpTool())
    # Of several mistakes, the message tells the first of these.
    return {
        "summary": _line(where, "summary", given["summary"]),
        "tags": check_tags(where, given["tags"]),
        "description": doc,
        **_auth(where, given["auth"]),
        "scope": _one_of(where, "scope", given["scope"], Scope),
        "effect": effect,
        "mcp": mcp,
        "errors": _errors(where, given["errors"]),
        "name": _name(where, given["name"]),
        "inline": _inline(where, given["inline"], is_async=is_async),
        "max_body_bytes": _bytes(where, given["max_body_bytes"]),
        "deprecated": _deprecated(where, given["deprecated"], marked=marked),
    }


def check_name(where: str, name: object, of: str = "route") -> str:
    """
    Check and return the *name* of a route, or of what *of* says.

    Raises:
        RouteDeclarationError: It cannot be part of a path.
    """
    if isinstance(name, str) and _NAME.fullmatch(name):
        return name
    marks = "_ . -" if of == "route" else "_ -"
    how = f"take a letter, then letters, digits, and any of {marks}, at most {LONGEST_NAME}"
    raise RouteDeclarationError(where, f"{shown(name)} is not a valid {of} name; {how}")


def _name(where: str, name: object) -> str | None:
    """The *name* of a route; None if none is given, and the spec will take the function's."""
    if name is None:
        return None
    return check_name(where, name)


def _checked(where: str, option: str, value: object, advice: str | None) -> str:
    if advice is not None:
        raise RouteDeclarationError(where, f"{option} is {shown(value)}; {advice}")
    return cast("str", value)


def _line(where: str, option: str, value: object) -> str:
    return _checked(where, option, value, instead_of_line(value))


def check_tags(where: str, tags: object) -> tuple[str, ...]:
    """
    Check and return the *tags* of a route or a group.

    Raises:
        RouteDeclarationError: They are not a list of distinct strings.
    """
    if isinstance(tags, str):
        raise RouteDeclarationError(
            where, f"tags is {shown(tags)}; give a list: tags=[{shown(tags)}]"
        )
    if not isinstance(tags, Sequence):  # a set is unordered, but documents have an order
        raise RouteDeclarationError(
            where, f'tags is {shown(tags)}; give a list of texts: tags=["orders"]'
        )
    # a member of a StrEnum becomes its text
    found = tuple(str.__str__(_line(where, "a tag", tag)) for tag in cast("Sequence[object]", tags))
    if not found:
        raise RouteDeclarationError(
            where, 'tags is empty; say what the route belongs to: tags=["orders"]'
        )
    if len(set(found)) != len(found):
        raise RouteDeclarationError(where, f"tags names one twice: {list(found)}; leave one out")
    return found


def _one_of(where: str, option: str, value: object, allowed: object) -> object:
    choices = get_args(allowed)  # the members of a Literal
    if value in choices:
        return value
    raise RouteDeclarationError(
        where, f"{option} is {shown(value)}; give one of {', '.join(map(repr, choices))}"
    )


def _auth(where: str, auth: object) -> dict[str, object]:
    if isinstance(auth, Requires):
        return {"auth": "bearer", "requires": auth.scopes}
    # as `_one_of`, whose message does not know of requires()
    choices = get_args(Auth)
    if auth in choices:
        return {"auth": auth, "requires": ()}
    named = ", ".join(map(repr, choices))
    raise RouteDeclarationError(
        where, f'auth is {shown(auth)}; give one of {named}, or requires("orders:write")'
    )


def _flag(where: str, option: str, value: object, choices: str = "True or False") -> bool:
    _checked(where, option, value, instead_of_flag(value, choices))
    return value is True


def _inline(where: str, inline: object, *, is_async: bool) -> bool:
    if _flag(where, "inline", inline) and is_async:
        raise RouteDeclarationError(
            where,
            "inline=True is for sync resolvers, and an async one runs on the event loop anyway; "
            "leave it out",
        )
    return inline is True


_MOST_BYTES: Final = 2**31
"""More than any JSON that is read at once."""


def _bytes(where: str, most: object) -> int | None:
    # not isinstance, which takes True for an int
    if most is None or (type(most) is int and 1 <= most <= _MOST_BYTES):
        return most
    raise RouteDeclarationError(
        where, f"max_body_bytes is {shown(most)}; give a number of bytes from 1, such as 10_000"
    )


def _errors(where: str, errors: object) -> Errors | None:
    if errors is None or isinstance(errors, Errors):
        return errors
    raise RouteDeclarationError(
        where, f"errors is {shown(errors)}; write errors=define_errors(SoldOut, ...)"
    )


_DAY: Final = "date(2026, 1, 31)"


def _deprecated(where: str, given: object, *, marked: bool) -> Literal[False] | Deprecated:
    if isinstance(given, Deprecated):
        for option in ("since", "remove_on"):
            day: object = getattr(given, option)
            # isinstance takes a datetime for a date, but it would be written with its time
            if isinstance(day, datetime) or not isinstance(day, date | None):
                raise RouteDeclarationError(
                    where,
                    f"Deprecated.{option} is {shown(day)}; give a datetime.date, such as {_DAY}",
                )
        if given.since and given.remove_on and given.remove_on < given.since:
            raise RouteDeclarationError(
                where,
                "Deprecated.remove_on is before since; "
                "a route is deprecated first, and removed later",
            )
        if given.use is not None:
            check_name(f"{where} Deprecated.use", given.use)
        return given
    # nothing was said, so the decorator decides
    if given is None:
        if marked:
            return Deprecated()
        return False
    if not _flag(where, "deprecated", given, "True, False or Deprecated(...)") and marked:
        raise RouteDeclarationError(
            where,
            "deprecated=False, but it has the decorator @deprecated; leave one of them out",
        )
    if given is True:
        return Deprecated()
    return False


def _tool(where: str, mcp: object, effect: Effect | None) -> Literal[False] | McpTool:
    if not isinstance(mcp, McpTool):
        if _flag(where, "mcp", mcp, "True, False or McpTool(...)"):
            return McpTool()
        return False
    name = cast("object", mcp.name)
    if name is not None and not (isinstance(name, str) and TOOL_NAME.fullmatch(name)):
        how = "take 1 to 64 letters, digits, underscores and hyphens"
        raise RouteDeclarationError(
            where, f"McpTool.name is {shown(name)}, which is not a valid tool name; {how}"
        )
    if mcp.title is not None:
        _line(where, "McpTool.title", mcp.title)
    for hint in ("read_only", "destructive", "idempotent", "open_world"):
        if getattr(mcp, hint) is not None or hint == "open_world":
            _flag(where, f"McpTool.{hint}", getattr(mcp, hint))
    if mcp.read_only and mcp.destructive:
        raise RouteDeclarationError(
            where, "McpTool says both read_only and destructive; choose one"
        )
    if effect is None:
        return mcp
    for hint, said in HINTS[effect].items():
        overridden: bool | None = getattr(mcp, hint)
        # either side may leave the hint open, and then the other decides
        if said is not None and overridden is not None and overridden is not said:
            raise RouteDeclarationError(
                where,
                f'effect="{effect}" and McpTool({hint}={overridden}) contradict each other; '
                "leave one of them out",
            )
    return mcp


def _effect_of(where: str, mcp: McpTool) -> Effect:
    """
    The effect that the hints of a route's tool imply, for a route that gives none.

    A hint that is left out counts as for an ordinary write, or, beside ``read_only=True``, as for a
    read: agents get these hints, and the documents must agree with them.
    """
    written = {hint: getattr(mcp, hint) for hint in HINTS["write"]}
    given = {hint: said for hint, said in written.items() if said is not None}
    ordinary = HINTS["read"] if mcp.read_only else HINTS["write"]
    hints = {**ordinary, **given}
    fitting: list[Effect] = [effect for effect, says in HINTS.items() if _agree(says, hints)]
    if len(fitting) == 1:
        return fitting[0]
    tool = f"McpTool({', '.join(f'{hint}={said}' for hint, said in given.items())})"
    if fitting:
        effects = " and ".join(f'effect="{effect}"' for effect in fitting)
        problem = f"{tool} fits {effects}; write the one that is meant beside it"
    else:
        problem = (
            f'{tool} fits no effect: effect="read" says read_only and idempotent; '
            "leave one of them out"
        )
    raise RouteDeclarationError(where, problem)


def _agree(says: Mapping[str, bool | None], hints: Mapping[str, bool | None]) -> bool:
    """Whether an effect that *says* this about a call, with None for either, fits the *hints*."""
    return all(said in (None, hints[hint]) for hint, said in says.items())
