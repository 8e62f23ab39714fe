"""
Bound routes: those of one mount, ready to be called.

Preds and the writers of failures are made once, and shared by routes that have the same types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from datetime import UTC, date, datetime
from email.utils import format_datetime
from itertools import groupby
from types import NoneType
from typing import Any, Final, Literal, cast, final

from contract.call.context import OK, Outcome
from contract.call.credentials import Credentials, take_token
from contract.call.failure_writers import FailureWriter, Writers
from contract.call.files import Files
from contract.call.form import FormInput
from contract.call.incoming import Lane
from contract.call.paging import Keys, PagedInput, PagedOutput, Pages, paged, secrets_of
from contract.call.signed_body import SignedBody
from contract.call.stream import Items
from contract.declare.authenticator import Authenticator
from contract.declare.failures import Failure, Forbidden
from contract.declare.hook import Call, Request
from contract.declare.permissions import HasScopes, Requires, lacking
from contract.declare.route import Route
from contract.declare.route_options import Deprecated
from contract.declare.spec import AnySpec, Entry
from contract.declare.typed_hook import TypedHook
from contract.pred.compile import Pred, compile_pred
from contract.shape.graph import takes_nothing
from contract.shape.nodes import Definition, NullableShape, RecordShape, RefShape, Shape
from contract.shape.record import record

__all__ = ["Bound", "BoundHook", "ErrorMapper", "HookRun", "bind"]

ErrorMapper = Callable[[Exception, Request], Failure | None]
"""
The type of `handle_unhandled_error`.

It maps an exception from a resolver or a hook to a builtin or a declared failure.
"""


class Bound:
    """A route of one mount, ready to be called; its preds are compiled at their first use."""

    def __init__(
        self,
        entry: Entry,
        writers: Writers,
        map_error: ErrorMapper | None,
        realm: str,
        keys: Keys | None = None,
    ) -> None:
        # 1. Who may call.
        self.name: Final = entry.name
        self.auth: Final = entry.route.auth != "none"
        """Whether it checks a credential."""
        self.optional: Final = entry.route.auth == "optional"
        """Whether a call without a credential goes on, with None as its context."""
        self.is_private: Final = entry.route.scope == "private"
        """Whether documents leave it out."""
        self.authenticator: Final = entry.authenticator
        """The authenticator that makes the context; None for a public route."""
        self.context: Final = _only_context(self.authenticator)
        """
        The class of nearly every context, if it is known; other contexts take longer to check.
        """
        ways = () if self.authenticator is None else self.authenticator.ways
        self.credentials: Final = Credentials(ways, realm) if ways else None
        """The credentials that it takes; None for a bearer token and nothing else."""
        # 2. The resolver, with what reads its input and writes its output.
        self.is_async: Final = entry.route.is_async
        self.inline: Final = entry.route.inline
        self.pages: Final = _pages_of(entry, keys)
        """Its pages; None if it does not give any."""
        resolver: Callable[..., Any] = entry.route.resolver
        if self.pages is not None:
            resolver = paged(resolver, is_async=self.is_async)
        self.resolver: Final = resolver
        self.input: _Input | _Given = _input_of(entry, self.pages)
        self.needs_input: Final = entry.input is not None and not takes_nothing(entry.input)
        self.form: Final = self.input if isinstance(self.input, FormInput) else None
        """Reads its bodies, if these bring files; None for a route that takes JSON."""
        self.own_limit: Final = entry.route.max_body_bytes
        """The route's own limit of the body, in bytes; None for that of the mount."""
        self.limit: int = 0
        """The most bytes of a JSON body, -1 for a form; the service sets it."""
        self.early_limit: int = 0
        """The most bytes to read before the caller is authenticated."""
        self.output: Final[Pred[Any] | PagedOutput | Items | Files] = _output_of(
            entry, self.pages, writers
        )
        self.streams: Final = entry.stream is not None or entry.media is not None
        """Whether its output is a stream, or a file, which may be sent like one."""
        self.lane: Final[Lane] = "streams" if self.streams else "routes"
        """The threads for its resolver, if that must run in one."""
        self.failures: Final = writers.of(entry.own_failures)
        """The writers of the failures that the resolver may return."""
        every_failure = self.failures
        if entry.hooked:
            every_failure = writers.of(entry.failures)
        self.every_failure: Final = every_failure
        """The writers of those failures, and of what hooks may return."""
        # 3. The handling of exceptions, and the parts of replies and log lines that are always the
        #    same.
        self.map_error: Final = map_error
        self.notices: Final = _notices(entry.route.deprecated)
        """
        The headers that say in each reply when the route is deprecated, and when it goes away.
        """
        self.bare: bool = False
        """Whether an output has no extra headers; set by the service."""
        self.told: Final = Outcome(self.name, "http", OK, 200)
        """The outcome of a call that succeeds, for the log."""
        self.where: Final = entry.where
        """Module, function, file and line, for the log."""
        # 4. The scopes and the hooks.
        self.requires: Final = entry.requires
        """The scopes that its callers need."""
        self.forbidden: Final = _forbidden(entry.requires)
        """The failure of a call whose context lacks a scope."""
        early = _runs(entry, writers, late=False)
        if entry.requires:
            early = self._behind_scopes(early, writers)
        self.early: Final = early
        """
        The hooks that run before the body is read, grouped by where they run.

        The first of them checks the scopes, if there are any to check.
        """
        self.early_hooks: Final = _hooks_in(self.early)
        self.late: Final = _runs(entry, writers, late=True)
        """
        The hooks that ask for the input and run before the resolver, grouped by where they run.
        """
        self.late_hooks: tuple[BoundHook, ...] = _hooks_in(self.late)
        # 5. Where each part may run. An async function needs a loop, and a synchronous one that is
        #    not inline must not run on a loop, so it needs a thread there. Each hop to another
        #    place costs more than a small call, so what may run in one place runs in one hop.
        self.guarded: Final = self.auth or bool(self.early) or self.streams
        """Whether something runs, or is decided, before the body is read."""
        asked = self.authenticator
        self.waits: Final = (asked is not None and asked.is_async) or _wait(self.early)
        """Whether some of that is async."""
        asks = None
        if asked is not None and not self.early:
            asks = asked.function
        self.asks: Final = asks
        """All that stands before the body, where that is one function that authenticates."""
        self.asks_inline: Final = asked is not None and asked.inline
        """Whether that function may run on an event loop although it is synchronous."""
        apart = (asked is not None and not asked.inline) or _block(self.early)
        self.admitted_at_once: Final = bool(self.early) and apart and not self.waits
        """Whether a single thread does all of that, if it may not run on the event loop."""
        self.in_steps: bool = bool(self.late) and (
            self.is_async or _wait(self.late) or (self.inline and _block(self.late))
        )
        """Whether the hooks that ask for the input run in another place than the resolver."""
        self.in_one_hop: bool = apart and not (
            self.waits
            or self.is_async
            or self.inline
            or self.in_steps
            or self.streams
            or self.form is not None
        )
        """Whether one thread can run the whole call; not if steps have deadlines (the service)."""
        # 6. If `in_steps` is true, `invoke` loads the input, runs the hooks, and goes on with a
        #    copy of the route that has neither of them left to do.
        self.loaded: Bound = self
        """
        This route after the hooks that ask for the input: it takes a loaded input, not a body.
        """
        if self.in_steps:
            self.loaded = loaded = copy(self)
            loaded.input, loaded.late_hooks, loaded.in_steps = _GIVEN, (), False

    def _behind_scopes(self, runs: tuple[HookRun, ...], writers: Writers) -> tuple[HookRun, ...]:
        """The hooks in *runs*, after one that checks the scopes of the context."""
        required, refusal = self.requires, self.forbidden
        if take_token(self.credentials):
            writer = writers.asking(required)
        else:
            writer = writers.of({})[Forbidden]

        def check(call: Call[HasScopes, Any]) -> Forbidden | None:
            return refusal if lacking(required, call.ctx) else None

        asks = BoundHook(repr(Requires(required)), check, {Forbidden: writer}, self.where)
        return (HookRun((asks,), is_async=False, inline=True), *runs)

    def limit_to(self, most: int, early: int) -> None:
        """
        Limit bodies to *most* bytes, unless the route has its own limit.

        A form has a limit for its JSON and one for each file, so none of it counts as JSON.
        """
        if self.own_limit is not None:
            most = self.own_limit
        self.limit, self.early_limit = most, min(most, early)
        if self.form is not None:
            self.form.max_json = most
            # every length is beyond it, so no adapter takes a form for a plain body
            self.limit = self.early_limit = -1

    def loads(self) -> list[Pred[Any]]:
        """The preds by which a call may read what was sent."""
        found: list[Pred[Any]] = []
        if self.pages is not None:
            found.append(self.pages.pred)
        given = self.input
        if isinstance(given, SignedBody):
            given = cast("_Input", given.inner)
        if isinstance(given, _Defaults | PagedInput):
            found.append(given.pred)
        elif isinstance(given, FormInput):
            if given.pred is not None:
                found.append(given.pred)
        elif isinstance(given, Pred):
            found.append(given)
        return found

    def dumps(self) -> list[Pred[Any]]:
        """The preds by which a call may write its answer; routes share those of failures."""
        if isinstance(self.output, Pred):
            found = [self.output]
        else:
            found = self.output.preds()
        found += [writer.pred for writer in self.every_failure.values()]
        if self.pages is not None:
            found.append(self.pages.pred)
        return found


@final
@record
class BoundHook:
    """A hook of one mount, ready to be called."""

    name: str
    function: Callable[[Call[Any, Any]], Any]
    failures: Mapping[type[Failure], FailureWriter]
    """The writers of the failures that it may return."""
    where: str
    """Module, function, file and line, for the log."""


@final
@record
class HookRun:
    """
    Hooks that run one after the other in one place: one async hook, or several synchronous ones.
    """

    hooks: tuple[BoundHook, ...]
    is_async: bool
    inline: bool
    """Whether all of them may run on an event loop."""


def _runs(entry: Entry, writers: Writers, *, late: bool) -> tuple[HookRun, ...]:
    """The hooks of *entry* in their order: the *late* ones, which ask for the input, or others."""
    chosen = [typed for typed in entry.hooks if (typed.inputs is not None) is late]
    found: list[HookRun] = []
    for is_async, group in groupby(chosen, lambda typed: typed.hook.is_async):
        parts = [list(group)]
        if is_async:  # each is awaited by itself, while synchronous ones share one hop
            parts = [[each] for each in parts[0]]
        for part in parts:
            hooks = tuple(_hook(typed, writers) for typed in part)
            inline = all(typed.hook.inline for typed in part)
            found.append(HookRun(hooks, is_async=is_async, inline=inline))
    return tuple(found)


def _hooks_in(runs: tuple[HookRun, ...]) -> tuple[BoundHook, ...]:
    """The hooks of all *runs*, for a thread that may run them in one go."""
    found: list[BoundHook] = []
    for run in runs:
        found += run.hooks
    return tuple(found)


def _only_context(authenticator: Authenticator | None) -> type[object] | None:
    """The only class of contexts, if there is just one; None and booleans are not contexts."""
    if authenticator is None or authenticator.contexts is None:
        return None
    for each in cast("tuple[type[object], ...]", authenticator.contexts):
        if not issubclass(each, bool | NoneType | Failure):
            return each
    return None


def _hook(typed: TypedHook, writers: Writers) -> BoundHook:
    made = typed.hook
    return BoundHook(typed.name, made.function, writers.of(typed.failures), made.origin.place)


def _wait(runs: tuple[HookRun, ...]) -> bool:
    """Whether one of them is async."""
    return any(run.is_async for run in runs)


def _block(runs: tuple[HookRun, ...]) -> bool:
    """Whether one of them must not run on an event loop."""
    return any(not (run.is_async or run.inline) for run in runs)


def _output_of(
    entry: Entry, pages: Pages | None, writers: Writers
) -> Pred[Any] | PagedOutput | Items | Files:
    if entry.media is not None:
        return Files(entry.media)
    pred = compile_pred(entry.output)
    if pages is not None:
        return PagedOutput(pred, pages)
    if entry.stream is not None:
        return Items(pred, writers.of(entry.stream.failures))
    return pred


def _input_of(entry: Entry, pages: Pages | None) -> _Input:
    home = _home(entry.route)
    if entry.files is not None:
        rest: _Nothing | Pred[Any] = _Nothing()
        if entry.input is not None:
            rest = compile_pred(entry.input, home=home)
        pred = None
        if entry.files.whole is not None:
            pred = compile_pred(entry.files.whole, home=home)
        return FormInput(entry.files, pred, rest.load)
    if pages is not None and entry.input is not None:
        empty = b"{}" if takes_nothing(entry.input) else b""
        return PagedInput(compile_pred(entry.input, home=home), pages, empty)
    loads: _Nothing | Pred[Any] | _Defaults = _Nothing()
    if entry.input is not None:
        loads = _loader(entry.input, home)
    if entry.route.signed is not None:
        return SignedBody(loads, entry.route.signed)
    return loads


def _pages_of(entry: Entry, keys: Keys | None) -> Pages | None:
    if keys is None or entry.page_key is None or entry.input is None:
        return None
    pred = compile_pred(entry.page_key, home=_home(entry.route))
    return Pages(entry.name, pred, keys, entry.input)


def _home(route: Route[Any, Any, Any]) -> str:
    """The top-level package of a resolver; the messages of its validators are shown to callers."""
    return route.__module__.partition(".")[0]


class _Nothing:
    """The input of a route without input: no body, null or the empty object."""

    def load(self, body: bytes) -> None:
        if body:
            _EMPTY.load(body)


_EMPTY: Final = compile_pred(
    NullableShape(
        RefShape(
            Definition(("nothing",), "Nothing", __name__, _shape=RecordShape("typeddict", dict, ()))
        )
    )
)


class _Given:
    """An input that was loaded earlier."""

    def load(self, value: Any) -> Any:
        return value


_GIVEN: Final = _Given()


@record
class _Defaults:
    """An input whose fields are all optional; a missing body counts as an empty object."""

    pred: Pred[Any]

    def load(self, body: bytes) -> Any:
        return self.pred.load(body or b"{}")


_Input = Pred[Any] | _Nothing | _Defaults | PagedInput | SignedBody | FormInput


def _loader(shape: Shape, home: str) -> Pred[Any] | _Defaults:
    pred = compile_pred(shape, home=home)
    if takes_nothing(shape):
        return _Defaults(pred)
    return pred


def _forbidden(requires: Sequence[str]) -> Forbidden | None:
    if not requires:
        return None
    noun = "scope" if len(requires) == 1 else "scopes"
    return Forbidden(message=f"This needs the {noun} {', '.join(requires)}.")


def bind(
    spec: AnySpec, *, map_error: ErrorMapper | None = None, secrets: Sequence[str] = ()
) -> dict[str, Bound]:
    """
    Every route of *spec* by its name, ready to be called.

    Raises:
        MountError: A route needs *secrets*, and there are none.
    """
    writers = Writers(spec.builtins, spec.meta.title)
    signing = secrets_of(spec, secrets)
    keys = Keys(signing) if signing else None
    return {
        name: Bound(entry, writers, map_error, spec.meta.title, keys)
        for name, entry in spec.entries.items()
    }


def _notices(deprecated: Literal[False] | Deprecated) -> tuple[tuple[str, str], ...]:
    """
    The headers that say when a route is deprecated (RFC 9745) and when it goes away (RFC 8594).
    """
    headers: list[tuple[str, str]] = []
    if deprecated and deprecated.since is not None:
        # RFC 9745, section 2.1: a Date of a structured field, which is @ and the Unix time
        headers.append(("deprecation", f"@{(deprecated.since - _EPOCH).days * 86_400}"))
    if deprecated and deprecated.remove_on is not None:
        day = deprecated.remove_on
        midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
        # strftime would use the language of the locale
        headers.append(("sunset", format_datetime(midnight, usegmt=True)))
    return tuple(headers)


_EPOCH: Final = date(1970, 1, 1)
