"""
Laws: what every route promises, as properties, each with its own inputs.

- A valid input gets a valid output or a declared failure, and the wire answers what the function
  returns.
- A near miss is refused, for the right reason and at the right place.
- A route that only reads gives the same answer again, whatever was called in between. If it is also
  served at GET, it answers there what it answers by POST.

The resolver runs behind the real wire, once for each call. Its result is recorded, and compared
with the response. So routes that change something are checked like those that do not.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast, final

import orjson
from hypothesis import Phase, Verbosity, given
from hypothesis import settings as Settings  # noqa: N812  it is a class
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy

from contract.call.bound import Bound
from contract.call.context import OK
from contract.call.mount_options import Options
from contract.call.paging import page_of
from contract.call.stream import LINES, Items
from contract.declare.authenticator import Authenticator
from contract.declare.failures import Failure
from contract.declare.permissions import lacking
from contract.declare.spec import AnySpec, Spec
from contract.declare.typed_route import Entry
from contract.shape.exceptions import InvalidOutput
from contract.shape.pages import Slice
from contract.shape.quoting import cut
from contract.shape.record import record
from contract.shape.upload import Upload
from contract.testing.client import Client, form_with
from contract.testing.drawn import FEW_ITEMS, Drawn, checking, writing
from contract.testing.findings import (
    Crashed,
    Disagrees,
    Finding,
    History,
    NotRefused,
    Refused,
    Undeclared,
    WrongOutput,
    joined,
)
from contract.testing.made_forms import files_for
from contract.testing.overrides import Pair
from contract.testing.recorder import Recorder, called
from contract.testing.replies import Reply, shortly, uninterrupted
from contract.testing.source import source_of
from contract.testing.strategies import (
    InvalidBody,
    Sides,
    any_token,
    invalid_of,
    pairs_of,
    written_as,
)
from contract.testing.waits import Late, Waits, in_time, is_late, within
from contract.testing.words import FEW, any_of, each_of, words_of

__tracebackhide__ = True  # of pytest: a finding says all that there is to see here

__all__ = ["Laws"]

_TOKEN: Final = "token"  # noqa: S105  any will do


@final
@record
class _Case:
    """A valid call."""

    value: Any
    document: Any
    ctx: Any

    def __repr__(self) -> str:
        return repr(self.value)


def _apart(entry: Entry, document: Any) -> tuple[Any, Mapping[str, Any] | None]:
    """The JSON of a *document*, and its files; None if the route takes no files."""
    if entry.files is None:
        return document, None
    parts = {each.wire for each in entry.files.fields}
    files = {name: each for name, each in document.items() if name in parts}
    return {name: each for name, each in document.items() if name not in parts}, files


def _uploads_in(files: Mapping[str, Any]) -> Iterator[Upload]:
    for each in files.values():
        if isinstance(each, list):
            yield from cast("list[Upload]", each)
        elif each is not None:
            yield each


@final
class Laws:
    """The laws of one route."""

    def __init__(
        self,
        api: AnySpec,
        entry: Entry,
        sides: Sides,
        ctx: Any,
        reset: Callable[[], object] | None,
        options: Options | None,
        history: History,
        *,
        repeatable: bool,
        stream_seconds: float,
    ) -> None:
        self.name: str = entry.name
        self.noted: list[Finding] = []
        self.codes: set[str] = set()
        """The codes of all answers so far."""
        self.waits: Waits = Waits()
        self.stream_seconds: float = stream_seconds
        self._left_behind = False
        """
        Whether a call of the function still goes on in its thread, with what it was provided.

        One is enough.
        """
        self._entry = entry
        self._files = None if entry.files is None else files_for(entry.files)
        """Files for bodies whose JSON is to be refused."""
        self._sides = sides
        self._reset = reset
        self._history = history
        self._repeatable = repeatable
        self._makes = ctx if _is_factory(ctx) else None
        if isinstance(ctx, SearchStrategy):
            # the cast is for pyright, which does not know what it is a strategy of
            drawn = cast("SearchStrategy[Any]", ctx)  # type: ignore[redundant-cast]
        else:
            drawn = st.just(ctx)

        words = words_of(entry.route.resolver)
        self._cases = st.builds(_case, pairs_of(sides, affixes=any_of(words)), drawn)
        self._edges = st.builds(_case, pairs_of(sides, edges=True), drawn)
        self._worded = [
            st.builds(_case, pairs_of(sides, affixes=affixes), drawn) for affixes in each_of(words)
        ]
        self._asks = bool(entry.hooks or entry.requires)
        """Whether anything but the resolver uses the context."""
        callers = drawn if self._asks else st.none()
        self._misses = st.tuples(invalid_of(sides), callers)
        self._early_codes: set[str] = set()
        """The codes that hooks answer with before they know the input."""
        self._hook_codes: set[str] = set()
        """The codes that hooks answer with."""
        for typed in entry.hooks:
            codes = {cls.error_code for cls in typed.failures}
            self._hook_codes |= codes
            if typed.inputs is None:
                self._early_codes |= codes
        self._recorder = Recorder(entry)
        headers: dict[str, str] = {}
        if entry.stream is not None:
            # the lines of the wire are compared with those that the recorder writes
            headers["accept"] = "application/jsonl"
        self._client = Client(
            _alone(api, entry, self._recorder),
            options=within(options or Options(), stream_seconds),
            headers=headers,
        )
        self._bound: Bound = next(iter(self._client.service.routes.values()))
        if isinstance(self._bound.output, Items):
            self._recorder.write = writing(entry, self._bound.output)

    def laws(self, settings: Settings) -> list[Callable[[], None]]:
        """Each law as a test."""
        self.waits = Waits()
        valid = self.waits.guarded(self._valid)
        # a user who asks for fewer examples gets fewer of each law
        few = Settings(settings, max_examples=min(settings.max_examples, _EDGES))
        laws: list[Callable[[], None]] = [
            self._law("takes_what_is_valid", valid, self._cases, settings),
            self._law("takes_what_is_just_valid", valid, self._edges, few),
            self._law("refuses_what_is_not", self._invalid, self._misses, settings),
        ]
        fewest = Settings(settings, max_examples=FEW)
        for index, cases in enumerate(self._worded[: settings.max_examples]):
            laws.append(self._law(f"takes_its_words_{index}", valid, cases, fewest))
        if self._repeatable:
            pairs = st.tuples(self._cases, self._cases)
            between = self.waits.guarded(self._between)
            laws.append(self._law("forgets_other_calls", between, pairs, settings))
        return laws

    def _law(
        self, name: str, law: Callable[[Any], None], drawn: SearchStrategy[Any], settings: Settings
    ) -> Callable[[], None]:
        def each(call: Any) -> None:
            if self._reset is not None:
                self._reset()
            # the calls of this example are those from `start` on
            start, found = len(self._history), None
            try:
                law(call)
            except Finding as finding:
                found = finding
            if found is None:
                self._history.went_well(start)
                return
            found = self._with_history(found, start)
            self.noted.append(found)
            # outside of `except`, and only here: Hypothesis tells findings apart by where they and
            # their causes were raised
            raise found.with_traceback(None)

        # the key under which Hypothesis keeps its examples
        each.__name__ = re.sub(r"\W", "_", f"{self._entry.name}_{name}")
        return settings(given(drawn)(each))

    def look(self, settings: Settings) -> None:
        """
        Call the route once, and ignore the result.

        Later calls then meet the state that a few calls of other routes make.
        """
        once = Settings(
            settings,
            max_examples=1,
            phases=(Phase.generate,),
            database=None,
            verbosity=Verbosity.quiet,
            print_blob=False,
        )
        self._history.looking.append(None)
        # whatever is wrong comes again, in the check of the route itself
        with suppress(Finding, Unsatisfiable):
            self._law("looks", self._valid, self._cases, once)()
        self._history.looking.clear()

    def _with_history(self, finding: Finding, start: int) -> Finding:
        """The *finding*, with the calls before it if it needs the state that these made."""
        history = self._history
        history.went_wrong(start)
        if self._reset is not None or not start:
            return finding
        if not self.noted:
            finding.before = tuple(history.before(start))
        if history.needs_state(start):
            # the first failing call, unshrunk: without a reset, nobody can tell how many of the
            # calls before it are needed
            if self.noted:
                finding = self.noted[0]
            before: Sequence[str] = finding.before
        else:
            before = history.looked(start)
        if not before:
            return finding
        return _after(before, finding)

    # The laws.

    def _valid(self, case: _Case) -> None:
        """Check a valid call; if it answers with a page, check a few more pages."""
        case = self._with_context(case)
        for _ in range(1 + _FOLLOWED):
            reply, result = self._agreeing(case)
            page: Slice[Any, Any] = result
            if not isinstance(result, Slice) or page.next is None:
                return
            document = {**case.document, "after": reply.json["next"]}
            following = _Case(replace(case.value, after=page.next), document, case.ctx)
            case = self._with_context(following)

    def _agreeing(self, case: _Case) -> tuple[Reply, Any]:
        """The reply to a valid call and the result of the resolver, which must agree."""
        reply = self._sent(case)
        called, result = self._recorder.called, self._recorder.result
        # a hook that answered may answer otherwise, and a stream that was cut off may end anywhere
        if not (self._repeatable and called) or is_late(reply) or self._left_behind:
            return reply, result
        try:
            answer = self._answer(self._called(case), case)
        except Late:
            self.waits.late += 1  # a busy machine may be why
            self._left_behind = True
            return reply, result
        if not _same(answer, reply):
            problem = (
                f"it {_answers(reply)} over the wire, "
                f"and {_answers(answer)} as a function, called right after that"
            )
            raise Disagrees(self._entry.name, problem + _ONLY_READS, self._calls(case))
        if self._entry.route.cache is not None:
            self._gotten(case, reply)
        return reply, result

    def _gotten(self, case: _Case, posted: Reply) -> None:
        """Call the route by GET, too, which must answer what POST did."""
        recorder = self._recorder
        recorder.begin(case.ctx)
        reply = uninterrupted(
            self._client.get(self._entry.name, case.document, token=self._token())
        )
        if reply.status == 414 or (reply.error in self._hook_codes and not recorder.called):
            return  # too long for a URL; or a hook counts calls
        if not _same((posted.status, posted.body), reply):
            problem = (
                f"it {_answers(posted)} by POST, "
                f"and {_answers(reply)} by GET, called right after that"
            )
            calls = [
                *self._calls(case),
                f"Client(api).get({self._entry.name!r}, {case.document!r})",
            ]
            raise Disagrees(self._entry.name, problem + _ONLY_READS, calls, reply.exception)

    def _invalid(self, drawn: tuple[InvalidBody, Any]) -> None:
        miss, ctx = drawn
        if self._makes is not None:
            ctx = self._makes()
        self._recorder.begin(ctx)
        reply = self._posted(miss.body, self._files)
        if reply.error == "VALIDATION_ERROR" and not self._recorder.called:
            issues = [
                (tuple(issue["path"]), issue["code"]) for issue in reply.json["data"]["issues"]
            ]
            if issues == [(miss.path, miss.code)]:
                return
        # a hook that needs no input, or a missing scope, refuses the caller before the body is read
        if not self._recorder.called and self._refuses_caller(reply, self._early_codes):
            return
        wanted = f"VALIDATION_ERROR with {miss.code} at {list(miss.path)}"
        raise NotRefused(
            self._entry.name,
            (
                f"a wrong body ({miss.reason}) is to be refused with {wanted}, "
                f"and it {_answers(reply)}"
            ),
            [f"Client(api).call({self._entry.name!r}, body={miss.body!r})"],
            reply.exception,
        )

    def _between(self, cases: tuple[_Case, _Case]) -> None:
        first, other = map(self._with_context, cases)
        before = self._sent(first)
        answered = self._recorder.called
        self._sent(other)
        after = self._sent(first)
        if not (answered and self._recorder.called) or is_late(before) or is_late(after):
            return  # a hook may count calls, and what comes in some time is never the same
        if not _same((before.status, before.body), after):
            problem = f"it {_answers(before)}, and {_answers(after)} after another call"
            calls = [*self._calls(first), *self._calls(other)[-2:], *self._calls(first)[-2:]]
            raise Disagrees(self._entry.name, problem + _ONLY_READS, calls)

    # One call.

    def _with_context(self, case: _Case) -> _Case:
        """The *case*, with a context that is made for this call, if a function makes them."""
        if self._makes is None:
            return case
        return _Case(case.value, case.document, self._makes())

    def _sent(self, case: _Case) -> Reply:
        """Send a valid input and return the reply, which must carry the resolver's output."""
        self._remember(case)
        recorder = self._recorder
        recorder.begin(case.ctx)
        document, files = _apart(self._entry, case.document)
        reply = self._posted(written_as(document), files)

        # 1. A stream that takes too long is no finding; its items were checked as they came.
        if is_late(reply):
            self.waits.late += 1
            if reply.items:
                self.codes.add(OK)
            return reply
        self.codes.add(reply.error or OK)

        # 2. The resolver raised, or was not called at all.
        if recorder.failed is not None:
            if reply.error == "INTERNAL_ERROR":
                raise self._crashed(recorder.failed, case)
            return reply  # the mount was told to map this exception
        if not recorder.called:
            if reply.exception is not None:  # of a hook, or of a class of the input
                raise self._crashed(reply.exception, case)
            if self._refuses_caller(reply, self._hook_codes):
                return reply
            raise Refused(
                self._entry.name,
                f"a valid input is refused: it {_answers(reply)}",
                self._calls(case),
            )

        # 3. It returned something that the route declares, and the wire says so.
        answer = self._answer(recorder.result, case)
        if not _same(answer, reply):
            problem = f"the resolver {_answers(answer)}, and the wire {_answers(reply)}"
            raise Disagrees(self._entry.name, problem, self._calls(case), reply.exception)
        return reply

    def _posted(self, body: bytes, files: Mapping[str, Any] | None = None) -> Reply:
        """Send *body*, with a token unless the context is that of a call without one."""
        headers: dict[str, str] = {}
        if files is not None:
            body, headers["content-type"] = form_with(body, files)
        return uninterrupted(
            self._client.call(self._entry.name, body=body, token=self._token(), headers=headers)
        )

    def _token(self) -> str | None:
        nobody = self._entry.route.auth == "optional" and self._recorder.ctx is None
        return None if nobody else _TOKEN

    def _refuses_caller(self, reply: Reply, codes: Collection[str]) -> bool:
        """Whether a hook with one of these *codes* answers, or the caller lacks a scope."""
        requires = self._entry.requires
        lacks = bool(requires) and lacking(requires, self._recorder.ctx)
        return reply.error in codes or (reply.error == "FORBIDDEN" and lacks)

    def _remember(self, case: _Case) -> None:
        if self._reset is None:  # else every example begins from the same state
            key = (self._entry.name, source_of(case.value).text, source_of(case.ctx).text)
            self._history.add(
                key, partial(self._calls, case), only_reads=self._entry.route.effect == "read"
            )

    def _called(self, case: _Case) -> Any:
        """Call the resolver as a function, and return its result."""
        self._remember(case)
        for each in _uploads_in(_apart(self._entry, case.document)[1] or {}):
            each.file.seek(0)  # it has been read
        try:
            write = self._recorder.write or checking(self._entry)
            call = partial(called, self._entry, case.value, case.ctx, write, FEW_ITEMS)
            if self._entry.stream is not None:
                return in_time(call, self.stream_seconds)
            return call()
        except Late:
            raise
        except Exception as exception:
            raise self._crashed(exception, case) from exception

    def _answer(self, result: Any, case: _Case) -> tuple[int, bytes]:
        """The status and the body that *result* stands for, if the route declares it."""
        name, calls = self._entry.name, self._calls(case)
        if isinstance(result, Drawn):
            finding = result.finding(name, calls)
            if finding is not None:
                raise finding
            return 200, result.body
        try:
            if not isinstance(result, Failure):
                if self._bound.pages is not None:
                    result = page_of(result, written_as(case.document), case.value.limit)
                return 200, self._bound.output.dump(result)
            kind = type(result)
            if kind in self._entry.own_failures:
                reply = self._bound.failures[kind].reply(result)
                return reply.status, reply.body
        except InvalidOutput as invalid:
            given = source_of(result).text
            raise WrongOutput(
                name,
                f"it returned {cut(given, _SHOWN)}, which does not fit what it declares: {invalid}",
                calls,
            ) from None
        raise Undeclared(
            name, f"it returned {kind.__name__}, which its annotation does not declare", calls
        )

    def _crashed(self, exception: BaseException, case: _Case) -> Crashed:
        raised = type(exception).__name__
        if str(exception):
            raised = f"{raised}: {exception}"
        return Crashed(self._entry.name, f"it raised {raised}", self._calls(case), exception)

    def _calls(self, case: _Case) -> list[str]:
        """The call, as Python and over the wire."""
        route, name = self._entry.route, self._entry.name
        value, ctx = source_of(case.value), source_of(case.ctx)
        lines: list[str] = []

        # 1. As Python. A method that is bound to an object has no name to import; a function that
        #    is local to another one is called, and nothing can import it.
        if route.__qualname__.rpartition("<locals>.")[2] == route.__name__:
            arguments, given = [case.value], value.text
            if route.auth != "none":
                arguments, given = [case.value, case.ctx], f"{value.text}, {ctx.text}"
            call = f"{route.__name__}({given})"
            needs: dict[str, str] = {}
            if route.__name__ == route.__qualname__:
                needs[route.__name__] = route.__module__
            if route.is_async:
                lines.append("import asyncio")
                call = f"asyncio.run({call})"
            lines += source_of(arguments).imports(needs)
            lines.append(call)

        # 2. Over the wire.
        document, files = _apart(self._entry, case.document)
        nobody = route.auth == "none" or (route.auth == "optional" and case.ctx is None)
        options = ""
        if not nobody:
            options = ", token=..."
        if files:
            options += f", files={files!r}"
        return [*lines, f"Client(api).call({name!r}, {document!r}{options})"]


def _after(before: Sequence[str], finding: Finding) -> Finding:
    return type(finding)(
        finding.route, finding.problem, joined(before, finding.calls), finding.__cause__
    )


_ONLY_READS: Final = "; it should only read (or else give repeatable=False)"
_SHOWN: Final = 200
_FOLLOWED: Final = 2
"""How many pages are asked for after the first."""
_EDGES: Final = 50
"""How many examples are at the limits of the types."""


def _case(pair: Pair, ctx: Any) -> _Case:
    return _Case(pair.value, pair.document, ctx)


def _alone(api: AnySpec, entry: Entry, recorder: Recorder) -> Spec[Any]:
    """A copy of *api* with this route alone, resolved by *recorder*; it accepts any token."""
    # a route refuses every change, so its copy is filled through its `__dict__`
    route: Any = object.__new__(type(entry.route))
    object.__getattribute__(route, "__dict__").update(vars(entry.route), resolver=recorder)
    # Hooks, scopes and an optional token need the context of the call before the resolver does. To
    # the resolver the recorder gives it, whatever `authenticate` returns.
    asked = entry.hooks or entry.requires or route.auth == "optional"
    lets_in = Authenticator(recorder.authenticate if asked else any_token, inline=True)
    only = replace(entry, route=route)
    if entry.authenticator is not None:
        only = replace(only, authenticator=lets_in)
    alone: Spec[Any] = Spec(
        entries={entry.name: only},
        authenticator=lets_in,
        meta=api.meta,
        exports={},
        rename=api.rename,
        builtins=api.builtins,
        reader=api.reader,
    )
    return alone


def _is_factory(ctx: object) -> bool:
    return isinstance(ctx, type | partial) or inspect.isroutine(ctx)


def _same(answer: tuple[int, bytes], reply: Reply) -> bool:
    status, body = answer
    if reply.items is not None:
        # the wire sends keep-alive lines when it has to wait, and the recorder never waits
        return status == reply.status and _without_quiet(body) == _without_quiet(reply.body)
    return status == reply.status and (body == reply.body or orjson.loads(body) == reply.json)


def _without_quiet(body: bytes) -> bytes:
    """The lines of a stream, without its keep-alive lines."""
    return b"".join(line for line in body.splitlines(keepends=True) if line != LINES.quiet)


def _answers(answer: Reply | tuple[int, bytes]) -> str:
    if isinstance(answer, Reply):
        answer = (answer.status, answer.body)
    return f"answers {shortly(*answer)}"
