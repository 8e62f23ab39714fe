"""
Outputs that are sent part by part, streams and files, and what their annotations mean.

``Stream[Token | Interrupted] | Refused`` is read like every return annotation: whatever is not a
failure is the output, here the items. A failure inside ``Stream[...]`` may come between the items,
and ends the stream. One beside it is answered before the first item, with its status.

``Annotated[Download, Media("image/png")] | NoPicture`` likewise: failures are answered as JSON with
their status, and the file is the body of a success.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, Generic, TypeVar, cast, final, get_args, get_origin

from contract.declare.compared import failures_in, is_failure
from contract.declare.failures import Failure
from contract.shape.annotations import union_members
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.media_types import Media, is_media_type
from contract.shape.nodes import Definition
from contract.shape.quoting import shown
from contract.shape.record import record
from contract.shape.scope import display

__all__ = [
    "Download",
    "Stream",
    "Streaming",
    "items_of",
    "media_of",
    "one_success",
]

T_co = TypeVar("T_co", covariant=True)


@final
class Stream(Generic[T_co]):
    """
    An output that is sent item by item, as an iterator gives them.

    ::

        def tokens(input: Ask) -> Iterator[Token | Interrupted]: ...


        @route(summary="Chat", tags=["chat"], auth="none")
        def chat(input: Ask, ctx: None) -> Stream[Token | Interrupted] | Refused:
            return Stream(tokens(input))

    Each item is checked and sent like any output. A failure among them ends the stream. A generator
    is always closed when the stream ends, so its ``finally`` runs.

    Args:
        items: An iterator or an async iterator; ``iter([...])`` makes one from a list.
        id: Gives the id of an item. A client that reconnects sends the last id it saw; the resolver
            finds it as ``current_call().last_event_id``. An id is printable ASCII, at most 256
            characters.

    Raises:
        TypeError: *items* is not an iterator.
    """

    __slots__ = ("id", "items")

    def __init__(
        self,
        items: Iterator[T_co] | AsyncIterator[T_co],
        /,
        *,
        # the items alone: typed with T_co, the function would have to take the failures, too
        id: Callable[[Any], str] | None = None,  # noqa: A002
    ) -> None:
        kind = cast("type[object]", type(items))
        if not _is_iterator(kind):
            hint = "; write Stream(iter(...))" if hasattr(kind, "__iter__") else ""
            raise TypeError(f"Stream() is given a {kind.__name__}, which is not an iterator{hint}")
        self.items: Final[Iterator[Any] | AsyncIterator[Any]] = items
        self.id: Final[Callable[[Any], str] | None] = id

    @property
    def is_async(self) -> bool:
        """Whether the items have to be awaited."""
        # an iterator that is both is asked as a sync one
        return not hasattr(type(self.items), "__next__")


@final
@record(eq=False)
class Streaming:
    """The failures of a route's stream, kept beside the shape of an item."""

    failures: Mapping[type[Failure], Definition]
    """The failures that may come between items, and end the stream."""


def one_success(outputs: list[Any], where: str) -> Any:
    """
    The ``Stream[...]`` among the *outputs* of a return annotation; None if there is none.

    Raises:
        RouteDeclarationError: There is another form of success beside it, or it does not say what
            its items are.
    """
    # a bare Stream is found as well, for the message that says what is missing in it
    found = [each for each in outputs if (get_origin(each) or each) is Stream]
    if not found:
        return None
    _check_alone(outputs, where, "give all of it as items")
    if not get_args(found[0]):
        raise RouteDeclarationError(where, "it says nothing of its items; write Stream[Item]")
    return found[0]


def items_of(
    stream: Any, namespace: Mapping[str, object], where: str, beside: Iterable[type[Failure]]
) -> tuple[tuple[Any, ...], list[type[Failure]]]:
    """
    The types of the items of a *stream*, and the failures that may come between them.

    A code must mean the same class in the stream and *beside* it.

    Raises:
        RouteDeclarationError: There are only failures.
        SpecError: Two of them have the same code.
    """
    members: tuple[Any, ...] = union_members(get_args(stream)[0], namespace, where=where)
    failures = failures_in(members, where, beside)
    items = tuple(member for member in members if not is_failure(member))
    if not items:
        raise RouteDeclarationError(
            where, "there are only failures in Stream[...]; say what its items are"
        )
    return items, failures


@final
class Download:
    """
    An output that is a file.

    ::

        Png = Annotated[Download, Media("image/png")]


        @route(summary="Picture", tags=["desk"], auth="none", effect="read")
        def picture(input: Which, ctx: None) -> Png | NoPicture:
            return Download(Path("desk.png"), media_type="image/png", name="desk.png")

    A file on disk and bytes have a length, and clients of a read (``effect="read"``) may ask for a
    part of them. An iterator is sent as it comes, and is always closed at the end.

    Args:
        source: Bytes, the path of a file, or an iterator or async iterator of bytes.
        media_type: One that the annotation names; it may have parameters, as in ``"text/csv;
            charset=utf-8"``.
        name: The suggested file name. It may come from a user: path separators and whatever could
            mislead a reader are removed.

    Raises:
        TypeError: *source* is not one of these, or another argument is not text.
        ValueError: *media_type* is not a media type.
    """

    __slots__ = ("media_type", "name", "source")

    def __init__(
        self,
        source: bytes | Path | Iterator[bytes] | AsyncIterator[bytes],
        /,
        *,
        media_type: str,
        name: str | None = None,
    ) -> None:
        kind = cast("type[object]", type(source))
        if not (issubclass(kind, bytes | Path) or _is_iterator(kind)):
            hint = "; write Download(Path(...))" if kind is str else ""
            raise TypeError(
                f"Download() is given a {kind.__name__}, "
                f"which is not bytes, a path or an iterator{hint}"
            )
        if not is_media_type(media_type):
            raise ValueError(f'Download(media_type={shown(media_type)}): write it like "image/png"')
        if not isinstance(name, str | NoneType):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"Download(name={shown(name)}): a name is a text, or left out")
        self.source: Final = source
        self.media_type: Final = media_type
        self.name: Final = name


def media_of(outputs: list[Any], namespace: Mapping[str, object], where: str) -> Media | None:
    """
    The media types of the `Download` among the *outputs* of a return annotation, if there is one.

    Raises:
        RouteDeclarationError: There is another form of success beside it, or it does not say its
            media type.
    """
    found = [each for each in outputs if _is_download(each, namespace, where)]
    if not found:
        return None
    _check_alone(outputs, where, "name all media types in one Media(...)")
    # the first argument of Annotated is the type; a bare Download has none at all
    marks = [each for each in get_args(found[0])[1:] if isinstance(each, Media)]
    if len(marks) != 1:
        raise RouteDeclarationError(
            where,
            "it has to say once what media type its file has; "
            'write Annotated[Download, Media("image/png")]',
        )
    return marks[0]


def _is_download(annotation: Any, namespace: Mapping[str, object], where: str) -> bool:
    if get_origin(annotation) is not Annotated:
        return annotation is Download
    # an alias may stand for it, or its name as a text
    inner: tuple[object, ...] = union_members(get_args(annotation)[0], namespace, where=where)
    return inner == (Download,)


def _is_iterator(kind: type[object]) -> bool:
    return hasattr(kind, "__next__") or hasattr(kind, "__anext__")


def _check_alone(outputs: list[Any], where: str, instead: str) -> None:
    if len(outputs) > 1:
        raise RouteDeclarationError(
            where,
            "a route has one form of success, and this one has "
            f"{' and '.join(map(display, outputs))}; make it two routes, or {instead}",
        )
