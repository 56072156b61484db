"""Partial derivative of the bias force (RNE) by velocity: Coriolis and centrifugal terms.

Body with spatial inertia I (rotational part J, mass times offset c), velocity (w, u) and momentum
p; dof k above it with motion axis s = (a, l). For a change of qvel[k]:

    d velocity     = s
    d acceleration = drift_k + s x v            (drift_k: the same for all bodies below k)
    d force        = I drift_k + (T a, 2 a x p)
    T a            = 2 c x (a x u) + J (a x w) + a x J w + w x J a

T (a 3x3 matrix, rne_turn) and p (rne_momentum) add up over subtrees, as composite inertias crb do.
So each entry follows from the sums of one body: for dof i and its ancestor dof k,

    dbias[i]/dqvel[k] = drift_k . crb s_i + a_k . (T' a_i + 2 p x l_i)
    dbias[k]/dqvel[i] = s_k . (crb drift_i + (T a_i, 2 a_i x p))

Source: the same idea as Carpentier and Mansard, Analytical derivatives of rigid body dynamics
algorithms (RSS 2018), for fixed reference points.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, mat3, spatial, vec3
from cortenforge.math.spatial import (
    angular,
    cross_motion,
    inertia_times_motion,
    linear,
    spatial_dot,
    spatial_of,
)
from cortenforge.math.vector import cross, dot, into_frame
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.derivative.sparsity import entry_address


@kernel(lanes=True, unit=True)
def subtract_bias_dvel(m, d):
    """Subtract the partial of qfrc_bias by velocity from qDeriv.  Mirrors mjd_rne_vel."""
    for b in range(1, m.nbody):
        body_dforce_dvel(d, b)
        acceleration_drifts(m, d, b)
    for b in range(m.nbody - 1, 0, -1):
        if m.body_parentid[b] > 0:
            add_dforce_to_parent(m, d, b)
    for i in range(m.nv):
        add_bias_entries(m, d, d.qDeriv, i, -1.0)


@kernel(lanes=True)
def body_dforce_dvel(d, b: int):
    """rne_turn (T) and rne_momentum (p) of a body by itself."""
    x = dtorque_dangular(d, b, vec3(1.0, 0.0, 0.0))
    y = dtorque_dangular(d, b, vec3(0.0, 1.0, 0.0))
    z = dtorque_dangular(d, b, vec3(0.0, 0.0, 1.0))
    d.rne_turn[b] = mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)
    d.rne_momentum[b] = linear(inertia_times_motion(d.cinert[b], d.cvel[b]))


@kernel(lanes=True)
def add_dforce_to_parent(m, d, b: int):
    """Add rne_turn and rne_momentum of a subtree to those of its parent."""
    parent = m.body_parentid[b]
    d.rne_turn[parent] = d.rne_turn[parent] + d.rne_turn[b]
    d.rne_momentum[parent] = d.rne_momentum[parent] + d.rne_momentum[b]


@kernel(lanes=True)
def dtorque_dangular(d, b: int, a):
    """T a of a body: change of its torque with an angular velocity a of a dof above it."""
    own = d.cinert[b]
    w, u = angular(d.cvel[b]), linear(d.cvel[b])
    offset = vec3(own.hx, own.hy, own.hz)
    turned = (
        rotational_momentum(own, cross(a, w))
        + cross(a, rotational_momentum(own, w))
        + cross(w, rotational_momentum(own, a))
    )
    return turned + cross(offset, cross(a, u)) * 2.0


@kernel(lanes=True)
def rotational_momentum(i, w):
    """Rotational part J of an inertia times an angular velocity."""
    return vec3(
        i.ixx * w.x + i.ixy * w.y + i.ixz * w.z,
        i.ixy * w.x + i.iyy * w.y + i.iyz * w.z,
        i.ixz * w.x + i.iyz * w.y + i.izz * w.z,
    )


@kernel(lanes=True)
def acceleration_drifts(m, d, b: int):
    """rne_drift of a body's dofs: d acceleration / d qvel of all bodies below, less s x v."""
    still = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    velocity = d.cvel[m.body_parentid[b]]
    first = m.body_jntadr[b]
    for j in range(first, first + m.body_jntnum[b]):
        dof = m.jnt_dofadr[j]
        last = dof + 1
        if m.jnt_type[j] == FREE:
            # translations of a free joint add no drift
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
def add_bias_entries(m, d, out, i: int, scale):
    """Add scale times the entries of dof i with itself and its ancestors, in both triangles."""
    body = m.dof_bodyid[i]
    axis = d.cdof[i]
    turn, momentum = d.rne_turn[body], d.rne_momentum[body]
    # partial of this dof's force by its ancestors; of the ancestors' forces by this dof
    inertia_axis = inertia_times_motion(d.crb[body], axis)
    torque = into_frame(turn, angular(axis)) + cross(momentum, linear(axis)) * 2.0
    force = inertia_times_motion(d.crb[body], d.rne_drift[i])
    force = force + spatial_of(turn @ angular(axis), cross(angular(axis), momentum) * 2.0)
    row = m.D_rowadr[i]
    for at in range(row, row + m.D_diag[i] + 1):
        k = m.D_colind[at]
        change = spatial_dot(d.rne_drift[k], inertia_axis) + dot(angular(d.cdof[k]), torque)
        out[at] += scale * change
        if k != i:
            out[entry_address(m, k, i)] += scale * spatial_dot(d.cdof[k], force)
