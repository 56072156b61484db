"""Partial derivative by position of joint springs.

    f = -(k1 + k2 |x| + k3 |x|^2) x
    df/dq = -(k1 + k2 |x| + k3 |x|^2) dx/dq - (k2 + 2 k3 |x|) (x . dx/dq) / |x| x

for three dofs; for slides and hinges, x in place of |x|.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.polynomial import polynomial, polynomial_slope
from cortenforge.math.rotation import rotation_vector_rate
from cortenforge.math.vector import MINVAL, dot, norm
from cortenforge.step.constants import BALL, FREE, NO_SPRING
from cortenforge.step.velocity.passive import ball_shift, free_shift, scalar_shift


@kernel
def spring_slopes(m, d):
    """R -= d qfrc_spring / dq, of joints."""
    if m.opt_disableflags & NO_SPRING == 0:
        for j in range(m.njnt):
            k1 = m.jnt_stiffness[j]
            k2, k3 = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
            if k1 != 0.0 or k2 != 0.0 or k3 != 0.0:
                add_joint(m, d, j, k1, k2, k3)


@kernel
def add_joint(m, d, j: int, k1, k2, k3):
    """The same for the spring of one joint."""
    dof = m.jnt_dofadr[j]
    if m.jnt_type[j] == FREE:
        displacement, rotation = free_shift(m, d, j)
        for k in range(3):
            add_pull(d, dof, dof + k, displacement, unit_along(k), k1, k2, k3)
            change = rotation_vector_rate(rotation, unit_along(k))
            add_pull(d, dof + 3, dof + 3 + k, rotation, change, k1, k2, k3)
    elif m.jnt_type[j] == BALL:
        rotation = ball_shift(m, d, j)
        for k in range(3):
            change = rotation_vector_rate(rotation, unit_along(k))
            add_pull(d, dof, dof + k, rotation, change, k1, k2, k3)
    else:
        x = scalar_shift(m, d, j)
        d.R[dof * d.ncol + dof] += polynomial_slope(k1, k2, k3, x)


@kernel
def unit_along(k: int):
    """Unit vector along x, y or z."""
    x = 1.0 if k == 0 else 0.0
    y = 1.0 if k == 1 else 0.0
    z = 1.0 if k == 2 else 0.0
    return vec3(x, y, z)


@kernel
def add_pull(d, row: int, column: int, displacement, change, k1, k2, k3):
    """Column of R for a spring of three dofs, while its displacement changes."""
    length = norm(displacement)
    growth = 0.0
    if length > MINVAL:
        growth = (k2 + 2.0 * k3 * length) * dot(displacement, change) / length
    pull = change * polynomial(k1, k2, k3, length) + displacement * growth
    d.R[row * d.ncol + column] += pull.x
    d.R[(row + 1) * d.ncol + column] += pull.y
    d.R[(row + 2) * d.ncol + column] += pull.z
