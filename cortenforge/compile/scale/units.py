"""Scale factors of attributes by their physical dimension.

A frame scales lengths by s and masses by m; the default of m is s^3. With `scaling="similar"`
accelerations scale with s, so times stay and

    force m s,   torque m s^2,   stiffness and damping of a slide m, of a hinge m s^2

With "geometry" forces, torques, stiffness and damping stay. Densities scale with m / s^3, inertia
with m s^2 in either case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from cortenforge.grammar.rule import Value
from cortenforge.spec import Element
from cortenforge.spec.attribute import keyword

POLYNOMIAL_ORDERS = np.arange(3.0)
ScaleFactor = float | np.ndarray


@dataclass(frozen=True)
class ScaleFactors:
    """Factors of lengths (s) and masses (m), and those for forces, 1 if forces stay."""

    s: float = 1.0
    m: float = 1.0
    force_s: float = 1.0
    force_m: float = 1.0

    def in_frame(self, frame: Element) -> ScaleFactors:
        """The factors for the contents of a frame."""
        given = np.atleast_1d(np.asarray(frame["scale"] if frame.given("scale") else 1.0, float))
        if len(given) not in (1, 3):
            raise frame.error(f"expected 1 or 3 numbers, not {len(given)}", "scale")
        if len(set(given.tolist())) > 1:
            raise frame.error(
                "a different scale along each axis is not supported yet",
                "scale",
                hint="one number scales all axes",
            )
        s = float(given[0])
        m = float(frame["massscale"] or 0.0) or s**3
        similar = keyword(frame, "scaling") == "similar"
        force_s, force_m = (s, m) if similar else (1.0, 1.0)
        return ScaleFactors(self.s * s, self.m * m, self.force_s * force_s, self.force_m * force_m)

    def geometric_mean(self, other: ScaleFactors) -> ScaleFactors:
        """Geometric mean of two scales, for what belongs to two objects."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return ScaleFactors(*(float(np.sqrt(a * b)) for a, b in pairs))

    @property
    def is_identity(self) -> bool:
        """True when nothing changes."""
        return self == ScaleFactors()


@dataclass(frozen=True)
class CoordinateUnit:
    """Factors for a coordinate (a length or an angle) and the force or torque along it."""

    scale: ScaleFactors = ScaleFactors()
    rotates: bool = False

    @property
    def length(self) -> float:
        """Factor of the coordinate."""
        return 1.0 if self.rotates else self.scale.s

    @property
    def force(self) -> float:
        """Factor of forces along it."""
        return self.scale.force_m * self.scale.force_s * (self.scale.force_s / self.per_coordinate)

    @property
    def per_coordinate(self) -> float:
        """Factor of the coordinate in derivatives of forces by it (stiffness, damping)."""
        return 1.0 if self.rotates else self.scale.force_s


def solimp_factors(factor: float) -> np.ndarray:
    """Factors of solimp: only its third number, the width, is a length."""
    return np.array([1.0, 1.0, factor, 1.0, 1.0])


def limit_and_spring_factors(unit: CoordinateUnit) -> Iterator[tuple[str, ScaleFactor]]:
    """Factors of attributes that joints and tendons share."""
    for name in ("range", "margin", "springyield"):
        yield name, unit.length
    yield from ((name, solimp_factors(unit.length)) for name in ("solimplimit", "solimpfriction"))
    yield from ((name, unit.force) for name in ("frictionloss", "actuatorfrcrange"))
    yield from damping_factors(unit)
    yield "stiffness", unit.force / unit.per_coordinate ** (1 + POLYNOMIAL_ORDERS)


def damping_factors(unit: CoordinateUnit) -> Iterator[tuple[str, ScaleFactor]]:
    """Factors of damping and armature."""
    yield "damping", unit.force / unit.per_coordinate ** (1 + POLYNOMIAL_ORDERS)
    yield "armature", unit.force / unit.per_coordinate


def multiply_attributes(
    element: Element, factors: Iterable[tuple[str, ScaleFactor]], single: bool = False
) -> None:
    """Multiply attributes of an element; `single` rounds them to single precision before."""
    for attribute, factor in factors:
        value = element[attribute]
        if value is None or isinstance(value, str):
            continue
        if single:
            value = np.asarray(value, np.float32).astype(float)
        product = _scaled_value(value, factor)
        # attributes that do not change are not added to the element
        if not np.array_equal(product, value):  # type: ignore[arg-type]
            element.attributes[attribute] = product


def _scaled_value(value: Value, factor: ScaleFactor) -> Value:
    if isinstance(value, np.ndarray) and value.ndim:
        return value * (factor if np.ndim(factor) == 0 else np.asarray(factor)[: len(value)])
    return float(value) * float(factor)  # type: ignore[arg-type]
