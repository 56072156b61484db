"""How forces of springs change with positions."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.polynomial import polynomial_slope
from cortenforge.math.vector import norm
from cortenforge.step.constants import BALL, FREE, NO_SPRING
from cortenforge.step.velocity.passive import ball_shift, free_shift, scalar_shift
from cortenforge.step.velocity.tendons import tendon_shift


@kernel(lanes=True, unit=True)
def spring_slopes(m, d):
    """efm_ck = h times the stiffness that each dof feels of its joint's spring.

    A spring of three dofs counts as equally stiff in all directions: as along its own shift.
    """
    h = m.opt_timestep
    for i in range(m.nv):
        d.efm_ck[i] = 0.0
    if m.opt_disableflags & NO_SPRING == 0:
        for j in range(m.njnt):
            dof, kind = m.jnt_dofadr[j], m.jnt_type[j]
            if kind == FREE:
                shift, turn = free_shift(m, d, j)
                put_three(d, dof, h * joint_slope(m, j, norm(shift)))
                put_three(d, dof + 3, h * joint_slope(m, j, norm(turn)))
            elif kind == BALL:
                put_three(d, dof, h * joint_slope(m, j, norm(ball_shift(m, d, j))))
            else:
                d.efm_ck[dof] = h * joint_slope(m, j, scalar_shift(m, d, j))


@kernel(lanes=True)
def put_three(d, dof: int, value):
    """The same for three dofs."""
    d.efm_ck[dof] = value
    d.efm_ck[dof + 1] = value
    d.efm_ck[dof + 2] = value


@kernel(lanes=True)
def joint_slope(m, j: int, x):
    """How the force of a joint's spring grows at a shift."""
    k2, k3 = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
    return polynomial_slope(m.jnt_stiffness[j], k2, k3, x)


@kernel(lanes=True)
def tendon_stiffness(m, d, i: int):
    """How the force of a tendon's spring grows; between the lengths where it rests, not at all."""
    x = tendon_shift(m, d, i)
    k2, k3 = m.tendon_stiffnesspoly[i, 0], m.tendon_stiffnesspoly[i, 1]
    return x, polynomial_slope(m.tendon_stiffness[i], k2, k3, x)
