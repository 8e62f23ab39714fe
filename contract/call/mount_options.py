"""
The options of a mount, checked when they are given.

Otherwise a caller would find a wrong option at the first request. Here the developer who wrote it
finds it, by an exception that names the option and says what to write instead.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, Literal, cast, final

from contract.call.bound import ErrorMapper
from contract.call.context import CallEvent
from contract.call.paging import too_short
from contract.call.proxies import instead_of_network
from contract.declare.own_paths import own_paths
from contract.declare.resolver import is_async_callable, parameter_list, place_of, takes, underlying
from contract.declare.spec import Spec
from contract.shape.annotations import parameters_of
from contract.shape.exceptions import MountError
from contract.shape.header_values import HEADER_WORD
from contract.shape.quoting import described, instead_of_flag, shown, with_article
from contract.shape.record import record
from contract.shape.sentences import SENTENCES, Sentences
from contract.shape.signatures import Secrets
from contract.shape.upload import USUAL_BYTES
from contract.shape.urls import instead_of_origin, instead_of_path, instead_of_server

__all__ = ["Limits", "Options", "check_is", "check_spec"]


@final
@record
class Limits:
    """
    The limits of time and threads of one mount.

    A deadline applies to each step of a call (the function that authenticates, the resolver), not
    to all of them together, so a bearer call may take twice as long. It ends the wait for a step,
    but not always the step: a thread cannot be stopped, so a synchronous hook or resolver goes on
    after its deadline, and its result is dropped. With a deadline, these run in threads of the
    mount on WSGI, too, while the server's own thread waits.

    Args:
        read_seconds: Seconds without progress of a body, after which the answer is 408. From then
            on, a body must have brought 512 bytes a second on average. This and *body_seconds*
            apply on ASGI and in ``contract serve``; other WSGI servers have their own limits.
        deadline_seconds: Seconds for each step of a call, after which the answer is 504; None for
            no limit.
        threads: Synchronous resolvers that run at once on ASGI, and on WSGI if there is a deadline.
        queue: Calls that may wait for a thread before the answer is 503; 0 for none.
        body_seconds: Seconds for the whole body, after which the answer is 408; a form with files
            has so many for each MiB that it may have.
        item_seconds: Seconds until the next item of a stream, after which it ends with
            DEADLINE_EXCEEDED; None for no limit. *deadline_seconds* applies to the resolver that
            returns the stream.
        stream_seconds: Seconds for the whole of a stream, after which it ends with
            DEADLINE_EXCEEDED; None for no limit.
        stream_threads: Threads that streams may hold at once; beyond it, the answer is 503. On WSGI
            each open stream holds one, besides that of the server. On ASGI a synchronous iterator
            holds one while it makes an item, for which an open stream waits, and an asynchronous
            one never does.

    Raises:
        MountError: One of them is not a valid number.
    """

    read_seconds: float = 10.0
    deadline_seconds: float | None = None
    threads: int = 40
    queue: int = 200
    body_seconds: float = 60.0
    item_seconds: float | None = None
    stream_seconds: float | None = None
    stream_threads: int = 40

    def __post_init__(self) -> None:
        _check_seconds("Limits(read_seconds=)", self.read_seconds, "10.0")
        _check_seconds("Limits(body_seconds=)", self.body_seconds, "60.0")
        for name in ("deadline_seconds", "item_seconds", "stream_seconds"):
            seconds: float | None = getattr(self, name)
            if seconds is not None:
                _check_seconds(f"Limits({name}=)", seconds, "30.0, or None for no limit")
        _check_whole("Limits(stream_threads=)", self.stream_threads, 1, _MANY, "40")
        _check_whole("Limits(threads=)", self.threads, 1, _MANY, "40")
        _check_whole("Limits(queue=)", self.queue, 0, _MANY, "200")


@final
@record(kw_only=True)
class Options:
    """
    The options of a mount; `contract.mount_spec` takes each as a keyword of the same name.

    Raises:
        MountError: One of them is not valid, or two contradict each other.
    """

    prefix: str = ""
    docs: bool = True
    docs_path: str = "/docs"
    mcp_path: str | None = "/mcp"
    visibility: Literal["public", "all"] = "public"
    max_body_bytes: int = USUAL_BYTES
    logging: bool = True
    on_call: Callable[[CallEvent], None] | None = None
    handle_unhandled_error: ErrorMapper | None = None
    cors_origins: Sequence[str] = ()
    cors_headers: Sequence[str] = ()
    mcp_origins: Sequence[str] = ()
    mcp_challenge: Literal["call", "connect"] = "call"
    authorization_servers: Sequence[str] = ()
    public_url: str | None = None
    trusted_proxies: Sequence[str] = ()
    health_path: str | None = None
    secrets: Sequence[str] | Secrets = field(default=(), repr=False)
    sentences: Sentences = field(default_factory=dict[str, str], compare=False)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        # 1. The paths.
        _refuse("mount_spec(prefix=)", instead_of_path(self.prefix, none='""'))
        # a wrong path is an error even if there are no docs
        _refuse("mount_spec(docs_path=)", instead_of_path(self.docs_path, none="docs=False"))
        self.own_paths()  # it raises if they collide
        # 2. Flags, choices, numbers and functions.
        for name in ("docs", "logging"):
            flag: object = getattr(self, name)
            advice = instead_of_flag(flag)
            if advice is not None:
                raise MountError(f"mount_spec({name}=)", f"{described(flag)} will not do; {advice}")
        for name, choices in (
            ("visibility", ("public", "all")),
            ("mcp_challenge", ("call", "connect")),
        ):
            value: object = getattr(self, name)
            if value not in choices:
                raise MountError(
                    f"mount_spec({name}=)",
                    f'{described(value)} is not valid; write "{choices[0]}" or "{choices[1]}"',
                )
        _check_whole("mount_spec(max_body_bytes=)", self.max_body_bytes, 1, None, "1_048_576")
        _check_called("on_call", self.on_call, "event")
        _check_called("handle_unhandled_error", self.handle_unhandled_error, "exception", "request")
        # 3. Lists become tuples: a list that is changed later would not be checked again.
        for name, items, example, problem_of in _LISTS:
            where = f"mount_spec({name}=)"
            found = _listed(where, getattr(self, name), items, example)
            for each in found:
                _refuse(where, problem_of(each))
            object.__setattr__(self, name, found)
        # header names have no case, and a preflight request has them in lower case
        lowered = tuple(name.lower() for name in self.cors_headers)
        object.__setattr__(self, "cors_headers", lowered)
        if self.cors_headers and not (self.cors_origins or self.mcp_origins):
            raise MountError(
                "mount_spec(cors_headers=)",
                "no page may call yet; give cors_origins=['https://app.example'] too",
            )
        # 4. The URL, the secrets, the sentences and the limits.
        if self.public_url is not None:
            _refuse(
                "mount_spec(public_url=)", instead_of_server(self.public_url, "https://api.example")
            )
            object.__setattr__(self, "public_url", self.public_url.rstrip("/"))
        object.__setattr__(self, "secrets", _secrets(self.secrets))
        _check_sentences(self.sentences)
        check_is(
            "mount_spec(limits=)",
            self.limits,
            Limits,
            "write Limits(...), from contract import Limits, or leave it out",
        )

    @property
    def shown_at(self) -> str | None:
        """The docs path, or None if there are no docs."""
        return self.docs_path if self.docs else None

    def revealed(self) -> Sequence[str]:
        """The secrets, as texts; `secrets` keeps them hidden."""
        return Secrets.of(self.secrets).reveal()

    def own_paths(self) -> Mapping[str, str]:
        """The mount's own paths, each with the option that sets it."""
        return own_paths(
            "mount_spec",
            docs_path=self.shown_at,
            mcp_path=self.mcp_path,
            health_path=self.health_path,
        )


def check_is(where: str, value: object, kind: type, advice: str) -> None:
    """
    Check that *value* is a *kind*, for users without a type checker.

    Raises:
        MountError: It is not.
    """
    if not isinstance(value, kind):
        raise MountError(
            where, f"{described(value)} is not {with_article(kind.__name__)}; {advice}"
        )


def check_spec(where: str, value: object) -> None:
    """
    Check that *value* is a spec.

    Raises:
        MountError: It is not.
    """
    check_is(where, value, Spec, "write spec(routes=routes(...)), and give what comes of it")


_MANY: Final = 1_000_000
"""More threads, or waiting calls, than any process has room for."""


def _listed(where: str, given: object, items: str, example: str) -> tuple[object, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str | bytes | bytearray):
        raise MountError(where, f"{described(given)} is not a list of {items}; write [{example!r}]")
    return tuple(cast("Sequence[object]", given))


def _instead_of_page(origin: object) -> str | None:
    problem = instead_of_origin(origin)
    if problem is None:
        return None
    return f"{described(origin)} {problem}"


def _instead_of_header(name: object) -> str | None:
    if name == "*":
        return (
            "'*' would let pages send every header but Authorization; name each, such as 'X-Tenant'"
        )
    if not isinstance(name, str) or not re.fullmatch(HEADER_WORD, name):
        return f"{described(name)} is not a valid header name; write it like 'X-Tenant'"
    return None


_LOGIN: Final = "https://login.example"
_LISTS: Final[tuple[tuple[str, str, str, Callable[[object], str | None]], ...]] = (
    ("cors_origins", "origins", "https://app.example", _instead_of_page),
    ("mcp_origins", "origins", "https://app.example", _instead_of_page),
    ("cors_headers", "header names", "X-Tenant", _instead_of_header),
    ("authorization_servers", "URLs", _LOGIN, lambda each: instead_of_server(each, _LOGIN)),
    ("trusted_proxies", "networks", "10.0.0.0/8", instead_of_network),
)
"""The options that are lists: name -> what it contains, an example, and a check of an item."""


def _secrets(given: object) -> Secrets:
    # no message shows the value: it may be a secret
    where = "mount_spec(secrets=)"
    if isinstance(given, Secrets):
        given = given.reveal()
    if not isinstance(given, list | tuple) or not all(
        isinstance(each, str) for each in cast("Sequence[object]", given)
    ):
        raise MountError(where, "these are not texts in a tuple; write secrets=(new, old)")
    secrets = cast("Sequence[str]", given)
    _refuse(where, too_short(secrets))
    return Secrets(secrets)


def _check_sentences(given: object) -> None:
    where = "mount_spec(sentences=)"
    if not isinstance(given, Mapping):
        raise MountError(
            where, f"{described(given)} is not a table of sentences; give one like contract.GERMAN"
        )
    for key, sentence in cast("Mapping[object, object]", given).items():
        if not isinstance(sentence, str) or key not in SENTENCES:
            raise MountError(
                where, f"{shown(key)} is not a sentence; contract.GERMAN has all that there are"
            )


def _refuse(where: str, problem: str | None) -> None:
    if problem is not None:
        raise MountError(where, problem)


def _check_whole(where: str, value: object, least: int, most: int | None, example: str) -> None:
    # to Python, a boolean is an int
    if not isinstance(value, int) or isinstance(value, bool):
        raise MountError(
            where, f"{described(value)} is not a whole number; write one, such as {example}"
        )
    if value < least or (most is not None and value > most):
        limits = f"at least {least}" if most is None else f"from {least} to {most:_}"
        raise MountError(
            where, f"{shown(value)} is not {limits}; write one that is, such as {example}"
        )


def _check_seconds(where: str, value: object, example: str) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise MountError(
            where, f"{described(value)} is not a number of seconds; write one, such as {example}"
        )
    if not 0 < value < math.inf:
        raise MountError(
            where,
            f"{shown(value)} is not above 0 and finite; write a number that is, such as {example}",
        )


def _check_called(name: str, function: Any, *given: str) -> None:
    """Check that *function* takes the *given* parameters, and is not async or a generator."""
    if function is None:
        return
    where, taken = f"mount_spec({name}=)", f"({', '.join(given)})"
    if not callable(function):
        raise MountError(
            where, f"{described(function)} cannot be called; give a function that takes {taken}"
        )
    place = place_of(function)
    plain = underlying(function)
    if is_async_callable(function) or inspect.isasyncgenfunction(plain):
        raise MountError(
            where,
            f"it is async, and nobody would await it; write `def` instead of `async def` ({place})",
        )
    if inspect.isgeneratorfunction(plain):
        raise MountError(
            where, f"it is a generator, of which nothing would run; leave out `yield` ({place})"
        )
    try:
        parameters = parameters_of(function)
    except TypeError:  # written in C, or a class: its first call will show it
        return
    if not takes(parameters, len(given)):
        raise MountError(
            where, f"it takes {parameter_list(parameters)}, and is called with {taken} ({place})"
        )
