"""How forces of the medium change with positions.

When dof k moves on, everything below turns along, and with it the force of the medium. What a body
below feels in its own axes has changed by what comes from in front of the dof, as for inertial
forces, and by the wind.
"""

from __future__ import annotations

from cortenforge.derive.kernels.motion import front_of
from cortenforge.kernel import kernel
from cortenforge.math.spatial import (
    angular,
    cross_force,
    cross_motion,
    linear,
    pairing,
    wrench_about,
)
from cortenforge.math.vector import cross, into_frame
from cortenforge.step.constants import NO_DAMPER, NO_SPRING
from cortenforge.step.derivative.fluid import box_change, box_drag, ellipsoid_change
from cortenforge.step.push import last_dof
from cortenforge.step.velocity.fluid import (
    box_felt,
    box_force,
    ellipsoid_felt,
    ellipsoid_force,
    velocity_in_medium,
)


@kernel
def medium_slopes(m, d):
    """Take the derivative of forces of the medium out of R.

    Velocities in front of dofs, as `inertial_slopes` finds them, must be there.
    """
    off = m.opt_disableflags
    there = m.opt_density != 0.0 or m.opt_viscosity != 0.0
    if there and (off & NO_SPRING == 0 or off & NO_DAMPER == 0):
        for b in range(1, m.nbody):
            if box_felt(m, b):
                add_box(m, d, b)
            first = m.body_geomadr[b]
            for g in range(first, first + m.body_geomnum[b]):
                if ellipsoid_felt(m, b, g):
                    add_ellipsoid(m, d, b, g)


@kernel
def add_box(m, d, b: int):
    """Drag of the box that has the body's inertia."""
    place, axes = d.xipos[b], d.ximat[b]
    w, v = velocity_in_medium(m, d, b, place, axes)
    force, torque = box_force(m, b, w, v)
    turn, pull, faces, spins = box_drag(m, b, w, v)
    k = last_dof(m, b)
    while k >= 0:
        dw, dv = changed_before(m, d, b, k, place, axes)
        df, dt = box_change(turn, pull, faces, spins, dw, dv)
        add_column(m, d, b, k, place, axes @ force, axes @ torque, axes @ df, axes @ dt)
        k = m.dof_parentid[k]


@kernel
def add_ellipsoid(m, d, b: int, g: int):
    """Added mass, lift and drag of one geom."""
    place, axes = d.geom_xpos[g], d.geom_xmat[g]
    w, v = velocity_in_medium(m, d, b, place, axes)
    force, torque = ellipsoid_force(m, g, w, v)
    k = last_dof(m, b)
    while k >= 0:
        dw, dv = changed_before(m, d, b, k, place, axes)
        df, dt = ellipsoid_change(m, g, w, v, dw, dv, 1)
        add_column(m, d, b, k, place, axes @ force, axes @ torque, axes @ df, axes @ dt)
        k = m.dof_parentid[k]


@kernel
def changed_before(m, d, b: int, k: int, place, axes):
    """How a body's velocity against the wind changes in its own axes, while a dof moves on."""
    axis = d.cdof[k]
    change = cross_motion(d.vel_before[k], axis)
    offset = place - d.subtree_com[m.body_rootid[b]]
    moving = linear(change) + cross(angular(change), offset) + cross(angular(axis), m.opt_wind)
    return into_frame(axes, angular(change)), into_frame(axes, moving)


@kernel
def add_column(m, d, b: int, k: int, place, force, torque, force_change, torque_change):
    """What dofs feel of a wrench that is carried along and changes while dof k moves on."""
    offset = place - d.subtree_com[m.body_rootid[b]]
    wrench = wrench_about(force, torque, offset)
    behind = wrench_about(force_change, torque_change, offset)
    ahead = behind + cross_force(d.cdof[k], wrench)
    front = front_of(m, k)
    i = last_dof(m, b)
    while i >= 0:
        value = pairing(d.cdof[i], ahead)
        if i >= front:
            value = pairing(d.cdof[i], behind)
        d.R[i * d.ncol + k] -= value
        i = m.dof_parentid[i]
