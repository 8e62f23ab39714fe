"""Spots: a schema with its place in the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, final

from contract.shape.exceptions import GenerationError
from contract.shape.json_text import JsonSchema, Place
from contract.shape.names import pascal
from contract.shape.record import record
from contract.shape.schema_lens import NOTES, text_in

__all__ = ["Spot", "rules_of"]

_NOTES: Final = NOTES | {"format"}
_RULES: Final = frozenset({"$ref", "anyOf", "oneOf", "allOf", "if", "then", "const", "enum"})
"""Keywords that limit values of every type."""


def rules_of(schema: JsonSchema) -> set[str]:
    """
    The keywords by which JSON Schema refuses a value.

    A format alone refuses none (2020-12, validation, section 7), nor does one of our own keywords.
    """
    return {keyword for keyword in schema.keys() - _NOTES if not keyword.startswith("x-")}


@final
@record
class Spot:
    """A schema with its place."""

    schema: JsonSchema
    place: Place
    part: str
    """
    Its part in the schema around it, or its own name.

    It is empty if both schemas describe one value.
    """
    outside: Spot | None = None
    """The schema around it; None if *part* is its own name."""
    depth: int = 0
    """How many arrays and maps are around it, up to a schema with a name."""

    @property
    def name(self) -> str:
        """A name for its type, made of its place, if the type needs one."""
        parts: list[str] = []
        spot: Spot | None = self
        while spot is not None:
            part = spot.part
            # the outermost part is the name of a type, or a place that the caller has named
            if part and spot.outside is not None:
                part = pascal(part)
            parts.append(part)
            spot = spot.outside
        return pascal("".join(reversed(parts)))

    def __truediv__(self, keyword: str | int) -> Spot:
        """The schema itself, with the place of one of its keywords."""
        return Spot(self.schema, self.place / keyword, "", self, self.depth)

    def inner(
        self, schema: JsonSchema, *steps: str | int, part: str = "", deeper: bool = False
    ) -> Spot:
        """
        A schema in this one.

        Args:
            schema: The inner schema.
            *steps: The keys that lead to it.
            part: What it is in this one, for its name.
            deeper: Whether it is that of an item, or of a value in a map.
        """
        place = self.place
        for step in steps:
            place /= step
        depth = self.depth
        if deeper:
            depth += 1
        return Spot(schema, place, part, self, depth)

    def text(self, keyword: str) -> str:
        """A text in the schema, or an empty one."""
        return text_in(self.schema, keyword) or ""

    def refuse(self, problem: str) -> GenerationError:
        """An exception to raise about this place."""
        return GenerationError(str(self.place), problem)

    def check_alone(self, keyword: str) -> None:
        """Refuse keywords beside *keyword* that limit values."""
        others = rules_of(self.schema) - {keyword}
        if others:
            raise (self / min(others)).refuse(
                f"no type has a rule like this beside {keyword}; "
                f"write it into what {keyword} leads to"
            )

    def check_rules(self, *allowed: str) -> None:
        """
        Refuse rules for the value beside its type, except the *allowed* ones.

        Keywords for values of other types have no meaning here.
        """
        others = rules_of(self.schema) & _RULES - {*allowed}
        if others:
            raise (self / min(others)).refuse(
                'no type has a rule like this beside "type"; '
                f"write what {min(others)} says into the schema"
            )

    def check_order(self, limits: Mapping[str, Any]) -> None:
        """Refuse *limits*, some of ``ge``, ``gt``, ``le`` and ``lt``, that leave no value."""
        for low in ("ge", "gt"):
            for high in ("le", "lt"):
                if low in limits and high in limits:
                    lowest, highest = limits[low], limits[high]
                    # equal limits leave one value if both include it
                    if lowest > highest or (lowest == highest and (low, high) != ("ge", "le")):
                        raise self.refuse(
                            "no value is within these limits; write limits that leave something"
                        )
