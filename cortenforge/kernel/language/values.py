"""Value types of the kernel language, as plain Python classes.

A kernel handles small fixed-size values: `vec3`, `quat`, `mat3`, `spatial` (angular part first, as
in MuJoCo) and `inertia`. This module is what they are when a kernel runs as ordinary Python; the
same names are given to Numba in `numba_values`. One table, KINDS, describes both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

__all__ = [
    "KINDS",
    "WORD",
    "any_lane",
    "bit",
    "count_bits",
    "eights",
    "floor_real",
    "in_lane",
    "inertia",
    "lane_bits",
    "lowest_bit",
    "mat3",
    "quat",
    "select",
    "spatial",
    "vec3",
    "without_lowest",
    "world",
    "zero_like",
]

#: bits in a word, whatever the target
WORD = 64

#: kind -> names of its components, in memory order
KINDS: dict[str, tuple[str, ...]] = {
    "vec3": ("x", "y", "z"),
    "quat": ("w", "x", "y", "z"),
    "mat3": ("xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"),
    "spatial": ("ax", "ay", "az", "lx", "ly", "lz"),
    "inertia": ("ixx", "iyy", "izz", "ixy", "ixz", "iyz", "hx", "hy", "hz", "mass"),
}


class Value:
    """A fixed-size tuple of reals with arithmetic; never changed after it is made."""

    __slots__ = ("parts",)
    names: tuple[str, ...] = ()
    parts: tuple[float, ...]

    def __init__(self, *parts: float) -> None:
        if len(parts) != len(self.names):
            raise TypeError(
                f"{type(self).__name__} takes {len(self.names)} numbers, not {len(parts)}"
            )
        object.__setattr__(self, "parts", tuple(float(part) for part in parts))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed: make a new value instead")

    def __getattr__(self, name: str) -> float:
        try:
            return self.parts[self.names.index(name)]
        except ValueError:
            raise AttributeError(f"{type(self).__name__} has no component {name!r}") from None

    def __iter__(self) -> Iterator[float]:
        return iter(self.parts)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash((type(self), self.parts))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{part:.17g}' for part in self.parts)})"

    def __add__(self, other: Any) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(*(a + b for a, b in zip(self.parts, other.parts, strict=True)))

    def __sub__(self, other: Any) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(*(a - b for a, b in zip(self.parts, other.parts, strict=True)))

    def __neg__(self) -> Any:
        return type(self)(*(-a for a in self.parts))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Value):
            return NotImplemented
        return type(self)(*(a * other for a in self.parts))

    def __rmul__(self, other: Any) -> Any:
        return type(self)(*(other * a for a in self.parts))


class vec3(Value):  # noqa: N801 - reads like the built-in number types it stands beside
    """A vector: x, y, z."""

    __slots__ = ()
    names = KINDS["vec3"]


class quat(Value):  # noqa: N801
    """A quaternion: w, x, y, z. `p * q` is the Hamilton product."""

    __slots__ = ()
    names = KINDS["quat"]

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, quat):
            return quat(*hamilton_product(*self.parts, *other.parts))
        return super().__mul__(other)


class mat3(Value):  # noqa: N801
    """A 3x3 matrix, row by row. `matrix @ vector` is their product."""

    __slots__ = ()
    names = KINDS["mat3"]

    def __matmul__(self, v: Any) -> Any:
        return vec3(*matrix_vector(*self.parts, *v.parts))


class spatial(Value):  # noqa: N801
    """A spatial motion or force: angular part, then linear part."""

    __slots__ = ()
    names = KINDS["spatial"]


class inertia(Value):  # noqa: N801
    """A spatial inertia: rotational part, mass times offset, mass (MuJoCo's cinert)."""

    __slots__ = ()
    names = KINDS["inertia"]


#: the classes by kind name
CLASSES: dict[str, type[Value]] = {
    "vec3": vec3,
    "quat": quat,
    "mat3": mat3,
    "spatial": spatial,
    "inertia": inertia,
}


def hamilton_product(aw: Any, ax: Any, ay: Any, az: Any, bw: Any, bx: Any, by: Any, bz: Any) -> Any:
    """Components of the product of two quaternions; the one formula every target uses."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def matrix_vector(
    xx: Any, xy: Any, xz: Any, yx: Any, yy: Any, yz: Any, zx: Any, zy: Any, zz: Any,
    x: Any, y: Any, z: Any,
) -> Any:  # fmt: skip
    """Components of a 3x3 matrix times a vector; the one formula every target uses."""
    return (
        xx * x + xy * y + xz * z,
        yx * x + yy * y + yz * z,
        zx * x + zy * y + zz * z,
    )


def select(condition: Any, if_true: Any, if_false: Any) -> Any:
    """One of two values without a branch: both are evaluated, and in lanes each lane chooses."""
    return if_true if condition else if_false


def floor_real(x: float) -> float:
    """Floor of x, as a real."""
    return float(math.floor(x)) if math.isfinite(x) else x


def any_lane(mask: Any) -> bool:
    """Whether the condition holds in any world of the batch; for one world, the condition."""
    return bool(mask)


def lane_bits(mask: Any) -> int:
    """The worlds in which a condition holds, as bits of a number; for one world, 0 or 1."""
    return int(bool(mask))


def in_lane(value: Any, lane: int) -> Any:
    """What a value is in one of the worlds; for one world, the value."""
    return value


def world(struct: Any, lane: int) -> Any:
    """The model or data of one of the worlds; for one world, the struct itself."""
    return struct


def eights(first: int, last: int) -> range:
    """Indices of independent elements, for a loop that does eight at once; their number is 8 n."""
    return range(first, last)


def zero_like(value: Any) -> Any:
    """Zero of the type of a value: where a sum starts that worlds may not share."""
    return type(value)(*[0.0] * len(value.names)) if isinstance(value, Value) else type(value)(0)


def bit(place: int) -> int:
    """The word in which one bit is set, counted from the lowest."""
    return _signed(1 << place)


def lowest_bit(word: int) -> int:
    """Position of the lowest bit that is set; the word must not be zero."""
    return (word & -word).bit_length() - 1


def without_lowest(word: int) -> int:
    """A word without its lowest bit."""
    return _signed((word & (word - 1)) & _ALL)


def count_bits(word: int) -> int:
    """How many bits of a word are set."""
    return (word & _ALL).bit_count()


_ALL = (1 << WORD) - 1


def _signed(word: int) -> int:
    """A word as the number that compiled code has for it: the highest bit is the sign."""
    return word - (1 << WORD) if word >> (WORD - 1) & 1 else word
