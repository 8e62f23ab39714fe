"""
Findings: what a check has found, with the smallest call that shows it, and what it has not seen.

Each sort of finding is a class, so that Hypothesis tells one from another and does not take two
bugs for one while it looks for the smallest call of each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final, final

from hypothesis import HealthCheck, Phase
from hypothesis import settings as Settings  # noqa: N812  it is a class
from hypothesis.errors import Flaky, Unsatisfiable

from contract.call.context import OK
from contract.call.log import CALLS, ERRORS
from contract.declare.typed_route import Entry
from contract.shape.record import record

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
    "found_by",
    "joined",
    "settings_for",
    "silence",
    "told_of",
    "unseen",
]


class Finding(AssertionError):  # noqa: N818  it is not an error of a program's
    """
    A route breaks its contract.

    Attributes:
        route: Its name.
        problem: What is wrong, in one line, without what a terminal would obey.
        calls: What shows it: lines of Python.
        body: What was sent, where nothing else has to be known to send it again.
        caller: Which of several callers sent it.
        by_get: Whether it was sent by GET, with what would be the body in the URL.
        before: The calls that came before it, where these may have made the state that it needs.
    """

    def __init__(
        self,
        route: str,
        problem: str,
        calls: Sequence[str] = (),
        cause: BaseException | None = None,
        body: bytes | None = None,
    ) -> None:
        # anybody's text
        problem = "".join(
            char if char.isprintable() else char.encode("unicode_escape").decode()
            for char in problem
        )
        shown = "".join(f"\n    {line}" for line in calls)
        super().__init__(f"{route}: {problem}\n{shown}\n" if calls else f"{route}: {problem}")
        self.route: Final = route
        self.problem: Final = problem
        self.calls: Final = tuple(calls)
        self.body: Final = body
        self.caller = 0
        self.by_get = False
        self.before: tuple[str, ...] = ()
        self.__cause__ = cause
        self.__context__ = cause  # where that was raised is what tells one finding from another


class Crashed(Finding):
    """The resolver, or a class of its input, raised."""


class WrongOutput(Finding):
    """The route returned something that it does not declare."""


class Undeclared(Finding):
    """It returned a failure that it does not declare."""


class Refused(Finding):
    """A valid input was refused."""


class NotRefused(Finding):
    """An invalid input was not refused, or for another reason."""


class Disagrees(Finding):
    """
    One input gives different answers.

    One of them came from the function; the other came over the wire or after another call.
    """


class Unstable(Finding):
    """A call that went wrong went well when it was made again."""


_SLOW: Final = (
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.filter_too_much,
)


def settings_for(given: Settings | None, **more: Any) -> Settings:
    """
    Those that were *given*, or those of the profile without a deadline.

    How quickly a type can be drawn fails no check.
    """
    base = Settings(Settings.default, deadline=None) if given is None else given
    # what would be explained is which lines ran, at the price of tracing them all; a finding says
    # what is wrong by itself
    phases = [phase for phase in base.phases if phase is not Phase.explain]
    options: dict[str, Any] = {
        "suppress_health_check": [*base.suppress_health_check, *_SLOW],
        "phases": phases,
        **more,
    }
    return Settings(base, **options)


def found_by(law: Callable[[], None], noted: list[Finding], route: str) -> None:
    """
    Run *law*, which adds to *noted* what it raises.

    Raises:
        Finding: The smallest that was found, or, where that did not happen again, an `Unstable`.
        Unsatisfiable: Nothing was found to call *route* with.
    """
    noted.clear()  # of another law, or of the same one before
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
        # with the calls before it, the first one is repeated as it was
        first = noted[0] if noted[0].before else min(noted, key=lambda finding: len(str(finding)))
        problem = (
            f"{first.problem}; the same call went well another time, "
            "so something is kept from one call to the next (give reset=)"
        )
        unstable = Unstable(
            first.route, problem, joined(first.before, first.calls), first.__cause__, first.body
        )
        unstable.caller, unstable.by_get = first.caller, first.by_get
        raise unstable from first


@contextmanager
def silence() -> Generator[None]:
    """
    Log none of the calls in this block.

    There are hundreds of them, and those that matter are reported in another way.
    """
    _SILENCE.begin()
    try:
        yield
    finally:
        _SILENCE.end()


@final
class _Silence:
    """
    Begins with the first of several checks that run at once, in threads, and ends with the last.
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


# The calls that came before, which may have made the state that something goes wrong in.


@final
@record
class _Call:
    key: Hashable
    """Equal for calls of one route that have the same input and context."""
    lines: Callable[[], list[str]]
    """As Python."""
    only_reads: bool


@final
class History:
    """
    The calls of one check, or of all checks of a spec, in their order.

    That something depends on the state is known of a call that went well once and does not any
    more. Of a call that never went well while all routes had been called but once, it may be so.
    """

    def __init__(self) -> None:
        self.looking: Final[list[None]] = []
        """Has an item while each route is called once, before anything else."""
        self._calls: Final[list[_Call]] = []
        self._well: Final[set[Hashable]] = set()
        self._wrong: Final[dict[Hashable, int]] = {}

    def __len__(self) -> int:
        """How many there were."""
        return len(self._calls)

    def add(self, key: Hashable, lines: Callable[[], list[str]], *, only_reads: bool) -> None:
        """A call begins."""
        self._calls.append(_Call(key, lines, only_reads))

    def went_well(self, start: int) -> None:
        """Nothing was wrong with the calls from *start* on."""
        self._well.update(call.key for call in self._calls[start:])

    def went_wrong(self, start: int) -> None:
        """Something was wrong with them."""
        if self.looking:
            self._wrong.update((call.key, start) for call in self._calls[start:])

    def needs_state(self, start: int) -> bool:
        """Whether one of the calls from *start* on went well before."""
        return any(call.key in self._well for call in self._calls[start:])

    def looked(self, start: int) -> list[str]:
        """
        The calls before one from *start* on went wrong for the first time, in the first look.

        Calls that only read are left out, since they changed nothing.
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
    """Lines of Python after others, with all imports at first, each once."""
    lines = [*before, *calls]
    return [
        *dict.fromkeys(filter(_imports, lines)),
        *(line for line in lines if not _imports(line)),
    ]


def _shown(calls: Iterable[_Call]) -> list[str]:
    lines: list[str] = []
    for call in calls:
        # imports, the call as Python where it has a name, and the same over the wire
        own = call.lines()
        lines += [*filter(_imports, own), next(line for line in own if not _imports(line))]
    return joined(lines, ())


def _imports(line: str) -> bool:
    return line.startswith(("import ", "from "))


# The declared answers that no call got: failures whose state nothing made, or the output.


def declared_by(entry: Entry) -> tuple[str, ...]:
    """The codes of the failures of a route, also of those within its stream."""
    return tuple(sorted(cls.error_code for cls in entry.every_failure))


def unseen(declared: Collection[str], seen: Collection[str]) -> tuple[str, ...]:
    """The output (OK) and those of the *declared* failures that were never *seen*."""
    return tuple(code for code in (OK, *declared) if code not in seen)


def told_of(declared: int, seen: int) -> str:
    """How many answers there were, in words."""
    return f"{seen} of {declared} declared answers seen" if declared else "no answer was asked for"
