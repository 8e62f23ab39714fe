"""
Parameters: advice for resolvers that do not take ``(input, ctx)``.

Authors used to another framework write the fields of the input, a session or the request as
parameters, or defaults that say where a value comes from. Each of these has its place here, and the
message says which.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Final

from contract.shape.annotations import Parameter
from contract.shape.scope import display, own_annotations

__all__ = ["instead_of_default", "instead_of_parameters"]

_CONTEXT: Final = frozenset({"ctx", "context", "_ctx", "_"})
_REQUESTS: Final = frozenset({"request", "req"})
_OPENED: Final = frozenset(
    {"conn", "connection", "cursor", "database", "db", "session", "transaction", "tx"}
)
_OPENED_CLASSES: Final = ("Session", "Connection", "Cursor", "Transaction", "Client", "Pool")

# the names of these functions are those of FastAPI
_ASKED: Final = frozenset({"Depends", "Security"})
_READ: Final = frozenset({"Body", "Cookie", "File", "Form", "Header", "Path", "Query"})
"""Defaults of other frameworks that say where a value comes from."""

_CURRENT: Final = "the headers of a request are in current_call(), from contract: leave request out"


def instead_of_parameters(function: object, name: str, parameters: Sequence[Parameter]) -> str:
    """
    The advice on the *parameters* of the resolver called *name*.

    They are those that a caller can fill, and not exactly an input and a context.
    """
    # 1. A parameter that gives away what the author is used to.
    if any(each.kind in _VARIADIC for each in parameters):
        return f"name each argument as a field of a dataclass, and write def {name}(input, ctx)"
    written = _annotations(function)
    for each in parameters:
        advice = _instead_of_one(each.name, written.get(each.name))
        if advice is not None:
            return advice
    # 2. The right number of them, or none.
    if len(parameters) == 2:  # one of them can only be given by name, or all would be well
        return f"leave out the star: def {name}({parameters[0].name}, {parameters[1].name})"
    if not parameters:
        return f"write def {name}(input: None, ctx: None) where it needs neither"
    # 3. What is left are fields of an input, in the place of a whole one or beside it.
    fields = [each for each in parameters if each.name not in _CONTEXT]
    if len(parameters) == 1 and (not fields or _is_input(fields[0], written)):
        return _missing(name, parameters[0], written)
    own = [each for each in fields if each.name != "input"]
    if len(own) < len(fields):
        return f"make {_and([each.name for each in own])} part of the input's type"
    return _as_dataclass(name, fields, parameters, written)


_VARIADIC: Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _instead_of_one(name: str, annotation: object) -> str | None:
    """The advice on a parameter whose name or class shows that it is neither input nor context."""
    # under `from __future__ import annotations` an annotation is its text
    if isinstance(annotation, str):
        cls = annotation
    else:
        cls = getattr(annotation, "__name__", "")
    if name in _REQUESTS or cls == "Request":
        return _CURRENT
    if name in _OPENED or cls.endswith(_OPENED_CLASSES):
        return (
            f"a value of one call comes from a function: write @provide above a generator that "
            f"yields it, and {name} = ...() in the resolver"
        )
    return None


def _is_input(parameter: Parameter, written: Mapping[str, Any]) -> bool:
    """Whether the only *parameter* is a whole input, not a field of one."""
    return parameter.name == "input" or written.get(parameter.name) not in _SCALARS


_SCALARS: Final = (str, int, float, bool, "str", "int", "float", "bool")


def _missing(name: str, parameter: Parameter, written: Mapping[str, Any]) -> str:
    """The advice for a resolver that takes the input alone or the context alone."""
    annotated = _annotated(parameter.name, written)
    if parameter.name in _CONTEXT:
        return f"write def {name}(input: None, {annotated}) where there is no input"
    return (
        f'write def {name}({annotated}, ctx: None) for a route with auth="none"; '
        "else ctx is what authenticate gives"
    )


def _as_dataclass(
    name: str,
    fields: Sequence[Parameter],
    parameters: Sequence[Parameter],
    written: Mapping[str, Any],
) -> str:
    cls = f"{''.join(part.capitalize() for part in name.split('_'))}Input"
    context = next((each.name for each in parameters if each.name in _CONTEXT), "ctx")
    listed = _and([f"`{_annotated(each.name, written)}`" for each in fields])
    them = "them" if len(fields) > 1 else "it"
    return (
        f"put {them} into a dataclass, `class {cls}` with {listed}, "
        f"and write def {name}(input: {cls}, {_annotated(context, written)})"
    )


def _annotated(name: str, written: Mapping[str, Any]) -> str:
    if name not in written:
        return name
    annotation = written[name]
    if not isinstance(annotation, str):
        annotation = display(annotation)
    return f"{name}: {annotation}"


def _and(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def instead_of_default(function: object, parameter: Parameter) -> str:
    """The advice on the default of a *parameter* of the resolver *function*."""
    maker = type(_defaults(function).get(parameter.name)).__name__
    if maker in _ASKED:
        return (
            f"{maker}(...) is asked by nobody here; leave it out: the context is what "
            "authenticate= gives, and a value of one call is what @provide gives"
        )
    if maker in _READ:
        return f"{maker}(...) is read by nobody here; make it a field of the input's dataclass"
    if parameter.name in _CONTEXT:
        return f"{parameter.name} has a default, which would never be used; leave it out"
    return (
        f"{parameter.name} has a default, which would never be used; leave it out: "
        "fields of its type have the defaults, and a route without input says input: None"
    )


def _annotations(function: Any) -> Mapping[str, Any]:
    try:
        return own_annotations(function)
    except Exception:  # noqa: BLE001  any code may stand in an annotation; others say what is wrong
        return {}


def _defaults(function: Any) -> dict[str, object]:
    code = getattr(function, "__code__", None)
    if code is None:
        return {}
    names = code.co_varnames[: code.co_argcount]
    given: tuple[object, ...] = function.__defaults__ or ()
    # Python keeps the defaults without names; they are those of the last parameters
    return {
        **dict(zip(reversed(names), reversed(given), strict=False)),
        **(function.__kwdefaults__ or {}),
    }
