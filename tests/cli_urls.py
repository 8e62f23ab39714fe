"""A server of one document for the tests of the command line: it knows entity tags, and tells what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Documents(ThreadingHTTPServer):
    """
    Serves *document* at every path that ends in contract.json, and repeats what is posted.

    Attributes:
        document: What is served; None for 404.
        tagged: Whether it has an entity tag.
        elsewhere: Where requests are sent instead, if anywhere.
        asked: Path and headers of each request, names in lower case.
        due: A document that takes the place of that one, and how many requests come before it.
    """

    daemon_threads = True

    def __init__(self, document: bytes | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.document = document
        self.tagged = True
        self.elsewhere: str | None = None
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.due: tuple[int, bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Clients that go away."""


class _Handler(BaseHTTPRequestHandler):
    server: Documents

    def do_GET(self) -> None:
        server = self.server
        sent = self._noted()
        if server.due is not None and len(server.asked) > server.due[0]:
            server.document = server.due[1]
        if server.elsewhere is not None:
            self._reply(302, b"", location=f"{server.elsewhere}{self.path}")
            return
        if server.document is None:
            self._reply(404, b"<html>")
            return
        tag = f'"{sha256(server.document).hexdigest()[:8]}"'
        if server.tagged and sent.get("if-none-match") == tag:
            self._reply(304, b"")
        else:
            self._reply(200, server.document, **({"etag": tag} if server.tagged else {}))

    def do_POST(self) -> None:
        sent = self._noted()
        self._reply(200, self.rfile.read(int(sent["content-length"])) or b"null")

    def _noted(self) -> dict[str, str]:
        sent = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.path, sent))
        return sent

    def _reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def documents(document: bytes | None) -> Generator[Documents]:
    """A server, while it is needed."""
    with Documents(document) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
