"""What of one flat side, or of an edge, is above another side; the best four of many corners."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL, cross, dot, norm, unit


@kernel
def following(k: int, count: int):
    """The next place around a polygon."""
    return 0 if k + 1 == count else k + 1


@kernel
def inward(border, k: int, count: int, normal):
    """The direction into a clockwise polygon across its k-th edge."""
    return unit(cross(border[following(k, count)] - border[k], normal))


@kernel
def clip_polygon(d, border, count: int, polygon, corners: int, normal):
    """Cut a polygon along the edges of another, seen along its normal: Sutherland and Hodgman.

    Gives where in `clipped` the rest begins, and how many corners it has.
    """
    half = count + corners
    base = 0
    for k in range(corners):
        d.clipped[k] = polygon[k]
    left = corners
    for edge in range(count):
        into = inward(border, edge, count, normal)
        left = cut(d, base, left, half - base, border[edge], into)
        base = half - base
    return base, left


@kernel
def cut(d, base: int, corners: int, target: int, origin, into):
    """The part of a polygon on one side of a plane, written elsewhere; how many corners it has."""
    left = 0
    for k in range(corners):
        start = d.clipped[base + k]
        end = d.clipped[base + following(k, corners)]
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
    """The part of an edge above a polygon, as two ends at the beginning of `clipped`.

    Gives 0 if nothing is left; otherwise 1, and 2 and 4 more for the first and the second end if
    they were cut off.
    """
    enter = 0.0
    leave = 1.0
    for k in range(count):
        into = inward(border, k, count, normal)
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
def area_of_four(d, base: int, i: int, j: int, k: int, o: int):
    """Twice the area of the quadrilateral of four corners, by its diagonals."""
    one = d.clipped[base + k] - d.clipped[base + i]
    other = d.clipped[base + o] - d.clipped[base + j]
    return norm(cross(one, other))


@kernel
def widest_four(d, base: int, n: int):
    """The four corners of a convex polygon with the largest area between them.

    The corners are moved on around the polygon as long as the area grows, from each first corner.
    """
    j = 1
    k = 2
    o = 3
    best = area_of_four(d, base, 0, j, k, o)
    best_i = 0
    best_j = j
    best_k = k
    best_o = o
    for i in range(n):
        before = best
        j, k, o, best = widen(d, base, n, i, j, k, o, best)
        if best > before:
            best_i = i
            best_j = j
            best_k = k
            best_o = o
        if j == i:
            j = following(j, n)
            if k == j:
                k = following(k, n)
                if o == k:
                    o = following(o, n)
    return best_i, best_j, best_k, best_o


@kernel
def widen(d, base: int, n: int, i: int, j: int, k: int, o: int, best):
    """Move three corners on around the polygon while the area with corner i grows."""
    moving = True
    while moving:
        area = area_of_four(d, base, i, j, k, following(o, n))
        moving = area > best
        if moving:
            best = area
            o = following(o, n)
            k, best = move_third(d, base, n, i, j, k, o, best)
            j, best = move_second(d, base, n, i, j, k, o, best)
    return j, k, o, best


@kernel
def move_third(d, base: int, n: int, i: int, j: int, k: int, o: int, best):
    """Move the third corner on while the area grows."""
    area = area_of_four(d, base, i, j, following(k, n), o)
    while area > best:
        best = area
        k = following(k, n)
        area = area_of_four(d, base, i, j, following(k, n), o)
    return k, best


@kernel
def move_second(d, base: int, n: int, i: int, j: int, k: int, o: int, best):
    """Move the second corner on while the area grows."""
    area = area_of_four(d, base, i, following(j, n), k, o)
    while area > best:
        best = area
        j = following(j, n)
        area = area_of_four(d, base, i, following(j, n), k, o)
    return j, best
