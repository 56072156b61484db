"""Whom a viewer lets in: browsers that show its own page, under a name that is its own.

A page of somebody else's, open in a browser on this machine, can reach 127.0.0.1 as well. It cannot
say that it is another page: browsers put the truth into `Origin`. And a name that is made to point
to this machine after the page was loaded (DNS rebinding) stands in `Host`.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from cortenforge.errors import ViewerError
from cortenforge.viewer.address import EVERYWHERE

LOOPBACK = ("localhost", "127.0.0.1", "::1")
#: what a name, or a number, and its port are made of
PLACE = re.compile(r"[A-Za-z0-9._-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")

Place = tuple[str, int | None]


class Door:
    """Names under which a viewer is known.

    host:    where it listens.
    allowed: further names, such as that of a proxy in front of it, without a port.
    """

    def __init__(self, host: str, allowed: Iterable[str] = ()) -> None:
        self.allowed = frozenset(checked_names(allowed))
        self.names = {*LOOPBACK, host.lower(), *self.allowed}
        self._by_number = host in EVERYWHERE
        if self._by_number:
            self.names.add(socket.gethostname().lower())

    def refusal(self, headers: Any, *, socket: bool) -> str | None:
        """Why a request is refused; None if it is not.

        socket: whether it asks for more than the page, which says and does nothing by itself.
        """
        hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
        place = place_of(hosts[0]) if len(hosts) == 1 else None
        if place is None or not self.knows(place[0]):
            return "unknown Host; see allowed_hosts of cortenforge.view\n"
        if not origins and not socket:
            return None
        if len(origins) != 1 or not self._is_own(origins[0], place):
            return "a page of another Origin; see allowed_hosts of cortenforge.view\n"
        return None

    def knows(self, name: str) -> bool:
        """Whether it is a name of this viewer.

        A number cannot be made to point elsewhere, so where it listens on all of this machine's
        addresses, each of them will do.
        """
        return name in self.names or (self._by_number and _is_number(name))

    def _is_own(self, origin: str, place: Place) -> bool:
        scheme, _, rest = origin.partition("://")
        found = place_of(rest) if scheme in ("http", "https") else None
        # a proxy may put a name of its own into Host
        return found is not None and (found == place or found[0] in self.allowed)

    @property
    def frames(self) -> str:
        """Pages that may show this one inside of them: notebooks of this machine, and of `allowed`.

        Elsewhere somebody could be made to click on what he does not see.
        """
        names = ["localhost", "127.0.0.1", *sorted(n for n in self.allowed if ":" not in n)]
        return "frame-ancestors 'self' " + " ".join(
            f"{scheme}://{name}:*" for name in names for scheme in ("http", "https")
        )


def place_of(text: str) -> Place | None:
    """Name and port of `name:port`; None for what is not written so."""
    if not PLACE.fullmatch(text):
        return None
    try:
        parts = urlsplit(f"//{text}")
        return (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return None


def checked_names(names: Iterable[str]) -> list[str]:
    """Names of hosts, in lower case. Raises ViewerError for what is none."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ViewerError(f"allowed_hosts: expected a list of names, got {names!r}")
    made = []
    for name in names:
        written = f"[{name}]" if isinstance(name, str) and ":" in name else name
        place = place_of(written) if isinstance(written, str) else None
        if place is None or not place[0]:
            raise ViewerError(
                f"allowed_hosts: expected names such as 'sim.example.org', without http:// and "
                f"without a port, got {name!r}"
            )
        made.append(place[0])
    return made


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
