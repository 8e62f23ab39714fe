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


# An expression is written on one line if it fits (`flat`); otherwise it is broken at its outermost
# brackets (`lines`); each item in these is then written in the same way.


def flat(expression: Expression) -> str:
    """*expression* on one line."""
    match expression:
        case str():
            return expression
        case Bracket(head, items, end):
            inner = ", ".join(map(flat, items))
            # a tuple of one item
            if head == "(" and len(items) == 1:
                inner += ","
            return f"{head}{inner}{end}"
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
    inner: list[str] = []
    match expression:
        case Bracket(head, items, end) if items:
            comma = ","
            if head.endswith("[") and head != "[" and len(items) == 1:
                comma = ""  # T[A,] would be another type
            for item in items:
                inner += lines(item, after=comma, indent=indent + INDENT)
            return [f"{' ' * indent}{before}{head}", *inner, f"{' ' * indent}{end}{after}"]
        case Choice(members, union):
            # A | B with a member per line stands in parentheses; inside of other brackets, or if a
            # member has to be broken, it is a Union[A, B], which can be broken anywhere
            margin = " " * (indent + INDENT)
            first, *others = map(flat, members)
            parts = [f"{margin}{first}", *(f"{margin}| {each}" for each in others)]
            if not whole_type or max(map(len, parts)) > WIDTH:
                bracket = Bracket(f"{union()}[", members, "]")
                return lines(bracket, before=before, after=after, indent=indent)
            on_one = f"{margin}{flat(expression)}"
            if len(on_one) <= WIDTH:
                parts = [on_one]
            return [f"{' ' * indent}{before}(", *parts, f"{' ' * indent}){after}"]
        case Joined(head, tail):
            return lines(
                tail, before=before + head, after=after, indent=indent, whole_type=whole_type
            )
        case Assigned(target, annotation, value):
            head = f"{before}{target}: {flat(annotation)} = "
            # 1. The value is broken, if it can be: its first line is then its opening bracket.
            opening: str | None = None
            if isinstance(value, Bracket) and value.items:
                opening = value.head
            fits = opening is not None and indent + len(head) + len(opening) <= WIDTH
            if fits or isinstance(value, Choice):
                return lines(value, before=head, after=after, indent=indent, whole_type=True)
            # 2. It is put into parentheses, on lines of its own.
            if indent + len(head) < WIDTH:
                inner = lines(value, indent=indent + INDENT)
                if opening is not None or len(inner[0]) <= WIDTH:
                    return [f"{' ' * indent}{head}(", *inner, f"{' ' * indent}){after}"]
            # 3. The annotation is broken.
            *before_last, last = lines(
                annotation,
                before=f"{before}{target}: ",
                after=" = ",
                indent=indent,
                whole_type=whole_type,
            )
            value_lines = lines(value, before=last.lstrip(), after=after, indent=indent)
            return [*before_last, *value_lines]
        case _:
            return [whole]


def quoted(text: str) -> str:
    """*text* as a literal, in printable characters."""
    quote = '"'
    # as formatters do: the quotes that need fewer backslashes
    if text.count('"') > text.count("'"):
        quote = "'"
    inner = "".join(_escaped(char, quote) for char in text)
    return f"{quote}{inner}{quote}"


def _escaped(char: str, quote: str) -> str:
    if char in ("\\", quote):
        return f"\\{char}"
    if char.isprintable() or char in _SHORT:
        return _SHORT.get(char, char)
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\U{code:08x}"


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
    body: list[str] = []
    for part in filter(None, parts):
        if body:
            body.append("")
        body += part
    if not body:
        return []
    # a quotation mark beside those of the docstring would join them, and a backslash escape one
    is_safe = body[0][0] not in '" ' and body[0][-1] not in '"\\'
    if len(body) == 1 and len(body[0]) <= width - 2 * len('"""') and is_safe:
        body = [f'"""{body[0]}"""']
    else:
        body = ['"""', *body, '"""']
    return _indented(body, indent)


def sentence(text: str) -> str:
    """*text* with a full stop, unless it ends with one."""
    text = text.strip()
    if not text or text[-1] in ".!?:":
        return text
    return f"{text}."


def _entry(name: str, text: str, width: int) -> list[str]:
    # 8: the indent of all lines but the first
    first, *others = docstring(f"{name}: {text}", width - 8)
    return [f"    {first}", *_indented(others, 8)]


def _indented(body: Iterable[str], indent: int) -> list[str]:
    """The lines of *body*, indented, but for empty ones."""
    margin = " " * indent
    written: list[str] = []
    for line in body:
        if line:
            written.append(f"{margin}{line}")
        else:
            written.append("")
    return written
