"""The line search: where the cost is least along the direction.  Mirrors PrimalSearch.

Newton's method until the slope changes its sign; then a bracket of two points is made smaller by
Newton steps from both ends and by its middle, whichever is the nearest. How often the cost is
looked at is limited, and where few looks are allowed they decide what is found: so they are taken
and counted as MuJoCo's are. Only those are left out that could not change anything.

A point is a vec3: how far along, and the first and second derivative of the cost there.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, vec3
from cortenforge.step.solve.rows import gain_at, slope_at


@kernel
def look_at(d, bounded: int, cones: int, slope, curve, alpha):
    """A point of the line."""
    first, second = slope_at(d, bounded, cones, slope, curve, alpha)
    return vec3(alpha, first, second)


@kernel
def beyond(p):
    """Where Newton's method goes from a point."""
    return p.x - p.y / p.z


@kernel
def is_flat(p, small):
    """Whether the slope at a point is as good as none."""
    return abs(p.y) < small or p.y == 0.0


@kernel
def nearer(p, q):
    """The less steep of two points; the first if they are on different sides of the least."""
    below = p.y < 0.0 and q.y < 0.0 and p.y < q.y
    above = p.y > 0.0 and q.y > 0.0 and p.y > q.y
    return select(below or above, q, p)


@kernel
def line_search(m, d, bounded: int, cones: int, slope, curve, begin, small):
    """How far to go along the search direction, and whether the slope is as good as none there.

    begin: where Newton's method goes from zero; small: the slope that is as good as none.
    """
    p = look_at(d, bounded, cones, slope, curve, begin)
    # that at zero counts
    looks, falls, before = 2, p.y < 0.0, p
    while not is_flat(p, small) and (p.y < 0.0) == falls and looks < m.opt_ls_iterations:
        before = p
        p = look_at(d, bounded, cones, slope, curve, beyond(p))
        looks += 1
    if not is_flat(p, small) and looks < m.opt_ls_iterations:
        p = close_in(m, d, bounded, cones, slope, curve, small, p, before, looks)
    return p.x, is_flat(p, small)


@kernel
def close_in(m, d, bounded: int, cones: int, slope, curve, small, one, two, looks: int):
    """The flat point between two on either side of it, or the middle where there is no nearer.

    Where looks run out it is the end of the bracket that costs less, or zero if both cost more.
    """
    from_one, from_two = look_at(d, bounded, cones, slope, curve, beyond(one)), one
    looks += 1
    while looks < m.opt_ls_iterations:
        if is_flat(from_one, small):
            return from_one
        if is_flat(from_two, small):
            return from_two
        middle = look_at(d, bounded, cones, slope, curve, 0.5 * (one.x + two.x))
        looks += 1
        next_one = nearer(nearer(nearer(one, from_one), from_two), middle)
        next_two = nearer(nearer(nearer(two, from_one), from_two), middle)
        if is_flat(middle, small) or (next_one.x == one.x and next_two.x == two.x):
            return middle
        if next_one.x != one.x:
            one = next_one
            from_one = look_at(d, bounded, cones, slope, curve, beyond(one))
            looks += 1
        if next_two.x != two.x:
            two = next_two
            from_two = look_at(d, bounded, cones, slope, curve, beyond(two))
            looks += 1
    gain = gain_at(d, bounded, cones, slope, curve, one.x)
    other = gain_at(d, bounded, cones, slope, curve, two.x)
    if max(gain, other) > 0.0:
        return select(gain >= other, one, two)
    return vec3(0.0, one.y, one.z)
