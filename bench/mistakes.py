"""
Mistakes: 60 that callers make, and the words that four validators have for each.

::

    python -m bench.mistakes             # write docs/mistakes.md, with our words of today
    python -m bench.mistakes --record    # ask the others, too: in the environment of make bench

The others are asked as strictly as we are: pydantic and msgspec with ``strict`` and without unknown
keys, zod with ``strictObject``. What they said stands in ``bench/mistakes.json``, with the points
that a person gave, by this rubric, which was written before anybody was asked:

- *place*: it names the field or the position, or in broken JSON the line and the column. What is
  about the whole document needs none.
- *cause*: it says what is wrong, so that it could be told from other mistakes at this place: for a
  wrong type, which one came; for a limit, its number.
- *fix*: who reads it alone knows what to send instead.
- *plain*: somebody who calls, and never saw the code of the service or of the validator, knows each
  word of it: no names of types in a programming language, no terms of the validator, no addresses
  of its documentation.

One point each. A message of four is not longer than it has to be; nothing is counted for that. A
mistake that is let through has none, and so has a word that repeats what was sent: it may be a
secret. The clearest is who has the most points, alone or with others.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, make_dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import annotated_types

from contract.pred.compile import pred_of
from contract.shape.exceptions import InvalidInput
from contract.shape.markers import Pattern

__all__ = ["MISTAKES", "Mistake", "ours", "page", "recorded"]

_HERE: Final = Path(__file__).parent
FILE: Final = _HERE / "mistakes.json"
PAGE: Final = _HERE.parent / "docs" / "mistakes.md"
_ZOD: Final = _HERE / "node" / "mistakes.js"


class Library:
    """How a validator spells the same types."""

    moment: Any = datetime
    either: Any = date | datetime
    binary: Any = bytes

    def tagged(self, union: Any) -> Any:
        """A union of records, told apart by their ``kind``."""
        return union

    def limited(self, kind: Any, **limits: Any) -> Any:
        """*kind* within limits: ge, gt, le, lt, multiple_of, min, max, pattern."""
        sizes = [limits.pop("min", 0), limits.pop("max", None)]
        pattern = limits.pop("pattern", None)
        told: list[Any] = [_LIMITS[name](value) for name, value in limits.items()]
        if sizes != [0, None]:
            told.append(annotated_types.Len(*sizes))
        if pattern is not None:
            told.append(self.pattern(pattern))
        return Annotated[kind, *told]

    def pattern(self, pattern: str) -> Any:
        """The constraint of a pattern."""
        return Pattern(pattern)

    def record(self, called: str, /, *, tagged: str | None = None, **fields: Any) -> Any:
        """A record of a ``kind`` if it is *tagged*; a field with a default is a pair."""
        tags = [] if tagged is None else [("kind", Literal[tagged])]
        return make_dataclass(called, [*tags, *_given(fields)])

    def told(self, annotation: Any, body: bytes) -> str:
        """What it says of a body; nothing where it takes it."""
        try:
            pred_of(annotation).load(body)
        except InvalidInput as refused:
            return _lines((each.path, each.message) for each in refused.issues)
        return ""


def _given(fields: Mapping[str, Any]) -> list[Any]:
    """Fields as those want them who make classes: name, type, and default where there is one."""
    return [
        (key, *each) if isinstance(each, tuple) else (key, each) for key, each in fields.items()
    ]


_LIMITS: Final[Mapping[str, Any]] = {
    "ge": annotated_types.Ge,
    "gt": annotated_types.Gt,
    "le": annotated_types.Le,
    "lt": annotated_types.Lt,
    "multiple_of": annotated_types.MultipleOf,
}


def _lines(said: Iterable[tuple[Iterable[str | int], str]]) -> str:
    return "\n".join(f"{'.'.join(map(str, path)) or '(root)'}: {text}" for path, text in said)


class Pydantic(Library):
    """pydantic, strict, and with no unknown keys."""

    @property
    def moment(self) -> Any:  # made when it is asked for
        return import_module("pydantic").AwareDatetime

    @property
    def binary(self) -> Any:  # the same
        return import_module("pydantic").Base64Bytes

    def tagged(self, union: Any) -> Any:
        return Annotated[union, import_module("pydantic").Field(discriminator="kind")]

    def pattern(self, pattern: str) -> Any:
        return import_module("pydantic").StringConstraints(pattern=pattern)

    def record(self, called: str, /, *, tagged: str | None = None, **fields: Any) -> Any:
        made = super().record(called, tagged=tagged, **fields)
        made.__pydantic_config__ = {"extra": "forbid", "strict": True}
        return made

    def told(self, annotation: Any, body: bytes) -> str:
        pydantic = import_module("pydantic")
        try:
            pydantic.TypeAdapter(annotation).validate_json(body, strict=True)
        except pydantic.ValidationError as refused:
            return _lines((each["loc"], each["msg"]) for each in refused.errors())
        return ""


class Msgspec(Library):
    """msgspec, which is strict, with structs that refuse unknown keys."""

    either = date  # it has no union of two texts

    @property
    def moment(self) -> Any:  # made when it is asked for
        return Annotated[datetime, import_module("msgspec").Meta(tz=True)]

    def limited(self, kind: Any, **limits: Any) -> Any:
        names = {"min": "min_length", "max": "max_length"}
        meta = import_module("msgspec").Meta
        return Annotated[
            kind, meta(**{names.get(name, name): each for name, each in limits.items()})
        ]

    def record(self, called: str, /, *, tagged: str | None = None, **fields: Any) -> Any:
        options = {} if tagged is None else {"tag_field": "kind", "tag": tagged}
        return import_module("msgspec").defstruct(
            called, _given(fields), forbid_unknown_fields=True, **options
        )

    def told(self, annotation: Any, body: bytes) -> str:
        msgspec = import_module("msgspec")
        try:
            msgspec.json.decode(body, type=annotation)
        except msgspec.DecodeError as refused:
            return str(refused)
        return ""


_Types = dict[str, Any]


def types_of(lib: Library) -> _Types:
    """The types that the mistakes are made with, by name."""
    limited, record = lib.limited, lib.record
    line = record(
        "Line",
        sku=limited(str, min=1, max=40),
        quantity=limited(int, ge=1, le=99),
        note=(str | None, None),
    )
    card = record("Card", tagged="card", number=limited(str, min=4, max=4))
    cash = record("Cash", tagged="cash", currency=(Literal["EUR", "USD"], "EUR"))
    return {
        "order": record(
            "Order",
            product_id=str,
            quantity=int,
            express=(bool, False),
            colour=(Literal["red", "green", "blue"], "red"),
        ),
        "lines": record("Basket", lines=limited(GenericAlias(list, (line,)), min=1, max=3)),
        "stay": record("Stay", first=date, nights=limited(int, ge=1, le=30)),
        "meeting": record("Meeting", at=lib.moment, lasts=timedelta),
        "price": record("Price", amount=Decimal, rate=limited(float, gt=0, lt=1)),
        "account": record(
            "Account",
            id=UUID,
            email_address=limited(str, pattern=r"^[^@ ]+@[^@ ]+$"),
            name=limited(str, min=2, max=20),
            avatar=(lib.binary | None, None),
        ),
        "payment": record("Payment", how=lib.tagged(card | cash)),
        "either": record("Either", value=int | str),
        "when": record("When", on=lib.either),
        "scores": record("Scores", of=limited(dict[str, int], min=1, max=2)),
        "point": record("Point", at=tuple[float, float]),
        "tags": record("Tags", tags=limited(set[str], max=5), steps=limited(int, multiple_of=5)),
        "country": record("Place", country=Literal[*_COUNTRIES]),
    }


_COUNTRIES: Final = ("AT", "BE", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "IE", "IT", "NL", "PL")


@dataclass(frozen=True)
class Mistake:
    """Something that callers send, and the name of the type that it should have been of."""

    title: str
    type: str
    body: str


_U = "123e4567-e89b-12d3-a456-426614174000"


def _account(**other: str) -> str:
    fields = {"id": f'"{_U}"', "email_address": '"ada@example.org"', "name": '"Ada"'} | other
    return "{" + ", ".join(f'"{key}": {text}' for key, text in fields.items()) + "}"


MISTAKES: Final = tuple(
    Mistake(*each)
    for each in (
        # JSON
        ("nothing at all", "order", ""),
        ("a comma too many", "order", '{"product_id": "p1",\n "quantity": 1,}'),
        ("single quotes", "order", "{'product_id': 'p1', 'quantity': 1}"),
        ("a key without quotes", "order", '{product_id: "p1", "quantity": 1}'),
        ("a comment", "order", '{"product_id": "p1", // the mug\n "quantity": 1}'),
        ("a bracket is missing", "order", '{"product_id": "p1", "quantity": 1'),
        ("a comma is missing", "order", '{"product_id": "p1"\n "quantity": 1}'),
        ("True for true", "order", '{"product_id": "p1", "quantity": 1, "express": True}'),
        ("NaN", "price", '{"amount": "1.50", "rate": NaN}'),
        ("a leading zero", "order", '{"product_id": "p1", "quantity": 01}'),
        ("a line break in a text", "order", '{"product_id": "p\n1", "quantity": 1}'),
        ("form data", "order", "product_id=p1&quantity=1"),
        # keys
        ("a field is missing", "order", '{"product_id": "p1"}'),
        ("a field of an item is missing", "lines", '{"lines": [{"sku": "a"}]}'),
        ("camel case for snake case", "order", '{"productId": "p1", "quantity": 1}'),
        (
            "a slip in an optional key",
            "order",
            '{"product_id": "p1", "quantity": 1, "color": "red"}',
        ),
        (
            "a part of the key",
            "account",
            _account(email='"a@b"').replace('"email_address": "ada@example.org", ', ""),
        ),
        ("a key that means nothing here", "order", '{"product_id": "p1", "quantity": 1, "zzz": 1}'),
        # types
        ("a number in quotes", "order", '{"product_id": "p1", "quantity": "1"}'),
        ("a number for a text", "order", '{"product_id": 7, "quantity": 1}'),
        ("a fraction for an integer", "order", '{"product_id": "p1", "quantity": 1.5}'),
        ("null for an integer", "order", '{"product_id": "p1", "quantity": null}'),
        ("a text for a flag", "order", '{"product_id": "p1", "quantity": 1, "express": "yes"}'),
        ("true for an integer", "order", '{"product_id": "p1", "quantity": true}'),
        ("one item for a list", "lines", '{"lines": {"sku": "a", "quantity": 1}}'),
        ("a list for an object", "order", '["p1", 1]'),
        ("a text for a number", "price", '{"amount": "1.50", "rate": "0.2"}'),
        (
            "a wrong type in a list",
            "lines",
            '{"lines": [{"sku": "a", "quantity": 1}, {"sku": 5, "quantity": 1}]}',
        ),
        ("a wrong type in a map", "scores", '{"of": {"ada": "12"}}'),
        # limits
        ("less than the least", "stay", '{"first": "2026-05-01", "nights": 0}'),
        ("more than the most", "stay", '{"first": "2026-05-01", "nights": 31}'),
        ("at a limit that is out", "price", '{"amount": "1.50", "rate": 1}'),
        ("no multiple", "tags", '{"tags": [], "steps": 7}'),
        ("a short text", "account", _account(name='"A"')),
        ("a long text", "account", _account(name='"Augusta Ada Byron King-Noel"')),
        ("an empty list", "lines", '{"lines": []}'),
        ("too many keys", "scores", '{"of": {"a": 1, "b": 2, "c": 3}}'),
        ("two equal items", "tags", '{"tags": ["a", "a"], "steps": 5}'),
        ("no match of a pattern", "account", _account(email_address='"ada at example.org"')),
        ("a pair of three", "point", '{"at": [1, 2, 3]}'),
        ("one of a pair", "point", '{"at": [1]}'),
        # texts with a form
        ("a day that does not exist", "stay", '{"first": "2026-02-30", "nights": 1}'),
        ("a day in the order of a country", "stay", '{"first": "01.05.2026", "nights": 1}'),
        ("a day as a number", "stay", '{"first": 20260501, "nights": 1}'),
        ("no offset", "meeting", '{"at": "2026-05-01T10:00:00", "lasts": "PT1H"}'),
        ("a moment without a time", "meeting", '{"at": "2026-05-01", "lasts": "PT1H"}'),
        ("a duration as a number", "meeting", '{"at": "2026-05-01T10:00:00Z", "lasts": 3600}'),
        ("a duration in words", "meeting", '{"at": "2026-05-01T10:00:00Z", "lasts": "1 hour"}'),
        ("a decimal as a number", "price", '{"amount": 1.5, "rate": 0.2}'),
        ("a decimal with a comma", "price", '{"amount": "1,50", "rate": 0.2}'),
        ("a UUID that is cut", "account", _account(id='"123e4567-e89b"')),
        ("bytes that are not base64", "account", _account(avatar='"hello!"')),
        # choices
        ("a slip in a choice", "order", '{"product_id": "p1", "quantity": 1, "colour": "gren"}'),
        ("upper case", "order", '{"product_id": "p1", "quantity": 1, "colour": "RED"}'),
        ("another of many choices", "country", '{"country": "Germany"}'),
        ("no tag", "payment", '{"how": {"number": "1234"}}'),
        ("a tag that is none", "payment", '{"how": {"kind": "cheque"}}'),
        ("a field of the tagged one is missing", "payment", '{"how": {"kind": "card"}}'),
        ("none of two types", "either", '{"value": true}'),
        ("a day that does not exist, or a moment", "when", '{"on": "2026-02-30"}'),
    )
)


def ours() -> list[str]:
    """Our words for each of them, as they are today."""
    lib = Library()
    types = types_of(lib)
    return [lib.told(types[each.type], each.body.encode()) for each in MISTAKES]


def recorded() -> dict[str, dict[str, Any]]:
    """The words of the others, and the points of each, by the titles of the mistakes."""
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return found


_NAMES: Final = ("contract", "pydantic", "msgspec", "zod")


def page() -> str:
    """docs/mistakes.md: the rubric, what came of it, and all that was said."""
    rows = recorded()
    said = [
        {**rows[each.title], "contract": told} for each, told in zip(MISTAKES, ours(), strict=True)
    ]
    points = [row["points"] for row in said]
    alone = sum(_is_clearest(each, alone=True) for each in points)
    clearest = sum(_is_clearest(each, alone=False) for each in points)
    totals = ", ".join(f"{name} {sum(_sum(each[name]) for each in points)}" for name in _NAMES)
    return "\n".join(
        [
            "# Sixty mistakes, and what is said of them",
            "",
            *_ABOUT,
            "",
            *(f"- *{name}*: {told}" for name, told in _RUBRIC.items()),
            "",
            "What is let through has no points,",
            "nor has what repeats the value that was sent: it may be a secret.",
            "",
            f"`contract` is the clearest on {clearest} of {len(said)}, and alone on {alone}.",
            f"Of {4 * len(said)} points there are: {totals}.",
            *(line for each, row in zip(MISTAKES, said, strict=True) for line in _told(each, row)),
        ]
    )


_ABOUT: Final = (
    "What callers send by mistake,",
    "and the words of `contract`, pydantic 2.14, msgspec 0.22 and zod 4.6 for it.",
    "The others were asked as strictly as we are, and in their own idioms:",
    "aware datetimes, tagged unions, no unknown keys.",
    "`python -m bench.mistakes` writes this page, a test holds our words to those of today,",
    "and `bench/mistakes.json` has what the others said.",
    "",
    "The rubric, one point each, was written down before anybody was asked:",
)

_RUBRIC: Final[Mapping[str, str]] = {
    "place": "it names the field or the position, or in broken JSON the line and the column.",
    "cause": "it says what is wrong, so that it could be told from other mistakes at this place.",
    "fix": "who reads it alone knows what to send instead.",
    "plain": "who never saw the code of the service or of the validator knows each word of it.",
}


def _told(mistake: Mistake, row: Mapping[str, Any]) -> list[str]:
    body = mistake.body.replace("\n", "\u21b5") or " "
    lines = ["", f"## {mistake.title[:1].upper()}{mistake.title[1:]}", "", f"`{body}`", ""]
    lines += ["| | place, cause, fix, plain | says |", "| --- | --- | --- |"]
    for name in _NAMES:
        text = row[name].replace("|", "\\|").replace("\n", "<br>") or "(takes it)"
        lines.append(f"| {name} | {' '.join(row['points'][name])} | {text} |")
    return lines


def _sum(points: str) -> int:
    return points.count("1")


def _is_clearest(points: Mapping[str, str], *, alone: bool) -> bool:
    own = _sum(points["contract"])
    best = max(_sum(points[name]) for name in _NAMES[1:])
    return own > best if alone else own >= best


def _record() -> None:
    """Ask the others, and keep the points that were given."""
    columns: dict[str, list[str]] = {}
    for lib in (Pydantic(), Msgspec()):
        types = types_of(lib)
        name = type(lib).__name__.lower()
        columns[name] = [lib.told(types[each.type], each.body.encode()) for each in MISTAKES]
    columns["zod"] = _asked_of_zod()
    points = recorded() if FILE.exists() else {}
    rows = {
        each.title: {
            **{name: column[at] for name, column in columns.items()},
            "points": points[each.title]["points"] if each.title in points else {},
        }
        for at, each in enumerate(MISTAKES)
    }
    FILE.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _asked_of_zod() -> list[str]:
    tools = Path(sys.prefix)
    script = tools / "mistakes.js"  # where its imports are found
    script.write_bytes(_ZOD.read_bytes())
    asked = json.dumps([(each.type, each.body) for each in MISTAKES])
    done = subprocess.run(
        [tools / "bin" / "node", script], input=asked, capture_output=True, text=True, check=True
    )
    said: list[str] = json.loads(done.stdout)
    return said


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.mistakes")
    parser.add_argument("--record", action="store_true", help="ask the others, too")
    if parser.parse_args().record:
        _record()
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(f"{page()}\n", "utf-8")
