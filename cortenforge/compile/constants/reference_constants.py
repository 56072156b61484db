"""Constants of the reference position qpos0: inverse weights, lengths of bodies, statistics.

    body_subtreemass   = sum of body_mass over the subtree
    dof_M0             = diag(M)
    dof_invweight0     = diag(M^-1), averaged over the axes of a ball, and the two halves of a free
    body_invweight0    = tr(J M^-1 J') / 3, J of the body's centre of mass: translation, rotation
    tendon_invweight0  = J M^-1 J', tendon_length0 the length
    actuator_acc0      = |M^-1 J'|, J the moment arms of the output
    dof_length         = 1 for translations, for rotations the length of the body:
                         max over its joints, those of its children, and its geoms of
                         |xipos - anchor| and |xipos - geom_xpos| + rbound, at least 1e-5
    stat.meaninertia   = mean of diag(M), stat.meanmass and stat.meansize means over bodies,
    stat.extent        = longest edge of the box around the model, at least 2 meansize
    stat.center        = centre of this box

Bodies that only slide along their axes (body_simple 2) have 1 / mass for their inverse weight.
Mirrors mj_setConst. See MuJoCo: Computation, "Solver parameters" (weights of constraints), and
XML reference, "statistic".

Kinematics, M, tendons and transmissions come from the engine's own kernels
(`compile.constants.reference_kinematics`). All spatial quantities of a kinematic tree are about the
tree's centre of mass, rotation first. Inverse inertia comes from articulated-body recursion
(`compile.constants.articulated_inertia`), without an inverse of M.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.compile.constants.actuator_constants import (
    dof_actuator_armature,
    resolve_damping_ratios,
    set_actuator_constants,
    total_tendon_armature,
)
from cortenforge.compile.constants.articulated_inertia import (
    articulated_inertia_pass,
    inverse_inertia_pass,
    model_tree_levels,
)
from cortenforge.compile.constants.reference_kinematics import ReferenceKinematics
from cortenforge.compile.constants.tendon_constants import (
    invweights_with_tendon_armature,
    set_spring_lengths,
    tendon_jacobian_rows,
)
from cortenforge.compile.wiring.equalities import set_equality_distances, set_equality_poses
from cortenforge.enums import GeomType, JointType

MINVAL = 1e-15

Arrays = dict[str, np.ndarray]


def set_constants(arrays: Arrays) -> dict[str, Any]:
    """Set all arrays of constants of the reference position; returns the model's statistics."""
    reference, added, inverse_mass = derive_constants(arrays)
    set_equality_distances(arrays, reference.geom_xpos)
    set_spring_lengths(arrays)
    resolve_damping_ratios(arrays, inverse_mass)
    return _model_statistics(arrays, reference, added)


def derive_constants(arrays: Arrays) -> tuple[ReferenceKinematics, float, np.ndarray]:
    """Compute the constants that `set_const` computes again.

    Returns (kinematics of the reference position, trace of what tendon armature adds to M,
    J M^-1 J' of each output of an actuator).
    """
    arrays["body_subtreemass"] = _subtree_sum(arrays["body_parentid"], arrays["body_mass"])
    reference = ReferenceKinematics(arrays, arrays["qpos0"], weighed=True)
    added = _set_inverse_weights(arrays, reference)
    set_equality_poses(arrays, _row_tuples(reference.xpos), _row_tuples(reference.xquat))
    reference.add_transmissions(arrays)
    inverse_mass = set_actuator_constants(arrays, reference)
    _set_camera_light_references(arrays, reference)
    arrays["dof_length"] = _dof_length(arrays, _body_lengths(arrays, reference))
    return reference, added, inverse_mass


def _subtree_sum(parentid: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Sum of values over the subtree of each body."""
    total = values.copy()
    for body in range(len(parentid) - 1, 0, -1):
        total[parentid[body]] += total[body]
    return total


def _row_tuples(rows: np.ndarray) -> list[Any]:
    """Rows of an array as tuples of floats."""
    return [tuple(row) for row in rows.tolist()]


def _set_inverse_weights(arrays: Arrays, reference: ReferenceKinematics) -> float:
    """Set dof_M0, inverse weights of dofs, bodies and tendons, and tendon_length0.

    Returns sum of armature |J|^2 over tendons: what they add to the trace of M.
    """
    arrays["dof_M0"] = reference.M[arrays["dof_Madr"] + arrays["D_diag"]]
    # extended precision, where the machine has it; `compile.constants.articulated_inertia` says why
    motion = reference.cdof.astype(np.longdouble)
    inertia = spatial_inertias(reference.cinert).astype(np.longdouble)
    armature = arrays["dof_armature"] + dof_actuator_armature(arrays)
    steps = model_tree_levels(arrays)
    force, inverse = articulated_inertia_pass(arrays, steps, motion, inertia, armature)
    dof_inverse, response = inverse_inertia_pass(arrays, steps, motion, force, inverse)
    reference.add_tendons(arrays)
    arrays["tendon_length0"] = reference.ten_length.copy()
    rows = tendon_jacobian_rows(arrays, reference.ten_J)
    tendon_armature = total_tendon_armature(arrays)
    if tendon_armature.any() and len(motion):
        dof_inverse, response = invweights_with_tendon_armature(arrays, reference.cdof, reference.M)
    arrays["tendon_invweight0"] = reference.inverse_products(arrays, rows)[1]
    arrays["dof_invweight0"] = _average_dof_invweight(arrays, dof_inverse).astype(np.float64)
    arrays["body_invweight0"] = _body_invweight(arrays, reference, response).astype(np.float64)
    squares = [float(values @ values) for _, values in rows]
    return float(tendon_armature @ np.array(squares, np.float64))


def spatial_inertias(cinert: np.ndarray) -> np.ndarray:
    """Spatial inertias (nbody, 6, 6), rotation first, from cinert (nbody, 10).

    I = [[I_o, [h]x], [-[h]x, m 1]]     I_o: xx yy zz xy xz yz,  h: mass times offset
    """
    moments, offset, mass = cinert[:, :6], cinert[:, 6:9], cinert[:, 9]
    inertia = np.zeros((len(mass), 6, 6))
    inertia[:, :3, :3] = moments[:, [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
    inertia[:, :3, 3:] = _skew(offset)
    inertia[:, 3:, :3] = -_skew(offset)
    inertia[:, 3:, 3:] = mass[:, None, None] * np.eye(3)
    return inertia


def _skew(vectors: np.ndarray) -> np.ndarray:
    """Cross-product matrices [v]x of rows (n, 3)."""
    result = np.zeros((len(vectors), 3, 3))
    x, y, z = vectors.T
    result[:, 0, 1], result[:, 0, 2], result[:, 1, 2] = -z, y, -x
    result[:, 1, 0], result[:, 2, 0], result[:, 2, 1] = z, -y, x
    return result


def _average_dof_invweight(arrays: Arrays, diagonal: np.ndarray) -> np.ndarray:
    """dof_invweight0 from diag(M^-1): averaged over the three axes of a translation or rotation."""
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


def _body_invweight(
    arrays: Arrays, reference: ReferenceKinematics, response: np.ndarray
) -> np.ndarray:
    """body_invweight0 (nbody, 2): a third of the traces of J M^-1 J' at centres of mass.

    response: X = J M^-1 J' about the tree's centre of mass, rotation first.  With r the offset to
    the body's centre of mass, J_v(r) = J_v - [r]x J_w, so the block of translations is
        X_vv - [r]x X_wv + X_wv' [r]x - [r]x X_ww [r]x
    """
    offset = reference.xipos - reference.subtree_com[arrays["body_rootid"]]
    shift = _skew(offset)
    x_ww, x_wv = response[:, :3, :3], response[:, :3, 3:]
    x_vv = (
        response[:, 3:, 3:] - shift @ x_wv + np.swapaxes(x_wv, 1, 2) @ shift - shift @ x_ww @ shift
    )
    weights = np.stack(
        [np.trace(x_vv, axis1=1, axis2=2) / 3, np.trace(x_ww, axis1=1, axis2=2) / 3], axis=1
    )
    # bodies that only slide along their axes: MuJoCo takes the mass alone, without armature
    slides = arrays["body_simple"] == 2
    weights[slides, 0] = 1 / np.maximum(MINVAL, arrays["body_mass"][slides])
    weights[slides, 1] = 0
    weights[arrays["body_dofnum"][arrays["body_weldid"]] == 0] = 0
    return weights


def _set_camera_light_references(arrays: Arrays, reference: ReferenceKinematics) -> None:
    """Set cam_pos0, cam_poscom0, cam_mat0 and the same of lights: poses in qpos0, world axes."""
    for kind in ("cam", "light"):
        where = getattr(reference, f"{kind}_xpos")
        bodyid, target = arrays[f"{kind}_bodyid"], arrays[f"{kind}_targetbodyid"]
        centre = reference.subtree_com[np.where(target >= 0, target, bodyid)]
        arrays[f"{kind}_pos0"] = where - reference.xpos[bodyid]
        arrays[f"{kind}_poscom0"] = where - centre
    arrays["cam_mat0"] = reference.cam_xmat
    arrays["light_dir0"] = reference.light_xdir


def _model_statistics(
    arrays: Arrays, reference: ReferenceKinematics, added: float
) -> dict[str, Any]:
    """Statistics of the model (mjStatistic), before values of the file replace them.

    added: trace of what tendon armature adds to M.
    """
    length = _body_lengths(arrays, reference)
    stat: dict[str, Any] = {
        "meaninertia": 1.0,
        "meanmass": 1.0,
        "meansize": 0.2,
        "extent": 2.0,
        "center": np.zeros(3),
    }
    low, high = _bounding_box(arrays, reference)
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


def _bounding_box(arrays: Arrays, reference: ReferenceKinematics) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner (3,) of the box around bodies, joint anchors, sites and geoms."""
    points = np.vstack(
        [reference.xpos[1:], reference.xipos[1:], reference.xanchor, reference.site_xpos]
    )
    centres = np.vstack([points, reference.geom_xpos])
    radius = np.append(np.zeros(len(points)), _geom_extent_radius(arrays))[:, None]
    return (
        np.min(centres - radius, axis=0, initial=1e10),
        np.max(centres + radius, axis=0, initial=-1e10),
    )


def _geom_extent_radius(arrays: Arrays) -> np.ndarray:
    """Radius of geoms in the extent of the model: rbound; a tenth of the size for planes."""
    size = np.max(arrays["geom_size"][:, :2], axis=1, initial=0.0)
    plane = np.where(size > 0, 0.1 * size, 0.01)
    radius = arrays["geom_rbound"]
    flat = arrays["geom_type"] == GeomType.PLANE
    return np.where(radius > 0, radius, np.where(flat, plane, 0.0))


def _body_lengths(arrays: Arrays, reference: ReferenceKinematics) -> np.ndarray:
    """Length of each body (nbody,): distance of the farthest joint or geom, at least 1e-5."""
    length = np.zeros(len(reference.xpos))
    bodyid, centre = arrays["jnt_bodyid"], reference.xipos
    for body in (bodyid, arrays["body_parentid"][bodyid]):
        np.maximum.at(length, body, np.linalg.norm(centre[body] - reference.xanchor, axis=1))
    length[0] = 0
    body, radius = arrays["geom_bodyid"], arrays["geom_rbound"]
    reach = radius + np.linalg.norm(centre[body] - reference.geom_xpos, axis=1)
    np.maximum.at(length, body, np.where((body > 0) & (radius > 0), reach, 0.0))
    length[1:] = np.maximum(length[1:], 1e-5)
    return length


def _dof_length(arrays: Arrays, length: np.ndarray) -> np.ndarray:
    """dof_length (nv,): 1 for translations, the length of the body for rotations."""
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
