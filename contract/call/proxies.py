"""
Proxies: whom a mount believes about where a request comes from.

A proxy writes into headers who has called it: ``X-Forwarded-For``, ``-Proto`` and ``-Host``, or
``Forwarded`` (RFC 7239). Any client can write the same headers, so they are believed only where the
peer is one of the networks that the mount names, and no further back than to the first address that
is in none of them: that is who has called the first of the proxies. What stands before it in a list
was written by that caller, and is not looked at.

A list is read from its end, since the end is what the nearest proxy has added. What cannot be read
is never repaired: the caller is then not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Final, final

from contract.shape.quoting import described
from contract.shape.urls import HEADER_WORD, is_host

__all__ = ["Proxies", "Told", "instead_of_network", "trusted"]

_Address = IPv4Address | IPv6Address
_Network = IPv4Network | IPv6Network

_HOPS: Final = 32
"""Trusted proxies in a row, at most: more are a loop, or a list that somebody has made up."""

_SCHEMES: Final = ("http", "https")


@final
@dataclass(frozen=True, slots=True)
class Told:
    """
    The word of the proxies on a request.

    Attributes:
        client: The address of whoever has called the first of them; None where it is not known.
        scheme: The scheme that was used there, where they tell it.
        host: The host that was asked for there, where they tell it.
    """

    client: str | None
    scheme: str | None = None
    host: str | None = None


@final
class Proxies:
    """
    The networks of the proxies that a mount trusts.

    Args:
        networks: Each as `instead_of_network` takes it.
    """

    def __init__(self, networks: Sequence[str]) -> None:
        self._networks: Final = tuple(ip_network(network) for network in networks)

    def told(self, peer: str | None, header: Callable[[str], str | None]) -> Told:
        """
        The word of the proxies on a request; that of nobody where *peer* is none of them.

        Args:
            peer: The address at the other end of the connection, as the server tells it.
            header: Gives a header by its name, in lower case; repeated ones joined with a comma.
        """
        if peer is None or not self._trusts(_address(peer)):
            return Told(peer)
        sent = [header(f"x-forwarded-{name}") for name in ("for", "proto", "host")]
        # most proxies write these and hand on a Forwarded that the client has made up, so where one
        # of them is there, Forwarded is not asked
        if sent != [None, None, None]:
            return self._told_by_lists(peer, *(_listed(text) for text in sent))
        forwarded = header("forwarded")
        return Told(peer) if forwarded is None else self._told_by_forwarded(peer, forwarded)

    def _trusts(self, address: _Address | None) -> bool:
        return address is not None and any(address in network for network in self._networks)

    def _told_by_lists(
        self, peer: str, sent_for: list[str], protos: list[str], hosts: list[str]
    ) -> Told:
        client, hop = self._client(peer, sent_for)
        return Told(client, _scheme(_at(protos, hop)), _host(_at(hosts, hop)))

    def _told_by_forwarded(self, peer: str, forwarded: str) -> Told:
        elements = [_parameters(text) for text in _listed(forwarded)]
        client, hop = self._client(peer, (found.get("for", "") for found in elements))
        # of the proxies that tell it, the one that stands nearest to the client
        seen = elements[: hop + 1]
        protos = [found["proto"] for found in seen if "proto" in found]
        hosts = [found["host"] for found in seen if "host" in found]
        return Told(client, _scheme(_at(protos, hop)), _host(_at(hosts, hop)))

    def _client(self, peer: str, nodes: Iterable[str]) -> tuple[str | None, int]:
        """
        The address of the client, and how many proxies stand before the one that it has called.

        Args:
            peer: One of the proxies.
            nodes: The addresses that they tell, from the last on.
        """
        client, hop = peer, 0
        for hop, node in enumerate(nodes):
            address = _address(node)
            if address is None or hop == _HOPS:
                return None, hop
            client = str(address)
            if not self._trusts(address):
                break
        return client, hop


def trusted(networks: Sequence[str]) -> Proxies | None:
    """The proxies in *networks*; None where there are none, and no header is to be believed."""
    return Proxies(networks) if networks else None


def instead_of_network(network: object) -> str | None:
    """The network that can be trusted instead of *network*; None where that one can."""
    try:
        found = ip_network(network) if isinstance(network, str) else None
    except ValueError:
        found = None
    if found is not None and found.prefixlen:
        return None
    if found is not None or network == "*":
        return (
            f"{described(network)} is everybody, and so every caller could say who it is; "
            "name the networks of your proxies"
        )
    return f"{described(network)} is not a network; write it like '10.0.0.0/8' or '192.0.2.7'"


# The text of a header.

_NODE: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9A-Za-z._-]+)?")
"""An address that may have a port: IPv6 in brackets, IPv4 (RFC 7239, section 6)."""

_PAIR: Final = re.compile(rf'[ \t]*({HEADER_WORD})=(?:([^ \t";,\\]+)|"([^"\\]*)")[ \t]*')
"""
A parameter of Forwarded (RFC 7239, section 4).

Proxies write addresses with ports without quotes, too. Nothing that one may say needs a backslash.
"""


def _listed(text: str | None) -> list[str]:
    """The items of a list, the last one first; empty ones count for nothing (RFC 9110, 5.6.1)."""
    items = [] if text is None else [item.strip(" \t") for item in text.split(",")]
    return [item for item in reversed(items) if item]


def _at(items: Sequence[str], hop: int) -> str | None:
    """The item of the proxy at *hop*, or of the nearest behind it that has written one."""
    return items[min(hop, len(items) - 1)] if items else None


def _parameters(element: str) -> dict[str, str]:
    """The parameters of an element of Forwarded; none where it cannot be read."""
    found: dict[str, str] = {}
    for text in element.split(";"):
        pair = _PAIR.fullmatch(text)
        if pair is None or pair[1].lower() in found:
            return {}
        found[pair[1].lower()] = pair[3] if pair[2] is None else pair[2]
    return found


def _address(text: str) -> _Address | None:
    """The address that *text* is, with a port or without one."""
    if "%" in text:  # a zone has no meaning outside of its machine
        return None
    node = _NODE.fullmatch(text)
    try:
        address = ip_address(text if node is None else node[1] or node[2])
    except ValueError:
        return None
    # the address of an IPv4 peer on a socket that takes both kinds
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


def _scheme(text: str | None) -> str | None:
    lower = None if text is None else text.lower()
    return lower if lower in _SCHEMES else None


def _host(text: str | None) -> str | None:
    return text if text is not None and is_host(text) else None
