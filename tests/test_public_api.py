"""The public names, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import pytest

import contract
import contract.testing
from contract.testing import strategies

PROBE = "import sys, {}; {}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"


def modules_after(statement: str, package: str = "contract") -> set[str]:
    """The top-level modules that are loaded in a new process after importing *package* and doing *statement*."""
    command = [sys.executable, "-c", PROBE.format(package, statement)]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_the_public_names_are_sorted() -> None:
    assert contract.__all__ == sorted(contract.__all__)


def test_the_public_names_are_what_can_be_imported() -> None:
    namespace: dict[str, Any] = {}
    exec("from contract import *", namespace)

    assert set(contract.__all__) == {name for name in namespace if name != "__builtins__"}


def test_every_public_name_says_what_it_is() -> None:
    silent = [
        name
        for name in contract.__all__
        if isinstance(getattr(contract, name), type) or callable(getattr(contract, name))
        if typing.get_origin(getattr(contract, name)) is None
        and not getattr(contract, name).__doc__
    ]

    assert silent == []


def test_what_is_public_here_is_listed() -> None:
    """
    A name that is imported in ``contract/__init__.py`` and not listed would be public by accident.
    """
    modules = {path.stem for path in Path(contract.__file__).parent.iterdir()}
    found = {name for name in vars(contract) if not name.startswith("_") and name not in modules}

    assert found - set(contract.__all__) <= {"TYPE_CHECKING", "importlib"}


def test_importing_the_package_needs_no_framework() -> None:
    brought = modules_after("pass", "pydantic_core")  # its older releases import asyncio

    assert not (modules_after("pass") - brought) & {
        "falcon",
        "hypothesis",
        "asyncio",
        "httptools",
        "uvloop",
    }


@pytest.mark.parametrize("name", ["Limits", "Mount", "mount_spec"])
def test_what_needs_a_framework_is_imported_when_it_is_asked_for(name: str) -> None:
    found = modules_after(f"contract.{name}")

    assert ("falcon" in found) is (name != "Limits")
    assert getattr(contract, name).__name__ == name


def test_a_typo_is_an_attribute_error() -> None:
    package: Any = contract
    with pytest.raises(AttributeError, match="module 'contract' has no attribute 'mount_spek'"):
        package.mount_spek  # noqa: B018


def test_dir_lists_what_is_imported_later() -> None:
    assert set(contract.__all__) <= set(dir(contract))


def test_a_name_that_is_loaded_later_is_that_of_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(vars(contract.testing), "values", raising=False)

    assert contract.testing.values is strategies.values


def test_a_package_that_loads_names_later_says_what_it_does_not_have() -> None:
    with pytest.raises(
        AttributeError, match=r"module 'contract\.testing' has no attribute 'nothing'"
    ):
        contract.testing.nothing  # type: ignore[attr-defined]  # noqa: B018
    assert {*contract.testing.__all__} <= {*dir(contract.testing)}


def test_another_missing_module_is_not_taken_for_hypothesis(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lazy: dict[str, str] = vars(contract.testing)["_LAZY"]  # which type checkers do not see
    monkeypatch.setitem(lazy, "gone", "contract.testing.gone")
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'contract\.testing\.gone'"):
        contract.testing.gone  # type: ignore[attr-defined]  # noqa: B018


def test_the_version_is_the_one_of_the_distribution() -> None:
    assert contract.__version__.count(".") == 2
