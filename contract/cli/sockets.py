"""
Sockets: the one that a server listens on, and what the kernel knows about it.

For its client, a connection is complete before any process has accepted it; it waits in a queue of
the kernel. Closing a listening socket resets the connections in that queue. So a server that must
not lose any empties the queue first, and makes sure that nothing is added meanwhile.
"""

from __future__ import annotations

import errno
import socket
import struct
import sys
from array import array
from contextlib import suppress
from typing import Final

from contract.cli.output import Stop

__all__ = [
    "address_of",
    "bind",
    "drop_handshakes",
    "listen",
    "shown",
    "url_of",
    "waiting",
]

_STALLED: Final = 60_000
"""
Milliseconds after which the kernel drops a client that takes nothing of what is sent to it.

Each download or stream that it does not read would hold a thread (WSGI) or memory (ASGI) for ever.
nginx allows as long (``send_timeout``).
"""


def bind(host: str, port: int) -> socket.socket:
    """
    Bind the socket to listen on.

    It does not listen yet, so that no client waits for a server that never starts.
    """
    family = socket.AF_INET
    if ":" in host:  # no name of a host has one, and no IPv4 address
        family = socket.AF_INET6
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        # not REUSEPORT: a second server would take half of the calls
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "linux":
            with suppress(OSError):  # a sandbox without this option; each connection inherits it
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STALLED)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise _unusable(error, host, port) from None
    except (TypeError, ValueError):  # raised for names that cannot be encoded
        listening.close()
        raise Stop(2, f"cannot listen on {host!r}: it is not an address") from None
    return listening


def listen(listening: socket.socket, backlog: int) -> None:
    """Begin to listen; up to *backlog* connections may wait to be accepted."""
    try:
        listening.listen(backlog)
    except OSError as error:
        raise _unusable(error, *address_of(listening)) from None


def address_of(listening: socket.socket) -> tuple[str, int]:
    """The host and the port."""
    host, port = listening.getsockname()[:2]
    return str(host), int(port)


def url_of(listening: socket.socket) -> str:
    """The URL to reach it from this machine."""
    host, port = address_of(listening)
    # compared, not bound
    return _url({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)  # noqa: S104


def shown(listening: socket.socket) -> str:
    """Where it listens, for logs; ``http://0.0.0.0:8000`` means every address of this machine."""
    return _url(*address_of(listening))


def _url(host: str, port: int) -> str:
    if ":" in host:  # an IPv6 address (RFC 3986, section 3.2.2)
        return f"http://[{host}]:{port}"
    return f"http://{host}:{port}"


def drop_handshakes(listening: socket.socket) -> None:
    """
    Make the kernel drop packets that would open another connection.

    Connections that are complete stay in the queue.

    A client whose packet is dropped tries again within a second, and is refused then. On systems
    without such filters (other than Linux), this does nothing.
    """
    if sys.platform != "linux":
        return
    # each step is a struct sock_filter
    program = b"".join(struct.pack("=HBBI", *step) for step in _NO_SYN)
    buffer = array("B", program)  # bytes alone do not tell their address
    # struct sock_fprog, linux/filter.h
    header = struct.pack("@HP", len(_NO_SYN), buffer.buffer_info()[0])
    try:
        listening.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, header)
    except OSError:
        # a sandbox without packet filters: a connection that comes at the last moment may be reset
        return


# Why a filter: closing or shutting down a listening socket resets the complete connections in its
# queue; a backlog of 0 still lets one more in; and a firewall needs rights that no server should
# have. A socket filter needs no rights, and the kernel runs it before a packet opens a connection.
# This one drops packets that begin a handshake, and nothing of existing connections. So the queue
# can be emptied, and closing the socket loses nothing.

_SO_ATTACH_FILTER: Final = 26
"""asm-generic/socket.h; Python has no name for it."""

_NO_SYN: Final = (
    (0x30, 0, 0, 13),  # load the byte of the TCP header with the flags
    (0x54, 0, 0, 0x12),  # keep SYN and ACK
    (0x15, 0, 1, 0x02),  # SYN alone: the first packet of a handshake ...
    (0x06, 0, 0, 0),  # ... is dropped
    (0x06, 0, 0, 0xFFFFFFFF),  # everything else is kept
)
"""A classic BPF program (linux/filter.h): (code, jump if true, jump if false, operand)."""


def waiting(listening: socket.socket) -> int:
    """How many connections are complete but not accepted; 0 if that is unknown."""
    if sys.platform != "linux":
        return 0
    try:
        facts = listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
    except OSError:  # it is already closed
        return 0
    found: int = struct.unpack_from("=I", facts, _UNACKED)[0]
    return found


_UNACKED: Final = 24
"""
The offset of ``tcpi_unacked`` in ``struct tcp_info`` (linux/tcp.h).

For a listening socket, it is the length of the queue.
"""


def _unusable(error: OSError, host: str, port: int) -> Stop:
    if error.errno == errno.EADDRINUSE:
        return Stop(
            2,
            f"port {port} on {host} is in use; "
            "stop what uses it, or take another: --port 0 picks a free one",
        )
    return Stop(2, f"cannot listen on {host}, port {port}: {error.strerror}")
