"""
Spec: a document as a spec, whose resolvers make up their answers.

Each answer is drawn with a seed from the input: the same call gets the same answer, from every
process and in every order. The pred of its type loads it and that of the route dumps it, so nothing
is sent that does not fit the document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol, final

import orjson

from contract.call.context import current_call
from contract.call.paging import with_next
from contract.codegen.package import FailureType, Operation, Package
from contract.declare.authenticator import Authenticator
from contract.declare.cache import Cache
from contract.declare.failures import BUILTINS, FRAMEWORK, Failure
from contract.declare.hook import Request
from contract.declare.meta import Meta
from contract.declare.outputs import Download, Stream, Streaming
from contract.declare.route import route
from contract.declare.route_options import Deprecated
from contract.declare.spec import Spec
from contract.declare.typed_route import Entry
from contract.declare.ways import Credential
from contract.declare.webhooks import Signed
from contract.document.model import ContractRoute
from contract.pred.compile import Pred, compile_pred
from contract.pred.dump.walk import plain
from contract.shape.exceptions import GenerationError, InvalidInput
from contract.shape.graph import reachable
from contract.shape.header_values import HEADER_WORD
from contract.shape.media_types import Media
from contract.shape.nodes import NO_CLASS, Definition, IntShape, RecordShape, RefShape, Shape
from contract.shape.pages import Slice
from contract.shape.reader import ShapeReader
from contract.shape.record import record
from contract.testing.mock_classes import Classes, files_of
from contract.testing.mock_values import Values
from contract.testing.sample_contents import sample_of
from contract.testing.samples import EXAMPLE

__all__ = ["Forced", "example", "forced", "known_codes", "mock_spec", "preferences", "unmet"]

_TRIES: Final = 20
_BELIEVING: Final = 10
"""The number of tries that use the examples and defaults of the document."""


class _Draw(Protocol):
    """A function that makes up JSON."""

    def __call__(self, random: Random, *, documented: bool) -> Any: ...


@final
@record
class Forced:
    """An answer that a client prefers."""

    code: str
    status: int
    applied: str
    """For ``Preference-Applied``."""


def mock_spec(package: Package, *, seed: int = 0, origins: tuple[str, ...] = ()) -> Spec[Any]:
    """
    The spec that *package* describes; any token will do.

    Args:
        package: A document.
        seed: Another seed gives other answers, which are also the same each time.
        origins: The origins of other pages that may send cookies, which no document tells.

    Raises:
        GenerationError: Something cannot be made up, or cannot be served; it says where, and
            what to write instead.
    """
    return _Mock(package, seed, origins).spec()


def example(package: Package, name: str) -> bytes | None:
    """
    An input of the route *name* in JSON; None if the route takes no input.

    It asks for the first page of a list: only the service can make the key of another one.

    Raises:
        GenerationError: No input can be made up.
    """
    given = package.operations[name].input
    if given is None:
        return None
    needed = reachable(given)
    known = {key: each for key, each in package.definitions.items() if each in needed}
    only = replace(package, definitions=known, operations={name: package.operations[name]})
    values, where = Values(only), f"$.routes.{name}.input"
    pred = compile_pred(Classes(only).of(given))
    made = pred.dump(_Answer(pred, partial(values.draw, given, where=where), where).make(name))
    if package.operations[name].route.pages:
        return orjson.dumps({**orjson.loads(made), "after": None})
    return made


def forced(header: str | None, known: Mapping[str, int]) -> Forced | None:
    """
    The answer for a client that sends *header* as ``Prefer``.

    It is None if the client would get that answer anyway.

    Args:
        header: As it was sent.
        known: The `known_codes` of the route.
    """
    if header is None:
        return None
    wanted = preferences(header)
    code = wanted.get("code")
    if code is not None:
        if code not in known:
            return None
        return Forced(code, known[code], f"code={code}")
    status = wanted.get("status", "")
    for code, its_status in known.items():
        # the first of several codes with this status, which is one of the route's own if it has any
        if str(its_status) == status:
            return Forced(code, its_status, f"status={status}")
    return None


def unmet(header: str, known: Mapping[str, int]) -> str | None:
    """
    A message for a client that prefers an answer that it cannot get.

    It is None if the client gets what it prefers, or prefers nothing.

    Args:
        header: As for `forced`.
        known: As for `forced`.
    """
    wanted = preferences(header)
    name = "code" if "code" in wanted else "status"
    if wanted.get(name, _USUAL) == _USUAL or forced(header, known) is not None:
        return None
    choice = [*known]
    if name == "status":
        choice = sorted({str(status) for status in known.values()})
    return (
        f"This route cannot answer with {name}={wanted[name]}; Prefer one of: {', '.join(choice)}."
    )


_USUAL: Final = "200"


def known_codes(declared: Mapping[str, int], *, is_public: bool) -> dict[str, int]:
    """Code -> status of all failures that a call may get, those of the route first."""
    others = {cls.error_code: cls.http_status for cls in BUILTINS}
    others |= {code: each.status for code, each in FRAMEWORK.items()}
    if is_public:  # it takes no credential, so it refuses none
        del others["UNAUTHORIZED"]
    return {**declared, **{code: others[code] for code in others if code not in declared}}


@final
class _Mock:
    """Makes one spec."""

    def __init__(self, package: Package, seed: int, origins: tuple[str, ...]) -> None:
        self._package = package
        self._seed = seed
        self._origins = origins
        self._classes = Classes(package)
        self._values = Values(package)
        self._reader = ShapeReader()
        self._builtins = {cls: self._reader.failure(cls, where=cls.__name__) for cls in BUILTINS}
        self._failures: dict[str, tuple[type[Failure], Definition]] = {
            cls.error_code: (cls, definition) for cls, definition in self._builtins.items()
        }

        self._declared = {
            code: each for code, each in package.builtins.items() if code in _BUILTIN
        } | {**package.failures}
        """Code -> failure, for each code that a resolver may answer with."""

        self._answers: dict[str, _Answer] = {}
        """Code -> its answer, which is compiled once for all routes."""

    def spec(self) -> Spec[Any]:
        for code, failure in self._declared.items():
            if code not in _BUILTIN or not self._is_builtin(failure):
                self._failures[code] = self._failure(failure)
        self._answers = {code: self._failing(code) for code in self._failures}
        entries = {
            name: self._entry(operation) for name, operation in self._package.operations.items()
        }
        return Spec(
            entries=MappingProxyType(entries),
            authenticator=_ANYBODY,
            meta=Meta(title=" ".join(self._package.document.info.title.split()) or "Mock"),
            exports=MappingProxyType({}),
            rename=None,
            builtins=MappingProxyType(self._builtins),
            reader=self._reader,
        )

    def _failure(self, failure: FailureType) -> tuple[type[Failure], Definition]:
        data = None if failure.data is None else failure.data.definition.shape
        record = data if isinstance(data, RecordShape) else _NOTHING
        members = self._classes.members(record)
        made: Any = type(
            "Made", (Failure,), {**members, "__doc__": "Made up."}, status=failure.status
        )
        made.error_code = failure.code  # it may be a code that authors must not use
        definition = Definition((failure.code,), failure.code, __name__)
        definition.close(self._classes.record(record, "failure", made))
        return made, definition

    def _entry(self, operation: Operation) -> Entry:
        described = operation.route
        where = f"$.routes.{described.path}"
        given = None if operation.input is None else self._classes.of(operation.input)
        output = self._classes.of(operation.output)
        if described.pages:
            output = _slice(output)

        # 1. The answers that its resolver may give: an output, or one of the declared failures.
        between = operation.between or ()
        codes = (*operation.failures, *between)
        failing = {code: self._answers[code] for code in (*codes, *_BUILTIN)}
        answer = _Answer(
            compile_pred(output),
            partial(self._values.draw, operation.output, where=f"{where}.output"),
            where,
        )
        statuses = {code: self._failures[code][0].http_status for code in codes}
        known = known_codes(statuses, is_public=described.auth == "none")
        # 2. The resolver. Each answer is made once, so that a document of which nothing can be made
        #    up is refused before the mock is served.
        make = _Resolver
        if described.pages:
            make = _Pages
        elif operation.between is not None:
            make = _Streams
        elif described.media:
            make = _Files
        resolver = make(f"{self._seed} {described.path}", given, answer, failing, known)
        resolver.media = described.media
        resolver.try_out()

        # 3. The entry, which `contract.spec` would read from annotations.
        only_between = {*between} - {*operation.failures}
        resolver.between = frozenset(self._failures[code][0] for code in only_between)
        before = (code for code in failing if code not in only_between)
        failures = MappingProxyType(dict(self._failures[code] for code in before))
        stream: Streaming | None = None
        if operation.between is not None:
            stream = Streaming(MappingProxyType(dict(self._failures[code] for code in between)))
        page_key = IntShape() if described.pages else None
        media = Media(*described.media) if described.media else None
        made = _decorated(described, resolver)
        authenticator = None if described.auth == "none" else self._anybody_by(described.ways)
        return Entry(
            described.path,
            made,
            given,
            output,
            failures,
            where,
            authenticator=authenticator,
            group=described.group,
            page_key=page_key,
            stream=stream,
            files=files_of(described),
            media=media,
        )

    def _anybody_by(self, ways: tuple[str, ...]) -> Authenticator:
        """Accepts any caller with one of these credentials, whatever its value."""
        if not ways:
            return _ANYBODY
        places = self._package.document.ways
        taken = [
            Credential(places.get(name, "bearer"), name, _anybody, self._origins) for name in ways
        ]
        return Authenticator(_anybody, inline=True, ways=tuple(taken))

    def _is_builtin(self, failure: FailureType) -> bool:
        """Whether *failure*, which has the code of a builtin, is that builtin."""
        try:
            self._failing(failure.code).make("")
        except GenerationError:
            return False
        return failure.status == _BUILTIN[failure.code].http_status

    def _failing(self, code: str) -> _Answer:
        _, definition = self._failures[code]
        where = f"$.errors.{code}.data"
        declared = self._declared.get(code)
        draw: _Draw = _nothing_drawn
        if declared is not None and declared.data is not None:
            draw = partial(self._values.draw, declared.data, where=where)
        return _Answer(compile_pred(definition.shape), draw, where)


_BUILTIN: Final = {cls.error_code: cls for cls in BUILTINS}


_NOTHING: Final = RecordShape("failure", NO_CLASS, ())


# there is nothing to draw
def _nothing_drawn(random: Random, *, documented: bool) -> Any:  # noqa: ARG001
    return {}


def _anybody(token: str, request: Request) -> Literal[True]:  # noqa: ARG001  any token will do
    return True


_ANYBODY: Final = Authenticator(_anybody, inline=True)


def _decorated(described: ContractRoute, resolver: _Resolver) -> Any:
    notice, described_cache = described.deprecated, described.cache
    deprecated: bool | Deprecated = False
    if notice is not None:
        deprecated = Deprecated(since=_day(notice.since), remove_on=_day(notice.remove_on))
    cache: Cache | None = None
    if described_cache is not None:
        cache = Cache(max_age=described_cache.max_age, vary=described_cache.vary)
    signed: Signed | None = None
    if described.signed is not None:
        signed = Signed([_SECRET])
    # the document that is served already has these texts; here they would have to keep rules that a
    # document does not know
    options: dict[str, Any] = {
        "summary": "A mock",
        "tags": ["mock"],
        "auth": described.auth,
        "deprecated": deprecated,
        "effect": described.effect,
        "cache": cache,
        "max_body_bytes": described.max_body_bytes,
        "signed": signed,
    }
    decorate: Any = route
    return decorate(**options)(resolver)


_SECRET: Final = "whsec_bm8gb25lIHNpZ25zIGFueXRoaW5nIGJ5IHRoaXM="  # noqa: S105  nothing is checked by it
"""Takes the place of the secrets, which no document tells."""


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


@final
@record(eq=False)
class _Answer:
    """One answer of a route."""

    pred: Pred[Any]
    draw: _Draw
    where: str

    def make(self, seed: str) -> Any:
        """
        The answer for *seed*.

        Raises:
            GenerationError: No valid answer was drawn.
        """
        problem: InvalidInput | GenerationError | None = None
        # The examples and defaults of a document are the best answers, and may be wrong: the first
        # tries use them, and the others do not.
        for attempt in range(_TRIES):
            try:
                random = Random(f"{seed} {attempt}")  # noqa: S311  no secrets are made of it
                return self.pred.load(
                    orjson.dumps(self.draw(random, documented=attempt < _BELIEVING))
                )
            except (InvalidInput, GenerationError) as error:
                problem = error
        if isinstance(problem, GenerationError):
            raise problem
        raise GenerationError(self.where, f"no valid value was found: {problem}; {EXAMPLE}")


class _Resolver:
    """A resolver that makes up its answers."""

    def __init__(
        self,
        seed: str,
        given: Shape | None,
        answer: _Answer,
        failing: Mapping[str, _Answer],
        known: Mapping[str, int],
    ) -> None:
        self._seed = seed
        self._write = None if given is None else partial(plain, given)
        self._answer = answer
        self._failing = failing
        self._known = known
        self.between: frozenset[type[Failure]] = frozenset()
        """The failures that only come between items."""
        self.media: tuple[str, ...] = ()

    def __call__(self, input: Any, ctx: Any) -> Any:  # noqa: ARG002  the same for every caller
        return self._make(input, "")

    def _make(self, input: Any, more: str) -> Any:
        """The answer to *input*; *more* is what else it depends on."""
        preferred = forced(current_call().headers.get("prefer"), self._known)
        answer = self._answer
        if preferred is not None:
            answer = self._failing.get(preferred.code, answer)
        return answer.make(f"{self._asked(input)}{more}")

    def _asked(self, input: Any) -> str:
        """The seed of the answers to *input*."""
        if self._write is None:
            return f"{self._seed} "
        asked = orjson.dumps(self._write(input), option=orjson.OPT_SORT_KEYS)
        return f"{self._seed} {asked.decode()}"

    def try_out(self) -> None:
        """
        Make each answer once.

        Raises:
            GenerationError: An answer cannot be made.
        """
        for answer in (self._answer, *self._failing.values()):
            answer.pred.dump(answer.make(self._seed))


@final
class _Pages(_Resolver):
    """A resolver that makes up a few pages; the key of a page is its number."""

    def __call__(self, input: Any, ctx: Any) -> Any:  # noqa: ARG002  as above
        number: int = input.after or 0
        more = f" page {number}" if number else ""
        found: Any = self._make(replace(input, after=None), more)
        if isinstance(found, Failure):
            return found
        object.__setattr__(found, "items", found.items[: input.limit])  # a page is frozen
        following = number + 1
        key = following if following < _PAGES else None
        return with_next(found, key)


@final
class _Streams(_Resolver):
    """A resolver that makes up a few items, and ends normally or by the failure asked for."""

    def __call__(self, input: Any, ctx: Any) -> Any:  # noqa: ARG002  as above
        found = self._make(input, "")
        if isinstance(found, Failure) and type(found) not in self.between:
            return found
        seed = self._asked(input)
        items = [self._answer.make(f"{seed} item {number}") for number in range(_ITEMS)]
        if isinstance(found, Failure):
            items.append(found)
        return Stream(iter(items))


@final
class _Files(_Resolver):
    """A resolver that gives a file of the first of its media types."""

    def __call__(self, input: Any, ctx: Any) -> Any:  # noqa: ARG002  as above
        found = self._make(input, "")
        if isinstance(found, Failure):
            return found
        media_type, body = sample_of(self.media[0])
        return Download(body, media_type=media_type, name="made-up")


_PAGES: Final = 3
_ITEMS: Final = 3


def _slice(shape: Shape) -> Shape:
    """*shape*, with pages that a mount also recognizes as such."""
    assert isinstance(shape, RefShape)  # noqa: S101  the reader of documents has checked this
    definition, record = shape.definition, shape.definition.shape
    assert isinstance(record, RecordShape)  # noqa: S101
    made = Definition(definition.key, definition.name, definition.module)
    made.close(replace(record, type=Slice))
    return RefShape(made)


# Which answer a client asks for (RFC 7240).
#
# ``Prefer: code=SOLD_OUT`` asks for a failure by its code, ``Prefer: status=409`` for any failure
# of that status. ``Preference-Applied`` reports the preference that was met. The RFC lets a server
# ignore what it cannot meet. Here that would be a success where a client's test expects a failure,
# so it is refused with 400 and a list of the codes.


_LONGEST: Final = 1000
"""The most characters of a header that are read."""
# A comma between quotes separates nothing. Of each preference, its name and value are read; what
# follows a semicolon are parameters (section 2), and the two that are met here have none.
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_PART: Final = re.compile(rf'(?:[^",]|{_QUOTED})+')
_PREFERENCE: Final = re.compile(rf"({HEADER_WORD})(?:[ \t]*=[ \t]*({HEADER_WORD}|{_QUOTED}))?")


def preferences(header: str) -> dict[str, str]:
    """
    The preferences in *header*, with names in lower case.

    If two have one name, the first counts (section 2).
    """
    found: dict[str, str] = {}
    for part in _PART.findall(header[:_LONGEST]):
        each = _PREFERENCE.match(part.strip(" \t"))
        if each is not None:
            value = each[2] or ""
            if value.startswith('"'):
                value = re.sub(r"\\(.)", r"\1", value[1:-1])
            found.setdefault(each[1].lower(), value)
    return found
