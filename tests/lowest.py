"""Prints the lowest release of each dependency that pyproject.toml allows, as constraints for pip (``make tests-with-lowest``)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_BOUND = re.compile(r"([A-Za-z0-9._-]+)(?:\[[a-z,-]+\])?>=([0-9.]+)")


def lowest(pyproject: str) -> list[str]:
    """A pin for each dependency, of an extra or not; those that are the project itself have none."""
    read = tomllib.loads(pyproject)
    project = read["project"]
    needed = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    # an older Hypothesis asks pytest for what newer ones warn about
    needed += [
        each
        for each in read["dependency-groups"]["suite"]
        if isinstance(each, str) and each.startswith("pytest")
    ]
    bounds = [_BOUND.match(each) for each in needed if not each.startswith(f"{project['name']}[")]
    return sorted({f"{bound[1]}=={bound[2]}" for bound in bounds if bound is not None})


if __name__ == "__main__":
    # its output is what it is for
    print("\n".join(lowest(Path("pyproject.toml").read_text(encoding="utf-8"))))  # noqa: T201
