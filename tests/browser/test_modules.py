"""The modules of the page are typed, by JSDoc: what the compiler would refuse in TypeScript it refuses in them."""

from pathlib import Path

from tests.browser.conftest import tsc


def test_the_modules_are_typed() -> None:
    done = tsc(Path(__file__).with_name("tsconfig.json"))

    assert (done.returncode, done.stdout) == (0, "")
