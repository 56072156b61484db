"""Where a viewer listens: an address of this machine, and a socket on it."""

from __future__ import annotations

import ipaddress
import os
import socket
import warnings
from collections.abc import Iterator
from typing import Any

from cortenforge.errors import ViewerError

#: where viewers listen unless told otherwise: on this machine, from this port on
HOST = "127.0.0.1"
PORT = 8080
#: how many ports are tried
TRIES = 100
#: addresses that mean all of this machine's, and the one that a browser here opens instead
EVERYWHERE = {"0.0.0.0": HOST, "::": "::1"}


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without a port on the first that is free, with 0 on any.

    Raises ViewerError for an address that is none, and for a port that is in use.
    """
    host = checked_host(host)
    ports = _ports(port)
    for candidate in ports:
        family, kind, protocol, address = _resolved(host, candidate)
        made = socket.socket(family, kind, protocol)
        try:
            _bind(made, address)
        except OSError as error:
            made.close()
            if port is not None:
                raise _refused(host, port, error) from None
        else:
            return made
    raise ViewerError(f"{host}: no port from {PORT} to {PORT + TRIES - 1} is free")


def checked_host(host: object) -> str:
    """A name or number of a host. Raises ViewerError for what is none."""
    if not isinstance(host, str):
        raise ViewerError(f"host: expected a name such as {HOST!r}, got {host!r}")
    if not host.strip():
        raise ViewerError(
            f"host: it is empty; say {HOST!r} for this machine only, or '0.0.0.0' for everybody "
            "who can reach it"
        )
    return host


def warn_if_open(host: str, level: int) -> None:
    """Say it when others than this machine's users can open the page."""
    address = _resolved(host, 0)[3][0]
    if not _number(str(address)).is_loopback:
        warnings.warn(
            f"host {host!r}: whoever reaches this machine over its network can open the viewer, "
            f"and push bodies around; host={HOST!r} keeps it to this machine",
            UserWarning,
            stacklevel=level + 1,
        )


def _ports(port: int | None) -> Iterator[int]:
    if port is None:
        return iter(range(PORT, PORT + TRIES))
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 2**16:
        raise ViewerError(f"port: expected a number from 0 to 65535, got {port!r}")
    return iter((port,))


def _resolved(host: str, port: int) -> tuple[int, int, int, Any]:
    """Family, kind, protocol and address of the first that a name stands for."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, OverflowError, UnicodeError, ValueError) as error:
        raise ViewerError(f"host {host!r}, port {port}: no address to listen on: {error}") from None
    family, kind, protocol, _, address = found[0]
    if _number(str(address[0])).is_unspecified and host not in EVERYWHERE:
        raise ViewerError(
            f"host {host!r} means all addresses of this machine; say '0.0.0.0' if that is meant"
        )
    return family, kind, protocol, address


def _number(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An address as a number; one of IPv4 that is written as one of IPv6 is one of IPv4."""
    number = ipaddress.ip_address(address.partition("%")[0])
    return getattr(number, "ipv4_mapped", None) or number


def _bind(made: socket.socket, address: Any) -> None:
    if os.name == "posix":
        # elsewhere it would let others listen on the same port
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if made.family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    made.bind(address)
    made.listen(100)


def _refused(host: str, port: int, error: OSError) -> ViewerError:
    return ViewerError(
        f"port {port} of {host} cannot be listened on, or is in use: choose another one, or "
        f"none to get the first that is free ({error.strerror or error})"
    )
