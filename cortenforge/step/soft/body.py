"""Rigid bodies as deformables see them within a step: where they are, and how they give way.

A body moves on as it would without deformables, under the forces that rigid constraints had last,
and gives way by its inertia as seen at its centre of mass, joints and other bodies included. What
deformables do to it is summed up, and becomes a force on its joints in the same step.

Integrators move a body through all of a step with the velocity at its end, or with Runge-Kutta the
mean. So here a body goes on with the velocity it has, and what changes that velocity moves it at
once by what this is over the whole step: at the end of the step it is where the integrator will put
it, and forces that balance in each substep move nothing.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, quat, spatial, vec3
from cortenforge.math.ldl import ldl_solve
from cortenforge.math.rotation import unit_quat
from cortenforge.math.spatial import angular, linear, pairing, spatial_of
from cortenforge.math.vector import cross
from cortenforge.step.constants import RK4
from cortenforge.step.push import last_dof, push


@kernel
def twist_along(m, d, b: int, vector):
    """How the centre of mass of a body moves if joints move by a vector."""
    total = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    i = last_dof(m, b)
    while i >= 0:
        total = total + d.cdof[i] * vector[i]
        i = m.dof_parentid[i]
    return at_centre(m, d, b, total)


@kernel
def at_centre(m, d, b: int, motion):
    """A motion about the tree's centre of mass as one of the body's own."""
    offset = d.xipos[b] - d.subtree_com[m.body_rootid[b]]
    return spatial_of(angular(motion), linear(motion) + cross(angular(motion), offset))


@kernel
def drift_of(m, d, b: int):
    """Acceleration of a body's centre of mass at constant joint velocities."""
    total = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    i = last_dof(m, b)
    while i >= 0:
        total = total + d.cdof_dot[i] * d.qvel[i]
        i = m.dof_parentid[i]
    motion = at_centre(m, d, b, total)
    velocity = at_centre(m, d, b, d.cvel[b])
    return spatial_of(angular(motion), linear(motion) + cross(angular(velocity), linear(velocity)))


@kernel
def is_moved(m, b: int):
    """Whether anything could move a body."""
    return last_dof(m, b) >= 0


@kernel
def weigh_body(m, d, b: int):
    """Inverse inertia of a body: what each of six unit forces at its centre of mass does."""
    for c in range(6):
        for i in range(m.nv):
            d.soft_column[i] = 0.0
        torque = vec3(1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        force = vec3(1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0)
        push(m, d, d.soft_column, b, d.xipos[b], force, torque, True)
        ldl_solve(m, d.qLD, d.qLDiagInv, d.soft_column)
        twist = twist_along(m, d, b, d.soft_column)
        d.soft_bodyinv[b, c] = twist.ax
        d.soft_bodyinv[b, 6 + c] = twist.ay
        d.soft_bodyinv[b, 12 + c] = twist.az
        d.soft_bodyinv[b, 18 + c] = twist.lx
        d.soft_bodyinv[b, 24 + c] = twist.ly
        d.soft_bodyinv[b, 30 + c] = twist.lz


@kernel(unit=True)
def meet_bodies(m, d):
    """Bodies that deformables may act on, as the step begins."""
    for b in range(m.nbody):
        d.soft_bodyused[b] = 0
    for k in range(d.nsoftcon):
        d.soft_bodyused[m.geom_bodyid[d.softcon_geom[k]]] = 1
    for k in range(m.nsoftpin):
        d.soft_bodyused[m.softpin_body[k]] = 1
    for b in range(m.nbody):
        if d.soft_bodyused[b] != 0:
            d.soft_bodypos[b] = d.xipos[b]
            d.soft_bodyquat[b] = quat(1.0, 0.0, 0.0, 0.0)
            d.soft_bodyvel[b] = at_centre(m, d, b, d.cvel[b])
            d.soft_bodyacc[b] = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            d.soft_bodysum[b] = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            if is_moved(m, b):
                weigh_body(m, d, b)
            else:
                d.soft_bodyused[b] = 2
    for i in range(m.nv):
        d.soft_column[i] = d.soft_force[i]
    ldl_solve(m, d.qLD, d.qLDiagInv, d.soft_column)
    for i in range(m.nv):
        d.soft_column[i] += d.qacc_smooth[i]
    for b in range(m.nbody):
        if d.soft_bodyused[b] == 1:
            d.soft_bodyacc[b] = twist_along(m, d, b, d.soft_column) + drift_of(m, d, b)


@kernel
def part_of_change(m):
    """The part of a step's change of velocity with which positions move."""
    return 0.5 if m.opt_integrator == RK4 else 1.0


@kernel
def carry_bodies(m, d, h):
    """Bodies move on by one substep."""
    for b in range(m.nbody):
        if d.soft_bodyused[b] != 0:
            velocity = d.soft_bodyvel[b]
            d.soft_bodypos[b] = d.soft_bodypos[b] + linear(velocity) * h
            d.soft_bodyquat[b] = spun(d.soft_bodyquat[b], angular(velocity), h)
            if d.soft_bodyused[b] == 1:
                shove(m, d, b, d.soft_bodyacc[b] * h)


@kernel
def shove(m, d, b: int, change):
    """A change of a body's velocity moves it by what this is over the whole step."""
    way = part_of_change(m) * m.opt_timestep
    d.soft_bodypos[b] = d.soft_bodypos[b] + linear(change) * way
    d.soft_bodyquat[b] = spun(d.soft_bodyquat[b], angular(change), way)


@kernel
def spun(q, omega, h):
    """A rotation after turning on with a velocity in the world's axes."""
    half = 0.5 * h
    return unit_quat(quat(1.0, half * omega.x, half * omega.y, half * omega.z) * q)


@kernel
def yields(d, b: int, arm, way):
    """Inverse mass of a body along a direction at a point, given from its centre of mass.

    It is the one by which an impulse moves it at once.
    """
    if d.soft_bodyused[b] != 1:
        return 0.0
    wrench = spatial_of(cross(arm, way), way)
    return d.soft_reach * pairing(wrench, shift_by(d, b, wrench))


@kernel
def shift_by(d, b: int, wrench):
    """How an impulse changes the velocity of a body."""
    return spatial(
        row_times(d, b, 0, wrench),
        row_times(d, b, 6, wrench),
        row_times(d, b, 12, wrench),
        row_times(d, b, 18, wrench),
        row_times(d, b, 24, wrench),
        row_times(d, b, 30, wrench),
    )


@kernel
def row_times(d, b: int, at: int, f):
    """A row of the inverse inertia times a wrench."""
    return (
        d.soft_bodyinv[b, at] * f.ax
        + d.soft_bodyinv[b, at + 1] * f.ay
        + d.soft_bodyinv[b, at + 2] * f.az
        + d.soft_bodyinv[b, at + 3] * f.lx
        + d.soft_bodyinv[b, at + 4] * f.ly
        + d.soft_bodyinv[b, at + 5] * f.lz
    )


@kernel
def kick(m, d, b: int, arm, impulse):
    """An impulse on a body at a point: it is felt at once."""
    wrench = spatial_of(cross(arm, impulse), impulse)
    d.soft_bodysum[b] = d.soft_bodysum[b] + wrench
    if d.soft_bodyused[b] == 1:
        shove(m, d, b, shift_by(d, b, wrench))


@kernel(unit=True)
def push_joints(m, d):
    """What deformables did to bodies, as forces on bodies and on joints."""
    rate = 1.0 / m.opt_timestep
    for i in range(m.nv):
        d.qfrc_soft[i] = 0.0
    for b in range(m.nbody):
        d.soft_wrench[b] = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if d.soft_bodyused[b] != 0:
            wrench = d.soft_bodysum[b] * rate
            d.soft_wrench[b] = wrench
            push(m, d, d.qfrc_soft, b, d.xipos[b], linear(wrench), angular(wrench), True)
