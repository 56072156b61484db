"""Where viewers listen, what they refuse, and how they end."""

from __future__ import annotations

import socket
import sys
import threading
import time
import urllib.request
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import ArgumentError, ViewerError
from cortenforge.viewer.cameras import set_model_camera
from cortenforge.viewer.html_export import record_html, subsampled
from cortenforge.viewer.state_history import Snapshot
from cortenforge.viewer.viewer import mouse_rotation
from cortenforge.viewer.web.address import listening_socket

from ..scenes import DESK, world_of

#: one that looks along y, with z up
CAMERA = SimpleNamespace(wxyz=np.array([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0]))


@pytest.fixture
def busy() -> int:
    """A port that somebody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    model, data = world_of(DESK)
    with pytest.raises(cf.ViewerError, match=r'pip install "cortenforge\[viewer\]"'):
        cf.view(model, data)


def test_a_port_in_use_is_named(busy: int) -> None:
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    with pytest.raises(ViewerError, match=f"port {busy} .* in use: choose another"):
        cf.view(model, data, port=busy)


@pytest.mark.parametrize("port", [-1, 65536, 1.5, True, "8080"])
def test_ports_that_cannot_be(port: object) -> None:
    with pytest.raises(ViewerError, match="port"):
        listening_socket("127.0.0.1", port)


@pytest.mark.parametrize("what", ["model", "data", "other", "speed", "shown"])
def test_what_cannot_be_looked_at(what: str) -> None:
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    other = cf.Model.from_mjcf(DESK).make_data()
    arguments = {
        "model": ("humanoid.xml",), "data": (model, 3), "other": (model, other),
    }.get(what, (model, data))  # fmt: skip
    options = {"speed": {"speed": -1.0}, "shown": {"colour": 3}}.get(what, {})
    with pytest.raises(ArgumentError):
        cf.view(*arguments, **options)


def answer(viewer: cf.Viewer) -> bytes:
    with urllib.request.urlopen(viewer.url, timeout=10) as page:
        return page.read()


def test_it_listens_here_only_and_several_do() -> None:
    """Each viewer has a port of its own, on this machine; nothing is left when they are closed."""
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    with cf.view(model, data) as one, cf.view(model, model.make_data()) as two:
        assert one.port != two.port and one.host == two.host == "127.0.0.1"
        for viewer in (one, two):
            assert b"<html" in answer(viewer).lower()
            assert viewer._server.gate._socket.getsockname() == ("127.0.0.1", viewer.port)
        # what a browser could ask for: nothing is sent anywhere
        assert one._server.request_share_url() is None
    assert not one.is_open and "closed" in repr(one)
    with pytest.raises(OSError):
        answer(one)
    assert not [t for t in threading.enumerate() if t.name == "cortenforge viewer"]


def test_it_waits_until_somebody_looks() -> None:
    """Without a browser no step is taken."""
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    with cf.view(model, data, port=0) as viewer:
        time.sleep(0.3)
        assert viewer.session.steps == 0 and data.time == 0.0


def test_the_world_goes_on_and_stays() -> None:
    """Nobody has to look; after the end the Data is what it was."""
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    with cf.view(model, data, port=0, wait_for_tab=False) as viewer:
        end = time.monotonic() + 20
        while data.time < 0.2 and time.monotonic() < end:
            time.sleep(0.01)
        assert data.time >= 0.2
        with viewer.lock:
            before = float(data.time)
            time.sleep(0.1)
            assert data.time == before
        with pytest.raises(ArgumentError, match="drive=False"):
            viewer.sync()
    digest = data.digest()
    time.sleep(0.1)
    assert data.digest() == digest


def test_a_program_takes_the_steps() -> None:
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    with cf.view(model, data, port=0, drive=False, speed=50.0) as viewer:
        viewer.session.recorder.watch("rewards")
        for k in range(100):
            data.step()
            viewer.sync(reward=float(k))
        assert viewer.session.steps == 100 and data.time == pytest.approx(0.5)
        viewer.session.queue_action(viewer.session.pause)
        threading.Timer(0.3, lambda: viewer.session.queue_action(viewer.session.step)).start()
        start = time.monotonic()
        data.step()
        viewer.sync(reward=0.0)
        # it was held here until somebody let it take a step
        assert time.monotonic() - start > 0.25
        times, rewards = viewer.session.recorder.series["rewards"].lines()
        assert len(times) == 101 and rewards[50] == 50.0


def test_pages_show_moments_apart() -> None:
    moments = [Snapshot(0.01 * k, np.zeros(1)) for k in range(101)]
    kept = subsampled(moments, 20.0)
    assert [round(m.time, 2) for m in kept] == [round(0.05 * k, 2) for k in range(21)]
    # a reset is a moment of its own
    assert len(subsampled([moments[50], moments[51], moments[0]], 20.0)) == 2


def test_a_page_is_one_file(tmp_path: Path) -> None:
    pytest.importorskip("viser")
    _, data = world_of(DESK)
    path = tmp_path / "page.html"
    assert record_html(data, 0.5, path, contactpoint=True) == 16
    text = path.read_text(encoding="utf-8")
    assert "__VISER_EMBED_DATA__" in text and len(text) < 3e6


def test_pages_of_nothing_are_refused() -> None:
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    with cf.view(model, data, port=0, play=False) as viewer:
        with viewer.lock:
            viewer.session.history.clear()
        with pytest.raises(ArgumentError, match="nothing recorded"):
            viewer.page()


def test_nan_poses_pause_and_are_named() -> None:
    pytest.importorskip("viser")
    model, data = world_of(DESK)
    with cf.view(model, data, port=0, play=False) as viewer, viewer.lock:
        data.xpos[1, 2] = np.nan
        viewer.draw_now()
        assert "'box'" in (viewer.session.problem or "")


def test_a_crowd_is_saved_as_a_page() -> None:
    pytest.importorskip("viser")
    batch = cf.BatchSim(cf.Model.from_mjcf(DESK), 3)
    with cf.view(batch, port=0, play=False) as viewer:
        viewer.session.queue_action(lambda: viewer.session.step(20))
        end = time.monotonic() + 20
        while viewer.session.steps < 20 and time.monotonic() < end:
            time.sleep(0.01)
        with viewer.lock:
            before = batch.get_states()
        assert len(viewer.page()) > 1e5
        with viewer.lock:
            np.testing.assert_array_equal(batch.get_states(), before)


def test_what_a_mouse_holds_is_a_point_of_the_body() -> None:
    """Where the scene is moved to, and where its world stands, does not matter."""
    pytest.importorskip("viser")
    batch = cf.BatchSim(cf.Model.from_mjcf(DESK), 2)
    with cf.view(batch, port=0, play=False, follow=2) as viewer, viewer.lock:
        batch.qpos[1, 7] = 0.5
        viewer.session.world.forward()
        viewer.draw_now()
        batch.qpos[0, 7] = -0.5
        viewer.session.world.forward()
        viewer.draw_now()
        stage = viewer._stage
        name = next(
            name for name, item in stage._items.items()
            if getattr(item, "bodies", np.zeros(0)).tolist() == [2, 2]
        )  # fmt: skip
        assert stage._offset.any() and name.startswith("/bodies")
        data = batch.env(1)
        data.forward()
        tip = np.array(data.site_xpos[0])
        seen = tip + viewer.painter.offsets[1] + stage._offset
        event = SimpleNamespace(
            instance_index=1, modifier="shift", start_screen_pos=(0.5, 0.5),
            end_screen_pos=(0.6, 0.5), client=SimpleNamespace(camera=CAMERA),
        )  # fmt: skip
        touch = stage._body_event(name, "update", event, seen, np.add(seen, [0.0, 0.0, 1.0]))
    assert (touch.world, touch.body, touch.turning) == (1, 2, True)
    np.testing.assert_allclose(touch.point, [0.0, 0.0, -0.5], atol=1e-6)
    np.testing.assert_allclose(touch.target, np.add(tip, [0.0, 0.0, 1.0]), atol=1e-6)
    # a mouse that goes to the right turns about what is up on the screen
    axis, angle = mouse_rotation(touch)
    np.testing.assert_allclose(axis / np.linalg.norm(axis), [0.0, 0.0, 1.0], atol=1e-12)
    assert angle == pytest.approx(0.6)


def test_cameras_of_the_model_stand_in_their_world() -> None:
    """Browsers look from where the camera is, in its own world and wherever the scene is."""
    _, data = world_of(DESK)
    camera = SimpleNamespace()
    client = SimpleNamespace(camera=camera, atomic=nullcontext)
    server = SimpleNamespace(get_clients=lambda: {0: client})
    set_model_camera(server, data, -1, np.zeros(3))
    assert not vars(camera)
    set_model_camera(server, data, 0, np.array([1.0, 2.0, 0.0]))
    np.testing.assert_allclose(camera.position, np.add(data.cam_xpos[0], [1.0, 2.0, 0.0]))
    assert camera.fov == pytest.approx(np.radians(data.model.cam_fovy[0]))
    # forward is the third of a browser's axes, and against the third of the model's
    w, x, y, z = camera.wxyz
    forward = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
    np.testing.assert_allclose(forward, -np.reshape(data.cam_xmat[0], (3, 3))[:, 2], atol=1e-12)
