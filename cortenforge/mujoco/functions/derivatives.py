"""Derivatives: of a step, of inverse dynamics, and of operations on quaternions."""

from __future__ import annotations

import numpy as np

from cortenforge.derive import DerivativeConfig
from cortenforge.model import Data
from cortenforge.model.internals import run_stage
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError, raise_absent
from cortenforge.mujoco.functions.pipeline import ready
from cortenforge.mujoco.functions.sizes import check_shape, check_size, give
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function
from cortenforge.quaternions import quat_products, rotation_vectors

Array = np.ndarray
#: angles below this are zero; below that, terms of second order are their limits
MIN_ANGLE = 1e-15
SERIES_ANGLE = 1e-8


def _refuse_rk4(name: str, m: MjModel) -> None:
    if m.opt.integrator == ENUMS["mjtIntegrator"]["mjINT_RK4"]:
        raise FatalError(
            f"{name}: RK4 integrator is not supported; Data.transition_derivatives supports it"
        )


@function
def mjd_transitionFD(
    m: MjModel,
    d: MjData,
    eps: float,
    flg_centered: bool,
    A: Array | None,
    B: Array | None,
    C: Array | None,
    D: Array | None,
) -> None:
    """Jacobians of the next state and of sensors by state and controls, by finite differences."""
    states = 2 * m.nv + m.na
    for name, array, shape, what in (
        ("A", A, (states, states), "(2*nv+na, 2*nv+na)"),
        ("B", B, (states, m.nu), "(2*nv+na, nu)"),
        ("C", C, (m.nsensordata, states), "(nsensordata, 2*nv+na)"),
        ("D", D, (m.nsensordata, m.nu), "(nsensordata, nu)"),
    ):
        check_shape(name, array, shape, what)
    _refuse_rk4("mjd_transitionFD", m)
    ready(m, d)
    sensors = C is not None or D is not None
    config = DerivativeConfig(eps=eps, centered=flg_centered, method="fd", sensors=sensors)
    found = d._native.transition_derivatives(config)
    for target, values in ((A, found.A), (B, found.B), (C, found.C), (D, found.D)):
        if target is not None and values is not None:
            target[:] = values


@function
def mjd_inverseFD(
    m: MjModel,
    d: MjData,
    eps: float,
    flg_actuation: bool,
    DfDq: Array | None,
    DfDv: Array | None,
    DfDa: Array | None,
    DsDq: Array | None,
    DsDv: Array | None,
    DsDa: Array | None,
    DmDq: Array | None,
) -> None:
    """Transposed Jacobians of inverse dynamics and of sensors, by forward differences."""
    square, readings = (m.nv, m.nv), (m.nv, m.nsensordata)
    for name, array, shape, what in (
        *((n, a, square, "(nv, nv)") for n, a in (("DfDq", DfDq), ("DfDv", DfDv), ("DfDa", DfDa))),
        *(
            (n, a, readings, "(nv, nsensordata)")
            for n, a in (("DsDq", DsDq), ("DsDv", DsDv), ("DsDa", DsDa))
        ),
        ("DmDq", DmDq, (m.nv, m.nC), "(nv, nC)"),
    ):
        check_shape(name, array, shape, what)
    if flg_actuation:
        raise_absent("mjd_inverseFD with flg_actuation", "subtract d.qfrc_actuator yourself")
    _refuse_rk4("mjd_inverseFD", m)
    if m.opt.noslip_iterations > 0:
        raise FatalError("mjd_inverseFD: noslip solver is not supported")
    ready(m, d)
    sensors = any(array is not None for array in (DsDq, DsDv, DsDa))
    config = DerivativeConfig(eps=eps, centered=False, method="fd", sensors=sensors)
    found = d._native.inverse_derivatives(config)
    for target, values in (
        (DfDq, found.dq),
        (DfDv, found.dv),
        (DfDa, found.da),
        (DsDq, found.ds_dq),
        (DsDv, found.ds_dv),
        (DsDa, found.ds_da),
    ):
        if target is not None and values is not None:
            target[:] = values.T
    if DmDq is not None:
        DmDq[:] = _inertia_differences(m, d, eps)


def _inertia_differences(m: MjModel, d: MjData, eps: float) -> Array:
    """Derivatives of M by positions, a row for each dof, by forward differences."""
    world = d._native.copy()
    rows = np.zeros((m.nv, m.nC))
    here = _inertia_at(world, d.qpos)
    for dof in range(m.nv):
        change = np.zeros(m.nv)
        change[dof] = 1.0
        there = _inertia_at(world, m._native.integrate_pos(d.qpos, change, eps))
        rows[dof] = (there - here) / eps
    return rows


def _inertia_at(world: Data, qpos: Array) -> Array:
    """M of a world at some positions."""
    world.qpos[:] = qpos
    for stage in ("mj_fwdKinematics", "mj_makeM"):
        run_stage(world, stage)
    return np.array(world.M)


def _cross_matrix(v: Array) -> Array:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


@function
def mjd_subQuat(qa: Array, qb: Array, Da: Array | None, Db: Array | None) -> None:
    """Derivatives of the difference of two quaternions by both, in tangent spaces.

    The difference is the rotation vector w from qb to qa, of angle a. With its half-angle term
    h = (1 - (a / 2) / tan(a / 2)) / a^2 and K = [w]x, the inverse right Jacobian of rotations is
    1 + K / 2 + h K^2 (Sola, Deray and Atchuthan: A micro Lie theory, 2018); Db is minus its
    transpose.
    """
    for name, quat in (("qa", qa), ("qb", qb)):
        if len(quat) != 4:
            raise TypeError(f"{name} should have length 4")
    check_size("Da", Da, 9, "9")
    check_size("Db", Db, 9, "9")
    inverse = np.array([qb[0], -qb[1], -qb[2], -qb[3]])
    vector = rotation_vectors(quat_products(inverse, qa))
    angle = float(np.sqrt(vector @ vector))
    matrix = _cross_matrix(vector)
    jacobian = np.eye(3)
    if angle >= MIN_ANGLE:
        half = 0.5 * angle
        # the term of second order tends to 1 / 12
        term = (1.0 - half / np.tan(half)) / angle**2 if angle > SERIES_ANGLE else 1.0 / 12.0
        jacobian += 0.5 * matrix + term * matrix @ matrix
    give(Da, jacobian)
    give(Db, -jacobian.T)


@function
def mjd_quatIntegrate(vel: Array, scale: float, Dquat: Array, Dvel: Array, Dscale: Array) -> None:
    """Derivatives of the integration of a quaternion, in tangent spaces.

    By the quaternion, by the rotation vector w = vel scale, and by the scale.
    """
    vector = vel * scale
    angle = float(np.sqrt(vector @ vector))
    matrix = _cross_matrix(vector)
    if angle < SERIES_ANGLE:
        sine, cosine = 0.5, 1.0 / 6.0
        first = 1.0 - angle**2 / 6.0
    else:
        sine = (1.0 - np.cos(angle)) / angle**2
        cosine = (angle - np.sin(angle)) / angle**3
        first = np.sin(angle) / angle
    rotation = np.eye(3) - first * matrix + sine * matrix @ matrix
    right = np.eye(3) - sine * matrix + cosine * matrix @ matrix
    Dquat[:] = rotation.reshape(-1)
    Dvel[:] = right.reshape(-1)
    Dscale[:] = right @ vel
