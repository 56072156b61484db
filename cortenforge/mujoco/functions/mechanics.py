"""Jacobians, products with M, velocities and accelerations, forces, positions on manifolds."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from cortenforge.model.internals import jacobian_is_sparse, object_jacobians, rne
from cortenforge.mujoco.data import InertiaToken, MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError, raise_absent
from cortenforge.mujoco.functions.pipeline import checked_pair, ready
from cortenforge.mujoco.functions.sizes import check_index, check_shape, check_size, give
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function, unchecked
from cortenforge.quaternions import quat_products, rotation_matrices

OBJECTS = ENUMS["mjtObj"]
#: types of objects that move: their words, and the size that counts them
MOVING = {
    int(OBJECTS["mjOBJ_BODY"]): ("body", "nbody"),
    int(OBJECTS["mjOBJ_XBODY"]): ("xbody", "nbody"),
    int(OBJECTS["mjOBJ_GEOM"]): ("geom", "ngeom"),
    int(OBJECTS["mjOBJ_SITE"]): ("site", "nsite"),
    int(OBJECTS["mjOBJ_CAMERA"]): ("camera", "ncam"),
}
#: what mj_local2Global copies instead of computing it
SAME_FRAME = ENUMS["mjtSameFrame"]
BODY, XBODY, GEOM, SITE = (
    int(OBJECTS[f"mjOBJ_{kind}"]) for kind in ("BODY", "XBODY", "GEOM", "SITE")
)
Array = np.ndarray


def _give_jacobians(found: tuple[Array, Array], jacp: Array | None, jacr: Array | None) -> None:
    give(jacp, found[0])
    give(jacr, found[1])


def _check_jacobians(m: MjModel, jacp: Array | None, jacr: Array | None) -> None:
    check_shape("jacp", jacp, (3, m.nv), "(3, nv)")
    check_shape("jacr", jacr, (3, m.nv), "(3, nv)")


@function
def mj_jac(
    m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, point: Array, body: int
) -> None:
    """Jacobians of a point that is fixed to a body."""
    _check_jacobians(m, jacp, jacr)
    ready(m, d)
    _give_jacobians(d._native.jac(point, body), jacp, jacr)


@function
def mj_jacBody(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, body: int) -> None:
    """Jacobians of the frame of a body."""
    _check_jacobians(m, jacp, jacr)
    check_index("body", body, m.nbody)
    ready(m, d)
    _give_jacobians(object_jacobians(d._native, XBODY, body), jacp, jacr)


@function
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, body: int) -> None:
    """Jacobians of the centre of mass of a body."""
    _check_jacobians(m, jacp, jacr)
    check_index("body", body, m.nbody)
    ready(m, d)
    _give_jacobians(object_jacobians(d._native, BODY, body), jacp, jacr)


@function
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: Array | None, body: int) -> None:
    """Jacobian of the centre of mass of a subtree."""
    _check_jacobians(m, jacp, None)
    ready(m, d)
    give(jacp, d._native.jac_subtree_com(body))


@function
def mj_jacGeom(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, geom: int) -> None:
    """Jacobians of a geom."""
    _check_jacobians(m, jacp, jacr)
    check_index("geom", geom, m.ngeom)
    ready(m, d)
    _give_jacobians(object_jacobians(d._native, GEOM, geom), jacp, jacr)


@function
def mj_jacSite(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, site: int) -> None:
    """Jacobians of a site."""
    _check_jacobians(m, jacp, jacr)
    check_index("site", site, m.nsite)
    ready(m, d)
    _give_jacobians(object_jacobians(d._native, SITE, site), jacp, jacr)


@function
def mj_jacPointAxis(
    m: MjModel,
    d: MjData,
    jacPoint: Array | None,
    jacAxis: Array | None,
    point: Array,
    axis: Array,
    body: int,
) -> None:
    """Jacobians of a point and of an axis that are fixed to a body."""
    check_shape("jacp", jacPoint, (3, m.nv), "(3, nv)")
    check_shape("jacr", jacAxis, (3, m.nv), "(3, nv)")
    ready(m, d)
    found = d._native.jac(point, body)
    give(jacPoint, found.jacp)
    give(jacAxis, np.cross(found.jacr, axis, axisa=0).T)


@function
def mj_jacDot(
    m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, point: Array, body: int
) -> None:
    """Time derivatives of the Jacobians of a point that moves with a body."""
    _check_jacobians(m, jacp, jacr)
    ready(m, d)
    _give_jacobians(d._native.jac_dot(point, body), jacp, jacr)


@function
def mj_angmomMat(m: MjModel, d: MjData, mat: Array, body: int) -> None:
    """Matrix from velocities to the angular momentum of a subtree about its centre of mass."""
    check_shape("mat", mat, (3, m.nv), "(3, nv)")
    check_index("body", body, m.nbody)
    ready(m, d)
    centre = d.subtree_com[body]
    mat[:] = 0.0
    members = {body}
    for number in range(body, m.nbody):
        if number != body and int(m.body_parentid[number]) not in members:
            continue
        members.add(number)
        found = d._native.jac_body_com(number)
        frame = d.ximat[number].reshape(3, 3)
        mat += (frame * m.body_inertia[number]) @ frame.T @ found.jacr
        arm = d.xipos[number] - centre
        mat += m.body_mass[number] * np.cross(arm, found.jacp, axisb=0).T


@unchecked
def mj_fullM(m: Any, d: Any, dst: Any) -> None:
    """The inertia matrix as a dense array. Before MuJoCo 4.0: `mj_fullM(m, dst, d.qM)`."""
    if isinstance(dst, InertiaToken):
        d, dst = dst.d, d
    if not isinstance(m, MjModel) or not isinstance(d, MjData):
        checked_pair("mj_fullM", m, d)
    is_fit = isinstance(dst, np.ndarray) and dst.dtype == np.float64 and dst.flags.writeable
    if not is_fit:
        raise TypeError(
            "mj_fullM(): incompatible function arguments: dst must be an array of reals"
        )
    check_shape("dst", dst, (m.nv, m.nv), "(nv, nv)")
    ready(m, d)
    dst[...] = d._native.full_M()


@function
def mj_mulM(m: MjModel, d: MjData, res: Array, vec: Array) -> None:
    """M times a vector."""
    check_size("res", res, m.nv, "nv")
    check_size("vec", vec, m.nv, "nv")
    ready(m, d)
    res[:] = d._native.mul_M(vec)


def _factor(m: MjModel, d: MjData) -> tuple[Array, Array]:
    """L, with ones on its diagonal, and D of M = L' D L."""
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    lower = np.zeros((m.nv, m.nv))
    lower[rows, m.M_colind] = d.qLD
    diagonal = lower.diagonal().copy()
    np.fill_diagonal(lower, 1.0)
    return lower, diagonal


@function
def mj_mulM2(m: MjModel, d: MjData, res: Array, vec: Array) -> None:
    """The square root of M, D^(1/2) L, times a vector."""
    check_size("res", res, m.nv, "nv")
    check_size("vec", vec, m.nv, "nv")
    ready(m, d)
    lower, diagonal = _factor(m, d)
    res[:] = np.sqrt(diagonal) * (lower @ vec)


@function
def mj_solveM(m: MjModel, d: MjData, x: Array, y: Array) -> None:
    """M^-1 times each row of an array."""
    _check_rows(m, x, y)
    ready(m, d)
    x[:] = d._native.solve_M(y)


@function
def mj_solveM2(m: MjModel, d: MjData, x: Array, y: Array, sqrtInvD: Array) -> None:
    """D^(-1/2) L'^-1 times each row of an array."""
    _check_rows(m, x, y)
    check_size("sqrtInvD", sqrtInvD, m.nv, "nv")
    ready(m, d)
    lower, _ = _factor(m, d)
    x[:] = solve_triangular(lower.T, y.T).T * sqrtInvD.reshape(-1)


def _check_rows(m: MjModel, x: Array, y: Array) -> None:
    if len(x) != len(y):
        raise TypeError("the first dimension of x and y should be of the same size")
    for name, array in (("x", x), ("y", y)):
        if array.ndim != 2 or array.shape[1] != m.nv:
            raise TypeError(f"the last dimension of {name} should be of size nv")


@function
def mj_addM(m: MjModel, d: MjData, dst: Array, rownnz: Array, rowadr: Array, colind: Array) -> None:
    """Add M to a matrix with the sparsity of M."""
    check_size("dst", dst, m.nM, "nM")
    check_size("rownnz", rownnz, m.nv, "nv")
    check_size("rowadr", rowadr, m.nv, "nv")
    check_size("colind", colind, m.nM, "nM")
    ready(m, d)
    own = (m.M_rownnz, m.M_rowadr, m.M_colind)
    given = (rownnz, rowadr, colind)
    if not all(np.array_equal(a, b) for a, b in zip(own, given, strict=True)):
        raise_absent("mj_addM for other patterns", "add d.M to a matrix with the pattern of M")
    dst += d.M


@function
def mj_rne(m: MjModel, d: MjData, flg_acc: int, result: Array) -> None:
    """Force that the present motion needs: without or with qacc."""
    if len(result) != m.nv:
        raise TypeError("result should have length nv")
    ready(m, d)
    result[:] = rne(d._native, accelerated=bool(flg_acc))


@function
def mj_applyFT(
    m: MjModel,
    d: MjData,
    force: Array,
    torque: Array,
    point: Array,
    body: int,
    qfrc_target: Array,
) -> None:
    """Add joint forces of a force and a torque on a body at a point."""
    check_size("qfrc_target", qfrc_target, m.nv, "nv")
    ready(m, d)
    qfrc_target += d._native.apply_ft(force, torque, point, body)


def _moving_object(name: str, m: MjModel, objtype: int, objid: int) -> str:
    """The word for a type of object that moves; errors for others."""
    if objtype not in MOVING:
        raise FatalError(f"{name}: invalid object type {objtype}")
    word, size = MOVING[objtype]
    check_index(word, objid, getattr(m, size))
    return word


@function
def mj_objectVelocity(
    m: MjModel, d: MjData, objtype: int, objid: int, res: Array, flg_local: int
) -> None:
    """Angular and linear velocity of an object, in its own axes if flg_local."""
    word = _moving_object("mj_objectVelocity", m, objtype, objid)
    ready(m, d)
    res[:] = d._native.object_velocity(word, objid, local=bool(flg_local))


@function
def mj_objectAcceleration(
    m: MjModel, d: MjData, objtype: int, objid: int, res: Array, flg_local: int
) -> None:
    """Angular and linear acceleration of an object, in its own axes if flg_local."""
    word = _moving_object("mj_objectAcceleration", m, objtype, objid)
    ready(m, d)
    res[:] = d._native.object_acceleration(word, objid, local=bool(flg_local))


@function
def mj_differentiatePos(m: MjModel, qvel: Array, dt: float, qpos1: Array, qpos2: Array) -> None:
    """The velocity that leads from one position to another in a time."""
    check_size("qvel", qvel, m.nv, "nv")
    check_size("qpos1", qpos1, m.nq, "nq")
    check_size("qpos2", qpos2, m.nq, "nq")
    qvel[:] = m._native.differentiate_pos(qpos1, qpos2, dt)


@function
def mj_integratePos(m: MjModel, qpos: Array, qvel: Array, dt: float) -> None:
    """Move positions by velocities for a time."""
    check_size("qpos", qpos, m.nq, "nq")
    check_size("qvel", qvel, m.nv, "nv")
    qpos[:] = m._native.integrate_pos(qpos, qvel, dt)


#: number of positions of a joint before its quaternion, for those that have one
QUATERNION_START = {0: 3, 1: 0}
#: shorter quaternions count as zero
MIN_LENGTH = 1e-15


@function
def mj_normalizeQuat(m: MjModel, qpos: Array) -> None:
    """Normalize all quaternions in positions."""
    check_size("qpos", qpos, m.nq, "nq")
    for kind, start in zip(m.jnt_type.tolist(), m.jnt_qposadr.tolist(), strict=True):
        if kind in QUATERNION_START:
            first = start + QUATERNION_START[kind]
            normalize(qpos[first : first + 4])


def normalize(quat: Array) -> None:
    """Normalize a quaternion in place; a zero becomes the identity. Bits of unit ones are kept."""
    length = float(np.sqrt(quat @ quat))
    if length < MIN_LENGTH:
        quat[:] = (1.0, 0.0, 0.0, 0.0)
    elif abs(length - 1.0) > MIN_LENGTH:
        quat /= length


@function
def mj_local2Global(
    d: MjData,
    xpos: Array,
    xmat: Array,
    pos: Array,
    quat: Array,
    body: int,
    sameframe: int,
) -> None:
    """Pose in the world of a pose in the frame of a body."""
    check_index("body", body, d.model.nbody)
    same = SAME_FRAME(sameframe).name.removeprefix("mjSAMEFRAME_")
    if same in ("BODY", "INERTIA"):
        xpos[:] = (d.xpos if same == "BODY" else d.xipos)[body]
    else:
        xpos[:] = d.xpos[body] + d.xmat[body].reshape(3, 3) @ pos
    if same == "NONE":
        xmat[:] = rotation_matrices(quat_products(d.xquat[body], quat)).reshape(-1)
    else:
        xmat[:] = (d.xmat if same.startswith("BODY") else d.ximat)[body]


@function
def mj_isPyramidal(m: MjModel) -> int:
    """1 if friction cones are pyramids."""
    return int(m.opt.cone == ENUMS["mjtCone"]["mjCONE_PYRAMIDAL"])


@function
def mj_isSparse(m: MjModel) -> int:
    """1 if matrices of constraints are sparse."""
    return int(jacobian_is_sparse(m._native))


@function
def mj_isDual(m: MjModel) -> int:
    """1 if the solver works on forces."""
    is_pgs = m.opt.solver == ENUMS["mjtSolver"]["mjSOL_PGS"]
    return int(is_pgs or m.opt.noslip_iterations > 0)


@function
def mj_getTotalmass(m: MjModel) -> float:
    """The mass of all bodies."""
    return float(m.body_mass.sum())


@function
def mj_setTotalmass(m: MjModel, newmass: float) -> None:
    """Scale masses and inertias of all bodies."""
    scale = max(MIN_LENGTH, newmass / max(MIN_LENGTH, float(m.body_mass.sum())))
    m.body_mass *= scale
    m.body_inertia *= scale
