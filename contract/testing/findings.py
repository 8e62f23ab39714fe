"""
Findings: what a check found, with the smallest call that shows it, and what it never saw.

Each kind of finding is a class, so that Hypothesis tells them apart, and does not mix up two bugs
while it shrinks the call of each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final, final

from hypothesis import HealthCheck, Phase
from hypothesis import settings as Settings  # noqa: N812  it is a class
from hypothesis.errors import Flaky, Unsatisfiable

from contract.call.context import OK
from contract.call.log import CALLS, ERRORS
from contract.declare.failures import Forbidden
from contract.declare.typed_route import Entry
from contract.shape.record import record

__tracebackhide__ = True  # of pytest: a finding says all that there is to see here

__all__ = [
    "Crashed",
    "Disagrees",
    "Finding",
    "History",
    "NotRefused",
    "Refused",
    "Undeclared",
    "Unstable",
    "WrongOutput",
    "declared_by",
    "findings_in",
    "found_by",
    "joined",
    "settings_for",
    "silence",
    "told_of",
    "unseen",
]


class Finding(AssertionError):  # noqa: N818  it is not an error of a program's
    """
    An AssertionError: a route breaks its contract.

    Attributes:
        route: The name of the route.
        problem: What is wrong, in one line, without control characters.
        calls: The calls that show it: lines of Python. Its text has only the last of many.
        body: The body that was sent, if it is enough to repeat the call.
        caller: Which of several callers sent it.
        by_get: Whether it was sent by GET, with the body in the URL.
        before: The calls before it, if they may have made the state that it needs.
    """

    def __init__(
        self,
        route: str,
        problem: str,
        calls: Sequence[str] = (),
        cause: BaseException | None = None,
        body: bytes | None = None,
    ) -> None:
        problem = "".join(map(_printable, problem))  # the text may come from anywhere
        text = f"{route}: {problem}"
        if calls:
            shown = "".join(f"\n    {line}" for line in _last_of(calls))
            text = f"{text}\n{shown}\n"
        super().__init__(text)
        self.route: Final = route
        self.problem: Final = problem
        self.calls: Final = tuple(calls)
        self.body: Final = body
        self.caller = 0
        self.by_get = False
        self.before: tuple[str, ...] = ()
        self.__cause__: BaseException | None = None if cause is None else _from_the_app(cause)
        self.__context__ = cause  # where the cause was raised tells one finding from another


def _printable(char: str) -> str:
    """A character, or its escape in Python if a terminal should not get it."""
    if char.isprintable():
        return char
    return char.encode("unicode_escape").decode()


def _from_the_app(exception: BaseException) -> BaseException:
    """The *exception* without the frames of this package that led to the code that raised it."""
    step = exception.__traceback__
    # the frames come from the outermost to the innermost
    while step is not None and step.tb_frame.f_globals.get("__name__", "").startswith("contract."):
        step = step.tb_next
    if step is None:  # it was raised by this package
        return exception
    return exception.with_traceback(step)


class Crashed(Finding):
    """The resolver, or a class of its input, raised."""


class WrongOutput(Finding):
    """The route returned something that it does not declare."""


class Undeclared(Finding):
    """The route returned a failure that it does not declare."""


class Refused(Finding):
    """A valid input was refused."""


class NotRefused(Finding):
    """An invalid input was not refused, or was refused for another reason."""


class Disagrees(Finding):
    """
    One input gave different answers.

    One came from the function; the other came over the wire or after another call.
    """


class Unstable(Finding):
    """A call that failed went well when it was repeated."""


# Health checks of Hypothesis that fail because values are slow to draw, large, or often dropped.
_SLOW: Final = (
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.filter_too_much,
)


def settings_for(given: Settings | None, **more: Any) -> Settings:
    """
    The settings that were *given*, or those of the profile without a deadline.

    No check fails because a type is slow to draw.
    """
    base = given
    if base is None:
        base = Settings(Settings.default, deadline=None)
    # the explain phase traces every line, which is slow; a finding says what is wrong without it
    phases = [phase for phase in base.phases if phase is not Phase.explain]
    options: dict[str, Any] = {
        "suppress_health_check": [*base.suppress_health_check, *_SLOW],
        "phases": phases,
        **more,
    }
    return Settings(base, **options)


def found_by(law: Callable[[], None], noted: list[Finding], route: str) -> None:
    """
    Run *law*, which adds the exceptions that it raises to *noted*.

    Raises:
        Finding: The smallest one found; an `Unstable` if it did not happen again.
        Unsatisfiable: No input was found to call *route* with.
    """
    noted.clear()  # findings of another law, or of an earlier run
    try:
        law()
    except Unsatisfiable as error:
        problem = (
            "no input was found that its patterns, lengths and predicates allow; "
            "there may be none, else give overrides="
        )
        raise Unsatisfiable(f"{route}: {problem}") from error
    except Flaky:
        if not noted:
            raise
        # with the calls before it, the first one is reported as it was
        first = noted[0]
        if not first.before:
            first = min(noted, key=lambda finding: len(str(finding)))
        raise _unstable(first) from first


def _unstable(first: Finding) -> Unstable:
    """The finding for *first*, which did not happen again."""
    problem = (
        f"{first.problem}; the same call went well another time, "
        "so something is kept from one call to the next (give reset=)"
    )
    unstable = Unstable(
        first.route, problem, joined(first.before, first.calls), first.__cause__, first.body
    )
    unstable.caller, unstable.by_get = first.caller, first.by_get
    return unstable


def findings_in(group: BaseExceptionGroup[Finding]) -> Iterator[Finding]:
    """Each finding of a *group*; one that did not happen again is in a group of its own."""
    for each in group.exceptions:
        if isinstance(each, Finding):
            yield each
        else:
            yield from map(_unstable, findings_in(each))


@contextmanager
def silence() -> Generator[None]:
    """
    Turn off the log of calls in this block.

    There are hundreds of calls, and those that matter are reported elsewhere.
    """
    _SILENCE.begin()
    try:
        yield
    finally:
        _SILENCE.end()


@final
class _Silence:
    """
    A counter for checks that run in threads: silence lasts from the first to the last of them.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._depth = 0
        self._before: list[bool] = []

    def begin(self) -> None:
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._before = [logger.disabled for logger in _LOGGERS]
            for logger in _LOGGERS:
                logger.disabled = True

    def end(self) -> None:
        with self._lock:
            self._depth -= 1
            if not self._depth:
                for logger, disabled in zip(_LOGGERS, self._before, strict=True):
                    logger.disabled = disabled


_LOGGERS: Final = (CALLS, ERRORS)
_SILENCE: Final = _Silence()


# The calls before a finding, which may have made the state that it needs.


@final
@record
class _Call:
    key: Hashable
    """Equal for calls of one route with the same input and context."""
    lines: Callable[[], list[str]]
    """The call as Python."""
    only_reads: bool


@final
class History:
    """
    The calls of one check, or of all checks of a spec, in their order.

    A finding surely depends on state if its call once went well. It may depend on state if its call
    never went well, but all routes had been called once before.
    """

    def __init__(self) -> None:
        self.looking: Final[list[None]] = []
        """Not empty while each route is called once, before anything else."""
        self._calls: Final[list[_Call]] = []
        self._well: Final[set[Hashable]] = set()
        self._wrong: Final[dict[Hashable, int]] = {}

    def __len__(self) -> int:
        """How many calls there were."""
        return len(self._calls)

    def add(self, key: Hashable, lines: Callable[[], list[str]], *, only_reads: bool) -> None:
        """Record that a call begins."""
        self._calls.append(_Call(key, lines, only_reads))

    def went_well(self, start: int) -> None:
        """Record that the calls from *start* on went well."""
        self._well.update(call.key for call in self._calls[start:])

    def went_wrong(self, start: int) -> None:
        """Record that something was wrong with the calls from *start* on."""
        if self.looking:
            self._wrong.update((call.key, start) for call in self._calls[start:])

    def needs_state(self, start: int) -> bool:
        """Whether one of the calls from *start* on went well earlier."""
        return any(call.key in self._well for call in self._calls[start:])

    def looked(self, start: int) -> list[str]:
        """
        The calls before the first failure of a call from *start* on, if it came in the first look.

        Calls that only read are left out, since they change nothing.
        """
        end = min(
            (self._wrong[call.key] for call in self._calls[start:] if call.key in self._wrong),
            default=0,
        )
        return _shown(call for call in self._calls[:end] if not call.only_reads)

    def before(self, start: int) -> list[str]:
        """All calls before *start*."""
        return _shown(self._calls[:start])


def joined(before: Iterable[str], calls: Iterable[str]) -> list[str]:
    """Both blocks of Python as one, with all imports first and without duplicates."""
    lines = [*before, *calls]
    return [
        *dict.fromkeys(filter(_imports, lines)),
        *(line for line in lines if not _imports(line)),
    ]


def _last_of(calls: Iterable[str]) -> list[str]:
    """The imports and the last of the *calls*, and a comment that says how many came before."""
    lines = [*calls]
    made = [line for line in lines if not _imports(line)]
    more = len(made) - _MANY
    if more <= 0:
        return lines
    hint = (
        f"# {more:,} more came before, and it may need what they changed; "
        "give reset= (finding.calls has all of them)"
    )
    return [*filter(_imports, lines), hint, *made[more:]]


_MANY: Final = 20
"""As many calls of a finding as somebody may read."""


def _shown(calls: Iterable[_Call]) -> list[str]:
    lines: list[str] = []
    for call in calls:
        # imports, the call as Python if it has a name, and the same call over the wire
        own = call.lines()
        lines += [*filter(_imports, own), next(line for line in own if not _imports(line))]
    return joined((), lines)


def _imports(line: str) -> bool:
    return line.startswith(("import ", "from "))


# Declared answers that never came: failures whose state did not arise, or the output.


def declared_by(entry: Entry) -> tuple[str, ...]:
    """
    The codes of the failures of a route, including those within its stream.

    FORBIDDEN is left out where nobody but ``requires=`` answers it: no code of the user's is behind
    it, and a check mostly calls as somebody who may call.
    """
    by_hooks = {cls for typed in entry.hooks for cls in typed.failures}
    unasked = {Forbidden} & (entry.hooked - by_hooks)
    return tuple(sorted(cls.error_code for cls in entry.every_failure if cls not in unasked))


def unseen(declared: Collection[str], seen: Collection[str]) -> tuple[str, ...]:
    """The output (OK) and the *declared* failures that were never *seen*."""
    return tuple(code for code in (OK, *declared) if code not in seen)


def told_of(declared: int, seen: int) -> str:
    """How many of the declared answers came, in words."""
    if not declared:
        return "no answer was asked for"
    return f"{seen} of {declared} declared answers seen"
