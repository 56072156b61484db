"""Pictures beside those of MuJoCo's renderer, where there is software that it can draw with.

These need an EGL driver (Mesa's will do); models that a machine does not have are left out.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import public_folder
from cortenforge.scene.camera import lens_of

from .scenes import DECOR, SHEET_SCENE, TEXTURES, TOUCHED, WIRED

mujoco = pytest.importorskip("mujoco")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")]

WIDTH, HEIGHT = 320, 240
#: objects agree on so many pixels, and depths where they do to so much
SAME, DEPTH = 0.995, 1e-3
#: mean difference of colours, of 255
COLOUR = 3.0


def public(path: str) -> Path | None:
    folder = public_folder()
    return folder / path if folder else None


def menagerie(path: str) -> Path | None:
    folder = os.environ.get("CORTENFORGE_MENAGERIE")
    return Path(folder) / path if folder else None


MODELS = {
    "textures": TEXTURES,
    "humanoid": public("mujoco/humanoid/humanoid.xml"),
    "cube": public("mujoco/cube/cube_3x3x3.xml"),
    "car": public("mujoco/car/car.xml"),
    "shadow hand": public("menagerie/shadow_hand/scene_right.xml"),
    "G1": menagerie("unitree_g1/scene.xml"),
    "panda": menagerie("franka_emika_panda/scene.xml"),
}


@pytest.fixture(scope="module", autouse=True)
def egl() -> None:
    """MuJoCo's renderer, if it can draw here."""
    try:
        # MUJOCO_GL counts when mujoco is imported, which other tests have done
        from mujoco.egl import GLContext
        from mujoco.rendering.classic import gl_context

        gl_context.GLContext = GLContext
        mujoco.Renderer(mujoco.MjModel.from_xml_string("<mujoco/>"), 8, 8).close()
    except Exception as error:
        pytest.skip(f"MuJoCo cannot draw here: {error}")


def worlds(source: Path | str) -> tuple[Any, Any, cf.Model, cf.Data]:
    """The same world in both engines, at its first keyframe."""
    text = isinstance(source, str)
    load = mujoco.MjModel.from_xml_string if text else mujoco.MjModel.from_xml_path
    theirs = load(source if text else str(source))
    world = mujoco.MjData(theirs)
    if theirs.nkey:
        mujoco.mj_resetDataKeyframe(theirs, world, 0)
    mujoco.mj_forward(theirs, world)
    model = cf.Model.from_mjcf(source)
    data = model.make_data()
    for own, other in ((world.ctrl, data.ctrl), (world.act, data.act)):
        own[:] = np.linspace(0.7, 0.4, len(own))
        other[:] = own
    data.qpos[:] = world.qpos
    mujoco.mj_forward(theirs, world)
    data.forward()
    return theirs, world, model, data


def both(theirs: Any, world: Any, data: cf.Data, number: int, **options: Any) -> list[tuple]:
    """Colours, depths and owners, of MuJoCo and of ours."""
    chosen = mujoco.MjvOption()
    effects = {}
    for name, value in options.items():
        if name == "frame":
            chosen.frame = getattr(mujoco.mjtFrame, f"mjFRAME_{value.upper()}")
        elif name == "bvh_depth":
            chosen.bvh_depth = value
        elif (effect := f"mjRND_{name.upper()}") in mujoco.mjtRndFlag.__members__:
            effects[getattr(mujoco.mjtRndFlag, effect)] = value
        else:
            chosen.flags[getattr(mujoco.mjtVisFlag, f"mjVIS_{name.upper()}")] = value
    pairs = []
    renderer = mujoco.Renderer(theirs, HEIGHT, WIDTH)
    shown = cf.RenderOptions(backdrop="model", **options)
    ours = cf.Renderer(data.model, width=WIDTH, height=HEIGHT, options=shown)
    try:
        renderer.update_scene(world, camera=number, scene_option=chosen)
        for effect, value in effects.items():
            renderer.scene.flags[effect] = value
        for mode in ("rgb", "depth", "segmentation"):
            if mode != "rgb":
                getattr(renderer, f"enable_{mode}_rendering")()
            mine = ours.render(data, None if number < 0 else number, mode=mode)
            pairs.append((renderer.render(), mine))
    finally:
        renderer.close()
    return pairs


def compare(pairs: list[tuple]) -> None:
    (rgb, mine), (depth, my_depth), (owners, my_owners) = pairs
    same = (owners == my_owners).all(2)
    assert same.mean() >= SAME
    error = np.abs(depth - my_depth)[same] / depth[same]
    assert (error < DEPTH).mean() > 0.999
    assert np.abs(rgb.astype(int) - mine).mean() < COLOUR


@pytest.mark.parametrize("name", MODELS)
def test_pictures_are_mujocos(name: str) -> None:
    """Owners agree on 99.5% of pixels, depths to 1e-3; colours are close on average."""
    source = MODELS[name]
    if source is None or not source.exists():
        pytest.skip(f"the model {name!r} is not on this machine")
    theirs, world, model, data = worlds(source)
    for camera in range(-1, min(model.ncam, 3)):
        compare(both(theirs, world, data, camera))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"contactpoint": True},
        {"contactforce": True},
        {"contactforce": True, "contactsplit": True},
        {"joint": True, "transparent": True},
        {"com": True, "transparent": True},
        {"inertia": True},
        {"frame": "body"},
        {"frame": "geom"},
        {"frame": "site"},
        {"frame": "world"},
        {"frame": "contact"},
        {"tendon": False},
        {"skin": False},
        {"static": False},
        {"texture": False},
        {"actuator": True},
        {"actuator": True, "activation": True},
        {"constraint": True},
        {"rangefinder": False},
    ],
    ids=str,
)
def test_options_are_mujocos(options: dict) -> None:
    """Whatever an option adds is where MuJoCo has it, in its colours."""
    theirs, world, _, data = worlds(DECOR)
    (rgb, mine), (depth, my_depth), _ = both(theirs, world, data, 0, **options)
    difference = np.abs(rgb.astype(int) - mine)
    # edges differ; an added thing that is missing, or somewhere else, is more than this: a ray
    # of a range finder is 0.4% of the picture
    assert (difference.max(2) > 40).mean() < 0.0025
    assert (np.abs(depth - my_depth) / depth > 0.01).mean() < 0.0025


def apart(picture: np.ndarray, other: np.ndarray) -> float:
    """How many pixels are not among the colours that another picture has around them.

    Edges of thin lines differ between two ways to sample; where lines are does not.
    """
    wide = np.pad(other.astype(int), ((1, 1), (1, 1), (0, 0)), "edge")
    high, across = picture.shape[:2]
    around = [wide[i : i + high, j : j + across] for i in range(3) for j in range(3)]
    above = picture.astype(int) - np.max(around, axis=0)
    below = np.min(around, axis=0) - picture.astype(int)
    return float((np.maximum(above, below).max(2) > 40).mean())


@pytest.mark.parametrize(
    ("camera", "options"),
    [
        (0, {}),
        (-1, {"camera": True}),
        (-1, {"camera": True, "frame": "camera"}),
        (-1, {"light": True}),
        (-1, {"light": True, "frame": "light"}),
        (-1, {"frame": "light"}),
        (0, {"actuator": True}),
        (0, {"autoconnect": True, "transparent": True}),
        (0, {"inertia": True, "sclinertia": True}),
        (0, {"pertforce": True}),
        (0, {"bodybvh": True}),
        (0, {"bodybvh": True, "bvh_depth": 0}),
        (0, {"meshbvh": True}),
        (0, {"meshbvh": True, "bvh_depth": 3}),
        (0, {"island": True, "contactpoint": True}),
        (0, {"rangefinder": False}),
        (0, {"tendon": False}),
        (-1, {"additive": True, "transparent": True}),
    ],
    ids=str,
)
def test_wiring_is_mujocos(camera: int, options: dict) -> None:
    """Slider-cranks, slack strings, cameras, lights, rays, boxes, islands: as MuJoCo has them."""
    theirs, world, _, data = worlds(WIRED)
    world.xfrc_applied[1:3, :3] = data.xfrc_applied[1:3, :3] = (60, -60, 120)
    (rgb, mine), _, _ = both(theirs, world, data, camera, **options)
    assert apart(rgb, mine) < 0.001 and apart(mine, rgb) < 0.001
    # an option that does nothing would be as far away as this
    if options and options != {"frame": "light"}:
        (bare, _), _, _ = both(theirs, world, data, camera)
        assert max(apart(bare, rgb), apart(rgb, bare)) > 0.0015


@pytest.mark.parametrize(
    ("label", "options"),
    [
        ("body", {}),
        ("body", {"inertia": True}),
        ("body", {"static": False}),
        ("joint", {"joint": True}),
        ("joint", {}),
        ("geom", {}),
        ("site", {}),
        ("camera", {"camera": True}),
        ("light", {"light": True}),
        ("tendon", {}),
        ("actuator", {"actuator": True}),
        ("constraint", {"constraint": True}),
        ("skin", {}),
        ("flex", {}),
        ("selection", {}),
        ("selpnt", {"select": True}),
        ("contactpoint", {"contactpoint": True}),
        ("contactforce", {"contactforce": True}),
        ("contactforce", {"contactforce": True, "contactsplit": True}),
        ("island", {}),
        ("none", {}),
    ],
    ids=str,
)
@pytest.mark.parametrize("source", [WIRED, DECOR], ids=["wired", "decor"])
def test_labels_are_mujocos(source: str, label: str, options: dict) -> None:
    """The same words at the same places, whatever is labelled."""
    theirs, world, _, data = worlds(source)
    chosen, perturb = mujoco.MjvOption(), mujoco.MjvPerturb()
    chosen.label = getattr(mujoco.mjtLabel, f"mjLABEL_{label.upper()}")
    for name, value in options.items():
        chosen.flags[getattr(mujoco.mjtVisFlag, f"mjVIS_{name.upper()}")] = value
    perturb.select, perturb.localpos = 2, (0.01, 0.02, 0.03)
    scene = mujoco.MjvScene(theirs, 1000)
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(theirs, camera)
    mujoco.mjv_updateScene(theirs, world, chosen, perturb, camera, 7, scene)
    # a string that sags has its name at each of its parts there, and at its first here
    expected: dict[str, list[np.ndarray]] = {}
    for geom in scene.geoms[: scene.ngeom]:
        if geom.label and not (label == "tendon" and geom.label in expected):
            expected.setdefault(geom.label, []).append(np.array(geom.pos))
    picked = cf.Perturb(2, (0.01, 0.02, 0.03))
    shown = cf.RenderOptions(label=label, perturb=picked, **options)
    renderer = cf.Renderer(data.model, width=32, height=24, options=shown)
    lens = lens_of(data.model, data, None, 32, 24)
    found: dict[str, list[np.ndarray]] = {}
    for pos, text in renderer._collect_instances(data, lens, ())[1]:
        found.setdefault(text, []).append(pos)
    assert set(found) == set(expected)
    for text, places in expected.items():
        here, there = (
            sorted(np.round(p, 4).tolist() for p in one) for one in (found[text], places)
        )
        assert np.allclose(here, there, atol=2e-4)


def test_touch_is_mujocos() -> None:
    """What a tactile sensor feels, and where a belt goes at its contacts."""
    theirs, world, _, data = worlds(TOUCHED)
    world.qvel[0] = data.qvel[0] = 0.5
    mujoco.mj_forward(theirs, world)
    data.forward()
    (rgb, mine), _, _ = both(theirs, world, data, -1, contactpoint=True)
    (bare, _), _, _ = both(theirs, world, data, -1)
    assert apart(rgb, mine) < 0.001 and apart(mine, rgb) < 0.001
    assert apart(rgb, bare) > 0.003


def test_selection_is_mujocos() -> None:
    """What is selected glows; where it is dragged and turned to is drawn as MuJoCo does it."""
    theirs, world, model, data = worlds(WIRED)
    chosen, perturb = mujoco.MjvOption(), mujoco.MjvPerturb()
    chosen.flags[mujoco.mjtVisFlag.mjVIS_SELECT] = True
    perturb.select, perturb.localpos, perturb.active = 2, (0.1, -0.1, 0.1), 3
    perturb.refselpos, perturb.refquat = (-0.1, -0.3, 0.4), (0.8, 0, 0.6, 0)
    camera = mujoco.MjvCamera()
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    renderer = mujoco.Renderer(theirs, HEIGHT, WIDTH)
    mujoco.mjv_updateScene(theirs, world, chosen, perturb, camera, 7, renderer.scene)
    rgb = renderer.render()
    renderer.close()
    drag = cf.Perturb(2, (0.1, -0.1, 0.1), (-0.1, -0.3, 0.4), (0.8, 0, 0.6, 0))
    options = cf.RenderOptions(select=True, perturb=drag, backdrop="model")
    mine = cf.Renderer(model, width=WIDTH, height=HEIGHT, options=options).render(data, 0)
    assert apart(rgb, mine) < 0.001 and apart(mine, rgb) < 0.001
    for change in ({"select": False}, {"pertobj": False}, {"perturb": None}):
        other = cf.RenderOptions(**{"select": True, "perturb": drag, "backdrop": "model", **change})
        less = cf.Renderer(model, width=WIDTH, height=HEIGHT, options=other).render(data, 0)
        assert apart(mine, less) > 0.0002


def test_wires_are_mujocos() -> None:
    """Triangles of a mesh and of a height field as their edges; other shapes have fewer here."""
    source = """
    <mujoco>
      <asset>
        <mesh name="wedge" vertex="0 0 0  .6 0 0  0 .6 0  0 0 .6  .6 .6 0  .5 .1 .5"/>
        <hfield name="hill" nrow="4" ncol="5" size=".5 .4 .3 .1"
                elevation="0 0 1 0 0  0 2 3 1 0  1 3 2 1 0  0 0 1 0 0"/>
      </asset>
      <worldbody>
        <geom type="mesh" mesh="wedge" rgba=".9 .8 .3 1"/>
        <geom type="hfield" hfield="hill" pos="-.8 0 0" rgba=".4 .9 .4 1"/>
      </worldbody>
    </mujoco>"""
    theirs, world, _, data = worlds(source)
    (rgb, mine), _, _ = both(theirs, world, data, -1, wireframe=True)
    (filled, _), _, _ = both(theirs, world, data, -1)
    # a line of one pixel is darker where it lies between two
    bright = [(one.max(2) > 60).astype(np.uint8)[..., None] * 255 for one in (rgb, mine)]
    assert apart(bright[0], bright[1]) < 0.002 and apart(bright[1], bright[0]) < 0.002
    assert (bright[0] > 0).mean() < 0.5 * (filled.max(2) > 60).mean()


def flexes(theirs: Any, world: Any) -> list[cf.Surface | cf.Tubes]:
    """Deformables of MuJoCo's model, handed over as arrays."""
    found: list[cf.Surface | cf.Tubes] = []
    for k in range(theirs.nflex):
        first, count = theirs.flex_vertadr[k], theirs.flex_vertnum[k]
        vert = world.flexvert_xpos[first : first + count]
        given = {"radius": float(theirs.flex_radius[k]), "rgba": theirs.flex_rgba[k], "objid": k}
        given["objtype"] = int(mujoco.mjtObj.mjOBJ_FLEX)
        if theirs.flex_dim[k] == 1:
            first, count = theirs.flex_edgeadr[k], theirs.flex_edgenum[k]
            edge = theirs.flex_edge[first : first + count]
            found.append(cf.Tubes(vert, edge, balls=False, **given))
        else:
            is_sheet = theirs.flex_dim[k] == 2
            arrays = (
                ("elem", "elemdataadr", "elemnum")
                if is_sheet
                else ("shell", "shelldataadr", "shellnum")
            )
            face, first, count = (getattr(theirs, f"flex_{name}") for name in arrays)
            face = np.ravel(face)[first[k] : first[k] + 3 * count[k]].reshape(-1, 3)
            given["flat"] = bool(theirs.flex_flatskin[k])
            found.append(cf.Surface(vert, face, sheet=is_sheet, **given))
    return found


@pytest.mark.parametrize("more", ['dim="1" count="9 1 1"', 'dim="2"', 'dim="3" count="4 4 3"'])
@pytest.mark.parametrize("flat", ["false", "true"])
def test_surfaces_are_mujocos_deformables(more: str, flat: str) -> None:
    """A cord, a sheet and a soft body, bent: handed over as arrays, drawn as MuJoCo's own."""
    count = "" if "count" in more else 'count="9 9 1"'
    comp = f"""
    <flexcomp name="soft" type="grid" {more} {count} spacing=".1 .1 .1" radius=".02" pos="0 0 .6"
              rgba=".8 .3 .2 1" mass="1" flatskin="{flat}"/></worldbody>"""
    theirs = mujoco.MjModel.from_xml_string(SHEET_SCENE.replace("</worldbody>", comp))
    world = mujoco.MjData(theirs)
    places = world.qpos.reshape(-1, 3)
    places[:, 2] = np.linspace(0, 0.3, len(places)) ** 2 + 0.03 * np.sin(np.arange(len(places)))
    mujoco.mj_forward(theirs, world)
    model = cf.Model.from_mjcf(SHEET_SCENE)
    data = model.make_data()
    data.forward()
    as_mujoco = cf.RenderOptions(backdrop="model")
    ours = cf.Renderer(model, width=WIDTH, height=HEIGHT, options=as_mujoco)
    renderer = mujoco.Renderer(theirs, HEIGHT, WIDTH)
    camera = mujoco.MjvCamera()
    camera.lookat, camera.distance, camera.azimuth, camera.elevation = (0, 0, 0.5), 2.5, 60, -25
    same = cf.Camera((0, 0, 0.5), 2.5, 60, -25)
    pairs = []
    try:
        renderer.update_scene(world, camera)
        for mode in ("rgb", "depth", "segmentation"):
            if mode != "rgb":
                getattr(renderer, f"enable_{mode}_rendering")()
            mine = ours.render(data, same, mode=mode, extra=flexes(theirs, world))
            pairs.append((renderer.render(), mine))
    finally:
        renderer.close()
    assert (pairs[2][1][..., 1] == mujoco.mjtObj.mjOBJ_FLEX).sum() > 300
    compare(pairs)
