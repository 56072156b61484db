"""Stiffness of springs: partial derivative of spring forces by position.

    -df/dx = k1 + 2 k2 x + 3 k3 x^2,     efm_ck = h times this, per dof

Source: docs/integrators.md; MuJoCo: Computation, "Polynomial forces".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.polynomial import polynomial_derivative
from cortenforge.math.vector import norm
from cortenforge.step.constants import BALL, FREE, NO_SPRING
from cortenforge.step.velocity.passive import (
    ball_spring_displacement,
    free_spring_displacement,
    scalar_spring_displacement,
)
from cortenforge.step.velocity.tendons import tendon_spring_displacement


@kernel(lanes=True, unit=True)
def joint_spring_stiffness(m, d):
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
                displacement, rotation = free_spring_displacement(m, d, j)
                set_three_dofs(d, dof, h * spring_stiffness_at(m, j, norm(displacement)))
                set_three_dofs(d, dof + 3, h * spring_stiffness_at(m, j, norm(rotation)))
            elif kind == BALL:
                set_three_dofs(
                    d, dof, h * spring_stiffness_at(m, j, norm(ball_spring_displacement(m, d, j)))
                )
            else:
                d.efm_ck[dof] = h * spring_stiffness_at(m, j, scalar_spring_displacement(m, d, j))


@kernel(lanes=True)
def set_three_dofs(d, dof: int, value):
    """Write the same value to efm_ck of three dofs."""
    d.efm_ck[dof] = value
    d.efm_ck[dof + 1] = value
    d.efm_ck[dof + 2] = value


@kernel(lanes=True)
def spring_stiffness_at(m, j: int, x):
    """Stiffness of a joint's spring at displacement x."""
    k2, k3 = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
    return polynomial_derivative(m.jnt_stiffness[j], k2, k3, x)


@kernel(lanes=True)
def tendon_spring_stiffness(m, d, i: int):
    """(displacement, stiffness) of a tendon's spring; no stiffness within the rest interval."""
    x = tendon_spring_displacement(m, d, i)
    k2, k3 = m.tendon_stiffnesspoly[i, 0], m.tendon_stiffnesspoly[i, 1]
    return x, polynomial_derivative(m.tendon_stiffness[i], k2, k3, x)
