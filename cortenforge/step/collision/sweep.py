"""Long lists of candidates: which of them are near, by a sweep along an axis.

Geoms are sorted by where their spheres begin along the axis along which they are furthest spread,
and each is held against those that begin before it ends. What is near is marked by a bit of its
candidate, so that the stage takes candidates in the order of the list all the same. Sorting begins
from the last order, which decides how long it takes and nothing else.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot
from cortenforge.step.collision.marks import clear_marks, mark
from cortenforge.step.status import well

#: spheres end this much later, as a share of their radius, so that rounding loses none
SLACK = 1e-6


@kernel(unit=True)
def sweep(m, d):
    """Mark the candidates whose bounding spheres meet.  Mirrors mj_broadphase."""
    clear_marks(m, d)
    if well(d):
        for k in range(m.nalways):
            mark(d, m.always_candidate[k])
        sort_geoms(m, d, widest_axis(m, d))
        mark_pairs(m, d)


@kernel
def widest_axis(m, d):
    """The axis along which the geoms are furthest spread."""
    total = vec3(0.0, 0.0, 0.0)
    squares = vec3(0.0, 0.0, 0.0)
    for k in range(m.nswept):
        pos = d.geom_xpos[m.swept_geom[k]]
        total = total + pos
        squares = squares + vec3(pos.x * pos.x, pos.y * pos.y, pos.z * pos.z)
    x = squares.x * m.nswept - total.x * total.x
    y = squares.y * m.nswept - total.y * total.y
    z = squares.z * m.nswept - total.z * total.z
    if x >= y and x >= z:
        return 0
    return 1 if y >= z else 2


@kernel
def sort_geoms(m, d, axis: int):
    """Put geoms in order of where their spheres begin, with what a sweep needs of them."""
    if d.swept != m.nswept:
        d.swept = m.nswept
        for k in range(m.nswept):
            d.sweep_order[k] = k
    for k in range(m.nswept):
        place = d.sweep_order[k]
        g = m.swept_geom[place]
        low = d.geom_xpos[g, axis] - d.geom_reach[g]
        at = k
        while at > 0 and d.sweep_low[max(at - 1, 0)] > low:
            d.sweep_low[at] = d.sweep_low[at - 1]
            d.sweep_order[at] = d.sweep_order[at - 1]
            at -= 1
        d.sweep_low[at] = low
        d.sweep_order[at] = place
    for k in range(m.nswept):
        g = m.swept_geom[d.sweep_order[k]]
        d.sweep_centre[k] = d.geom_xpos[g]
        d.sweep_reach[k] = d.geom_reach[g]


@kernel
def mark_pairs(m, d):
    """Hold each geom against those that begin before it ends."""
    for i in range(m.nswept):
        centre = d.sweep_centre[i]
        reach = d.sweep_reach[i]
        end = d.sweep_low[i] + (2.0 + SLACK) * reach
        row = d.sweep_order[i] * m.nswept
        for j in range(i + 1, m.nswept):
            if d.sweep_low[j] > end:
                break
            between = d.sweep_centre[j] - centre
            far = reach + d.sweep_reach[j]
            if dot(between, between) <= far * far:
                p = m.candidate_at[row + d.sweep_order[j]]
                if p >= 0:
                    mark(d, p)
