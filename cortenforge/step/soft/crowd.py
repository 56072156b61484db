"""Vertices of deformables that come near each other, found by cells of a grid in a hash table."""

from __future__ import annotations

import math

from cortenforge.fields import place_of
from cortenforge.kernel import kernel
from cortenforge.math.vector import dot, norm
from cortenforge.step.constants import NO_CONTACT
from cortenforge.step.status import need, well

NSOFTNEARMAX = place_of("nsoftnearmax")
#: pairs that are apart by so much more than their radii are listed, too
ROOM = 1.5
#: the fastest at which vertices that are inside each other part, in m/s
PARTING = 1.0


@kernel
def may_meet(m, s: int, t: int):
    """Whether filters let vertices of two deformables, or of one, touch."""
    if s == t:
        return m.soft_selfcollide[s] != 0
    one = m.soft_contype[s] & m.soft_conaffinity[t]
    other = m.soft_conaffinity[s] & m.soft_contype[t]
    return one != 0 or other != 0


@kernel
def is_crowded(m):
    """Whether vertices of any two deformables, or of one, may touch."""
    for s in range(m.nsoft):
        for t in range(s, m.nsoft):
            if may_meet(m, s, t):
                return True
    return False


@kernel
def widest(m):
    """How near vertices have to be, at most, to be a pair."""
    radius = 0.0
    for s in range(m.nsoft):
        radius = max(radius, m.soft_spacing[s])
    return 2.0 * ROOM * radius


@kernel
def table_size(m):
    """How many cells the table has: a power of two, and not more than there are vertices."""
    size = 1
    while 2 * size <= m.nsoftvert:
        size = 2 * size
    return size


@kernel
def cell_of(size: int, x: int, y: int, z: int):
    """The place of a cell in the table."""
    return ((x * 73856093) ^ (y * 19349663) ^ (z * 83492791)) & (size - 1)


@kernel
def along_grid(x, size):
    """The number of a cell along an axis; what is far away is in the last one."""
    return math.floor(min(1e6, max(-1e6, x / size)))


@kernel
def sort_by_cells(m, d, cells: int, size):
    """Vertices in the order of their cells."""
    for c in range(cells + 1):
        d.soft_cellstart[c] = 0
    for v in range(m.nsoftvert):
        p = d.soft_p[v]
        cell = cell_of(cells, along_grid(p.x, size), along_grid(p.y, size), along_grid(p.z, size))
        d.soft_cell[v] = cell
        d.soft_cellstart[cell] += 1
    total = 0
    for c in range(cells + 1):
        total += d.soft_cellstart[c]
        d.soft_cellstart[c] = total
    for v in range(m.nsoftvert):
        cell = d.soft_cell[v]
        d.soft_cellstart[cell] -= 1
        d.soft_sorted[d.soft_cellstart[cell]] = v


@kernel
def note_pair(m, d, v: int, u: int):
    """Put two vertices on the list if they are near, and were not so at rest."""
    s, t = m.softvert_soft[v], m.softvert_soft[u]
    if d.soft_w[v] + d.soft_w[u] <= 0.0 or not may_meet(m, s, t):
        return
    near = m.soft_spacing[s] + m.soft_spacing[t]
    away = d.soft_p[v] - d.soft_p[u]
    reach = ROOM * near
    if dot(away, away) > reach * reach:
        return
    rest = m.softvert_pos0[v] - m.softvert_pos0[u]
    if s == t and dot(rest, rest) < reach * reach:
        return
    k = d.nsoftnear
    d.nsoftnear = k + 1
    if k < d.nsoftnearmax:
        d.softnear_vert[k, 0] = v
        d.softnear_vert[k, 1] = u


@kernel
def is_in(p, size, x: int, y: int, z: int):
    """Whether a point is in a cell; others may have the same place in the table."""
    return along_grid(p.x, size) == x and along_grid(p.y, size) == y and along_grid(p.z, size) == z


@kernel
def look_around(m, d, v: int, cells: int, size):
    """Pairs of a vertex with those of higher number in cells around it."""
    p = d.soft_p[v]
    x, y, z = along_grid(p.x, size), along_grid(p.y, size), along_grid(p.z, size)
    for i in range(x - 1, x + 2):
        for j in range(y - 1, y + 2):
            for k in range(z - 1, z + 2):
                cell = cell_of(cells, i, j, k)
                for at in range(d.soft_cellstart[cell], d.soft_cellstart[cell + 1]):
                    u = d.soft_sorted[at]
                    if u > v and is_in(d.soft_p[u], size, i, j, k):
                        note_pair(m, d, v, u)


@kernel(unit=True)
def find_crowd(m, d):
    """List vertices of deformables that may touch each other in this step."""
    d.nsoftnear = 0
    if m.opt_disableflags & NO_CONTACT != 0 or not is_crowded(m):
        return
    size = widest(m)
    if size <= 0.0:
        return
    cells = table_size(m)
    sort_by_cells(m, d, cells, size)
    for v in range(m.nsoftvert):
        look_around(m, d, v, cells, size)
    if d.nsoftnear > d.nsoftnearmax and well(d):
        need(d, NSOFTNEARMAX, d.nsoftnear)


@kernel(unit=True)
def part_vertices(m, d):
    """Keep vertices of deformables apart, with friction against their motion in the substep."""
    h = d.soft_h
    for k in range(d.nsoftnear):
        v, u = d.softnear_vert[k, 0], d.softnear_vert[k, 1]
        s, t = m.softvert_soft[v], m.softvert_soft[u]
        away = d.soft_p[v] - d.soft_p[u]
        far = norm(away)
        near = m.soft_spacing[s] + m.soft_spacing[t]
        w = d.soft_w[v] + d.soft_w[u]
        if far < near and far > 0.0 and w > 0.0:
            way = away * (1.0 / far)
            pressed = min(near - far, PARTING * h) / w
            slide = (d.soft_p[v] - d.soft_before[v]) - (d.soft_p[u] - d.soft_before[u])
            slide = slide - way * dot(slide, way)
            drift = norm(slide)
            friction = math.sqrt(max(0.0, m.soft_friction[s]) * max(0.0, m.soft_friction[t]))
            taken = min(drift / w, friction * pressed)
            change = way * pressed - slide * (taken / max(drift, 1e-30))
            d.soft_p[v] = d.soft_p[v] + change * d.soft_w[v]
            d.soft_p[u] = d.soft_p[u] - change * d.soft_w[u]
