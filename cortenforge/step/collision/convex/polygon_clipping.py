"""Clipping of contact polygons (Sutherland and Hodgman); the four corners of largest area.

Each edge of a border polygon, with inward normal n and origin o, cuts a polygon at the plane
n.(p - o) = 0: corners with n.(p - o) > 0 stay, and a crossed edge from p to q gets the corner
p + (q - p) d_p / (d_p - d_q), d the distances from the plane.

Sources: Sutherland and Hodgman, "Reentrant polygon clipping", Communications of the ACM 17(1),
1974; Cyrus and Beck, "Generalized two- and three-dimensional clipping", Computers and Graphics
3(1), 1978 (edges); MuJoCo: Computation, "Multiple contacts".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL, cross, dot, norm, unit


@kernel
def next_corner(k: int, count: int):
    """The next index around a polygon."""
    return 0 if k + 1 == count else k + 1


@kernel
def inward_normal(border, k: int, count: int, normal):
    """Unit normal of a clockwise polygon's k-th edge, in its plane and pointing inward."""
    return unit(cross(border[next_corner(k, count)] - border[k], normal))


@kernel
def clip_polygon(d, border, count: int, polygon, corners: int, normal):
    """Clip a polygon by the edges of another, seen along its normal.  Mirrors polygonClip.

    Returns (base, left): where in `clipped` the result begins, and how many corners it has.
    """
    half = count + corners
    base = 0
    for k in range(corners):
        d.clipped[k] = polygon[k]
    left = corners
    for edge in range(count):
        into = inward_normal(border, edge, count, normal)
        left = clip_by_plane(d, base, left, half - base, border[edge], into)
        base = half - base
    return base, left


@kernel
def clip_by_plane(d, base: int, corners: int, target: int, origin, into):
    """The part of a polygon on the inner side of a plane, written at `target`; how many corners.

    Mirrors clipHalfPlane.
    """
    left = 0
    for k in range(corners):
        start = d.clipped[base + k]
        end = d.clipped[base + next_corner(k, corners)]
        before = dot(start - origin, into)
        after = dot(end - origin, into)
        if (before > -MINVAL) != (after > -MINVAL):
            d.clipped[target + left] = start + (end - start) * (before / (before - after))
            left += 1
        if after > -MINVAL:
            d.clipped[target + left] = end
            left += 1
    return left


@kernel
def clip_edge(d, border, count: int, start, end, normal):
    """The part of an edge above a polygon, as two ends at the start of `clipped`.

    Returns 0 if nothing is left; otherwise 1, plus 2 if the first end was cut off, plus 4 if the
    second was.
    """
    enter = 0.0
    leave = 1.0
    for k in range(count):
        into = inward_normal(border, k, count, normal)
        before = dot(start - border[k], into)
        after = dot(end - border[k], into)
        if before < -MINVAL and after < -MINVAL:
            return 0
        if before < -MINVAL:
            enter = max(enter, before / (before - after))
        elif after < -MINVAL:
            leave = min(leave, before / (before - after))
    if enter > leave:
        return 0
    d.clipped[0] = start + (end - start) * enter
    d.clipped[1] = start + (end - start) * leave
    return 1 + (2 if enter > 0.0 else 0) + (4 if leave < 1.0 else 0)


@kernel
def quadrilateral_area(d, base: int, i: int, j: int, k: int, o: int):
    """Twice the area of a quadrilateral: the cross product of its diagonals."""
    one = d.clipped[base + k] - d.clipped[base + i]
    other = d.clipped[base + o] - d.clipped[base + j]
    return norm(cross(one, other))


@kernel
def largest_quadrilateral(d, base: int, n: int):
    """The four corners of a convex polygon that span the largest area: indices (i, j, k, o).

    Rotating calipers: for each first corner, the others advance while the area grows.
    """
    j = 1
    k = 2
    o = 3
    best = quadrilateral_area(d, base, 0, j, k, o)
    best_i = 0
    best_j = j
    best_k = k
    best_o = o
    for i in range(n):
        before = best
        j, k, o, best = grow_quadrilateral(d, base, n, i, j, k, o, best)
        if best > before:
            best_i = i
            best_j = j
            best_k = k
            best_o = o
        if j == i:
            j = next_corner(j, n)
            if k == j:
                k = next_corner(k, n)
                if o == k:
                    o = next_corner(o, n)
    return best_i, best_j, best_k, best_o


@kernel
def grow_quadrilateral(d, base: int, n: int, i: int, j: int, k: int, o: int, best):
    """Advance three corners around the polygon while the area with corner i grows.

    Returns (j, k, o, best): the three corners, and the largest area so far.
    """
    moving = True
    while moving:
        area = quadrilateral_area(d, base, i, j, k, next_corner(o, n))
        moving = area > best
        if moving:
            best = area
            o = next_corner(o, n)
            k, best = advance_third_corner(d, base, n, i, j, k, o, best)
            j, best = advance_second_corner(d, base, n, i, j, k, o, best)
    return j, k, o, best


@kernel
def advance_third_corner(d, base: int, n: int, i: int, j: int, k: int, o: int, best):
    """Advance the third corner while the area grows: (k, best)."""
    area = quadrilateral_area(d, base, i, j, next_corner(k, n), o)
    while area > best:
        best = area
        k = next_corner(k, n)
        area = quadrilateral_area(d, base, i, j, next_corner(k, n), o)
    return k, best


@kernel
def advance_second_corner(d, base: int, n: int, i: int, j: int, k: int, o: int, best):
    """Advance the second corner while the area grows: (j, best)."""
    area = quadrilateral_area(d, base, i, next_corner(j, n), k, o)
    while area > best:
        best = area
        j = next_corner(j, n)
        area = quadrilateral_area(d, base, i, next_corner(j, n), k, o)
    return j, best
