"""
Proxies: which headers a mount trusts about the origin of a request.

A proxy writes into headers who has called it: ``X-Forwarded-For``, ``-Proto`` and ``-Host``, or
``Forwarded`` (RFC 7239). Any client can write the same headers. So they are trusted only if the
peer is in one of the networks that the mount names, and only up to the first address outside of
them: that is the caller of the first proxy. Everything before it in a list was written by that
caller, and is ignored.

A list is read from its end, which the nearest proxy has added. A malformed value is never repaired:
the caller is then unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from itertools import islice
from typing import Final, final

from contract.shape.header_values import HEADER_WORD
from contract.shape.quoting import described
from contract.shape.urls import is_host

__all__ = ["Proxies", "Caller", "instead_of_network", "trusted"]

_Address = IPv4Address | IPv6Address

_HOPS: Final = 32
"""The most trusted proxies in a row: more are a loop, or a made-up list."""

_SCHEMES: Final = ("http", "https")


@final
@dataclass(frozen=True, slots=True)
class Caller:
    """
    The caller of the first proxy, as the proxies report it.

    Attributes:
        client: The address of the caller of the first proxy; None if it is not known.
        scheme: The scheme of that call, if they tell it.
        host: The host of that call, if they tell it.
    """

    client: str | None
    scheme: str | None = None
    host: str | None = None


@final
class Proxies:
    """
    The networks of the proxies that a mount trusts.

    Args:
        networks: Networks that `instead_of_network` accepts.
    """

    def __init__(self, networks: Sequence[str]) -> None:
        self._networks: Final = tuple(ip_network(network) for network in networks)

    def caller_of(self, peer: str | None, header: Callable[[str], str | None]) -> Caller:
        """
        The caller that the proxies report; the *peer* itself if it is not one of them.

        *header* gives a header by its name in lower case.
        """
        if peer is None or not self._trusts(_address(peer)):
            return Caller(peer)
        sent = [header(f"x-forwarded-{name}") for name in ("for", "proto", "host")]
        # most proxies write these and pass on a Forwarded that the client made up, so if one of
        # them is there, Forwarded is not read
        if sent != [None, None, None]:
            sent_for, protos, hosts = map(_listed, sent)
            client, hop = self._client(peer, sent_for)
            return Caller(client, _scheme(_at(protos, hop)), _host(_at(hosts, hop)))
        forwarded = header("forwarded")
        if forwarded is None:
            return Caller(peer)
        return self._forwarded_caller(peer, forwarded)

    def _trusts(self, address: _Address | None) -> bool:
        return address is not None and any(address in network for network in self._networks)

    def _forwarded_caller(self, peer: str, forwarded: str) -> Caller:
        elements = [_parameters(text) for text in _listed(forwarded)]
        client, hop = self._client(peer, (found.get("for", "") for found in elements))
        # of the proxies that tell it, the one nearest to the client
        seen = elements[: hop + 1]
        protos = [found["proto"] for found in seen if "proto" in found]
        hosts = [found["host"] for found in seen if "host" in found]
        return Caller(client, _scheme(_at(protos, hop)), _host(_at(hosts, hop)))

    def _client(self, peer: str, nodes: Iterable[str]) -> tuple[str | None, int]:
        """
        The address of the client, and how many proxies are before the one that it called.

        The proxies report *nodes*, the nearest first; one of them is the *peer*.
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
    """The proxies in *networks*; None if there are none, and no header is to be trusted."""
    return Proxies(networks) if networks else None


def instead_of_network(network: object) -> str | None:
    """The problem with *network*, and what to write instead; None if it can be trusted."""
    try:
        found = ip_network(network) if isinstance(network, str) else None
    except ValueError:
        found = None
    # a prefix of no bits is every address
    if found is not None and found.prefixlen:
        return None
    if found is not None or network == "*":
        return (
            f"{described(network)} is everybody, and so every caller could say who it is; "
            "name the networks of your proxies"
        )
    return f"{described(network)} is not a network; write it like '10.0.0.0/8' or '192.0.2.7'"


# Parsing of header values.

_NODE: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9A-Za-z._-]+)?")
"""An address, perhaps with a port: IPv6 in brackets, or IPv4 (RFC 7239, section 6)."""

_PAIR: Final = re.compile(rf'[ \t]*({HEADER_WORD})=(?:([^ \t";,\\]+)|"([^"\\]*)")[ \t]*')
"""
A parameter of Forwarded (RFC 7239, section 4).

Proxies write addresses with ports without quotes, too. No valid value needs a backslash.
"""


def _listed(text: str | None) -> list[str]:
    """
    The items of a list, last one first; empty ones do not count (RFC 9110, 5.6.1).

    No more of them than may matter: clients can send any number.
    """
    items = (text or "").split(",")
    stripped = (item.strip(" \t") for item in reversed(items))
    return list(islice(filter(None, stripped), _HOPS + 1))


def _at(items: Sequence[str], hop: int) -> str | None:
    """The item of the proxy at *hop*, or of the nearest one after it that has written one."""
    if not items:
        return None
    return items[min(hop, len(items) - 1)]


def _parameters(element: str) -> dict[str, str]:
    """The parameters of an element of Forwarded; empty if it is malformed."""
    found: dict[str, str] = {}
    for text in element.split(";"):
        pair = _PAIR.fullmatch(text)
        # no parameter may come twice (RFC 7239, section 4)
        if pair is None or pair[1].lower() in found:
            return {}
        name, word, quoted = pair.groups()
        found[name.lower()] = quoted if word is None else word
    return found


def _address(text: str) -> _Address | None:
    """The address in *text*, with or without a port."""
    if "%" in text:  # a zone has no meaning outside of its machine
        return None
    node = _NODE.fullmatch(text)
    if node is not None:
        text = node[1] or node[2]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    # the address of an IPv4 peer on a socket that accepts both kinds
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _scheme(text: str | None) -> str | None:
    if text is None or text.lower() not in _SCHEMES:
        return None
    return text.lower()


def _host(text: str | None) -> str | None:
    if text is None or not is_host(text):
        return None
    return text
