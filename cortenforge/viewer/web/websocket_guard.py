"""Guards viser's web server: accepts requests, checks messages, limits rate and stalling.

viser creates its web server in a method that takes no arguments for it. The guard runs this method
with three of its global names replaced: the module that listens, the consumer and the producer of
messages. If viser is not as expected, nothing is opened.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from http import HTTPStatus
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any

from cortenforge.errors import ViewerError
from cortenforge.viewer.web.allowed_hosts import AllowedHosts
from cortenforge.viewer.web.client_messages import MAX_MESSAGE_BYTES, BadMessage, MessageReader

#: connected browsers, at most
MAX_CLIENTS = 32
#: messages per second that are read of one browser; more wait in its connection
MAX_MESSAGES_PER_SECOND = 500
#: seconds after which a connection without progress of sending is closed
STALL_SECONDS = 20.0
#: global names of viser's server that are replaced
REPLACED_NAMES = ("websockets", "_message_consumer", "_message_producer")
VISER_REQUIREMENT = "viser>=1.1.1,<1.2"


class WebsocketGuard:
    """Replaces the web server that viser would create.

    listening: the socket, owned by the guard from then on; None for a server without connections.
    """

    def __init__(self, listening: socket.socket | None, allowed: AllowedHosts) -> None:
        self._socket, self._allowed = listening, allowed
        self._reader: MessageReader | None = None
        self._buffers: dict[int, Any] = {}
        self._ended: str | None = None
        self._producer: Any = None
        self.clients = 0
        self.is_open = False
        # failed handshakes are not printed
        self._log = logging.getLogger("cortenforge.viewer")
        if not self._log.handlers:
            self._log.addHandler(logging.NullHandler())

    def redirect(self, server: Any) -> None:
        """Redirect viser's server to this guard, before it starts."""
        infra = viser_infra_module()
        work = type(server)._background_worker
        self._producer = infra._message_producer
        replaced = {
            **vars(infra),
            "websockets": self._websockets(infra.websockets),
            "_message_consumer": self._consume_messages,
            "_message_producer": self._send_messages,
        }
        guarded = FunctionType(
            work.__code__, replaced, work.__name__, work.__defaults__, work.__closure__
        )

        def worker(ready: Any) -> None:
            self._ended = None
            try:
                guarded(server, ready)
            except Exception as error:
                self._ended = f"{type(error).__name__}: {error}"
            finally:
                self._ended = self._ended or "the server thread ended"
                # lest the starting thread waits for ever
                ready.release()

        server._background_worker = worker

    def check(self, server: Any) -> None:
        """Raise ViewerError unless viser listens through this guard; then accept messages."""
        if self._ended is not None or not self.is_open:
            raise _unsupported_viser(self._ended or "its server does not use the replaced names")
        self._reader = MessageReader(server.gui)

    def is_behind(self, client: int) -> bool:
        """Whether messages for this browser alone are still waiting to be sent."""
        buffer = self._buffers.get(client)
        return buffer is not None and bool(buffer.message_from_id)

    # what replaces viser's ---------------------------------------------------------------

    def _websockets(self, real: Any) -> Any:
        server = SimpleNamespace(serve=self._serve)
        return SimpleNamespace(
            asyncio=SimpleNamespace(server=server),
            exceptions=real.exceptions,
            datastructures=real.datastructures,
        )

    def _serve(self, handler: Any, host: Any, port: Any, **options: Any) -> Any:
        """Listen on the guard's socket, whatever host and port viser was given."""
        from websockets.asyncio.server import serve

        self.is_open = True
        if self._socket is None:
            return _NullServer()
        ask = options.pop("process_request")
        options.update(max_size=MAX_MESSAGE_BYTES, logger=self._log)
        return serve(
            self._limit_clients(handler),
            sock=self._socket,
            process_request=self._check_request(ask),
            **options,
        )

    def _check_request(self, answer: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """viser's answer to a request, if it is accepted."""

        def checked(connection: Any, request: Any) -> Any:
            refused = self._allowed.refusal(request.headers, socket="Upgrade" in request.headers)
            if refused is not None:
                return connection.respond(HTTPStatus.FORBIDDEN, refused)
            response = answer(connection, request)
            if response is not None:
                response.headers["Content-Security-Policy"] = self._allowed.frames
            return response

        return checked

    def _limit_clients(self, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
        async def counted(connection: Any) -> None:
            if self.clients >= MAX_CLIENTS:
                await connection.close(1013, f"more than {MAX_CLIENTS} browsers are connected")
                return
            self.clients += 1
            try:
                await handler(connection)
            finally:
                self.clients -= 1

        return counted

    async def _consume_messages(
        self, connection: Any, handle: Callable[[Any], None], _: Any
    ) -> None:
        """Read messages of one browser at a limited rate, until it disconnects."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            content = await connection.recv()
            try:
                message = self._reader.read(content) if self._reader is not None else None
            except BadMessage as error:
                await connection.close(1008, str(error))
                continue
            if message is not None:
                handle(message)
            due = max(due + 1.0 / MAX_MESSAGES_PER_SECOND, loop.time() - 1.0)
            if due > loop.time():
                await asyncio.sleep(due - loop.time())

    async def _send_messages(self, connection: Any, buffer: Any, client: int, **more: Any) -> None:
        """Send messages to one browser, until it disconnects or stalls."""
        if not buffer.persistent_messages:
            self._buffers[client] = buffer
        try:
            await self._producer(_StallLimited(connection), buffer, client, **more)
        finally:
            if self._buffers.get(client) is buffer:
                del self._buffers[client]


class _StallLimited:
    """A connection that is closed when its send buffer makes no progress."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def send(self, content: bytes) -> None:
        transport = self._connection.transport
        sending = asyncio.ensure_future(self._connection.send(content))
        left: int | None = None
        try:
            while not (await asyncio.wait({sending}, timeout=STALL_SECONDS))[0]:
                before, left = left, int(transport.get_write_buffer_size())
                if before is not None and left >= before:
                    transport.abort()
                    await self._connection.wait_closed()
            await sending
        finally:
            sending.cancel()


class _NullServer:
    """A server without connections."""

    server = SimpleNamespace(sockets=())

    async def __aenter__(self) -> _NullServer:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None


def viser_infra_module() -> Any:
    """viser's module with the web server.  Raises ViewerError if it is not as expected."""
    try:
        from viser.infra import _infra as infra

        known = set(_global_names(infra.WebsockServer._background_worker.__code__))
        missing = [n for n in REPLACED_NAMES if n not in known or not hasattr(infra, n)]
    except (ImportError, AttributeError) as error:
        raise _unsupported_viser(str(error)) from None
    if missing:
        raise _unsupported_viser(f"its server has no {missing[0]}")
    return infra


def _global_names(code: CodeType) -> Iterator[str]:
    """Global names that a function, and functions defined in it, use."""
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _global_names(one)


def _unsupported_viser(what: str) -> ViewerError:
    return ViewerError(
        "the viewer cannot be protected from other pages with this version of viser "
        f'({what}): pip install "{VISER_REQUIREMENT}"'
    )
