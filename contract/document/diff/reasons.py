"""Reasons: why a change breaks those whom it breaks, or does not, by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["REASONS"]

_REFUSED: Final = "what was sent until now may be refused"
_UNEXPECTED: Final = "clients may be sent what they did not have to expect"

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "input_enum_closed": _REFUSED,
        "input_enum_value_removed": "clients that send it are refused",
        **dict.fromkeys(
            ("input_default_added", "input_default_changed", "input_default_removed"),
            "what is left out means something else",
        ),
        "input_extra_fields_refused": _REFUSED,
        "input_field_removed": "clients that send it are refused, since inputs are closed",
        "input_field_required": "clients that leave it out are refused",
        "input_field_required_added": "clients that do not know it are refused",
        "input_form_narrowed": _REFUSED,
        "input_form_changed": _REFUSED,
        "input_item_removed": "clients that send it are refused",
        "input_item_required_added": "clients that do not know it are refused",
        "input_limit_narrowed": _REFUSED,
        "input_limit_changed": f"the two cannot be compared, so {_REFUSED}",
        "input_member_removed": "clients that send it are refused",
        "input_null_removed": "clients that send null are refused",
        "input_pattern_added": _REFUSED,
        "input_repetition_refused": _REFUSED,
        "input_rule_added": _REFUSED,
        "input_type_changed": _REFUSED,
        "input_type_narrowed": _REFUSED,
        "output_enum_opened": "an exhaustive client has no case for other values",
        "output_enum_value_added": "an exhaustive client has no case for it",
        "output_extra_fields_allowed": _UNEXPECTED,
        "output_field_added": "clients ignore fields that they do not know",
        "output_field_optional": "clients that read it do not expect it to be absent",
        "output_field_removed": "clients that read it find nothing",
        "output_form_widened": _UNEXPECTED,
        "output_form_changed": _UNEXPECTED,
        "output_item_added": "clients expect as many positions as there were",
        "output_item_removed": "clients that read it find nothing",
        "output_item_required_added": "clients expect as many positions as there were",
        "output_limit_widened": _UNEXPECTED,
        "output_limit_changed": f"the two cannot be compared, so {_UNEXPECTED}",
        "output_member_added": "an exhaustive client has no case for it",
        "output_null_added": "clients that read the value do not expect null",
        "output_pattern_removed": _UNEXPECTED,
        "output_repetition_allowed": _UNEXPECTED,
        "output_rule_removed": _UNEXPECTED,
        "output_type_changed": _UNEXPECTED,
        "output_type_widened": _UNEXPECTED,
    }
)
"""Kind -> reason, where the text of a finding does not tell it."""
