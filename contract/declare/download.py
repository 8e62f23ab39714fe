"""
Downloads: outputs that are files, and what their annotations mean.

``Annotated[Download, Media("image/png")] | NoPicture`` is read like every return annotation:
failures are answered as JSON with their status, and the file is the body of a success.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, cast, final, get_args, get_origin

from contract.declare.route import Route
from contract.shape import union_members
from contract.shape.exceptions import RouteDeclarationError
from contract.shape.media_types import Media, is_media_type
from contract.shape.quoting import shown
from contract.shape.scope import display

__all__ = ["Download", "check_download", "media_of"]


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


def _is_iterator(kind: type[object]) -> bool:
    return hasattr(kind, "__next__") or hasattr(kind, "__anext__")


def media_of(outputs: list[Any], namespace: Mapping[str, object], where: str) -> Media | None:
    """
    The media types of the `Download` among the *outputs* of a return annotation, if there is one.

    Args:
        outputs: The members of the annotation that are not failures.
        namespace: The names that they may use.
        where: The place, for messages.

    Raises:
        RouteDeclarationError: There is another form of success beside it, or it does not say its
            media type.
    """
    found = [each for each in outputs if _is_download(each, namespace, where)]
    if not found:
        return None
    if len(outputs) > 1:
        raise RouteDeclarationError(
            where,
            "a route has one form of success, and this one has "
            f"{' and '.join(map(display, outputs))}; make it two routes, or name all media types "
            "in one Media(...)",
        )
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
    inner: tuple[object, ...] = union_members(get_args(annotation)[0], namespace, where=where)
    return inner == (Download,)


def check_download(route: Route[Any, Any, Any], where: str) -> None:
    """
    Check that a *route* that gives a file has no option that only JSON outputs can have.

    Raises:
        RouteDeclarationError: It has one.
    """
    if route.mcp is not False:
        raise RouteDeclarationError(
            where, "the result of an MCP tool is JSON, not a file; leave out mcp="
        )
