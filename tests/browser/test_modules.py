"""The modules of the page are typed, by JSDoc: what the compiler would refuse in TypeScript it refuses in them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from shutil import which

from tests.browser.conftest import TOOLS


def test_the_modules_are_typed() -> None:
    node = which("node", path=f"{TOOLS / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert node is not None, "there is no node; make browser installs one"
    compiler = [node, str(TOOLS / "node_modules" / "typescript" / "bin" / "tsc")]
    done = subprocess.run([*compiler, "-p", str(Path(__file__).with_name("tsconfig.json"))], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, "")
