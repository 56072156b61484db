"""How motion fades that is not the motion of a rigid body, and when deformables sleep."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import cross, dot, norm
from cortenforge.step.soft.motion import sleeps
from cortenforge.step.soft.tetrahedron import inverse_symmetric

#: bodies that touch a deformable may move so many times as fast as it, and it still is quiet
LENIENT = 10.0
#: what is added to an inertia, as a part of it, so that a straight row of vertices has an inverse
ROUND = 1e-9


@kernel
def mass_of(d, v: int):
    """Mass of a vertex that is free, else nothing."""
    w = d.soft_w[v]
    return 1.0 / w if w > 0.0 else 0.0


@kernel
def spin_of(m, d, s: int, middle, drift):
    """Angular velocity of the rigid body that has the angular momentum of free vertices."""
    first = m.soft_vertadr[s]
    momentum = vec3(0.0, 0.0, 0.0)
    xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for v in range(first, first + m.soft_vertnum[s]):
        mass = mass_of(d, v)
        arm = d.soft_p[v] - middle
        momentum = momentum + cross(arm, d.soft_v[v] - drift) * mass
        xx += mass * (arm.y * arm.y + arm.z * arm.z)
        yy += mass * (arm.z * arm.z + arm.x * arm.x)
        zz += mass * (arm.x * arm.x + arm.y * arm.y)
        xy -= mass * (arm.x * arm.y)
        xz -= mass * (arm.x * arm.z)
        yz -= mass * (arm.y * arm.z)
    more = ROUND * (xx + yy + zz)
    if more <= 0.0:
        return vec3(0.0, 0.0, 0.0)
    inverse = inverse_symmetric(xx + more, xy, xz, yy + more, yz, zz + more)
    return inverse @ momentum


@kernel
def fade_one(m, d, s: int):
    """Bring velocities of a deformable nearer to those of a rigid body; its momenta stay."""
    first = m.soft_vertadr[s]
    end = first + m.soft_vertnum[s]
    total = 0.0
    middle, drift = vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)
    for v in range(first, end):
        mass = mass_of(d, v)
        total += mass
        middle = middle + d.soft_p[v] * mass
        drift = drift + d.soft_v[v] * mass
    if total <= 0.0:
        return
    middle, drift = middle * (1.0 / total), drift * (1.0 / total)
    spin = spin_of(m, d, s, middle, drift)
    left = math.exp(-m.soft_damping[s] * m.opt_timestep)
    for v in range(first, end):
        if d.soft_w[v] > 0.0:
            rigid = drift + cross(spin, d.soft_p[v] - middle)
            d.soft_v[v] = rigid + (d.soft_v[v] - rigid) * left
    for k in range(m.soft_rodadr[s], m.soft_rodadr[s] + m.soft_rodnum[s]):
        d.soft_spin[k] = d.soft_spin[k] * left


@kernel
def is_quiet(m, d, s: int):
    """Whether no vertex of a deformable moves, and nobody pulls at it."""
    first = m.soft_vertadr[s]
    for v in range(first, first + m.soft_vertnum[s]):
        if (
            norm(d.soft_v[v]) > m.opt_softsleep
            or dot(d.softvert_applied[v], d.softvert_applied[v]) > 0.0
        ):
            return False
    return True


@kernel
def stirs(m, d, b: int):
    """Whether a body moves so that what it touches cannot sleep."""
    velocity = d.soft_bodyvel[b]
    return norm(linear(velocity)) + norm(angular(velocity)) > LENIENT * m.opt_softsleep


@kernel(unit=True)
def fade(m, d):
    """What is left of motion at the end of a step, and how long deformables have been quiet."""
    for s in range(m.nsoft):
        if m.soft_damping[s] > 0.0 and not sleeps(m, d, s):
            fade_one(m, d, s)
        d.soft_calm[s] = d.soft_quiet[s] + 1.0 if is_quiet(m, d, s) else 0.0
    for k in range(d.nsoftcon):
        if d.softvert_colliding[d.softcon_vert[k]] != 0 and stirs(
            m, d, m.geom_bodyid[d.softcon_geom[k]]
        ):
            d.soft_calm[m.softvert_soft[d.softcon_vert[k]]] = 0.0
    for k in range(m.nsoftpin):
        if stirs(m, d, m.softpin_body[k]):
            d.soft_calm[m.softvert_soft[m.softpin_vert[k]]] = 0.0
