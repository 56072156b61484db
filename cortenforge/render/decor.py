"""What is drawn beside the model's objects: tendons, contacts, frames, joints, centres of mass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ConstraintType, JointType, ObjType
from cortenforge.render.camera import Lens
from cortenforge.render.layout import CASTS
from cortenforge.render.options import RenderOptions
from cortenforge.render.shapes import BOX, CYLINDER, SPHERE
from cortenforge.render.things import UNSET, WIDE_HEAD, Decor, look_of, shown
from cortenforge.render.wiring import add_actuators, add_equalities, add_rays, strings_of

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def decorate(model: Model, data: Data, options: RenderOptions, lens: Lens) -> Decor:
    """Everything that the options ask for."""
    decor = Decor()
    if options.tendon and model.ntendon:
        add_tendons(decor, model, data, options)
    if options.contactpoint or options.contactforce or options.frame == "contact":
        add_contacts(decor, model, data, options)
    if options.frame != "none":
        add_frames(decor, model, data, options)
    if options.joint:
        add_joints(decor, model, data, options)
    if options.inertia:
        add_inertias(decor, model, data)
    if options.com:
        add_centres(decor, model, data)
    if options.actuator:
        add_actuators(decor, model, data, options)
    if options.rangefinder:
        add_rays(decor, model, data, lens)
    if options.constraint:
        add_equalities(decor, model, data)
    return decor


def add_tendons(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Strings as capsules; thinner where they lie on what they wrap around."""
    seen = shown(np.asarray(model.tendon_group), options.tendongroup)
    matid, rgba = np.asarray(model.tendon_matid), np.asarray(model.tendon_rgba)
    look = look_of(model, matid, rgba, np.ones(model.ntendon, bool), options)
    tendons = np.flatnonzero(seen)
    colours = look.rgba.copy()
    for i in tendons[(matid[tendons] < 0) & (rgba[tendons] == UNSET).all(1)]:
        share = limit_impedance(data, ConstraintType.LIMIT_TENDON, int(i))
        colours[i, :3] += share * (model.vis.rgba.constraint[:3] - colours[i, :3])
    found = strings_of(model, data, tendons)
    owner = tendons[found.owner]
    decor.capsules(
        found.starts, found.ends, found.width, rgba=colours[owner], gloss=look.gloss[owner],
        objtype=ObjType.TENDON, objid=owner, flags=CASTS,
    )  # fmt: skip


def limit_impedance(data: Data, kind: ConstraintType, number: int) -> float:
    """How hard the limit of a joint or tendon holds it; 0 if it does not."""
    rows = slice(int(data.ne + data.nf), int(data.ne + data.nf + data.nl))
    own = np.asarray(data.efc_type[rows]) == kind
    own &= np.asarray(data.efc_id[rows]) == number
    return float(np.reshape(data.efc_KBIP, (-1, 4))[rows][own, 2].max(initial=0.0))


def add_contacts(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Contact points as discs, contact forces as arrows."""
    size, scale = float(model.stat_meansize), model.vis.scale
    for k in range(int(data.ncon)):
        pos, frame = np.array(data.contact_pos[k]), np.reshape(data.contact_frame[k], (3, 3))
        included = int(data.contact_efc_address[k]) >= 0
        if options.contactpoint:
            wide = scale.contactwidth * size
            high = max(scale.contactheight * size, -0.5 * float(data.contact_dist[k]))
            rgba = model.vis.rgba.contactpoint if included else model.vis.rgba.contactgap
            decor.add(CYLINDER, pos, frame[[1, 2, 0]].T, (wide, wide, high), rgba)
        if options.frame == "contact":
            decor.frame(pos, frame.T, 0.5 * scale.framelength * size, 0.5 * scale.framewidth * size)
        if options.contactforce and included:
            add_force(decor, model, data, k, options)


def add_force(decor: Decor, model: Model, data: Data, k: int, options: RenderOptions) -> None:
    """The force of one contact as an arrow towards the body with the higher number."""
    force = np.array(data.contact_force(k))[:3]
    if not np.linalg.norm(force) > 0.0:
        return
    frame = np.reshape(data.contact_frame[k], (3, 3))
    first, second = (int(model.geom_bodyid[g]) for g in data.contact_geom[k])
    to_world = frame.T * (float(model.vis.map.force / model.stat_meanmass))
    to_world = -to_world if first > second else to_world
    split = options.contactsplit and int(data.contact_dim[k]) > 1
    pos, rgba = np.array(data.contact_pos[k]), model.vis.rgba
    width = float(model.vis.scale.forcewidth * model.stat_meansize)
    if not split:
        draw = decor.double_arrow if first > 0 and second > 0 else decor.arrow
        draw(pos, pos + to_world @ force, width, rgba.contactforce)
        return
    decor.arrow(pos, pos + to_world @ (force * [1, 0, 0]), width, rgba.contactforce)
    decor.arrow(pos, pos + to_world @ (force * [0, 1, 1]), width, rgba.contactfriction)


def add_frames(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Axes of bodies, geoms, sites, cameras, lights or the world."""
    size = float(model.stat_meansize)
    length = float(model.vis.scale.framelength) * size
    width = float(model.vis.scale.framewidth) * size
    if options.frame == "world":
        decor.frame(np.zeros(3), np.eye(3), 2.0 * length, 2.0 * width)
        return
    for pos, mat in frames_of(model, data, options):
        decor.frame(np.array(pos), np.reshape(mat, (3, 3)), length, width)


def frames_of(
    model: Model, data: Data, options: RenderOptions
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Places and axes of what has frames drawn."""
    if options.frame == "body":
        pos, mat = (data.xipos, data.ximat) if options.inertia else (data.xpos, data.xmat)
        return list(zip(pos[1:], mat[1:], strict=True))
    if options.frame == "geom":
        seen = shown(np.asarray(model.geom_group), options.geomgroup)
        return list(zip(data.geom_xpos[seen], data.geom_xmat[seen], strict=True))
    if options.frame == "site":
        seen = shown(np.asarray(model.site_group), options.sitegroup)
        return list(zip(data.site_xpos[seen], data.site_xmat[seen], strict=True))
    if options.frame == "camera":
        return list(zip(data.cam_xpos, data.cam_xmat, strict=True))
    return []


def add_joints(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Hinges and slides as arrows along their axes, balls as spheres, free joints as boxes."""
    size, scale, colours = float(model.stat_meansize), model.vis.scale, model.vis.rgba
    length, width = float(scale.jointlength) * size, float(scale.jointwidth) * size
    for j in np.flatnonzero(shown(np.asarray(model.jnt_group), options.jointgroup)):
        kind, mat = int(model.jnt_type[j]), np.reshape(data.xmat[model.jnt_bodyid[j]], (3, 3))
        anchor, axis = np.array(data.xanchor[j]), np.array(data.xaxis[j])
        share = limit_impedance(data, ConstraintType.LIMIT_JOINT, int(j))
        rgba = colours.joint + share * (colours.constraint - colours.joint)
        more = {"objtype": ObjType.JOINT, "objid": j}
        if kind in (JointType.FREE, JointType.BALL):
            shape = BOX if kind == JointType.FREE else SPHERE
            decor.add(shape, anchor, mat, (0.3 * length,) * 3, rgba, **more)
        else:
            head = WIDE_HEAD if kind == JointType.SLIDE else 1.0
            decor.arrow(anchor, anchor + length * axis, width, rgba, head=head, **more)


def add_inertias(decor: Decor, model: Model, data: Data) -> None:
    """Boxes, or ellipsoids, of the same mass and inertia as each body."""
    ellipsoid = int(vars(model.vis)["global"].ellipsoidinertia) == 1
    for body in range(1, model.nbody):
        mass, inertia = float(model.body_mass[body]), np.array(model.body_inertia[body])
        if mass <= 1e-15:
            continue
        squares = np.maximum(inertia.sum() - 2.0 * inertia, 0.0) / (2.0 * mass)
        scale = np.sqrt(squares * (5.0 if ellipsoid else 3.0))
        mat = np.reshape(data.ximat[body], (3, 3))
        decor.add(
            SPHERE if ellipsoid else BOX, np.array(data.xipos[body]), mat, np.maximum(scale, 1e-9),
            model.vis.rgba.inertia, objtype=ObjType.BODY, objid=body,
        )  # fmt: skip


def add_centres(decor: Decor, model: Model, data: Data) -> None:
    """Centres of mass of whole trees."""
    radius = float(model.vis.scale.com) * float(model.stat_meansize)
    for body in range(1, model.nbody):
        if model.body_rootid[body] == body:
            pos = np.array(data.subtree_com[body])
            decor.add(SPHERE, pos, np.eye(3), (radius,) * 3, model.vis.rgba.com)
