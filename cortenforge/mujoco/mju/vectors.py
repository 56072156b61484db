"""Vectors of any length, of three and of four numbers, and functions of one number."""

from __future__ import annotations

import math

import numpy as np

from cortenforge.math.scalar import clip, round_half_away, sigmoid
from cortenforge.math.vector import MINVAL
from cortenforge.mujoco.mju.shapes import check_same_size
from cortenforge.mujoco.registry import function
from cortenforge.step.collision.sdf.start_points import halton

#: a number beyond this is bad (mjMAXVAL)
MAXVAL = 1e10
#: what nan is as an integer of 32 bits
SMALLEST_INT = -(2**31)


@function
def mju_zero3(res: np.ndarray) -> None:
    """res = 0."""
    res[:] = 0.0


@function
def mju_copy3(res: np.ndarray, data: np.ndarray) -> None:
    """res = data."""
    res[:] = data


@function
def mju_scl3(res: np.ndarray, vec: np.ndarray, scl: float) -> None:
    """res = vec scl."""
    res[:] = vec * scl


@function
def mju_add3(res: np.ndarray, vec1: np.ndarray, vec2: np.ndarray) -> None:
    """res = vec1 + vec2."""
    res[:] = vec1 + vec2


@function
def mju_sub3(res: np.ndarray, vec1: np.ndarray, vec2: np.ndarray) -> None:
    """res = vec1 - vec2."""
    res[:] = vec1 - vec2


@function
def mju_addTo3(res: np.ndarray, vec: np.ndarray) -> None:
    """res = res + vec."""
    res += vec


@function
def mju_subFrom3(res: np.ndarray, vec: np.ndarray) -> None:
    """res = res - vec."""
    res -= vec


@function
def mju_addToScl3(res: np.ndarray, vec: np.ndarray, scl: float) -> None:
    """res = res + vec scl."""
    res += vec * scl


@function
def mju_addScl3(res: np.ndarray, vec1: np.ndarray, vec2: np.ndarray, scl: float) -> None:
    """res = vec1 + vec2 scl."""
    res[:] = vec1 + vec2 * scl


def normalize(vec: np.ndarray) -> float:
    """Scale to length 1 in place; a vector of length zero becomes (1, 0, ...).  The old length."""
    length = math.sqrt(float(vec @ vec))
    if length < MINVAL:
        vec[:] = 0.0
        vec[:1] = 1.0
    else:
        vec *= 1.0 / length
    return length


@function
def mju_normalize3(vec: np.ndarray) -> float:
    """Scale to length 1; (1, 0, 0) if the length is zero.  Returns the length before."""
    return normalize(vec)


@function
def mju_norm3(vec: np.ndarray) -> float:
    """Euclidean length."""
    return math.sqrt(float(vec @ vec))


@function
def mju_dot3(vec1: np.ndarray, vec2: np.ndarray) -> float:
    """Scalar product."""
    return float(vec1 @ vec2)


@function
def mju_dist3(pos1: np.ndarray, pos2: np.ndarray) -> float:
    """Distance of two points."""
    return math.dist(pos1.tolist(), pos2.tolist())


@function
def mju_cross(res: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """Vector product."""
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    res[:] = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@function
def mju_zero4(res: np.ndarray) -> None:
    """res = 0."""
    res[:] = 0.0


@function
def mju_unit4(res: np.ndarray) -> None:
    """res = (1, 0, 0, 0)."""
    res[:] = 1.0, 0.0, 0.0, 0.0


@function
def mju_copy4(res: np.ndarray, data: np.ndarray) -> None:
    """res = data."""
    res[:] = data


@function
def mju_normalize4(vec: np.ndarray) -> float:
    """Scale to length 1; (1, 0, 0, 0) if the length is zero.  Returns the length before."""
    return normalize(vec)


@function
def mju_zero(res: np.ndarray) -> None:
    """res = 0."""
    res[:] = 0.0


@function
def mju_fill(res: np.ndarray, val: float) -> None:
    """res = val."""
    res[:] = val


@function
def mju_copy(res: np.ndarray, vec: np.ndarray) -> None:
    """res = vec."""
    check_same_size(res=res, vec=vec)
    res[:] = vec


@function
def mju_sum(vec: np.ndarray) -> float:
    """Sum of the entries."""
    return float(vec.sum())


@function
def mju_L1(vec: np.ndarray) -> float:
    """Sum of the absolute entries."""
    return float(np.abs(vec).sum())


@function
def mju_scl(res: np.ndarray, vec: np.ndarray, scl: float) -> None:
    """res = vec scl."""
    check_same_size(res=res, vec=vec)
    res[:] = vec * scl


@function
def mju_add(res: np.ndarray, vec1: np.ndarray, vec2: np.ndarray) -> None:
    """res = vec1 + vec2."""
    check_same_size(res=res, vec1=vec1, vec2=vec2)
    res[:] = vec1 + vec2


@function
def mju_sub(res: np.ndarray, vec1: np.ndarray, vec2: np.ndarray) -> None:
    """res = vec1 - vec2."""
    check_same_size(res=res, vec1=vec1, vec2=vec2)
    res[:] = vec1 - vec2


@function
def mju_addTo(res: np.ndarray, vec: np.ndarray) -> None:
    """res = res + vec."""
    check_same_size(res=res, vec=vec)
    res += vec


@function
def mju_subFrom(res: np.ndarray, vec: np.ndarray) -> None:
    """res = res - vec."""
    check_same_size(res=res, vec=vec)
    res -= vec


@function
def mju_addToScl(res: np.ndarray, vec: np.ndarray, scl: float) -> None:
    """res = res + vec scl."""
    check_same_size(res=res, vec=vec)
    res += vec * scl


@function
def mju_addScl(res: np.ndarray, vec1: np.ndarray, vec2: np.ndarray, scl: float) -> None:
    """res = vec1 + vec2 scl."""
    check_same_size(res=res, vec1=vec1, vec2=vec2)
    res[:] = vec1 + vec2 * scl


@function
def mju_normalize(res: np.ndarray) -> float:
    """Scale to length 1; (1, 0, ...) if the length is zero.  Returns the length before."""
    return normalize(res)


@function
def mju_norm(res: np.ndarray) -> float:
    """Euclidean length."""
    return math.sqrt(float(res @ res))


@function
def mju_dot(vec1: np.ndarray, vec2: np.ndarray) -> float:
    """Scalar product."""
    check_same_size(vec1=vec1, vec2=vec2)
    return float(vec1 @ vec2)


@function
def mju_isZero(vec: np.ndarray) -> int:
    """1 if all entries are zero, else 0."""
    return int(not vec.any())


@function
def mju_f2n(res: np.ndarray, vec: np.ndarray) -> None:
    """Reals of 32 bits to reals of 64."""
    check_same_size(res=res, vec=vec)
    res[:] = vec


@function
def mju_n2f(res: np.ndarray, vec: np.ndarray) -> None:
    """Reals of 64 bits to reals of 32."""
    check_same_size(res=res, vec=vec)
    with np.errstate(over="ignore"):
        res[:] = vec


@function
def mju_d2n(res: np.ndarray, vec: np.ndarray) -> None:
    """res = vec."""
    check_same_size(res=res, vec=vec)
    res[:] = vec


@function
def mju_n2d(res: np.ndarray, vec: np.ndarray) -> None:
    """res = vec."""
    check_same_size(res=res, vec=vec)
    res[:] = vec


@function
def mju_insertionSort(list: np.ndarray) -> None:
    """Sort in increasing order."""
    list.sort()


@function
def mju_insertionSortInt(list: np.ndarray) -> None:
    """Sort in increasing order."""
    list.sort()


@function
def mju_min(a: float, b: float) -> float:
    """The smaller of two numbers."""
    return a if a < b else b


@function
def mju_max(a: float, b: float) -> float:
    """The larger of two numbers."""
    return a if a > b else b


@function
def mju_clip(x: float, min: float, max: float) -> float:
    """x limited to [min, max]."""
    return float(clip(x, min, max))


@function
def mju_sign(x: float) -> float:
    """-1, 0 or 1."""
    return float((x > 0.0) - (x < 0.0))


@function
def mju_round(x: float) -> int:
    """The nearest integer of 32 bits; halves are rounded away from zero."""
    if not x > SMALLEST_INT:
        return SMALLEST_INT
    return int(round_half_away(x))


@function
def mju_sigmoid(x: float) -> float:
    """Smooth step 6 x^5 - 15 x^4 + 10 x^3 on [0, 1], constant outside."""
    return float(sigmoid(x))


@function
def mju_isBad(x: float) -> int:
    """1 if the number is nan or its magnitude is above 1e10, else 0."""
    return int(not abs(x) <= MAXVAL)


@function
def mju_Halton(index: int, base: int) -> float:
    """Element of the Halton sequence of a base, in [0, 1)."""
    if base < 2:
        raise ValueError(f"mju_Halton: expected a base of 2 or more, got {base}")
    return float(halton(index, base))
