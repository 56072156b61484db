"""Deformables: cloth as sheets, soft bodies as surfaces, chains as tubes; contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ObjType, SoftType
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.instances import in_shown_groups, instance_table
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.sensors import metres_per_newton
from cortenforge.scene.shapes import CYLINDER
from cortenforge.scene.surfaces_and_tubes import ExtraItem, Surface, Tubes, rotations_from_z

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def deformable_surfaces(model: Model, data: Data, options: RenderOptions) -> list[ExtraItem]:
    """Surfaces and tubes of deformables at the current positions of their vertices."""
    seen = in_shown_groups(np.asarray(model.soft_group), options.softgroup)
    return [_deformable_surface(model, data, k) for k in np.flatnonzero(seen).tolist()]


def _deformable_surface(model: Model, data: Data, k: int) -> ExtraItem:
    first, count = int(model.soft_vertadr[k]), int(model.soft_vertnum[k])
    vert = np.array(data.softvert_pos[first : first + count])
    rgba, radius = model.soft_rgba[k], float(model.soft_radius[k])
    if int(model.soft_type[k]) == SoftType.CHAIN:
        start = int(model.soft_rodadr[k])
        edge = np.asarray(model.softrod_vert)[start : start + int(model.soft_rodnum[k])] - first
        return Tubes(vert, edge, radius, rgba=rgba, objtype=ObjType.FLEX, objid=k)
    start = int(model.soft_faceadr[k])
    face = np.asarray(model.softface_vert)[start : start + int(model.soft_facenum[k])] - first
    return Surface(
        vert, face, rgba, sheet=int(model.soft_type[k]) == SoftType.CLOTH, radius=radius,
        objtype=ObjType.FLEX, objid=k,
    )  # fmt: skip


def add_soft_contacts(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add contacts of vertices with geoms as discs, and their forces as arrows."""
    count = int(data.nsoftcon)
    force = np.array(data.softcon_force[:count])
    # the list also holds vertices that are near a geom only
    touching = (np.array(data.softcon_depth[:count]) >= 0) | force.any(axis=1)
    which = np.flatnonzero(touching)
    pos, normal = (
        np.array(part[:count])[which] for part in (data.softcon_pos, data.softcon_normal)
    )
    size, scale = float(model.stat_meansize), model.vis.scale
    mat, _ = rotations_from_z(normal)
    if options.contactpoint:
        wide = scale.contactwidth * size
        high = np.maximum(scale.contactheight * size, 0.5 * np.array(data.softcon_depth)[which])
        discs = np.stack([np.full(len(which), wide), np.full(len(which), wide), high], 1)
        decor.tables.append(
            instance_table(
                len(which), shape=CYLINDER, pos=pos, mat=mat, scale=discs,
                rgba=model.vis.rgba.contactpoint, objid=-1,
            )
        )  # fmt: skip
    if options.frame == "contact":
        for place, axes in zip(pos, mat[:, :, [2, 0, 1]], strict=True):
            decor.frame(place, axes, 0.5 * scale.framelength * size, 0.5 * scale.framewidth * size)
    if options.contactforce:
        _add_soft_forces(decor, model, pos, normal, force[which], options)
    if options.label in ("contactpoint", "contactforce"):
        _label_soft_contacts(decor, model, data, which, options)


def _add_soft_forces(
    decor: Decor,
    model: Model,
    pos: np.ndarray,
    normal: np.ndarray,
    force: np.ndarray,
    options: RenderOptions,
) -> None:
    """Add forces on vertices, or their normal and tangential parts."""
    across = force - normal * np.einsum("ij,ij->i", force, normal)[:, None]
    rgba = model.vis.rgba
    parts = [(force, rgba.contactforce)]
    if options.contactsplit:
        parts = [(force - across, rgba.contactforce), (across, rgba.contactfriction)]
    width = float(model.vis.scale.forcewidth * model.stat_meansize)
    for part, colour in parts:
        ends = pos + part * metres_per_newton(model, options)
        decor.arrows(pos, ends, width, rgba=colour)


def _label_soft_contacts(
    decor: Decor, model: Model, data: Data, which: np.ndarray, options: RenderOptions
) -> None:
    """Add labels of contacts: names of geom and deformable, or the force in newtons."""
    geoms, softs = model.names["geom"], model.names["soft"]
    for k in which.tolist():
        g, s = int(data.softcon_geom[k]), int(model.softvert_soft[int(data.softcon_vert[k])])
        size = float(np.linalg.norm(data.softcon_force[k]))
        words = f"{size:.3g}"
        if options.label == "contactpoint":
            words = f"{geoms[g] or f'g{g}'} | {softs[s] or f'soft {s}'}"
        if getattr(options, options.label):
            decor.labels.append((np.array(data.softcon_pos[k]), words))
