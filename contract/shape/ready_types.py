r"""
Ready types: classes of the standard library that stand on the wire as a text.

They are known by their names, so that nobody imports a module that no annotation names. Each has
the pattern of the texts that its class reads and writes; what a pattern cannot say, such as which
time zones there are, the class says itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter, methodcaller
from typing import Any, Final

from contract.shape.nodes import OwnShape, StrShape
from contract.shape.record import record

__all__ = ["ready_shape"]


@record(kw_only=True)
class _Ready:
    """A class before it is known."""

    pattern: str
    max_length: int | None = None
    examples: tuple[str, ...]
    load: Callable[[type[Any]], Callable[[str], Any]] = lambda cls: cls
    """Given the class, the function that reads a text."""
    dump: Callable[[Any], Any] = str


def ready_shape(cls: type[Any]) -> OwnShape | None:
    """The shape of *cls*, if it is one of these."""
    ready = _READY.get(f"{cls.__module__}.{cls.__qualname__}")
    if ready is None:
        return None
    inner = StrShape(max_length=ready.max_length, patterns=(f"^{ready.pattern}$",))
    return OwnShape(inner, cls, ready.load(cls), ready.dump, ready.examples)


_BYTE: Final = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4: Final = rf"({_BYTE}\.){{3}}{_BYTE}"
_H16: Final = "[0-9A-Fa-f]{1,4}"
_LS32: Final = f"({_H16}:{_H16}|{_IPV4})"
# RFC 3986, section 3.2.2: IPv6address
_IPV6: Final = (
    "("
    + "|".join(
        [
            f"({_H16}:){{6}}{_LS32}",
            f"::({_H16}:){{5}}{_LS32}",
            f"({_H16})?::({_H16}:){{4}}{_LS32}",
            *(
                f"(({_H16}:){{0,{before}}}{_H16})?::({_H16}:){{{4 - before}}}{_LS32}"
                for before in (1, 2, 3, 4)
            ),
            f"(({_H16}:){{0,5}}{_H16})?::{_H16}",
            f"(({_H16}:){{0,6}}{_H16})?::",
        ]
    )
    + ")"
)


def _zone_of(cls: type[Any]) -> Callable[[str], Any]:
    names: frozenset[str] = frozenset()

    def zone(name: str) -> Any:
        nonlocal names
        if not names:
            # it looks through the files of the system, which are no business of a name from outside
            from zoneinfo import available_timezones  # noqa: PLC0415

            names = frozenset(available_timezones())
        if name not in names:
            raise ValueError("There is no time zone of this name.")
        return cls(name)

    return zone


def _path_of(cls: type[Any]) -> Callable[[str], Any]:
    # of the two below PurePath, the one with the separators of the wire
    from pathlib import PurePosixPath  # noqa: PLC0415

    return PurePosixPath if issubclass(PurePosixPath, cls) else cls


_PATH: Final = _Ready(
    pattern=r"[^\x00]+",
    max_length=4_096,
    examples=("invoices/2026-01.pdf",),
    load=_path_of,
    dump=methodcaller("as_posix"),
)

_READY: Final[Mapping[str, _Ready]] = {
    "ipaddress.IPv4Address": _Ready(pattern=_IPV4, examples=("192.0.2.1",)),
    "ipaddress.IPv6Address": _Ready(pattern=_IPV6, examples=("2001:db8::1",)),
    "ipaddress.IPv4Network": _Ready(
        pattern=f"{_IPV4}/(3[0-2]|[12]?[0-9])", examples=("192.0.2.0/24", "0.0.0.0/0")
    ),
    "ipaddress.IPv6Network": _Ready(
        pattern=f"{_IPV6}/(12[0-8]|1[01][0-9]|[1-9]?[0-9])", examples=("2001:db8::/32", "::/0")
    ),
    "zoneinfo.ZoneInfo": _Ready(
        pattern="[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*",
        max_length=64,
        examples=("Europe/Berlin", "UTC", "America/New_York"),
        load=_zone_of,
        dump=attrgetter("key"),
    ),
    # from Python 3.13 on they are in a module of their own
    "pathlib.PurePath": _PATH,
    "pathlib.PurePosixPath": _PATH,
    "pathlib._local.PurePath": _PATH,
    "pathlib._local.PurePosixPath": _PATH,
}
