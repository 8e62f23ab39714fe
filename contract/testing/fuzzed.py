"""Fuzzed routes: what is known of a route from its spec in this process, or from a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, final

from contract.codegen.package import Package
from contract.declare.files import Files
from contract.declare.spec import AnySpec
from contract.document.model import is_read_by_url
from contract.pred.compile import Pred, compile_pred
from contract.shape.record import record
from contract.testing.made_forms import files_for, form_of
from contract.testing.mock_classes import Classes, files_of
from contract.testing.strategies import Sides
from contract.testing.words import words_of

__all__ = ["Fuzzed", "fuzzed_in", "fuzzed_of"]


@final
@record
class Fuzzed:
    """A route as seen from outside."""

    name: str
    sides: Sides
    declared: tuple[str, ...]
    """The codes of its failures."""
    output: Pred[Any] | None = None
    """
    The check of a success.

    None if the server is this process, which has already checked it.
    """
    failures: Mapping[str, Pred[Any] | None] = field(default_factory=dict[str, Pred[Any] | None])
    """Code -> the check of the data of a failure; None as for *output*."""
    statuses: Mapping[str, int] = field(default_factory=dict[str, int])
    """Code -> the status of a failure."""
    words: tuple[str, ...] = ()
    """Words that its resolver looks for in strings."""
    files: Files | None = None
    """The files that a call brings, if it does; then every body is a form."""
    signed: bool = False
    """Whether its bodies are signed with a secret that the fuzzer does not have."""
    cached: bool = False
    """Whether it is also served at GET."""
    pages: bool = False
    """Whether it gives a list page by page."""
    requires: tuple[str, ...] = ()
    """The scopes that its callers need."""
    between: tuple[str, ...] | None = None
    """
    For a stream, the codes that may come between items; else None.

    For a stream, *output* is that of an item.
    """
    media: tuple[str, ...] = ()
    """For a route that gives a file, its media types."""
    from_paper: bool = False
    """Whether it is known by its document, which cannot describe everything that is refused."""

    @property
    def no_input(self) -> bytes:
        """A body that has no JSON value."""
        nothing = b"]"
        if self.files is None:
            return nothing
        return form_of(nothing, files_for(self.files))

    @property
    def answers(self) -> tuple[str, ...]:
        """The codes of its failures, including those between items."""
        return tuple(sorted({*self.declared, *(self.between or ())}))


def fuzzed_of(spec: AnySpec) -> list[Fuzzed]:
    """The routes of a spec in this process."""
    found: list[Fuzzed] = []
    for name, entry in spec.entries.items():
        between: tuple[str, ...] | None = None
        if entry.stream is not None:
            between = tuple(cls.error_code for cls in entry.stream.failures)
        media = () if entry.media is None else entry.media.types
        found.append(
            Fuzzed(
                name,
                Sides(entry.input, entry.output),
                tuple(sorted(cls.error_code for cls in entry.failures)),
                words=words_of(entry.route.resolver),
                files=entry.files,
                cached=entry.read_by_url,
                pages=entry.page_key is not None,
                requires=entry.requires,
                between=between,
                media=media,
            )
        )
    return found


def fuzzed_in(package: Package) -> list[Fuzzed]:
    """
    The routes of a document.

    Raises:
        GenerationError: It is not a valid document.
    """
    classes = Classes(package)
    # a failure of the document takes the place of a built-in one that has its code
    failures: dict[str, Pred[Any] | None] = {}
    statuses: dict[str, int] = {}
    for code, failure in {**package.builtins, **package.failures}.items():
        failures[code] = None if failure.data is None else compile_pred(classes.of(failure.data))
        statuses[code] = failure.status
    found: list[Fuzzed] = []
    for name, operation in package.operations.items():
        route = operation.route
        given = None if operation.input is None else classes.of(operation.input)
        output = classes.of(operation.output)
        found.append(
            Fuzzed(
                name,
                Sides(given, output),
                operation.failures,
                compile_pred(output),
                failures,
                statuses,
                files=files_of(route),
                signed=route.signed is not None,
                cached=is_read_by_url(route),
                pages=route.pages,
                requires=route.requires,
                between=operation.between,
                media=route.media,
                from_paper=True,
            )
        )
    return found
