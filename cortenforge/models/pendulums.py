"""Pendulums made to measure: what swings, in the fewest bodies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cortenforge.errors import ArgumentError
from cortenforge.models.looks import light_up
from cortenforge.spec import Element, Spec

if TYPE_CHECKING:
    from cortenforge.model import Model

RUST = [0.72, 0.33, 0.13, 1]
STEEL = [0.4, 0.42, 0.45, 1]
#: widths of rods and bobs are for the eye; they are parts of the length
ROD, BOB = 0.015, 0.05
TIMESTEP = 1 / 240


def simple_pendulum(length: float = 1.0, mass: float = 1.0) -> Model:
    """A point of a mass on a rod without any: its small swings take 2 pi sqrt(length / g).

    length: from the pivot to the mass [m].  mass: [kg].
    Joint `hinge1` turns about the y axis; site `tip` is the mass. Runge-Kutta, 1/240 s.
    """
    spec = _start("simple pendulum", length, mass)
    link = spec.worldbody.add_body(name="link1", pos=[0, 0, length])
    link.add_joint(name="hinge1", axis=[0, 1, 0])
    # MJCF asks for some inertia; this is 1e-12 of that about the pivot
    speck = 1e-12 * mass * length**2
    link.set_inertial(pos=[0, 0, -length], mass=mass, diaginertia=[speck] * 3)
    _draw(link, length, bob=True)
    return spec.compile()


def double_pendulum(length: float = 1.0, mass: float = 1.0) -> Model:
    """Two rods, one below the other, each of a length [m] and a mass [kg]; Runge-Kutta, 1/240 s.

    Joints are `hinge1` and `hinge2`, the free end is the site `tip`.
    """
    return _chain("double pendulum", 2, length, mass, "RK4")


def n_link_pendulum(n: int, length: float = 1.0, mass: float = 1.0) -> Model:
    """A chain of n thin rods, each of a length [m] and a mass [kg], that swing about the y axis.

    Bodies are `link1`, ..., joints `hinge1`, ..., the free end is the site `tip`.
    Semi-implicit Euler, 1/240 s.

    >>> n_link_pendulum(3, 1.0, 0.1).nv
    3
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ArgumentError(f"n: expected at least 1 link, got {n!r}")
    return _chain(f"pendulum of {n} links", n, length, mass, "Euler")


def spherical_pendulum(length: float = 1.0, mass: float = 1.0) -> Model:
    """A ball on a rod without mass that swings in every direction; Runge-Kutta, 1/240 s.

    length: from the pivot to the ball's centre [m].  mass: [kg]; the ball's radius is a twentieth
    of the length. Joint `ball` is a ball joint; site `tip` is the ball's centre.
    """
    spec = _start("spherical pendulum", length, mass)
    link = spec.worldbody.add_body(name="link1", pos=[0, 0, length])
    link.add_joint(name="ball", type="ball")
    round_ = 0.4 * mass * (BOB * length) ** 2
    link.set_inertial(pos=[0, 0, -length], mass=mass, diaginertia=[round_] * 3)
    _draw(link, length, bob=True)
    return spec.compile()


def _start(name: str, length: float, mass: float, integrator: str = "RK4") -> Spec:
    """An empty description, once its measures are found possible."""
    for what, value in (("length", length), ("mass", mass)):
        if not (isinstance(value, int | float) and 0 < value < math.inf):
            raise ArgumentError(f"{what}: expected a positive number, got {value!r}")
    spec = Spec(name)
    spec.option.set(timestep=TIMESTEP, integrator=integrator)
    spec.flag["energy"] = "enable"
    light_up(spec)
    return spec


def _chain(name: str, n: int, length: float, mass: float, integrator: str) -> Model:
    """Rods that hang on each other."""
    spec = _start(name, length, mass, integrator)
    link = spec.worldbody
    across = mass * length**2 / 12
    along = 0.5 * mass * (ROD * length) ** 2
    for i in range(1, n + 1):
        link = link.add_body(name=f"link{i}", pos=[0, 0, n * length if i == 1 else -length])
        link.add_joint(name=f"hinge{i}", axis=[0, 1, 0])
        link.set_inertial(pos=[0, 0, -0.5 * length], mass=mass, diaginertia=[across, across, along])
        _draw(link, length, bob=False, tip=i == n)
    return spec.compile()


def _draw(link: Element, length: float, *, bob: bool, tip: bool = True) -> None:
    """Visual geoms without contacts and mass, and a site at the free end."""
    looks = {"contype": 0, "conaffinity": 0, "mass": 0}
    link.add_geom(
        type="capsule",
        fromto=[0, 0, 0, 0, 0, -length],
        size=ROD * length,
        rgba=STEEL if bob else RUST,
        **looks,
    )
    if bob:
        link.add_geom(pos=[0, 0, -length], size=BOB * length, rgba=RUST, **looks)
    if tip:
        link.add_site(name="tip", pos=[0, 0, -length])
