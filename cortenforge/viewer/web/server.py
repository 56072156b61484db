"""A viser server that accepts its own page only, prints nothing, and connects to nobody."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

import rich

from cortenforge.errors import ViewerError
from cortenforge.viewer.web.address import HOST
from cortenforge.viewer.web.allowed_hosts import AllowedHosts
from cortenforge.viewer.web.websocket_guard import WebsocketGuard, viser_infra_module


def viser_module() -> Any:
    """The module viser.  Raises ViewerError, with what to install, if it is missing."""
    try:
        import viser
    except ImportError:
        raise ViewerError(
            'the viewer needs one more package: pip install "cortenforge[viewer]"'
        ) from None
    return viser


def start_server(
    listening: socket.socket | None, title: str, allowed: AllowedHosts | None = None
) -> Any:
    """Start a server on a socket; without one it has no connections, and records messages."""
    viser = viser_module()
    viser_infra_module()  # an unsupported viser is reported before anything is opened
    gate = WebsocketGuard(listening, allowed or AllowedHosts(HOST))

    usual: Any = viser.ViserServer

    class Guarded(usual):  # type: ignore[misc]
        def __setattr__(self, name: str, value: Any) -> None:
            if name == "_websock_server":
                gate.redirect(value)  # created, not started yet
            super().__setattr__(name, value)

    with silent_rich():
        server = Guarded(host=HOST, port=0, label=title, verbose=False)
    try:
        gate.check(server)
    except ViewerError:
        stop_server(server)
        raise
    server.gate = gate
    # viser's share button would send the page through a server of its own
    server.request_share_url = lambda *_, **__: None
    server.gui.configure_theme(show_logo=False, show_share_button=False, dark_mode=True)
    return server


def stop_server(server: Any) -> None:
    """Stop a server, without its messages."""
    with silent_rich():
        server.stop()


@contextlib.contextmanager
def silent_rich() -> Iterator[None]:
    """Let `rich.print` print nothing: viser prints its addresses, and that it has stopped.

    In a notebook rich does not write to stdout, so redirecting that is not enough.
    """
    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
