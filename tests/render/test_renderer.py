"""Pictures: what they show, how deep it is, and what is refused."""

from __future__ import annotations

import inspect
import re
import time

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import ObjType
from cortenforge.scene.options import FRAMES, LABELS, UNSUPPORTED_FLAGS
from cortenforge.scene.tendons import catenary_points

from .scenes import BALL, DECOR, TEXTURES, WIRED, wavy_sheet, world_of

pytestmark = pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")


@pytest.fixture(scope="module")
def ball() -> tuple[cf.Model, cf.Data, cf.Renderer]:
    model, data = world_of(BALL)
    return model, data, cf.Renderer(model, width=120, height=90)


def test_shapes_and_types(ball: tuple) -> None:
    _, data, renderer = ball
    rgb, depth, owners = (
        renderer.render(data, 0, mode=m) for m in ("rgb", "depth", "segmentation")
    )
    assert rgb.shape == (90, 120, 3) and rgb.dtype == np.uint8
    assert depth.shape == (90, 120) and depth.dtype == np.float32
    assert owners.shape == (90, 120, 2) and owners.dtype == np.int32


def test_depth_of_a_ball_and_a_plane(ball: tuple) -> None:
    """Depths are those of geometry: along the camera's axis, and the farthest where nothing is."""
    _, data, renderer = ball
    depth = renderer.render(data, "front", mode="depth")
    assert depth[45, 60] == pytest.approx(3.5, rel=2e-3)
    assert depth[5, 5] == pytest.approx(10.0)
    # the plane is one below the eye: so many pixels below the middle, so near
    focal = 45 / np.tan(np.radians(22.5))
    assert depth[89, 5] == pytest.approx(focal / 44.5, rel=1e-6)
    flat = renderer.render(data, "flat", mode="depth")
    assert flat[45, 60] == pytest.approx(3.5, rel=2e-3)


def test_size_of_a_ball(ball: tuple) -> None:
    """A ball of half a metre covers what it should, in perspective and in parallel."""
    _, data, renderer = ball
    focal = 45 / np.tan(np.radians(22.5))
    for camera, radius in (("front", focal * 0.5 / np.sqrt(16 - 0.25)), ("flat", 0.5 * 45)):
        owners = renderer.render(data, camera, mode="segmentation")
        seen = (owners == (1, ObjType.GEOM)).all(2)
        assert seen.sum() == pytest.approx(np.pi * radius**2, rel=0.015)


def test_nearest_wins_and_background_is_none(ball: tuple) -> None:
    _, data, renderer = ball
    owners = renderer.render(data, "above", mode="segmentation")
    assert tuple(owners[45, 60]) == (1, ObjType.GEOM) and tuple(owners[0, 0]) == (0, ObjType.GEOM)
    assert tuple(renderer.render(data, "front", mode="segmentation")[0, 0]) == (-1, -1)


def test_eye_inside_a_ball_sees_through_it(ball: tuple) -> None:
    """Triangles are seen from the front, and what is behind the eye is cut off."""
    _, data, renderer = ball
    owners = renderer.render(data, "within", mode="segmentation")
    assert not (owners[..., 0] == 1).any() and (owners[..., 0] == 0).any()
    renderer.options = cf.RenderOptions(cull_face=False)
    assert (renderer.render(data, "within", mode="segmentation")[..., 0] == 1).all()
    renderer.options = cf.RenderOptions()


def test_colours_and_shadow() -> None:
    """A red ball under a light from above: red where it is, a shadow below it."""
    text = BALL.replace("<worldbody>", '<worldbody><light pos="0 0 3" type="directional"/>')
    model, data = world_of(text.replace("<visual>", '<visual><headlight active="0"/>'))
    renderer = cf.Renderer(model, width=120, height=90)
    camera = cf.Camera(azimuth=90, elevation=-60, distance=5)
    lit = renderer.render(data, camera).astype(int)
    renderer.options = cf.RenderOptions(shadow=False)
    bare = renderer.render(data, camera).astype(int)
    ball = (renderer.render(data, camera, mode="segmentation")[..., 0] == 1)[..., None]
    assert lit[35, 60, 0] > 100 and lit[35, 60, 1:].max() < 60
    darker = (bare - lit).sum(2) > 60
    # the light is straight above, so the shadow has the ball's size and is partly behind it
    assert 100 < darker.sum() < 2000 and not (darker & (lit.sum(2) > 0))[:, :20].any()
    assert ball.any()


def test_transparent_things_show_what_is_behind(ball: tuple) -> None:
    model, data, renderer = ball
    renderer.options = cf.RenderOptions(backdrop="model")
    solid = renderer.render(data, "front").astype(int)[45, 60]
    renderer.options = cf.RenderOptions(backdrop="model", transparent=True)
    through = renderer.render(data, "front").astype(int)[45, 60]
    renderer.options = cf.RenderOptions()
    alpha = 1.0 - (1.0 - float(model.vis.map.alpha)) ** 2
    # nothing but black is behind it
    assert through[0] == pytest.approx(alpha * solid[0], abs=2)


def test_groups_and_static_things(ball: tuple) -> None:
    model, data, _ = ball
    model.geom_group[1] = 4
    renderer = cf.Renderer(model, width=60, height=45)
    assert not (renderer.render(data, 0, mode="segmentation")[..., 0] == 1).any()
    renderer.options = cf.RenderOptions(geomgroup=(False,) * 4 + (True, False), static=False)
    owners = renderer.render(data, 0, mode="segmentation")
    assert set(np.unique(owners[..., 0])) == {-1, 1}
    model.geom_group[1] = 0


def test_edited_colour_is_seen(ball: tuple) -> None:
    model, data, renderer = ball
    model.geom_rgba[1] = (0, 1, 0, 1)
    pixel = renderer.render(data, "front")[45, 60]
    assert pixel[1] > 100 and pixel[0] < 90
    model.geom_rgba[1] = (1, 0, 0, 1)


def test_samples_smooth_edges(ball: tuple) -> None:
    """With one sample a pixel is of the ball or not; with more, there is something in between."""
    _, data, renderer = ball
    colours = []
    for samples in (1, 4):
        renderer.options = cf.RenderOptions(samples=samples)
        colours.append(len(np.unique(renderer.render(data, "front").reshape(-1, 3), axis=0)))
    renderer.options = cf.RenderOptions()
    assert colours[1] > colours[0]


@pytest.mark.parametrize(
    ("option", "more"),
    [
        ({"contactpoint": True}, 1),
        ({"contactforce": True}, 1),
        ({"contactforce": True, "contactsplit": True}, 1),
        ({"frame": "body"}, 1),
        ({"frame": "geom"}, 1),
        ({"frame": "site"}, 1),
        ({"frame": "world"}, 1),
        ({"frame": "contact"}, 1),
        ({"frame": "camera"}, 0),
        ({"joint": True}, 1),
        ({"com": True}, 1),
        ({"inertia": True}, 1),
        ({"tendon": False}, 1),
        ({"actuator": True}, 1),
        ({"rangefinder": False}, 1),
        ({"constraint": True}, 1),
        ({"skin": False}, 1),
    ],
)
def test_options_change_the_picture(option: dict, more: int) -> None:
    """Contact points, force arrows, frames, tendons and the rest come and go by options."""
    model, data = world_of(DECOR)
    renderer = cf.Renderer(model, width=160, height=120)
    # centres of mass are inside
    base = {"transparent": True} if "com" in option else {}
    renderer.options = cf.RenderOptions(**base)
    plain = renderer.render(data, "front").astype(int)
    renderer.options = cf.RenderOptions(**base, **option)
    changed = (renderer.render(data, "front").astype(int) != plain).any(2).sum()
    assert changed > 10 if more else changed == 0


def test_skin_follows_its_bones() -> None:
    """A skin's vertices are where its bones' poses take them."""
    model, data = world_of(DECOR)
    renderer = cf.Renderer(model, width=160, height=120)
    first = renderer.render(data, "front", mode="segmentation")
    data.joint("hinge").qpos[:] = -0.8
    data.forward()
    second = renderer.render(data, "front", mode="segmentation")
    skins = [(owners[..., 1] == ObjType.SKIN) for owners in (first, second)]
    columns = [np.argwhere(seen)[:, 1].max() for seen in skins]
    assert skins[0].sum() > 100 and columns[1] > columns[0] + 5


def test_tracking_camera_follows(ball: tuple) -> None:
    """The picture of a ball that moves away is the same if the camera tracks it."""
    model, data, renderer = ball
    camera = cf.Camera(track="ball", distance=3)
    first = renderer.render(data, camera, mode="segmentation")[..., 0] == 1
    moved = data.copy()
    moved.qpos[:2] += (3.0, 1.0)
    moved.forward()
    second = renderer.render(moved, camera, mode="segmentation")[..., 0] == 1
    assert (first == second).mean() > 0.999 and first.any()
    assert model is moved.model


def test_same_picture_twice_and_in_place(ball: tuple) -> None:
    _, data, renderer = ball
    first = renderer.render(data, "front")
    out = np.zeros_like(first)
    assert renderer.render(data, "front", out=out) is out
    assert (first == out).all()


def test_world_without_poses_is_placed(ball: tuple) -> None:
    """A new Data has no poses yet; its picture is that of its initial position."""
    model, data, renderer = ball
    fresh = model.make_data()
    assert (renderer.render(fresh, "front") == renderer.render(data, "front")).all()
    assert not fresh.geom_xmat.any()


@pytest.mark.parametrize("threads", [2, 3, 7])
@pytest.mark.parametrize(
    ("source", "options"),
    [(TEXTURES, {}), (TEXTURES, {"transparent": True}), (DECOR, {"wireframe": True}), (WIRED, {})],
)
def test_bytes_do_not_depend_on_threads(source: object, options: dict, threads: int) -> None:
    """Shadows, mirrors, transparent things and wires: the same for any number of threads."""
    model, data = world_of(source)
    shown = cf.RenderOptions(**options)
    renderers = [
        cf.Renderer(model, width=97, height=61, options=shown, threads=n) for n in (1, threads)
    ]
    for mode in ("rgb", "depth", "segmentation"):
        for camera in (None, 0):
            one, many = (renderer.render(data, camera, mode=mode) for renderer in renderers)
            assert (one == many).all()


def test_a_picture_of_one_row_has_work_for_few(ball: tuple) -> None:
    model, data, _ = ball
    for width, height in ((1, 1), (5, 1), (1, 7)):
        one, many = (
            cf.Renderer(model, width=width, height=height, threads=n).render(data, 0)
            for n in (1, 4)
        )
        assert (one == many).all()


def test_labels_are_written(ball: tuple) -> None:
    """White letters where the ball's middle is, and nowhere else; none behind the eye."""
    model, data, _ = ball
    renderer = cf.Renderer(model, width=120, height=90, options=cf.RenderOptions(label="body"))
    plain = cf.Renderer(model, width=120, height=90).render(data, "front")
    written = renderer.render(data, "front")
    rows, columns = np.nonzero((written != plain).any(2))
    assert 60 <= columns.min() <= 62 and columns.max() < 100
    assert rows.min() >= 30 and rows.max() <= 50
    assert (written.min(2) > 200).any()
    away = cf.Camera(lookat=(0, 9, 0), distance=4, azimuth=90, elevation=0)
    bare = cf.Renderer(model, width=120, height=90).render(data, away)
    assert (renderer.render(data, away) == bare).all()


def test_slack_strings_are_as_long_as_they_are() -> None:
    """A string that sags has its own length between its ends, level or not, tight or loose."""
    model, _ = world_of(BALL)
    down = np.array([0.0, 0.0, -9.81])
    start = np.array([0.3, -0.2, 1.0])
    for end in ((1.0, 0.4, 1.0), (1.0, 0.4, 1.6), (0.9, 0.1, 0.2)):
        for longer in (1.001, 1.1, 2.0, 8.0):
            length = longer * float(np.linalg.norm(end - start))
            points = catenary_points(start, np.array(end), down, length, model)
            found = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
            # chords are shorter than the curve, and the last one cuts a corner
            assert 0.94 * length < found <= length * (1 + 1e-9)
            assert (points[0] == start).all() and (points[-1] == end).all()
    up = np.array([0, 0, 0.5])
    assert catenary_points(start, start + up, down, 1.5, model)[1] == pytest.approx(start - up)


def test_one_line_and_notebooks() -> None:
    _, data = world_of(TEXTURES)
    pixels = data.render("low", width=64, height=48, frame="body")
    assert pixels.shape == (48, 64, 3) and pixels.std() > 10
    assert data._repr_png_().startswith(b"\x89PNG")


def test_batch_gives_the_pictures_of_its_worlds() -> None:
    model, _ = world_of(BALL)
    batch = cf.BatchSim(model, 5, threads=2)
    batch.qpos[:, 0] = np.linspace(-1, 1, 5)
    for mode in ("rgb", "depth", "segmentation"):
        pictures = batch.render("front", width=40, height=30, mode=mode)
        assert pictures.shape[:3] == (5, 30, 40)
        for i in range(5):
            world = batch.env(i)
            world.forward()
            assert (pictures[i] == world.render("front", width=40, height=30, mode=mode)).all()
    assert (pictures[0] != pictures[4]).any()


@pytest.mark.parametrize(
    ("camera", "words"),
    [
        ("nobody", "no camera 'nobody'; the model has 'front'"),
        (9, "no camera 9"),
        (-1, "no camera -1"),
        (1.5, "expected a name, a number or a Camera"),
        (cf.Camera(track="nobody"), "no body 'nobody'"),
        (cf.Camera(distance=float("nan")), "camera.distance"),
        (cf.Camera(lookat=(0, 0)), "camera.lookat"),
    ],
)
def test_wrong_cameras_are_refused(ball: tuple, camera: object, words: str) -> None:
    _, data, renderer = ball
    with pytest.raises(cf.ArgumentError, match=words):
        renderer.render(data, camera)


@pytest.mark.parametrize(
    ("width", "height"), [(0, 10), (10, -1), (10**6, 10), (1.5, 10), (True, 1), (16384, 16384)]
)
def test_wrong_sizes_are_refused(ball: tuple, width: int, height: int) -> None:
    with pytest.raises(cf.ArgumentError, match=r"width|height"):
        cf.Renderer(ball[0], width=width, height=height)


def test_wrong_arguments_are_refused(ball: tuple) -> None:
    model, data, renderer = ball
    other = cf.Model.from_mjcf(BALL).make_data()
    for wrong in (
        lambda: renderer.render(data, mode="x-ray"),
        lambda: renderer.render(other),
        lambda: renderer.render(data, out=np.zeros((3, 3))),
        lambda: cf.RenderOptions(frame="nobody").check(),
        lambda: cf.RenderOptions(samples=3).check(),
        lambda: cf.RenderOptions(geomgroup=(True,)).check(),
        lambda: cf.RenderOptions(shadowsize=-1).check(),
        lambda: data.render(width=10, height=10, nobody=True),
        lambda: cf.BatchSim(model, 2).render("front", width=10, height=10, mode="x-ray"),
        lambda: cf.RenderOptions(label="nobody").check(),
        lambda: cf.RenderOptions(perturb=cf.Perturb(1, (0, 0))).check(),
        lambda: cf.RenderOptions(perturb=cf.Perturb(1, refquat=(1, 0, 0, np.nan))).check(),
        lambda: cf.Renderer(
            model, width=8, height=8, options=cf.RenderOptions(perturb=cf.Perturb(9))
        ).render(data),
        lambda: cf.Renderer(model, width=8, height=8, threads=0),
        lambda: cf.Renderer(model, width=8, height=8, threads=1.5),
    ):
        with pytest.raises(cf.ArgumentError):
            wrong()


@pytest.mark.parametrize("name", UNSUPPORTED_FLAGS)
def test_other_flags_of_mujoco_are_refused_by_name(ball: tuple, name: str) -> None:
    with pytest.raises(cf.ArgumentError, match=f"^{name}: no option of a picture: "):
        ball[1].render(width=8, height=8, **{name: True})


def test_every_flag_of_mujoco_is_known() -> None:
    """Each is an option, or refused by name."""
    mujoco = pytest.importorskip("mujoco")
    names = [*mujoco.mjtVisFlag.__members__, *mujoco.mjtRndFlag.__members__]
    flags = {name[6:].lower() for name in names if not name.startswith("mjN")}
    assert flags <= set(cf.RenderOptions.__dataclass_fields__) | set(UNSUPPORTED_FLAGS)
    for kind, known in ((mujoco.mjtLabel, LABELS), (mujoco.mjtFrame, FRAMES)):
        found = [name.split("_")[1].lower() for name in kind.__members__ if "_" in name]
        assert found == list(known)


def test_a_mesh_of_a_million_faces_is_drawn() -> None:
    """Once, with normals of all its vertices: it takes seconds, not minutes."""
    vert, face = wavy_sheet(708)
    assert len(face) > 999_000
    model, data = world_of(BALL)
    renderer = cf.Renderer(model, width=64, height=48)
    start = time.process_time()
    owners = renderer.render(data, mode="segmentation", extra=[cf.Surface(vert, face, objid=7)])
    assert (owners[..., 0] == 7).any() and time.process_time() - start < 30


def test_a_height_field_of_a_million_triangles_is_drawn() -> None:
    """One of the model's own, taken when a Renderer is made."""
    field = '<hfield name="h" nrow="708" ncol="708" size="1 1 .2 .1"/>'
    model, data = world_of(
        f"<mujoco><asset>{field}</asset><worldbody>"
        '<geom type="hfield" hfield="h"/></worldbody></mujoco>'
    )
    model.hfield_data[:] = np.abs(np.sin(np.arange(708 * 708) / 9000))
    start = time.process_time()
    owners = cf.Renderer(model, width=64, height=48).render(data, mode="segmentation")
    assert (owners[..., 0] == 0).any() and time.process_time() - start < 30


def test_poses_that_are_no_numbers_are_refused(ball: tuple) -> None:
    _, data, renderer = ball
    broken = data.copy()
    broken.geom_xpos[1] = np.nan
    with pytest.raises(cf.ArgumentError, match="geom 'ball' has a non-finite pose"):
        renderer.render(broken)
    broken = data.copy()
    broken.geom_xmat[1] = np.inf
    with pytest.raises(cf.ArgumentError, match="geom 'ball'"):
        renderer.render(broken)
    broken = data.copy()
    broken.cam_xpos[0] = np.nan
    with pytest.raises(cf.ArgumentError, match="camera"):
        renderer.render(broken, 0)


def test_things_without_size_are_drawn_as_nothing() -> None:
    """A size of zero, edited into a model, divides nothing."""
    model, data = world_of(TEXTURES)
    model.geom_size[1:] = 0.0
    for mode in ("rgb", "depth", "segmentation"):
        assert np.isfinite(data.render(width=64, height=48, mode=mode)).all()


def test_own_sizes_of_worlds_are_refused() -> None:
    model, _ = world_of(BALL)
    batch = cf.BatchSim(model, 2)
    batch.expand("geom_size")
    with pytest.raises(cf.ArgumentError, match="geom_size"):
        batch.render()


def test_sizes_and_modes_are_given_by_name(ball: tuple) -> None:
    """MuJoCo's Renderer takes height, width: without names, a picture would be on its side."""
    model, data, renderer = ball
    batch = cf.BatchSim(model, 1)
    refused = {
        "cf.Renderer(model, width=640, height=480": lambda: cf.Renderer(model, 480, 640),
        'renderer.render(data, "track", mode="rgb")': lambda: renderer.render(data, 0, "depth"),
        'data.render("track", width=640, height=480': lambda: data.render(120, 90),
        'batch.render("track", width=84, height=84': lambda: batch.render("front", 84, 84),
    }
    for said, call in refused.items():
        with pytest.raises(cf.ArgumentError, match=re.escape(said)):
            call()
    with pytest.raises(cf.ArgumentError, match="sizes and modes are keyword-only: "):
        data.render(640)
    assert data.render("front", width=12, height=9).shape == (9, 12, 3)
    assert batch.render("front", width=12, height=9, mode="depth").shape == (1, 9, 12)
    for call in (cf.Renderer, cf.Renderer.render, cf.Data.render, cf.BatchSim.render):
        kinds = {row.name: row.kind for row in inspect.signature(call).parameters.values()}
        by_name = [name for name in ("width", "height", "mode") if name in kinds]
        assert by_name and all(kinds[name] is inspect.Parameter.KEYWORD_ONLY for name in by_name)
