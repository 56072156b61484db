"""Products with the constraint Jacobian, forces of contacts and rows."""

from __future__ import annotations

import numpy as np

from cortenforge.enums import ConstraintState, ConstraintType
from cortenforge.model.internals import constraint_residual
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import raise_absent
from cortenforge.mujoco.functions.pipeline import ready
from cortenforge.mujoco.functions.sizes import check_index
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function

Array = np.ndarray
ELLIPTIC = int(ConstraintType.CONTACT_ELLIPTIC)
GEOM = {name.removeprefix("mjGEOM_"): int(v) for name, v in ENUMS["mjtGeom"].__members__.items()}


def _check_length(name: str, array: Array, count: int, what: str) -> None:
    if len(array) != count:
        raise TypeError(f"{name} should be of length {what}")


def _entries(d: MjData) -> tuple[Array, Array, Array]:
    """Rows, columns and values of the constraint Jacobian."""
    native = d._native
    rows = np.repeat(np.arange(native.nefc), native.efc_J_rownnz)
    return rows, native.efc_J_colind, native.efc_J_value


@function
def mj_mulJacVec(m: MjModel, d: MjData, res: Array, vec: Array) -> None:
    """The constraint Jacobian times a vector."""
    _check_length("res", res, d.nefc, "nefc")
    _check_length("vec", vec, m.nv, "nv")
    rows, columns, values = _entries(d)
    res[:] = np.bincount(rows, values * vec[columns], d.nefc)


@function
def mj_mulJacTVec(m: MjModel, d: MjData, res: Array, vec: Array) -> None:
    """The transposed constraint Jacobian times a vector."""
    _check_length("res", res, m.nv, "nv")
    _check_length("vec", vec, d.nefc, "nefc")
    rows, columns, values = _entries(d)
    res[:] = np.bincount(columns, values * vec[rows], m.nv)


@function
def mj_contactForce(m: MjModel, d: MjData, id: int, result: Array) -> None:
    """Force and torque of a contact in its frame; zeros if there is no such contact."""
    ready(m, d)
    is_there = 0 <= id < d.ncon and d.contact.efc_address[id] >= 0
    result[:] = d._native.contact_force(id) if is_there else 0.0


@function
def mj_constraintUpdate(
    m: MjModel, d: MjData, jar: Array, cost: Array | None, flg_coneHessian: int
) -> None:
    """Forces and states of constraints for J qacc - aref, and the cost."""
    if len(jar) != d.nefc:
        raise TypeError("size of jar should equal nefc")
    if flg_coneHessian and np.any(d.efc_type == ELLIPTIC):
        raise_absent("mj_constraintUpdate with flg_coneHessian", "read contact.H after mj_forward")
    ready(m, d)
    total = _update_constraints(d, np.array(jar))
    if cost is not None:
        cost[0] = total


def _update_constraints(d: MjData, jar: Array) -> float:
    """Set efc_force, efc_state and qfrc_constraint; the cost."""
    if d.nefc == 0:
        return 0.0
    weight, kind = np.array(d.efc_D), d.efc_type
    force = -weight * jar
    state = np.full(d.nefc, int(ConstraintState.QUADRATIC), np.int32)
    cost = 0.5 * weight * jar**2
    _limit_friction(d, jar, force, state, cost)
    one_sided = (np.arange(d.nefc) >= d.ne + d.nf) & (kind != ELLIPTIC) & (jar >= 0.0)
    force[one_sided], cost[one_sided] = 0.0, 0.0
    state[one_sided] = int(ConstraintState.SATISFIED)
    first = {int(row): i for i, row in enumerate(d.contact.efc_address) if row >= 0}
    for row, contact in first.items():
        if kind[row] == ELLIPTIC:
            _update_cone(d, contact, row, jar, force, state, cost)
    d.efc_force[:], d.efc_state[:] = force, state
    rows, columns, values = _entries(d)
    d.qfrc_constraint[:] = np.bincount(columns, values * force[rows], d.model.nv)
    return float(cost.sum())


def _limit_friction(d: MjData, jar: Array, force: Array, state: Array, cost: Array) -> None:
    """Rows of friction loss: forces beyond the largest are linear in cost."""
    rows = np.arange(d.ne, d.ne + d.nf)
    loss, softness = d.efc_frictionloss[rows], d.efc_R[rows]
    for sign, name in ((1.0, ConstraintState.LINEARNEG), (-1.0, ConstraintState.LINEARPOS)):
        beyond = -sign * jar[rows] >= softness * loss
        chosen = rows[beyond]
        force[chosen], state[chosen] = sign * loss[beyond], int(name)
        cost[chosen] = -0.5 * (softness * loss**2)[beyond] - sign * loss[beyond] * jar[chosen]


def _update_cone(
    d: MjData, contact: int, row: int, jar: Array, force: Array, state: Array, cost: Array
) -> None:
    """Rows of one elliptic cone: outside, below, or on its surface."""
    dim, mu = int(d.contact.dim[contact]), float(d.contact.mu[contact])
    friction = d.contact.friction[contact][: dim - 1]
    rows = slice(row, row + dim)
    normal = jar[row] * mu
    tangent = jar[row + 1 : row + dim] * friction
    length = float(np.sqrt(tangent @ tangent))
    if normal >= mu * length or (length <= 0.0 and normal >= 0.0):
        force[rows], cost[rows] = 0.0, 0.0
        state[rows] = int(ConstraintState.SATISFIED)
    elif not (mu * normal + length <= 0.0 or (length <= 0.0 and normal < 0.0)):
        weight = d.efc_D[row] / (mu**2 * (1.0 + mu**2))
        excess = normal - mu * length
        cost[rows] = 0.0
        cost[row] = 0.5 * weight * excess**2
        force[row] = -weight * excess * mu
        force[row + 1 : row + dim] = -force[row] / length * tangent * friction
        state[rows] = int(ConstraintState.CONE)


@function
def mj_invConstraint(m: MjModel, d: MjData) -> None:
    """Forces of constraints at the given acceleration."""
    ready(m, d)
    if d.nefc == 0:
        d.qfrc_constraint[:] = 0.0
    else:
        _update_constraints(d, constraint_residual(d._native))


MAX_PAIR_CONTACTS = 50
#: contacts of pairs of types with a function of their own
KNOWN_PAIRS = {
    (GEOM["PLANE"], GEOM["PLANE"]): 0,
    (GEOM["PLANE"], GEOM["CAPSULE"]): 2,
    (GEOM["PLANE"], GEOM["CYLINDER"]): 4,
    (GEOM["PLANE"], GEOM["BOX"]): 4,
    (GEOM["PLANE"], GEOM["MESH"]): 4,
    (GEOM["CAPSULE"], GEOM["CAPSULE"]): 2,
    (GEOM["CAPSULE"], GEOM["BOX"]): 4,
    (GEOM["BOX"], GEOM["BOX"]): 8,
}


@function
def mj_maxContact(m: MjModel, g1: int, g2: int, has_margin: int) -> int:
    """The largest number of contacts of two geoms; MuJoCo 4.0 ignores has_margin."""
    for geom in (g1, g2):
        check_index("geom", geom, m.ngeom)
    pair = tuple(sorted((int(m.geom_type[g1]), int(m.geom_type[g2]))))
    if GEOM["SDF"] in pair:
        return int(m.opt.sdf_initpoints)
    if GEOM["HFIELD"] in pair:
        return 0 if pair[1] <= GEOM["HFIELD"] else MAX_PAIR_CONTACTS
    if GEOM["SPHERE"] in pair or GEOM["ELLIPSOID"] in pair:
        return 1
    if pair in KNOWN_PAIRS:
        return KNOWN_PAIRS[pair]
    off = ENUMS["mjtDisableBit"]
    if m.opt.disableflags & off["mjDSBL_MULTICCD"]:
        return 1
    if m.opt.disableflags & off["mjDSBL_NATIVECCD"]:
        return 5
    return 2 if GEOM["CAPSULE"] in pair else 4
