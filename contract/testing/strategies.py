"""
Strategies: the values and the documents of a type, and what goes into a route and comes out of it.

They are read off shapes. Hypothesis has ``from_type``, which knows the type but not the contract:
it ignores patterns and multiples, draws NaN and naive datetimes, and needs half a minute for a
recursive list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, final, overload

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.declare.authenticator import Authenticator
from contract.declare.download import Download
from contract.declare.route import Route
from contract.declare.spec import AnySpec
from contract.declare.stream import Stream
from contract.declare.typed_route import Entry, read_entry
from contract.shape.graph import takes_nothing
from contract.shape.issues import CODES
from contract.shape.nodes import Definition, NullableShape, RecordShape, RefShape, Shape
from contract.shape.quoting import cut
from contract.shape.reader import ShapeReader
from contract.shape.record import record
from contract.testing.near_values import NearMiss, near_misses
from contract.testing.overrides import (
    NO_OVERRIDES,
    Marking,
    Overridden,
    Overrides,
    check_overrides,
    overridden,
)
from contract.testing.sample_files import sample_of
from contract.testing.valid_values import Pair, Pairs
from contract.testing.words import NO_AFFIXES, Affixes

__all__ = [
    "InvalidBody",
    "Sides",
    "any_token",
    "bodies",
    "documents",
    "entry_of",
    "inputs",
    "invalid_bodies",
    "invalid_of",
    "outputs",
    "pairs_of",
    "sides_in",
    "sides_of",
    "whole_of",
    "strategy",
    "values",
    "written_as",
]

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741  the input


@overload
def strategy(
    annotation: type[T], /, *, overrides: Overrides | None = None
) -> SearchStrategy[T]: ...
@overload
def strategy(
    annotation: object, /, *, overrides: Overrides | None = None
) -> SearchStrategy[Any]: ...
def strategy(annotation: object, /, *, overrides: Overrides | None = None) -> SearchStrategy[Any]:
    """
    Valid values of a type: ``@given(strategy(Order))``.

    Defaults are taken and overridden, optional fields are left out and filled, recursion ends, and
    what fails shrinks to something small.

    ::

        strategy(
            Order,
            overrides={
                ProductId: st.sampled_from(["p1", "p2"]),
                (Order, "quantity"): st.integers(1, 3),
            },
        )

    Args:
        annotation: Anything that a route can carry.
        overrides: Strategies of your own, for a type as it is written in annotations (a class, an
            ``Annotated`` alias, a ``NewType``), for a field of a class, or, by its name alone, for
            a field of the type itself.

    Raises:
        UnsupportedAnnotation: a route cannot carry *annotation*.
        ValueError: *annotation* has no finite value, or nothing in it is what an override is for.
        TypeError: an override is not a strategy.
    """
    chosen = overrides or {}
    check_overrides("strategy()", chosen)
    reader = Marking(chosen)
    shape = reader.read(annotation, where="type")
    return values(shape, given=overridden("strategy()", chosen, reader.marked, [shape]))


def values(shape: Shape, *, given: Overridden = NO_OVERRIDES) -> SearchStrategy[Any]:
    """
    Valid Python values of *shape*, those of the user's included that are *given*.

    Raises:
        ValueError: *shape* has no finite value.
    """
    return Pairs(only_values=True, given=given).of(shape).map(lambda pair: pair.value)


def documents(shape: Shape) -> SearchStrategy[Any]:
    """
    Valid JSON documents of *shape*, as the values that ``json.loads`` gives.

    In every form that is accepted: optional keys left out, keys in any order, ``1.0`` for 1, ``Z``
    for ``+00:00``, ``1.50`` for ``1.5``.

    Raises:
        ValueError: *shape* has no finite value.
    """
    return Pairs().of(shape).map(lambda pair: pair.document)


# Of routes. ``inputs`` and ``outputs`` need the route alone. ``bodies`` and ``invalid_bodies`` are
# what is sent, so they need the spec, which knows how things are called on the wire.


@final
@record
class InvalidBody:
    """A body that breaks one rule, and what has to be said of it."""

    body: bytes
    """As it is sent."""
    path: tuple[str | int, ...]
    """Where the rule is broken, as the issue reports it."""
    code: str
    """Which rule: a key of ``contract.shape.issues.CODES``."""
    reason: str
    """The rule in words."""

    def __repr__(self) -> str:
        """Short, for reports."""
        return f"InvalidBody({self.body!r}, path={self.path!r}, code={self.code!r})"


@final
@record
class Sides:
    """The input and the output of a route, and the user's own values in them."""

    input: Shape | None
    """None for a route without input."""
    output: Shape
    given: Overridden = NO_OVERRIDES
    whole: Shape | None = None
    """The input with its files, where there are any; *input* is the rest of it."""


def inputs(route: Route[I, Any, Any], *, overrides: Overrides | None = None) -> SearchStrategy[I]:
    """
    Valid inputs of a route, as Python values: ``@given(inputs(order))``.

    Args:
        route: What `contract.route` made.
        overrides: As those of `strategy`; a plain name is a field of the input.

    Raises:
        DeclarationError: An annotation of *route* is none that a route can carry.
        ValueError: No input is finite, or there is nothing that an override is for.
        TypeError: An override is not a strategy.
    """
    sides, _ = sides_of("inputs", route, overrides)
    nothing: SearchStrategy[Any] = st.none()
    shape = sides.whole or sides.input
    return nothing if shape is None else values(shape, given=sides.given)


def outputs(
    route: Route[Any, Any, Any], *, overrides: Overrides | None = None
) -> SearchStrategy[Any]:
    """
    Valid outputs of a route, as Python values, without its failures.

    They are for a stub of the route, or for code that works with its answers. Of a route that gives
    a stream they are streams of a few items; of a file, any bytes of one of its media types.

    Args:
        route: What `contract.route` made.
        overrides: As those of `strategy`; a plain name is a field of the output.

    Raises:
        DeclarationError: As of `inputs`, like the other two.
    """
    chosen, reader = _reader("outputs", route, overrides)
    entry = _read(route, reader)
    found = values(
        entry.output,
        given=overridden(f"outputs({entry.name})", chosen, reader.marked, [entry.output]),
    )
    if entry.media is not None:
        kinds = st.sampled_from([sample_of(each)[0] for each in entry.media.types])
        return st.builds(_file, st.binary(max_size=100), kinds)
    if entry.stream is None:
        return found
    return st.lists(found).map(lambda items: Stream(iter(items)))


def _file(source: bytes, media_type: str) -> Download:
    return Download(source, media_type=media_type)


def bodies(
    api: AnySpec, route: Route[Any, Any, Any] | str, *, overrides: Overrides | None = None
) -> SearchStrategy[bytes]:
    """
    Valid bodies of a route, as clients send them.

    Optional keys are left out or not, in any order; there is ``1.0`` for 1 and ``Z`` for
    ``+00:00``.

    Args:
        api: The spec, which knows how fields are called on the wire.
        route: One of its routes, or its name.
        overrides: As of `inputs`.

    Raises:
        ValueError: As of `inputs`, or *api* has no such route.
    """
    entry = _of_json("bodies", entry_of(api, route))
    sides = sides_in("bodies", api, entry, overrides)
    return st.one_of(
        [
            pairs_of(sides).map(lambda pair: written_as(pair.document)),
            *([_EMPTY_BODY] if sides.input is None else []),
        ]
    )


def invalid_bodies(
    api: AnySpec, route: Route[Any, Any, Any] | str, *, overrides: Overrides | None = None
) -> SearchStrategy[InvalidBody]:
    """
    Near misses: bodies of a route that are valid but for one rule.

    Each comes with the place and the code of the issue that has to come back.

    A key is missing or unknown, a value is of another type, null, just outside of a bound or no
    match of its pattern, a tag is none, a date is not in the calendar, the body is not JSON, or not
    in UTF-8.

    Args:
        api: The spec.
        route: One of its routes, or its name.
        overrides: As of `inputs`, for the valid parts around what is wrong.

    Raises:
        ValueError: As of `bodies`.
    """
    entry = _of_json("invalid_bodies", entry_of(api, route))
    return invalid_of(sides_in("invalid_bodies", api, entry, overrides))


def _of_json(what: str, entry: Entry) -> Entry:
    """
    The *entry*, whose bodies are JSON.

    Raises:
        ValueError: They are forms.
    """
    if entry.files is not None:
        raise ValueError(
            f"{what}({entry.name}): its bodies are forms with files; draw inputs({entry.name})"
        )
    return entry


def entry_of(api: AnySpec, route: Route[Any, Any, Any] | str) -> Entry:
    """
    The entry of *route* in *api*.

    Raises:
        ValueError: There is none.
    """
    found = [entry for name, entry in api.entries.items() if route in (name, entry.route)]
    if not found and isinstance(route, Route):  # it may stand there behind more hooks
        found = [each for each in api.entries.values() if each.route.origin is route.origin]
    if not found:
        called = repr(route) if isinstance(route, str) else route.__name__
        raise ValueError(
            f"the spec has no route {called}; there is {', '.join(api.entries) or 'none'}"
        )
    return found[0]


def sides_of(
    what: str, route: Route[Any, Any, Any], overrides: Overrides | None
) -> tuple[Sides, Entry]:
    """The input and the output of *route*, and its entry, without a spec."""
    chosen, reader = _reader(what, route, overrides)
    entry = _read(route, reader)
    return _overriding(what, entry, chosen, reader), entry


def sides_in(what: str, api: AnySpec, entry: Entry, overrides: Overrides | None) -> Sides:
    """
    The input and the output of a route of a spec, with the names that this gives them on the wire.
    """
    if not overrides:
        return Sides(entry.input, entry.output, whole=whole_of(entry))
    check_overrides(f"{what}({entry.name})", overrides)
    reader = Marking(overrides, rename=api.rename)
    return _overriding(what, _read(entry.route, reader), overrides, reader)


def pairs_of(
    sides: Sides, *, edges: bool = False, affixes: Affixes = NO_AFFIXES
) -> SearchStrategy[Pair]:
    """
    Valid inputs with their documents.

    With *edges*, those at the ends of what is allowed; texts have *affixes*.
    """
    shape = sides.whole or sides.input
    if shape is None:
        return st.sampled_from([Pair(None, {}), Pair(None, None)])
    return Pairs(given=sides.given, edges=edges, affixes=affixes).of(shape)


def invalid_of(sides: Sides) -> SearchStrategy[InvalidBody]:
    """Bodies that just fail to be an input."""
    found = near_misses(_NOTHING if sides.input is None else sides.input, given=sides.given).map(
        _invalid
    )
    broken = st.tuples(
        pairs_of(Sides(sides.input, sides.output, sides.given)).map(
            lambda pair: written_as(pair.document)
        ),
        st.sampled_from(_BREAKS),
    ).map(lambda drawn: InvalidBody(drawn[1][1](drawn[0]), (), "json_invalid", drawn[1][0]))
    # an empty body is the input of a route without input, and of one whose fields may all be left
    # out
    empty = (
        []
        if sides.input is None or sides.whole is not None or takes_nothing(sides.input)
        else [st.just(InvalidBody(b"", (), "json_invalid", "there is no body"))]
    )
    return st.one_of([found, found, broken, *empty])


def written_as(document: Any) -> bytes:
    """*document* as JSON; integers of any size, which other writers of JSON refuse."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


_EMPTY_BODY: Final = st.just(b"")

_NOTHING: Final = NullableShape(
    RefShape(
        Definition(("nothing",), "Nothing", __name__, _shape=RecordShape("typeddict", dict, ()))
    )
)
"""The shape of the body of a route without input, which may also be left out."""

_Break = tuple[str, Callable[[bytes], bytes]]
_BREAKS: Final[tuple[_Break, ...]] = (
    ("it is not JSON: a bracket has nothing to close", lambda body: body + b"]"),
    ("it is not JSON: it ends too early", lambda body: b"[" + body),
    (
        "it is not JSON: there are two values",
        lambda body: body + b" " + body if body[-1:] in b'"]}' else body + b" null",
    ),
    ("it is not JSON: keys stand in single quotes", lambda body: b"{'a':" + body + b"}"),
    ("it is not JSON: there is a comma too many", lambda body: body + b","),
    ("it is not JSON: NaN is not a number", lambda body: b"[" + body + b",NaN]"),
    (
        "it is not in UTF-8: a string holds a byte that is none of it",
        lambda body: b'{"\xff":' + body + b"}",
    ),
    ("it is not in UTF-8 but in Latin-1", lambda body: b'["\xe9",' + body + b"]"),
    ("it is not in UTF-8 but in UTF-16", lambda body: body.decode().encode("utf-16")),
    ("it begins with a byte order mark", lambda body: b"\xef\xbb\xbf" + body),
)
"""Reason -> a change to a valid body, after which it is not JSON or not in UTF-8."""

_SHOWN: Final = 60
_PARAMETER: Final = re.compile(r"\[[^\]]*\]|\{\w+(?:\|[^|]*\|([^}]*))?\}")


def _left(piece: re.Match[str]) -> str:
    """The text for a *piece* of a sentence whose params are not known."""
    return piece[1] or ("" if piece[0].startswith("[") else "...")


def _invalid(miss: NearMiss) -> InvalidBody:
    place = "".join(f"[{part!r}]" for part in miss.path) or "the body"
    text = _PARAMETER.sub(_left, CODES[miss.code]).removesuffix(".")
    return InvalidBody(
        written_as(miss.document),
        miss.path,
        miss.code,
        f"{cut(place, _SHOWN)}: {text[:1].lower()}{text[1:]}",
    )


def _reader(what: str, route: object, overrides: Overrides | None) -> tuple[Overrides, Marking]:
    if not isinstance(route, Route):
        raise TypeError(
            f"{what}() takes a route, and {route!r} is none; decorate it with @route(...)"
        )
    chosen: Overrides = overrides or {}
    check_overrides(f"{what}({route.__name__})", chosen)
    return chosen, Marking(chosen)


def any_token(_token: str, _request: Any) -> Any:
    """An ``authenticate`` hook that lets everybody in."""
    return True


def _read(route: Route[Any, Any, Any], reader: ShapeReader) -> Entry:
    # the context is not looked at: it is the business of the spec
    return read_entry(
        route,
        route.name or route.__name__,
        reader,
        Authenticator(any_token),
        route.origin.names,
    )


def _overriding(
    what: str, entry: Entry, overrides: Mapping[Any, SearchStrategy[Any]], reader: Marking
) -> Sides:
    shapes = [] if entry.given is None else [entry.given]
    return Sides(
        entry.input,
        entry.output,
        overridden(f"{what}({entry.name})", overrides, reader.marked, shapes),
        whole_of(entry),
    )


def whole_of(entry: Entry) -> Shape | None:
    """The input of a route with its files; None for a route that takes none."""
    return None if entry.files is None else entry.files.whole
