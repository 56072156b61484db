"""Scenes of a model: geoms, lights and cameras of its current state."""

from __future__ import annotations

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.drawing.attached import Attached
from cortenforge.mujoco.drawing.cameras import mjv_updateCamera
from cortenforge.mujoco.drawing.geoms import (
    Category,
    Geom,
    add_decorations,
    add_model_geoms,
    append_geoms,
)
from cortenforge.mujoco.drawing.options import drawing_options
from cortenforge.mujoco.drawing.structs import (
    MAX_LIGHTS,
    MjvCamera,
    MjvFigure,
    MjvOption,
    MjvPerturb,
    MjvScene,
)
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.decorations import decorations_of
from cortenforge.scene.deformables import deformable_surfaces
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.skins import skin_surfaces
from cortenforge.scene.surfaces_and_tubes import ExtraItem

#: of lights without a range of their own (MuJoCo's defaults)
HEADLIGHT_RANGE, HEADLIGHT_RADIUS = 10.0, 0.02
#: light_type
SPOT, DIRECTIONAL = 0, 1
#: fields of lights that a scene takes over as they are
LIGHT_FIELDS = (
    "type", "texid", "ambient", "diffuse", "specular", "castshadow", "bulbradius", "intensity",
    "range",
)  # fmt: skip
#: the same for spots
SPOT_FIELDS = ("attenuation", "cutoff", "exponent", "softness")


@function
def mjv_defaultOption(opt: MjvOption) -> None:
    """Set options to their defaults."""
    opt.assign(MjvOption())


@function
def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """Set a perturbation to its defaults: none."""
    pert.assign(MjvPerturb())


@function
def mjv_defaultFigure(fig: MjvFigure) -> None:
    """Set a figure to its defaults."""
    fig.assign(MjvFigure())


@function
def mjv_updateScene(
    m: MjModel,
    d: MjData,
    opt: MjvOption,
    pert: MjvPerturb | None,
    cam: MjvCamera,
    catmask: int,
    scn: MjvScene,
) -> None:
    """Fill a scene with geoms, lights and camera of the current state."""
    mjv_updateCamera(m, d, cam, scn)
    scn.ngeom = scn.status = 0
    add_geoms(m, d, drawing_options(opt, pert), catmask, scn)
    mjv_makeLights(m, d, scn)
    scn.nskin = m.nskin


@function
def mjv_addGeoms(
    m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb, catmask: int, scn: MjvScene
) -> None:
    """Append geoms of the current state to a scene."""
    add_geoms(m, d, drawing_options(opt, pert), catmask, scn)


def add_geoms(
    m: MjModel, d: MjData, options: RenderOptions, categories: int, scn: MjvScene
) -> None:
    """Append skins, geoms, sites, tendons and rays; what else options show is attached."""
    before = scn._attached if scn.ngeom else None
    scn.__dict__.update(_model=m, _categories=categories)
    surfaces = add_skins(m, d, options, scn)
    add_model_geoms(scn, m, d, "geom", options)
    add_model_geoms(scn, m, d, "site", options)
    decor = add_decorations(scn, decorations_of(m._native, d._native, options))
    if not categories & Category["mjCAT_DECOR"]:
        decor = Decor()
    if before is not None:
        decor.tables += before.decor.tables
        decor.rows += before.decor.rows
        decor.extra += before.decor.extra
        decor.segments += before.decor.segments
        decor.labels += before.decor.labels
        surfaces += before.surfaces
    scn.__dict__["_attached"] = Attached(decor, surfaces)


def add_skins(m: MjModel, d: MjData, options: RenderOptions, scn: MjvScene) -> list[ExtraItem]:
    """Append skins and deformables: their surfaces, with the number of their geom as `objid`."""
    if not scn._categories & Category["mjCAT_DYNAMIC"]:
        return []
    surfaces: list[ExtraItem] = []
    if m.nskin and options.skin:
        surfaces += skin_surfaces(m._native, d._native, options)
    if m._native.nsoft and options.soft:
        surfaces += deformable_surfaces(m._native, d._native, options)
    kept = []
    for one in surfaces:
        is_skin = one.objtype == ObjType.SKIN
        added = append_geoms(
            scn,
            1,
            type=Geom["mjGEOM_SKIN"] if is_skin else Geom["mjGEOM_NONE"],
            category=Category["mjCAT_DYNAMIC"],
            objtype=one.objtype,
            objid=one.objid,
            rgba=np.asarray(one.rgba, float),
            pos=d.xpos[m.skin_bonebodyid[m.skin_boneadr[one.objid]]] if is_skin else 0.0,
        )
        if len(added):
            one.objid = int(added[0])
            kept.append(one)
    return kept


@function
def mjv_makeLights(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Fill a scene with the headlight and the model's lights."""
    head = m.vis.headlight
    rows = scn._lights._columns
    for column in rows.values():
        column[...] = 0
    count = 0
    if head.active:
        light = scn._lights[0]
        light.id, light.texid, light.type, light.headlight = -1, -1, DIRECTIONAL, 1
        light.pos = rows_mean(scn, "pos")
        light.dir = rows_mean(scn, "forward")
        light.range, light.bulbradius = HEADLIGHT_RANGE, HEADLIGHT_RADIUS
        for name in ("ambient", "diffuse", "specular"):
            setattr(light, name, getattr(head, name))
        count = 1
    for i in np.flatnonzero(m.light_active)[: MAX_LIGHTS - count].tolist():
        light = scn._lights[count]
        light.id = i
        light.pos, light.dir = d.light_xpos[i], d.light_xdir[i]
        is_spot = int(m.light_type[i]) == SPOT
        for name in (*LIGHT_FIELDS, *(SPOT_FIELDS if is_spot else ())):
            rows[name][count] = getattr(m, f"light_{name}")[i]
        count += 1
    scn.nlight = count


def rows_mean(scn: MjvScene, name: str) -> np.ndarray:
    """A field of a scene's camera, between both eyes."""
    return np.asarray(scn._camera._columns[name].mean(0))
