"""A viser server that listens on this machine only, quietly, and asks nobody else for anything."""

from __future__ import annotations

import contextlib
import io
import socket
from typing import Any

from cortenforge.errors import ViewerError

#: where viewers listen unless told otherwise: on this machine, from this port on
HOST = "127.0.0.1"
PORT = 8080
#: how many ports are tried
TRIES = 100


def viser_module() -> Any:
    """viser. Raises ViewerError, with what to install, where it is missing."""
    try:
        import viser
    except ImportError:
        raise ViewerError(
            'the viewer needs one more package: pip install "cortenforge[viewer]"'
        ) from None
    return viser


def is_free(host: str, port: int) -> bool:
    """Whether one can listen there. Raises ViewerError for an address that is none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, OverflowError, UnicodeError) as error:
        raise ViewerError(f"host {host!r}, port {port}: no address to listen on: {error}") from None
    family, kind, protocol, _, address = found[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError:
            return False
    return True


def chosen_port(host: str, port: int | None) -> int:
    """The port that was asked for; without one, the first that is free; 0 for any.

    Raises ViewerError for one that is in use, or that cannot be.
    """
    if port is None:
        for candidate in range(PORT, PORT + TRIES):
            if is_free(host, candidate):
                return candidate
        raise ViewerError(f"{host}: no port from {PORT} to {PORT + TRIES - 1} is free")
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 2**16:
        raise ViewerError(f"port: expected a number from 0 to 65535, got {port!r}")
    if port == 0:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])
    if not is_free(host, port):
        raise ViewerError(
            f"port {port} of {host} cannot be listened on, or is in use: choose another one, or "
            "none to get the first that is free"
        )
    return port


def serve(host: str, port: int, title: str) -> Any:
    """A server on a port that is free."""
    viser = viser_module()
    # it prints a table of addresses, whether one wants it or not
    with contextlib.redirect_stdout(io.StringIO()):
        server = viser.ViserServer(host=host, port=port, label=title, verbose=False)
    if server.get_port() != port:
        # somebody was faster; viser then takes another port without a word
        stop(server)
        raise ViewerError(f"port {port} of {host} is in use: choose another one")
    # nothing leaves this machine, not even if a browser asks for it
    server.request_share_url = lambda *_, **__: None
    server.gui.configure_theme(show_logo=False, show_share_button=False, dark_mode=True)
    return server


def stop(server: Any) -> None:
    """End a server; it would print that, too."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()
