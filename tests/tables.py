"""Tables: the cases of a test, a row each."""

from typing import Any

import pytest

__all__ = ["rows"]


def rows(names: str, *table: Any, ids: Any = None) -> pytest.MarkDecorator:
    """A test for each row of *table*, whose columns are the arguments *names*."""
    return pytest.mark.parametrize(names, table, ids=ids)
