"""Markers: UNSET is neither a value nor None."""

import copy
import pickle

from contract.shape.markers import UNSET, Example, Name, Pattern, Unset


def test_unset_is_one_false_value_of_its_own() -> None:
    assert not UNSET
    assert (repr(UNSET), [*Unset]) == ("UNSET", [UNSET])
    assert copy.deepcopy(UNSET) is UNSET
    assert pickle.loads(pickle.dumps(UNSET)) is UNSET


def test_markers_are_values() -> None:
    assert (Pattern("a"), Name("a").wire) == (Pattern("a"), "a")
    assert Example([1]).value == [1]
