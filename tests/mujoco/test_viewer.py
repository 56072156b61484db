"""mujoco.viewer.launch_passive: a page that a program drives."""

from __future__ import annotations

import threading
import urllib.request
from typing import Any

import numpy as np
import pytest

import cortenforge.mujoco as mujoco
from cortenforge.mujoco import viewer

pytest.importorskip("viser")

XML = """
<mujoco><worldbody><geom type="plane" size="1 1 .1"/><light pos="0 0 3"/>
  <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>
"""


@pytest.fixture
def world() -> tuple[Any, Any]:
    model = mujoco.MjModel.from_xml_string(XML)
    return model, mujoco.MjData(model)


def test_a_program_drives_the_viewer(world: tuple[Any, Any]) -> None:
    """Steps of the program are drawn; options, geoms and the camera are its own."""
    model, data = world
    with viewer.launch_passive(model, data, show_left_ui=False, show_right_ui=False) as handle:
        assert handle.is_running()
        assert (handle.m, handle.d) == (model, data)
        assert urllib.request.urlopen(handle.url).status == 200
        for kind in (0, 2, 3, 4, 5, 6, 100, 101, 102, 103, 104, 108):
            geom = handle.user_scn.geoms[handle.user_scn.ngeom]
            size, rgba = np.full(3, 0.1), np.ones(4, np.float32)
            mujoco.mjv_initGeom(geom, kind, size, np.ones(3), np.eye(3).ravel(), rgba)
            handle.user_scn.ngeom += 1
        handle.opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = 1
        handle.cam.type, handle.cam.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, 1
        for _ in range(5):
            mujoco.mj_step(model, data)
            handle.sync()
        shown = handle._viewer
        assert shown is not None
        shown.draw_now()
        assert shown.session.problem is None
        assert shown.shows.options.contactpoint
        ball = handle.cam.lookat
        np.testing.assert_allclose(ball, data.subtree_com[1], atol=0.02)
        np.testing.assert_allclose(shown._server.initial_camera.look_at, ball)
    assert not handle.is_running()
    assert handle.m is None
    handle.sync()


def test_the_lock_keeps_the_viewer_out(world: tuple[Any, Any]) -> None:
    """A program that holds the lock changes the world between two frames."""
    model, data = world
    with viewer.launch_passive(model, data) as handle:
        synced = threading.Event()

        def draw() -> None:
            handle.sync()
            synced.set()

        with handle.lock():
            other = threading.Thread(target=draw)
            other.start()
            assert not synced.wait(0.2)
        other.join(5.0)
        assert synced.is_set()


def test_what_is_not_there_says_so(world: tuple[Any, Any]) -> None:
    model, data = world
    with pytest.raises(ValueError, match="`model` is not"):
        viewer.launch_passive(None, data)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not callable"):
        viewer.launch_passive(model, data, key_callback=3)  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError, match="do not reach programs"):
        viewer.launch_passive(model, data, key_callback=print)
    with pytest.raises(NotImplementedError, match=r"cf\.view"):
        viewer.launch(model, data)
    with viewer.launch_passive(model, data) as handle:
        for name in ("set_texts", "clear_figures", "set_images"):
            with pytest.raises(NotImplementedError, match=name):
                getattr(handle, name)([])
        with pytest.raises(NotImplementedError, match="viewport"):
            _ = handle.viewport
        with pytest.raises(ValueError, match="the model has 0"):
            handle.update_hfield(0)
