"""Contact parameters in physical units: springs and dampers as solref and solimp, and back.

>>> import cortenforge as cf
>>> soft = cf.contact.from_physical(stiffness=2000, restitution=0.5, mass=0.1)
>>> spec.geom("ball").solref, spec.geom("ball").solimp = soft
>>> cf.contact.to_physical(*soft, mass=0.1).settling_time
0.34...

An active contact of MuJoCo at depth r obeys, along its normal,

    (m + D) a = m a0 - D B v - D K d r,      D = share m d / (1 - d)

with m the mass of both bodies along the normal, a0 the acceleration without the contact, and the K
and B of solref and the impedance d of solimp of a constraint row (`step.constraint.impedance`). So
it is a spring of stiffness D K d and a damper D B on the inertia m + D. share is 1, but for
pyramidal cones (`share`).

    e = exp(-zeta / s atan2(2 zeta s, 2 zeta^2 - 1)),    s = sqrt(1 - zeta^2)

is the restitution of a damping ratio zeta < 1, of a contact that ends when its force is zero.

Sources: MuJoCo: Computation, "Constraint model" and "Parameters"; Schwager and Poeschel,
"Coefficient of restitution and linear-dashpot model revisited" (2007).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cortenforge.enums import Cone
from cortenforge.errors import ArgumentError, StepWarning
from cortenforge.step.constraint.impedance import (
    MAXIMP,
    MINIMP,
    impedance_of,
    solref_damping,
    solref_stiffness,
)
from cortenforge.suggest import close_module

if TYPE_CHECKING:
    from cortenforge.model import Model
    from cortenforge.spec import Spec

__all__ = [
    "ContactParameters",
    "ContactPhysics",
    "from_physical",
    "grasp",
    "impedance_at",
    "share",
    "static_depth",
    "to_physical",
]

Numbers = Sequence[float]
#: what is left of a disturbance when it counts as settled
SETTLED = 0.02
#: a contact that is meant to keep its stiffness has one impedance at every depth
CONSTANT = (0.001, 0.5, 2.0)


class ContactParameters(NamedTuple):
    """`solref` and `solimp` of a geom or pair."""

    solref: tuple[float, float]
    solimp: tuple[float, float, float, float, float]


@dataclass(frozen=True)
class ContactPhysics:
    """A contact as a spring and a damper, at one depth.

    stiffness: force for a depth [N/m].
    damping:   force for a velocity [N s/m].
    mass:      of both bodies along the normal, as one [kg].
    inertia:   what the spring has to move: the mass, and what the impedance adds to it [kg].
    """

    stiffness: float
    damping: float
    mass: float
    inertia: float

    @property
    def frequency(self) -> float:
        """Without damping [rad/s]."""
        return math.sqrt(self.stiffness / self.inertia)

    @property
    def dampratio(self) -> float:
        """1 is critical: as fast as can be without swinging."""
        return self.damping / (2.0 * math.sqrt(self.stiffness * self.inertia))

    @property
    def timeconst(self) -> float:
        """MuJoCo's: the inverse of damping times frequency [s]."""
        return 1.0 / (self.dampratio * self.frequency) if self.damping > 0 else math.inf

    @property
    def restitution(self) -> float:
        """Velocity after a bounce over that before, if gravity is small and steps are short."""
        return _restitution(self.dampratio)

    @property
    def settling_time(self) -> float:
        """How long until 2% of a disturbance are left [s]."""
        ratio = self.dampratio
        slowest = ratio if ratio <= 1.0 else ratio - math.sqrt(ratio * ratio - 1.0)
        rate = slowest * self.frequency
        return -math.log(SETTLED) / rate if rate > 0.0 else math.inf

    @property
    def largest_timestep(self) -> float:
        """Longer steps of Euler's method make the contact gain energy [s]."""
        stiff, damp = self.stiffness / self.inertia, self.damping / self.inertia
        # of z^2 - (2 - h b - h^2 k) z + (1 - h b), both roots are inside of the unit circle
        return 4.0 / (damp + math.sqrt(damp * damp + 4.0 * stiff))


def from_physical(
    *,
    stiffness: float,
    mass: float,
    damping: float | None = None,
    restitution: float | None = None,
    impedance: float = 0.9,
    pyramid: float = 1.0,
    timestep: float | None = None,
) -> ContactParameters:
    """`solref` and `solimp` of a contact with a stiffness [N/m] for bodies of a mass [kg].

    damping:     [N s/m]; or
    restitution: 0 to 1, from which the damping follows; without both, the damping is critical.
    mass:        along the normal: that of a body on the ground, m1 m2 / (m1 + m2) of two.
    impedance:   the same at every depth, so that the spring is linear. The closer to 1, the less
                 the contact adds to the inertia of what it holds, and the stiffer the problem.
    pyramid:     `share(...)` of a pyramidal cone with friction; 1 for other cones.
    timestep:    to be warned if it is too long for this contact.
    """
    _check_positive(stiffness=stiffness, mass=mass, pyramid=pyramid)
    if not 0.0 < impedance < 1.0:
        raise ArgumentError(f"impedance: expected a number between 0 and 1, got {impedance!r}")
    if damping is not None and restitution is not None:
        raise ArgumentError("damping, restitution: expected at most one of them")
    impedance = min(max(impedance, MINIMP), MAXIMP)
    added = pyramid * mass / (1.0 - impedance)
    inertia = mass + added * impedance
    if damping is None:
        ratio = 1.0 if restitution is None else _ratio_for(restitution)
        damping = 2.0 * ratio * math.sqrt(stiffness * inertia)
    if not (math.isfinite(damping) and damping >= 0.0):
        raise ArgumentError(f"damping: expected a finite number, 0 or more, got {damping!r}")
    physics = ContactPhysics(stiffness, damping, mass, inertia)
    if timestep is not None:
        warn_of_timestep(physics, timestep)
    solref = (-stiffness / added, -damping / added)
    return ContactParameters(solref, (impedance, impedance, *CONSTANT))


def to_physical(
    solref: Numbers,
    solimp: Numbers,
    *,
    mass: float,
    depth: float = 0.0,
    pyramid: float = 1.0,
    timestep: float = 0.0,
) -> ContactPhysics:
    """What solref and solimp mean for bodies of a mass along the normal, at a depth [m].

    timestep: as MuJoCo does it unless the flag `refsafe` is off, a time constant is at least two
    of these.
    """
    _check_positive(mass=mass, pyramid=pyramid)
    if len(solref) != 2 or len(solimp) != 5:
        raise ArgumentError("expected two numbers of solref and five of solimp")
    d, deepest = _impedance(solimp, depth)
    timeconst, dampratio = (float(x) for x in solref)
    if timeconst > 0.0:
        timeconst = max(timeconst, 2.0 * timestep)
    stiff = float(solref_stiffness(timeconst, dampratio, deepest))
    damp = float(solref_damping(timeconst, dampratio, deepest))
    added = pyramid * mass * d / (1.0 - d)
    return ContactPhysics(added * stiff * d, added * damp, mass, mass + added)


def static_depth(
    solref: Numbers,
    solimp: Numbers,
    *,
    mass: float,
    force: float,
    pyramid: float = 1.0,
    timestep: float = 0.0,
) -> float:
    """How deep a force [N] presses bodies of a mass into a contact, once they are at rest [m].

    For a body on the ground the force is its weight, and the mass does not matter.
    """
    from scipy.optimize import brentq

    def missing(depth: float) -> float:
        found = to_physical(
            solref, solimp, mass=mass, depth=depth, pyramid=pyramid, timestep=timestep
        )
        return found.stiffness * depth - force

    if not (math.isfinite(force) and force >= 0.0):
        raise ArgumentError(f"force: expected a finite number, 0 or more, got {force!r}")
    deepest = 1e-6
    while missing(deepest) < 0.0:
        deepest *= 2.0
        if deepest > 1e12:
            return math.inf
    return float(brentq(missing, 0.0, deepest, xtol=1e-15, rtol=1e-12))


def share(friction: float, *, condim: int = 3, impratio: float = 1.0) -> float:
    """How many times as stiff a contact is with a pyramidal cone as with an elliptic one.

    Its edges share the force, and their stiffness is chosen for friction: it is 1 for a friction
    of 1 in three dimensions.
    """
    _check_positive(friction=friction, impratio=impratio)
    if condim not in (1, 3, 4, 6):
        raise ArgumentError(f"condim: expected 1, 3, 4 or 6, got {condim!r}")
    square = friction * friction
    return 1.0 if condim == 1 else (condim - 1) * impratio / (square * (1.0 + square))


def grasp(
    target: Model | Spec,
    *,
    impratio: float = 10.0,
    noslip_iterations: int = 10,
    noslip_tolerance: float = 1e-10,
) -> None:
    """Set the options of a model, or a description of one, so that what is held does not creep.

    Soft friction lets go a little: a held object sinks at a steady velocity. With elliptic cones
    friction is `impratio` times as hard as the normal force, and the noslip solver then takes away
    most of what is left. Steps take longer, and other contacts of the model change as well.
    """
    _check_positive(impratio=impratio)
    for name, number in (
        ("noslip_iterations", noslip_iterations),
        ("noslip_tolerance", noslip_tolerance),
    ):
        if not number >= 0:
            raise ArgumentError(f"{name}: expected 0 or more, got {number!r}")
    if hasattr(target, "opt"):
        target.opt.cone = int(Cone.ELLIPTIC)
        target.opt.impratio = impratio
        target.opt.noslip_iterations = noslip_iterations
        target.opt.noslip_tolerance = noslip_tolerance
    else:
        target.option["cone"] = "elliptic"
        target.option["impratio"] = impratio
        target.option["noslip_iterations"] = noslip_iterations
        target.option["noslip_tolerance"] = noslip_tolerance


def impedance_at(solimp: Numbers, depth: float) -> float:
    """Impedance d of a contact at a depth."""
    return _impedance(solimp, depth)[0]


def _impedance(solimp: Numbers, depth: float) -> tuple[float, float]:
    """Impedance d at a depth, and dmax."""
    impedance, _slope, deepest = impedance_of(np.array([solimp], float), 0, depth)
    return float(impedance), float(deepest)


def warn_of_timestep(physics: ContactPhysics, timestep: float) -> None:
    """Give a StepWarning if a contact is too fast for a time step."""
    for problem in problems_with(physics, timestep):
        warnings.warn(problem, StepWarning, stacklevel=3)


def problems_with(physics: ContactPhysics, timestep: float) -> list[str]:
    """What is wrong with a contact at a time step, in words."""
    found = []
    if physics.timeconst < 2.0 * timestep:
        found.append(
            f"the time constant of the contact is {physics.timeconst:.3g} s, less than two time "
            f"steps of {timestep:.3g} s: what happens in it is not resolved; make it softer, damp "
            "it less, or take shorter steps"
        )
    if timestep > physics.largest_timestep:
        found.append(
            f"the contact gains energy with time steps above {physics.largest_timestep:.3g} s, and "
            f"this one is {timestep:.3g} s"
        )
    return found


def _restitution(ratio: float) -> float:
    """Restitution at a damping ratio; spring and damper end when they would pull."""
    if ratio <= 0.0:
        return 1.0
    if ratio < 1.0:
        root = math.sqrt(1.0 - ratio * ratio)
        return math.exp(-ratio / root * math.atan2(2.0 * ratio * root, 2.0 * ratio * ratio - 1.0))
    if ratio == 1.0:
        return math.exp(-2.0)
    root = math.sqrt(ratio * ratio - 1.0)
    # ln((r + s) / (r - s)) without cancellation, as (r + s)(r - s) = 1
    return math.exp(-ratio / root * 2.0 * math.log(ratio + root))


def _ratio_for(restitution: float) -> float:
    """The damping ratio with a coefficient of restitution."""
    if not 0.0 < restitution <= 1.0:
        raise ArgumentError(
            f"restitution: expected a number above 0 and at most 1, got {restitution!r}; without "
            "it the damping is critical, which has 0.135"
        )
    if restitution == 1.0:
        return 0.0
    from scipy.optimize import brentq

    highest = 1.0
    while _restitution(highest) > restitution:
        highest *= 2.0
    return float(brentq(lambda ratio: _restitution(ratio) - restitution, 0.0, highest, xtol=1e-15))


def _check_positive(**numbers: float) -> None:
    for name, value in numbers.items():
        if not (math.isfinite(value) and value > 0.0):
            raise ArgumentError(f"{name}: expected a positive number, got {value!r}")


close_module(__name__)
