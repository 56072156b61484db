"""What one takes away from a viewer: states and cameras as text, pictures, clips."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import cortenforge as cf
from cortenforge.scene.camera import lens_of
from cortenforge.viewer.captures import CaptureView, clip_file, picture_png, recent_snapshots
from cortenforge.viewer.state_history import Snapshot
from cortenforge.viewer.state_text import camera_between, camera_text, keyframe_text, state_text
from cortenforge.viewer.worlds import SingleWorld

from .scenes import DESK, world_of


def test_a_state_is_read_back_as_it_was() -> None:
    """As a keyframe of the model, and as lines of Python: every bit of it."""
    _, data = world_of(DESK)
    data.ctrl[0], data.mocap_pos[0] = 0.3, [0.1, 0.2, 1.0 / 3.0]
    data.step(37)
    made = cf.Model.from_mjcf(DESK.replace("<keyframe>", "<keyframe>" + keyframe_text(data)))
    again = made.make_data()
    again.reset_to_keyframe(0)
    twin = data.model.make_data()
    exec(state_text(data), {"data": twin})
    for other in (again, twin):
        assert other.time == data.time
        for name in ("qpos", "qvel", "ctrl", "mocap_pos"):
            np.testing.assert_array_equal(getattr(other, name), getattr(data, name))


@pytest.mark.parametrize("place", [(1.0, -2.0, 0.7), (-3.0, 0.1, 4.0), (0.2, 0.3, -1.0)])
def test_a_camera_looks_from_where_somebody_did(place: tuple[float, ...]) -> None:
    """Its eye, and the middle of its picture; the text has six digits."""
    _, data = world_of(DESK)
    look_at = np.array([0.1, 0.4, 0.5])
    camera = eval(camera_text(camera_between(place, look_at)).removeprefix("camera = "), {"cf": cf})
    lens = lens_of(data.model, data, camera, 640, 480)
    np.testing.assert_allclose(lens.pos, place, atol=1e-5)
    way = look_at - np.array(place)
    np.testing.assert_allclose(lens.forward, way / np.linalg.norm(way), atol=1e-6)
    assert camera_text("front") == "camera = 'front'"


def test_a_picture_shows_what_is_followed() -> None:
    """A picture has the browser's shape, and shows the red box in its middle."""
    _, data = world_of(DESK)
    camera = camera_between(data.xpos[1] + [0.0, -2.0, 0.0], data.xpos[1])
    sight = CaptureView(camera, (321, 200), cf.RenderOptions(), follow=1)
    picture = np.asarray(Image.open(io.BytesIO(picture_png(data, sight)))).astype(int)
    assert picture.shape == (200, 320, 3)
    red, green, blue = picture[100, 160]
    assert red > 1.5 * green and red > 1.5 * blue
    # a world that has moved on is seen from the same side
    since = np.array(data.subtree_com[1])
    data.qpos[:3] += [5.0, 1.0, 2.0]
    data.forward()
    moved = sight.drawn(sight.renderer(data, 400), data, since).astype(int)
    red, green, blue = moved[100, 160]
    assert red > 1.5 * green and red > 1.5 * blue
    assert sight.sized(100) == (100, 62)


def test_a_clip_is_drawn_without_touching_the_world(tmp_path: Path, monkeypatch) -> None:
    """Ten moments become a GIF, which lasts as long as they did."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    _, data = world_of(DESK)
    data.qpos[2] = 1.2
    moments = []
    for _ in range(10):
        data.step(10)
        moments.append(Snapshot(float(data.time), data.get_state().vector))
    before, world = data.digest(), SingleWorld(data)
    sight = CaptureView(camera_between((0, -3, 1), (0, 0, 0.4)), (64, 48), cf.RenderOptions())
    name, content = clip_file(world, world.state(), moments, sight)
    clip = Image.open(io.BytesIO(content))
    assert name == "clip.gif" and clip.n_frames > 1 and clip.size == (64, 48)
    # pictures that are the same are one that lasts longer
    shown = 0
    for k in range(clip.n_frames):
        clip.seek(k)
        shown += clip.info["duration"]
    assert shown == 500
    assert data.digest() == before
    assert [m.time for m in recent_snapshots(moments, 0.12)] == [m.time for m in moments[-3:]]
    with pytest.raises(cf.ArgumentError, match="nothing recorded"):
        clip_file(world, world.state(), [], sight)
