"""Classes of the standard library that stand on the wire as a text."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract import InvalidInput, InvalidOutput, pred_of
from contract.shape.patterns import matcher
from contract.shape.ready_types import ready_shape

EVERY = [IPv4Address, IPv6Address, IPv4Network, IPv6Network, ZoneInfo, PurePath, PurePosixPath]


def taken(cls: type[Any], text: str) -> bool:
    try:
        pred_of(cls).load(f'"{text}"'.encode())
    except InvalidInput:
        return False
    return True


@pytest.mark.parametrize("cls", EVERY)
def test_examples_come_back(cls: type[Any]) -> None:
    shape = ready_shape(cls)
    assert shape is not None
    pred = pred_of(cls)

    for example in shape.examples:
        assert pred.dump(pred.load(f'"{example}"'.encode())) == f'"{example}"'.encode()


def test_other_classes_are_not_known() -> None:
    assert ready_shape(int) is None


@pytest.mark.parametrize(
    ("cls", "text", "value"),
    [
        (IPv4Address, "10.0.0.255", IPv4Address("10.0.0.255")),
        (IPv6Address, "::FFFF:1.2.3.4", IPv6Address("::ffff:1.2.3.4")),
        (IPv4Network, "10.0.0.0/8", IPv4Network("10.0.0.0/8")),
        (IPv6Network, "2001:DB8::/32", IPv6Network("2001:db8::/32")),
        (ZoneInfo, "Asia/Kolkata", ZoneInfo("Asia/Kolkata")),
        (PurePath, "a/../b", PurePosixPath("a/../b")),
        (PurePosixPath, "/a b/ü", PurePosixPath("/a b/ü")),
    ],
)
def test_texts_are_read(cls: type[Any], text: str, value: object) -> None:
    loaded = pred_of(cls).load(f'"{text}"'.encode())

    assert loaded == value
    assert type(loaded) is type(value)


@pytest.mark.parametrize(
    ("cls", "text"),
    [
        (IPv4Address, ""),
        (IPv4Address, "1.2.3"),
        (IPv4Address, "01.2.3.4"),
        (IPv4Address, "1.2.3.256"),
        (IPv4Address, "1.2.3.4/32"),
        (IPv4Address, "1.2.3.٤"),
        (IPv6Address, "1::2::3"),
        (IPv6Address, "fe80::1%eth0"),
        (IPv6Address, "1.2.3.4"),
        (IPv4Network, "10.0.0.1/8"),
        (IPv4Network, "10.0.0.0"),
        (IPv4Network, "10.0.0.0/33"),
        (IPv4Network, "10.0.0.0/255.0.0.0"),
        (IPv6Network, "::/129"),
        (IPv6Network, "::1/64"),
        (ZoneInfo, "Europe/Atlantis"),
        (ZoneInfo, "../../etc/passwd"),
        (ZoneInfo, "europe/berlin"),
        (PurePath, ""),
        (PurePath, "a" * 4_097),
        (PurePath, r"a\u0000b"),
    ],
)
def test_other_texts_are_refused(cls: type[Any], text: str) -> None:
    assert not taken(cls, text)


@given(
    st.lists(st.sampled_from(["", "", "0", "1", "ffff", "FA", "1.2.3.4", "12345", "g"]), max_size=9)
)
def test_the_patterns_of_addresses_are_those_of_python(parts: list[str]) -> None:
    for separator, version in ((":", IPv6Address), (".", IPv4Address)):
        text = separator.join(parts)
        assert taken(version, text) == is_read(version, text)


def is_read(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


def test_every_time_zone_is_known() -> None:
    shape = ready_shape(ZoneInfo)
    assert shape is not None

    assert all(matcher(shape.inner.patterns[0])(name) for name in available_timezones())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("cls", "value"),
    [
        (IPv6Address, IPv6Address("fe80::1%eth0")),
        (IPv4Address, ip_network("10.0.0.0/8")),
        (IPv4Network, ip_address("10.0.0.1")),
        (PurePath, PurePosixPath("a\0b")),
        (PurePath, "a"),
        (PurePosixPath, PureWindowsPath("a")),
    ],
)
def test_other_values_are_not_sent(cls: type[Any], value: object) -> None:
    with pytest.raises(InvalidOutput):
        pred_of(cls).dump(value)


def test_a_zone_without_a_name_is_not_sent() -> None:
    # RFC 9636, section 3: a file of the first version, with one type and no transitions
    header = b"TZif" + bytes(16) + struct.pack(">6l", 0, 0, 0, 0, 1, 4)
    nameless = ZoneInfo.from_file(BytesIO(header + struct.pack(">lbb", 0, 0, 0) + b"UTC\0"))

    with pytest.raises(InvalidOutput):
        pred_of(ZoneInfo).dump(nameless)


def test_paths_of_windows_are_sent_with_the_separators_of_the_wire() -> None:
    assert pred_of(PurePath).dump(PureWindowsPath(r"a\b")) == b'"a/b"'


def test_nobody_imports_what_no_annotation_names() -> None:
    code = "import sys, contract; print('zoneinfo' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "False\n"
