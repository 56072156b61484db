"""What pushes and what feels: forces from outside, what is selected, and tactile sensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ObjType, SensorType
from cortenforge.render.layout import BOTH_SIDES
from cortenforge.render.options import RenderOptions
from cortenforge.render.pieces import Decor
from cortenforge.render.senses import force_length
from cortenforge.render.shapes import SPHERE
from cortenforge.render.skins import matrix_of
from cortenforge.render.surfaces import Surface

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: alpha of triangles that feel nothing
UNTOUCHED = 0.1


def add_pushes(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Forces that are applied to bodies, as arrows from their centres of mass."""
    width = float(model.vis.scale.forcewidth * model.stat_meansize)
    for body in range(1, model.nbody):
        force = np.array(data.xfrc_applied[body])[:3]
        if np.linalg.norm(force) > 1e-15:
            pos = np.array(data.xipos[body])
            end = pos + force * force_length(model, options)
            decor.arrow(pos, end, width, model.vis.rgba.force)


def _selected_point(data: Data, options: RenderOptions) -> np.ndarray:
    perturb = options.perturb
    assert perturb is not None
    mat = np.reshape(data.xmat[perturb.select], (3, 3))
    return np.asarray(mat @ np.asarray(perturb.localpos, float) + data.xpos[perturb.select])


def add_selected_point(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """The point of a body that was selected."""
    perturb = options.perturb
    if not options.select or perturb is None or perturb.select <= 0:
        return
    pos = _selected_point(data, options)
    radius = float(model.stat_meansize) * float(model.vis.scale.selectpoint)
    decor.add(SPHERE, pos, np.eye(3), (radius,) * 3, model.vis.rgba.selectpoint)
    if options.label == "selpnt":
        here, own = (" ".join(f"{x:.3f}" for x in p) for p in (pos, perturb.localpos))
        decor.labels.append((pos, f"{here} (local {own})"))


def add_perturbation(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Where a body is dragged to: a rod from the selected point, a box as it is turned to."""
    perturb = options.perturb
    if not options.pertobj or perturb is None or perturb.select <= 0:
        return
    body, size = perturb.select, float(model.stat_meansize)
    if perturb.refselpos is not None:
        radius, end = size * float(model.vis.scale.constraint), np.array(perturb.refselpos, float)
        rgba = model.vis.rgba.constraint
        decor.capsule(_selected_point(data, options), end, radius, rgba)
        decor.add(SPHERE, end, np.eye(3), (2.0 * radius,) * 3, rgba)
    if perturb.refquat is not None:
        pos, half = np.array(data.xipos[body]), np.full(3, size)
        if model.body_bvhnum[body]:
            box = np.array(model.bvh_aabb[model.body_bvhadr[body]])
            pos, half = pos + np.reshape(data.ximat[body], (3, 3)) @ box[:3], box[3:]
        mat = matrix_of(np.asarray(perturb.refquat, float))
        decor.boxes(pos[None], mat[None], half[None], model.vis.rgba.inertia)


def add_tactile(decor: Decor, model: Model, data: Data) -> None:
    """What tactile sensors feel: their triangles, red by depth, green and blue by sliding."""
    for i in np.flatnonzero(np.asarray(model.sensor_type) == SensorType.TACTILE).tolist():
        mesh, geom = int(model.sensor_objid[i]), int(model.sensor_refid[i])
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        at = int(model.sensor_adr[i])
        felt = np.array(data.sensordata[at : at + int(model.sensor_dim[i])]).reshape(-1, count)
        most = float(np.abs(felt[0]).max(initial=0.0))
        if most == 0.0:
            continue
        start = int(model.mesh_faceadr[mesh])
        face = np.asarray(model.mesh_face[start : start + int(model.mesh_facenum[mesh])])
        mat = np.reshape(data.geom_xmat[geom], (3, 3))
        vert = np.asarray(model.mesh_vert[first : first + count], float) @ mat.T
        vert = vert + data.geom_xpos[geom]
        corners = np.abs(felt[:3, face])
        shares = corners.sum(2) / np.maximum((corners > 0).sum(2), 1) / most
        colours = np.zeros((len(face), 4))
        colours[:, : len(shares)] = shares.T
        colours[:, 3] = np.where(shares.any(0), 1.0, UNTOUCHED)
        for triangle, rgba in zip(face, colours, strict=True):
            decor.extra.append(
                Surface(
                    vert[triangle], [[0, 1, 2]], rgba, flat=True, flags=BOTH_SIDES,
                    objtype=ObjType.SENSOR, objid=i,
                )
            )  # fmt: skip
