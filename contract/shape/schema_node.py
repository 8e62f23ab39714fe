"""Spots: a schema, and where in the document it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, final

from contract.shape.exceptions import GenerationError
from contract.shape.identifiers import pascal
from contract.shape.json_text import JsonSchema, Place
from contract.shape.record import record
from contract.shape.schema_lens import NOTES, text_in

__all__ = ["Spot", "constraints"]

_NOTES: Final = NOTES | {"format"}
_RULES: Final = frozenset({"$ref", "anyOf", "oneOf", "allOf", "if", "then", "const", "enum"})
"""Keywords that say what is taken whatever the type is."""


def constraints(schema: JsonSchema) -> set[str]:
    """
    The keywords by which JSON Schema refuses a value.

    A format alone refuses none (2020-12, validation, section 7), nor does a keyword of our own.
    """
    return {keyword for keyword in schema.keys() - _NOTES if not keyword.startswith("x-")}


@final
@record
class Spot:
    """A schema where it stands."""

    schema: JsonSchema
    place: Place
    part: str
    """
    The name of the part that it is of the schema around it, or its own name.

    It is empty where both schemas describe one value.
    """
    outside: Spot | None = None
    """The schema around it, up to one with a name."""
    depth: int = 0
    """How many arrays and maps are around it, up to a schema with a name."""

    @property
    def name(self) -> str:
        """The name of its type, if that needs one, made of its place."""
        parts: list[str] = []
        spot: Spot | None = self
        while spot is not None:
            parts.append(pascal(spot.part) if spot.part and spot.outside is not None else spot.part)
            spot = spot.outside
        return pascal("".join(reversed(parts)))

    def __truediv__(self, keyword: str | int) -> Spot:
        """The schema itself, at the place of one of its keywords."""
        return Spot(self.schema, self.place / keyword, "", self, self.depth)

    def inner(
        self, schema: JsonSchema, *steps: str | int, part: str = "", deeper: bool = False
    ) -> Spot:
        """
        A schema in this one.

        Args:
            schema: What stands there.
            *steps: The keys that lead there.
            part: What it is in this one, for its name.
            deeper: Whether it is that of an item, or of a value in a map.
        """
        place = self.place
        for step in steps:
            place /= step
        return Spot(schema, place, part, self, self.depth + deeper)

    def text(self, keyword: str) -> str:
        """A text in the schema, or an empty one."""
        return text_in(self.schema, keyword) or ""

    def refuse(self, problem: str) -> GenerationError:
        """An exception to raise about this place."""
        return GenerationError(str(self.place), problem)

    def check_alone(self, keyword: str) -> None:
        """Refuse keywords that say what is taken beside *keyword*."""
        others = constraints(self.schema) - {keyword}
        if others:
            raise (self / min(others)).refuse(
                f"no type has a rule like this beside {keyword}; "
                f"write it into what {keyword} leads to"
            )

    def check_rules(self, *allowed: str) -> None:
        """
        Refuse rules for the value itself beside its type, but for those that are *allowed*.

        Keywords for values of other types mean nothing here.
        """
        others = constraints(self.schema) & _RULES - {*allowed}
        if others:
            raise (self / min(others)).refuse(
                'no type has a rule like this beside "type"; '
                f"write what {min(others)} says into the schema"
            )

    def check_order(self, limits: Mapping[str, Any]) -> None:
        """
        Refuse limits that leave nothing.

        Args:
            limits: Some of ``ge``, ``gt``, ``le`` and ``lt``, each of which can be compared with
                the others.
        """
        for low in ("ge", "gt"):
            for high in ("le", "lt"):
                if low in limits and high in limits:
                    lowest, highest = limits[low], limits[high]
                    if lowest > highest or (lowest == highest and (low, high) != ("ge", "le")):
                        raise self.refuse(
                            "no value is within these limits; write limits that leave something"
                        )
