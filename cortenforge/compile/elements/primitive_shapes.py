"""Primitive shapes: volume, inertia, bounding box, coefficients for forces of a fluid.

Solids of mass m, sizes as in MJCF (radius r, half length l, half axes a b c):

    sphere      V = 4/3 pi r^3           I = 2/5 m r^2
    cylinder    V = 2 pi r^2 l           I_z = m r^2 / 2,   I_x = m (3 r^2 + (2 l)^2) / 12
    capsule     a cylinder and two half spheres, whose centres of mass are 3/8 r beyond its ends
    ellipsoid   V = 4/3 pi a b c         I_x = m (b^2 + c^2) / 5
    box         V = 8 a b c              I_x = m (b^2 + c^2) / 3

Shells (`shellinertia`) have their mass on the surface, by area. A shell of an ellipsoid is the
solid with half axes longer by 1e-6 less the ellipsoid; its area is Thomsen's approximation,
4 pi (((ab)^p + (bc)^p + (ca)^p) / 3)^(1/p) with p = 1.6075.

Added mass and inertia of an ellipsoid with half axes r in a fluid of unit density (Lamb,
Hydrodynamics, chapter V; MuJoCo: Computation, "Fluid forces"):

    kappa_x = r_x r_y r_z int_0^inf dl / ((r_x^2 + l)^(3/2) (r_y^2 + l)^(1/2) (r_z^2 + l)^(1/2))
    mass_x = V kappa_x / (2 - kappa_x)
    inertia_x = V/5 (r_y^2 - r_z^2)^2 |kappa_z - kappa_y|
                / |2 (r_y^2 - r_z^2) + (r_y^2 + r_z^2)(kappa_y - kappa_z)|
"""

from __future__ import annotations

import math

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.spec.rotation import MIN_NORM, ZERO_VECTOR, Vector, subtract, vector

PI = math.pi
PLANE_EXTENT = 1e10

# numbers of sizes that must be positive; planes have a rule of their own
REQUIRED_SIZES = {
    GeomType.SPHERE: 1,
    GeomType.CAPSULE: 2,
    GeomType.ELLIPSOID: 3,
    GeomType.CYLINDER: 2,
    GeomType.BOX: 3,
}

# 15-point Gauss-Kronrod rule on x in (0, 1), with l = x^3/(1-x)^2 and dl/dx at the nodes; the
# published digits are kept, because the reference engine integrates with exactly these
KRONROD_WEIGHT = np.array(
    [
        0.01146766,
        0.03154605,
        0.05239501,
        0.07032663,
        0.08450236,
        0.09517529,
        0.10221647,
        0.10474107,
        0.10221647,
        0.09517529,
        0.08450236,
        0.07032663,
        0.05239501,
        0.03154605,
        0.01146766,
    ]
)
KRONROD_NODE = np.array(
    [
        7.865151709349917e-08,
        1.7347976913907274e-05,
        0.0003548008144506193,
        0.002846636252924549,
        0.014094260903596077,
        0.053063261727396636,
        0.17041978741317773,
        0.5,
        1.4036301548686991,
        3.9353484827022642,
        11.644841677041734,
        39.53187807410903,
        177.5711362220801,
        1429.4772912937397,
        54087.416549217705,
    ]
)
KRONROD_JACOBIAN = np.array(
    [
        5.538677720489877e-05,
        0.002080868285293228,
        0.016514126520723166,
        0.07261900344370877,
        0.23985243401862602,
        0.6868318249020725,
        1.8551129519182894,
        5.0,
        14.060031152313941,
        43.28941239611009,
        156.58546376397112,
        747.9826085305024,
        5827.4042950027115,
        116754.0197944512,
        25482945.327264845,
    ]
)


def shape_volume(kind: GeomType, size: Vector, *, shell: bool = False) -> float:
    """Volume of a solid, or with `shell` its surface area; 0 for a plane."""
    a, b, c = size
    if kind == GeomType.SPHERE:
        return 4 * PI * a * a if shell else 4 * PI * a * a * a / 3
    if kind == GeomType.CAPSULE:
        if shell:
            return 4 * PI * a * a + 4 * PI * a * b
        return PI * (2 * a * a * b + 4 * a * a * a / 3)
    if kind == GeomType.CYLINDER:
        return 2 * PI * a * a + 4 * PI * a * b if shell else 2 * PI * a * a * b
    if kind == GeomType.ELLIPSOID:
        return _ellipsoid_area(size) if shell else 4 * PI * a * b * c / 3
    if kind in (GeomType.BOX, GeomType.HFIELD):
        return 8 * (a * b + b * c + c * a) if shell else 8 * a * b * c
    return 0.0


def _ellipsoid_area(size: Vector) -> float:
    """Surface area by Thomsen's approximation, within 1.1 percent."""
    a, b, c = size
    p = 1.6075
    area: float = 4 * PI * (((a * b) ** p + (b * c) ** p + (c * a) ** p) / 3) ** (1 / p)
    return area


def shape_inertia(kind: GeomType, size: Vector, mass: float, *, shell: bool = False) -> Vector:
    """Principal moments of inertia about the centre, along the shape's own axes."""
    make = {
        GeomType.SPHERE: _sphere_inertia,
        GeomType.CAPSULE: _capsule_inertia,
        GeomType.CYLINDER: _cylinder_inertia,
        GeomType.ELLIPSOID: _ellipsoid_inertia,
        GeomType.BOX: _box_inertia,
        GeomType.HFIELD: _box_inertia,
    }.get(kind)
    return ZERO_VECTOR if make is None else make(size, mass, shell)


def _sphere_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    moment = 2 * mass * size[0] * size[0] / (3 if shell else 5)
    return (moment, moment, moment)


def _capsule_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    """Cylinder and two half spheres, moved to its ends by the parallel axis theorem."""
    radius, half = size[0], size[1]
    height, square = 2 * half, radius * radius
    if shell:
        ball = mass * 2 * radius / (2 * radius + height)
        tube = mass - ball
        side = tube * (6 * square + height * height) / 12
        axial = tube * square
        moment = 2 * ball * square / 3
        # a hollow half sphere's centre of mass is half a radius from its centre
        side += moment + ball * ((half + radius / 2) ** 2 - square / 4)
    else:
        ball = mass * 4 * radius / (4 * radius + 3 * height)
        tube = mass - ball
        side = tube * (3 * square + height * height) / 12
        axial = tube * square / 2
        moment = 2 * ball * square / 5
        side += moment + ball * height * (3 * radius + 2 * height) / 8
    return (side, side, axial + moment)


def _cylinder_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    radius, half = size[0], size[1]
    square, length = radius * radius, 4 * half * half
    if not shell:
        side = mass * (3 * square + length) / 12
        return (side, side, mass * square / 2)
    # a tube and two discs, by area
    disc = mass * radius / (2 * radius + 4 * half)
    tube = mass - 2 * disc
    side = tube * (6 * square + length) / 12 + 2 * disc * (square / 4 + half * half)
    return (side, side, tube * square + disc * square)


def _ellipsoid_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    if not shell:
        return _moments_of_half_axes(size, mass / 5)
    # a shell is a slightly larger ellipsoid minus the ellipsoid
    outer = vector(axis + 1e-6 for axis in size)
    inner_volume = shape_volume(GeomType.ELLIPSOID, size)
    outer_volume = shape_volume(GeomType.ELLIPSOID, outer)
    density = mass / (outer_volume - inner_volume)
    larger = _moments_of_half_axes(outer, outer_volume * density / 5)
    smaller = _moments_of_half_axes(size, inner_volume * density / 5)
    return subtract(larger, smaller)


def _box_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    if not shell:
        return _moments_of_half_axes(size, mass / 3)
    a, b, c = (axis * axis for axis in size)
    x, y, z = size
    area = x * y + y * z + z * x
    # mass of one face normal to z, x, y
    nz, nx, ny = (mass * face / (2 * area) for face in (x * y, y * z, z * x))
    return (
        2 * (nz * c + ny * b + (nz * b + nx * (b + c) + ny * c) / 3),
        2 * (nz * c + nx * a + (nz * a + nx * c + ny * (a + c)) / 3),
        2 * (nx * a + ny * b + (nz * (a + b) + nx * b + ny * a) / 3),
    )


def _moments_of_half_axes(size: Vector, factor: float) -> Vector:
    """Factor times the sums of squares of the two other half-axes."""
    a, b, c = (axis * axis for axis in size)
    return (factor * (b + c), factor * (a + c), factor * (a + b))


def shape_aabb(kind: GeomType, size: Vector) -> tuple[float, ...]:
    """Centre and half-sizes of the box around the shape, in its own frame."""
    if kind == GeomType.PLANE:
        return (0.0, 0.0, -PLANE_EXTENT / 2, PLANE_EXTENT, PLANE_EXTENT, PLANE_EXTENT / 2)
    return (0.0, 0.0, 0.0, *half_axes(kind, size))


def half_axes(kind: GeomType, size: Vector) -> Vector:
    """Half the extent of the shape along its axes."""
    if kind == GeomType.SPHERE:
        return (size[0], size[0], size[0])
    if kind == GeomType.CAPSULE:
        return (size[0], size[0], size[0] + size[1])
    if kind == GeomType.CYLINDER:
        return (size[0], size[0], size[1])
    return size


def fluid_coefficients(
    kind: GeomType, size: Vector, coefficients: tuple[float, ...]
) -> tuple[float, ...]:
    """geom_fluid (12,): 1, five force coefficients, added mass (3), added inertia (3)."""
    axes = half_axes(kind, size)
    x, y, z = (axis * axis for axis in axes)
    filled = 4.0 / 3.0 * PI * axes[0] * axes[1] * axes[2]
    kx, ky, kz = (_added_mass_factor(*(axes[(i + j) % 3] for j in range(3))) for i in range(3))
    mass = tuple(filled * k / max(MIN_NORM, 2 - k) for k in (kx, ky, kz))
    moment = tuple(
        filled
        * (p - q) ** 2
        * abs(kq - kp)
        / max(MIN_NORM, abs(2 * (p - q) + (p + q) * (kp - kq)))
        / 5
        for p, q, kp, kq in ((y, z, ky, kz), (z, x, kz, kx), (x, y, kx, ky))
    )
    return (1.0, *coefficients, *mass, *moment)


def _added_mass_factor(dx: float, dy: float, dz: float) -> float:
    """kappa_x of an ellipsoid with half axes dx, dy, dz, by Gauss-Kronrod quadrature."""
    scale = (dx * dx * dx * dy * dz) ** 0.4
    node = scale * KRONROD_NODE
    along = 1 + node / (dx * dx)
    denominator = along * np.sqrt(along * (1 + node / (dy * dy)) * (1 + node / (dz * dz)))
    return float(np.sum(scale * KRONROD_JACOBIAN / denominator * KRONROD_WEIGHT)) / (dx * dx)
