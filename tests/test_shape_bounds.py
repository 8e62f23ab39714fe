"""Bounds: limits of ordered types."""

from contract.shape.bounds import I64_MAX, I64_MIN, UNBOUNDED, Bounds


def test_bounds_know_whether_there_are_any() -> None:
    assert not UNBOUNDED.any
    assert not Bounds().any
    assert Bounds(ge=0).any
    assert Bounds(multiple_of=0).any


def test_integers_have_64_bits() -> None:
    assert (I64_MIN, I64_MAX) == (-9223372036854775808, 9223372036854775807)
