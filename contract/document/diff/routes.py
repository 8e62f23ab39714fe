"""
Routes: compares who may call a route, what it promises, its files and its tool, but no schemas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from contract.declare.tool import Tool
from contract.document.diff.changes import Change, Level, difference, quoted, said
from contract.document.model import (
    ContractFile,
    ContractRoute,
    Deprecation,
    is_read_by_url,
    ways_into,
)
from contract.shape.json_text import JsonSchema
from contract.shape.media_types import takes

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


def removed_route(path: str, name: str, old: ContractRoute) -> Change:
    """The change that the route *name* is gone."""
    text = f"the route {name} is gone: clients that call it get 404"
    if old.deprecated is not None:
        day = old.deprecated.remove_on
        text += (
            "; it was deprecated, to be removed "
            f"{f'on {day}' if day else 'on no day in particular'}"
        )
    return difference("route_removed", "breaking", path, text, name)


def compare_routes(
    path: str, name: str, old: ContractRoute, new: ContractRoute
) -> Iterator[Change]:
    """Everything that differs between two routes of one name, except schemas and errors."""
    for told in ("path", "method"):
        was, now = getattr(old, told), getattr(new, told)
        if was != now:
            text = (
                f"the {told} is {quoted(now)}, was {quoted(was)}: "
                "clients of the old one get 404 or 405"
            )
            yield difference(f"{told}_changed", "breaking", f"{path}.{told}", text, name, was, now)
    if old.group != new.group:
        was, now = (f"in the group {of}" if of else "in no group" for of in (old.group, new.group))
        text = f"the route is {now}, was {was}: generated clients have it under another name"
        yield difference(
            "group_changed", "source", f"{path}.group", text, name, old.group, new.group
        )
    yield from _promises(path, name, old, new)
    for told in ("summary", "description", "tags"):
        was, now = getattr(old, told), getattr(new, told)
        if was != now:
            text = (
                f"the {told} {'are' if told == 'tags' else 'is'} {said(now)}, "
                f"{'were' if told == 'tags' else 'was'} {said(was)}"
            )
            yield difference(
                f"{told}_changed",
                "docs",
                f"{path}.{told}",
                text,
                name,
                _plain(was),
                _plain(now),
            )
    yield from _deprecation(f"{path}.deprecated", name, old.deprecated, new.deprecated)
    if _is_nothing(old.input) and not _is_nothing(new.input):
        text = (
            "a route without input took an empty body; now a body is required, be it {}: "
            "clients that send none are refused"
        )
        yield difference("input_body_required", "breaking", f"{path}.input", text, name)
    yield from _files(path, name, old, new)
    yield from _tool(f"{path}.mcp", name, old.mcp, new.mcp)
    yield from _caching(f"{path}.cache", name, old, new)
    if old.pages and not new.pages:
        text = "is not asked for pages any more: clients that turn them are not compiled"
        yield difference("pages_removed", "breaking", f"{path}.pages", text, name)
    elif new.pages and not old.pages:
        text = "is asked for pages now"
        yield difference("pages_added", "compatible", f"{path}.pages", text, name)


def _ways(path: str, name: str, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """The credentials that are no longer accepted, and those that are new."""
    if "none" in (old.auth, new.auth):
        return
    were, are = ways_into(old), ways_into(new)
    for way in were:
        if way not in are:
            text = f"{quoted(way)} is not a way in any more: calls with that credential are refused"
            yield difference("way_removed", "breaking", path, text, name, way, None)
    for way in are:
        if way not in were:
            text = f"{quoted(way)} is a way in, too"
            yield difference("way_added", "compatible", path, text, name, None, way)


def _promises(path: str, name: str, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """Changes of who may call, and of what a call does."""
    if old.auth != new.auth:
        text = f"auth is {quoted(new.auth)}, was {quoted(old.auth)}"
        kind, level = _AUTHS[new.auth]
        if new.auth == "bearer":
            text += ": calls without a token are refused"
        elif old.auth == "none":
            text += ": a token that is sent is checked now, and refused if it is not valid"
        yield difference(kind, level, f"{path}.auth", text, name, old.auth, new.auth)
    yield from _scopes(f"{path}.requires", name, old.requires, new.requires)
    yield from _ways(f"{path}.ways", name, old, new)
    if old.signed != new.signed:
        yield _signed(f"{path}.signed", name, old.signed, new.signed)
    if old.scope != new.scope:
        text = f"the scope is {quoted(new.scope)}, was {quoted(old.scope)}"
        if new.scope == "private":
            text += ": the route is no longer in public documents, tools and clients"
        yield difference(
            "scope_changed",
            "breaking" if new.scope == "private" else "compatible",
            f"{path}.scope",
            text,
            name,
            old.scope,
            new.scope,
        )
    if old.effect != new.effect:
        text = f"the effect is {quoted(new.effect)}, was {quoted(old.effect)}"
        if _EFFECTS.index(new.effect) > _EFFECTS.index(old.effect):
            text += f": a route that is {quoted(old.effect)} {_PROMISES[old.effect]}"
            yield difference(
                "effect_strengthened",
                "breaking",
                f"{path}.effect",
                text,
                name,
                old.effect,
                new.effect,
            )
        else:
            yield difference(
                "effect_weakened",
                "compatible",
                f"{path}.effect",
                text,
                name,
                old.effect,
                new.effect,
            )


_AUTHS: Final[Mapping[str, tuple[str, Level]]] = {
    "bearer": ("auth_required", "breaking"),
    "optional": ("auth_optional", "compatible"),
    "none": ("auth_dropped", "compatible"),
}
"""The change of a route to its new *auth*."""


def _signed(path: str, name: str, old: str | None, new: str | None) -> Change:
    if new is None:
        text = "bodies need no signature any more"
        return difference("signature_dropped", "compatible", path, text, name, old, new)
    text = "bodies have to be signed (Standard Webhooks): calls without a signature get 400"
    return difference("signature_required", "breaking", path, text, name, old, new)


def _scopes(path: str, name: str, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Change]:
    """The scopes that a caller newly needs, and those that are no longer needed."""
    for scope in new:
        if scope not in old:
            text = f"requires the scope {scope}: tokens without it get 403"
            yield difference("scope_required", "breaking", path, text, name, None, scope)
    for scope in old:
        if scope not in new:
            text = f"does not require the scope {scope} any more"
            yield difference("scope_dropped", "compatible", path, text, name, scope, None)


def _deprecation(
    path: str, name: str, old: Deprecation | None, new: Deprecation | None
) -> Iterator[Change]:
    if old is None or new is None:
        if new is not None:
            text = "is deprecated"
            if new.remove_on:
                text += f", to be removed on {new.remove_on}"
            if new.use:
                text += f"; use {new.use}"
            yield difference("deprecated", "compatible", path, text, name)
        elif old is not None:
            yield difference("undeprecated", "compatible", path, "is no longer deprecated", name)
        return
    for field in fields(Deprecation):
        was, now = getattr(old, field.name), getattr(new, field.name)
        if was != now:
            text = f"the deprecation says {said(now)} for {field.name}, said {said(was)}"
            yield difference(
                "deprecation_changed", "docs", f"{path}.{field.name}", text, name, was, now
            )


def _caching(path: str, name: str, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    if is_read_by_url(old) and not is_read_by_url(new):
        text = "is not served at GET any more: its URLs get 405"
        yield difference("cache_removed", "breaking", path, text, name)
    elif is_read_by_url(new) and not is_read_by_url(old):
        yield difference("cache_added", "compatible", path, "is served at GET, too", name)
    elif is_read_by_url(new):
        for told in ("max_age", "vary"):
            # a file that must not be cached has neither
            was, now = getattr(old.cache, told, None), getattr(new.cache, told, None)
            if was != now:
                text = f"caches are told {said(now)} for {told}, were told {said(was)}"
                yield difference(
                    "cache_changed", "docs", f"{path}.{told}", text, name, _plain(was), _plain(now)
                )


def file_changes(path: str, name: str, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """The changes between two outputs, at least one of which is a file."""
    if not (old.media and new.media):
        is_, was = ("a file", "JSON")[:: 1 if new.media else -1]
        text = f"the output is {is_}, was {was}: clients read it in another way"
        yield difference("download_changed", "breaking", path, text, name, was, is_)
        return
    for each in new.media:
        if not takes(old.media, each):
            text = f"the file may be {each} now, which clients have never got"
            yield difference("media_type_added", "breaking", path, text, name, None, each)
    for each in old.media:
        if not takes(new.media, each):
            text = f"the file is {each} no more"
            yield difference("media_type_removed", "compatible", path, text, name, each, None)


def _files(path: str, name: str, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """The changes in the files of the route *name*, and in its greatest body size."""
    if bool(old.files) != bool(new.files):
        form = "a form" if new.files else "JSON"
        text = f"a body is {form} now: what clients send is refused (415)"
        yield difference("body_form_changed", "breaking", f"{path}.files", text, name)
    for part in dict.fromkeys((*old.files, *new.files)):
        yield from _file(
            f"{path}.files.{part}", name, part, old.files.get(part), new.files.get(part)
        )
    yield from _byte_limit(f"{path}.max_body_bytes", name, old.max_body_bytes, new.max_body_bytes)


def _file(
    path: str, name: str, part: str, old: ContractFile | None, new: ContractFile | None
) -> Iterator[Change]:
    if new is None:
        text = f"takes no file {quoted(part)} any more: clients that send it are refused"
        yield difference("file_removed", "breaking", path, text, name)
    elif old is None:
        if new.required:
            text = f"needs the file {quoted(part)}: clients that do not send it are refused"
            yield difference("file_required", "breaking", path, text, name)
        else:
            text = f"takes the file {quoted(part)}, too"
            yield difference("file_added", "compatible", path, text, name)
    else:
        yield from _changed_file(path, name, part, old, new)


def _changed_file(
    path: str, name: str, part: str, old: ContractFile, new: ContractFile
) -> Iterator[Change]:
    if old.required != new.required:
        if new.required:
            text = f"needs the file {quoted(part)}: clients that do not send it are refused"
            yield difference("file_required", "breaking", f"{path}.required", text, name)
        else:
            text = f"does not need the file {quoted(part)} any more"
            yield difference("file_optional", "compatible", f"{path}.required", text, name)
    yield from _byte_limit(f"{path}.max_bytes", name, old.max_bytes, new.max_bytes)
    yield from _file_media(f"{path}.media", name, old.media, new.media)
    yield from _file_count(path, name, old.many, new.many)
    if old.name != new.name:
        text = f"is the field {said(new.name or part)} in Python, was {said(old.name or part)}"
        yield difference("file_renamed", "source", f"{path}.name", text, name, old.name, new.name)
    if old.description != new.description:
        text = f"the description is {said(new.description)}, was {said(old.description)}"
        yield difference(
            "description_changed",
            "docs",
            f"{path}.description",
            text,
            name,
            old.description,
            new.description,
        )


def _byte_limit(path: str, name: str, old: int | None, new: int | None) -> Iterator[Change]:
    if old == new:
        return
    if new is not None and (old is None or new < old):
        text = f"takes at most {new} bytes, was {said(old)}: larger ones are refused (413)"
        yield difference("bytes_lowered", "breaking", path, text, name, old, new)
    else:
        text = f"takes at most {said(new)} bytes, was {said(old)}"
        yield difference("bytes_raised", "compatible", path, text, name, old, new)


def _file_media(
    path: str, name: str, old: tuple[str, ...], new: tuple[str, ...]
) -> Iterator[Change]:
    if {*old} == {*new}:
        return
    gone = [each for each in old or ("*/*",) if not takes(new or ("*/*",), each)]
    if gone:
        text = f"does not take {', '.join(gone)} any more"
        yield difference("media_removed", "breaking", path, text, name, [*old], [*new])
    else:
        text = f"takes {', '.join(new) or 'every media type'}"
        yield difference("media_added", "compatible", path, text, name, [*old], [*new])


def _file_count(
    path: str, name: str, old: tuple[int, int] | None, new: tuple[int, int] | None
) -> Iterator[Change]:
    if old == new:
        return
    least, most = (0, 1) if old is None else old
    now_least, now_most = (0, 1) if new is None else new
    text = f"takes {now_least} to {now_most} files, was {least} to {most}"
    if now_most < most or now_least > least:
        yield difference("files_narrowed", "breaking", f"{path}.max_files", text, name)
    elif (old is None) != (new is None):
        text += ": they are a list now" if old is None else ": it is one now"
        yield difference("files_listed", "source", f"{path}.max_files", text, name)
    else:
        yield difference("files_widened", "compatible", f"{path}.max_files", text, name)


def _tool(path: str, name: str, old: Tool | None, new: Tool | None) -> Iterator[Change]:
    if old is None or new is None:
        if new is not None:
            yield difference(
                "tool_added", "compatible", path, f"is the tool {quoted(new.name)} now", name
            )
        elif old is not None:
            yield difference(
                "tool_removed",
                "breaking",
                path,
                f"is not a tool any more, was {quoted(old.name)}: agents do not find it",
                name,
            )
        return
    if old.name != new.name:
        text = (
            f"the tool is called {quoted(new.name)}, was {quoted(old.name)}: "
            "agents do not find the old name"
        )
        yield difference("tool_renamed", "breaking", f"{path}.name", text, name, old.name, new.name)
    if old.title != new.title:
        text = f"the title is {quoted(new.title)}, was {quoted(old.title)}"
        yield difference(
            "tool_title_changed", "docs", f"{path}.title", text, name, old.title, new.title
        )
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
            yield difference(
                "tool_promise_withdrawn", "breaking", f"{path}.{hint}", text, name, was, now
            )
        else:
            yield difference(
                "tool_promise_added", "compatible", f"{path}.{hint}", text, name, was, now
            )


def _is_nothing(schema: JsonSchema) -> bool:
    """Whether it is the input of a route without input."""
    return {*schema} == {"type", "properties", "additionalProperties"} and (
        schema["type"] == "object"
        and schema["properties"] == {}
        and schema["additionalProperties"] is False
    )


def _plain(value: Any) -> Any:
    return [*value] if isinstance(value, tuple) else value
