"""Frames: where bodies are, what else is shown, and what has to be told again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import ArgumentError
from cortenforge.scene.options import Perturb
from cortenforge.scene.shapes import BOX, CONE, CYLINDER, SPHERE, TUBE
from cortenforge.viewer.meshes import quats_from_matrices, vertex_shape
from cortenforge.viewer.painter import FramePainter, world_offsets
from cortenforge.viewer.perturbation import rotation
from cortenforge.viewer.scene_items import (
    InstancedMesh,
    LabelItem,
    LineItem,
    MovingMesh,
    scene_changes,
)
from cortenforge.viewer.view_options import ViewOptions, default_view_options
from cortenforge.viewer.worlds import BatchWorlds, SingleWorld

from ..render.scenes import BEAM, DECOR, TEXTURES
from .scenes import DESK, SENSES, world_of

pytestmark = pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")


def painted(text: str, **shown: object) -> tuple[FramePainter, cf.Data, ViewOptions]:
    model, data = world_of(text)
    return FramePainter(SingleWorld(data)), data, default_view_options(model, shown)


def group_of(items: dict, body: int) -> InstancedMesh:
    """The group that most of a body is in."""
    found = [g for g in items.values() if isinstance(g, InstancedMesh) and body in g.bodies]
    return max(found, key=lambda group: len(group.mesh.vert))


def decor(items: dict, shape: int) -> InstancedMesh:
    """Instances of a shape that are no bodies."""
    return items[f"/decor/{2 * shape}"]


def test_poses_are_those_of_bodies() -> None:
    """002-V2: poses are xpos and xquat, in axes of which z is up, as the browser is told."""
    painter, data, shows = painted(DESK)
    data.qvel[:] = np.random.default_rng(0).normal(size=data.model.nv)
    data.step(20)
    items = painter.frame(shows).items
    for body in (1, 2, 3):
        group = group_of(items, body)
        i = group.bodies.tolist().index(body)
        np.testing.assert_allclose(group.pos[i], data.xpos[body], rtol=1e-6)
        assert abs(group.wxyz[i] @ data.xquat[body]) == pytest.approx(1.0, abs=1e-6)


def test_meshes_are_where_geoms_are() -> None:
    """Triangles in a body's frame, put where the body is, are the geom's surface."""
    painter, data, shows = painted(DESK)
    data.qpos[7] = 0.4
    data.forward()
    group = group_of(painter.frame(shows).items, 2)
    points = group.mesh.vert @ np.reshape(data.xmat[2], (3, 3)).T + data.xpos[2]
    geom = data.model.id_of("geom", "arm")
    axis = np.reshape(data.geom_xmat[geom], (3, 3))[:, 2]
    radius, half = data.model.geom_size[geom, :2]
    away = points - data.geom_xpos[geom]
    along = np.clip(away @ axis, -half, half)
    distances = np.linalg.norm(away - along[:, None] * axis, axis=1)
    assert len(distances) > 100
    np.testing.assert_allclose(distances, radius, rtol=1e-6)


def test_bodies_that_look_alike_share_a_mesh() -> None:
    boxes = "".join(
        f'<body pos="{k} 0 1"><freejoint/><geom type="box" size=".1 .2 .3" rgba="{k / 9} 0 0 1"/>'
        "</body>"
        for k in range(9)
    )
    painter, _, shows = painted(f"<mujoco><worldbody>{boxes}</worldbody></mujoco>")
    items = painter.frame(shows).items
    (group,) = (g for g in items.values() if isinstance(g, InstancedMesh) and len(g.bodies))
    assert len(group) == 9 and len(set(group.rgb[:, 0].tolist())) == 9


def test_nothing_is_told_twice() -> None:
    """What has not changed is not sent; of what moved, only where it is."""
    painter, data, shows = painted(DESK, sensor=False)
    first = painter.frame(shows).items
    assert not list(scene_changes(first, painter.frame(shows).items))
    data.qpos[7] += 0.1
    data.forward()
    second = painter.frame(shows).items
    told = list(scene_changes(first, second))
    arm = {name for name, g in second.items() if isinstance(g, InstancedMesh) and 2 in g.bodies}
    assert {change.name for change in told} == arm
    assert {(change.kind, change.what) for change in told} == {("set", "wxyz")}


def test_options_change_what_is_shown() -> None:
    painter, data, shows = painted(DESK)
    first = painter.frame(shows).items
    shows.options.transparent = True
    clear = painter.frame(shows).items
    assert group_of(clear, 1).opacity[0] == pytest.approx(float(data.model.vis.map.alpha))
    shows.options.transparent = False
    shows.options.geomgroup = (False,) * 6
    nothing = painter.frame(shows).items
    assert not any(1 in g.bodies for g in nothing.values() if isinstance(g, InstancedMesh))
    kinds = {change.kind for change in scene_changes(first, nothing)}
    assert kinds == {"remove"}
    shows.options.geomgroup = (True,) * 6
    data.model.geom_rgba[1] = [0, 0, 1, 1]
    assert painter.bodies.changed()
    assert group_of(painter.frame(shows).items, 1).rgb[0].tolist() == [0, 0, 255]


def test_muscles_tendons_and_senses_are_shown() -> None:
    """002-V1: muscles by activation, tendon paths, IMU frames, forces, touch, rays, contacts."""
    painter, data, shows = painted(SENSES, contactpoint=True, contactforce=True, frame="site")
    model = data.model
    assert shows.options.activation and shows.options.actuator
    data.step(100)
    data.forward()
    items = painter.frame(shows).items
    # the muscle's string goes from site to site, and is coloured by its activation
    root, hook = (
        data.site_xpos[model.id_of("site", "root")],
        data.site_xpos[model.id_of("site", "hook")],
    )
    muscle = decor(items, TUBE)
    assert np.abs(muscle.pos - 0.5 * (root + hook)).max() < 1e-6
    at_rest = muscle.rgb[-1].tolist()
    data.act[0] = 1.0
    pulled = decor(painter.frame(shows).items, TUBE).rgb[-1]
    positive = np.clip(255 * np.asarray(model.vis.rgba.actuatorpositive[:3]), 0, 255)
    np.testing.assert_allclose(pulled, positive, atol=1)
    assert pulled.tolist() != at_rest
    # three axes at the IMU, a disc at the contact, a ray from the eye to the floor
    sticks = decor(items, CYLINDER)
    imu = data.site_xpos[model.id_of("site", "imu")]
    length = float(model.vis.scale.framelength * model.stat_meansize)
    for k in range(3):
        axis = np.reshape(data.site_xmat[model.id_of("site", "imu")], (3, 3))[:, k]
        assert np.linalg.norm(sticks.pos - (imu + 0.5 * length * axis), axis=1).min() < 1e-6
    contact = np.linalg.norm(sticks.pos - data.contact_pos[0], axis=1).min()
    assert int(data.ncon) == 1 and contact < 1e-6
    eye, far = data.site_xpos[model.id_of("site", "eye")], float(data.sensordata[4])
    assert far == pytest.approx(eye[2], abs=1e-6)
    rays = np.concatenate([one.points for name, one in items.items() if name.startswith("/lines/")])
    assert np.abs(rays - [[eye, eye - [0, 0, far]]]).max(axis=(1, 2)).min() < 1e-6
    # the arrow of the contact's force begins there, goes up, and is as long as the weight is heavy;
    # at rest after 100 steps the weight is carried to three digits
    weight = float(model.body_mass[1]) * 9.81
    _is_arrow(items, data.contact_pos[0], [0.0, 0.0, weight], model, rel=1e-3)
    # the sole is the redder the more it feels
    spheres = items["/decor/0"]
    sole = np.linalg.norm(spheres.pos - data.site_xpos[model.id_of("site", "sole")], axis=1)
    felt = spheres.rgb[sole.argmin()]
    assert sole.min() < 1e-6 and felt[0] > 1.5 * felt[1]


def _is_arrow(items: dict, start: Any, force: Any, model: cf.Model, rel: float) -> None:
    """An arrow of a force: a shaft with a head on its last two thirds, both as long as a third.

    MuJoCo's length is for bodies of 10 cm; here it grows with theirs.
    """
    way = np.asarray(force) * float(model.vis.map.force) / float(model.stat_meanmass)
    way = way * float(model.stat_meansize) / 0.1
    third = np.linalg.norm(way) / 3.0
    heads, shafts = decor(items, CONE), decor(items, CYLINDER)
    head = np.linalg.norm(heads.pos - (start + way / 3.0), axis=1).argmin()
    np.testing.assert_allclose(heads.pos[head], start + way / 3.0, atol=rel * third + 1e-6)
    assert heads.scale[head, 2] == pytest.approx(0.5 * third, rel=rel)
    axis = rotation(heads.wxyz[head]).apply([0.0, 0.0, 1.0])
    np.testing.assert_allclose(axis, way / np.linalg.norm(way), atol=max(rel, 1e-5))
    assert np.linalg.norm(shafts.pos - (start + way / 6.0), axis=1).min() < rel * third + 1e-6


def test_forces_from_outside_are_arrows() -> None:
    """002-V1: what somebody pushes with begins at the centre of mass, and is as long as strong."""
    painter, data, shows = painted(SENSES, pertforce=True, contactforce=False)
    data.step(10)
    data.forward()
    assert f"/decor/{2 * CONE}" not in painter.frame(shows).items
    data.xfrc_applied[1, :3] = [3.0, 0.0, 4.0]
    items = painter.frame(shows).items
    # places are sent in single precision
    _is_arrow(items, data.xipos[1], [3.0, 0.0, 4.0], data.model, rel=1e-6)
    assert len(decor(items, CONE)) == 1


def test_sensors_are_arrows_and_axes() -> None:
    """002-V1: what carries a bar, and what keeps it from turning, begins at the site that feels it.

    The model says how long forces are, so the viewer leaves that as it is.
    """
    painter, _, shows = painted(BEAM)
    assert shows.options.sensor and shows.options.forcescale == 1.0
    items = painter.frame(shows).items
    heads = decor(items, CONE)
    for k, way in enumerate(([0.0, 0.0, 30.0 * 0.02 / 2.0], [0.0, -15.0 * 0.05 / 2.0, 0.0])):
        # places are sent in single precision
        np.testing.assert_allclose(heads.pos[k], np.add([0, 0, 1], np.divide(way, 3)), atol=1e-6)
        axis = rotation(heads.wxyz[k]).apply([0.0, 0.0, 1.0])
        np.testing.assert_allclose(axis, way / np.linalg.norm(way), atol=1e-6)
        assert heads.scale[k, 2] == pytest.approx(np.linalg.norm(way) / 6.0, rel=1e-6)
    # two shafts, and three axes of the IMU
    assert len(decor(items, CYLINDER)) == 5


def test_arrows_grow_with_the_model() -> None:
    """The weight of a ball is as many of its radii long, whatever the radius is."""
    shares = []
    for radius in (0.001, 0.1, 10.0):
        text = f"""
        <mujoco>
          <worldbody><body><geom size="{radius}" mass="3"/></body></worldbody>
        </mujoco>
        """
        painter, data, shows = painted(text, pertforce=True)
        data.xfrc_applied[1, 2] = 30.0
        length = 6.0 * decor(painter.frame(shows).items, CONE).scale[0, 2]
        shares.append(length / radius)
        # half of MuJoCo's mean size; what is sent is in single precision
        assert length == pytest.approx(0.5 * float(data.model.stat_meansize), rel=1e-6)
    np.testing.assert_allclose(shares, shares[0], rtol=1e-5)  # sizes are, too


def test_what_is_away_for_a_while_is_hidden() -> None:
    """Contacts come and go: their group stays, and is hidden."""
    painter, data, shows = painted(DESK, contactpoint=True, sensor=False)
    first = painter.frame(shows).items
    data.qpos[2] = 1.0
    data.forward()
    second = painter.frame(shows).items
    told = [(c.kind, c.name) for c in scene_changes(first, second) if c.name.startswith("/decor")]
    assert told == [("hide", f"/decor/{2 * CYLINDER}")]
    back = [c.kind for c in scene_changes(second, first) if c.name.startswith("/decor")]
    assert back[-1] == "show" and set(back) == {"set", "show"}


def test_boxes_labels_and_skins() -> None:
    painter, data, shows = painted(DECOR, boxes=True, label="body")
    items = painter.frame(shows).items
    boxes = items["/boxes"]
    assert isinstance(boxes, LineItem) and len(boxes.points) % 12 == 0
    # edges of the first box
    corner = np.abs(boxes.points.reshape(-1, 3) - data.geom_xpos[1]).max(1)
    np.testing.assert_allclose(corner[:24], 0.1, atol=1e-9)
    labels = {i.text: i.pos for i in items.values() if isinstance(i, LabelItem)}
    np.testing.assert_allclose(labels["upper"], data.xpos[data.model.id_of("body", "upper")])
    (skin,) = (i for i in items.values() if isinstance(i, MovingMesh))
    data.qpos[-1] = 0.5
    data.forward()
    told = [
        c for c in scene_changes(items, painter.frame(shows).items) if c.name.startswith("/softs")
    ]
    assert [(c.kind, c.what) for c in told] == [("set", "vert")]
    assert told[0].value.shape == skin.vert.shape
    shows.options.label = "selection"
    assert not any(isinstance(i, LabelItem) for i in painter.frame(shows).items.values())
    shows.options.perturb = Perturb(2)
    assert any(isinstance(i, LabelItem) for i in painter.frame(shows).items.values())
    shows.options.label = "site"
    labels = {
        i.text: i.pos for i in painter.frame(shows).items.values() if isinstance(i, LabelItem)
    }
    np.testing.assert_allclose(labels["one"], data.site_xpos[data.model.id_of("site", "one")])


def test_what_bends_is_sent_when_it_moves() -> None:
    """Surfaces and tubes beside the model: cloth, soft bodies, cords."""
    painter, data, shows = painted(DESK)
    vert = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1.0]])
    bent = [vert]

    def extra(world: cf.Data) -> list:
        assert world is data
        cord = cf.Tubes(bent[0], [[0, 1], [1, 2]], radius=0.02, rgba=(1, 0, 0, 1))
        return [cf.Surface(bent[0], [[0, 1, 2]], rgba=(0, 0, 1, 0.5), sheet=True), cord]

    painter.extra = extra
    first = painter.frame(shows).items
    (sheet,) = (item for item in first.values() if isinstance(item, MovingMesh))
    assert len(sheet.face) == 2 and sheet.rgb == (0, 0, 255) and sheet.opacity == 0.5
    np.testing.assert_allclose(sheet.vert[:3], vert, atol=1e-6)
    tubes = decor(first, TUBE)
    assert len(tubes) == 2 and tubes.rgb[0].tolist() == [255, 0, 0]
    assert not list(scene_changes(first, painter.frame(shows).items))
    bent[0] = np.add(vert, [0, 0, 0.5])
    told = {c.name: c.what for c in scene_changes(first, painter.frame(shows).items)}
    assert set(told.values()) == {"vert", "pos"} and len(told) == 3


def test_textures_are_laid_on() -> None:
    """Flat textures keep their coordinates; cubes are unrolled around boxes."""
    model = cf.load_model(TEXTURES)
    data = model.make_data()
    data.forward()
    painter = FramePainter(SingleWorld(data))
    meshes = [
        g.mesh
        for g in painter.frame(default_view_options(model, {})).items.values()
        if isinstance(g, InstancedMesh)
    ]
    textured = [mesh for mesh in meshes if mesh.texture is not None]
    assert len(textured) >= 2
    for mesh in textured:
        assert mesh.uv.shape == (len(mesh.vert), 2) and np.isfinite(mesh.uv).all()
        np.testing.assert_allclose(np.linalg.norm(mesh.normal, axis=1), 1.0, atol=1e-6)


def test_following_keeps_a_body_in_place() -> None:
    painter, data, shows = painted(DESK)
    assert not painter.frame(shows).offset.any()
    shows.follow = 1
    here = painter.frame(shows).offset + data.subtree_com[1]
    data.qpos[:3] += [1.0, 2.0, 0.0]
    data.forward()
    np.testing.assert_allclose(painter.frame(shows).offset + data.subtree_com[1], here)
    shows.follow = 0
    kept = painter.frame(shows).offset
    data.qpos[:3] += 1.0
    data.forward()
    np.testing.assert_array_equal(painter.frame(shows).offset, kept)


def test_a_crowd_is_a_few_groups() -> None:
    """Bodies of all worlds are instances; one world keeps its colours, others fade."""
    batch = cf.BatchSim(cf.Model.from_mjcf(DESK), 20)
    batch.qpos[:, 2] += np.arange(20)
    painter = FramePainter(BatchWorlds(batch), spacing=3.0)
    shows = default_view_options(batch.model, {"sensor": False})
    items = painter.frame(shows).items
    group = group_of(items, 1)
    assert len(items) < 8 and len(group) == 20
    np.testing.assert_allclose(group.pos[:, 2], 0.15 + np.arange(20), rtol=1e-6)
    apart = np.linalg.norm(group.pos[:, None, :2] - group.pos[None, :, :2], axis=2)
    assert apart[~np.eye(20, dtype=bool)].min() == pytest.approx(3.0)
    (floor,) = (
        g for g in items.values() if isinstance(g, InstancedMesh) and not len(g.bodies) and len(g)
    )
    assert len(floor) == 1
    assert (group.rgb[0] != group.rgb[1]).any() and (group.rgb[1] == group.rgb[2]).all()
    painter.world.select(1)
    again = group_of(painter.frame(shows).items, 1)
    assert (again.rgb[1] == group.rgb[0]).all()
    told = list(scene_changes(items, painter.frame(shows).items))
    assert {change.what for change in told if change.name.startswith("/bodies")} == {"rgb"}


def test_quaternions_of_matrices() -> None:
    rng = np.random.default_rng(1)
    quats = rng.normal(size=(200, 4))
    # half turns, too, where one of the numbers is zero
    quats[:50, 0] = 0.0
    quats /= np.linalg.norm(quats, axis=1, keepdims=True)
    w, x, y, z = quats.T
    mats = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)
    found = quats_from_matrices(mats)
    np.testing.assert_allclose(np.abs((found * quats).sum(1)), 1.0, atol=1e-12)


def test_creases_are_sharp() -> None:
    """A corner of a box is three vertices, one a side; those of a ball are shared."""
    painter, _, _ = painted(DESK)
    box = vertex_shape(painter.bodies.library, BOX)
    assert len(box.vert) == 24 and len(box.face) == 12
    sides = box.normal[box.face]
    np.testing.assert_array_equal(sides, np.repeat(sides[:, :1], 3, axis=1))
    ball = vertex_shape(painter.bodies.library, SPHERE)
    assert len(ball.vert) < len(ball.face)
    apart = vertex_shape(painter.bodies.library, BOX, apart=True)
    np.testing.assert_array_equal(apart.vert[apart.face], box.vert[box.face])


def test_places_are_apart_and_around_the_middle() -> None:
    assert not world_offsets(1, 5.0).any()
    np.testing.assert_allclose(world_offsets(9, 2.0).mean(0), 0.0)


@pytest.mark.parametrize(
    "shown", [{"label": "bones"}, {"colour": 3}, {"frame": "wheel"}, {"fog": True}]
)
def test_what_cannot_be_shown(shown: dict) -> None:
    model, _ = world_of(DESK)
    with pytest.raises(ArgumentError):
        default_view_options(model, shown)


def test_deformables_are_shown() -> None:
    """A cloth is a mesh whose vertices move, a chain is made of tubes."""
    rope = cf.CapsuleChain.line((0, 0, 1), (0.5, 0, 1), 4, radius=0.01, pinned=[0])
    model = cf.Model.from_mjcf("<mujoco/>").with_deformables([cf.Cloth.grid(4, 4), rope])
    data, shows = model.make_data(), default_view_options(model, {})
    painter = FramePainter(SingleWorld(data))
    before = painter.frame(shows).items
    (cloth,) = (name for name, item in before.items() if isinstance(item, MovingMesh))
    assert len(decor(before, TUBE).pos) == 4
    data.step(20)
    after = painter.frame(shows).items
    assert (after[cloth].vert[:, 2] < before[cloth].vert[:, 2]).all()
