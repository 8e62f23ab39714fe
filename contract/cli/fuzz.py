"""
``contract fuzz``: calls every route with valid inputs, and with inputs that are just invalid.

The routes are in this process, or behind HTTP.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import replace
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final, Protocol, final
from urllib.parse import quote

import orjson
from hypothesis.configuration import set_hypothesis_home_dir

from contract.call.log import CALLS, ERRORS
from contract.call.service import Service
from contract.cli.find import aim, take
from contract.cli.fuzz_report import Progress, Replays, as_json, tell
from contract.cli.http import Access, access_of, call_headers, send
from contract.cli.output import Stop, clean, data, dim, red, say
from contract.cli.serving import Settings, listed, services_of
from contract.cli.sources import NAME, document_at
from contract.codegen.package import package_of
from contract.shape.exceptions import GenerationError
from contract.testing.client import Client
from contract.testing.drawn import FEW_ITEMS
from contract.testing.findings import Finding
from contract.testing.fuzzed import Fuzzed, fuzzed_in, fuzzed_of
from contract.testing.fuzzing import Answer, Post, Result, fuzz_route
from contract.testing.made_forms import FORM_TYPE
from contract.testing.received import Item, Receiving, is_stream
from contract.testing.replies import Reply, route_hint, uninterrupted
from contract.testing.waits import is_late, within

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Fuzz, report, and return the exit code."""
    _check_usage(arguments)
    results: list[Result] = []
    last = _Last()
    # what the app prints is not part of the result
    with redirect_stdout(sys.stderr), _nothing_kept():
        ended = _fuzz(arguments, results, last)
    replays = Replays(arguments)
    if results or ended is None:
        if arguments.json:
            data(as_json(results, arguments.seed, replays))
        else:
            tell(results, arguments.seed, replays)
    if ended is not None:
        for each in last.calls:
            say(f"\n{red(clean(each.route))}: not all of it was called; it ended with")
            say(f"    {replays.of(each)}")
        raise ended
    return _code(results, arguments.token)


def _check_usage(arguments: argparse.Namespace) -> None:
    if arguments.url is not None and arguments.target is not None:
        raise Stop(2, "fuzz one place: leave out the target, or --url")
    if arguments.url is None and arguments.timeout:
        raise Stop(
            2, "--timeout is for calls over HTTP; name the URL: --url https://shop.example/v1"
        )


def _fuzz(
    arguments: argparse.Namespace, results: list[Result], last: _Last
) -> BaseException | None:
    """
    Add the result of each route to *results*.

    Return the exception that ended it early, if any; the findings up to then are still reported.
    """
    # the routes, each with one caller for each token
    if arguments.url is not None:
        places = [_remote(arguments)]
    else:
        places = _local(arguments)
    every: list[tuple[Fuzzed, list[_Caller]]] = []
    for routes, calls in places:
        every += [(route, calls) for route in routes]
    wanted = _wanted(arguments, [route for route, _ in every])

    progress = Progress(len(wanted))
    ended: BaseException | None = None
    try:
        for route, calls in every:
            if route.name in wanted:
                posts: list[Post] = []
                gets: list[Post] = []
                for caller, call in enumerate(calls):
                    if route.files is None:
                        posts.append(last.before(call, caller))
                    else:
                        posts.append(last.before(call.form, caller))
                    gets.append(last.before(call.get, caller))
                result = fuzz_route(
                    route,
                    posts,
                    gets=gets,
                    max_examples=arguments.max_examples,
                    seeded=arguments.seed,
                    told=progress.begin(route.name),
                )
                results.append(result)
    except (Stop, KeyboardInterrupt) as exception:
        ended = exception
    except BaseExceptionGroup as group:  # Hypothesis raises it together with what was found before
        ended = next((each for each in group.exceptions if isinstance(each, Stop)), group)
    progress.end()
    return ended


def _code(results: Sequence[Result], tokens: Sequence[str]) -> int:
    if any(result.findings for result in results):
        return 1
    # groups may take different tokens: a token is wrong if every route that checks one refuses it
    refusing = [{*result.refused} for result in results if result.refused]
    refused: list[int] = []
    if tokens and refusing:
        refused = sorted(set[int].intersection(*refusing))
    for caller in refused:
        which = "the token"
        if len(tokens) > 1:
            which = f"token {caller + 1}"
        say(f"contract: {which} is refused")
    if refused:
        return 2
    # for CI, a run without any call must not look like a success
    if results and all(result.skipped is not None for result in results):
        return 2
    return 0


@final
class _Last:
    """Remembers the last call that was sent, which may never return."""

    def __init__(self) -> None:
        self.calls: list[Finding] = []

    def before(self, post: Post, caller: int) -> Post:
        """Wrap *post* so that each call is remembered before it is sent."""

        def noted(route: str, body: bytes) -> Answer:
            self.calls[:] = [Finding(route, "it was sent last", body=body)]
            self.calls[0].caller = caller
            return post(route, body)

        return noted


@contextmanager
def _nothing_kept() -> Generator[None]:
    """Keep Hypothesis's cache in a temporary folder instead of this one."""
    with TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


def _wanted(arguments: argparse.Namespace, routes: Sequence[Fuzzed]) -> list[str]:
    """The names of the routes to call."""
    only: Sequence[str] = arguments.route
    skipped: Sequence[str] = arguments.skip_route
    known = [route.name for route in routes]
    for name in (*only, *skipped):
        if name not in known:
            hint = clean(route_hint(name, known))
            raise Stop(2, f"there is no route {clean(repr(name))}; {hint}")
    wanted = [name for name in known if name in (only or known) and name not in skipped]
    if known and not wanted:
        raise Stop(2, "--skip-route leaves out every route")
    return wanted


# The targets.


def _warn(place: str) -> None:
    """Say what the calls do, before the first of them."""
    said = f"every route of {clean(place)} is called, those that change something too"
    say(dim(f"{said}; --route and --skip-route leave some out"))


class _Caller(Protocol):
    """Calls routes as one caller."""

    def __call__(self, route: str, body: bytes) -> Answer: ...
    def form(self, route: str, body: bytes) -> Answer: ...
    def get(self, route: str, body: bytes) -> Answer: ...


def _local(arguments: argparse.Namespace) -> list[tuple[list[Fuzzed], list[_Caller]]]:
    access = access_of(arguments)
    target = aim(arguments.target)
    services = services_of(take(target), Settings())
    if not services:
        raise Stop(3, "there is no spec mounted in that app")
    _warn(target.text)
    # the log is part of what is found, so it is heard, and shown nowhere else
    heard = _Heard()
    for logger in (ERRORS, CALLS):
        logger.propagate = False
        logger.handlers = [heard]
    places: list[tuple[list[Fuzzed], list[_Caller]]] = []
    every = Counter(name for service in services for name in service.spec.entries)
    for service in services:
        # a name that several mounts have is told with the prefix, by which it is called again
        names: dict[str, str] = {}
        fuzzed: list[Fuzzed] = []
        for route in fuzzed_of(service.spec):
            name = route.name
            if every[name] > 1:
                name = listed(service, name)
            names[name] = route.name
            fuzzed.append(replace(route, name=name))
        calls: list[_Caller] = []
        for token in arguments.token or [None]:
            headers = call_headers(access, token, here=True)
            calls.append(_Local(service, names, headers, heard, arguments.stream_seconds))
        places.append((fuzzed, calls))
    return places


@final
class _Local:
    """Calls a service in this process, and listens to its log."""

    def __init__(
        self,
        service: Service,
        names: Mapping[str, str],
        headers: Mapping[str, str],
        heard: _Heard,
        seconds: float,
    ) -> None:
        self._names = names  # as it is told -> the name of the route
        self._client = Client(service, options=within(service.options, seconds), headers=headers)
        self._heard = heard

    def __call__(self, route: str, body: bytes) -> Answer:
        return self._sent(route, body, {})

    def form(self, route: str, body: bytes) -> Answer:
        return self._sent(route, body, {"content-type": FORM_TYPE})

    def _sent(self, route: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        self._heard.cause = None
        call = self._client.call(
            self._names[route], body=body, headers=headers, max_items=FEW_ITEMS
        )
        reply = uninterrupted(call)
        late = is_late(reply)
        if late:
            reply = replace(reply, json=None)
        left = reply.items is not None and reply.json is None
        return Answer(reply, self._heard.cause, left, late)

    def get(self, route: str, body: bytes) -> Answer:
        self._heard.cause = None
        reply = uninterrupted(self._client.get(f"{self._names[route]}?input={quote(body)}"))
        return Answer(reply, self._heard.cause)


@final
class _Heard(logging.Handler):
    """Remembers the last error that was logged."""

    cause: str | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Remember its message."""
        if record.name == ERRORS.name:
            self.cause = _CALL.sub("", record.getMessage())
            raised = record.exc_info[1] if record.exc_info else None
            if raised is not None:
                self.cause += f" {type(raised).__name__}: {raised}".rstrip(": ")


_CALL: Final = re.compile(r" \[route [^\]]*\]\Z")
"""The end of a log message, which names the call; a finding names it anyway."""


def _remote(arguments: argparse.Namespace) -> tuple[list[Fuzzed], list[_Caller]]:
    url: str = arguments.url
    access = access_of(arguments)
    try:
        routes = fuzzed_in(package_of(document_at(url, access=access)))
    except GenerationError as error:
        raise Stop(3, clean(f"{url} cannot be fuzzed: {error}")) from None
    base = url.removesuffix(f"/{NAME}")
    _warn(base)
    return routes, [
        _Remote(base, access, token, arguments.stream_seconds)
        for token in arguments.token or [None]
    ]


@final
class _Remote:
    """Calls a server."""

    def __init__(self, url: str, access: Access, token: str | None, stream_seconds: float) -> None:
        self._url = url
        self._stream_seconds = stream_seconds
        self._access = access
        self._headers = call_headers(access, token)
        self._gone: Stop | None = None

    def __call__(self, route: str, body: bytes) -> Answer:
        return self._sent(route, body, "application/json")

    def form(self, route: str, body: bytes) -> Answer:
        return self._sent(route, body, FORM_TYPE)

    def _sent(self, route: str, body: bytes, content_type: str) -> Answer:
        headers = {"content-length": str(len(body)), "content-type": content_type}
        items = _Items(self._stream_seconds)
        answer = self._answer(
            route, body, {**self._headers, **headers}, streamed=items, pause=self._stream_seconds
        )
        if items.reading is None:  # it is no stream
            return answer
        return items.answer(answer, items.reading)

    def get(self, route: str, body: bytes) -> Answer:
        return self._answer(route, body, self._headers, by_get=True)

    def _answer(self, route: str, body: bytes, headers: Mapping[str, str], **how: Any) -> Answer:
        if self._gone is not None:  # Hypothesis repeats a failed example
            raise self._gone
        try:
            status, received, reply = send(
                self._url, route, headers, body, self._access.seconds, **how
            )
        except Stop as stop:
            self._gone = stop
            raise
        parsed: Any = None
        with suppress(orjson.JSONDecodeError):
            parsed = orjson.loads(reply)
        # the log of the server has the cause, under the id of the request
        cause: str | None = None
        request = received.get("x-request-id")
        if request is not None:
            cause = f"request {clean(request)}"
        return Answer(Reply(status, parsed, received, reply), cause)


@final
class _Items:
    """Reads the first items of a stream, or those that come within so many *seconds*."""

    def __init__(self, seconds: float) -> None:
        self._seconds: Final = seconds
        self.parts: Final[list[bytes]] = []
        self.items: Final[list[Item]] = []
        self.reading: Receiving | None = None
        self._is_full = False
        self._is_late = False

    def takes(self, status: int, headers: Mapping[str, str]) -> bool:
        """Whether a reply with these is a stream."""
        return status == 200 and is_stream(headers.get("content-type"))

    def show(self, headers: Mapping[str, str], parts: Iterable[bytes]) -> None:
        """Read the items."""
        self.reading = reading = Receiving(headers.get("content-type"))
        until = monotonic() + self._seconds
        try:
            for part in parts:
                self.parts.append(part)
                self.items.extend(reading.take(part))
                self._is_full = len(self.items) >= FEW_ITEMS
                self._is_late = monotonic() > until
                if self._is_full or self._is_late:
                    return
        except TimeoutError:
            self._is_late = True

    def answer(self, answer: Answer, reading: Receiving) -> Answer:
        """The *answer* with the items that were read; without them if they are not JSON."""
        try:
            values = tuple(item.value for item in self.items)
            last: Any = None
            if reading.last is not None:
                last = orjson.loads(reading.last)
        except ValueError:
            return answer
        reply = replace(answer.reply, items=values, json=last, body=b"".join(self.parts))
        left = last is None and (self._is_full or self._is_late)
        return replace(answer, reply=reply, left=left, late=left and not self._is_full)
