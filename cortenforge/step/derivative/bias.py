"""How Coriolis and centrifugal forces change with velocities.

A body with inertia I (rotation J, mass times offset c, mass) moves with velocity (w, u). When dof k
above it, whose axis is s = (a, l), moves faster, the body's velocity changes by s, its acceleration
by drift + s x v, where the drift of a dof is the same for all bodies below, and so the force on it
by

    I drift + (2 c x (a x u) + J (a x w) + a x J w + w x J a,  2 a x p)

with its momentum p. Everything but the drift is a matrix of the body times a, and p: both add up
over subtrees as inertias do, and each entry of the derivative follows from the sums of one body.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, mat3, spatial, vec3
from cortenforge.math.spatial import (
    angular,
    cross_motion,
    linear,
    momentum_of,
    pairing,
    spatial_of,
)
from cortenforge.math.vector import cross, dot, into_frame
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.derivative.pattern import entry


@kernel(lanes=True, unit=True)
def bias_velocity(m, d):
    """Subtract the derivative of qfrc_bias from qDeriv.  Mirrors mjd_rne_vel."""
    for b in range(1, m.nbody):
        body_rates(d, b)
        drifts(m, d, b)
    for b in range(m.nbody - 1, 0, -1):
        if m.body_parentid[b] > 0:
            add_to_parent(m, d, b)
    for i in range(m.nv):
        add_bias(m, d, d.qDeriv, i, -1.0)


@kernel(lanes=True)
def body_rates(d, b: int):
    """What a body's own force has of turns of dofs above it: a matrix of torques, and momentum."""
    x = torque_rate(d, b, vec3(1.0, 0.0, 0.0))
    y = torque_rate(d, b, vec3(0.0, 1.0, 0.0))
    z = torque_rate(d, b, vec3(0.0, 0.0, 1.0))
    d.rne_turn[b] = mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)
    d.rne_momentum[b] = linear(momentum_of(d.cinert[b], d.cvel[b]))


@kernel(lanes=True)
def add_to_parent(m, d, b: int):
    """What a body's subtree has of turns belongs to its parent's, too."""
    parent = m.body_parentid[b]
    d.rne_turn[parent] = d.rne_turn[parent] + d.rne_turn[b]
    d.rne_momentum[parent] = d.rne_momentum[parent] + d.rne_momentum[b]


@kernel(lanes=True)
def torque_rate(d, b: int, a):
    """Change of the torque on a body with a turn about an axis."""
    own = d.cinert[b]
    w, u = angular(d.cvel[b]), linear(d.cvel[b])
    offset = vec3(own.hx, own.hy, own.hz)
    turned = spun(own, cross(a, w)) + cross(a, spun(own, w)) + cross(w, spun(own, a))
    return turned + cross(offset, cross(a, u)) * 2.0


@kernel(lanes=True)
def spun(i, w):
    """The rotational part of an inertia times a velocity."""
    return vec3(
        i.ixx * w.x + i.ixy * w.y + i.ixz * w.z,
        i.ixy * w.x + i.iyy * w.y + i.iyz * w.z,
        i.ixz * w.x + i.iyz * w.y + i.izz * w.z,
    )


@kernel(lanes=True)
def drifts(m, d, b: int):
    """The part of each dof of a body in the acceleration of all bodies below, its turn aside."""
    still = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    velocity = d.cvel[m.body_parentid[b]]
    first = m.body_jntadr[b]
    for j in range(first, first + m.body_jntnum[b]):
        dof = m.jnt_dofadr[j]
        last = dof + 1
        if m.jnt_type[j] == FREE:
            # what only shifts a body has no part in it
            for k in range(dof, dof + 3):
                d.rne_drift[k] = still
                velocity = velocity + d.cdof[k] * d.qvel[k]
            dof += 3
            last = dof + 3
        elif m.jnt_type[j] == BALL:
            last = dof + 3
        for k in range(dof, last):
            velocity = velocity + d.cdof[k] * d.qvel[k]
        for k in range(dof, last):
            d.rne_drift[k] = d.cdof_dot[k] + cross_motion(velocity, d.cdof[k])


@kernel(lanes=True)
def add_bias(m, d, out, i: int, scale):
    """Add a multiple of the entries that a dof has with itself and with the dofs above it."""
    body = m.dof_bodyid[i]
    axis = d.cdof[i]
    turn, momentum = d.rne_turn[body], d.rne_momentum[body]
    # of this dof's force, by the dofs above; of their forces, by this dof
    carried = momentum_of(d.crb[body], axis)
    torque = into_frame(turn, angular(axis)) + cross(momentum, linear(axis)) * 2.0
    pushed = momentum_of(d.crb[body], d.rne_drift[i])
    pushed = pushed + spatial_of(turn @ angular(axis), cross(angular(axis), momentum) * 2.0)
    row = m.D_rowadr[i]
    for at in range(row, row + m.D_diag[i] + 1):
        k = m.D_colind[at]
        change = pairing(d.rne_drift[k], carried) + dot(angular(d.cdof[k]), torque)
        out[at] += scale * change
        if k != i:
            out[entry(m, k, i)] += scale * pairing(d.cdof[k], pushed)
