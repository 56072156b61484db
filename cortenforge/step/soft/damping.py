"""Damping of motion that is not rigid, angular momentum, and when deformables sleep.

Damping, once a step, with the rate `damping` = c and the rigid motion (omega, v_com, x_com):

    v_rigid = v_com + omega x (x - x_com),    v += (exp(-c dt) - 1) (v - v_rigid)
    omega = I^-1 L,    L = sum m (x - x_com) x (v - v_com),    I = sum m (|r|^2 1 - r r')

of the free vertices, so momenta are kept; a deformable that is held takes the motion of what holds
it.

Elements projected one after another change the angular momentum; that of a deformable on which
nothing outside exerts a torque is restored by adding (I^-1 (L_before - L)) x r to its velocities.

Source: Mueller et al., "Position Based Dynamics" (2007), section 3.5, for the rigid part.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import abs_sum, cross, inverse_symmetric, norm
from cortenforge.step.soft.integration import is_soft_asleep, is_soft_disturbed

#: a deformable stays quiet while bodies that touch it are at most so many times softsleep fast
BODY_SPEED_FACTOR = 10.0
#: added to the diagonal of an inertia, relative to it, so that a straight row has an inverse
INERTIA_FLOOR = 1e-12


@kernel
def free_mass(d, v: int):
    """Mass of a vertex that is free, else 0."""
    w = d.soft_w[v]
    return 1.0 / w if w > 0.0 else 0.0


@kernel
def soft_angular_momentum(m, d, s: int, middle, drift):
    """Angular momentum of free vertices about a point that moves with the velocity `drift`."""
    first = m.soft_vertadr[s]
    momentum = vec3(0.0, 0.0, 0.0)
    for v in range(first, first + m.soft_vertnum[s]):
        arm = d.soft_p[v] - middle
        momentum = momentum + cross(arm, d.soft_v[v] - drift) * free_mass(d, v)
    return momentum


@kernel
def rigid_angular_velocity(m, d, s: int, middle, momentum):
    """omega = I^-1 L: angular velocity of the free vertices, taken as one rigid body."""
    first = m.soft_vertadr[s]
    xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for v in range(first, first + m.soft_vertnum[s]):
        mass = free_mass(d, v)
        arm = d.soft_p[v] - middle
        xx += mass * (arm.y * arm.y + arm.z * arm.z)
        yy += mass * (arm.z * arm.z + arm.x * arm.x)
        zz += mass * (arm.x * arm.x + arm.y * arm.y)
        xy -= mass * (arm.x * arm.y)
        xz -= mass * (arm.x * arm.z)
        yz -= mass * (arm.y * arm.z)
    more = INERTIA_FLOOR * (xx + yy + zz)
    if more <= 0.0:
        return vec3(0.0, 0.0, 0.0)
    inverse = inverse_symmetric(xx + more, xy, xz, yy + more, yz, zz + more)
    return inverse @ momentum


@kernel
def holding_body(m, d, s: int):
    """Body that holds a deformable: -1 for none, 0 for the world at pinned vertices."""
    first = m.soft_vertadr[s]
    for v in range(first, first + m.soft_vertnum[s]):
        if m.softvert_invmass[v] <= 0.0:
            return 0
    for k in range(m.nsoftpin):
        if m.softvert_soft[m.softpin_vert[k]] == s:
            return m.softpin_body[k]
    return -1


@kernel
def soft_com_and_velocity(m, d, s: int):
    """Position and velocity of the centre of mass of the free vertices."""
    first = m.soft_vertadr[s]
    total = 0.0
    middle, drift = vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)
    for v in range(first, first + m.soft_vertnum[s]):
        mass = free_mass(d, v)
        total += mass
        middle = middle + d.soft_p[v] * mass
        drift = drift + d.soft_v[v] * mass
    if total > 0.0:
        middle, drift = middle * (1.0 / total), drift * (1.0 / total)
    return middle, drift


@kernel(unit=True)
def store_angular_momenta(m, d):
    """Store the angular momenta of deformables at the beginning of the step."""
    for s in range(m.nsoft):
        middle, drift = soft_com_and_velocity(m, d, s)
        d.soft_momentum[s] = soft_angular_momentum(m, d, s, middle, drift)


@kernel
def has_surface_drag(m, s: int):
    """Whether the fluid exerts drag on a deformable."""
    return m.soft_drag[s] > 0.0 and m.opt_density > 0.0


@kernel
def is_free_of_external_torque(m, d, s: int):
    """Whether nothing outside exerted a torque on a deformable in this step."""
    if (
        holding_body(m, d, s) >= 0
        or m.soft_rodnum[s] > 0
        or has_surface_drag(m, s)
        or d.nsoftnear > 0
    ):
        return False
    for k in range(d.nsoftcon):
        vertex = d.softcon_vert[k]
        if m.softvert_soft[vertex] == s and d.softvert_colliding[vertex] != 0:
            return False
    first = m.soft_vertadr[s]
    for v in range(first, first + m.soft_vertnum[s]):
        if abs_sum(d.softvert_applied[v]) > 0.0:
            return False
    return True


@kernel
def restore_angular_momentum(m, d, s: int):
    """Restore the angular momentum that sequential projection of elements changed."""
    middle, drift = soft_com_and_velocity(m, d, s)
    deficit = d.soft_momentum[s] - soft_angular_momentum(m, d, s, middle, drift)
    correction = rigid_angular_velocity(m, d, s, middle, deficit)
    first = m.soft_vertadr[s]
    for v in range(first, first + m.soft_vertnum[s]):
        if d.soft_w[v] > 0.0:
            d.soft_v[v] = d.soft_v[v] + cross(correction, d.soft_p[v] - middle)


@kernel
def reference_rigid_motion(m, d, s: int):
    """(omega, velocity, point): rigid motion that damping keeps: its own, or its holder's."""
    holder = holding_body(m, d, s)
    spin, drift, middle = vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)
    if holder < 0:
        middle, drift = soft_com_and_velocity(m, d, s)
        spin = rigid_angular_velocity(
            m, d, s, middle, soft_angular_momentum(m, d, s, middle, drift)
        )
    elif holder > 0:
        velocity = d.soft_bodyvel[holder]
        spin, drift, middle = angular(velocity), linear(velocity), d.soft_bodypos[holder]
    return spin, drift, middle


@kernel
def damp_deformable(m, d, s: int):
    """Damp the velocities of a deformable relative to its rigid motion, over one step.

    One that nothing holds keeps its momenta.
    """
    omega, velocity, point = reference_rigid_motion(m, d, s)
    factor = math.exp(-m.soft_damping[s] * m.opt_timestep)
    first = m.soft_vertadr[s]
    for v in range(first, first + m.soft_vertnum[s]):
        if d.soft_w[v] > 0.0:
            rigid = velocity + cross(omega, d.soft_p[v] - point)
            d.soft_v[v] = rigid + (d.soft_v[v] - rigid) * factor
    for k in range(m.soft_rodadr[s], m.soft_rodadr[s] + m.soft_rodnum[s]):
        d.soft_spin[k] = d.soft_spin[k] * factor


@kernel
def body_disturbs(m, d, b: int):
    """Whether a body is so fast that a deformable which touches it cannot fall asleep."""
    velocity = d.soft_bodyvel[b]
    return norm(linear(velocity)) + norm(angular(velocity)) > BODY_SPEED_FACTOR * m.opt_softsleep


@kernel(unit=True)
def damp_deformables(m, d):
    """Restore angular momenta, damp, and count the steps for which deformables have been quiet."""
    for s in range(m.nsoft):
        if is_free_of_external_torque(m, d, s):
            restore_angular_momentum(m, d, s)
        if m.soft_damping[s] > 0.0 and not is_soft_asleep(m, d, s):
            damp_deformable(m, d, s)
        d.soft_calm[s] = 0.0 if is_soft_disturbed(m, d, d.soft_v, s) else d.soft_calm[s] + 1.0
    for k in range(d.nsoftcon):
        if d.softvert_colliding[d.softcon_vert[k]] != 0 and body_disturbs(
            m, d, m.geom_bodyid[d.softcon_geom[k]]
        ):
            d.soft_calm[m.softvert_soft[d.softcon_vert[k]]] = 0.0
    # what hangs on a body that can move pulls at it, and does not sleep
    for k in range(m.nsoftpin):
        if d.soft_bodyused[m.softpin_body[k]] == 1:
            d.soft_calm[m.softvert_soft[m.softpin_vert[k]]] = 0.0
