"""What a scene's rows are for the rasteriser: instances of shapes, lights, labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.mujoco.drawing.geoms import Geom
from cortenforge.mujoco.drawing.structs import MjvScene
from cortenforge.mujoco.model import MjModel
from cortenforge.render.canvas import Canvas
from cortenforge.render.lights import LIGHT_DIRECTIONAL, LIGHT_SPOT, Light, set_shadow_view
from cortenforge.scene.camera import Lens
from cortenforge.scene.decor_geoms import ARROW_HEAD_RATIO, Decor
from cortenforge.scene.flags import DOUBLE_SIDED, UNLIT
from cortenforge.scene.instances import Appearance, GeomShapes, InstanceTable, join_tables
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.surfaces_and_tubes import Surface, extra_instances

SOLIDS = tuple(int(kind) for kind in GeomType)


def scene_instances(
    scn: MjvScene, m: MjModel, canvas: Canvas, lens: Lens
) -> tuple[InstanceTable, list[tuple[Any, str]]]:
    """Instances of all geoms and of what is attached, and labels (position, text).

    `objid` of an instance is the number of its geom in the scene, -1 for what is attached.
    """
    rows = {name: column[: scn.ngeom] for name, column in scn._geoms._columns.items()}
    solid = np.flatnonzero(np.isin(rows["type"], SOLIDS))
    decor = Decor()
    for i in np.flatnonzero(~np.isin(rows["type"], SOLIDS)).tolist():
        add_decorative_geom(decor, scn._geoms[i], i)
    attached = scn._attached
    parts = [solid_instances(m, canvas, {n: c[solid] for n, c in rows.items()}, solid, lens)]
    parts.append(decor.instances())
    extra = [*decor.extra, *(lines.surface(lens) for lines in decor.segments)]
    labels = decor.labels + geom_labels(scn)
    if attached is not None:
        other = attached.decor.instances()
        other["objid"][:] = -1
        parts.append(other)
        loose = [*attached.decor.extra]
        loose += [lines.surface(lens) for lines in attached.decor.segments]
        for one in loose:
            one.objid = -1
        extra += [*attached.surfaces, *loose]
        labels = labels + attached.decor.labels
    shown = RenderOptions(backdrop="model")
    parts += extra_instances(m._native, canvas.library, extra, shown)
    return join_tables(parts), labels


def solid_instances(
    m: MjModel, canvas: Canvas, rows: dict[str, np.ndarray], numbers: np.ndarray, lens: Lens
) -> InstanceTable:
    """Instances of geoms of the types that models have."""
    kinds = rows["type"]
    is_mesh = np.isin(kinds, (GeomType.MESH, GeomType.SDF))
    dataids = np.where(is_mesh, rows["dataid"] >> 1, rows["dataid"])
    dataids = np.where(is_mesh | (kinds == GeomType.HFIELD), dataids, -1)
    shapes = GeomShapes(m._native, kinds, dataids, canvas.library)
    hulls = is_mesh & (rows["dataid"] >= 0) & (rows["dataid"] & 1 == 1) & (shapes.hulls >= 0)
    look = Appearance(
        rgba=rows["rgba"].astype(float),
        gloss=np.stack([rows[name] for name in ("emission", "specular", "shininess")], 1) * 1.0,
        reflectance=rows["reflectance"].astype(float),
        texture=rows["texid"].copy(),
        uniform=rows["texuniform"] != 0,
        repeat=rows["texrepeat"].astype(float),
    )
    return shapes.instances(
        (rows["pos"].astype(float), rows["mat"].astype(float)),
        rows["size"].astype(float),
        look,
        lens.pos,
        seen=rows["rgba"][:, 3] != 0,
        shape=np.where(hulls, shapes.hulls, shapes.shapes),
        casts=rows["castshadow"] != 0,
        objtype=rows["objtype"],
        objid=numbers,
    )


def add_decorative_geom(decor: Decor, geom: Any, number: int) -> None:
    """Add an arrow, a line, the edges of a box or a triangle; skins are attached as surfaces."""
    pos, mat, size = (np.array(part, float) for part in (geom.pos, geom.mat, geom.size))
    rgba, kind = np.array(geom.rgba, float), geom.type
    more = {"objtype": geom.objtype, "objid": number}
    end = pos + size[2] * mat[:, 2]
    if kind in (Geom["mjGEOM_ARROW"], Geom["mjGEOM_ARROW1"]):
        head = ARROW_HEAD_RATIO if kind == Geom["mjGEOM_ARROW"] else 1.0
        decor.arrow(pos, end, size[0], rgba, head=head, **more)
    elif kind == Geom["mjGEOM_ARROW2"]:
        decor.double_arrow(pos, end, size[0], rgba, **more)
    elif kind == Geom["mjGEOM_LINE"]:
        decor.lines(pos[None], end[None], size[0], rgba, geom.objtype, number)
    elif kind == Geom["mjGEOM_LINEBOX"]:
        decor.boxes(pos[None], mat[None], size[None], rgba, geom.objtype, number)
    elif kind == Geom["mjGEOM_TRIANGLE"]:
        corners = np.array([pos, pos + size[0] * mat[:, 0], pos + size[1] * mat[:, 1]])
        flags = DOUBLE_SIDED | UNLIT
        decor.extra.append(Surface(corners, [[0, 1, 2]], rgba, flat=True, flags=flags, **more))


def geom_labels(scn: MjvScene) -> list[tuple[Any, str]]:
    """Labels that geoms of a scene have."""
    named = np.flatnonzero(scn._geoms.label[: scn.ngeom, 0])
    return [(np.array(scn._geoms[i].pos, float), scn._geoms[i].label) for i in named.tolist()]


def scene_lights(
    scn: MjvScene, m: MjModel, eye: Lens, options: RenderOptions, size: int
) -> list[Light]:
    """Lights of a scene; shadow maps have `size` texels a side."""
    found = []
    for row in scn._lights[: scn.nlight]:
        if row.type not in (LIGHT_SPOT, LIGHT_DIRECTIONAL):
            continue
        way = np.array(row.dir, float)
        light = Light(
            row.type == LIGHT_SPOT,
            np.array(row.pos, float),
            way / max(float(np.linalg.norm(way)), 1e-12),
            row.ambient,
            row.diffuse,
            row.specular,
        )
        if light.is_spot:
            edge = math.cos(math.radians(row.cutoff)) if row.cutoff <= 90.0 else -1.0
            light.attenuation, light.cone = row.attenuation, (edge, row.exponent, 0.0)
        if options.shadow and size > 0 and row.castshadow:
            set_shadow_view(light, m._native, row.cutoff, eye, size)
        found.append(light)
    return found
