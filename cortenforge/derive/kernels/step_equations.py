"""Linearised equations of a step: assembled, and solved for A and B.

A step finds qacc and the acceleration s with which it integrates, such that

    r(q, v, act, u, qacc) = M qacc - forces = 0,      p = T s - M qacc = 0

T is the integrator's matrix: M, M + h D, M - h qDeriv, ... With H = dr/dqacc = M + J' C J and the
columns R = dr/dx and P = dp/dx at fixed accelerations, for x = (q, v, act, ctrl):

    dqacc/dx = -H^-1 R,     ds/dx = -T^-1 (P + M H^-1 R)
    v' = v + h s,           q' = q (+) h v'      (in the tangent space of positions)

A = d(q', v', act') / d(q, v, act), B = d(q', v', act') / d ctrl. See docs/derivatives.md, method
"analytic".
Theory: docs/theory/derivatives.md.
"""

from __future__ import annotations

from cortenforge.derive.kernels.actuator_dinput import subtract_actuator_dinput
from cortenforge.derive.kernels.actuator_dpos import subtract_actuator_dpos
from cortenforge.derive.kernels.constraint_hessian import (
    add_constraint_hessian,
    list_constrained_dofs,
    subtract_constraint_differences,
)
from cortenforge.derive.kernels.dense_lu import (
    add_matrix_product,
    clear_array,
    factor_dense,
    scatter_symmetric,
    solve_dense,
)
from cortenforge.derive.kernels.fluid_dpos import subtract_fluid_dpos
from cortenforge.derive.kernels.rne_dpos import add_rne_dpos, restore_gravcomp_dpos
from cortenforge.derive.kernels.rotation_jacobians import (
    inverse_rotation_matrix,
    right_jacobian,
    step_rotation_vector,
)
from cortenforge.derive.kernels.spring_dpos import subtract_joint_spring_dpos
from cortenforge.derive.kernels.tendon_armature import (
    add_tendon_armature_dpos,
    add_tendon_armature_dvel,
)
from cortenforge.derive.kernels.tendon_dpos import subtract_tendon_dpos
from cortenforge.kernel import kernel, vec3
from cortenforge.step.actuation.activation import actuator_disabled
from cortenforge.step.armature_and_damping import (
    dof_damping_derivative,
    reflected_damping,
    tendon_damping_derivative,
)
from cortenforge.step.checks import check_acceleration, check_state
from cortenforge.step.constants import (
    BALL,
    EULER,
    FREE,
    IMPLICIT,
    IMPLICITFAST,
    NO_ACTUATION,
    NO_DAMPER,
    SPRINGDAMPER,
)
from cortenforge.step.derivative.actuator_dvel import actuator_dforce_dvel, joint_force_clamped
from cortenforge.step.derivative.free_body import is_free_body
from cortenforge.step.derivative.passive_dvel import add_passive_dvel
from cortenforge.step.derivative.rne_dvel import subtract_bias_dvel
from cortenforge.step.derivative.smooth_dvel import smooth_force_dvel
from cortenforge.step.derivative.sparsity import on_one_branch
from cortenforge.step.integrate.euler import has_implicit_damping
from cortenforge.step.integrate.implicit import (
    set_free_body_matrix,
    set_implicit_matrix,
    set_implicitfast_matrix,
)
from cortenforge.step.integrate.springdamper import set_spring_damper_matrix
from cortenforge.step.statuses import OK


@kernel(entry=True)
def assemble_step_equations(m, d, count: int):
    """Assemble the equations by all formulas; nothing is perturbed.

    count: sides of finite differences of constraint forces (0: none). Returns how many dofs are to
    be perturbed, or -1 if the state is one that a step refuses.
    """
    nv = m.nv
    check_state(m, d)
    check_acceleration(m, d)
    if d.status != OK:
        return -1
    clear_array(d.R, nv * d.ncol)
    clear_array(d.P, nv * d.ncol)
    clear_array(d.H, nv * nv)
    clear_array(d.V, nv * nv)
    clear_array(d.T, nv * nv)
    assemble_step_matrix(m, d)
    solve_step_acceleration(m, d)
    add_step_matrix_dvel(m, d)
    subtract_smooth_dvel(m, d, 1)
    scatter_symmetric(m, d.M, d.H, 1.0)
    if m.constraining != 0:
        add_constraint_hessian(m, d)
    for i in range(nv):
        for k in range(nv):
            d.R[i * d.ncol + nv + k] += d.V[i * nv + k]
    factor_dense(d.H, nv)
    if d.by_position != 0:
        add_position_columns(m, d)
    if d.by_input != 0:
        subtract_actuator_dinput(m, d)
    listed = 0
    if count > 0 and m.constraining != 0:
        listed = list_constrained_dofs(m, d, count)
    return listed


@kernel(entry=True)
def smooth_force_derivatives(m, d, count: int):
    """R = d(M qacc - smooth forces)/d(q, v) at qacc = 0: minus the derivative of smooth forces."""
    clear_array(d.R, m.nv * d.ncol)
    subtract_smooth_dvel(m, d, 1)
    if d.by_position != 0:
        for i in range(m.nv):
            d.x[i] = 0.0
        add_smooth_dpos(m, d, d.x, 1)
    return 0


@kernel(entry=True)
def inverse_force_derivatives(m, d, count: int):
    """R and H: derivative of inverse dynamics' force by (q, v), and by acceleration.

    Without constraints; applied forces must be zero, and actuators are left out.
    """
    clear_array(d.R, m.nv * d.ncol)
    clear_array(d.H, m.nv * m.nv)
    subtract_smooth_dvel(m, d, 0)
    add_smooth_dpos(m, d, d.qacc, 0)
    scatter_symmetric(m, d.M, d.H, 1.0)
    return 0


@kernel
def assemble_step_matrix(m, d):
    """T: the matrix of the integrator, dense."""
    if m.opt_integrator == IMPLICIT:
        set_implicit_matrix(m, d)
        scatter_rows(m, d, d.qLU, 0, m.nv)
    elif m.opt_integrator == IMPLICITFAST:
        set_implicitfast_matrix(m, d)
        scatter_symmetric(m, d.qH, d.T, 1.0)
        for j in range(m.njnt):
            b = m.jnt_bodyid[j]
            if is_free_body(m, b):
                set_free_body_matrix(m, d, b)
                first = m.jnt_dofadr[j]
                scatter_rows(m, d, d.free_LU, first, first + 6)
    elif m.opt_integrator == SPRINGDAMPER:
        set_spring_damper_matrix(m, d)
        scatter_symmetric(m, d.qH, d.T, 1.0)
    else:
        scatter_symmetric(m, d.M, d.T, 1.0)
        if has_implicit_damping(m):
            for i in range(m.nv):
                d.T[i * m.nv + i] += m.opt_timestep * dof_damping_derivative(m, d, i)


@kernel
def add_step_matrix_dvel(m, d):
    """P += dT/dv s, for damping of single dofs; and h K of implicit springs, by velocity."""
    damped = m.opt_disableflags & NO_DAMPER == 0
    if m.opt_integrator == EULER:
        damped = has_implicit_damping(m)
    for i in range(m.nv):
        at = i * d.ncol + m.nv + i
        if damped:
            d.P[at] = m.opt_timestep * damping_second_derivative(m, d, i) * d.moving[i]
        if m.opt_integrator == SPRINGDAMPER:
            d.P[at] += d.efm_ck[i]


@kernel
def damping_second_derivative(m, d, i: int):
    """Second derivative of a dof's damping force by velocity."""
    joint = m.dof_jntid[i]
    b2 = m.dof_dampingpoly[i, 0] + reflected_damping(m, joint, 2)
    b3 = m.dof_dampingpoly[i, 1] + reflected_damping(m, joint, 3)
    curvature = 2.0 * b2 + 6.0 * b3 * abs(d.qvel[i])
    return curvature if d.qvel[i] > 0.0 else -curvature


@kernel
def scatter_rows(m, d, matrix, first: int, end: int):
    """Write rows first to end - 1 of a matrix in pattern D into the dense T."""
    for i in range(first, end):
        for at in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
            d.T[i * m.nv + m.D_colind[at]] = matrix[at]


@kernel
def solve_step_acceleration(m, d):
    """s (`moving`), from T s = M qacc, less hK v if springs are implicit; factors T."""
    for i in range(m.nv):
        d.moving[i] = 0.0
        if m.opt_integrator == SPRINGDAMPER:
            d.moving[i] = -d.efm_ck[i] * d.qvel[i]
    add_matrix_product(m, d.M, d.moving, d.qacc, 1)
    factor_dense(d.T, m.nv)
    solve_dense(d.T, m.nv, d.moving, 1)


@kernel
def subtract_smooth_dvel(m, d, acting: int):
    """R -= d(smooth forces)/dv; acting: 1 with actuators."""
    if acting != 0:
        smooth_force_dvel(m, d, 1)
    else:
        clear_array(d.qDeriv, m.nD)
        add_passive_dvel(m, d, 1)
        subtract_bias_dvel(m, d)
    for i in range(m.nv):
        for at in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
            d.R[i * d.ncol + m.nv + m.D_colind[at]] -= d.qDeriv[at]
    add_tendon_armature_dvel(m, d)
    off = m.opt_disableflags
    if off & NO_DAMPER == 0:
        for i in range(m.ntendon):
            start = m.ten_J_rowadr[i]
            add_cross_tree_damping(
                m,
                d,
                start,
                m.ten_J_rownnz[i],
                m.ten_J_colind,
                d.ten_J,
                tendon_damping_derivative(m, d, i),
            )
    if acting != 0 and off & NO_ACTUATION == 0:
        for a in range(m.nactuator):
            if not actuator_disabled(m, a):
                slope = actuator_dforce_dvel(m, d, a)
                first = m.actuator_outadr[a]
                for out in range(first, first + m.actuator_outnum[a]):
                    add_cross_tree_output(m, d, out, slope)


@kernel
def add_cross_tree_output(m, d, out: int, slope):
    """Entries of R of an output across branches, and none of joints at their force limits."""
    start, count = m.moment_rowadr[out], m.moment_rownnz[out]
    add_cross_tree_damping(m, d, start, count, m.moment_colind, d.actuator_moment, -slope)
    if slope != 0.0:
        for j in range(start, start + count):
            dof = m.moment_colind[j]
            if joint_force_clamped(m, d, m.dof_jntid[dof]):
                for k in range(start, start + count):
                    at = dof * d.ncol + m.nv + m.moment_colind[k]
                    d.R[at] += slope * d.actuator_moment[j] * d.actuator_moment[k]


@kernel
def add_cross_tree_damping(m, d, start: int, count: int, columns, arms, damping):
    """R += damping J' J, for entries outside of pattern D."""
    if damping != 0.0:
        for j in range(start, start + count):
            for k in range(start, start + count):
                if not on_one_branch(m, columns[j], columns[k]):
                    at = columns[j] * d.ncol + m.nv + columns[k]
                    d.R[at] += damping * arms[j] * arms[k]


@kernel
def add_position_columns(m, d):
    """R += dr/dq and P += dp/dq, without constraints."""
    add_smooth_dpos(m, d, d.qacc, 1)
    differs = False
    for i in range(m.nv):
        d.x[i] = d.moving[i] - d.qacc[i]
        differs = differs or d.x[i] != 0.0
    if differs:
        add_rne_dpos(m, d, d.P, d.x, 0)
        add_tendon_armature_dpos(m, d, d.P, d.x, 0)


@kernel
def add_smooth_dpos(m, d, x, acting: int):
    """R += d(M x - smooth forces)/dq; acting: 1 with actuators."""
    add_rne_dpos(m, d, d.R, x, 1)
    add_tendon_armature_dpos(m, d, d.R, x, 1)
    restore_gravcomp_dpos(m, d, acting)
    subtract_fluid_dpos(m, d)
    subtract_joint_spring_dpos(m, d)
    subtract_tendon_dpos(m, d, acting)
    if acting != 0:
        subtract_actuator_dpos(m, d)


@kernel(entry=True)
def solve_step_equations(m, d, count: int):
    """Solve for accelerations, and write A and B.  count: number of perturbed dofs."""
    nv, ncol = m.nv, d.ncol
    if count > 0:
        subtract_constraint_differences(m, d, d.sides, count)
    solve_dense(d.H, nv, d.R, ncol)
    add_matrix_product(m, d.M, d.P, d.R, ncol)
    solve_dense(d.T, nv, d.P, ncol)
    write_velocity_rows(m, d)
    for j in range(m.njnt):
        dof = m.jnt_dofadr[j]
        if m.jnt_type[j] == FREE:
            for k in range(dof, dof + 3):
                write_scalar_row(m, d, k)
            write_rotation_rows(m, d, dof + 3)
        elif m.jnt_type[j] == BALL:
            write_rotation_rows(m, d, dof)
        else:
            write_scalar_row(m, d, dof)
    for j in range(m.na):
        for c in range(d.nx):
            d.A[(2 * nv + j) * d.nx + c] = d.act_slope[j * ncol + c]
        for c in range(m.nu):
            d.B[(2 * nv + j) * m.nu + c] = d.act_slope[j * ncol + d.nx + c]
    return 0


@kernel
def write_velocity_rows(m, d):
    """Rows of v' = v + h s."""
    nv, nx, h = m.nv, d.nx, m.opt_timestep
    for i in range(nv):
        at, row, inputs = i * d.ncol, (nv + i) * nx, (nv + i) * m.nu
        for c in range(nx):
            d.A[row + c] = -h * d.P[at + c]
        for c in range(m.nu):
            d.B[inputs + c] = -h * d.P[at + nx + c]
        d.A[row + nv + i] += 1.0


@kernel
def write_scalar_row(m, d, i: int):
    """Row of a scalar position: q' = q + h v'."""
    nx, h = d.nx, m.opt_timestep
    from_row = (m.nv + i) * nx
    for c in range(nx):
        d.A[i * nx + c] = h * d.A[from_row + c]
    for c in range(m.nu):
        d.B[i * m.nu + c] = h * d.B[(m.nv + i) * m.nu + c]
    d.A[i * nx + i] += 1.0


@kernel
def write_rotation_rows(m, d, dof: int):
    """Rows of an orientation: q' = q exp(h v'), in the tangent space after the step."""
    nv, nx, nu, h = m.nv, d.nx, m.nu, m.opt_timestep
    rotation = step_rotation_vector(d, dof, h)
    jacobian, rotated_back = right_jacobian(rotation), inverse_rotation_matrix(rotation)
    for c in range(nx):
        at = (nv + dof) * nx + c
        change = jacobian @ vec3(d.A[at] * h, d.A[at + nx] * h, d.A[at + 2 * nx] * h)
        write_three_entries(d.A, dof * nx + c, nx, change)
    for c in range(nu):
        at = (nv + dof) * nu + c
        change = jacobian @ vec3(d.B[at] * h, d.B[at + nu] * h, d.B[at + 2 * nu] * h)
        write_three_entries(d.B, dof * nu + c, nu, change)
    at = dof * nx + dof
    d.A[at] += rotated_back.xx
    d.A[at + 1] += rotated_back.xy
    d.A[at + 2] += rotated_back.xz
    d.A[at + nx] += rotated_back.yx
    d.A[at + nx + 1] += rotated_back.yy
    d.A[at + nx + 2] += rotated_back.yz
    d.A[at + 2 * nx] += rotated_back.zx
    d.A[at + 2 * nx + 1] += rotated_back.zy
    d.A[at + 2 * nx + 2] += rotated_back.zz


@kernel
def write_three_entries(out, at: int, stride: int, v):
    """Write three entries of a column."""
    out[at] = v.x
    out[at + stride] = v.y
    out[at + 2 * stride] = v.z
