"""Documents: compares everything besides schemas: the service, its routes, codes and exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from contract.document.diff.changes import LEVELS, Change, difference, quoted, said, step_of
from contract.document.diff.routes import compare_routes, file_changes, removed_route
from contract.document.diff.walk import Walk
from contract.document.model import ContractError, ContractEvent, ContractRoute, Document
from contract.shape.json_text import JsonSchema
from contract.shape.schema_lens import key_of, target

__all__ = ["diff"]


def diff(old: Document, new: Document) -> tuple[Change, ...]:
    """
    Everything that differs, most serious first, then by path.

    The result depends only on the two documents, and the work is bounded whatever they contain.
    """
    comparison = _Comparison(old, new)
    return tuple(
        sorted(
            comparison.changes(),
            key=lambda change: (LEVELS.index(change.level), change.path, change.kind, change.text),
        )
    )


_Errors = Mapping[str, ContractError]


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
                yield difference(
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
                yield difference(
                    "ui_changed",
                    "docs",
                    f"ui{step_of(name)}",
                    f"the look of the explorer: {name} has changed",
                    None,
                )

    # Routes.

    def _route(
        self, name: str, old: ContractRoute | None, new: ContractRoute | None
    ) -> Iterator[Change]:
        path = f"routes{step_of(name)}"
        if old is None or new is None:
            if old is not None:
                yield removed_route(path, name, old)
            else:
                yield difference(
                    "route_added", "compatible", path, f"the route {name} is new", name
                )
            return
        yield from compare_routes(path, name, old, new)
        self._walk.compare(f"{path}.input", "input", old.input, new.input, route=name)
        yield from self._outputs(f"{path}.output", old, new, name)
        yield from self._errors(f"{path}.errors", old.errors, new.errors, name)

    def _outputs(
        self, path: str, old: ContractRoute, new: ContractRoute, name: str
    ) -> Iterator[Change]:
        """The changes between two outputs: values, streams or files."""
        if old.media or new.media:
            yield from file_changes(path, name, old, new)
        elif old.stream is None and new.stream is None:
            self._walk.compare(path, "output", old.output, new.output, route=name)
        elif old.stream is not None and new.stream is not None:
            self._walk.compare(f"{path}.stream", "output", old.output, new.output, route=name)
            yield from self._errors(f"{path}.errors", old.stream.errors, new.stream.errors, name)
        else:
            is_, was = ("a stream of items", "one value")[:: 1 if new.stream else -1]
            text = f"the output is {is_}, was {was}: clients read it in another way"
            yield difference("stream_changed", "breaking", path, text, name, was, is_)

    # Codes and exports.

    def _errors(self, path: str, old: _Errors, new: _Errors, route: str | None) -> Iterator[Change]:
        for code in new.keys() - old.keys():
            status = new[code].status
            text = f"the code {code} ({status}) is new: an exhaustive client has no case for it"
            yield difference(
                "error_added", "breaking", f"{path}{step_of(code)}", text, route, None, status
            )
        for code in old.keys() - new.keys():
            status = old[code].status
            text = f"the code {code} ({status}) is gone; a case for it is never entered"
            if route is not None and all(
                code not in each.errors and (each.stream is None or code not in each.stream.errors)
                for each in self._new.routes.values()
            ):
                text += (
                    ", and no route has it any more, so generated clients no longer have its class"
                )
                yield difference(
                    "error_removed", "source", f"{path}{step_of(code)}", text, route, status, None
                )
            else:
                yield difference(
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
            return  # a builtin, which is compared only once, in the catalogue
        if old.status != new.status:
            text = (
                f"the status is {new.status}, was {old.status}: "
                "clients and proxies that go by the status take it for another failure"
            )
            yield difference(
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
            yield difference(
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
            yield difference("error_data_added", "compatible", f"{path}.data", text, route)
        elif old.data is not None and new.data is None:
            yield difference(
                "error_data_removed",
                "breaking",
                f"{path}.data",
                f"{code} carries no data any more, which clients read",
                route,
            )
        elif old.data is not None and new.data is not None:
            if old.data_required and not new.data_required:
                text = f"the data of {code} may be absent: clients that read it do not expect that"
                yield difference("error_data_optional", "breaking", f"{path}.data", text, route)
            elif new.data_required and not old.data_required:
                yield difference(
                    "error_data_required",
                    "compatible",
                    f"{path}.data",
                    f"the data of {code} is always there now",
                    route,
                )
            self._walk.compare(f"{path}.data", "output", old.data, new.data, route=route)

    def _event(
        self, name: str, old: ContractEvent | None, new: ContractEvent | None
    ) -> Iterator[Change]:
        path = f"events{step_of(name)}"
        if old is None:
            text = f"the event {name} is sent now: receivers pass over events they do not know"
            yield difference("event_added", "compatible", path, text, None)
        elif new is None:
            text = f"the event {name} is no longer sent: receivers wait for it in vain"
            yield difference("event_removed", "breaking", path, text, None)
        else:
            for told in ("summary", "description"):
                was, now = getattr(old, told), getattr(new, told)
                if was != now:
                    text = f"the {told} is {said(now)}, was {said(was)}"
                    where = f"{path}.{told}"
                    yield difference(f"{told}_changed", "docs", where, text, None, was, now)
            self._walk.compare(f"{path}.message", "output", old.message, new.message)

    def _export(
        self, name: str, old: JsonSchema | None, new: JsonSchema | None
    ) -> Iterator[Change]:
        path = f"exports{step_of(name)}"
        if old is None:
            yield difference(
                "export_added", "compatible", path, f"the type {name} is exported now", None
            )
        elif new is None:
            yield difference(
                "export_removed",
                "breaking",
                path,
                f"the type {name} is no longer exported: code that imports it fails",
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


def _link(name: str, was: str | None, now: str | None) -> Change:
    text = (
        f"{name} is {'switched off' if now is None else f'at {quoted(now)}'}, "
        f"was {'switched off' if was is None else f'at {quoted(was)}'}"
    )
    if name != "mcp":
        return difference("link_changed", "docs", f"links.{name}", text, None, was, now)
    if was is None:
        return difference("mcp_link_changed", "compatible", f"links.{name}", text, None, was, now)
    return difference(
        "mcp_link_changed",
        "breaking",
        f"links.{name}",
        f"{text}: agents do not find it any more",
        None,
        was,
        now,
    )
