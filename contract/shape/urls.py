"""
URLs: which paths, hosts, origins and URLs are valid, wherever they are written.

RFC 3986 allows more in a URL than two programs read alike. What is accepted here has one reading: a
host is a name of ASCII letters, or an IPv6 address in brackets; a port is from 1 to 65535; no user
name precedes a host; and whatever browsers remove or correct (line feeds, backslashes, ``.`` and
``..``) is refused. Each ``instead_of_...`` says what to write instead of a bad value, or None if
the value is good.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address
from typing import Final

from contract.shape.quoting import described, shown

__all__ = [
    "has_credentials",
    "host_in",
    "instead_of_origin",
    "instead_of_path",
    "instead_of_server",
    "instead_of_url",
    "is_host",
    "is_local",
    "is_mount_url",
    "is_server_url",
    "is_to_fetch",
]

# RFC 1123 forbids underscores in host names, but many containers have them; a dot may end a name
# (RFC 1034, section 3.1)
_HOST: Final = re.compile(
    r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?\.?|\[(?P<six>[^]%]+)\])"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
)
_LOCAL: Final = re.compile(r"https?://(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?")
_PATH: Final = r"/[!$&-;=@-Z_a-z~%]*"
_SERVER: Final = re.compile(rf"(?i:https?)://([^/?#@\\]+)(?:{_PATH})?")
_BELOW_A_HOST: Final = re.compile(rf"(?!//){_PATH}")
"""A path alone; two slashes would begin the name of another host."""
_CREDENTIALS: Final = re.compile(r"[A-Za-z0-9+.-]*:?//[^/?#]*@")
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY: Final = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?//([^/?#]*)")
_PRINTED: Final = re.compile(r"[!-\[\]-~]+")
"""All printable ASCII characters except the backslash."""
# pictures that contain no markup; an SVG may contain scripts
_IMAGE: Final = re.compile(r"data:image/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}")
_SEGMENTS: Final = re.compile(r"(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._~-]+)+")
"""
A path that can be written in only one way.

It has no percent-encoding, no empty segment, and no segment that clients remove.
"""


def is_host(text: str) -> bool:
    """
    Whether *text* names a host, with or without a port.

    Such a text is safe in a URL, and between quotes.
    """
    found = _HOST.fullmatch(text)
    if found is None or int(found["port"] or 0) > 65_535:
        return False
    try:
        IPv6Address(found["six"] or "::")
    except AddressValueError:
        return False
    return True


def host_in(url: str) -> tuple[str, str]:
    """
    The scheme and the host of *url*, with its port.

    They are empty if the URL is relative, or if its host is not valid.
    """
    found = _AUTHORITY.match(url)
    if found is None:
        return "", ""
    host = found[2].rpartition("@")[2]
    if not is_host(host):
        return "", ""
    return (found[1] or "").lower(), host


def is_local(origin: str) -> bool:
    """Whether *origin* is on this machine, where nobody else can listen."""
    return _LOCAL.fullmatch(origin) is not None


def is_server_url(url: object) -> bool:
    """Whether paths can be appended to *url*, which is http or https: ``https://shop.example/v1``."""
    if not isinstance(url, str):
        return False
    found = _SERVER.fullmatch(url)
    return found is not None and is_host(found[1])


def is_mount_url(url: object) -> bool:
    """Whether *url* is that of a mount: ``/v1``, ``https://shop.example/v1``."""
    return is_server_url(url) or (isinstance(url, str) and _BELOW_A_HOST.fullmatch(url) is not None)


def is_to_fetch(url: str) -> bool:
    """Whether *url* is http or https; it may have a query and a fragment."""
    before = re.split(r"[?#]", url, maxsplit=1)[0]
    return _PRINTED.fullmatch(url) is not None and is_server_url(before)


def has_credentials(url: str) -> bool:
    """
    Whether *url*, even if it is not a valid URL, has something before an @ in its host.

    Such a text must not be repeated.
    """
    return _CREDENTIALS.match(url) is not None


def instead_of_server(url: object, example: str) -> str | None:
    """
    The fault of *url* as a server that tokens are sent to, or None.

    It must be https, unless the server is on this machine.
    """
    if not is_server_url(url):
        return (
            f"{described(url)} is not a URL of a server; write it like {example!r}, "
            "with no query and no fragment"
        )
    scheme, host = host_in(str(url))
    if scheme != "https" and not is_local(f"{scheme}://{host}"):
        return (
            f"{shown(url)} can be read and changed on the way; tokens need https, "
            f"such as {example!r}"
        )
    return None


def instead_of_origin(origin: object) -> str | None:
    """
    The fault of *origin*, or None.

    As browsers send it (RFC 6454, section 6.2), it is in lower case and has no default port.
    """
    if not isinstance(origin, str):
        return "is not an origin; write it like 'https://app.example'"
    if "*" in origin:
        return "would let every page in; name each origin, such as 'https://app.example'"
    if origin == "null":
        return (
            "is the origin of every page that hides its own; serve the page from an origin, "
            "and name that"
        )
    scheme, _, host = origin.partition("://")
    # `is_host` also rules out a path, a query and a slash at the end
    if scheme not in ("http", "https") or host != host.lower() or not is_host(host):
        rule = (
            "scheme (http or https), host and port, in lower case, with no path and no slash behind"
        )
        return f"is not an origin; write it like 'https://app.example': {rule}"
    usual = ":443" if scheme == "https" else ":80"
    if host.endswith(usual):
        return (
            "would never be met, since browsers leave that port out; "
            f"write {origin.removesuffix(usual)!r}"
        )
    return None


def instead_of_path(path: object, *, none: str) -> str | None:
    """
    The fault of *path* as one of a mount, or None; *none* is how to write that there is none.
    """
    instead = f"write it like '/v1', or {none} for none"
    if not isinstance(path, str):
        return f"{described(path)} is not a path; {instead}"
    if _SEGMENTS.fullmatch(path) or (path == "" and none == '""'):
        return None
    fixed = "/" + "/".join(filter(None, path.split("/")))
    if fixed == "/":
        return f"{shown(path)} has no segment; {instead}"
    # if only slashes are wrong, the path is given back with the right ones
    if _SEGMENTS.fullmatch(fixed):
        instead = f"write {fixed!r}"
    return (
        f"{shown(path)} is not a path; {instead}: a path has a slash in front, none behind, "
        "and no segments but of letters, digits and '-_.~'"
    )


def instead_of_url(value: object, *, image: bool = False, mail: bool = False) -> str | None:
    """
    The advice on *value* as a URL in a page, or None if it is harmless.

    Harmless URLs are http, https or relative. An *image* may also be a picture itself: a ``data:``
    URL of a png, jpeg, webp or gif; and *mail* a mailto URL.
    """
    schemes = ["http", "https"]
    if mail:
        schemes.append("mailto")
    places = "a relative URL"
    if image:
        places += " or data:image/png|jpeg|webp|gif;base64,..."
    kinds = f"{', '.join(schemes)}, {places}; encode other characters with %"
    if not isinstance(value, str):
        return f"give a string: {kinds}"
    if image and _IMAGE.fullmatch(value):
        return None
    found = _SCHEME.match(value)
    scheme = None if found is None else found[1].lower()
    is_known = scheme is None or scheme in schemes
    # no white space, control characters or backslashes, which browsers remove or take for slashes
    if _PRINTED.fullmatch(value) is None or not is_known:
        return f"give {kinds}"
    # a relative URL may name a host too: "//host/path"
    names_host = _AUTHORITY.match(value) or scheme in ("http", "https")
    if names_host and host_in(value) == ("", ""):
        return "it names no host; write https://host/path"
    return None
