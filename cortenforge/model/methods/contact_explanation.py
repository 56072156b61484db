"""A contact as a spring and a damper, in physical units.

With rows i along the normal, k and b of their reference acceleration and impedance d (efc_KBIP),

    D = sum efc_D,   stiffness = D k d,   damping = D b,   m = 1 / (J M^-1 J')

are those of the force along the normal; m is the effective mass of both bodies.
See docs/constraints.md and MuJoCo: Computation, "Solver parameters".
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.contact import ContactPhysics, problems_with, share, static_depth
from cortenforge.enums import Cone, Disable
from cortenforge.errors import StepWarning
from cortenforge.model.methods.contacts import Contact, contact_index
from cortenforge.notebook import Printed

if TYPE_CHECKING:
    from cortenforge.model.data import Data


@dataclass(frozen=True)
class ContactExplanation(Printed):
    """A contact in physical units, from the last evaluation; `print` it.

    geoms:        names of both geoms.
    depth:        penetration, margin included [m].
    force:        normal force [N].
    physics:      spring and damper at this depth; None if the contact is inactive.
    static_depth: penetration at rest under this force [m].
    timestep:     of the model [s].
    problems:     findings, in sentences.
    """

    geoms: tuple[str, str]
    depth: float
    force: float
    physics: ContactPhysics | None
    static_depth: float
    timestep: float
    problems: tuple[str, ...]

    def __str__(self) -> str:
        head = f"contact of {self.geoms[0]!r} and {self.geoms[1]!r}, {1e3 * self.depth:.4g} mm deep"
        if self.physics is None:
            return f"{head}: inactive"
        spring = self.physics
        rows = (
            ("normal force", f"{self.force:.6g} N"),
            ("effective mass", f"{spring.mass:.6g} kg"),
            ("stiffness", f"{spring.stiffness:.6g} N/m"),
            (
                "damping",
                f"{spring.damping:.6g} N s/m, {spring.dampratio:.3g} of critical",
            ),
            ("restitution", f"{spring.restitution:.3g}"),
            ("time constant", f"{spring.timeconst:.3g} s"),
            ("settling time", f"{spring.settling_time:.3g} s"),
            ("static depth", f"{1e3 * self.static_depth:.4g} mm under this force"),
            (
                "largest time step",
                f"{spring.largest_timestep:.3g} s, now {self.timestep:.3g} s",
            ),
        )
        lines = [head, *(f"  {name:18} {value}" for name, value in rows)]
        return "\n".join([*lines, *(f"  ! {problem}" for problem in self.problems)])


def explain_contact(data: Data, contact: int | Contact) -> ContactExplanation:
    """A contact in physical units; a StepWarning for each of its problems."""
    i = contact_index(data, contact)
    force = float(data.contact_force(i)[0])
    model, contact = data.model, data.contact[i]
    names = (model.name_of("geom", g) or f"#{g}" for g in contact.geom.tolist())
    geoms = (next(names), next(names))
    depth, step = contact.includemargin - contact.dist, float(model.opt.timestep)
    if contact.efc_address < 0:
        return ContactExplanation(geoms, depth, force, None, 0.0, step, ())
    physics, rest = _spring_and_damper(data, i, max(0.0, force + contact.adhesion))
    problems = [*_timeconst_problems(data, i), *problems_with(physics, step)]
    for problem in problems:
        warnings.warn(f"contact of {geoms[0]!r} and {geoms[1]!r}: {problem}", StepWarning, 3)
    return ContactExplanation(geoms, depth, force, physics, rest, step, tuple(problems))


def _spring_and_damper(data: Data, i: int, force: float) -> tuple[ContactPhysics, float]:
    """(spring and damper of a contact, static penetration under a force) from its rows."""
    contact, model = data.contact[i], data.model
    rows = _normal_rows(data, i)
    stiffness, damping, impedance, _ = data.efc_KBIP[rows.start]
    added = float(data.efc_D[rows].sum())
    mass = _effective_mass(data, i)
    physics = ContactPhysics(added * stiffness * impedance, added * damping, mass, mass + added)
    pyramid = 1.0
    if model.opt.cone == Cone.PYRAMIDAL:
        friction = float(contact.friction[0])
        pyramid = share(friction, condim=contact.dim, impratio=model.opt.impratio)
    # the mass that the regularization of the rows stands for
    row_mass = added * (1.0 - impedance) / (impedance * pyramid)
    safe = 0.0 if model.opt.disableflags & Disable.REFSAFE else model.opt.timestep
    solref, solimp = contact.solref.tolist(), contact.solimp.tolist()
    rest = static_depth(solref, solimp, mass=row_mass, force=force, pyramid=pyramid, timestep=safe)
    return physics, rest


def _normal_rows(data: Data, i: int) -> slice:
    """Constraint rows of a contact with a force along its normal."""
    contact = data.contact[i]
    pyramid = data.model.opt.cone == Cone.PYRAMIDAL and contact.dim > 1
    count = 2 * (contact.dim - 1) if pyramid else 1
    return slice(contact.efc_address, contact.efc_address + count)


def _effective_mass(data: Data, i: int) -> float:
    """Effective mass of both bodies along the normal: 1 / (J M^-1 J')."""
    contact = data.contact[i]
    one, other = data.model.geom_bodyid[contact.geom]
    row = contact.frame[:3] @ (data.jac(contact.pos, other).jacp - data.jac(contact.pos, one).jacp)
    inverse = float(row @ data.solve_M(row))
    return 1.0 / inverse if inverse > 0.0 else math.inf


def _timeconst_problems(data: Data, i: int) -> list[str]:
    """A problem if the time constant of solref is less than two time steps."""
    solref = np.asarray(data.contact[i].solref)
    step = float(data.model.opt.timestep)
    if not 0.0 < solref[0] < 2.0 * step:
        return []
    asked = f"solref has a time constant of {solref[0]:.3g} s, less than two time steps"
    if data.model.opt.disableflags & Disable.REFSAFE:
        return [asked]
    return [f"{asked}: {2.0 * step:.3g} s is used instead (flag refsafe)"]
