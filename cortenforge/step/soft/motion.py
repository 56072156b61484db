"""Vertices and segments through a step: from the state, through substeps, and back to it."""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import conjugate, rotation_vector, turned
from cortenforge.math.vector import abs_sum, cross, dot, norm
from cortenforge.step.constants import NO_GRAVITY
from cortenforge.step.soft.membrane import TINY

#: steps of quiet after which a deformable sleeps
FALLS_ASLEEP = 50.0


@kernel
def sleeps(m, d, s: int):
    """Whether a deformable has been quiet for long."""
    return m.opt_softsleep > 0.0 and d.soft_calm[s] >= FALLS_ASLEEP


@kernel
def is_stirred(m, d, velocity, s: int):
    """Whether a vertex of a deformable moves, or somebody pulls at it."""
    first = m.soft_vertadr[s]
    for v in range(first, first + m.soft_vertnum[s]):
        if norm(velocity[v]) > m.opt_softsleep or abs_sum(d.softvert_applied[v]) > 0.0:
            return True
    return False


@kernel(unit=True)
def take_up(m, d):
    """Positions, velocities and what pulls from outside, as a step begins."""
    gravity = m.opt_gravity
    if m.opt_disableflags & NO_GRAVITY != 0:
        gravity = vec3(0.0, 0.0, 0.0)
    for i in range(m.nsoft):
        d.soft_calm[i] = 0.0 if is_stirred(m, d, d.softvert_vel, i) else d.soft_quiet[i]
    for v in range(m.nsoftvert):
        s = m.softvert_soft[v]
        w = 0.0 if sleeps(m, d, s) else m.softvert_invmass[v]
        d.soft_w[v] = w
        d.soft_p[v] = d.softvert_pos[v]
        d.soft_v[v] = d.softvert_vel[v]
        d.soft_pull[v] = gravity + d.softvert_applied[v] * w
    last = m.nsoftvert
    d.soft_w[last] = 0.0
    d.soft_p[last] = vec3(0.0, 0.0, 0.0)
    d.soft_v[last] = vec3(0.0, 0.0, 0.0)
    d.soft_pull[last] = vec3(0.0, 0.0, 0.0)
    for k in range(m.nsoftrod):
        d.soft_q[k] = d.softrod_quat[k]
        d.soft_spin[k] = d.softrod_omega[k]
    for k in range(m.nsoftpin):
        b = m.softpin_body[k]
        d.softpin_place[k] = d.xpos[b] + d.xmat[b] @ m.softpin_pos[k] - d.xipos[b]


@kernel
def blow_on(m, d, s: int, f: int):
    """The medium on one triangle of a surface: pressure against its motion along the normal.

    The pressure at the end of the step counts, so that what is light is carried, not thrown.
    """
    a, b, c = m.softface_vert[f, 0], m.softface_vert[f, 1], m.softface_vert[f, 2]
    normal = cross(d.soft_p[b] - d.soft_p[a], d.soft_p[c] - d.soft_p[a])
    length = norm(normal)
    flow = m.opt_wind - (d.soft_v[a] + d.soft_v[b] + d.soft_v[c]) * (1.0 / 3.0)
    normal = normal * (1.0 / max(length, TINY))
    along = dot(flow, normal)
    drag = 0.5 * m.opt_density * m.soft_drag[s] * (0.5 * length) * abs(along)
    w = (d.soft_w[a] + d.soft_w[b] + d.soft_w[c]) * (1.0 / 3.0)
    force = normal * (drag * along / (3.0 + m.opt_timestep * drag * w))
    d.soft_pull[a] = d.soft_pull[a] + force * d.soft_w[a]
    d.soft_pull[b] = d.soft_pull[b] + force * d.soft_w[b]
    d.soft_pull[c] = d.soft_pull[c] + force * d.soft_w[c]


@kernel(unit=True)
def blow(m, d):
    """The medium, on surfaces of deformables."""
    for s in range(m.nsoft):
        if m.soft_drag[s] > 0.0 and m.opt_density > 0.0:
            first = m.soft_faceadr[s]
            for f in range(first, first + m.soft_facenum[s]):
                blow_on(m, d, s, f)


@kernel(unit=True)
def set_off(m, d):
    """Positions at the end of a substep, if nothing held vertices together."""
    h = d.soft_h
    for v in range(m.nsoftvert):
        p = d.soft_p[v]
        d.soft_before[v] = p
        if d.soft_w[v] > 0.0:
            d.soft_p[v] = p + (d.soft_v[v] + d.soft_pull[v] * h) * h
    for k in range(m.nsoftrod):
        d.soft_qbefore[k] = d.soft_q[k]
        d.soft_q[k] = turned(d.soft_q[k], d.soft_spin[k], h)


@kernel(unit=True)
def arrive(m, d):
    """Velocities are what positions did in the substep."""
    rate = 1.0 / d.soft_h
    for v in range(m.nsoftvert):
        d.soft_v[v] = (d.soft_p[v] - d.soft_before[v]) * rate
    for k in range(m.nsoftrod):
        turn = rotation_vector(conjugate(d.soft_qbefore[k]) * d.soft_q[k])
        d.soft_spin[k] = turn * rate


@kernel
def keep_contacts(m, d):
    """Contacts that last: the first two of each vertex."""
    for i in range(m.nsofthold):
        d.softhold_geom[i] = 0.0
    for k in range(d.nsoftcon):
        slot = 2 * d.softcon_vert[k]
        if d.softhold_geom[slot] != 0.0:
            slot += 1
        if d.softcon_held[k] != 0 and d.softhold_geom[slot] == 0.0:
            d.softhold_geom[slot] = d.softcon_geom[k] + 1.0
            d.softhold_anchor[slot] = d.softcon_anchor[k]
            d.softhold_load[slot] = d.softcon_load[k]
            d.softhold_gap[slot] = d.softcon_gap[k]


@kernel(unit=True)
def keep(m, d):
    """The state after the step."""
    for v in range(m.nsoftvert):
        d.softvert_pos[v] = d.soft_p[v]
        d.softvert_vel[v] = d.soft_v[v]
    for k in range(m.nsoftrod):
        d.softrod_quat[k] = d.soft_q[k]
        d.softrod_omega[k] = d.soft_spin[k]
    keep_contacts(m, d)
    for s in range(m.nsoft):
        d.soft_quiet[s] = d.soft_calm[s]
    for i in range(m.nv):
        d.soft_rigid[i] = d.soft_force[i]
