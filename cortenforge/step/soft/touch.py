"""Contact of vertices with geoms: no nearer than their radius, and held by friction.

A vertex that sticks has an anchor in the geom's frame, which stays where it is as long as friction
can hold it there: nothing creeps, however long it is held.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.rotation import conjugate, rotate
from cortenforge.math.vector import dot, into_frame, norm
from cortenforge.step.constants import MESH
from cortenforge.step.soft.body import kick, yields
from cortenforge.step.soft.near import distance_from

#: how much of a running mean the newest value is
FRESH = 0.2
#: a vertex farther away than this, in radii, sticks to nothing
LETS_GO = 0.25


@kernel
def surface_near(m, d, k: int, g: int, point):
    """Distance of a vertex from its geom, and the normal, in the geom's frame.

    Hulls of meshes are, for the length of a step, as flat as where the vertex was near them.
    """
    distance = 0.0
    out = d.softcon_out[k]
    if m.geom_type[g] == MESH:
        distance = dot(point - d.softcon_near[k], out)
    else:
        distance, out = distance_from(m, g, point)
    return distance, out


@kernel
def mended_part(m, s: int, h):
    """The part of a penetration that a substep mends: by the time constant of soft_solref."""
    return h / (h + 2.0 * max(0.0, m.soft_solref[s, 0]) * max(0.0, m.soft_solref[s, 1]))


@kernel
def hold(m, d, k: int, h, w, axes, point, out):
    """Friction: keep a vertex at its anchor, as far as its load allows."""
    if d.softcon_held[k] == 0:
        d.softcon_held[k] = 1
        d.softcon_anchor[k] = point
        return
    slip = point - d.softcon_anchor[k]
    slip = slip - out * dot(slip, out)
    far = norm(slip)
    if far <= 0.0:
        return
    v, g = d.softcon_vert[k], d.softcon_geom[k]
    b = m.geom_bodyid[g]
    way = rotate(d.soft_bodyquat[b], axes @ (slip * (1.0 / far)))
    arm = d.soft_p[v] - d.soft_bodypos[b]
    give = w + yields(d, b, arm, way)
    wanted = far / give
    taken = min(wanted, d.softcon_friction[k] * d.softcon_load[k] * h * h)
    d.soft_p[v] = d.soft_p[v] - way * (taken * w)
    kick(m, d, b, arm, way * (taken / h))
    d.softcon_sum[k] = d.softcon_sum[k] - way * (taken / h)
    if taken < wanted:
        # it slides: the anchor comes along, as far behind as friction could hold it
        d.softcon_anchor[k] = point - slip * (taken * give / far)


@kernel
def rest_on(m, d, k: int, normal, h):
    """A contact of a vertex that sleeps."""
    if d.softcon_held[k] != 0:
        d.softcon_sum[k] = d.softcon_sum[k] + normal * (d.softcon_load[k] * h)
        d.softvert_colliding[d.softcon_vert[k]] = 1


@kernel
def press(m, d, k: int, h):
    """One contact in one substep."""
    v, g = d.softcon_vert[k], d.softcon_geom[k]
    s = m.softvert_soft[v]
    b = m.geom_bodyid[g]
    w = d.soft_w[v]
    axes = d.geom_xmat[g]
    turn = d.soft_bodyquat[b]
    arm = d.soft_p[v] - d.soft_bodypos[b]
    point = into_frame(axes, rotate(conjugate(turn), arm) - (d.geom_xpos[g] - d.xipos[b]))
    distance, out = surface_near(m, d, k, g, point)
    gap = distance - m.soft_radius[s]
    # what is inside comes out slowly, and gets no deeper
    allowed = d.softcon_gap[k] * (1.0 - mended_part(m, s, h))
    d.softcon_gap[k] = allowed
    if w <= 0.0 and d.soft_bodyused[b] != 1:
        # it sleeps on what cannot move, and is pressed as when it fell asleep
        rest_on(m, d, k, rotate(turn, axes @ out), h)
        return
    load = 0.0
    if gap < allowed:
        normal = rotate(turn, axes @ out)
        give = w + yields(d, b, arm, normal)
        if give > 0.0:
            pressed = (allowed - gap) / give
            load = pressed / (h * h)
            d.soft_p[v] = d.soft_p[v] + normal * (pressed * w)
            kick(m, d, b, arm, normal * (-pressed / h))
            d.softcon_sum[k] = d.softcon_sum[k] + normal * (pressed / h)
        d.softvert_colliding[v] = 1
    d.softcon_load[k] += FRESH * (load - d.softcon_load[k])
    if gap > LETS_GO * m.soft_radius[s]:
        d.softcon_held[k] = 0
        d.softcon_gap[k] = 0.0
    elif d.softcon_load[k] > 0.0:
        hold(m, d, k, h, w, axes, point, out)


@kernel(unit=True)
def touch_geoms(m, d):
    """All contacts of vertices with geoms, one after another."""
    for k in range(d.nsoftcon):
        press(m, d, k, d.soft_h)


@kernel(unit=True)
def keep_to_pins(m, d):
    """Attached vertices and the points of bodies to which they are attached meet."""
    h = d.soft_h
    for k in range(m.nsoftpin):
        v, b = m.softpin_vert[k], m.softpin_body[k]
        arm = rotate(d.soft_bodyquat[b], d.softpin_place[k])
        off = d.soft_p[v] - (d.soft_bodypos[b] + arm)
        far = norm(off)
        w = d.soft_w[v]
        if far > 0.0:
            way = off * (1.0 / far)
            give = w + yields(d, b, arm, way)
            if give > 0.0:
                pull = far / give
                d.soft_p[v] = d.soft_p[v] - way * (pull * w)
                kick(m, d, b, arm, way * (pull / h))


@kernel(unit=True)
def report_contacts(m, d):
    """Mean forces on vertices of contacts in this step."""
    rate = 1.0 / m.opt_timestep
    for k in range(d.nsoftcon):
        d.softcon_force[k] = d.softcon_sum[k] * rate
