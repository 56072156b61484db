"""A tree of boxes around static geoms: sixteen spheres in a box, sixteen boxes in the next.

Static geoms are those of bodies that are welded to the world. `model/statics.py` puts them in an
order in which neighbours are near each other; that order is all of the tree's structure. Spheres
16 k to 16 k + 15 are in box k of the lowest level, and so on upward, to a level of sixteen boxes.
Here boxes are fitted to the spheres, which is done again only when something static has changed:
a tree that was made for other places is slower, and finds the same.
"""

from __future__ import annotations

from cortenforge.kernel import bit, kernel, select

#: spheres of a box, and boxes of a box above it
WIDE = 16
WIDE_BITS = 4
#: boxes are larger by this share of a radius, and of a coordinate, so that rounding loses none
SLACK = 1e-6
ROUNDING = 1e-12
#: where spheres and boxes are that fill the last sixteen: nothing reaches them
NOWHERE = 1e30


@kernel
def fit_tree(m, d):
    """Put boxes around static geoms where they are now, from the lowest level up."""
    lay_spheres(m, d)
    boxes = blocks(m.nstatic)
    for k in range(m.static_level[1]):
        clear_box(d, k)
        if k < boxes:
            surround_spheres(d, k)
    for level in range(1, m.static_levels):
        first = m.static_level[level]
        below = m.static_level[level - 1]
        boxes = blocks(first - below)
        for k in range(m.static_level[level + 1] - first):
            clear_box(d, first + k)
            if k < boxes:
                surround_boxes(d, first + k, below + WIDE * k)


@kernel
def blocks(count: int):
    """How many blocks of sixteen there are."""
    return (count + WIDE - 1) >> WIDE_BITS


@kernel
def lay_spheres(m, d):
    """Spheres in the order of the tree; components apart, so that several are loaded at once."""
    for k in range(m.nstatic):
        g = m.static_geom[k]
        centre = d.geom_xpos[g]
        d.static_x[k] = centre.x
        d.static_y[k] = centre.y
        d.static_z[k] = centre.z
        d.static_reach[k] = d.geom_reach[g]
    for k in range(m.nstatic, WIDE * blocks(m.nstatic)):
        d.static_x[k] = NOWHERE
        d.static_y[k] = NOWHERE
        d.static_z[k] = NOWHERE
        d.static_reach[k] = 0.0


@kernel
def clear_box(d, k: int):
    """A box with nothing in it."""
    d.box_xlow[k] = NOWHERE
    d.box_ylow[k] = NOWHERE
    d.box_zlow[k] = NOWHERE
    d.box_xhigh[k] = -NOWHERE
    d.box_yhigh[k] = -NOWHERE
    d.box_zhigh[k] = -NOWHERE


@kernel
def slackened(x, y, z, reach):
    """The radius of a sphere with what rounding may take."""
    return reach + SLACK * reach + ROUNDING * (abs(x) + abs(y) + abs(z))


@kernel
def surround_spheres(d, k: int):
    """Make a box as large as its spheres; what is no number, or nowhere, is not in it."""
    for s in range(WIDE * k, WIDE * k + WIDE):
        x, y, z = d.static_x[s], d.static_y[s], d.static_z[s]
        around = slackened(x, y, z, d.static_reach[s])
        if x < NOWHERE and y < NOWHERE and z < NOWHERE and around < NOWHERE:
            d.box_xlow[k] = min(d.box_xlow[k], x - around)
            d.box_ylow[k] = min(d.box_ylow[k], y - around)
            d.box_zlow[k] = min(d.box_zlow[k], z - around)
            d.box_xhigh[k] = max(d.box_xhigh[k], x + around)
            d.box_yhigh[k] = max(d.box_yhigh[k], y + around)
            d.box_zhigh[k] = max(d.box_zhigh[k], z + around)


@kernel
def surround_boxes(d, k: int, first: int):
    """Make a box as large as those from the first of sixteen on."""
    for s in range(first, first + WIDE):
        d.box_xlow[k] = min(d.box_xlow[k], d.box_xlow[s])
        d.box_ylow[k] = min(d.box_ylow[k], d.box_ylow[s])
        d.box_zlow[k] = min(d.box_zlow[k], d.box_zlow[s])
        d.box_xhigh[k] = max(d.box_xhigh[k], d.box_xhigh[s])
        d.box_yhigh[k] = max(d.box_yhigh[k], d.box_yhigh[s])
        d.box_zhigh[k] = max(d.box_zhigh[k], d.box_zhigh[s])


@kernel
def meeting_boxes(d, first: int, centre, reach):
    """Which of sixteen boxes a sphere meets, as bits."""
    none = bit(0) ^ bit(0)
    bits = none
    for k in range(WIDE):
        at = first + k
        aside_x = max(d.box_xlow[at] - centre.x, centre.x - d.box_xhigh[at])
        aside_y = max(d.box_ylow[at] - centre.y, centre.y - d.box_yhigh[at])
        aside_z = max(d.box_zlow[at] - centre.z, centre.z - d.box_zhigh[at])
        # one comparison and no branches: processors look at several boxes at once
        bits = bits | select(max(aside_x, max(aside_y, aside_z)) <= reach, bit(k), none)
    return bits


@kernel
def meeting_spheres(d, first: int, centre, reach):
    """Which of sixteen spheres of the tree a sphere meets, as bits."""
    none = bit(0) ^ bit(0)
    bits = none
    for k in range(WIDE):
        at = first + k
        dx = d.static_x[at] - centre.x
        dy = d.static_y[at] - centre.y
        dz = d.static_z[at] - centre.z
        far = d.static_reach[at] + reach
        bits = bits | select(dx * dx + dy * dy + dz * dz <= far * far, bit(k), none)
    return bits
