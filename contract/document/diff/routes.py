"""
Routes: compares who may call a route, what it promises, its files and its tool, but no schemas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from contract.declare.tool import Tool
from contract.document.diff.changes import Change, Level, Subject, quoted, said
from contract.document.model import (
    ContractFile,
    ContractRoute,
    Deprecation,
    is_read_by_url,
    ways_into,
)
from contract.shape.media_types import takes
from contract.shape.upload import USUAL_BYTES

__all__ = ["compare_routes", "file_changes", "removed_route"]

_EFFECTS: Final = ("read", "idempotent", "write", "destructive")
"""Each effect promises less than the one before."""

_PROMISES: Final = {
    "read": "may be called at any time, and again, by clients and agents",
    "idempotent": "is called again by clients after a failure, and would now be done twice",
    "write": "destroys nothing, so agents call it without asking",
}

_HINTS: Final = {"read_only": False, "idempotent": False, "destructive": True, "open_world": True}
"""The value of each hint if the document gives none."""


def removed_route(route: Subject, old: ContractRoute) -> Change:
    """The change that *route* is gone."""
    text = f"the route {route.route} is gone: clients that call it get 404"
    if old.deprecated is not None:
        day = old.deprecated.remove_on
        when = f"on {day}" if day else "on no day in particular"
        text += f"; it was deprecated, to be removed {when}"
    return route.change("route_removed", "breaking", text)


def compare_routes(route: Subject, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """Everything that differs between two routes of one name, except schemas and errors."""
    for name in ("path", "method"):
        was, now = getattr(old, name), getattr(new, name)
        if was != now:
            text = (
                f"the {name} is {quoted(now)}, was {quoted(was)}: "
                "clients of the old one get 404 or 405"
            )
            yield (route / name).change(f"{name}_changed", "breaking", text, was, now)
    if old.group != new.group:
        text = (
            f"the route is {_in_group(new)}, was {_in_group(old)}: "
            "generated clients have it under another name"
        )
        yield (route / "group").change("group_changed", "source", text, old.group, new.group)
    yield from _promises(route, old, new)
    yield from route.rewritten(old, new, "summary", "description")
    if old.tags != new.tags:
        text = f"the tags are {said(new.tags)}, were {said(old.tags)}"
        yield (route / "tags").change("tags_changed", "docs", text, [*old.tags], [*new.tags])
    yield from _deprecation(route / "deprecated", old.deprecated, new.deprecated)
    yield from _files(route, old, new)
    yield from _tool(route / "mcp", old.mcp, new.mcp)
    yield from _caching(route / "cache", old, new)
    if old.pages and not new.pages:
        text = "is not asked for pages any more: clients that turn them are not compiled"
        yield (route / "pages").change("pages_removed", "breaking", text)
    elif new.pages and not old.pages:
        yield (route / "pages").change("pages_added", "compatible", "is asked for pages now")


def _in_group(route: ContractRoute) -> str:
    return f"in the group {route.group}" if route.group else "in no group"


def _promises(route: Subject, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """Changes of who may call, and of what a call does."""
    if old.auth != new.auth:
        text = f"auth is {quoted(new.auth)}, was {quoted(old.auth)}"
        kind, level = _AUTHS[new.auth]
        if new.auth == "bearer":
            text += ": calls without a token are refused"
        elif old.auth == "none":
            # clients send their token to every route, and nobody looked whether it had expired
            text += ": a token that is sent is checked now, and refused if it is not valid"
            level = "breaking"
        yield (route / "auth").change(kind, level, text, old.auth, new.auth)
    yield from _scopes(route / "requires", old.requires, new.requires)
    # from or to "none", the change of auth has told of all credentials
    if "none" not in (old.auth, new.auth):
        yield from _ways(route / "ways", ways_into(old), ways_into(new))
    if old.signed != new.signed:
        text = "bodies have to be signed (Standard Webhooks): calls without a signature get 400"
        kind, level = "signature_required", "breaking"
        if new.signed is None:
            text = "bodies need no signature any more"
            kind, level = "signature_dropped", "compatible"
        yield (route / "signed").change(kind, level, text, old.signed, new.signed)
    if old.scope != new.scope:
        text = f"the scope is {quoted(new.scope)}, was {quoted(old.scope)}"
        level = "compatible"
        if new.scope == "private":
            text += ": the route is no longer in public documents, tools and clients"
            level = "breaking"
        yield (route / "scope").change("scope_changed", level, text, old.scope, new.scope)
    if old.effect != new.effect:
        text = f"the effect is {quoted(new.effect)}, was {quoted(old.effect)}"
        kind, level = "effect_weakened", "compatible"
        if _EFFECTS.index(new.effect) > _EFFECTS.index(old.effect):
            text += f": a route that is {quoted(old.effect)} {_PROMISES[old.effect]}"
            kind, level = "effect_strengthened", "breaking"
        yield (route / "effect").change(kind, level, text, old.effect, new.effect)


_AUTHS: Final[Mapping[str, tuple[str, Level]]] = {
    "bearer": ("auth_required", "breaking"),
    "optional": ("auth_optional", "compatible"),
    "none": ("auth_dropped", "compatible"),
}
"""The change of a route to its new *auth*."""


def _scopes(requires: Subject, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Change]:
    """The scopes that a caller newly needs, and those that are no longer needed."""
    for scope in new:
        if scope not in old:
            text = f"requires the scope {scope}: tokens without it get 403"
            yield requires.change("scope_required", "breaking", text, None, scope)
    for scope in old:
        if scope not in new:
            text = f"does not require the scope {scope} any more"
            yield requires.change("scope_dropped", "compatible", text, scope)


def _ways(ways: Subject, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Change]:
    """The credentials that are no longer accepted, and those that are new."""
    for way in old:
        if way not in new:
            text = f"{quoted(way)} is not a way in any more: calls with that credential are refused"
            yield ways.change("way_removed", "breaking", text, way)
    for way in new:
        if way not in old:
            yield ways.change(
                "way_added", "compatible", f"{quoted(way)} is a way in, too", None, way
            )


def _deprecation(
    deprecated: Subject, old: Deprecation | None, new: Deprecation | None
) -> Iterator[Change]:
    if old is not None and new is not None:
        for field in fields(Deprecation):
            was, now = getattr(old, field.name), getattr(new, field.name)
            if was != now:
                text = f"the deprecation says {said(now)} for {field.name}, said {said(was)}"
                changed = deprecated / field.name
                yield changed.change("deprecation_changed", "docs", text, was, now)
    elif new is not None:
        text = "is deprecated"
        if new.remove_on:
            text += f", to be removed on {new.remove_on}"
        if new.use:
            text += f"; use {new.use}"
        yield deprecated.change("deprecated", "compatible", text)
    elif old is not None:
        yield deprecated.change("undeprecated", "compatible", "is no longer deprecated")


def _caching(cache: Subject, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    if is_read_by_url(old) and not is_read_by_url(new):
        text = "is not served at GET any more: its URLs get 405"
        yield cache.change("cache_removed", "breaking", text)
    elif is_read_by_url(new) and not is_read_by_url(old):
        yield cache.change("cache_added", "compatible", "is served at GET, too")
    elif is_read_by_url(new):
        for name in ("max_age", "vary"):
            # a file that must not be cached has neither
            was, now = getattr(old.cache, name, None), getattr(new.cache, name, None)
            if _caseless(was) != _caseless(now):
                text = f"caches are told {said(now)} for {name}, were told {said(was)}"
                yield (cache / name).change("cache_changed", "docs", text, _plain(was), _plain(now))


def _caseless(told: int | tuple[str, ...] | None) -> int | tuple[str, ...] | None:
    """It, without the case of names of headers, which have none (RFC 9110, section 5.1)."""
    if isinstance(told, tuple):
        return tuple(map(str.lower, told))
    return told


def file_changes(output: Subject, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """The changes between two outputs, at least one of which is a file."""
    if not (old.media and new.media):
        now, was = "JSON", "a file"
        if new.media:
            now, was = was, now
        text = f"the output is {now}, was {was}: clients read it in another way"
        yield output.change("download_changed", "breaking", text, was, now)
        return
    for media in new.media:
        if not takes(old.media, media):
            text = f"the file may be {media} now, which clients have never got"
            yield output.change("media_type_added", "breaking", text, None, media)
    for media in old.media:
        if not takes(new.media, media):
            text = f"the file is {media} no more"
            yield output.change("media_type_removed", "compatible", text, media)


def _files(route: Subject, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """The changes in the files of a route, and in its greatest body size."""
    if bool(old.files) != bool(new.files):
        form = "a form" if new.files else "JSON"
        text = f"a body is {form} now: what clients send is refused (415)"
        yield (route / "files").change("body_form_changed", "breaking", text)
    for part in dict.fromkeys((*old.files, *new.files)):
        files = Subject(f"{route.path}.files.{part}", route.route)
        yield from _file(files, part, old.files.get(part), new.files.get(part))
    yield from _body_limit(route / "max_body_bytes", old.max_body_bytes, new.max_body_bytes)


def _file(
    file: Subject, part: str, old: ContractFile | None, new: ContractFile | None
) -> Iterator[Change]:
    needed = f"needs the file {quoted(part)}: clients that do not send it are refused"
    if new is None:
        text = f"takes no file {quoted(part)} any more: clients that send it are refused"
        yield file.change("file_removed", "breaking", text)
    elif old is None:
        if new.required:
            yield file.change("file_required", "breaking", needed)
        else:
            yield file.change("file_added", "compatible", f"takes the file {quoted(part)}, too")
    else:
        if new.required and not old.required:
            yield (file / "required").change("file_required", "breaking", needed)
        elif old.required and not new.required:
            text = f"does not need the file {quoted(part)} any more"
            yield (file / "required").change("file_optional", "compatible", text)
        yield from _changed_file(file, part, old, new)


def _changed_file(
    file: Subject, part: str, old: ContractFile, new: ContractFile
) -> Iterator[Change]:
    yield from _byte_limit(file / "max_bytes", old.max_bytes, new.max_bytes)
    yield from _file_media(file / "media", old.media, new.media)
    yield from _file_count(file / "max_files", old, new)
    if old.name != new.name:
        text = f"is the field {said(new.name or part)} in Python, was {said(old.name or part)}"
        yield (file / "name").change("file_renamed", "source", text, old.name, new.name)
    yield from file.rewritten(old, new, "description")


def _body_limit(limit: Subject, old: int | None, new: int | None) -> Iterator[Change]:
    # A route without a limit has that of its mount, which no document tells. It is taken for the
    # usual one.
    if old is None and new is not None and new >= USUAL_BYTES:
        text = f"takes at most {new} bytes, was {USUAL_BYTES} unless its mount took more"
        yield limit.change("bytes_raised", "compatible", text, old, new)
    elif old is None and new is not None:
        text = f"takes at most {new} bytes, was what its mount takes: larger ones are refused (413)"
        yield limit.change("bytes_lowered", "breaking", text, old, new)
    elif old is not None and new is None:
        usual = f"{USUAL_BYTES} bytes unless it says otherwise"
        text = f"takes what its mount takes, {usual}, was {old}"
        if old > USUAL_BYTES:
            text += ": larger ones are refused (413)"
            yield limit.change("bytes_lowered", "breaking", text, old, new)
        else:
            yield limit.change("bytes_raised", "compatible", text, old, new)
    elif old is not None and new is not None:
        yield from _byte_limit(limit, old, new)


def _byte_limit(limit: Subject, old: int, new: int) -> Iterator[Change]:
    text = f"takes at most {new} bytes, was {old}"
    if new < old:
        text += ": larger ones are refused (413)"
        yield limit.change("bytes_lowered", "breaking", text, old, new)
    elif new > old:
        yield limit.change("bytes_raised", "compatible", text, old, new)


def _file_media(media: Subject, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Change]:
    if {*old} == {*new}:
        return
    # a file without media types may have any
    gone = [each for each in old or ("*/*",) if not takes(new or ("*/*",), each)]
    if gone:
        text = f"does not take {', '.join(gone)} any more"
        yield media.change("media_removed", "breaking", text, [*old], [*new])
    else:
        text = f"takes {', '.join(new) or 'every media type'}"
        yield media.change("media_added", "compatible", text, [*old], [*new])


def _file_count(count: Subject, old: ContractFile, new: ContractFile) -> Iterator[Change]:
    if old.many == new.many:
        return
    (was_least, was_most), (least, most) = _counts(old), _counts(new)
    text = f"takes {least} to {most} files, was {was_least} to {was_most}"
    # a wider count can still change code: a list of files takes the place of one, or the reverse
    if most < was_most or least > was_least:
        yield count.change("files_narrowed", "breaking", text)
    elif old.many is None:
        yield count.change("files_listed", "source", f"{text}: they are a list now")
    elif new.many is None:
        yield count.change("files_listed", "source", f"{text}: it is one now")
    else:
        yield count.change("files_widened", "compatible", text)


def _counts(file: ContractFile) -> tuple[int, int]:
    """The fewest and the most files that a call brings under one name."""
    least, most = file.many or (0, 1)
    return max(least, int(file.required)), most


def _tool(tool: Subject, old: Tool | None, new: Tool | None) -> Iterator[Change]:
    if new is None:
        if old is not None:
            text = f"is not a tool any more, was {quoted(old.name)}: agents do not find it"
            yield tool.change("tool_removed", "breaking", text)
        return
    if old is None:
        yield tool.change("tool_added", "compatible", f"is the tool {quoted(new.name)} now")
        return
    if old.name != new.name:
        text = (
            f"the tool is called {quoted(new.name)}, was {quoted(old.name)}: "
            "agents do not find the old name"
        )
        yield (tool / "name").change("tool_renamed", "breaking", text, old.name, new.name)
    if old.title != new.title:
        text = f"the title is {quoted(new.title)}, was {quoted(old.title)}"
        yield (tool / "title").change("tool_title_changed", "docs", text, old.title, new.title)
    for hint, promises_nothing in _HINTS.items():
        was, now = getattr(old, hint), getattr(new, hint)
        if was == now:
            continue
        text = f"the hint {hint} is {quoted(now)}, was {quoted(was)}"
        if now == promises_nothing:
            text += (
                ": agents that call the tool without asking, because of it, "
                "rely on a promise that is gone"
            )
            yield (tool / hint).change("tool_promise_withdrawn", "breaking", text, was, now)
        else:
            yield (tool / hint).change("tool_promise_added", "compatible", text, was, now)


def _plain(value: Any) -> Any:
    # a change has values of JSON
    return [*value] if isinstance(value, tuple) else value
