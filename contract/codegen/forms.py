"""
Forms: values that stand as a text, told by the patterns that `contract.document.json_schema` writes for them.

A text is only taken for a value of such a kind if its pattern is the one of the kind, word for word: then all that is valid can be read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

from contract.codegen.model import Limits, TextKind, TextType
from contract.codegen.spots import Spot
from contract.document.limits import READERS

__all__ = ["BASE64", "OFFSET_OF_UTC", "PATTERNS", "TIME_PATTERNS", "offset_of", "text_type"]

_DATE: Final = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME: Final = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
_OFFSET: Final = r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_N: Final = r"[0-9]{1,9}"
_S: Final = rf"{_N}(\.[0-9]{{1,6}})?S"
_CLOCK: Final = rf"T({_N}H({_N}M)?({_S})?|{_N}M({_S})?|{_S})"
_B64: Final = "[A-Za-z0-9+/]"

BASE64: Final = f"^({_B64}{{4}})*({_B64}[AQgw]==|{_B64}{{2}}[AEIMQUYcgkosw048]=)?$"
"""The pattern of bytes."""

TIME_PATTERNS: Final[Mapping[str, bool | None]] = {
    f"^{_TIME}{_OFFSET}?$": None,
    f"^{_TIME}$": False,
    f"^{_TIME}{_OFFSET}$": True,
}
"""Pattern of a time -> whether it has an offset; None where it may."""

PATTERNS: Final[Mapping[TextKind, frozenset[str]]] = {
    "decimal": frozenset({r"^-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?$"}),
    "datetime": frozenset({f"^{_DATE}T{_TIME}{_OFFSET}$"}),
    "date": frozenset({f"^{_DATE}$"}),
    "time": frozenset(TIME_PATTERNS),
    "timedelta": frozenset({rf"^-?P({_N}D({_CLOCK})?|{_CLOCK})$"}),
    "uuid": frozenset({"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"}),
    "int": frozenset({"^(0|-?[1-9][0-9]{0,19})$"}),
}
"""Kind -> what its first pattern may be."""

OFFSET_OF_UTC: Final = "(Z|[+-]00:00)$"
"""The second pattern of a datetime in UTC."""

_FIXED_OFFSET: Final = re.compile(r"(-|\[\+\])([01][0-9]|2[0-3]):([0-5][0-9])\$")
_KINDS: Final[Mapping[str, TextKind]] = {
    "decimal": "decimal",
    "time": "time",
    "timedelta": "timedelta",
    "int": "int",
}
_FORMATS: Final[Mapping[str, TextKind]] = {"date-time": "datetime", "date": "date", "uuid": "uuid"}
_READ_AS: Final[Mapping[TextKind, str]] = {"datetime": "date-time"}
_INT64: Final = (-(2**63), 2**64 - 1)
_MAX_DIGITS: Final = 40


def offset_of(text: TextType) -> timedelta | None:
    """The offset that a datetime has to have; None for every other text, and where any will do."""
    _, *others = text.patterns
    return _offset(others[0]) if others else None


def _offset(pattern: str) -> timedelta | None:
    if pattern == OFFSET_OF_UTC:
        return timedelta(0)
    found = _FIXED_OFFSET.fullmatch(pattern)
    if found is None:
        return None
    offset = timedelta(hours=int(found[2]), minutes=int(found[3]))
    return -offset if found[1] == "-" else offset


def text_type(spot: Spot, patterns: tuple[str, ...], *, is_key: bool) -> TextType | None:
    """
    What a string stands for.

    Args:
        spot: Its schema, which has no lengths.
        patterns: All that it has to match.
        is_key: Whether it is the key of a map.

    Returns:
        None if it stands for itself, as far as can be told.

    Raises:
        GenerationError: It has limits that no value of its kind could have.
    """
    kind = _KINDS.get(spot.text("x-contract-type")) or _FORMATS.get(spot.text("format"))
    if kind is None or (kind == "int" and not is_key) or not patterns:
        return None
    first, *others = patterns
    if first not in PATTERNS[kind] or (
        others and (kind != "datetime" or len(others) > 1 or _offset(others[0]) is None)
    ):
        return None
    return TextType(kind, patterns, _limits(spot, kind, first))


def _limits(spot: Spot, kind: TextKind, pattern: str) -> Limits:
    bounds: Mapping[str, Any] = spot.schema.get("x-contract-bounds", {})
    if not bounds:
        return Limits()
    spot = spot / "x-contract-bounds"
    if kind == "uuid":
        raise spot.refuse("there is no order of UUIDs, and so no limit; leave this out")
    values = {name: _value(spot / name, bounds[name], kind, pattern) for name in bounds}
    if "multiple_of" in values and (kind not in ("decimal", "int") or values["multiple_of"] <= 0):
        raise (spot / "multiple_of").refuse(
            "only numbers are multiples, of what is more than 0; leave this out"
        )
    spot.check_order(values)
    # what is a number is written as one only where it is an integer
    return Limits(
        **{
            name: int(values[name]) if kind == "int" else str(bound)
            for name, bound in bounds.items()
        }
    )


def _value(spot: Spot, bound: Any, kind: TextKind, pattern: str) -> Any:
    text = str(bound)
    try:
        if re.fullmatch(pattern[1:-1], text) is None:
            raise ValueError(text)
        value = READERS[_READ_AS.get(kind, kind)](text)
        if isinstance(value, Decimal) and not _fits(value, kind):
            raise ValueError(text)
    except (ValueError, ArithmeticError):
        raise spot.refuse(f"this is no limit of a {kind}, which is written like one") from None
    if TIME_PATTERNS.get(pattern, False) is None:
        raise spot.refuse(
            "a time with an offset is not compared with one without; write the pattern of one of them"
        )
    return value


def _fits(value: Decimal, kind: TextKind) -> bool:
    if kind == "int":
        return _INT64[0] <= value <= _INT64[1]
    _, digits, exponent = value.as_tuple()
    return len(digits) <= _MAX_DIGITS and isinstance(exponent, int) and abs(exponent) <= _MAX_DIGITS
