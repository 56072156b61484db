"""Contacts between vertices of deformables (self collision): spatial hash and projection.

Vertices are spheres of radius r (`spacing`). Pairs are listed once a step: cells as wide as the
largest reach of a pair, in a hash table sorted by cells (a counting sort), so that a vertex meets
only those of the 27 cells around it. In each substep a listed pair is projected:

    C = |x_v - x_u| - (r_v + r_u) >= 0,    lambda = min(-C, v_max h) / (w_v + w_u)
    friction: the slip of the substep, along the plane of contact, is taken back by at most
    mu lambda (Coulomb, with mu the geometric mean):  min(|slip| / (w_v + w_u), mu lambda)

Source of the hash: Teschner et al., "Optimized Spatial Hashing for Collision Detection of
Deformable Objects" (2003).
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

import math

from cortenforge.fields import place_of
from cortenforge.kernel import kernel
from cortenforge.math.vector import dot, norm
from cortenforge.step.constants import NO_CONTACT
from cortenforge.step.status import is_ok, need

NSOFTNEARMAX = place_of("nsoftnearmax")
#: pairs are listed up to this multiple of the sum of their radii: they may come nearer in the step
PAIR_MARGIN = 1.5
#: v_max: the fastest at which vertices that overlap are moved apart, in m/s
MAX_SEPARATION_SPEED = 1.0


@kernel
def soft_pair_enabled(m, s: int, t: int):
    """Whether contype, conaffinity and selfcollide let vertices of two deformables touch."""
    if s == t:
        return m.soft_selfcollide[s] != 0
    one = m.soft_contype[s] & m.soft_conaffinity[t]
    other = m.soft_conaffinity[s] & m.soft_contype[t]
    return one != 0 or other != 0


@kernel
def any_soft_pair_enabled(m):
    """Whether vertices of any two deformables, or of one, may touch."""
    for s in range(m.nsoft):
        for t in range(s, m.nsoft):
            if soft_pair_enabled(m, s, t):
                return True
    return False


@kernel
def grid_cell_size(m):
    """Edge of a grid cell: the largest distance at which two vertices are listed as a pair."""
    radius = 0.0
    for s in range(m.nsoft):
        radius = max(radius, m.soft_spacing[s])
    return 2.0 * PAIR_MARGIN * radius


@kernel
def hash_table_size(m):
    """Number of slots of the hash table: the largest power of two that is at most nsoftvert."""
    size = 1
    while 2 * size <= m.nsoftvert:
        size = 2 * size
    return size


@kernel
def cell_hash(size: int, x: int, y: int, z: int):
    """Slot of a cell in the hash table."""
    return ((x * 73856093) ^ (y * 19349663) ^ (z * 83492791)) & (size - 1)


@kernel
def grid_coordinate(x, size):
    """Cell coordinate along an axis; clamped, so that what is far away is in the last one."""
    return math.floor(min(1e6, max(-1e6, x / size)))


@kernel
def sort_vertices_by_cell(m, d, cells: int, size):
    """Sort vertices by the slots of their cells (a counting sort)."""
    for c in range(cells + 1):
        d.soft_cellstart[c] = 0
    for v in range(m.nsoftvert):
        p = d.soft_p[v]
        cell = cell_hash(
            cells,
            grid_coordinate(p.x, size),
            grid_coordinate(p.y, size),
            grid_coordinate(p.z, size),
        )
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
def add_vertex_pair(m, d, v: int, u: int):
    """List two vertices as a pair if they are near, and were not so at rest."""
    s, t = m.softvert_soft[v], m.softvert_soft[u]
    if d.soft_w[v] + d.soft_w[u] <= 0.0 or not soft_pair_enabled(m, s, t):
        return
    contact_distance = m.soft_spacing[s] + m.soft_spacing[t]
    offset = d.soft_p[v] - d.soft_p[u]
    reach = PAIR_MARGIN * contact_distance
    if dot(offset, offset) > reach * reach:
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
def is_in_cell(p, size, x: int, y: int, z: int):
    """Whether a point is in a cell; other cells may have the same slot in the table."""
    return (
        grid_coordinate(p.x, size) == x
        and grid_coordinate(p.y, size) == y
        and grid_coordinate(p.z, size) == z
    )


@kernel
def add_pairs_around(m, d, v: int, cells: int, size):
    """List the pairs of a vertex with those of higher number in the 27 cells around it."""
    p = d.soft_p[v]
    x, y, z = grid_coordinate(p.x, size), grid_coordinate(p.y, size), grid_coordinate(p.z, size)
    for i in range(x - 1, x + 2):
        for j in range(y - 1, y + 2):
            for k in range(z - 1, z + 2):
                cell = cell_hash(cells, i, j, k)
                for at in range(d.soft_cellstart[cell], d.soft_cellstart[cell + 1]):
                    u = d.soft_sorted[at]
                    if u > v and is_in_cell(d.soft_p[u], size, i, j, k):
                        add_vertex_pair(m, d, v, u)


@kernel(unit=True)
def find_vertex_pairs(m, d):
    """List pairs of vertices of deformables that may touch each other in this step."""
    d.nsoftnear = 0
    if m.opt_disableflags & NO_CONTACT != 0 or not any_soft_pair_enabled(m):
        return
    size = grid_cell_size(m)
    if size <= 0.0:
        return
    cells = hash_table_size(m)
    sort_vertices_by_cell(m, d, cells, size)
    for v in range(m.nsoftvert):
        add_pairs_around(m, d, v, cells, size)
    if d.nsoftnear > d.nsoftnearmax and is_ok(d):
        need(d, NSOFTNEARMAX, d.nsoftnear)


@kernel(unit=True)
def project_vertex_pairs(m, d):
    """Project listed pairs: apart, with friction against their relative motion in the substep."""
    h = d.soft_h
    for k in range(d.nsoftnear):
        v, u = d.softnear_vert[k, 0], d.softnear_vert[k, 1]
        s, t = m.softvert_soft[v], m.softvert_soft[u]
        offset = d.soft_p[v] - d.soft_p[u]
        distance = norm(offset)
        contact_distance = m.soft_spacing[s] + m.soft_spacing[t]
        w_sum = d.soft_w[v] + d.soft_w[u]
        if distance < contact_distance and distance > 0.0 and w_sum > 0.0:
            normal = offset * (1.0 / distance)
            impulse = min(contact_distance - distance, MAX_SEPARATION_SPEED * h) / w_sum
            slip = (d.soft_p[v] - d.soft_before[v]) - (d.soft_p[u] - d.soft_before[u])
            slip = slip - normal * dot(slip, normal)
            slip_length = norm(slip)
            friction = math.sqrt(max(0.0, m.soft_friction[s]) * max(0.0, m.soft_friction[t]))
            friction_impulse = min(slip_length / w_sum, friction * impulse)
            change = normal * impulse - slip * (friction_impulse / max(slip_length, 1e-30))
            d.soft_p[v] = d.soft_p[v] + change * d.soft_w[v]
            d.soft_p[u] = d.soft_p[u] - change * d.soft_w[u]
