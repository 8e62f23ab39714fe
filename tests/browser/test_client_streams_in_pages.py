"""Streams in a page: a generated client in TypeScript, in Chromium, against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.codegen.package import package_of
from contract.codegen.typescript import typescript_client
from contract.document.describe import describe
from tests.browser.conftest import Open, script_of
from tests.cli_servers import running
from tests.talks import api

CALLS = """
const api = new ApiClient({ baseUrl: location.origin })
const told = async (input, options, most = 100) => {
    const result = await api.chat(input, options)
    if (!result.ok) return result.code
    const found = []
    for await (const each of result.value) {
        found.push(each.ok ? each.value.text : `${each.code} ${each.data?.cause ?? ""}`.trim())
        // once the loop waits for the next item
        if (options?.signal) setTimeout(() => stop.abort())
        if (found.length === most) break
    }
    return found.join(" ")
}
const stop = new AbortController()
return Promise.all([
    told({ text: "one two" }),
    told({ text: "a b c" }, { lastEventId: "1" }),
    told({ text: "a", ending: "interrupted" }),
    told({ text: "a", ending: "wrong" }),
    told({ text: "secret" }),
    told({ text: "a", ending: "endless" }, {}, 3),
    told({ text: "a", ending: "quiet" }, { quiet: 2000 }),
    told({ text: "a", ending: "quiet" }, { signal: stop.signal }),
])
"""


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with running("serve", "tests.talks:api", "--workers", "1", cwd=tmp_path) as server:
        yield f"http://127.0.0.1:{server.port}"


def test_a_page_reads_streams(visit: Open, url: str, tmp_path: Path) -> None:
    code = script_of(typescript_client(package_of(describe(api))), tmp_path)

    assert visit(f"{url}/docs/").evaluate(f"async () => {{ {code}\n{CALLS} }}") == [
        "one two",
        "c",
        "a INTERRUPTED",
        "a INTERNAL_ERROR",
        "REFUSED",
        "a more more",
        "a NETWORK_ERROR timeout",
        "a NETWORK_ERROR aborted",
    ]
