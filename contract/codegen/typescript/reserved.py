"""Reserved: names that nothing of a document is given, because they mean something already."""

from __future__ import annotations

from typing import Final

from contract.codegen.typescript.runtime import public_names

__all__ = ["GLOBALS", "NO_FUNCTIONS", "NO_LABELS", "NO_METHODS", "RESERVED"]

_KEYWORDS: Final = """
    abstract accessor any arguments as asserts assert async await bigint boolean break case catch
    class const constructor continue debugger declare default defer delete do else enum eval export
    extends false finally for from function get global if implements import in infer instanceof
    interface intrinsic is keyof let module namespace never new null number object of out override
    package private protected public readonly require return satisfies set static string super
    switch symbol this throw true try type typeof undefined unique unknown using var void while with
    yield
"""
"""TypeScript accepts some of these as names in some places, where they would be hard to read."""

GLOBALS: Final = frozenset(
    """
    AbortController AbortSignal Array BigInt Boolean Date Error Exclude Function Headers Infinity
    JSON Map Math NaN NonNullable Number Object Omit Partial Promise RangeError RegExp Response Set
    String Symbol TextDecoder TypeError URL Uint8Array atob btoa clearTimeout exports fetch
    globalThis performance setTimeout
    """.split()  # noqa: SIM905  as a list it is a page long
)
"""Globals that the generated code uses, and that a declaration of that name would hide."""

RESERVED: Final = (
    frozenset(_KEYWORDS.split())
    | GLOBALS
    | {"ApiClient", "CallErrorCode", "FailureData", "schemas", *public_names()}
)
"""Names of types and functions."""

NO_FUNCTIONS: Final = frozenset({"client", "input", "options", "route", "then"})
"""
Names that no function gets.

The first four are names within functions, where a function of such a name could not be called. A
module that exports ``then`` is a promise to whoever awaits its import.
"""

NO_LABELS: Final = frozenset(
    """
    break case catch class const continue debugger default delete do else enum export extends
    finally for if implements in instanceof interface let package private protected public return
    static super switch throw try var while with yield
    """.split()  # noqa: SIM905
)
"""
Names that no position of a tuple gets.

Some are words that no type begins with; the others are no names in strict code.
"""

NO_METHODS: Final = frozenset(
    """
    constructor withOptions then catch finally hasOwnProperty isPrototypeOf propertyIsEnumerable
    prototype toJSON toLocaleString toString valueOf
    """.split()  # noqa: SIM905
)
"""Names of methods: the client has them itself, or JavaScript asks every object for them."""
