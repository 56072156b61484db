"""Bounding volume hierarchy (BVH) of static geoms, sixteen children to a box.

Static geoms are those of bodies welded to the world. `model/changes/static_geoms.py` puts them in
an order in which neighbours are near each other, and that order is the whole structure of the tree:
spheres 16 k to 16 k + 15 are in box k of the lowest level, and so on up to a level of at most
sixteen boxes. A box [low, high] overlaps a sphere's bounding cube if max(low - c, c - high) <= r on
each axis. Boxes are fitted here, again only after static geoms have changed; with other places, an
old order is slower and gives the same pairs.

Source: Ericson, "Real-Time Collision Detection", 2005, chapter 6.
"""

from __future__ import annotations

from cortenforge.kernel import bit, kernel, select

#: spheres of a box, and boxes of a box above it
BVH_WIDTH = 16
BVH_WIDTH_BITS = 4
#: slack of boxes, relative to radius and to coordinate, so that rounding loses no pair
RADIUS_SLACK = 1e-6
COORDINATE_SLACK = 1e-12
#: place of the spheres and boxes that fill the last block: nothing reaches them
UNREACHABLE = 1e30


@kernel
def fit_static_bvh(m, d):
    """Fit boxes to static geoms at their current places, from the lowest level up."""
    write_static_spheres(m, d)
    boxes = block_count(m.nstatic)
    for k in range(m.static_level[1]):
        clear_static_box(d, k)
        if k < boxes:
            fit_box_to_spheres(d, k)
    for level in range(1, m.static_levels):
        first = m.static_level[level]
        below = m.static_level[level - 1]
        boxes = block_count(first - below)
        for k in range(m.static_level[level + 1] - first):
            clear_static_box(d, first + k)
            if k < boxes:
                fit_box_to_boxes(d, first + k, below + BVH_WIDTH * k)


@kernel
def block_count(count: int):
    """Number of blocks of sixteen: count / 16, rounded up."""
    return (count + BVH_WIDTH - 1) >> BVH_WIDTH_BITS


@kernel
def write_static_spheres(m, d):
    """Write spheres in the order of the tree, components in separate arrays."""
    for k in range(m.nstatic):
        g = m.static_geom[k]
        centre = d.geom_xpos[g]
        d.static_x[k] = centre.x
        d.static_y[k] = centre.y
        d.static_z[k] = centre.z
        d.static_reach[k] = d.geom_reach[g]
    for k in range(m.nstatic, BVH_WIDTH * block_count(m.nstatic)):
        d.static_x[k] = UNREACHABLE
        d.static_y[k] = UNREACHABLE
        d.static_z[k] = UNREACHABLE
        d.static_reach[k] = 0.0


@kernel
def clear_static_box(d, k: int):
    """Make a box empty."""
    d.box_xlow[k] = UNREACHABLE
    d.box_ylow[k] = UNREACHABLE
    d.box_zlow[k] = UNREACHABLE
    d.box_xhigh[k] = -UNREACHABLE
    d.box_yhigh[k] = -UNREACHABLE
    d.box_zhigh[k] = -UNREACHABLE


@kernel
def padded_radius(x, y, z, reach):
    """Radius of a sphere plus slack for rounding."""
    return reach + RADIUS_SLACK * reach + COORDINATE_SLACK * (abs(x) + abs(y) + abs(z))


@kernel
def fit_box_to_spheres(d, k: int):
    """Fit a box to its sixteen spheres; fillers and non-finite spheres are left out."""
    for s in range(BVH_WIDTH * k, BVH_WIDTH * k + BVH_WIDTH):
        x, y, z = d.static_x[s], d.static_y[s], d.static_z[s]
        around = padded_radius(x, y, z, d.static_reach[s])
        if x < UNREACHABLE and y < UNREACHABLE and z < UNREACHABLE and around < UNREACHABLE:
            d.box_xlow[k] = min(d.box_xlow[k], x - around)
            d.box_ylow[k] = min(d.box_ylow[k], y - around)
            d.box_zlow[k] = min(d.box_zlow[k], z - around)
            d.box_xhigh[k] = max(d.box_xhigh[k], x + around)
            d.box_yhigh[k] = max(d.box_yhigh[k], y + around)
            d.box_zhigh[k] = max(d.box_zhigh[k], z + around)


@kernel
def fit_box_to_boxes(d, k: int, first: int):
    """Fit a box to sixteen boxes, `first` being the first of them."""
    for s in range(first, first + BVH_WIDTH):
        d.box_xlow[k] = min(d.box_xlow[k], d.box_xlow[s])
        d.box_ylow[k] = min(d.box_ylow[k], d.box_ylow[s])
        d.box_zlow[k] = min(d.box_zlow[k], d.box_zlow[s])
        d.box_xhigh[k] = max(d.box_xhigh[k], d.box_xhigh[s])
        d.box_yhigh[k] = max(d.box_yhigh[k], d.box_yhigh[s])
        d.box_zhigh[k] = max(d.box_zhigh[k], d.box_zhigh[s])


@kernel
def overlapping_boxes(d, first: int, centre, reach):
    """Which of sixteen boxes a sphere's bounding cube overlaps, as bits."""
    none = bit(0) ^ bit(0)
    bits = none
    for k in range(BVH_WIDTH):
        at = first + k
        aside_x = max(d.box_xlow[at] - centre.x, centre.x - d.box_xhigh[at])
        aside_y = max(d.box_ylow[at] - centre.y, centre.y - d.box_yhigh[at])
        aside_z = max(d.box_zlow[at] - centre.z, centre.z - d.box_zhigh[at])
        # one comparison and no branches, so that the loop is vectorized
        bits = bits | select(max(aside_x, max(aside_y, aside_z)) <= reach, bit(k), none)
    return bits


@kernel
def overlapping_spheres(d, first: int, centre, reach):
    """Which of sixteen spheres of the tree a sphere overlaps, as bits."""
    none = bit(0) ^ bit(0)
    bits = none
    for k in range(BVH_WIDTH):
        at = first + k
        dx = d.static_x[at] - centre.x
        dy = d.static_y[at] - centre.y
        dz = d.static_z[at] - centre.z
        far = d.static_reach[at] + reach
        bits = bits | select(dx * dx + dy * dy + dz * dz <= far * far, bit(k), none)
    return bits
