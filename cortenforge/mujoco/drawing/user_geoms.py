"""Geoms that a program adds to a viewer's scene, as surfaces in world coordinates."""

from __future__ import annotations

import numpy as np

from cortenforge.mujoco.drawing.instances import SOLIDS, add_decorative_geom
from cortenforge.mujoco.drawing.structs import MjvScene
from cortenforge.mujoco.errors import raise_absent
from cortenforge.mujoco.model import MjModel
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.instances import InstanceTable
from cortenforge.scene.shapes import BOX, CYLINDER, PLANE, SPHERE, Shape, primitives
from cortenforge.scene.surfaces_and_tubes import ExtraItem, Surface

#: shapes of types of geoms (mjtGeom): planes, spheres, ellipsoids, cylinders, boxes
SHAPES = {0: PLANE, 2: SPHERE, 4: SPHERE, 5: CYLINDER, 6: BOX}
CAPSULE = 3
#: half size of an infinite plane, in extents of the model
ENDLESS = 10.0


def user_surfaces(scn: MjvScene, m: MjModel) -> list[ExtraItem]:
    """The geoms of a scene, of the types that programs make."""
    decor = Decor()
    for number in range(scn.ngeom):
        geom = scn._geoms[number]
        pos, mat, size = (np.array(part, float) for part in (geom.pos, geom.mat, geom.size))
        if geom.type == CAPSULE:
            way = size[2] * mat[:, 2]
            decor.capsule(pos - way, pos + way, size[0], geom.rgba)
        elif geom.type in SHAPES:
            flat = geom.type == 0
            size = np.where(flat & (size <= 0.0), ENDLESS * m.stat.extent, size)
            decor.add(SHAPES[geom.type], pos, mat, size, geom.rgba)
        elif geom.type in SOLIDS:
            raise_absent(f"a geom of type {geom.type} in user_scn", "add it to the model")
        else:
            add_decorative_geom(decor, geom, number)
    quality = m._native.vis.quality
    shapes = primitives(int(quality.numslices), int(quality.numstacks))
    return [*instance_surfaces(decor.instances(), shapes), *decor.extra]


def instance_surfaces(table: InstanceTable, shapes: list[Shape]) -> list[ExtraItem]:
    """Surfaces of instances of primitive shapes."""
    made: list[ExtraItem] = []
    for k in range(len(table["shape"])):
        shape = shapes[table["shape"][k]]
        vert = (shape.vert * table["scale"][k]) @ table["mat"][k].T + table["pos"][k]
        made.append(Surface(vert, shape.face, table["rgba"][k]))
    return made
