"""Inertia of spatial tendons in derivatives: M has a J'J of them, and bias forces a J' dJ/dt v."""

from __future__ import annotations

from cortenforge.derive.kernels.motion import clear_bend, moves, point_rate
from cortenforge.derive.kernels.tendons import bend_path
from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, cross_motion, linear
from cortenforge.math.vector import MINVAL, cross, dot, norm
from cortenforge.step.constants import PULLEY, SPATIAL
from cortenforge.step.derivative.pattern import coupled
from cortenforge.step.reflected import tendon_inertia
from cortenforge.step.velocity.tendons import rate_of_stretch


@kernel
def heavy_slopes(m, d, out, x, moving: int):
    """Add the derivative of what tendons' inertia makes of M x, and of bias forces if moving.

    What `inertial_slopes` finds for the same x must be there.
    """
    for i in range(m.ntendon):
        armature = tendon_inertia(m, i)
        if m.tendon_type[i] == SPATIAL and armature != 0.0:
            clear_bend(d, m.ten_J_rownnz[i])
            bend_path(m, d, i)
            for c in range(m.ten_J_rownnz[i]):
                add_inertia(m, d, out, x, i, c, armature)
            if moving != 0:
                rate = rate_of_stretch(m, d, i)
                for c in range(m.ten_J_rownnz[i]):
                    add_bias(m, d, out, x, i, c, armature, rate)


@kernel
def heavy_speeds(m, d):
    """Take the derivative of bias forces of tendons' inertia by velocities out of R."""
    for i in range(m.ntendon):
        armature = tendon_inertia(m, i)
        if m.tendon_type[i] == SPATIAL and armature != 0.0:
            start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
            clear_bend(d, count)
            bend_path(m, d, i)
            for c in range(count):
                change = 0.0
                for r in range(count):
                    speed = d.qvel[m.ten_J_colind[start + r]]
                    change += (d.bend[r * count + c] + d.bend[c * count + r]) * speed
                column = m.nv + m.ten_J_colind[start + c]
                for r in range(count):
                    row = m.ten_J_colind[start + r] * d.ncol
                    d.R[row + column] += armature * d.ten_J[start + r] * change


@kernel
def add_inertia(m, d, out, x, i: int, c: int, armature):
    """One column of a J'J x; M has no room for dofs of which none is above the other."""
    start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
    for r in range(count):
        row = m.ten_J_colind[start + r]
        along, change = 0.0, 0.0
        for j in range(count):
            dof = m.ten_J_colind[start + j]
            if coupled(m, row, dof):
                along += d.ten_J[start + j] * x[dof]
                change += d.bend[j * count + c] * x[dof]
        value = d.bend[r * count + c] * along + d.ten_J[start + r] * change
        out[row * d.ncol + m.ten_J_colind[start + c]] += armature * value


@kernel
def add_bias(m, d, out, x, i: int, c: int, armature, rate):
    """One column of a J' dJ/dt v."""
    start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
    k = m.ten_J_colind[start + c]
    change = stretch_change(m, d, i, k)
    for j in range(count):
        # of the second derivative of the length, accelerations have their share
        change -= d.bend[j * count + c] * x[m.ten_J_colind[start + j]]
    for r in range(count):
        value = d.bend[r * count + c] * rate + d.ten_J[start + r] * change
        out[m.ten_J_colind[start + r] * d.ncol + k] += armature * value


@kernel
def stretch_change(m, d, i: int, k: int):
    """How the second derivative of a length by time changes while a dof moves on."""
    total = 0.0
    share = 1.0
    first = m.tendon_adr[i]
    for step in range(first, first + m.tendon_num[i] - 1):
        if m.wrap_type[step] == PULLEY:
            share = 1.0 / m.wrap_prm[step]
        elif m.wrap_type[step + 1] != PULLEY:
            one, other = m.wrap_objid[step], m.wrap_objid[step + 1]
            if m.site_bodyid[one] != m.site_bodyid[other]:
                total += share * change_between(m, d, one, other, k)
    return total


@kernel
def change_between(m, d, one: int, other: int, k: int):
    """The same of the distance L of two sites: u . a + (v . v - (u . v)^2) / L."""
    line = d.site_xpos[other] - d.site_xpos[one]
    length = norm(line)
    total = 0.0
    if length > MINVAL:
        u = line * (1.0 / length)
        v1, a1 = site_motion(m, d, one)
        v2, a2 = site_motion(m, d, other)
        x1, dv1, da1 = site_changes(m, d, one, k, v1)
        x2, dv2, da2 = site_changes(m, d, other, k, v2)
        v, dv = v2 - v1, dv2 - dv1
        along = dot(u, x2 - x1)
        du = (x2 - x1 - u * along) * (1.0 / length)
        speed = dot(u, v)
        bent = dot(v, dv) - speed * (dot(du, v) + dot(u, dv))
        total = dot(du, a2 - a1) + dot(u, da2 - da1) + 2.0 * bent / length
        total -= (dot(v, v) - speed * speed) * along / (length * length)
    return total


@kernel
def site_motion(m, d, site: int):
    """Velocity and acceleration of a site, at the accelerations of dofs that are given."""
    b = m.site_bodyid[site]
    arm = d.site_xpos[site] - d.subtree_com[m.body_rootid[b]]
    spin = angular(d.cvel[b])
    velocity = linear(d.cvel[b]) + cross(spin, arm)
    return velocity, linear(d.acc[b]) + cross(angular(d.acc[b]), arm) + cross(spin, velocity)


@kernel
def site_changes(m, d, site: int, k: int, velocity):
    """How a site's place, velocity and acceleration change while a dof moves on."""
    b = m.site_bodyid[site]
    none = vec3(0.0, 0.0, 0.0)
    moved, dv, da = none, none, none
    if moves(m, k, b):
        arm = d.site_xpos[site] - d.subtree_com[m.body_rootid[b]]
        moved = point_rate(m, d, k, b, d.site_xpos[site])
        axis = d.cdof[k]
        front = cross_motion(d.vel_before[k], axis)
        by = front + cross_motion(axis, d.cvel[b])
        rate = d.drift[k] + cross_motion(front, d.cvel[b]) + cross_motion(axis, d.acc[b])
        spin = angular(d.cvel[b])
        dv = linear(by) + cross(angular(by), arm) + cross(spin, moved)
        da = linear(rate) + cross(angular(rate), arm) + cross(angular(d.acc[b]), moved)
        da = da + cross(angular(by), velocity) + cross(spin, dv)
    return moved, dv, da
