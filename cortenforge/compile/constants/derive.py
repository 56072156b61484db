"""Numbers that need dynamics in the reference position: inertias seen by joints, statistics.

All spatial quantities of a kinematic tree are written about one point, the tree's centre of
mass, rotation first.  The response of bodies and joints to forces comes from articulated-body
recursion: linear in the number of dofs, and no inertia matrix is formed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cortenforge.compile.constants.articulated import (
    articulated_pass,
    response_pass,
    steps_of_model,
)
from cortenforge.compile.constants.kinematics import body_poses
from cortenforge.compile.constants.response import DenseResponse, Response, Row
from cortenforge.compile.constants.tendon_constants import (
    heavy_inverses,
    set_lengths,
    set_spring_lengths,
    weights_with_armature,
)
from cortenforge.compile.constants.tendon_path import Frames
from cortenforge.compile.constants.transmission import (
    Poses,
    actuator_armature,
    set_actuator_constants,
    tendon_armature,
)
from cortenforge.compile.wiring.equalities import set_distances, set_equality_poses
from cortenforge.enums import GeomType, JointType, SameFrame
from cortenforge.spec.rotation import (
    Quaternion,
    Vector,
    add,
    distance,
    matrix,
    multiply,
    rotate,
)

MINVAL = 1e-15

Arrays = dict[str, np.ndarray]


@dataclass
class Reference:
    """Where everything is when all joints are in their reference position."""

    xpos: list[Vector]
    xquat: list[Quaternion]
    xipos: list[Vector]
    xiquat: list[Quaternion]
    xanchor: list[Vector]
    subtree_com: np.ndarray


def set_constants(arrays: Arrays) -> dict[str, Any]:
    """Add the derived arrays, and return the model's statistics."""
    arrays["body_subtreemass"] = _subtree_sum(arrays["body_parentid"], arrays["body_mass"])
    reference = _reference_position(arrays)
    added, response, rows = _set_inertias(arrays, reference)
    set_equality_poses(arrays, reference.xpos, reference.xquat)
    set_distances(arrays, lambda: frames_at(arrays, arrays["qpos0"]))
    set_spring_lengths(arrays, lambda: frames_at(arrays, arrays["qpos_spring"]))
    _set_actuators(arrays, reference, response, rows)
    _set_camera_references(arrays, reference)
    _set_light_references(arrays, reference)
    return _statistics(arrays, reference, added)


def _subtree_sum(parentid: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Sum over each body and everything below it."""
    total = values.copy()
    for body in range(len(parentid) - 1, 0, -1):
        total[parentid[body]] += total[body]
    return total


def _reference_position(arrays: Arrays) -> Reference:
    """Forward kinematics with every joint at its reference."""
    xpos, xquat = body_poses(arrays, arrays["qpos0"])
    xipos, xiquat = _inertial_frames(arrays, xpos, xquat)
    xanchor = [
        add(xpos[body], rotate(xquat[body], tuple(anchor)))
        for body, anchor in zip(
            arrays["jnt_bodyid"].tolist(), arrays["jnt_pos"].tolist(), strict=True
        )
    ]
    return Reference(xpos, xquat, xipos, xiquat, xanchor, _centres(arrays, np.array(xipos)))


def _inertial_frames(arrays: Arrays, xpos: list[Vector], xquat: list[Quaternion]):
    """World poses of the bodies' inertial frames."""
    bodies = np.arange(len(xpos))
    return _placed(
        bodies,
        arrays["body_ipos"],
        arrays["body_iquat"],
        arrays["body_sameframe"],
        xpos,
        xquat,
        xpos,
        xquat,
    )


def frames_at(arrays: Arrays, qpos: np.ndarray) -> Frames:
    """Where sites and geoms are for given joint positions."""
    xpos, xquat = body_poses(arrays, qpos)
    return _frames(arrays, xpos, xquat, *_inertial_frames(arrays, xpos, xquat))


def _frames(arrays: Arrays, *bodies: list) -> Frames:
    """Where sites and geoms are, given the poses of bodies and of their inertial frames."""
    parts = ("bodyid", "pos", "quat", "sameframe")
    found = [
        _placed(*(arrays[f"{kind}_{name}"] for name in parts), *bodies) for kind in ("site", "geom")
    ]
    return Frames(found[0][0], found[1][0], [matrix(quat) for quat in found[1][1]])


def _placed(bodyid, pos, quat, sameframe, xpos, xquat, xipos, xiquat):
    """World poses of things on bodies; frames that count as equal are taken as equal."""
    places, turns = [], []
    rows = zip(bodyid.tolist(), pos.tolist(), quat.tolist(), sameframe.tolist(), strict=True)
    for body, offset, local, same in rows:
        if same == SameFrame.BODY:
            places.append(xpos[body])
        elif same == SameFrame.INERTIA:
            places.append(xipos[body])
        else:
            places.append(add(xpos[body], rotate(xquat[body], tuple(offset))))
        if same in (SameFrame.BODY, SameFrame.BODYROT):
            turns.append(xquat[body])
        elif same in (SameFrame.INERTIA, SameFrame.INERTIAROT):
            turns.append(xiquat[body])
        else:
            turns.append(multiply(xquat[body], tuple(local)))
    return places, turns


def _centres(arrays: Arrays, xipos: np.ndarray) -> np.ndarray:
    """Centre of mass of each body's subtree; of the body itself where there is no mass."""
    moment = _subtree_sum(arrays["body_parentid"], xipos * arrays["body_mass"][:, None])
    mass = arrays["body_subtreemass"]
    heavy = mass >= MINVAL
    return np.where(heavy[:, None], moment / np.where(heavy, mass, 1.0)[:, None], xipos)


def _site_frames(arrays: Arrays, reference: Reference) -> tuple[list[Vector], list[Quaternion]]:
    """Positions and orientations of sites in the reference position."""
    return _placed(
        arrays["site_bodyid"],
        arrays["site_pos"],
        arrays["site_quat"],
        arrays["site_sameframe"],
        reference.xpos,
        reference.xquat,
        reference.xipos,
        reference.xiquat,
    )


def _set_actuators(
    arrays: Arrays, reference: Reference, response: Response | DenseResponse, tendons: list[Row]
) -> None:
    """Lengths of actuators, and how strongly they act."""
    places, turns = _site_frames(arrays, reference)
    motion = response.motion.astype(np.float64)
    poses = Poses(
        arrays["qpos0"],
        places,
        turns,
        motion,
        reference.subtree_com,
        tendons,
        arrays["tendon_length0"],
    )
    set_actuator_constants(arrays, poses, response)


def _set_inertias(
    arrays: Arrays, reference: Reference
) -> tuple[float, Response | DenseResponse, list[Row]]:
    """dof_M0, inverse inertias of dofs, bodies and tendons; lengths of tendons.

    Returns what tendons add to the sum of dof_M0, the inverse of the inertia matrix, and how
    dofs change the lengths of tendons.
    """
    # extended precision where the machine has it: the recursions lose digits on long chains
    motion = _motion_axes(arrays, reference).astype(np.longdouble)
    inertia = _spatial_inertias(arrays, reference).astype(np.longdouble)
    composite = _subtree_sum(arrays["body_parentid"], inertia)
    bodyid = arrays["dof_bodyid"]
    armature = arrays["dof_armature"] + actuator_armature(arrays)
    felt = np.einsum("di,dij,dj->d", motion, composite[bodyid], motion)
    arrays["dof_M0"] = (armature + felt).astype(np.float64)
    steps = steps_of_model(arrays)
    force, inverse = articulated_pass(arrays, steps, motion, inertia, armature)
    dof_inverse, response = response_pass(arrays, steps, motion, force, inverse)
    solver: Response | DenseResponse = Response(arrays, steps, motion, force, inverse)
    bodies = reference.xpos, reference.xquat, reference.xipos, reference.xiquat
    rows = set_lengths(arrays, lambda: _frames(arrays, *bodies), motion, reference.subtree_com)
    heavy = tendon_armature(arrays)
    if heavy.any() and len(motion):
        inverses = heavy_inverses(arrays, rows, heavy, motion, composite, armature)
        solver = DenseResponse(arrays, motion, inverses)
        dof_inverse, response, weights = weights_with_armature(
            arrays, rows, motion, solver.inverses
        )
    else:
        weights = solver.of(rows)[1]
    arrays["tendon_invweight0"] = weights
    arrays["dof_invweight0"] = _average_over_joints(arrays, dof_inverse).astype(np.float64)
    arrays["body_invweight0"] = _body_weights(arrays, reference, response).astype(np.float64)
    squares = [float(values @ values) for _, values in rows]
    added = float(heavy @ np.array(squares, np.float64))
    return added, solver, rows


def _motion_axes(arrays: Arrays, reference: Reference) -> np.ndarray:
    """Unit motion of each dof, about its tree's centre of mass."""
    motion = np.zeros((len(arrays["dof_bodyid"]), 6))
    types, bodies = arrays["jnt_type"].tolist(), arrays["jnt_bodyid"].tolist()
    rows = zip(
        types, bodies, arrays["jnt_dofadr"].tolist(), arrays["jnt_axis"].tolist(), strict=True
    )
    for joint, (kind, body, dof, axis) in enumerate(rows):
        arm = reference.subtree_com[arrays["body_rootid"][body]] - reference.xanchor[joint]
        if kind == JointType.SLIDE:
            motion[dof, 3:] = rotate(reference.xquat[body], tuple(axis))
        elif kind == JointType.HINGE:
            motion[dof] = _turning(rotate(reference.xquat[body], tuple(axis)), arm)
        else:
            if kind == JointType.FREE:
                motion[dof : dof + 3, 3:] = np.eye(3)
                dof += 3
            turned = matrix(reference.xquat[body])
            for k in range(3):
                motion[dof + k] = _turning(turned[k::3], arm)
    return motion


def _turning(axis: Vector, arm: np.ndarray) -> tuple[float, ...]:
    """Motion of a point at an arm from a unit rotation axis."""
    x, y, z = axis
    a, b, c = arm.tolist()
    return (x, y, z, y * c - z * b, z * a - x * c, x * b - y * a)


def _spatial_inertias(arrays: Arrays, reference: Reference) -> np.ndarray:
    """6 by 6 inertia of each body about its tree's centre of mass."""
    mass = arrays["body_mass"]
    rotation = np.array([matrix(quat) for quat in reference.xiquat]).reshape(-1, 3, 3)
    offset = np.array(reference.xipos) - reference.subtree_com[arrays["body_rootid"]]
    skew = _skew(offset)
    inertia = np.zeros((len(mass), 6, 6))
    about_own = np.einsum("bij,bj,bkj->bik", rotation, arrays["body_inertia"], rotation)
    inertia[:, :3, :3] = about_own - mass[:, None, None] * (skew @ skew)
    inertia[:, :3, 3:] = mass[:, None, None] * skew
    inertia[:, 3:, :3] = -mass[:, None, None] * skew
    inertia[:, 3:, 3:] = mass[:, None, None] * np.eye(3)
    # the world is not part of any tree
    inertia[0] = 0
    return inertia


def _skew(vectors: np.ndarray) -> np.ndarray:
    """Matrices of the vector product with each row."""
    result = np.zeros((len(vectors), 3, 3))
    x, y, z = vectors.T
    result[:, 0, 1], result[:, 0, 2], result[:, 1, 2] = -z, y, -x
    result[:, 1, 0], result[:, 2, 0], result[:, 2, 1] = z, -y, x
    return result


def _average_over_joints(arrays: Arrays, diagonal: np.ndarray) -> np.ndarray:
    """Inverse inertia of dofs, the same for the three axes of a translation or rotation."""
    result = diagonal.copy()
    for joint, kind in enumerate(arrays["jnt_type"].tolist()):
        dof, body = arrays["jnt_dofadr"][joint], arrays["jnt_bodyid"][joint]
        if arrays["body_simple"][body] == 2:
            result[dof] = 1 / max(MINVAL, arrays["body_mass"][body])
        elif kind == JointType.BALL:
            result[dof : dof + 3] = diagonal[dof : dof + 3].sum() / 3
        elif kind == JointType.FREE:
            result[dof : dof + 3] = diagonal[dof : dof + 3].sum() / 3
            result[dof + 3 : dof + 6] = diagonal[dof + 3 : dof + 6].sum() / 3
    return result


def _body_weights(arrays: Arrays, reference: Reference, response: np.ndarray) -> np.ndarray:
    """Mean inverse inertia of bodies at their centres: translation, rotation."""
    offset = np.array(reference.xipos) - reference.subtree_com[arrays["body_rootid"]]
    shift = _skew(offset)
    turning, mixed = response[:, :3, :3], response[:, :3, 3:]
    moving = (
        response[:, 3:, 3:]
        - shift @ mixed
        + np.swapaxes(mixed, 1, 2) @ shift
        - shift @ turning @ shift
    )
    weights = np.stack(
        [np.trace(moving, axis1=1, axis2=2) / 3, np.trace(turning, axis1=1, axis2=2) / 3], axis=1
    )
    # bodies that only slide along their axes: MuJoCo takes the mass alone, without armature
    slides = arrays["body_simple"] == 2
    weights[slides, 0] = 1 / np.maximum(MINVAL, arrays["body_mass"][slides])
    weights[slides, 1] = 0
    weights[arrays["body_dofnum"][arrays["body_weldid"]] == 0] = 0
    return weights


def _set_camera_references(arrays: Arrays, reference: Reference) -> None:
    """Offsets of cameras from their bodies and centres of mass, and their orientations."""
    bodyid = arrays["cam_bodyid"].tolist()
    place = [
        add(reference.xpos[body], rotate(reference.xquat[body], tuple(pos)))
        for body, pos in zip(bodyid, arrays["cam_pos"].tolist(), strict=True)
    ]
    turned = [
        matrix(multiply(reference.xquat[body], tuple(quat)))
        for body, quat in zip(bodyid, arrays["cam_quat"].tolist(), strict=True)
    ]
    _set_offsets(arrays, reference, "cam", place)
    arrays["cam_mat0"] = np.array(turned, np.float64).reshape(-1, 9)


def _set_light_references(arrays: Arrays, reference: Reference) -> None:
    """Offsets of lights from their bodies and centres of mass, and their directions."""
    bodyid = arrays["light_bodyid"].tolist()
    place = [
        add(reference.xpos[body], rotate(reference.xquat[body], tuple(pos)))
        for body, pos in zip(bodyid, arrays["light_pos"].tolist(), strict=True)
    ]
    turned = [
        rotate(reference.xquat[body], tuple(direction))
        for body, direction in zip(bodyid, arrays["light_dir"].tolist(), strict=True)
    ]
    _set_offsets(arrays, reference, "light", place)
    arrays["light_dir0"] = np.array(turned, np.float64).reshape(-1, 3)


def _set_offsets(arrays: Arrays, reference: Reference, kind: str, place: list[Vector]) -> None:
    bodyid, target = arrays[f"{kind}_bodyid"], arrays[f"{kind}_targetbodyid"]
    where = np.array(place, np.float64).reshape(-1, 3)
    centre = reference.subtree_com[np.where(target >= 0, target, bodyid)]
    arrays[f"{kind}_pos0"] = where - np.array(reference.xpos)[bodyid]
    arrays[f"{kind}_poscom0"] = where - centre


def _statistics(arrays: Arrays, reference: Reference, added: float) -> dict[str, Any]:
    """Mean inertia, mass and size of bodies, centre and extent of the model; sets dof_length."""
    geom_pos, _ = _placed(
        arrays["geom_bodyid"],
        arrays["geom_pos"],
        arrays["geom_quat"],
        arrays["geom_sameframe"],
        reference.xpos,
        reference.xquat,
        reference.xipos,
        reference.xiquat,
    )
    length = _body_lengths(arrays, reference, geom_pos)
    arrays["dof_length"] = _dof_lengths(arrays, length)
    stat = {
        "meaninertia": 1.0,
        "meanmass": 1.0,
        "meansize": 0.2,
        "extent": 2.0,
        "center": np.zeros(3),
    }
    low, high = _bounding_box(arrays, reference, geom_pos)
    stat["center"] = 0.5 * (low + high)
    if high[0] > low[0]:
        stat["extent"] = max(1e-5, float(np.max(high - low)))
    if len(length) > 1:
        stat["meansize"] = float(np.sum(length[1:] / (len(length) - 1)))
        stat["meanmass"] = float(np.mean(arrays["body_mass"][1:]))
    stat["extent"] = max(stat["extent"], 2 * stat["meansize"])
    if len(arrays["dof_M0"]):
        stat["meaninertia"] = float(np.mean(arrays["dof_M0"])) + added / len(arrays["dof_M0"])
    return stat


def _bounding_box(
    arrays: Arrays, reference: Reference, geom_pos: list[Vector]
) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner around bodies, joint anchors, sites and geoms."""
    site_pos, _ = _site_frames(arrays, reference)
    points = [*reference.xpos[1:], *reference.xipos[1:], *reference.xanchor, *site_pos]
    centres = np.array(points + geom_pos, np.float64).reshape(-1, 3)
    radius = np.append(np.zeros(len(points)), _drawn_radius(arrays))[:, None]
    return (
        np.min(centres - radius, axis=0, initial=1e10),
        np.max(centres + radius, axis=0, initial=-1e10),
    )


def _drawn_radius(arrays: Arrays) -> np.ndarray:
    """Bounding radius of geoms, a tenth of the size for planes."""
    size = np.max(arrays["geom_size"][:, :2], axis=1, initial=0.0)
    plane = np.where(size > 0, 0.1 * size, 0.01)
    radius = arrays["geom_rbound"]
    flat = arrays["geom_type"] == GeomType.PLANE
    return np.where(radius > 0, radius, np.where(flat, plane, 0.0))


def _body_lengths(arrays: Arrays, reference: Reference, geom_pos: list[Vector]) -> np.ndarray:
    """Size of each body: farthest joint or geom from its centre, at least 1e-5."""
    length = np.zeros(len(reference.xpos))
    parentid = arrays["body_parentid"]
    for body, anchor in zip(arrays["jnt_bodyid"].tolist(), reference.xanchor, strict=True):
        for one in (body, parentid[body]):
            length[one] = max(length[one], distance(reference.xipos[one], anchor))
    length[0] = 0
    rows = zip(
        arrays["geom_bodyid"].tolist(), arrays["geom_rbound"].tolist(), geom_pos, strict=True
    )
    for body, radius, pos in rows:
        if body and radius > 0:
            length[body] = max(length[body], radius + distance(reference.xipos[body], pos))
    length[1:] = np.maximum(length[1:], 1e-5)
    return length


def _dof_lengths(arrays: Arrays, length: np.ndarray) -> np.ndarray:
    """1 for translations, the body's size for rotations."""
    joint = arrays["dof_jntid"]
    kind = arrays["jnt_type"][joint]
    within = np.arange(len(joint)) - arrays["jnt_dofadr"][joint]
    slides = (kind == JointType.SLIDE) | ((kind == JointType.FREE) & (within < 3))
    return np.where(slides, 1.0, length[arrays["dof_bodyid"]])


def scale_total_mass(arrays: Arrays, total: float) -> None:
    """Scale all masses and inertias so that the model weighs `total`."""
    scale = max(MINVAL, total / max(MINVAL, float(np.sum(arrays["body_mass"][1:]))))
    arrays["body_mass"][1:] *= scale
    arrays["body_inertia"][1:] *= scale
