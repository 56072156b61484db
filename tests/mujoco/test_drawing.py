"""Scenes, cameras and pictures of the module beside MuJoCo's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cortenforge.mujoco as ours
from cortenforge.mujoco.drawing.structs import MjvCamera, MjvGeom
from cortenforge.mujoco.renderer import Renderer

theirs = pytest.importorskip("mujoco")
pytestmark = pytest.mark.oracle

TEXTURES = Path(__file__).parents[1] / "render" / "textures.xml"
SCENE = """
<mujoco>
  <visual><global ipd=".1" azimuth="130" elevation="-20" offwidth="400"/><map znear=".02"/></visual>
  <asset>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="h" nrow="3" ncol="3" size=".5 .5 .3 .1"/>
    <texture name="t" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 1 0"/>
    <material name="mt" texture="t" texrepeat="3 4" rgba=".1 .2 .3 1" reflectance=".2"/>
    <material name="plain" specular=".9"/>
  </asset>
  <worldbody>
    <light directional="true" dir="0 .2 -2" bulbradius=".3" range="4" castshadow="false"/>
    <light pos="0 0 3" active="false"/>
    <light type="spot" pos="1 2 3" dir="-1 -2 -2" cutoff="30" exponent="4" attenuation="1 .2 .3"/>
    <light type="point" pos="0 1 2"/>
    <geom type="plane" size="0 0 .1" material="mt"/>
    <geom type="plane" size="0 2 .1" pos="0 0 -1"/>
    <geom type="hfield" hfield="h" pos="1.5 0 .1"/>
    <geom type="box" size=".1 .1 .1" pos="0 -1 .1" group="3"/>
    <body name="b" pos="0 0 1"><freejoint/>
      <geom type="mesh" mesh="m" material="plain"/>
      <geom type="cylinder" size=".1 .2" pos="-.5 0 0" rgba="1 0 0 .5" material="mt"/>
      <geom type="sphere" size=".1" rgba="1 1 1 0"/>
      <geom type="ellipsoid" size=".1 .2 .3" pos="0 .8 0"/>
      <site name="s" type="box" size=".1 .2 .3" pos="0 -.6 0" material="mt"/>
      <body pos=".3 0 .7"><joint range="-1 1"/><geom type="capsule" size=".05 .3"/>
        <site name="t" pos="0 0 .4"/></body>
    </body>
    <camera name="c" pos="0 -3 1" xyaxes="1 0 0 0 .3 1" fovy="50"/>
    <camera name="flat" projection="orthographic" fovy="3" pos="0 0 5"/>
    <camera name="sensor" pos="0 0 5" sensorsize=".01 .02" focal=".02 .02" principal=".001 .002"
            resolution="100 200"/>
  </worldbody>
  <tendon><spatial width=".02" rgba="0 1 0 1"><site site="s"/><site site="t"/></spatial></tendon>
</mujoco>
"""
#: set by MuJoCo's renderer while it sorts
SORTING = {"camdist", "transparent"}


def world(module: Any, xml: str = SCENE) -> tuple[Any, Any]:
    model = module.MjModel.from_xml_string(xml)
    data = module.MjData(model)
    module.mj_forward(model, data)
    return model, data


def scene(module: Any, model: Any, data: Any, camera: Any = None, **flags: int) -> Any:
    made, options = module.MjvScene(model, 100), module.MjvOption()
    for name, value in flags.items():
        options.flags[getattr(module.mjtVisFlag, f"mjVIS_{name}").value] = value
    options.geomgroup[3] = 1
    camera = camera or module.MjvCamera()
    everything = module.mjtCatBit.mjCAT_ALL.value
    module.mjv_updateScene(model, data, options, None, camera, everything, made)
    return made


def assert_rows(mine: Any, other: Any, fields: list[str]) -> None:
    assert len(mine) == len(other)
    for number, (one, two) in enumerate(zip(mine, other, strict=True)):
        for name in fields:
            a, b = getattr(one, name), getattr(two, name)
            if isinstance(b, str):
                assert a == b
            else:
                np.testing.assert_allclose(a, b, atol=1e-5, err_msg=f"{name} of {number}")


@pytest.mark.parametrize("flags", [{}, {"TEXTURE": 0}, {"STATIC": 0}, {"CONVEXHULL": 1},
                                   {"TRANSPARENT": 1}], ids=str)  # fmt: skip
@pytest.mark.parametrize("name", ["scene", "textures"])
def test_geoms_of_a_scene_are_mujocos(name: str, flags: dict[str, int]) -> None:
    """Each field of each geom: its type, size, pose, material, and what it stands for."""
    xml = SCENE if name == "scene" else TEXTURES.read_text()
    mine, other = (scene(module, *world(module, xml), **flags) for module in (ours, theirs))
    fields = [field for field in MjvGeom._fields if field not in SORTING]
    assert_rows(mine.geoms[: mine.ngeom], other.geoms[: other.ngeom], fields)


def test_lights_are_mujocos() -> None:
    mine, other = (scene(module, *world(module)) for module in (ours, theirs))
    names = [name for name in dir(other.lights[0]) if not name.startswith("_")]
    assert_rows(mine.lights[: mine.nlight], other.lights[: other.nlight], names)
    assert mine.nlight == 4


def cameras(module: Any, model: Any) -> list[Any]:
    """Free, default free, tracking, orthographic free, and the model's."""
    free = module.MjvCamera()
    free.lookat[:], free.distance, free.azimuth, free.elevation = (0.1, 0.2, 0.3), 3.0, 40.0, -30.0
    usual, tracking, flat = (module.MjvCamera() for _ in range(3))
    module.mjv_defaultFreeCamera(model, usual)
    tracking.type, tracking.trackbodyid = module.mjtCamera.mjCAMERA_TRACKING.value, 1
    flat.orthographic = 1
    found = [free, usual, tracking, flat]
    for number in range(model.ncam):
        fixed = module.MjvCamera()
        fixed.type, fixed.fixedcamid = module.mjtCamera.mjCAMERA_FIXED.value, number
        found.append(fixed)
    return found


def test_cameras_of_a_scene_are_mujocos() -> None:
    """Pose and frustum of both eyes."""
    (model, data), (other_model, other_data) = world(ours), world(theirs)
    names = [name for name in dir(theirs.MjvGLCamera()) if not name.startswith("_")]
    pairs = zip(cameras(ours, model), cameras(theirs, other_model), strict=True)
    for mine, other in pairs:
        one = scene(ours, model, data, mine)
        two = scene(theirs, other_model, other_data, other)
        assert_rows(one.camera, two.camera, names)
        np.testing.assert_allclose(mine.lookat, other.lookat)
        height = theirs.mjv_frustumHeight(two)
        assert ours.mjv_frustumHeight(one) == pytest.approx(height, rel=1e-6)


@pytest.mark.parametrize("action", range(1, 10))
def test_cameras_move_as_mujocos(action: int) -> None:
    (model, _), (other_model, _) = world(ours), world(theirs)
    mine, other = cameras(ours, model)[0], cameras(theirs, other_model)[0]
    for reldx, reldy in ((0.1, 0.2), (-0.7, 0.4), (0.2, -0.3)):
        ours.mjv_moveCamera(model, action, reldx, reldy, mine)
        theirs.mjv_moveCamera(other_model, action, reldx, reldy, other)
        for name in ("lookat", "distance", "azimuth", "elevation"):
            # MuJoCo takes the height of the view from a frustum in single precision
            np.testing.assert_allclose(getattr(mine, name), getattr(other, name), 1e-6, 1e-12)


@pytest.mark.parametrize("kind", [*range(9), *range(100, 109)])
def test_made_geoms_are_mujocos(kind: int) -> None:
    """What a program adds to a scene: any type, or a connection of two points."""
    size, pos, rgba = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0]), np.full(4, 0.5)
    mat = np.array([0.0, 1, 0, -1, 0, 0, 0, 0, 1])
    mine, other = ours.MjvGeom(), theirs.MjvGeom()
    for geom in (mine, other):
        geom.objid, geom.segid, geom.label, geom.specular = 5, 6, "label", 0.1
    names = [name for name in MjvGeom._fields if name not in SORTING]
    ours.mjv_initGeom(mine, kind, size, pos, mat, rgba.astype(np.float32))
    theirs.mjv_initGeom(other, kind, size, pos, mat, rgba.astype(np.float32))
    assert_rows([mine], [other], names)
    try:
        theirs.mjv_connector(other, kind, 0.05, pos, np.array([0.5, -1.0, 2.0]))
    except theirs.FatalError:
        with pytest.raises(ours.FatalError, match="mjv_connector"):
            ours.mjv_connector(mine, kind, 0.05, pos, np.array([0.5, -1.0, 2.0]))
    else:
        ours.mjv_connector(mine, kind, 0.05, pos, np.array([0.5, -1.0, 2.0]))
        assert_rows([mine], [other], names)


def test_full_scene_says_so() -> None:
    """A scene without room keeps what fits, warns, and has its status set."""
    model, data = world(ours)
    made = ours.MjvScene(model, 3)
    with pytest.warns(UserWarning, match="maxgeom above 3"):
        ours.mjv_updateScene(model, data, ours.MjvOption(), None, ours.MjvCamera(), 7, made)
    assert (made.ngeom, made.status) == (3, 1)


@pytest.fixture(scope="module")
def egl() -> None:
    """MuJoCo's renderer, if it can draw here."""
    try:
        from mujoco.egl import GLContext
        from mujoco.rendering.classic import gl_context

        gl_context.GLContext = GLContext
        theirs.Renderer(theirs.MjModel.from_xml_string("<mujoco/>"), 8, 8).close()
    except Exception as error:
        pytest.skip(f"MuJoCo cannot draw here: {error}")


def pictures(module: Any, renderer: Any, camera: Any) -> list[np.ndarray]:
    """Colours, depths and objects, with an arrow and a ball that a program adds."""
    model, data = world(module)
    made = []
    with renderer(model, 240, 320) as one:
        one.update_scene(data, camera)
        for kind, at in ((module.mjtGeom.mjGEOM_ARROW.value, 0.4), (2, 1.4)):
            geom = one.scene.geoms[one.scene.ngeom]
            pos, rgba = np.array([at, -0.5, 0.5]), np.array([0, 1, 1, 1], np.float32)
            module.mjv_initGeom(geom, kind, np.array([0.1, 0.1, 0.8]), pos, np.eye(3).ravel(), rgba)
            geom.objid, geom.objtype, geom.segid = 77, 0, one.scene.ngeom
            one.scene.ngeom += 1
        made.append(one.render())
        one.enable_depth_rendering()
        made.append(one.render())
        one.enable_segmentation_rendering()
        made.append(one.render())
    return made


#: mean difference of colours, of 255; the fourth camera sees a texture that is stretched threefold
COLOUR = {-1: 3.0, "c": 3.0, "flat": 4.0, "sensor": 4.0}


@pytest.mark.parametrize("camera", COLOUR)
def test_pictures_are_mujocos(camera: Any, egl: None) -> None:
    """Colours, depths in metres, numbers and types of objects."""
    rgb, depth, owners = pictures(theirs, theirs.Renderer, camera)
    mine, my_depth, my_owners = pictures(ours, Renderer, camera)
    same = (owners == my_owners).all(2)
    # edges differ: those of a stretched picture are longer
    assert same.mean() > 0.985
    assert {77, 0} <= set(my_owners[..., 0].ravel().tolist())
    near = np.abs(depth - my_depth) < 2e-3 * depth
    assert near[same].mean() > 0.999
    assert np.abs(rgb.astype(int) - mine).mean() < COLOUR[camera]


def read(module: Any, depth_map: int, context: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Pixels of the functions that programs call without a Renderer."""
    model, data = world(module)
    made, rect = scene(module, model, data, cameras(module, model)[1]), module.MjrRect(0, 0, 64, 48)
    con = module.MjrContext(model, module.mjtFontScale.mjFONTSCALE_100.value)
    module.mjr_setBuffer(module.mjtFramebuffer.mjFB_OFFSCREEN.value, con)
    con.readDepthMap = depth_map
    module.mjr_render(rect, made, con)
    rgb, depth = np.zeros(3 * 64 * 48, np.uint8), np.zeros(64 * 48, np.float32)
    module.mjr_readPixels(rgb, depth, rect, con)
    con.free()
    return rgb.reshape(48, 64, 3), depth.reshape(48, 64)


@pytest.mark.parametrize("depth_map", [0, 1])
def test_pixels_are_mujocos(depth_map: int, egl: None) -> None:
    """The bottom row first, depths as in a depth buffer."""
    from mujoco.egl import GLContext

    context = GLContext(64, 48)
    context.make_current()
    rgb, depth = read(theirs, depth_map)
    context.free()
    mine, my_depth = read(ours, depth_map)
    assert (np.abs(depth - my_depth) < 2e-3).mean() > 0.98
    assert np.abs(rgb.astype(int) - mine).mean() < 4.0


def test_edited_geoms_are_drawn() -> None:
    """A geom of a scene that a program recolours, and one that it removes."""
    model, data = world(ours)
    with Renderer(model, 48, 64) as renderer:
        renderer.update_scene(data, "c")
        before = renderer.render()
        renderer.scene.geoms[0].rgba = [0.0, 0.0, 1.0, 1.0]
        recoloured = renderer.render()
        renderer.scene.ngeom = 0
        assert not np.array_equal(before, recoloured)
        renderer.enable_segmentation_rendering()
        assert (renderer.render() == -1).all()


def test_uploaded_height_field_is_drawn() -> None:
    """A height field that was edited is drawn as it was, until it is uploaded."""
    model, data = world(ours)
    con, rect = ours.MjrContext(model, 100), ours.MjrRect(0, 0, 64, 48)
    made = scene(ours, model, data, cameras(ours, model)[1])

    def depths() -> np.ndarray:
        ours.mjr_render(rect, made, con)
        found = np.zeros((48, 64), np.float32)
        ours.mjr_readPixels(None, found, rect, con)
        return found

    flat = depths()
    model.hfield_data[:] = np.linspace(0.0, 1.0, 9)
    np.testing.assert_array_equal(depths(), flat)
    ours.mjr_uploadHField(model, con, 0)
    assert not np.array_equal(depths(), flat)
    with pytest.raises(ours.FatalError, match="invalid id 1"):
        ours.mjr_uploadHField(model, con, 1)


def test_numbers_of_geoms_as_colours() -> None:
    """Segmentation as Gymnasium and dm_control read it: segid + 1 in three bytes."""
    model, data = world(ours)
    made = scene(ours, model, data, cameras(ours, model)[1])
    made.flags[ours.mjtRndFlag.mjRND_SEGMENT], made.flags[ours.mjtRndFlag.mjRND_IDCOLOR] = 1, 1
    con, rect = ours.MjrContext(model, 100), ours.MjrRect(0, 0, 64, 48)
    ours.mjr_render(rect, made, con)
    rgb = np.zeros((48, 64, 3), np.uint8)
    ours.mjr_readPixels(rgb, None, rect, con)
    numbers = rgb.astype(int) @ [1, 256, 65536]
    assert numbers.min() == 0
    assert 1 < len(np.unique(numbers)) <= made.ngeom + 1
    assert numbers.max() <= made.ngeom


def test_text_is_written_over_a_picture() -> None:
    model, data = world(ours)
    made = scene(ours, model, data, cameras(ours, model)[1])
    con, rect = ours.MjrContext(model, 100), ours.MjrRect(0, 0, 160, 120)
    pictures = []
    for text in ("", "name\nother"):
        ours.mjr_render(rect, made, con)
        ours.mjr_overlay(0, ours.mjtGridPos.mjGRID_TOPLEFT, rect, text, text.encode(), con)
        pictures.append(np.zeros((120, 160, 3), np.uint8))
        ours.mjr_readPixels(pictures[-1], None, rect, con)
    changed = (pictures[0] != pictures[1]).any(2)[::-1]
    assert changed[:60, :100].any()
    assert not changed[60:].any()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m, d: Renderer(m, 240, 2000), "offwidth"),
        (lambda m, d: Renderer(m).update_scene(d, "nobody"), "does not exist"),
        (lambda m, d: Renderer(m).update_scene(d, 9), "out of range"),
        (lambda m, d: Renderer(m).render(out=np.zeros((3, 3))), "out.shape"),
    ],
)
def test_bad_requests_of_a_renderer(call: Any, error: str) -> None:
    """ValueErrors, as those of MuJoCo's renderer."""
    with pytest.raises(ValueError, match=error):
        call(*world(ours))


def test_bad_requests_of_a_context() -> None:
    model, data = world(ours)
    con, rect = ours.MjrContext(model, 100), ours.MjrRect(0, 0, 64, 48)
    with pytest.raises(ours.FatalError, match="nothing has been drawn"):
        ours.mjr_readPixels(np.zeros(3 * 64 * 48, np.uint8), None, rect, con)
    made = scene(ours, model, data)
    ours.mjr_render(rect, made, con)
    with pytest.raises(TypeError, match="rgb has 3 numbers"):
        ours.mjr_readPixels(np.zeros(3, np.uint8), None, rect, con)
    with pytest.raises(NotImplementedError, match="launch_passive"):
        ours.mjr_setBuffer(ours.mjtFramebuffer.mjFB_WINDOW, con)
    camera = MjvCamera()
    camera.type, camera.fixedcamid = ours.mjtCamera.mjCAMERA_FIXED, 9
    with pytest.raises(ours.FatalError, match="fixed camera id"):
        scene(ours, model, data, camera)
    renderer = Renderer(model)
    renderer.close()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()
