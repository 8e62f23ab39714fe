"""
Own types: checks that the form which an author declared for a class fits the class.

All that can be checked before the first call is checked here: that the form is valid, that the two
functions take and give what it says, and that each example survives both of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from inspect import iscoroutinefunction
from typing import Annotated, Any, ForwardRef, NoReturn, cast, get_args, get_origin

import annotated_types as at

from contract.shape.annotations import Parameter, Unresolved, signature_of, union_members
from contract.shape.constraints import constrain
from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.markers import Pattern
from contract.shape.nodes import MISSING, IntShape, OwnShape, StrShape
from contract.shape.python_types import fits, ready_shape
from contract.shape.quoting import shown, with_article
from contract.shape.record import record
from contract.shape.scope import display, is_below
from contract.shape.upload import Upload, upload_shape
from contract.shape.wire import FORM, Wire, WireForm

__all__ = ["own_beside", "own_class"]


@record
class _Own:
    """A class with its form, as the author wrote it."""

    where: str
    name: str
    """The declaration as it was written, for messages."""
    type: type[Any]
    form: WireForm
    load: tuple[str, Callable[[Any], Any]]
    """The function, with its name."""
    dump: tuple[str, Callable[[Any], Any]]

    def refuse(self, problem: str) -> NoReturn:
        """Refuse the form."""
        raise UnsupportedAnnotation(self.where, f"{self.name}: {problem}")


def own_beside(annotation: object, wires: Sequence[object], where: str) -> OwnShape:
    """
    The shape of *annotation* with the *wires* that are written beside it.

    Raises:
        UnsupportedAnnotation: There is not exactly one `Wire`, or it does not fit the class.
    """
    beside = display(annotation)
    wire = wires[0]
    if not isinstance(wire, Wire):
        raise UnsupportedAnnotation(
            where, f"Wire is a class; write Wire[{beside}](as_=str, load=..., dump=...)"
        )
    if len(wires) > 1:
        raise UnsupportedAnnotation(where, f"{len(wires)} Wire(...) are beside {beside}; write one")
    made = cast("Wire[Any]", wires[0])
    of = made.of
    if of is None or isinstance(of, str | ForwardRef):
        raise UnsupportedAnnotation(
            where, f"Wire(...) does not say which class it is of; write Wire[{beside}](...)"
        )
    if of != annotation:
        raise UnsupportedAnnotation(
            where,
            f"Wire[{display(of)}](...) is beside {beside}; write it beside {display(of)} alone",
        )
    cls = get_origin(of) or of
    if not isinstance(cls, type):
        raise UnsupportedAnnotation(
            where, f"{display(of)} is not a class; write one: Wire[Money](...) beside Money"
        )
    load, dump = ("load", made.load), ("dump", made.dump)
    return _shape(_Own(where, f"Wire[{display(of)}]", cls, made.form, load, dump))


def own_class(cls: type[Any], where: str) -> OwnShape | None:
    """
    The shape of *cls* if ``wire_str`` has decorated it, or if it is ready-made; else None.

    Raises:
        UnsupportedAnnotation: The class does not fit its form, or only a base class is decorated.
    """
    form: WireForm | None = vars(cls).get(FORM)
    if form is None:
        if hasattr(cls, FORM):
            raise UnsupportedAnnotation(
                where,
                f"a base class of {display(cls)} is a text on the wire; "
                f"decorate {display(cls)} with @wire_str(...) too",
            )
        if cls is Upload:
            return upload_shape()
        return ready_shape(cls)
    load, dump = _method(cls, "__from_wire__"), _method(cls, "__to_wire__")
    return _shape(_Own(where, f"@wire_str of {display(cls)}", cls, form, load, dump))


def _method(cls: type[Any], name: str) -> tuple[str, Callable[[Any], Any]]:
    # None is refused because it cannot be called
    return name, getattr(cls, name, cast("Any", None))


def _shape(own: _Own) -> OwnShape:
    inner = _inner(own)
    _check_function(own, own.load, takes=own.form.as_, gives=own.type)
    _check_function(own, own.dump, takes=own.type, gives=own.form.as_)
    shape = OwnShape(inner, own.type, own.load[1], own.dump[1], own.form.examples, own.form.kind)
    for example in shape.examples:
        _check_example(own, shape, example)
    return shape


def _inner(own: _Own) -> StrShape | IntShape:
    """The shape of the form on the wire, by the rules for ``Annotated[str, ...]``."""
    form, where = own.form, f"{own.where}: {own.name}"
    for_str: list[object] = []
    if form.pattern is not None:
        for_str.append(Pattern(form.pattern))
    if form.min_length is not None:
        for_str.append(at.MinLen(form.min_length))
    if form.max_length is not None:
        for_str.append(at.MaxLen(form.max_length))
    for_int: list[object] = []
    if form.ge is not None:
        for_int.append(at.Ge(form.ge))
    if form.le is not None:
        for_int.append(at.Le(form.le))
    if form.as_ is str and not for_int:
        inner = constrain(StrShape(), for_str, where)
    elif form.as_ is int and not for_str:
        inner = constrain(IntShape(), for_int, where)
    else:
        own.refuse(
            "write as_=str with pattern=, min_length=, max_length=, or as_=int with ge=, le="
        )
    return cast("StrShape | IntShape", inner)


# The two functions, as far as their annotations say. A mistake in them would otherwise show at the
# first call; what is not annotated is left to the examples, which are read and written below.


def _check_function(
    own: _Own, named: tuple[str, Callable[[Any], Any]], *, takes: type[Any], gives: type[Any]
) -> None:
    name, function = named
    if not callable(cast("object", function)):
        own.refuse(f"{name} is {shown(function)}, which cannot be called; write a function")
    if iscoroutinefunction(function):
        own.refuse(f"{name} is async, and a value is read without waiting; write a plain function")
    try:
        signature = signature_of(function)
    except TypeError:
        return  # a class, or a function in C, which has no annotations
    if not _takes_one(signature.parameters):
        own.refuse(
            f"{name} does not take one argument by position; write def {name}(value, /), "
            "as a class method if it makes the value"
        )
    place = f"{own.where}: {own.name}: {name}"
    taken = [*_named_classes(signature.parameters[0].annotation, signature.namespace, place)]
    if taken and not any(is_below(takes, each) for each in taken):
        own.refuse(f"{name} takes {display(taken[0])}, and is given {display(takes)}; take that")
    for each in _named_classes(signature.returns, signature.namespace, place):
        if not is_below(each, gives):
            own.refuse(f"{name} may give {display(each)}; give {display(gives)} alone")


def _takes_one(parameters: Sequence[Parameter]) -> bool:
    required = [each for each in parameters if not each.has_default]
    named = [each for each in required if each.kind is each.kind.KEYWORD_ONLY]
    positional = [each for each in required if each.positional]
    can_take = any(each.positional or each.kind is each.kind.VAR_POSITIONAL for each in parameters)
    return can_take and not named and len(positional) <= 1


def _named_classes(annotation: object, namespace: Any, where: str) -> Iterator[type[Any]]:
    """The classes that *annotation* names; none if it has parts that are not classes."""
    if annotation is MISSING or isinstance(annotation, Unresolved):
        return
    found: list[type[Any]] = []
    for member in union_members(annotation, namespace, where=where):
        plain = member
        if get_origin(plain) is Annotated:
            plain = get_args(plain)[0]
        cls = get_origin(plain) or plain
        if cls is None:
            cls = type(None)
        if not isinstance(cls, type) or cls in (Any, object):
            return
        found.append(cls)
    yield from found


# Examples. Each is read and written once, when the class is declared, so that documents and tests
# may use it, and a class whose two functions do not fit each other is found at once.


def _check_example(own: _Own, shape: OwnShape, example: object) -> None:
    tells = f"its example {shown(example)}"
    if not fits(shape.inner, example):
        own.refuse(f"{tells} is not what as_=, the pattern and the limits say; write another")
    try:
        value: object = shape.load(example)
    except Exception as error:
        raise UnsupportedAnnotation(
            own.where, f"{own.name}: {own.load[0]} refuses {tells} ({shown(error)}); write another"
        ) from error
    if not isinstance(value, shape.type):
        own.refuse(
            f"{own.load[0]} makes {shown(value)} of {tells}, "
            f"which is not {with_article(display(own.type))}"
        )
    # by type as well: True == 1
    written: object = shape.dump(value)
    if type(written) is not type(example) or written != example:
        own.refuse(f"{tells} comes back as {shown(written)}; write it as {own.dump[0]} gives it")
