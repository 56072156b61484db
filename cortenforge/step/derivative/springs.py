"""Stiffness of springs: partial derivative of spring forces by position.

    -df/dx = k1 + 2 k2 x + 3 k3 x^2,     efm_ck = h times this, per dof

Source: docs/integrators.md; MuJoCo: Computation, "Polynomial forces".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.polynomial import polynomial_slope
from cortenforge.math.vector import norm
from cortenforge.step.constants import BALL, FREE, NO_SPRING
from cortenforge.step.velocity.passive import ball_shift, free_shift, scalar_shift
from cortenforge.step.velocity.tendons import tendon_shift


@kernel(lanes=True, unit=True)
def spring_slopes(m, d):
    """efm_ck = h times the stiffness of each dof's joint spring.

    A spring of three dofs is taken as equally stiff in all directions: as along its displacement.
    """
    h = m.opt_timestep
    for i in range(m.nv):
        d.efm_ck[i] = 0.0
    if m.opt_disableflags & NO_SPRING == 0:
        for j in range(m.njnt):
            dof, kind = m.jnt_dofadr[j], m.jnt_type[j]
            if kind == FREE:
                displacement, rotation = free_shift(m, d, j)
                put_three(d, dof, h * joint_slope(m, j, norm(displacement)))
                put_three(d, dof + 3, h * joint_slope(m, j, norm(rotation)))
            elif kind == BALL:
                put_three(d, dof, h * joint_slope(m, j, norm(ball_shift(m, d, j))))
            else:
                d.efm_ck[dof] = h * joint_slope(m, j, scalar_shift(m, d, j))


@kernel(lanes=True)
def put_three(d, dof: int, value):
    """Write the same value to efm_ck of three dofs."""
    d.efm_ck[dof] = value
    d.efm_ck[dof + 1] = value
    d.efm_ck[dof + 2] = value


@kernel(lanes=True)
def joint_slope(m, j: int, x):
    """Stiffness of a joint's spring at displacement x."""
    k2, k3 = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
    return polynomial_slope(m.jnt_stiffness[j], k2, k3, x)


@kernel(lanes=True)
def tendon_stiffness(m, d, i: int):
    """(displacement, stiffness) of a tendon's spring; no stiffness within the rest interval."""
    x = tendon_shift(m, d, i)
    k2, k3 = m.tendon_stiffnesspoly[i, 0], m.tendon_stiffnesspoly[i, 1]
    return x, polynomial_slope(m.tendon_stiffness[i], k2, k3, x)
