"""
A client that costs little: connections that stay open, one request on each at a time, one thread.

It sends the same bytes again and again, and of an answer looks only at the status and the length.
"""

from __future__ import annotations

import selectors
import socket
from collections.abc import Mapping
from http.client import HTTPConnection
from typing import Final, Self

from bench import wire

__all__ = ["Client", "ask"]


def ask(port: int, path: str, body: bytes, more: Mapping[str, str]) -> wire.Answer:
    """Ask once, on a connection of its own."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", f"/v1/{path}", body, {"content-type": "application/json", **more})
    response = connection.getresponse()
    answer = response.status, response.read()
    connection.close()
    return answer


class Client:
    """Open connections to a server."""

    def __init__(
        self,
        port: int,
        path: str,
        body: bytes,
        more: Mapping[str, str],
        connections: int,
    ) -> None:
        headers = {
            "host": "127.0.0.1",
            "accept": "*/*",
            "content-type": "application/json",
            "content-length": str(len(body)),
            **more,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._request: Final = f"POST /v1/{path} HTTP/1.1\r\n{lines}\r\n".encode() + body
        self._ready: Final = selectors.DefaultSelector()
        address = ("127.0.0.1", port)
        self._sockets: Final = [socket.create_connection(address) for _ in range(connections)]
        for each in self._sockets:
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._ready.register(each, selectors.EVENT_READ, each)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ready.close()
        for each in self._sockets:
            each.close()

    def run(self, count: int) -> None:
        """
        Send *count* requests, and take their answers.

        Raises:
            WrongAnswerError: An answer is no 200.
        """
        parts = dict.fromkeys(self._sockets, b"")
        first = self._sockets[:count]
        for begun in first:
            begun.sendall(self._request)
        to_send, to_come = count - len(first), count
        while to_come:
            for key, _ in self._ready.select(10):
                each: socket.socket = key.data
                parts[each] += each.recv(65_536)
                if _is_whole(parts[each]):
                    parts[each] = b""
                    to_come -= 1
                    if to_send:
                        to_send -= 1
                        each.sendall(self._request)


def _is_whole(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    if not end:
        if not answer:
            raise wire.WrongAnswerError("the server has closed a connection")
        return False
    if answer[9:12] != b"200":
        raise wire.WrongAnswerError(answer[:300].decode("latin-1"))
    length = head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
    return len(body) >= int(length)
