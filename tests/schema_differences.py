"""
Differences between the pred and the schema of a type, and why they have to be.

Each is a kind of document of which the two say different things.
"""

from __future__ import annotations

from typing import Final, final

from contract.shape.record import record

__all__ = ["EXCEPTIONS", "Difference"]


@final
@record
class Difference:
    """An exception to the rule that a pred takes what the schema of its input takes."""

    rule: str
    """A short name."""
    pred: str
    """The verdict of the pred."""
    schema: str
    """The verdict of the schema."""
    reason: str
    """Why they differ."""


EXCEPTIONS: Final[tuple[Difference, ...]] = (
    Difference(
        rule="limits of texts",
        pred=(
            "Checks Ge, Gt, Le, Lt and MultipleOf of a Decimal, a moment, a duration, "
            "and of an int as the key of a map (64 bits, too)."
        ),
        schema="Takes every text of the form; the limits stand in x-contract-bounds.",
        reason="JSON Schema compares numbers, and these are texts.",
    ),
    Difference(
        rule="the author's code",
        pred=(
            "Asks predicates, and runs __post_init__, __new__ and the load of a Wire, "
            "where a ValueError or an AssertionError is a refusal."
        ),
        schema="Says nothing of them.",
        reason="Code is not a schema.",
    ),
    Difference(
        rule="texts that their class refuses",
        pred="Refuses a network with bits beyond its prefix, and the name of no time zone.",
        schema="Takes what matches the pattern.",
        reason=(
            "A readable regular expression counts no bits, "
            "and which time zones there are, the system knows."
        ),
    ),
    Difference(
        rule="integers written as floats",
        pred="Takes 1.0 for 1, up to 2**53 - 1.",
        schema="Takes every number without a fraction.",
        reason=(
            "From 2**53 on a float stands for several integers, "
            "and which of them was meant cannot be known."
        ),
    ),
    Difference(
        rule="numbers as they are held",
        pred=(
            "Rounds the number of a float to a double, refuses what is too great for one, "
            "and takes integers of 64 bits for Any."
        ),
        schema="Compares the number as it is written, which may be of any size.",
        reason=(
            "Python and its JSON writer hold no others. "
            "Limits would have to stand in every schema, and in those of Any at all depths."
        ),
    ),
    Difference(
        rule="equal items and keys",
        pred=(
            "Compares the items of a set and the keys of a map as Python values: "
            '"1.0" and "1.00" are one Decimal, 1 and true are equal.'
        ),
        schema="uniqueItems compares JSON values; two keys of an object always differ.",
        reason=(
            "What two values are equal in is known to their type alone, "
            "which the author may have written (without eq: their JSON)."
        ),
    ),
    Difference(
        rule="equal hashes",
        pred=(
            "Refuses a set or a map with more than 16 different values that share a hash, "
            "where that can be forged."
        ),
        schema="Says nothing of hashes.",
        reason="It is a defence of the server; nobody meets it by accident.",
    ),
    Difference(
        rule="cheap objects",
        pred="Of a type with defaults, refuses more than 32768 objects in a document that has "
        "less than 10 bytes for each of them; "
        "another byte for every two defaults, and a factory counts as three. "
        "Named tuples with defaults are counted by their arrays.",
        schema="Says nothing of how many there are.",
        reason=(
            "It is a defence of the server: what costs two bytes to send can cost a kilobyte to "
            "hold."
        ),
    ),
    Difference(
        rule="depth",
        pred=(
            "Refuses more than 200 arrays and objects inside each other; "
            "fewer where a type needs more of Python's stack than is left."
        ),
        schema="Says nothing of depth.",
        reason="It is a defence of the server; JSON Schema cannot count levels.",
    ),
    Difference(
        rule="half characters",
        pred="Refuses a surrogate without its other half, written as an escape.",
        schema="Says nothing of it.",
        reason="Such a text cannot be written again: UTF-8 has no form for it.",
    ),
    Difference(
        rule="no input",
        pred="Of a route without input, takes no body at all, null and {}.",
        schema="Takes {} alone: it is the closed empty object.",
        reason=(
            "No body is not JSON, and null is what most clients send of nothing; "
            "in the documents each input has one form."
        ),
    ),
    Difference(
        rule="patterns in Python",
        pred=(
            r"Reads a pattern as ECMA-262 does, as JSON Schema wants it: "
            r"$ is the very end of a text, \d is 0 to 9."
        ),
        schema=(
            r"Says the same, but validators in Python use re, "
            r"where $ also stands before a final line feed, and \d is any digit."
        ),
        reason="The pattern is the author's, in the dialect of the standard.",
    ),
    Difference(
        rule="multiples of fractions",
        pred="Divides decimal numbers as they are written: 0.3 is a multiple of 0.1.",
        schema="Says the same, but most validators divide binary floats, and find a rest.",
        reason="It is what the standard says (validation specification, section 6.2.1).",
    ),
)
"""All of them; of everything else both say the same."""
