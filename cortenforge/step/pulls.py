"""What spatial tendons do to the bodies along their paths."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.spatial import wrench_about
from cortenforge.math.vector import MINVAL, norm, unit
from cortenforge.step.constants import (
    EQ_TENDON,
    EQUALITY,
    FRICTION_TENDON,
    LIMIT_TENDON,
    ON_TENDON,
    PULLEY,
    SPATIAL,
    WRAP_SITE,
)
from cortenforge.step.constraint.equality import curve
from cortenforge.step.constraint.limits import limit_pull
from cortenforge.step.reflected import tendon_inertia
from cortenforge.step.velocity.tendons import rate_of_stretch


@kernel(lanes=True, unit=True)
def tendon_pulls(m, d):
    """Add the pulls of spatial tendons to the forces on bodies.  Mirrors mj_rnePostConstraint."""
    tensions(m, d)
    for i in range(m.ntendon):
        if m.tendon_type[i] == SPATIAL:
            pull_along(m, d, i)


@kernel(lanes=True)
def tensions(m, d):
    """Force along each spatial tendon: spring, damper, actuators and constraints, less what its
    inertia takes.

    Positive forces push the ends of a tendon apart.
    """
    for i in range(m.ntendon):
        d.ten_tension[i] = d.ten_passive[i]
        if m.tendon_type[i] == SPATIAL:
            armature = tendon_inertia(m, i)
            heavy = armature != 0.0
            if any_lane(heavy):
                taken = armature * second_rate(m, d, i)
                d.ten_tension[i] = select(heavy, d.ten_tension[i] - taken, d.ten_tension[i])
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == ON_TENDON:
            out = m.actuator_outadr[a]
            force = m.actuator_gear[out, 0] * d.actuator_force[out]
            d.ten_tension[m.actuator_trnid[a, 0]] += force
    if m.constraining != 0:
        row_tensions(m, d)


@kernel(unit=True)
def row_tensions(m, d):
    """Add what equalities, friction and limits of tendons do along them."""
    for row in range(d.nefc):
        kind = d.efc_type[row]
        i = d.efc_id[row]
        force = d.efc_force[row]
        if kind == EQUALITY and m.eq_type[i] == EQ_TENDON:
            d.ten_tension[m.eq_obj1id[i]] += force
            other = m.eq_obj2id[i]
            if other >= 0:
                _value, slope = curve(m, i, d.ten_length[other] - m.tendon_length0[other])
                d.ten_tension[other] -= force * slope
        elif kind == FRICTION_TENDON:
            d.ten_tension[i] += force
        elif kind == LIMIT_TENDON:
            d.ten_tension[i] += limit_pull(m, d, row)


@kernel(lanes=True)
def second_rate(m, d, i: int):
    """Second derivative of a tendon's length."""
    rate = rate_of_stretch(m, d, i)
    start = m.ten_J_rowadr[i]
    for at in range(start, start + m.ten_J_rownnz[i]):
        rate += d.ten_J[at] * d.qacc[m.ten_J_colind[at]]
    return rate


@kernel(lanes=True)
def pull_along(m, d, i: int):
    """Push the bodies along a path, line by line."""
    force = d.ten_tension[i]
    step = m.tendon_adr[i]
    last = step + m.tendon_num[i] - 1
    while step < last:
        behind = m.wrap_type[step + 1]
        if m.wrap_type[step] == PULLEY:
            force = d.ten_tension[i] / m.wrap_prm[step]
            step += 1
        elif behind == PULLEY:
            step += 1
        elif behind == WRAP_SITE:
            pull_between(m, d, step, force)
            step += 1
        else:
            pull_over(m, d, step, force)
            step += 2


@kernel(lanes=True)
def pull_between(m, d, step: int, force):
    """Push apart a site and the next one."""
    first, second = m.wrap_objid[step], m.wrap_objid[step + 1]
    one, other = m.site_bodyid[first], m.site_bodyid[second]
    push_apart(m, d, one, other, d.site_xpos[first], d.site_xpos[second], force)


@kernel(lanes=True)
def pull_over(m, d, step: int, force):
    """Push apart two sites and the geom between them, or the sites alone where it is clear."""
    first, geom, second = m.wrap_objid[step], m.wrap_objid[step + 1], m.wrap_objid[step + 2]
    one, around, other = m.site_bodyid[first], m.geom_bodyid[geom], m.site_bodyid[second]
    start, end = d.site_xpos[first], d.site_xpos[second]
    touching = d.wrap_arc[step + 1] >= 0.0
    if any_lane(touching):
        begin, leave = d.wrap_begin[step + 1], d.wrap_leave[step + 1]
        held = select(touching, force, 0.0)
        push_apart(m, d, one, around, start, begin, held)
        push_apart(m, d, around, other, leave, end, held)
    if any_lane(not touching):
        push_apart(m, d, one, other, start, end, select(touching, 0.0, force))


@kernel(lanes=True)
def push_apart(m, d, one: int, other: int, start, end, force):
    """Push bodies at the ends of a line away from each other; none pushes itself, nor the world.

    A line without length has no direction, and pushes nobody.
    """
    if one != other:
        line = end - start
        push = unit(line) * force
        felt = force != 0.0 and not norm(line) < MINVAL
        if one > 0:
            push_at(m, d, one, start, -push, felt)
        if other > 0:
            push_at(m, d, other, end, push, felt)


@kernel(lanes=True)
def push_at(m, d, b: int, point, push, felt):
    """Add a force on a point of a body, in worlds that feel it."""
    none = vec3(0.0, 0.0, 0.0)
    wrench = wrench_about(push, none, point - d.subtree_com[m.body_rootid[b]])
    d.cfrc_ext[b] = select(felt, d.cfrc_ext[b] + wrench, d.cfrc_ext[b])
