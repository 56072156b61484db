"""Axes and components by number, for kernels that loop over axes."""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3


@kernel(lanes=True)
def geom_z_axis(d, g: int):
    """The z axis of a geom: normal of a plane, axis of a capsule or a cylinder."""
    return vec3(d.geom_xmat[g, 2], d.geom_xmat[g, 5], d.geom_xmat[g, 8])


@kernel(lanes=True)
def next_axis(k: int):
    """The next axis in cyclic order: x, y, z, x."""
    return 0 if k == 2 else k + 1


@kernel(lanes=True)
def component(v, k: int):
    """Component k of a vector."""
    return v.x if k == 0 else (v.y if k == 1 else v.z)


@kernel(lanes=True)
def cyclic_vector(k: int, first, second, third):
    """Vector with component k first, then second and third in cyclic order."""
    x = first if k == 0 else (third if k == 1 else second)
    y = second if k == 0 else (first if k == 1 else third)
    z = third if k == 0 else (second if k == 1 else first)
    return vec3(x, y, z)


@kernel(lanes=True)
def axis_flag(k: int):
    """Axis k as a bit, 1, 2 or 4: set in a box's corner number on the upper side along it."""
    return 1 if k == 0 else (2 if k == 1 else 4)
