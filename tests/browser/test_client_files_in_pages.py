"""Files in a page: a generated client in TypeScript, in Chromium, against a real server."""

from __future__ import annotations

import re
from pathlib import Path

from contract.codegen.package import package_of
from contract.codegen.typescript import typescript_client
from contract.document.describe import describe
from tests.browser.conftest import Open, script_of
from tests.cli_servers import REPOSITORY, running
from tests.uploaded import api

CALLS = """
const rejected = []
addEventListener("unhandledrejection", (event) => rejected.push(`${event.reason}`))
const api = new ApiClient({ baseUrl: location.origin })
const stream = (...chunks) =>
    new ReadableStream({
        start(controller) {
            for (const each of chunks) controller.enqueue(new TextEncoder().encode(each))
            controller.close()
        },
    })
const image = { stream: stream("P", "NG"), name: "a stream.png", type: "image/png" }
const { names, types, sizes } = (await api.add({ title: "t", image, more: [stream("four"), stream()] })).unwrap()

const broken = await api.avatar({ image: new ReadableStream({ pull: (of) => of.error(new Error("gone")) }) })
const stop = new AbortController()
let cancelled
const endless = new ReadableStream({ pull: () => stop.abort(), cancel: (why) => (cancelled = why) })
const ended = await api.avatar({ image: endless }, { signal: stop.signal })

const told = []
const telling = api.withOptions({ fetch: fetchWithProgress((...each) => told.push(each)) })
const sized = await telling.avatar({ image: new Blob([new Uint8Array(900_000)]) })
const [sent, whole] = told.at(-1)
const wrong = await telling.add({ title: "t", image: new Blob(["a"]) })
const halt = new AbortController()
const halting = api.withOptions({ fetch: fetchWithProgress(() => halt.abort()) })
const halted = await halting.avatar({ image: new Blob([new Uint8Array(900_000)]) }, { signal: halt.signal })
return {
    names, types, sizes, cancelled,
    broken: [broken.code, broken.data.cause],
    ended: ended.data.cause,
    sized: [sized.value, sized.headers.get("content-type"), sent === whole && whole > 900_000],
    wrong: wrong.data.issues.map(({ path, code }) => [...path, code]),
    halted: halted.data.cause,
    rejected,
}
"""


def test_a_page_sends_files_and_streams_and_shows_progress(visit: Open, tmp_path: Path) -> None:
    page = (REPOSITORY / "docs/how-to/uploads.md").read_text("utf-8")
    [progress] = re.findall(r"(?s)```ts\n(// progress.ts\n.*?)```", page)
    client = typescript_client(package_of(describe(api)))
    code = script_of(f"{client}\n{progress}", tmp_path)

    with running("serve", "tests.uploaded:api", "--workers", "1", cwd=tmp_path) as server:
        seen = visit(f"http://127.0.0.1:{server.port}/docs/").evaluate(
            f"async () => {{ {code}\n{CALLS} }}"
        )

    assert seen == {
        "names": ["a stream.png", "blob", "blob"],
        "types": ["image/png", "application/octet-stream", "application/octet-stream"],
        "sizes": [3, 4, 0],
        "cancelled": "aborted",
        "broken": ["NETWORK_ERROR", "other"],
        "ended": "aborted",
        "sized": [900_000, "application/json", True],
        "wrong": [["image", "media_type"]],
        "halted": "aborted",
        "rejected": [],
    }
