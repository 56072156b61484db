"""Perturbations: applied forces, the selected point, and where a body is dragged to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.quaternions import rotation_matrices
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.sensors import metres_per_newton
from cortenforge.scene.shapes import SPHERE

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def add_applied_forces(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add forces of `xfrc_applied` as arrows from the bodies' centres of mass."""
    width = float(model.vis.scale.forcewidth * model.stat_meansize)
    for body in range(1, model.nbody):
        force = np.array(data.xfrc_applied[body])[:3]
        if np.linalg.norm(force) > 1e-15:
            pos = np.array(data.xipos[body])
            end = pos + force * metres_per_newton(model, options)
            decor.arrow(pos, end, width, model.vis.rgba.force)


def point_of_body(data: Data, body: int, localpos: Sequence[float] | np.ndarray) -> np.ndarray:
    """World position of a point in a body's frame."""
    mat = np.reshape(data.xmat[body], (3, 3))
    return np.asarray(mat @ np.asarray(localpos, float) + data.xpos[body])


def add_selected_point(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add the selected point of a body as a sphere."""
    perturb = options.perturb
    if not options.select or perturb is None or perturb.select <= 0:
        return
    pos = point_of_body(data, perturb.select, perturb.localpos)
    radius = float(model.stat_meansize) * float(model.vis.scale.selectpoint)
    decor.add(SPHERE, pos, np.eye(3), (radius,) * 3, model.vis.rgba.selectpoint)
    if options.label == "selpnt":
        here, own = (" ".join(f"{x:.3f}" for x in p) for p in (pos, perturb.localpos))
        decor.labels.append((pos, f"{here} (local {own})"))


def add_perturbation(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add the target of a drag: a capsule to its position, a box in its orientation."""
    perturb = options.perturb
    if not options.pertobj or perturb is None or perturb.select <= 0:
        return
    body, size = perturb.select, float(model.stat_meansize)
    if perturb.refselpos is not None:
        radius, end = size * float(model.vis.scale.constraint), np.array(perturb.refselpos, float)
        rgba = model.vis.rgba.constraint
        decor.capsule(point_of_body(data, body, perturb.localpos), end, radius, rgba)
        decor.add(SPHERE, end, np.eye(3), (2.0 * radius,) * 3, rgba)
    if perturb.refquat is not None:
        pos, half = np.array(data.xipos[body]), np.full(3, size)
        if model.body_bvhnum[body]:
            box = np.array(model.bvh_aabb[model.body_bvhadr[body]])
            pos, half = pos + np.reshape(data.ximat[body], (3, 3)) @ box[:3], box[3:]
        mat = rotation_matrices(np.asarray(perturb.refquat, float))
        decor.boxes(pos[None], mat[None], half[None], model.vis.rgba.inertia)
