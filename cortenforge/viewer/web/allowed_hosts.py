"""Which requests a viewer accepts: of its own page, under one of its own host names.

Pages of other sites, open in a browser on this machine, can reach 127.0.0.1 as well (cross-site
WebSocket hijacking); the browser names them in the header `Origin`. A foreign name that resolves to
this machine after its page was loaded (DNS rebinding) is in the header `Host`.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from cortenforge.errors import ViewerError
from cortenforge.viewer.web.address import ANY_ADDRESS

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
#: a host name or address, with an optional port
HOST_PORT_PATTERN = re.compile(r"[A-Za-z0-9._-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")

HostPort = tuple[str, int | None]


class AllowedHosts:
    """Host names under which a viewer may be requested.

    host:    the address that it listens on.
    allowed: further names, such as that of a proxy in front of it, without a port.
    """

    def __init__(self, host: str, allowed: Iterable[str] = ()) -> None:
        self.allowed = frozenset(checked_host_names(allowed))
        self.names = {*LOOPBACK_NAMES, host.lower(), *self.allowed}
        self._by_number = host in ANY_ADDRESS
        if self._by_number:
            self.names.add(socket.gethostname().lower())

    def refusal(self, headers: Any, *, socket: bool) -> str | None:
        """Reason to refuse a request, or None.

        socket: whether it asks for a WebSocket, and not for the page, which is harmless by itself.
        """
        hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
        place = parse_host_port(hosts[0]) if len(hosts) == 1 else None
        if place is None or not self.is_allowed(place[0]):
            return "unknown Host header; see allowed_hosts of cortenforge.view\n"
        if not origins and not socket:
            return None
        if len(origins) != 1 or not self._is_own(origins[0], place):
            return "Origin header of another page; see allowed_hosts of cortenforge.view\n"
        return None

    def is_allowed(self, name: str) -> bool:
        """Whether a host name is one of this viewer.

        A viewer on all interfaces accepts any IP address, which DNS rebinding cannot forge.
        """
        return name in self.names or (self._by_number and _is_ip_address(name))

    def _is_own(self, origin: str, place: HostPort) -> bool:
        scheme, _, rest = origin.partition("://")
        found = parse_host_port(rest) if scheme in ("http", "https") else None
        # a proxy may replace the Host header
        return found is not None and (found == place or found[0] in self.allowed)

    @property
    def frames(self) -> str:
        """Content-Security-Policy: notebooks of this machine and of `allowed` may embed the page.

        Other pages could hide it and steal clicks (clickjacking).
        """
        names = ["localhost", "127.0.0.1", *sorted(n for n in self.allowed if ":" not in n)]
        return "frame-ancestors 'self' " + " ".join(
            f"{scheme}://{name}:*" for name in names for scheme in ("http", "https")
        )


def parse_host_port(text: str) -> HostPort | None:
    """Parse `name:port`.  Returns (name, port or None), or None if it is malformed."""
    if not HOST_PORT_PATTERN.fullmatch(text):
        return None
    try:
        parts = urlsplit(f"//{text}")
        return (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return None


def checked_host_names(names: Iterable[str]) -> list[str]:
    """Host names in lower case.  Raises ViewerError for invalid ones."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ViewerError(f"allowed_hosts: expected a list of names, got {names!r}")
    made = []
    for name in names:
        written = f"[{name}]" if isinstance(name, str) and ":" in name else name
        place = parse_host_port(written) if isinstance(written, str) else None
        if place is None or not place[0]:
            raise ViewerError(
                f"allowed_hosts: expected names such as 'sim.example.org', without http:// and "
                f"without a port, got {name!r}"
            )
        made.append(place[0])
    return made


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
