"""
Layout: expressions and docstrings, broken over lines as a formatter would.

An expression that does not fit on one line is broken at its outermost brackets, one item per line,
each with a trailing comma. Formatters respect such a comma, so they leave the lines as they are.
Docstrings contain texts that anybody may have written (`contract.codegen.texts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, assert_never

from contract.codegen.texts import docstring
from contract.shape.record import record

__all__ = [
    "WIDTH",
    "Assigned",
    "Bracket",
    "Choice",
    "Expression",
    "Joined",
    "documentation",
    "flat",
    "lines",
    "quoted",
    "sentence",
]

WIDTH: Final = 120
"""The most columns of a line."""

INDENT: Final = 4


@record
class Bracket:
    """*head*, some items, and the closing bracket: ``Literal["a", "b"]``."""

    head: str
    """The beginning, with the opening bracket: ``Literal[``."""
    items: tuple[Expression, ...]
    end: str
    """The closing bracket."""


@record
class Choice:
    """A union of types."""

    members: tuple[Expression, ...]
    union: Callable[[], str]
    """
    Gives the name of ``typing.Union``.

    It is called only if the members are too long for ``|``.
    """


@record
class Joined:
    """*head* directly before *tail*, which may be broken: ``default=`` and its value."""

    head: str
    tail: Expression


@record
class Assigned:
    """``target: annotation = value``."""

    target: str
    annotation: Expression
    value: Expression


Expression = str | Bracket | Choice | Joined | Assigned
"""A piece of Python; text is never broken."""


def flat(expression: Expression) -> str:
    """*expression* on one line."""
    match expression:
        case str():
            return expression
        case Bracket(head, items, end):
            inner = ", ".join(map(flat, items))
            return f"{head}{inner}{',' if head == '(' and len(items) == 1 else ''}{end}"
        case Choice(members):
            return " | ".join(map(flat, members))
        case Joined(head, tail):
            return f"{head}{flat(tail)}"
        case Assigned(target, annotation, value):
            return f"{target}: {flat(annotation)} = {flat(value)}"
        case _:
            assert_never(expression)


def lines(
    expression: Expression,
    *,
    before: str = "",
    after: str = "",
    indent: int = 0,
    whole_type: bool = False,
) -> list[str]:
    """
    *expression* on as few lines as it needs.

    Args:
        expression: The expression.
        before: Text before its first line.
        after: Text after its last line.
        indent: Spaces before each line.
        whole_type: Whether it is a whole type that is not in brackets.
    """
    whole = f"{' ' * indent}{before}{flat(expression)}{after}"
    if len(whole) <= WIDTH:
        return [whole]
    match expression:
        case Bracket(head, items, end) if items:
            # T[A,] would be another type
            comma = "" if head.endswith("[") and head != "[" and len(items) == 1 else ","
            inner = [
                line for item in items for line in lines(item, after=comma, indent=indent + INDENT)
            ]
            return [f"{' ' * indent}{before}{head}", *inner, f"{' ' * indent}{end}{after}"]
        case Choice(members, union):
            margin = " " * (indent + INDENT)
            texts = [*map(flat, members)]
            parts = [f"{margin}{texts[0]}", *(f"{margin}| {each}" for each in texts[1:])]
            if not whole_type or max(map(len, parts)) > WIDTH:
                bracket = Bracket(f"{union()}[", members, "]")
                return lines(bracket, before=before, after=after, indent=indent)
            on_one = f"{margin}{flat(expression)}"
            inner = [on_one] if len(on_one) <= WIDTH else parts
            return [f"{' ' * indent}{before}(", *inner, f"{' ' * indent}){after}"]
        case Joined(head, tail):
            return lines(
                tail, before=before + head, after=after, indent=indent, whole_type=whole_type
            )
        case Assigned(target, annotation, value):
            head = f"{before}{target}: {flat(annotation)} = "
            # the first line of the value when it is broken, if it can be
            opening = value.head if isinstance(value, Bracket) and value.items else None
            if isinstance(value, Choice) or (
                opening is not None and indent + len(head) + len(opening) <= WIDTH
            ):
                return lines(value, before=head, after=after, indent=indent, whole_type=True)
            if indent + len(head) < WIDTH:
                inner = lines(value, indent=indent + INDENT)
                if opening is not None or len(inner[0]) <= WIDTH:
                    return [f"{' ' * indent}{head}(", *inner, f"{' ' * indent}){after}"]
            *first, last = lines(
                annotation,
                before=f"{before}{target}: ",
                after=" = ",
                indent=indent,
                whole_type=whole_type,
            )
            return [*first, *lines(value, before=last.lstrip(), after=after, indent=indent)]
        case _:
            return [whole]


def quoted(text: str) -> str:
    """*text* as a literal, in printable characters."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    return f"{quote}{''.join(_escaped(char, quote) for char in text)}{quote}"


def _escaped(char: str, quote: str) -> str:
    if char in ("\\", quote):
        return f"\\{char}"
    if char.isprintable() or char in _SHORT:
        return _SHORT.get(char, char)
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


_Section = tuple[str, Sequence[tuple[str, str]]]
"""A title (``Args:``), and below it names with their descriptions."""


def documentation(
    *paragraphs: str | None, sections: Iterable[_Section] = (), indent: int = 0
) -> list[str]:
    """
    The lines of a docstring with *paragraphs* and *sections*, separated by empty lines.

    It is on one line if it fits.
    """
    width = WIDTH - indent
    parts = [docstring(each, width) for each in paragraphs if each is not None]
    for title, entries in sections:
        parts.append([title])
        for name, text in entries:
            parts[-1] += _entry(name, text, width)
    body = [line for part in parts if part for line in ("", *part)][1:]
    if not body:
        return []
    margin = " " * indent
    is_safe = body[0][0] not in '" ' and body[0][-1] not in '"\\'
    if len(body) == 1 and len(body[0]) <= width - 6 and is_safe:
        return [f'{margin}"""{body[0]}"""']
    return [f'{margin}"""', *(f"{margin}{line}" if line else "" for line in body), f'{margin}"""']


def sentence(text: str) -> str:
    """*text* with a full stop, unless it ends with one."""
    text = text.strip()
    return text if not text or text[-1] in ".!?:" else f"{text}."


def _entry(name: str, text: str, width: int) -> list[str]:
    first, *others = docstring(f"{name}: {text}", width - 8)
    return [f"    {first}", *(f"        {line}" if line else "" for line in others)]
