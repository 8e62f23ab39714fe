"""Documents: compares everything besides schemas: the service, its routes, codes and exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from contract.document.diff.changes import Change, Level, Subject, in_order, quoted, said, step_of
from contract.document.diff.routes import compare_routes, file_changes, removed_route
from contract.document.diff.walk import Walk
from contract.document.model import ContractError, ContractEvent, ContractRoute, Document, Side
from contract.shape.json_text import JsonSchema
from contract.shape.schema_lens import as_schema, key_of, target

__all__ = ["diff"]


def diff(old: Document, new: Document) -> tuple[Change, ...]:
    """
    Everything that differs, most serious first, then by path.

    The result depends only on the two documents, and the work is bounded whatever they contain.
    """
    return in_order(_Comparison(old, new).changes())


_Errors = Mapping[str, ContractError]


class _Comparison:
    def __init__(self, old: Document, new: Document) -> None:
        # the old document is compared with the new spelling, so that a header in another case is
        # one change, and not one of each route
        self._respelled = _respelled(old, new)
        self._old = _spelled(old, self._respelled)
        self._new = new
        self._walk = Walk(old.defs, new.defs)

    def changes(self) -> Iterator[Change]:
        old, new = self._old, self._new
        yield from self._service()
        for name in old.routes.keys() | new.routes.keys():
            yield from self._route(name, old.routes.get(name), new.routes.get(name))
        yield from self._errors(Subject("errors"), old.errors, new.errors)
        for name in old.exports.keys() | new.exports.keys():
            yield from self._export(name, old.exports.get(name), new.exports.get(name))
        for name in old.events.keys() | new.events.keys():
            yield from self._event(name, old.events.get(name), new.events.get(name))
        yield from self._walk.changes()

    # The service.

    def _service(self) -> Iterator[Change]:
        old, new = self._old, self._new
        for name in ("title", "version", "description"):
            was, now = getattr(old.info, name), getattr(new.info, name)
            if was != now:
                kind = "version_changed" if name == "version" else "info_changed"
                text = f"the {name} is {said(now)}, was {said(was)}"
                yield Subject(f"info.{name}").change(kind, "docs", text, was, now)
        for name in ("docs", "openapi", "mcp"):
            was, now = getattr(old.links, name), getattr(new.links, name)
            if was != now:
                yield _link(name, was, now)
        for was, now in self._respelled.items():
            text = f"the header is written {quoted(now)}, was {quoted(was)}, which is the same"
            yield (Subject("ways") / now).change("way_respelled", "docs", text, was, now)
        for name in old.ways.keys() & new.ways.keys():
            was, now = old.ways[name], new.ways[name]
            if was != now:
                text = (
                    f"{quoted(name)} is a {now} now, was a {was}: "
                    "callers that send it as before are refused"
                )
                yield (Subject("ways") / name).change("way_moved", "breaking", text, was, now)
        for name in old.ui.keys() | new.ui.keys():
            if key_of(old.ui.get(name)) != key_of(new.ui.get(name)):
                text = f"the look of the explorer: {name} has changed"
                yield (Subject("ui") / name).change("ui_changed", "docs", text)

    # Routes.

    def _route(
        self, name: str, old: ContractRoute | None, new: ContractRoute | None
    ) -> Iterator[Change]:
        route = Subject(f"routes{step_of(name)}", name)
        if old is None:
            yield route.change("route_added", "compatible", f"the route {name} is new")
        elif new is None:
            yield removed_route(route, old)
        else:
            yield from compare_routes(route, old, new)
            yield from self._body(route / "input", old.input, new.input)
            self._walk.compare(route / "input", "input", old.input, new.input)
            yield from self._outputs(route / "output", old, new)
            yield from self._errors(route / "errors", old.errors, new.errors)

    def _body(self, given: Subject, old: JsonSchema, new: JsonSchema) -> Iterator[Change]:
        """
        The change that an input must be sent, which could be left out.

        It could be if it was a record without required fields; a record's new ones tell of
        themselves.
        """
        was, now = _followed(old, self._old.defs), _followed(new, self._new.defs)
        if _is_record(was) and not was.get("required") and not _is_record(now):
            text = (
                "an empty body was taken; now one is required: clients that send none are refused"
            )
            yield given.change("input_body_required", "breaking", text)

    def _outputs(self, output: Subject, old: ContractRoute, new: ContractRoute) -> Iterator[Change]:
        """The changes between two outputs: values, streams or files."""
        if old.media or new.media:
            yield from file_changes(output, old, new)
        elif old.stream is None and new.stream is None:
            self._walk.compare(output, "output", old.output, new.output)
        elif old.stream is not None and new.stream is not None:
            self._walk.compare(output / "stream", "output", old.output, new.output)
            yield from self._errors(output / "errors", old.stream.errors, new.stream.errors)
        else:
            now, was = "a stream of items", "one value"
            if new.stream is None:
                now, was = was, now
            text = f"the output is {now}, was {was}: clients read it in another way"
            yield output.change("stream_changed", "breaking", text, was, now)

    # Codes and exports.

    def _errors(self, errors: Subject, old: _Errors, new: _Errors) -> Iterator[Change]:
        for code in new.keys() - old.keys():
            status = new[code].status
            text = f"the code {code} ({status}) is new: an exhaustive client has no case for it"
            yield (errors / code).change("error_added", "breaking", text, None, status)
        for code in old.keys() - new.keys():
            status = old[code].status
            text = f"the code {code} ({status}) is gone; a case for it is never entered"
            if errors.route is None or self._is_declared(code):
                yield (errors / code).change("error_removed", "compatible", text, status)
            else:
                text += (
                    ", and no route has it any more, so generated clients no longer have its class"
                )
                yield (errors / code).change("error_removed", "source", text, status)
        for code in old.keys() & new.keys():
            yield from self._error(errors / code, code, old[code], new[code])

    def _is_declared(self, code: str) -> bool:
        """Whether any route of the new document declares *code*."""
        for each in self._new.routes.values():
            if code in each.errors:
                return True
            if each.stream is not None and code in each.stream.errors:
                return True
        return False

    def _error(
        self, error: Subject, code: str, old: ContractError, new: ContractError
    ) -> Iterator[Change]:
        builtins = self._old.errors.get(code), self._new.errors.get(code)
        if error.route is not None and (old, new) == builtins:
            return  # a builtin, which is compared only once, in the catalogue
        if old.status != new.status:
            text = (
                f"the status is {new.status}, was {old.status}: "
                "clients and proxies that go by the status take it for another failure"
            )
            changed = error / "status"
            yield changed.change("error_status_changed", "breaking", text, old.status, new.status)
        yield from error.rewritten(old, new, "description")
        data = error / "data"
        if old.data is None:
            if new.data is not None:
                text = f"{code} carries data now: clients ignore fields that they do not know"
                yield data.change("error_data_added", "compatible", text)
        elif new.data is None:
            text = f"{code} carries no data any more, which clients read"
            yield data.change("error_data_removed", "breaking", text)
        else:
            if old.data_required and not new.data_required:
                text = f"the data of {code} may be absent: clients that read it do not expect that"
                yield data.change("error_data_optional", "breaking", text)
            elif new.data_required and not old.data_required:
                text = f"the data of {code} is always there now"
                yield data.change("error_data_required", "compatible", text)
            self._walk.compare(data, "output", old.data, new.data)

    def _event(
        self, name: str, old: ContractEvent | None, new: ContractEvent | None
    ) -> Iterator[Change]:
        event = Subject("events") / name
        if old is None:
            text = f"the event {name} is sent now: receivers pass over events they do not know"
            level: Level = "compatible"
            if self._old.events:
                text += ", but code that tells all of them apart has no case for it"
                level = "source"
            yield event.change("event_added", level, text)
        elif new is None:
            text = f"the event {name} is no longer sent: receivers wait for it in vain"
            yield event.change("event_removed", "breaking", text)
        else:
            yield from event.rewritten(old, new, "summary", "description")
            self._walk.compare(event / "message", "output", old.message, new.message)

    def _export(
        self, name: str, old: JsonSchema | None, new: JsonSchema | None
    ) -> Iterator[Change]:
        export = Subject("exports") / name
        if old is None:
            yield export.change("export_added", "compatible", f"the type {name} is exported now")
        elif new is None:
            text = f"the type {name} is no longer exported: code that imports it fails"
            yield export.change("export_removed", "breaking", text)
        else:
            was, now = self._old.exports, self._new.exports
            side: Side = "output"
            if _is_input_form(name, was) and _is_input_form(name, now):
                side = "input"
            self._walk.compare(export, side, old, new)


def _is_record(schema: JsonSchema) -> bool:
    return schema.get("type") == "object" and schema.get("additionalProperties") is False


def _followed(schema: JsonSchema, types: Mapping[str, JsonSchema]) -> JsonSchema:
    """The schema to which its references lead, which may lead nowhere."""
    found, seen = as_schema(schema), set[str]()
    while isinstance(found.get("$ref"), str):
        name = target(found)
        if name in seen:
            break
        seen.add(name)
        found = as_schema(types.get(name, True))
    return found


def _respelled(old: Document, new: Document) -> dict[str, str]:
    """
    Old -> new name of each way in that is the same header, written in another case.

    Names of headers have no case (RFC 9110, section 5.1); those of cookies do.
    """
    now = {name.lower(): name for name, place in new.ways.items() if place == "header"}
    was = [name for name, place in old.ways.items() if place == "header"]
    gone = [name for name in was if name not in new.ways]
    return {name: now[name.lower()] for name in gone if name.lower() in now}


def _spelled(document: Document, names: Mapping[str, str]) -> Document:
    """The *document* with other *names* of its ways in."""
    if not names:
        return document
    routes: dict[str, ContractRoute] = {}
    for name, route in document.routes.items():
        spelled = tuple(names.get(way, way) for way in route.ways)
        routes[name] = replace(route, ways=spelled)
    ways = {names.get(name, name): place for name, place in document.ways.items()}
    return replace(document, routes=routes, ways=ways)


def _is_input_form(name: str, exports: Mapping[str, JsonSchema]) -> bool:
    """Whether the export *name* is the input form of another one."""
    output = exports.get(name.removesuffix("Input"))
    return (
        name.endswith("Input")
        and output is not None
        and target(exports[name]) == f"{target(output)}Input"
    )


def _link(name: str, was: str | None, now: str | None) -> Change:
    link = Subject(f"links.{name}")
    text = f"{name} is {_location(now)}, was {_location(was)}"
    if name != "mcp":
        return link.change("link_changed", "docs", text, was, now)
    if was is None:
        return link.change("mcp_link_changed", "compatible", text, was, now)
    text += ": agents do not find it any more"
    return link.change("mcp_link_changed", "breaking", text, was, now)


def _location(link: str | None) -> str:
    if link is None:
        return "switched off"
    return f"at {quoted(link)}"
