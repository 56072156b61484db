"""The metric of the integrator `discrete`, in which constraints are solved.

    Mhat = M + h D + h^2 K,   Mhat a = f - h K v + J' f_c,   a = (v+ - v) / h

    D = -df/dv, K = -df/dq of smooth forces, each term clamped to >= 0 so that Mhat is positive
    dof:                  Mhat_ii += h d_i + h^2 k_i
    tendon, transmission: Mhat += (h d + h^2 k) j' j

Terms of one dof, and fluid drag, fit the pattern of M. Tendons and transmissions of several dofs
are couplings (`coupling`). Source: MuJoCo: Computation, "Numerical integration", "Integrators",
"discrete"; docs/integrators.md.
Theory: docs/theory/integration.md.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, zero_like
from cortenforge.math.ldl import ldl_factor
from cortenforge.step.actuation.activation import actuator_disabled
from cortenforge.step.armature_and_damping import (
    dof_damping_derivative,
    dof_damping_magnitude,
    tendon_damping_derivative,
)
from cortenforge.step.constants import (
    BIAS_AFFINE,
    BIAS_DCMOTOR,
    GAIN_AFFINE,
    GAIN_HILL,
    GAIN_SO3,
    NO_ACTUATION,
    NO_DAMPER,
    NO_SPRING,
    PGS,
    WITH_SLEEP,
)
from cortenforge.step.derivative.actuator_dlength import actuator_dforce_dlength
from cortenforge.step.derivative.actuator_dvel import actuator_dforce_dvel
from cortenforge.step.derivative.fluid_dvel import add_fluid_dvel
from cortenforge.step.derivative.spring_stiffness import (
    joint_spring_stiffness,
    tendon_spring_stiffness,
)


@kernel(lanes=True, unit=True)
def make_metric(m, d):
    """All terms of the metric, the force shift efm_c = -h K v, and the L'DL factor qH.

    PGS has no couplings, so forces of tendons and actuators stay explicit with it.
    Mirrors mj_effShift and mj_effActuation.
    """
    joint_metric_terms(m, d)
    for t in range(m.ntendon):
        tendon_metric_terms(m, d, t)
    for a in range(m.nactuator):
        actuator_metric_terms(m, d, a)
    drag_metric_terms(m, d)
    assemble_metric(m, d)
    ldl_factor(m, d.qH, d.qHDiagInv)


@kernel(lanes=True)
def joint_metric_terms(m, d):
    """Springs and dampers of joints: efm_ck = h K, efm_diag = h D + h^2 K, both clamped at 0."""
    h = m.opt_timestep
    joint_spring_stiffness(m, d)
    for i in range(m.nv):
        d.efm_ck[i] = max(0.0, d.efm_ck[i])
        damping = zero_like(d.time)
        if m.opt_disableflags & NO_DAMPER == 0:
            damping = max(0.0, dof_damping_derivative(m, d, i))
        d.efm_diag[i] = h * damping + h * d.efm_ck[i]
        d.efm_c[i] = -d.efm_ck[i] * d.qvel[i]


@kernel(lanes=True)
def tendon_metric_terms(m, d, t: int):
    """ten_metric = h^2 k + h d of one tendon; efm_c -= h k ten_velocity J'."""
    h = m.opt_timestep
    stiffness, damping = zero_like(d.time), zero_like(d.time)
    if m.opt_solver != PGS:
        if m.opt_disableflags & NO_SPRING == 0:
            x, slope = tendon_spring_stiffness(m, d, t)
            stiffness = select(x != 0.0, max(0.0, slope), 0.0)
        if m.opt_disableflags & NO_DAMPER == 0:
            damping = max(0.0, tendon_damping_derivative(m, d, t))
        if m.opt_enableflags & WITH_SLEEP != 0:
            stiffness = select(d.ten_asleep[t] != 0, 0.0, stiffness)
            damping = select(d.ten_asleep[t] != 0, 0.0, damping)
    d.ten_metric[t] = h * h * stiffness + h * damping
    force = h * stiffness * d.ten_velocity[t]
    for at in range(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]):
        d.efm_c[m.ten_J_colind[at]] -= force * d.ten_J[at]


@kernel(lanes=True)
def actuator_metric_terms(m, d, a: int):
    """out_metric = h^2 k + h d of one actuator's outputs; efm_c -= h k velocity moment."""
    h = m.opt_timestep
    stiffness, damping = zero_like(d.time), zero_like(d.time)
    if is_actuator_in_metric(m, a) and not actuator_disabled(m, a):
        damping = max(0.0, -actuator_dforce_dvel(m, d, a))
        stiffness = max(0.0, -actuator_dforce_dlength(m, d, a))
    for out in range(m.actuator_outadr[a], m.actuator_outadr[a] + m.actuator_outnum[a]):
        d.out_metric[out] = h * h * stiffness + h * damping
        force = h * stiffness * d.actuator_velocity[out]
        for at in range(m.moment_rowadr[out], m.moment_rowadr[out] + m.moment_rownnz[out]):
            d.efm_c[m.moment_colind[at]] -= force * d.actuator_moment[at]


@kernel(lanes=True)
def is_actuator_in_metric(m, a: int):
    """Whether an actuator's force depends on its own length or velocity.

    Mirrors mj_effActuatorPossible.
    """
    gain, bias = m.actuator_gaintype[a], m.actuator_biastype[a]
    by_gain = (gain >= GAIN_AFFINE and gain <= GAIN_SO3) or gain == GAIN_HILL
    by_bias = bias >= BIAS_AFFINE and bias <= BIAS_DCMOTOR
    counted = m.opt_solver != PGS and m.opt_disableflags & NO_ACTUATION == 0
    return counted and (by_gain or by_bias)


@kernel(lanes=True)
def drag_metric_terms(m, d):
    """Derivative of fluid forces by velocity, left in qDeriv."""
    for k in range(m.nD):
        d.qDeriv[k] = 0.0
    if is_fluid_enabled(m) and any_lane(m.opt_density > 0.0 or m.opt_viscosity > 0.0):
        add_fluid_dvel(m, d, 0)


@kernel(lanes=True)
def is_fluid_enabled(m):
    """Whether fluid forces are enabled: not if springs and dampers are both off."""
    off = m.opt_disableflags
    return off & NO_SPRING == 0 or off & NO_DAMPER == 0


@kernel(lanes=True)
def assemble_metric(m, d):
    """metric: M and all terms that fit its pattern. qH: the same, plus diagonals of couplings.

    efm_sdiag is what this adds to the diagonal of M.
    """
    h = m.opt_timestep
    for k in range(m.nC):
        d.metric[k] = d.M[k] - h * d.qDeriv[m.mapD2M[k]]
    for k in range(m.nD):
        # it was lent: a step by this integrator has no such derivative
        d.qDeriv[k] = 0.0
    for i in range(m.nv):
        d.metric[m.M_rowadr[i] + m.M_rownnz[i] - 1] += d.efm_diag[i]
    for t in range(m.ntendon):
        if m.ten_J_rownnz[t] == 1:
            at = m.ten_J_rowadr[t]
            add_to_diagonal(m, d.metric, m.ten_J_colind[at], d.ten_metric[t], d.ten_J[at])
    for out in range(m.nout):
        if m.moment_rownnz[out] == 1:
            at = m.moment_rowadr[out]
            add_to_diagonal(
                m, d.metric, m.moment_colind[at], d.out_metric[out], d.actuator_moment[at]
            )
    for k in range(m.nC):
        d.qH[k] = d.metric[k]
    add_coupling_diagonals(m, d)
    for i in range(m.nv):
        last = m.M_rowadr[i] + m.M_rownnz[i] - 1
        d.efm_sdiag[i] = d.qH[last] - d.M[last]


@kernel(lanes=True)
def add_coupling_diagonals(m, d):
    """Add diagonals of couplings, weight * j_i^2, to qH."""
    for t in range(m.ntendon):
        start = m.ten_J_rowadr[t]
        if m.ten_J_rownnz[t] > 1:
            for at in range(start, start + m.ten_J_rownnz[t]):
                add_to_diagonal(m, d.qH, m.ten_J_colind[at], d.ten_metric[t], d.ten_J[at])
    for out in range(m.nout):
        start = m.moment_rowadr[out]
        if m.moment_rownnz[out] > 1:
            for at in range(start, start + m.moment_rownnz[out]):
                weight = d.out_metric[out]
                add_to_diagonal(m, d.qH, m.moment_colind[at], weight, d.actuator_moment[at])


@kernel(lanes=True)
def add_to_diagonal(m, matrix, i: int, weight, j):
    """matrix_ii += weight j^2."""
    matrix[m.M_rowadr[i] + m.M_rownnz[i] - 1] += weight * j * j


@kernel(lanes=True)
def has_metric_terms(m, d):
    """Whether the metric may differ from M.  Mirrors mj_effBuild."""
    largest = zero_like(d.time)
    for i in range(m.nv):
        largest = max(largest, d.efm_ck[i])
        if m.opt_disableflags & NO_DAMPER == 0:
            largest = max(largest, dof_damping_magnitude(m, i))
    for t in range(m.ntendon):
        largest = max(largest, tendon_spring_damper_size(m, t))
    for a in range(m.nactuator):
        if is_actuator_in_metric(m, a):
            largest = max(largest, 1.0)
    if is_fluid_enabled(m):
        largest = select(m.opt_density > 0.0 or m.opt_viscosity > 0.0, 1.0, largest)
    return largest > 0.0


@kernel(lanes=True)
def tendon_spring_damper_size(m, t: int):
    """Nonzero if a tendon has a spring or damper that enters the metric."""
    size = 0.0
    if m.opt_solver != PGS:
        if m.opt_disableflags & NO_SPRING == 0:
            size = abs(m.tendon_stiffness[t]) + abs(m.tendon_stiffnesspoly[t, 0])
            size += abs(m.tendon_stiffnesspoly[t, 1])
        if m.opt_disableflags & NO_DAMPER == 0:
            size += abs(m.tendon_damping[t]) + abs(m.tendon_dampingpoly[t, 0])
            size += abs(m.tendon_dampingpoly[t, 1])
            if m.tendon_actuatorid[t] != -1:
                size += 1.0
    return size
