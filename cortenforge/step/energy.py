"""Potential and kinetic energy.

V = -sum m_b g . xipos_b + sum over springs of int_0^x force(s) ds,   T = qvel' M qvel / 2

Source: MuJoCo: XML reference, option/flag, attribute "energy".
Theory: docs/theory/integration.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.polynomial import polynomial_energy
from cortenforge.math.vector import dot, norm
from cortenforge.step.constants import BALL, FREE, NO_GRAVITY, NO_SPRING
from cortenforge.step.velocity.passive import (
    ball_spring_displacement,
    free_spring_displacement,
    scalar_spring_displacement,
)
from cortenforge.step.velocity.tendons import tendon_spring_displacement


@kernel(lanes=True, unit=True)
def potential_energy(m, d):
    """energy[0]: gravity and springs.  Mirrors mj_energyPos."""
    energy = 0.0
    if m.opt_disableflags & NO_GRAVITY == 0:
        for b in range(1, m.nbody):
            energy -= m.body_mass[b] * dot(m.opt_gravity, d.xipos[b])
    if m.opt_disableflags & NO_SPRING == 0:
        for j in range(m.njnt):
            kind = m.jnt_type[j]
            if kind == FREE:
                shift, turn = free_spring_displacement(m, d, j)
                energy += joint_spring_energy(m, j, norm(shift)) + joint_spring_energy(
                    m, j, norm(turn)
                )
            elif kind == BALL:
                energy += joint_spring_energy(m, j, norm(ball_spring_displacement(m, d, j)))
            else:
                energy += joint_spring_energy(m, j, scalar_spring_displacement(m, d, j))
    if m.ntendon > 0 and m.opt_disableflags & NO_SPRING == 0:
        for i in range(m.ntendon):
            energy += tendon_spring_energy(m, i, tendon_spring_displacement(m, d, i))
    d.energy[0] = energy


@kernel(lanes=True)
def joint_spring_energy(m, j: int, x):
    """Energy of a joint's spring at displacement x."""
    k2, k3 = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
    return polynomial_energy(m.jnt_stiffness[j], k2, k3, x)


@kernel(lanes=True)
def tendon_spring_energy(m, i: int, x):
    """Energy of a tendon's spring at displacement x."""
    k2, k3 = m.tendon_stiffnesspoly[i, 0], m.tendon_stiffnesspoly[i, 1]
    return polynomial_energy(m.tendon_stiffness[i], k2, k3, x)


@kernel(lanes=True, unit=True)
def kinetic_energy(m, d):
    """energy[1] = qvel' M qvel / 2.  Mirrors mj_energyVel."""
    energy = 0.0
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        # an entry below the diagonal stands for two
        energy += 0.5 * d.M[last] * d.qvel[i] * d.qvel[i]
        for at in range(start, last):
            energy += d.M[at] * d.qvel[i] * d.qvel[m.M_colind[at]]
    d.energy[1] = energy
