"""
Strategies: the values and documents of a type, and the inputs, outputs and bodies of a route.

They are made from shapes. Hypothesis has ``from_type``, which knows the type but not the contract:
it ignores patterns and multiples, draws NaN and naive datetimes, and needs half a minute for a
recursive list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeVar, final, overload

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.declare.authenticator import Authenticator
from contract.declare.outputs import Download, Stream
from contract.declare.route import Route
from contract.declare.spec import AnySpec
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
from contract.testing.sample_contents import sample_of
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

    Defaults are used and overridden, optional fields are left out and filled, and recursion ends. A
    failing value shrinks to a small one.

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
        overrides: Your own strategies: for a type as it is written in annotations (a class, an
            ``Annotated`` alias, a ``NewType``), for a field of a class, or, by its name alone, for
            a field of the type itself. Files are given as `Upload.of` makes them.

    Raises:
        UnsupportedAnnotation: a route cannot carry *annotation*.
        ValueError: *annotation* has no finite value, or an override matches nothing in it.
        TypeError: an override is not a strategy.
    """
    chosen = overrides or {}
    check_overrides("strategy()", chosen)
    reader = Marking(chosen)
    shape = reader.read(annotation, where="type")
    return values(shape, given=overridden("strategy()", chosen, reader.marked, [shape]))


def values(shape: Shape, *, given: Overridden = NO_OVERRIDES) -> SearchStrategy[Any]:
    """
    Valid Python values of *shape*, with the user's *given* values in them.

    Raises:
        ValueError: *shape* has no finite value.
    """
    return Pairs(only_values=True, given=given).of(shape).map(lambda pair: pair.value)


def documents(shape: Shape) -> SearchStrategy[Any]:
    """
    Valid JSON documents of *shape*, as ``json.loads`` gives them.

    They come in every accepted form: optional keys left out, keys in any order, ``1.0`` for 1,
    ``Z`` for ``+00:00``, ``1.50`` for ``1.5``.

    Raises:
        ValueError: *shape* has no finite value.
    """
    return Pairs().of(shape).map(lambda pair: pair.document)


# For routes. ``inputs`` and ``outputs`` need the route alone. ``bodies`` and ``invalid_bodies`` are
# what clients send, so they need the spec, which knows the names on the wire.


@final
@record
class InvalidBody:
    """A body that breaks one rule, and the issue that must be reported."""

    body: bytes
    """The bytes that are sent."""
    path: tuple[str | int, ...]
    """Where the rule is broken, as the issue reports it."""
    code: str
    """The rule that is broken: a key of ``contract.shape.issues.CODES``."""
    reason: str
    """The rule in words."""

    def __repr__(self) -> str:
        """A short form, for reports."""
        return f"InvalidBody({self.body!r}, path={self.path!r}, code={self.code!r})"


@final
@record
class Sides:
    """The input and the output of a route, with the user's own values in them."""

    input: Shape | None
    """The input without its files; None for a route without input."""
    output: Shape
    given: Overridden = NO_OVERRIDES
    whole: Shape | None = None
    """The input with its files, if there are any."""


def inputs(route: Route[I, Any, Any], *, overrides: Overrides | None = None) -> SearchStrategy[I]:
    """
    Valid inputs of a route, as Python values: ``@given(inputs(order))``.

    Args:
        route: A route made by `contract.route`.
        overrides: As in `strategy`; a plain name is a field of the input.

    Raises:
        DeclarationError: A route cannot carry an annotation of *route*.
        ValueError: No input is finite, or an override matches nothing.
        TypeError: An override is not a strategy.
    """
    sides, _ = sides_of("inputs", route, overrides)
    shape = sides.whole or sides.input
    if shape is None:
        nothing: SearchStrategy[Any] = st.none()
        return nothing
    return values(shape, given=sides.given)


def outputs(
    route: Route[Any, Any, Any], *, overrides: Overrides | None = None
) -> SearchStrategy[Any]:
    """
    Valid outputs of a route, as Python values, without its failures.

    Use them for a stub of the route, or to test code that handles its answers. For a stream they
    are streams of a few items; for a file, any bytes of one of its media types.

    Args:
        route: A route made by `contract.route`.
        overrides: As in `strategy`; a plain name is a field of the output.

    Raises:
        DeclarationError: As in `inputs`, which also raises ValueError and TypeError.
    """
    chosen, reader = _reader("outputs", route, overrides)
    entry = _read(route, reader)
    given = overridden(f"outputs({entry.name})", chosen, reader.marked, [entry.output])
    found = values(entry.output, given=given)
    if entry.media is not None:
        kinds = st.sampled_from([sample_of(each)[0] for each in entry.media.types])
        return st.builds(Download, st.binary(max_size=100), media_type=kinds)
    if entry.stream is None:
        return found
    return st.lists(found).map(lambda items: Stream(iter(items)))


def bodies(
    api: AnySpec, route: Route[Any, Any, Any] | str, *, overrides: Overrides | None = None
) -> SearchStrategy[bytes]:
    """
    Valid bodies of a route, as clients send them.

    Optional keys may be left out, and keys come in any order; ``1.0`` may stand for 1 and ``Z`` for
    ``+00:00``.

    Args:
        api: The spec, which knows the names on the wire.
        route: One of its routes, or its name.
        overrides: As in `inputs`.

    Raises:
        ValueError: As in `inputs`, or *api* has no such route.
    """
    entry = _of_json("bodies", entry_of(api, route))
    sides = sides_in("bodies", api, entry, overrides)
    valid = pairs_of(sides).map(lambda pair: written_as(pair.document))
    if sides.input is None:  # then a body may also be left out
        return st.one_of(valid, st.just(b""))
    return valid


def invalid_bodies(
    api: AnySpec, route: Route[Any, Any, Any] | str, *, overrides: Overrides | None = None
) -> SearchStrategy[InvalidBody]:
    """
    Near misses: bodies of a route that are valid except for one rule.

    Each comes with the place and the code of the issue that must come back.

    For example, a key is missing or unknown, a value has another type, is null, is just outside of
    a bound or does not match its pattern, a tag is unknown, a date is not in the calendar, or the
    body is not JSON, or not in UTF-8.

    Args:
        api: The spec.
        route: One of its routes, or its name.
        overrides: As in `inputs`, for the valid parts around the wrong one.

    Raises:
        ValueError: As in `bodies`.
    """
    entry = _of_json("invalid_bodies", entry_of(api, route))
    return invalid_of(sides_in("invalid_bodies", api, entry, overrides))


def _of_json(function: str, entry: Entry) -> Entry:
    """
    The *entry*, after a check that its bodies are JSON.

    Raises:
        ValueError: They are forms.
    """
    if entry.files is not None:
        raise ValueError(
            f"{function}({entry.name}): its bodies are forms with files; draw inputs({entry.name})"
        )
    return entry


def entry_of(api: AnySpec, route: Route[Any, Any, Any] | str) -> Entry:
    """
    The entry of *route* in *api*.

    Raises:
        ValueError: There is no such route.
    """
    found = [entry for name, entry in api.entries.items() if route in (name, entry.route)]
    if not found and isinstance(route, Route):  # the spec may have it with more hooks
        found = [each for each in api.entries.values() if each.route.origin is route.origin]
    if not found:
        called = repr(route) if isinstance(route, str) else route.__name__
        raise ValueError(
            f"the spec has no route {called}; there is {', '.join(api.entries) or 'none'}"
        )
    return found[0]


def sides_of(
    function: str, route: Route[Any, Any, Any], overrides: Overrides | None
) -> tuple[Sides, Entry]:
    """The input and the output of *route*, and its entry, read without a spec."""
    chosen, reader = _reader(function, route, overrides)
    entry = _read(route, reader)
    return _overriding(function, entry, chosen, reader), entry


def sides_in(function: str, api: AnySpec, entry: Entry, overrides: Overrides | None) -> Sides:
    """The input and the output of a route of a spec, with the spec's names on the wire."""
    if not overrides:
        return Sides(entry.input, entry.output, whole=_whole_of(entry))
    # The shapes of the entry do not tell how a type was written, so its annotations are read again.
    check_overrides(f"{function}({entry.name})", overrides)
    reader = Marking(overrides, rename=api.rename)
    return _overriding(function, _read(entry.route, reader), overrides, reader)


def pairs_of(
    sides: Sides, *, edges: bool = False, affixes: Affixes = NO_AFFIXES
) -> SearchStrategy[Pair]:
    """
    Valid inputs with their documents.

    With *edges*, only those at the limits of what is allowed; texts get *affixes*.
    """
    shape = sides.whole or sides.input
    if shape is None:
        return st.sampled_from([Pair(None, {}), Pair(None, None)])
    return Pairs(given=sides.given, edges=edges, affixes=affixes).of(shape)


def invalid_of(sides: Sides) -> SearchStrategy[InvalidBody]:
    """Bodies that almost fit an input."""
    shape = _NOTHING if sides.input is None else sides.input
    found = near_misses(shape, given=sides.given).map(_invalid)
    without_files = Sides(sides.input, sides.output, sides.given)
    valid = pairs_of(without_files).map(lambda pair: written_as(pair.document))
    broken = st.tuples(valid, st.sampled_from(_BREAKS)).map(
        lambda drawn: InvalidBody(drawn[1][1](drawn[0]), (), "json_invalid", drawn[1][0])
    )
    # two thirds break a rule of the type, of which there are many
    misses = [found, found, broken]
    # an empty body is a valid input for a route without input, and for one whose fields are all
    # optional
    if not (sides.input is None or sides.whole is not None or takes_nothing(sides.input)):
        misses.append(st.just(InvalidBody(b"", (), "json_invalid", "there is no body")))
    return st.one_of(misses)


def written_as(document: Any) -> bytes:
    """The *document* as JSON, with integers of any size, which other JSON writers refuse."""
    return json.dumps(
        document, ensure_ascii=False, separators=(",", ":"), default=_refuse_what_is_no_json
    ).encode()


def _refuse_what_is_no_json(value: object) -> NoReturn:
    raise TypeError(
        f"{type(value).__name__} is no JSON, which is what callers send: write it as they do, with "
        "dicts, lists and texts, or call the function with it"
    )


_NOTHING: Final = NullableShape(
    RefShape(
        Definition(("nothing",), "Nothing", __name__, _shape=RecordShape("typeddict", dict, ()))
    )
)
"""The shape of the body of a route without input; the body may be left out, too."""


def _two_values(body: bytes) -> bytes:
    if body.endswith((b'"', b"]", b"}")):
        return body + b" " + body
    return body + b" null"


_Break = tuple[str, Callable[[bytes], bytes]]
_BREAKS: Final[tuple[_Break, ...]] = (
    ("it is not JSON: a bracket has nothing to close", lambda body: body + b"]"),
    ("it is not JSON: it ends too early", lambda body: b"[" + body),
    (
        "it is not JSON: there are two values",
        _two_values,
    ),
    ("it is not JSON: keys are in single quotes", lambda body: b"{'a':" + body + b"}"),
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
"""Reason -> a change to a valid body that makes it invalid as JSON or UTF-8."""

_SHOWN: Final = 60
"""The most characters of a path in the reason of a near miss."""

_PARAMETER: Final = re.compile(r"\[[^\]]*\]|\{\w+(?:\|[^|]*\|([^}]*))?\}")


def _left(piece: re.Match[str]) -> str:
    """The text for a *piece* of a sentence whose parameters are not known."""
    if piece[1]:
        return piece[1]  # of "{name|one|many}", the word for many
    if piece[0].startswith("["):
        return ""  # a part that is left out without its parameter
    return "..."


def _invalid(miss: NearMiss) -> InvalidBody:
    place = "".join(f"[{part!r}]" for part in miss.path) or "the body"
    text = _PARAMETER.sub(_left, CODES[miss.code]).removesuffix(".")
    return InvalidBody(
        written_as(miss.document),
        miss.path,
        miss.code,
        f"{cut(place, _SHOWN)}: {text[:1].lower()}{text[1:]}",
    )


def _reader(function: str, route: object, overrides: Overrides | None) -> tuple[Overrides, Marking]:
    if not isinstance(route, Route):
        raise TypeError(
            f"{function}() takes a route, and {route!r} is not one; decorate it with @route(...)"
        )
    chosen: Overrides = overrides or {}
    check_overrides(f"{function}({route.__name__})", chosen)
    return chosen, Marking(chosen)


def any_token(_token: str, _request: Any) -> Any:
    """An ``authenticate`` function that accepts everybody."""
    return True


def _read(route: Route[Any, Any, Any], reader: ShapeReader) -> Entry:
    # the context is not read: only the spec needs it
    name, anybody = route.name or route.__name__, Authenticator(any_token)
    return read_entry(route, name, reader, anybody, route.origin.names)


def _overriding(
    function: str, entry: Entry, overrides: Mapping[Any, SearchStrategy[Any]], reader: Marking
) -> Sides:
    shapes = [] if entry.given is None else [entry.given]
    given = overridden(f"{function}({entry.name})", overrides, reader.marked, shapes)
    return Sides(entry.input, entry.output, given, _whole_of(entry))


def _whole_of(entry: Entry) -> Shape | None:
    """The input of a route with its files; None for a route that takes no files."""
    return None if entry.files is None else entry.files.whole
