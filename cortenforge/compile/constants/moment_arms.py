"""Sparsity of actuator_moment, and the activation variables of controllers.

A row of actuator_moment is J = d length / d qpos (tangent) of one output of an actuator:

    joint           the dofs of the joint
    tendon          the row of ten_J
    site, SO3       dofs that move exactly one of the two sites: dofs above both cancel
    slider-crank    dofs that move either site
    body            all dofs, since contacts decide

MuJoCo drops moment arms that happen to be zero from its sparse matrix, position by position. Here
the pattern is the model's: all dofs that an output can act on.  See MuJoCo: Computation,
"Transmission".
"""

from __future__ import annotations

import numpy as np

from cortenforge.compile.constants.tendon_constants import ancestor_dofs
from cortenforge.enums import Dynamics, Gain, Transmission
from cortenforge.step.actuation.activation_slots import (
    ADHESION_KIND,
    HILL_KIND,
    INTEGRAL,
    PIDPLUGIN_KIND,
    SLEW,
)

Arrays = dict[str, np.ndarray]
JOINT_TRNTYPES = (Transmission.JOINT, Transmission.JOINTINPARENT)
#: dofs of a joint, by type
JOINT_DOFS = (6, 3, 1, 1)
#: kinds of actuators with stages of their own
KIND_BITS = {int(Gain.HILL): HILL_KIND, int(Gain.PIDPLUGIN): PIDPLUGIN_KIND}


def moment_sparsity(arrays: Arrays) -> tuple[Arrays, int]:
    """Row lengths, addresses and columns of actuator_moment, and nJmom, MuJoCo's capacity."""
    rows: list[np.ndarray] = []
    room = 0
    for i, kind in enumerate(arrays["actuator_trntype"].tolist()):
        found = _moment_rows(arrays, i, kind)
        rows += found
        between_sites = kind == Transmission.SO3 and arrays["actuator_trnid"][i, 1] >= 0
        room += 3 * len(arrays["dof_bodyid"]) if between_sites else sum(map(len, found))
    lengths = np.array([len(row) for row in rows], np.int32)
    columns = np.zeros(room, np.int32)
    columns[: lengths.sum()] = np.concatenate(rows) if rows else []
    pattern = {
        "moment_rownnz": lengths,
        "moment_rowadr": (np.cumsum(lengths) - lengths).astype(np.int32),
        "moment_colind": columns,
    }
    return pattern, room


def _moment_rows(arrays: Arrays, i: int, kind: int) -> list[np.ndarray]:
    """For each output of an actuator, the dofs that it acts on, in rising order."""
    target, second = arrays["actuator_trnid"][i].tolist()
    if kind in JOINT_TRNTYPES:
        return [arrays["jnt_dofadr"][target] + np.arange(JOINT_DOFS[arrays["jnt_type"][target]])]
    if kind == Transmission.TENDON:
        start, count = (int(arrays[f"ten_J_{name}"][target]) for name in ("rowadr", "rownnz"))
        return [arrays["ten_J_colind"][start : start + count]]
    if kind == Transmission.BODY:
        return [np.arange(len(arrays["dof_bodyid"]))]
    if kind == Transmission.SO3 and second < 0:
        return list(arrays["jnt_dofadr"][target] + np.arange(3)[:, None])
    first = _dofs_of_site(arrays, target)
    other = _dofs_of_site(arrays, second) if second >= 0 else np.zeros(0, int)
    if kind == Transmission.SLIDERCRANK:
        return [np.union1d(first, other)]
    # dofs that move both sites do not count
    return [np.setxor1d(first, other)] * int(arrays["actuator_outnum"][i])


def _dofs_of_site(arrays: Arrays, site: int) -> np.ndarray:
    return np.array(ancestor_dofs(arrays, int(arrays["site_bodyid"][site])), int)


def actuator_kind_bits(arrays: Arrays) -> np.ndarray:
    """Kinds of actuators with stages of their own that a model has, as bits."""
    bits = 0
    for kind, bit in KIND_BITS.items():
        bits |= bit if np.any(arrays["actuator_gaintype"] == kind) else 0
    if np.any(arrays["actuator_trntype"] == Transmission.BODY):
        bits |= ADHESION_KIND
    return np.array(bits, np.int32)


def activation_slots(arrays: Arrays) -> np.ndarray:
    """Activations that each PID, DC motor and Hill muscle has by its parameters, as bits."""
    bits = np.zeros(len(arrays["actuator_dyntype"]), np.int32)
    for kind in Dynamics:
        for slot, name, place in kind.slots:
            asked = arrays[f"actuator_{name}"][:, place] > 0
            bits[asked & (arrays["actuator_dyntype"] == kind)] |= slot
    plugin, prm = arrays["actuator_gaintype"] == Gain.PIDPLUGIN, arrays["actuator_gainprm"]
    bits[plugin & (prm[:, 1] != 0)] |= INTEGRAL
    bits[plugin & (prm[:, 4] >= 0)] |= SLEW
    return bits
