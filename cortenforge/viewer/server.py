"""A viser server that answers its own page only, quietly, and asks nobody else for anything."""

from __future__ import annotations

import contextlib
import io
import socket
from typing import Any

from cortenforge.errors import ViewerError
from cortenforge.viewer.address import HOST
from cortenforge.viewer.door import Door
from cortenforge.viewer.gate import Gate, infra_module


def viser_module() -> Any:
    """viser. Raises ViewerError, with what to install, where it is missing."""
    try:
        import viser
    except ImportError:
        raise ViewerError(
            'the viewer needs one more package: pip install "cortenforge[viewer]"'
        ) from None
    return viser


def serve(listening: socket.socket | None, title: str, door: Door | None = None) -> Any:
    """A server on a socket; without one, it keeps what it is told, and nobody can connect to it."""
    viser = viser_module()
    infra_module()  # what is not as expected is said before anything is opened
    gate = Gate(listening, door or Door(HOST))

    usual: Any = viser.ViserServer

    class Guarded(usual):  # type: ignore[misc]
        def __setattr__(self, name: str, value: Any) -> None:
            if name == "_websock_server":
                gate.take(value)  # made, and not started yet
            super().__setattr__(name, value)

    # it prints a table of addresses, whether one wants it or not
    with contextlib.redirect_stdout(io.StringIO()):
        server = Guarded(host=HOST, port=0, label=title, verbose=False)
    try:
        gate.check(server)
    except ViewerError:
        stop(server)
        raise
    server.gate = gate
    # nothing leaves this machine, not even if a browser asks for it
    server.request_share_url = lambda *_, **__: None
    server.gui.configure_theme(show_logo=False, show_share_button=False, dark_mode=True)
    return server


def stop(server: Any) -> None:
    """End a server; it would print that, too."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()
