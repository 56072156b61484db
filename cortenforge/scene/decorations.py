"""Decorations: contacts, frames, joints, inertias and others, in the order of mjv_addGeoms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import ConstraintType, JointType, ObjType
from cortenforge.errors import ArgumentError
from cortenforge.scene.actuators import add_actuators, add_slidercranks
from cortenforge.scene.bounding_volumes import add_body_boxes, add_mesh_boxes
from cortenforge.scene.cameras_and_lights import add_cameras, add_lights, add_sensor_rays
from cortenforge.scene.decor_geoms import ARROW_HEAD_RATIO, Decor
from cortenforge.scene.deformables import add_soft_contacts
from cortenforge.scene.equalities import add_equalities
from cortenforge.scene.instances import appearance_of, in_shown_groups
from cortenforge.scene.island_colours import row_colour
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.perturbations import add_applied_forces, add_perturbation, add_selected_point
from cortenforge.scene.sensors import add_sensors, add_tactile_sensors, metres_per_newton
from cortenforge.scene.shapes import BOX, CYLINDER, SPHERE
from cortenforge.scene.tendons import add_tendons, limit_impedance

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def decorations_of(model: Model, data: Data, options: RenderOptions) -> Decor:
    """All decorations that the options switch on.  Mirrors mjv_addGeoms."""
    decor = Decor()
    if options.perturb and not 0 <= options.perturb.select < model.nbody:
        raise ArgumentError(
            f"options.perturb.select: expected a body from 0 to {model.nbody - 1}, "
            f"got {options.perturb.select}"
        )
    if options.tendon and model.ntendon:
        add_tendons(decor, model, data, options)
    add_slidercranks(decor, model, data, options)
    if options.bodybvh:
        add_body_boxes(decor, model, data, options)
    if options.meshbvh:
        add_mesh_boxes(decor, model, data, options)
    if options.contactpoint:
        add_tactile_sensors(decor, model, data)
    if options.inertia:
        add_inertias(decor, model, data, options)
    if options.perturb:
        add_perturbation(decor, model, data, options)
        add_selected_point(decor, model, data, options)
    if options.frame != "none":
        add_frames(decor, model, data, options)
    if options.label in ("body", "selection", "island"):
        add_body_labels(decor, model, data, options)
    if options.joint:
        add_joints(decor, model, data, options)
    if options.actuator:
        add_actuators(decor, model, data, options)
    if options.camera:
        add_cameras(decor, model, data, options)
    if options.light:
        add_lights(decor, model, data, options)
    if options.com:
        add_centres_of_mass(decor, model, data)
    if options.autoconnect:
        add_skeleton(decor, model, data)
    if options.rangefinder:
        add_sensor_rays(decor, model, data)
    if options.sensor:
        add_sensors(decor, model, data, options)
    if options.pertforce:
        add_applied_forces(decor, model, data, options)
    if options.constraint:
        add_equalities(decor, model, data, options)
    if options.contactpoint or options.contactforce or options.frame == "contact":
        add_contacts(decor, model, data, options)
        if model.nsoft:
            add_soft_contacts(decor, model, data, options)
    return decor


def add_contacts(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add contact points as discs, contact frames, and contact forces as arrows."""
    size, scale = float(model.stat_meansize), model.vis.scale
    for k in range(int(data.ncon)):
        pos, frame = np.array(data.contact_pos[k]), np.reshape(data.contact_frame[k], (3, 3))
        row = int(data.contact_efc_address[k])
        if options.contactpoint:
            wide = scale.contactwidth * size
            high = max(scale.contactheight * size, -0.5 * float(data.contact_dist[k]))
            rgba = model.vis.rgba.contactpoint if row >= 0 else model.vis.rgba.contactgap
            if options.island and row >= 0:
                rgba = row_colour(data, row)
            decor.add(CYLINDER, pos, frame[[1, 2, 0]].T, (wide, wide, high), rgba)
            add_surface_velocities(decor, model, data, k, rgba)
            if options.label == "contactpoint":
                known = model.names["geom"]
                both = (known[g] or f"g{g}" for g in np.ravel(data.contact_geom[k]))
                decor.labels.append((pos, " | ".join(both)))
        if options.frame == "contact":
            decor.frame(pos, frame.T, 0.5 * scale.framelength * size, 0.5 * scale.framewidth * size)
        if options.contactforce and row >= 0:
            add_contact_force(decor, model, data, k, options)


def add_surface_velocities(decor: Decor, model: Model, data: Data, k: int, rgba: Any) -> None:
    """Add surface velocities of geoms (conveyor belts) as arrows: the way of half a second."""
    pos, normal = np.array(data.contact_pos[k]), np.array(data.contact_frame[k])[:3]
    width = float(model.vis.scale.forcewidth * model.stat_meansize)
    for geom in np.ravel(data.contact_geom[k]):
        own = np.array(model.geom_surfacevel[geom])
        if not own.any():
            continue
        mat = np.reshape(data.geom_xmat[geom], (3, 3))
        way = mat @ own[:3] + np.cross(mat @ own[3:], pos - data.geom_xpos[geom])
        way -= normal * (way @ normal)
        decor.arrow(pos, pos + 0.5 * way, width, rgba)


def add_contact_force(
    decor: Decor, model: Model, data: Data, k: int, options: RenderOptions
) -> None:
    """Add the force of contact k as an arrow, acting on the body with the higher number."""
    force = np.array(data.contact_force(k))[:3]
    if not np.linalg.norm(force) > 0.0:
        return
    frame = np.reshape(data.contact_frame[k], (3, 3))
    first, second = (int(model.geom_bodyid[g]) for g in data.contact_geom[k])
    to_world = frame.T * metres_per_newton(model, options)
    to_world = -to_world if first > second else to_world
    split = options.contactsplit and int(data.contact_dim[k]) > 1
    pos, rgba = np.array(data.contact_pos[k]), model.vis.rgba
    width = float(model.vis.scale.forcewidth * model.stat_meansize)
    if options.label == "contactforce":
        decor.labels.append((pos, f"{np.linalg.norm(force):.3g}"))
    if not split:
        draw = decor.double_arrow if first > 0 and second > 0 else decor.arrow
        draw(pos, pos + to_world @ force, width, rgba.contactforce)
        return
    decor.arrow(pos, pos + to_world @ (force * [1, 0, 0]), width, rgba.contactforce)
    decor.arrow(pos, pos + to_world @ (force * [0, 1, 1]), width, rgba.contactfriction)


def add_frames(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add frames of bodies, geoms, sites or the world."""
    size = float(model.stat_meansize)
    length = float(model.vis.scale.framelength) * size
    width = float(model.vis.scale.framewidth) * size
    if options.frame == "world":
        decor.frame(np.zeros(3), np.eye(3), 2.0 * length, 2.0 * width)
        return
    for pos, mat in frame_poses(model, data, options):
        decor.frame(np.array(pos), np.reshape(mat, (3, 3)), length, width)


def frame_poses(
    model: Model, data: Data, options: RenderOptions
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Positions and rotation matrices of the bodies, geoms or sites whose frames are shown."""
    moves = np.asarray(model.body_weldid) != 0
    if options.frame == "body":
        pos, mat = (data.xipos, data.ximat) if options.inertia else (data.xpos, data.xmat)
        seen = moves | options.static
        seen[0] = False
        return list(zip(pos[seen], mat[seen], strict=True))
    if options.frame not in ("geom", "site"):
        return []
    bodies, groups, matid, rgba = (
        np.asarray(getattr(model, f"{options.frame}_{name}"))
        for name in ("bodyid", "group", "matid", "rgba")
    )
    switches = options.geomgroup if options.frame == "geom" else options.sitegroup
    seen = in_shown_groups(groups, switches) & (moves[bodies] | options.static)
    seen &= appearance_of(model, matid, rgba, moves[bodies], options).rgba[:, 3] != 0
    pos, mat = (getattr(data, f"{options.frame}_{name}") for name in ("xpos", "xmat"))
    return list(zip(pos[seen], mat[seen], strict=True))


def add_body_labels(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add names of bodies or of the selected one, or numbers of islands."""
    inertias = options.inertia
    for body in range(1, model.nbody):
        weld = int(model.body_weldid[body])
        if options.label == "island":
            island = -1
            if model.body_dofnum[weld] and data.nisland:
                island = int(data.dof_island[model.body_dofadr[weld]])
            if island >= 0:
                decor.labels.append((np.array(data.xipos[body]), str(island)))
            continue
        selected = options.perturb.select if options.perturb else 0
        if (options.label == "selection" and selected != body) or not (weld or options.static):
            continue
        if not inertias or model.body_mass[body] > 1e-15:
            pos = data.xipos[body] if inertias else data.xpos[body]
            decor.name(model, "body", body, pos)


def add_joints(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add joints: hinges and slides as arrows, balls as spheres, free joints as boxes."""
    size, scale, colours = float(model.stat_meansize), model.vis.scale, model.vis.rgba
    length, width = float(scale.jointlength) * size, float(scale.jointwidth) * size
    for j in np.flatnonzero(
        in_shown_groups(np.asarray(model.jnt_group), options.jointgroup)
    ).tolist():
        kind, mat = int(model.jnt_type[j]), np.reshape(data.xmat[model.jnt_bodyid[j]], (3, 3))
        anchor, axis = np.array(data.xanchor[j]), np.array(data.xaxis[j])
        share = limit_impedance(data, ConstraintType.LIMIT_JOINT, j)
        rgba = colours.joint + share * (colours.constraint - colours.joint)
        more = {"objtype": ObjType.JOINT, "objid": j}
        if kind in (JointType.FREE, JointType.BALL):
            shape = BOX if kind == JointType.FREE else SPHERE
            decor.add(shape, anchor, mat, (0.3 * length,) * 3, rgba, **more)
        else:
            head = ARROW_HEAD_RATIO if kind == JointType.SLIDE else 1.0
            decor.arrow(anchor, anchor + length * axis, width, rgba, head=head, **more)
        if options.label == "joint":
            decor.name(model, "joint", j, anchor)


def add_inertias(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add boxes or ellipsoids with the mass and inertia of each body.

    With half sizes s, inertia_i = mass (s_j^2 + s_k^2) / 3 for a box, / 5 for an ellipsoid.
    """
    ellipsoid = int(model.vis.global_.ellipsoidinertia) == 1
    glow = float(model.vis.global_.glow)
    for body in range(1, model.nbody):
        mass, inertia = float(model.body_mass[body]), np.array(model.body_inertia[body])
        if mass <= 1e-15 or not (model.body_weldid[body] or options.static):
            continue
        squares = np.maximum(inertia.sum() - 2.0 * inertia, 0.0) / (2.0 * mass)
        scale = np.sqrt(squares * (5.0 if ellipsoid else 3.0))
        if options.sclinertia:
            # scaled to the density of water, as `sclinertia` in MuJoCo
            volume = (4.0 / 3.0 * np.pi if ellipsoid else 8.0) * scale.prod()
            scale = scale * np.cbrt(1e-3 * mass / max(volume, 1e-15))
        selected = options.perturb is not None and options.perturb.select == body
        mat = np.reshape(data.ximat[body], (3, 3))
        decor.add(
            SPHERE if ellipsoid else BOX, np.array(data.xipos[body]), mat, np.maximum(scale, 1e-9),
            model.vis.rgba.inertia, gloss=(glow if selected else 0.0, 0.5, 0.5),
            objtype=ObjType.BODY, objid=body,
        )  # fmt: skip


def add_centres_of_mass(decor: Decor, model: Model, data: Data) -> None:
    """Add centres of mass of kinematic trees as spheres."""
    radius = float(model.vis.scale.com) * float(model.stat_meansize)
    for body in range(1, model.nbody):
        if model.body_rootid[body] == body:
            pos = np.array(data.subtree_com[body])
            decor.add(SPHERE, pos, np.eye(3), (radius,) * 3, model.vis.rgba.com)


def add_skeleton(decor: Decor, model: Model, data: Data) -> None:
    """Add lines from each body's centre of mass along its joints to that of its parent."""
    start, end = [], []
    for body in range(1, model.nbody):
        parent = int(model.body_parentid[body])
        if parent == 0:
            continue
        first = int(model.body_jntadr[body])
        joints = range(first + int(model.body_jntnum[body]) - 1, first - 1, -1)
        stops = [data.xipos[body], *(data.xanchor[j] for j in joints), data.xipos[parent]]
        start += stops[:-1]
        end += stops[1:]
    if start:
        wide = float(model.vis.scale.connect) * float(model.stat_meansize)
        radius = np.full(len(start), wide)
        decor.capsules(np.array(start), np.array(end), radius, rgba=model.vis.rgba.connect)
