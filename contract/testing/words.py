"""
Words: the short strings in a resolver's code, on which its behaviour depends.

If a resolver treats ``"VIP..."`` specially, chance would draw such a text once in a million times.
So the words of a resolver, and of the author's own functions that it calls, are added before and
after the drawn texts.
"""

from __future__ import annotations

import dis
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType, FunctionType
from typing import Any, Final, cast, final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contract.declare.resolver import underlying
from contract.shape.nodes import StrShape
from contract.shape.record import record
from contract.testing.texts import judge, texts

__all__ = ["FEW", "NO_AFFIXES", "Affixes", "any_of", "each_of", "with_affixes", "words_of"]

FEW: Final = 3
"""Examples for one word in one place."""

_FUNCTIONS: Final = 50
"""How many functions are searched."""
_WORDS: Final = 20
"""How many words are tried; with more, each would be drawn too seldom."""
_LONGEST: Final = 40
_SPACES: Final = 2
"""The most spaces in a word; a text with more is a message, or SQL."""


def words_of(resolver: Callable[..., Any]) -> tuple[str, ...]:
    """The words of *resolver*, those in its own code first."""
    found: dict[str, None] = {}
    for function in _reached(resolver):
        found.update(dict.fromkeys(filter(_is_word, _texts_in(function))))
    return tuple(found)[:_WORDS]


@final
@record
class Affixes:
    """
    Beginnings and ends of texts.

    Each text begins and ends with one of these, which may be empty.
    """

    first: tuple[str, ...] = ("",)
    last: tuple[str, ...] = ("",)


NO_AFFIXES: Final = Affixes()


def any_of(words: Sequence[str]) -> Affixes:
    """Affixes for a third of all texts, at either end."""
    # the empty one comes first, since others shrink to it, and twice as often as all words together
    nothing = [""] * max(1, 2 * len(words))
    affixes = (*nothing, *words)
    return Affixes(affixes, affixes)


def each_of(words: Iterable[str]) -> Iterator[Affixes]:
    """One word in one place at a time: in fifty draws, chance misses one of ten words."""
    for word in words:
        yield Affixes(first=(word,))
        yield Affixes(last=(word,))


def with_affixes(shape: StrShape, affixes: Affixes) -> SearchStrategy[str]:
    """Texts of *shape* with *affixes*, as far as these fit."""
    broken = judge(shape)

    def joined(drawn: tuple[str, str, str]) -> str:
        text, first, last = drawn
        inside = text[len(first) : max(len(first), len(text) - len(last))]
        # tried first in place of a part of the text, which keeps its length
        tried = (
            first + inside + last,
            first + text + last,
            first + text[len(first) :],
            text[: max(0, len(text) - len(last))] + last,
        )
        return next((each for each in tried if not broken(each)), text)

    return st.tuples(
        texts(shape), st.sampled_from(affixes.first), st.sampled_from(affixes.last)
    ).map(joined)


def _reached(resolver: Callable[..., Any]) -> list[FunctionType]:
    """The function of *resolver*, the functions that it names, and so on."""
    owner: object = type(cast("object", getattr(resolver, "__self__", resolver)))
    found: list[FunctionType] = []
    # the nearest functions first: only so many are searched, and only so many words are tried
    ahead: list[object] = [underlying(resolver)]
    while ahead and len(found) < _FUNCTIONS:
        function = ahead.pop(0)
        if (
            isinstance(function, FunctionType)
            and function not in found
            and not _is_foreign(function)
        ):
            found.append(function)
            ahead += _named_in(function)
            # a method names other methods of its object as attributes
            for code in _codes(function.__code__):
                ahead += [getattr(owner, name, None) for name in code.co_names]
    return found


def _is_foreign(function: FunctionType) -> bool:
    """Whether it belongs to Python or to a library, whose words do not concern this resolver."""
    top = function.__module__.partition(".")[0]
    return (
        top in sys.stdlib_module_names
        or top == "contract"
        or "site-packages" in function.__code__.co_filename
    )


def _texts_in(function: FunctionType) -> Iterator[str]:
    for code in _codes(function.__code__):
        instructions = [*dis.get_instructions(code)]
        for instruction, following in zip(instructions, [*instructions[1:], None], strict=True):
            # since Python 3.13, the names of keyword arguments are a constant before the call
            names_arguments = following is not None and following.opname == "CALL_KW"
            if instruction.opname == "LOAD_CONST" and not names_arguments:
                yield from _among(instruction.argval)
    for value in _named_in(function):
        yield from _among(value)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The *code*, and that of the functions, lambdas and comprehensions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _named_in(function: FunctionType) -> list[object]:
    """The objects that *function* names, in its module and in its closure."""
    names = dict.fromkeys(name for code in _codes(function.__code__) for name in code.co_names)
    found = [function.__globals__[name] for name in names if name in function.__globals__]
    return [*found, *inspect.getclosurevars(function).nonlocals.values()]


def _among(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list | set | frozenset | dict):
        yield from sorted(each for each in cast("Iterable[object]", value) if isinstance(each, str))


def _is_word(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and text.count(" ") <= _SPACES and text.isprintable()
