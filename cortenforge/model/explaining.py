"""Contacts in words: how stiff they are, how deep they will be, what time steps make of them."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.contact import ContactPhysics, problems_with, share, static_depth
from cortenforge.enums import Cone, Disable
from cortenforge.errors import StepWarning
from cortenforge.model.contacts import Contact, contact_number
from cortenforge.notebook import Printed

if TYPE_CHECKING:
    from cortenforge.model.data import Data


@dataclass(frozen=True)
class ContactExplanation(Printed):
    """What a contact is, as the last evaluation left it; `print` it.

    geoms:        names of both geoms.
    depth:        how deep they are, margin included [m].
    force:        normal force [N].
    physics:      the contact as a spring and a damper at this depth; None if it does not act.
    static_depth: how deep it would be at rest under this force [m].
    timestep:     of the model [s].
    problems:     what is wrong, in sentences.
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
            return f"{head}: it does not act"
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
    """What a contact is; see ContactExplanation.  A StepWarning says what is wrong with it."""
    i = contact_number(data, contact)
    force = float(data.contact_force(i)[0])
    model, contact = data.model, data.contact[i]
    names = (model.name_of("geom", g) or f"#{g}" for g in contact.geom.tolist())
    geoms = (next(names), next(names))
    depth, step = contact.includemargin - contact.dist, float(model.opt.timestep)
    if contact.efc_address < 0:
        return ContactExplanation(geoms, depth, force, None, 0.0, step, ())
    physics, rest = _spring(data, i, max(0.0, force + contact.adhesion))
    problems = [*_unsafe(data, i), *problems_with(physics, step)]
    for problem in problems:
        warnings.warn(f"contact of {geoms[0]!r} and {geoms[1]!r}: {problem}", StepWarning, 3)
    return ContactExplanation(geoms, depth, force, physics, rest, step, tuple(problems))


def _spring(data: Data, i: int, force: float) -> tuple[ContactPhysics, float]:
    """The spring and damper of a contact, out of its rows; how deep a force presses it."""
    contact, model = data.contact[i], data.model
    rows = _rows(data, i)
    stiff, damp, impedance, _ = data.efc_KBIP[rows.start]
    added = float(data.efc_D[rows].sum())
    mass = _mass_along(data, i)
    physics = ContactPhysics(added * stiff * impedance, added * damp, mass, mass + added)
    pyramid = 1.0
    if model.opt.cone == Cone.PYRAMIDAL:
        friction = float(contact.friction[0])
        pyramid = share(friction, condim=contact.dim, impratio=model.opt.impratio)
    # what the rows take for the mass, which need not be what it is
    taken = added * (1.0 - impedance) / (impedance * pyramid)
    safe = 0.0 if model.opt.disableflags & Disable.REFSAFE else model.opt.timestep
    solref, solimp = contact.solref.tolist(), contact.solimp.tolist()
    rest = static_depth(solref, solimp, mass=taken, force=force, pyramid=pyramid, timestep=safe)
    return physics, rest


def _rows(data: Data, i: int) -> slice:
    """Rows of a contact that push along its normal."""
    contact = data.contact[i]
    pyramid = data.model.opt.cone == Cone.PYRAMIDAL and contact.dim > 1
    count = 2 * (contact.dim - 1) if pyramid else 1
    return slice(contact.efc_address, contact.efc_address + count)


def _mass_along(data: Data, i: int) -> float:
    """Mass of both bodies along the normal, as one: 1 / (J M^-1 J')."""
    contact = data.contact[i]
    one, other = data.model.geom_bodyid[contact.geom]
    row = contact.frame[:3] @ (data.jac(contact.pos, other).jacp - data.jac(contact.pos, one).jacp)
    inverse = float(row @ data.solve_M(row))
    return 1.0 / inverse if inverse > 0.0 else math.inf


def _unsafe(data: Data, i: int) -> list[str]:
    """Whether the time constant that was asked for is less than two steps."""
    solref = np.asarray(data.contact[i].solref)
    step = float(data.model.opt.timestep)
    if not 0.0 < solref[0] < 2.0 * step:
        return []
    asked = f"solref asks for a time constant of {solref[0]:.3g} s, less than two time steps"
    if data.model.opt.disableflags & Disable.REFSAFE:
        return [asked]
    return [f"{asked}: {2.0 * step:.3g} s is taken instead (flag refsafe)"]
