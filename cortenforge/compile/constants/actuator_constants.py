"""Armature and damping that actuators add, the bodies they act on, and constants by inertia.

    armature of a joint or tendon += armature_i gear_i^2       over the actuators i that act on it
    actuator_length0 = length in qpos0,   actuator_acc0 = |M^-1 J'|,   J: moment arms of the output
    damping = dampratio 2 sqrt(kp m),     m = 1 / mean(J M^-1 J') over the outputs

A positive biasprm[2] of a servo (biasprm[1] = -kp) is a damping ratio; it is replaced by -damping.
A muscle without a given force takes scale / acc0 for its peak force, when it is stepped.
See MuJoCo: XML reference, "actuator/position", "actuator/muscle".
"""

from __future__ import annotations

import numpy as np

from cortenforge.compile.constants.inverse_inertia import SparseRow
from cortenforge.compile.constants.reference_kinematics import ReferenceKinematics
from cortenforge.enums import Gain, Transmission, WrapType

Arrays = dict[str, np.ndarray]
JOINT_TYPES_OF_TRANSMISSION = (Transmission.JOINT, Transmission.JOINTINPARENT)
SLEEP_AUTO_ALLOWED, SLEEP_AUTO_NEVER = 2, 1
MINVAL = 1e-15
# prefix of the arrays of what a step of a tendon's path is attached to
WRAP_PREFIXES = {
    int(WrapType.JOINT): "jnt",
    int(WrapType.SITE): "site",
    int(WrapType.SPHERE): "geom",
    int(WrapType.CYLINDER): "geom",
}


def dof_actuator_armature(arrays: Arrays) -> np.ndarray:
    """Armature that actuators add to each dof (nv,): the sum of armature gear^2."""
    extra = np.zeros(len(arrays["jnt_type"]))
    gear = arrays["actuator_gear"][arrays["actuator_outadr"], 0]
    for i in np.flatnonzero(arrays["actuator_armature"]):
        if arrays["actuator_trntype"][i] in JOINT_TYPES_OF_TRANSMISSION:
            extra[arrays["actuator_trnid"][i, 0]] += arrays["actuator_armature"][i] * gear[i] ** 2
    return extra[arrays["dof_jntid"]]


def total_tendon_armature(arrays: Arrays) -> np.ndarray:
    """Armature of each tendon (ntendon,), with what actuators add: armature gear^2."""
    total = arrays["tendon_armature"].copy()
    gear = arrays["actuator_gear"][arrays["actuator_outadr"], 0]
    for i in np.flatnonzero(arrays["actuator_trntype"] == Transmission.TENDON):
        total[arrays["actuator_trnid"][i, 0]] += arrays["actuator_armature"][i] * gear[i] ** 2
    return total


def link_actuators(arrays: Arrays) -> None:
    """Set jnt_actuatorid, tendon_actuatorid and the sleep policy of trees with actuators.

    The ids say which actuator adds damping or armature: -1 for none, -2 for several.
    """
    adds = (arrays["actuator_damping"] != 0) | (arrays["actuator_armature"] != 0)
    adds |= arrays["actuator_dampingpoly"].any(axis=1)
    linked, pulled = arrays["jnt_actuatorid"], arrays["tendon_actuatorid"]
    linked[:] = pulled[:] = -1
    policy = arrays["tree_sleep_policy"]
    for i, kind in enumerate(arrays["actuator_trntype"].tolist()):
        target, second = arrays["actuator_trnid"][i].tolist()
        if adds[i] and kind in JOINT_TYPES_OF_TRANSMISSION:
            linked[target] = i if linked[target] == -1 else -2
        elif adds[i] and kind == Transmission.TENDON:
            pulled[target] = i if pulled[target] == -1 else -2
        for body in _actuated_bodies(arrays, kind, target, second):
            tree = arrays["body_treeid"][body]
            if tree >= 0 and policy[tree] == SLEEP_AUTO_ALLOWED:
                policy[tree] = SLEEP_AUTO_NEVER


def _actuated_bodies(arrays: Arrays, kind: int, target: int, second: int) -> list[int]:
    """The bodies that an actuator acts on."""
    if kind == Transmission.BODY:
        return [target]
    if kind == Transmission.TENDON:
        return _tendon_bodies(arrays, target)
    if kind in JOINT_TYPES_OF_TRANSMISSION or (kind == Transmission.SO3 and second < 0):
        return [int(arrays["jnt_bodyid"][target])]
    return [int(arrays["site_bodyid"][site]) for site in (target, second) if site >= 0]


def _tendon_bodies(arrays: Arrays, tendon: int) -> list[int]:
    """The bodies along the path of a tendon."""
    start = int(arrays["tendon_adr"][tendon])
    found = []
    for at in range(start, start + int(arrays["tendon_num"][tendon])):
        prefix = WRAP_PREFIXES.get(int(arrays["wrap_type"][at]))
        if prefix is not None:
            found.append(int(arrays[f"{prefix}_bodyid"][arrays["wrap_objid"][at]]))
    return found


def set_actuator_constants(arrays: Arrays, reference: ReferenceKinematics) -> np.ndarray:
    """Set actuator_length0 and actuator_acc0; returns J M^-1 J' of each output."""
    rows: list[SparseRow] = []
    for start, count in zip(arrays["moment_rowadr"], arrays["moment_rownnz"], strict=True):
        arms = reference.actuator_moment[start : start + count]
        dofs = arrays["moment_colind"][start : start + count]
        rows.append((dofs[arms != 0], arms[arms != 0]))
    arrays["actuator_length0"] = reference.actuator_length.copy()
    arrays["actuator_acc0"], inverse_mass = reference.inverse_products(arrays, rows)
    return inverse_mass


def resolve_damping_ratios(arrays: Arrays, inverse_mass: np.ndarray) -> None:
    """Replace a damping ratio, a positive biasprm[2] of a servo, by minus the damping.

    inverse_mass: J M^-1 J' of each output.
    """
    for i, bias in enumerate(arrays["actuator_biasprm"]):
        pid = arrays["actuator_gaintype"][i] == Gain.PID
        stiffness = -bias[1] if pid else arrays["actuator_gainprm"][i, 0]
        if bias[2] <= 0 or stiffness != -bias[1]:
            continue
        out, count = arrays["actuator_outadr"][i], arrays["actuator_outnum"][i]
        inverse = float(np.mean(inverse_mass[out : out + count]))
        mass = 1 / inverse if inverse > MINVAL else 0.0
        bias[2] = -bias[2] * 2 * np.sqrt(stiffness * mass)
