"""Whom a viewer lets in, what it hears of them, and how much they may ask of it."""

from __future__ import annotations

import asyncio
import http.client
import math
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import ViewerError
from cortenforge.viewer.session import MAX_REQUESTS
from cortenforge.viewer.web import websocket_guard as gates
from cortenforge.viewer.web.address import listening_socket, warn_if_public
from cortenforge.viewer.web.allowed_hosts import AllowedHosts
from cortenforge.viewer.web.client_messages import MAX_MESSAGE_BYTES
from cortenforge.viewer.web.websocket_guard import WebsocketGuard

from ..scenes import DESK, world_of

viser = pytest.importorskip("viser", reason="viser is not installed")
msgspec = pytest.importorskip("msgspec")
client = pytest.importorskip("websockets.sync.client")
exceptions = pytest.importorskip("websockets.exceptions")

CAMERA = {
    "type": "ViewerCameraMessage", "wxyz": [1, 0, 0, 0], "position": [3, 3, 3], "fov": 0.8,
    "near": 0.1, "far": 100.0, "image_height": 480, "image_width": 640.0,
    "look_at": [0, 0, 0], "up_direction": [0, 0, 1],
}  # fmt: skip
DRAG = {
    "type": "SceneNodeDragMessage", "phase": "start", "name": "", "instance_index": 0,
    "start_position": [0, 0, 0], "start_screen_pos": [0.5, 0.5], "end_position": [1, 1, 1],
    "end_screen_pos": [0.6, 0.5], "button": "left", "modifier": None, "owner": "",
}  # fmt: skip


@pytest.fixture(scope="module")
def shown() -> Iterator[tuple[cf.Viewer, Any]]:
    """A viewer that nobody has to look at."""
    model, data = world_of(DESK)
    with cf.view(model, data, port=0, play=False) as viewer:
        yield viewer, data


@contextmanager
def visit(viewer: cf.Viewer, *, origin: str | None = "", **options: Any) -> Iterator[Any]:
    """Be a browser: one that shows the viewer's own page, unless told otherwise."""
    with client.connect(
        viewer.url.replace("http", "ws", 1), max_size=None, open_timeout=20, proxy=None,
        origin=viewer.url if origin == "" else origin,
        subprotocols=[f"viser-v{viser.__version__}"], **options,
    ) as connection:  # fmt: skip
        yield connection


def say(connection: Any, **message: Any) -> None:
    connection.send(msgspec.msgpack.encode(message))


def until(what: Callable[[], Any], why: str) -> None:
    end = time.monotonic() + 30.0
    while not what():
        assert time.monotonic() < end, f"still not: {why}"
        time.sleep(0.02)


def ended(connection: Any) -> int:
    """The code with which the viewer ends a connection."""
    with pytest.raises(exceptions.ConnectionClosed) as caught:
        while True:
            connection.recv(timeout=20)
    return int(caught.value.rcvd.code)


def uuid_of(viewer: cf.Viewer, label: str) -> str:
    handles = viewer._server.gui._gui_input_handle_from_uuid
    return next(uuid for uuid, handle in handles.items() if handle.label == label)


def answer(viewer: cf.Viewer, *headers: tuple[str, str]) -> tuple[int, str | None]:
    """Status of the page, and who may frame it, for somebody who says these things."""
    asked = http.client.HTTPConnection("127.0.0.1", viewer.port, timeout=20)
    asked.putrequest("GET", "/", skip_host=True)
    for name, value in headers:
        asked.putheader(name, value)
    asked.endheaders()
    response = asked.getresponse()
    response.read()
    asked.close()
    return response.status, response.getheader("Content-Security-Policy")


# who may come in --------------------------------------------------------------------------


class Said(dict):
    def get_all(self, name: str) -> list[str]:
        found = self.get(name, [])
        return found if isinstance(found, list) else [found]


@pytest.mark.parametrize(
    "host, origin",
    [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("localhost:9000", "http://localhost:9000"),  # a tunnel with another port
        ("LOCALHOST.:80", "http://localhost:80"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("sim.example.org", "https://sim.example.org"),
        ("127.0.0.1:8080", "https://sim.example.org"),  # a proxy that says its own Host
    ],
)
def test_its_own_page_comes_in(host: str, origin: str) -> None:
    hosts = AllowedHosts("127.0.0.1", ["Sim.example.org"])
    assert hosts.refusal(Said(Host=host, Origin=origin), socket=True) is None
    assert hosts.refusal(Said(Host=host), socket=False) is None


@pytest.mark.parametrize(
    "host, origin",
    [
        ("127.0.0.1:8080", "https://evil.example"),
        ("127.0.0.1:8080", "null"),
        ("127.0.0.1:8080", "http://127.0.0.1:8081"),  # another program of this machine
        ("127.0.0.1:8080", "file://127.0.0.1:8080"),
        ("127.0.0.1:8080", "http://evil.example@127.0.0.1:8080"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080.evil.example"),
        ("127.0.0.1:8080", ""),
        ("127.0.0.1:8080", []),
        ("127.0.0.1:8080", ["http://127.0.0.1:8080", "https://evil.example"]),
        ("evil.example:8080", "http://evil.example:8080"),  # a name that was made to point here
        ("192.0.2.7:8080", "http://192.0.2.7:8080"),
        ("localhost.evil.example", "http://localhost.evil.example"),
        ("127.0.0.1:99999999", "http://127.0.0.1:99999999"),
        ("[a:80]", "http://[a:80]"),
        ("", "http://127.0.0.1:8080"),
        ([], "http://127.0.0.1:8080"),
        (["127.0.0.1:8080", "evil.example"], "http://127.0.0.1:8080"),
    ],
)
def test_others_stay_out(host: Any, origin: Any) -> None:
    hosts = AllowedHosts("127.0.0.1", ["sim.example.org"])
    assert hosts.refusal(Said(Host=host, Origin=origin), socket=True)


def test_where_all_addresses_are_open_numbers_are_names() -> None:
    """A number cannot be made to point elsewhere; a name can."""
    hosts = AllowedHosts("0.0.0.0")
    assert (
        hosts.refusal(Said(Host="192.0.2.7:80", Origin="http://192.0.2.7:80"), socket=True) is None
    )
    assert hosts.refusal(Said(Host="evil.example", Origin="http://evil.example"), socket=True)


@pytest.mark.parametrize(
    "names", ["sim.example.org", 3, None, ["http://a"], ["a:80"], ["*"], [""], [3], ["a b"]]
)
def test_names_that_are_none(names: Any) -> None:
    model, data = world_of(DESK)
    with pytest.raises(ViewerError, match="allowed_hosts"):
        cf.view(model, data, port=0, allowed_hosts=names)


def test_another_page_neither_sees_nor_moves_anything(shown) -> None:
    viewer, _ = shown
    for origin in ("https://evil.example", None):
        with pytest.raises(exceptions.InvalidStatus, match="403"), visit(viewer, origin=origin):
            pass
    assert viewer._server.gate.clients == 0
    own = ("Host", f"127.0.0.1:{viewer.port}")
    assert answer(viewer, ("Host", "evil.example"))[0] == 403
    assert answer(viewer)[0] == 403
    assert answer(viewer, own, ("Origin", "https://evil.example"))[0] == 403
    upgrade = (("Connection", "Upgrade"), ("Upgrade", "WebSocket"))
    assert answer(viewer, own, *upgrade)[0] == 403
    status, frames = answer(viewer, own)
    assert status == 200
    # nor can it be shown inside another page, where clicks could be led to it
    assert frames.startswith("frame-ancestors 'self' ") and "*://" not in frames


def test_its_own_page_moves_a_control(shown) -> None:
    viewer, data = shown
    with visit(viewer) as page:
        assert len(page.recv(timeout=20)) > 100
        say(page, **CAMERA)
        name = viewer.session.model.name_of("actuator", 0)
        say(page, type="GuiUpdateMessage", uuid=uuid_of(viewer, name), updates={"value": 0.25})
        until(lambda: data.ctrl[0] == 0.25, "the control is set")


# what is heard ----------------------------------------------------------------------------


def test_uploads_and_forms_are_not_kept(shown) -> None:
    viewer, _ = shown
    gui, buffer = viewer._server.gui, viewer._server._websock_server._broadcast_buffer
    part = b"x" * 50_000
    with visit(viewer) as page:
        say(page, **CAMERA)
        until(lambda: len(viewer._server.get_clients()) == 1, "it is connected")
        (handle,) = viewer._server.get_clients().values()
        source = uuid_of(viewer, "Play")
        for i in range(40):
            say(
                page, type="FileTransferStartUpload", source_component_uuid=source,
                transfer_uuid=f"{i}", filename="x", mime_type="x", part_count=9, size_bytes=10**9,
            )  # fmt: skip
            say(page, type="FileTransferPart", source_component_uuid=source, transfer_uuid=f"{i}",
                part_index=0, content=part)  # fmt: skip
            say(page, type="GuiFormDirtyMessage", uuid=f"{i}" * 10_000)
            say(page, type="ShareUrlRequest")
        say(page, type="GuiUpdateMessage", uuid=uuid_of(viewer, "Joints"), updates={"value": True})
        until(lambda: viewer.shows.options.joint, "what came last is heard")
        assert not gui._current_file_upload_states and not handle.gui._current_file_upload_states
        kinds = {type(message).__name__ for message in buffer.message_from_id.values()}
        assert not [name for name in kinds if "Form" in name or "Transfer" in name]


@pytest.mark.parametrize(
    "content, code",
    [
        (b"x" * (MAX_MESSAGE_BYTES + 1), 1009),
        ("a text", 1008),
        (b"", 1008),
        (b"\xc1", 1008),
        (b"\x91" * 60_000, 1008),
        (msgspec.msgpack.encode([1, 2]), 1008),
        (msgspec.msgpack.encode({"type": []}), 1008),
        (msgspec.msgpack.encode({**DRAG, "name": {}}), 1008),
        (msgspec.msgpack.encode({**DRAG, "start_position": [1.0]}), 1008),
        (msgspec.msgpack.encode({**CAMERA, "image_height": math.inf}), 1008),
        (msgspec.msgpack.encode({"type": "GuiUpdateMessage", "uuid": "x",
                                 "updates": {"update_cb": []}}), 1008),
    ],
)  # fmt: skip
def test_what_no_page_sends_ends_the_connection(shown, capfd, content: Any, code: int) -> None:
    viewer, _ = shown
    with visit(viewer) as page:
        page.send(content)
        assert ended(page) == code
    assert "Traceback" not in "".join(capfd.readouterr())
    until(lambda: viewer._server.gate.clients == 0, "it is gone")


def test_kinds_that_are_not_heard_do_no_harm(shown) -> None:
    viewer, _ = shown
    with visit(viewer) as page:
        for kind in ("NoSuchMessage", "ScenePointerMessage", "ResetGuiMessage", "Message"):
            say(page, type=kind, name="x")
        say(page, **CAMERA)
        until(lambda: viewer._server.get_clients(), "it is heard all the same")


@pytest.mark.parametrize("value", [math.nan, math.inf, -1e300, "1", True, None, [1.0], {"a": 1}])
def test_values_that_a_slider_cannot_have(shown, value: Any) -> None:
    viewer, data = shown
    name = viewer.session.model.name_of("actuator", 0)
    before = float(data.ctrl[0])
    with visit(viewer) as page:
        say(page, **CAMERA)
        say(page, type="GuiUpdateMessage", uuid=uuid_of(viewer, name), updates={"value": value})
        say(page, type="GuiUpdateMessage", uuid=uuid_of(viewer, "Camera"),
            updates={"value": value})  # fmt: skip
        _wait_for_switch(viewer, page)
    assert data.ctrl[0] == before and viewer.session.problem is None


def _wait_for_switch(viewer: cf.Viewer, page: Any) -> None:
    """What is said after other things has been heard."""
    wanted = not viewer.shows.options.com
    say(page, type="GuiUpdateMessage", uuid=uuid_of(viewer, "Centre of mass"),
        updates={"value": wanted})  # fmt: skip
    until(lambda: viewer.shows.options.com == wanted, "the switch is heard")


@pytest.mark.parametrize(
    "change",
    [
        {"instance_index": -1}, {"instance_index": 10**9}, {"end_position": [math.nan, 0, 0]},
        {"start_position": [math.inf, 0, 0]}, {"end_position": [1e30, 0, 0]}, {"name": "/nowhere"},
    ],
)  # fmt: skip
def test_drags_from_nowhere_hold_nothing(shown, change: dict[str, Any]) -> None:
    viewer, data = shown
    stage = viewer._stage
    with viewer.lock:
        viewer.draw_now()
    name = next(n for n, item in stage._items.items() if 1 in getattr(item, "bodies", ()))
    held = []
    with visit(viewer) as page, pytest.MonkeyPatch.context() as patch:
        patch.setattr(viewer.session, "grab", lambda *a, **k: held.append(a))
        say(page, **CAMERA)
        say(page, **{**DRAG, "name": f"/scene{name}", **change})
        _wait_for_switch(viewer, page)
        assert not held
        say(page, **{**DRAG, "name": f"/scene{name}"})
        until(lambda: held, "a drag from somewhere is heard")
    assert np.isfinite(data.qpos).all()


# how much ---------------------------------------------------------------------------------


def in_a_loop(work: Any) -> Any:
    """Run something that waits, in a thread: tests with a browser have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asyncio.wait_for(work, 20.0)).result()


def test_a_crowd_of_browsers_is_too_many(shown, monkeypatch) -> None:
    viewer, _ = shown
    monkeypatch.setattr(gates, "MAX_CLIENTS", 2)
    with visit(viewer), visit(viewer):
        until(lambda: viewer._server.gate.clients == 2, "two are there")
        with visit(viewer) as third:
            assert ended(third) == 1013
    until(lambda: viewer._server.gate.clients == 0, "they are gone")
    with visit(viewer) as page:
        assert page.recv(timeout=20)


def test_a_flood_is_heard_at_a_pace() -> None:
    """Of many messages at once the rest stays in the network until it is their turn."""
    gate = WebsocketGuard(None, AllowedHosts("127.0.0.1"))
    count = int(1.3 * gates.MAX_MESSAGES_PER_SECOND)
    heard: list[Any] = []

    class Flood:
        left = count

        async def recv(self) -> bytes:
            if not self.left:
                raise EOFError
            self.left -= 1
            return b""

    gate._reader = SimpleNamespace(read=lambda content: "a letter")
    start = time.monotonic()
    with pytest.raises(EOFError):
        in_a_loop(gate._consume_messages(Flood(), heard.append, None))
    assert len(heard) == count
    # the first second's worth at once, the rest one after another
    assert 0.25 < time.monotonic() - start < 5.0


class Slow:
    """A connection whose other side takes a part of what it is sent at each look, or nothing."""

    def __init__(self, takes: int) -> None:
        self.left, self.takes, self.aborted = 100, takes, False
        self.transport = self
        self._gone = asyncio.Event()

    def get_write_buffer_size(self) -> int:
        self.left -= self.takes
        if self.left <= 0:
            self._gone.set()
        return self.left

    def abort(self) -> None:
        self.aborted = True
        self._gone.set()

    async def send(self, content: bytes) -> None:
        await self._gone.wait()

    async def wait_closed(self) -> None:
        await self._gone.wait()


@pytest.mark.parametrize("takes, given_up", [(0, True), (30, False)])
def test_who_takes_nothing_is_given_up(monkeypatch, takes: int, given_up: bool) -> None:
    monkeypatch.setattr(gates, "STALL_SECONDS", 0.02)

    async def run() -> bool:
        slow = Slow(takes)
        await gates._StallLimited(slow).send(b"")
        return slow.aborted

    assert in_a_loop(run()) == given_up


def test_wishes_that_nobody_hears_do_not_pile_up() -> None:
    model, data = world_of(DESK)
    with cf.view(model, data, port=0, drive=False) as viewer:
        for _ in range(MAX_REQUESTS + 100):
            viewer.session.queue_action(viewer.session.pause)
        assert viewer.session._requests.qsize() <= MAX_REQUESTS


def test_one_page_at_a_time(shown) -> None:
    """Who asks for a page again before he has the first is not given a second one."""
    viewer, _ = shown
    sent: list[str] = []
    give = viewer._actions.by_name()["Save page"]
    asking = SimpleNamespace(client_id=7, add_notification=lambda *_, **__: Mock())

    def again(name: str, content: bytes, **options: Any) -> None:
        sent.append(name)
        give(asking)  # while the first is on its way

    asking.send_file_download = again
    give(asking)
    assert sent == ["recording.html"]
    viewer._server.gate._buffers[7] = SimpleNamespace(message_from_id={0: "a part of it"})
    give(asking)
    assert sent == ["recording.html"]
    del viewer._server.gate._buffers[7]
    give(asking)
    assert len(sent) == 2


# where ------------------------------------------------------------------------------------


@pytest.mark.parametrize("port", [None, 0, 8080])
@pytest.mark.parametrize("host", [None, "", "  ", 7, b"127.0.0.1", "0", "0x0", "::ffff:0.0.0.0"])
def test_hosts_that_are_none(host: Any, port: int | None) -> None:
    """Nothing hangs, and nothing is opened to everybody because a word was left out."""
    model, data = world_of(DESK)
    with pytest.raises(ViewerError, match="host"):
        cf.view(model, data, host=host, port=port)


@pytest.mark.parametrize("port", [None, 0, 8080])
def test_a_host_that_is_elsewhere(port: int | None) -> None:
    """192.0.2.1 is nobody's; names that nobody has are asked for in the same way."""
    model, data = world_of(DESK)
    with pytest.raises(ViewerError, match=r"192\.0\.2\.1"), pytest.warns(UserWarning):
        cf.view(model, data, host="192.0.2.1", port=port)


@pytest.mark.parametrize("port", [None, 0, 8080])
def test_a_name_that_nobody_has(monkeypatch, port: int | None) -> None:
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    model, data = world_of(DESK)
    with pytest.raises(ViewerError, match=r"nowhere\.invalid.* no address"):
        cf.view(model, data, host="nowhere.invalid", port=port)


def test_all_addresses_are_said_and_warned_of(recwarn) -> None:
    warn_if_public("127.0.0.1", 1)
    assert not recwarn
    with pytest.warns(UserWarning, match="whoever reaches this machine"):
        warn_if_public("0.0.0.0", 1)


def test_a_viser_that_is_not_as_expected_opens_nothing(monkeypatch) -> None:
    from viser.infra import _infra

    def other(self: Any, ready: Any) -> None:
        raise AssertionError("not reached")

    monkeypatch.setattr(_infra.WebsockServer, "_background_worker", other)
    taken = listening_socket("127.0.0.1", 0)
    port = taken.getsockname()[1]
    taken.close()
    model, data = world_of(DESK)
    with pytest.raises(ViewerError, match=r'pip install "viser>='):
        cf.view(model, data, port=port)
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_pages_are_made_without_listening(monkeypatch) -> None:
    """A recording needs no port, so nobody can look into it while it is made."""
    from websockets.asyncio import server

    model, data = world_of(DESK)
    with cf.view(model, data, port=0, play=False) as viewer:
        monkeypatch.setattr(server, "serve", None)
        assert "__VISER_EMBED_DATA__" in viewer.page()


def test_commands_and_vectors_are_checked(shown) -> None:
    """Keys of commands that there are, and as many numbers as there were."""
    import msgspec

    viewer, _ = shown
    gui = viewer._server.gui
    reader = viewer._server.gate._reader

    def read(**message: Any) -> Any:
        return reader.read(msgspec.msgpack.encode(message))

    known = next(iter(gui._command_handle_from_uuid))
    assert read(type="CommandTriggerMessage", uuid=known).uuid == known
    assert read(type="CommandTriggerMessage", uuid="nothing") is None
    (vector,) = (
        uuid for uuid, one in gui._gui_input_handle_from_uuid.items()
        if isinstance(one.value, tuple)
    )  # fmt: skip
    message = read(type="GuiUpdateMessage", uuid=vector, updates={"value": [0, 1, -2.5]})
    assert message.updates == {"value": (0.0, 1.0, -2.5)}
    for bad in ([0, 1], [0, 1, 1e11], [0, 1, float("nan")], [0, 1, "x"], [0, 1, True], 3, "x"):
        assert read(type="GuiUpdateMessage", uuid=vector, updates={"value": bad}) is None
