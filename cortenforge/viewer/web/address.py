"""Address and listening socket of a viewer."""

from __future__ import annotations

import ipaddress
import os
import socket
import warnings
from collections.abc import Iterator
from typing import Any

from cortenforge.errors import ViewerError

#: default address: this machine only, and the first free port from this one on
HOST = "127.0.0.1"
PORT = 8080
#: number of ports that are tried
PORT_TRIES = 100
#: addresses that mean all interfaces, and the one that a local browser opens
ANY_ADDRESS = {"0.0.0.0": HOST, "::": "::1"}


def listening_socket(host: str, port: int | None) -> socket.socket:
    """A listening socket; without a port on the first free one, with port 0 on any.

    Raises ViewerError for an invalid address, and for a port in use.
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
                raise _port_error(host, port, error) from None
        else:
            return made
    raise ViewerError(f"{host}: no port from {PORT} to {PORT + PORT_TRIES - 1} is free")


def checked_host(host: object) -> str:
    """A host name or address.  Raises ViewerError if it is not a string, or empty."""
    if not isinstance(host, str):
        raise ViewerError(f"host: expected a name such as {HOST!r}, got {host!r}")
    if not host.strip():
        raise ViewerError(
            f"host: expected a name, got an empty string; use {HOST!r} for this machine only, or "
            "'0.0.0.0' for everybody who can reach it"
        )
    return host


def warn_if_public(host: str, level: int) -> None:
    """Warn if users of other machines can open the page."""
    address = _resolved(host, 0)[3][0]
    if not _ip_address(str(address)).is_loopback:
        warnings.warn(
            f"host {host!r}: whoever reaches this machine over its network can open the viewer "
            f"and perturb bodies; host={HOST!r} restricts it to this machine",
            UserWarning,
            stacklevel=level + 1,
        )


def _ports(port: int | None) -> Iterator[int]:
    if port is None:
        return iter(range(PORT, PORT + PORT_TRIES))
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 2**16:
        raise ViewerError(f"port: expected a number from 0 to 65535, got {port!r}")
    return iter((port,))


def _resolved(host: str, port: int) -> tuple[int, int, int, Any]:
    """Resolve a host name.  Returns (family, type, protocol, socket address)."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, OverflowError, UnicodeError, ValueError) as error:
        raise ViewerError(f"host {host!r}, port {port}: no address to listen on: {error}") from None
    family, kind, protocol, _, address = found[0]
    if _ip_address(str(address[0])).is_unspecified and host not in ANY_ADDRESS:
        raise ViewerError(
            f"host {host!r} means all addresses of this machine; use '0.0.0.0' if that is intended"
        )
    return family, kind, protocol, address


def _ip_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Parse an address; an IPv4-mapped IPv6 address becomes the IPv4 one."""
    number = ipaddress.ip_address(address.partition("%")[0])
    return getattr(number, "ipv4_mapped", None) or number


def _bind(made: socket.socket, address: Any) -> None:
    if os.name == "posix":
        # on Windows it would let other programs listen on the same port
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if made.family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    made.bind(address)
    made.listen(100)


def _port_error(host: str, port: int, error: OSError) -> ViewerError:
    return ViewerError(
        f"port {port} of {host} cannot be opened, or is in use: choose another one, or "
        f"port=None for the first free one ({error.strerror or error})"
    )
