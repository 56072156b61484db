"""Geoms of scenes: made by programs, or rows for the geoms, sites and tendons of a model."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from cortenforge.enums import GeomType, ObjType
from cortenforge.mujoco.drawing.structs import MjvScene, geom_columns
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function
from cortenforge.scene.decor_geoms import Decor, LineSegments
from cortenforge.scene.flags import CASTS_SHADOW
from cortenforge.scene.instances import (
    Appearance,
    InstanceTable,
    appearance_of,
    geom_scales,
    in_shown_groups,
    override_colours,
)
from cortenforge.scene.island_colours import island_colours
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.shapes import TUBE
from cortenforge.scene.surfaces_and_tubes import rotations_from_z

Geom = ENUMS["mjtGeom"]
Category = ENUMS["mjtCatBit"]
#: types of geoms between two points, and whether their size is half of the distance
CONNECTORS = {
    Geom["mjGEOM_CAPSULE"]: True,
    Geom["mjGEOM_CYLINDER"]: True,
    Geom["mjGEOM_ARROW"]: False,
    Geom["mjGEOM_ARROW1"]: False,
    Geom["mjGEOM_ARROW2"]: False,
    Geom["mjGEOM_LINE"]: False,
}


#: what a geom stands for, and the results of sorting: `mjv_initGeom` does not set them
KEPT = {"category", "objtype", "objid", "segid", "camdist", "transparent"}


def set_defaults(geom: Any) -> None:
    """Set the appearance of a geom to its defaults."""
    for name, column in geom_columns(1).items():
        if name not in KEPT:
            geom._columns[name][geom._row] = column[0]


@function
def mjv_initGeom(
    geom: Any,
    type: int,
    size: np.ndarray,
    pos: np.ndarray,
    mat: np.ndarray,
    rgba: np.ndarray,
) -> None:
    """Set a geom's type, size, pose and colour, and the rest of its appearance to defaults."""
    set_defaults(geom)
    geom.type = type
    geom.size = geom_scales(np.array([type]), size[None])[0]
    geom.pos, geom.mat, geom.rgba = pos, mat.reshape(3, 3), rgba


@function
def mjv_connector(geom: Any, type: int, width: float, from_: np.ndarray, to: np.ndarray) -> None:
    """Set type, size and pose of a geom that connects two points."""
    if type not in CONNECTORS:
        raise FatalError(f"mjv_connector: invalid geom type {type} for connector")
    mat, length = rotations_from_z((to - from_)[None])
    is_half = CONNECTORS[Geom(type)]
    geom.type = type
    geom.size = (width, width, (0.5 if is_half else 1.0) * float(length[0]))
    geom.pos = 0.5 * (from_ + to) if is_half else from_
    geom.mat = mat[0]


def append_geoms(scn: MjvScene, count: int, **columns: Any) -> np.ndarray:
    """Append geoms to a scene.  Returns their numbers; those without room are left out."""
    first = scn.ngeom
    room = min(count, scn.maxgeom - first)
    if room < count and not scn.status:
        scn.status = 1
        warnings.warn(
            f"Pre-allocated visual geom buffer is full. Increase maxgeom above {scn.maxgeom}.",
            stacklevel=2,
        )
    rows = slice(first, first + room)
    own = scn._geoms._columns
    for name, column in geom_columns(1).items():
        own[name][rows] = column[0]
    own["segid"][rows] = np.arange(first, first + room)
    for name, values in columns.items():
        each = np.ndim(values) == own[name].ndim
        own[name][rows] = values[:room] if each else values
    scn.ngeom = first + room
    return np.arange(first, first + room)


def appearance_columns(
    look: Appearance, matid: np.ndarray, options: RenderOptions
) -> dict[str, np.ndarray]:
    """Columns of an appearance."""
    return {
        "matid": matid if options.texture else np.full(len(matid), -1),
        "texid": look.texture,
        "texuniform": look.uniform,
        "texrepeat": look.repeat,
        "rgba": look.rgba,
        "emission": look.gloss[:, 0],
        "specular": look.gloss[:, 1],
        "shininess": look.gloss[:, 2],
        "reflectance": look.reflectance,
    }


def add_model_geoms(scn: MjvScene, m: MjModel, d: Any, kind: str, options: RenderOptions) -> None:
    """Append the geoms or the sites of a model, at their current poses."""
    model = m._native
    is_geom = kind == "geom"

    def column(name: str) -> np.ndarray:
        return np.asarray(getattr(m, f"{kind}_{name}"))

    moves = np.asarray(m.body_weldid)[column("bodyid")] != 0
    look = appearance_of(model, column("matid"), column("rgba"), moves, options)
    if options.island and is_geom:
        override_colours(look, island_colours(model, d._native)[column("bodyid")])
    if options.perturb:
        chosen = column("bodyid") == options.perturb.select
        look.gloss[chosen, 0] += m.vis.global_.glow
    seen = in_shown_groups(column("group"), options.geomgroup if is_geom else options.sitegroup)
    seen &= (moves | options.static) & (look.rgba[:, 3] != 0)
    category = np.where(moves, Category["mjCAT_DYNAMIC"], Category["mjCAT_STATIC"])
    seen &= (category & scn._categories) != 0
    shown = np.flatnonzero(seen)
    types = column("type")
    columns = {
        "type": types,
        "objtype": np.full(len(types), ObjType.GEOM if is_geom else ObjType.SITE),
        "objid": np.arange(len(types)),
        "category": category,
        "size": geom_scales(types, column("size")),
        "pos": getattr(d, f"{kind}_xpos"),
        "mat": getattr(d, f"{kind}_xmat").reshape(-1, 3, 3),
        **appearance_columns(look, column("matid"), options),
    }
    if is_geom:
        columns["dataid"] = geom_data_numbers(m, types, options)
        columns["modelrbound"] = column("rbound")
        columns["castshadow"] = column("castshadow")
        columns["texcoord"] = is_mesh_with_texture(m, types)
    append_geoms(scn, len(shown), **{name: values[shown] for name, values in columns.items()})


def geom_data_numbers(m: MjModel, types: np.ndarray, options: RenderOptions) -> np.ndarray:
    """Numbers of planes, height fields and, twice that, of meshes; one more for their hulls."""
    found = np.full(len(types), -1)
    planes = types == GeomType.PLANE
    found[planes] = np.arange(planes.sum())
    fields = types == GeomType.HFIELD
    found[fields] = m.geom_dataid[fields]
    meshes = np.isin(types, (GeomType.MESH, GeomType.SDF))
    found[meshes] = 2 * m.geom_dataid[meshes]
    if options.convexhull:
        touches = (m.geom_contype | m.geom_conaffinity) != 0
        has_hull = np.append(m.mesh_graphadr >= 0, False)[m.geom_dataid]
        found[meshes & touches & has_hull] += 1
    return found


def is_mesh_with_texture(m: MjModel, types: np.ndarray) -> np.ndarray:
    """Whether geoms are meshes with texture coordinates."""
    has = np.append(m.mesh_texcoordadr >= 0, False)
    return np.asarray(np.isin(types, (GeomType.MESH, GeomType.SDF)) & has[m.geom_dataid])


def add_decorations(scn: MjvScene, decor: Decor) -> Decor:
    """Append tendons and rays as geoms.  Returns the decorations that are none of a scene."""
    left = Decor(rows=decor.rows, extra=decor.extra, labels=decor.labels)
    for table in decor.tables:
        if len(table["objtype"]) and (table["objtype"] == ObjType.TENDON).all():
            add_capsules(scn, table)
        else:
            left.tables.append(table)
    for lines in decor.segments:
        if lines.objtype == ObjType.SENSOR:
            add_lines(scn, lines)
        else:
            left.segments.append(lines)
    return left


def add_capsules(scn: MjvScene, table: InstanceTable) -> None:
    """Append the capsules of a table; their ends follow from them."""
    own = table["shape"] == TUBE
    if not scn._categories & Category["mjCAT_DYNAMIC"]:
        return
    append_geoms(
        scn,
        int(own.sum()),
        type=GeomType.CAPSULE,
        category=Category["mjCAT_DYNAMIC"],
        pos=table["pos"][own],
        mat=table["mat"][own],
        size=table["scale"][own],
        rgba=table["rgba"][own],
        emission=table["gloss"][own, 0],
        specular=table["gloss"][own, 1],
        shininess=table["gloss"][own, 2],
        castshadow=(table["flags"][own] & CASTS_SHADOW) != 0,
        objtype=table["objtype"][own],
        objid=table["objid"][own],
    )


def add_lines(scn: MjvScene, lines: LineSegments) -> None:
    """Append line segments."""
    if not scn._categories & Category["mjCAT_DECOR"]:
        return
    start, end = np.atleast_2d(lines.start), np.atleast_2d(lines.end)
    mat, length = rotations_from_z(end - start)
    width = np.full(len(start), lines.pixels)
    append_geoms(
        scn,
        len(start),
        type=Geom["mjGEOM_LINE"],
        category=Category["mjCAT_DECOR"],
        pos=start,
        mat=mat,
        size=np.stack([width, width, length], 1),
        rgba=np.asarray(lines.rgba, float),
        objtype=lines.objtype,
        objid=lines.objid,
    )
