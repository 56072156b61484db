"""Partial derivative by position of joint springs.

    f = -(k1 + k2 |x| + k3 |x|^2) x
    df/dq = -(k1 + k2 |x| + k3 |x|^2) dx/dq - (k2 + 2 k3 |x|) (x . dx/dq) / |x| x

for three dofs; for slides and hinges, x in place of |x|.

Source: MuJoCo: Computation, "Polynomial forces"; docs/derivatives.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.polynomial import polynomial_coefficient, polynomial_derivative
from cortenforge.math.rotation import rotation_vector_rate
from cortenforge.math.vector import MINVAL, dot, norm
from cortenforge.step.constants import BALL, FREE, NO_SPRING
from cortenforge.step.velocity.passive import (
    ball_spring_displacement,
    free_spring_displacement,
    scalar_spring_displacement,
)


@kernel
def subtract_joint_spring_dpos(m, d):
    """R -= d qfrc_spring / dq, of joints."""
    if m.opt_disableflags & NO_SPRING == 0:
        for j in range(m.njnt):
            k1 = m.jnt_stiffness[j]
            k2, k3 = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
            if k1 != 0.0 or k2 != 0.0 or k3 != 0.0:
                subtract_one_spring_dpos(m, d, j, k1, k2, k3)


@kernel
def subtract_one_spring_dpos(m, d, j: int, k1, k2, k3):
    """The same for the spring of one joint."""
    dof = m.jnt_dofadr[j]
    if m.jnt_type[j] == FREE:
        displacement, rotation = free_spring_displacement(m, d, j)
        for k in range(3):
            add_three_dof_stiffness(d, dof, dof + k, displacement, basis_vector(k), k1, k2, k3)
            change = rotation_vector_rate(rotation, basis_vector(k))
            add_three_dof_stiffness(d, dof + 3, dof + 3 + k, rotation, change, k1, k2, k3)
    elif m.jnt_type[j] == BALL:
        rotation = ball_spring_displacement(m, d, j)
        for k in range(3):
            change = rotation_vector_rate(rotation, basis_vector(k))
            add_three_dof_stiffness(d, dof, dof + k, rotation, change, k1, k2, k3)
    else:
        x = scalar_spring_displacement(m, d, j)
        d.R[dof * d.ncol + dof] += polynomial_derivative(k1, k2, k3, x)


@kernel
def basis_vector(k: int):
    """Unit vector along x, y or z."""
    x = 1.0 if k == 0 else 0.0
    y = 1.0 if k == 1 else 0.0
    z = 1.0 if k == 2 else 0.0
    return vec3(x, y, z)


@kernel
def add_three_dof_stiffness(d, row: int, column: int, displacement, change, k1, k2, k3):
    """Column of R for a spring of three dofs, while its displacement changes."""
    length = norm(displacement)
    growth = 0.0
    if length > MINVAL:
        growth = (k2 + 2.0 * k3 * length) * dot(displacement, change) / length
    pull = change * polynomial_coefficient(k1, k2, k3, length) + displacement * growth
    d.R[row * d.ncol + column] += pull.x
    d.R[(row + 1) * d.ncol + column] += pull.y
    d.R[(row + 2) * d.ncol + column] += pull.z
