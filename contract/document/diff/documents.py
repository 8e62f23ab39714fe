"""Documents: what stands around the schemas: the service, its routes, codes, exports and tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from contract.declare.tool import Tool
from contract.document.diff.changes import LEVELS, Change, Level, quoted, said, step_of
from contract.document.diff.walk import Walk
from contract.document.model import ContractError, ContractRoute, Deprecation, Document
from contract.shape.json_text import JsonSchema
from contract.shape.schema_lens import key_of, target

__all__ = ["diff"]


def diff(old: Document, new: Document) -> tuple[Change, ...]:
    """
    Everything that differs, the gravest first, then by path.

    It is a function of the two documents, and its work is bounded whatever stands in them.
    """
    comparison = _Comparison(old, new)
    return tuple(
        sorted(
            comparison.changes(),
            key=lambda change: (LEVELS.index(change.level), change.path, change.kind, change.text),
        )
    )


_Errors = Mapping[str, ContractError]

_EFFECTS: Final = ("read", "idempotent", "write", "destructive")
"""Each promises less than the one before."""

_PROMISES: Final = {
    "read": "is called without a thought, ahead of time or again, by clients and agents",
    "idempotent": "is tried again by clients after a failure, and would now be done twice",
    "write": "destroys nothing, and is called by agents without asking",
}

_HINTS: Final = {"read_only": False, "idempotent": False, "destructive": True, "open_world": True}
"""The value of each where the document promises nothing."""


class _Comparison:
    def __init__(self, old: Document, new: Document) -> None:
        self._old = old
        self._new = new
        self._walk = Walk(old.defs, new.defs)

    def changes(self) -> Iterator[Change]:
        old, new = self._old, self._new
        yield from self._service()
        for name in old.routes.keys() | new.routes.keys():
            yield from self._route(name, old.routes.get(name), new.routes.get(name))
        yield from self._errors("errors", old.errors, new.errors, None)
        for name in old.exports.keys() | new.exports.keys():
            yield from self._export(name, old.exports.get(name), new.exports.get(name))
        yield from self._walk.changes()

    # The service.

    def _service(self) -> Iterator[Change]:
        old, new = self._old, self._new
        for name in ("title", "version", "description"):
            was, now = getattr(old.info, name), getattr(new.info, name)
            if was != now:
                kind = "version_changed" if name == "version" else "info_changed"
                yield _change(
                    kind,
                    "docs",
                    f"info.{name}",
                    f"the {name} is {said(now)}, was {said(was)}",
                    None,
                    was,
                    now,
                )
        for name in ("docs", "openapi", "mcp"):
            was, now = getattr(old.links, name), getattr(new.links, name)
            if was != now:
                yield _link(name, was, now)
        for name in old.ui.keys() | new.ui.keys():
            if key_of(old.ui.get(name)) != key_of(new.ui.get(name)):
                yield _change(
                    "ui_changed",
                    "docs",
                    f"ui{step_of(name)}",
                    f"how the explorer looks: {name} is another",
                    None,
                )

    # Routes.

    def _route(
        self, name: str, old: ContractRoute | None, new: ContractRoute | None
    ) -> Iterator[Change]:
        path = f"routes{step_of(name)}"
        if old is None or new is None:
            if old is not None:
                yield _removed(path, name, old)
            else:
                yield _change("route_added", "compatible", path, f"the route {name} is new", name)
            return
        for told in ("path", "method"):
            was, now = getattr(old, told), getattr(new, told)
            if was != now:
                text = (
                    f"the {told} is {quoted(now)}, was {quoted(was)}: "
                    "clients of the old one get 404 or 405"
                )
                yield _change(f"{told}_changed", "breaking", f"{path}.{told}", text, name, was, now)
        yield from _promises(path, name, old, new)
        for told in ("summary", "description", "tags"):
            was, now = getattr(old, told), getattr(new, told)
            if was != now:
                text = (
                    f"the {told} {'are' if told == 'tags' else 'is'} {said(now)}, "
                    f"{'were' if told == 'tags' else 'was'} {said(was)}"
                )
                yield _change(
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
            yield _change("input_body_required", "breaking", f"{path}.input", text, name)
        self._walk.compare(f"{path}.input", "input", old.input, new.input, route=name)
        self._walk.compare(f"{path}.output", "output", old.output, new.output, route=name)
        yield from self._errors(f"{path}.errors", old.errors, new.errors, name)
        yield from _tool(f"{path}.mcp", name, old.mcp, new.mcp)

    # Codes and exports.

    def _errors(self, path: str, old: _Errors, new: _Errors, route: str | None) -> Iterator[Change]:
        for code in new.keys() - old.keys():
            status = new[code].status
            text = f"the code {code} ({status}) is new: an exhaustive client has no case for it"
            yield _change(
                "error_added", "breaking", f"{path}{step_of(code)}", text, route, None, status
            )
        for code in old.keys() - new.keys():
            status = old[code].status
            text = f"the code {code} ({status}) is gone; a case for it is never entered"
            if route is not None and all(
                code not in each.errors for each in self._new.routes.values()
            ):
                text += ", and no route has it any more, so generated clients are without its class"
                yield _change(
                    "error_removed", "source", f"{path}{step_of(code)}", text, route, status, None
                )
            else:
                yield _change(
                    "error_removed",
                    "compatible",
                    f"{path}{step_of(code)}",
                    text,
                    route,
                    status,
                    None,
                )
        for code in old.keys() & new.keys():
            yield from self._error(f"{path}{step_of(code)}", code, old[code], new[code], route)

    def _error(
        self, path: str, code: str, old: ContractError, new: ContractError, route: str | None
    ) -> Iterator[Change]:
        if route is not None and (old, new) == (
            self._old.errors.get(code),
            self._new.errors.get(code),
        ):
            return  # a builtin, which is compared once, in the catalogue
        if old.status != new.status:
            text = (
                f"the status is {new.status}, was {old.status}: "
                "clients and proxies that go by the status take it for another failure"
            )
            yield _change(
                "error_status_changed",
                "breaking",
                f"{path}.status",
                text,
                route,
                old.status,
                new.status,
            )
        if old.description != new.description:
            text = f"the description is {quoted(new.description)}, was {quoted(old.description)}"
            yield _change(
                "description_changed",
                "docs",
                f"{path}.description",
                text,
                route,
                old.description,
                new.description,
            )
        if old.data is None and new.data is not None:
            text = f"{code} carries data now: clients ignore fields that they do not know"
            yield _change("error_data_added", "compatible", f"{path}.data", text, route)
        elif old.data is not None and new.data is None:
            yield _change(
                "error_data_removed",
                "breaking",
                f"{path}.data",
                f"{code} carries no data any more, which clients read",
                route,
            )
        elif old.data is not None and new.data is not None:
            if old.data_required and not new.data_required:
                text = f"the data of {code} may be absent: clients that read it do not expect that"
                yield _change("error_data_optional", "breaking", f"{path}.data", text, route)
            elif new.data_required and not old.data_required:
                yield _change(
                    "error_data_required",
                    "compatible",
                    f"{path}.data",
                    f"the data of {code} is always there now",
                    route,
                )
            self._walk.compare(f"{path}.data", "output", old.data, new.data, route=route)

    def _export(
        self, name: str, old: JsonSchema | None, new: JsonSchema | None
    ) -> Iterator[Change]:
        path = f"exports{step_of(name)}"
        if old is None:
            yield _change(
                "export_added", "compatible", path, f"the type {name} is exported now", None
            )
        elif new is None:
            yield _change(
                "export_removed",
                "breaking",
                path,
                f"the type {name} is no longer exported: code that uses it is left without",
                None,
            )
        else:
            is_input = all(
                _is_input_form(name, document.exports) for document in (self._old, self._new)
            )
            self._walk.compare(path, "input" if is_input else "output", old, new)


def _is_input_form(name: str, exports: Mapping[str, JsonSchema]) -> bool:
    """Whether the export *name* is the input form of another one."""
    output = exports.get(name.removesuffix("Input"))
    return (
        name.endswith("Input")
        and output is not None
        and target(exports[name]) == f"{target(output)}Input"
    )


def _change(
    kind: str,
    level: Level,
    path: str,
    text: str,
    route: str | None,
    old: Any = None,
    new: Any = None,
) -> Change:
    return Change(kind=kind, level=level, path=path, text=text, route=route, old=old, new=new)


def _link(name: str, was: str | None, now: str | None) -> Change:
    text = (
        f"{name} is {'switched off' if now is None else f'at {quoted(now)}'}, "
        f"was {'switched off' if was is None else f'at {quoted(was)}'}"
    )
    if name != "mcp":
        return _change("link_changed", "docs", f"links.{name}", text, None, was, now)
    if was is None:
        return _change("mcp_link_changed", "compatible", f"links.{name}", text, None, was, now)
    return _change(
        "mcp_link_changed",
        "breaking",
        f"links.{name}",
        f"{text}: agents do not find it any more",
        None,
        was,
        now,
    )


def _removed(path: str, name: str, old: ContractRoute) -> Change:
    text = f"the route {name} is gone: clients that call it get 404"
    if old.deprecated is not None:
        day = old.deprecated.remove_on
        text += (
            "; it was deprecated, to be removed "
            f"{f'on {day}' if day else 'on no day in particular'}"
        )
    return _change("route_removed", "breaking", path, text, name)


def _promises(path: str, name: str, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
    """Who may call, and what a call does."""
    if old.auth != new.auth:
        if new.auth == "bearer":
            text = 'auth is "bearer", was "none": calls without a token are refused'
            yield _change(
                "auth_required", "breaking", f"{path}.auth", text, name, old.auth, new.auth
            )
        else:
            yield _change(
                "auth_dropped",
                "compatible",
                f"{path}.auth",
                'auth is "none", was "bearer"',
                name,
                old.auth,
                new.auth,
            )
    if old.scope != new.scope:
        text = f"the scope is {quoted(new.scope)}, was {quoted(old.scope)}"
        if new.scope == "private":
            text += ": the route leaves the documents, tools and clients for everybody"
        yield _change(
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
            text += f": what is called {quoted(old.effect)} {_PROMISES[old.effect]}"
            yield _change(
                "effect_strengthened",
                "breaking",
                f"{path}.effect",
                text,
                name,
                old.effect,
                new.effect,
            )
        else:
            yield _change(
                "effect_weakened",
                "compatible",
                f"{path}.effect",
                text,
                name,
                old.effect,
                new.effect,
            )


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
            yield _change("deprecated", "compatible", path, text, name)
        elif old is not None:
            yield _change("undeprecated", "compatible", path, "is no longer deprecated", name)
        return
    for field in fields(Deprecation):
        was, now = getattr(old, field.name), getattr(new, field.name)
        if was != now:
            text = f"the deprecation says {said(now)} for {field.name}, said {said(was)}"
            yield _change(
                "deprecation_changed", "docs", f"{path}.{field.name}", text, name, was, now
            )


def _tool(path: str, name: str, old: Tool | None, new: Tool | None) -> Iterator[Change]:
    if old is None or new is None:
        if new is not None:
            yield _change(
                "tool_added", "compatible", path, f"is the tool {quoted(new.name)} now", name
            )
        elif old is not None:
            yield _change(
                "tool_removed",
                "breaking",
                path,
                f"is no tool any more, was {quoted(old.name)}: agents do not find it",
                name,
            )
        return
    if old.name != new.name:
        text = (
            f"the tool is called {quoted(new.name)}, was {quoted(old.name)}: "
            "agents do not find the old name"
        )
        yield _change("tool_renamed", "breaking", f"{path}.name", text, name, old.name, new.name)
    if old.title != new.title:
        text = f"the title is {quoted(new.title)}, was {quoted(old.title)}"
        yield _change(
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
                "rely on what is not promised any more"
            )
            yield _change(
                "tool_promise_withdrawn", "breaking", f"{path}.{hint}", text, name, was, now
            )
        else:
            yield _change(
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
