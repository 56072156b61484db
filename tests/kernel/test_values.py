"""Value types give the same numbers compiled and as plain Python."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from cortenforge.kernel import inertia, kernel, mat3, quat, select, spatial, vec3
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.kernel.load.link import Call, Linker
from cortenforge.math.rotation import (
    integrate_quat,
    quat_to_matrix,
    rotate,
    rotation_vector_rate,
    subtract_quats,
)
from cortenforge.math.spatial import cross_force, cross_motion, inertia_times_motion, spatial_of
from cortenforge.math.vector import cross, dot, into_frame, norm, unit

SIZES = StructLayout("ValueSizes", [("n", "size", (), True)], constant=True)
DESK = StructLayout(
    "ValueDesk",
    [("number", "real", (), False), ("out", "real", (), False)],
    constant=False,
)


@kernel
def store3(out, at: int, v):
    """Write a vector."""
    out[at] = v.x
    out[at + 1] = v.y
    out[at + 2] = v.z


@kernel
def store6(out, at: int, s):
    """Write a spatial vector."""
    out[at] = s.ax
    out[at + 1] = s.ay
    out[at + 2] = s.az
    out[at + 3] = s.lx
    out[at + 4] = s.ly
    out[at + 5] = s.lz


@kernel(entry=True)
def exercise(m, d, count: int):
    """Use every operator and most functions once."""
    n = d.number
    a = vec3(n[0], n[1], n[2])
    b = vec3(n[3], n[4], n[5])
    p = quat(n[6], n[7], n[8], n[9])
    q = quat(n[2], n[3], n[4], n[5])
    r = mat3(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8])
    s = spatial(n[0], n[1], n[2], n[3], n[4], n[5])
    t = spatial(n[4], n[5], n[6], n[7], n[8], n[9])
    i = inertia(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9])
    store3(d.out, 0, a + b * 2.0 - cross(a, b))
    store3(d.out, 3, -a + 0.5 * b)
    store3(d.out, 6, r @ a)
    store3(d.out, 9, into_frame(r, b))
    pq = p * q
    store3(d.out, 12, vec3(pq.x, pq.y, pq.z))
    d.out[15] = pq.w + dot(a, b) + norm(b)
    store3(d.out, 16, rotate(p, unit(a)))
    store3(d.out, 19, subtract_quats(p, q))
    w = integrate_quat(p, a, n[9])
    store3(d.out, 22, vec3(w.w, w.x, w.y))
    store3(d.out, 25, rotation_vector_rate(a, b))
    store6(d.out, 28, cross_motion(s, t) + cross_force(t, s))
    store6(d.out, 34, inertia_times_motion(i, s))
    store6(d.out, 40, select(n[0] > n[1], s, spatial_of(a, b)))
    mat = quat_to_matrix(p)
    d.out[46] = mat.xx + mat.yz
    return m.n


@pytest.fixture(scope="module")
def compiled():
    return Linker(SIZES, DESK).function(exercise)


@pytest.mark.parametrize("seed", range(5))
def test_compiled_and_plain_agree(compiled, seed):
    """Both targets follow one source; fused multiply-adds explain the last bits."""
    number = np.random.default_rng(seed).normal(size=10)
    out = np.zeros(47)
    sizes = SIZES.block({"n": 7})
    desk = DESK.block({"number": number.ctypes.data, "out": out.ctypes.data})
    call = Call(sizes.ctypes.data, desk.ctypes.data, 1)
    assert compiled(ctypes.addressof(call)) == 7

    plain = np.zeros(47)
    exercise(PlainStruct(SIZES, {"n": 7}), PlainStruct(DESK, {"number": number, "out": plain}), 1)
    np.testing.assert_allclose(out, plain, rtol=1e-13, atol=1e-14)


def test_values_are_values():
    """A value cannot be changed, has no unknown components, and compares by content."""
    v = vec3(1, 2, 3)
    assert v == vec3(1, 2, 3) and v != vec3(1, 2, 4)
    assert list(-v) == [-1, -2, -3]
    with pytest.raises(AttributeError, match="make a new value"):
        v.x = 2.0
    with pytest.raises(AttributeError, match="no component"):
        _ = v.w
    with pytest.raises(TypeError, match="takes 3 numbers"):
        vec3(1, 2)
    with pytest.raises(TypeError):
        _ = v + quat(1, 0, 0, 0)
