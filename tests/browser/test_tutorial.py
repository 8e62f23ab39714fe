"""The page of the tutorial: compiled as its last chapter says, served by the app of that chapter, and used in Chromium."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import expect

from tests.browser.conftest import Open, tsc
from tests.cli_servers import running
from tests.test_readme import ENVIRONMENT, blocks, programs

CHAPTER: Final = "docs/tutorial/8-page-and-agent.md"
FILE: Final = re.compile(r"(?://|<!--) (page/[\w.]+)(?: -->)?\n")


def test_the_page_of_the_tutorial_opens_tickets(visit: Open, tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    for module, text in programs(CHAPTER).items():
        (tmp_path / f"{module}.py").write_text(text)
    for block in blocks(CHAPTER):
        if named := FILE.match(block.text):
            (tmp_path / named[1]).write_text(block.text[named.end() :])
    command = [sys.executable, "-m", "contract", "generate", "v2:api", "-o", "page/api.ts"]
    subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, check=True, capture_output=True)
    options = {
        "target": "es2022",
        "module": "es2022",
        "moduleResolution": "bundler",
        "strict": True,
        "types": [],
    }
    project = tmp_path / "page" / "tsconfig.json"
    project.write_text(json.dumps({"compilerOptions": options, "files": ["page.ts"]}))
    compiled = tsc(project)
    assert compiled.returncode == 0, compiled.stdout

    with running("serve", "app:app", cwd=tmp_path, health="/v2/healthz") as server:
        page = visit(f"http://127.0.0.1:{server.port}/page/index.html")
        for n in range(6):
            page.locator("input").fill(f"Printer {n}")
            page.locator("button").click()
            expect(page.locator("li")).to_have_count(n + 1)

        told = [f"Printer {n}" for n in range(5)]
        expect(page.locator("li")).to_have_text([*told, "Only 5 tickets may be open."])
        page.reload()
        expect(page.locator("li")).to_have_text(told)
